//! Addresses of messages: alignment, bounds of shared local memory, offsets that wrap around.

use crate::interp::claims::Claims;
use crate::interp::claims::facts::{Doubt, Exemption, FactKind, Verdict};
use crate::interp::domain::{Domain, Value};
use crate::interp::transfer::message::{Message, Space};
use crate::program::{Operand, View};
use crate::spec::OperandName;
use crate::spec::instruction::{AccessKind, Memory};

/// Shared local memory that a group can have at most on any device.
const MAX_SLM_BYTES: u64 = 128 * 1024;

/// Compilers set this bit in pointers into shared local memory, so that none of them is null.
const SLM_TAG: u64 = 1 << 28;

/// An address in shared local memory without the bit that compilers set in pointers; nothing if it may have it or not.
pub(super) fn without_tag(domain: &Domain, address: Value) -> Option<Value> {
    let (low, high) = domain.range(address);
    match (low >= SLM_TAG, high >= SLM_TAG) {
        (false, false) => Some(address),
        (true, true) => Some(address.plus(SLM_TAG.wrapping_neg())),
        _ => None,
    }
}

impl<'p> Claims<'_, 'p> {
    /// Notes what is known of the lanes of a message whose addresses or shape are not understood.
    pub(in crate::interp) fn note_opaque(&mut self, view: &View<'p>) {
        let is_one =
            self.reader.lsc_shape(view).is_some_and(|(_, shape)| crate::interp::transfer::lsc::is_block(&shape));
        for access in view.row.accesses.iter().filter(|a| !self.reader.is_left_out_of(view, a)).collect::<Vec<_>>() {
            let verdict = match access.kind {
                AccessKind::Read => Verdict::Exempt(Exemption::Reads),
                AccessKind::Atomic => Verdict::Exempt(Exemption::Atomic),
                AccessKind::Write if is_one => Verdict::Exempt(Exemption::OneAccess),
                AccessKind::Write => Verdict::Unknown(Doubt::Message),
            };
            self.record.facts.note_verdict(view.index, verdict);
        }
    }

    /// Checks the addresses of a message: alignment, bounds of shared local memory, offsets that wrap around.
    pub(in crate::interp) fn check_message(&mut self, view: &View<'p>, message: &Message) {
        if message.space == Space::Urb {
            self.check_urb(view, message);
            return;
        }
        if message.space == Space::Typed {
            return;
        }
        let Some(addresses) = message.coordinates.first() else { return };
        let lanes = if addresses.as_same().is_some() { 1 } else { message.exec_mask.len() };
        for lane in 0..lanes {
            let active = message.exec_mask.at(lane);
            if active.is_false() {
                continue;
            }
            let address = addresses.at(lane);
            self.check_alignment(view, message, lane, address);
            if message.space == Space::Slm {
                self.check_slm(view, message, lane, address);
            }
        }
        self.check_wrapping(view, message);
    }

    pub(in crate::interp) fn check_alignment(&mut self, view: &View<'p>, message: &Message, lane: u32, address: Value) {
        let Some(alignment) = message.alignment.filter(|a| a.bytes > 1) else { return };
        let domain = &mut self.reader.domain;
        if domain.is_no_multiple(address, u64::from(alignment.bytes)) {
            let remainder = domain.known_ones(address) % u64::from(alignment.bytes);
            let is_tolerated = !domain.is_no_multiple(address, u64::from(alignment.tolerated.max(1)));
            let kind = FactKind::MisalignedAddress {
                lane: message.is_per_lane.then(|| lane + view.first_lane()),
                address: self.reader.in_words(address),
                alignment: alignment.bytes,
                remainder: remainder as u32,
                is_exact: u64::from(alignment.bytes) <= 1 << self.reader.domain.sum_zeros(address.sum).min(63),
                is_tolerated,
            };
            let trail = self.address_trail(view, message);
            self.report_with(view, message.address_place, kind, trail);
        }
    }

    pub(in crate::interp) fn check_slm(&mut self, view: &View<'p>, message: &Message, lane: u32, address: Value) {
        let (size, is_declared) = match self.reader.cx().launch.slm_bytes {
            Some(size) => (size, true),
            None => (MAX_SLM_BYTES, false),
        };
        let (low, high) = self.reader.domain.range(address);
        // Without the bit, the least address that has it is zero.
        let least = self.reader.domain.known_ones(address) & (SLM_TAG - 1);
        let low = match low / SLM_TAG {
            0 if high >= SLM_TAG && self.reader.cx().launch.has_tags => least,
            1 => low - SLM_TAG,
            _ => low,
        };
        let end = message.span();
        if low.saturating_add(end) > size {
            let beyond = message.pieces.iter().map(|p| p.offset).find(|o| low + o >= size).unwrap_or(0);
            let kind = FactKind::SlmOutOfBounds {
                lane: message.is_per_lane.then(|| lane + view.first_lane()),
                byte: low + beyond,
                size,
                is_declared,
            };
            let trail = self.address_trail(view, message);
            self.report_with(view, message.address_place, kind, trail);
        }
    }

    /// `offset + element_offset` beyond 32 bits.
    pub(in crate::interp) fn check_wrapping(&mut self, view: &View<'p>, message: &Message) {
        let names = [OperandName::OFFSET, OperandName::GLOBAL_OFFSET];
        if message.space == Space::Surface && matches!(view.operands[message.address_place], Operand::LscAddress { .. })
        {
            return self.check_displacement(view, message);
        }
        let is_surface = view.row.accesses.first().is_some_and(|a| a.memory == Memory::Surface);
        if !is_surface {
            return;
        }
        for global in names {
            let (Some((_, global_operand)), Some((place, _))) =
                (view.numbered_operand(global), view.numbered_operand(OperandName::ELEMENT_OFFSET))
            else {
                continue;
            };
            let Operand::Immediate { bits, .. } = *global_operand else { continue };
            let global_offset = bits & 0xffff_ffff;
            let Some(addresses) = message.coordinates.first() else { return };
            // Small negative offsets are a way of writing.
            for lane in 0..message.exec_mask.len() {
                let Some(address) = addresses.at(lane).as_known() else { continue };
                let low = Value::known(address.wrapping_sub(global_offset), 4).constant;
                if !message.exec_mask.at(lane).is_false() && low + global_offset > 0xffff_ffff {
                    let kind = FactKind::WrappingOffset {
                        lane: lane + view.first_lane(),
                        global: global_offset as i64,
                        element: low,
                    };
                    return self.report(view, place, kind);
                }
            }
        }
    }

    /// A displacement that leads from an offset into a surface to before its begin. An offset that is negative itself may be
    /// what the displacement makes up for.
    fn check_displacement(&mut self, view: &View<'p>, message: &Message) {
        let item = self.reader.lsc_address(view).map(|(_, address)| address.first_item as usize);
        let Some(item) = item.and_then(|item| self.reader.cx().program.lsc_items.get(item)) else { return };
        let displacement = item.displacement;
        let Some(addresses) = message.coordinates.first().filter(|_| displacement < 0) else { return };
        for lane in message.exec_mask.active() {
            let offset = addresses.at(lane).plus(displacement.wrapping_neg() as u64);
            let (least, greatest) = self.reader.domain.signed_range(offset);
            if least >= 0 && greatest + displacement < 0 {
                let lane = lane + view.first_lane();
                let kind = FactKind::WrappingOffset { lane, global: displacement, element: greatest as u64 };
                let trail = self.address_trail(view, message);
                return self.report_with(view, message.address_place, kind, trail);
            }
        }
    }
}
