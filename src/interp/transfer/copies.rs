//! Copies of what nothing has written. They do no harm by themselves, so it is their readers that read what nothing has
//! written.

use crate::interp::domain::LANES;
use crate::interp::domain::condition::Condition;
use crate::interp::domain::lanes::Lanes;
use crate::interp::state::content::NO_WRITER;
use crate::interp::state::{Change, Reader, Undefined};
use crate::interp::transfer::address::IndirectAddress;
use crate::interp::transfer::effects::Effects;
use crate::program::variable::FLAG_OPERAND;
use crate::program::{Operand, View};
use crate::spec::operation::Operation;

/// Whether an instruction copies what nothing has written. What a kernel finds in `%arg`, `%retval`, `%sp` and `%fp` is
/// nothing that a program could pass on.
pub(super) fn passes_on(view: &View, place: usize, undefined: Undefined) -> bool {
    let variable = undefined.pointed.or_else(|| view.operands.get(place).and_then(Operand::variable));
    let root = variable.map(|v| view.program.variables[v].root);
    // What goes to an operand of a fragment, its host reads.
    let is_handed_over = view.operands.first().and_then(Operand::variable).is_some_and(|to| {
        let root = view.program.variables[to].root;
        view.program.variables[root].is(FLAG_OPERAND)
    });
    view.row.operation == Some(Operation::Mov)
        && !is_handed_over
        && !undefined.is_partial
        && undefined.left_by.is_none()
        && root.is_none_or(|root| root.predefined().is_none())
}

impl Reader<'_> {
    /// What is undefined of a source in the lanes that read it: `sel` reads one of its sources in each.
    pub(super) fn undefined_where_read(
        &mut self,
        view: &View,
        place: usize,
        undefined: Option<Undefined>,
        exec_mask: &Lanes<Condition>,
    ) -> Option<Undefined> {
        let is_choice = view.row.operation == Some(Operation::Sel) && view.instruction.predicate.is_some();
        if undefined.is_none() || !is_choice {
            return undefined;
        }
        let bits = self.choice(view, exec_mask.len());
        let chosen = exec_mask.zip(&bits, |on, bit| self.domain.and(on, if place == 1 { bit } else { bit.not() }));
        match IndirectAddress::of(view, place) {
            Some(address) => self.read_indirect(view, address, &chosen, None).1,
            None => self.presence(view, place, &chosen).1,
        }
    }

    /// Where the lanes of a copy take what nothing has written, if that is not reported of the copy itself.
    pub(super) fn lost_by_copy(
        &mut self,
        view: &View,
        undefined: Option<Undefined>,
        exec_mask: &Lanes<Condition>,
    ) -> Option<Lanes<Condition>> {
        undefined.filter(|undefined| passes_on(view, 1, *undefined))?;
        if self.cx().launch.trusts_copies {
            return None;
        }
        let n = exec_mask.len();
        let (places, bytes) = if let Some(address) = IndirectAddress::of(view, 1) {
            (self.indirect_locations(view, address, exec_mask, None), address.element_type.bytes() as u8)
        } else {
            let (at, _) = self.direct_location(view.operands.get(1)?)?;
            let start = |lane| at.start_of(lane);
            ((0..n).map(|lane| Some((at.root, start(lane)))).collect(), at.bytes)
        };
        let mut lost = [Condition::FALSE; LANES as usize];
        for (lane, place) in places.into_iter().enumerate() {
            let Some((root, start)) = place else { continue };
            let Some((content, domain)) = self.existing_with_values(root) else { continue };
            let Some(presence) = u32::try_from(start).ok().and_then(|o| content.presence(domain, o, bytes)) else {
                continue;
            };
            let is_left = presence.defined.is_false() && presence.writer != NO_WRITER;
            if presence.partly == presence.defined && !is_left {
                lost[lane] = domain.and(exec_mask.at(lane as u32), presence.defined.not());
            }
        }
        Some(Lanes::of(n, |lane| lost[lane as usize]))
    }

    /// Takes back that a copy has written its destination where it took nothing.
    pub(super) fn carry_lost(&self, view: &View, lost: Option<Lanes<Condition>>, effects: &mut Effects) {
        let (Some(lost), Some((at, _))) = (lost, view.operands.first().and_then(|o| self.direct_location(o))) else {
            return;
        };
        for lane in 0..lost.len() {
            let offset = at.start_of(lane);
            if let Some(start) = u32::try_from(offset).ok().filter(|_| !lost.at(lane).is_false()) {
                let bytes = start..start + u32::from(at.bytes);
                let active = lost.at(lane);
                effects.changes.push(Change::Undefine { root: at.root, bytes, active, writer: NO_WRITER });
            }
        }
    }
}
