//! What a condition says of the numbers that it compares.

use super::atom::{Atom, AtomKind};
use super::cases::Case;
use super::condition::{Condition, ConditionKind};
use super::{Domain, Value, mask};

/// How often conditions are gone through: a bound may be one that another one moves.
const N_ROUNDS: u32 = 2;

/// The ends of what an unknown is within, or a power of two times it.
struct Bounds {
    atom: Atom,
    /// The exponent of that power, and the bytes that the product has room in.
    multiple: Option<(u32, u8)>,
    low: u64,
    high: u64,
    /// So many of its low bits are known, and what they are.
    tail: (u32, u64),
}

impl Bounds {
    /// Leaves out what is not from `first` on, up to `last`, counted round the end of the width, and what is no multiple of
    /// `step`; nothing is left out where the rest would have a gap.
    fn narrow(&mut self, first: u64, last: u64, bytes: u8, step: u64) {
        let pieces =
            if first <= last { [Some((first, last)), None] } else { [Some((0, last)), Some((first, mask(bytes)))] };
        let within = pieces.into_iter().flatten().filter_map(|(low, high)| {
            let low = low.max(self.low).checked_next_multiple_of(step)?;
            Some((low, high.min(self.high) / step * step))
        });
        let mut left = within.filter(|(low, high)| low <= high);
        if let (Some((low, high)), None) = (left.next(), left.next()) {
            (self.low, self.high) = (low, high);
        }
    }
}

impl Domain {
    /// The value where `given` holds: choices that it decides are made, and unknowns that it compares with numbers are
    /// within what that leaves.
    pub fn learned(&mut self, value: Value, given: Condition) -> Value {
        if value.is_known() {
            return value;
        }
        let replaced = self.said_by(given);
        if replaced.is_empty() { value } else { self.in_case(value, &Case { given, replaced }) }
    }

    /// The unknowns of which a condition says more than is known of them, and what stands for them where it holds.
    pub fn said_by(&mut self, given: Condition) -> Vec<(Atom, Value)> {
        if given.as_known().is_some() {
            return Vec::new();
        }
        let mut all = Vec::new();
        let parts = self.conjuncts(given);
        for _ in 0..N_ROUNDS {
            for part in parts.iter() {
                self.learn(*part, &mut all);
            }
        }
        let compares_floats = |part: &Condition| matches!(self.condition_kind(*part), ConditionKind::AtMost(..));
        let floats = if parts.iter().any(compares_floats) {
            for (value, first, last) in self.converted_said_by(given) {
                self.learn_range(value, first, last, &mut all);
            }
            self.float_bounds_said_by(given)
        } else {
            Vec::new()
        };
        let mut replaced: Vec<(Atom, Value)> = parts.iter().filter_map(|part| self.equal_to(*part)).collect();
        replaced.extend(floats.into_iter().filter(|(atom, _)| all.iter().all(|bounds| bounds.atom != *atom)));
        for Bounds { atom, multiple, low, high, tail: (n_bits, bits) } in all {
            let block = *self.block(atom);
            if let Some((shift, bytes)) = multiple {
                let known = self.with_multiple(given, atom, (shift, bytes), (low, high));
                replaced.extend(known.map(|known| (atom, known)));
            } else if n_bits > u32::from(block.zeros) && low == block.low && high == block.high {
                let rest = self.quotient(atom, n_bits);
                let whole = self.scale(rest, 1 << n_bits);
                replaced.push((atom, whole.plus(bits)));
            } else if low > block.low || high < block.high {
                replaced.push((atom, self.within(given, Self::value_of(atom, block.bytes), (low, high))));
            }
        }
        replaced
    }

    /// A value of which it is known where `given` holds that it is within these ends.
    fn within(&mut self, given: Condition, value: Value, (low, high): (u64, u64)) -> Value {
        if low == high {
            return Value::known(low, value.bytes);
        }
        let zeros = self.zeros(value).min(63) as u8;
        self.atom(AtomKind::Select(given, value, value), value.bytes, zeros, low, high)
    }

