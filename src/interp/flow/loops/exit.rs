//! What variables hold behind a loop because lanes have left it.

use crate::interp::domain::cases::Case;
use crate::interp::flow::assigned::Assigned;
use crate::interp::flow::execution::{Execution, Frame};

impl Execution<'_, '_> {
    /// The last pass is one after which no lane goes back: an unknown that its condition compares with a number is that
    /// number then, or has it as an end. Of a loop with other exits nothing is learned, since these lead to the same variables.
    pub(super) fn learn_from_exit(&mut self, frame: &Frame, assigned: &Assigned) {
        let [exit] = frame.exits.as_slice() else { return };
        let is_only_one = exit.at == frame.end && exit.path == frame.begin.uniform && !frame.leaves_otherwise;
        let given = exit.leaving.at(0);
        if !is_only_one || given.as_known().is_some() || assigned.everything {
            return;
        }
        let replaced = self.machine.reader.domain.said_by(given);
        if replaced.is_empty() {
            return;
        }
        let case = Case { given, replaced };
        for root in &assigned.variables {
            if !self.machine.cx().is_followed(*root) {
                continue;
            }
            let Some((held, domain)) = self.machine.existing_mut(*root) else { continue };
            for slot in held.slots() {
                *slot = slot.holding(domain.in_case(slot.value(), &case));
            }
        }
    }
}
