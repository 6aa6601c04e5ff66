//! Loops that lanes cannot leave once they have gone round: no exit condition changes, or a counter passes its bound.

use crate::interp::claims::Claims;
use crate::interp::claims::facts::{Endless, FactKind};
use crate::interp::domain::atom::{Atom, AtomKind};
use crate::interp::domain::condition::{Condition, ConditionKind};
use crate::interp::domain::fold;
use crate::interp::domain::function::Function;
use crate::interp::domain::lanes::Lanes;
use crate::interp::domain::{Domain, Value, mask, sign_extended};
use crate::interp::state::Flow;
use crate::program::{InstructionIndex, VariableId};
use crate::spec::Type;
use crate::spec::family::Barrier;
use crate::spec::operation::Operation;
use rustc_hash::{FxHashMap, FxHashSet};

/// How many conditions and values are looked through for what a condition depends on.
const MAX_FOLLOWED: usize = 96;

/// How many passes of a counter are computed.
const MAX_STEPS: u32 = 4096;

/// How an unknown changes from one pass of a loop to the next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Counter {
    /// What it stands for in the first pass.
    pub before: Value,
    /// What is added in each pass.
    pub by: Value,
}

/// A branch where lanes leave a loop.
#[derive(Clone, Debug)]
pub struct Exit {
    /// The branch.
    pub at: u32,
    /// Where the thread comes to it.
    pub path: Condition,
    /// Where each lane leaves there.
    pub leaving: Lanes<Condition>,
    /// Whether all lanes come there that were at the head.
    pub has_all_lanes: bool,
}

/// How lanes leave a loop.
pub struct WayOut<'a> {
    /// The last instruction, a branch back.
    pub at: u32,
    /// The first instruction.
    pub head: u32,
    /// Unknowns with a higher number are other ones in each pass.
    pub n_unknowns: u32,
    /// The lanes that are active at the start of any pass.
    pub begin: &'a Flow,
    /// How unknowns change; nothing where that differs.
    pub steps: &'a FxHashMap<Atom, Option<Counter>>,
    /// The branches.
    pub exits: &'a [Exit],
}

/// Why a lane does not leave a loop by one of its exits after the first pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stay {
    /// The condition never holds.
    Never,
    /// No pass changes the condition.
    Unchanging,
    /// The counter passes its bound.
    Passes { step: u64, bytes: u8, wraps: bool },
    /// The counter, a float of that type, never equals the number at which lanes would leave.
    Misses { step: u64, kind: Type },
}

impl Claims<'_, '_> {
    /// Records that lanes cannot leave a loop after its first pass.
    pub(in crate::interp) fn check_endless(&mut self, way_out: &WayOut) {
        let n = match self.reader.cx().simd_size() {
            0 => 1,
            n => self.reader.cx().n_dispatched(n),
        };
        let stays = |lane: u32| -> Option<Vec<Stay>> {
            way_out.exits.iter().map(|exit| self.why_stays(way_out, exit, lane)).collect()
        };
        let Some(stays) = (0..n).find_map(stays) else { return };
        // Without a condition there is no mistake in it.
        let is_conditional = |exit: &&Exit| exit.leaving.at(0).as_known().is_none();
        let passes = |stay: &Stay| match *stay {
            Stay::Passes { step, bytes, wraps } => Some(Endless::Passes { step, bytes, wraps }),
            Stay::Misses { step, kind } => Some(Endless::Misses { step, kind }),
            Stay::Never | Stay::Unchanging => None,
        };
        let why = if let Some(why) = stays.iter().find_map(passes) {
            why
        } else if stays.contains(&Stay::Unchanging) {
            Endless::Unchanging
        } else if (self.has_condition(way_out.at) || way_out.exits.iter().any(|exit| self.has_condition(exit.at)))
            && way_out.exits.iter().find(is_conditional).is_none()
        {
            Endless::Known
        } else {
            return;
        };
        let kind = FactKind::EndlessLoop { head: InstructionIndex(way_out.head), why };
        let instruction = InstructionIndex(way_out.at);
        self.report_at(instruction, kind);
    }

