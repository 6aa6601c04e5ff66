//! Operands whose values have limits.

use crate::program::{Operand, Region, View};
use crate::spec::OperandName;
use crate::spec::Type;
use crate::spec::instruction::{Custom, Flow};
use crate::spec::operation::{Operation, SecondSource};

/// Whether an operand has limits that its value is compared with. An immediate that is the same in all lanes is compared
/// where it stands.
#[must_use]
pub fn has_limits(view: &View, place: usize) -> bool {
    let Some(operand) = view.operands.get(place) else { return false };
    match operand {
        Operand::General { .. } | Operand::Indirect { .. } => {}
        Operand::Immediate { element_type, .. } if element_type.is_packed() => {}
        _ => return false,
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
        // Numbers that become bits of a state register, or clear them.
        Some(operation @ (Operation::Mov | Operation::Or | Operation::And | Operation::Xor)) => {
            let to = &view.operands[0];
            let is_combined = operation != Operation::And || view.combines_with_itself();
            let sets_bits = to.writable_bits().is_some() && is_combined && !operand.is_same_element(to);
            return sets_bits || is_float_for_unsigned(view, operand);
        }
        _ => {}
    }
    match slot.name {
        OperandName::DESCRIPTOR | OperandName::EXT_MESSAGE_DESCRIPTOR => view.row.custom == Some(Custom::RawSend),
        OperandName::OFFSET | OperandName::GLOBAL_OFFSET | OperandName::X_OFFSET | OperandName::Y_OFFSET => {
            view.row.touches_memory()
        }
        OperandName::SUB_MB_SHAPE | OperandName::SUB_PRED_MODE => true,
        OperandName::ADDRESS => view.row.flow == Flow::FunctionCall,
        // The index of a render target.
        OperandName::DATA => view.row.custom == Some(Custom::RenderTarget),
        _ => false,
    }
}

/// Whether an instruction gives a register with reserved bits something that none of its sources says alone.
#[must_use]
pub fn has_limited_result(view: &View) -> bool {
    view.operands.first().is_some_and(|to| to.writable_bits().is_some())
        && match view.row.operation {
            Some(Operation::Mov | Operation::Or | Operation::Xor) | None => false,
            Some(Operation::And) => !view.combines_with_itself(),
            Some(_) => true,
        }
}

/// What the value of an operand is compared with, where it is not known as one number.
#[derive(Clone, Copy, Debug)]
pub enum Limits {
    /// The least and the greatest number that it may be; every number outside of them is a fault.
    Range(i128, i128),
    /// Every number but zero is legal.
    NotZero,
    /// Fields of a descriptor, from that bit on.
    UpperFields(u32),
    /// Fields of a descriptor, below that bit.
    LowerFields(u32),
    /// It counts from the begin of a surface, and may have to be a multiple of something.
    Offset,
    /// It is a float, and there may be none of its sign.
    Float,
    /// Bits of a register, of which some are reserved.
    Bits {
        /// Those that may be written.
        legal: u32,
        /// Whether it is those that are clear which change the register.
        is_cleared: bool,
    },
}

impl Limits {
    /// What is written to reserved bits whatever the unknowns are, as the operand that writes it and nothing else; nothing if
    /// there are no such bits.
    #[must_use]
    pub const fn reserved(self, known_ones: u64, possible_ones: u64) -> Option<u64> {
        let Self::Bits { legal, is_cleared } = self else { return None };
        let written = if is_cleared { !possible_ones } else { known_ones } as u32;
        if written & !legal == 0 {
            return None;
        }
        Some(if is_cleared { !written } else { written } as u64)
    }
}

/// What the value of an operand with limits is compared with.
pub fn limits(view: &View, place: usize) -> Option<Limits> {
    let slot = &view.row.operands[usize::from(*view.slots.get(place)?)];
    if let Some(legal) = view.operands.first().and_then(Operand::writable_bits)
        && (slot.role.reads() || has_limited_result(view))
    {
        return Some(Limits::Bits { legal, is_cleared: view.row.operation == Some(Operation::And) && place > 0 });
    }
    let range = |least: Option<i64>, most: Option<i64>| {
        Limits::Range(least.map_or(i128::MIN, i128::from), most.map_or(i128::MAX, i128::from))
    };
    if !slot.values.legal.is_empty() {
        let all = || slot.values.legal.iter().copied();
        return Some(range(all().min(), all().max()));
    }
    if view.row.flow == Flow::Switch
        && let Some((Operand::LabelList { start, end }, _)) = view.operand(OperandName::LABELS)
    {
        return Some(range(slot.minimum, Some(i64::from(end - start) - 1)));
    }
    if slot.minimum.is_some() || slot.maximum.is_some() {
        return Some(range(slot.minimum, slot.maximum));
    }
    match slot.name {
        // Colours and the rest are no scalars.
        OperandName::DATA => {
            let is_scalar = view.operands[place].region().is_some_and(Region::is_scalar);
            return is_scalar.then_some(Limits::Range(0, MAX_RENDER_TARGET));
        }
        OperandName::DESCRIPTOR => return Some(Limits::UpperFields(LENGTHS_AT)),
        OperandName::EXT_MESSAGE_DESCRIPTOR => return Some(Limits::LowerFields(EXTENDED_LENGTH_END)),
        OperandName::OFFSET | OperandName::X_OFFSET | OperandName::Y_OFFSET | OperandName::GLOBAL_OFFSET => {
            return Some(Limits::Offset);
        }
        _ => {}
    }
    Some(match view.row.operation?.row().second {
        SecondSource::Count => {
            let to = view.operands.first().and_then(Operand::variable).map(|v| view.program.variables[v].element_type);
            Limits::Range(0, if to.is_none_or(|to| to.bytes() == 8) { 63 } else { 31 })
        }
        SecondSource::FieldOffset => Limits::Range(0, 31),
        SecondSource::Divisor => Limits::NotZero,
        SecondSource::Any if is_float_for_unsigned(view, &view.operands[place]) => Limits::Float,
        SecondSource::Any => return None,
    })
}

/// The greatest index of a render target.
const MAX_RENDER_TARGET: i128 = 7;
/// The bit of a message descriptor at which the lengths begin.
const LENGTHS_AT: u32 = 20;
/// The bit of an extended descriptor behind the length.
const EXTENDED_LENGTH_END: u32 = 11;

/// Whether a `mov` converts a float to an unsigned integer, which a negative one has none for.
fn is_float_for_unsigned(view: &View, source: &Operand) -> bool {
    if view.row.operation != Some(Operation::Mov) {
        return false;
    }
    let type_of = |operand: &Operand| operand.variable().map(|v| view.program.variables[v].element_type);
    let to = view.operands.first().and_then(type_of);
    type_of(source).is_some_and(Type::is_float) && to.is_some_and(|to| to.is_integer() && !to.is_signed())
}
