//! Which lanes are active, and the predicates that switch them off.

use crate::interp::domain::LANES;
use crate::interp::domain::condition::Condition;
use crate::interp::domain::lanes::Lanes;
use crate::interp::state::{Machine, Reader};
use crate::program::View;
use crate::program::instruction::{Predicate, PredicateControl};
use crate::spec::instruction::{Execution, Predication};
use crate::spec::operation::Operation;

/// Which lanes are here.
#[derive(Clone, Debug)]
pub struct Flow {
    /// What uniform branches have decided: where it does not hold, the thread is elsewhere.
    pub uniform: Condition,
    /// The activity of each lane, where the thread is here.
    pub active: Lanes<Condition>,
}

impl Flow {
    /// No lane is active.
    #[must_use]
    pub fn dead() -> Self {
        Self { uniform: Condition::FALSE, active: Lanes::run(Condition::FALSE, LANES) }
    }

    /// Whether no lane is active.
    #[must_use]
    pub fn is_dead(&self) -> bool {
        self.uniform.is_false() || self.active.all_false()
    }
}

/// Whether the predicate before an instruction is read.
#[must_use]
pub fn reads_predicate(view: &View) -> bool {
    matches!(view.row.predicate, Predication::Allowed)
}

impl Reader<'_> {
    /// The condition that some lane is active.
    pub(in crate::interp) fn reach_of(&mut self, active: &Lanes<Condition>) -> Condition {
        if let Some(same) = active.as_same() {
            return same;
        }
        if active.iter().any(Condition::is_true) {
            return Condition::TRUE;
        }
        let mut key = [Condition::FALSE; LANES as usize];
        for (slot, condition) in key.iter_mut().zip(active.iter()) {
            *slot = condition;
        }
        if let Some(known) = self.reach.get(&key) {
            return *known;
        }
        let reached = self.domain.one_of(active.iter());
        self.reach.insert(key, reached);
        reached
    }

    /// The lanes of an instruction that are executed.
    pub fn mask(&mut self, view: &View) -> Lanes<Condition> {
        let n = view.n_lanes();
        let base = if view.instruction.no_mask || view.row.execution != Execution::MaskAndSize {
            Lanes::run(self.state.reached, n)
        } else if self.state.is_certain {
            Lanes::run(Condition::TRUE, n)
        } else {
            let uniform = self.state.flow.uniform;
            let domain = &mut self.domain;
            self.state.flow.active.slice(view.first_lane(), n).map(|c| domain.and(uniform, c))
        };
        match view.instruction.predicate {
            Some(predicate) if predicate_is_mask(view) => {
                let bits = self.predicate_lanes(&predicate, view.first_lane(), n);
                let domain = &mut self.domain;
                base.zip(&bits, |a, b| domain.and(a, b))
            }
            _ => base,
        }
    }

    /// The bits of a predicate for the lanes of an instruction.
    pub fn predicate_lanes(&mut self, predicate: &Predicate, first: u32, n: u32) -> Lanes<Condition> {
        let n_elements = self.cx.program.variables[predicate.variable].n_elements;
        let Some(held) = self.predicate(predicate.variable) else {
            return Lanes::run(self.domain.unknown_condition(), n);
        };
        let bits = held.bits.clone();
        let lanes = match predicate.control {
            PredicateControl::PerLane => bits.slice(first, n),
            control => {
                let all = self.combined(control, &bits.slice(0, n_elements.clamp(1, LANES)));
                // The manual combines the bits of the lanes, the reference those that the variable has; a scalar
                // instruction means all of them.
                let is_agreed = n == 1 || n_elements == n && first == 0;
                let condition = if is_agreed || self.combined(control, &bits.slice(first, n)) == all {
                    all
                } else {
                    self.domain.unknown_condition().at(0)
                };
                Lanes::run(condition, n)
            }
        };
        if predicate.is_inverted { lanes.map(Condition::not) } else { lanes }
    }

    /// The condition that any bit is set, or that all are.
    fn combined(&mut self, control: PredicateControl, bits: &Lanes<Condition>) -> Condition {
        let is_any = control == PredicateControl::Any;
        if bits.iter().any(|b| b == Condition::known(is_any)) {
            return Condition::known(is_any);
        }
        if let Some(same) = bits.as_same() {
            return same;
        }
        let mut key = [Condition::known(!is_any); LANES as usize];
        for (slot, bit) in key.iter_mut().zip(bits.iter()) {
            *slot = bit;
        }
        if let Some(known) = self.combined.get(&(is_any, key)) {
            return *known;
        }
        let negated = |c: Condition| if is_any { c.not() } else { c };
        let condition = negated(self.domain.all_of(bits.iter().map(negated)));
        self.combined.insert((is_any, key), condition);
        condition
    }
}

impl Machine<'_> {
    /// Says what there is now.
    pub fn set_flow(&mut self, flow: Flow) {
        let reach = self.reader.reach_of(&flow.active);
        let reached = self.reader.domain.and(flow.uniform, reach);
        let state = self.state_mut();
        state.reached = reached;
        state.is_certain = reached.is_true() && flow.active.all_true();
        state.flow = flow;
    }
}

/// Whether the predicate before an instruction disables lanes.
pub(in crate::interp) fn predicate_is_mask(view: &View) -> bool {
    !matches!(view.row.operation, Some(Operation::Sel)) && matches!(view.row.predicate, Predication::Allowed)
}