    /// Records barriers in a loop whose number of passes differs between the threads of a group.
    pub(in crate::interp) fn check_turns(&mut self, way_out: &WayOut) {
        let Some(exit) = way_out.exits.iter().find(|exit| self.is_counted_by_threads(way_out, exit)) else { return };
        let since = InstructionIndex(exit.at);
        for at in (way_out.head..=way_out.at).map(InstructionIndex) {
            let row = self.reader.cx().program.row(&self.reader.cx().program.instructions[at]);
            if row.and_then(|row| row.barrier).is_some_and(Barrier::signals) {
                self.report_at(at, FactKind::PartOfGroup { since });
            }
        }
    }

    /// Whether lanes leave by an exit under a condition, or by a counter with a beginning, that only the thread knows.
    fn is_counted_by_threads(&mut self, way_out: &WayOut, exit: &Exit) -> bool {
        let causes = self.reader.domain.causes(&[exit.leaving.at(0)]);
        let mut own = FxHashSet::default();
        for atom in causes.atoms.iter().copied() {
            let counter = way_out.steps.get(&atom).copied().flatten();
            let is_own = self.is_of_thread(atom)
                || counter.is_some_and(|counter| {
                    let begins_with_zero = self.reader.domain.zero(counter.before);
                    self.is_of_threads(begins_with_zero)
                });
            if is_own {
                own.insert(atom);
            }
        }
        self.make_a_difference(&own, &causes)
    }

    /// Records that a loop is endless, because what decides about its branches is the same after so many passes.
    pub(in crate::interp) fn note_repeats(&mut self, head: u32, at: u32, period: u32) {
        if (head..=at).any(|branch| self.has_condition(branch)) {
            let why = if period > 1 { Endless::Repeats { period } } else { Endless::Known };
            self.report_at(InstructionIndex(at), FactKind::EndlessLoop { head: InstructionIndex(head), why });
        }
    }

    fn has_condition(&self, at: u32) -> bool {
        self.reader.cx().program.instructions[InstructionIndex(at)].predicate.is_some()
    }

    /// Why no lane leaves by an exit after the first pass; nothing if one may.
    fn why_stays(&self, way_out: &WayOut, exit: &Exit, lane: u32) -> Option<Stay> {
        let leaving = exit.leaving.at(lane);
        if leaving.is_false() {
            return Some(Stay::Never);
        }
        if let Some(passes) = self.passes_bound(way_out, leaving) {
            return Some(passes);
        }
        let is_unchanging = exit.has_all_lanes
            && !leaving.is_true()
            && self.is_unchanging(way_out, leaving)
            && (exit.path == way_out.begin.uniform || self.is_unchanging(way_out, exit.path));
        is_unchanging.then_some(Stay::Unchanging)
    }

    /// Whether a condition is the same in each pass.
    fn is_unchanging(&self, way_out: &WayOut, condition: Condition) -> bool {
        self.stand_still(way_out, vec![condition], Vec::new())
    }

    /// Whether conditions and values are the same in each pass.
    fn stand_still(&self, way_out: &WayOut, mut conditions: Vec<Condition>, mut values: Vec<Value>) -> bool {
        let domain = &self.reader.domain;
        for _ in 0..MAX_FOLLOWED {
            if let Some(value) = values.pop() {
                for term in domain.terms(value.sum).iter() {
                    match domain.kind(term.atom) {
                        AtomKind::Unknown(serial, _) => {
                            let stands_still = || {
                                let step = way_out.steps.get(&term.atom).copied().flatten();
                                step.is_some_and(|s| s.by.as_known() == Some(0))
                            };
                            if serial > way_out.n_unknowns && !stands_still() {
                                return false;
                            }
                        }
                        AtomKind::Initial(variable, _) if changes_by_itself(VariableId(variable)) => return false,
                        kind => kind.add_parts(&mut values, &mut conditions),
                    }
                }
            } else if let Some(condition) = conditions.pop() {
                match domain.condition_kind(condition) {
                    // Nothing was computed that could be wrong.
                    ConditionKind::Unknown(_) => return false,
                    kind => kind.add_parts(&mut values, &mut conditions),
                }
            } else {
                return true;
            }
        }
        false
    }

