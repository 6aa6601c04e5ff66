//! Checks: what the annotated program and the tables imply.

mod alike;
pub mod alu;
pub mod attribute;
pub mod branch_predicate;
pub mod common;
pub mod context;
pub mod declaration;
pub mod dpas;
pub mod encoding;
pub mod execution;
pub mod file;
pub mod flow;
pub mod fragment;
pub mod group;
pub mod immediate;
pub mod input;
pub mod kernel;
mod launch;
pub mod lsc;
pub mod media;
pub mod memory;
pub mod operand;
pub mod portability;
pub mod predefined;
pub mod predicate;
pub mod recall;
pub mod render_target;
mod rules;
pub mod sampler;
pub mod suppression;
pub mod table;
pub mod timing;
pub mod vme;

pub use context::{Context, Options, PlatformMode, Sink, View};
pub use execution::messages::{Decision, KernelMessages, MessageVerdict};
pub use launch::{BufferArgument, KernelFacts, LaunchFacts, Payload};
pub use rules::{RULES, rule};
pub use suppression::Suppressed;

use crate::base::diagnostic::Diagnostic;
use crate::base::fix::joins_words;
use crate::base::id::{Id as _, IdVec};
use crate::base::span::Span;
use crate::base::tally::Tally;
use crate::lower;
use crate::program::{ControlFlow, InstructionIndex, Program};
use crate::spec::PlatformSet;
use crate::spec::instruction::Custom;
use alike::Silent;
use execution::Ahead;
use rayon::iter::{IndexedParallelIterator as _, IntoParallelRefIterator as _, ParallelIterator as _};
use recall::Recall;
use suppression::Suppressions;
use timing::{Clock, Part};

/// Reads and checks a text. The findings are in the order of the text.
#[must_use]
pub fn check(text: &str, options: &Options) -> Vec<Diagnostic> {
    let program = if options.in_full { lower::lower_in_full(text) } else { lower::lower(text) };
    check_program(text, &program, options)
}

/// Checks a program that was read from `text`.
#[must_use]
pub fn check_program(text: &str, program: &Program, options: &Options) -> Vec<Diagnostic> {
    check_in_full(text, program, options, None).diagnostics
}

/// Checks a program that was read from `text`, but does not execute it: what abstract execution proves is missing, and so
/// is what depends on all findings being there. For editors, which check in full after the last keystroke.
#[must_use]
pub fn check_quickly(text: &str, program: &Program, options: &Options) -> Vec<Diagnostic> {
    check_again(text, program, options, &mut Recall::default())
}

/// What [`check_quickly`] finds, with the help of what a check of the text before an edit remembers. Remembers in its turn.
#[must_use]
pub fn check_again(text: &str, program: &Program, options: &Options, recall: &mut Recall) -> Vec<Diagnostic> {
    let Some(suppressions) = Suppressions::read(text, program) else {
        return findings(text, program, options, Depth::Text, recall);
    };
    *recall = Recall::default();
    let found = findings(text, program, &Suppressions::widened(options), Depth::Text, recall);
    let (mut diagnostics, _) = suppressions.apply(text, options, found, Vec::new);
    diagnostics
        .retain(|d| d.rule != &suppression::UNUSED_SUPPRESSION && d.rule != &suppression::UNFULFILLED_EXPECTATION);
    settle(&mut diagnostics);
    diagnostics
}

/// What a check finds.
#[derive(Debug, Default)]
pub struct Outcome {
    /// The findings, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
    /// What comments in the text suppress.
    pub suppressed: Vec<Suppressed>,
}

