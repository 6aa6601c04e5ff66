//! Two work-items of a group that access one byte, with nothing that orders them: they belong to two hardware threads, or one
//! message stores for both.
//!
//! Every thread of the group is executed with its own local ids. What all threads of a group have in common, as group ids
//! and the arguments of the kernel, is the same unknown in all of them; everything else that differs from thread to thread
//! is unknown in each for itself. So two addresses with the same form are one address whatever the inputs are. A race is
//! claimed where both accesses are certain to happen, one of them writes, not both are atomic, and, where both write, their
//! data are known to differ.
//!
//! What brings threads into an order is in `order.rs`.
//!
//! See docs/abstract-execution.md, "How threads are compared".

mod compare;
mod data;
mod depends;
mod record;

use crate::interp::claims::facts::{Fact, FactKind, Race, Side, Unordered, Weak};
use crate::interp::claims::order::{self, Order};
use crate::interp::claims::steps::Asked;
use crate::interp::claims::touched::AllTouched;
use crate::interp::claims::used::Used;
use crate::interp::claims::visits::Visits;
use crate::interp::domain::Value;
use crate::interp::domain::condition::Condition;
use crate::interp::domain::sum::Sum;
use crate::interp::launch::{Group, Launch};
use crate::interp::state::{Reader, Surface};
use crate::program::{InstructionIndex, VariableId};
use crate::spec::instruction::AccessKind;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Most accesses that are remembered; what comes later is not compared.
const MAX_ACCESSES: usize = 2_000_000;

/// Why not all accesses of a group were compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// The kernel needs too much to be remembered.
    TooLarge,
    /// There are more threads than are executed.
    TooManyThreads,
    /// There are more accesses than are remembered.
    TooManyAccesses,
    /// It would take too long to execute all threads.
    TooMuchWork {
        /// So many were.
        n_done: u32,
        /// So many there are.
        n_threads: u32,
    },
    /// More accesses have common bytes than are compared.
    TooManyPairs,
    /// What an instruction or a loop before this access waits for is not known, and no barrier stands in between.
    UnknownOrder(InstructionIndex),
}

/// What a comparison of threads has found.
#[derive(Debug, Default)]
pub struct Outcome {
    /// The races in every launch.
    pub facts: Vec<Fact>,
    /// The races in launches with certain arguments, or in groups with certain ids.
    pub conditional: Vec<Fact>,
    /// The races between two groups.
    pub between: Vec<Fact>,
    /// Inputs that are added to addresses as they are.
    pub(in crate::interp) pointers: FxHashSet<VariableId>,
    /// What is to be found out of the accesses that meet.
    pub(in crate::interp) asked: Vec<Asked>,
    /// Threads that access the same bytes, as far as some were found, if barriers may stand in between.
    pub(in crate::interp) near: Vec<u32>,
    /// Accesses outside of their memory.
    pub outside: Vec<Fact>,
    /// A barrier that threads come to a different number of times.
    pub parted: Option<Fact>,
    /// Whether it is proven that no two of the threads meet.
    pub is_free: bool,
    /// Whether that is proven of every group, not only of the first one.
    pub is_free_in_any: bool,
    /// Instructions of which it is not decided whether they meet others.
    pub open: Vec<InstructionIndex>,
    /// Why that need not be all of them.
    pub stop: Option<Stop>,
    /// What the executions have cost, in the unit of [`crate::interp::Facts`].
    pub effort: u64,
}

impl Outcome {
    /// Takes what was found out of accesses that meet.
    pub(in crate::interp) fn take(&mut self, asked: Vec<Asked>) {
        for Asked { pair, is_second, seen, .. } in asked {
            let of_pair = |fact: &&mut Fact| match &fact.kind {
                FactKind::Race(race) => (race.other.0, fact.instruction.0) == pair,
                _ => false,
            };
            let facts = self.facts.iter_mut().chain(&mut self.conditional).chain(&mut self.between);
            for race in facts.filter_map(|fact| of_pair(&fact).then_some(&mut fact.kind)) {
                let FactKind::Race(race) = race else { continue };
                let steps = if is_second { &mut race.steps.1 } else { &mut race.steps.0 };
                steps.clone_from(&seen);
            }
        }
    }

