//! One instruction with everything that belongs to it.

use super::{Instruction, InstructionIndex, InstructionSpans, ModifierUse, Operand, OperandSpans, Program};
use crate::spec;
use crate::spec::ModifierName;
use crate::spec::OperandName;
use crate::spec::expression::{Expression, Numbers, Variable};
use crate::spec::instruction::{ModifierKind, OperandSlot};

/// An instruction whose mnemonic is known.
#[derive(Clone, Copy)]
pub struct View<'p> {
    /// The program.
    pub program: &'p Program,
    /// Which instruction of the program it is.
    pub index: InstructionIndex,
    /// The instruction.
    pub instruction: &'p Instruction,
    /// Its row of the specification.
    pub row: &'static spec::Instruction,
    /// Its operands, in the order of the text.
    pub operands: &'p [Operand],
    /// Where the text has them, one for each.
    pub operand_spans: &'p [OperandSpans],
    /// The slot of `row` that each of them fills.
    pub slots: &'p [u8],
    /// Its modifiers.
    pub modifiers: &'p [ModifierUse],
    /// Where the text has its parts.
    pub spans: &'p InstructionSpans,
}

impl<'p> View<'p> {
    /// The instruction, unless its mnemonic is unknown.
    #[must_use]
    pub fn new(program: &'p Program, index: InstructionIndex) -> Option<Self> {
        Self::of(program, index, &program.instructions[index])
    }

    /// An instruction as it was read, in the place of the one that the program holds, unless its mnemonic is unknown.
    #[must_use]
    pub fn of(program: &'p Program, index: InstructionIndex, instruction: &'p Instruction) -> Option<Self> {
        let row = program.row(instruction)?;
        let range = instruction.operands();
        Some(Self {
            program,
            index,
            instruction,
            row,
            operands: &program.operands[range.clone()],
            operand_spans: &program.operand_spans[range.clone()],
            slots: &program.operand_slots[range],
            modifiers: program.modifiers_of(instruction),
            spans: &program.instruction_spans[index],
        })
    }

    /// Its execution size as the text has it, in channels.
    #[must_use]
    pub fn exec_size(&self) -> u32 {
        u32::from(self.instruction.exec_size)
    }

    /// The channels that it executes: its execution size, from 1 to 32.
    #[must_use]
    pub fn n_lanes(&self) -> u32 {
        self.exec_size().clamp(1, 32)
    }

    /// Whether the first operand is one of the others, too.
    #[must_use]
    pub fn combines_with_itself(&self) -> bool {
        let mut operands = self.operands.iter();
        operands.next().is_some_and(|to| operands.any(|source| source.is_same_element(to)))
    }

    /// The lane of the thread that its first channel is.
    #[must_use]
    pub fn first_lane(&self) -> u32 {
        u32::from(self.instruction.mask_offset)
    }

    /// The operands with their places in the text and their slots; broken ones are left out.
    pub fn each_operand(
        &self,
    ) -> impl Iterator<Item = (&'p Operand, &'p OperandSpans, &'static OperandSlot)> + Clone + use<'p> {
        let row = self.row;
        self.operands
            .iter()
            .zip(self.operand_spans)
            .zip(self.slots)
            .filter(|((operand, _), _)| !matches!(operand, Operand::Broken))
            .map(move |((operand, spans), slot)| (operand, spans, &row.operands[usize::from(*slot)]))
    }

    /// The operands with their numbers and slots.
    pub fn numbered_operands(&self) -> impl Iterator<Item = (usize, &'p Operand, &'static OperandSlot)> + use<'p> {
        let row = self.row;
        let slots = self.slots;
        self.operands.iter().enumerate().map(move |(i, operand)| (i, operand, &row.operands[usize::from(slots[i])]))
    }

