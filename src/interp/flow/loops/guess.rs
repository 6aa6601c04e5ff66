//! What variables are guessed to hold at the head of a loop, and whether the guess proves right on the way back.

use crate::interp::claims::endless::Counter;
use crate::interp::domain::atom::Origin;
use crate::interp::domain::condition::Condition;
use crate::interp::domain::{LANES, Value};
use crate::interp::flow::assigned::Assigned;
use crate::interp::flow::execution::{Execution, Frame, Guess};
use crate::interp::state::Flow;
use crate::interp::state::content::Slot;
use rustc_hash::FxHashMap;

impl Execution<'_, '_> {
    /// Prepares the variables for the start of any pass.
    pub(super) fn begin_any_pass(
        &mut self,
        frame: &mut Frame,
        assigned: &Assigned,
        may_guess: bool,
        earlier: Condition,
    ) {
        frame.earlier = earlier;
        if assigned.everything {
            self.machine.forget_everything();
            return;
        }
        for root in &assigned.variables {
            if may_guess {
                self.machine.reader.make_input(*root);
            }
            self.machine.assume_assigned(*root, earlier);
            if !self.machine.cx().is_followed(*root) {
                self.machine.widen_content(*root, earlier);
            } else if self.machine.reader.existing(*root).is_some() {
                let is_opaque = !may_guess || self.plan.opaque.contains(&(frame.index, *root));
                let step = if is_opaque { 0 } else { assigned.steps.get(root).copied().unwrap_or(0) };
                let guess = self.guess(*root, is_opaque, earlier, step);
                if !is_opaque {
                    frame.guesses.insert(*root, guess);
                } else if !guess.apart.is_empty() {
                    frame.apart.push((*root, guess.unit, guess.apart));
                }
            }
            self.machine.widen_predicate(*root, earlier);
        }
    }

    /// Replaces what a variable holds by what it may hold at the start of any pass.
    fn guess(&mut self, root: usize, is_opaque: bool, earlier: Condition, step: u32) -> Guess {
        let mut group_of: FxHashMap<(crate::interp::domain::sum::Sum, u8), (u32, Value, u64)> = FxHashMap::default();
        let Some((held, domain)) = self.machine.existing_mut(root) else {
            return Guess { slots: Vec::new(), unit: 1, groups: Vec::new(), before: Vec::new(), apart: Vec::new() };
        };
        let unit = held.unit();
        let slots = held.slots();
        let mut groups = Vec::with_capacity(slots.len());
        let mut run = None;
        let mut before = Vec::new();
        let mut apart = Vec::new();
        for (i, slot) in slots.iter_mut().enumerate() {
            let value = slot.value();
            if is_opaque || !slot.defined.is_true() {
                // Nothing is known; a run of unknowns serves 32 slots.
                let lane = i as u32 % LANES;
                if lane == 0 || run.is_none() {
                    run = Some(domain.unknown(unit, Origin::Loop));
                }
                let unknown = run.map_or(value, |r| r.at(lane));
                if i < LANES as usize && value.bytes == unit && slot.defined.is_true() {
                    apart.push((i, unknown, value));
                }
                let defined = domain.or(slot.defined, earlier);
                *slot = Slot::whole(unknown, defined, slot.writer);
                groups.push(u32::MAX);
                continue;
            }
            let n_groups = group_of.len() as u32;
            let (group, base, first) = *group_of.entry((value.sum, value.bytes)).or_insert_with(|| {
                // Bits below those that any pass changes stay as they are.
                let n_kept = step.min(domain.sum_zeros(value.sum)).min(8 * u32::from(value.bytes) - 1);
                let kept = value.constant & ((1 << n_kept) - 1);
                let base = domain.unknown_multiple(value.bytes, Origin::Loop, n_kept);
                before.push((base, value.plus(kept.wrapping_neg())));
                (n_groups, base.plus(kept), value.constant)
            });
            *slot = slot.holding(base.plus(value.constant.wrapping_sub(first)));
            groups.push(group);
        }
        Guess { slots: slots.clone(), unit, groups, before, apart }
    }

    /// Notes how much the unknowns of variables of which nothing was guessed change in lanes that go back.
    pub(super) fn note_steps(&mut self, frame: usize, taken: &Flow) {
        let apart = std::mem::take(&mut self.frames[frame].apart);
        for (root, unit, slots) in &apart {
            for (i, unknown, before) in slots {
                let active = self.machine.reader.domain.and(taken.uniform, taken.active.at(*i as u32));
                let Some((held, domain)) = self.machine.existing_mut(*root) else { continue };
                let has_unit = held.unit() == *unit;
                let now = held.slots().get(*i).filter(|_| has_unit).map(Slot::value);
                let Some(now) = now.filter(|now| now.bytes == unknown.bytes) else { continue };
                let now = domain.assume(now, active);
                let by = domain.subtract(now, *unknown);
                let step = by.is_known().then_some(Counter { before: *before, by });
                let Some(atom) = unknown.sum.as_single() else { continue };
                let known = self.frames[frame].steps.entry(atom).or_insert(step);
                *known = known.filter(|k| Some(*k) == step);
            }
        }
        self.frames[frame].apart = apart;
    }

    /// Compares what variables hold at a branch back with what was guessed for the head.
    pub(super) fn check_guesses(&mut self, frame: usize, taken: &Flow) {
        let frame_index = frame;
        let guesses = std::mem::take(&mut self.frames[frame_index].guesses);
        let mut wrong = Vec::new();
        for (root, guess) in &guesses {
            if self.frames[frame_index].wrong.contains(root) {
                continue;
            }
            let active = taken.uniform;
            let Some((held, domain)) = self.machine.existing_mut(*root) else { continue };
            let mut moved: FxHashMap<u32, Value> = FxHashMap::default();
            let is_kept = held.unit() == guess.unit
                && held.slots().iter().zip(&guess.slots).zip(&guess.groups).all(|((now, then), group)| {
                    if *group == u32::MAX {
                        return true;
                    }
                    if !now.defined.is_true() || !now.is_shaped_like(then) {
                        return false;
                    }
                    let value = domain.assume(now.value(), active);
                    let by = domain.subtract(value, then.value());
                    *moved.entry(*group).or_insert(by) == by
                });
            let is_multiple = moved.iter().all(|(group, by)| {
                let base = guess.before.get(*group as usize).and_then(|(base, _)| base.sum.as_single());
                base.is_none_or(|atom| domain.zeros(*by) >= u32::from(domain.block(atom).zeros))
            });
            let is_kept = is_kept && is_multiple;
            if !is_kept {
                wrong.push(*root);
                continue;
            }
            let steps = &mut self.frames[frame_index].steps;
            for (group, by) in moved {
                let Some((unknown, before)) = guess.before.get(group as usize) else { continue };
                let Some(atom) = unknown.sum.as_single() else { continue };
                let step = Counter { before: *before, by };
                steps.entry(atom).and_modify(|known| *known = known.filter(|k| *k == step)).or_insert(Some(step));
            }
        }
        let frame = &mut self.frames[frame_index];
        frame.guesses = guesses;
        frame.wrong.extend(wrong);
    }
}
