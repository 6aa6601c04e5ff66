//! A judge of races: it executes the threads of a group with numbers, message after message, in the order that a schedule
//! chooses, and looks at what memory holds in the end and at what two work-items accessed without an order.
//!
//! It shares nothing with the analysis but the program and the places of the local ids. Memory is weak: a schedule may keep
//! the stores of a thread from others until that thread has a fence.

use crate::soundness::concrete::{Concrete, Manner, Observer, Record};
use rustc_hash::FxHashMap;
use visa_lint::interp::launch::{Group, Layout, Thread};
use visa_lint::program::{InstructionIndex, Object, Program, VariableId, View};
use visa_lint::spec::Type;
use visa_lint::spec::family::Barrier;
use visa_lint::spec::instruction::{Custom, Flow};
use visa_lint::spec::layout::THREAD_NUMBER_BYTE;
use visa_lint::spec::{ModifierName, Platform, PlatformSet};

mod message;

/// Instructions of one thread after which it is given up.
const MAX_STEPS: u32 = 200_000;
/// Where shared local memory begins among all addresses, and how far apart surfaces are.
const SLM: u64 = 1 << 62;
const SURFACES: u64 = 1 << 61;
const SURFACE_BITS: u32 = 36;
/// Pointers among the inputs are that far apart.
const POINTER_BITS: u32 = 40;
/// The parts of an order: reads, writes of shared local memory, and other writes.
const READS: usize = 0;
const SLM_WRITES: usize = 1;
const OTHER_WRITES: usize = 2;

/// An order of threads and of the lanes of a message.
#[derive(Clone, Copy)]
pub enum Turn {
    /// The first that can go on.
    First,
    /// The last.
    Last,
    /// Any.
    Random(u64),
}

/// How a group is executed.
#[derive(Clone, Copy)]
pub struct Schedule {
    pub turn: Turn,
    /// Whether the stores of a thread reach others only when it has a fence, or ends.
    pub is_late: bool,
    /// What arguments that are no pointers are.
    pub argument: u64,
    /// Whether memory holds floats before anything is written to it, and not small integers.
    pub has_floats: bool,
}

/// One access of two that are claimed to meet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Side {
    pub instruction: u32,
    /// The work-item; any if nothing is said.
    pub item: Option<[u32; 3]>,
}

/// What came of one execution.
pub struct Ended {
    /// What memory holds, where it was written.
    pub memory: Vec<(u64, u8)>,
    /// For each pair of accesses that were asked for, whether they met without an order.
    pub met: Vec<bool>,
    /// The same, whether both were made.
    pub made: Vec<bool>,
}

/// A kernel and its group.
pub struct Court<'p> {
    pub program: &'p Program,
    pub object: &'p Object,
    pub grf_bytes: u32,
    pub size: [u32; 3],
    pub layout: Layout<'p>,
    pub group: Group,
    /// Whether there is one fence for all memory.
    pub has_one_fence: bool,
}

/// What a thread has seen of another one: its reads, and its writes of both parts of memory, up to these times.
type Seen = Vec<[u32; 3]>;

/// An access that is asked for.
struct Noted {
    side: usize,
    thread: usize,
    lane: u32,
    bytes: (u64, u64),
    /// What it writes.
    data: Option<u64>,
    is_atomic: bool,
    time: u32,
    message: u32,
    seen: Seen,
}

/// What threads have in common.
struct Shared {
    memory: FxHashMap<u64, u8>,
    is_late: bool,
    has_floats: bool,
    /// Pointers among the inputs: surfaces are the buffers behind them, in their order.
    n_pointers: u64,
    random: u64,
    turn: Turn,
    /// What threads have published at the barrier, and how many came to it in this round.
    published: Seen,
    /// What they had published when all of them had come last.
    opened: Seen,
    n_come: usize,
    round: u32,
    asked: Vec<Side>,
    noted: Vec<Noted>,
    n_messages: u32,
    /// The instruction that cannot be executed here.
    stuck: Option<String>,
}

/// One thread.
struct Runner<'c, 'p> {
    court: &'c Court<'p>,
    number: usize,
    own: Own,
    /// Whether the last instruction was a message.
    has_sent: bool,
    shared: &'c mut Shared,
}

/// What a thread keeps while others go on.
#[derive(Default)]
struct Own {
    lanes: Vec<[u32; 3]>,
    /// Stores that others do not see yet, for both parts of memory.
    stores: Vec<(u64, u8)>,
    time: u32,
    /// The time of the last fence of each part.
    fenced: [u32; 3],
    seen: Seen,
    /// The round of the barrier that it waits for.
    waits: Option<u32>,
    signalled: Option<u32>,
}