    /// What stands for an unknown where a power of two times it is within these ends: the bits of it that the product has room
    /// for are within what that leaves, the others are as they were. Nothing if that says nothing new.
    fn with_multiple(
        &mut self,
        given: Condition,
        atom: Atom,
        (shift, bytes): (u32, u8),
        (low, high): (u64, u64),
    ) -> Option<Value> {
        if (low, high) == self.ends_of_multiple(atom, shift, bytes) {
            return None;
        }
        let block = *self.block(atom);
        let whole = Self::value_of(atom, block.bytes);
        let (n_bits, ends) = (8 * u32::from(bytes) - shift, (low >> shift, high >> shift));
        if block.high >> n_bits == 0 {
            return Some(self.within(given, whole, ends));
        }
        let lower = self.bit_and(whole, Value::known((1 << n_bits) - 1, block.bytes));
        let lower = self.within(given, lower, ends);
        let upper = self.quotient(atom, n_bits);
        let upper = self.scale(upper, 1 << n_bits);
        Some(self.add(lower, upper))
    }

    /// The ends of what a power of two times an unknown is within, in multiples of what it is a multiple of.
    fn ends_of_multiple(&self, atom: Atom, shift: u32, bytes: u8) -> (u64, u64) {
        let block = self.block(atom);
        let whole = mask(bytes);
        let step = self.step_of_multiple(atom, shift, bytes);
        if block.high <= whole >> shift {
            ((block.low << shift).next_multiple_of(step), (block.high << shift) / step * step)
        } else {
            (0, whole / step * step)
        }
    }

    /// What a power of two times an unknown is a multiple of.
    fn step_of_multiple(&self, atom: Atom, shift: u32, bytes: u8) -> u64 {
        1 << (shift + u32::from(self.block(atom).zeros)).min(8 * u32::from(bytes) - 1)
    }

    /// An unknown that a condition says to be the sum of others, and that sum.
    fn equal_to(&mut self, part: Condition) -> Option<(Atom, Value)> {
        if part.is_negated() {
            return None;
        }
        let ConditionKind::Zero(difference) = self.condition_kind(part) else { return None };
        let (terms, bytes) = (self.terms(difference.sum), difference.bytes);
        let is_plain = |coefficient: u64| coefficient == 1 || coefficient == mask(bytes);
        let term = terms.iter().rfind(|term| is_plain(term.coefficient) && self.block(term.atom).bytes == bytes)?;
        if terms.len() < 2 {
            return None;
        }
        // Once more to leave it out, or as the opposite of the rest.
        let itself = self.scale(Self::value_of(term.atom, bytes), term.coefficient.wrapping_neg() & mask(bytes));
        let rest = self.add(difference, itself);
        Some((term.atom, self.scale(rest, term.coefficient.wrapping_neg() & mask(bytes))))
    }

    /// Notes what a comparison with a number says of an unknown.
    fn learn(&self, part: Condition, all: &mut Vec<Bounds>) {
        let holds = !part.is_negated();
        let plain = if holds { part } else { part.not() };
        // From which number to which one the value is.
        let (value, first, last) = match self.condition_kind(plain) {
            ConditionKind::Odd(a) => return self.learn_tail(a, 1, u64::from(holds), all),
            ConditionKind::Zero(a) if holds => (a, 0, 0),
            ConditionKind::Zero(a) => (a, 1, mask(a.bytes)),
            ConditionKind::Less(is_signed, a, b) => {
                let whole = mask(a.bytes);
                let least = if is_signed { (whole >> 1) + 1 } else { 0 };
                let greatest = least.wrapping_sub(1) & whole;
                match (a.as_known(), b.as_known(), holds) {
                    (Some(n), None, true) => (b, n.wrapping_add(1) & whole, greatest),
                    (Some(n), None, false) => (b, least, n),
                    (None, Some(n), true) => (a, least, n.wrapping_sub(1) & whole),
                    (None, Some(n), false) => (a, n, greatest),
                    _ => return,
                }
            }
            _ => return,
        };
        self.learn_range(value, first, last, all);
    }

