//! Facts about the threads of a group, and about where they access memory.

use crate::program::InstructionIndex;
use crate::spec::instruction::AccessKind;

/// Two threads that meet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Race {
    /// The other instruction; it may be the same one.
    pub other: InstructionIndex,
    /// This access, and the other one.
    pub sides: (Side, Side),
    /// The address in words.
    pub address: String,
    /// What is written in words, if both write.
    pub data: Option<(String, String)>,
    /// Why nothing orders them.
    pub why: Unordered,
    /// Of which launches it holds, in words; nothing if of all.
    pub condition: Option<String>,
    /// Whether one of the accesses happens in other launches, too, or goes elsewhere in them.
    pub is_by_arguments: bool,
    /// The groups of the two, if they are not of one group.
    pub groups: Option<[[u32; 3]; 2]>,
    /// The barrier that both have passed last; nothing if they have passed none.
    pub since: Option<InstructionIndex>,
    /// For each of the two, what instructions have computed from which its address comes, in the order of the text.
    pub steps: (Vec<Computed>, Vec<Computed>),
}

/// Why nothing orders two accesses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unordered {
    /// No barrier stands between them.
    NoBarrier,
    /// They are two lanes of one message.
    OneMessage,
    /// They belong to two groups.
    TwoGroups,
    /// The barrier between them does not order them.
    Weak(Weak),
}

/// One of the accesses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Side {
    /// What it does.
    pub kind: AccessKind,
    /// The thread of the group, counted from 0.
    pub thread: u32,
    /// The lane.
    pub lane: u32,
    /// The local id of its work-item; nothing if the lane is not dispatched.
    pub item: Option<[u32; 3]>,
}

/// Why a barrier leaves an access of before it without an order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Weak {
    /// No fence stands between the store and the barrier.
    Unfenced(InstructionIndex),
    /// The access stands between the halves of the barrier.
    BetweenHalves(InstructionIndex),
}

/// What an instruction has computed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Computed {
    /// The instruction.
    pub instruction: InstructionIndex,
    /// The result in the lane, in words.
    pub value: String,
}

/// Two threads of a group that come to barriers a different number of times.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parted {
    /// For each of the two the local id of its first work-item, and how often it comes to the barrier.
    pub threads: [(Option<[u32; 3]>, u32); 2],
}

/// What is known of where a message accesses memory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Bounds {
    /// Every lane accesses bytes that the memory has, whatever the arguments are.
    Inside,
    /// The size of the memory is known, but not the addresses.
    Open,
    /// The size of the memory is not known.
    NoSize,
}

/// An access of a work-item outside of its memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outside {
    /// The access.
    pub side: Side,
    /// The first byte, counted from the beginning of the memory.
    pub byte: i64,
    /// How many bytes it has.
    pub n_bytes: u32,
    /// Bytes of the memory.
    pub size: u64,
    /// The name of the buffer; nothing for shared local memory.
    pub buffer: Option<String>,
}
