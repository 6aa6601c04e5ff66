//! Calls of subroutines.

use crate::interp::domain::condition::Condition;
use crate::interp::domain::lanes::Lanes;
use crate::interp::flow::assigned::Assigned;
use crate::interp::flow::execution::{Call, Execution};
use crate::interp::flow::trace::Event;
use crate::interp::state::Flow;
use crate::program::View;
use crate::program::cfg::SubroutineId;
use crate::spec::instruction;
use std::rc::Rc;

/// How deep calls are followed.
const MAX_CALLS: usize = 8;

impl<'p> Execution<'_, 'p> {
    pub(super) fn call(&mut self, view: &View<'p>) {
        let subroutine = Self::label_of(view).and_then(|name| self.plan.subroutine(name));
        let Some((subroutine, (start, end))) = subroutine.and_then(|s| Some((s, self.plan.range(s)?))) else {
            return self.machine.forget_everything();
        };
        let is_open = self.calls.iter().any(|c| c.start == start);
        if is_open || self.calls.len() >= MAX_CALLS || self.is_too_deep() || self.is_exhausted() {
            self.record.facts.is_incomplete = true;
            self.record.facts.note_skipped(start..end);
            self.journal.note(Event::Skipped(start..end));
            self.machine.state_mut().barriers.lose();
            return self.forget_written(subroutine, view.index.0);
        }
        let here = self.machine.state().flow.clone();
        let n = view.n_lanes();
        let bits = match view.instruction.predicate {
            None => Lanes::run(Condition::TRUE, n),
            Some(predicate) => self.machine.reader.predicate_lanes(&predicate, view.first_lane(), n),
        };
        let mut stay = None;
        if let Some(same) = bits.as_same() {
            let domain = &mut self.machine.reader.domain;
            let (uniform, other) = (domain.and(here.uniform, same), domain.and(here.uniform, same.not()));
            if !other.is_false() {
                stay = Some(Flow { uniform: other, active: here.active.clone() });
            }
            self.machine.set_flow(Flow { uniform, active: here.active });
        } else {
            let whole = self.spread(&bits, view.first_lane());
            let domain = &mut self.machine.reader.domain;
            let taken = here.active.zip(&whole, |a, p| domain.and(a, p));
            let other = here.active.zip(&whole, |a, p| domain.and(a, p.not()));
            stay = Some(Flow { uniform: here.uniform, active: other });
            self.machine.set_flow(Flow { uniform: here.uniform, active: taken });
        }
        if !self.machine.state().flow.is_dead() {
            self.calls.push(Call { start, end, returns: Vec::new() });
            let waiting = std::mem::take(&mut self.waiting);
            let frames = std::mem::take(&mut self.frames);
            let outer = self.record.pass.replace(self.machine.state().flow.uniform);
            self.run_range(start, end);
            self.record.pass = outer;
            self.frames = frames;
            self.waiting = waiting;
            let fallen = self.machine.state().flow.clone();
            let returns = self.calls.pop().map_or_else(Vec::new, |c| c.returns);
            let flow = self.machine.reader.joined([fallen].into_iter().chain(returns).chain(stay));
            self.machine.set_flow(flow);
        } else if let Some(stay) = stay {
            self.machine.set_flow(stay);
        }
    }

    /// Returns from a subroutine, or ends the thread.
    pub(super) fn leave(&mut self, view: &View<'p>) {
        let is_function_end = view.row.flow == instruction::Flow::FunctionReturn;
        let in_call = self.calls.last().is_some_and(|c| (c.start..c.end).contains(&view.index.0)) && !is_function_end;
        let here = self.machine.state().flow.clone();
        let (taken, stay) = if view.n_lanes() == 1 || view.instruction.predicate.is_none() {
            let condition = self.uniform_condition(view);
            if condition.as_known().is_none() {
                self.machine.state_mut().last_uniform_branch = Some(view.index);
            }
            let domain = &mut self.machine.reader.domain;
            let (uniform, other) = (domain.and(here.uniform, condition), domain.and(here.uniform, condition.not()));
            (Flow { uniform, active: here.active.clone() }, Flow { uniform: other, active: here.active })
        } else {
            let (first, n) = (view.first_lane(), view.n_lanes());
            let bits = match view.instruction.predicate {
                Some(predicate) => self.machine.reader.predicate_lanes(&predicate, first, n),
                None => Lanes::run(Condition::TRUE, n),
            };
            let whole = self.spread(&bits, first);
            let domain = &mut self.machine.reader.domain;
            let taken = here.active.zip(&whole, |a, p| domain.and(a, p));
            let other = here.active.zip(&whole, |a, p| domain.and(a, p.not()));
            (Flow { uniform: here.uniform, active: taken }, Flow { uniform: here.uniform, active: other })
        };
        if in_call {
            if let Some(call) = self.calls.last_mut() {
                call.returns.push(taken);
            }
        } else if !taken.is_dead() {
            self.note_other_exit();
            self.end_thread(view);
        }
        self.machine.set_flow(stay);
    }

    /// The variables that the instructions of a loop write.
    pub(in crate::interp) fn assigned(&mut self, head: u32, end: u32) -> Rc<Assigned> {
        self.summaries.of_range(self.machine, (head, end + 1))
    }

    /// What a subroutine writes is unknown from now on.
    pub(in crate::interp) fn forget_written(&mut self, subroutine: SubroutineId, writer: u32) {
        let assigned = self.summaries.of_subroutine(self.machine, subroutine);
        if assigned.everything {
            return self.machine.forget_everything();
        }
        for root in &assigned.variables {
            let variable = self.machine.cx().variable_of(*root);
            self.machine.forget_variable(variable, writer);
        }
    }
}
