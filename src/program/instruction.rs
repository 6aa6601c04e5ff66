//! Instructions.

use super::variable::VariableId;
use crate::base::span::Span;
use crate::spec::InstructionId;

crate::define_id! {
    /// An instruction of a [`super::Program`]; they count through the whole file.
    InstructionIndex
}

/// How predicate bits are combined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PredicateControl {
    /// Each lane has its own.
    PerLane,
    /// `.any`
    Any,
    /// `.all`
    All,
}

/// The predicate before an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Predicate {
    /// The predicate variable.
    pub variable: VariableId,
    /// `!`
    pub is_inverted: bool,
    /// `.any`, `.all`
    pub control: PredicateControl,
}

/// An instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Instruction {
    /// Its row of the specification; nothing if the mnemonic is unknown or the line could not be read.
    pub spec: Option<InstructionId>,
    /// The predicate; nothing if there is none or it could not be read.
    pub predicate: Option<Predicate>,
    /// Lanes; the number of blocks for instructions that count blocks; 1 where none is written.
    pub exec_size: u8,
    /// The first lane: 0, 4, ... 28.
    pub mask_offset: u8,
    /// `_NM`
    pub no_mask: bool,
    /// Whether mask and size are written and legal.
    pub has_exec: bool,
    /// `.sat`
    pub saturate: bool,
    /// Whether some part of it was reported and could not be understood.
    pub is_broken: bool,
    n_operands: u16,
    n_modifiers: u16,
    first_operand: u32,
    first_modifier: u32,
}

impl Instruction {
    /// An instruction that could not be read.
    #[must_use]
    pub const fn broken(first_operand: u32, first_modifier: u32) -> Self {
        Self {
            spec: None,
            predicate: None,
            exec_size: 1,
            mask_offset: 0,
            no_mask: false,
            has_exec: false,
            saturate: false,
            is_broken: true,
            n_operands: 0,
            n_modifiers: 0,
            first_operand,
            first_modifier,
        }
    }

    pub(crate) fn set_ends(&mut self, operands_end: usize, modifiers_end: usize) {
        self.n_operands = (operands_end - self.first_operand as usize).min(usize::from(u16::MAX)) as u16;
        self.n_modifiers = (modifiers_end - self.first_modifier as usize).min(usize::from(u16::MAX)) as u16;
    }

    /// Where its operands and modifiers begin from now on.
    pub(crate) fn move_to(&mut self, first_operand: usize, first_modifier: usize) {
        self.first_operand = first_operand as u32;
        self.first_modifier = first_modifier as u32;
    }

    /// The places of its operands in [`super::Program::operands`].
    #[must_use]
    pub const fn operands(&self) -> std::ops::Range<usize> {
        self.first_operand as usize..self.first_operand as usize + self.n_operands as usize
    }

    /// The places of its modifiers in [`super::Program::modifiers`].
    #[must_use]
    pub const fn modifiers(&self) -> std::ops::Range<usize> {
        self.first_modifier as usize..self.first_modifier as usize + self.n_modifiers as usize
    }
}

const _: () = assert!(size_of::<Instruction>() <= 36);

/// The places of the parts of an instruction; empty where a part is absent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct InstructionSpans {
    /// From the predicate or mnemonic to the last token.
    pub statement: Span,
    /// The mnemonic without modifiers.
    pub mnemonic: Span,
    /// `(!P1.any)`
    pub predicate: Span,
    /// `(M1, 16)`
    pub exec: Span,
    /// `M1`
    pub mask: Span,
    /// `16`
    pub size: Span,
}

impl InstructionSpans {
    /// The mask, or where none is written all of the parentheses.
    #[must_use]
    pub const fn mask_or_exec(&self) -> Span {
        if self.mask.is_empty() { self.exec } else { self.mask }
    }
}

/// A modifier as it was used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ModifierUse {
    /// Its slot in the instruction's row.
    pub slot: u8,
    /// The place of its value in the slot's list; 255 where the slot has none.
    pub value: u8,
    /// Its number: the value's, the decimal itself, or the bits of a channel mask (R = 1, G = 2, B = 4, A = 8).
    pub number: i32,
    /// Its place, with the dot.
    pub span: Span,
}
