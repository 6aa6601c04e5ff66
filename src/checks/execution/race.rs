//! Threads of a group that access one byte with no barrier in between.

use super::Finding;
use crate::base::diagnostic::Diagnostic;
use crate::checks::context::{Context, Sink};
use crate::checks::table::document;
use crate::interp::FactKind;
use crate::interp::claims::facts::{Computed, Race, Side, Unordered, Weak};
use crate::interp::claims::races::Stop;
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
    /// A finding holds whatever the arguments of the kernel are. Where the program comes to both accesses only under one
    /// condition on them, as in a loop whose passes an argument counts, the finding says it; what else depends on
    /// arguments is `argument-dependent-race`. Writes of values that are not known to differ, and what follows a loop that
    /// may wait for another thread, are passed over.
    ///
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
    /// Two work-items of a group that access the same bytes with nothing that orders them, as `work-item-race` says,
    /// but not in every launch that comes to them: the arguments of the kernel, or the ids of the group, have to be
    /// certain numbers. The finding says which. Where work-items or barriers are passed over by a comparison with an
    /// argument, that is the condition; where an argument decides about addresses or the passes of a loop, a few small
    /// numbers are tried for it, one argument after the other. An argument that is the pitch of rows is not taken to be
    /// smaller than a row of the group. What memory holds when the kernel starts is an argument, too: where numbers that
    /// are loaded from different places decide whether each work-item comes there, some data let both come. It is only
    /// looked at with `--races`.
    ///
    /// ```visa bad
    /// // platform: DG2
    /// // warn: work-item-race
    /// // pedantic
    /// // local-size: 64
    /// .kernel_attr Target="3d"
    /// .kernel_attr SimdSize=8
    /// .kernel_attr PerThreadInputSize=0
    /// .decl VN v_type=G type=d num_elts=1 align=dword
    /// .input VN offset=32 size=4
    /// mov (M1_NM, 8) VUD(0,0)<1> 0x76543210:uv
    /// shl (M1_NM, 8) VUD(0,0)<1> VUD(0,0)<1;1,0> 0x2:ud
    /// lsc_store.slm (M1_NM, 8) flat[VUD]:a32 VUD:d32
    /// cmp.gt (M1_NM, 1) P1 VN(0,0)<0;1,0> 0x3:d
    /// (!P1) goto (M1, 1) end
    /// lsc_load.slm (M1_NM, 8) VD:d32 flat[VUD]:a32
    /// end:
    /// ```
    /// ```visa good
    /// // platform: DG2
    /// // warn: work-item-race
    /// // pedantic
    /// // local-size: 64
    /// .kernel_attr Target="3d"
    /// .kernel_attr SimdSize=8
    /// .kernel_attr PerThreadInputSize=0
    /// .decl VN v_type=G type=d num_elts=1 align=dword
    /// .input VN offset=32 size=4
    /// mov (M1_NM, 8) VUD(0,0)<1> 0x76543210:uv
    /// shl (M1_NM, 8) VUD(0,0)<1> VUD(0,0)<1;1,0> 0x2:ud
    /// lsc_store.slm (M1_NM, 8) flat[VUD]:a32 VUD:d32
    /// cmp.gt (M1_NM, 1) P1 VN(0,0)<0;1,0> 0x3:d
    /// (!P1) goto (M1, 1) end
    /// lsc_fence.slm.none.group
    /// barrier
    /// lsc_load.slm (M1_NM, 8) VD:d32 flat[VUD]:a32
    /// end:
    /// ```
    pub ARGUMENT_DEPENDENT_RACE = "argument-dependent-race", Pedantic, "3_execution_model"
}

