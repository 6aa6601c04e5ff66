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
            let has_field = operation.row().second == SecondSource::FieldOffset;
            return slot.name == OperandName::SRC1 || has_field && slot.name == OperandName::SRC0;
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

/// The least and the greatest number that an operand with limits may be, where every number outside of them is a fault.
pub fn legal_range(view: &View, place: usize) -> Option<(i128, i128)> {
    let slot = &view.row.operands[usize::from(*view.slots.get(place)?)];
    let range = |least: Option<i64>, most: Option<i64>| {
        (least.map_or(i128::MIN, i128::from), most.map_or(i128::MAX, i128::from))
    };
    if !slot.values.legal.is_empty() {
        let all = || slot.values.legal.iter().copied();
        return Some(range(all().min(), all().max()));
    }
    if slot.minimum.is_some() || slot.maximum.is_some() {
        return Some(range(slot.minimum, slot.maximum));
    }
    match view.row.operation?.row().second {
        SecondSource::Count => {
            let to = view.operands.first().and_then(Operand::variable).map(|v| view.program.variables[v].element_type);
            Some((0, if to.is_none_or(|to| to.bytes() == 8) { 63 } else { 31 }))
        }
        SecondSource::FieldOffset => Some((0, 31)),
        SecondSource::Divisor | SecondSource::Any => None,
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
