//! Branches: where lanes go.

use crate::base::symbol::Symbol;
use crate::interp::claims::Claims;
use crate::interp::claims::facts::FactKind;
use crate::interp::domain::condition::Condition;
use crate::interp::domain::lanes::Lanes;
use crate::interp::domain::{LANES, Value};
use crate::interp::flow::execution::{Arrival, Execution};
use crate::interp::state::Flow;
use crate::interp::transfer;
use crate::program::{InstructionIndex, Operand, View};
use crate::spec::instruction;

impl<'p> Execution<'_, 'p> {
    /// The condition of a branch that all lanes take together.
    pub(super) fn uniform_condition(&mut self, view: &View) -> Condition {
        match view.instruction.predicate {
            None => Condition::TRUE,
            Some(predicate) => {
                let first = if view.row.flow == instruction::Flow::Jump { 0 } else { view.first_lane() };
                let bits = self.machine.reader.predicate_lanes(&predicate, first, 1);
                let reached = self.machine.state().reached;
                self.machine.reader.domain.given(bits.at(0), reached)
            }
        }
    }

    pub(super) fn label_of(view: &View) -> Option<Symbol> {
        match view.operands.first() {
            Some(Operand::Name { name, .. }) => Some(*name),
            _ => None,
        }
    }

    pub(super) fn jump(&mut self, view: &View<'p>) {
        let condition = self.uniform_condition(view);
        let Some(target) = Self::label_of(view).and_then(|name| self.plan.target(name)) else {
            return self.lose_control(view);
        };
        // A uniform `goto` lets the waiting lanes go on.
        if view.row.flow == instruction::Flow::Jump {
            self.note_jump_over_waiting(view, target, condition);
        }
        self.branch_together(view, target, condition);
    }

    /// All lanes go to `target` where `condition` holds.
    pub(super) fn branch_together(&mut self, view: &View<'p>, target: u32, condition: Condition) {
        self.note_exits(view.index.0, target, &Lanes::run(condition, LANES));
        self.note_first_turn(view.index.0, condition);
        if condition.is_false() {
            return;
        }
        let here = self.machine.state().flow.clone();
        let uniform = self.machine.reader.domain.and(here.uniform, condition);
        let taken = Flow { uniform, active: here.active.clone() };
        if target <= view.index.0 {
            if self.branch_back(view.index.0, target, taken, condition, true) {
                return;
            }
        } else {
            self.send(target, taken, false, view.index.0);
        }
        if condition.as_known().is_none() {
            self.machine.state_mut().last_uniform_branch = Some(view.index);
        }
        let uniform = self.machine.reader.domain.and(here.uniform, condition.not());
        self.machine.set_flow(Flow { uniform, active: here.active });
    }

    pub(in crate::interp) fn send(&mut self, target: u32, flow: Flow, is_divergent: bool, since: u32) {
        if !flow.is_dead() {
            self.waiting.entry(target).or_default().push(Arrival { flow, is_divergent, since });
        }
    }

    pub(super) fn goto(&mut self, view: &View<'p>) {
        if view.n_lanes() == 1 {
            return self.jump(view);
        }
        let Some(target) = Self::label_of(view).and_then(|name| self.plan.target(name)) else {
            return self.lose_control(view);
        };
        let n = view.n_lanes();
        let first = view.first_lane();
        let reached = self.machine.state().reached;
        let bits = match view.instruction.predicate {
            None => Lanes::run(Condition::TRUE, n),
            Some(predicate) => {
                let domain_bits = self.machine.reader.predicate_lanes(&predicate, first, n);
                let domain = &mut self.machine.reader.domain;
                domain_bits.map(|b| domain.given(b, reached))
            }
        };
        let whole = self.spread(&bits, first);
        if whole.all_false() {
            self.note_exits(view.index.0, target, &whole);
            return;
        }
        if let Some(same) = whole.as_same() {
            return self.branch_together(view, target, same);
        }
        self.note_exits(view.index.0, target, &whole);
        let here = self.machine.state().flow.clone();
        let domain = &mut self.machine.reader.domain;
        let taken = here.active.zip(&whole, |a, p| domain.and(a, p));
        let stay = here.active.zip(&whole, |a, p| domain.and(a, p.not()));
        self.machine.state_mut().divided_at = Some(view.index);
        let taken = Flow { uniform: here.uniform, active: taken };
        if target <= view.index.0 {
            if self.branch_back(view.index.0, target, taken, Condition::TRUE, false) {
                return;
            }
        } else {
            self.send(target, taken, true, view.index.0);
        }
        self.machine.set_flow(Flow { uniform: here.uniform, active: stay });
    }

    /// What a branch decides for each lane of the thread. Where it covers the whole dispatch, lanes beyond it do not exist:
    /// they go where others go, so that nothing is thought to be reached on their account. Where it does not, the others
    /// stay.
    pub(super) fn spread(&self, bits: &Lanes<Condition>, first: u32) -> Lanes<Condition> {
        if let Some(same) = bits.as_same() {
            return Lanes::run(same, LANES);
        }
        let n = bits.len();
        let covers_all = first == 0 && n >= self.machine.cx().simd_size();
        Lanes::of(LANES, |l| match l.checked_sub(first) {
            Some(i) if i < n => bits.at(i),
            _ if covers_all => bits.at(l % n),
            _ => Condition::FALSE,
        })
    }

    pub(super) fn switch(&mut self, view: &View<'p>) {
        self.effects.clear();
        let reader = &mut self.machine.reader;
        let (index, writer) = transfer::select_label(reader, view, &mut self.effects);
        Claims { reader, record: &mut *self.record }.note(view, &mut self.effects);
        let targets = self.plan.targets(view.index);
        let n_labels = match view.operands.get(1) {
            Some(Operand::LabelList { start, end }) => end - start,
            _ => 0,
        };
        let (low, _) = self.machine.reader.domain.range(index);
        if n_labels > 0 && low >= u64::from(n_labels) {
            let trail = self.record.writers.trail(writer);
            let kind = FactKind::OutOfRange { value: low, maximum: u64::from(n_labels) - 1 };
            self.claims().report_with(view, 0, kind, trail);
        }
        if targets.len() != n_labels as usize {
            return self.lose_control(view);
        }
        if let Some(known) = index.as_known() {
            if let Some(target) = targets.get(known as usize) {
                self.branch_together(view, *target, Condition::TRUE);
            }
            return self.machine.set_flow(Flow::dead());
        }
        self.note_other_exit();
        for (i, target) in (0..).zip(&targets) {
            // An index beyond the last label is undefined.
            let is_last = i as usize + 1 == targets.len();
            let number = Value::known(i, index.bytes);
            let condition = if is_last { Condition::TRUE } else { self.machine.reader.domain.equal(index, number) };
            self.branch_together(view, *target, condition);
        }
        self.machine.set_flow(Flow::dead());
    }

    /// A branch to nowhere: nothing more is known here.
    pub(super) fn lose_control(&mut self, view: &View<'p>) {
        self.note_other_exit();
        self.machine.forget_everything();
        if view.instruction.predicate.is_none() {
            self.machine.set_flow(Flow::dead());
        }
    }

    /// Reports a jump of all lanes over a label where some of them wait.
    pub(super) fn note_jump_over_waiting(&mut self, view: &View<'p>, target: u32, condition: Condition) {
        if target <= view.index.0 || condition.is_false() {
            return;
        }
        let uniform = self.machine.state().flow.uniform;
        let reached = self.machine.state().reached;
        let taken = self.machine.reader.domain.and(reached, condition);
        // A thread may have fewer lanes than its kernel, but not none.
        let n = if self.machine.cx().may_skip_lanes() { 1 } else { self.machine.cx().n_dispatched(LANES) };
        let mut passed = None;
        for (at, arrivals) in self.waiting.range(view.index.0 + 1..target) {
            for arrival in arrivals.iter().filter(|a| a.is_divergent && a.flow.uniform == uniform) {
                let lane = (0..n).find(|l| self.machine.reader.domain.implies(taken, arrival.flow.active.at(*l)));
                if passed.is_none_or(|(_, _, known): (u32, u32, Option<u32>)| known.is_none() && lane.is_some()) {
                    passed = Some((*at, arrival.since, lane));
                }
            }
        }
        if let Some((at, since, lane)) = passed
            && let Some(label) = self.plan.label_at(at)
        {
            let kind = FactKind::JumpOverWaiting { label, since: InstructionIndex(since), lane };
            self.claims().report(view, 0, kind);
        }
    }
}
