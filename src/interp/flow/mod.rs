//! How lanes go through the text: branches, calls, loops.

mod assigned;
mod execute;
mod loops;
mod plan;
mod turns;

use crate::interp::claims::Record;
use crate::interp::state::Machine;

/// Executes everything from the state that the machine has.
pub fn execute(machine: &mut Machine, record: &mut Record) {
    let mut plan = plan::Plan::new(machine.cx.program, machine.cx.object);
    execute::Execution::new(machine, record, &mut plan).run();
}
