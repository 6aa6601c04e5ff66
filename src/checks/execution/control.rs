//! Control flow: which lanes are active.

use super::race::work_item;
use super::{Finding, arms};
use crate::base::diagnostic::Diagnostic;
use crate::base::rule::Level;
use crate::base::span::Span;
use crate::base::symbol::Symbol;
use crate::checks::context::{Context, View};
use crate::checks::flow::lanes::LANES_LEFT_WAITING;
use crate::checks::flow::path::ENDLESS_LOOP;
use crate::checks::memory::barrier::UNPAIRED_BARRIER;
use crate::checks::table::document;
use crate::interp::FactKind;
use crate::interp::domain::{fold, sign_extended};
use crate::interp::facts::Endless;
use crate::interp::state::barriers::Barrier;
use crate::program::cfg::{Block, target_names};
use crate::program::dataflow::{self, Direction, Graph as _};
use crate::program::object::Label;
use crate::program::paths::Paths;
use crate::program::{InstructionIndex, Object, ObjectId, ObjectKind, Operand};
use crate::spec::Type;
use crate::spec::family::Barrier as BarrierOf;
use crate::spec::instruction::Flow;
use rustc_hash::FxHashSet;

crate::declare_rule! {
    /// A barrier that some lanes of a thread reach and others do not. It is undefined in divergent control flow: put it
    /// where all lanes have come together again. Where inputs or data decide whether lanes part, it is a warning: a
    /// condition that is the same for all lanes is better computed once. The manual does not say so of named barriers,
    /// which are reported at the pedantic level.
    ///
    /// ```visa bad
    /// .kernel_attr SimdSize=8
    /// mov (M1, 8) VD(0,0)<1> 0x76543210:v
    /// cmp.lt (M1, 8) P1 VD(0,0)<1;1,0> 0x4:d
    /// (P1) goto (M1, 8) join
    /// barrier
    /// join:
    /// ```
    /// ```visa good
    /// .kernel_attr SimdSize=8
    /// mov (M1, 8) VD(0,0)<1> 0x76543210:v
    /// cmp.lt (M1, 8) P1 VD(0,0)<1;1,0> 0x4:d
    /// (P1) goto (M1, 8) join
    /// mov (M1, 8) VD(0,0)<1> 0x1:d
    /// join:
    /// barrier
    /// ```
    pub DIVERGENT_BARRIER = "divergent-barrier", Error | Warning | Pedantic, "BARRIER"
}

crate::declare_rule! {
    /// A barrier behind a branch that depends on which thread it is. Every thread of the group has to reach a barrier that
    /// is not named, or the others wait for ever.
    ///
    /// With `--races` each thread of a group is executed with its local ids, and the turns of loops and the branches that
    /// depend on these are counted: threads that come to barriers a different number of times are reported, too.
    ///
    /// ```visa bad
    /// .decl Px v_type=P num_elts=1
    /// cmp.eq (M1_NM, 1) Px %hw_id(0,0)<0;1,0> 0x0:ud
    /// (Px) jmp (M1, 1) skip
    /// barrier
    /// skip:
    /// ```
    /// ```visa good
    /// .decl Px v_type=P num_elts=1
    /// cmp.eq (M1_NM, 1) Px %group_id_x(0,0)<0;1,0> 0x0:ud
    /// (Px) jmp (M1, 1) skip
    /// barrier
    /// skip:
    /// ```
    pub PARTIAL_BARRIER = "partial-barrier", Warning, "BARRIER"
}

crate::declare_rule! {
    /// A scalar instruction under the execution mask, in code that only some lanes execute. It is executed only if its own
    /// lane is on; for work that concerns the whole thread switch the mask off, with `M1_NM`.
    ///
    /// ```visa bad
    /// .kernel_attr SimdSize=16
    /// cmp.lt (M1, 16) P1 VD(0,0)<16;16,1> 0x10:d
    /// (P1) goto (M1, 16) join
    /// mov (M1, 1) VD2(0,0)<1> 0x7:d
    /// join:
    /// ```
    /// ```visa good
    /// .kernel_attr SimdSize=16
    /// cmp.lt (M1, 16) P1 VD(0,0)<16;16,1> 0x10:d
    /// (P1) goto (M1, 16) join
    /// mov (M1_NM, 1) VD2(0,0)<1> 0x7:d
    /// join:
    /// ```
    pub MASKED_SCALAR = "masked-scalar", Warning, "3_execution_model"
}

