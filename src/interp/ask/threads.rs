//! Executes the threads of groups one after another, and compares what they access.

use super::kernel::{First, Kernel};
use super::trials::Trial;
use crate::interp::claims::facts::{Fact, FactKind};
use crate::interp::claims::races::{Between, Outcome, RaceLog, Stop};
use crate::interp::claims::steps::{self, Asked, Watch};
use crate::interp::claims::{Claims, Record};
use crate::interp::domain::Domain;
use crate::interp::flow::execute;
use crate::interp::flow::plan::Plan;
use crate::interp::flow::trace::Journal;
use crate::interp::launch::{Group, Launch};
use crate::interp::state::memory::Private;
use crate::interp::state::{Common, Context, Machine};
use crate::program::{ControlFlow, Object, Program};
use rustc_hash::FxHashSet;

/// Which races are looked for besides those that are in every launch.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Further {
    /// Those that only some arguments make.
    pub by_arguments: bool,
    /// Those between two groups.
    pub between_groups: bool,
}

/// Which group is executed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Which {
    /// One of which nothing is known.
    Any,
    /// That with these ids.
    Known([u32; 3]),
    /// Two.
    Two(Between),
}

/// Executes the threads of a group, and compares what they access: those of the first group, and if they may meet without
/// being known to, those of any group. `effort` is what one execution of the object costs ([`crate::interp::Facts`]): a multiple
/// of it is spent, and threads that are left over are not compared. Without it all are, and both groups are looked at;
/// further races are then looked for with as much again.
#[must_use]
pub fn races(
    (program, object): (&Program, &Object),
    grf_bytes: u32,
    launch: &Launch,
    group: &Group,
    effort: Option<u64>,
    further: Further,
) -> Outcome {
    let mut budget = Budget::of_group(object, launch, effort);
    let launch = &Launch { skips_paths: true, trusts_paths: true, ..launch.clone() };
    let flow = &ControlFlow::new(program, object);
    let kernel = Kernel { program, object, grf_bytes, launch, group, flow, near: &[], first: &First::default() };
    let first = kernel.first(&mut budget);
    let kernel = Kernel { first: &first, ..kernel };
    let mut outcome = kernel.in_one_group(effort, &mut budget);
    let is_executed = !matches!(outcome.stop, Some(Stop::TooLarge | Stop::TooManyThreads));
    let of_group = budget;
    if further.by_arguments && is_executed && !outcome.open.is_empty() {
        let mut further = of_group.of_further(object, launch, effort);
        kernel.with_arguments(&mut outcome, &mut further);
        budget.spent += further.spent;
    }
    if further.between_groups && is_executed {
        let mut further = of_group.of_further(object, launch, effort);
        kernel.between_groups(&mut outcome, &mut further);
        budget.spent += further.spent;
    }
    outcome.effort = budget.spent;
    outcome
}

/// What may be spent on a kernel: so many times what one execution costs, so much for reading each instruction, and so
/// much in any case.
const EFFORT_OF_GROUP: Effort = Effort { of_one: 5, per_instruction: 8, least: 8_000 };
/// The same for each kind of further races.
const EFFORT_OF_FURTHER: Effort = Effort { of_one: 1, per_instruction: 8, least: 9_000 };
/// The least that a thread may spend on loops as they stand.
const MIN_CONCRETE_EFFORT: u64 = 4_000;
/// Threads of a group that are executed whatever they cost.
const MIN_THREADS: u32 = 2;

/// How much of something may be spent, in the unit of [`crate::interp::Facts`].
struct Effort {
    of_one: u64,
    per_instruction: u64,
    least: u64,
}

impl Effort {
    /// In an object that is executed once with an effort.
    fn of(&self, object: &Object, one: u64) -> u64 {
        let n_instructions = u64::from(object.instructions.end - object.instructions.start);
        one * self.of_one + n_instructions * self.per_instruction + self.least
    }
}

/// What may still be spent on threads.
#[derive(Clone, Copy)]
struct Budget {
    left: u64,
    /// What has been spent; it may be more than there was.
    spent: u64,
    /// The most that a thread has cost, without loops as they stand.
    of_thread: u64,
}

impl Budget {
    const fn of(left: u64) -> Self {
        Self { left, spent: 0, of_thread: 0 }
    }

