//! What the rules mean: rows like those of `src/spec`, without a fault. A variant of an enum of `src/spec` stands here
//! as its Rust path (`Role::Source`).

use super::expression::Expression;
use toml::Spanned;

/// A formula whose names are the Rust text of a `Variable`, or the slot of the operand that is indexed.
pub type Formula = Expression<String>;

/// A set of platforms, a bit for each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Platforms(pub u32);

/// A set of types, a bit for each.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Types(pub u32);

/// Values in three tiers.
#[derive(Clone, Default, Debug)]
pub struct Tiers<T> {
    pub legal: T,
    pub seen: T,
    pub tolerated: T,
}

/// Something that holds on some platforms.
#[derive(Debug)]
pub struct OnPlatforms<T> {
    pub platforms: Platforms,
    pub value: T,
}

#[derive(Debug)]
pub struct Platform {
    pub name: String,
    pub full_name: String,
    pub names: Vec<String>,
    pub grf_bytes: u32,
    pub register_counts: Vec<u32>,
}

#[derive(Debug)]
pub struct Type {
    pub name: String,
    pub bytes: u8,
    pub class: String,
    pub declarable: bool,
    pub immediate: bool,
}

/// Where kernels find what a launch hands over.
#[derive(Debug)]
pub struct Launch {
    pub group_ids: [u32; 3],
    /// The byte of `%r0`, and where it is.
    pub thread_number: (u32, Platforms),
    pub local_id_bytes: u32,
    pub least_lanes: u32,
    pub layouts: Vec<Layout>,
}

#[derive(Debug)]
pub struct Layout {
    pub name: String,
    /// The first and the last version.
    pub text: [(u32, u32); 2],
    pub platforms: Platforms,
    pub system_pointers: u32,
    /// Bytes, and what each three dwords hold.
    pub front: Vec<(u32, Vec<String>)>,
    /// Factor, and what is held.
    pub by_use: Vec<(String, String)>,
    pub source: String,
}

#[derive(Debug)]
pub struct Predefined {
    pub name: String,
    pub kind: String,
    pub element_type: String,
    pub n_elements: [u32; 2],
    pub writable: String,
    /// An element, and the bits of it that may be written.
    pub writable_bits: Option<(u32, u32)>,
    pub changes: bool,
    pub aliasable: bool,
}

/// The words of `words.toml`.
#[derive(Debug)]
pub struct Words {
    /// Those that cannot be names.
    pub reserved: Vec<ReservedWord>,
    /// The mnemonics that compilers print most often, the most frequent one first.
    pub often: Vec<Spanned<String>>,
    /// What instructions are called elsewhere.
    pub other_names: Vec<OtherName>,
    /// What modifiers are called elsewhere.
    pub other_modifiers: Vec<OtherName>,
}

/// What an instruction or a modifier is called elsewhere.
#[derive(Debug)]
pub struct OtherName {
    /// The word.
    pub word: Spanned<String>,
    /// The mnemonics or modifiers that do what it says.
    pub meant: Vec<Spanned<String>>,
}

/// A word that is no mnemonic and no name.
#[derive(Debug)]
pub struct ReservedWord {
    pub word: Spanned<String>,
    /// Only in text of version 4.2 and later.
    pub newer_text: bool,
}

#[derive(Debug)]
pub struct Instruction {
    pub mnemonic: String,
    pub opcode: Option<u16>,
    pub document: String,
    pub summary: String,
    pub example: String,
    pub example_platform: usize,
    pub newer_text: bool,
    pub predicate: String,
    pub saturate: String,
    pub saturate_platforms: Platforms,
    pub execution: String,
    pub exec_sizes: Tiers<u64>,
    pub exec_sizes_by_platform: Vec<OnPlatforms<u64>>,
    pub no_mask: String,
    pub platforms: Tiers<Platforms>,
    pub asked_for: bool,
    pub modifiers: Vec<Modifier>,
    pub operands: Vec<Operand>,
    pub accesses: Vec<Access>,
    pub operation: Option<String>,
    pub family: String,
    pub lanes: String,
    pub checks: Vec<String>,
    pub barrier: Option<String>,
    pub marker: Option<String>,
    pub parameters: Vec<String>,
    pub word_parameters: Vec<String>,
    pub parameter_types: Option<String>,
    pub immediate_bits: Option<u32>,
    pub flow: String,
    pub effects: Vec<String>,
    pub custom: Option<String>,
    pub notes: Vec<String>,
}

#[derive(Debug)]
pub struct Modifier {
    pub name: String,
    pub kind: String,
    /// Whether its number may stand in formulas; not a part of the printed row.
    pub has_number: bool,
    pub values: Vec<ModifierValue>,
    pub optional: bool,
    pub glued: bool,
    pub any_case: bool,
    pub after_execution: bool,
}

#[derive(Debug)]
pub struct ModifierValue {
    pub text: String,
    pub number: i64,
    pub platforms: Platforms,
    pub tier: u8,
}

#[derive(Debug)]
pub struct Operand {
    pub name: String,
    pub role: String,
    pub kinds: Vec<String>,
    pub types: Tiers<Types>,
    pub types_by_platform: Vec<OnPlatforms<Types>>,
    pub asked_for: bool,
    pub sign_checked: bool,
    pub scalar: bool,
    pub source_modifiers: String,
    pub null: String,
    pub notation: String,
    pub bytes: Option<Formula>,
    pub bytes_tolerated: Option<Formula>,
    pub channel_bytes: Option<Formula>,
    pub row_bytes: Option<Formula>,
    pub alignment: String,
    pub optional: bool,
    pub variadic: bool,
    pub minimum: Option<i64>,
    pub maximum: Option<i64>,
    pub limit: Option<Formula>,
    pub elements: Option<Formula>,
    pub packed: bool,
    pub second_block: bool,
    pub values: Tiers<Vec<i64>>,
    pub words: Vec<String>,
    pub surfaces_forbidden: Vec<String>,
    pub pointers: Platforms,
}

#[derive(Debug)]
pub struct Access {
    pub kind: String,
    pub memory: String,
    pub each: Vec<String>,
    pub address: Option<Formula>,
    pub coordinates: Vec<String>,
    pub bytes: Option<Formula>,
    pub value: Option<Formula>,
    pub value_bytes: u32,
    pub address_alignment: Option<Formula>,
    pub address_alignment_tolerated: Option<Formula>,
    pub out_of_bounds: String,
    pub same_address: String,
    pub when: Option<Formula>,
}
