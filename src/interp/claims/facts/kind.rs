//! What a fact says.

use super::lanes::{Doubt, Overlap};
use super::numbers::{AddressNumbers, ChannelMaskFault, Held, Number};
use super::threads::{Outside, Parted, Race};
use crate::interp::state::Path;
use crate::interp::state::barriers::Barrier;
use crate::interp::transfer::Observed;
use crate::program::{InstructionIndex, LabelId, VariableId};
use crate::spec::Type;

/// Why lanes cannot leave a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Endless {
    /// The condition of the branch back always holds.
    Known,
    /// No pass changes the conditions under which they would leave.
    Unchanging,
    /// A counter passes its bound.
    Passes {
        /// What is added in each pass.
        step: u64,
        /// Bytes of the counter.
        bytes: u8,
        /// Whether it may meet the bound once it has wrapped around.
        wraps: bool,
    },
    /// A counter, a float, goes past the number at which lanes would leave.
    Misses {
        /// What is added in each pass: its bits.
        step: u64,
        /// The type.
        kind: Type,
    },
    /// What decides is the same again after some passes.
    Repeats {
        /// So many.
        period: u32,
    },
}

/// A fact.
#[derive(Clone, PartialEq, Debug)]
pub enum FactKind {
    /// An instruction comes across something.
    Observed(Observed),
    /// Two lanes write one byte.
    Overlap(Box<Overlap>),
    /// Two lanes may write one byte.
    PossibleOverlap {
        /// Why that is not decided.
        doubt: Doubt,
        /// Two lanes that would meet, if that is known.
        lanes: Option<(u32, u32)>,
    },
    /// An address that is no multiple of what it has to be.
    MisalignedAddress {
        /// The lane; nothing if the message has one address.
        lane: Option<u32>,
        /// The address in words.
        address: String,
        /// What it has to be a multiple of.
        alignment: u32,
        /// The bits of the remainder that are set for certain.
        remainder: u32,
        /// Whether the others are known not to be.
        is_exact: bool,
        /// Whether that is very likely a mistake, but not more.
        is_tolerated: bool,
    },
    /// An access to shared local memory beyond its end.
    SlmOutOfBounds {
        /// The lane; nothing if the message has one address.
        lane: Option<u32>,
        /// The first byte.
        byte: u64,
        /// The size of shared local memory, and whether the program says so.
        size: u64,
        /// Whether the program or the user says that size; else it is the most that there is.
        is_declared: bool,
    },
    /// A sum of offsets that does not fit into 32 bits, or is less than zero.
    WrappingOffset {
        /// The lane.
        lane: u32,
        /// The global offset, or the displacement in the brackets of an LSC address.
        global: i64,
        /// The offset of the lane.
        element: u64,
    },
    /// A barrier, or what else must not be diverged, where one lane is there and another one is not.
    Divergent {
        /// A lane that is there.
        here: u32,
        /// A lane that is not.
        away: u32,
        /// Where that was decided.
        since: Option<InstructionIndex>,
        /// Whether lanes part only for certain inputs.
        is_possible: bool,
    },
    /// A barrier that only some threads of a group reach.
    PartOfGroup {
        /// The branch.
        since: InstructionIndex,
    },
    /// A barrier that two threads of a group come to a different number of times.
    Parted(Box<Parted>),
    /// The second half of a split barrier without the first one.
    WaitWithoutSignal {
        /// The barrier.
        barrier: Barrier,
        /// Whether there is one on another path.
        is_possible: bool,
    },
    /// The first half of a split barrier without the second one.
    SignalWithoutWait {
        /// The barrier.
        barrier: Barrier,
        /// Whether there is one on another path.
        is_possible: bool,
    },
    /// The first half of a split barrier twice before the second one.
    SignalAgain {
        /// The barrier.
        barrier: Barrier,
        /// The earlier one.
        since: InstructionIndex,
    },
    /// A loop that lanes cannot leave after its first pass; the instruction is the branch back.
    EndlessLoop {
        /// Its first instruction.
        head: InstructionIndex,
        /// Why.
        why: Endless,
    },
    /// A jump over a label where lanes wait.
    JumpOverWaiting {
        /// The label.
        label: LabelId,
        /// Where the lanes were sent there.
        since: InstructionIndex,
        /// A lane that waits for certain.
        lane: Option<u32>,
    },
    /// A value that is greater than its operand may be.
    OutOfRange {
        /// The value.
        value: u64,
        /// The greatest legal one.
        maximum: u64,
    },
    /// The least value of an operand that has limits.
    LeastValue {
        /// The lane that has it.
        lane: u32,
        /// The value, signed ones extended to 64 bits.
        bits: u64,
        /// Its type.
        element_type: Type,
    },
    /// The greatest value of an operand that has limits.
    GreatestValue {
        /// The lane that has it.
        lane: u32,
        /// The value, signed ones extended to 64 bits.
        bits: u64,
        /// Its type.
        element_type: Type,
    },
    /// What an operand that has limits may hold, where that is not one number.
    Numbers {
        /// The lane.
        lane: u32,
        /// All of them, the ends of a range that holds nothing legal, or the first two of a sequence.
        numbers: Box<[Number]>,
        /// Which of these.
        held: Held,
        /// Its type.
        element_type: Type,
    },
    /// A call to an address that lies beside that of a function.
    BesideFunction {
        /// How far behind it.
        by: u64,
    },
    /// Numbers that the registers of an LSC address hold where it takes one element: its surface, a pitch, the parameters
    /// of a block.
    AddressNumbers {
        /// Of several one is so, which depends on the path; or they are the ends of a range.
        all: Box<[AddressNumbers]>,
        /// Which of these.
        held: Held,
    },
    /// A call whose arguments are not all set.
    MissingArgument {
        /// The first byte of `%arg` that is not.
        byte: u32,
        /// Whether it is on another path.
        is_possible: bool,
    },
    /// A function that ends without having set its result.
    MissingResult {
        /// The first byte of `%retval` that is not set.
        byte: u32,
        /// Whether it is on another path.
        is_possible: bool,
    },
    /// An access to `%arg` or `%retval` beyond what the function declares.
    BeyondInterface {
        /// The variable.
        variable: VariableId,
        /// The first byte beyond.
        byte: u32,
        /// What is declared.
        size: u32,
    },
    /// A scalar instruction under a mask, of which lane 0 may be off.
    MaskedScalar {
        /// The branch.
        since: InstructionIndex,
    },
    /// A message that writes nothing, or not what it seems to.
    ChannelMask {
        /// The lane.
        lane: u32,
        /// The mask; nothing if only those bits are known that are wrong.
        mask: Option<u64>,
        /// What is wrong with it.
        fault: ChannelMaskFault,
    },
    /// An operand whose elements are all zero.
    AllZero,
    /// A channel mask with all outputs in all lanes.
    AllOn,
    /// An atomic operation whose outcome depends on the order of lanes.
    OrderDependent {
        /// Two lanes.
        lanes: (u32, u32),
        /// The address in words.
        address: String,
    },
    /// Another thread of the group accesses the same byte, with no barrier in between.
    Race(Box<Race>),
    /// A work-item accesses what lies outside of memory whose size is known.
    Outside(Box<Outside>),
    /// It is not certain that a variable is within its life.
    OutsideLife {
        /// The variable.
        variable: VariableId,
    },
    /// Denormals are flushed where the result needs them.
    DenormalsOff {
        /// Where they are switched off.
        since: InstructionIndex,
    },
}