/// Why a loop is not left, in words.
fn why_endless(why: &Endless) -> String {
    match why {
        Endless::Known => "this loop is never left: its condition always holds".to_owned(),
        Endless::Unchanging => {
            "this loop is never left once control has gone back: no turn changes its condition".to_owned()
        }
        Endless::Repeats { period } => {
            format!("this loop is not left: what decides about it is the same again every {period} turns")
        }
        Endless::Misses { step, kind } => {
            let step = match *kind {
                Type::F => f32::from_bits(*step as u32).to_string(),
                _ => fold::float(*step, *kind).map_or_else(|| "the same size".to_owned(), |step| step.to_string()),
            };
            format!("this loop is not left: in steps of {step} its counter never has the value that ends it")
        }
        Endless::Passes { step, bytes, wraps } => {
            let step = sign_extended(*step, *bytes);
            if *wraps {
                format!("in steps of {step} the counter of this loop ends it only after it has wrapped around")
            } else {
                format!("this loop is not left: in steps of {step} its counter never has the value that ends it")
            }
        }
    }
}

/// The name of a barrier in messages.
fn name_of(barrier: Barrier) -> String {
    match barrier {
        Barrier::Split => "a split barrier".to_owned(),
        Barrier::Named(id) => format!("the named barrier {id}"),
    }
}

/// How deep calls are followed to a barrier.
const MAX_CALLS: u32 = 8;

/// Findings about a call of a function that comes to a barrier.
fn called_barrier(finding: &Finding) -> Option<Diagnostic> {
    let view = &finding.view;
    let kind = &finding.fact.kind;
    if !matches!(kind, FactKind::Divergent { .. } | FactKind::PartOfGroup { .. }) {
        return None;
    }
    let (name, object) = function_of(view)?;
    let start = view.cx.program.objects[object].instructions.start;
    let barrier = certain_barrier(view.cx, object, InstructionIndex(start), MAX_CALLS)?;
    let place = view.operand_spans.first().map_or_else(|| finding.place(), |span| span.whole);
    let name = view.cx.program.names.name(name);
    let diagnostic = match kind {
        FactKind::Divergent { here, away, since, is_possible } => {
            let may = if *is_possible { "may be" } else { "is" };
            let message =
                format!("`{name}`, which comes to a barrier, {may} called by lane {here}, but not by lane {away}");
            let page =
                View::new(view.cx, barrier).map_or_else(|| DIVERGENT_BARRIER.section.to_owned(), |at| document(&at));
            let diagnostic = Diagnostic::new(&DIVERGENT_BARRIER, place, message)
                .level(divergence_level(*is_possible))
                .note(format!("{page}: undefined in divergent control flow"));
            match since {
                Some(since) => diagnostic.also(finding.statement(*since), "here the lanes part"),
                None => diagnostic,
            }
        }
        FactKind::PartOfGroup { since } => {
            let message = format!("only some threads of the group call `{name}`, which comes to a barrier");
            Diagnostic::new(&PARTIAL_BARRIER, place, message)
                .also(finding.statement(*since), "this depends on which thread it is")
                .note("every thread of a group has to reach a barrier")
        }
        _ => return None,
    };
    Some(diagnostic.also(finding.statement(barrier), "the barrier"))
}

/// The level at which lanes are reported that part before a barrier, or may do so.
const fn divergence_level(is_possible: bool) -> Level {
    if is_possible { Level::Warning } else { Level::Error }
}

/// The label before an instruction to which the one of a finding goes back; else the instruction itself.
fn label_before(finding: &Finding, head: InstructionIndex) -> Span {
    let view = &finding.view;
    let labels = view.program.labels_of(&view.program.objects[view.program.object_of(head)]);
    let mut here = labels.iter().filter(|label| label.instruction == head.0);
    let is_target = |label: &&Label| target_names(view.program, view.instruction).any(|name| name == label.name);
    here.clone().find(is_target).or_else(|| here.next()).map_or_else(|| finding.statement(head), |label| label.span)
}

/// A signal at a barrier that no wait follows, or not on every path.
fn without_wait(finding: &Finding, barrier: Barrier) -> Diagnostic {
    let name = name_of(barrier);
    let waits = leads_to_wait(finding, barrier);
    let words = if waits { "does not wait on one of the paths" } else { "never waits" };
    let message = format!("this thread signals at {name}, but {words}");
    let diagnostic = Diagnostic::new(&UNPAIRED_BARRIER, finding.place(), message).help("wait after it, on every path");
    match finding.fact.trail.first().filter(|_| waits) {
        Some(end) => diagnostic.also(finding.statement(*end), "the thread may end here without a wait"),
        None => diagnostic,
    }
}

