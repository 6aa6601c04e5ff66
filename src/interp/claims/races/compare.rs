//! Which of the accesses of all threads meet.

use super::data::Compared;
use super::depends::{Happenings, Happens};
use super::{Access, Outcome, RaceLog, Stop, Target};
use crate::interp::claims::facts::{Fact, Values};
use crate::interp::claims::steps::Asked;
use crate::interp::domain::sum::Sum;
use crate::interp::launch::Group;
use crate::interp::state::{Reader, Surface};
use crate::spec::instruction::AccessKind;
use rustc_hash::{FxHashMap, FxHashSet};

/// Most pairs of accesses of two instructions whose data are compared.
const MAX_COMPARED: u32 = 1 << 10;
/// Steps of the executions for each number that may be looked at to compare data, and the least that are looked at.
const STEPS_PER_LOOK: u64 = 2;
const LEAST_LOOKS: u64 = 500;
/// Pairs of accesses to common bytes that are looked at, for each step of the executions, and the least that are.
const PAIRS_PER_STEP: u64 = 64;
const LEAST_PAIRS: u64 = 1 << 16;
/// Most pairs of accesses that are looked at for threads that are near each other, and most of these.
const MAX_LOOKED_AT: u32 = 1 << 12;
const MAX_NEAR: usize = 8;
/// What is found out while pairs of accesses are compared. A pair of numbers is a pair of instructions, the earlier first.
#[derive(Default)]
struct Comparison {
    found: FxHashMap<(u32, u32), Fact>,
    /// Races in launches with certain arguments.
    conditional: FxHashMap<(u32, u32), Fact>,
    asked: Vec<Asked>,
    happenings: Happenings,
    /// How often the accesses of two instructions were compared without a finding.
    in_vain: FxHashMap<(u32, u32), u32>,
    compared: Compared,
    /// Reads whose result only decides whether an atomic is tried again.
    guessed: FxHashSet<(u32, Target, u64)>,
}

/// What two accesses to common bytes are.
enum Meeting {
    /// No race, or no further one.
    None,
    /// It cannot be decided.
    Unknown,
    /// A race.
    Race {
        /// Of which launches it holds, in words; nothing if of all.
        condition: Option<String>,
        /// Whether one of the accesses happens in other launches, too.
        is_by_arguments: bool,
    },
}

impl RaceLog {
    /// Finds accesses that meet; one for each pair of instructions.
    /// Executing them has cost so many steps.
    pub(in crate::interp) fn compare(mut self, reader: &mut Reader, group: &Group, effort: u64) -> Outcome {
        let is_of_one = self.between.is_some() && self.are_groups_alike(reader);
        let order = if is_of_one { Vec::new() } else { self.in_order(reader) };
        let accesses = std::mem::take(&mut self.accesses);
        let n_left = (effort / STEPS_PER_LOOK).max(LEAST_LOOKS);
        let compared = Compared::with(n_left);
        let mut comparison = Comparison { guessed: self.guessed(&accesses), compared, ..Comparison::default() };
        let max_pairs = effort.saturating_mul(PAIRS_PER_STEP).max(LEAST_PAIRS);
        self.compare_all(reader, group, (&mut comparison, max_pairs), (&accesses, &order));
        let Comparison { found, mut conditional, asked, .. } = comparison;
        self.open_what_is_apart(&accesses);
        self.note_pointers(reader, &accesses);
        conditional.retain(|pair, _| !found.contains_key(pair));
        let outside = self.outside(reader, group, &accesses);
        // Of two groups, and of those with a certain argument, that is not asked.
        let is_of_any_launch = self.between.is_none() && self.chosen.is_none();
        let parted = is_of_any_launch.then(|| self.visits.parted(|thread| group.item(thread, 0))).flatten();
        let near = if is_of_any_launch && !self.open.is_empty() { self.near(&accesses) } else { Vec::new() };
        let is_free = found.is_empty() && self.open.is_empty() && self.stop.is_none() && !self.order.has_lost();
        let is_free_in_any = is_free && !reader.cx().knows_group;
        let open = self.open.into_iter().collect();
        Outcome {
            facts: sorted(found),
            conditional: sorted(conditional),
            between: Vec::new(),
            pointers: self.pointers,
            asked,
            near,
            outside,
            parted,
            is_free,
            is_free_in_any,
            open,
            stop: self.stop,
            effort: 0,
        }
    }

    /// Threads that access the same bytes, whatever barriers stand in between, and one of them writes: two of each pair of
    /// instructions, as long as few are found.
    fn near(&self, accesses: &[Access]) -> Vec<u32> {
        let mut order: Vec<(Surface, Sum, u64, u32)> =
            (0..).zip(accesses).map(|(i, a)| (a.target.surface, a.target.sum, a.start, i)).collect();
        order.sort_unstable_by_key(|(_, sum, start, i)| (*sum, *start, *i));
        let (mut near, mut pairs) = (Vec::new(), FxHashSet::default());
        let mut n_looked_at = 0;
        for (i, (surface, sum, _, a)) in order.iter().enumerate() {
            let a = &accesses[*a as usize];
            let end = a.start.saturating_add(u64::from(a.bytes));
            for (other, _, _, b) in order[i + 1..].iter().take_while(|(_, s, start, _)| s == sum && *start < end) {
                n_looked_at += 1;
                if n_looked_at > MAX_LOOKED_AT || near.len() >= MAX_NEAR {
                    return near;
                }
                let b = &accesses[*b as usize];
                if other == surface && !self.are_harmless(a, b) && pairs.insert(self.pair_of(a, b)) {
                    near.extend([a, b].map(|x| self.messages[x.message as usize].thread));
                }
            }
        }
        near
    }