impl<'p> Court<'p> {
    /// The kernel of a program, for groups of that size.
    pub fn new(program: &'p Program, size: [u32; 3], platform: Platform) -> Result<Self, String> {
        let object = program.objects.iter().next().ok_or("no kernel")?;
        let grf_bytes = platform.grf_bytes();
        let layout =
            Layout::new(size, None, (program, object), grf_bytes, PlatformSet::one(platform)).ok_or("no lanes")?;
        let group = layout.group(128).ok_or("too many threads")?;
        let of_slm = visa_lint::spec::instructions().iter().find(|row| row.mnemonic == "fence_local");
        let has_one_fence = !of_slm.is_some_and(|row| row.platforms.legal.contains(platform));
        Ok(Self { program, object, grf_bytes, size, layout, group, has_one_fence })
    }

    /// Executes the group, or says what cannot be executed here.
    pub fn run(&self, schedule: Schedule, asked: &[(Side, Side)]) -> Result<Ended, String> {
        let n_threads = self.group.threads.len();
        let manner = Manner { wraps_narrow: true, counts_by_destination: false };
        let mut shared = Shared {
            memory: FxHashMap::default(),
            is_late: schedule.is_late,
            has_floats: schedule.has_floats,
            n_pointers: 0,
            random: match schedule.turn {
                Turn::Random(seed) => seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1,
                _ => 1,
            },
            turn: schedule.turn,
            published: vec![[0; 3]; n_threads],
            opened: vec![[0; 3]; n_threads],
            n_come: 0,
            round: 0,
            asked: asked.iter().flat_map(|(a, b)| [*a, *b]).collect(),
            noted: Vec::new(),
            n_messages: 0,
            stuck: None,
        };
        let mut machines = Vec::new();
        let mut kept = Vec::new();
        let blank = {
            let mut blank = Concrete::new(self.program, self.object, self.grf_bytes, 1, 0, manner);
            blank.read_anything();
            shared.n_pointers = self.give_arguments(&mut blank, schedule.argument);
            blank
        };
        let mut first = 0;
        for (number, thread) in self.group.threads.iter().enumerate() {
            let mut machine = blank.clone();
            Self::give_ids(&mut machine, number, thread);
            machine.begin(if thread.n_lanes >= 32 { 32 } else { thread.n_lanes });
            machines.push(machine);
            let lanes = (first..first + thread.n_lanes).map(|item| self.item(item)).collect();
            first += thread.n_lanes;
            kept.push(Own {
                lanes,
                stores: Vec::new(),
                time: 0,
                fenced: [0; 3],
                seen: vec![[0; 3]; n_threads],
                waits: None,
                signalled: None,
            });
        }
        let mut is_done = vec![false; n_threads];
        loop {
            let ready: Vec<usize> = (0..n_threads)
                .filter(|t| !is_done[*t] && kept[*t].waits.is_none_or(|round| round < shared.round))
                .collect();
            let chosen = match schedule.turn {
                _ if ready.is_empty() => None,
                Turn::First => ready.first().copied(),
                Turn::Last => ready.last().copied(),
                Turn::Random(_) => Some(ready[shared.next() as usize % ready.len()]),
            };
            let Some(number) = chosen else {
                if is_done.iter().all(|done| *done) {
                    break;
                }
                return Err("threads wait for ever".to_owned());
            };
            let own = std::mem::take(&mut kept[number]);
            let mut runner = Runner { court: self, number, own, has_sent: false, shared: &mut shared };
            if runner.own.waits.take().is_some() {
                runner.pass_barrier();
            }
            let machine = &mut machines[number];
            let mut steps = 0;
            while let Some(index) = machine.here() {
                machine.step(&mut runner);
                steps += 1;
                if machine.is_given_up() {
                    let mnemonic = runner.shared.stuck.take().or_else(|| {
                        let row = self.program.row(&self.program.instructions[index])?;
                        Some(format!("`{}` is not computed here", row.mnemonic))
                    });
                    return Err(mnemonic.unwrap_or_default());
                }
                if steps > MAX_STEPS {
                    return Err("a loop takes too long".to_owned());
                }
                if runner.has_sent || runner.own.waits.is_some() {
                    break;
                }
            }
            if machine.here().is_none() && runner.own.waits.is_none() {
                runner.show_stores();
                is_done[number] = true;
            }
            kept[number] = runner.own;
        }
        let mut memory: Vec<(u64, u8)> = shared.memory.iter().map(|(at, byte)| (*at, *byte)).collect();
        memory.sort_unstable();
        let met = (0..asked.len()).map(|pair| shared.have_met(pair)).collect();
        let made = (0..asked.len()).map(|pair| [2 * pair, 2 * pair + 1].iter().all(|s| shared.was_made(*s))).collect();
        Ok(Ended { memory, met, made })
    }