    const fn spend(&mut self, effort: u64) {
        self.left = self.left.saturating_sub(effort);
        self.spent = self.spent.saturating_add(effort);
    }

    /// A thread has cost that; so much of it went to loops as they stand, which take no more than there is.
    fn spend_on_thread(&mut self, effort: u64, concrete: u64) {
        self.spend(effort);
        self.of_thread = self.of_thread.max(effort.saturating_sub(concrete));
    }

    /// Whether so many threads of two that are compared are likely to fit, by what one has cost.
    const fn is_enough(&self, n_threads: u32) -> bool {
        self.left > 0 && self.left >= self.of_thread * n_threads as u64
    }

    /// For the races of a group, before any thread is compared; the object has been executed with that effort.
    fn of_group(object: &Object, launch: &Launch, effort: Option<u64>) -> Self {
        let Some(effort) = effort else { return Self::of(u64::MAX) };
        let of_one = effort / launch.threads.len().max(1) as u64;
        Self::of(EFFORT_OF_GROUP.of(object, of_one).saturating_sub(effort - of_one))
    }

    /// For further races, after this has been spent on those of a group: without a bound as much again.
    fn of_further(&self, object: &Object, launch: &Launch, effort: Option<u64>) -> Self {
        let left = match effort {
            Some(effort) => EFFORT_OF_FURTHER.of(object, effort / launch.threads.len().max(1) as u64),
            None => self.spent.max(EFFORT_OF_FURTHER.least),
        };
        Self { left, spent: 0, ..*self }
    }
}

/// The threads of a group in the order in which they are executed, so that those come first that are likely to meet
/// others: `near`, the ends, and those at distances that are powers of two.
fn in_order(n: u32, near: &[u32]) -> Vec<u32> {
    let powers = (0..=n.max(2).ilog2()).map(|k| 1 << k);
    let ends = [0, 1, n.wrapping_sub(1)];
    let first = near.iter().copied().chain(ends).chain(powers).chain(0..n);
    let mut seen = vec![false; n as usize];
    first.filter(|t| seen.get_mut(*t as usize).is_some_and(|seen| !std::mem::replace(seen, true))).collect()
}

impl<'a> Kernel<'a> {
    /// The races within a group.
    fn in_one_group(&self, effort: Option<u64>, budget: &mut Budget) -> Outcome {
        let of_first = self.compare(Which::Known([0; 3]), None, budget);
        let is_settled = !of_first.facts.is_empty() || of_first.is_free && effort.is_some();
        if is_settled || !budget.is_enough(self.min_threads()) {
            return of_first;
        }
        let of_any = self.compare(Which::Any, None, budget);
        let is_free_in_any = of_first.is_free && of_any.is_free;
        let mut conditional = of_first.conditional;
        let known = pairs(&conditional);
        conditional
            .extend(of_any.conditional.into_iter().filter(|fact| pair(fact).is_none_or(|p| !known.contains(&p))));
        let found = pairs(&of_any.facts);
        conditional.retain(|fact| pair(fact).is_none_or(|p| !found.contains(&p)));
        Outcome { facts: of_any.facts, conditional, is_free_in_any, ..of_first }
    }

    /// Adds the races that are there if an argument has a certain value.
    fn with_arguments(&self, outcome: &mut Outcome, budget: &mut Budget) {
        let mut known = pairs(&outcome.facts);
        known.extend(pairs(&outcome.conditional));
        let trials = self.trials(&outcome.pointers);
        let near = &std::mem::take(&mut outcome.near);
        let n_trials = trials.len() as u64;
        for (Trial { given, words }, n_left) in trials.into_iter().zip((1..=n_trials).rev()) {
            if !budget.is_enough(self.min_threads()) {
                return;
            }
            // Each may spend half of what is left, so that none takes all.
            let mut share = Budget { left: budget.left.div_ceil(n_left.min(2)), spent: 0, ..*budget };
            let launch = &Launch { arguments: given, ..self.launch.clone() };
            let found = Kernel { launch, near, ..*self }.compare(Which::Known([0; 3]), Some(&words), &mut share);
            budget.spend(share.spent);
            for fact in found.facts.into_iter().chain(found.conditional) {
                if pair(&fact).is_some_and(|pair| known.insert(pair)) {
                    outcome.conditional.push(fact);
                }
            }
        }
    }