    /// The slot that an operand fills.
    #[must_use]
    pub fn slot_of(&self, place: usize) -> &'static OperandSlot {
        &self.row.operands[usize::from(self.slots[place])]
    }

    /// The number of the operand in that slot.
    #[must_use]
    pub fn operand_in(&self, slot: usize) -> Option<usize> {
        // Operands stand in the places of their slots, unless one before them is absent or repeated.
        let is_there = |place: usize| self.slots.get(place).is_some_and(|s| usize::from(*s) == slot);
        if is_there(slot) { Some(slot) } else { (0..self.slots.len()).find(|place| is_there(*place)) }
    }

    /// The operand in the slot of that name, with its number.
    #[must_use]
    pub fn numbered_operand(&self, name: OperandName) -> Option<(usize, &'p Operand)> {
        let number = self.operand_in(self.row.slot(name)?)?;
        Some((number, &self.operands[number]))
    }

    /// The operand in the slot of that name, with its places in the text; nothing if it is absent or broken.
    #[must_use]
    pub fn operand(&self, name: OperandName) -> Option<(&'p Operand, &'p OperandSpans)> {
        let (number, operand) = self.numbered_operand(name)?;
        (*operand != Operand::Broken).then_some((operand, &self.operand_spans[number]))
    }

    /// The modifier in the slot of that name.
    #[must_use]
    pub fn modifier(&self, name: ModifierName) -> Option<&'p ModifierUse> {
        self.modifier_in(self.row.modifier(name)?)
    }

    fn modifier_in(&self, slot: usize) -> Option<&'p ModifierUse> {
        self.modifiers.iter().find(|m| usize::from(m.slot) == slot)
    }

    /// The word that the modifier in the slot of that name is.
    #[must_use]
    pub fn modifier_word(&self, name: ModifierName) -> Option<&'static str> {
        let slot = self.row.modifier(name)?;
        let used = self.modifier_in(slot)?;
        self.row.modifiers[slot].values.get(usize::from(used.value)).map(|v| v.text)
    }

    /// The bits of its channel mask: R = 1, G = 2, B = 4, A = 8.
    #[must_use]
    pub fn channel_mask(&self) -> Option<u8> {
        let slot = self.row.modifiers.iter().position(|m| m.kind == ModifierKind::ChannelMask)?;
        self.modifier_in(slot).map(|m| m.number as u8)
    }

    /// The number of the modifier in that slot; 0 if it is absent.
    #[must_use]
    pub fn modifier_number(&self, slot: u8) -> i64 {
        self.modifier_in(usize::from(slot)).map_or(0, |m| i64::from(m.number))
    }

    /// The value of a formula that says nothing of lanes, where registers have `grf_bytes` bytes; `type_bytes` is that of
    /// the operand in question. Operands count if they are written as numbers; absent ones are 0.
    #[must_use]
    pub fn evaluate(&self, formula: &Expression, grf_bytes: u32, type_bytes: u32) -> Option<i64> {
        formula.evaluate(&mut Numbers(|variable| match variable {
            Variable::TypeBytes => Some(i64::from(type_bytes)),
            _ => self.number(variable, grf_bytes),
        }))
    }

    /// The number that a variable of a formula is, as far as the text of the instruction says it. Operands count if they are
    /// written as numbers; absent ones are 0.
    #[must_use]
    pub fn number(&self, variable: Variable, grf_bytes: u32) -> Option<i64> {
        Some(match variable {
            Variable::ExecSize => i64::from(self.instruction.exec_size),
            Variable::GrfBytes => i64::from(grf_bytes),
            Variable::NChannels => i64::from(self.channel_mask()?.count_ones()),
            Variable::Modifier(slot) => self.modifier_number(slot),
            Variable::Operand(slot) => match self.operand_in(usize::from(slot)).map(|i| &self.operands[i]) {
                None => 0,
                Some(Operand::Immediate { bits, .. }) => *bits as i64,
                Some(Operand::Number { value }) => *value,
                Some(operand) if operand.is_null() => 0,
                Some(_) => return None,
            },
            Variable::TypeBytes | Variable::Channel | Variable::ChannelPosition | Variable::Lane | Variable::Block => {
                return None;
            }
        })
    }
}