/// Checks a program that was read from `text`, whose byte at `invalid_byte` was not UTF-8, and says what was suppressed.
#[must_use]
pub fn check_in_full(text: &str, program: &Program, options: &Options, invalid_byte: Option<u32>) -> Outcome {
    let all = |options: &Options| {
        let mut diagnostics = findings(text, program, options, Depth::Execution, &mut Recall::default());
        if let Some(offset) = invalid_byte {
            encoding::add_invalid_byte(offset, options, &mut diagnostics);
        }
        diagnostics
    };
    let Some(suppressions) = Suppressions::read(text, program) else {
        return Outcome { diagnostics: all(options), suppressed: Vec::new() };
    };
    let wide = Suppressions::widened(options);
    let elsewhere = || all(&Options { platforms: Some(PlatformSet::ALL), ..wide.clone() });
    let (mut diagnostics, suppressed) = suppressions.apply(text, options, all(&wide), elsewhere);
    settle(&mut diagnostics);
    if !options.in_full {
        let mut tally = Tally::default();
        tally.bound(&mut diagnostics, 0);
        diagnostics.extend(tally.left_out());
        settle(&mut diagnostics);
    }
    Outcome { diagnostics, suppressed }
}

/// Programs of so many instructions are worth several threads.
const LONG_PROGRAM: usize = 2048;
/// So many instructions are checked at a time.
const PART: usize = 1024;

/// How much is checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Depth {
    /// The text alone.
    Text,
    /// The text, and what abstract execution proves.
    Execution,
}

/// What is decided about the messages of each kernel, for each register size that the platforms in question have, in bytes.
#[must_use]
pub fn messages(text: &str, program: &Program, options: &Options) -> Vec<(u32, Vec<KernelMessages>)> {
    let mut verdicts = Vec::new();
    inspect(
        text,
        program,
        options,
        &mut Recall::default(),
        |_| (),
        |cx, sink, ()| {
            let sizes = cx.platforms.grf_sizes();
            verdicts = sizes.map(|grf_bytes| (grf_bytes, execution::messages::verdicts(cx, sink, grf_bytes))).collect();
        },
    );
    verdicts
}

/// All findings, whatever the comments in the text say.
fn findings(text: &str, program: &Program, options: &Options, depth: Depth, recall: &mut Recall) -> Vec<Diagnostic> {
    let executes = depth == Depth::Execution;
    inspect(
        text,
        program,
        options,
        recall,
        |cx| options.during(Part::Execution, || if executes { execution::ahead(cx) } else { Ahead::default() }),
        |cx, sink, ahead| {
            if executes {
                options.during(Part::Execution, || execution::check(cx, sink, ahead));
            }
        },
    )
}

/// Checks what stands in the text, and then has `last` look at it; not if the text is no vISA. What `ahead` makes for that
/// is made meanwhile, if another thread is there.
fn inspect<A: Default + Send>(
    text: &str,
    program: &Program,
    options: &Options,
    recall: &mut Recall,
    ahead: impl FnOnce(&Context) -> A + Send,
    last: impl FnOnce(&Context, &mut Sink, A),
) -> Vec<Diagnostic> {
    let mut sink = Sink::new(options);
    for diagnostic in &program.diagnostics {
        sink.report(diagnostic.clone());
    }
    sink.bound(0);
    if program.is_foreign {
        let mut diagnostics = sink.finish(&program.left_out);
        settle(&mut diagnostics);
        return diagnostics;
    }
    let (platforms, mode) = table::platform::platforms(program, options, &mut sink);
    let mut control_flow = IdVec::new();
    for object in program.objects.iter() {
        control_flow.push(ControlFlow::new(program, object));
    }
    let cx = Context { text, program, flow: &control_flow, platforms, mode, options };
    let mut text_checked = |sink: &mut Sink| match options.timings.as_deref() {
        Some(timings) => check_text(&cx, sink, recall, timings),
        None => check_text(&cx, sink, recall, &()),
    };
    let (ahead, n_bounded) = if is_long(program) {
        rayon::join(|| ahead(&cx), || text_checked(&mut sink))
    } else {
        (A::default(), text_checked(&mut sink))
    };
    if program.fragment.as_deref().is_none_or(|f| !f.is_open) {
        last(&cx, &mut sink, ahead);
    }
    sink.bound(n_bounded.min(sink.diagnostics.len()));
    let mut diagnostics = sink.finish(&program.left_out);
    for fix in diagnostics.iter_mut().filter_map(|d| d.fix.as_mut()) {
        fix.certain &= !fix.edits.iter().any(|edit| joins_words(text, edit));
    }
    settle(&mut diagnostics);
    diagnostics
}