/// Whether a path leads from the instruction of a finding to a wait at a barrier.
fn leads_to_wait(finding: &Finding, barrier: Barrier) -> bool {
    let view = &finding.view;
    let object = view.program.object_of(view.index);
    let waits = |at: u32| {
        let Some(view) = View::new(view.cx, InstructionIndex(at)) else { return false };
        match (view.row.barrier, barrier, view.operands.first()) {
            (Some(BarrierOf::NamedWait), Barrier::Named(id), Some(Operand::Immediate { bits, .. })) => *bits == id,
            (Some(BarrierOf::SplitWait), Barrier::Split, _) | (Some(BarrierOf::NamedWait), Barrier::Named(_), _) => {
                true
            }
            _ => false,
        }
    };
    let paths = Paths::new(&view.cx.flow[object]);
    let own = paths.node_of(view.index);
    if (view.index.0 + 1..paths.instructions(own).end).any(waits) {
        return true;
    }
    let behind = dataflow::reached(&paths, Direction::Forward, paths.next(own, Direction::Forward));
    (0..behind.len()).any(|node| behind[node] && paths.instructions(node).any(waits))
}

/// The function of the program that an instruction calls by its name.
fn function_of(view: &View<'_>) -> Option<(Symbol, ObjectId)> {
    let Some(Operand::Name { name, .. }) = view.operands.first() else { return None };
    let is_it = |(_, object): &(ObjectId, &Object)| object.kind == ObjectKind::Function && object.name == *name;
    view.program.objects.entries().find(is_it).map(|(id, _)| (*name, id))
}

/// A barrier on every way from an instruction to the end of its function: the first in the text.
fn certain_barrier(cx: &Context, object: ObjectId, from: InstructionIndex, depth: u32) -> Option<InstructionIndex> {
    let depth = depth.checked_sub(1)?;
    let flow = &cx.flow[object];
    let mut seen = FxHashSet::default();
    let mut next = vec![flow.block_of(from)];
    let mut first = None;
    while let Some(block) = next.pop() {
        if !seen.insert(block) {
            continue;
        }
        let Block { start, end, .. } = *flow.blocks.get(block)?;
        let met = (start.max(from.0)..end).map(InstructionIndex).find_map(|at| {
            let view = View::new(cx, at)?;
            match view.row.flow {
                _ if view.instruction.is_broken || view.instruction.predicate.is_some() => None,
                Flow::Barrier => Some(at),
                Flow::FunctionCall => {
                    let (_, called) = function_of(&view)?;
                    let start = cx.program.objects[called].instructions.start;
                    certain_barrier(cx, called, InstructionIndex(start), depth)
                }
                Flow::Call => {
                    let call = flow.calls.iter().find(|call| call.instruction == at)?;
                    let (start, _) = flow.instructions_of(call.callee);
                    certain_barrier(cx, object, InstructionIndex(start), depth)
                }
                _ => view.row.barrier.is_some_and(BarrierOf::signals).then_some(at),
            }
        });
        match met {
            Some(at) => first = first.filter(|known: &InstructionIndex| *known < at).or(Some(at)),
            // A predicated return goes on, too.
            None if flow.successors(block).is_empty() || returns(cx, end) => return None,
            None => next.extend(flow.successors(block)),
        }
    }
    first
}

/// Whether the last instruction of a block returns, or may do so.
fn returns(cx: &Context, end: u32) -> bool {
    let last = end.checked_sub(1).and_then(|at| View::new(cx, InstructionIndex(at)));
    last.is_some_and(|view| matches!(view.row.flow, Flow::Return | Flow::FunctionReturn))
}

/// Findings about control flow.
#[must_use]
pub fn describe(finding: &Finding) -> Option<Diagnostic> {
    if finding.view.row.flow == Flow::FunctionCall { called_barrier(finding) } else { own(finding) }
}

