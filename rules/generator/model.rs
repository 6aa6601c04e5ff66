//! What the files say, key by key; see `rules/README.md`. Every key may be absent here: what is required is the matter
//! of [`super::validate`], which can then name all that is missing.

use serde::de::{Deserializer, Error, SeqAccess, Visitor};
use serde::{Deserialize, de};
use std::collections::BTreeMap;
use std::fmt;
use toml::Spanned;

/// A text with its place.
pub type Text = Spanned<String>;
/// A list with its place and those of its items.
pub type List<T> = Spanned<Vec<Spanned<T>>>;

/// `platforms.toml`
#[derive(Deserialize, Default, Debug)]
#[serde(deny_unknown_fields, default)]
pub struct Platforms {
    pub platform: Vec<Spanned<Platform>>,
}

/// One platform.
#[derive(Deserialize, Default, Debug)]
#[serde(deny_unknown_fields, default)]
pub struct Platform {
    pub name: Option<Text>,
    pub full_name: Option<Text>,
    pub names: Vec<Text>,
    pub grf_bytes: Option<Spanned<u32>>,
    pub register_counts: Option<List<u32>>,
}

/// `types.toml`
#[derive(Deserialize, Default, Debug)]
#[serde(deny_unknown_fields, default)]
pub struct Types {
    #[serde(rename = "type")]
    pub types: Vec<Spanned<Type>>,
    pub sets: BTreeMap<Text, Vec<Text>>,
}

/// One type.
#[derive(Deserialize, Default, Debug)]
#[serde(deny_unknown_fields, default)]
pub struct Type {
    pub name: Option<Text>,
    pub bytes: Option<Spanned<u8>>,
    pub class: Option<Text>,
    pub declarable: bool,
    pub immediate: bool,
}

/// `predefined.toml`
#[derive(Deserialize, Default, Debug)]
#[serde(deny_unknown_fields, default)]
pub struct PredefinedVariables {
    pub variable: Vec<Spanned<Predefined>>,
}

/// One predefined variable.
#[derive(Deserialize, Default, Debug)]
#[serde(deny_unknown_fields, default)]
pub struct Predefined {
    pub name: Option<Text>,
    pub kind: Option<Text>,
    #[serde(rename = "type")]
    pub element_type: Option<Text>,
    pub elements: Option<u32>,
    pub elements_by_grf: Option<[u32; 2]>,
    pub writable: Option<Spanned<Writable>>,
    pub writable_bits: Option<Spanned<(u32, u32)>>,
    pub changes: bool,
    pub aliasable: bool,
}

/// `launch.toml`
#[derive(Deserialize, Default, Debug)]
#[serde(deny_unknown_fields, default)]
pub struct Launch {
    pub group_ids: Option<Spanned<GroupIds>>,
    pub thread_number: Option<Spanned<ThreadNumber>>,
    pub local_ids: Option<Spanned<LocalIds>>,
    pub layout: Vec<Spanned<Layout>>,
}

/// Bytes of `%r0`.
#[derive(Deserialize, Clone, Copy, Debug)]
#[serde(deny_unknown_fields)]
pub struct GroupIds {
    pub x: u32,
    pub y: u32,
    pub z: u32,
}

/// The byte of `%r0` that numbers the threads of a group.
#[derive(Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct ThreadNumber {
    pub byte: u32,
    pub platforms: Text,
}

/// The local ids of a thread.
#[derive(Deserialize, Clone, Copy, Debug)]
#[serde(deny_unknown_fields)]
pub struct LocalIds {
    pub bytes: u32,
    pub least_lanes: u32,
}

/// Where inputs lie.
#[derive(Deserialize, Default, Debug)]
#[serde(deny_unknown_fields, default)]
pub struct Layout {
    pub name: Option<Text>,
    pub text: Option<Text>,
    pub platforms: Option<Text>,
    pub system_pointers: u32,
    pub front: Vec<Spanned<Front>>,
    pub by_use: Vec<ByUse>,
    pub source: Option<Text>,
}

/// A vector of dwords.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Front {
    pub bytes: u32,
    pub holds: Vec<Text>,
}

/// A vector that is told by what it is multiplied by.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct ByUse {
    pub factor: Text,
    pub holds: Text,
}

