//! What messages and instructions without an operation write to variables.

use crate::interp::domain::atom::Origin;
use crate::interp::domain::condition::Condition;
use crate::interp::domain::lanes::Lanes;
use crate::interp::domain::{LANES, Value, mask};
use crate::interp::state::{Change, Location, Reader, lane_after_lane};
use crate::interp::transfer::effects::{Effects, Loaded};
use crate::interp::transfer::message::{Data, Message, Piece, Space};
use crate::interp::transfer::recent::BLOCK_UNIT;
use crate::program::{Operand, VariableId, View};
use crate::spec::OperandName;
use crate::spec::expression::Expression;
use crate::spec::instruction::{AccessKind, Effect};
use std::ops::Range;

impl<'p> Reader<'p> {
    /// Where a piece of an access lands in the destination: the byte of lane 0, and bytes from lane to lane.
    pub(in crate::interp) fn table_target(
        &mut self,
        view: &View<'p>,
        access: &'static crate::spec::instruction::Access,
        message: &Message,
        piece: usize,
    ) -> Option<(u32, u32)> {
        let Expression::Element(_, index) = access.value? else { return None };
        let bytes = access.value_bytes;
        // Atomic operations give the old value where their source stands in the formula.
        let at = |machine: &mut Self, lane: u32| machine.value_index(view, access, index, message, lane, piece);
        let first = at(self, 0)?;
        let second = if message.exec_mask.len() > 1 { at(self, 1)? } else { first + 1 };
        Some((u32::try_from(first).ok()? * bytes, u32::try_from(second - first).ok()? * bytes))
    }

    /// The dwords of a raw operand, one for each lane.
    pub(in crate::interp) fn payload_lanes(
        &mut self,
        operand: &Operand,
        exec_mask: &Lanes<Condition>,
    ) -> Option<Lanes<Value>> {
        let at = self.raw_location(operand)?;
        let at = Location { bytes: 4, region: lane_after_lane(), ..at };
        Some(self.read_at(at, exec_mask).0)
    }
}

impl<'p> Reader<'p> {
    /// Everything that an instruction writes is unknown from now on.
    pub(super) fn forget_results(&mut self, view: &View<'p>, effects: &mut Effects) {
        let exec_mask = Lanes::run(self.state().reached, view.n_lanes());
        self.write_results(view, &[], &exec_mask, effects);
    }

    /// Writes what messages bring, and forgets other destinations.
    pub(super) fn write_results(
        &mut self,
        view: &View<'p>,
        messages: &[Message],
        exec_mask: &Lanes<Condition>,
        effects: &mut Effects,
    ) {
        for place in 0..view.operands.len() {
            let slot = view.slot_of(place);
            if !slot.role.writes() || view.operands[place].is_null() {
                continue;
            }
            let is_loaded = messages.iter().any(|m| self.write_loaded(view, place, m, effects));
            if !is_loaded {
                self.forget_result(view, place, exec_mask, effects);
                for message in messages {
                    self.write_block(view, place, message, effects);
                    self.write_recent(view, place, message, effects);
                }
            }
        }
    }

