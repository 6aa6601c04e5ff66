//! Two hardware threads of a group that access one byte, with no barrier in between.
//!
//! Every thread of the group is executed with its own local ids. What all threads of a group have in common, as group ids
//! and the arguments of the kernel, is the same unknown in all of them; everything else that differs from thread to thread
//! is unknown in each for itself. So two addresses with the same form are one address whatever the inputs are. A race is
//! claimed where both accesses are certain to happen, one of them writes, not both are atomic, and, where both write, their
//! data are known to differ.
//!
//! What may bring threads into an order other than barriers, as waiting in a loop for another one, or a message of which
//! nothing is known, ends all claims up to the next barrier.

use crate::interp::claims::Claims;
use crate::interp::claims::facts::{Fact, FactKind, Values};
use crate::interp::claims::overlap::compare_values;
use crate::interp::claims::used::Used;
use crate::interp::domain::atom::{Atom, AtomKind};
use crate::interp::domain::condition::Condition;
use crate::interp::domain::lanes::Lanes;
use crate::interp::domain::sum::Sum;
use crate::interp::domain::{Domain, LANES, Value, mask};
use crate::interp::launch::Group;
use crate::interp::state::Machine;
use crate::interp::transfer::call::is_fence_function;
use crate::interp::transfer::message::{Message, Space};
use crate::program::lsc::LscValue;
use crate::program::{InstructionIndex, Operand, VariableId, View};
use crate::spec::family::Barrier;
use crate::spec::instruction::{self, AccessKind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::hash::{BuildHasher as _, BuildHasherDefault};
use std::rc::Rc;

/// Most accesses that are remembered; what comes later is not compared.
const MAX_ACCESSES: usize = 2_000_000;
/// Most pairs of accesses of two instructions whose data are compared.
const MAX_COMPARED: u32 = 1 << 10;
/// Most pairs of accesses to common bytes that are looked at.
const MAX_PAIRS: u32 = 1 << 22;
/// Most pairs of numbers of which it is remembered whether they differ; further ones are not known to.
const MAX_COMPARISONS: usize = 1 << 14;
/// How deep two data are compared.
const MAX_DEPTH: u32 = 12;

/// Two threads that meet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Race {
    /// The other instruction; it may be the same one.
    pub other: InstructionIndex,
    /// This access, and the other one.
    pub sides: (Side, Side),
    /// The address in words.
    pub address: String,
    /// What is written in words, if both write.
    pub data: Option<(String, String)>,
}

/// One of the accesses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Side {
    /// What it does.
    pub kind: AccessKind,
    /// The thread of the group, counted from 0.
    pub thread: u32,
    /// The lane.
    pub lane: u32,
    /// The local id of its work-item; nothing if the lane is not dispatched.
    pub item: Option<[u32; 3]>,
}

/// What threads have accessed so far.
pub struct RaceLog {
    thread: u32,
    /// Stands for the barriers that have been passed.
    epoch: u64,
    /// Whether something else may have brought threads into an order.
    is_ordered: bool,
    messages: Vec<Logged>,
    accesses: Vec<Access>,
    /// By the block of the unknowns that they bring.
    loads: FxHashMap<u32, Load>,
    /// Which bytes of variables are read.
    used: Rc<Used>,
}

/// Where the log was at some time.
#[derive(Clone, Copy)]
pub struct Mark {
    epoch: u64,
    is_ordered: bool,
    n_messages: usize,
    n_accesses: usize,
}

struct Logged {
    instruction: InstructionIndex,
    address_place: usize,
    kind: AccessKind,
    thread: u32,
    trail: Vec<InstructionIndex>,
}

/// What has to be the same for two accesses to meet.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Target {
    epoch: u64,
    surface: Surface,
    sum: Sum,
    /// The other coordinates of a texel.
    rest: u64,
    width: u8,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Surface {
    Slm,
    Flat,
    Bound { value: Value, index: Option<i64>, is_typed: bool },
}

struct Access {
    message: u32,
    target: Target,
    start: u64,
    bytes: u32,
    lane: u8,
    given: Condition,
    data: Option<Value>,
}

impl Access {
    /// Whether another lane does the same.
    fn is_like(&self, other: &Self) -> bool {
        (self.target, self.start, self.bytes, self.given, self.data)
            == (other.target, other.start, other.bytes, other.given, other.data)
    }
}

