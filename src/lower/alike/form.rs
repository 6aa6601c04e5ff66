//! An instruction that was read, without the variables and places that are its own.

use super::key::Key;
use super::note_alike;
use crate::base::id::Id as _;
use crate::base::span::Span;
use crate::program::lsc::{LscAddress, LscItem, LscShape};
use crate::program::{
    Instruction, InstructionIndex, InstructionSpans, ModifierUse, Operand, OperandSpans, Program, VariableId,
};
use crate::spec::instruction::Flow;

/// Numbers of predefined variables, which are the same in each copy, begin here.
const PREDEFINED: u32 = 1 << 16;

/// How much the program held before an instruction was read.
#[derive(Clone, Copy, Default)]
pub(in crate::lower) struct Before {
    instructions: usize,
    operands: usize,
    modifiers: usize,
    addresses: usize,
    items: usize,
    shapes: usize,
    /// What a copy cannot add.
    others: [usize; 5],
}

impl Before {
    pub(super) fn of(program: &Program) -> Self {
        Self {
            instructions: program.instructions.len(),
            operands: program.operands.len(),
            modifiers: program.modifiers.len(),
            addresses: program.lsc_addresses.len(),
            items: program.lsc_items.len(),
            shapes: program.lsc_shapes.len(),
            others: [
                program.diagnostics.len(),
                program.labels.len(),
                program.label_lists.len(),
                program.variables.len(),
                program.objects.len(),
            ],
        }
    }
}

/// The form of an instruction: variables are numbers of names in its [`Key`], places are pieces of it.
#[derive(Default)]
pub(super) struct Form {
    /// Nothing if the instruction cannot be copied.
    instruction: Option<(Instruction, InstructionSpans)>,
    key: Vec<u8>,
    epoch: u32,
    /// The instruction that it was made of.
    first: u32,
    operands: Vec<(Operand, OperandSpans, u8)>,
    modifiers: Vec<ModifierUse>,
    addresses: Vec<LscAddress>,
    items: Vec<LscItem>,
    shapes: Vec<LscShape>,
    /// The flags that it sets.
    noted: Vec<(VariableId, u16)>,
}

impl Form {
    pub(super) fn is_of(&self, epoch: u32, key: &Key) -> bool {
        self.instruction.is_some() && self.epoch == epoch && self.key == key.bytes()
    }

    /// Becomes the form of the instruction that was read since `before`; of none if it did more than a copy can do.
    pub(super) fn fill(
        &mut self,
        epoch: u32,
        key: &Key,
        before: &Before,
        program: &Program,
        used: &[Span],
        noted: &[(VariableId, u16)],
    ) {
        self.instruction = self.try_fill(key, before, program, used, noted);
        self.key.clear();
        self.key.extend_from_slice(key.bytes());
        self.epoch = epoch;
        self.first = before.instructions as u32;
    }

