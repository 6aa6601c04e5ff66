//! What no pair of forms shows: too few places for all lanes, and pairs that meet in each of a few cases.

use super::meeting::{Distance, Writer, distance, meet, pairs};
use super::{Decision, Witness};
use crate::interp::claims::Claims;
use crate::interp::claims::facts::{Cases, Doubt, Proof, Values, Verdict};
use crate::interp::domain::cases::{Case, Splits};
use crate::interp::domain::condition::Condition;
use crate::interp::domain::{Domain, Value};
use crate::interp::transfer::message::{Message, Space};
use crate::program::View;

/// Most conditions and bits that are split into cases.
const MAX_SPLITS: usize = 6;
/// Cases that may be looked at in one kernel; each costs up to 32 lanes.
const MAX_CASES: u32 = 4096;

impl<'p> Claims<'_, 'p> {
    /// How many places the lanes can have at most, so that no two of them meet.
    pub(super) fn places(&mut self, message: &Message, writers: &[&Writer]) -> u32 {
        // Whole lanes have to fit side by side, where one number says where they are.
        let is_line = message.space != Space::Typed && message.coordinates.len() == 1;
        let bytes = if is_line { run(message) } else { 1 };
        let mut n_places = 1_u64;
        for i in 0..message.coordinates.len() {
            let values: Vec<Value> = writers.iter().map(|w| w.place[i]).collect();
            let rests = self.reader.domain.without_common(&values);
            let domain = &self.reader.domain;
            let limits = rests.iter().map(|rest| domain.range(*rest));
            let (low, high) = limits.fold((u64::MAX, 0), |(low, high), (a, b)| (low.min(a), high.max(b)));
            // On both sides of zero they lie as close together.
            let limits = rests.iter().map(|rest| domain.signed_range(*rest));
            let (first, last) = limits.fold((i64::MAX, i64::MIN), |(low, high), (a, b)| (low.min(a), high.max(b)));
            let within = (high.saturating_sub(low).min(last.abs_diff(first)) / bytes).saturating_add(1);
            let n = self.few_numbers(&rests).map_or(within, |all| within.min(packed(&all, bytes)));
            n_places = n_places.saturating_mul(n);
        }
        u32::try_from(n_places).unwrap_or(u32::MAX)
    }

    /// What two lanes write to their common bytes, if they are always so near each other that they have some.
    pub(super) fn always_meet(
        &mut self,
        view: &View<'p>,
        message: &Message,
        (a, b): (&Writer, &Writer),
    ) -> Option<Values> {
        let ([x], [y], false) = (&*a.place, &*b.place, message.space == Space::Typed) else { return None };
        let difference = self.reader.domain.subtract(*x, *y);
        let (low, high) = self.reader.domain.signed_range(difference);
        let bytes = run(message) as i64;
        if low <= -bytes || high >= bytes {
            return None;
        }
        if message.pieces.len() > 1 {
            return Some(Values::Unknown);
        }
        // The distances that there are between the two ends.
        let step = 1 << self.reader.domain.sum_zeros(difference.sum).min(32);
        let is_one = |shift: &i64| difference.constant.wrapping_sub(*shift as u64).is_multiple_of(step);
        let at = |shift: i64| self.compare_at(view, message, ((b.lane, 0), (a.lane, 0)), shift);
        let all = (low..=high).filter(is_one).map(at);
        all.reduce(|one, other| if one == other { one } else { Values::Unknown })
    }

    /// All numbers that some values can be, in order; nothing if they are many.
    fn few_numbers(&self, values: &[Value]) -> Option<Vec<u64>> {
        let mut all: Vec<u64> = Vec::new();
        for value in values {
            all.extend(self.reader.domain.set(*value)?);
            all.sort_unstable();
            all.dedup();
            if all.len() > 64 {
                return None;
            }
        }
        Some(all)
    }

    /// Whether two lanes meet in every case of a few conditions and low bits.
    pub(super) fn decide_by_cases(
        &mut self,
        view: &View<'p>,
        message: &Message,
        sure: &[&Writer],
        decision: &mut Decision,
    ) -> bool {
        let mut splits = Splits::default();
        for writer in sure {
            for value in &writer.place {
                self.reader.domain.splits(*value, &mut splits);
            }
            if splits.conditions.len() > MAX_SPLITS {
                return false;
            }
        }
        let bits: u32 = splits.residues.iter().map(|(_, bits)| *bits).sum();
        let n_bits = splits.conditions.len() as u32 + bits;
        if n_bits == 0 || n_bits > MAX_SPLITS as u32 || self.record.n_cases + (1 << n_bits) > MAX_CASES {
            return false;
        }
        self.record.n_cases += 1 << n_bits;
        let span = message.span();
        let mut n_meeting = 0;
        let mut first = None;
        let mut all_values = None;
        for number in 0..1_u32 << n_bits {
            let Some(case) = self.case(&splits, number) else { continue };
            let places: Vec<Writer> = sure
                .iter()
                .map(|w| Writer {
                    lane: w.lane,
                    active: Condition::TRUE,
                    place: w.place.iter().map(|v| self.reader.domain.in_case(*v, &case)).collect(),
                })
                .collect();
            let met = pairs(&places).find_map(|(a, b)| match distance(a, b) {
                Distance::Known(d) => {
                    meet(message, span, (a.lane, b.lane), d).filter(|m| m.1).map(|m| ((a.lane, b.lane), m.0))
                }
                _ => None,
            });
            let Some((lanes, pieces)) = met else {
                // Not decided here, or never: both leave it open.
                decision.verdict = Verdict::Unknown(if n_meeting > 0 { Doubt::Cases } else { Doubt::Addresses });
                return false;
            };
            n_meeting += 1;
            let find = |lane: u32| sure.iter().find(|w| w.lane == lane);
            let values = match (find(lanes.0), find(lanes.1)) {
                (Some(a), Some(b)) => self.compare_pieces(view, message, (a.lane, b.lane), pieces),
                _ => Values::Unknown,
            };
            // Only what holds in each case is certain.
            all_values = Some(all_values.map_or(values, |all| if all == values { all } else { Values::Unknown }));
            first.get_or_insert((lanes, pieces));
        }
        let (Some((lanes, pieces)), Some(values)) = (first, all_values) else { return false };
        decision.verdict = Verdict::Must;
        decision.proof = Proof::Cases(n_meeting);
        decision.cases = self.cases_in_words(&splits).unwrap_or_default();
        decision.witness = Some(Witness { lanes, pieces, values });
        true
    }

    /// What tells cases apart, in words; nothing if that cannot be said in a few.
    fn cases_in_words(&self, splits: &Splits) -> Option<Cases> {
        if splits.conditions.len() + splits.residues.len() > 2 {
            return None;
        }
        let conditions = splits.conditions.iter().map(|condition| self.reader.condition_in_words(*condition));
        let numbers = splits.residues.iter().map(|(atom, bits)| {
            let block = self.reader.domain.block(*atom);
            let mask = ((1_u64 << bits) - 1) << block.zeros;
            let words = self.reader.in_words(Domain::value_of(*atom, block.bytes));
            (!words.contains("...")).then(|| format!("`{words} & {mask:#x}`"))
        });
        Some(Cases { conditions: conditions.collect::<Option<_>>()?, numbers: numbers.collect::<Option<_>>()? })
    }

    /// One of the cases, counted through; nothing if its conditions exclude each other.
    fn case(&mut self, splits: &Splits, number: u32) -> Option<Case> {
        let mut case = Case { given: Condition::TRUE, replaced: Vec::new() };
        let mut bit = 0;
        for condition in &splits.conditions {
            let taken = if number >> bit & 1 == 1 { *condition } else { condition.not() };
            case.given = self.reader.domain.and(case.given, taken);
            bit += 1;
        }
        for (atom, bits) in &splits.residues {
            let residue = u64::from(number >> bit & ((1 << bits) - 1));
            bit += bits;
            // The unknown is 2^bits times another one plus the residue.
            let block = *self.reader.domain.block(*atom);
            let zeros = u32::from(block.zeros);
            let rest = self.reader.domain.quotient(*atom, *bits + zeros);
            let scaled = self.reader.domain.scale(rest, 1 << (*bits + zeros));
            case.replaced.push((*atom, scaled.plus(residue << zeros)));
        }
        (!case.given.is_false()).then_some(case)
    }
}

/// Bytes without a gap that each lane accesses, from the first one on.
fn run(message: &Message) -> u64 {
    let mut pieces: Vec<(u64, u64)> = message
        .pieces
        .iter()
        .map(|piece| (piece.offset, piece.offset.saturating_add(u64::from(piece.bytes))))
        .collect();
    pieces.sort_unstable();
    let Some(&(first, mut end)) = pieces.first() else { return 1 };
    for (from, to) in pieces {
        if from > end {
            break;
        }
        end = end.max(to);
    }
    (end - first).max(1)
}

/// How many spans of that many bytes fit side by side if they begin at some of these places.
fn packed(places: &[u64], bytes: u64) -> u64 {
    let mut n = 0;
    let mut free_from = None;
    for place in places {
        if free_from.is_none_or(|free| *place >= free) {
            n += 1;
            free_from = place.checked_add(bytes);
            if free_from.is_none() {
                break;
            }
        }
    }
    n
}
