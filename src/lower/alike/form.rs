//! An instruction that was read, without the variables and places that are its own.

use super::key::Key;
use super::note_alike;
use crate::base::id::Id as _;
use crate::base::span::Span;
use crate::program::lsc::{LscAddress, LscItem, LscShape, LscValue};
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

/// Parts of a program that belong to one instruction.
struct Parts<'a> {
    instruction: &'a mut Instruction,
    spans: &'a mut InstructionSpans,
    operands: &'a mut [Operand],
    operand_spans: &'a mut [OperandSpans],
    modifiers: &'a mut [ModifierUse],
    addresses: &'a mut [LscAddress],
    items: &'a mut [LscItem],
}

impl Parts<'_> {
    /// Replaces each variable and each place by what is given for it; nothing if nothing is given for one.
    fn rename(
        self,
        variable: impl Fn(VariableId) -> Option<VariableId>,
        place: impl Fn(Span) -> Option<Span>,
    ) -> Option<()> {
        let rename = |own: Option<&mut VariableId>| match own {
            Some(own) => variable(*own).map(|new| *own = new),
            None => Some(()),
        };
        rename(self.instruction.predicate.as_mut().map(|predicate| &mut predicate.variable))?;
        move_all(self.spans.places(), &place)?;
        for (operand, spans) in self.operands.iter_mut().zip(self.operand_spans) {
            rename(operand.variable_mut())?;
            move_all(spans.places(), &place)?;
        }
        for modifier in self.modifiers {
            modifier.span = place(modifier.span)?;
        }
        for address in self.addresses {
            rename(address.surface.as_mut().and_then(LscValue::variable_mut))?;
            move_all(address.places(), &place)?;
        }
        for item in self.items {
            rename(item.value.variable_mut())?;
            move_all(item.places(), &place)?;
        }
        Some(())
    }
}

fn move_all<const N: usize>(places: [&mut Span; N], to: impl Fn(Span) -> Option<Span>) -> Option<()> {
    for place in places {
        *place = to(*place)?;
    }
    Some(())
}

/// Adds to the numbers of shapes, addresses and items how many the program held before; wraps around.
fn shift(operands: &mut [Operand], addresses: &mut [LscAddress], [n_shapes, n_addresses, n_items]: [u32; 3]) {
    for operand in operands {
        match operand {
            Operand::LscData { shape, .. } => *shape = shape.wrapping_add(n_shapes),
            Operand::LscAddress { index } => *index = index.wrapping_add(n_addresses),
            _ => {}
        }
    }
    for address in addresses {
        address.first_item = address.first_item.wrapping_add(n_items);
        address.items_end = address.items_end.wrapping_add(n_items);
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
    operands: Vec<Operand>,
    operand_spans: Vec<OperandSpans>,
    operand_slots: Vec<u8>,
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
        let mut spans = program.instruction_spans[index];
        replace(&mut self.operands, &program.operands[before.operands..]);
        replace(&mut self.operand_spans, &program.operand_spans[before.operands..]);
        replace(&mut self.operand_slots, &program.operand_slots[before.operands..]);
        replace(&mut self.modifiers, &program.modifiers[before.modifiers..]);
        replace(&mut self.addresses, &program.lsc_addresses[before.addresses..]);
        replace(&mut self.items, &program.lsc_items[before.items..]);
        replace(&mut self.shapes, &program.lsc_shapes[before.shapes..]);
        let n_before = [before.shapes, before.addresses, before.items].map(|n| (n as u32).wrapping_neg());
        shift(&mut self.operands, &mut self.addresses, n_before);
        let parts = Parts {
            instruction: &mut instruction,
            spans: &mut spans,
            operands: &mut self.operands,
            operand_spans: &mut self.operand_spans,
            modifiers: &mut self.modifiers,
            addresses: &mut self.addresses,
            items: &mut self.items,
        };
        parts.rename(number, |span| key.relative(span))?;
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
        program.operands.extend_from_slice(&self.operands);
        program.operand_spans.extend_from_slice(&self.operand_spans);
        program.operand_slots.extend_from_slice(&self.operand_slots);
        program.modifiers.extend_from_slice(&self.modifiers);
        program.lsc_addresses.extend_from_slice(&self.addresses);
        program.lsc_items.extend_from_slice(&self.items);
        program.lsc_shapes.extend_from_slice(&self.shapes);
        let operands = &mut program.operands[before.operands..];
        let addresses = &mut program.lsc_addresses[before.addresses..];
        shift(operands, addresses, [before.shapes, before.addresses, before.items].map(|n| n as u32));
        let parts = Parts {
            instruction: &mut instruction,
            spans: &mut spans,
            operands,
            operand_spans: &mut program.operand_spans[before.operands..],
            modifiers: &mut program.modifiers[before.modifiers..],
            addresses,
            items: &mut program.lsc_items[before.items..],
        };
        let renamed = parts.rename(|number| Some(variable(number)), |span| Some(key.absolute(span)));
        debug_assert!(renamed.is_some());
        for (number, flag) in &self.noted {
            program.variables[variable(*number)].flags |= flag;
        }
        instruction.move_to(before.operands, before.modifiers);
        program.instructions.push(instruction);
        program.instruction_spans.push(spans);
        note_alike(&mut program.alike, before.instructions, self.first);
    }
}

/// Makes an array hold what a slice holds, in the memory that it has.
fn replace<T: Copy>(array: &mut Vec<T>, by: &[T]) {
    array.clear();
    array.extend_from_slice(by);
}
