//! What is decided about the memory messages of each kernel, for people and to compare versions with.

use crate::base::source::SourceFile;
use crate::checks::execution::messages::{Decision, KernelMessages, MessageVerdict, Proof, Races};
use crate::checks::{self, Options};
use crate::interp::claims::facts::Bounds;
use crate::lower;
use crate::program::InstructionIndex;
use crate::spec::instruction::AccessKind;
use serde::Serialize;
use std::collections::BTreeMap;

/// A message as it is printed. Lines count from 1.
#[derive(Serialize)]
struct Row<'a> {
    path: &'a str,
    kernel: &'a str,
    line: u32,
    mnemonic: &'a str,
    /// Bytes of a register.
    grf_bytes: u32,
    verdict: &'static str,
    reason: &'static str,
    bounds: &'static str,
}

/// What is decided about a kernel, after its messages.
#[derive(Serialize)]
struct SummaryRow<'a> {
    path: &'a str,
    kernel: &'a str,
    grf_bytes: u32,
    /// In one sentence.
    summary: String,
    stores: Counts,
    loads: Counts,
    atomics: Counts,
    races: Option<RacesRow<'a>>,
    /// Why abstract execution did not come to the end; nothing if it did.
    given_up: Option<&'static str>,
}

/// Counts messages of one kind.
#[derive(Serialize, Default)]
struct Counts {
    n: usize,
    /// Those whose lanes do not meet, or where that does not matter.
    lanes_disjoint: usize,
    /// Those whose lanes meet.
    lanes_meet: usize,
    /// The others, by the reason.
    lanes_unknown: BTreeMap<&'static str, usize>,
    /// Those that stay within their memory.
    in_bounds: usize,
    /// Those of which the size of the memory is not known.
    no_size: usize,
}

#[derive(Serialize)]
struct RacesRow<'a> {
    local_size: [u32; 3],
    /// Pairs of instructions that meet in every launch that comes to them.
    found: usize,
    /// Those that meet if arguments are certain numbers.
    by_arguments: usize,
    /// Those that meet in two groups.
    between_groups: usize,
    /// Of which groups it is proven that there is none: `any group`, `first group`, or nothing.
    proven_free: Option<&'static str>,
    /// The lines of messages of which that is not decided.
    undecided: Vec<u32>,
    /// Why not everything was compared; nothing if it was.
    why: Option<&'a str>,
}

/// One JSON object and line for each message, in the order of the text, and one for each kernel after its messages.
pub(super) fn dump(source: &SourceFile, options: &Options) -> String {
    let program = lower::lower(&source.text);
    let mut out = String::new();
    let line = |at: InstructionIndex| source.position(program.instruction_spans[at].statement.start).0;
    for (grf_bytes, kernels) in checks::messages(&source.text, &program, options) {
        for kernel in kernels {
            for message in &kernel.messages {
                let spans = &program.instruction_spans[message.instruction];
                let row = Row {
                    path: &source.name,
                    kernel: program.kernel_at(spans.statement.start),
                    line: line(message.instruction),
                    mnemonic: &source.text[spans.mnemonic.range()],
                    grf_bytes,
                    verdict: message.verdict.word(),
                    reason: message.verdict.reason(),
                    bounds: match message.bounds {
                        Bounds::Inside => "inside",
                        Bounds::Open => "addresses not known",
                        Bounds::NoSize => "size not known",
                    },
                };
                out += &crate::report::json_text(&row);
                out.push('\n');
            }
            let row = summary(&source.name, grf_bytes, &kernel, line);
            out += &crate::report::json_text(&row);
            out.push('\n');
        }
    }
    out
}