    /// Nothing was compared.
    #[must_use]
    pub fn stopped(stop: Stop) -> Self {
        Self { stop: Some(stop), ..Self::default() }
    }
}

/// Two groups that are compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Between {
    /// The ids of the two.
    pub groups: [[u32; 3]; 2],
    /// Threads of each; those of the second are counted on.
    pub n_threads: u32,
}

/// What threads have accessed so far.
pub struct RaceLog {
    thread: u32,
    pub(super) order: Order,
    pub(super) visits: Visits,
    messages: Vec<Logged>,
    pub(super) accesses: Vec<Access>,
    /// By the block of the unknowns that they bring.
    loads: FxHashMap<u32, data::Load>,
    /// What messages touch.
    pub(super) touched: AllTouched,
    /// Which bytes of variables are read.
    used: Rc<Used>,
    /// Why some accesses are not among them.
    stop: Option<Stop>,
    /// The threads that were executed, in their order, and how many messages came before each.
    begun: Vec<(u32, usize)>,
    /// Instructions that may access more than what is among them.
    pub(super) open: BTreeSet<InstructionIndex>,
    /// The groups, if threads of two are compared.
    pub(super) between: Option<Between>,
    /// An argument that is taken to be a known number, in words.
    chosen: Option<String>,
    /// Inputs that are added to addresses as they are.
    pub(super) pointers: FxHashSet<VariableId>,
    /// Whether any instruction may store texels.
    pub(super) stores_texels: bool,
}

/// Where the log was at some time.
#[derive(Clone, Copy)]
pub struct Mark {
    order: (u64, bool),
    n_visits: u32,
    n_messages: usize,
    n_accesses: usize,
}

struct Logged {
    instruction: InstructionIndex,
    address_place: usize,
    kind: AccessKind,
    thread: u32,
    /// Whether it is not said which of two lanes comes first.
    has_equal_lanes: bool,
    /// Whether it exchanges only what it expects.
    compares: bool,
    trail: Vec<InstructionIndex>,
    /// The barrier that the thread has passed last.
    barrier: Option<InstructionIndex>,
}

/// What has to be the same for two accesses to meet.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Target {
    epoch: u64,
    pub(super) surface: Surface,
    pub(super) sum: Sum,
    /// The other coordinates of a texel.
    rest: u64,
    pub(super) width: u8,
    /// Whether all of that is known numbers.
    is_known: bool,
}

impl Target {
    /// Whether it is known how far accesses to the two are from each other.
    fn can_be_compared_with(&self, other: &Self) -> bool {
        let are_known = self.is_known && other.is_known && self.width == other.width;
        let is_one_memory = match (self.surface, other.surface) {
            (Surface::Bound { value: a, .. }, Surface::Bound { value: b, .. }) => {
                a == b || a.is_known() && b.is_known()
            }
            (a, b) => a == b,
        };
        is_one_memory && (are_known || (self.sum, self.rest, self.width) == (other.sum, other.rest, other.width))
    }
}

/// What a lane does to some bytes.
#[derive(Clone)]
pub(super) struct Access {
    message: u32,
    pub(super) target: Target,
    /// The first byte, without what is not known.
    pub(super) start: u64,
    pub(super) bytes: u32,
    lane: u8,
    pub(super) active: Condition,
    data: Option<Value>,
    /// It is one of before the last barrier, which does not order it.
    pub(super) weak: Option<Weak>,
}

impl Access {
    /// The same in a later epoch.
    pub(super) fn repeated(&self, epoch: u64, weak: Weak) -> Self {
        let target = Target { epoch, ..self.target };
        Self { target, weak: Some(weak), ..self.clone() }
    }

    /// Whether another lane does the same.
    fn is_like(&self, other: &Self) -> bool {
        (self.target, self.start, self.bytes, self.active, self.data)
            == (other.target, other.start, other.bytes, other.active, other.data)
    }
}

