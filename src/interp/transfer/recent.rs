//! Messages that load what the same thread has stored shortly before.

use crate::interp::domain::Value;
use crate::interp::domain::condition::Condition;
use crate::interp::domain::lanes::Lanes;
use crate::interp::state::memory::THREAD_NUMBERS;
use crate::interp::state::recent::Place;
use crate::interp::state::{Change, Context, Location, Reader, Surface};
use crate::interp::transfer::effects::Effects;
use crate::interp::transfer::lets_others_store;
use crate::interp::transfer::message::{Data, Message, Piece, Space};
use crate::program::lsc::LscValue;
use crate::program::{Operand, Region, VariableId, View};
use crate::spec::expression::{Expression, Variable};
use crate::spec::instruction::{AccessKind, Effect, Flow};
use rustc_hash::FxHashSet;

/// Bytes that elements of a block are stored and loaded by.
pub(super) const BLOCK_UNIT: u8 = 4;
/// Bytes of a block that are remembered.
const MAX_BLOCK_BYTES: u32 = 512;

/// Where a value comes from, as far as constants do not tell: equal numbers for equal sources.
type Source = u64;

/// Stands for the memory that a thread has for itself. Compilers that do not optimize keep all of their variables there:
/// what these hold is followed where threads are compared.
const OWN: Source = u64::MAX;
/// What addresses of such memory are computed from, apart from what threads are told apart by.
const STACK: [&str; 2] = ["%sp", "%fp"];

/// One number of two; zero stands for a constant.
const fn both(a: Source, b: Source) -> Source {
    match (a, b) {
        (0, one) | (one, 0) => one,
        (OWN, _) | (_, OWN) => OWN,
        _ => a.rotate_left(5).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ b,
    }
}

impl Context<'_> {
    /// Looks whether lanes may load what they have stored, with nothing between the two that orders threads: whether an
    /// address is computed from the same variables as one that something was stored to.
    pub fn note_reloads(&mut self) {
        self.loads_again = self.last_load_behind_store().is_some_and(|end| self.loads_from_same_sources(end));
    }

    /// The end of the text that ends with the last load behind a store.
    fn last_load_behind_store(&self) -> Option<u32> {
        let (mut has_stored, mut end) = (false, None);
        for (index, instruction) in self.program.instructions_in(self.object) {
            let Some(row) = self.program.row(instruction) else { continue };
            if row.flow == Flow::Call {
                return Some(self.object.instructions.end);
            }
            if row.accesses.is_empty() {
                has_stored &= !lets_others_store(row);
                continue;
            }
            if has_stored && row.accesses(AccessKind::Read) {
                end = Some(index.0 + 1);
            }
            has_stored |= row.accesses(AccessKind::Write);
        }
        end
    }

    /// Whether a load before `end` has the sources of a store before it.
    fn loads_from_same_sources(&self, end: u32) -> bool {
        let mut sources: Vec<Source> = (1..=self.n_variables() as Source).collect();
        for name in THREAD_NUMBERS.iter().chain(&STACK) {
            if let Some((root, _)) = VariableId::of_predefined(name).and_then(|v| self.root(v)) {
                sources[root] = OWN;
            }
        }
        let mut stored: FxHashSet<Source> = FxHashSet::default();
        for (index, instruction) in self.program.instructions_in(self.object).take_while(|(index, _)| index.0 < end) {
            let Some(row) = self.program.row(instruction) else { continue };
            if row.flow == Flow::Call {
                return true;
            }
            if lets_others_store(row) {
                stored.clear();
            }
            let operands = self.program.operands_of(instruction);
            let root = |operand: &Operand| operand.variable().and_then(|v| self.root(v)).map(|(root, _)| root);
            let result = if row.accesses.is_empty() {
                // What is written stands first.
                let others = operands.iter().skip(1).filter_map(root);
                others.map(|root| sources[root]).fold(0, both)
            } else {
                let Some(view) = View::new(self.program, index) else { continue };
                let address = self.address_source(&view, &sources);
                if row.accesses(AccessKind::Read) && stored.contains(&address) {
                    return true;
                }
                if row.accesses(AccessKind::Write) && address != OWN {
                    stored.insert(address);
                }
                // What is loaded comes from nowhere else.
                !Source::from(index.0)
            };
            let written = row.operands.iter().position(|slot| slot.role.writes());
            let written = if row.accesses.is_empty() { Some(0) } else { written };
            let written = written.and_then(|place| operands.get(place)).and_then(root);
            if let Some(root) = written.filter(|root| sources[*root] != OWN) {
                sources[root] = result;
            }
        }
        false
    }

    /// What the address of a message is computed from.
    fn address_source(&self, view: &View, sources: &[Source]) -> Source {
        let of = |v: VariableId| self.root(v).map_or(0, |(root, _)| sources[root]);
        let mut all: Source = 0;
        for (place, operand, slot) in view.numbered_operands() {
            if let Operand::LscAddress { index } = *operand {
                let address = &self.program.lsc_addresses[index as usize];
                all = self.program.lsc_values(address).filter_map(LscValue::variable).map(of).fold(all, both);
            } else if slot.role.reads() && is_in_address(view, place, operand) {
                all = both(all, operand.variable().map_or(0, of));
            }
        }
        all
    }
}

