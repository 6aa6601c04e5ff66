//! The row of an instruction.

use super::expression::Expression;
pub use super::family::Custom;
use super::family::{Barrier, Check, Family, Lanes, Marker, ParameterTypes};
use super::names::{ABSENT, ModifierName, OperandName};
pub use super::operand::{
    Alignment, KindSet, Notation, NullUse, OperandKind, OperandSlot, Role, SourceModifiers, SurfaceClass,
};
use super::operation::Operation;
use super::platform::{Platform, PlatformSet};
pub use super::tiers::{OnPlatforms, Tiers};

/// An instruction's place in [`super::instructions`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct InstructionId(pub u16);

impl InstructionId {
    /// Its row.
    #[must_use]
    pub fn row(self) -> &'static Instruction {
        &super::instructions()[self.0 as usize]
    }
}

/// Execution sizes as a bit set: bit *n* stands for the size *n* (1, 2, 4, 8, 16, 32).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Sizes(pub u64);

impl Sizes {
    /// Every execution size that there is.
    pub const ALL: Self = Self(1 << 1 | 1 << 2 | 1 << 4 | 1 << 8 | 1 << 16 | 1 << 32);

    /// Whether `size` is in it.
    #[must_use]
    pub const fn contains(self, size: u32) -> bool {
        size < 64 && self.0 >> size & 1 == 1
    }

    /// Its members, ascending.
    pub fn iter(self) -> impl Iterator<Item = u32> {
        (0..64).filter(move |&s| self.contains(s))
    }

    /// What is in either.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether it is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// In words: `8 or 16`.
    #[must_use]
    pub fn describe(self) -> String {
        super::join_or(self.iter().map(|s| s.to_string()))
    }
}

/// Whether a predicate may stand before the instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Predication {
    /// It may.
    Allowed,
    /// There is no place for one.
    Forbidden,
    /// Toolchains read one and throw it away.
    Dropped,
    /// There must be one.
    Required,
}

/// Whether `.sat` may follow the mnemonic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Saturation {
    /// It may.
    Allowed,
    /// It may where the destination is a float.
    Floats,
    /// Toolchains let it pass, the text of the manual has none: pedantic.
    Seen,
    /// Toolchains let it pass, the manual has none: a warning.
    Tolerated,
    /// There is no place for it.
    Forbidden,
}

/// What stands in parentheses after mnemonic and modifiers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Execution {
    /// `(M1, 16)` or `(16)`.
    MaskAndSize,
    /// Nothing.
    None,
    /// `(M1, 2)`: the number counts blocks.
    BlockCount,
    /// `(16)` or nothing.
    OptionalSize,
    /// The first two operands.
    Pair,
    /// The first three operands.
    Triple,
}

impl Execution {
    /// Number of operands that stand in the parentheses.
    #[must_use]
    pub const fn n_operands(self) -> usize {
        match self {
            Self::Pair => 2,
            Self::Triple => 3,
            _ => 0,
        }
    }

    /// Whether it gives a mask and a size.
    #[must_use]
    pub const fn has_mask(self) -> bool {
        matches!(self, Self::MaskAndSize | Self::BlockCount)
    }
}

/// Whether the instruction has to be `NoMask`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoMask {
    /// It need not.
    Free,
    /// It should.
    Recommended,
    /// It must.
    Required,
}

/// The kind of a modifier slot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ModifierKind {
    /// One of some words.
    Word,
    /// A decimal number.
    Number,
    /// A subset of RGBA.
    ChannelMask,
    /// `xHH` of bfn.
    BooleanFunction,
    /// Letters of a fence.
    FenceOptions,
    /// `<RTI><PS>`.
    RenderTargetOptions,
}

/// A legal value of a modifier.
#[derive(Clone, Copy, Debug)]
pub struct ModifierValue {
    /// As written, without the dot.
    pub text: &'static str,
    /// Its number in formulas.
    pub number: i64,
    /// Where it exists.
    pub platforms: PlatformSet,
    /// Its tier: 0 legal, 1 seen, 2 tolerated.
    pub tier: u8,
}

