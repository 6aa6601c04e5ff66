//! What instructions come across while they are executed. Whether it is a fault is decided by checks.

use crate::interp::domain::Value;
use crate::interp::domain::lanes::Lanes;
use crate::interp::state::Undefined;
use crate::program::{InstructionIndex, VariableId};

/// A bit of a predicate that is read where it is not set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnsetPredicate {
    /// The variable.
    pub variable: VariableId,
    /// The first lane whose bit nothing has set.
    pub lane: u32,
    /// Whether other bits have been set.
    pub is_partial: bool,
    /// Whether it is set on another path.
    pub is_possible: bool,
}

/// What an instruction comes across that a person may have got wrong.
#[derive(Clone, PartialEq, Debug)]
pub enum Observed {
    /// A source that nothing has written, or that a message left undefined.
    UndefinedVariable(Undefined),
    /// An element of an address variable that nothing has set.
    UndefinedAddress {
        /// The element.
        element: i32,
        /// Whether it is set on another path.
        is_possible: bool,
    },
    /// Bits of a predicate that nothing has set.
    UndefinedPredicate(UnsetPredicate),
    /// Lanes that are off but whose address is not set.
    UnsetInactiveAddress {
        /// The branch.
        since: InstructionIndex,
    },
    /// An indirect access outside of the variable whose address it uses.
    IndirectOutOfBounds {
        /// The lane.
        lane: u32,
        /// The variable.
        variable: VariableId,
        /// The byte in it.
        byte: i64,
        /// Its size.
        size: i64,
    },
    /// An indirect access to a byte that is no multiple of the element size.
    MisalignedIndirect {
        /// The lane.
        lane: u32,
        /// The variable.
        variable: VariableId,
        /// The byte in it.
        byte: i64,
        /// The element size.
        bytes: i64,
    },
    /// An indirect destination that changes what the instruction reads in another lane.
    OverwritesSource {
        /// The source's number.
        source: u8,
        /// The variable.
        variable: VariableId,
    },
    /// A shift whose result has more bits than saturation looks at.
    WideSaturation {
        /// The lane.
        lane: u32,
    },
}

/// An unknown number that a message loads for a run of lanes.
#[derive(Debug)]
pub struct Loaded {
    /// Which part of what each lane loads.
    pub piece: usize,
    /// Where the lanes load it from.
    pub addresses: Lanes<Value>,
    /// What they get.
    pub unknown: Value,
}
