//! The specification as tables: platforms, types, predefined variables, instructions. The tables are generated from
//! `rules/` by `build.rs`; the types around them stand here.

pub mod describe;
pub mod expression;
pub mod family;
pub mod instruction;
pub mod names;
pub mod operand;
pub mod operation;
pub mod platform;
pub mod predefined;
mod tables;
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

/// The mnemonic with that effect on control flow; the first one, where there are several.
#[must_use]
pub fn mnemonic_of(flow: instruction::Flow) -> &'static str {
    instructions().iter().find(|row| row.flow == flow).map_or("", |row| row.mnemonic)
}

/// Joins words with commas and a last "or".
#[must_use]
pub fn join_or(words: impl IntoIterator<Item = String>) -> String {
    let words: Vec<String> = words.into_iter().collect();
    match words.as_slice() {
        [] => String::new(),
        [one] => one.clone(),
        [front @ .., last] => format!("{} or {last}", front.join(", ")),
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
