//! Threads of a group that access one byte with no barrier in between.

use super::Finding;
use crate::base::diagnostic::Diagnostic;
use crate::checks::context::{Context, Sink};
use crate::checks::table::document;
use crate::interp::FactKind;
use crate::interp::claims::order::Weak;
use crate::interp::claims::races::{Race, Side, Stop, Unordered};
use crate::interp::claims::steps::Computed;
use crate::program::{InstructionIndex, Object};
use crate::spec::instruction::AccessKind;

/// Most threads of a group that are compared.
pub const MAX_THREADS: u32 = 128;

crate::declare_rule! {
    /// Two work-items of a group that access the same bytes between the same barriers, and one of them writes. Which
    /// comes first is a matter of luck; the manual calls it a data race, and undefined. Every thread of the group is
    /// executed with its own local ids, so the size of the group has to be known (`--local-size`, `--ze-info`). Work-items
    /// of one hardware thread only race where one message stores for both: a thread accesses memory in the order of its
    /// instructions.
    ///
    /// A barrier orders a store if a fence of the memory stands between the two: a fence of `.slm` (`fence_local`) for shared
    /// local memory, another one (`fence_global`) for other memory. The manual says that a barrier orders accesses by
    /// itself; the machines from ICLLP on do so only with fences, and compilers write them. Between `sbarrier.signal`
    /// and `sbarrier.wait` a thread is ordered neither with what comes before nor with what comes behind them.
    ///
    /// Compared are the threads of the first group of a launch without an offset, which every launch without one has;
    /// pointers among the arguments are taken to lie far from each other. If those threads do not meet, the same is asked
    /// of any other group. A part of a message that no instruction reads, as where the compiler loads a whole vector for
    /// two of its elements, makes no race.
    ///
    /// A finding holds whatever the other arguments of the kernel are. Accesses that only happen under a condition on them, writes
    /// of values that are not known to differ, and what follows a loop that may wait for another thread are passed over.
    /// Off, because it takes an execution for every thread; `--races` asks for it.
    ///
    /// ```visa bad
    /// // platform: DG2
    /// // warn: work-item-race
    /// // local-size: 64
    /// .kernel_attr Target="3d"
    /// mov (M1_NM, 8) VUD(0,0)<1> 0x76543210:uv
    /// shl (M1_NM, 8) VUD(0,0)<1> VUD(0,0)<1;1,0> 0x2:ud
    /// lsc_store.slm (M1_NM, 8) flat[VUD]:a32 VUD:d32
    /// lsc_load.slm (M1_NM, 8) VD:d32 flat[VUD]:a32
    /// ```
    /// ```visa good
    /// // platform: DG2
    /// // warn: work-item-race
    /// // local-size: 64
    /// .kernel_attr Target="3d"
    /// mov (M1_NM, 8) VUD(0,0)<1> 0x76543210:uv
    /// shl (M1_NM, 8) VUD(0,0)<1> VUD(0,0)<1;1,0> 0x2:ud
    /// lsc_store.slm (M1_NM, 8) flat[VUD]:a32 VUD:d32
    /// lsc_fence.slm.none.group
    /// barrier
    /// lsc_load.slm (M1_NM, 8) VD:d32 flat[VUD]:a32
    /// ```
    pub WORK_ITEM_RACE = "work-item-race", Off, "3_execution_model"
}

crate::declare_rule! {
    /// A kernel of which the accesses of a group were not all compared, so that there may be races which are not reported:
    /// the group has too many threads, the kernel is too large, or what an instruction waits for is not known. It is
    /// only looked at with `--races`.
    ///
    /// ```visa bad
    /// // platform: DG2
    /// // warn: work-item-race
    /// // pedantic
    /// // local-size: 8192
    /// .kernel_attr Target="3d"
    /// lsc_store.slm (M1_NM, 8) flat[VUD]:a32 VUD:d32
    /// ```
    /// ```visa good
    /// // platform: DG2
    /// // warn: work-item-race
    /// // pedantic
    /// // local-size: 64
    /// .kernel_attr Target="3d"
    /// lsc_store.slm (M1_NM, 8) flat[VUD]:a32 VUD:d32
    /// ```
    pub UNDECIDED_RACES = "undecided-races", Pedantic, "3_execution_model"
}

/// Says that not all accesses of a group were compared.
pub fn report_stop(cx: &Context, sink: &mut Sink, object: &Object, stop: Stop) {
    let name = cx.program.names.name(object.name);
    let why = reason(stop);
    let message = format!("not all accesses of `{name}` were compared: {why}");
    let mut diagnostic = Diagnostic::new(&UNDECIDED_RACES, object.name_span, message);
    if let Stop::UnknownOrder(first) = stop {
        let place = cx.program.instruction_spans[first].statement;
        diagnostic = diagnostic.also(place, "the first access that was not compared");
    }
    sink.report(diagnostic.note("there may be races that are not reported"));
}