    /// The elements that lanes load into a destination; false if they are not known one by one.
    fn write_loaded(&mut self, view: &View<'p>, place: usize, message: &Message, effects: &mut Effects) -> bool {
        let Some(start) = self.raw_location(&view.operands[place]) else { return false };
        // The elements of a block are told apart only where they decide something.
        let is_block = matches!(message.data, Data::Grouped { .. }) && self.cx().shared_from.is_some();
        if !message.is_per_lane && !is_block {
            return false;
        }
        let n = message.exec_mask.len();
        let slot = view.slot_of(place);
        // Where each piece of each lane lands, and how much of it is defined.
        let (extent, element_bytes, skipped) = match message.data {
            Data::Table(access) => {
                let type_bytes =
                    view.operands[place].variable().map_or(4, |v| self.cx().program.variables[v].element_bytes());
                let extent = slot.bytes.and_then(|f| view.evaluate(f, self.cx().grf_bytes, type_bytes));
                (
                    extent,
                    if message.kind == AccessKind::Atomic { access.value_bytes.max(4) } else { access.value_bytes },
                    0,
                )
            }
            Data::Grouped { stride, skipped, .. } => {
                let extent = self.lsc_shape(view).and_then(|(_, s)| self.lsc_data_bytes(&s, n));
                (extent.map(i64::from), stride, skipped)
            }
            Data::None => return false,
        };
        let Some(extent) = extent.and_then(|e| u32::try_from(e).ok()) else { return false };
        let Ok(first) = u32::try_from(start.start) else { return false };
        // The rest of the last register is written, too, with nothing.
        let end = first.saturating_add(extent.next_multiple_of(self.cx().grf_bytes));
        let n_bytes = self.cx().program.variable_bytes(self.cx().variable_of(start.root), self.cx().grf_bytes);
        // What an extended element has beyond the bytes of memory: zeros for LSC, nothing for the others.
        let is_extended = matches!(message.data, Data::Grouped { .. });
        let mut targets = Vec::with_capacity(message.pieces.len());
        for (i, piece) in message.pieces.iter().enumerate() {
            let bytes = if is_extended { element_bytes } else { piece.bytes.min(element_bytes) };
            if !matches!(bytes, 1 | 2 | 4 | 8) || skipped > 0 {
                return false;
            }
            let stride = match message.data {
                Data::Grouped { group, stride, .. } => (i as u32 * group, stride),
                Data::Table(access) => {
                    let Some((offset, stride)) = self.table_target(view, access, message, i) else { return false };
                    (offset, stride)
                }
                Data::None => return false,
            };
            targets.push((stride, bytes as u8));
        }
        // Lanes that are off keep what they have; behind a branch of all lanes none is off where one is on.
        let covered = message.exec_mask.as_same().filter(|_| message.kind != AccessKind::Write);
        if let Some(active) = covered {
            self.undefine(view, start.root, first..end.min(n_bytes), active, effects);
        }
        let is_apart = message.kind != AccessKind::Read || has_own_places(message);
        for (piece, ((offset, stride), bytes)) in targets.into_iter().enumerate() {
            // What is narrower in memory is extended with zeros.
            let n_loaded = message.pieces[piece].bytes.min(u32::from(bytes)) as u8;
            let origin = if is_apart { Origin::Own } else { Origin::Result };
            let unknown = self.domain.unknown_up_to(bytes, origin, mask(n_loaded));
            self.note_load(view, message, piece, unknown, effects);
            // Threads of a group are compared with the addresses of each load.
            let is_of_group = self.cx().shared_from.is_some();
            let new = if is_of_group { Lanes::run(unknown, n) } else { alike(message, unknown) };
            let values = self.with_common(view, message, piece, new);
            let values = self.with_stored(view, message, piece, &values);
            let values = self.with_recent(view, message, piece, values);
            let base = start.start + i64::from(offset);
            for lane in 0..n {
                let at = Location { start: base + i64::from(lane * stride), bytes, ..start };
                let exec_mask = Lanes::run(message.exec_mask.at(lane), 1);
                if lane == 0 && stride == u32::from(bytes) {
                    // Lane after lane: all at once.
                    let all = Location { region: lane_after_lane(), ..at };
                    effects.write(all, values, message.exec_mask.clone());
                    break;
                }
                effects.write(at, Lanes::run(values.at(lane), 1), exec_mask);
            }
        }
        true
    }

    /// The dwords of a block, where threads are compared: what two of them load from one place of memory to which nothing
    /// stores is one number.
    fn write_block(&mut self, view: &View<'p>, place: usize, message: &Message, effects: &mut Effects) {
        let is_block = message.kind == AccessKind::Read && self.block_location(view, message).is_some();
        if self.cx().shared_from.is_none() || !is_block || self.has_its_own(view) {
            return;
        }
        let first = self.raw_location(&view.operands[place]).filter(|at| self.cx().is_followed(at.root));
        let surface = self.surface_of(view, message.space);
        let (Some(first), Some(surface), Some(addresses)) = (first, surface, self.addresses(view, message)) else {
            return;
        };
        let Piece { offset, bytes, .. } = message.pieces[0];
        let is_constant = matches!(message.space, Space::Flat | Space::Surface) && self.cx().follows_memory();
        for (part, start) in (0..bytes).step_by((LANES * u32::from(BLOCK_UNIT)) as usize).enumerate() {
            let n = (bytes - start).div_ceil(BLOCK_UNIT.into()).min(LANES);
            let address = addresses.at(0).plus(offset + u64::from(start));
            let places = Lanes::of(n, |i| address.plus(u64::from(i * u32::from(BLOCK_UNIT))));
            let unknown = self.domain.unknown(BLOCK_UNIT, Origin::Result);
            let loaded = Loaded { piece: part, offset: 0, addresses: places.clone(), unknown, space: message.space };
            effects.loaded.push(loaded);
            let values = Lanes::of(n, |i| {
                let place = (places.at(i), BLOCK_UNIT.into());
                if is_constant { self.common_value(surface, place, unknown.at(i)) } else { unknown.at(i) }
            });
            let at = Location { start: first.start + i64::from(start), bytes: BLOCK_UNIT, ..first };
            let at = Location { region: lane_after_lane(), ..at };
            effects.write(at, values, Lanes::run(message.exec_mask.at(0), n));
        }
    }

