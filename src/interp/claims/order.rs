//! What brings the threads of a group into an order.
//!
//! A barrier parts what threads do before it from what they do after it: accesses of two threads are compared within one
//! epoch. Stores that no fence of their memory has followed are not ordered by the barrier: they are accesses of the next
//! epochs as well. Between the halves of a split barrier a thread is in both epochs.
//!
//! What may bring threads into an order without a barrier, as waiting in a loop for another one, or a message of which
//! nothing is known, ends all claims up to the next barrier.

use crate::interp::claims::Claims;
use crate::interp::claims::facts::Weak;
use crate::interp::claims::touched::Touched;
use crate::interp::domain::condition::Condition;
use crate::interp::launch::Launch;
use crate::interp::transfer::call::is_fence_function;
use crate::program::{InstructionIndex, Object, Operand, Program, VariableId, View};
use crate::spec::family::{Barrier, Check};
use crate::spec::instruction::{self, Access, Custom, Effect};
use crate::spec::{ModifierName, OperandName};
use rustc_hash::{FxHashSet, FxHasher};
use std::hash::{BuildHasher as _, BuildHasherDefault, Hash};
use std::ops::Range;

/// How many barriers a store without a fence is followed over.
const MAX_PASSED: u8 = 3;
/// Most accesses that are repeated because a barrier does not order them.
const MAX_REPEATED: usize = 1 << 17;

/// Memory that has fences of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::interp) enum Part {
    /// Shared local memory.
    Slm = 0,
    /// Other memory.
    Other = 1,
}

/// Where a thread stands among the barriers of its group.
#[derive(Clone, Default)]
pub(in crate::interp) struct Order {
    /// Stands for the barriers that have been passed.
    pub epoch: u64,
    /// The barrier that was passed last.
    pub last: Option<InstructionIndex>,
    /// Whether something else may have brought threads into an order.
    pub is_ordered: bool,
    /// Stores that no fence has followed, for both parts of memory: their numbers, and how many barriers they have passed.
    unfenced: [Vec<(u32, u8)>; 2],
    /// Where the thread has signalled at the split barrier: the number of accesses then, and what had no fence.
    signalled: Option<(u32, Vec<u32>)>,
    /// When the barriers happen that not every launch comes to.
    pub conditions: Vec<Condition>,
    /// Whether threads of two groups are compared: no barrier orders those.
    pub is_between_groups: bool,
    n_repeated: usize,
    /// How often everything had been forgotten when that was looked at last.
    n_forgotten: u32,
    has_lost: bool,
}

impl Order {
    /// Another thread begins.
    pub fn begin(&mut self) {
        *self = Self {
            n_repeated: self.n_repeated,
            has_lost: self.has_lost,
            is_between_groups: self.is_between_groups,
            ..Self::default()
        };
    }

    /// What came before is ordered, or not known to be without an order.
    fn settle(&mut self) {
        self.unfenced.iter_mut().for_each(Vec::clear);
        self.signalled = None;
    }

    /// Goes back to where the thread stood before.
    pub fn return_to(&mut self, (epoch, is_ordered): (u64, bool)) {
        (self.epoch, self.is_ordered) = (epoch, is_ordered);
        self.settle();
    }

    /// Takes note of a store.
    pub fn stores(&mut self, part: Part, number: u32) {
        self.unfenced[part as usize].push((number, 0));
    }

    fn fence(&mut self, [slm, other]: [bool; 2]) {
        if slm {
            self.unfenced[Part::Slm as usize].clear();
        }
        if other {
            self.unfenced[Part::Other as usize].clear();
        }
    }

    /// The stores that the next barrier does not order.
    fn weak(&self, launch: &Launch) -> Vec<u32> {
        let parts = if launch.orders_slm { &self.unfenced[1..] } else { &self.unfenced[..] };
        parts.iter().flatten().map(|(number, _)| *number).collect()
    }

    /// Passes a barrier of the whole group, after `n` accesses. What it does not order is repeated in the new epoch:
    /// `repeat` does that to the access with a number, and says whether it has.
    pub fn pass(
        &mut self,
        at: InstructionIndex,
        launch: &Launch,
        n: usize,
        mut repeat: impl FnMut(usize, u64, Weak) -> bool,
    ) {
        self.last = Some(at);
        if self.is_between_groups {
            return;
        }
        self.epoch = mix(self.epoch, at.0);
        self.is_ordered = false;
        let (between, unfenced) = match self.signalled.take() {
            Some((first, unfenced)) => (first as usize..n, unfenced),
            None => (n..n, self.weak(launch)),
        };
        let is_between = |number: u32| between.contains(&(number as usize));
        let weak =
            unfenced.into_iter().filter(|number| !is_between(*number)).map(|number| (number, Weak::Unfenced(at)));
        let weak: Vec<_> = weak.chain(between.clone().map(|i| (i as u32, Weak::BetweenHalves(at)))).collect();
        for (number, weak) in weak {
            if self.n_repeated >= MAX_REPEATED {
                break;
            }
            self.n_repeated += usize::from(repeat(number as usize, self.epoch, weak));
        }
        for part in &mut self.unfenced {
            part.retain_mut(|(_, n_passed)| {
                *n_passed += 1;
                self.has_lost |= *n_passed >= MAX_PASSED;
                *n_passed < MAX_PASSED
            });
        }
    }