fn summary<'a>(
    path: &'a str,
    grf_bytes: u32,
    kernel: &'a KernelMessages,
    line: impl Fn(InstructionIndex) -> u32,
) -> SummaryRow<'a> {
    let count = |kind: AccessKind| Counts::of(kernel.messages.iter().filter(|m| m.kind == kind));
    let (stores, loads, atomics) = (count(AccessKind::Write), count(AccessKind::Read), count(AccessKind::Atomic));
    let mut parts: Vec<String> = stores.lanes().into_iter().collect();
    for (counts, many) in [(&stores, "stores"), (&loads, "loads"), (&atomics, "atomics")] {
        parts.extend(counts.bounds(many));
    }
    parts.extend(kernel.races.iter().flat_map(in_words));
    parts.extend(kernel.given_up.map(|why| format!("not executed to the end: {why}")));
    let summary = if parts.is_empty() { "no messages".to_owned() } else { parts.join("; ") };
    let races = kernel.races.as_ref().map(|races| RacesRow {
        local_size: races.local_size,
        found: races.n_found,
        by_arguments: races.n_by_arguments,
        between_groups: races.n_between_groups,
        proven_free: match races.proof {
            Proof::AnyGroup => Some("any group"),
            Proof::FirstGroup => Some("first group"),
            Proof::None => None,
        },
        undecided: races.open.iter().map(|at| line(*at)).collect(),
        why: races.why.as_deref(),
    });
    let given_up = kernel.given_up;
    SummaryRow { path, kernel: &kernel.name, grf_bytes, summary, stores, loads, atomics, races, given_up }
}

impl Counts {
    fn of<'m>(messages: impl Iterator<Item = &'m MessageVerdict>) -> Self {
        let mut counts = Self::default();
        for message in messages {
            counts.n += 1;
            match message.verdict.word() {
                "never" => counts.lanes_disjoint += 1,
                "must" => counts.lanes_meet += 1,
                _ => *counts.lanes_unknown.entry(Decision::reason(message.verdict)).or_default() += 1,
            }
            counts.in_bounds += usize::from(message.bounds == Bounds::Inside);
            counts.no_size += usize::from(message.bounds == Bounds::NoSize);
        }
        counts
    }

    /// Whether the lanes of stores are apart, in words.
    fn lanes(&self) -> Option<String> {
        let n = self.n;
        let of_all = |k: usize| match (n, k == n) {
            (0 | 1, _) => "the store".to_owned(),
            (_, true) => format!("all {n} stores"),
            (_, false) => format!("{k} of {n} stores"),
        };
        let mut parts = Vec::new();
        if self.lanes_disjoint > 0 {
            parts.push(format!("{}: lanes disjoint", of_all(self.lanes_disjoint)));
        }
        if self.lanes_meet > 0 {
            parts.push(format!("{}: lanes meet", of_all(self.lanes_meet)));
        }
        parts.extend(self.lanes_unknown.iter().map(|(why, k)| format!("{}: {why}", of_all(*k))));
        (n > 0).then(|| parts.join(", "))
    }

    /// Whether messages stay within their memory, in words.
    fn bounds(&self, many: &str) -> Option<String> {
        let Self { n, in_bounds, no_size, .. } = *self;
        let name = if n == 1 { many.trim_end_matches('s') } else { many };
        (n > no_size).then(|| format!("{in_bounds} of {n} {name} in bounds"))
    }
}

/// What is known of races, in words.
fn in_words(races: &Races) -> Vec<String> {
    let [x, y, z] = races.local_size;
    let size = match (y, z) {
        (1, 1) => x.to_string(),
        (_, 1) => format!("{x},{y}"),
        _ => format!("{x},{y},{z}"),
    };
    let n_races = |n| super::summary::plural(n, "race", "races");
    let n_open = races.open.len();
    let mut parts = Vec::new();
    match (races.n_found, races.proof) {
        (1.., _) => parts.push(format!("{} in groups of {size}", n_races(races.n_found))),
        (0, Proof::AnyGroup) => parts.push(format!("no race in groups of {size}")),
        (0, Proof::FirstGroup) => parts.push(format!("no race in the first group of {size}")),
        (0, Proof::None) if races.n_by_arguments > 0 => {}
        (0, Proof::None) => {
            let why = races.why.as_deref().map(str::to_owned);
            let open = || format!("{} undecided", super::summary::plural(n_open, "message", "messages"));
            parts.push(format!("no race found in groups of {size}: {}", why.unwrap_or_else(open)));
        }
    }
    if races.n_by_arguments > 0 {
        parts.push(format!(
            "{} in groups of {size} {} on arguments",
            n_races(races.n_by_arguments),
            if races.n_by_arguments == 1 { "that depends" } else { "that depend" }
        ));
    }
    if races.n_between_groups > 0 {
        parts.push(format!("{} between groups of {size}", n_races(races.n_between_groups)));
    }
    parts
}
