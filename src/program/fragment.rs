//! What is known of a fragment beyond its text: the operands that the host hands over, and the sub-group.

use super::operand::Operand;
use super::variable::VariableId;
use super::{Instruction, InstructionIndex};
use crate::base::span::Span;
use crate::spec::Type;

/// How an operand comes into a fragment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OperandClass {
    /// One element for each lane, and each component of a vector.
    PerLane,
    /// One element, and each component of a vector.
    Uniform,
    /// A number.
    Immediate,
}

/// An operand that the host hands over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FragmentOperand {
    /// The variable that stands for it.
    pub variable: VariableId,
    /// How it comes in.
    pub class: OperandClass,
    /// Whether it has a value when the fragment begins.
    pub is_input: bool,
    /// Whether its value is taken when the fragment ends.
    pub is_output: bool,
    /// Its element type, and the components of a vector; nothing if they are not known.
    pub element: Option<(Type, u32)>,
    /// Whether the host's type has no sign, which the element type does not show.
    pub is_unsigned: bool,
    /// Whether it is a pointer of 64 bits.
    pub is_wide_pointer: bool,
    /// The constraint: a place of the host, see [`Fragment`].
    pub constraint: Span,
}

/// A place where a fragment names a variable that is an operand, or an alias of one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Touch {
    /// The instruction.
    pub instruction: InstructionIndex,
    /// Which operand of the host it is: a place in [`Fragment::operands`].
    pub operand: u32,
    /// The variable that is named.
    pub variable: VariableId,
    /// Whether the instruction writes it; nothing if that cannot be told.
    pub writes: Option<bool>,
    /// The operand of the instruction as it is written, also if its type or size is not known; broken if it is less than an
    /// operand.
    pub form: Operand,
    /// The place of the operand of the instruction.
    pub whole: Span,
    /// The name in it.
    pub name: Span,
    /// The place of the region.
    pub region_span: Span,
}

/// An operand of an instruction whose name, type or size is not known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Form {
    /// The instruction.
    pub instruction: InstructionIndex,
    /// The operand as it is written.
    pub operand: Operand,
    /// Its place.
    pub whole: Span,
}

/// Something that stands in the place of text that only the host's compiler knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Guess {
    /// Its place.
    pub span: Span,
    /// Whether what is not known is certainly one word or number, or a part of one: what stands behind it is what it seems.
    pub is_word: bool,
    /// Whether it is certainly a number, or a part of one.
    pub is_number: bool,
}

/// A fragment of vISA in a host source. Its places of the host are spans that lie beyond its text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Fragment {
    /// Lanes of a sub-group, if they are known.
    pub sub_group: Option<u32>,
    /// Whether it stands in a branch of the host.
    pub is_conditional: bool,
    /// Whether the vector backend reads it: operands then are whole vectors, and may carry their region with them.
    pub is_vector: bool,
    /// Whether it is the text of an asm statement, and no whole kernel of which parts are not known.
    pub is_statement: bool,
    /// Whether parts of the text are not known that may declare names and open scopes.
    pub hides_names: bool,
    /// Whether parts of the text are not known, or how often: what it does one line after the other is not known either.
    pub is_open: bool,
    /// Where an execution size is not known, and another stands in its place.
    pub guessed_sizes: Vec<Span>,
    /// Where an operand or a part of one is not known, and something else stands in its place.
    pub guessed_operands: Vec<Guess>,
    /// Where modifiers behind a mnemonic are not known, and blanks stand in their place.
    pub guessed_modifiers: Vec<Span>,
    /// The operands.
    pub operands: Vec<FragmentOperand>,
    /// Where they are named, in the order of the text.
    pub touches: Vec<Touch>,
    /// Operands of instructions whose type or size is not known, of which later checks see the form alone.
    pub forms: Vec<Form>,
    /// Instructions as they are read where parts of them are not known, in the order of the text. The program holds them as
    /// ones that could not be read.
    pub unread: Vec<(InstructionIndex, Instruction)>,
}

impl Fragment {
    /// Whether something at a place, or right beside it, stands for an operand that is not known.
    #[must_use]
    pub fn is_guessed(&self, place: Span) -> bool {
        let guesses = &self.guessed_operands;
        let next = guesses.get(guesses.partition_point(|guess| guess.span.end < place.start));
        next.is_some_and(|guess| guess.span.start <= place.end)
    }
}
