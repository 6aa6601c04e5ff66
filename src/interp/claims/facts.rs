//! What abstract execution found out: facts, which the checks turn into findings.

use crate::interp::claims::bounds::Bounds;
use crate::interp::claims::visits::Parted;
use crate::interp::state::barriers::Barrier;
use crate::interp::transfer::Observed;

pub use crate::interp::transfer::message::Part;
use crate::program::{InstructionIndex, LabelId, VariableId};
use crate::spec::Type;
use crate::spec::instruction::SameAddress;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::mem::{Discriminant, discriminant};
use std::ops::Range;

/// What is known of the data that two lanes write to one byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Values {
    /// Equal for certain.
    Same,
    /// Nothing.
    Unknown,
    /// Different for certain.
    Different,
}

/// A number that an operand may hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Number {
    /// The number, a signed one extended to 64 bits.
    pub bits: u64,
    /// Whether there is a path on which the operand holds it.
    pub is_met: bool,
}

/// How numbers that are known of an operand stand for what it holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Held {
    /// It is one of them.
    OneOf,
    /// It is the first, the last, or anything between.
    Range,
    /// It is the first plus a multiple of the distance of the two.
    Sequence,
}

/// Why two lanes meet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Proof {
    /// These two do.
    Pair,
    /// There are fewer places than lanes.
    Pigeonhole {
        /// Lanes that write.
        n_lanes: u32,
        /// Places that there are.
        n_places: u32,
    },
    /// In each of that many cases two do; the witness is of the first case.
    Cases(u32),
}

/// What tells cases apart, in words; empty where that cannot be said in a few.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Cases {
    /// Conditions that hold or do not.
    pub conditions: Vec<String>,
    /// Numbers of a few bits.
    pub numbers: Vec<String>,
}

/// Two lanes that write one byte.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Overlap {
    /// The two lanes.
    pub lanes: (u32, u32),
    /// What of each.
    pub parts: (Part, Part),
    /// Where each writes, in words.
    pub addresses: (String, String),
    /// What each writes, in words; empty where that does not matter.
    pub data: (String, String),
    /// What is known of the data.
    pub values: Values,
    /// Why they meet.
    pub proof: Proof,
    /// What tells the cases apart in which they meet.
    pub cases: Cases,
    /// What the specification says of it.
    pub same_address: SameAddress,
    /// Whether it is a texel, not a byte.
    pub is_typed: bool,
    /// Whether all lanes that write go to one place: a store of one value.
    pub is_uniform: bool,
    /// Whether it is only assumed that the lanes were dispatched.
    pub assumes_dispatch: bool,
}

/// Why it was not decided whether lanes meet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Doubt {
    /// Which lanes are active.
    Activity,
    /// The addresses.
    Addresses,
    /// What the message does at all.
    Message,
    /// Some cases overlap, others do not.
    Cases,
}

/// Why it does not matter whether two lanes of a message meet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exemption {
    /// It only reads.
    Reads,
    /// It is one access for all lanes.
    OneAccess,
    /// It is atomic.
    Atomic,
    /// The specification says what the result is.
    Specified,
}

/// What is known of the lanes of one message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It does not matter.
    Exempt(Exemption),
    /// No two of them meet.
    Never,
    /// Two meet.
    Must,
    /// Two meet if both are active.
    Conditional,
    /// Nothing.
    Unknown(Doubt),
}

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
    /// It is so on one of the paths that lead here.
    OnOnePath(Box<Self>),
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
    /// A sum of offsets that does not fit into 32 bits.
    WrappingOffset {
        /// The lane.
        lane: u32,
        /// The global offset.
        global: u64,
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
    /// A loop that lanes cannot leave once they have gone round; the instruction is the branch back.
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
    /// A value known to be too great for its place.
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
        /// The mask.
        mask: u64,
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
    Race(Box<crate::interp::claims::races::Race>),
    /// A work-item accesses what lies outside of memory whose size is known.
    Outside(Box<crate::interp::claims::bounds::Outside>),
    /// Denormals are flushed where the result needs them.
    DenormalsOff {
        /// Where they are switched off.
        since: InstructionIndex,
    },
}