crate::declare_rule! {
    /// Work-items of two groups that access the same bytes of global memory, and one of them writes. Nothing orders groups:
    /// a barrier is one of the group, and which group comes first, or whether both run at once, is not said. Atomics are no
    /// race, nor are two writes of one value.
    ///
    /// Compared are the group with the ids 0, 0, 0 and its neighbour in each dimension whose id the kernel reads. A launch
    /// with one group has no such race, so kernels in which all groups do the same are passed over: they are launched with
    /// one. It is only looked at with `--races`.
    ///
    /// ```visa bad
    /// // platform: DG2
    /// // warn: work-item-race
    /// // pedantic
    /// // local-size: 8
    /// .kernel_attr Target="3d"
    /// .kernel_attr SimdSize=8
    /// .kernel_attr PerThreadInputSize=0
    /// .decl VR v_type=G type=ud num_elts=8 align=GRF alias=<%r0, 0>
    /// .decl VP v_type=G type=uq num_elts=1 align=qword
    /// .input VP offset=32 size=8
    /// mov (M1_NM, 1) VUQ(0,0)<1> VP(0,0)<0;1,0>
    /// mov (M1_NM, 1) VUD(0,0)<1> VR(0,1)<0;1,0>
    /// lsc_store.ugm (M1_NM, 1) flat[VUQ]:a64 VUD:d32
    /// ```
    /// ```visa good
    /// // platform: DG2
    /// // warn: work-item-race
    /// // pedantic
    /// // local-size: 8
    /// .kernel_attr Target="3d"
    /// .kernel_attr SimdSize=8
    /// .kernel_attr PerThreadInputSize=0
    /// .decl VR v_type=G type=ud num_elts=8 align=GRF alias=<%r0, 0>
    /// .decl VP v_type=G type=uq num_elts=1 align=qword
    /// .input VP offset=32 size=8
    /// mov (M1_NM, 1) VUD(0,0)<1> VR(0,1)<0;1,0>
    /// shl (M1_NM, 1) VUD(0,1)<1> VR(0,1)<0;1,0> 0x2:ud
    /// add (M1_NM, 1) VUQ(0,0)<1> VP(0,0)<0;1,0> VUD(0,1)<0;1,0>
    /// lsc_store.ugm (M1_NM, 1) flat[VUQ]:a64 VUD:d32
    /// ```
    pub GROUP_RACE = "group-race", Pedantic, "3_execution_model"
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
    sink.report(diagnostic.note("there may be races that are not reported").given_up(word(stop)));
}

/// The same in a few words that stay the same from version to version.
const fn word(stop: Stop) -> &'static str {
    match stop {
        Stop::TooLarge => "kernel too large",
        Stop::TooMuchWork { .. } => "too much work",
        Stop::TooManyThreads => "too many threads",
        Stop::TooManyAccesses => "too many accesses",
        Stop::TooManyPairs => "too many pairs of accesses",
        Stop::UnknownOrder(_) => "order not known",
    }
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
    let Race { other, sides: (a, b), address, data, why, condition, is_by_arguments, groups, since, steps } = &**race;
    let is_same = *other == finding.fact.instruction;
    let (x, y) = match groups {
        Some([p, q]) => (format!("{} of group {}", party(a), ids(*p)), format!("{} of group {}", party(b), ids(*q))),
        None => (party(a), party(b)),
    };
    let rule = match (groups, is_by_arguments) {
        (Some(_), _) => &GROUP_RACE,
        (None, true) => &ARGUMENT_DEPENDENT_RACE,
        (None, false) => &WORK_ITEM_RACE,
    };
    let under = condition.as_ref().map(|words| format!(", if {words}")).unwrap_or_default();
    let between = match why {
        Unordered::NoBarrier => ", with no barrier in between",
        Unordered::OneMessage => " with one message",
        Unordered::Weak(Weak::Unfenced(_)) => ", and the barrier in between has no fence",
        Unordered::Weak(Weak::BetweenHalves(_)) => ", and the halves of the barrier do not order that",
        Unordered::TwoGroups => ", and nothing orders groups",
    };
    let message = match (verb(a.kind), verb(b.kind)) {
        (p, q) if p == q => format!("{x} and {y} {p} the same bytes{between}{under}"),
        (p, q) => format!("{x} {p}s what {y} {q}s{between}{under}"),
    };
    let mut diagnostic = Diagnostic::new(rule, finding.place(), message).label(format!("both at {address}"));
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
        Unordered::OneMessage | Unordered::TwoGroups => {}
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
    let sentence = match why {
        Unordered::OneMessage => "the lanes of a message are not ordered: different values leave the bytes undefined",
        Unordered::Weak(Weak::Unfenced(_)) => {
            "a store is only seen behind a barrier if a fence comes before the barrier"
        }
        Unordered::TwoGroups => {
            "barriers order the threads of one group; a launch without the second one has no such race"
        }
        _ => "threads are only ordered by barriers",
    };
    Some(diagnostic.note(format!("{}: {sentence}", document(&finding.view))))
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

/// The ids of a group.
fn ids([x, y, z]: [u32; 3]) -> String {
    format!("({x}, {y}, {z})")
}

pub(super) const fn verb(kind: AccessKind) -> &'static str {
    match kind {
        AccessKind::Read => "read",
        AccessKind::Write => "write",
        AccessKind::Atomic => "update",
    }
}

/// A work-item by its local id.
pub(super) fn work_item([x, y, z]: [u32; 3]) -> String {
    format!("work-item ({x}, {y}, {z})")
}

/// The work-item, or where none is dispatched the lane.
pub(super) fn party(side: &Side) -> String {
    match side.item {
        Some(id) => work_item(id),
        None => format!("lane {} of thread {}", side.lane, side.thread),
    }
}
