//! The questions that checks, the server and the command line may ask.

use crate::interp::claims::Record;
use crate::interp::claims::facts::Facts;
use crate::interp::claims::look::Look;
use crate::interp::claims::races::{Outcome, RaceLog, Stop};
use crate::interp::claims::trace::Trace;
use crate::interp::flow::execute;
use crate::interp::launch::{Group, Launch, Thread};
use crate::interp::state::Machine;
use crate::interp::state::memory::Private;
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
    let mut record = Record::default();
    execute(&mut machine, &mut record);
    let mut effort = record.steps + machine.domain.n_blocks() as u64;
    if machine.needs_all {
        machine = start();
        record = Record::default();
        execute(&mut machine, &mut record);
        effort += record.steps + machine.domain.n_blocks() as u64;
    }
    record.facts.effort = effort;
    record.facts
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
    let look = Look { instruction, operand, seen: None };
    let mut record = Record { look: Some(look), ..Record::default() };
    machine.follow_towards(instruction);
    execute(&mut machine, &mut record);
    record.look?.seen
}

/// Executes a kernel or function with all its values, and notes what is held at every instruction.
#[must_use]
pub fn trace(program: &Program, object: &Object, grf_bytes: u32, launch: &Launch) -> Trace {
    let mut machine = Machine::new(program, object, grf_bytes, launch);
    let mut record = Record { trace: Some(Vec::new()), ..Record::default() };
    execute(&mut machine, &mut record);
    Trace { events: record.trace.unwrap_or_default(), domain: machine.domain }
}

/// Most instructions of all threads of a group that are executed for any group, too, and not only for the first one.
const MAX_REPEATED: usize = 1 << 14;

/// Executes all threads of a group, and compares what they access: those of the first group, and if they do not meet
/// those of any group.
#[must_use]
pub fn races(program: &Program, object: &Object, grf_bytes: u32, launch: &Launch, group: &Group) -> Outcome {
    let of_first = races_in(program, object, grf_bytes, launch, group, true);
    let n_instructions = (object.instructions.end - object.instructions.start) as usize;
    if of_first.facts.is_empty() && n_instructions * group.threads.len() <= MAX_REPEATED {
        let of_any = races_in(program, object, grf_bytes, launch, group, false);
        Outcome { facts: of_any.facts, stop: of_first.stop }
    } else {
        of_first
    }
}

fn races_in(
    program: &Program,
    object: &Object,
    grf_bytes: u32,
    launch: &Launch,
    group: &Group,
    is_first_group: bool,
) -> Outcome {
    let start = || {
        let mut machine = Machine::new(program, object, grf_bytes, launch);
        machine.cx.shared_from = Some(group.shared_from.unwrap_or(i64::MAX));
        machine.cx.is_first_group = is_first_group;
        machine
    };
    let mut private = if is_first_group { Private::of(program, object) } else { Private::default() };
    let mut log = RaceLog::new(&start());
    let mut domain = None;
    for (number, thread) in (0..).zip(&group.threads) {
        let mut machine = start().of_thread(Some(thread));
        machine.cx.thread_number = number;
        machine.private = private.clone();
        if let Some(domain) = domain.take() {
            machine.domain = domain;
        }
        log.begin(number);
        let mut record = Record { races: Some(log), ..Record::default() };
        execute(&mut machine, &mut record);
        let Some(done) = record.races.take() else { return Outcome::default() };
        log = done;
        if record.facts.is_incomplete {
            return Outcome::stopped(Stop::TooLarge);
        }
        private = machine.private;
        domain = Some(machine.domain);
    }
    let Some(domain) = domain else { return Outcome::default() };
    let mut machine = start();
    machine.domain = domain;
    machine.private = private;
    log.compare(&mut machine, group)
}