/// Data that have been compared by what they are loaded from.
#[derive(Default)]
struct Compared {
    known: FxHashMap<(Value, Value), bool>,
}

/// What a lane of a load brings.
struct Load {
    instruction: InstructionIndex,
    piece: u32,
    addresses: Rc<Lanes<Value>>,
}

fn mix(epoch: u64, by: impl std::hash::Hash) -> u64 {
    BuildHasherDefault::<rustc_hash::FxHasher>::default().hash_one((epoch, by))
}

impl RaceLog {
    /// Nothing has been accessed yet.
    pub(in crate::interp) fn new(machine: &Machine) -> Self {
        Self {
            thread: 0,
            epoch: 0,
            is_ordered: false,
            messages: Vec::new(),
            accesses: Vec::new(),
            loads: FxHashMap::default(),
            used: Rc::new(Used::of(machine)),
        }
    }

    /// Another thread begins.
    pub(in crate::interp) const fn begin(&mut self, thread: u32) {
        (self.thread, self.epoch, self.is_ordered) = (thread, 0, false);
    }

    /// Finds accesses that meet; one for each pair of instructions.
    pub(in crate::interp) fn compare(mut self, machine: &mut Machine, group: &Group) -> Vec<Fact> {
        let mut found: FxHashMap<(u32, u32), Fact> = FxHashMap::default();
        // How often the accesses of two instructions were compared in vain.
        let mut in_vain: FxHashMap<(u32, u32), u32> = FxHashMap::default();
        let mut compared = Compared::default();
        // Accesses of one target side by side, in the order of their bytes.
        let mut numbers: FxHashMap<Target, u32> = FxHashMap::default();
        let mut order: Vec<(u32, u64, u32)> = Vec::with_capacity(self.accesses.len());
        for (i, access) in (0..).zip(&self.accesses) {
            let is_flat = access.target.surface == Surface::Flat && access.target.sum == Sum::ZERO;
            if is_flat && machine.private.contains(access.start) {
                continue;
            }
            let next = numbers.len() as u32;
            order.push((*numbers.entry(access.target).or_insert(next), access.start, i));
        }
        order.sort_unstable();
        let mut n_pairs = 0;
        let accesses = std::mem::take(&mut self.accesses);
        for (i, (target, _, a)) in order.iter().enumerate() {
            let a = &accesses[*a as usize];
            let end = a.start.saturating_add(u64::from(a.bytes));
            for (_, _, b) in order[i + 1..].iter().take_while(|(t, start, _)| t == target && *start < end) {
                n_pairs += 1;
                if n_pairs > MAX_PAIRS {
                    return sorted(found);
                }
                let b = &accesses[*b as usize];
                let (p, q) = (&self.messages[a.message as usize], &self.messages[b.message as usize]);
                let is_live = a.given == b.given || a.given.is_true() && b.given.is_true();
                let both = |kind| p.kind == kind && q.kind == kind;
                if p.thread == q.thread || !is_live || both(AccessKind::Read) || both(AccessKind::Atomic) {
                    continue;
                }
                let pair = (p.instruction.0.min(q.instruction.0), p.instruction.0.max(q.instruction.0));
                if found.contains_key(&pair) {
                    continue;
                }
                let write = |kind: AccessKind| kind == AccessKind::Write;
                if write(p.kind) && write(q.kind) {
                    let shift = b.start as i64 - a.start as i64;
                    let n_tries = in_vain.entry(pair).or_default();
                    if *n_tries >= MAX_COMPARED {
                        continue;
                    }
                    *n_tries += 1;
                    if self.compare_data(machine, &mut compared, (a, b), shift) != Values::Different {
                        continue;
                    }
                }
                found.insert(pair, self.fact(machine, group, (a, b)));
            }
        }
        sorted(found)
    }

    fn fact(&self, machine: &Machine, group: &Group, (a, b): (&Access, &Access)) -> Fact {
        let instruction = |x: &Access| self.messages[x.message as usize].instruction;
        // At the later one.
        let (a, b) = if instruction(a) >= instruction(b) { (a, b) } else { (b, a) };
        let side = |x: &Access| {
            let Logged { kind, thread, .. } = self.messages[x.message as usize];
            let lane = u32::from(x.lane);
            Side { kind, thread, lane, item: group.item(thread, lane) }
        };
        let start = a.start.max(b.start);
        let place = Value { constant: start, sum: a.target.sum, bytes: a.target.width };
        let data = a.data.zip(b.data).map(|(x, y)| (machine.in_words(x), machine.in_words(y)));
        let message = &self.messages[a.message as usize];
        let race = Race { other: instruction(b), sides: (side(a), side(b)), address: machine.in_words(place), data };
        Fact {
            instruction: message.instruction,
            operand: u8::try_from(message.address_place).ok(),
            kind: FactKind::Race(Box::new(race)),
            trail: message.trail.clone(),
        }
    }