impl FactKind {
    /// How the operand holds the numbers, if that is not whenever the instruction is executed.
    pub(super) const fn held_at_times(&self) -> Option<Held> {
        match self {
            Self::Numbers { held, .. } | Self::AddressNumbers { held, .. }
                if held.is_on_some_paths() || matches!(held, Held::InPasses) =>
            {
                Some(*held)
            }
            _ => None,
        }
    }

    /// What it says together with the numbers of further passes of a loop, or calls; nothing if they are not new.
    pub(super) fn with_passes(&self, other: &Self) -> Option<Self> {
        match (self, other) {
            (
                Self::Numbers { lane, numbers, held: Held::InPasses, element_type },
                Self::Numbers { numbers: further, .. },
            ) => Some(Self::Numbers {
                lane: *lane,
                numbers: together(numbers, further)?,
                held: Held::InPasses,
                element_type: *element_type,
            }),
            (Self::AddressNumbers { all, held: Held::InPasses }, Self::AddressNumbers { all: further, .. }) => {
                Some(Self::AddressNumbers { all: together(all, further)?, held: Held::InPasses })
            }
            _ => None,
        }
    }

    /// Where it is so, if that is not whenever the instruction is executed.
    #[must_use]
    pub const fn path(&self) -> Option<Path> {
        match self {
            Self::Observed(observed) => match observed.as_indirect() {
                Some(fault) => fault.path,
                None => None,
            },
            Self::Numbers { held, .. } | Self::AddressNumbers { held, .. } => held.path(),
            _ => None,
        }
    }

    /// Whether it is about the number that an operand or an address is.
    #[must_use]
    pub const fn is_of_numbers(&self) -> bool {
        match self {
            Self::Observed(observed) => observed.as_indirect().is_some(),
            Self::MisalignedAddress { .. }
            | Self::SlmOutOfBounds { .. }
            | Self::WrappingOffset { .. }
            | Self::OutOfRange { .. }
            | Self::LeastValue { .. }
            | Self::GreatestValue { .. }
            | Self::Numbers { .. }
            | Self::AddressNumbers { .. } => true,
            _ => false,
        }
    }

    /// Whether it is about one half of a split barrier without the other one before it.
    #[must_use]
    pub const fn is_of_halves(&self) -> bool {
        matches!(self, Self::WaitWithoutSignal { .. } | Self::SignalAgain { .. })
    }

    /// The number of a least or greatest value, to compare it with others.
    pub(super) fn order(&self) -> Option<i128> {
        match self {
            Self::LeastValue { bits, element_type, .. } | Self::GreatestValue { bits, element_type, .. } => {
                Some(if element_type.is_signed() { i128::from(*bits as i64) } else { i128::from(*bits) })
            }
            _ => None,
        }
    }

    /// Whether it is a lesser least value than another one, or a greater greatest one, or says for certain what the other
    /// one says of certain inputs.
    pub(super) fn is_beyond(&self, other: &Self) -> bool {
        if let (Self::Divergent { is_possible, .. }, Self::Divergent { is_possible: other, .. }) = (self, other) {
            return !is_possible && *other;
        }
        let (Some(own), Some(other)) = (self.order(), other.order()) else { return false };
        if matches!(self, Self::LeastValue { .. }) { own < other } else { own > other }
    }
}

/// Most numbers of the passes of a loop that are kept.
const MAX_PASSES: usize = 16;

/// All of them, each once; nothing if no further one is new.
fn together<T: Copy + PartialEq>(known: &[T], further: &[T]) -> Option<Box<[T]>> {
    let room = MAX_PASSES.saturating_sub(known.len());
    let new: Vec<T> = further.iter().copied().filter(|one| !known.contains(one)).take(room).collect();
    (!new.is_empty()).then(|| known.iter().copied().chain(new).collect())
}
