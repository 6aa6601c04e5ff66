//! The questions that checks, the server and the command line may ask.

use crate::interp::claims::Record;
use crate::interp::claims::facts::Facts;
use crate::interp::claims::look::Look;
use crate::interp::claims::races::{Outcome, RaceLog, Stop};
use crate::interp::domain::Domain;
use crate::interp::flow::execute;
use crate::interp::flow::trace::{Journal, Trace};
use crate::interp::launch::{Group, Launch};
use crate::interp::state::memory::Private;
use crate::interp::state::{Context, Machine};
use crate::program::{ControlFlow, InstructionIndex, Object, Program};

/// Executes a kernel or function where registers have `grf_bytes` bytes: once, or once for each thread of the launch that
/// differs from the others.
#[must_use]
pub fn run(program: &Program, object: &Object, grf_bytes: u32, launch: &Launch) -> Facts {
    let flow = &ControlFlow::new(program, object);
    let run = |thread| run_thread(|| Context { thread, ..Context::new(program, object, flow, grf_bytes, launch) });
    let mut threads = launch.threads.iter();
    let mut facts = run(threads.next());
    for thread in threads {
        facts.unite(run(Some(thread)));
    }
    facts.drop_denied();
    facts
}

fn run_thread<'p>(context: impl Fn() -> Context<'p>) -> Facts {
    let mut effort = 0;
    let mut execute_once = |is_slice: bool| {
        let mut cx = context();
        if is_slice {
            cx.follow_slice();
        }
        let (mut record, mut journal) = (Record::default(), Journal::default());
        let mut machine = Machine::new(cx, Domain::new(), Private::default());
        execute(&mut machine, &mut record, &mut journal);
        effort += journal.steps + machine.domain.n_blocks() as u64;
        (record, machine.needs_all())
    };
    let (mut record, needs_all) = execute_once(true);
    if needs_all {
        record = execute_once(false).0;
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
    let flow = &ControlFlow::new(program, object);
    let mut cx = Context::new(program, object, flow, grf_bytes, launch);
    cx.follow_towards(instruction);
    let mut machine = Machine::new(cx, Domain::new(), Private::default());
    let look = Look { instruction, operand, seen: None };
    let mut record = Record { look: Some(look), ..Record::default() };
    execute(&mut machine, &mut record, &mut Journal::default());
    record.look?.seen
}

/// Executes a kernel or function with all its values, and notes what is held at every instruction.
#[must_use]
pub fn trace(program: &Program, object: &Object, grf_bytes: u32, launch: &Launch) -> Trace {
    let flow = &ControlFlow::new(program, object);
    let cx = Context::new(program, object, flow, grf_bytes, launch);
    let mut machine = Machine::new(cx, Domain::new(), Private::default());
    let mut journal = Journal { events: Some(Vec::new()), ..Journal::default() };
    execute(&mut machine, &mut Record::default(), &mut journal);
    Trace { events: journal.events.unwrap_or_default(), domain: machine.into_parts().0 }
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
    let flow = &ControlFlow::new(program, object);
    let context = |thread, thread_number| Context {
        thread,
        thread_number,
        shared_from: Some(group.shared_from.unwrap_or(i64::MAX)),
        is_first_group,
        ..Context::new(program, object, flow, grf_bytes, launch)
    };
    let private = if is_first_group { Private::of(program, object) } else { Private::default() };
    let mut machine = Machine::new(context(None, 0), Domain::new(), private);
    let mut log = RaceLog::new(&machine);
    for (number, thread) in (0..).zip(&group.threads) {
        let (domain, private) = machine.into_parts();
        machine = Machine::new(context(Some(thread), number), domain, private);
        log.begin(number);
        let mut record = Record { races: Some(log), ..Record::default() };
        execute(&mut machine, &mut record, &mut Journal::default());
        let Some(done) = record.races.take() else { return Outcome::default() };
        log = done;
        if record.facts.is_incomplete {
            return Outcome::stopped(Stop::TooLarge);
        }
    }
    if group.threads.is_empty() {
        return Outcome::default();
    }
    let (domain, private) = machine.into_parts();
    let mut reader = Machine::new(context(None, 0), domain, private);
    log.compare(&mut reader, group)
}
