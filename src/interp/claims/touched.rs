//! Which memory the messages of a thread touch, as it is found out by executing one: whether a loop may wait for another
//! thread depends on that.

use crate::interp::domain::Value;
use crate::interp::state::{Buffer, Reader, Surface};
use crate::program::InstructionIndex;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// What the messages of an instruction touch.
#[derive(Clone, Default)]
pub(in crate::interp) struct Touched {
    /// Bytes that the thread has for itself; those between are counted, too.
    pub own: Option<Range<u64>>,
    /// Memory that threads have in common.
    buffers: FxHashSet<Buffer>,
    /// Whether it touches what other threads may store to, as far as that is known.
    is_shared: bool,
}

impl Touched {
    /// Whether none of what it loads is stored to by another thread.
    pub fn is_constant(&self, reader: &mut Reader) -> bool {
        !self.is_shared && self.buffers.iter().all(|buffer| reader.relies_on(*buffer))
    }

    /// Adds what a lane accesses: a number of bytes from an address on.
    fn add(&mut self, reader: &Reader, (surface, address): (Surface, Value), n_bytes: u64) {
        let start = address.constant;
        if surface == Surface::Flat && reader.is_private(start) {
            let bytes = if address.is_known() { start..start.saturating_add(n_bytes) } else { 0..u64::MAX };
            self.add_own(bytes);
        } else if let Some(buffer) = reader.buffer_of(surface, address) {
            self.buffers.insert(buffer);
        } else {
            self.is_shared = true;
        }
    }

    fn add_own(&mut self, bytes: Range<u64>) {
        let own = self.own.get_or_insert(bytes.clone());
        *own = own.start.min(bytes.start)..own.end.max(bytes.end);
    }
}

/// The same of all instructions.
#[derive(Clone, Default)]
pub(in crate::interp) struct AllTouched {
    by_instruction: FxHashMap<InstructionIndex, Touched>,
    /// Whether a thread has been executed, so that it is known.
    pub is_known: bool,
}

impl AllTouched {
    /// Notes what a message touches. Where a lane does so is nothing if that is not known.
    pub fn note(
        &mut self,
        reader: &Reader,
        instruction: InstructionIndex,
        places: impl IntoIterator<Item = Option<(Surface, Value)>>,
        n_bytes: u64,
    ) {
        let touched = self.by_instruction.entry(instruction).or_default();
        for place in places {
            match place {
                Some(place) => touched.add(reader, place, n_bytes),
                None => touched.is_shared = true,
            }
        }
    }

    /// The same, once the thread has been executed.
    #[must_use]
    pub fn known(self) -> Self {
        Self { is_known: true, ..self }
    }

    /// What an instruction touches, once that is known.
    pub fn of(&self, instruction: InstructionIndex) -> Option<&Touched> {
        self.by_instruction.get(&instruction).filter(|_| self.is_known)
    }
}
