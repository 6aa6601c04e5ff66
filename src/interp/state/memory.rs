//! What a thread has stored to virtual addresses that are known, as compilers keep private variables when they do not
//! optimize.
//!
//! Values come back where the same thread loads from the same bytes. Other threads may write to memory, too, as soon as
//! something orders them; they do not write where this thread alone has its variables. Such places are told by their
//! addresses: those are computed from the number that the hardware gives the thread.

use crate::interp::domain::condition::Condition;
use crate::interp::domain::{Domain, Value};
use crate::interp::state::{Machine, Reader};
use crate::program::lsc::LscValue;
use crate::program::{Object, Operand, Program, VariableId, View};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Pointers among the inputs are taken to be so many bytes apart: a power of two.
const WINDOW_BITS: u32 = 40;
/// What the hardware tells threads apart by.
pub const THREAD_NUMBERS: [&str; 3] = ["%sr0", "%msg0", "%hw_id"];

/// The pointer that the input with a number is taken to be.
#[must_use]
pub const fn pointer(number: u64) -> u64 {
    (number + 1) << WINDOW_BITS
}

/// The pointer to which an address belongs: nearer than half the distance of two.
const fn window(address: u64) -> u64 {
    address.wrapping_add(1 << (WINDOW_BITS - 1)) >> WINDOW_BITS
}

/// The number of the input to whose pointer an address belongs, and the bytes from there.
#[must_use]
pub const fn behind_pointer(address: u64) -> Option<(u64, i64)> {
    match window(address).checked_sub(1) {
        Some(number) => Some((number, address.wrapping_sub(pointer(number)) as i64)),
        None => None,
    }
}

/// Some bytes from one address to another one, which is not among them.
pub type Bytes = (u64, u64);

#[derive(Clone, Copy, Debug)]
struct Cell {
    value: Value,
    /// Where this holds, it has been stored.
    defined: Condition,
}

/// What is held at known addresses.
#[derive(Clone, Default, Debug)]
pub struct Memory {
    /// By the address of their first byte; none overlaps another one.
    cells: Rc<BTreeMap<u64, Cell>>,
}

impl Memory {
    /// Holds nothing.
    pub fn clear(&mut self) {
        if !self.cells.is_empty() {
            self.cells = Rc::default();
        }
    }

    /// Whether nothing is held.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// Forgets what some bytes hold.
    pub fn forget(&mut self, (start, end): Bytes) {
        let overlapping: Vec<u64> = self.overlapping((start, end)).map(|(at, _)| at).collect();
        if !overlapping.is_empty() {
            let cells = Rc::make_mut(&mut self.cells);
            for at in overlapping {
                cells.remove(&at);
            }
        }
    }

    /// Forgets what other threads may write.
    fn forget_shared(&mut self, private: &FxHashSet<u64>) {
        if self.cells.keys().any(|at| !private.contains(&window(*at))) {
            Rc::make_mut(&mut self.cells).retain(|at, _| private.contains(&window(*at)));
        }
    }

    /// The cells that have bytes in common with some.
    fn overlapping(&self, (start, end): Bytes) -> impl Iterator<Item = (u64, Cell)> + use<'_> {
        // A cell has eight bytes at most.
        let first = start.saturating_sub(7);
        let cells = if first < end { Some(self.cells.range(first..end)) } else { None };
        cells
            .into_iter()
            .flatten()
            .map(|(at, cell)| (*at, *cell))
            .filter(move |(at, cell)| start.saturating_sub(*at) < u64::from(cell.value.bytes))
    }

    /// What is stored in some bytes, where `active` holds.
    pub(super) fn store(&mut self, domain: &mut Domain, start: u64, value: Value, active: Condition) {
        let end = start.saturating_add(u64::from(value.bytes));
        let old = self.cells.get(&start).copied().filter(|cell| cell.value.bytes == value.bytes);
        self.forget((start, end));
        let new = match old {
            Some(old) if !active.is_true() => {
                let is_all = old.defined.is_true();
                let defined = domain.or(active, old.defined);
                let value = if domain.implies(old.defined, active) && !is_all {
                    value
                } else {
                    domain.select(active, value, old.value)
                };
                Cell { value, defined }
            }
            _ => Cell { value, defined: active },
        };
        Rc::make_mut(&mut self.cells).insert(start, new);
    }

    /// What some bytes hold, if it is known where one of the conditions holds.
    pub(super) fn load(&self, domain: &mut Domain, start: u64, bytes: u8, conditions: [Condition; 2]) -> Option<Value> {
        let end = start.checked_add(u64::from(bytes))?;
        let mut pieces = Vec::new();
        let mut at = start;
        while at < end {
            let (first, cell) = self.overlapping((at, at + 1)).next()?;
            if !conditions.into_iter().any(|g| domain.implies(g, cell.defined)) {
                return None;
            }
            let part = (at - first) as u8;
            let n = (cell.value.bytes - part).min((end - at) as u8);
            if !n.is_power_of_two() {
                return None;
            }
            let whole = part == 0 && n == cell.value.bytes;
            pieces.push(if whole { cell.value } else { domain.extract(cell.value, part, n) });
            at += u64::from(n);
        }
        match pieces.as_slice() {
            [one] => Some(*one),
            [_, _] | [_, _, _, _] | [_, _, _, _, _, _, _, _] => Some(domain.concatenate(&pieces)),
            _ => None,
        }
    }
}

