//! How lanes go through the text: branches, calls, loops.
//!
//! See docs/abstract-execution.md, "How lanes go through the text".

mod assigned;
mod branches;
mod calls;
mod execute;
mod execution;
mod first_pass;
mod functions;
mod loops;
pub(in crate::interp) mod plan;
pub mod trace;
mod turns;

use crate::interp::claims::Record;
use crate::interp::state::Machine;
use trace::Journal;

/// Executes everything from the state that the machine has. What is found goes to the record, what happened to the journal.
pub fn execute(machine: &mut Machine, record: &mut Record, journal: &mut Journal) {
    let mut plan = plan::Plan::new(machine.cx().program, machine.cx().object, machine.cx().flow);
    execution::Execution::new(machine, record, journal, &mut plan).run();
}
