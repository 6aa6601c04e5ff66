//! What abstract execution proves of a program, as findings.

pub mod address;
mod arms;
mod buffers;
pub mod control;
pub mod given_up;
mod lives;
pub mod messages;
pub mod operand;
pub mod overlap;
pub mod race;
pub mod undefined;
pub mod value;
mod writers;

use super::alu::types::MIXED_OPERAND_TYPES;
use super::context::{Context, PlatformMode, Sink, View};
use super::kernel::{attribute, has_cm_target};
use super::table::types::{UNSUPPORTED_TYPE, operand_type};
use crate::base::diagnostic::Diagnostic;
use crate::base::id::Id as _;
use crate::base::rule::{Level, Rule};
use crate::base::span::Span;
use crate::interp::claims::facts::{Bounds, Unordered};
use crate::interp::claims::races::{Outcome, Stop};
use crate::interp::facts::{GivenUp, Path};
use crate::interp::launch::Layout;
use crate::interp::{self, Fact, FactKind, Further, Launch, Observed};
use crate::program::object::AttributeValue;
use crate::program::pardon::Pardon;
use crate::program::{InstructionIndex, Object, ObjectKind, Operand, VariableId};
use crate::spec::family::Check;
use crate::spec::instruction::OperandKind;
use crate::spec::operation::Operation;
use crate::spec::{PlatformSet, Type};
use rayon::iter::{IndexedParallelIterator as _, IntoParallelRefIterator as _, ParallelIterator as _};
use rustc_hash::{FxHashMap, FxHashSet};
use std::mem::{Discriminant, discriminant};
use writers::Writers;

/// Most findings of one kernel; a program with more faults has one that they all follow from.
const MAX_FINDINGS: usize = 200;

/// Facts of two executions with the same key are the same fact.
type Key = (InstructionIndex, Option<u8>, Discriminant<FactKind>, bool);

fn key(fact: &Fact) -> Key {
    (fact.instruction, fact.operand, discriminant(&fact.kind), fact.path.is_some())
}

/// Whether lanes of one message meet, whatever path leads there.
fn is_certain_overlap(fact: &Fact) -> bool {
    fact.path.is_none() && matches!(&fact.kind, FactKind::Overlap(o) if overlap::is_certain(o))
}

/// The facts of an execution, and how many steps it took.
#[derive(Default)]
struct Executed {
    facts: Vec<Fact>,
    effort: u64,
    given_up: Option<GivenUp>,
    /// Whether some accesses to memory of a known size are not known to stay within it.
    has_open_bounds: bool,
}

impl Executed {
    /// Executes a kernel or function.
    fn new(cx: &Context, object: &Object, grf_bytes: u32, launch: &Launch) -> Self {
        let facts = interp::run(cx.program, object, grf_bytes, launch);
        let has_open_bounds = facts.bounds.values().any(|bounds| *bounds == Bounds::Open);
        Self { effort: facts.effort, given_up: facts.given_up(), has_open_bounds, facts: facts.all }
    }
}

/// Executions that were made before it was known that there is no error, one for each kernel and function.
#[derive(Default)]
pub struct Ahead(Vec<Executed>);

/// Executes all kernels and functions on the first of the register sizes as if none of their instructions were faulty.
#[must_use]
pub fn ahead(cx: &Context) -> Ahead {
    let is_faulty = cx.program.diagnostics.iter().any(|d| d.level == Level::Error);
    if is_faulty || cx.platforms.is_empty() {
        return Ahead::default();
    }
    let facts_of = |object: &Object| match grf_sizes(cx, object).next() {
        None => Executed::default(),
        Some(_) if object.kind == ObjectKind::Missing => Executed::default(),
        Some(grf_bytes) => {
            let launch = Launch { lives: lives::questions(cx, object), ..launch(cx, object, grf_bytes) };
            Executed::new(cx, object, grf_bytes, &launch)
        }
    };
    Ahead(cx.program.objects.as_slice().par_iter().with_max_len(1).map(facts_of).collect())
}