/// Whether a program is worth several threads, and there are several.
fn is_long(program: &Program) -> bool {
    program.instructions.len() >= LONG_PROGRAM && rayon::current_num_threads() > 1
}

/// Checks what stands in the text. Returns how many of the findings are within the bound.
fn check_text(cx: &Context, sink: &mut Sink, recall: &mut Recall, clock: &impl Clock) -> usize {
    let n_bounded = sink.diagnostics.len();
    let fragment = cx.program.fragment.as_deref();
    clock.during(Part::Declarations, || {
        declaration::check(cx, sink);
        if fragment.is_none() {
            // Of a whole file.
            file::check(cx, sink);
            input::check(cx, sink);
            attribute::check(cx, sink);
        }
    });
    clock.during(Part::Fragments, || fragment::check(cx, sink));
    clock.during(Part::Operands, || predefined::check_objects(cx, sink));
    sink.bound(n_bounded);
    let n_bounded = check_instructions(cx, sink, recall, clock);
    clock.during(Part::Operands, || predicate::check_simd_size(cx, sink));
    clock.during(Part::Lsc, || lsc::fence::check_program(cx, sink));
    clock.during(Part::Memory, || memory::check_program(cx, sink));
    if fragment.is_none_or(|f| !f.is_open) {
        clock.during(Part::Flow, || flow::check(cx, sink));
    } else if fragment.is_some_and(|f| !f.hides_names) {
        clock.during(Part::Flow, || flow::check_open(cx, sink));
    }
    clock.during(Part::Sampler, || {
        sampler::level::check(cx, sink);
        sampler::cache::check(cx, sink);
    });
    if fragment.is_none() {
        clock.during(Part::Declarations, || portability::newer_instructions(cx, sink));
    }
    n_bounded
}

/// Checks the instructions, those of a long program in several threads. Returns how many findings there are then.
fn check_instructions(cx: &Context, sink: &mut Sink, recall: &mut Recall, clock: &impl Clock) -> usize {
    let modes = lsc::wide::Modes::of(cx);
    let n = cx.program.instructions.len();
    recall.adapt(cx, &modes);
    if !is_long(cx.program) && !recall.is_wanted() {
        let mut silent = Silent::default();
        for index in 0..n {
            let before = sink.diagnostics.len();
            silent.check(cx, index as u32, sink, |sink| check_instruction(cx, &modes, index, sink, clock));
            sink.bound(before.min(sink.diagnostics.len()));
        }
        return sink.diagnostics.len();
    }
    let of_part = |start: &usize| {
        let mut own = Sink::unbounded(cx.options);
        let mut found = Vec::new();
        let mut silent = Silent::default();
        for index in *start..n.min(start + PART) {
            if let Some(known) = recall.findings(cx, index as u32) {
                own.diagnostics.extend(known.cloned());
            } else {
                let check = |own: &mut Sink| check_instruction(cx, &modes, index, own, clock);
                silent.check(cx, index as u32, &mut own, check);
            }
            found.extend(own.diagnostics.drain(..).map(|finding| (index as u32, finding)));
        }
        found
    };
    let starts: Vec<usize> = (0..n).step_by(PART).collect();
    let mut kept = Vec::new();
    // Only so many parts at a time, so that findings beyond the bound do not pile up.
    for some in starts.chunks(4 * rayon::current_num_threads()) {
        let found: Vec<Vec<(u32, Diagnostic)>> = some.par_iter().with_max_len(1).map(of_part).collect();
        let before = sink.diagnostics.len();
        for (index, finding) in found.into_iter().flatten() {
            if recall.is_wanted() && kept.len() <= recall::MAX_KEPT {
                kept.push((index, finding.clone()));
            }
            sink.diagnostics.push(finding);
        }
        sink.bound(before);
    }
    recall.keep(cx, modes, kept);
    sink.diagnostics.len()
}