    /// Adds the races between the first group and its neighbours.
    fn between_groups(&self, outcome: &mut Outcome, budget: &mut Budget) {
        for dimension in (0..3).filter(|d| self.reads_group_id(*d)) {
            if !budget.is_enough(2 * self.min_threads()) {
                return;
            }
            let mut second = [0; 3];
            second[dimension] = 1;
            let between = Between { groups: [[0; 3], second], n_threads: self.group.threads.len() as u32 };
            let mut found = self.compare(Which::Two(between), None, budget);
            let known = pairs(&outcome.between);
            found.facts.extend(found.conditional);
            found.facts.retain(|fact| pair(fact).is_some_and(|pair| !known.contains(&pair)));
            outcome.between.append(&mut found.facts);
        }
    }

    /// Threads of a group without which there is nothing to compare.
    fn min_threads(&self) -> u32 {
        MIN_THREADS.min(self.group.threads.len() as u32)
    }

    /// Whether any instruction reads the id of the group in a dimension.
    fn reads_group_id(&self, dimension: usize) -> bool {
        let machine = Machine::new(self.context(None, 0, 0, Which::Any), Default::default());
        RaceLog::new(&machine.reader).reads_group_id(&machine.reader, dimension)
    }

    fn context(&self, thread: Option<u32>, number: u32, max_concrete_effort: u64, which: Which) -> Context<'a> {
        let (knows_group, group_ids) = match which {
            Which::Any => (false, [0; 3]),
            Which::Known(ids) => (true, ids),
            Which::Two(between) => (true, between.groups[usize::from(number >= between.n_threads)]),
        };
        Context {
            thread: thread.and_then(|t| self.group.threads.get(t as usize)),
            thread_number: number,
            number_in_group: thread.filter(|_| self.group.is_numbered),
            max_concrete_effort,
            shared_from: Some(self.group.shared_from.unwrap_or(i64::MAX)),
            knows_group,
            group_ids,
            ..Context::new(self.program, self.object, self.flow, self.grf_bytes, self.launch)
        }
    }

    fn private(&self, which: Which) -> Private {
        if which == Which::Any { Private::default() } else { Private::of(self.program, self.object) }
    }

    /// Executes threads, and compares what they access.
    fn compare(&self, which: Which, chosen: Option<&str>, budget: &mut Budget) -> Outcome {
        let common = if which == Which::Any { Common::default() } else { self.first.common.clone() };
        let outcome = self.compare_with(common, which, chosen, budget);
        // A thread has stored to what those before it had taken for constant.
        outcome.unwrap_or_else(|| self.compare_with(Common::unknown(), which, chosen, budget).unwrap_or_default())
    }

    /// Executes threads, and compares what they access; nothing if what was taken of the memory that they have in common is
    /// wrong.
    fn compare_with(&self, common: Common, which: Which, chosen: Option<&str>, budget: &mut Budget) -> Option<Outcome> {
        let parts = (Domain::new(), self.private(which), common);
        let mut machine = Machine::new(self.context(None, 0, 0, which), parts);
        let mut log = self.new_log(&machine, which, chosen);
        let n_threads = self.group.threads.len() as u32;
        let (mut n_done, mut n_again) = (0, 0);
        let spent = budget.spent;
        let mut executed = Vec::new();
        // Of two groups thread by thread, each with its number among all.
        let n_groups = if matches!(which, Which::Two(_)) { 2 } else { 1 };
        let n_all = n_threads * n_groups;
        let min_threads = self.min_threads() * n_groups;
        for number in
            in_order(n_threads, self.near).into_iter().flat_map(|t| (0..n_groups).map(move |g| t + g * n_threads))
        {
            let mut parts = machine.into_parts();
            if n_done > 0 {
                parts.2.set_ready();
            }
            // Two threads have to fit. Loops whose passes would take more are executed once for all of them.
            let of_loops = budget.left / u64::from(min_threads.saturating_sub(n_done).max(1));
            let of_loops = of_loops.max(MIN_CONCRETE_EFFORT);
            executed.push((number, of_loops));
            machine = Machine::new(self.context(Some(number % n_threads), number, of_loops, which), parts);
            let before = machine.reader.domain.n_blocks() + log.n_accesses();
            log.begin(number);
            let mut record = Record { races: Some(log), ..Record::default() };
            let mut journal = Journal::default();
            execute(&mut machine, &mut record, &mut journal);
            let done = record.races.take()?;
            log = done;
            if record.facts.is_incomplete {
                return Some(Outcome::stopped(Stop::TooLarge));
            }
            log.open_skipped(&record.facts.skipped, &self.launch.faulty);
            let effort = journal.steps + (machine.reader.domain.n_blocks() + log.n_accesses() - before) as u64;
            budget.spend_on_thread(effort, journal.concrete_effort);
            n_done += 1;
            if budget.left == 0 && n_done < n_all && n_done >= min_threads {
                log.stop_at(Stop::TooMuchWork { n_done, n_threads: n_all });
                break;
            }
        }
        if n_threads == 0 {
            return Some(Outcome::default());
        }
        let parts = machine.into_parts();
        if parts.2.is_wrong() {
            return None;
        }
        let common = parts.2.clone();
        let mut machine = Machine::new(self.context(None, 0, 0, which), parts);
        let mut outcome = log.compare(&mut machine.reader, self.group, budget.spent - spent);
        let mut asked = std::mem::take(&mut outcome.asked);
        // How those that meet came there is found out by executing them once more, as long as that is not too many.
        let first = executed.first().filter(|_| !self.first.touched.is_known).map(|(number, _)| *number);
        for (number, of_loops) in executed {
            let (of_thread, others): (Vec<Asked>, Vec<_>) = asked.into_iter().partition(|a| a.thread == number);
            asked = others;
            if of_thread.is_empty() {
                continue;
            }
            let context = self.context(Some(number % n_threads), number, of_loops, which);
            let common = common.restarted(first != Some(number));
            let mut machine = Machine::new(context, (Domain::new(), self.private(which), common));
            let mut log = self.new_log(&machine, which, chosen);
            log.begin(number);
            let watch = Watch::new(of_thread);
            let mut record = Record { races: Some(log), watch: Some(watch), ..Record::default() };
            let mut journal = Journal::default();
            execute(&mut machine, &mut record, &mut journal);
            budget.spend(journal.steps + machine.reader.domain.n_blocks() as u64);
            outcome.take(record.watch.map(|watch| watch.asked).unwrap_or_default());
            n_again += 1;
            if n_again == steps::MAX_THREADS {
                break;
            }
        }
        Some(outcome)
    }

    /// What the first thread finds out of memory, if that decides about loops: whether they may wait for another thread. Loops
    /// are executed once for all their passes as far as that saves something.
    fn first(&self, budget: &mut Budget) -> First {
        let loops = Plan::new(self.program, self.object, self.flow).loops;
        if self.group.threads.is_empty() || loops.is_empty() {
            return First::default();
        }
        let which = Which::Known([0; 3]);
        let parts = (Domain::new(), self.private(which), Common::default());
        let mut machine = Machine::new(self.context(Some(0), 0, MIN_CONCRETE_EFFORT, which), parts);
        let mut record = Record { races: Some(self.new_log(&machine, which, None)), ..Record::default() };
        let mut claims = Claims { reader: &mut machine.reader, record: &mut record };
        if !claims.may_wait(loops.iter().map(|l| (l.head, l.end))) {
            return First::default();
        }
        let mut journal = Journal::default();
        execute(&mut machine, &mut record, &mut journal);
        // It is not one of those that are compared, which share what there is.
        budget.spent = budget.spent.saturating_add(journal.steps + machine.reader.domain.n_blocks() as u64);
        let common = machine.into_parts().2.restarted(true);
        First { common, touched: record.races.map(RaceLog::all_touched).unwrap_or_default() }
    }

    /// An empty log for one group or two. `chosen` says in words what an argument is taken to be.
    fn new_log(&self, machine: &Machine, which: Which, chosen: Option<&str>) -> RaceLog {
        let mut log = RaceLog::new(&machine.reader);
        if which != Which::Any {
            log = log.knowing(self.first.touched.clone());
        }
        if let Which::Two(between) = which {
            log.compare_groups(between);
        }
        if let Some(words) = chosen {
            log.choose(words.to_owned());
        }
        log
    }
}

/// The two instructions of a race.
fn pair(fact: &Fact) -> Option<(u32, u32)> {
    match &fact.kind {
        FactKind::Race(race) => Some((race.other.0, fact.instruction.0)),
        _ => None,
    }
}

fn pairs(facts: &[Fact]) -> FxHashSet<(u32, u32)> {
    facts.iter().filter_map(pair).collect()
}
