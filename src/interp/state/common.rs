//! Memory that the threads of a group have in common, and what it holds while nothing stores to it: what two of them load
//! from one place is one number there.
//!
//! What a kernel stores to is known once its first thread has been executed. Should a later thread store to more than that,
//! what was found out before is wrong, and threads are executed again without such numbers.

use crate::interp::domain::atom::{Atom, AtomKind};
use crate::interp::domain::{Domain, Value};
use crate::interp::launch::{InputByte, Ways};
use crate::interp::state::memory::behind_pointer;
use crate::interp::state::{Machine, Reader};
use rustc_hash::{FxHashMap, FxHashSet};

/// Most places of which it is remembered what they hold.
const MAX_PLACES: usize = 1 << 16;

/// What an address is in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Surface {
    /// Shared local memory.
    Slm,
    /// Virtual memory.
    Flat,
    /// A surface.
    Bound {
        /// Its number, or where its state is.
        value: Value,
        /// Its number among several.
        index: Option<i64>,
        /// Whether it holds texels.
        is_typed: bool,
    },
}

/// Memory that all threads have in common.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Buffer {
    /// What lies behind the pointer with a number.
    Behind(u64),
    /// A surface of which no pointer is known.
    Bound(Surface),
}

impl Buffer {
    /// Whether another buffer is another memory, at least in most launches. A surface may be what lies behind a pointer.
    #[must_use]
    pub fn is_apart_from(self, other: Self) -> bool {
        self != other && matches!(self, Self::Behind(_)) == matches!(other, Self::Behind(_))
    }
}

/// Some bytes that a lane loads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Place {
    surface: Surface,
    address: Value,
    /// How many of them.
    bytes: u32,
    /// How many they are extended to.
    value_bytes: u8,
}

/// What is known of the memory that threads have in common.
#[derive(Clone, Default, Debug)]
pub struct Common {
    /// Memory that something stores to.
    stored: FxHashSet<Buffer>,
    /// Whether something may be stored anywhere.
    is_open: bool,
    /// Whether a thread has been executed, so that it is known what is stored to.
    is_ready: bool,
    /// What stands where.
    cells: FxHashMap<Place, Value>,
    /// Memory of which a number has been found that another load had brought.
    relied_on: FxHashSet<Buffer>,
}

impl Common {
    /// The same for threads that are executed again. Nothing has been loaded; whether it is known what is stored to, is said.
    #[must_use]
    pub fn restarted(&self, is_ready: bool) -> Self {
        Self { stored: self.stored.clone(), is_open: self.is_open, is_ready, ..Self::default() }
    }

    /// The same where it is never known what is stored to.
    #[must_use]
    pub fn unknown() -> Self {
        Self { is_open: true, ..Self::default() }
    }

    /// A thread has been executed.
    pub const fn set_ready(&mut self) {
        self.is_ready = true;
    }

    /// Whether something stores to a buffer whose address is known.
    #[must_use]
    pub fn is_stored(&self, buffer: Buffer) -> bool {
        self.stored.contains(&buffer)
    }

    /// Whether nothing stores to a buffer, whatever its address is.
    #[must_use]
    pub fn is_constant(&self, buffer: Buffer) -> bool {
        !self.is_open && self.stored.iter().all(|stored| stored.is_apart_from(buffer))
    }

    /// Whether something stores to memory of which it was taken that nothing does.
    #[must_use]
    pub fn is_wrong(&self) -> bool {
        self.relied_on.iter().any(|buffer| !self.is_constant(*buffer))
    }
}

impl Reader<'_> {
    /// What is known of the memory that threads have in common.
    #[must_use]
    pub const fn common(&self) -> &Common {
        &self.common
    }

    /// Whether nothing stores to a buffer, as far as that is known. If that turns out to be wrong, so is what is found out.
    pub fn relies_on(&mut self, buffer: Buffer) -> bool {
        let is_constant = self.common.is_constant(buffer);
        if is_constant {
            self.common.relied_on.insert(buffer);
        }
        is_constant
    }

    /// What a lane loads from some bytes of memory to which nothing stores, if another load has brought it; `new` if none
    /// has.
    pub fn common_value(&mut self, surface: Surface, (address, bytes): (Value, u32), new: Value) -> Value {
        let Common { cells, .. } = &self.common;
        let place = Place { surface, address, bytes, value_bytes: new.bytes };
        let known = cells.get(&place).copied();
        if known.is_none() && cells.len() >= MAX_PLACES {
            return new;
        }
        let is_own = surface == Surface::Flat && self.is_private(address.constant);
        let buffer = self.buffer_of(surface, address).filter(|buffer| !is_own && self.common.is_constant(*buffer));
        let Some(buffer) = buffer else { return new };
        if let Some(value) = known.filter(|_| self.common.is_ready) {
            self.common.relied_on.insert(buffer);
            return value;
        }
        self.common.cells.insert(place, new);
        new
    }

    /// The buffer to which an address belongs, if it is known.
    #[must_use]
    pub fn buffer_of(&self, surface: Surface, address: Value) -> Option<Buffer> {
        let ways = &self.cx().launch.reached;
        match surface {
            Surface::Slm => None,
            Surface::Flat => behind_pointer(address.constant).map(|(number, _)| Buffer::Behind(number)),
            Surface::Bound { .. } => {
                let is_of = |ways: &&Ways| ways.base_of(&self.domain, surface, address).is_some();
                let pointer = ways.iter().find(is_of).and_then(|ways| ways.pointer);
                Some(pointer.map_or(Buffer::Bound(surface), |pointer| Buffer::Behind(pointer.number())))
            }
        }
    }
}

impl Machine<'_> {
    /// Something is stored to a buffer, or anywhere.
    pub(in crate::interp::state) fn note_stored_to(&mut self, buffer: Option<Buffer>) {
        let common = &mut self.reader.common;
        match buffer {
            Some(buffer) => {
                common.stored.insert(buffer);
            }
            None => common.is_open = true,
        }
    }
}

impl Ways {
    /// The unknown at which the buffer begins, if an address belongs to it; `Some(None)` if it begins at zero.
    #[expect(clippy::option_option, reason = "zero is an address, too")]
    pub(in crate::interp) fn base_of(&self, domain: &Domain, surface: Surface, address: Value) -> Option<Option<Atom>> {
        // Whether an unknown is what an input holds.
        let is_of = |atom: Atom, input: Option<InputByte>| match domain.kind(atom) {
            AtomKind::Initial(variable, element) => input
                .is_some_and(|w| (w.variable.0, w.offset) == (variable, element * u32::from(domain.block(atom).bytes))),
            _ => false,
        };
        let wanted = match surface {
            Surface::Flat => self.pointer,
            Surface::Bound { value, index: None, is_typed: false } => {
                let is_state = || match *domain.terms(value.sum).as_slice() {
                    [one] => one.coefficient == 1 && value.constant == 0 && is_of(one.atom, self.state),
                    _ => false,
                };
                if !(self.surface.is_some() && value.as_known() == self.surface || is_state()) {
                    return None;
                }
                self.offset
            }
            Surface::Bound { .. } | Surface::Slm => return None,
        };
        let is_wanted = |atom: Atom| is_of(atom, wanted);
        let terms = domain.terms(address.sum);
        let base = terms.iter().find(|t| t.coefficient == 1 && is_wanted(t.atom)).map(|t| t.atom);
        match surface {
            Surface::Flat => base.map(Some),
            _ => Some(base),
        }
    }
}