/// `words.toml`
#[derive(Deserialize, Default, Debug)]
#[serde(deny_unknown_fields, default)]
pub struct Words {
    pub reserved: Vec<Text>,
    pub reserved_in_newer_text: Vec<Text>,
    pub often: Vec<Text>,
    pub other_names: BTreeMap<Text, Vec<Text>>,
    pub other_modifiers: BTreeMap<Text, Vec<Text>>,
}

/// One instruction.
#[derive(Deserialize, Default, Debug)]
#[serde(deny_unknown_fields, default)]
pub struct Instruction {
    pub opcode: Option<u16>,
    pub document: Option<Text>,
    pub summary: Option<Text>,
    pub example: Option<Text>,
    pub example_platform: Option<Text>,
    pub newer_text: bool,
    pub predicate: Option<Text>,
    pub saturate: Option<Text>,
    pub saturate_platforms: Option<Text>,
    pub execution: Option<Text>,
    pub exec_sizes: Option<List<u32>>,
    pub exec_sizes_seen: Option<List<u32>>,
    pub exec_sizes_tolerated: Option<List<u32>>,
    pub exec_sizes_by_platform: Vec<Spanned<SizesByPlatform>>,
    pub no_mask: Option<Text>,
    pub platforms: Option<Text>,
    pub platforms_seen: Option<Text>,
    pub platforms_tolerated: Option<Text>,
    pub asked_for: bool,
    pub modifiers: Vec<Spanned<Modifier>>,
    pub operands: Vec<Spanned<Operand>>,
    pub accesses: Vec<Spanned<Access>>,
    pub operation: Option<Text>,
    pub family: Option<Text>,
    pub lanes: Option<Text>,
    pub checks: Vec<Text>,
    pub barrier: Option<Text>,
    pub marker: Option<Text>,
    pub parameters: Option<List<String>>,
    pub word_parameters: Option<List<String>>,
    pub parameter_types: Option<Text>,
    pub immediate_bits: Option<Spanned<u32>>,
    pub flow: Option<Text>,
    pub effects: Vec<Text>,
    pub custom: Option<Text>,
    pub notes: Vec<Text>,
}

/// Further execution sizes.
#[derive(Deserialize, Default, Debug)]
#[serde(deny_unknown_fields, default)]
pub struct SizesByPlatform {
    pub platforms: Option<Text>,
    pub sizes: Option<List<u32>>,
}

/// A modifier.
#[derive(Deserialize, Default, Debug)]
#[serde(deny_unknown_fields, default)]
pub struct Modifier {
    pub name: Option<Text>,
    pub kind: Option<Text>,
    pub values: Option<List<Scalar>>,
    pub values_seen: Option<List<Scalar>>,
    pub values_tolerated: Option<List<Scalar>>,
    pub values_by_platform: Vec<Spanned<ValuesByPlatform>>,
    pub numbers: Option<List<i64>>,
    pub optional: bool,
    pub glued: bool,
    pub any_case: bool,
    pub after_execution: bool,
}

/// Further values of a modifier.
#[derive(Deserialize, Default, Debug)]
#[serde(deny_unknown_fields, default)]
pub struct ValuesByPlatform {
    pub platforms: Option<Text>,
    pub values: Option<List<Scalar>>,
}

/// An operand.
#[derive(Deserialize, Default, Debug)]
#[serde(deny_unknown_fields, default)]
pub struct Operand {
    pub name: Option<Text>,
    pub role: Option<Text>,
    pub kind: Option<Spanned<Kinds>>,
    pub types: Option<List<String>>,
    pub types_seen: Option<List<String>>,
    pub types_tolerated: Option<List<String>>,
    pub types_by_platform: Vec<Spanned<TypesByPlatform>>,
    pub asked_for: bool,
    pub sign_checked: bool,
    pub region: Option<Text>,
    pub modifiers: Option<Text>,
    pub null: Option<Text>,
    pub notation: Option<Text>,
    pub bytes: Option<Spanned<Scalar>>,
    pub bytes_tolerated: Option<Spanned<Scalar>>,
    pub channel_bytes: Option<Spanned<Scalar>>,
    pub row_bytes: Option<Spanned<Scalar>>,
    pub alignment: Option<Spanned<Scalar>>,
    pub optional: bool,
    pub variadic: bool,
    pub minimum: Option<Spanned<i64>>,
    pub maximum: Option<Spanned<i64>>,
    pub limit: Option<Spanned<Scalar>>,
    pub elements: Option<Spanned<Scalar>>,
    pub packed: Option<Spanned<bool>>,
    pub second_block: Option<Spanned<bool>>,
    pub values: Option<List<i64>>,
    pub values_seen: Option<List<i64>>,
    pub values_tolerated: Option<List<i64>>,
    pub words: Option<List<String>>,
    pub surfaces_forbidden: Vec<Text>,
    pub pointers: Option<Text>,
}

