//! Barriers with two halves.

use crate::interp::domain::lanes::Lanes;
use crate::interp::state::barriers::{self, KnownSignal, Passed, Signal};
use crate::interp::state::{Change, Reader};
use crate::interp::transfer::call::{callee, is_fence_function};
use crate::interp::transfer::effects::Effects;
use crate::interp::transfer::limits::{Limits, limits};
use crate::program::{InstructionIndex, Operand, View};
use crate::spec::OperandName;
use crate::spec::family::Barrier;
use crate::spec::instruction::{Custom, Flow};
use std::ops::Range;
use std::rc::Rc;

/// The type of a named barrier's signal by a thread that only produces, and so does not wait.
const PRODUCER: u64 = 1;
/// The type by a thread that only consumes.
const CONSUMER: u64 = 2;

/// How deep functions that call functions are looked at for barriers, and how many instructions of them.
const MAX_DEPTH: u32 = 8;
const MAX_LOOKED_AT: u32 = 4_000;

/// Which half of a barrier an instruction is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Half {
    /// The signal.
    Signal,
    /// The wait.
    Wait,
}

impl<'p> Reader<'p> {
    /// Which half of which barrier an instruction is; of a named one nothing if its id is not known, or that of no barrier.
    pub fn half_of(&mut self, view: &View<'p>) -> Option<(Half, Option<barriers::Barrier>)> {
        let (half, is_named) = match view.row.barrier? {
            Barrier::SplitSignal => (Half::Signal, false),
            Barrier::SplitWait => (Half::Wait, false),
            Barrier::NamedSignal => (Half::Signal, true),
            Barrier::NamedWait => (Half::Wait, true),
            Barrier::Group | Barrier::Thread => return None,
        };
        if !is_named {
            return Some((half, Some(barriers::Barrier::Split)));
        }
        let limits = view.numbered_operand(OperandName::ID).and_then(|(place, _)| limits(view, place));
        let is_one = |id: &u64| match limits {
            Some(Limits::Range(least, most)) => (least..=most).contains(&i128::from(*id)),
            _ => true,
        };
        let id = self.scalar(view, OperandName::ID).filter(is_one);
        Some((half, id.map(barriers::Barrier::Named)))
    }

    /// The number that a scalar operand is, if that is known.
    fn scalar(&mut self, view: &View<'p>, name: OperandName) -> Option<u64> {
        let (place, _) = view.numbered_operand(name)?;
        let exec_mask = Lanes::run(self.state().reached, 1);
        self.source(view, place, &exec_mask).lanes.at(0).as_known()
    }

    /// Whether a signal is one that a wait has to follow, if that is known.
    pub fn has_to_wait(&mut self, view: &View<'p>) -> Option<bool> {
        let has_type = view.row.barrier == Some(Barrier::NamedSignal) && view.operands.len() == 4;
        if has_type { self.scalar(view, OperandName::TYPE).map(|kind| kind != PRODUCER) } else { Some(true) }
    }

    /// Whether an instruction signals as a thread that only consumes: it changes nothing if such a thread does not wait.
    pub fn only_consumes(&mut self, instruction: InstructionIndex) -> bool {
        let Some(view) = View::new(self.cx().program, instruction).filter(|view| view.operands.len() == 4) else {
            return false;
        };
        // What a register of another function held, is not known here.
        let is_own = self.cx().object.instructions.contains(&instruction.0);
        let is_immediate = matches!(view.operand(OperandName::TYPE), Some((Operand::Immediate { .. }, _)));
        if is_own || is_immediate { self.scalar(&view, OperandName::TYPE) == Some(CONSUMER) } else { true }
    }

    /// Behind a call at barriers what the function leaves is so.
    pub(in crate::interp) fn pass_barriers_of_call(&mut self, signals: &[KnownSignal], effects: &mut Effects) {
        effects.changes.retain(|change| !matches!(change, Change::LoseBarriers));
        let reached = self.state().reached;
        for KnownSignal { barrier, is_open, at } in signals.iter().copied() {
            let before = self.state().barriers.signal(barrier);
            let open = if is_open {
                self.domain.or(before.open, reached)
            } else {
                self.domain.and(before.open, reached.not())
            };
            effects.changes.push(Change::Signal(barrier, Signal { open, at }));
        }
    }

