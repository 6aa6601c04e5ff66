//! Predefined variables.

use super::tables::PREDEFINED;
use super::types::Type;

/// The five kinds of variables (`v_type`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum VariableKind {
    /// `v_type=G`
    General,
    /// `v_type=A`
    Address,
    /// `v_type=P`
    Predicate,
    /// `v_type=S`
    Sampler,
    /// `v_type=T`
    Surface,
}

impl VariableKind {
    /// The word for it in messages.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::General => "general",
            Self::Address => "address",
            Self::Predicate => "predicate",
            Self::Sampler => "sampler",
            Self::Surface => "surface",
        }
    }

    /// A variable of it in messages.
    #[must_use]
    pub const fn variable(self) -> &'static str {
        match self {
            Self::General => "a general variable",
            Self::Address => "an address variable",
            Self::Predicate => "a predicate variable",
            Self::Sampler => "a sampler variable",
            Self::Surface => "a surface variable",
        }
    }

    /// The letter after `v_type=`.
    #[must_use]
    pub const fn letter(self) -> &'static str {
        match self {
            Self::General => "G",
            Self::Address => "A",
            Self::Predicate => "P",
            Self::Sampler => "S",
            Self::Surface => "T",
        }
    }
}

/// Which elements of a predefined variable may be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Writable {
    /// None.
    No,
    /// All.
    Yes,
    /// These.
    Elements(&'static [u32]),
}

/// A predefined variable's row.
#[derive(Debug)]
pub struct Predefined {
    /// As written: `%r0`, `T1`.
    pub name: &'static str,
    /// Its kind.
    pub kind: VariableKind,
    /// Its element type; UD for surfaces and samplers.
    pub element_type: Type,
    /// Number of elements where registers have 32 bytes, and where they have 64.
    pub n_elements: [u32; 2],
    /// What may be written.
    pub writable: Writable,
    /// An element of which some bits are reserved, and those that may be written.
    pub writable_bits: Option<(u32, u32)>,
    /// Whether it goes on by itself: two reads may give different numbers.
    pub changes: bool,
    /// Whether it may be the base of an alias.
    pub aliasable: bool,
}

/// All of them; the general ones come first, so that the place of a general one is the number in its `V<n>` spelling.
#[must_use]
pub fn all() -> &'static [Predefined] {
    PREDEFINED
}
