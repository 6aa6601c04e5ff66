//! The questions that checks, the server and the command line may ask.

mod kernel;
mod threads;
mod trials;

use crate::interp::claims::Record;
use crate::interp::claims::facts::Facts;
use crate::interp::claims::look::Look;
use crate::interp::flow::execute;
use crate::interp::flow::trace::{Journal, Trace};
use crate::interp::launch::Launch;
use crate::interp::state::{Context, Machine};
use crate::program::{ControlFlow, InstructionIndex, Object, Program};

pub use threads::{Further, races};

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
        cx.note_reloads();
        if is_slice {
            cx.follow_slice();
        }
        let (mut record, mut journal) = (Record::default(), Journal::default());
        let mut machine = Machine::new(cx, Default::default());
        execute(&mut machine, &mut record, &mut journal);
        record.report_unused_results(&machine.reader);
        effort += journal.steps + machine.reader.domain.n_blocks() as u64;
        (record, machine.reader.needs_all())
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
    let mut machine = Machine::new(cx, Default::default());
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
    let mut machine = Machine::new(cx, Default::default());
    let mut journal = Journal { events: Some(Vec::new()), ..Journal::default() };
    execute(&mut machine, &mut Record::default(), &mut journal);
    Trace { events: journal.events.unwrap_or_default(), domain: machine.into_parts().0 }
}