    /// A destination holds something unknown from now on.
    pub(super) fn forget_result(
        &mut self,
        view: &View<'p>,
        place: usize,
        exec_mask: &Lanes<Condition>,
        effects: &mut Effects,
    ) {
        match view.operands[place] {
            Operand::Predicate { variable } => {
                let bits = Lanes::run(self.domain.unknown_condition(), exec_mask.len());
                let (first, exec_mask) = (view.first_lane(), exec_mask.clone());
                effects.changes.push(Change::SetPredicate { variable, first, bits, exec_mask });
            }
            Operand::Indirect { element_type, .. } => {
                let unknown = self.domain.unknown(element_type.bytes() as u8, Origin::Result);
                self.write(view, place, Lanes::run(unknown, exec_mask.len()), exec_mask.clone(), effects);
            }
            Operand::General { .. } => {
                if let Some((at, _)) = self.direct_location(&view.operands[place]) {
                    let is_address = view.row.slot(OperandName::FUNCTION).is_some();
                    let origin = if is_address { Origin::Function } else { Origin::Result };
                    let unknown = self.domain.unknown(at.bytes, origin);
                    effects.write(at, Lanes::run(unknown, exec_mask.len()), exec_mask.clone());
                }
            }
            Operand::State { variable, .. } | Operand::Address { variable, .. } | Operand::Handle { variable, .. } => {
                effects.changes.push(Change::ForgetVariable(variable));
            }
            ref operand => self.forget_registers(view, place, operand, exec_mask, effects),
        }
    }

    /// The bytes that a message writes to registers are unknown from now on; what it leaves in the last register, and between
    /// channels, is not defined.
    fn forget_registers(
        &mut self,
        view: &View<'p>,
        place: usize,
        operand: &Operand,
        exec_mask: &Lanes<Condition>,
        effects: &mut Effects,
    ) {
        let Some(start) = self.raw_location(operand) else {
            effects.changes.extend(operand.variable().map(Change::ForgetVariable));
            return;
        };
        let variable = operand.variable().unwrap_or(VariableId::NULL);
        let (program, grf_bytes) = (self.cx().program, self.cx().grf_bytes);
        let n_bytes = program.variable_bytes(self.cx().variable_of(start.root), grf_bytes);
        let slot = view.slot_of(place);
        let type_bytes = program.variables[variable].element_bytes();
        let extent = match operand {
            Operand::LscData { shape, .. } => program
                .lsc_shapes
                .get(*shape as usize)
                .and_then(|s| self.lsc_loaded_bytes(s, exec_mask.len()))
                .map(i64::from),
            _ => slot.bytes.and_then(|f| view.evaluate(f, grf_bytes, type_bytes)),
        };
        let first = u32::try_from(start.start).unwrap_or(0);
        // Where the extent is not known, everything to the end of the variable.
        let (end, last) = match extent.and_then(|e| u32::try_from(e).ok()) {
            Some(extent) => {
                let last = first.saturating_add(extent.next_multiple_of(grf_bytes)).min(n_bytes);
                (first.saturating_add(extent).min(last), last)
            }
            None => (n_bytes, n_bytes),
        };
        let active = exec_mask.as_same().unwrap_or(self.state().reached);
        let root = start.root;
        effects.changes.push(Change::Forget { root, bytes: first..end, active, origin: Origin::Result });
        let channel = slot.channel_bytes.and_then(|f| view.evaluate(f, grf_bytes, type_bytes));
        if let Some(channel) = channel.and_then(|bytes| u32::try_from(bytes).ok()).filter(|bytes| *bytes > 0) {
            let padded = channel.next_multiple_of(grf_bytes);
            for at in (first..end).step_by(padded as usize) {
                self.undefine(view, root, at + channel..(at + padded).min(end), active, effects);
            }
        }
        self.undefine(view, root, end..last, active, effects);
    }

