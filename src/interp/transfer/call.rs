//! Function calls, and what instructions write at all.

use crate::interp::domain::atom::Origin;
use crate::interp::state::{Change, Reader};
use crate::interp::transfer::effects::Effects;
use crate::program::{Operand, VariableId, View};
use crate::spec::OperandName;
use crate::spec::instruction::{Flow, Role};
use crate::spec::operation::Operation;

/// Functions of the compiler that order memory, and do nothing else.
const FENCE_FUNCTIONS: &str = "__intel_memfence";

/// Whether a call only orders memory.
#[must_use]
pub fn is_fence_function(view: &View) -> bool {
    let is_named = |operand: &Operand| match operand {
        Operand::Name { name, .. } => view.program.names.name(*name).starts_with(FENCE_FUNCTIONS),
        _ => false,
    };
    view.row.flow == Flow::FunctionCall && view.operands.first().is_some_and(is_named)
}

impl<'p> Reader<'p> {
    /// A call leaves nothing in a variable; one that only some lanes make may leave all as it was.
    fn destroy(&self, view: &View<'p>, root: usize, n_bytes: u32, effects: &mut Effects) {
        let (bytes, active, writer) = (0..n_bytes, self.state().reached, view.index.0);
        effects.changes.push(if view.instruction.predicate.is_some() {
            Change::Forget { root, bytes, active, origin: Origin::Call }
        } else {
            Change::Undefine { root, bytes, active, writer }
        });
    }

    /// `fcall` and its like: arguments are handed over and destroyed, results come back.
    pub(super) fn call_function(&mut self, view: &View<'p>, effects: &mut Effects) {
        let orders = is_fence_function(view);
        effects.changes.push(if orders { Change::ForgetSharedMemory } else { Change::ForgetMemory });
        let number = |name| match view.numbered_operand(name) {
            Some((_, Operand::Number { value })) => u32::try_from(*value).ok(),
            _ => None,
        };
        let (Some(n_arguments), Some(n_results)) = (number(OperandName::ARG_SIZE), number(OperandName::RETURN_SIZE))
        else {
            return effects.changes.push(Change::ForgetEverything);
        };
        let (Some(arg), Some(retval)) = (VariableId::of_predefined("%arg"), VariableId::of_predefined("%retval"))
        else {
            return;
        };
        let n_bytes = n_arguments.min(64) * self.cx().grf_bytes;
        if let Some((root, _)) = self.cx().root(arg) {
            self.content(root, 0, 4);
            let end = self.cx().program.variable_bytes(arg, self.cx().grf_bytes);
            self.destroy(view, root, n_bytes.min(end), effects);
        }
        if let Some((root, _)) = self.cx().root(retval) {
            let end = self.cx().program.variable_bytes(retval, self.cx().grf_bytes);
            self.content(root, 0, 4);
            self.destroy(view, root, end, effects);
            let active = self.state().reached;
            let bytes = 0..(n_results.min(64) * self.cx().grf_bytes).min(end);
            effects.changes.push(Change::Forget { root, bytes, active, origin: Origin::Call });
        }
    }

    /// Adds the variables that an instruction writes. Returns whether it also writes through addresses, and
    /// so may write any variable whose address is taken.
    #[must_use]
    pub fn written_by(&self, view: &View<'p>, written: &mut Vec<usize>) -> bool {
        let mut is_indirect = false;
        for (place, operand) in view.operands.iter().enumerate() {
            let slot = &view.row.operands[usize::from(view.slots[place])];
            if slot.role == Role::Source {
                continue;
            }
            if matches!(operand, Operand::Indirect { .. }) {
                is_indirect = true;
            } else if let Some((root, _)) =
                operand.variable().filter(|v| *v != VariableId::NULL).and_then(|v| self.cx().root(v))
            {
                written.push(root);
            }
        }
        if view.row.operation == Some(Operation::Add3)
            && let Some((root, _)) = view.instruction.predicate.and_then(|p| self.cx().root(p.variable))
        {
            written.push(root);
        }
        if view.row.flow == Flow::FunctionCall {
            for name in ["%arg", "%retval"] {
                written.extend(VariableId::of_predefined(name).and_then(|v| self.cx().root(v)).map(|(r, _)| r));
            }
        }
        is_indirect
    }
}
