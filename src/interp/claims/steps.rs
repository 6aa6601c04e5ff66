//! How two accesses that meet came to their addresses: the threads are executed once more, and what the instructions on the
//! way have computed is noted.

use crate::interp::claims::Claims;
use crate::interp::claims::facts::Computed;
use crate::interp::domain::Value;
use crate::interp::domain::condition::Condition;
use crate::interp::domain::lanes::Lanes;
use crate::interp::state::{Location, lane_after_lane};
use crate::program::{InstructionIndex, Operand, View};
use rustc_hash::FxHashMap;

/// Most threads that are executed once more.
pub(in crate::interp) const MAX_THREADS: usize = 2;

/// An access of which it is asked how it came to its address.
#[derive(Debug)]
pub(in crate::interp) struct Asked {
    /// The two instructions that meet.
    pub pair: (u32, u32),
    /// Whether it is the earlier one in the text.
    pub is_second: bool,
    /// The thread.
    pub thread: u32,
    /// Its number among the messages of the thread.
    pub number: usize,
    /// The lane.
    pub lane: u32,
    /// The instructions that its address came through.
    pub trail: Vec<InstructionIndex>,
    /// The answer.
    pub seen: Vec<Computed>,
}

/// What is asked of a thread, and the results of the instructions on the way.
pub(in crate::interp) struct Watch {
    /// The accesses.
    pub asked: Vec<Asked>,
    /// By instruction, the first lane and the lanes.
    results: FxHashMap<InstructionIndex, (u32, Lanes<Value>)>,
}

impl Watch {
    /// Asks of accesses.
    pub(in crate::interp) fn new(asked: Vec<Asked>) -> Self {
        Self { asked, results: FxHashMap::default() }
    }
}

impl<'p> Claims<'_, 'p> {
    /// Notes what an instruction has computed, if that is asked for.
    pub(in crate::interp) fn note_result(&mut self, view: &View<'p>) {
        let Some(mut watch) = self.record.watch.take() else { return };
        if watch.asked.iter().any(|asked| asked.trail.contains(&view.index)) {
            let n = view.n_lanes();
            let result = view.numbered_operands().find(|(_, _, slot)| slot.role.writes());
            let at = result.and_then(|(_, operand, _)| match operand {
                Operand::General { .. } => self.reader.direct_location(operand).map(|(at, _)| at),
                Operand::Raw { .. } => {
                    self.reader.raw_location(operand).map(|at| Location { region: lane_after_lane(), ..at })
                }
                _ => None,
            });
            if let Some(at) = at {
                let (lanes, ..) = self.reader.read_at(at, &Lanes::run(Condition::TRUE, n));
                watch.results.insert(view.index, (view.first_lane(), lanes));
            }
        }
        self.record.watch = Some(watch);
    }

    /// Answers what is asked of the message that is noted next.
    pub(super) fn answer(&mut self) {
        let Some(log) = &self.record.races else { return };
        let number = log.next_message();
        let Some(mut watch) = self.record.watch.take() else { return };
        for asked in watch.asked.iter_mut().filter(|asked| asked.number == number) {
            let computed = |instruction: &InstructionIndex| {
                let (first, lanes) = watch.results.get(instruction)?;
                let lane =
                    if lanes.len() == 1 { 0 } else { asked.lane.checked_sub(*first).filter(|l| *l < lanes.len())? };
                let value = self.reader.in_words(lanes.at(lane));
                (!value.contains("...")).then_some(Computed { instruction: *instruction, value })
            };
            let mut seen: Vec<Computed> = asked.trail.iter().filter_map(computed).collect();
            seen.sort_by_key(|computed| computed.instruction.0);
            asked.seen = seen;
        }
        self.record.watch = Some(watch);
    }
}