    /// Whether what a call executes may be a half of a barrier, as far as the functions that it leads to are looked at.
    pub(in crate::interp) fn may_pass_barrier(&mut self, view: &View) -> bool {
        self.may_pass(view, MAX_DEPTH)
    }

    fn may_pass(&mut self, view: &View, depth: u32) -> bool {
        if is_fence_function(view) {
            return false;
        }
        let Some(callee) = callee(view) else { return true };
        if let Some(known) = self.passing.may_pass.get(&callee.instructions.start) {
            return *known;
        }
        let left = self.passing.n_looked_at + callee.instructions.end - callee.instructions.start;
        if depth == 0 || left > MAX_LOOKED_AT {
            return true;
        }
        self.passing.n_looked_at = left;
        // One that calls itself is looked at once.
        self.passing.may_pass.insert(callee.instructions.start, true);
        let may = callee.instructions.clone().any(|at| {
            let Some(view) = View::new(self.cx().program, InstructionIndex(at)) else { return true };
            view.row.barrier.is_some_and(Barrier::has_halves)
                || view.row.custom == Some(Custom::RawSend)
                || view.row.flow == Flow::FunctionCall && self.may_pass(&view, depth - 1)
        });
        self.passing.may_pass.insert(callee.instructions.start, may);
        may
    }

    /// The barriers whose halves are executed between two instructions, as far as the text tells; nothing if some are not
    /// known.
    pub fn barriers_between(&mut self, head: u32, end: u32) -> Passed {
        if !self.cx().has_halves && !self.cx().has_function_calls {
            return Some(Rc::default());
        }
        let calls = |at: u32| {
            let row = self.cx().program.row(&self.cx().program.instructions[InstructionIndex(at)]);
            row.is_some_and(|row| row.flow == Flow::Call)
        };
        if !(head..=end).any(calls) {
            return self.barriers_in(head..end + 1);
        }
        // A subroutine is another part of the same text.
        if self.passing.of_object.is_none() {
            self.passing.of_object = Some(self.barriers_in(self.cx().object.instructions.clone()));
        }
        self.passing.of_object.clone().flatten()
    }

    fn barriers_in(&mut self, instructions: Range<u32>) -> Passed {
        let mut found = Vec::new();
        for at in instructions {
            let Some(view) = View::new(self.cx().program, InstructionIndex(at)) else { continue };
            let is_call = view.row.flow == Flow::FunctionCall;
            if is_call && self.may_pass_barrier(&view)
                || self.cx().has_halves && view.row.custom == Some(Custom::RawSend)
            {
                return None;
            }
            if view.row.barrier.is_some_and(Barrier::is_named)
                && !matches!(view.numbered_operand(OperandName::ID), Some((_, Operand::Immediate { .. })))
            {
                return None;
            }
            if let Some((_, barrier)) = self.half_of(&view) {
                let barrier = barrier?;
                if !found.contains(&barrier) {
                    found.push(barrier);
                }
            }
        }
        Some(found.into())
    }
}

impl<'p> Reader<'p> {
    /// The two halves of a barrier.
    pub(super) fn pass_barrier(&mut self, view: &View<'p>, effects: &mut Effects) {
        // The function, or a message to the gateway, may do either.
        if view.row.flow == Flow::FunctionCall {
            if self.may_pass_barrier(view) {
                effects.changes.push(Change::LoseBarriers);
            }
            return;
        }
        if view.row.custom == Some(Custom::RawSend) {
            return effects.changes.push(Change::LoseBarriers);
        }
        let Some((half, barrier)) = self.half_of(view) else { return };
        let Some(barrier) = barrier else { return effects.changes.push(Change::LoseBarriers) };
        let reached = self.state().reached;
        let signal = self.state().barriers.signal(barrier);
        let signal = match half {
            Half::Wait => Signal { open: self.domain.and(signal.open, reached.not()), ..signal },
            Half::Signal => {
                let waits = match self.has_to_wait(view) {
                    Some(false) => return,
                    Some(true) => reached,
                    None => {
                        let unknown = self.domain.unknown_condition().at(0);
                        self.domain.and(reached, unknown)
                    }
                };
                Signal { open: self.domain.or(signal.open, waits), at: view.index.0 }
            }
        };
        effects.changes.push(Change::Signal(barrier, signal));
    }
}
