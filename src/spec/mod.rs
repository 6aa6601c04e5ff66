//! The specification as tables: platforms, types, predefined variables, instructions. The tables are generated from
//! `rules/` by `build.rs`; the types around them stand here.

pub mod describe;
pub mod expression;
pub mod family;
pub mod instruction;
pub mod layout;
pub mod names;
pub mod operand;
pub mod operation;
pub mod platform;
pub mod predefined;
mod tables;
pub mod tiers;
pub mod types;
pub mod words;

pub use instruction::{Instruction, InstructionId};
pub use names::{ModifierName, OperandName};
pub use platform::{Platform, PlatformSet};
pub use types::{Type, TypeSet};

use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// All instructions, ordered by mnemonic.
#[must_use]
pub fn instructions() -> &'static [Instruction] {
    tables::INSTRUCTIONS
}

/// The instruction with that mnemonic, as it is written (`scatter4_scaled`, `nbarrier.signal`).
#[must_use]
pub fn lookup(mnemonic: &str) -> Option<InstructionId> {
    static BY_NAME: LazyLock<FxHashMap<&'static str, InstructionId>> = LazyLock::new(|| {
        tables::INSTRUCTIONS.iter().enumerate().map(|(i, x)| (x.mnemonic, InstructionId(i as u16))).collect()
    });
    BY_NAME.get(mnemonic).copied()
}

/// The modifiers that a word in lower case stands for which is none.
#[must_use]
pub fn other_modifier(word: &str) -> &'static [&'static str] {
    tables::OTHER_MODIFIERS.iter().find(|(other, _)| *other == word).map_or(&[], |(_, meant)| meant)
}

/// How many mnemonics compilers print more often than this one; all those that they hardly print are alike.
#[must_use]
pub fn rarity(mnemonic: &str) -> usize {
    static PLACES: LazyLock<FxHashMap<&'static str, usize>> =
        LazyLock::new(|| tables::OFTEN.iter().enumerate().map(|(place, word)| (*word, place)).collect());
    PLACES.get(mnemonic).copied().unwrap_or(tables::OFTEN.len())
}

/// The mnemonic with that effect on control flow; the first one, where there are several.
#[must_use]
pub fn mnemonic_of(flow: instruction::Flow) -> &'static str {
    instructions().iter().find(|row| row.flow == flow).map_or("", |row| row.mnemonic)
}

/// The mnemonics that a word stands for which is none: what it is called elsewhere, the name of a page of the manual, or a
/// part of mnemonics (`fence`, `lsc_load`, `sample_po`), in the order of the mnemonics.
#[must_use]
pub fn meant_by(word: &str) -> Vec<&'static str> {
    if let Some((_, mnemonics)) = tables::OTHER_NAMES.iter().find(|(other, _)| other.eq_ignore_ascii_case(word)) {
        return mnemonics.to_vec();
    }
    if word.is_empty() || lookup(word).is_some() {
        return Vec::new();
    }
    let is_of_page = |row: &Instruction| row.document.eq_ignore_ascii_case(word);
    let has_part = |row: &Instruction| {
        // To search for a word costs as much as the word is long, which may be any length.
        word.len() <= row.mnemonic.len()
            && row.mnemonic.match_indices(word).any(|(start, _)| {
                let before = row.mnemonic[..start].ends_with(['_', '.']) || start == 0;
                let after = row.mnemonic[start + word.len()..].starts_with(['_', '.']);
                before && (after || start + word.len() == row.mnemonic.len())
            })
    };
    instructions().iter().filter(|row| is_of_page(row) || has_part(row)).map(|row| row.mnemonic).collect()
}

/// Joins words with commas and a last "or".
#[must_use]
pub fn join_or(words: impl IntoIterator<Item = String>) -> String {
    join(words, " or ")
}

/// Joins words with commas and a last "and".
#[must_use]
pub fn join_and(words: impl IntoIterator<Item = String>) -> String {
    join(words, " and ")
}

fn join(words: impl IntoIterator<Item = String>, last_with: &str) -> String {
    let words: Vec<String> = words.into_iter().collect();
    match words.as_slice() {
        [] => String::new(),
        [one] => one.clone(),
        [front @ .., last] => format!("{}{last_with}{last}", front.join(", ")),
    }
}

/// The instruction whose mnemonic holds a dot, as it is written (`nbarrier.signal`, `add3.o`).
#[must_use]
pub fn lookup_dotted(mnemonic: &str) -> Option<InstructionId> {
    // Few mnemonics hold a dot: most words after dots are settled without hashing.
    static ENDINGS: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
        tables::INSTRUCTIONS.iter().filter_map(|x| x.mnemonic.split_once('.')).map(|(_, ending)| ending).collect()
    });
    let (_, ending) = mnemonic.split_once('.')?;
    if ENDINGS.contains(&ending) { lookup(mnemonic) } else { None }
}
