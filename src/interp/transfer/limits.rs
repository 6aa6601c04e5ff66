//! Operands whose values have limits.

use crate::program::operand::SourceModifier;
use crate::program::{Operand, View};
use crate::spec::OperandName;
use crate::spec::Type;
use crate::spec::instruction::{Custom, Flow};
use crate::spec::operation::{Operation, SecondSource};

/// Whether an operand has limits that its value is compared with.
pub fn has_limits(view: &View, place: usize) -> bool {
    let Some(operand) = view.operands.get(place) else { return false };
    if !matches!(operand, Operand::General { .. }) || operand.modifier() != SourceModifier::None {
        return false;
    }
    let Some(slot) = view.slots.get(place).map(|slot| &view.row.operands[usize::from(*slot)]) else { return false };
    if !slot.role.reads() {
        return false;
    }
    if slot.minimum.is_some() || slot.maximum.is_some() || !slot.values.legal.is_empty() {
        return true;
    }
    match view.row.operation {
        Some(operation) if operation.row().second != SecondSource::Any => {
            return slot.name == OperandName::SRC1;
        }
        // Numbers that become bits of a state register.
        Some(Operation::Mov | Operation::Or | Operation::And | Operation::Xor) => {
            let name =
                view.operands[0].variable().and_then(crate::program::variable::VariableId::predefined).map(|p| p.name);
            return name == Some("%cr0") || is_float_for_unsigned(view, operand);
        }
        _ => {}
    }
    match slot.name {
        OperandName::DESCRIPTOR | OperandName::EXT_MESSAGE_DESCRIPTOR => view.row.custom == Some(Custom::RawSend),
        OperandName::OFFSET | OperandName::GLOBAL_OFFSET | OperandName::X_OFFSET | OperandName::Y_OFFSET => {
            view.row.touches_memory()
        }
        OperandName::ADDRESS => view.row.flow == Flow::FunctionCall,
        // The index of a render target.
        OperandName::DATA => view.row.custom == Some(Custom::RenderTarget),
        _ => false,
    }
}

/// Whether a `mov` converts a float to an unsigned integer, which a negative one has none for.
fn is_float_for_unsigned(view: &View, source: &Operand) -> bool {
    let type_of = |operand: &Operand| operand.variable().map(|v| view.program.variables[v].element_type);
    let to = view.operands.first().and_then(type_of);
    view.row.operation == Some(Operation::Mov)
        && type_of(source).is_some_and(Type::is_float)
        && to.is_some_and(|to| to.is_integer() && !to.is_signed())
}