/// A word after a dot.
#[derive(Debug)]
pub struct Modifier {
    /// The manual's name for it.
    pub name: ModifierName,
    /// Its kind.
    pub kind: ModifierKind,
    /// Its values; empty where the kind says it all.
    pub values: &'static [ModifierValue],
    /// Whether it may be absent.
    pub optional: bool,
    /// Whether no blank may stand around the dot.
    pub glued: bool,
    /// Whether its letters may have either case.
    pub any_case: bool,
    /// Whether it stands after the execution mask and size.
    pub after_execution: bool,
}

impl Modifier {
    /// The place of a word among its values.
    #[must_use]
    pub fn word(&self, word: &str) -> Option<usize> {
        self.values.iter().position(|v| v.text == word || self.any_case && v.text.eq_ignore_ascii_case(word))
    }
}

/// What an access does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AccessKind {
    /// Reads memory.
    Read,
    /// Writes memory.
    Write,
    /// Reads and writes it indivisibly.
    Atomic,
}

impl AccessKind {
    /// Whether memory may hold something else afterwards.
    #[must_use]
    pub fn stores(self) -> bool {
        self != Self::Read
    }
}

/// Which memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Memory {
    /// The surface that the surface operand names.
    Surface,
    /// 64-bit virtual addresses.
    Svm,
    /// Shared local memory.
    Slm,
    /// Texels of a typed surface.
    Typed,
    /// URB entries.
    Urb,
    /// As the LSC address operand says.
    Lsc,
}

/// What is repeated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Each {
    /// Active lanes.
    Lane,
    /// Enabled channels.
    Channel,
    /// Blocks.
    Block,
}

/// What happens beyond the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OutOfBounds {
    /// Writes are dropped.
    Dropped,
    /// Reads give zero.
    Zero,
    /// Undefined.
    Undefined,
}

/// What equal addresses of two active lanes mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SameAddress {
    /// The page says: undefined.
    Undefined,
    /// Only the memory model speaks: undefined if the values differ.
    UndefinedIfDifferent,
    /// One after the other.
    Serialized,
    /// Harmless.
    Defined,
}

/// What an instruction does to memory.
#[derive(Debug)]
pub struct Access {
    /// What it does.
    pub kind: AccessKind,
    /// To which memory.
    pub memory: Memory,
    /// What is repeated.
    pub each: &'static [Each],
    /// Byte address.
    pub address: Option<&'static Expression>,
    /// Names of the coordinate operands of a typed access.
    pub coordinates: &'static [OperandName],
    /// Bytes of one access.
    pub bytes: Option<&'static Expression>,
    /// The register side: an element of an operand.
    pub value: Option<&'static Expression>,
    /// Bytes of one element of `value`.
    pub value_bytes: u32,
    /// The final address has to be a multiple of that.
    pub address_alignment: Option<&'static Expression>,
    /// An address that is no multiple of that is an error; between this and `address_alignment` a warning.
    pub address_alignment_tolerated: Option<&'static Expression>,
    /// Beyond the end.
    pub out_of_bounds: OutOfBounds,
    /// Two active lanes on one byte.
    pub same_address: SameAddress,
    /// Happens only if this is not zero.
    pub when: Option<&'static Expression>,
}

/// Control flow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flow {
    /// To the next instruction.
    Next,
    /// `jmp`
    Jump,
    /// `goto`
    Goto,
    /// `call`
    Call,
    /// `ret`
    Return,
    /// `fcall`, `ifcall`, `fccall`
    FunctionCall,
    /// `fret`
    FunctionReturn,
    /// `switchjmp`
    Switch,
    /// Waits for other threads.
    Barrier,
}

impl Flow {
    /// Whether it goes to labels that the instruction names.
    #[must_use]
    pub const fn goes_to_labels(self) -> bool {
        matches!(self, Self::Jump | Self::Goto | Self::Switch | Self::Call)
    }
}

/// A memory effect without a formula.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Reads some memory.
    ReadsMemory,
    /// Writes some memory.
    WritesMemory,
    /// Orders memory.
    Fence,
    /// Waits for other threads.
    Barrier,
    /// Ends the thread.
    EndOfThread,
    /// Empties the cache of the sampler.
    FlushesSampler,
}