    /// Whether some stores without a fence are not followed any more.
    pub const fn has_lost(&self) -> bool {
        self.has_lost || self.n_repeated >= MAX_REPEATED
    }
}

/// Which parts of memory an instruction is a fence of: shared local memory, and other memory.
fn fenced(view: &View, launch: &Launch) -> [bool; 2] {
    match view.modifier_word(ModifierName::UNIT) {
        Some(unit) => [unit == "slm", unit != "slm"],
        None if view.row.has(Check::LocalFence) => [true, launch.has_one_fence],
        // `fence_sw` is no instruction of the machine. Compilers write it where shared local memory needs no fence.
        None if view.row.modifiers.is_empty() => [true, false],
        None => [launch.has_one_fence, true],
    }
}

/// An epoch after something that starts a new one.
pub(super) fn mix(epoch: u64, by: impl Hash) -> u64 {
    BuildHasherDefault::<FxHasher>::default().hash_one((epoch, by))
}

impl<'p> Claims<'_, 'p> {
    /// Notes what may bring threads into an order.
    pub(in crate::interp) fn note_order(&mut self, view: &View<'p>) {
        self.note_unclear();
        let launch = self.reader.cx().launch;
        let is_possible = !self.reader.state().flow.is_dead();
        let is_open = is_unclear(view)
            || matches!(view.row.barrier, Some(Barrier::NamedSignal | Barrier::NamedWait))
            || self.record.races.as_ref().is_some_and(|log| log.stores_texels && accesses_unseen(view));
        if is_open && is_possible {
            self.note_open(view.index);
        }
        let uniform = self.reader.state().flow.uniform;
        let is_logged = self.record.races.is_some() && is_possible;
        let of_function = (is_logged && is_fence_function(view)).then(|| self.fenced_by_function());
        let Some(log) = self.record.races.as_mut().filter(|_| is_possible) else { return };
        let order = &mut log.order;
        if view.row.barrier.is_some() && !uniform.is_true() && !order.conditions.contains(&uniform) {
            order.conditions.push(uniform);
        }
        let is_named = matches!(view.row.barrier, Some(Barrier::NamedSignal | Barrier::NamedWait));
        if is_unclear(view) {
            log.visits.open();
        } else if is_barrier(view) && !is_named {
            log.visits.comes_to(view.index, self.reader.state().reached.is_true());
        }
        match view.row.barrier {
            Some(Barrier::Group | Barrier::SplitWait) => log.pass(view.index, launch),
            Some(Barrier::SplitSignal) => {
                order.signalled = Some((log.accesses.len() as u32, order.weak(launch)));
            }
            // Which threads take part is not looked at.
            Some(Barrier::NamedSignal | Barrier::NamedWait) => {
                let id = view.numbered_operand(OperandName::ID);
                order.is_ordered |= !matches!(id, Some((_, Operand::Immediate { .. })));
                order.settle();
                order.epoch = mix(order.epoch, view.index.0);
            }
            None if is_barrier(view) => log.pass(view.index, launch),
            _ if is_unclear(view) => {
                order.is_ordered = true;
                order.settle();
            }
            _ if is_fence_function(view) => order.fence(of_function.unwrap_or([true; 2])),
            _ if view.row.custom == Some(Custom::Fence) => order.fence(fenced(view, launch)),
            _ => {}
        }
    }

    /// Which parts of memory the function that compilers call as a fence is one of: its second argument says whether that
    /// is shared local memory or other memory. Each argument begins at a register.
    fn fenced_by_function(&mut self) -> [bool; 2] {
        let arguments = VariableId::of_predefined("%arg").and_then(|arg| self.reader.cx().root(arg));
        let second = arguments.and_then(|(root, _)| {
            let at = self.reader.cx().grf_bytes;
            self.reader.element(root, at, 1)?.value.at(0).as_known()
        });
        match second {
            Some(0) => [true, false],
            Some(1) => [self.reader.cx().launch.has_one_fence, true],
            _ => [true; 2],
        }
    }

    /// Where everything has been forgotten, another thread may have been waited for.
    pub(super) fn note_unclear(&mut self) {
        let n_forgotten = self.reader.state().n_forgotten;
        if let Some(log) = &mut self.record.races
            && log.order.n_forgotten != n_forgotten
        {
            log.order.n_forgotten = n_forgotten;
            log.order.is_ordered = true;
            log.order.settle();
            log.visits.open();
        }
    }

    /// One pass of a loop stands for all of them from here on, or all of them have been.
    pub(in crate::interp) fn note_loop(&mut self, head: u32, end: u32, is_end: bool) {
        if self.record.races.is_none() {
            return;
        }
        self.note_unclear();
        let program = self.reader.cx().program;
        let views = || (head..=end).filter_map(|at| View::new(program, InstructionIndex(at)));
        let has_barrier = views().any(|view| is_barrier(&view));
        let may_wait = self.waits_for_memory(head, end);
        // One pass stands for all: those of one thread are not compared with others of another thread.
        let open: Vec<InstructionIndex> =
            views().filter(|view| view.row.touches_memory()).map(|view| view.index).collect();
        for index in open {
            self.note_open(index);
        }
        if let Some(log) = &mut self.record.races {
            if has_barrier {
                log.order.epoch = mix(log.order.epoch, (head, is_end));
                log.order.settle();
                log.visits.open();
            }
            log.order.is_ordered |= may_wait;
        }
    }

    /// Whether some of the loops may wait for another thread, as far as their text tells.
    pub(in crate::interp) fn may_wait(&mut self, loops: impl IntoIterator<Item = (u32, u32)>) -> bool {
        loops.into_iter().any(|(head, end)| self.waits_for_memory(head, end))
    }

    /// Whether what a loop loads decides how long it runs, and other threads may store that: it may wait for one of them.
    fn waits_for_memory(&mut self, head: u32, end: u32) -> bool {
        let views: Vec<View> =
            (head..=end).filter_map(|at| View::new(self.reader.cx().program, InstructionIndex(at))).collect();
        let mut asked: FxHashSet<VariableId> = FxHashSet::default();
        // The thread's own memory from which something that was asked for is loaded.
        let mut loaded: Vec<Range<u64>> = Vec::new();
        let program = self.reader.cx().program;
        let root = |v: VariableId| program.variables[v].root;
        let ask = |asked: &mut FxHashSet<VariableId>, view: &View| {
            let n = asked.len();
            asked.extend(view.instruction.predicate.map(|p| root(p.variable)));
            let sources = view.numbered_operands().filter(|(_, _, slot)| slot.role.reads());
            asked.extend(sources.filter_map(|(_, operand, _)| operand.variable()).map(root));
            asked.len() > n
        };
        for view in views.iter().filter(|view| view.row.flow != instruction::Flow::Next) {
            ask(&mut asked, view);
        }
        loop {
            let mut is_done = true;
            for view in views.iter().rev() {
                let is_asked = view.numbered_operands().any(|(_, operand, slot)| {
                    slot.role.writes() && operand.variable().is_some_and(|v| asked.contains(&root(v)))
                });
                let touched = if view.row.touches_memory() { self.touched(view.index) } else { None };
                let own = touched.as_ref().and_then(|touched| touched.own.clone());
                let is_stored = own
                    .as_ref()
                    .is_some_and(|own| loaded.iter().any(|bytes| bytes.start < own.end && own.start < bytes.end));
                if !is_asked && !is_stored {
                    continue;
                }
                let is_constant = touched.is_some_and(|touched| touched.is_constant(self.reader));
                if is_unclear(view) || view.row.touches_memory() && !is_constant {
                    return true;
                }
                if let Some(own) = own.filter(|own| is_asked && !loaded.contains(own)) {
                    loaded.push(own);
                    is_done = false;
                }
                is_done &= !ask(&mut asked, view);
            }
            if is_done {
                return false;
            }
        }
    }

    /// What the messages of an instruction touch, if that is known.
    fn touched(&self, instruction: InstructionIndex) -> Option<Touched> {
        self.record.races.as_ref()?.touched.of(instruction).cloned()
    }
}