/// Executes all kernels and functions, as far as that was not done ahead, and reports what was found.
pub fn check(cx: &Context, sink: &mut Sink, ahead: Ahead) {
    let mut known = Known::of(sink);
    let writers = Writers::default();
    let mut ahead = ahead.0.into_iter();
    for object in cx.program.objects.iter() {
        let ahead = ahead.next();
        if object.kind != ObjectKind::Missing {
            check_object(cx, sink, object, &mut known, &writers, ahead);
        }
    }
    buffers::report_unknown(cx, sink);
}

/// Executes a kernel or function, on each size of registers, and reports what was found.
fn check_object(
    cx: &Context,
    sink: &mut Sink,
    object: &Object,
    known: &mut Known,
    writers: &Writers,
    ahead: Option<Executed>,
) {
    let faulty = faulty(cx, object, known);
    let wants_doubts = cx.options.is_wanted(&overlap::POSSIBLE_OVERLAP);
    let is_of_use = |fact: &Fact| match fact.kind {
        FactKind::PossibleOverlap { .. } => wants_doubts,
        // Most values are within their limits.
        _ => View::new(cx, fact.instruction).is_none_or(|view| value::is_of_use(&Finding { view, fact, writers })),
    };
    let mut sizes = grf_sizes(cx, object);
    let Some(first) = sizes.next() else { return };
    let asked = lives::questions(cx, object);
    let (mut stop, mut given_up) = (None, None);
    let mut run = |grf_bytes, ahead: Option<Executed>| -> Vec<Fact> {
        let launch = Launch { faulty: faulty.clone(), lives: asked.clone(), ..launch(cx, object, grf_bytes) };
        let mut executed = ahead.unwrap_or_else(|| Executed::new(cx, object, grf_bytes, &launch));
        given_up = given_up.or(executed.given_up);
        executed.facts.retain(is_of_use);
        stop = stop.or(compare_threads(cx, object, grf_bytes, &launch, &mut executed));
        executed.facts
    };
    let mut facts = run(first, ahead.filter(|_| faulty.is_empty()));
    let mut holds_on: FxHashMap<Key, PlatformSet> = FxHashMap::default();
    // A fact that has to hold for all platforms need not be looked for where it does not hold for the first ones.
    let is_settled = facts.is_empty() && cx.mode == PlatformMode::OneOf;
    if let Some(second) = sizes.next().filter(|_| !is_settled) {
        holds_on.extend(facts.iter().map(|fact| (key(fact), PlatformSet::with_grf_bytes(first))));
        for fact in run(second, None) {
            if let Some(set) = holds_on.get_mut(&key(&fact)) {
                *set = set.or(PlatformSet::with_grf_bytes(second));
            } else {
                holds_on.insert(key(&fact), PlatformSet::with_grf_bytes(second));
                facts.push(fact);
            }
        }
    }
    match given_up {
        Some(why) => given_up::report(cx, sink, object, why),
        None => lives::confirm(cx, object, &asked, &facts, sink),
    }
    if let Some(stop) = stop {
        race::report_stop(cx, sink, object, stop);
    }
    facts.sort_by_key(|f| (f.instruction.0, value::order(&f.kind)));
    drop_advice(&mut facts);
    let failing = |fact: &Fact| holds_on.get(&key(fact)).copied().unwrap_or(cx.platforms);
    report(cx, sink, object, known, writers, facts.iter().take(MAX_FINDINGS).map(|fact| (fact, failing(fact))));
    value::barrier_numbers(cx, sink, object, &facts);
}

