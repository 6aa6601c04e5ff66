//! Values of operands that have limits.

use crate::interp::claims::Claims;
use crate::interp::claims::facts::{AddressNumbers, FactKind, Held, MAX_ADDRESS_ELEMENTS, Number};
use crate::interp::domain::Value;
use crate::interp::domain::atom::{AtomKind, Origin};
use crate::interp::domain::condition::Condition;
use crate::interp::domain::lanes::Lanes;
use crate::interp::domain::{mask, sign_extended};
use crate::interp::state::{Change, Path};
use crate::interp::transfer::address::IndirectAddress;
use crate::interp::transfer::limits::{Limits, has_limited_result, has_limits, limits};
use crate::interp::transfer::{Effects, Observed};
use crate::program::lsc::LscValue;
use crate::program::variable::FLAG_INPUT;
use crate::program::{InstructionIndex, Operand, SourceModifier, View};
use crate::spec::Type;
use crate::spec::family::Barrier;
use crate::spec::instruction::Flow;
use crate::spec::operation::Operation;
use crate::spec::predefined::Writable;

impl<'p> Claims<'_, 'p> {
    /// Notes the least and the greatest value of each operand that has limits, where they are known.
    pub(in crate::interp) fn watch_values(&mut self, view: &View<'p>) {
        for (place, operand) in view.operands.iter().enumerate() {
            if matches!(operand, Operand::LscAddress { .. }) {
                self.watch_address(view, place);
            } else if let Operand::Indirect { address, element, offset, region, element_type, .. } = *operand {
                let address = IndirectAddress { place, variable: address, element, offset, region, element_type };
                self.watch_places(view, address);
                if view.slot_of(place).role.writes() {
                    self.watch_destination(view, address);
                }
            }
            if has_limits(view, place) {
                self.watch_value(view, place);
            }
        }
    }

    /// Records the numbers in the registers of an LSC address that are read as one element.
    fn watch_address(&mut self, view: &View<'p>, place: usize) {
        let Some((_, address)) = self.reader.lsc_address(view) else { return };
        let items = self.reader.cx().program.lsc_items[address.items()].iter().map(|item| Some(item.value));
        let reached = Lanes::run(self.reader.state().reached, 1);
        let mut held = [None; MAX_ADDRESS_ELEMENTS];
        for (held, value) in held.iter_mut().zip(std::iter::once(address.surface).chain(items)) {
            let Some(value @ LscValue::Element { .. }) = value else { continue };
            let Some(at) = self.reader.lsc_value_location(value, 4) else { continue };
            let (lanes, writer, _) = self.reader.read_at(at, &reached);
            *held = Some((self.reader.learned(lanes.at(0), reached.at(0)), writer));
        }
        let Some((_, writer)) = held.iter().copied().flatten().next() else { return };
        let known = |held: Option<(Value, u32)>| u32::try_from(held?.0.as_known()?).ok();
        let numbers = AddressNumbers { elements: held.map(known), is_met: false };
        // One of them may depend on the path.
        let by_path = (0..).zip(held).find_map(|(i, held)| Some((i, self.one_of(held?.0)?)));
        let (all, kind_of) = if let Some((i, (several, is))) = by_path {
            let one = |(number, is_met)| {
                let with = u32::try_from(number).map_or(numbers, |number| numbers.with(i, number));
                AddressNumbers { is_met, ..with }
            };
            (several.into_iter().map(one).collect(), is)
        } else {
            let range =
                |(i, held): (usize, Option<(Value, u32)>)| self.narrow_range(held?.0).map(|(low, high)| (i, low, high));
            let ranges: Vec<_> = (0..).zip(held).filter_map(range).collect();
            if ranges.is_empty() { (vec![numbers], Held::OneOf) } else { (numbers.ends(&ranges), Held::Range) }
        };
        self.watch_address_on_paths(view, (place, writer), &held, numbers);
        self.watch_address_at_second(view, place, &held, numbers);
        let is_empty = all.iter().all(AddressNumbers::is_empty);
        if kind_of == Held::OnSomePaths {
            // What was seen of the first pass of a loop is not that of every pass.
            let kind = FactKind::AddressNumbers { all: Box::default(), held: Held::OneOf };
            self.deny(view, place, kind);
        }
        if kind_of == Held::OneOf && all.len() == 1 && !is_empty && self.is_in_known_pass(reached.at(0)) {
            let kind = FactKind::AddressNumbers { all: Box::new([numbers]), held: Held::InPasses };
            let trail = self.record.writers.trail(writer);
            self.report_with(view, place, kind, trail);
        }
        let kind = FactKind::AddressNumbers { all: all.into(), held: kind_of };
        if is_empty {
            // A value that is known in some passes of a loop only is not that of every pass.
            self.deny(view, place, kind);
        } else {
            let trail = self.record.writers.trail(writer);
            self.report_with(view, place, kind, trail);
        }
    }

    /// Whether a lane that is active under `active` executes this instruction in a pass of a loop that is known to come, or
    /// whenever it makes the call.
    fn is_in_known_pass(&self, active: Condition) -> bool {
        let uniform = self.reader.state().flow.uniform;
        self.record.pass == Some(uniform) && (active == uniform || active.is_true())
    }

    /// The few numbers that a value may be, at least on some paths, each with whether a path was found on which it is that
    /// number; nothing if the value is known, or may be one of many.
    fn one_of(&mut self, value: Value) -> Option<(Vec<(u64, bool)>, Held)> {
        if value.is_known() {
            return None;
        }
        let several = self.reader.domain.alternatives(value);
        let reached = self.reader.state().reached;
        let paths = if self.reader.cx().launch.trusts_paths { Vec::new() } else { self.reader.domain.paths(value) };
        let mut is_met = |number: u64| {
            let mut own = paths.iter().filter(|(_, value)| value.as_known() == Some(number));
            own.any(|(given, _)| self.reader.may_lack(reached, given.not()))
        };
        if let Some(several) = several {
            return Some((several.into_iter().map(|number| (number, is_met(number))).collect(), Held::OneOf));
        }
        let known = paths.iter().filter_map(|(_, value)| value.as_known());
        let mut on_some: Vec<(u64, bool)> =
            known.map(|number| (number, is_met(number))).filter(|(_, met)| *met).collect();
        if !self.reader.cx().launch.trusts_paths {
            let at_first = self.reader.values_at_first(value, reached);
            on_some.extend(at_first.iter().filter_map(|value| Some((value.as_known()?, true))));
        }
        (!on_some.is_empty()).then_some((on_some, Held::OnSomePaths))
    }

    /// Notes what elements of an address that are not known are in the second pass of a loop.
    fn watch_address_at_second(
        &mut self,
        view: &View<'p>,
        place: usize,
        held: &[Option<(Value, u32)>],
        mut numbers: AddressNumbers,
    ) {
        let open = || (0..).zip(held).filter_map(|(i, held)| Some((i, (*held)?))).filter(|(_, (v, _))| !v.is_known());
        let values: Vec<Value> = open().map(|(_, (value, _))| value).collect();
        let reached = self.reader.state().reached;
        let Some((second, back)) = self.reader.values_at_second(&values, reached) else { return };
        let mut trail = Vec::new();
        for ((element, (_, writer)), value) in open().zip(second) {
            if let Some(number) = value.as_known().and_then(|number| u32::try_from(number).ok()) {
                numbers = AddressNumbers { is_met: true, ..numbers.with(element, number) };
                trail.extend(self.record.writers.trail(writer));
            }
        }
        if numbers.is_met {
            let held = Held::InSecondPass(back);
            let trail = self.on_path(trail, held.path());
            self.report_with(view, place, FactKind::AddressNumbers { all: Box::new([numbers]), held }, trail);
        }
    }

    /// Notes what one of the elements of an address is within on each path on which it is not one number.
    fn watch_address_on_paths(
        &mut self,
        view: &View<'p>,
        (place, writer): (usize, u32),
        held: &[Option<(Value, u32)>],
        numbers: AddressNumbers,
    ) {
        if self.reader.cx().launch.trusts_paths {
            return;
        }
        let reached = self.reader.state().reached;
        let mut all = Vec::new();
        for (element, held) in (0..).zip(held) {
            let Some((value, _)) = held.filter(|(value, _)| !value.is_known()) else { continue };
            let paths = self.reader.domain.paths(value);
            for (given, value) in paths.iter().copied().filter(|_| paths.len() > 1) {
                let Some((low, high)) = self.narrow_range(value) else { continue };
                if self.reader.may_lack(reached, given.not()) {
                    all.extend([low, high].map(|number| numbers.with(element, number)));
                }
            }
        }
        if !all.is_empty() {
            let kind = FactKind::AddressNumbers { all: all.into(), held: Held::Range };
            let trail = self.record.writers.trail(writer);
            self.record.path = Some(Path::One);
            self.report_with(view, place, kind, trail);
            self.record.path = None;
        }
    }

    /// The ends of what a value is known to be within, if it is not known, and not within all that it has room for.
    fn narrow_range(&self, value: Value) -> Option<(u32, u32)> {
        let (low, high) = self.reader.domain.range(value);
        let is_narrow = !value.is_known() && (low > 0 || high < u64::from(u32::MAX));
        is_narrow.then_some((u32::try_from(low).ok()?, u32::try_from(high).ok()?))
    }

    /// Notes whether the places of all lanes are known, if the offset of the operand alone looks misaligned.
    fn watch_places(&mut self, view: &View<'p>, address: IndirectAddress) {
        if address.offset % address.element_type.bytes() as i32 == 0 {
            return;
        }
        let exec_mask = self.reader.mask(view);
        let places = self.reader.indirect_locations(view, address, &exec_mask, None);
        let is_known = places.iter().all(Option::is_some);
        self.report_if_always(view, address.place, FactKind::Observed(Observed::KnownPlaces), is_known);
    }

    /// The instructions through which the address came that a lane uses for an operand.
    pub(in crate::interp::claims) fn indirect_trail(
        &mut self,
        view: &View<'p>,
        place: usize,
        lane: u32,
    ) -> Vec<InstructionIndex> {
        let Some(address) = IndirectAddress::of(view, place) else { return Vec::new() };
        let row = lane / address.row_lanes(view.n_lanes());
        let reached = self.reader.state().reached;
        let read = self.reader.address(address.variable, i64::from(address.element) + i64::from(row), reached);
        read.map_or_else(Vec::new, |(_, _, writer)| self.record.writers.trail(writer))
    }

    /// Notes an indirect destination in a variable that must not be written. All lanes of it have one address.
    fn watch_destination(&mut self, view: &View<'p>, address: IndirectAddress) {
        let exec_mask = self.reader.mask(view);
        if exec_mask.all_false() {
            return;
        }
        let element = i64::from(address.element);
        let Some((value, _, writer)) = self.reader.address(address.variable, element, exec_mask.at(0)) else { return };
        let Some(root) = self.reader.addressed_root(value) else { return };
        let variable = self.reader.cx().variable_of(root);
        let is_foreign = match variable.predefined() {
            Some(row) => row.writable == Writable::No,
            None => self.reader.cx().program.variables[variable].is(FLAG_INPUT),
        };
        if is_foreign {
            let trail = self.record.writers.trail(writer);
            self.report_with(view, address.place, FactKind::Observed(Observed::ForeignDestination { variable }), trail);
        }
    }

    fn watch_value(&mut self, view: &View<'p>, place: usize) {
        let exec_mask = if view.row.operation.is_some() {
            self.reader.mask(view)
        } else {
            Lanes::run(self.reader.state().reached, 1)
        };
        let mut source = self.reader.source(view, place, &exec_mask);
        self.reader.modify(&mut source, view.operands[place].modifier(), false);
        if !source.lanes.iter().all(Value::is_known) {
            source.lanes = Lanes::of(exec_mask.len(), |l| self.reader.learned(source.lanes.at(l), exec_mask.at(l)));
        }
        source.lanes = source.lanes.map(|value| self.without_kept_bits(view, value));
        let is_signed = source.kind.is_signed();
        let bytes = source.kind.bytes() as u8;
        let extended = |bits: u64| if is_signed { sign_extended(bits, bytes) as u64 } else { bits };
        let order = |bits: u64| if is_signed { i128::from(bits as i64) } else { i128::from(bits) };
        let active = exec_mask.active();
        let known = active.clone().filter_map(|lane| Some((lane, extended(source.lanes.at(lane).as_known()?))));
        let limits = limits(view, place);
        let is_negated = view.operands[place].modifier() == SourceModifier::Negate;
        // Legal numbers of one signal are compared with those of others.
        let is_compared = view.row.barrier == Some(Barrier::NamedSignal);
        let element_type = source.kind;
        // What lies between the least and the greatest value may be the one that is not legal.
        // Where a number is legal or not without others, only the latter matters.
        let is_faulty = |bits: u64| match limits {
            Some(Limits::Range(least, most)) => !is_negated && !(least..=most).contains(&order(bits)),
            Some(Limits::NotZero) => bits == 0,
            _ => true,
        };
        let in_pass = known.clone().find(|(lane, bits)| is_faulty(*bits) && self.is_in_known_pass(exec_mask.at(*lane)));
        if let Some((lane, bits)) = in_pass {
            let numbers = Box::new([Number { bits, is_met: true }]);
            let trail = self.record.writers.trail(source.writer);
            self.report_with(
                view,
                place,
                FactKind::Numbers { lane, numbers, held: Held::InPasses, element_type },
                trail,
            );
        }
        let zero = known.clone().find(|(_, bits)| *bits == 0 && matches!(limits, Some(Limits::NotZero)));
        let least = known.clone().min_by_key(|(_, bits)| order(*bits));
        let greatest = known.max_by_key(|(_, bits)| order(*bits));
        let beyond = match zero {
            Some((lane, bits)) => Some((lane, vec![(vec![Number { bits, is_met: true }], Held::OneOf)])),
            None => active.clone().find_map(|lane| {
                let value = source.lanes.at(lane);
                if value.is_known() {
                    return None;
                }
                let bounds = (limits, is_negated, is_compared);
                let all = self.numbers(bounds, value, exec_mask.at(lane), is_signed);
                (!all.is_empty()).then_some((lane, all))
            }),
        };
        let is_beyond = beyond.is_some();
        let (lane, all) = beyond.unwrap_or_default();
        let is_on_paths_alone = all.iter().all(|(_, held)| held.is_on_some_paths());
        for (mut numbers, held) in all {
            for number in &mut numbers {
                number.bits = extended(number.bits);
            }
            let trail = self.on_path(self.record.writers.trail(source.writer), held.path());
            if is_on_paths_alone {
                // What was seen of the first pass of a loop is not that of every pass.
                self.deny(view, place, no_numbers(element_type));
            }
            let kind = FactKind::Numbers { lane, numbers: numbers.into(), held, element_type };
            self.report_with(view, place, kind, trail);
        }
        let (Some((low_lane, low)), Some((high_lane, high))) = (least, greatest) else {
            // A value that is known in some passes of a loop only is not that of every pass.
            for kind in [
                FactKind::LeastValue { lane: 0, bits: 0, element_type },
                FactKind::GreatestValue { lane: 0, bits: 0, element_type },
            ] {
                self.deny(view, place, kind);
            }
            if let Some(by) = self.beside_function(source.lanes.at(0)).filter(|_| view.row.flow == Flow::FunctionCall) {
                let trail = self.record.writers.trail(source.writer);
                return self.report_with(view, place, FactKind::BesideFunction { by }, trail);
            }
            if !is_beyond {
                self.deny(view, place, no_numbers(element_type));
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

    /// Notes the number that a register with reserved bits gets, if it is known.
    pub(in crate::interp) fn watch_result(&mut self, view: &View<'p>, effects: &Effects) {
        if !has_limited_result(view) || self.record.compares_threads() {
            return;
        }
        let value = effects.changes.iter().find_map(|change| match change {
            Change::Write { values, .. } => Some(values.at(0)),
            _ => None,
        });
        let element_type = Type::UD;
        if let Some(bits) = value.and_then(|value| self.reserved_bits(limits(view, 0)?, value)) {
            let held = if value.is_some_and(Value::is_known) { Held::OneOf } else { Held::Bits };
            let numbers = Box::new([Number { bits, is_met: true }]);
            return self.report(view, 0, FactKind::Numbers { lane: 0, numbers, held, element_type });
        }
        self.deny(view, 0, no_numbers(element_type));
    }

    /// Bytes from the beginning of a function to an address that is computed from it, if that is not zero; of a choice between
    /// functions, if they agree.
    fn beside_function(&self, address: Value) -> Option<u64> {
        let kind = self.reader.domain.kind(address.sum.as_single()?);
        let by = match kind {
            AtomKind::Unknown(_, Origin::Function) => 0,
            AtomKind::Select(_, a, b) => {
                let (a, b) = (self.behind_function(a)?, self.behind_function(b)?);
                if a == b { a } else { return None }
            }
            _ => return None,
        };
        let by = by.wrapping_add(address.constant);
        (by != 0).then_some(by)
    }

    /// Bytes from the beginning of a function to an address that is computed from it.
    fn behind_function(&self, address: Value) -> Option<u64> {
        let kind = self.reader.domain.kind(address.sum.as_single()?);
        matches!(kind, AtomKind::Unknown(_, Origin::Function)).then_some(address.constant)
    }

    /// What an operand with limits may hold in a lane that is active under `active`, if that can break the limits: a few
    /// numbers, the ends of a range, the beginning of a sequence, or the numbers of some paths.
    fn numbers(
        &mut self,
        (limits, is_negated, is_compared): (Option<Limits>, bool, bool),
        value: Value,
        active: Condition,
        is_signed: bool,
    ) -> Vec<(Vec<Number>, Held)> {
        let paths = self.reader.domain.paths(value);
        let asked = limits.filter(|_| !is_compared);
        if paths.iter().all(|(_, value)| value.is_known()) {
            return vec![(self.alternatives(asked, &paths, active, is_signed), Held::OneOf)];
        }
        let within = self.numbers_within(limits, is_negated, value, is_signed);
        let says_all = within.as_ref().is_some_and(|(_, held)| matches!(held, Held::Range | Held::Bits));
        let mut all: Vec<_> = within.into_iter().collect();
        if says_all {
            return all;
        }
        let mut on_some = self.alternatives(asked, &paths, active, is_signed);
        if !self.reader.cx().launch.trusts_paths {
            let at_first = self.reader.values_at_first(value, active);
            on_some.extend(at_first.into_iter().filter_map(Value::as_known).map(|bits| Number { bits, is_met: true }));
        }
        if on_some.iter().any(|number| number.is_met) {
            all.push((on_some, Held::OnSomePaths));
        }
        if let Some((numbers, back)) = self.reader.numbers_at_second(value, active).filter(|(n, _)| !n.is_empty()) {
            let numbers = numbers.into_iter().map(|bits| Number { bits, is_met: true }).collect();
            all.push((numbers, Held::InSecondPass(back)));
        }
        all
    }

    /// What is written to reserved bits whatever the unknowns in a value are.
    fn reserved_bits(&self, limits: Limits, value: Value) -> Option<u64> {
        let domain = &self.reader.domain;
        limits.reserved(domain.known_ones(value), domain.possible_ones(value))
    }

    /// The value that is written to a register with reserved bits, without the bits that are known to be set there already.
    fn without_kept_bits(&mut self, view: &View<'p>, value: Value) -> Value {
        let is_replaced = view.row.operation == Some(Operation::Mov) && view.operands[0].writable_bits().is_some();
        if !is_replaced || value.is_known() {
            return value;
        }
        let Some((at, _)) = self.reader.direct_location(&view.operands[0]) else { return value };
        let held = self.reader.read_one(at, Condition::TRUE);
        let kept = held.map_or(0, |(held, _)| self.reader.domain.known_ones(held));
        let others = Value::known(!kept, value.bytes);
        self.reader.domain.bit_and(value, others)
    }

    /// The ends of the range of an operand with limits, or the beginning of its sequence, if that can break the limits.
    fn numbers_within(
        &self,
        limits: Option<Limits>,
        is_negated: bool,
        value: Value,
        is_signed: bool,
    ) -> Option<(Vec<Number>, Held)> {
        let both = |first: u64, last: u64| [first, last].map(|bits| Number { bits, is_met: false }).to_vec();
        let range = if is_signed {
            let (low, high) = self.reader.domain.signed_range(value);
            (low as u64, high as u64, i128::from(low), i128::from(high))
        } else {
            let (low, high) = self.reader.domain.range(value);
            (low, high, i128::from(low), i128::from(high))
        };
        let (first, last, low, high) = range;
        let limits = limits?;
        // The negative of a count stands for what is left of the width.
        let is_rest = is_negated && matches!(limits, Limits::Range(..)) && high < 0;
        let is_worth_it = match limits {
            Limits::Range(least, most) => low > most || high < least,
            Limits::UpperFields(bit) => first >> bit == last >> bit,
            Limits::LowerFields(_) | Limits::NotZero => false,
            // A negative offset is a huge one.
            Limits::Offset => low > i128::from(i32::MAX) || high < 0,
            // Numbers of one sign have the order of their bits.
            Limits::Float => {
                let (low, high) = self.reader.domain.range(value);
                let is_narrow = low > 0 || high < mask(value.bytes);
                return is_narrow.then(|| (both(low, high), Held::Range));
            }
            Limits::Bits { .. } => {
                let bits = self.reserved_bits(limits, value)?;
                return Some((vec![Number { bits, is_met: false }], Held::Bits));
            }
        };
        if is_worth_it && !is_rest {
            return Some((both(first, last), Held::Range));
        }
        // The lowest bits may be known where those above are not.
        let n_known = self.reader.domain.sum_zeros(value.sum);
        let is_sequence = match limits {
            Limits::Range(..) | Limits::UpperFields(_) | Limits::NotZero | Limits::Float | Limits::Bits { .. } => false,
            Limits::LowerFields(bit) => n_known >= bit,
            Limits::Offset => n_known > 0,
        };
        if !is_sequence || n_known >= 8 * u32::from(value.bytes) {
            return None;
        }
        let first = value.constant & ((1 << n_known) - 1);
        Some((both(first, first + (1 << n_known)), Held::Sequence))
    }

    /// The numbers that a value is on its paths, each once, and whether a path leads to it: that is not asked where all are
    /// within their limits, or all beyond them.
    fn alternatives(
        &mut self,
        limits: Option<Limits>,
        paths: &[(Condition, Value)],
        active: Condition,
        is_signed: bool,
    ) -> Vec<Number> {
        let is_legal = |bits: u64, bytes: u8| {
            let number = if is_signed { sign_extended(bits, bytes).into() } else { i128::from(bits) };
            match limits {
                Some(Limits::Range(least, most)) => Some((least..=most).contains(&number)),
                Some(Limits::NotZero) => Some(number != 0),
                _ => None,
            }
        };
        // Of a path on which it is not known, the first number of a range without a legal one.
        let number_on = |claims: &Self, value: Value| {
            let of_bits = || claims.reserved_bits(limits?, value);
            value.as_known().or_else(of_bits).or_else(|| {
                let (low, high) = claims.reader.domain.range(value);
                let Some(Limits::Range(least, most)) = limits.filter(|_| !is_signed) else { return None };
                (i128::from(low) > most || i128::from(high) < least).then_some(low)
            })
        };
        let numbers_on: Vec<(Condition, u64, u8)> =
            paths.iter().filter_map(|(given, value)| Some((*given, number_on(self, *value)?, value.bytes))).collect();
        let known = || numbers_on.iter().copied();
        let is_mixed = paths.iter().any(|(_, value)| !value.is_known())
            || [true, false].iter().all(|side| known().any(|(_, n, bytes)| is_legal(n, bytes) != Some(*side)));
        let mut numbers: Vec<Number> = Vec::new();
        for (given, bits, bytes) in known() {
            let is_asked = is_mixed && is_legal(bits, bytes) != Some(true);
            let is_met = is_asked && !self.reader.cx().launch.trusts_paths && self.reader.may_lack(active, given.not());
            match numbers.iter_mut().find(|number| number.bits == bits) {
                Some(number) => number.is_met |= is_met,
                None => numbers.push(Number { bits, is_met }),
            }
        }
        numbers.sort_unstable_by_key(|number| number.bits);
        numbers
    }
}

/// A fact with the key of all facts about numbers that always hold, to deny them by.
fn no_numbers(element_type: Type) -> FactKind {
    FactKind::Numbers { lane: 0, numbers: Box::default(), held: Held::OneOf, element_type }
}