fn is_barrier(view: &View) -> bool {
    view.row.flow == instruction::Flow::Barrier || view.row.effects.contains(&Effect::Barrier)
}

/// Whether an instruction accesses memory, and what it accesses is not followed: samplers, blocks of texels.
fn accesses_unseen(view: &View) -> bool {
    let is_access = |effect: &Effect| matches!(effect, Effect::ReadsMemory | Effect::WritesMemory);
    view.row.accesses.is_empty() && view.row.effects.iter().any(is_access)
}

/// Whether an object may store texels.
pub(super) fn may_store_texels(program: &Program, object: &Object) -> bool {
    let stores = |view: View| {
        let is_typed = view.modifier_word(ModifierName::UNIT) == Some("tgm");
        let is_stored = |a: &Access| a.kind.stores() && (is_typed || a.memory == instruction::Memory::Typed);
        view.row.effects.contains(&Effect::WritesMemory) || view.row.accesses.iter().any(is_stored)
    };
    program.instructions_in(object).filter_map(|(index, _)| View::new(program, index)).any(stores)
}

/// Whether it is unknown what an instruction waits for.
fn is_unclear(view: &View) -> bool {
    let is_raw = view.row.custom == Some(Custom::RawSend);
    let is_call = view.row.flow == instruction::Flow::FunctionCall && !is_fence_function(view);
    is_raw || is_call || view.row.barrier == Some(Barrier::Thread)
}