/// Why not everything was compared, in words.
pub(super) fn reason(stop: Stop) -> String {
    match stop {
        Stop::TooLarge => "the kernel is too large".to_owned(),
        Stop::TooMuchWork { n_done, n_threads } => {
            format!("{n_done} of the {n_threads} threads of the group were executed, more would take too long")
        }
        Stop::TooManyThreads => format!("the group has more than {MAX_THREADS} threads"),
        Stop::TooManyAccesses => "there are too many accesses".to_owned(),
        Stop::TooManyPairs => "too many accesses have common bytes".to_owned(),
        Stop::UnknownOrder(_) => "some instructions may wait for other threads".to_owned(),
    }
}

/// Findings about threads that meet.
#[must_use]
pub fn describe(finding: &Finding) -> Option<Diagnostic> {
    let FactKind::Race(race) = &finding.fact.kind else { return None };
    let Race { other, sides: (a, b), address, data, why, since, steps } = &**race;
    let is_same = *other == finding.fact.instruction;
    let (x, y) = (party(a), party(b));
    let between = match why {
        Unordered::NoBarrier => ", with no barrier in between",
        Unordered::OneMessage => " with one message",
        Unordered::Weak(Weak::Unfenced(_)) => ", and the barrier in between has no fence",
        Unordered::Weak(Weak::BetweenHalves(_)) => ", and the halves of the barrier do not order that",
    };
    let message = match (verb(a.kind), verb(b.kind)) {
        (p, q) if p == q => format!("{x} and {y} {p} the same bytes{between}"),
        (p, q) => format!("{x} {p}s what {y} {q}s{between}"),
    };
    let mut diagnostic = Diagnostic::new(&WORK_ITEM_RACE, finding.place(), message).label(format!("both at {address}"));
    // What leads there, in the order of the text.
    let mut places: Vec<(InstructionIndex, String)> = computed((&x, &steps.0), (&y, &steps.1), &finding.fact.trail);
    if !is_same {
        places.push((*other, format!("{y} {}s here", verb(b.kind))));
    }
    match why {
        Unordered::Weak(Weak::Unfenced(barrier)) => {
            places.push((*barrier, "no fence of that memory before this barrier".to_owned()));
        }
        Unordered::Weak(Weak::BetweenHalves(wait)) => {
            places.push((*wait, "one of them comes before this wait, after the signal".to_owned()));
        }
        Unordered::NoBarrier => {
            places.extend(since.map(|barrier| (barrier, "this barrier comes before both".to_owned())));
        }
        Unordered::OneMessage => {}
    }
    places.sort_by_key(|(instruction, _)| instruction.0);
    for (instruction, words) in places {
        diagnostic = diagnostic.also(finding.statement(instruction), words);
    }
    diagnostic = diagnostic.trace();
    if *why == Unordered::NoBarrier && since.is_none() {
        diagnostic = diagnostic.note("no barrier stands before either of them");
    }
    if let Some((p, q)) = data {
        diagnostic = diagnostic.note(format!("{x} writes {p}, {y} writes {q}"));
    }
    let rule = match why {
        Unordered::OneMessage => "the lanes of a message are not ordered: different values leave the bytes undefined",
        Unordered::Weak(Weak::Unfenced(_)) => {
            "a store is only seen behind a barrier if a fence comes before the barrier"
        }
        _ => "threads are only ordered by barriers",
    };
    Some(diagnostic.note(format!("{}: {rule}", document(finding.view.row))))
}

/// What two work-items have computed on the way to the place where they meet; of other instructions on the way that they
/// are on it.
fn computed(
    (x, of_x): (&str, &[Computed]),
    (y, of_y): (&str, &[Computed]),
    trail: &[InstructionIndex],
) -> Vec<(InstructionIndex, String)> {
    let mut all: Vec<InstructionIndex> =
        of_x.iter().chain(of_y).map(|c| c.instruction).chain(trail.iter().copied()).collect();
    all.sort_unstable_by_key(|instruction| instruction.0);
    all.dedup();
    let value = |of: &[Computed], at| of.iter().find(|c| c.instruction == at).map(|c| c.value.clone());
    let words = |at| match (value(of_x, at), value(of_y, at)) {
        (Some(v), Some(w)) if v == w => format!("both compute {v}"),
        (Some(v), Some(w)) => format!("{x} computes {v}, {y} {w}"),
        (Some(v), None) => format!("{x} computes {v}"),
        (None, Some(w)) => format!("{y} computes {w}"),
        (None, None) => "computed here".to_owned(),
    };
    all.into_iter().map(|at| (at, words(at))).collect()
}

pub(super) const fn verb(kind: AccessKind) -> &'static str {
    match kind {
        AccessKind::Read => "read",
        AccessKind::Write => "write",
        AccessKind::Atomic => "update",
    }
}

/// The work-item, or where none is dispatched the lane.
pub(super) fn party(side: &Side) -> String {
    match side.item {
        Some([x, y, z]) => format!("work-item ({x}, {y}, {z})"),
        None => format!("lane {} of thread {}", side.lane, side.thread),
    }
}