    /// What is known of the data of two accesses, of which the second begins `shift` bytes after the first one.
    fn compare_data(
        &self,
        machine: &mut Machine,
        compared: &mut Compared,
        (a, b): (&Access, &Access),
        shift: i64,
    ) -> Values {
        let (Some(x), Some(y)) = (a.data, b.data) else { return Values::Unknown };
        match compare_values(&mut machine.domain, x, y, shift) {
            Values::Unknown if shift == 0 && self.differ_by_load(&machine.domain, compared, (x, y), MAX_DEPTH) => {
                Values::Different
            }
            values => values,
        }
    }

    /// Whether two numbers are computed in one way from what one instruction loads from different addresses.
    fn differ_by_load(&self, domain: &Domain, compared: &mut Compared, (x, y): (Value, Value), depth: u32) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return false };
        if x.bytes != y.bytes {
            return false;
        }
        if let Some(known) = compared.known.get(&(x, y)) {
            return *known;
        }
        if compared.known.len() >= MAX_COMPARISONS {
            return false;
        }
        let is_different = self.differ_in_one_term(domain, compared, (x, y), depth);
        compared.known.insert((x, y), is_different);
        is_different
    }

    fn differ_in_one_term(&self, domain: &Domain, compared: &mut Compared, (x, y): (Value, Value), depth: u32) -> bool {
        let (terms, others) = (domain.terms(x.sum), domain.terms(y.sum));
        let rest = |terms: &[crate::interp::domain::sum::Term], others: &[crate::interp::domain::sum::Term]| {
            terms.iter().filter(|t| !others.contains(t)).copied().collect::<Vec<_>>()
        };
        let (only, other) = (rest(&terms, &others), rest(&others, &terms));
        let ([p], [q]) = (only.as_slice(), other.as_slice()) else { return false };
        p.coefficient == q.coefficient && self.atoms_differ(domain, compared, (p.atom, q.atom), depth)
    }

    fn atoms_differ(&self, domain: &Domain, compared: &mut Compared, (p, q): (Atom, Atom), depth: u32) -> bool {
        if let (Some(load), Some(other)) = (self.loads.get(&p.block()), self.loads.get(&q.block())) {
            let (x, y) = (load.addresses.at(p.lane()), other.addresses.at(q.lane()));
            return load.instruction == other.instruction
                && load.piece == other.piece
                && x.sum == y.sum
                && x.constant != y.constant;
        }
        match (domain.kind(p), domain.kind(q)) {
            (AtomKind::ZeroExtended(x), AtomKind::ZeroExtended(y))
            | (AtomKind::SignExtended(x), AtomKind::SignExtended(y)) => {
                self.differ_by_load(domain, compared, (x, y), depth)
            }
            (AtomKind::Masked(x, m), AtomKind::Masked(y, n)) => {
                m == n && self.differ_by_load(domain, compared, (x, y), depth)
            }
            (AtomKind::Shifted(x, m), AtomKind::Shifted(y, n)) => {
                m == n && self.differ_by_load(domain, compared, (x, y), depth)
            }
            (AtomKind::Applied(f, xs), AtomKind::Applied(g, ys)) if f == g => {
                // One of the arguments differs; the others may.
                xs.iter().zip(&ys).any(|(x, y)| x != y && self.differ_by_load(domain, compared, (*x, *y), depth))
            }
            _ => false,
        }
    }
}

fn sorted(found: FxHashMap<(u32, u32), Fact>) -> Vec<Fact> {
    let mut all: Vec<((u32, u32), Fact)> = found.into_iter().collect();
    all.sort_by_key(|(pair, _)| *pair);
    all.into_iter().map(|(_, fact)| fact).collect()
}