/// Everything that is known about one mnemonic.
#[derive(Debug)]
pub struct Instruction {
    /// As written.
    pub mnemonic: &'static str,
    /// The manual's number, if it has one.
    pub opcode: Option<u16>,
    /// The manual's page.
    pub document: &'static str,
    /// One sentence.
    pub summary: &'static str,
    /// One legal line.
    pub example: &'static str,
    /// A platform on which the example is legal.
    pub example_platform: Platform,
    /// Whether only assemblers of text version 4.2 and later know it.
    pub newer_text: bool,
    /// Predicate.
    pub predicate: Predication,
    /// `.sat`
    pub saturate: Saturation,
    /// The platforms on which it exists with `.sat`.
    pub saturate_platforms: PlatformSet,
    /// What follows the mnemonic.
    pub execution: Execution,
    /// Execution sizes, or block counts.
    pub exec_sizes: Tiers<Sizes>,
    /// Further sizes, by platform.
    pub exec_sizes_by_platform: &'static [OnPlatforms<Sizes>],
    /// `NoMask`.
    pub no_mask: NoMask,
    /// Where it exists.
    pub platforms: Tiers<PlatformSet>,
    /// Whether the platforms in the seen tier do not have it either: compilers print it where a source asks for it.
    pub asked_for: bool,
    /// The place in `operands` of each name that operands have anywhere.
    pub operand_places: &'static [u8; OperandName::COUNT],
    /// The place in `modifiers` of each name that modifiers have anywhere.
    pub modifier_places: &'static [u8; ModifierName::COUNT],
    /// Words after dots.
    pub modifiers: &'static [Modifier],
    /// Operands in the order of the text.
    pub operands: &'static [OperandSlot],
    /// What it does to memory.
    pub accesses: &'static [Access],
    /// What it computes.
    pub operation: Option<Operation>,
    /// How the types of its operands go together; [`Family::Other`] for all but ALU instructions.
    pub family: Family,
    /// From which lanes its results come; [`Lanes::Mixed`] for all but ALU instructions.
    pub lanes: Lanes,
    /// Rules that hold for it and a few alike.
    pub checks: &'static [Check],
    /// What a barrier does; nothing for all other instructions.
    pub barrier: Option<Barrier>,
    /// What it stands for if it generates no code.
    pub marker: Option<Marker>,
    /// The parameters of a sampler message in order; empty where the manual has none.
    pub parameters: &'static [&'static str],
    /// The parameters where the first one is a word; empty if they are the same.
    pub word_parameters: &'static [&'static str],
    /// The types of the parameters of a sampler message.
    pub parameter_types: Option<ParameterTypes>,
    /// Bits of an immediate that the hardware encodes, where assemblers move a wider one to a register first.
    pub immediate_bits: Option<u32>,
    /// Control flow.
    pub flow: Flow,
    /// Effects without a formula.
    pub effects: &'static [Effect],
    /// Further checks.
    pub custom: Option<Custom>,
    /// Sentences for the reader.
    pub notes: &'static [&'static str],
}

impl Instruction {
    /// The place of the operand slot with that name.
    #[must_use]
    pub fn slot(&self, name: OperandName) -> Option<usize> {
        let place = self.operand_places[usize::from(name.0)];
        (place != ABSENT).then_some(usize::from(place))
    }

    /// The place of the modifier slot with that name.
    #[must_use]
    pub fn modifier(&self, name: ModifierName) -> Option<usize> {
        let place = self.modifier_places[usize::from(name.0)];
        (place != ABSENT).then_some(usize::from(place))
    }

    /// Whether one of its operands can have that form.
    #[must_use]
    pub fn takes(&self, kind: OperandKind) -> bool {
        self.operands.iter().any(|slot| slot.kinds.contains(kind))
    }

    /// Whether one of its accesses is of that kind.
    #[must_use]
    pub fn accesses(&self, kind: AccessKind) -> bool {
        self.accesses.iter().any(|access| access.kind == kind)
    }

    /// Whether it stores to memory.
    #[must_use]
    pub fn stores(&self) -> bool {
        self.accesses(AccessKind::Write) || self.effects.contains(&Effect::WritesMemory)
    }

    /// Whether that rule holds for it.
    #[must_use]
    pub fn has(&self, check: Check) -> bool {
        self.checks.contains(&check)
    }

    /// Whether it gives its operands to memory in some way.
    #[must_use]
    pub fn touches_memory(&self) -> bool {
        !self.accesses.is_empty() || !self.effects.is_empty()
    }
}
