//! What calls in a loop leave undefined for its next pass.

use crate::interp::domain::condition::Condition;
use crate::interp::flow::execution::{Destroyed, Execution};
use crate::interp::state::Flow;
use crate::program::VariableId;

impl Execution<'_, '_> {
    /// Notes what calls have destroyed where lanes go back to the head, on each of the ways there.
    pub(super) fn note_destroyed(&mut self, frame: usize, taken: &Flow) {
        let assigned = &self.frames[frame].assigned;
        let is_assigned = |root: &usize| assigned.everything || assigned.variables.binary_search(root).is_ok();
        let names = ["%arg", "%retval"].into_iter().filter_map(VariableId::of_predefined);
        let roots: Vec<usize> =
            names.filter_map(|v| self.machine.cx().root(v)).map(|(root, _)| root).filter(is_assigned).collect();
        let mut found = Vec::new();
        for root in roots {
            let Some((held, domain)) = self.machine.existing_mut(root) else { continue };
            let unit = held.unit();
            let mut open = Vec::new();
            for start in (0..held.n_bytes()).step_by(usize::from(unit)) {
                if let Some(presence) = held.presence(domain, start, unit)
                    && domain.given(presence.defined, taken.uniform).is_false()
                {
                    open.push(Destroyed { root, start, n_bytes: u32::from(unit), call: presence.writer });
                }
            }
            found.extend(open.into_iter().filter(|d| self.machine.reader.destroyer(d.call).is_some()));
        }
        let known = self.frames[frame].destroyed.take();
        self.frames[frame].destroyed = Some(match known {
            Some(known) => known.into_iter().filter(|d| found.contains(d)).collect(),
            None => found,
        });
    }

    /// Where there was an earlier pass, what it has destroyed is not there when a pass begins.
    pub(super) fn begin_destroyed(&mut self, destroyed: &[Destroyed], earlier: Condition) {
        for Destroyed { root, start, n_bytes, call } in destroyed.iter().copied() {
            if let Some((held, domain)) = self.machine.existing_mut(root) {
                held.undefine(domain, start, n_bytes, earlier, call);
            }
        }
    }
}