    fn try_fill(
        &mut self,
        key: &Key,
        before: &Before,
        program: &Program,
        used: &[Span],
        noted: &[(VariableId, u16)],
    ) -> Option<(Instruction, InstructionSpans)> {
        let index = InstructionIndex::from_index(before.instructions);
        let mut instruction = *program.instructions.get(index)?;
        let is_plain = Before::of(program).others == before.others
            && program.instructions.len() == before.instructions + 1
            && !instruction.is_broken
            && program.row(&instruction).is_some_and(|row| row.flow == Flow::Next)
            && key.are_used(used);
        if !is_plain {
            return None;
        }
        let number = |variable: VariableId| match key.number_of(variable) {
            Some(number) => Some(VariableId(number as u32)),
            None => variable.predefined().map(|_| VariableId(PREDEFINED + variable.0)),
        };
        let place = |span: Span| key.relative(span);
        if let Some(predicate) = &mut instruction.predicate {
            predicate.variable = number(predicate.variable)?;
        }
        let mut spans = program.instruction_spans[index];
        rename(spans.places(), place)?;
        self.operands.clear();
        let operands = program.operands[before.operands..].iter().zip(&program.operand_spans[before.operands..]);
        for ((operand, spans), slot) in operands.zip(&program.operand_slots[before.operands..]) {
            let (mut operand, mut spans) = (*operand, *spans);
            match &mut operand {
                Operand::LscData { shape, .. } => *shape -= before.shapes as u32,
                Operand::LscAddress { index } => *index -= before.addresses as u32,
                _ => {}
            }
            if let Some(variable) = operand.variable_mut() {
                *variable = number(*variable)?;
            }
            rename(spans.places(), place)?;
            self.operands.push((operand, spans, *slot));
        }
        self.modifiers.clear();
        for modifier in &program.modifiers[before.modifiers..] {
            self.modifiers.push(ModifierUse { span: place(modifier.span)?, ..*modifier });
        }
        self.addresses.clear();
        for address in &program.lsc_addresses[before.addresses..] {
            let mut address = *address;
            address.first_item -= before.items as u32;
            address.items_end -= before.items as u32;
            if let Some(variable) = address.surface.as_mut().and_then(|surface| surface.variable_mut()) {
                *variable = number(*variable)?;
            }
            rename(address.places(), place)?;
            self.addresses.push(address);
        }
        self.items.clear();
        for item in &program.lsc_items[before.items..] {
            let mut item = *item;
            if let Some(variable) = item.value.variable_mut() {
                *variable = number(*variable)?;
            }
            rename(item.places(), place)?;
            self.items.push(item);
        }
        self.shapes.clear();
        self.shapes.extend_from_slice(&program.lsc_shapes[before.shapes..]);
        self.noted.clear();
        for (variable, flag) in noted {
            self.noted.push((number(*variable)?, *flag));
        }
        Some((instruction, spans))
    }

    /// Adds a copy to the program, with the variables and places of `key`.
    pub(super) fn copy(&self, key: &Key, program: &mut Program) {
        let Some((mut instruction, mut spans)) = self.instruction else { return };
        let before = Before::of(program);
        let variable = |number: VariableId| match number.0.checked_sub(PREDEFINED) {
            Some(predefined) => VariableId(predefined),
            None => key.variable(number.index()),
        };
        let place = |span: Span| Some(key.absolute(span));
        if let Some(predicate) = &mut instruction.predicate {
            predicate.variable = variable(predicate.variable);
        }
        for (operand, spans, slot) in &self.operands {
            let (mut operand, mut spans) = (*operand, *spans);
            match &mut operand {
                Operand::LscData { shape, .. } => *shape += before.shapes as u32,
                Operand::LscAddress { index } => *index += before.addresses as u32,
                _ => {}
            }
            if let Some(number) = operand.variable_mut() {
                *number = variable(*number);
            }
            let _ = rename(spans.places(), place);
            program.operands.push(operand);
            program.operand_spans.push(spans);
            program.operand_slots.push(*slot);
        }
        let modifiers = self.modifiers.iter();
        program.modifiers.extend(modifiers.map(|m| ModifierUse { span: key.absolute(m.span), ..*m }));
        for address in &self.addresses {
            let mut address = *address;
            address.first_item += before.items as u32;
            address.items_end += before.items as u32;
            if let Some(number) = address.surface.as_mut().and_then(|surface| surface.variable_mut()) {
                *number = variable(*number);
            }
            let _ = rename(address.places(), place);
            program.lsc_addresses.push(address);
        }
        for item in &self.items {
            let mut item = *item;
            if let Some(number) = item.value.variable_mut() {
                *number = variable(*number);
            }
            let _ = rename(item.places(), place);
            program.lsc_items.push(item);
        }
        program.lsc_shapes.extend_from_slice(&self.shapes);
        for (number, flag) in &self.noted {
            program.variables[variable(*number)].flags |= flag;
        }
        instruction.move_to(before.operands, before.modifiers);
        let _ = rename(spans.places(), place);
        program.instructions.push(instruction);
        program.instruction_spans.push(spans);
        note_alike(&mut program.alike, before.instructions, self.first);
    }
}

/// Replaces each place by what `by` gives for it; nothing if it gives nothing for one.
fn rename<const N: usize>(places: [&mut Span; N], by: impl Fn(Span) -> Option<Span>) -> Option<()> {
    for place in places {
        *place = by(*place)?;
    }
    Some(())
}
