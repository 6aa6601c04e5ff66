//! The questions that checks, the server and the command line may ask.

use crate::interp::claims::Record;
use crate::interp::claims::facts::Facts;
use crate::interp::claims::look::Look;
use crate::interp::claims::races::{Outcome, RaceLog, Stop};
use crate::interp::claims::steps::{self, Watch};
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

/// Executes the threads of a group, and compares what they access: those of the first group, and if they may meet without
/// being known to, those of any group. `effort` is what one execution of the object costs ([`Facts::effort`]): a multiple
/// of it is spent, and threads that are left over are not compared. Without it all are, and both groups are looked at.
#[must_use]
pub fn races(
    program: &Program,
    object: &Object,
    grf_bytes: u32,
    launch: &Launch,
    group: &Group,
    effort: Option<u64>,
) -> Outcome {
    let mut budget = Budget::new(object, launch, effort);
    let launch = Launch { skips_paths: true, ..launch.clone() };
    let of_first = races_in(program, object, grf_bytes, &launch, group, true, &mut budget);
    let is_settled = !of_first.facts.is_empty() || of_first.is_free && effort.is_some();
    if is_settled || budget.left == 0 {
        return of_first;
    }
    let of_any = races_in(program, object, grf_bytes, &launch, group, false, &mut budget);
    let is_free_in_any = of_first.is_free && of_any.is_free;
    Outcome { facts: of_any.facts, is_free_in_any, ..of_first }
}

/// What may be spent on a kernel: so many times what one execution costs, and so much for reading each instruction.
const EFFORT_OF_ONE: u64 = 6;
const EFFORT_PER_INSTRUCTION: u64 = 30;
/// What a step in a loop costs at most, with what it accesses.
const EFFORT_OF_STEP: u64 = 8;
/// Least and most steps that a thread may spend on loops as they stand.
const MIN_STEPS: u64 = 500;
const MAX_STEPS: u64 = 30_000;
/// Threads that are executed whatever they cost.
const MIN_THREADS: u32 = 2;

/// What may still be spent on threads.
struct Budget {
    left: u64,
}

impl Budget {
    /// Before any thread is compared; the object has been executed with that effort.
    fn new(object: &Object, launch: &Launch, effort: Option<u64>) -> Self {
        let Some(effort) = effort else { return Self { left: u64::MAX } };
        let n_instructions = u64::from(object.instructions.end - object.instructions.start);
        let of_one = effort / launch.threads.len().max(1) as u64;
        let spent = effort - of_one;
        let whole = of_one * EFFORT_OF_ONE + n_instructions * EFFORT_PER_INSTRUCTION;
        Self { left: whole.saturating_sub(spent) }
    }
}

/// The threads of a group in the order in which they are executed, so that those come first that are likely to meet
/// others: the ends, neighbours, and those at distances that are powers of two.
fn in_order(n: u32) -> Vec<u32> {
    let powers = (0..=n.max(2).ilog2()).map(|k| 1 << k);
    let first = [0, 1, n.wrapping_sub(1), 2, n / 2, n / 2 + 1].into_iter().chain(powers).chain(0..n);
    let mut seen = vec![false; n as usize];
    first.filter(|t| seen.get_mut(*t as usize).is_some_and(|seen| !std::mem::replace(seen, true))).collect()
}

fn races_in(
    program: &Program,
    object: &Object,
    grf_bytes: u32,
    launch: &Launch,
    group: &Group,
    is_first_group: bool,
    budget: &mut Budget,
) -> Outcome {
    let flow = &ControlFlow::new(program, object);
    let context = |thread, thread_number, max_concrete_steps| Context {
        thread,
        thread_number,
        max_concrete_steps,
        shared_from: Some(group.shared_from.unwrap_or(i64::MAX)),
        is_first_group,
        ..Context::new(program, object, flow, grf_bytes, launch)
    };
    let private = if is_first_group { Private::of(program, object) } else { Private::default() };
    let mut machine = Machine::new(context(None, 0, 0), Domain::new(), private);
    let mut log = RaceLog::new(&machine);
    let n_threads = group.threads.len() as u32;
    let (mut n_done, mut n_again) = (0, 0);
    let mut executed = Vec::new();
    for number in in_order(n_threads) {
        let (domain, private) = machine.into_parts();
        // Two threads have to fit. Loops whose passes would take more are executed once for all of them.
        let steps = budget.left / EFFORT_OF_STEP / u64::from(MIN_THREADS.saturating_sub(n_done).max(1));
        let thread = group.threads.get(number as usize);
        let steps = steps.clamp(MIN_STEPS, MAX_STEPS);
        executed.push((number, steps));
        machine = Machine::new(context(thread, number, steps), domain, private);
        let before = machine.domain.n_blocks() + log.n_accesses();
        log.begin(number);
        let mut record = Record { races: Some(log), ..Record::default() };
        let mut journal = Journal::default();
        execute(&mut machine, &mut record, &mut journal);
        let Some(done) = record.races.take() else { return Outcome::default() };
        log = done;
        if record.facts.is_incomplete {
            return Outcome::stopped(Stop::TooLarge);
        }
        log.open_skipped(&record.facts.skipped, &launch.faulty);
        let effort = journal.steps + (machine.domain.n_blocks() + log.n_accesses() - before) as u64;
        n_done += 1;
        budget.left = budget.left.saturating_sub(effort);
        if budget.left == 0 && n_done < n_threads && n_done >= MIN_THREADS {
            log.stop_at(Stop::TooMuchWork { n_done, n_threads });
            break;
        }
    }
    if group.threads.is_empty() {
        return Outcome::default();
    }
    let (domain, private) = machine.into_parts();
    let mut reader = Machine::new(context(None, 0, 0), domain, private);
    let mut outcome = log.compare(&mut reader, group);
    let mut asked = std::mem::take(&mut outcome.asked);
    // How those that meet came there is found out by executing them once more, as long as that is not too many.
    for (number, steps) in executed {
        let (of_thread, others): (Vec<_>, Vec<_>) = asked.into_iter().partition(|a| a.thread == number);
        asked = others;
        if of_thread.is_empty() {
            continue;
        }
        let private = if is_first_group { Private::of(program, object) } else { Private::default() };
        let thread = group.threads.get(number as usize);
        let mut machine = Machine::new(context(thread, number, steps), Domain::new(), private);
        let mut log = RaceLog::new(&machine);
        log.begin(number);
        let watch = Watch::new(of_thread);
        let mut record = Record { races: Some(log), watch: Some(watch), ..Record::default() };
        execute(&mut machine, &mut record, &mut Journal::default());
        outcome.take(record.watch.map(|watch| watch.asked).unwrap_or_default());
        n_again += 1;
        if n_again == steps::MAX_THREADS {
            break;
        }
    }
    outcome
}
