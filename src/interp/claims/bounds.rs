//! Whether accesses lie within memory whose size is known: shared local memory, and buffers that the user names.
//!
//! That an access lies inside is claimed where it does for every value of what is not known. That it lies outside is
//! claimed of one work-item of the first group, with the numbers that it has.

use crate::interp::claims::Claims;
use crate::interp::claims::facts::{Bounds, Fact, FactKind, Outside, Side};
use crate::interp::claims::message::without_tag;
use crate::interp::claims::races::{Access, RaceLog};
use crate::interp::domain::sum::Sum;
use crate::interp::domain::{Value, sign_extended};
use crate::interp::launch::{Buffer, Group};
use crate::interp::state::memory::behind_pointer;
use crate::interp::state::{Reader, Surface};
use crate::interp::transfer::message::{Message, Space};
use crate::program::{InstructionIndex, View};
use std::collections::BTreeMap;

impl<'p> Claims<'_, 'p> {
    /// Notes whether all lanes of a message stay within their memory, if that is asked for.
    pub(in crate::interp) fn note_bounds(&mut self, view: &View<'p>, message: &Message) {
        if !self.reader.cx().launch.notes_bounds || message.space == Space::Urb {
            return;
        }
        let bounds = match self.reader.addresses(view, message) {
            Some(addresses) if message.space != Space::Typed => {
                let surface = self.reader.surface_of(view, message.space);
                let lanes = message.exec_mask.active();
                lanes.map(|lane| self.bounds_of(message, surface, lane, addresses.at(lane))).max()
            }
            _ => Some(Bounds::NoSize),
        };
        if let Some(bounds) = bounds {
            let known = self.record.facts.bounds.entry(view.index.0).or_insert(bounds);
            *known = bounds.max(*known);
        }
    }

    fn bounds_of(&mut self, message: &Message, surface: Option<Surface>, lane: u32, address: Value) -> Bounds {
        let launch = self.reader.cx().launch;
        let (place, size) = match surface {
            Some(Surface::Slm) => match launch.slm_bytes {
                Some(size) => (without_tag(&self.reader.domain, address), size),
                None => return Bounds::NoSize,
            },
            Some(surface) => match self.in_buffer(surface, address) {
                Some((place, buffer)) => (Some(place), buffer.bytes),
                None => return Bounds::NoSize,
            },
            None => return Bounds::NoSize,
        };
        let Some(place) = place else { return Bounds::Open };
        let pieces = message.pieces.iter().filter(|p| p.possible >> lane & 1 == 1);
        let end = pieces.map(|p| p.offset + u64::from(p.bytes)).max().unwrap_or(0);
        let (active, reached) = (message.exec_mask.at(lane), self.reader.state().reached);
        let active = self.reader.domain.and(active, reached);
        let place = self.reader.domain.assume(place, active);
        let (_, high) = self.reader.domain.range(place);
        if high.checked_add(end).is_some_and(|end| end <= size) { Bounds::Inside } else { Bounds::Open }
    }

    /// The buffer that an address belongs to, and the bytes from its beginning.
    fn in_buffer(&mut self, surface: Surface, address: Value) -> Option<(Value, &'p Buffer)> {
        let launch = self.reader.cx().launch;
        let (buffer, base) = launch.buffers.iter().find_map(|buffer| {
            let base = buffer.ways.base_of(&self.reader.domain, surface, address)?;
            Some((buffer, base))
        })?;
        match base {
            Some(atom) => {
                let base = Value { constant: 0, sum: Sum::single(atom), bytes: self.reader.domain.block(atom).bytes };
                let base = self.reader.domain.resize(base, address.bytes);
                Some((self.reader.domain.subtract(address, base), buffer))
            }
            None => Some((address, buffer)),
        }
    }
}

impl RaceLog {
    /// The accesses outside of memory whose size is known: of each instruction that of the first work-item.
    pub(super) fn outside(&self, reader: &Reader, group: &Group, accesses: &[Access]) -> Vec<Fact> {
        let launch = reader.cx().launch;
        if launch.slm_bytes.is_none() && launch.buffers.is_empty() || !reader.cx().knows_group {
            return Vec::new();
        }
        let mut found: BTreeMap<InstructionIndex, (Outside, &Access)> = BTreeMap::new();
        for access in accesses.iter().filter(|a| a.weak.is_none() && a.active.is_true()) {
            let Some((byte, size, buffer)) = place_of(reader, access) else { continue };
            let end = i128::from(byte) + i128::from(access.bytes);
            if byte >= 0 && end <= i128::from(size) {
                continue;
            }
            let side = self.side(group, access);
            let number =
                |side: &Side| side.item.map_or((u32::MAX, 0, 0, side.thread, side.lane), |[x, y, z]| (z, y, x, 0, 0));
            let instruction = self.instruction_of(access);
            if found.get(&instruction).is_none_or(|(other, _)| number(&side) < number(&other.side)) {
                let buffer = buffer.map(str::to_owned);
                found.insert(instruction, (Outside { side, byte, n_bytes: access.bytes, size, buffer }, access));
            }
        }
        found
            .into_iter()
            .map(|(_, (outside, access))| self.fact_at(access, FactKind::Outside(Box::new(outside))))
            .collect()
    }
}

/// The byte of its memory at which an access begins, if that is known; with the size of the memory, and its name.
fn place_of<'r>(reader: &'r Reader, access: &Access) -> Option<(i64, u64, Option<&'r str>)> {
    let launch = reader.cx().launch;
    let target = access.target;
    let start = Value { constant: access.start, sum: target.sum, bytes: target.width };
    match target.surface {
        Surface::Slm => {
            let place = without_tag(&reader.domain, start)?.as_known()?;
            Some((i64::try_from(place).ok()?, launch.slm_bytes?, None))
        }
        Surface::Flat => {
            let (number, bytes) = start.as_known().and_then(behind_pointer)?;
            let is_it = |b: &&Buffer| b.ways.pointer.is_some_and(|p| p.number() == number);
            launch.buffers.iter().find(is_it).map(|b| (bytes, b.bytes, Some(&*b.name)))
        }
        surface @ Surface::Bound { .. } => launch.buffers.iter().find_map(|buffer| {
            let base = buffer.ways.base_of(&reader.domain, surface, start)?;
            let n_terms = reader.domain.terms(start.sum).as_slice().len();
            let is_known = n_terms == usize::from(base.is_some());
            is_known.then(|| (sign_extended(start.constant, start.bytes), buffer.bytes, Some(&*buffer.name)))
        }),
    }
}
