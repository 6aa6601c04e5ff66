//! Offsets and channel masks of URB writes.

use crate::interp::claims::Claims;
use crate::interp::claims::facts::{ChannelMaskFault, FactKind, Path};
use crate::interp::domain::Value;
use crate::interp::domain::condition::Condition;
use crate::interp::domain::lanes::Lanes;
use crate::interp::transfer::message::Message;
use crate::program::{Operand, View};
use crate::spec::OperandName;

/// The greatest offset in units of 16 bytes.
const MAX_OFFSET: u64 = 2047;

impl<'p> Claims<'_, 'p> {
    /// Offsets and channel masks of URB writes.
    pub(in crate::interp) fn check_urb(&mut self, view: &View<'p>, message: &Message) {
        let number = |name| match view.numbered_operand(name) {
            Some((_, Operand::Number { value })) => Some(*value),
            _ => None,
        };
        let (Some(n_outputs), Some(global)) = (number(OperandName::NUM_OUT), number(OperandName::GLOBAL_OFFSET)) else {
            return;
        };
        if let Some((place, operand)) =
            view.numbered_operand(OperandName::PER_SLOT_OFFSET).filter(|(_, o)| !o.is_null())
        {
            let mask = &message.exec_mask;
            if let Some(lanes) = self.payload_lanes(operand, mask) {
                let lanes = Lanes::of(mask.len(), |lane| self.reader.learned(lanes.at(lane), mask.at(lane)));
                for lane in mask.active() {
                    let (low, _) = self.reader.domain.range(lanes.at(lane));
                    if low > MAX_OFFSET {
                        self.report(view, place, FactKind::OutOfRange { value: low, maximum: MAX_OFFSET });
                        break;
                    }
                    if self.check_offset_on_paths(view, place, lanes.at(lane), mask.at(lane)) {
                        break;
                    }
                    if low + global.max(0) as u64 > MAX_OFFSET {
                        let kind = FactKind::WrappingOffset { lane: lane + view.first_lane(), global, element: low };
                        self.report(view, place, kind);
                        break;
                    }
                }
                let is_so = lanes.iter().all(|v| v.as_known() == Some(0));
                self.report_if_always(view, place, FactKind::AllZero, is_so);
            }
        }
        if let Some((place, operand)) = view.numbered_operand(OperandName::CHANNEL_MASK).filter(|(_, o)| !o.is_null()) {
            let Some(lanes) = self.payload_lanes(operand, &message.exec_mask) else { return };
            let outputs = (1_u64 << n_outputs.clamp(0, 8)) - 1;
            let is_so = lanes.iter().all(|v| v.as_known() == Some(outputs));
            self.report_if_always(view, place, FactKind::AllOn, is_so);
            let fault_of = |mask: u64| {
                if mask & !0xff != 0 {
                    Some(ChannelMaskFault::BeyondByte)
                } else if mask & outputs == 0 {
                    Some(ChannelMaskFault::Zero)
                } else if mask & !outputs != 0 {
                    Some(ChannelMaskFault::BeyondOutputs(n_outputs as u32))
                } else {
                    None
                }
            };
            for lane in message.exec_mask.active() {
                if self.check_mask_on_paths(view, (place, lane), lanes.at(lane), message.exec_mask.at(lane), &fault_of)
                {
                    return;
                }
                let value = self.reader.learned(lanes.at(lane), message.exec_mask.at(lane));
                let masks = self.reader.domain.alternatives(value).unwrap_or_default();
                // Whichever of them it is; or some bits are those of each.
                let found = match masks.first() {
                    Some(mask) if masks.iter().all(|mask| fault_of(*mask).is_some()) => {
                        fault_of(*mask).map(|fault| (Some(*mask), fault))
                    }
                    Some(_) => None,
                    None if outputs == 0 => None,
                    None => {
                        let domain = &self.reader.domain;
                        let mask = domain.known_ones(value) | domain.possible_ones(value) & outputs;
                        fault_of(mask).map(|fault| (None, fault))
                    }
                };
                if let Some((mask, fault)) = found {
                    let kind = FactKind::ChannelMask { lane: lane + view.first_lane(), mask, fault };
                    return self.report(view, place, kind);
                }
            }
        }
    }

    /// What lanes have in a payload; in the second pass of a loop, if that is looked at.
    fn payload_lanes(&mut self, operand: &Operand, mask: &Lanes<Condition>) -> Option<Lanes<Value>> {
        let lanes = self.reader.payload_lanes(operand, mask)?;
        let Some(Path::SecondPass(_)) = self.record.path else { return Some(lanes) };
        let first = mask.iter().find(|active| !active.is_false())?;
        let values: Vec<Value> = (0..mask.len()).map(|lane| lanes.at(lane)).collect();
        let (second, _) = self.reader.values_at_second(&values, first)?;
        Some(Lanes::of(mask.len(), |lane| second[lane as usize]))
    }

    /// Looks at an offset of a lane on each of the paths that it depends on. Returns whether it is too great on one.
    fn check_offset_on_paths(&mut self, view: &View<'p>, place: usize, offset: Value, active: Condition) -> bool {
        if self.reader.cx().launch.trusts_paths || self.reader.domain.range(offset).1 <= MAX_OFFSET {
            return false;
        }
        for (given, offset) in self.reader.domain.paths(offset) {
            let (value, _) = self.reader.domain.range(offset);
            if value > MAX_OFFSET && self.reader.may_lack(active, given.not()) {
                self.report_on_path(view, place, FactKind::OutOfRange { value, maximum: MAX_OFFSET });
                return true;
            }
        }
        false
    }

    /// Looks at the channel mask of a lane on each of the paths that it depends on. Returns whether it is faulty on one, and
    /// not on another.
    fn check_mask_on_paths(
        &mut self,
        view: &View<'p>,
        (place, lane): (usize, u32),
        mask: Value,
        active: Condition,
        fault_of: &impl Fn(u64) -> Option<ChannelMaskFault>,
    ) -> bool {
        if self.reader.cx().launch.trusts_paths || mask.is_known() {
            return false;
        }
        let paths = self.reader.domain.paths(mask);
        let known = || paths.iter().filter_map(|(given, mask)| Some((*given, mask.as_known()?)));
        if known().all(|(_, mask)| fault_of(mask).is_some()) {
            return false;
        }
        for (given, mask) in known() {
            if let Some(fault) = fault_of(mask)
                && self.reader.may_lack(active, given.not())
            {
                let lane = lane + view.first_lane();
                self.report_on_path(view, place, FactKind::ChannelMask { lane, mask: Some(mask), fault });
                return true;
            }
        }
        false
    }
}
