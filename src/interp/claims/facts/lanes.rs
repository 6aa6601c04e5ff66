//! Facts about the lanes of one message.

use crate::interp::transfer::message::Part;
use crate::spec::instruction::SameAddress;

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
    /// Whether data of which this is not known may well be the same: they are computed alike, of unknowns.
    pub may_agree: bool,
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