/// Where threads have memory for themselves, as far as addresses tell.
#[derive(Clone, Default)]
pub struct Private {
    /// The variables that are computed from the number of the thread.
    numbered: Rc<FxHashSet<VariableId>>,
    /// The pointers to such memory.
    windows: FxHashSet<u64>,
}

impl Private {
    /// Reads which variables are computed from the number of the thread.
    #[must_use]
    pub fn of(program: &Program, object: &Object) -> Self {
        let own: Vec<VariableId> = THREAD_NUMBERS.iter().filter_map(|n| VariableId::of_predefined(n)).collect();
        let root = |v: VariableId| program.variables.get(v).map(|row| row.root);
        let views: Vec<View> =
            program.instructions_in(object).filter_map(|(index, _)| View::new(program, index)).collect();
        let reads_own =
            |view: &View| view.operands.iter().filter_map(Operand::variable).filter_map(root).any(|v| own.contains(&v));
        let mut numbered = FxHashSet::default();
        let Some(first) = views.iter().position(reads_own) else { return Self::default() };
        numbered.extend(own.iter().copied());
        // Compilers compute forwards; a second reading finds what loops carry.
        for _ in 0..2 {
            for view in views[first..].iter().filter(|v| !v.row.touches_memory()) {
                let reads = view.numbered_operands().any(|(_, operand, slot)| {
                    slot.role.reads() && operand.variable().and_then(root).is_some_and(|v| numbered.contains(&v))
                });
                if reads {
                    let written = view.numbered_operands().filter(|(_, _, slot)| slot.role.writes());
                    numbered.extend(written.filter_map(|(_, operand, _)| operand.variable()).filter_map(root));
                }
            }
        }
        for v in own {
            numbered.remove(&v);
        }
        Self { numbered: Rc::new(numbered), windows: FxHashSet::default() }
    }

    /// Whether an address belongs to memory that threads have for themselves.
    #[must_use]
    pub fn contains(&self, address: u64) -> bool {
        self.windows.contains(&window(address))
    }
}

impl Reader<'_> {
    /// Whether an operand is computed from the number of the thread.
    #[must_use]
    pub fn is_numbered(&self, operand: &Operand) -> bool {
        if self.private.numbered.is_empty() {
            return false;
        }
        let program = self.cx.program;
        let is_one =
            |v: VariableId| program.variables.get(v).is_some_and(|row| self.private.numbered.contains(&row.root));
        match operand {
            Operand::LscAddress { index } => program.lsc_addresses.get(*index as usize).is_some_and(|address| {
                let items = &program.lsc_items[address.first_item as usize..address.items_end as usize];
                items.iter().map(|i| i.value).chain(address.surface).filter_map(LscValue::variable).any(is_one)
            }),
            _ => operand.variable().is_some_and(is_one),
        }
    }

    /// What is loaded from an address, if this thread has stored it.
    pub fn load_from_memory(&mut self, address: Value, offset: u64, bytes: u8, active: Condition) -> Option<Value> {
        let start = address.as_known()?.checked_add(offset)?;
        self.state.memory.load(&mut self.domain, start, bytes, [active, self.state.reached])
    }
}

impl Machine<'_> {
    /// Threads have the memory at this address for themselves, as it is computed from the number of the thread.
    pub(in crate::interp::state) fn note_private(&mut self, address: Value) {
        if let Some(address) = address.as_known() {
            self.reader.private.windows.insert(window(address));
        }
    }

    /// Something orders threads: what they have in common may hold something else.
    pub fn forget_shared_memory(&mut self) {
        self.reader.state.memory.forget_shared(&self.reader.private.windows);
    }

    /// Any address may hold something else.
    pub fn forget_memory(&mut self) {
        if self.reader.cx.follows_memory() {
            self.state_mut().memory.clear();
            self.note_stored((0, u64::MAX));
            self.note_stored_to(None);
        }
    }

    /// A store whose address is not known.
    pub(in crate::interp::state) fn store_somewhere(&mut self) {
        self.forget_shared_memory();
        self.note_stored((0, u64::MAX));
    }

    /// Something is stored at an address, where `active` holds; nothing is known of it if there is no value.
    pub(in crate::interp::state) fn store_to_memory(
        &mut self,
        address: Value,
        (offset, bytes): (u64, u32),
        value: Option<Value>,
        active: Condition,
    ) {
        let (low, high) = self.reader.domain.range(address);
        let (start, end) = (low.saturating_add(offset), high.saturating_add(offset + u64::from(bytes)));
        if window(start) != window(end) {
            return self.forget_memory();
        }
        self.note_stored((start, end));
        match value.filter(|v| address.is_known() && u32::from(v.bytes) == bytes) {
            Some(value) => self.reader.state.memory.store(&mut self.reader.domain, start, value, active),
            None => self.state_mut().memory.forget((start, end)),
        }
    }

    fn note_stored(&mut self, bytes: Bytes) {
        if self.stored.last() != Some(&bytes) {
            self.stored.push(bytes);
        }
    }

    /// A point of time, to ask for the bytes that are stored to after it.
    pub fn mark_stored(&mut self) -> usize {
        // What is stored next counts as new, also where it was stored last.
        self.stored.push((0, 0));
        self.stored.len()
    }

    /// The bytes that have been stored to since a point of time.
    pub fn stored_since(&self, mark: usize) -> impl Iterator<Item = Bytes> + '_ {
        self.stored[mark..].iter().copied().filter(|(start, end)| start < end)
    }
}