/// Adds what a comparison of the threads of a group finds, as far as that is wanted. Returns why not all was compared.
fn compare_threads(
    cx: &Context,
    object: &Object,
    grf_bytes: u32,
    launch: &Launch,
    executed: &mut Executed,
) -> Option<Stop> {
    let Executed { facts, effort, has_open_bounds, .. } = executed;
    let wants_races = cx.options.is_wanted(&race::WORK_ITEM_RACE);
    // Where a buffer is, may only be known of a thread.
    let wants_bounds = *has_open_bounds || !launch.buffers.is_empty();
    if !(wants_races || wants_bounds) || launch.dispatches_all {
        return None;
    }
    let further = further(cx, wants_races);
    let found = match layout(cx, object, grf_bytes)?.group(race::MAX_THREADS) {
        Some(group) => interp::races((cx.program, object), grf_bytes, launch, &group, Some(*effort), further),
        None => Outcome::stopped(Stop::TooManyThreads),
    };
    let Outcome { facts: races, conditional, between, outside, parted, stop, .. } = found;
    // A finding that names the work-item replaces one that names the lane only.
    let named: FxHashSet<InstructionIndex> = outside.iter().map(|f| f.instruction).collect();
    let is_of_lane = |f: &Fact| f.path.is_none() && matches!(f.kind, FactKind::SlmOutOfBounds { .. });
    facts.retain(|f| !is_of_lane(f) || !named.contains(&f.instruction));
    facts.extend(outside);
    if !wants_races {
        return None;
    }
    // A barrier where lanes or threads part has been reported already.
    let is_parting = |f: &Fact| matches!(f.kind, FactKind::PartOfGroup { .. } | FactKind::Divergent { .. });
    let is_known = |fact: &Fact| facts.iter().any(|f| f.instruction == fact.instruction && is_parting(f));
    let parted = parted.filter(|fact| !is_known(fact));
    facts.extend(parted);
    // Lanes of one message that certainly meet are reported as overlapping lanes, not as a race.
    let overlaps: FxHashSet<_> = facts.iter().filter(|fact| is_certain_overlap(fact)).map(|f| f.instruction).collect();
    let is_other = |f: &Fact| matches!(&f.kind, FactKind::Race(r) if r.why != Unordered::OneMessage);
    let conditional = conditional.into_iter().filter(|_| further.by_arguments);
    let met = races.into_iter().chain(conditional).chain(between);
    facts.extend(met.filter(|f| is_other(f) || !overlaps.contains(&f.instruction)));
    stop
}

/// Reports facts of a kernel or function, each with the platforms on which it holds, in the order of the text.
fn report<'f>(
    cx: &Context,
    sink: &mut Sink,
    object: &Object,
    known: &Known,
    writers: &Writers,
    facts: impl Iterator<Item = (&'f Fact, PlatformSet)>,
) {
    // Of each operand one value is reported.
    let mut said = FxHashSet::default();
    let mut unset = undefined::Reported::default();
    for (fact, failing) in facts {
        let Some(view) = View::new(cx, fact.instruction).filter(|_| !known.is_faulty(fact.instruction)) else {
            continue;
        };
        let finding = Finding { view, fact, writers };
        address::settle_offset(&finding, failing, sink);
        let Some(diagnostic) = describe(&finding) else { continue };
        if value::is_of_values(&fact.kind) && !said.insert((fact.instruction, fact.operand, diagnostic.rule.name)) {
            continue;
        }
        if unset.repeats(&finding, &diagnostic) {
            continue;
        }
        // A fault that arguments cause in a function is reported once, for the first of the calls that cause it.
        if !object.instructions.contains(&fact.instruction.0) && sink.has(diagnostic.rule, diagnostic.primary.span) {
            continue;
        }
        let is_known = known.has(diagnostic.rule, view.spans.statement);
        if is_known && (failing != cx.platforms || !sink.drop_weaker(&diagnostic)) {
            continue;
        }
        sink.report_on(cx, failing, || diagnostic);
    }
}

/// A stride that lets lanes meet is one fault, also where multiples of something would be better.
fn drop_advice(facts: &mut Vec<Fact>) {
    let meet: FxHashSet<_> =
        facts.iter().filter(|fact| is_certain_overlap(fact)).map(|fact| fact.instruction).collect();
    let is_advice = |fact: &Fact| {
        fact.path.is_none() && matches!(fact.kind, FactKind::MisalignedAddress { is_tolerated: true, .. })
    };
    facts.retain(|fact| !is_advice(fact) || !meet.contains(&fact.instruction));
}

