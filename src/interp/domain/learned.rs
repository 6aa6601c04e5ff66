//! What a condition says of the numbers that it compares.

use super::atom::{Atom, AtomKind};
use super::cases::Case;
use super::condition::{Condition, ConditionKind};
use super::{Domain, Value, mask};

/// How often conditions are gone through: a bound may be one that another one moves.
const N_ROUNDS: u32 = 2;

/// The ends of what an unknown is within.
struct Bounds {
    atom: Atom,
    low: u64,
    high: u64,
}

impl Bounds {
    /// Leaves out what is not from `first` on, up to `last`, counted round the end of the width; nothing is left out where
    /// the rest would have a gap.
    fn narrow(&mut self, first: u64, last: u64, bytes: u8) {
        let pieces =
            if first <= last { [Some((first, last)), None] } else { [Some((0, last)), Some((first, mask(bytes)))] };
        let within = pieces.into_iter().flatten().map(|(low, high)| (low.max(self.low), high.min(self.high)));
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
        let mut replaced = Vec::new();
        for Bounds { atom, low, high } in all {
            let block = *self.block(atom);
            if low > block.low || high < block.high {
                // The unknown, of which more is known there.
                let known = if low == high {
                    Value::known(low, block.bytes)
                } else {
                    let whole = Self::value_of(atom, block.bytes);
                    let kind = AtomKind::Select(given, whole, whole);
                    self.atom(kind, block.bytes, block.zeros, low, high)
                };
                replaced.push((atom, known));
            }
        }
        replaced
    }

    /// Notes what a comparison with a number says of an unknown.
    fn learn(&self, part: Condition, all: &mut Vec<Bounds>) {
        let holds = !part.is_negated();
        let plain = if holds { part } else { part.not() };
        // From which number to which one the value is.
        let (value, first, last) = match self.condition_kind(plain) {
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
        let Some(atom) = value.sum.as_single() else { return };
        let block = self.block(atom);
        if block.high > whole {
            return;
        }
        let (first, last) = (first.wrapping_sub(value.constant) & whole, last.wrapping_sub(value.constant) & whole);
        let i = all.iter().position(|b| b.atom == atom).unwrap_or_else(|| {
            all.push(Bounds { atom, low: block.low, high: block.high });
            all.len() - 1
        });
        all[i].narrow(first, last, value.bytes);
        let (low, high) = (all[i].low, all[i].high);
        // An extended number says the same of the narrow one.
        let (narrow, positive) = match self.kind(atom) {
            AtomKind::ZeroExtended(v) => (v, mask(v.bytes)),
            AtomKind::SignExtended(v) => (v, mask(v.bytes) >> 1),
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
}