/// Findings about what an instruction itself does.
fn own(finding: &Finding) -> Option<Diagnostic> {
    let view = &finding.view;
    let program = view.cx.program;
    let place = finding.place();
    let mnemonic = view.row.mnemonic;
    Some(match &finding.fact.kind {
        FactKind::Divergent { here, away, since, is_possible } => {
            let may = if *is_possible { "may be" } else { "is" };
            let message = format!("`{mnemonic}` {may} reached by lane {here}, but not by lane {away}");
            let diagnostic = Diagnostic::new(&DIVERGENT_BARRIER, place, message);
            let diagnostic = match since {
                Some(since) => diagnostic.also(finding.statement(*since), "here the lanes part"),
                None => diagnostic,
            };
            if view.row.barrier.is_some_and(BarrierOf::is_named) {
                return Some(
                    diagnostic.level(Level::Pedantic).note("a thread comes to a named barrier for all of its lanes"),
                );
            }
            let note = format!("{}: undefined in divergent control flow", document(view));
            diagnostic.level(divergence_level(*is_possible)).note(note)
        }
        // Whichever barrier a thread comes to, it is the same one for the hardware.
        FactKind::PartOfGroup { since } if arms::come_to_equally_many(finding, *since) => return None,
        FactKind::PartOfGroup { since } => {
            let message = format!("only some threads of the group reach this `{mnemonic}`");
            Diagnostic::new(&PARTIAL_BARRIER, place, message)
                .also(finding.statement(*since), "this depends on which thread it is")
                .note("every thread of a group has to reach a barrier")
        }
        FactKind::Parted(parted) => {
            let of = |thread: usize| {
                let (item, n) = parted.threads[thread];
                let name = item.map_or_else(|| "a thread".to_owned(), |id| format!("the thread of {}", work_item(id)));
                let times = match n {
                    0 => "never".to_owned(),
                    1 => "once".to_owned(),
                    n => format!("{n} times"),
                };
                (name, times)
            };
            let ((x, n), (y, m)) = (of(0), of(1));
            let message = format!("{x} comes to this `{mnemonic}` {n}, {y} {m}");
            Diagnostic::new(&PARTIAL_BARRIER, place, message).note("every thread of a group has to reach a barrier")
        }
        // A line that could not be read may be the missing half of the barrier.
        FactKind::WaitWithoutSignal { .. } | FactKind::SignalWithoutWait { .. } | FactKind::SignalAgain { .. }
            if !finding.is_read_in_full() =>
        {
            return None;
        }
        FactKind::WaitWithoutSignal { barrier, is_possible } => {
            let name = name_of(*barrier);
            let path = if *is_possible { " on one of the paths" } else { "" };
            let role = if matches!(barrier, Barrier::Named(_)) { " as a consumer" } else { "" };
            let message = format!("this thread waits at {name} for which it has not signalled{role}{path}");
            finding
                .explained(Diagnostic::new(&UNPAIRED_BARRIER, place, message))
                .help("signal before it, on every path; a thread that only produces does not wait")
        }
        FactKind::SignalWithoutWait { barrier, .. } => without_wait(finding, *barrier),
        FactKind::SignalAgain { barrier, since } => {
            let name = name_of(*barrier);
            let message = format!("this thread signals again at {name} before it has waited");
            let diagnostic = finding.explained(Diagnostic::new(&UNPAIRED_BARRIER, place, message));
            let is_same = *since == finding.fact.instruction;
            if is_same { diagnostic } else { diagnostic.also(finding.statement(*since), "the signal before") }
                .help("wait between the two")
        }
        FactKind::EndlessLoop { head, why } => {
            let message = why_endless(why);
            Diagnostic::new(&ENDLESS_LOOP, finding.statement(finding.fact.instruction), message)
                .label("control goes back from here")
                .also(label_before(finding, *head), "to here")
                .help("let each turn change what decides whether lanes leave")
        }
        FactKind::JumpOverWaiting { label, since, lane } => {
            let label = &program.labels[*label];
            let name = program.names.name(label.name);
            let (message, level) = match lane {
                Some(lane) => (format!("`{mnemonic}` leaves while lane {lane} waits at `{name}`"), Level::Error),
                None => (format!("`{mnemonic}` leaves while lanes may wait at `{name}`"), Level::Warning),
            };
            Diagnostic::new(&LANES_LEFT_WAITING, view.spans.statement, message)
                .level(level)
                .also(finding.statement(*since), "this sends some lanes ahead")
                .also(label.span, "where they wait")
                .help("use `goto`, which lets the waiting lanes go on")
        }
        FactKind::MaskedScalar { since } => {
            let text = view.text(view.spans.exec);
            let message = format!("`{mnemonic} {text}` is not executed if its lane is off");
            let lane = view.instruction.mask_offset / 4 + 1;
            Diagnostic::new(&MASKED_SCALAR, if view.spans.exec.is_empty() { place } else { view.spans.exec }, message)
                .also(finding.statement(*since), "here the lanes part")
                .replace(view.spans.mask, format!("M{lane}_NM"), false)
        }
        _ => return None,
    })
}
