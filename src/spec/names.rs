//! The names of operand slots and modifiers, as constants: a name that no instruction has does not compile. They are
//! generated from `rules/instructions`, and each row of an instruction says at once in which place it has a name.

use super::tables::{MODIFIER_NAMES, OPERAND_NAMES};
use std::fmt;

/// The name of an operand slot: `OperandName::SRC0` is `src0`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct OperandName(pub(super) u8);

/// The name of a modifier slot: `ModifierName::NUM_BLOCKS` is `num_blocks`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ModifierName(pub(super) u8);

impl OperandName {
    /// As the manual writes it.
    #[must_use]
    pub fn text(self) -> &'static str {
        OPERAND_NAMES[usize::from(self.0)]
    }
}

impl ModifierName {
    /// As the manual writes it, in snake case.
    #[must_use]
    pub fn text(self) -> &'static str {
        MODIFIER_NAMES[usize::from(self.0)]
    }

    /// In words. Two modifiers of one kind, which have numbers, are told apart by what is written.
    #[must_use]
    pub fn words(self) -> String {
        let words = self.text().replace("num_", "number of ").replace('_', " ");
        match words.strip_suffix(['1', '2']) {
            // The levels of caches have theirs.
            Some(kind) if !kind.ends_with(" l") => kind.to_owned(),
            _ => words,
        }
    }
}

impl fmt::Display for OperandName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.text())
    }
}

impl fmt::Display for ModifierName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.text())
    }
}

impl fmt::Debug for OperandName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

impl fmt::Debug for ModifierName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

/// The place of a name that an instruction does not have.
pub(super) const ABSENT: u8 = u8::MAX;
