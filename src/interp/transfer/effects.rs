//! What an instruction does: how the state changes, what it sends, and what it comes across. Whether that is a fault is
//! decided by checks.

use crate::interp::domain::Value;
use crate::interp::domain::condition::Condition;
use crate::interp::domain::lanes::Lanes;
use crate::interp::state::content::{NO_WRITER, later};
use crate::interp::state::{Change, Location, Path, Undefined};
use crate::interp::transfer::message::{Message, Space};
use crate::program::{InstructionIndex, VariableId};

/// What an instruction does. It is said before anything of it happens: the state is still the one that the instruction finds.
pub struct Effects {
    /// How the state changes, in order.
    pub changes: Vec<Change>,
    /// The messages that formulas or LSC operands describe.
    pub messages: Vec<Message>,
    /// The lanes that send messages, or write what no operation gives.
    pub exec_mask: Lanes<Condition>,
    /// What the instruction comes across, with the operand that it belongs to.
    pub observed: Vec<(usize, Observed)>,
    /// A source of which a message left some bytes undefined, while the result, too, has undefined bytes for these.
    pub passed_on: Option<(usize, Undefined)>,
    /// What messages load, if threads are compared.
    pub loaded: Vec<Loaded>,
    /// For each of the first sources, the instruction that wrote it; [`NO_WRITER`] if none has.
    pub writers: [u32; 3],
}

impl Default for Effects {
    fn default() -> Self {
        Self {
            changes: Vec::new(),
            messages: Vec::new(),
            exec_mask: Lanes::run(Condition::FALSE, 0),
            observed: Vec::new(),
            passed_on: None,
            loaded: Vec::new(),
            writers: [NO_WRITER; 3],
        }
    }
}

impl Effects {
    /// Ready for another instruction.
    #[inline]
    pub fn clear(&mut self) {
        self.changes.clear();
        self.messages.clear();
        self.exec_mask = Lanes::run(Condition::FALSE, 0);
        self.observed.clear();
        self.passed_on = None;
        self.loaded.clear();
        self.writers = [NO_WRITER; 3];
    }

    #[inline]
    pub(in crate::interp::transfer) fn write(
        &mut self,
        at: Location,
        values: Lanes<Value>,
        exec_mask: Lanes<Condition>,
    ) {
        self.changes.push(Change::Write { at, values, exec_mask });
    }

    /// Notes what the instruction comes across at one of its operands.
    #[inline]
    pub(in crate::interp::transfer) fn observe(&mut self, operand: usize, what: Observed) {
        if self.observed.last().is_none_or(|(last, other)| (*last, other) != (operand, &what)) {
            self.observed.push((operand, what));
        }
    }

    /// Notes an element of an operand that nothing has written, if there is one.
    #[inline]
    pub(in crate::interp::transfer) fn observe_undefined(&mut self, operand: usize, undefined: Option<Undefined>) {
        if let Some(undefined) = undefined {
            self.observe(operand, Observed::UndefinedVariable(undefined, None));
        }
    }

    /// Notes which instruction wrote a source.
    #[inline]
    pub(in crate::interp::transfer) fn note_writer(&mut self, source: usize, writer: u32) {
        self.writers[source.min(2)] = writer;
    }

    /// Notes the latest writer of an operand that is read element by element.
    #[inline]
    pub(in crate::interp::transfer) fn note_latest_writer(&mut self, place: usize, writer: u32) {
        let latest = &mut self.writers[place.min(2)];
        *latest = later(*latest, writer);
    }
}

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

/// An indirect access to a byte where no element of the variable begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IndirectFault {
    /// The lane.
    pub lane: u32,
    /// The variable.
    pub variable: VariableId,
    /// The byte in it. If it is not known exactly: out of bounds, the one nearest to the variable; misaligned, the remainder
    /// that it leaves.
    pub byte: i64,
    /// What limits it, in bytes: the size of the variable, or that of an element.
    pub limit: i64,
    /// Whether the byte is known exactly.
    pub is_exact: bool,
    /// On which path, if not whenever the instruction is executed.
    pub path: Option<Path>,
}

/// What an instruction comes across that a person may have got wrong.
#[derive(Clone, PartialEq, Debug)]
pub enum Observed {
    /// A source that nothing has written, or that a message left undefined.
    UndefinedVariable(
        /// Which part.
        Undefined,
        /// The first byte of the variable at the end of the alias chain, where the instruction reads all of its bytes at
        /// once, and not lane by lane.
        Option<u32>,
    ),
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
    IndirectOutOfBounds(IndirectFault),
    /// An indirect access to a byte that is no multiple of the element size.
    MisalignedIndirect(IndirectFault),
    /// An indirect operand of which the place of every lane is known.
    KnownPlaces,
    /// An indirect destination in a variable that must not be written.
    ForeignDestination {
        /// The variable.
        variable: VariableId,
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

impl Observed {
    /// The fault of an indirect access.
    #[must_use]
    pub const fn as_indirect(&self) -> Option<&IndirectFault> {
        match self {
            Self::IndirectOutOfBounds(fault) | Self::MisalignedIndirect(fault) => Some(fault),
            _ => None,
        }
    }

    pub(in crate::interp::transfer) const fn as_indirect_mut(&mut self) -> Option<&mut IndirectFault> {
        match self {
            Self::IndirectOutOfBounds(fault) | Self::MisalignedIndirect(fault) => Some(fault),
            _ => None,
        }
    }
}

/// An unknown number that a message loads for a run of lanes.
#[derive(Debug)]
pub struct Loaded {
    /// Which part of what each lane loads.
    pub piece: usize,
    /// Bytes from the address of a lane to that part.
    pub offset: u64,
    /// The addresses of the lanes.
    pub addresses: Lanes<Value>,
    /// What they get.
    pub unknown: Value,
    /// The memory.
    pub space: Space,
}