/// The sizes of registers that a kernel or function may be for: if its local ids are among the inputs only where registers
/// have one size, that one.
fn grf_sizes(cx: &Context, object: &Object) -> impl Iterator<Item = u32> + use<> {
    let all: Vec<u32> = cx.platforms.grf_sizes().collect();
    let has_ids = |grf_bytes: &u32| layout(cx, object, *grf_bytes).is_some_and(|layout| layout.has_ids());
    let fitting: Vec<u32> = if all.len() > 1 { all.iter().copied().filter(has_ids).collect() } else { Vec::new() };
    if fitting.is_empty() { all.into_iter() } else { fitting.into_iter() }
}

/// A fact with its instruction.
pub struct Finding<'a> {
    /// The instruction.
    pub view: View<'a>,
    /// The fact.
    pub fact: &'a Fact,
    /// The instructions that write each variable.
    writers: &'a Writers,
}

impl<'a> Finding<'a> {
    /// The place of the operand that it is about, or else of the mnemonic.
    #[must_use]
    pub fn place(&self) -> Span {
        let operand = self.fact.operand.map(usize::from);
        match operand.and_then(|o| self.view.operand_spans.get(o)) {
            Some(spans) => operand.and_then(|o| self.part_of_address(o)).unwrap_or(spans.whole),
            None => self.view.spans.mnemonic,
        }
    }

    /// What stands between the brackets of an LSC address, or the part of it that nothing has set.
    fn part_of_address(&self, operand: usize) -> Option<Span> {
        let program = self.view.cx.program;
        let Operand::LscAddress { index } = *self.view.operands.get(operand)? else { return None };
        let address = program.lsc_addresses.get(index as usize)?;
        let items = &program.lsc_items[address.items()];
        if let FactKind::Observed(Observed::UndefinedVariable(undefined, _)) = &self.fact.kind {
            let values = items.iter().map(|item| (item.value, item.value_span));
            let mut values = values.chain(address.surface.map(|surface| (surface, address.surface_span)));
            return values.find(|(value, _)| value.variable() == undefined.pointed).map(|(_, span)| span);
        }
        let first = match self.fact.kind {
            // A pitch below the bytes of one lane lets neighbours meet.
            FactKind::Overlap(_) if self.view.row.takes(OperandKind::LscStridedAddress) => items.last()?,
            FactKind::Overlap(_)
            | FactKind::OrderDependent { .. }
            | FactKind::MisalignedAddress { .. }
            | FactKind::SlmOutOfBounds { .. }
            | FactKind::WrappingOffset { .. } => items.first()?,
            _ => return None,
        };
        Some(first.span.to(items.last()?.span))
    }

    /// That place as it is written.
    #[must_use]
    pub fn written(&self) -> &'a str {
        self.view.text(self.place())
    }

    /// The operand that it is about.
    fn operand(&self) -> Option<&'a Operand> {
        self.view.operands.get(usize::from(self.fact.operand?))
    }

    /// Whether it is about something that is written to.
    fn is_of_destination(&self) -> bool {
        self.fact.operand == Some(0)
    }

    /// The instructions of this kernel or function that write a variable which is no alias.
    fn writers_of(&self, root: VariableId) -> impl Iterator<Item = InstructionIndex> + '_ {
        let program = self.view.cx.program;
        let object = &program.objects[program.object_of(self.fact.instruction)];
        writers::within(self.writers.of(program, root), object.instructions.clone())
    }

    /// The last instruction above in the kernel or function that writes some of a variable that is no alias.
    fn last_writer_above(&self, root: VariableId) -> Option<InstructionIndex> {
        let program = self.view.cx.program;
        let read = self.fact.instruction;
        let first = program.objects[program.object_of(read)].instructions.start;
        let writers = self.writers.of(program, root);
        let above = writers.partition_point(|at| *at < read.0).checked_sub(1)?;
        Some(InstructionIndex(writers[above])).filter(|writer| writer.0 >= first)
    }

    /// Whether every line of the kernel or function could be read.
    #[must_use]
    pub fn is_read_in_full(&self) -> bool {
        let program = self.view.cx.program;
        let object = &program.objects[program.object_of(self.fact.instruction)];
        !object.has_broken_lines
            && program.instructions_in(object).all(|(_, i)| !i.is_broken && program.row(i).is_some())
    }

    /// Where an instruction stands.
    #[must_use]
    pub fn statement(&self, index: InstructionIndex) -> Span {
        self.view.cx.program.instruction_spans[index].statement
    }

    /// Adds the instructions that the value came through.
    #[must_use]
    pub fn explained(&self, mut diagnostic: Diagnostic) -> Diagnostic {
        for (i, index) in self.fact.trail.iter().filter(|i| **i != self.fact.instruction).enumerate() {
            let program = self.view.cx.program;
            let words = match i {
                // The call that hands over the arguments.
                _ if program.object_of(*index) != program.object_of(self.fact.instruction) => "in a call from here",
                0 => "computed here",
                _ => "from this",
            };
            diagnostic = diagnostic.also(self.statement(*index), words);
        }
        self.with_way_back(diagnostic)
    }

    /// Adds the branch that goes back to the second pass of a loop, if it is so there.
    fn with_way_back(&self, diagnostic: Diagnostic) -> Diagnostic {
        match self.fact.path() {
            Some(Path::SecondPass(back)) => diagnostic.also(self.statement(back), "goes back here"),
            Some(Path::One) | None => diagnostic,
        }
    }
}

