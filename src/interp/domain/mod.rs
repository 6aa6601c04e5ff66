//! The values of abstract execution.
//!
//! A [`Value`] is a number of 8 to 64 bits that may depend on what is not known: `constant + sum of coefficient * atom`,
//! modulo two to its width. An atom ([`atom`]) is an unknown number with a range, such as the first dword of an input, or
//! the result of an operation that cannot be written as a sum. Atoms, sums ([`sum`]) and conditions ([`condition`]) are
//! stored once each, so that equal ones have equal handles: two lanes whose addresses are the same sum are equal whatever
//! the inputs are, and two lanes whose values differ in the constant alone are that far apart.
//!
//! Most vectors hold, in every lane, the same expression over the lanes of other vectors. So everything is stored in
//! blocks of 32: a handle is a block and a lane in it. A *stepping* handle stands for a whole run of lanes: lane *n* is the
//! handle plus *n*. An operation on stepping operands gives a stepping result and costs as much as one lane.
//!
//! See docs/abstract-execution.md, "What a value stands for".

mod agree;
pub mod atom;
mod boolean;
mod bounds;
pub mod cases;
pub mod causes;
mod choice;
pub mod concrete;
pub mod condition;
mod float;
pub mod fold;
pub mod function;
pub mod lanes;
mod learned;
mod predicate;
mod product;
mod search;
pub mod sum;
pub mod symbolic;

use atom::Atoms;
use condition::Conditions;
use sum::{Sum, Sums};

/// Lanes of a block, and the most that an instruction has.
pub const LANES: u32 = 32;
/// The bits of a handle that are its lane.
pub(crate) const LANE_BITS: u32 = 5;
/// Set in a handle that stands for a run of lanes.
pub(crate) const STEPS: u32 = 1 << 30;
/// Most blocks of all kinds; a kernel that needs more is given up. A handle has room for many more.
pub(crate) const MAX_BLOCKS: usize = 1 << 16;

/// A number of 1, 2, 4 or 8 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Value {
    /// The part that is known, below two to the width.
    pub constant: u64,
    /// What is added to it.
    pub sum: Sum,
    /// Its width.
    pub bytes: u8,
}

/// The bits of a number of that many bytes.
#[must_use]
pub const fn mask(bytes: u8) -> u64 {
    if bytes >= 8 { u64::MAX } else { (1 << (8 * bytes as u32)) - 1 }
}

/// The bits of a number of that many bytes, read as two's complement.
#[must_use]
pub const fn sign_extended(bits: u64, bytes: u8) -> i64 {
    let unused = 64 - 8 * bytes as u32;
    ((bits << unused) as i64) >> unused
}

impl Value {
    /// A known number.
    #[must_use]
    pub const fn known(constant: u64, bytes: u8) -> Self {
        Self { constant: constant & mask(bytes), sum: Sum::ZERO, bytes }
    }

    /// The number, if it is known.
    #[must_use]
    pub const fn as_known(self) -> Option<u64> {
        if self.sum.is_zero() { Some(self.constant) } else { None }
    }

    /// The number read as two's complement, if it is known.
    #[must_use]
    pub const fn as_signed(self) -> Option<i64> {
        if self.sum.is_zero() { Some(sign_extended(self.constant, self.bytes)) } else { None }
    }

    /// Whether it is a known number.
    #[must_use]
    pub const fn is_known(self) -> bool {
        self.sum.is_zero()
    }

    /// Whether it stands for a run of lanes.
    #[must_use]
    pub const fn steps(self) -> bool {
        self.sum.steps()
    }

    /// What it is in one lane of its run.
    #[must_use]
    pub const fn at(self, lane: u32) -> Self {
        Self { sum: self.sum.at(lane), ..self }
    }

    /// The same sum with another constant.
    #[must_use]
    pub const fn with_constant(self, constant: u64) -> Self {
        Self { constant: constant & mask(self.bytes), ..self }
    }

    /// The value plus a number.
    #[must_use]
    pub const fn plus(self, number: u64) -> Self {
        self.with_constant(self.constant.wrapping_add(number))
    }
}

/// All atoms, sums and conditions of one kernel.
#[derive(Debug)]
pub struct Domain {
    /// The atoms.
    pub(crate) atoms: Atoms,
    /// The sums.
    pub(crate) sums: Sums,
    /// The conditions.
    pub(crate) conditions: Conditions,
    /// Numbers of unknowns handed out.
    fresh: u32,
}

impl Default for Domain {
    fn default() -> Self {
        Self::new()
    }
}

impl Domain {
    /// Knows nothing.
    #[must_use]
    pub fn new() -> Self {
        Self { atoms: Atoms::default(), sums: Sums::default(), conditions: Conditions::new(), fresh: 0 }
    }

    /// A number that no unknown has had before.
    pub(crate) fn serial(&mut self) -> u32 {
        self.fresh += 1;
        self.fresh
    }

    /// How many unknowns there are; each has a number of its own, counted from 1.
    #[must_use]
    pub const fn n_unknowns(&self) -> u32 {
        self.fresh
    }

    /// Number of blocks of all kinds: what has been paid for in memory.
    #[must_use]
    pub fn n_blocks(&self) -> usize {
        self.atoms.len() + self.sums.len() + self.conditions.len()
    }
}