    /// Compares each access with those behind it in the order that begin before it ends.
    fn compare_all(
        &mut self,
        reader: &mut Reader,
        group: &Group,
        (comparison, max_pairs): (&mut Comparison, u64),
        (accesses, order): (&[Access], &[(u32, u64, u32)]),
    ) {
        let mut n_pairs = 0;
        for (i, (target, _, a)) in order.iter().enumerate() {
            let a = &accesses[*a as usize];
            let end = a.start.saturating_add(u64::from(a.bytes));
            for (_, _, b) in order[i + 1..].iter().take_while(|(t, start, _)| t == target && *start < end) {
                n_pairs += 1;
                if n_pairs > max_pairs {
                    self.stop_at(Stop::TooManyPairs);
                    return;
                }
                let b = &accesses[*b as usize];
                match self.meeting(reader, group, comparison, (a, b)) {
                    Meeting::None => {}
                    Meeting::Unknown => self.open.extend([self.instruction_of(a), self.instruction_of(b)]),
                    Meeting::Race { condition, is_by_arguments } => {
                        let pair = self.pair_of(a, b);
                        comparison.asked.extend(self.asked(pair, (a, b)));
                        let fact = self.fact(reader, group, (a, b), (condition, is_by_arguments));
                        if is_by_arguments {
                            self.open.extend([self.instruction_of(a), self.instruction_of(b)]);
                            comparison.conditional.insert(pair, fact);
                        } else {
                            comparison.found.insert(pair, fact);
                        }
                    }
                }
            }
        }
    }

    /// Whether two accesses to common bytes are a race, of which their instructions have none yet.
    fn meeting(
        &mut self,
        reader: &mut Reader,
        group: &Group,
        comparison: &mut Comparison,
        (a, b): (&Access, &Access),
    ) -> Meeting {
        if self.are_harmless(a, b) {
            return Meeting::None;
        }
        if self.is_guess(&comparison.guessed, (a, b)) || self.is_guess(&comparison.guessed, (b, a)) {
            return Meeting::Unknown;
        }
        let pair = self.pair_of(a, b);
        if comparison.found.contains_key(&pair) {
            return Meeting::None;
        }
        let (condition, is_by_arguments) =
            match comparison.happenings.of(reader, (self, &mut comparison.compared), (a.active, b.active)) {
                Happens::Both(words) => (words, false),
                Happens::Never => return Meeting::None,
                Happens::If(words) => (Some(words), true),
                Happens::Unknown => return Meeting::Unknown,
            };
        if is_by_arguments && comparison.conditional.contains_key(&pair)
            || self.chosen.is_some() && self.are_in_different_rows(group, (a, b))
        {
            return Meeting::None;
        }
        if self.are_both(AccessKind::Write, a, b) {
            let n_tries = comparison.in_vain.entry(pair).or_default();
            if *n_tries >= MAX_COMPARED || comparison.compared.is_exhausted() {
                self.stop_at(Stop::TooManyPairs);
                return Meeting::None;
            }
            *n_tries += 1;
            let shift = b.start as i64 - a.start as i64;
            match self.compare_data(reader, &mut comparison.compared, (a, b), shift) {
                Values::Different => {}
                Values::Same => return Meeting::None,
                Values::Unknown => return Meeting::Unknown,
            }
        }
        Meeting::Race { condition, is_by_arguments }
    }

    /// Whether two accesses are no race wherever they go: they belong to one side, none of them writes, or both are atomic.
    fn are_harmless(&self, a: &Access, b: &Access) -> bool {
        let (p, q) = (&self.messages[a.message as usize], &self.messages[b.message as usize]);
        let is_one_side = if self.between.is_some() {
            self.are_of_one_group(a, b)
        } else {
            let is_one = a.message == b.message && p.has_equal_lanes && p.kind == AccessKind::Write;
            p.thread == q.thread && !is_one || a.weak.is_some() && b.weak.is_some()
        };
        is_one_side || self.are_both(AccessKind::Read, a, b) || self.are_both(AccessKind::Atomic, a, b)
    }

    fn are_both(&self, kind: AccessKind, a: &Access, b: &Access) -> bool {
        [a, b].into_iter().all(|x| self.messages[x.message as usize].kind == kind)
    }

    /// The numbers of two instructions, the earlier one first.
    fn pair_of(&self, a: &Access, b: &Access) -> (u32, u32) {
        let (p, q) = (self.instruction_of(a).0, self.instruction_of(b).0);
        (p.min(q), p.max(q))
    }
}

fn sorted(found: FxHashMap<(u32, u32), Fact>) -> Vec<Fact> {
    let mut all: Vec<((u32, u32), Fact)> = found.into_iter().collect();
    all.sort_by_key(|(pair, _)| *pair);
    all.into_iter().map(|(_, fact)| fact).collect()
}