/// Whether an operand of a message says where it goes.
fn is_in_address(view: &View, place: usize, operand: &Operand) -> bool {
    fn names(formula: &Expression, slot: u8) -> bool {
        match formula {
            Expression::Number(_) => false,
            Expression::Variable(variable) => *variable == Variable::Operand(slot),
            Expression::Element(own, _) => *own == slot,
            Expression::Binary(_, a, b) => [a, b].into_iter().any(|part| names(part, slot)),
            Expression::Choose(c, a, b) => [c, a, b].into_iter().any(|part| names(part, slot)),
        }
    }
    let slot = view.slots[place];
    let is_named = || view.row.accesses.iter().filter_map(|access| access.address).any(|formula| names(formula, slot));
    matches!(operand, Operand::Handle { .. }) || is_named()
}

impl<'p> Reader<'p> {
    /// Remembers what messages store, and forgets what they may overwrite.
    pub(super) fn remember(&mut self, view: &View<'p>, messages: &[Message], effects: &mut Effects) {
        if !self.cx().remembers_stores() {
            return;
        }
        if messages.is_empty() {
            let only_loads = !view.row.accesses.is_empty() && view.row.accesses.iter().all(|a| !a.kind.stores());
            let writes = view.row.effects.contains(&Effect::WritesMemory);
            if !only_loads || writes {
                effects.changes.push(Change::ForgetRecent);
            }
            return;
        }
        for message in messages.iter().filter(|message| message.kind.stores()) {
            let surface = self.surface_that_keeps(view, message);
            let addresses = self.addresses(view, message);
            let is_slm = message.space == Space::Slm;
            let (Some(surface), Some(addresses), AccessKind::Write) = (surface, addresses, message.kind) else {
                effects.changes.push(Change::ForgetRecentBut { is_slm, kept: None });
                continue;
            };
            let active = |lane: u32| message.exec_mask.at(lane);
            let lanes = || (0..message.exec_mask.len()).filter(|lane| !active(*lane).is_false());
            let place = |address: Value| Place { surface, sum: address.sum };
            let Some(first) = lanes().next().map(|lane| place(addresses.at(lane))) else { continue };
            // Lanes of one message that meet are a fault of it.
            let is_one = lanes().all(|lane| place(addresses.at(lane)) == first);
            let kept = is_one.then_some(first);
            effects.changes.push(Change::ForgetRecentBut { is_slm, kept });
            for lane in lanes() {
                let address = addresses.at(lane);
                for (offset, bytes, value) in self.stored_pieces(view, message, lane) {
                    let start = address.constant.wrapping_add(offset);
                    let (place, active) = (place(address), active(lane));
                    effects.changes.push(Change::StoreRecent { place, bytes: (start, bytes), value, active });
                }
            }
        }
    }

    /// What a lane stores: bytes from its address on, how many, and the value if it is known.
    fn stored_pieces(&mut self, view: &View<'p>, message: &Message, lane: u32) -> Vec<(u64, u32, Option<Value>)> {
        let mut all = Vec::new();
        for (i, piece) in message.pieces.iter().enumerate().filter(|(_, piece)| piece.possible >> lane & 1 == 1) {
            let Piece { offset, bytes, certain, .. } = *piece;
            let is_certain = certain >> lane & 1 == 1;
            if let Some(at) = self.data_location(view, message, lane, i).filter(|_| is_certain) {
                all.push((offset, bytes, self.value_at(at, message.exec_mask.at(lane))));
                continue;
            }
            match self.block_location(view, message).filter(|_| is_certain) {
                Some(at) => {
                    for byte in (0..bytes).step_by(BLOCK_UNIT.into()) {
                        let at = Location { start: at.start + i64::from(byte), ..at };
                        let value = self.value_at(at, message.exec_mask.at(lane));
                        all.push((offset + u64::from(byte), BLOCK_UNIT.into(), value));
                    }
                }
                None => all.push((offset, bytes, None)),
            }
        }
        all
    }

