//! What each thread accesses, noted while it is executed.

use super::data::Load;
use super::{Access, Logged, MAX_ACCESSES, Mark, Stop, Target};
use crate::interp::claims::Claims;
use crate::interp::claims::order::{Part, mix};
use crate::interp::domain::{LANES, Value, mask, sign_extended};
use crate::interp::launch::Ways;
use crate::interp::state::Surface;
use crate::interp::state::memory::pointer;
use crate::interp::transfer::Loaded;
use crate::interp::transfer::message::{Message, Space};
use crate::program::{InstructionIndex, View};
use crate::spec::OperandName;
use crate::spec::instruction::{AccessKind, SameAddress};
use std::rc::Rc;

impl<'p> Claims<'_, 'p> {
    /// Where the log is.
    pub(in crate::interp) fn race_mark(&mut self) -> Option<Mark> {
        self.note_unclear();
        self.record.races.as_ref().map(|log| Mark {
            order: (log.order.epoch, log.order.is_ordered),
            n_visits: log.visits.n_of_thread(),
            n_messages: log.messages.len(),
            n_accesses: log.accesses.len(),
        })
    }

    /// Goes back to before a loop; what was noted since is dropped, or kept as what its first passes do.
    pub(in crate::interp) fn return_to(&mut self, mark: Option<Mark>, is_kept: bool) {
        self.note_unclear();
        let (Some(log), Some(mark)) = (&mut self.record.races, mark) else { return };
        log.order.return_to(mark.order);
        if log.visits.n_of_thread() != mark.n_visits {
            log.visits.open();
        }
        if !is_kept {
            log.messages.truncate(mark.n_messages);
            log.accesses.truncate(mark.n_accesses);
        }
    }

    /// Notes what a message accesses, if threads are compared.
    pub(in crate::interp) fn note_accesses(&mut self, view: &View<'p>, message: &Message) {
        self.note_unclear();
        if message.space == Space::Urb {
            return;
        }
        let Claims { reader, record, .. } = self;
        let Some(log) = &mut record.races else { return };
        if log.order.is_ordered || log.accesses.len() > MAX_ACCESSES {
            let stop = if log.order.is_ordered { Stop::UnknownOrder(view.index) } else { Stop::TooManyAccesses };
            log.stop = log.stop.or(Some(stop));
            return;
        }
        let is_between = log.between.is_some();
        let epoch = if is_between { 0 } else { log.order.epoch };
        // Where a barrier has not been passed, it orders nothing.
        let uniform = reader.state().flow.uniform;
        if !log.order.conditions.iter().all(|c| reader.domain.implies(uniform, *c)) {
            log.open.insert(view.index);
        }
        let (thread, number) = (log.thread, log.messages.len() as u32);
        let used = Rc::clone(&log.used);
        if self.reader.has_its_own(view) {
            return;
        }
        let place = self
            .reader
            .surface_of(view, message.space)
            .and_then(|surface| Some((surface, self.reader.addresses(view, message)?)));
        let Some((surface, addresses)) = place else { return self.note_open(view.index) };
        if is_between && surface == Surface::Slm {
            return;
        }
        let mut accesses = Vec::new();
        let mut is_open = false;
        // The access of an earlier lane, for each piece.
        let mut before: Vec<Option<usize>> = vec![None; message.pieces.len()];
        for lane in message.exec_mask.active() {
            let active = message.exec_mask.at(lane);
            let (surface, first) = self.in_one_space(surface, addresses.at(lane));
            let is_texel = message.space == Space::Typed;
            let others = message.coordinates.iter().skip(1).map(|c| c.at(lane));
            let is_known = first.is_known() && others.clone().all(Value::is_known);
            let rest = others.fold(0, |h, v| mix(h, (v.sum, v.constant)));
            let target = Target { epoch, surface, sum: first.sum, rest, width: first.bytes, is_known };
            for (i, piece) in message.pieces.iter().enumerate() {
                if is_texel && i > 0 {
                    continue;
                }
                if piece.certain >> lane & 1 == 0 {
                    is_open |= piece.possible >> lane & 1 == 1;
                    continue;
                }
                if message.kind == AccessKind::Read && !self.is_used(&used, view, message, (lane, i)) {
                    continue;
                }
                let start = first.constant.wrapping_add(if is_texel { 0 } else { piece.offset }) & mask(first.bytes);
                let bytes = if is_texel { 1 } else { piece.bytes };
                let data =
                    if message.kind == AccessKind::Write { self.reader.datum(view, message, lane, i) } else { None };
                let lane = (view.first_lane() + lane).min(LANES - 1) as u8;
                let access = Access { message: number, target, start, bytes, lane, active, data, weak: None };
                // What several lanes do alike is noted once.
                let is_new =
                    !before[i].and_then(|n| accesses.get(n)).is_some_and(|other: &Access| other.is_like(&access));
                if is_new {
                    before[i] = Some(accesses.len());
                    accesses.push(access);
                }
            }
        }
        if is_open {
            self.note_open(view.index);
        }
        if accesses.is_empty() {
            return;
        }
        let trail = self.address_trail(view, message);
        self.answer();
        let Some(log) = &mut self.record.races else { return };
        let Message { kind, address_place, is_per_lane, same_address, .. } = *message;
        let has_equal_lanes =
            is_per_lane && matches!(same_address, SameAddress::Undefined | SameAddress::UndefinedIfDifferent);
        let instruction = view.index;
        let compares = kind == AccessKind::Atomic && compares(view);
        log.messages.push(Logged {
            instruction,
            address_place,
            kind,
            thread,
            has_equal_lanes,
            compares,
            trail,
            barrier: log.order.last,
        });
        if kind == AccessKind::Write {
            let part = if surface == Surface::Slm { Part::Slm } else { Part::Other };
            let first = log.accesses.len() as u32;
            (first..first + accesses.len() as u32).for_each(|number| log.order.stores(part, number));
        }
        log.accesses.append(&mut accesses);
    }

    /// Notes what a message touches, for loops that come after it.
    pub(in crate::interp::claims) fn note_touched(&mut self, view: &View<'p>, message: &Message) {
        if message.space == Space::Urb || self.record.races.as_ref().is_none_or(|log| log.touched.is_known) {
            return;
        }
        let surface = self.reader.surface_of(view, message.space);
        let place = surface.and_then(|surface| Some((surface, self.reader.addresses(view, message)?)));
        let place = place.filter(|_| message.kind != AccessKind::Atomic);
        let lanes = message.exec_mask.active();
        let places = lanes.map(|lane| place.as_ref().map(|(surface, addresses)| (*surface, addresses.at(lane))));
        if let Some(log) = &mut self.record.races {
            log.touched.note(self.reader, view.index, places, message.span());
        }
    }

    /// Notes that an instruction may access more than what is known of it.
    pub(in crate::interp) fn note_open(&mut self, instruction: InstructionIndex) {
        if let Some(log) = &mut self.record.races {
            log.open.insert(instruction);
        }
    }

    /// A buffer that has a pointer, too, is where that pointer says.
    fn in_one_space(&self, surface: Surface, address: Value) -> (Surface, Value) {
        let (domain, cx) = (&self.reader.domain, self.reader.cx());
        if !matches!(surface, Surface::Bound { .. }) || !cx.knows_group {
            return (surface, address);
        }
        let behind = |ways: &Ways| {
            let base = ways.base_of(domain, surface, address)?;
            let n_terms = domain.terms(address.sum).as_slice().len();
            let is_known = n_terms == usize::from(base.is_some()) && base.is_some() == ways.offset.is_some();
            // Without an offset of the buffer there is nothing in front of it.
            let bytes =
                if base.is_some() { sign_extended(address.constant, address.bytes) as u64 } else { address.constant };
            let pointer = pointer(ways.pointer?.number());
            is_known.then(|| (Surface::Flat, Value::known(pointer.wrapping_add(bytes), 8)))
        };
        cx.launch.reached.iter().find_map(behind).unwrap_or((surface, address))
    }

    /// Notes where the lanes of a load take unknown numbers from.
    pub(in crate::interp) fn note_loaded(&mut self, view: &View<'p>, loaded: Vec<Loaded>) {
        for Loaded { piece, offset, addresses, unknown, space } in loaded {
            let Some(term) = self.reader.domain.terms(unknown.sum).first().copied() else { continue };
            let is_own = space == Space::Slm || self.reader.has_its_own(view);
            let surface = if is_own { None } else { self.reader.surface_of(view, space) };
            let addresses = addresses.map(|address| address.plus(offset));
            if let Some(log) = &mut self.record.races {
                let load = Load { instruction: view.index, piece: piece as u32, addresses, surface };
                log.loads.insert(term.atom.block(), load);
            }
        }
    }
}

/// Whether an atomic message has both a number that it expects and one that it puts there.
fn compares(view: &View) -> bool {
    let has = |name| view.numbered_operand(name).is_some_and(|(_, operand)| !operand.is_null());
    [[OperandName::SRC1_DATA, OperandName::SRC2_DATA], [OperandName::SRC0, OperandName::SRC1]]
        .into_iter()
        .any(|both| both.into_iter().all(has))
}