impl<'p> Claims<'_, 'p> {
    /// Notes what may bring threads into an order.
    pub(in crate::interp) fn note_order(&mut self, view: &View<'p>) {
        self.note_unclear();
        let is_possible = !self.state.flow.is_dead();
        let Some(log) = self.record.races.as_mut().filter(|_| is_possible) else { return };
        if is_barrier(view) {
            log.epoch = mix(log.epoch, view.index.0);
            log.is_ordered = false;
        } else if is_unclear(view) {
            log.is_ordered = true;
        }
    }

    /// Where everything has been forgotten, another thread may have been waited for.
    fn note_unclear(&mut self) {
        let is_unclear = std::mem::take(&mut self.state.is_unclear);
        if let Some(log) = &mut self.record.races {
            log.is_ordered |= is_unclear;
        }
    }

    /// One pass of a loop stands for all of them from here on, or all of them have been.
    pub(in crate::interp) fn note_loop(&mut self, head: u32, end: u32, is_end: bool) {
        if self.record.races.is_none() {
            return;
        }
        self.note_unclear();
        let lines = || (head..=end).filter_map(|at| View::new(self.cx.program, InstructionIndex(at)));
        let has_barrier = lines().any(|l| is_barrier(&l));
        let may_wait = self.waits_for_memory(head, end);
        if let Some(log) = &mut self.record.races {
            if has_barrier {
                log.epoch = mix(log.epoch, (head, is_end));
            }
            log.is_ordered |= may_wait;
        }
    }

    /// Whether what a loop loads decides how long it runs: it may wait for another thread.
    fn waits_for_memory(&self, head: u32, end: u32) -> bool {
        let lines: Vec<View> = (head..=end).filter_map(|at| View::new(self.cx.program, InstructionIndex(at))).collect();
        let mut asked: FxHashSet<VariableId> = FxHashSet::default();
        let root = |v: VariableId| self.cx.program.variables[v].root;
        let ask = |asked: &mut FxHashSet<VariableId>, view: &View| {
            let n = asked.len();
            asked.extend(view.instruction.predicate.map(|p| root(p.variable)));
            let sources = view.numbered_operands().filter(|(_, _, slot)| slot.role.reads());
            asked.extend(sources.filter_map(|(_, operand, _)| operand.variable()).map(root));
            asked.len() > n
        };
        for view in lines.iter().filter(|l| l.row.flow != instruction::Flow::Next) {
            ask(&mut asked, view);
        }
        loop {
            let mut is_done = true;
            for view in lines.iter().rev() {
                let is_asked = view.numbered_operands().any(|(_, operand, slot)| {
                    slot.role.writes() && operand.variable().is_some_and(|v| asked.contains(&root(v)))
                });
                if !is_asked {
                    continue;
                }
                if view.row.touches_memory() || is_unclear(view) {
                    return true;
                }
                is_done &= !ask(&mut asked, view);
            }
            if is_done {
                return false;
            }
        }
    }

    /// Where the log is.
    pub(in crate::interp) fn race_mark(&mut self) -> Option<Mark> {
        self.note_unclear();
        self.record.races.as_ref().map(|log| Mark {
            epoch: log.epoch,
            is_ordered: log.is_ordered,
            n_messages: log.messages.len(),
            n_accesses: log.accesses.len(),
        })
    }

    /// Goes back to before a loop; what was noted since is dropped, or kept as what its first passes do.
    pub(in crate::interp) fn return_to(&mut self, mark: Option<Mark>, is_kept: bool) {
        self.note_unclear();
        let (Some(log), Some(mark)) = (&mut self.record.races, mark) else { return };
        (log.epoch, log.is_ordered) = (mark.epoch, mark.is_ordered);
        if !is_kept {
            log.messages.truncate(mark.n_messages);
            log.accesses.truncate(mark.n_accesses);
        }
    }

    /// Notes what a message accesses, if threads are compared.
    pub(in crate::interp) fn note_accesses(&mut self, view: &View<'p>, message: &Message) {
        self.note_unclear();
        let Some(log) = &self.record.races else { return };
        if log.is_ordered || log.accesses.len() > MAX_ACCESSES || message.space == Space::Urb {
            return;
        }
        let (epoch, thread, number) = (log.epoch, log.thread, log.messages.len() as u32);
        let used = Rc::clone(&log.used);
        let Some(surface) = self.surface_of(view, message) else { return };
        let Some(addresses) = self.addresses(view, message) else { return };
        let mut accesses = Vec::new();
        for lane in 0..message.given.len() {
            let given = message.given.at(lane);
            if given.is_false() {
                continue;
            }
            let first = addresses.at(lane);
            let is_texel = message.space == Space::Typed;
            let others = message.coordinates.iter().skip(1).map(|c| c.at(lane));
            let rest = others.fold(0, |h, v| mix(h, (v.sum, v.constant)));
            let target = Target { epoch, surface, sum: first.sum, rest, width: first.bytes };
            for (i, piece) in message.pieces.iter().enumerate() {
                if piece.certain >> lane & 1 == 0 || is_texel && i > 0 {
                    continue;
                }
                if message.kind == AccessKind::Read && !self.is_used(&used, view, message, (lane, i)) {
                    continue;
                }
                let start = first.constant.wrapping_add(if is_texel { 0 } else { piece.offset }) & mask(first.bytes);
                let bytes = if is_texel { 1 } else { piece.bytes };
                let data = if message.kind == AccessKind::Write { self.datum(view, message, lane, i) } else { None };
                let lane = (view.first_lane() + lane).min(LANES - 1) as u8;
                let access = Access { message: number, target, start, bytes, lane, given, data };
                // What several lanes do alike is noted once.
                let before = accesses.iter().rev().take(message.pieces.len());
                if !before.into_iter().any(|other: &Access| other.is_like(&access)) {
                    accesses.push(access);
                }
            }
        }
        if accesses.is_empty() {
            return;
        }
        let trail = self.address_trail(view, message);
        let Some(log) = &mut self.record.races else { return };
        let Message { kind, address_place, .. } = *message;
        log.messages.push(Logged { instruction: view.index, address_place, kind, thread, trail });
        log.accesses.append(&mut accesses);
    }

    /// Notes where the lanes of a load take an unknown number from.
    pub(in crate::interp) fn note_load(
        &mut self,
        view: &View<'p>,
        piece: usize,
        addresses: &Lanes<Value>,
        unknown: Value,
    ) {
        let atom = self.domain.terms(unknown.sum).first().map(|t| t.atom);
        if let (Some(log), Some(atom)) = (&mut self.record.races, atom) {
            let load = Load { instruction: view.index, piece: piece as u32, addresses: Rc::new(addresses.clone()) };
            log.loads.insert(atom.block(), load);
        }
    }

    /// What the address is in; nothing if threads have it for themselves, or it is not known.
    fn surface_of(&mut self, view: &View<'p>, message: &Message) -> Option<Surface> {
        let is_typed = match message.space {
            Space::Slm => return Some(Surface::Slm),
            Space::Flat if view.row.accesses.iter().any(|a| a.memory == instruction::Memory::Scratch) => return None,
            Space::Flat => return Some(Surface::Flat),
            Space::Urb => return None,
            Space::Surface => false,
            Space::Typed => true,
        };
        if let Some((_, address)) = self.lsc_address(view) {
            let value = match address.surface? {
                LscValue::Immediate(number) => Value::known(number as u64, 4),
                value @ (LscValue::Register { .. } | LscValue::Element { .. }) => {
                    let at = self.lsc_value_place(value, 4)?;
                    self.read_place(at, &Lanes::run(Condition::TRUE, 1)).0.at(0)
                }
                LscValue::Null | LscValue::Broken => return None,
            };
            return Some(Surface::Bound { value, index: address.surface_index, is_typed });
        }
        let variable = view.operands.iter().find_map(|o| match o {
            Operand::Handle { variable, .. } => Some(*variable),
            _ => None,
        })?;
        let (register, _) = self.root(variable)?;
        if Some(self.variable_of(register)) == VariableId::of_predefined("%scratch") {
            return None;
        }
        self.register(register, 0, 4);
        let value = self.existing_mut(register).and_then(|(r, domain)| r.read(domain, 0, 4))?.value;
        Some(Surface::Bound { value, index: None, is_typed })
    }
}

fn is_barrier(view: &View) -> bool {
    view.row.flow == instruction::Flow::Barrier || view.row.effects.contains(&instruction::Effect::Barrier)
}

/// Whether it is unknown what an instruction waits for.
fn is_unclear(view: &View) -> bool {
    let is_raw = view.row.custom == Some(instruction::Custom::RawSend);
    let is_call = view.row.flow == instruction::Flow::FunctionCall && !is_fence_function(view);
    is_raw || is_call || view.row.barrier == Some(Barrier::Thread)
}