impl RaceLog {
    /// Nothing has been accessed yet.
    pub(in crate::interp) fn new(reader: &Reader) -> Self {
        Self {
            thread: 0,
            order: Order::default(),
            visits: Visits::default(),
            messages: Vec::new(),
            accesses: Vec::new(),
            loads: FxHashMap::default(),
            touched: AllTouched::default(),
            used: Rc::new(Used::of(reader)),
            stop: None,
            begun: Vec::new(),
            open: BTreeSet::new(),
            between: None,
            chosen: None,
            pointers: FxHashSet::default(),
            stores_texels: order::may_store_texels(reader.cx().program, reader.cx().object),
        }
    }

    /// The log with what the messages of a thread touch that has been executed.
    pub(in crate::interp) fn knowing(self, touched: AllTouched) -> Self {
        Self { touched, ..self }
    }

    /// What the messages of the thread touch that was executed.
    pub(in crate::interp) fn all_touched(self) -> AllTouched {
        self.touched.known()
    }

    /// Another thread begins.
    pub(in crate::interp) fn begin(&mut self, thread: u32) {
        self.thread = thread;
        self.begun.push((thread, self.messages.len()));
        self.order.begin();
        self.visits.begin(thread);
    }

    /// The thread passes a barrier of the whole group.
    pub(super) fn pass(&mut self, at: InstructionIndex, launch: &Launch) {
        let Self { order, accesses, .. } = self;
        order.pass(at, launch, accesses.len(), |number, epoch, weak| {
            let access = accesses.get(number).filter(|access| access.weak.is_none());
            let Some(again) = access.map(|access| access.repeated(epoch, weak)) else { return false };
            accesses.push(again);
            true
        });
    }

    /// Threads of two groups are compared.
    pub(in crate::interp) const fn compare_groups(&mut self, between: Between) {
        self.between = Some(between);
        self.order.is_between_groups = true;
    }

    /// An argument is taken to be a known number, in words.
    pub(in crate::interp) fn choose(&mut self, words: String) {
        self.chosen = Some(words);
    }

    /// How many accesses are remembered.
    pub(in crate::interp) const fn n_accesses(&self) -> usize {
        self.accesses.len()
    }

    /// Not everything is compared, for this reason if there is no earlier one.
    pub(in crate::interp) fn stop_at(&mut self, stop: Stop) {
        self.stop = self.stop.or(Some(stop));
    }

    /// Notes what was not executed.
    pub(in crate::interp) fn open_skipped(&mut self, skipped: &[std::ops::Range<u32>], faulty: &[u32]) {
        let skipped = skipped.iter().cloned().flatten().chain(faulty.iter().copied());
        self.open.extend(skipped.map(InstructionIndex));
    }

    /// The accesses that can be compared, by their numbers: those of one target side by side, in the order of their bytes.
    fn in_order(&self, reader: &Reader) -> Vec<(u32, u64, u32)> {
        let mut numbers: FxHashMap<Target, u32> = FxHashMap::default();
        let mut order = Vec::with_capacity(self.accesses.len());
        for (i, access) in (0..).zip(&self.accesses) {
            // Pointers are known numbers: what is not known of an address is how far it lies behind one.
            let is_apart = match access.target {
                Target { surface: Surface::Flat, sum: Sum::ZERO, .. } => self.is_apart(reader, access.start),
                Target { surface: Surface::Flat, .. } => reader.is_private(access.start),
                _ => false,
            };
            if is_apart {
                continue;
            }
            let next = numbers.len() as u32;
            order.push((*numbers.entry(access.target).or_insert(next), access.start, i));
        }
        order.sort_unstable();
        order
    }

