//! A message: what one instruction does to memory.

use crate::interp::domain::Value;
use crate::interp::domain::condition::Condition;
use crate::interp::domain::lanes::Lanes;
use crate::interp::state::Location;
use crate::spec::instruction::{Access, AccessKind, SameAddress};

/// Where a message goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Space {
    /// A surface.
    Surface,
    /// Shared local memory.
    Slm,
    /// Virtual addresses.
    Flat,
    /// Texels.
    Typed,
    /// The URB.
    Urb,
}

/// The part of an access of one lane.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// There is only one.
    Whole,
    /// Channel R, G, B or A (0 to 3).
    Channel(u32),
    /// A block, or an element of a vector.
    Block(u32),
}

/// A part of what each lane accesses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece {
    /// Which one.
    pub part: Part,
    /// Bytes from the lane's address to it.
    pub offset: u64,
    /// Its bytes.
    pub bytes: u32,
    /// Lanes for which it is known to happen.
    pub certain: u32,
    /// Lanes for which it may happen.
    pub possible: u32,
}

/// What an address has to be a multiple of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Alignment {
    /// As the manual has it.
    pub bytes: u32,
    /// Less is an error; between the two it is very likely a mistake.
    pub tolerated: u32,
}

/// Where the data of a lane stand.
#[derive(Clone, Copy, Debug)]
pub enum Data {
    /// Nowhere.
    None,
    /// As the formula of an access says.
    Table(&'static Access),
    /// Elements of a lane in groups of registers.
    Grouped {
        /// The place of the first one.
        start: Location,
        /// Bytes from one group to the next.
        group: u32,
        /// Bytes of an element in the register.
        stride: u32,
        /// The first byte that counts.
        skipped: u32,
    },
}

/// What one message does to memory.
#[derive(Clone)]
pub struct Message {
    /// What it does.
    pub kind: AccessKind,
    /// Where.
    pub space: Space,
    /// The lanes that do it.
    pub exec_mask: Lanes<Condition>,
    /// Whether each lane has its own address.
    pub is_per_lane: bool,
    /// The first byte of each lane; for texels their coordinates.
    pub coordinates: Vec<Lanes<Value>>,
    /// What each lane accesses from there on.
    pub pieces: Vec<Piece>,
    /// What two lanes on one byte mean.
    pub same_address: SameAddress,
    /// What an address has to be a multiple of.
    pub alignment: Option<Alignment>,
    /// Where the data stand.
    pub data: Data,
    /// The place of the operand that gives the addresses.
    pub address_place: usize,
}

impl Message {
    /// Bytes from a lane's address to the end of what it accesses.
    #[must_use]
    pub fn span(&self) -> u64 {
        self.pieces.iter().map(|p| p.offset + u64::from(p.bytes)).max().unwrap_or(0)
    }
}
