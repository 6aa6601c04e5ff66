//! What a row says of an operand: its forms, types and places.

use super::expression::Expression;
use super::names::OperandName;
use super::platform::PlatformSet;
use super::tiers::{OnPlatforms, Tiers};
use super::types::TypeSet;

/// What an operand does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// It is read.
    Source,
    /// It is written.
    Destination,
    /// Both.
    Both,
}

impl Role {
    /// Whether it is written.
    #[must_use]
    pub const fn writes(self) -> bool {
        !matches!(self, Self::Source)
    }

    /// Whether it is read.
    #[must_use]
    pub const fn reads(self) -> bool {
        !matches!(self, Self::Destination)
    }
}

/// The form of an operand in text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum OperandKind {
    /// `V(0,0)<8;8,1>`
    General,
    /// `r[A0(0),0]<8;8,1>:ud`
    Indirect,
    /// `0x1:ud`
    Immediate,
    /// `V.64`
    Raw,
    /// `A0(0)<8>`
    Address,
    /// `&V[4]`
    AddressOf,
    /// `P1`
    Predicate,
    /// A surface by name.
    Surface,
    /// A sampler by name.
    Sampler,
    /// `T6(0)`
    State,
    /// `V(0,0)` without a region.
    Element,
    /// A number without a type.
    Number,
    /// A label.
    Label,
    /// `(a, b)`
    LabelList,
    /// The name of a function.
    Function,
    /// `"text"`
    String,
    /// A bare name.
    Variable,
    /// One of some words.
    Keyword,
    /// `V:d32x4`
    LscData,
    /// `V:d32.xyzw`
    LscChannels,
    /// `V:d16.2x16x8nn`
    LscBlock,
    /// `V:64x2`
    LscTypedBlock,
    /// `flat[V]:a64`
    LscAddress,
    /// `flat[V, 0x20]:a64`
    LscStridedAddress,
    /// `flat[base, width, height, pitch, x, y]`
    LscBlockAddress,
    /// `bti(0x1)[u, v, r, lod]:a32`
    LscCoordinates,
    /// `bti(0x1)[x, y]`
    LscTypedBlockAddress,
    /// `V` or `V.64`
    LscRegister,
    /// `bti(0x1)`
    LscSurface,
    /// `V.0/2`
    WithLength,
}

impl OperandKind {
    /// The name for it in messages.
    #[must_use]
    pub const fn describe(self) -> &'static str {
        match self {
            Self::General => "a general operand `V(0,0)<region>`",
            Self::Indirect => "an indirect operand `r[A(0),0]<region>:type`",
            Self::Immediate => "an immediate `0x1:ud`",
            Self::Raw => "a raw operand `V.0`",
            Self::Address => "an address operand `A(0)<1>`",
            Self::AddressOf => "an address-of `&V[0]`",
            Self::Predicate => "a predicate variable",
            Self::Surface => "a surface variable",
            Self::Sampler => "a sampler variable",
            Self::State => "a state operand `T6(0)`",
            Self::Element => "an operand without a region `V(0,0)`",
            Self::Number => "a plain number",
            Self::Label => "a label",
            Self::LabelList => "a list of labels `(a, b)`",
            Self::Function => "a function name",
            Self::String => "a quoted string",
            Self::Variable => "a bare variable name",
            Self::Keyword => "a keyword",
            Self::LscData => "a data operand `V:d32`",
            Self::LscChannels => "a data operand with channels `V:d32.xyzw`",
            Self::LscBlock => "a block `V:d16.2x16x8nn`",
            Self::LscTypedBlock => "a block `V:64x2`",
            Self::LscAddress => "an address `flat[V]:a64`",
            Self::LscStridedAddress => "an address `flat[V, 0x20]:a64`",
            Self::LscBlockAddress => "a 2D surface `flat[base, width, height, pitch, x, y]`",
            Self::LscCoordinates => "coordinates `bti(0x1)[u, v]:a32`",
            Self::LscTypedBlockAddress => "coordinates `bti(0x1)[x, y]`",
            Self::LscRegister => "a register `V`",
            Self::LscSurface => "a surface `bti(0x1)`",
            Self::WithLength => "a payload with its length `V.0/1`",
        }
    }
}

/// A set of operand kinds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KindSet(pub u32);

impl KindSet {
    /// The set of those.
    #[must_use]
    pub const fn of(kinds: &[OperandKind]) -> Self {
        let mut bits = 0;
        let mut i = 0;
        while i < kinds.len() {
            bits |= 1 << kinds[i] as u32;
            i += 1;
        }
        Self(bits)
    }

