//! Lanes that leave a loop in its first pass, or never come to it: what they have not written by then stays unwritten,
//! whatever the others do in later passes.

use crate::interp::domain::LANES;
use crate::interp::domain::condition::Condition;
use crate::interp::domain::lanes::Lanes;
use crate::interp::flow::assigned::Assigned;
use crate::interp::flow::execution::{Execution, Gap};
use crate::interp::flow::plan::Loop;
use crate::interp::state::Flow;
use crate::interp::state::content::NO_WRITER;
use crate::program::{InstructionIndex, Operand, View};
use crate::spec::instruction::{self, Execution as Form};
use rustc_hash::FxHashSet;

/// Most variables of a loop, and most elements of each, that are looked at.
const MAX_VARIABLES: usize = 32;
const MAX_ELEMENTS: u32 = 64;
/// Most exits that are looked at.
const MAX_EXITS: usize = 8;

impl Execution<'_, '_> {
    /// Notes what lanes leave unwritten that take one of the exits in the first pass, which has just ended.
    pub(super) fn note_gaps(&mut self, index: usize, entry: &Flow, assigned: &Assigned, exits: &[Lanes<Condition>]) {
        if self.machine.cx().launch.skips_paths || assigned.everything || !self.plan.is_divergent(index) {
            return;
        }
        let unmasked = self.written_by_all(index);
        let Some(unmasked) = unmasked else { return };
        let domain = &mut self.machine.reader.domain;
        let away = entry.active.map(|active| domain.and(entry.uniform, active).not());
        let mut gaps = Vec::new();
        let roots = assigned.variables.iter().copied().filter(|root| !unmasked.contains(root)).take(MAX_VARIABLES);
        for root in roots {
            if let Some((predicate, domain)) = self.machine.existing_predicate_mut(root) {
                let written = predicate.defined.clone();
                for exit in exits.iter().take(MAX_EXITS).chain([&away]) {
                    gaps.extend((0..LANES).filter_map(|lane| {
                        let (unwritten, written) = (exit.at(lane), written.at(lane));
                        let is_gap = unwritten.as_known().is_none()
                            && written.as_known().is_none()
                            && domain.implies(unwritten, written.not());
                        is_gap.then_some(Gap { root, start: lane, n_bytes: 0, unwritten })
                    }));
                }
            }
            let Some((content, domain)) = self.machine.existing_mut(root) else { continue };
            let unit = u32::from(content.unit());
            for place in 0..(content.n_bytes() / unit).min(MAX_ELEMENTS) {
                let written = content.defined_at(place as usize);
                if written.as_known().is_some() {
                    continue;
                }
                for exit in exits.iter().take(MAX_EXITS).chain([&away]) {
                    // Which lane the bytes belong to shows in that one lane alone leaves them unwritten.
                    let mut lanes = (0..LANES)
                        .map(|lane| exit.at(lane))
                        .filter(|left| left.as_known().is_none() && domain.implies(*left, written.not()));
                    let Some(unwritten) = lanes.next() else { continue };
                    if lanes.all(|other| other == unwritten) {
                        gaps.push(Gap { root, start: place * unit, n_bytes: unit, unwritten });
                    }
                }
            }
        }
        self.gaps.insert(index, gaps);
    }

    /// The variables that instructions of a loop write in other lanes than the active ones; nothing if they may be any.
    fn written_by_all(&self, index: usize) -> Option<FxHashSet<usize>> {
        let Loop { head, end, .. } = self.plan.loops[index];
        let mut all = FxHashSet::default();
        for at in head..=end {
            let view = View::new(self.machine.cx().program, InstructionIndex(at))?;
            if matches!(view.row.flow, instruction::Flow::Call | instruction::Flow::FunctionCall) {
                return None;
            }
            let is_masked = !view.instruction.no_mask && view.row.execution == Form::MaskAndSize;
            for (_, operand, _) in view.numbered_operands().filter(|(_, _, slot)| slot.role.writes()) {
                if matches!(operand, Operand::Indirect { .. }) {
                    return None;
                }
                if !is_masked {
                    all.extend(operand.variable().and_then(|v| self.machine.cx().root(v)).map(|(root, _)| root));
                }
            }
        }
        Some(all)
    }

    /// Takes back that a loop has written what lanes left unwritten in its first pass.
    pub(super) fn reopen_gaps(&mut self, index: usize) {
        for Gap { root, start, n_bytes, unwritten } in self.gaps.remove(&index).unwrap_or_default() {
            if n_bytes == 0 {
                if let Some((predicate, domain)) = self.machine.existing_predicate_mut(root) {
                    let defined = domain.and(predicate.defined.at(start), unwritten.not());
                    predicate.defined.replace(start, &Lanes::run(defined, 1));
                }
            } else if let Some((content, domain)) = self.machine.existing_mut(root) {
                content.undefine(domain, start, n_bytes, unwritten, NO_WRITER);
            }
        }
    }
}
