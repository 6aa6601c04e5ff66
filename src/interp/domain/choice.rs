//! Choices: one of two values, by a condition.

use super::atom::AtomKind;
use super::condition::Condition;
use super::{Domain, Value, mask};

/// How deep nested choices are simplified under an assumption.
const MAX_DEPTH: u32 = 6;

impl Domain {
    /// One of two values.
    pub fn select(&mut self, condition: Condition, a: Value, b: Value) -> Value {
        match condition.as_known() {
            Some(true) => return a,
            Some(false) => return b,
            None => {}
        }
        let a = self.assume(a, condition);
        let b = self.assume(b, condition.not());
        if a == b {
            return a;
        }
        let (condition, a, b) = if condition.is_negated() { (condition.not(), b, a) } else { (condition, a, b) };
        // What is known of the second one stays outside, so that lanes keep their distance; of numbers with a range, the
        // smaller one, so that the choice has a range, too.
        let ends = |v: Value| self.interval(v).high <= i128::from(mask(v.bytes));
        let outside = if a.constant < b.constant && ends(a) && ends(b) { a.constant } else { b.constant };
        let (a, b) = (a.plus(outside.wrapping_neg()), b.plus(outside.wrapping_neg()));
        let bytes = a.bytes;
        let ((a_low, a_high), (b_low, b_high)) = (self.range(a), self.range(b));
        let zeros = self.zeros(a).min(self.zeros(b)) as u8;
        self.atom(AtomKind::Select(condition, a, b), bytes, zeros, a_low.min(b_low), a_high.max(b_high)).plus(outside)
    }

    /// The value where `given` holds: choices that it decides are made.
    pub fn assume(&mut self, value: Value, given: Condition) -> Value {
        if given.is_true() { value } else { self.assume_within(value, given, MAX_DEPTH) }
    }

    fn assume_within(&mut self, value: Value, given: Condition, depth: u32) -> Value {
        let Some(atom) = value.sum.as_single() else { return value };
        if depth == 0 {
            return value;
        }
        let AtomKind::Select(condition, a, b) = self.kind(atom) else { return value };
        let chosen = if self.implies(given, condition) {
            self.assume_within(a, given, depth - 1)
        } else if self.implies(given, condition.not()) {
            self.assume_within(b, given, depth - 1)
        } else {
            // Only what `given` does not say of the condition is left of it.
            let rest = self.given(condition, given);
            if rest == condition {
                return value;
            }
            let (a, b) = (self.assume_within(a, given, depth - 1), self.assume_within(b, given, depth - 1));
            self.select(rest, a, b)
        };
        // The choice has a width of its own.
        self.resize(chosen, value.bytes).plus(value.constant)
    }
}
