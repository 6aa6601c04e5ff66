//! What computes an unknown number or condition, where only equal operands are known to give equal results.

use crate::spec::operation::Operation;
use crate::spec::{InstructionId, Type};

/// What an operation is, where results are only compared.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Function {
    /// An integer operation at the width of the result.
    Integer(Operation),
    /// The same on signed numbers, where that matters.
    Signed(Operation),
    /// `bfn` with that table.
    Bits(u8),
    /// An instruction with those types of result and first source; the last flag is saturation.
    Instruction(InstructionId, Type, Type, bool),
    /// A number with its sign changed or removed.
    Sign(u8, Type),
}