    /// Notes that a value is from `first` on, up to `last`, counted round the end of its width.
    fn learn_range(&self, value: Value, first: u64, last: u64, all: &mut Vec<Bounds>) {
        let whole = mask(value.bytes);
        let Some(atom) = value.sum.as_single() else { return self.learn_multiple(value, first, last, all) };
        let block = self.block(atom);
        if block.high > whole {
            return;
        }
        let (first, last) = (first.wrapping_sub(value.constant) & whole, last.wrapping_sub(value.constant) & whole);
        let bounds = self.bounds_of(atom, None, all);
        bounds.narrow(first, last, value.bytes, 1 << block.zeros.min(63));
        let (low, high) = (bounds.low, bounds.high);
        // An extended number says the same of the narrow one, and some bits of a number say how great it is.
        let (narrow, positive) = match self.kind(atom) {
            AtomKind::ZeroExtended(v) => (v, mask(v.bytes)),
            AtomKind::SignExtended(v) => (v, mask(v.bytes) >> 1),
            AtomKind::Masked(v, bits) => {
                if low == high && bits & bits.wrapping_add(1) == 0 {
                    return self.learn_tail(v, bits.trailing_ones(), low, all);
                }
                let rest = mask(v.bytes) & !bits;
                return self.learn_range(v, low, high.saturating_add(rest).min(mask(v.bytes)), all);
            }
            AtomKind::Shifted(v, count) => {
                let cut_off = (1 << count) - 1;
                return self.learn_range(v, low << count, (high << count | cut_off) & mask(v.bytes), all);
            }
            _ => return,
        };
        let negative = mask(block.bytes) - positive;
        if low <= positive && high < negative {
            self.learn_range(narrow, low, high.min(positive), all);
        } else if low > positive && matches!(self.kind(atom), AtomKind::SignExtended(_)) {
            let kept = mask(narrow.bytes);
            self.learn_range(narrow, low.max(negative) & kept, high & kept, all);
        }
    }

    /// The same for a power of two times an unknown.
    fn learn_multiple(&self, value: Value, first: u64, last: u64, all: &mut Vec<Bounds>) {
        let terms = self.terms(value.sum);
        let (1, Some(term)) = (terms.len(), terms.iter().next()) else { return };
        let shift = term.coefficient.trailing_zeros();
        if !term.coefficient.is_power_of_two() {
            return;
        }
        let whole = mask(value.bytes);
        let step = self.step_of_multiple(term.atom, shift, value.bytes);
        let (first, last) = (first.wrapping_sub(value.constant) & whole, last.wrapping_sub(value.constant) & whole);
        self.bounds_of(term.atom, Some((shift, value.bytes)), all).narrow(first, last, value.bytes, step);
    }

    /// Notes what the low bits of a value are.
    fn learn_tail(&self, value: Value, n_bits: u32, bits: u64, all: &mut Vec<Bounds>) {
        let Some(atom) = value.sum.as_single() else { return };
        let bits = bits.wrapping_sub(value.constant) & ((1 << n_bits) - 1);
        let bounds = self.bounds_of(atom, None, all);
        if n_bits > bounds.tail.0 {
            bounds.tail = (n_bits, bits);
        }
        if let AtomKind::ZeroExtended(narrow) | AtomKind::SignExtended(narrow) = self.kind(atom)
            && n_bits < 8 * u32::from(narrow.bytes)
        {
            self.learn_tail(narrow, n_bits, bits, all);
        }
    }

    /// What is noted of an unknown, or of a power of two times it.
    fn bounds_of<'a>(&self, atom: Atom, multiple: Option<(u32, u8)>, all: &'a mut Vec<Bounds>) -> &'a mut Bounds {
        let i = all.iter().position(|b| b.atom == atom && b.multiple == multiple).unwrap_or_else(|| {
            let block = self.block(atom);
            let (low, high) = match multiple {
                Some((shift, bytes)) => self.ends_of_multiple(atom, shift, bytes),
                None => (block.low, block.high),
            };
            all.push(Bounds { atom, multiple, low, high, tail: (0, 0) });
            all.len() - 1
        });
        &mut all[i]
    }
}