/// Further types of an operand.
#[derive(Deserialize, Default, Debug)]
#[serde(deny_unknown_fields, default)]
pub struct TypesByPlatform {
    pub platforms: Option<Text>,
    pub types: Option<List<String>>,
}

/// An access to memory.
#[derive(Deserialize, Default, Debug)]
#[serde(deny_unknown_fields, default)]
pub struct Access {
    pub kind: Option<Text>,
    pub memory: Option<Text>,
    pub each: Vec<Text>,
    pub address: Option<Spanned<Scalar>>,
    pub coordinates: Option<List<String>>,
    pub bytes: Option<Spanned<Scalar>>,
    pub value: Option<Spanned<Scalar>>,
    pub value_bytes: Option<Spanned<u32>>,
    pub address_alignment: Option<Spanned<Scalar>>,
    pub address_alignment_tolerated: Option<Spanned<Scalar>>,
    pub out_of_bounds: Option<Text>,
    pub same_address: Option<Text>,
    pub when: Option<Spanned<Scalar>>,
}

/// A text or a number.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Scalar {
    /// A text.
    Text(String),
    /// A number.
    Number(i64),
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.write_str(text),
            Self::Number(number) => number.fmt(f),
        }
    }
}

/// One word, or a list of them.
#[derive(Clone, Debug)]
pub enum Kinds {
    /// One.
    One(String),
    /// A list.
    Many(Vec<Text>),
}

/// What of a predefined variable may be written.
#[derive(Clone, Debug)]
pub enum Writable {
    /// `"yes"` or `"no"`.
    Word(String),
    /// Those elements.
    Elements(Vec<u32>),
}

// Untagged enums of serde lose the places within, so these read themselves.

impl<'de> Deserialize<'de> for Scalar {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ScalarVisitor;
        impl Visitor<'_> for ScalarVisitor {
            type Value = Scalar;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text or a number")
            }
            fn visit_str<E: Error>(self, text: &str) -> Result<Scalar, E> {
                Ok(Scalar::Text(text.to_owned()))
            }
            fn visit_i64<E: Error>(self, number: i64) -> Result<Scalar, E> {
                Ok(Scalar::Number(number))
            }
        }
        deserializer.deserialize_any(ScalarVisitor)
    }
}

impl<'de> Deserialize<'de> for Kinds {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct KindsVisitor;
        impl<'de> Visitor<'de> for KindsVisitor {
            type Value = Kinds;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a word or a list of words")
            }
            fn visit_str<E: Error>(self, word: &str) -> Result<Kinds, E> {
                Ok(Kinds::One(word.to_owned()))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<Kinds, A::Error> {
                Deserialize::deserialize(de::value::SeqAccessDeserializer::new(items)).map(Kinds::Many)
            }
        }
        deserializer.deserialize_any(KindsVisitor)
    }
}

impl<'de> Deserialize<'de> for Writable {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct WritableVisitor;
        impl<'de> Visitor<'de> for WritableVisitor {
            type Value = Writable;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("\"yes\", \"no\" or a list of element numbers")
            }
            fn visit_str<E: Error>(self, word: &str) -> Result<Writable, E> {
                Ok(Writable::Word(word.to_owned()))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<Writable, A::Error> {
                Deserialize::deserialize(de::value::SeqAccessDeserializer::new(items)).map(Writable::Elements)
            }
        }
        deserializer.deserialize_any(WritableVisitor)
    }
}