    /// Bytes of a variable that an instruction writes, but leaves undefined.
    fn undefine(&mut self, view: &View<'p>, root: usize, bytes: Range<u32>, active: Condition, effects: &mut Effects) {
        if bytes.is_empty() {
            return;
        }
        let is_dwords = bytes.start.is_multiple_of(4) && bytes.end.is_multiple_of(4);
        self.content(root, bytes.start, if is_dwords { 4 } else { 1 });
        effects.changes.push(Change::Undefine { root, bytes, active, writer: view.index.0 });
    }
}

impl<'p> Reader<'p> {
    /// What lanes load, where it is known what they have stored there.
    fn with_stored(
        &mut self,
        view: &View<'p>,
        message: &Message,
        piece: usize,
        unknown: &Lanes<Value>,
    ) -> Lanes<Value> {
        let is_plain = self.cx().follows_memory() && message.kind == AccessKind::Read && message.space == Space::Flat;
        if !is_plain || self.state().memory.is_empty() {
            return unknown.clone();
        }
        let Some(addresses) = self.addresses(view, message) else { return unknown.clone() };
        let Piece { offset, bytes, .. } = message.pieces[piece];
        let Some(bytes) = u8::try_from(bytes).ok().filter(|b| matches!(b, 1 | 2 | 4 | 8)) else {
            return unknown.clone();
        };
        Lanes::of(unknown.len(), |lane| {
            let stored = self.load_from_memory(addresses.at(lane), offset, bytes, message.exec_mask.at(lane));
            let other = unknown.at(lane);
            stored.map_or(other, |value| self.domain.resize(value, other.bytes))
        })
    }

    /// What lanes load, where other loads have brought it from memory to which nothing stores.
    fn with_common(&mut self, view: &View<'p>, message: &Message, piece: usize, new: Lanes<Value>) -> Lanes<Value> {
        let is_of_group = self.cx().shared_from.is_some() && self.cx().follows_memory();
        let is_plain = message.kind == AccessKind::Read && matches!(message.space, Space::Flat | Space::Surface);
        if !is_of_group || !is_plain || self.has_its_own(view) {
            return new;
        }
        let surface = self.surface_of(view, message.space);
        let Some((surface, addresses)) = surface.zip(self.addresses(view, message)) else { return new };
        let Piece { offset, bytes, .. } = message.pieces[piece];
        Lanes::of(new.len(), |lane| {
            let is_active = !message.exec_mask.at(lane).is_false();
            let place = (addresses.at(lane).plus(offset), bytes);
            if is_active { self.common_value(surface, place, new.at(lane)) } else { new.at(lane) }
        })
    }

    /// The address of each lane, with the base of all lanes where it stands for itself.
    pub fn addresses(&mut self, view: &View<'p>, message: &Message) -> Option<Lanes<Value>> {
        let offsets = message.coordinates.first()?.clone();
        let base = self.lsc_address(view).and_then(|(_, address)| address.surface);
        let base_bytes = match message.space {
            Space::Flat => 8,
            // Addresses of shared local memory have 32 bits.
            Space::Slm => 4,
            Space::Surface | Space::Typed | Space::Urb => return Some(offsets),
        };
        let Some(base) = base else { return Some(offsets) };
        let at = self.lsc_value_location(base, base_bytes)?;
        let base = self.read_at(at, &Lanes::run(Condition::TRUE, 1)).0.at(0);
        if message.space == Space::Slm {
            return Some(offsets.map(|offset| {
                let base = self.domain.resize(base, offset.bytes);
                self.domain.add(base, offset)
            }));
        }
        Some(offsets.map(|offset| {
            let is_positive = i32::try_from(self.domain.range(offset).1).is_ok();
            // How offsets of 32 bits are extended is left open.
            let wide = if offset.bytes == 8 || is_positive {
                self.domain.resize(offset, 8)
            } else {
                self.domain.unknown_one(8, Origin::Result)
            };
            self.domain.add(base, wide)
        }))
    }
}

