//! Abstract execution: what a kernel computes, as far as that does not depend on its inputs.
//!
//! `domain` holds the values, `state` the registers, `transfer` and `effects` say what an instruction does,
//! `message` what it does to memory, `execute` and `loops` follow the control flow, `overlap` decides whether two
//! lanes meet. What is found out are `facts`; nothing is reported here. A `trace` says what was held at every
//! instruction.

pub mod domain;
mod effects;
mod execute;
pub mod facts;
pub mod lanes;
pub mod launch;
pub mod look;
mod loops;
mod lsc;
pub mod machine;
pub mod message;
mod overlap;
pub mod plan;
pub mod races;
pub mod sides;
mod slice;
pub mod state;
pub mod trace;
mod transfer;

pub use facts::{Fact, FactKind, Facts};
pub use launch::{Launch, Thread};
pub use look::Look;
pub use machine::Machine;
pub use races::races;

use crate::program::{InstructionIndex, Object, Program};

/// Executes a kernel or function where registers have `grf_bytes` bytes: once, or once for each thread of the launch that
/// differs from the others.
#[must_use]
pub fn run(program: &Program, object: &Object, grf_bytes: u32, launch: &Launch) -> Facts {
    let mut threads = launch.threads.iter();
    let mut facts = run_thread(program, object, grf_bytes, launch, threads.next());
    for thread in threads {
        facts.unite(run_thread(program, object, grf_bytes, launch, Some(thread)));
    }
    facts.drop_denied();
    facts
}

fn run_thread(program: &Program, object: &Object, grf_bytes: u32, launch: &Launch, thread: Option<&Thread>) -> Facts {
    let start = || Machine::new(program, object, grf_bytes, launch).of_thread(thread);
    let mut machine = start();
    machine.follow_slice();
    execute(&mut machine);
    let mut effort = machine.effort();
    if machine.needs_all {
        machine = start();
        execute(&mut machine);
        effort += machine.effort();
    }
    machine.facts.effort = effort;
    machine.facts
}

/// What a source holds when its instruction is executed, one entry for each lane; `None` if that is never reached.
#[must_use]
pub fn look(
    program: &Program,
    object: &Object,
    grf_bytes: u32,
    launch: &Launch,
    (instruction, operand): (InstructionIndex, usize),
) -> Option<Vec<Option<String>>> {
    let mut machine = Machine::new(program, object, grf_bytes, launch);
    machine.look = Some(Look { instruction, operand, seen: None });
    machine.follow_towards(instruction);
    execute(&mut machine);
    machine.look?.seen
}

/// Executes everything from the state that the machine has.
pub fn execute(machine: &mut Machine) {
    let mut plan = plan::Plan::new(machine.program, machine.object);
    execute::Execution::new(machine, &mut plan).run();
}