/// Most items between the brackets of an LSC address.
pub const MAX_ADDRESS_ITEMS: usize = 6;

/// What registers of an LSC address hold that are read as one element.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct AddressNumbers {
    /// The surface in the parentheses; nothing if it is no register or not known.
    pub surface: Option<u32>,
    /// The items between the brackets, in order; nothing where one is no register or not known.
    pub items: [Option<u32>; MAX_ADDRESS_ITEMS],
    /// Whether a path was found on which they are so, of several that depend on the path.
    pub is_met: bool,
}

impl AddressNumbers {
    /// Whether nothing is known.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.surface.is_none() && self.items.iter().all(Option::is_none)
    }
}

/// What is wrong with a channel mask in a register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChannelMaskFault {
    /// No bit of it counts.
    Zero,
    /// It has bits beyond the outputs.
    BeyondOutputs(u32),
    /// It has bits beyond the eight.
    BeyondByte,
}

/// A fact about an instruction.
#[derive(Clone, PartialEq, Debug)]
pub struct Fact {
    /// The instruction.
    pub instruction: InstructionIndex,
    /// The place of the operand that it is about.
    pub operand: Option<u8>,
    /// What it is.
    pub kind: FactKind,
    /// The instructions that the value came through, nearest first.
    pub trail: Vec<InstructionIndex>,
}

impl Fact {
    fn key(&self) -> Key {
        let observed = match &self.kind {
            FactKind::Observed(observed) => Some(discriminant(observed)),
            _ => None,
        };
        (self.instruction.0, self.operand, discriminant(&self.kind), observed)
    }
}

impl FactKind {
    /// Values in their order.
    fn order(&self) -> Option<i128> {
        match self {
            Self::LeastValue { bits, element_type, .. } | Self::GreatestValue { bits, element_type, .. } => {
                Some(if element_type.is_signed() { i128::from(*bits as i64) } else { i128::from(*bits) })
            }
            _ => None,
        }
    }

    /// Whether it is a lesser least value than another one, or a greater greatest one, or says for certain what the other
    /// one says of certain inputs.
    fn is_beyond(&self, other: &Self) -> bool {
        if let (Self::Divergent { is_possible, .. }, Self::Divergent { is_possible: other, .. }) = (self, other) {
            return !is_possible && *other;
        }
        let (Some(own), Some(other)) = (self.order(), other.order()) else { return false };
        if matches!(self, Self::LeastValue { .. }) { own < other } else { own > other }
    }
}

/// Why a kernel or function was not executed to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GivenUp {
    /// Too much would have had to be remembered.
    TooLarge,
    /// Loops or calls are nested too deep.
    TooDeep,
}

/// The facts of one kernel, each once.
#[derive(Default, Debug)]
pub struct Facts {
    /// In the order of execution.
    pub all: Vec<Fact>,
    /// What was decided about the lanes of each message; the gravest, if it was executed more than once. Messages that no
    /// lane comes to are not there.
    pub verdicts: BTreeMap<u32, Verdict>,
    /// Where each message accesses memory, if that is asked for; the least that is known, if it was executed more than once.
    pub bounds: BTreeMap<u32, Bounds>,
    /// Whether it was not executed to its end ([`Facts::given_up`]).
    pub is_incomplete: bool,
    /// Instructions that were not executed because they are nested too deep.
    pub skipped: Vec<Range<u32>>,
    /// What it has cost: instructions, counted each time that they were executed, and blocks of values that were made.
    pub effort: u64,
    /// Where the last fact of each kind is.
    seen: FxHashMap<Key, usize>,
    /// What comes before is not to be changed: the facts behind it may be taken back.
    pub(in crate::interp) settled: usize,
    /// What is claimed of every execution of an instruction, and has been seen not to be so.
    denied: FxHashSet<Key>,
}

/// What tells facts of one execution apart.
type Key = (u32, Option<u8>, Discriminant<FactKind>, Option<Discriminant<Observed>>);

