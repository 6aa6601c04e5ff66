//! Numbers for unknowns with which conditions hold, found by changing one unknown after another.

use super::atom::{Atom, AtomKind};
use super::concrete::Assignment;
use super::condition::{Condition, ConditionKind};
use super::function::Function;
use super::{Domain, Value, mask, sign_extended};
use crate::spec::operation::Operation;
use rustc_hash::FxHashMap;

/// How often numbers are changed before another choice is made to begin with.
const MAX_STEPS: u64 = 12;
/// How many choices there are to begin with.
const MAX_BEGINNINGS: u64 = 3;
/// How deep conditions and values are followed to an unknown.
const MAX_DEPTH: u32 = 16;

/// A choice of numbers that is being changed.
struct Search<'d> {
    domain: &'d Domain,
    seed: u64,
    /// What tells the ways to change something apart: a step takes another one than the step before.
    turn: u64,
    /// Whether numbers may be negative where something is changed.
    is_signed: bool,
    numbers: FxHashMap<Atom, u64>,
}

impl Domain {
    /// Whether such numbers are found that `given` holds and `other` does not.
    pub(super) fn finds_parting(&self, given: Condition, other: Condition) -> bool {
        (0..MAX_BEGINNINGS).any(|seed| {
            let mut search = Search { domain: self, seed, turn: seed, is_signed: false, numbers: FxHashMap::default() };
            (0..MAX_STEPS).any(|_| {
                let (holds, holds_other) = (search.holds(given), search.holds(other));
                search.turn += 1;
                if !holds {
                    search.settle(given, true, MAX_DEPTH);
                } else if holds_other {
                    search.settle(other, false, MAX_DEPTH);
                }
                holds && !holds_other
            })
        })
    }
}

