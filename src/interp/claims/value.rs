//! Values of operands that have limits.

use crate::interp::claims::Claims;
use crate::interp::claims::facts::{AddressNumbers, FactKind, MAX_ADDRESS_ITEMS};
use crate::interp::domain::Value;
use crate::interp::domain::lanes::Lanes;
use crate::interp::domain::sign_extended;
use crate::interp::transfer::limits::{has_limits, legal_range};
use crate::program::lsc::LscValue;
use crate::program::{Operand, View};
use crate::spec::Type;

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
        let Some((_, address)) = self.reader.lsc_address(view) else { return };
        let program = self.reader.cx().program;
        let items = &program.lsc_items[address.items()];
        let mut writer = None;
        let reached = Lanes::run(self.reader.state().reached, 1);
        let mut element = |value: LscValue| {
            let LscValue::Element { .. } = value else { return None };
            let at = self.reader.lsc_value_location(value, 4)?;
            let (lanes, from, _) = self.reader.read_at(at, &reached);
            writer = writer.or(Some(from));
            Some(lanes.at(0))
        };
        let surface = address.surface.and_then(&mut element);
        let mut held = [None; MAX_ADDRESS_ITEMS];
        for (held, item) in held.iter_mut().zip(items) {
            *held = element(item.value);
        }
        let Some(writer) = writer else { return };
        let known = |value: Option<Value>| u32::try_from(value?.as_known()?).ok();
        let numbers = AddressNumbers { surface: known(surface), items: held.map(known) };
        let mut all = vec![numbers];
        // One of them may depend on the path.
        let alternatives = |value: Option<Value>| self.reader.domain.alternatives(value.filter(|v| !v.is_known())?);
        if let Some(several) = alternatives(surface) {
            all = vec![numbers; several.len()];
            for (one, number) in all.iter_mut().zip(several) {
                one.surface = u32::try_from(number).ok();
            }
        } else if let Some((i, several)) = (0..).zip(held).find_map(|(i, value)| Some((i, alternatives(value)?))) {
            all = vec![numbers; several.len()];
            for (one, number) in all.iter_mut().zip(several) {
                one.items[i] = u32::try_from(number).ok();
            }
        }
        let is_empty = all.iter().all(AddressNumbers::is_empty);
        let kind = FactKind::AddressNumbers(all.into());
        if is_empty {
            // A value that is known in some passes of a loop only is not that of every pass.
            self.report_if_always(view, place, kind, false);
        } else {
            let trail = self.record.writers.trail(writer);
            self.report_with(view, place, kind, trail);
        }
    }

    fn watch_value(&mut self, view: &View<'p>, place: usize) {
        let exec_mask = if view.row.operation.is_some() {
            self.reader.mask(view)
        } else {
            Lanes::run(self.reader.state().reached, 1)
        };
        let source = self.reader.source(view, place, &exec_mask);
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
            let lanes = (0..exec_mask.len()).filter(|lane| !exec_mask.at(*lane).is_false());
            let beyond = lanes.filter_map(|lane| {
                let value = source.lanes.at(lane);
                let (numbers, is_range) = self.numbers(view, place, value, is_signed)?;
                let numbers = numbers.into_iter().map(extended).collect();
                Some(FactKind::Numbers { lane, numbers, is_range, element_type })
            });
            match beyond.take(1).next() {
                Some(kind) => {
                    let trail = self.record.writers.trail(source.writer);
                    self.report_with(view, place, kind, trail);
                }
                None => self.report_if_always(view, place, no_numbers(element_type), false),
            }
            return;
        };
        let trail = self.record.writers.trail(source.writer);
        if low != high {
            let kind = FactKind::LeastValue { lane: low_lane, bits: low, element_type };
            self.report_with(view, place, kind, trail.clone());
        }
        self.report_with(view, place, FactKind::GreatestValue { lane: high_lane, bits: high, element_type }, trail);
    }

    /// What an operand with limits may hold, where that is worth a comparison: the few numbers that it is one of, or the
    /// ends of a range, and whether they are that.
    fn numbers(&self, view: &View<'p>, place: usize, value: Value, is_signed: bool) -> Option<(Vec<u64>, bool)> {
        if let Some(few) = self.reader.domain.alternatives(value) {
            return Some((few, false));
        }
        let (least, most) = legal_range(view, place)?;
        if is_signed {
            let (low, high) = self.reader.domain.signed_range(value);
            let is_beyond = i128::from(low) > most || i128::from(high) < least;
            return is_beyond.then(|| (vec![low as u64, high as u64], true));
        }
        let (low, high) = self.reader.domain.range(value);
        let is_beyond = i128::from(low) > most || i128::from(high) < least;
        is_beyond.then(|| (vec![low, high], true))
    }
}

/// The fact that stands for all of its kind.
fn no_numbers(element_type: Type) -> FactKind {
    FactKind::Numbers { lane: 0, numbers: Box::default(), is_range: false, element_type }
}