impl Facts {
    /// Takes a fact, unless one of its kind is known of that operand. Of values the least and the greatest of all times
    /// that the instruction is executed are kept.
    pub fn add(&mut self, fact: Fact) {
        let key = fact.key();
        // What is so on every path says it of each of them.
        if let FactKind::OnOnePath(kind) = &fact.kind
            && self.seen.contains_key(&(key.0, key.1, discriminant(&**kind), None))
        {
            return;
        }
        let Some(at) = self.seen.get(&key).copied() else {
            self.seen.insert(key, self.all.len());
            return self.all.push(fact);
        };
        let Some(known) = self.all.get_mut(at).filter(|known| known.key() == key) else { return };
        if let (FactKind::GreatestValue { lane, bits, element_type }, Some(order)) = (&fact.kind, known.kind.order())
            && fact.kind.order().is_some_and(|new| new < order)
        {
            let kind = FactKind::LeastValue { lane: *lane, bits: *bits, element_type: *element_type };
            return self.add(Fact { kind, ..fact });
        }
        if !fact.kind.is_beyond(&known.kind) {
            return;
        }
        if at >= self.settled {
            *known = fact;
        } else {
            self.seen.insert(key, self.all.len());
            self.all.push(fact);
        }
    }

    /// Takes a fact that counts only if it is so whenever the instruction is executed, or that it is not so this time.
    pub fn add_if_always(&mut self, fact: Fact, is_so: bool) {
        if is_so {
            self.add(fact);
        } else {
            self.denied.insert(fact.key());
        }
    }

    /// Takes back what has not always been so.
    pub fn drop_denied(&mut self) {
        self.all.retain(|f| !self.denied.contains(&f.key()));
    }

    /// Takes what was decided about a message.
    pub fn note_verdict(&mut self, instruction: InstructionIndex, verdict: Verdict) {
        let gravity = |v: &Verdict| match v {
            Verdict::Must => 4,
            Verdict::Conditional => 3,
            Verdict::Unknown(_) => 2,
            Verdict::Never => 1,
            Verdict::Exempt(_) => 0,
        };
        let known = self.verdicts.entry(instruction.0).or_insert(verdict);
        if gravity(&verdict) > gravity(known) {
            *known = verdict;
        }
    }

    /// Takes instructions that are not executed because they are nested too deep.
    pub fn note_skipped(&mut self, instructions: Range<u32>) {
        if !self.skipped.contains(&instructions) {
            self.skipped.push(instructions);
        }
    }

    /// Why it was not executed to its end; nothing if it was.
    #[must_use]
    pub const fn given_up(&self) -> Option<GivenUp> {
        match (self.is_incomplete, self.skipped.is_empty()) {
            (_, false) => Some(GivenUp::TooDeep),
            (true, true) => Some(GivenUp::TooLarge),
            (false, true) => None,
        }
    }

    /// Whether an instruction was not executed because it is nested too deep.
    #[must_use]
    pub fn is_skipped(&self, instruction: InstructionIndex) -> bool {
        self.skipped.iter().any(|range| range.contains(&instruction.0))
    }

    /// Takes what was found out of another thread.
    pub fn unite(&mut self, other: Self) {
        for fact in other.all {
            self.add(fact);
        }
        self.denied.extend(other.denied);
        self.is_incomplete |= other.is_incomplete;
        self.effort += other.effort;
        for instructions in other.skipped {
            self.note_skipped(instructions);
        }
        for (instruction, bounds) in other.bounds {
            let known = self.bounds.entry(instruction).or_insert(bounds);
            *known = bounds.max(*known);
        }
        for (instruction, verdict) in other.verdicts {
            self.note_verdict(InstructionIndex(instruction), verdict);
        }
    }

    /// Takes back what came after the first `n`.
    pub fn truncate(&mut self, n: usize) {
        for fact in self.all.drain(n.min(self.all.len())..) {
            self.seen.remove(&fact.key());
        }
    }
}
