//! What a source holds when its instruction is executed, for readers of a program.

use crate::interp::claims::Claims;
use crate::interp::state::{Location, lane_after_lane};
use crate::program::{InstructionIndex, Operand, View};
use crate::spec::instruction::Role;

/// A source whose value is asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Look {
    /// The instruction.
    pub instruction: InstructionIndex,
    /// The operand, counted from 0.
    pub operand: usize,
    /// What each lane reads, in words, of a raw operand its dword; nothing for a lane that reads other things at other times.
    /// `None` while the instruction has not been reached.
    pub seen: Option<Vec<Option<String>>>,
}

/// Most steps, because a caller waits for the answer. Instructions that do not matter for it are not counted.
const MAX_STEPS: u64 = 600;

impl<'p> Claims<'_, 'p> {
    /// Whether the answer takes too long; then none is given.
    pub fn is_looking_in_vain(&mut self, n_steps: u64) -> bool {
        let Some(look) = self.record.look.as_mut().filter(|_| n_steps > MAX_STEPS) else { return false };
        look.seen = None;
        true
    }

    /// Notes what the source holds that is asked about, if it belongs to this instruction.
    pub fn look(&mut self, view: &View<'p>) {
        let Some(mut look) = self.record.look.take_if(|look| look.instruction == view.index) else { return };
        let operand = view.operands.get(look.operand);
        let is_source =
            view.numbered_operands().nth(look.operand).is_some_and(|(_, _, slot)| slot.role == Role::Source);
        let exec_mask = self.reader.mask(view);
        let read = match operand {
            Some(Operand::General { .. }) if is_source => {
                let source = self.reader.source(view, look.operand, &exec_mask);
                Some((source.lanes, source.undefined))
            }
            Some(raw @ Operand::Raw { .. }) if is_source => self.reader.raw_location(raw).map(|at| {
                let (lanes, _, undefined) =
                    self.reader.read_at(Location { region: lane_after_lane(), ..at }, &exec_mask);
                (lanes, undefined)
            }),
            _ => None,
        };
        if let Some((lanes, undefined)) = read {
            let is_defined = undefined.is_none();
            let now: Vec<Option<String>> =
                lanes.iter().map(|value| is_defined.then(|| self.reader.in_words(value))).collect();
            look.seen = Some(match look.seen.take() {
                Some(before) => before.into_iter().zip(now).map(|(a, b)| if a == b { a } else { None }).collect(),
                None => now,
            });
        }
        self.record.look = Some(look);
    }
}
