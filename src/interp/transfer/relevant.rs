//! Which values matter: those of variables from which addresses, conditions and operands of control flow are computed.
//!
//! Most of what a kernel computes is data: it is loaded, worked on, stored, and nothing that can be proved depends on it.
//! Such variables are followed only as far as it matters whether anything has been written to them. Where a value of
//! theirs is needed all the same, as when two lanes meet and their data are compared, the kernel is executed once more
//! with all values (`Reader::needs_all`), so that nothing is lost.

use crate::interp::state::Context;
use crate::interp::transfer::limits::has_limits;
use crate::program::{InstructionIndex, Operand, VariableId, View};
use crate::spec::expression::Expression;
use crate::spec::family::Check;
use crate::spec::instruction::{Custom, Flow, Predication};
use crate::spec::operation::LeftOut;
use crate::spec::predefined::VariableKind;
use std::ops::Range;

/// The place of the destination of an instruction that only computes a value, if it can be left out where that value is
/// unused.
#[must_use]
pub fn computed_place(view: &View) -> Option<usize> {
    let is_direct = matches!(view.operands.first(), Some(Operand::General { .. }));
    if !is_direct || view.row.flow != Flow::Next {
        return None;
    }
    let is_plain = match view.row.operation.map(|operation| operation.row().left_out) {
        None => is_elementwise(view),
        Some(LeftOut::Never) => false,
        Some(LeftOut::Always) => true,
        Some(LeftOut::FromVector) => {
            matches!(view.operands.get(1), Some(Operand::General { .. } | Operand::Immediate { .. }))
        }
        Some(LeftOut::WithoutOverflow) => view.row.predicate != Predication::Required,
        Some(LeftOut::Unsaturated) => !view.instruction.saturate,
    };
    is_plain.then_some(0)
}

/// Whether an instruction without an operation computes each element of its result from the same element of its sources.
#[must_use]
pub fn is_elementwise(view: &View) -> bool {
    view.row.custom == Some(Custom::Alu)
        && matches!(view.operands.first(), Some(Operand::General { .. } | Operand::Indirect { .. }))
        && view.operands.len() >= 2
        && view.row.lanes == crate::spec::family::Lanes::Separate
}

/// Whether an operand is what a message stores.
fn is_data(view: &View, slot: u8, operand: &Operand) -> bool {
    if matches!(operand, Operand::LscData { .. }) {
        return true;
    }
    let slot = usize::from(slot);
    let refers =
        |e: Option<&'static Expression>| matches!(e, Some(Expression::Element(s, _)) if usize::from(*s) == slot);
    view.row.accesses.iter().any(|a| refers(a.value))
}