    /// Whether a counter passes the bound at which lanes would leave.
    fn passes_bound(&self, way_out: &WayOut, leaving: Condition) -> Option<Stay> {
        let domain = &self.reader.domain;
        match (domain.condition_kind(leaving), leaving.is_negated()) {
            // Leaves where the counter equals the bound.
            (ConditionKind::Zero(value), false) => {
                let Some((first, step)) = counted(domain, way_out, value) else {
                    return self.misses_bound(way_out, value);
                };
                let bytes = value.bytes;
                // Counters that stay as far apart as they are.
                if step == 0 {
                    return (first != 0).then_some(Stay::Unchanging);
                }
                let wraps = !skips_zero(first, step, bytes);
                never_zero(first, step, bytes).then_some(Stay::Passes { step, bytes, wraps })
            }
            // Goes on while it is less, and it becomes less still; or while it is greater, and it becomes greater.
            (ConditionKind::Less(true, a, b), is_negated) => {
                let (counter, bound, is_upper) = match (a.as_known(), b.as_known()) {
                    (None, Some(bound)) => (a, bound, true),
                    (Some(bound), None) => (b, bound, false),
                    _ => return None,
                };
                let (first, step) = counted(domain, way_out, counter).filter(|(_, step)| *step != 0)?;
                let bytes = counter.bytes;
                let (from, to) = (sign_extended(first, bytes), sign_extended(bound, bytes));
                let step = sign_extended(step, bytes);
                let goes_on_below = is_upper == is_negated;
                // Where it leaves beyond the bound, it goes on at the bound itself.
                let at_bound = !is_negated && from == to;
                let is_within = if goes_on_below { from < to } else { from > to };
                // The step of a counter is not zero.
                let is_wrong = goes_on_below == step.is_negative() && (is_within || at_bound);
                let step = step as u64 & mask(bytes);
                is_wrong.then_some(Stay::Passes { step, bytes, wraps: true })
            }
            // Leaves where a float equals the number.
            (ConditionKind::And(p, q), false) if !p.is_negated() && !q.is_negated() => {
                let (ConditionKind::AtMost(a, b), ConditionKind::AtMost(c, d)) =
                    (domain.condition_kind(p), domain.condition_kind(q))
                else {
                    return None;
                };
                let (value, bound) = if a.is_known() { (b, a) } else { (a, b) };
                let is_equality = (a, b) == (d, c);
                self.misses_number(way_out, value, bound.as_known().filter(|_| is_equality)?)
            }
            _ => None,
        }
    }

    /// Whether a float to which each pass adds the same number never equals another one: it goes past it.
    #[expect(clippy::float_cmp, reason = "the comparison of the loop is computed")]
    fn misses_number(&self, way_out: &WayOut, value: Value, bound: u64) -> Option<Stay> {
        let domain = &self.reader.domain;
        let atom = value.sum.as_single().filter(|_| value.constant == 0)?;
        // It is compared before or after it is added to.
        let added = added_float(domain, atom);
        let counter = added.map_or(atom, |(of, ..)| of);
        let Counter { before, by } = way_out.steps.get(&counter).copied().flatten()?;
        let next = domain.terms(by.sum).iter().find(|term| term.coefficient == 1)?.atom;
        let (of, step, kind) = added_float(domain, next).filter(|_| added.is_none() || next == atom)?;
        // What is added to the counter is the sum without the counter.
        let back = mask(by.bytes);
        let is_sum = by.constant == 0
            && domain.terms(by.sum).iter().all(|term| term.atom == next || term.atom == of && term.coefficient == back);
        if of != counter || !is_sum {
            return None;
        }
        let nearest = self.reader.cx().rounds_to_nearest;
        let (by, to) = (fold::float(step, kind)?, fold::float(bound, kind)?);
        let mut now = fold::float(before.as_known()?, kind)?;
        let mut is_first = added.is_none();
        for _ in 0..MAX_STEPS {
            if !std::mem::replace(&mut is_first, true) {
                // The sum of the first pass is compared first.
            } else if now == to || !now.is_finite() {
                return None;
            } else if by > 0.0 && now > to || by < 0.0 && now < to {
                return Some(Stay::Misses { step, kind });
            }
            let sum = fold::float_operation(Operation::Add, [now, by, 0.0], kind, nearest)?;
            now = fold::float(fold::float_bits(sum, kind, nearest)?, kind)?;
        }
        None
    }

