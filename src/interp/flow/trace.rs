//! What is held at every instruction, in the order of execution, for comparisons with real executions; and what it costs.

use crate::interp::domain::condition::Condition;
use crate::interp::domain::lanes::Lanes;
use crate::interp::domain::{Domain, Value};
use crate::program::InstructionIndex;

/// An instruction as it was executed.
#[derive(Clone, Debug)]
pub struct Step {
    /// The instruction.
    pub instruction: InstructionIndex,
    /// Whether the thread comes here.
    pub reached: Condition,
    /// The lanes that execute it.
    pub exec_mask: Lanes<Condition>,
    /// Sources by their place among the operands, without source modifiers; of raw operands the dwords, one for each
    /// lane. What is said of a lane holds where the lane is executed.
    pub sources: Vec<(usize, Lanes<Value>)>,
}

/// What happened.
#[derive(Clone, Debug)]
pub enum Event {
    /// An instruction is executed.
    Step(Box<Step>),
    /// What follows stands for any pass of the loop with that first instruction, or for all that may come to a label in
    /// it: unknowns with a higher number than `n_unknowns` are other ones in each pass.
    AnyPass {
        /// The first instruction, or the one after the label.
        head: u32,
        /// Unknowns so far.
        n_unknowns: u32,
    },
    /// The end of a loop of which one pass stands for all.
    EndOfLoop {
        /// Its first instruction.
        head: u32,
    },
    /// The instructions of a subroutine that is called, but not followed.
    Skipped(std::ops::Range<u32>),
    /// There was too much to remember: nothing is known from here on.
    GivenUp,
}

/// What abstract execution writes down of itself.
#[derive(Default)]
pub struct Journal {
    /// Counts what has been executed.
    pub steps: u64,
    /// Of these, what was spent on loops as they stand.
    pub(in crate::interp) concrete_steps: u64,
    /// The same with the unknowns and accesses of these steps.
    pub(in crate::interp) concrete_effort: u64,
    /// What happened so far, if that is asked for.
    pub events: Option<Vec<Event>>,
}

impl Journal {
    /// Notes an event, if that is asked for.
    pub(super) fn note(&mut self, event: Event) {
        if let Some(events) = &mut self.events {
            events.push(event);
        }
    }
}

/// The values that all atoms and conditions of a trace belong to, and what happened.
#[derive(Debug)]
pub struct Trace {
    /// The values.
    pub domain: Domain,
    /// What happened, in order.
    pub events: Vec<Event>,
}
