//! Loops that are executed pass by pass.

use crate::interp::domain::condition::Condition;
use crate::interp::domain::lanes::Lanes;
use crate::interp::flow::assigned::Assigned;
use crate::interp::flow::execution::{Execution, Mode};
use crate::interp::state::Flow;
use crate::interp::state::content::{Content, PredicateContent};
use std::rc::Rc;

/// Passes after which it is looked whether a loop has been in the same state before, and the longest period that is found.
const MANY_PASSES: u32 = 64;

/// Which lanes are in a loop, and what some variables hold.
type Held = (Lanes<Condition>, Vec<(Option<Content>, Option<PredicateContent>)>);

impl Execution<'_, '_> {
    /// Executes a loop pass by pass; false if some branch is not decided, or it takes too long.
    pub(super) fn run_concretely(&mut self, index: usize, entry: &Flow, assigned: &Rc<Assigned>) -> bool {
        let frame = self.frame(index, Mode::Concrete, entry.clone(), assigned);
        let (head, end) = (frame.head, frame.end);
        self.frames.push(frame);
        let outer = self.record.pass.replace(entry.uniform);
        let mut exits = Vec::new();
        let mut n_passes = 0;
        let mut deciding = None;
        let mut held: Option<(u32, Held)> = None;
        let finished = loop {
            n_passes += 1;
            let (steps, effort) = (self.journal.steps, self.effort());
            let (concrete_steps, concrete_effort) = (self.journal.concrete_steps, self.journal.concrete_effort);
            self.run_range(head, end + 1);
            // With what the loops inside have counted.
            self.journal.concrete_steps = concrete_steps + (self.journal.steps - steps);
            self.journal.concrete_effort = concrete_effort + self.effort().saturating_sub(effort);
            exits.push(self.machine.state().flow.clone());
            let Some(frame) = self.frames.last_mut() else { break false };
            if std::mem::take(&mut frame.is_first) {
                let exits = std::mem::take(&mut frame.first_exits);
                self.note_gaps(index, entry, assigned, &exits);
            }
            let Some(frame) = self.frames.last_mut() else { break false };
            let back = std::mem::take(&mut frame.back);
            let is_undecided = frame.is_undecided;
            if is_undecided || self.is_concretely_exhausted() && !back.is_empty() {
                break false;
            }
            if back.is_empty() {
                break true;
            }
            let flow = self.machine.reader.joined(back);
            // Every lane goes on as it came, or not at all.
            let is_decided = flow.uniform == entry.uniform
                && flow.active.iter().zip(entry.active.iter()).all(|(now, then)| now == then || now.is_false());
            if !is_decided {
                break false;
            }
            if (MANY_PASSES..=2 * MANY_PASSES).contains(&n_passes) {
                let deciding = deciding.get_or_insert_with(|| self.deciding(head, end, assigned));
                let now = self.held(deciding, &flow);
                if let Some((pass, _)) = held.as_ref().filter(|(_, before)| *before == now) {
                    self.claims().note_repeats(head, end, n_passes - pass);
                    break false;
                }
                held.get_or_insert((n_passes, now));
            }
            self.machine.set_flow(flow);
        };
        self.frames.pop();
        self.record.pass = outer;
        if finished {
            let flow = self.machine.reader.joined(exits);
            self.machine.set_flow(flow);
        }
        finished
    }

    /// The variables that decide how a loop goes on that is executed pass by pass.
    fn deciding(&self, head: u32, end: u32, assigned: &Assigned) -> Vec<usize> {
        let cx = self.machine.cx();
        let has_calls = self.machine.cx().flow.calls.iter().any(|call| (head..=end).contains(&call.instruction.0));
        let decides = (!has_calls).then(|| cx.deciding(head..end + 1, None));
        let is_one = |root: &&usize| match &decides {
            Some(decides) => decides[**root],
            None => cx.is_followed(**root),
        };
        assigned.variables.iter().filter(is_one).copied().collect()
    }

    /// What some variables hold, and which lanes go on with that.
    fn held(&self, variables: &[usize], flow: &Flow) -> Held {
        let content =
            |root: &usize| (self.machine.reader.saved_content(*root), self.machine.reader.saved_predicate(*root));
        (flow.active.clone(), variables.iter().map(content).collect())
    }
}