fn describe(finding: &Finding) -> Option<Diagnostic> {
    if let Some(path) = finding.fact.path {
        let fact = Fact { path: None, ..finding.fact.clone() };
        let always = Finding { view: finding.view, fact: &fact, writers: finding.writers };
        let diagnostic = describe(&always).filter(|d| d.level != Level::Pedantic)?;
        return value::on_path(finding.with_way_back(diagnostic), path);
    }
    overlap::describe(finding)
        .or_else(|| race::describe(finding))
        .or_else(|| address::describe(finding))
        .or_else(|| undefined::describe(finding))
        .or_else(|| control::describe(finding))
        .or_else(|| operand::describe(finding))
        .or_else(|| value::describe(finding))
}

/// The findings that were there before execution. What follows from one of them is not reported again.
struct Known {
    /// Where findings of each rule begin, ascending.
    places: FxHashMap<&'static str, Vec<u32>>,
    /// Instructions with an error.
    faulty: FxHashSet<u32>,
    /// Where errors begin, ascending.
    errors: Vec<u32>,
    /// Those among them that are about more than types.
    grave_errors: Vec<u32>,
}

impl Known {
    fn of(sink: &Sink) -> Self {
        let mut places: FxHashMap<&'static str, Vec<u32>> = FxHashMap::default();
        let mut errors = Vec::new();
        let mut grave_errors = Vec::new();
        for diagnostic in &sink.diagnostics {
            places.entry(diagnostic.rule.name).or_default().push(diagnostic.primary.span.start);
            if diagnostic.level == Level::Error {
                errors.push(diagnostic.primary.span.start);
                if ![&MIXED_OPERAND_TYPES, &UNSUPPORTED_TYPE].into_iter().any(|r| r.name == diagnostic.rule.name) {
                    grave_errors.push(diagnostic.primary.span.start);
                }
            }
        }
        errors.sort_unstable();
        grave_errors.sort_unstable();
        for p in places.values_mut() {
            p.sort_unstable();
        }
        Self { places, faulty: FxHashSet::default(), errors, grave_errors }
    }

    /// Whether a rule has been reported within a statement.
    fn has(&self, rule: &Rule, statement: Span) -> bool {
        self.places.get(rule.name).is_some_and(|places| is_within(places, statement))
    }

    fn is_faulty(&self, instruction: InstructionIndex) -> bool {
        self.faulty.contains(&instruction.0)
    }
}

/// Which races are looked for beside those that happen in every group, if any are.
fn further(cx: &Context, wants_races: bool) -> Further {
    Further {
        by_arguments: wants_races && cx.options.is_wanted(&race::ARGUMENT_DEPENDENT_RACE),
        between_groups: wants_races && cx.options.is_wanted(&race::GROUP_RACE),
    }
}