    /// Whether the distance of a counter and a bound that no pass changes is zero in no pass, because the lowest bits of
    /// both are known.
    fn misses_bound(&self, way_out: &WayOut, distance: Value) -> Option<Stay> {
        let domain = &self.reader.domain;
        let bytes = distance.bytes;
        let mut zeros = 8 * u32::from(bytes);
        let (mut first, mut step) = (distance.constant, 0_u64);
        for term in domain.terms(distance.sum).iter() {
            if let Some(counter) = way_out.steps.get(&term.atom).copied().flatten() {
                let (before, by) = (counter.before.as_known()?, counter.by.as_known()?);
                first = first.wrapping_add(term.coefficient.wrapping_mul(before));
                step = step.wrapping_add(term.coefficient.wrapping_mul(by));
            } else {
                let value = Domain::value_of(term.atom, bytes);
                if !self.stand_still(way_out, Vec::new(), vec![value]) {
                    return None;
                }
                zeros = zeros.min(domain.sum_zeros(value.sum).saturating_add(term.coefficient.trailing_zeros()));
            }
        }
        zeros = zeros.min(step.trailing_zeros());
        let is_missed = step & mask(bytes) != 0 && first & mask(bytes) & ((1 << zeros) - 1) != 0;
        is_missed.then_some(Stay::Passes { step: step & mask(bytes), bytes, wraps: false })
    }
}

/// The unknown and the number whose sum a float is, and its type.
fn added_float(domain: &Domain, atom: Atom) -> Option<(Atom, u64, Type)> {
    let AtomKind::Applied(Function::Instruction(id, to, from, false), [a, b, _]) = domain.kind(atom) else {
        return None;
    };
    let (unknown, number) = if a.is_known() { (b, a) } else { (a, b) };
    let of = unknown.sum.as_single().filter(|_| unknown.constant == 0)?;
    let is_sum = id.row().operation == Some(Operation::Add) && to == from && to.is_float();
    is_sum.then_some((of, number.as_known()?, to))
}

/// The number of a sum of counters in the first pass, and what is added in each pass.
fn counted(domain: &Domain, way_out: &WayOut, value: Value) -> Option<(u64, u64)> {
    let (mut first, mut step) = (value.constant, 0_u64);
    for term in domain.terms(value.sum).iter() {
        let counter = way_out.steps.get(&term.atom).copied().flatten()?;
        let (before, by) = (counter.before.as_known()?, counter.by.as_known()?);
        first = first.wrapping_add(term.coefficient.wrapping_mul(before));
        step = step.wrapping_add(term.coefficient.wrapping_mul(by));
    }
    (!value.is_known()).then_some((first & mask(value.bytes), step & mask(value.bytes)))
}

/// Whether no multiple of `step` added to `first` gives zero, however often it wraps around.
fn skips_zero(first: u64, step: u64, bytes: u8) -> bool {
    let target = first.wrapping_neg() & mask(bytes);
    step.trailing_zeros() > target.trailing_zeros() && target != 0
}

/// Whether no multiple of `step` added to `first` gives zero before half of all numbers have been passed.
fn never_zero(first: u64, step: u64, bytes: u8) -> bool {
    let bits = 8 * u32::from(bytes);
    let target = first.wrapping_neg() & mask(bytes);
    if skips_zero(first, step, bytes) {
        return true;
    }
    let step = sign_extended(step, bytes);
    let half = 1_u128 << (bits - 1);
    // Numbers on the way there, in the direction of the step.
    let distance = if step > 0 { target } else { target.wrapping_neg() & mask(bytes) };
    u128::from(distance) >= half || distance % step.unsigned_abs() != 0
}

/// Whether a predefined variable may hold something else when it is read again.
fn changes_by_itself(variable: VariableId) -> bool {
    const FIXED: &[&str] = &["%r0", "%hw_id", "%thread_x", "%thread_y", "%arg", "%fp", "%color"];
    variable
        .predefined()
        .is_some_and(|p| !FIXED.contains(&p.name) && !p.name.starts_with("%group") && !p.name.starts_with("%local"))
}