impl<'p> Reader<'p> {
    /// Remembers what messages store at known addresses, and forgets what they may overwrite.
    pub(super) fn store(&mut self, view: &View<'p>, messages: &[Message], effects: &mut Effects) {
        if self.cx().shared_from.is_some() {
            messages.iter().filter(|m| m.kind.stores()).for_each(|m| self.note_stored_to(view, m, effects));
        }
        if !self.cx().follows_memory() {
            return;
        }
        if messages.is_empty() {
            let orders = |effect: &Effect| matches!(effect, Effect::Fence | Effect::Barrier | Effect::FlushesSampler);
            let only_orders = view.row.effects.iter().any(orders) && !view.row.effects.contains(&Effect::WritesMemory);
            let only_loads = !view.row.accesses.is_empty() && view.row.accesses.iter().all(|a| !a.kind.stores());
            if !only_orders && !only_loads {
                effects.changes.push(Change::ForgetMemory);
            }
            return;
        }
        for message in messages {
            let addresses = self.addresses(view, message);
            if let (Space::Flat, Some(addresses)) = (message.space, &addresses)
                && view.operands.get(message.address_place).is_some_and(|operand| self.is_numbered(operand))
            {
                for lane in message.exec_mask.active() {
                    effects.changes.push(Change::OwnMemory(addresses.at(lane)));
                }
            }
            if message.kind == AccessKind::Atomic {
                effects.changes.push(Change::ForgetSharedMemory);
            }
            if !message.kind.stores() || matches!(message.space, Space::Slm | Space::Urb | Space::Typed) {
                continue;
            }
            let Some(addresses) = addresses.filter(|_| message.space == Space::Flat) else {
                // The same memory may be reached through a surface.
                effects.changes.push(Change::StoreSomewhere);
                continue;
            };
            for lane in message.exec_mask.active() {
                let active = message.exec_mask.at(lane);
                for i in 0..message.pieces.len() {
                    let Piece { offset, bytes, certain, possible, .. } = message.pieces[i];
                    if possible >> lane & 1 == 0 {
                        continue;
                    }
                    let is_plain = message.kind == AccessKind::Write && certain >> lane & 1 == 1;
                    let value = if is_plain { self.datum(view, message, lane, i) } else { None };
                    let address = addresses.at(lane);
                    effects.changes.push(Change::Store { address, bytes: (offset, bytes), value, active });
                }
            }
        }
    }
}

impl<'p> Reader<'p> {
    /// Adds to the effects which memory a message stores to.
    fn note_stored_to(&mut self, view: &View<'p>, message: &Message, effects: &mut Effects) {
        if matches!(message.space, Space::Slm | Space::Urb) || self.has_its_own(view) {
            return;
        }
        let surface = self.surface_of(view, message.space);
        let Some((surface, addresses)) = surface.zip(self.addresses(view, message)) else {
            return effects.changes.push(Change::StoreTo(None));
        };
        let mut last = None;
        for lane in message.exec_mask.active() {
            let buffer = self.buffer_of(surface, addresses.at(lane));
            if last != Some(buffer) {
                effects.changes.push(Change::StoreTo(buffer));
                last = Some(buffer);
            }
        }
    }

    /// Notes where the lanes of a load take an unknown number from, if threads are compared.
    fn note_load(&mut self, view: &View<'p>, message: &Message, piece: usize, unknown: Value, effects: &mut Effects) {
        if self.cx().shared_from.is_none() || message.kind != AccessKind::Read {
            return;
        }
        if let Some(addresses) = self.addresses(view, message) {
            let (offset, space) = (message.pieces[piece].offset, message.space);
            effects.loaded.push(Loaded { piece, offset, addresses, unknown, space });
        }
    }
}

/// Whether each lane certainly loads from a place of its own.
fn has_own_places(message: &Message) -> bool {
    let n = message.exec_mask.len();
    message.coordinates.iter().any(|places| {
        let first = places.at(0);
        let distances = (0..n).map(|lane| Some(places.at(lane)).filter(|p| p.sum == first.sum).map(|p| p.constant));
        let Some(mut distances) = distances.collect::<Option<Vec<u64>>>() else { return false };
        distances.sort_unstable();
        distances.dedup();
        distances.len() == n as usize
    })
}

/// What lanes load that is not known: one number for those that load it from one place, another one for each of the others.
fn alike(message: &Message, unknown: Value) -> Lanes<Value> {
    let n = message.exec_mask.len();
    let places = &message.coordinates;
    let is_run = |place: &Lanes<Value>| place.as_run().is_some();
    let is_one = |place: &Lanes<Value>| place.as_run().is_some_and(|run| run.at(0) == run.at(1));
    if message.kind != AccessKind::Read || places.is_empty() {
        return Lanes::run(unknown, n);
    }
    if places.iter().all(is_one) {
        return Lanes::of(n, |_| unknown.at(0));
    }
    // The lanes of a run have atoms of their own.
    if places.iter().any(|place| is_run(place) && !is_one(place)) {
        return Lanes::run(unknown, n);
    }
    let is_same = |one: u32, two: u32| places.iter().all(|place| place.at(one) == place.at(two));
    Lanes::of(n, |lane| unknown.at((0..lane).find(|other| is_same(*other, lane)).unwrap_or(lane)))
}