/// What is known of the launch of a kernel where registers have `grf_bytes` bytes.
fn launch(cx: &Context, object: &Object, grf_bytes: u32) -> Launch {
    let (has_one_fence, orders_slm) = fences(cx);
    let skips_paths = !undefined::wants_paths(cx);
    let mut launch = Launch {
        cancelled: cx.options.cancelled.clone(),
        has_one_fence,
        orders_slm,
        skips_paths,
        trusts_paths: skips_paths || Pardon::OnePath.holds_in(cx.program),
        trusts_copies: Pardon::UndefinedValue.holds_in(cx.program),
        has_tags: Pardon::LocalPointers.holds_in(cx.program),
        dispatches_all: has_cm_target(cx, object),
        ..Launch::default()
    };
    // In kilobytes. Compilers write nothing, or zero, and leave it to the runtime.
    if let Some((AttributeValue::Number(n), _)) = attribute(cx, object, "SLMSize") {
        launch.slm_bytes = u64::try_from(n).ok().filter(|n| *n > 0).map(|n| n.next_power_of_two() * 1024);
    }
    let facts = &cx.options.launch;
    let own = facts.kernels.get(cx.program.names.name(object.name));
    launch.slm_bytes = facts.slm_bytes.or(own.and_then(|k| k.slm_bytes)).or(launch.slm_bytes);
    launch.buffers = buffers::of_known_size(cx, object, grf_bytes);
    if let Some(layout) = layout(cx, object, grf_bytes).filter(|_| !launch.dispatches_all) {
        // What stays open is decided for each thread of the group.
        launch.notes_bounds = launch.slm_bytes.is_some() || !launch.buffers.is_empty();
        launch.reached = buffers::reached(cx, object, &layout, grf_bytes);
        launch.set_group(&layout);
    }
    launch
}

/// What is known of fences: whether one may be for shared local memory and other memory alike, and whether a barrier orders
/// shared local memory without one. Where fences are not told apart, hardware keeps the order of accesses to shared local
/// memory.
fn fences(cx: &Context) -> (bool, bool) {
    let apart = crate::spec::instructions()
        .iter()
        .filter(|row| row.has(Check::LocalFence))
        .fold(PlatformSet::NONE, |all, row| all.or(row.platforms.legal));
    (!cx.platforms.without(apart).is_empty(), cx.platforms.and(apart).is_empty())
}

/// The group of a kernel, if its size is known.
fn layout<'a>(cx: &'a Context, object: &'a Object, grf_bytes: u32) -> Option<Layout<'a>> {
    let facts = &cx.options.launch;
    let own = facts.kernels.get(cx.program.names.name(object.name));
    let size = facts.local_size.or(own.and_then(|k| k.local_size)).filter(|_| object.kind == ObjectKind::Kernel)?;
    Layout::new(size, own.map(|k| &k.payload), (cx.program, object), grf_bytes, cx.platforms)
}

/// The instructions of an object that are not executed, because an error leaves open what they do. Those with other errors
/// are executed; but nothing more is reported of them.
fn faulty(cx: &Context, object: &Object, known: &mut Known) -> Vec<u32> {
    let mut faulty = Vec::new();
    if !known.errors.is_empty() {
        for (index, _) in cx.program.instructions_in(object) {
            let statement = cx.program.instruction_spans[index].statement;
            if is_within(&known.errors, statement) {
                known.faulty.insert(index.0);
                let is_grave = is_within(&known.grave_errors, statement);
                if is_grave || !View::new(cx, index).is_some_and(|view| has_one_result(&view)) {
                    faulty.push(index.index() as u32);
                }
            }
        }
    }
    faulty
}

/// Whether one of the places, which ascend, lies in a span.
fn is_within(places: &[u32], span: Span) -> bool {
    let i = places.partition_point(|p| *p < span.start);
    places.get(i).is_some_and(|p| *p < span.end)
}

/// Whether the result is the same whatever the width of the operation is taken to be.
fn has_one_result(view: &View) -> bool {
    let is_integer = |operand| operand_type(view, operand).is_some_and(Type::is_integer);
    let is_modular = view.row.operation.is_some_and(Operation::is_modular);
    is_modular && !view.instruction.saturate && view.operands.iter().all(is_integer)
}
