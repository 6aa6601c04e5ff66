//! Offsets and channel masks of URB writes.

use crate::interp::claims::Claims;
use crate::interp::claims::facts::{ChannelMaskFault, FactKind};
use crate::interp::transfer::message::Message;
use crate::program::{Operand, View};
use crate::spec::OperandName;

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
            let lanes = self.reader.payload_lanes(operand, &message.exec_mask);
            if let Some(lanes) = lanes {
                for lane in 0..message.exec_mask.len() {
                    let (low, _) = self.reader.domain.range(lanes.at(lane));
                    if message.exec_mask.at(lane).is_false() {
                        continue;
                    }
                    if low > 2047 {
                        self.report(view, place, FactKind::OutOfRange { value: low, maximum: 2047 });
                        break;
                    }
                    if low + global.max(0) as u64 > 2047 {
                        let kind = FactKind::WrappingOffset {
                            lane: lane + view.first_lane(),
                            global: global as u64,
                            element: low,
                        };
                        self.report(view, place, kind);
                        break;
                    }
                }
                let is_so = lanes.iter().all(|v| v.as_known() == Some(0));
                self.report_if_always(view, place, FactKind::AllZero, is_so);
            }
        }
        if let Some((place, operand)) = view.numbered_operand(OperandName::CHANNEL_MASK).filter(|(_, o)| !o.is_null()) {
            let Some(lanes) = self.reader.payload_lanes(operand, &message.exec_mask) else { return };
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
            for lane in 0..message.exec_mask.len() {
                if message.exec_mask.at(lane).is_false() {
                    continue;
                }
                let Some(masks) = self.reader.domain.alternatives(lanes.at(lane)) else { continue };
                // Whichever of them it is.
                if masks.iter().all(|mask| fault_of(*mask).is_some())
                    && let Some((mask, fault)) = masks.first().and_then(|mask| Some((*mask, fault_of(*mask)?)))
                {
                    return self.report(
                        view,
                        place,
                        FactKind::ChannelMask { lane: lane + view.first_lane(), mask, fault },
                    );
                }
            }
        }
    }
}