    fn item(&self, number: u32) -> [u32; 3] {
        let [x, y, _] = self.size;
        [number % x, number / x % y, number / x / y]
    }

    /// Pointers far from each other, sizes as the group has them, and one number for all other arguments.
    fn give_arguments(&self, machine: &mut Concrete, argument: u64) -> u64 {
        let shared_from = self.group.shared_from.unwrap_or(i64::from(self.grf_bytes));
        let range = &self.object.inputs;
        let inputs = &self.program.inputs[range.start as usize..range.end as usize];
        let mut n_pointers = 0;
        for input in inputs.iter().filter(|input| input.offset >= shared_from) {
            let number = match self.program.variables[input.variable].element_type {
                Type::UQ if input.size == 8 => {
                    n_pointers += 1;
                    n_pointers << POINTER_BITS
                }
                _ if input.size <= 8 => argument,
                _ => 0,
            };
            for byte in (0..input.size).step_by(4.min(input.size as usize)) {
                let bits = if byte == 0 { number } else { number >> 32 };
                Self::give(machine, (input.variable, byte as u32), 4.min(input.size as u32), bits);
            }
        }
        let places = self.layout.places();
        for first in places.iter().flat_map(|places| &places.sizes) {
            self.give_vector(machine, *first, self.size);
        }
        if let Some(first) = places.and_then(|places| places.offset) {
            self.give_vector(machine, first, [0; 3]);
        }
        n_pointers
    }

    fn give_vector(&self, machine: &mut Concrete, first: u32, numbers: [u32; 3]) {
        for (number, at) in numbers.into_iter().zip((first..).step_by(4)) {
            if let Some(place) = visa_lint::interp::launch::input_byte(self.program, self.object, at) {
                Self::give(machine, (place.variable, place.offset), 4, u64::from(number));
            }
        }
    }

    fn give(machine: &mut Concrete, (variable, byte): (VariableId, u32), bytes: u32, bits: u64) {
        let at = machine.place(variable) as usize + byte as usize;
        machine.write(at, bytes, bits, true);
    }

    /// What tells a thread from others.
    fn give_ids(machine: &mut Concrete, number: usize, thread: &Thread) {
        for given in &thread.ids {
            Self::give(machine, (given.variable, given.offset), u32::from(given.bytes), given.number);
        }
        if let Some(header) = VariableId::of_predefined("%r0") {
            Self::give(machine, (header, THREAD_NUMBER_BYTE), 1, number as u64);
        }
        // Numbers of the hardware, in so few bits that all combinations of them differ.
        let parts = [("%sr0", number as u64 % 8), ("%msg0", number as u64 / 8), ("%hw_id", number as u64)];
        for (name, bits) in parts {
            if let Some(variable) = VariableId::of_predefined(name) {
                Self::give(machine, (variable, 0), 4, bits);
            }
        }
    }
}

impl Shared {
    fn next(&mut self) -> u64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.random >> 8
    }

    fn byte(&self, at: u64) -> u8 {
        // Numbers that differ from place to place, where nothing was written.
        let first = || {
            let random = ((at / 4).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 58) as u32;
            let bits = if self.has_floats { 0x3f80_0000 | random << 16 } else { random };
            bits.to_le_bytes()[(at % 4) as usize]
        };
        self.memory.get(&at).copied().unwrap_or_else(first)
    }

    /// Whether an access that is asked for was made.
    fn was_made(&self, side: usize) -> bool {
        self.noted.iter().any(|n| n.side == side)
    }

    /// Whether the two accesses of a pair were made without an order.
    fn have_met(&self, pair: usize) -> bool {
        let of = |side: usize| self.noted.iter().filter(move |n| n.side == side);
        of(2 * pair).any(|a| of(2 * pair + 1).any(|b| a.meets(b)))
    }
}

impl Noted {
    fn part(&self) -> usize {
        match self.data {
            None => READS,
            Some(_) if self.bytes.0 >= SLM => SLM_WRITES,
            Some(_) => OTHER_WRITES,
        }
    }