impl Search<'_> {
    fn holds(&self, condition: Condition) -> bool {
        Assignment::new(self.domain, self.seed, |atom| self.numbers.get(&atom).copied()).condition(condition)
    }

    fn number(&self, value: Value) -> u64 {
        Assignment::new(self.domain, self.seed, |atom| self.numbers.get(&atom).copied()).value(value)
    }

    /// Changes an unknown so that a condition becomes `wanted`, or nearer to it; false if none is found.
    fn settle(&mut self, condition: Condition, wanted: bool, depth: u32) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return false };
        let (plain, wanted) = if condition.is_negated() { (condition.not(), !wanted) } else { (condition, wanted) };
        let kind = self.domain.condition_kind(plain);
        self.is_signed = !matches!(kind, ConditionKind::Less(false, ..));
        match kind {
            ConditionKind::And(a, b) | ConditionKind::Whole(a, b) => {
                let both = if self.turn.is_multiple_of(2) { [a, b] } else { [b, a] };
                // All that does not hold has to; or any one has to be changed.
                both.into_iter().any(|part| (!wanted || !self.holds(part)) && self.settle(part, wanted, depth))
            }
            ConditionKind::Less(is_signed, a, b) => self.order(is_signed, (a, b), wanted, depth),
            ConditionKind::Zero(a) => {
                let number = if wanted { 0 } else { 1 + self.turn % 2 };
                self.set(a, number, depth)
            }
            ConditionKind::Odd(a) => {
                let number = self.number(a) ^ 1;
                self.set(a, number, depth)
            }
            ConditionKind::Bit(a) => {
                let number = self.number(a) ^ 1 << plain.lane();
                self.set(a, number, depth)
            }
            ConditionKind::Unknown(_) => {
                let Some(all) = self.domain.choices(plain) else { return false };
                let first = self.turn as usize % all.len().max(1);
                let mut rotated = all[first..].iter().chain(&all[..first]);
                rotated.any(|choice| self.holds(*choice) != wanted && self.settle(*choice, wanted, depth))
            }
            ConditionKind::False | ConditionKind::AtMost(..) | ConditionKind::Compared(..) => false,
        }
    }

    /// Makes the first value less than the second one, or not less.
    fn order(&mut self, is_signed: bool, (a, b): (Value, Value), is_less: bool, depth: u32) -> bool {
        let whole = mask(a.bytes);
        let (least, greatest) = if is_signed { ((whole >> 1) + 1, whole >> 1) } else { (0, whole) };
        let (x, y) = (self.number(a), self.number(b));
        // Just so, or as far as possible.
        let is_near = !self.turn.is_multiple_of(3);
        let below = match (is_less, is_near) {
            (true, _) if y == least => None,
            (true, true) => Some(y.wrapping_sub(1) & whole),
            (true, false) => Some(least),
            (false, true) => Some(y),
            (false, false) => Some(greatest),
        };
        if let Some(number) = below
            && self.set(a, number, depth)
        {
            return true;
        }
        let above = match (is_less, is_near) {
            (true, _) if x == greatest => None,
            (true, true) => Some(x.wrapping_add(1) & whole),
            (true, false) => Some(greatest),
            (false, true) => Some(x),
            (false, false) => Some(least),
        };
        above.is_some_and(|number| self.set(b, number, depth))
    }

    /// Changes one unknown so that a value becomes a number. The value does not wrap around on the way: that it could is
    /// seldom what a comparison is about.
    fn set(&mut self, value: Value, number: u64, depth: u32) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return false };
        let bytes = value.bytes;
        let difference = self.integer(number, bytes) - self.integer(self.number(value), bytes);
        let terms = self.domain.terms(value.sum);
        if difference == 0 || terms.is_empty() {
            return false;
        }
        let first = self.turn as usize % terms.len();
        (0..terms.len()).any(|i| {
            let term = terms[(first + i) % terms.len()];
            let factor = i128::from(sign_extended(term.coefficient, bytes));
            if difference % factor != 0 {
                return false;
            }
            let own_bytes = self.domain.block(term.atom).bytes;
            let own = self.number(Domain::value_of(term.atom, own_bytes));
            let whole = mask(own_bytes);
            let least = if self.is_signed { -(i128::from(whole >> 1) + 1) } else { 0 };
            // As near to it as this one goes; the next step changes another one.
            let wanted = self.integer(own, own_bytes) + difference / factor;
            let changed = wanted.clamp(least, i128::from(whole)) as u64 & whole;
            changed != own && self.set_atom(term.atom, changed, depth)
        })
    }

    /// What bits stand for.
    fn integer(&self, bits: u64, bytes: u8) -> i128 {
        if self.is_signed { sign_extended(bits, bytes).into() } else { bits.into() }
    }

    fn set_atom(&mut self, atom: Atom, number: u64, depth: u32) -> bool {
        let block = *self.domain.block(atom);
        let is_within = block.low <= number && number <= block.high;
        if !is_within || number.trailing_zeros() < u32::from(block.zeros) {
            return false;
        }
        match self.domain.kind(atom) {
            AtomKind::Initial(..) | AtomKind::Unknown(..) => {
                self.numbers.insert(atom, number);
                true
            }
            AtomKind::ZeroExtended(v) => self.set(v, number, depth),
            AtomKind::SignExtended(v) => {
                let narrow = number & mask(v.bytes);
                sign_extended(narrow, v.bytes) as u64 & mask(block.bytes) == number && self.set(v, narrow, depth)
            }
            AtomKind::Masked(v, bits) => {
                let rest = self.number(v) & !bits;
                number & !bits == 0 && self.set(v, rest | number, depth)
            }
            AtomKind::Shifted(v, count) => {
                let rest = self.number(v) & ((1 << count) - 1);
                number <= mask(v.bytes) >> count && self.set(v, number << count | rest, depth)
            }
            AtomKind::Select(condition, a, b) => {
                let holds = self.holds(condition);
                self.set(if holds { a } else { b }, number, depth) || self.settle(condition, !holds, depth)
            }
            AtomKind::Predicate(bits, n) => {
                let differs = |lane: &u32| self.holds(bits.at(*lane)) != (number >> lane & 1 == 1);
                let Some(lane) = (0..u32::from(n)).find(differs) else { return false };
                self.settle(bits.at(lane), number >> lane & 1 == 1, depth)
            }
            AtomKind::Applied(function, [a, b, _]) => {
                let (x, y) = (self.number(a), self.number(b));
                match function {
                    Function::Integer(Operation::Xor) => {
                        self.set(a, number ^ y, depth) || self.set(b, number ^ x, depth)
                    }
                    Function::Integer(Operation::Min | Operation::Max) => {
                        self.set(a, number, depth) || self.set(b, number, depth)
                    }
                    _ => false,
                }
            }
            AtomKind::AddressOf(_) | AtomKind::LocalId(_) => false,
        }
    }
}
