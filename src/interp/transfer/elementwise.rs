//! Instructions without an operation that work element by element.

use crate::interp::domain::Value;
use crate::interp::domain::atom::Origin;
use crate::interp::domain::condition::Condition;
use crate::interp::domain::function::Function;
use crate::interp::domain::lanes::Lanes;
use crate::interp::state::{Change, Reader};
use crate::interp::transfer::effects::Effects;
use crate::program::View;

impl<'p> Reader<'p> {
    /// A function of one element of each source.
    pub(super) fn apply_elementwise(&mut self, view: &View<'p>, effects: &mut Effects) {
        let Some(to) = self.destination_type(&view.operands[0]) else { return self.forget_results(view, effects) };
        // Some set a predicate as well.
        let writes = |place: &usize| view.slot_of(*place).role.writes();
        let n_destinations = (0..view.operands.len()).take_while(writes).count();
        for place in 1..n_destinations {
            let exec_mask = self.mask(view);
            self.forget_result(view, place, &exec_mask, effects);
        }
        if self.is_left_out(view) {
            return self.write_without_value(view, effects);
        }
        let exec_mask = self.mask(view);
        let sources = self.read_sources(view, n_destinations, &exec_mask, effects);
        let bytes = to.bytes() as u8;
        let from = sources.first().map_or(to, |s| s.kind);
        let is_plain = view.modifiers.is_empty() && sources.len() <= 3;
        let result = match view.instruction.spec {
            Some(id) if is_plain => {
                let function = Function::Instruction(id, to, from, view.instruction.saturate);
                let none = Lanes::run(Value::known(0, bytes), exec_mask.len());
                let at = |i: usize| sources.get(i).map_or(&none, |s| &s.lanes);
                let domain = &mut self.domain;
                at(0).zip3(at(1), at(2), |x, y, z| domain.applied(function, [x, y, z], bytes))
            }
            _ => Lanes::run(self.domain.unknown(bytes, Origin::Result), exec_mask.len()),
        };
        self.write(view, 0, result, exec_mask, effects);
    }

    /// `sad2` gives its results in even elements and leaves the odd ones undefined.
    pub(super) fn undefine_odd_elements(&self, view: &View<'p>, exec_mask: &Lanes<Condition>, effects: &mut Effects) {
        let Some((at, _)) = view.operands.first().and_then(|o| self.direct_location(o)) else { return };
        for lane in (1..exec_mask.len()).step_by(2) {
            let start = at.start_of(lane);
            let Ok(start) = u32::try_from(start) else { return };
            let bytes = start..start + u32::from(at.bytes);
            let (active, writer) = (exec_mask.at(lane), view.index.0);
            effects.changes.push(Change::Undefine { root: at.root, bytes, active, writer });
        }
    }
}