/// Checks one instruction.
fn check_instruction(cx: &Context, modes: &lsc::wide::Modes, index: usize, sink: &mut Sink, clock: &impl Clock) {
    if let Some(view) = View::new(cx, InstructionIndex::from_index(index)) {
        check_view(&view, modes, sink, clock);
    }
}

/// Checks one instruction, whether the program holds it or not.
fn check_view(view: &View, modes: &lsc::wide::Modes, sink: &mut Sink, clock: &impl Clock) {
    let is_there = clock.during(Part::Tables, || {
        let is_there = table::platform::check(view, sink);
        if is_there {
            table::check(view, sink);
        }
        is_there
    });
    if !is_there {
        return;
    }
    clock.during(Part::Operands, || {
        predefined::check(view, sink);
        branch_predicate::check(view, sink);
        operand::check(view, sink);
        predicate::check(view, sink);
        immediate::check(view, sink);
    });
    clock.during(Part::Memory, || memory::check(view, sink));
    let Some(custom) = view.row.custom else { return };
    let part = match custom {
        Custom::Alu | Custom::Dpas => Part::Arithmetic,
        Custom::Lsc | Custom::Fence => Part::Lsc,
        Custom::Flow => Part::Flow,
        _ => Part::Sampler,
    };
    clock.during(part, || match custom {
        Custom::Alu => alu::check(view, sink),
        Custom::Dpas => dpas::check(view, sink),
        Custom::Lsc => lsc::check(view, modes, sink),
        Custom::Fence => lsc::fence::check(view, sink),
        Custom::Flow => flow::instruction::check(view, sink),
        Custom::Media => media::check(view, sink),
        Custom::Vme => vme::check(view, sink),
        Custom::RenderTarget => render_target::check(view, sink),
        Custom::Sampler => sampler::check(view, sink),
        _ => {}
    });
}

/// Sorts by place, keeps of several findings of one rule at one place the most serious, and completes what they say.
fn settle(diagnostics: &mut Vec<Diagnostic>) {
    sort(diagnostics);
    diagnostics.dedup_by(|later, earlier| is_same(later, earlier));
    complete(diagnostics);
}

/// The same, but of findings in the definition of a macro one for each of its uses is kept, for comments may be about one of
/// them.
fn settle_uses(diagnostics: &mut Vec<Diagnostic>) {
    sort(diagnostics);
    let is_used = |d: &Diagnostic| d.use_place().is_some();
    let groups = diagnostics.chunk_by(is_same);
    let keep: Vec<bool> = groups
        .flat_map(|group| {
            let any = group.iter().any(is_used);
            group.iter().map(move |d| is_used(d) || !any)
        })
        .collect();
    let mut keep = keep.into_iter();
    diagnostics.retain(|_| keep.next() == Some(true));
    diagnostics.dedup_by(|later, earlier| is_same(later, earlier) && later.use_place() == earlier.use_place());
    complete(diagnostics);
}

/// Whether two findings are of one rule at one place.
fn is_same(one: &Diagnostic, two: &Diagnostic) -> bool {
    one.rule == two.rule && one.primary.span == two.primary.span
}

fn sort(diagnostics: &mut [Diagnostic]) {
    diagnostics.sort_by(|a, b| {
        let key = |d: &Diagnostic| (d.primary.span, d.rule.name);
        key(a).cmp(&key(b)).then(b.level.cmp(&a.level))
    });
}

fn complete(diagnostics: &mut Vec<Diagnostic>) {
    // What must not be written need not fit, either.
    let is_foreign = |d: &Diagnostic| d.rule == &operand::predefined::WRITE_TO_READ_ONLY;
    let foreign: Vec<Span> = diagnostics.iter().filter(|d| is_foreign(d)).map(|d| d.primary.span).collect();
    if !foreign.is_empty() {
        let is_within = |d: &Diagnostic| {
            let last = foreign.partition_point(|span| span.start <= d.primary.span.start).checked_sub(1);
            last.is_some_and(|i| d.primary.span.end <= foreign[i].end)
        };
        diagnostics.retain(|d| is_foreign(d) || !is_within(d));
    }
    diagnostics.iter_mut().for_each(Diagnostic::complete);
}
