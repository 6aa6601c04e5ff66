//! One instruction with everything that belongs to it.

use crate::program::{Instruction, InstructionIndex, ModifierUse, Operand, Program};
use crate::spec;
use crate::spec::expression::{Expression, Numbers, Variable};
use crate::spec::instruction::{ModifierKind, OperandSlot};

/// An instruction whose mnemonic is known.
#[derive(Clone, Copy)]
pub struct Line<'p> {
    /// The program.
    pub program: &'p Program,
    /// Which one.
    pub index: InstructionIndex,
    /// The instruction.
    pub instruction: &'p Instruction,
    /// Its row of the specification.
    pub row: &'static spec::Instruction,
    /// Its operands.
    pub operands: &'p [Operand],
    /// Their slots.
    pub slots: &'p [u8],
    /// Its modifiers.
    pub modifiers: &'p [ModifierUse],
}

impl<'p> Line<'p> {
    /// The instruction, unless its mnemonic is unknown.
    #[must_use]
    pub fn new(program: &'p Program, index: InstructionIndex) -> Option<Self> {
        let instruction = &program.instructions[index];
        let row = program.row(instruction)?;
        let range = instruction.operands();
        Some(Self {
            program,
            index,
            instruction,
            row,
            operands: &program.operands[range.clone()],
            slots: &program.operand_slots[range],
            modifiers: program.modifiers_of(instruction),
        })
    }

    /// Lanes.
    #[must_use]
    pub fn n_lanes(&self) -> u32 {
        u32::from(self.instruction.exec_size).clamp(1, 32)
    }

    /// The first lane.
    #[must_use]
    pub fn first_lane(&self) -> u32 {
        u32::from(self.instruction.mask_offset)
    }

    /// The operands with their places in the instruction and their slots.
    pub fn each_operand(&self) -> impl Iterator<Item = (usize, &'p Operand, &'static OperandSlot)> + use<'p> {
        let row = self.row;
        let slots = self.slots;
        self.operands.iter().enumerate().map(move |(i, operand)| (i, operand, &row.operands[usize::from(slots[i])]))
    }

    /// The place of the operand in that slot.
    #[must_use]
    pub fn place_of(&self, slot: usize) -> Option<usize> {
        self.slots.iter().position(|s| usize::from(*s) == slot)
    }

    /// The operand in the slot of that name, with its place.
    #[must_use]
    pub fn operand(&self, name: &str) -> Option<(usize, &'p Operand)> {
        let place = self.place_of(self.row.slot(name)?)?;
        Some((place, &self.operands[place]))
    }

    /// The modifier in the slot of that name.
    #[must_use]
    pub fn modifier(&self, name: &str) -> Option<&'p ModifierUse> {
        let slot = self.row.modifier(name)?;
        self.modifiers.iter().find(|m| usize::from(m.slot) == slot)
    }

    /// The word that the modifier in the slot of that name is.
    #[must_use]
    pub fn modifier_word(&self, name: &str) -> Option<&'static str> {
        let slot = self.row.modifier(name)?;
        let used = self.modifiers.iter().find(|m| usize::from(m.slot) == slot)?;
        self.row.modifiers[slot].values.get(usize::from(used.value)).map(|v| v.text)
    }

    /// The bits of its channel mask: R = 1, G = 2, B = 4, A = 8.
    #[must_use]
    pub fn channel_mask(&self) -> Option<u8> {
        let slot = self.row.modifiers.iter().position(|m| m.kind == ModifierKind::ChannelMask)?;
        self.modifiers.iter().find(|m| usize::from(m.slot) == slot).map(|m| m.number as u8)
    }

    /// The number of the modifier in that slot; 0 if it is absent.
    #[must_use]
    pub fn modifier_number(&self, slot: u8) -> i64 {
        self.modifiers.iter().find(|m| m.slot == slot).map_or(0, |m| i64::from(m.number))
    }

    /// The value of a formula that says nothing of lanes; operands count if they are written as numbers.
    #[must_use]
    pub fn evaluate(&self, formula: &Expression, grf_bytes: u32, type_bytes: u32) -> Option<i64> {
        formula.evaluate(&mut Numbers(|variable| {
            Some(match variable {
                Variable::ExecSize => i64::from(self.instruction.exec_size),
                Variable::GrfBytes => i64::from(grf_bytes),
                Variable::NChannels => i64::from(self.channel_mask()?.count_ones()),
                Variable::TypeBytes => i64::from(type_bytes),
                Variable::Modifier(slot) => self.modifier_number(slot),
                Variable::Operand(slot) => match self.place_of(usize::from(slot)).map(|p| &self.operands[p]) {
                    None => 0,
                    Some(Operand::Immediate { bits, .. }) => *bits as i64,
                    Some(Operand::Number { value }) => *value,
                    Some(operand) if operand.is_null() => 0,
                    Some(_) => return None,
                },
                Variable::Channel | Variable::ChannelPosition | Variable::Lane | Variable::Block => return None,
            })
        }))
    }
}