    fn meets(&self, other: &Self) -> bool {
        let is_common = self.bytes.0 < other.bytes.1 && other.bytes.0 < self.bytes.1;
        let is_write = self.data.is_some() || other.data.is_some();
        if !is_common || !is_write || self.is_atomic && other.is_atomic {
            return false;
        }
        if self.thread == other.thread {
            return self.message == other.message && self.lane != other.lane && self.data != other.data;
        }
        let is_before = |a: &Self, b: &Self| b.seen[a.thread][a.part()] >= a.time;
        !is_before(self, other) && !is_before(other, self)
    }
}

impl Runner<'_, '_> {
    /// What this thread reads in a byte.
    fn load(&self, at: u64) -> u8 {
        let own = self.own.stores.iter().rev().find(|(own, _)| *own == at);
        own.map_or_else(|| self.shared.byte(at), |(_, byte)| *byte)
    }

    fn store(&mut self, at: u64, byte: u8) {
        if self.shared.is_late {
            self.own.stores.push((at, byte));
        } else {
            self.shared.memory.insert(at, byte);
        }
    }

    /// Others see what this thread has stored.
    fn show_stores(&mut self) {
        self.shared.memory.extend(self.own.stores.drain(..));
    }

    /// Others see what this thread has stored to a part of memory.
    fn fence(&mut self, slm: bool, other: bool) {
        let is_it = |at: u64| if at >= SLM { slm } else { other };
        let (shown, kept) = self.own.stores.iter().partition::<Vec<(u64, u8)>, _>(|(at, _)| is_it(*at));
        self.shared.memory.extend(shown);
        self.own.stores = kept;
        if slm {
            self.own.fenced[SLM_WRITES] = self.own.time;
        }
        if other {
            self.own.fenced[OTHER_WRITES] = self.own.time;
        }
    }

    /// Comes to the barrier.
    fn signal(&mut self) {
        self.own.fenced[READS] = self.own.time;
        self.shared.published[self.number] = self.own.fenced;
        self.own.signalled = Some(self.shared.round);
        self.shared.n_come += 1;
        if self.shared.n_come == self.court.group.threads.len() {
            self.shared.n_come = 0;
            self.shared.opened.clone_from(&self.shared.published);
            self.shared.round += 1;
        }
    }

    /// Comes to the barrier, and waits for the others.
    fn come_and_wait(&mut self) {
        self.signal();
        self.own.waits = self.own.signalled.take();
    }

    /// All threads have come.
    fn pass_barrier(&mut self) {
        for (seen, published) in self.own.seen.iter_mut().zip(&self.shared.opened) {
            for (seen, published) in seen.iter_mut().zip(published) {
                *seen = (*seen).max(*published);
            }
        }
    }

    fn synchronize(&mut self, machine: &Concrete, view: &View) -> bool {
        let row = view.row;
        match row.barrier {
            Some(Barrier::SplitSignal) => self.signal(),
            Some(Barrier::SplitWait) => self.own.waits = self.own.signalled.take(),
            Some(barrier) if barrier != Barrier::Group => return false,
            Some(_) => self.come_and_wait(),
            None if row.flow == Flow::Barrier => self.come_and_wait(),
            // What is called in these dumps is a fence; its second argument says of which memory.
            None if row.flow == Flow::FunctionCall => {
                let arguments = machine.place(VariableId::of_predefined("%arg").expect("a variable")) as usize;
                let (of_other, _) = machine.read(arguments + self.court.grf_bytes as usize, 1);
                self.fence(of_other == 0 || self.court.has_one_fence, of_other != 0);
            }
            None if row.custom == Some(Custom::Fence) => match (view.modifier_word(ModifierName::UNIT), row.mnemonic) {
                (Some(unit), _) => self.fence(unit == "slm", unit != "slm"),
                (None, "fence_sw") => self.fence(true, false),
                (None, "fence_local") => self.fence(true, self.court.has_one_fence),
                (None, _) => self.fence(self.court.has_one_fence, true),
            },
            None => return false,
        }
        true
    }
}

impl Observer for Runner<'_, '_> {
    fn before(&mut self, _: &Concrete, _: InstructionIndex, _: u32) -> bool {
        true
    }

    fn after(&mut self, _: Record) {}

    fn message(
        &mut self,
        machine: &mut Concrete,
        index: InstructionIndex,
        (exec_mask, n): (u32, u32),
        _: &mut Record,
    ) -> bool {
        let Some(view) = View::new(machine.program, index) else { return false };
        if self.synchronize(machine, &view) {
            return true;
        }
        self.has_sent = true;
        self.send(machine, &view, (exec_mask, n)).is_some()
    }
}
