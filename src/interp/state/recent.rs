//! What a thread has stored since something ordered threads last, at addresses of which not all need be known, as a kernel
//! has it that keeps values in shared local memory or on its stack.
//!
//! Addresses of one sum are known distances apart. Of any others it is not known whether they are the same, so that a store
//! leaves nothing of what was stored elsewhere in the same memory.

use crate::interp::domain::condition::Condition;
use crate::interp::domain::sum::Sum;
use crate::interp::domain::{Domain, Value};
use crate::interp::state::memory::Memory;
use crate::interp::state::{Machine, Reader, Surface};
use std::rc::Rc;

/// Addresses that are known distances apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// The memory.
    pub surface: Surface,
    /// What is unknown of the addresses.
    pub sum: Sum,
}

/// What has been stored.
#[derive(Clone, Default, Debug)]
pub struct Recent(Rc<Vec<(Place, Memory)>>);

impl Recent {
    /// What is stored from some byte of a place on, if it is known where one of the conditions holds.
    fn load(
        &self,
        domain: &mut Domain,
        place: Place,
        (start, bytes): (u64, u8),
        conditions: [Condition; 2],
    ) -> Option<Value> {
        let (_, memory) = self.0.iter().find(|(own, _)| *own == place)?;
        memory.load(domain, start, bytes, conditions)
    }

    fn forget_but(&mut self, is_slm: bool, kept: Option<Place>) {
        let stays = |place: &Place| (place.surface == Surface::Slm) != is_slm || kept == Some(*place);
        if !self.0.iter().all(|(place, _)| stays(place)) {
            Rc::make_mut(&mut self.0).retain(|(place, _)| stays(place));
        }
    }

    fn store(
        &mut self,
        domain: &mut Domain,
        place: Place,
        (start, bytes): (u64, u32),
        value: Option<Value>,
        active: Condition,
    ) {
        let all = Rc::make_mut(&mut self.0);
        let at = all.iter().position(|(own, _)| *own == place).unwrap_or_else(|| {
            all.push((place, Memory::default()));
            all.len() - 1
        });
        match value.filter(|value| u32::from(value.bytes) == bytes) {
            Some(value) => all[at].1.store(domain, start, value, active),
            None => all[at].1.forget((start, start.saturating_add(bytes.into()))),
        }
    }
}

impl Reader<'_> {
    /// What this thread has stored last from some byte of a place on.
    pub fn load_recent(&mut self, place: Place, bytes: (u64, u8), active: Condition) -> Option<Value> {
        self.state.recent.load(&mut self.domain, place, bytes, [active, self.state.reached])
    }

    /// Whether anything is known of what was stored.
    #[must_use]
    pub fn has_recent(&self) -> bool {
        !self.state.recent.0.is_empty()
    }
}

impl Machine<'_> {
    /// Nothing is known any more of what was stored.
    pub fn forget_recent(&mut self) {
        if !self.reader.state.recent.0.is_empty() {
            self.reader.state.recent = Recent::default();
        }
    }

    /// Something is stored in shared local memory, or elsewhere: nothing is left there but what is held in one place.
    pub(in crate::interp::state) fn forget_recent_but(&mut self, is_slm: bool, kept: Option<Place>) {
        self.reader.state.recent.forget_but(is_slm, kept);
    }

    /// Something is stored from some byte of a place on, where `active` holds; nothing is known of it if there is no value.
    pub(in crate::interp::state) fn store_recent(
        &mut self,
        place: Place,
        bytes: (u64, u32),
        value: Option<Value>,
        active: Condition,
    ) {
        self.reader.state.recent.store(&mut self.reader.domain, place, bytes, value, active);
    }
}
