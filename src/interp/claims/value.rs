//! Values of operands that have limits.

use crate::interp::claims::Claims;
use crate::interp::claims::facts::{AddressNumbers, FactKind, MAX_ADDRESS_ITEMS};
use crate::interp::domain::condition::Condition;
use crate::interp::domain::lanes::Lanes;
use crate::interp::domain::sign_extended;
use crate::interp::transfer::limits::has_limits;
use crate::program::lsc::LscValue;
use crate::program::{Operand, View};

impl<'p> Claims<'_, 'p> {
    /// Notes the least and the greatest value of each operand that has limits, where they are known.
    pub(in crate::interp) fn watch_values(&mut self, view: &View<'p>) {
        for (place, operand) in view.operands.iter().enumerate() {
            if matches!(operand, Operand::LscAddress { .. }) {
                self.watch_address(view, place);
            } else if has_limits(view, place) {
                self.watch_value(view, place);
            }
        }
    }

    /// Notes the numbers in the registers of an LSC address that are read as one element.
    fn watch_address(&mut self, view: &View<'p>, place: usize) {
        let Some((_, address)) = self.lsc_address(view) else { return };
        let program = self.cx().program;
        let items = &program.lsc_items[address.items()];
        let mut writer = None;
        let mut number = |value: LscValue| {
            let LscValue::Element { .. } = value else { return None };
            let at = self.lsc_value_location(value, 4)?;
            let (lanes, from, _) = self.read_at(at, &Lanes::run(Condition::TRUE, 1));
            writer = writer.or(Some(from));
            u32::try_from(lanes.at(0).as_known()?).ok()
        };
        let mut numbers =
            AddressNumbers { surface: address.surface.and_then(&mut number), ..AddressNumbers::default() };
        for (known, item) in numbers.items.iter_mut().zip(items.iter().take(MAX_ADDRESS_ITEMS)) {
            *known = number(item.value);
        }
        let Some(writer) = writer else { return };
        let kind = FactKind::AddressNumbers(Box::new(numbers));
        if numbers.is_empty() {
            // A value that is known in some passes of a loop only is not that of every pass.
            self.report_if_always(view, place, kind, false);
        } else {
            let trail = self.log.trail(writer);
            self.report_with(view, place, kind, trail);
        }
    }

    fn watch_value(&mut self, view: &View<'p>, place: usize) {
        let exec_mask =
            if view.row.operation.is_some() { self.mask(view) } else { Lanes::run(self.state().reached, 1) };
        let source = self.source(view, place, &exec_mask);
        let is_signed = source.kind.is_signed();
        let bytes = source.bytes;
        let extended = |bits: u64| if is_signed { sign_extended(bits, bytes) as u64 } else { bits };
        let order = |bits: u64| if is_signed { i128::from(bits as i64) } else { i128::from(bits) };
        let known = (0..exec_mask.len())
            .filter(|lane| !exec_mask.at(*lane).is_false())
            .filter_map(|lane| Some((lane, extended(source.lanes.at(lane).as_known()?))));
        let least = known.clone().min_by_key(|(_, bits)| order(*bits));
        let greatest = known.max_by_key(|(_, bits)| order(*bits));
        let element_type = source.kind;
        let (Some((low_lane, low)), Some((high_lane, high))) = (least, greatest) else {
            // A value that is known in some passes of a loop only is not that of every pass.
            for kind in [
                FactKind::LeastValue { lane: 0, bits: 0, element_type },
                FactKind::GreatestValue { lane: 0, bits: 0, element_type },
            ] {
                self.report_if_always(view, place, kind, false);
            }
            return;
        };
        let trail = self.log.trail(source.writer);
        if low != high {
            let kind = FactKind::LeastValue { lane: low_lane, bits: low, element_type };
            self.report_with(view, place, kind, trail.clone());
        }
        self.report_with(view, place, FactKind::GreatestValue { lane: high_lane, bits: high, element_type }, trail);
    }
}