impl Context<'_> {
    /// Follows only values that are used. To be called before anything is executed.
    pub fn follow_slice(&mut self) {
        let n = self.n_variables();
        let mut followed: Vec<bool> = (0..n)
            .map(|r| {
                let variable = self.variable_of(r);
                variable.predefined().is_some() || self.program.variables[variable].kind != VariableKind::General
            })
            .collect();
        for root in &self.addressed {
            followed[*root] = true;
        }
        // What a variable is computed from. What is stored, in shared local memory or elsewhere, and may be loaded again,
        // stands behind the variables.
        let mut origins: Vec<(u32, u32)> = Vec::new();
        followed.extend([false; 2]);
        for (index, _) in self.program.instructions_in(self.object) {
            let Some(view) = View::new(self.program, index) else { continue };
            let result = computed_place(&view)
                .and_then(|place| view.operands[place].variable())
                .and_then(|v| if v == VariableId::NULL { Some(None) } else { self.root(v).map(|(r, _)| Some(r)) });
            let memory = self.remembers_stores() && view.row.touches_memory();
            let memory = memory.then(|| (n + usize::from(self.is_slm(&view))) as u32);
            for (place, operand, slot) in view.numbered_operands() {
                if let (Some(memory), Some((root, _))) = (memory, operand.variable().and_then(|v| self.root(v))) {
                    if slot.role.writes() {
                        origins.push((root as u32, memory));
                    } else if is_data(&view, view.slots[place], operand) {
                        origins.push((memory, root as u32));
                    }
                }
                if !slot.role.reads() {
                    continue;
                }
                if let Operand::LscAddress { index } = *operand {
                    let address = &self.program.lsc_addresses[index as usize];
                    for (root, _) in self.program.lsc_values(address).filter_map(|v| self.root(v.variable()?)) {
                        followed[root] = true;
                    }
                    continue;
                }
                let Some((source, _)) = operand.variable().and_then(|v| self.root(v)) else { continue };
                if followed[source] {
                    continue;
                }
                if has_limits(&view, place) {
                    followed[source] = true;
                    continue;
                }
                match result {
                    Some(Some(result)) if !followed[result] => origins.push((result as u32, source as u32)),
                    // Into nothing.
                    Some(None) => {}
                    Some(Some(_)) => followed[source] = true,
                    None => followed[source] = looks_at(&view, place, operand),
                }
            }
        }
        close(&mut followed, &origins);
        followed.truncate(n);
        self.followed = followed;
    }

    /// Follows only what an instruction reads and where lanes go, and skips everything else. To be called before anything
    /// is executed.
    pub fn follow_towards(&mut self, instruction: InstructionIndex) {
        self.followed = self.deciding(self.object.instructions.clone(), Some(instruction));
        self.skips = true;
    }

    /// The variables from which it is computed where lanes go in a part of the text, and what an instruction reads. What
    /// messages load counts as not known.
    #[must_use]
    pub fn deciding(&self, part: Range<u32>, instruction: Option<InstructionIndex>) -> Vec<bool> {
        let mut followed = vec![false; self.n_variables()];
        for root in &self.addressed {
            followed[*root] = true;
        }
        let mut origins: Vec<(u32, u32)> = Vec::new();
        let mut sources = Vec::new();
        for view in part.filter_map(|index| View::new(self.program, InstructionIndex(index))) {
            let predicate = view.instruction.predicate.and_then(|p| self.root(p.variable)).map(|(r, _)| r);
            let is_wanted = Some(view.index) == instruction;
            sources.clear();
            sources.extend(predicate);
            // What is loaded is not known, whatever the address is.
            if !view.row.touches_memory() || is_wanted {
                for (_, operand, _) in view.numbered_operands().filter(|(_, _, slot)| slot.role.reads()) {
                    sources.extend(operand.variable().and_then(|v| self.root(v)).map(|(r, _)| r));
                }
            }
            if view.row.flow != Flow::Next || is_wanted {
                for root in &sources {
                    followed[*root] = true;
                }
                continue;
            }
            let overflow = predicate.filter(|_| view.row.has(Check::OverflowPredicate));
            let written = view.numbered_operands().filter(|(_, _, slot)| slot.role.writes());
            let written = written.filter_map(|(_, operand, _)| Some(self.root(operand.variable()?)?.0));
            for result in written.chain(overflow) {
                origins.extend(sources.iter().map(|source| (result as u32, *source as u32)));
            }
        }
        close(&mut followed, &origins);
        followed
    }

    /// Whether an instruction writes nothing that is followed, and everything else is to be skipped.
    #[must_use]
    pub fn can_be_skipped(&self, view: &View) -> bool {
        if !self.skips || view.row.flow != Flow::Next {
            return false;
        }
        let mut results = view.numbered_operands().filter(|(_, _, slot)| slot.role.writes());
        !results.any(|(_, operand, _)| {
            let root = operand.variable().and_then(|v| self.root(v));
            matches!(operand, Operand::Indirect { .. }) || root.is_some_and(|(r, _)| self.is_followed(r))
        })
    }
}

/// Follows also what the variables that are followed are computed from; of `origins`, the second is of the first.
fn close(followed: &mut [bool], origins: &[(u32, u32)]) {
    let n = followed.len();
    // Sorted by the variable, by counting.
    let mut ends = vec![0_u32; n + 1];
    for (result, _) in origins {
        ends[*result as usize + 1] += 1;
    }
    for i in 0..n {
        ends[i + 1] += ends[i];
    }
    let mut sources = vec![0_u32; origins.len()];
    let mut next = ends.clone();
    for (result, source) in origins {
        let place = &mut next[*result as usize];
        sources[*place as usize] = *source;
        *place += 1;
    }
    let mut open: Vec<usize> = (0..n).filter(|r| followed[*r]).collect();
    while let Some(result) = open.pop() {
        for source in &sources[ends[result] as usize..ends[result + 1] as usize] {
            if !std::mem::replace(&mut followed[*source as usize], true) {
                open.push(*source as usize);
            }
        }
    }
}

/// Whether an instruction that computes no value looks at one of its sources.
fn looks_at(view: &View, place: usize, operand: &Operand) -> bool {
    match operand {
        _ if view.row.touches_memory() => !is_data(view, view.slots[place], operand),
        // Payloads of what is no message are not looked into.
        Operand::Raw { .. } => false,
        _ => true,
    }
}