    /// Notes accesses to one memory whose addresses cannot be compared.
    fn open_what_is_apart(&mut self, accesses: &[Access]) {
        // A buffer may be accessed by its pointer and as a surface.
        let memory = |target: &Target| (target.epoch, target.surface == Surface::Slm);
        let mut by_memory: FxHashMap<_, Vec<&Access>> = FxHashMap::default();
        for access in accesses {
            by_memory.entry(memory(&access.target)).or_default().push(access);
        }
        for all in by_memory.values() {
            let kind = |a: &&Access| self.messages[a.message as usize].kind;
            let has = |wanted: AccessKind| all.iter().any(|a| kind(a) == wanted);
            let may_meet = has(AccessKind::Write) || has(AccessKind::Atomic) && has(AccessKind::Read);
            let first = all[0].target;
            let is_alike = |a: &&Access| a.target.can_be_compared_with(&first);
            if may_meet && !all.iter().all(is_alike) {
                self.open.extend(all.iter().map(|a| self.messages[a.message as usize].instruction));
            }
        }
    }

    fn fact(
        &self,
        reader: &Reader,
        group: &Group,
        (a, b): (&Access, &Access),
        (condition, is_by_arguments): (Option<String>, bool),
    ) -> Fact {
        let instruction = |x: &Access| self.instruction_of(x);
        // At the later one.
        let (a, b) = if instruction(a) >= instruction(b) { (a, b) } else { (b, a) };
        let side = |x: &Access| self.side(group, x);
        let start = a.start.max(b.start);
        let place = Value { constant: start, sum: a.target.sum, bytes: a.target.width };
        let since = self.messages[b.message as usize].barrier;
        let data = a.data.zip(b.data).map(|(x, y)| (reader.in_words(x), reader.in_words(y)));
        let why = match a.weak.or(b.weak) {
            _ if self.between.is_some() => Unordered::TwoGroups,
            Some(weak) => Unordered::Weak(weak),
            None if a.message == b.message => Unordered::OneMessage,
            None => Unordered::NoBarrier,
        };
        let race = Race {
            other: instruction(b),
            sides: (side(a), side(b)),
            address: reader.in_words(place),
            data,
            why,
            is_by_arguments: is_by_arguments || self.chosen.is_some(),
            condition: self.chosen.iter().cloned().chain(condition).reduce(|all, one| format!("{all} and {one}")),
            groups: self.between.map(|between| [a, b].map(|x| between.groups[self.group_of(x) as usize])),
            since,
            steps: Default::default(),
        };
        self.fact_at(a, FactKind::Race(Box::new(race)))
    }

    /// What is to be found out of two accesses that meet.
    fn asked(&self, pair: (u32, u32), (a, b): (&Access, &Access)) -> [Asked; 2] {
        let (a, b) = if self.instruction_of(a) >= self.instruction_of(b) { (a, b) } else { (b, a) };
        [(a, false), (b, true)].map(|(access, is_second)| {
            let message = &self.messages[access.message as usize];
            let before = self.begun.iter().find(|(thread, _)| *thread == message.thread).map_or(0, |(_, n)| *n);
            Asked {
                pair,
                is_second,
                thread: message.thread,
                number: access.message as usize - before,
                lane: u32::from(access.lane),
                trail: message.trail.clone(),
                seen: Vec::new(),
            }
        })
    }

    /// The number of the next message of the thread that is executed alone.
    pub(super) const fn next_message(&self) -> usize {
        self.messages.len()
    }

    /// A fact about an access.
    pub(super) fn fact_at(&self, access: &Access, kind: FactKind) -> Fact {
        let message = &self.messages[access.message as usize];
        let operand = u8::try_from(message.address_place).ok();
        Fact { trail: message.trail.clone(), ..Fact::new(message.instruction, operand, kind) }
    }

    /// The instruction of an access.
    pub(super) fn instruction_of(&self, access: &Access) -> InstructionIndex {
        self.messages[access.message as usize].instruction
    }

    /// Who makes an access.
    pub(super) fn side(&self, group: &Group, access: &Access) -> Side {
        let Logged { kind, thread, .. } = self.messages[access.message as usize];
        let lane = u32::from(access.lane);
        let within = self.between.map_or(thread, |between| thread % between.n_threads.max(1));
        Side { kind, thread, lane, item: group.item(within, lane) }
    }
}
