//! Declared and predefined variables.

use crate::base::span::Span;
use crate::base::symbol::Symbol;
use crate::spec::Type;
use crate::spec::predefined::{self, Predefined, VariableKind};

crate::define_id! {
    /// A variable of a [`super::Program`].
    VariableId
}

impl VariableId {
    /// `%null`, the first row of `rules/predefined.toml`.
    pub const NULL: Self = Self(0);

    /// Its row if it is predefined.
    #[must_use]
    pub fn predefined(self) -> Option<&'static Predefined> {
        predefined::all().get(self.0 as usize)
    }

    /// The predefined variable with that name (`%r0`, `T1`, or `V7`).
    #[must_use]
    pub fn of_predefined(name: &str) -> Option<Self> {
        let place = |wanted: &str| predefined::all().iter().position(|p| p.name == wanted).map(|i| Self(i as u32));
        if let Some(found) = place(name) {
            return Some(found);
        }
        // `V7` is a second name of the general ones; the table lists these first.
        let number: usize = name.strip_prefix('V')?.parse().ok()?;
        let row = predefined::all().get(number)?;
        (row.kind == VariableKind::General && name == format!("V{number}")).then_some(Self(number as u32))
    }
}

/// A variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Variable {
    /// Its name.
    pub name: Symbol,
    /// The variable at the end of the alias chain; itself if it is not an alias.
    pub root: VariableId,
    /// Byte offset in the root variable.
    pub root_offset: i32,
    /// The variable that `alias=` names; itself if it is not an alias.
    pub base: VariableId,
    /// Number of elements as the toolchain stores it. For predefined ones see [`super::Program::n_elements`].
    pub n_elements: u32,
    /// Element type; UW for address, UD for surface and sampler variables, BOOL for predicates.
    pub element_type: Type,
    /// Its kind.
    pub kind: VariableKind,
    /// `align=` in bytes; 0 where it is not written, 255 for one register, 254 for two.
    pub alignment: u8,
    /// `attrs=` and what else is known: see the `FLAG_` constants.
    pub flags: u16,
}

/// Whether a declaration could not be understood: what it says about size and type is not to be trusted.
pub const FLAG_BROKEN: u16 = 1;
/// It is an alias.
pub const FLAG_ALIAS: u16 = 2;
/// It is an `.input` or `.implicit_*` of its object.
pub const FLAG_INPUT: u16 = 4;
/// `attrs={Output}` or `Input_Output`.
pub const FLAG_OUTPUT: u16 = 8;
/// `attrs={Input}` or `Input_Output`.
pub const FLAG_INPUT_ATTRIBUTE: u16 = 16;
/// Its address is taken by `&V`.
pub const FLAG_ADDRESS_TAKEN: u16 = 32;
/// Something is written to it by an operand that could not be read.
pub const FLAG_MISUSED: u16 = 128;
/// Some operand names it.
pub const FLAG_USED: u16 = 64;
/// It is an operand that the host of a fragment hands over.
pub const FLAG_OPERAND: u16 = 256;
/// Its type or size is not known.
pub const FLAG_OPEN: u16 = 512;
/// It holds 32 lanes, of which only 16 have a name where registers have 32 bytes.
pub const FLAG_HALVED: u16 = 1024;
/// It stands for a number.
pub const FLAG_IMMEDIATE: u16 = 2048;
/// A predicate that a scalar sets somewhere, which writes also the bits behind its last element.
pub const FLAG_SET_AS_A_WHOLE: u16 = 4096;
/// Its number of elements is not known, and taken as large as it can be.
pub const FLAG_ENLARGED: u16 = 8192;
/// `alignment` for one register.
pub const ALIGN_GRF: u8 = 255;
/// `alignment` for two registers.
pub const ALIGN_TWO_GRFS: u8 = 254;

impl Variable {
    /// Bytes of one element; 1 for predicates, whose elements are bits.
    #[must_use]
    pub fn element_bytes(&self) -> u32 {
        match self.kind {
            VariableKind::General => self.element_type.bytes(),
            VariableKind::Address => 2,
            VariableKind::Predicate => 1,
            VariableKind::Sampler | VariableKind::Surface => 4,
        }
    }

    /// Whether a flag is set.
    #[must_use]
    pub const fn is(&self, flag: u16) -> bool {
        self.flags & flag != 0
    }

    /// `align=` in bytes where registers have `grf_bytes` bytes; 0 where it is not written.
    #[must_use]
    pub const fn alignment_bytes(&self, grf_bytes: u32) -> u32 {
        match self.alignment {
            ALIGN_GRF => grf_bytes,
            ALIGN_TWO_GRFS => 2 * grf_bytes,
            bytes => bytes as u32,
        }
    }
}

/// The places of the parts of a declaration; empty where a part is absent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct VariableSpans {
    /// The whole directive.
    pub statement: Span,
    /// The name.
    pub name: Span,
    /// The value after `type=`.
    pub element_type: Span,
    /// The value after `num_elts=`.
    pub n_elements: Span,
    /// The value after `align=`.
    pub align: Span,
    /// The name in `alias=<...>`.
    pub alias: Span,
    /// The offset in `alias=<...>`.
    pub alias_offset: Span,
}