    /// Whether `kind` is in it.
    #[must_use]
    pub const fn contains(self, kind: OperandKind) -> bool {
        self.0 >> kind as u32 & 1 == 1
    }

    /// Whether any of `other` is in it.
    #[must_use]
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Its members.
    pub fn iter(self) -> impl Iterator<Item = OperandKind> {
        super::tables::OPERAND_KINDS.iter().copied().filter(move |k| self.contains(*k))
    }

    /// In words.
    #[must_use]
    pub fn describe(self) -> String {
        super::join_or(self.iter().map(|k| k.describe().to_owned()))
    }
}

/// Source modifiers that an operand may carry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SourceModifiers {
    /// None.
    None,
    /// `(-)`, `(abs)`, `(-abs)`.
    Arithmetic,
    /// `(~)`.
    Logic,
}

/// Whether `%null` may stand there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NullUse {
    /// It may not.
    Forbidden,
    /// It may.
    Allowed,
    /// Toolchains let it pass; it makes no sense.
    Tolerated,
    /// It has to: the operation has no such operand.
    Required,
}

/// How a plain number is written. Assemblers read some places with one kind of token only.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Notation {
    /// Any expression.
    Any,
    /// A decimal number.
    Decimal,
    /// A hexadecimal number.
    Hexadecimal,
}

/// Where a raw operand has to begin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Alignment {
    /// Anywhere.
    None,
    /// At a register boundary.
    Grf,
    /// At a multiple of that many bytes.
    Bytes(u32),
}

/// Surfaces that may not stand in a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SurfaceClass {
    /// `%slm`.
    Slm,
    /// `%scratch` (stateless).
    Scratch,
    /// `%bss` (bindless).
    Bindless,
    /// Any predefined one.
    Predefined,
}

/// An operand slot.
#[derive(Debug)]
pub struct OperandSlot {
    /// The manual's name.
    pub name: OperandName,
    /// What it does.
    pub role: Role,
    /// The forms it may have.
    pub kinds: KindSet,
    /// Element types; all empty where they are not checked here.
    pub types: Tiers<TypeSet>,
    /// Further types, by platform.
    pub types_by_platform: &'static [OnPlatforms<TypeSet>],
    /// Whether the types in the seen tier do not work either: compilers print them where a source asks for them.
    pub asked_for: bool,
    /// Whether assemblers refuse a type whose sign alone is wrong. They take other operands of a host, which is declared as `d`
    /// where the host says `uint`.
    pub sign_checked: bool,
    /// Whether only the first element is used.
    pub scalar: bool,
    /// Source modifiers.
    pub source_modifiers: SourceModifiers,
    /// `%null`.
    pub null: NullUse,
    /// How a number is written.
    pub notation: Notation,
    /// Bytes read or written from its start.
    pub bytes: Option<&'static Expression>,
    /// Fewer bytes than this are an error, between this and `bytes` a warning.
    pub bytes_tolerated: Option<&'static Expression>,
    /// Bytes that each channel of a result has; what is left of its last register is undefined.
    pub channel_bytes: Option<&'static Expression>,
    /// Bytes of each row of a block that is stored; rows are padded to a power of two bytes, at least four.
    pub row_bytes: Option<&'static Expression>,
    /// Where it begins.
    pub alignment: Alignment,
    /// Whether it may be absent.
    pub optional: bool,
    /// Whether it may be repeated.
    pub variadic: bool,
    /// Least value of an immediate.
    pub minimum: Option<i64>,
    /// Greatest value of an immediate.
    pub maximum: Option<i64>,
    /// Greatest value of an immediate beside the other operands.
    pub limit: Option<&'static Expression>,
    /// Consecutive elements that are touched, whatever the region says.
    pub elements: Option<&'static Expression>,
    /// Whether the elements of a region that is not scalar are consecutive, whatever it says.
    pub packed: bool,
    /// Whether a second block of as many elements follows at the next register boundary.
    pub second_block: bool,
    /// The legal values, if they are listed.
    pub values: Tiers<&'static [i64]>,
    /// The words of a keyword.
    pub words: &'static [&'static str],
    /// Surfaces that may not stand there.
    pub surfaces_forbidden: &'static [SurfaceClass],
    /// Platforms on which a general variable with a 64-bit pointer may stand for the surface or sampler.
    pub pointers: PlatformSet,
}

impl OperandSlot {
    /// Whether the elements that it touches are other ones than its region says.
    #[must_use]
    pub fn has_own_elements(&self) -> bool {
        self.elements.is_some() || self.packed || self.second_block
    }

    /// Whether the generic type check has something to say.
    #[must_use]
    pub fn has_types(&self) -> bool {
        !self.types.legal.is_empty() || !self.types_by_platform.is_empty()
    }
}
