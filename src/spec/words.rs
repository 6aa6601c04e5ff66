//! Words with a meaning of their own: reserved names, directives, attributes, alignments.

use super::PlatformSet;
use super::instruction::Instruction;
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// Whether a word may not be the name of a variable, kernel, function or label reference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reserved {
    /// It may.
    No,
    /// It may where only the older text version is read.
    SinceVersion42,
    /// It may not.
    Always,
}

/// Whether `word` is reserved.
#[must_use]
pub fn reserved(word: &str) -> Reserved {
    static WORDS: LazyLock<FxHashMap<&'static str, Reserved>> = LazyLock::new(|| {
        let mnemonics = super::instructions().iter().filter(|row| stands_alone(row));
        mnemonics
            .map(|row| (row.mnemonic, row.newer_text))
            .chain(super::tables::RESERVED_WORDS.iter().copied())
            .map(|(word, newer)| (word, if newer { Reserved::SinceVersion42 } else { Reserved::Always }))
            .collect()
    });
    WORDS.get(word).copied().unwrap_or(Reserved::No)
}

/// Whether the mnemonic is a word of its own: `dpas` and `bfn` are words only together with what follows their dots.
fn stands_alone(row: &Instruction) -> bool {
    !row.modifiers.first().is_some_and(|m| m.glued && !m.optional)
}

/// The directives.
pub const DIRECTIVES: &[&str] = &[
    ".version",
    ".kernel",
    ".global_function",
    ".function",
    ".funcdecl",
    ".decl",
    ".input",
    ".kernel_attr",
    ".file",
    ".loc",
];

/// The kinds of `.implicit_KIND`; `UNDEFINED_` is followed by a number.
pub const IMPLICIT_KINDS: &[&str] = &["LOCAL_SIZE", "GROUP_COUNT", "LOCAL_ID", "PSEUDO_INPUT", "UNDEFINED_"];

/// What value an attribute takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AttributeKind {
    /// None.
    Bool,
    /// A number.
    Number,
    /// A string.
    Text,
    /// A number, or one of the strings of the target: `"cm"`, `"3d"`.
    Target,
}

/// A known attribute.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KnownAttribute {
    /// Its name.
    pub name: &'static str,
    /// What it takes.
    pub kind: AttributeKind,
    /// Whether only the newer text version knows it.
    pub since_4_2: bool,
}

const fn attribute(name: &'static str, kind: AttributeKind) -> KnownAttribute {
    KnownAttribute { name, kind, since_4_2: false }
}

const fn newer(name: &'static str, kind: AttributeKind) -> KnownAttribute {
    KnownAttribute { name, kind, since_4_2: true }
}

/// Attributes of `.kernel_attr`.
pub const KERNEL_ATTRIBUTES: &[KnownAttribute] = &[
    attribute("Target", AttributeKind::Target),
    attribute("SimdSize", AttributeKind::Number),
    attribute("SLMSize", AttributeKind::Number),
    attribute("SpillMemOffset", AttributeKind::Number),
    attribute("ArgSize", AttributeKind::Number),
    attribute("RetValSize", AttributeKind::Number),
    attribute("PerThreadInputSize", AttributeKind::Number),
    attribute("perThreadInputSize", AttributeKind::Number),
    attribute("CrossThreadInputSize", AttributeKind::Number),
    attribute("crossThreadInputSize", AttributeKind::Number),
    attribute("NBarrierCnt", AttributeKind::Number),
    newer("NumGRF", AttributeKind::Number),
    newer("MaxRegThreadDispatch", AttributeKind::Number),
    newer("ScratchInlineOffset", AttributeKind::Number),
    newer("ScratchIndirectRegOffset", AttributeKind::Number),
    newer("ScratchIndirectMemOffset", AttributeKind::Number),
    attribute("OutputAsmPath", AttributeKind::Text),
    attribute("AsmName", AttributeKind::Text),
    attribute("Extern", AttributeKind::Bool),
    attribute("NoBarrier", AttributeKind::Bool),
    attribute("Callable", AttributeKind::Bool),
    attribute("Caller", AttributeKind::Bool),
    attribute("Composable", AttributeKind::Bool),
    attribute("Entry", AttributeKind::Bool),
    attribute("SepSpillPvtSS", AttributeKind::Bool),
    attribute("LTO_InvokeOptTarget", AttributeKind::Bool),
    newer("AllLaneActive", AttributeKind::Bool),
    newer("DisableLoadThreadPayloadWA", AttributeKind::Bool),
];

/// Attributes of `attrs={...}`.
pub const VARIABLE_ATTRIBUTES: &[KnownAttribute] = &[
    attribute("Input", AttributeKind::Bool),
    attribute("Output", AttributeKind::Bool),
    attribute("Input_Output", AttributeKind::Bool),
    attribute("PayloadLiveOut", AttributeKind::Bool),
    attribute("NoWidening", AttributeKind::Bool),
    attribute("DoNotSpill", AttributeKind::Bool),
    newer("ForceSpill", AttributeKind::Bool),
    newer("ExclusiveLoad", AttributeKind::Bool),
    attribute("Scope", AttributeKind::Number),
    attribute("SurfaceUsage", AttributeKind::Number),
];

/// The words of `align=` with their bytes: 255 stands for one register, 254 for two.
pub const ALIGNMENTS: &[(&str, u8)] = &[
    ("byte", 1),
    ("word", 2),
    ("dword", 4),
    ("qword", 8),
    ("oword", 16),
    ("hword", 32),
    ("GRF", 255),
    ("GRFx2", 254),
    ("2GRF", 254),
    ("32word", 64),
    ("64word", 128),
    ("wordx32", 64),
    ("wordx64", 128),
];

/// The masks with their first lane, and whether they are `NoMask`.
#[must_use]
pub fn exec_mask(word: &str) -> Option<(u8, bool)> {
    if word == "NoMask" {
        return Some((0, true));
    }
    let (number, no_mask) = match word.strip_suffix("_NM") {
        Some(front) => (front, true),
        None => (word, false),
    };
    match number.strip_prefix('M')?.as_bytes() {
        [digit @ b'1'..=b'8'] => Some(((digit - b'1') * 4, no_mask)),
        _ => None,
    }
}

/// The platforms on which a mnemonic exists in some tier.
#[must_use]
pub fn platforms_of(row: &Instruction) -> PlatformSet {
    row.platforms.legal.or(row.platforms.seen).or(row.platforms.tolerated)
}
