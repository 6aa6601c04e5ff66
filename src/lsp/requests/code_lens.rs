//! Lines above kernels, functions and labels: their calls, where control comes from, how many registers are live. Lines
//! above those that name a line of the source: which one, with a jump.

use crate::base::span::Span;
use crate::lsp::ask::Ask;
use crate::lsp::callables::{self, line_of};
use crate::lsp::requests::command;
use crate::lsp::{sources, uri};
use crate::program::cfg::BlockId;
use crate::program::{ControlFlow, LabelId, Object, ObjectKind};
use crate::reading::Pressure;
use gen_lsp_types::{CodeLens, Command};
use rustc_hash::FxHashMap;
use serde_json::json;

/// Answers the request.
#[must_use]
pub fn code_lens(ask: &Ask) -> Vec<CodeLens> {
    let analysis = &ask.analysis;
    let p = &analysis.program;
    let (all, calls) = callables::callables(analysis);
    let mut callers: Vec<Vec<u32>> = vec![Vec::new(); all.len()];
    for call in &calls {
        callers[call.callee].push(line_of(analysis, call.instruction));
    }
    let mut lenses = Vec::new();
    for (callable, lines) in all.iter().zip(callers) {
        let n = lines.len();
        if n > 0 {
            let times = if n == 1 { "once".to_owned() } else { format!("{n} times") };
            lenses.push(lens(ask, callable.name, format!("called {times}: {}", callables::lines(lines))));
        } else if callable.label.is_some() {
            lenses.push(lens(ask, callable.name, "never called".to_owned()));
        }
    }
    for object in p.objects.iter().filter(|o| o.kind != ObjectKind::Missing) {
        let grf_bytes = analysis.grf_bytes();
        let most = Pressure::new(p, object, analysis.touches(), grf_bytes).and_then(|pressure| pressure.most());
        if let Some((at, live)) = most.filter(|(_, live)| live.bytes > 0) {
            let line = line_of(analysis, at);
            let title = format!(
                "at most {} registers of {grf_bytes} bytes are live, {} bytes, in line {line}",
                live.registers, live.bytes
            );
            lenses.push(lens(ask, if object.name_span.is_empty() { object.span } else { object.name_span }, title));
        }
        labels(ask, object, &mut lenses);
    }
    sources(ask, &mut lenses);
    lenses
}

/// The lines of the source.
fn sources(ask: &Ask, lenses: &mut Vec<CodeLens>) {
    let mut found: FxHashMap<&str, Option<String>> = FxHashMap::default();
    for source in sources::source_lines(ask.analysis.text.as_str()) {
        let uri = found.entry(source.file).or_insert_with(|| {
            let path = sources::path(ask.uri, source.file).filter(|_| ask.client.shows_documents);
            path.map(|path| uri::from_path(&path))
        });
        let mut lens = lens(ask, source.span, format!("{}:{}", source.file, source.line));
        if let (Some(command), Some(uri)) = (&mut lens.command, uri) {
            command::SHOW_SOURCE.clone_into(&mut command.command);
            command.arguments = Some(vec![json!(uri), json!(source.line - 1)]);
        }
        lenses.push(lens);
    }
}

/// The lines from which control comes to each label.
fn labels(ask: &Ask, object: &Object, lenses: &mut Vec<CodeLens>) {
    let analysis = &ask.analysis;
    let p = &analysis.program;
    let flow = ControlFlow::new(p, object);
    let blocks = flow.blocks.as_slice();
    for label in (object.labels.start..object.labels.end).map(LabelId).map(|l| &p.labels[l]) {
        let place = blocks.partition_point(|b| b.start < label.instruction);
        let Some(block) = blocks.get(place).filter(|b| !label.is_function && b.start == label.instruction) else {
            continue;
        };
        let before = flow.predecessors(BlockId(place as u32));
        let lines =
            before.iter().filter_map(|b| flow.blocks[*b].last()).map(|i| line_of(analysis, i)).collect::<Vec<_>>();
        let title = if lines.is_empty() {
            // The label with which a subroutine begins.
            if block.is_reachable() {
                continue;
            }
            "never reached".to_owned()
        } else {
            format!("reached from {}", callables::lines(lines))
        };
        lenses.push(lens(ask, label.span, title));
    }
}

fn lens(ask: &Ask, span: Span, title: String) -> CodeLens {
    // A command without a name only shows its title.
    CodeLens::new(ask.range(span), Some(Command::new(title, None, String::new(), None)), None)
}
