//! Predicates as numbers, and the bits of numbers as predicates.

use super::atom::{AtomKind, Origin};
use super::condition::Condition;
use super::lanes::Lanes;
use super::{Domain, LANES, Value, mask};

/// Most runs of lanes that a number is made of.
const MAX_RUNS: usize = 4;

impl Domain {
    /// The number of `bytes` bytes whose bits are those conditions, with zeros above.
    pub fn number_of(&mut self, bits: &Lanes<Condition>, bytes: u8) -> Value {
        let n = bits.len().min(8 * u32::from(bytes));
        let mut whole = Value::known(0, bytes);
        let (mut first, mut n_runs) = (0, 0);
        while first < n {
            if let Some(known) = bits.at(first).as_known() {
                whole = whole.plus(u64::from(known) << first);
                first += 1;
                continue;
            }
            if n_runs == MAX_RUNS {
                // What is not followed depends on the rest.
                return self.unknown_one(bytes, Origin::Loop);
            }
            n_runs += 1;
            let (run, n_lanes) = run_from(bits, first, n);
            let high = u64::MAX >> (64 - n_lanes);
            let atom = self.atom(AtomKind::Predicate(run, n_lanes as u8), bytes, 0, 0, high);
            let placed = self.shift_left(atom, first);
            whole = self.add(whole, placed);
            first += n_lanes;
        }
        whole
    }

    /// The lowest `n` bits of a number, where each is known or one of a predicate.
    #[must_use]
    pub fn predicate_of(&self, value: Value, n: u32) -> Option<Lanes<Condition>> {
        if let Some(known) = value.as_known() {
            return Some(Lanes::of(n, |lane| Condition::known(known >> lane & 1 == 1)));
        }
        if let Some(atom) = value.sum.as_single().filter(|_| value.constant == 0)
            && let AtomKind::Masked(inner, kept) = self.kind(atom)
        {
            let bits = self.predicate_of(inner, n)?;
            return Some(Lanes::of(n, |lane| if kept >> lane & 1 == 1 { bits.at(lane) } else { Condition::FALSE }));
        }
        let whole = mask(value.bytes);
        let terms = self.terms(value.sum);
        // All bits of a number turned over are -1 less the number.
        let is_opposite = terms.iter().all(|term| (term.coefficient.wrapping_neg() & whole).is_power_of_two());
        let mut taken = if is_opposite { !value.constant & whole } else { value.constant };
        let mut bits = Lanes::of(n, |lane| Condition::known(taken >> lane & 1 == 1));
        for term in terms.iter() {
            let factor = if is_opposite { term.coefficient.wrapping_neg() & whole } else { term.coefficient };
            let AtomKind::Predicate(run, n_lanes) = self.kind(term.atom) else { return None };
            let first = factor.trailing_zeros();
            let own = (u64::MAX >> (64 - u32::from(n_lanes))).checked_shl(first)?;
            if !factor.is_power_of_two() || taken & own != 0 {
                return None;
            }
            taken |= own;
            if first < n {
                bits.replace(first, &Lanes::run(run, u32::from(n_lanes).min(n - first)));
            }
        }
        Some(if is_opposite { bits.map(Condition::not) } else { bits })
    }
}

/// What begins at a lane, one condition for all or a run, and how many lanes it has.
fn run_from(bits: &Lanes<Condition>, first: u32, n: u32) -> (Condition, u32) {
    let begin = bits.at(first);
    if first + 1 == n {
        return (begin, 1);
    }
    let next = bits.at(first + 1);
    let run = if next == begin { Some(begin) } else { begin.run_with(next) };
    let Some(run) = run else { return (begin, 1) };
    let goes_on = |lane: &u32| (!run.steps() || begin.lane() + lane < LANES) && run.at(*lane) == bits.at(first + lane);
    (run, (1..n - first).take_while(goes_on).count() as u32 + 1)
}