    /// What an element holds, if it is followed and has been written.
    fn value_at(&mut self, at: Location, active: Condition) -> Option<Value> {
        if !self.cx().is_followed(at.root) {
            return None;
        }
        let (lanes, _, undefined) = self.read_at(at, &Lanes::run(active, 1));
        undefined.is_none().then(|| lanes.at(0))
    }

    /// The first element of a block that stands in registers as it stands in memory.
    pub(super) fn block_location(&mut self, view: &View<'p>, message: &Message) -> Option<Location> {
        let [piece] = message.pieces.as_slice() else { return None };
        let is_row = view.row.accesses.iter().all(|a| a.each.is_empty() && a.address.is_some());
        if !is_row || !matches!(message.data, Data::None) || piece.bytes > MAX_BLOCK_BYTES {
            return None;
        }
        let place = view.operands.iter().position(|operand| matches!(operand, Operand::Raw { .. }))?;
        let slot = view.slot_of(place);
        let bytes = slot.bytes.and_then(|formula| view.evaluate(formula, self.cx().grf_bytes, 1));
        // A frame pointer may be all that is written of an oword.
        if bytes.is_none_or(|bytes| bytes > piece.bytes.into()) || !piece.bytes.is_multiple_of(BLOCK_UNIT.into()) {
            return None;
        }
        let at = self.raw_location(&view.operands[place])?;
        Some(Location { bytes: BLOCK_UNIT, region: Region::SCALAR, ..at })
    }

    /// What the address of a message is in, if that keeps bytes as they are stored.
    fn surface_that_keeps(&mut self, view: &View<'p>, message: &Message) -> Option<Surface> {
        if message.space == Space::Typed { None } else { self.surface_of(view, message.space) }
    }

    /// What lanes load that this thread has stored, where that is known; what they load otherwise is given.
    pub(super) fn with_recent(
        &mut self,
        view: &View<'p>,
        message: &Message,
        piece: usize,
        otherwise: Lanes<Value>,
    ) -> Lanes<Value> {
        if !self.has_recent() || message.kind != AccessKind::Read {
            return otherwise;
        }
        let (Some(surface), Some(addresses)) = (self.surface_that_keeps(view, message), self.addresses(view, message))
        else {
            return otherwise;
        };
        let Piece { offset, bytes, .. } = message.pieces[piece];
        let Some(bytes) = u8::try_from(bytes).ok().filter(|bytes| matches!(bytes, 1 | 2 | 4 | 8)) else {
            return otherwise;
        };
        Lanes::of(otherwise.len(), |lane| {
            let address = addresses.at(lane);
            let place = Place { surface, sum: address.sum };
            let start = address.constant.wrapping_add(offset);
            let loaded = self.load_recent(place, (start, bytes), message.exec_mask.at(lane));
            let other = otherwise.at(lane);
            loaded.map_or(other, |value| self.domain.resize(value, other.bytes))
        })
    }

    /// Writes the elements of a block that this thread has stored, where that is known.
    pub(super) fn write_recent(&mut self, view: &View<'p>, place: usize, message: &Message, effects: &mut Effects) {
        if !self.has_recent() || message.kind != AccessKind::Read || message.is_per_lane {
            return;
        }
        let (Some(surface), Some(addresses)) = (self.surface_that_keeps(view, message), self.addresses(view, message))
        else {
            return;
        };
        let Some(first) = self.raw_location(&view.operands[place]).filter(|at| self.cx().is_followed(at.root)) else {
            return;
        };
        let active = message.exec_mask.at(0);
        let address = addresses.at(0);
        let of = Place { surface, sum: address.sum };
        let mut elements: Vec<(u64, i64, u8)> = Vec::new();
        for (i, piece) in message.pieces.iter().enumerate() {
            match message.data {
                Data::Grouped { group, stride, skipped: 0, .. } if stride == piece.bytes => {
                    elements.push((piece.offset, i64::from(i as u32 * group), piece.bytes as u8));
                }
                Data::None if self.block_location(view, message).is_some() => {
                    let units = (0..piece.bytes).step_by(BLOCK_UNIT.into());
                    elements.extend(units.map(|byte| (piece.offset + u64::from(byte), byte.into(), BLOCK_UNIT)));
                }
                _ => return,
            }
        }
        for (offset, distance, bytes) in elements {
            let start = address.constant.wrapping_add(offset);
            if let Some(value) = self.load_recent(of, (start, bytes), active) {
                let at = Location { root: first.root, start: first.start + distance, bytes, region: Region::SCALAR };
                effects.write(at, Lanes::run(value, 1), Lanes::run(active, 1));
            }
        }
    }
}
