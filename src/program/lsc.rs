//! Operands of LSC messages.

use super::variable::VariableId;
use crate::base::span::Span;

/// The word before the brackets of an address.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum AddressModel {
    /// `flat`, or nothing
    Flat,
    /// `bti(...)`
    Bti,
    /// `ss(...)`
    Ss,
    /// `bss(...)`
    Bss,
    /// `surf(...)`
    Surf,
    /// `arg`
    Arg,
}

impl AddressModel {
    /// All of them.
    pub const ALL: [Self; 6] = [Self::Flat, Self::Bti, Self::Ss, Self::Bss, Self::Surf, Self::Arg];

    /// As written.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::Flat => "flat",
            Self::Bti => "bti",
            Self::Ss => "ss",
            Self::Bss => "bss",
            Self::Surf => "surf",
            Self::Arg => "arg",
        }
    }

    /// From its word.
    #[must_use]
    pub fn from_text(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|m| m.text() == text)
    }

    /// Whether it names a surface.
    #[must_use]
    pub const fn has_surface(self) -> bool {
        !matches!(self, Self::Flat | Self::Arg)
    }
}

/// `:a64` and the like.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum AddressSize {
    /// `:a16`
    A16,
    /// `:a32`
    A32,
    /// `:a32s`
    A32S,
    /// `:a32u`
    A32U,
    /// `:a64`
    A64,
}

impl AddressSize {
    /// As written after the colon.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::A16 => "a16",
            Self::A32 => "a32",
            Self::A32S => "a32s",
            Self::A32U => "a32u",
            Self::A64 => "a64",
        }
    }

    /// From its word.
    #[must_use]
    pub fn from_text(text: &str) -> Option<Self> {
        [Self::A16, Self::A32, Self::A32S, Self::A32U, Self::A64].into_iter().find(|m| m.text() == text)
    }

    /// Bytes of one address.
    #[must_use]
    pub const fn bytes(self) -> u32 {
        match self {
            Self::A16 => 2,
            Self::A32 | Self::A32S | Self::A32U => 4,
            Self::A64 => 8,
        }
    }
}

/// What an item of an address, or a surface, is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LscValue {
    /// Could not be understood and was reported.
    Broken,
    /// `%null`
    Null,
    /// `V` or `V.64`
    Register {
        /// The variable.
        variable: VariableId,
        /// Byte offset in it.
        byte_offset: i32,
    },
    /// One element, `V(0,1)`; `V` and `V.1` where only one element is used.
    Element {
        /// The variable.
        variable: VariableId,
        /// Rows of one register each.
        row: i32,
        /// Elements in the row.
        column: i32,
    },
    /// A number.
    Immediate(i64),
}

impl LscValue {
    /// Whether it is a register: an operand of lanes, or one element.
    #[must_use]
    pub const fn is_register(self) -> bool {
        matches!(self, Self::Register { .. } | Self::Element { .. })
    }

    /// The variable that it names.
    #[must_use]
    pub const fn variable(self) -> Option<VariableId> {
        match self {
            Self::Register { variable, .. } | Self::Element { variable, .. } => Some(variable),
            _ => None,
        }
    }

    /// The same, to replace it.
    pub(crate) fn variable_mut(&mut self) -> Option<&mut VariableId> {
        match self {
            Self::Register { variable, .. } | Self::Element { variable, .. } => Some(variable),
            _ => None,
        }
    }
}

/// An item between the brackets: `scale * value + displacement`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LscItem {
    /// The value.
    pub value: LscValue,
    /// The scale; 1 where none is written.
    pub scale: i64,
    /// The displacement; 0 where none is written.
    pub displacement: i64,
    /// A pair of displacements, `V+(3,4)`.
    pub displacement_pair: Option<(i64, i64)>,
    /// The whole item.
    pub span: Span,
    /// The value.
    pub value_span: Span,
    /// The scale; empty if none is written.
    pub scale_span: Span,
    /// The displacement with its sign; empty if none is written.
    pub displacement_span: Span,
}

/// `model(surface, index)[items]:size`
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LscAddress {
    /// The word before the brackets.
    pub model: AddressModel,
    /// Whether that word is written.
    pub has_model: bool,
    /// The surface or base in parentheses.
    pub surface: Option<LscValue>,
    /// The second number in the parentheses.
    pub surface_index: Option<i64>,
    /// Whether there are brackets.
    pub has_brackets: bool,
    /// Its items in [`super::Program::lsc_items`].
    pub first_item: u32,
    /// One past its last item.
    pub items_end: u32,
    /// The address size, if one is written and known.
    pub size: Option<AddressSize>,
    /// The model's word; empty if none is written.
    pub model_span: Span,
    /// The surface in the parentheses; empty if there is none.
    pub surface_span: Span,
    /// The second number in the parentheses; empty if there is none.
    pub surface_index_span: Span,
    /// `:a64`; empty if none is written.
    pub size_span: Span,
}

impl LscAddress {
    /// The places of its items in [`super::Program::lsc_items`].
    #[must_use]
    pub const fn items(&self) -> std::ops::Range<usize> {
        self.first_item as usize..self.items_end as usize
    }
}

/// The size part of a data shape.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct LscDataSize {
    /// Bytes of one element in memory.
    pub memory_bytes: u8,
    /// Bytes of one element in registers.
    pub register_bytes: u8,
    /// `h`: in the high half of the register element.
    pub is_high: bool,
}

impl LscDataSize {
    /// Whether an element of memory becomes a wider one in the register.
    #[must_use]
    pub const fn is_conversion(self) -> bool {
        self.memory_bytes != self.register_bytes
    }

    /// As the manual writes it.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match (self.memory_bytes, self.register_bytes, self.is_high) {
            (1, 1, _) => "d8",
            (1, ..) => "d8u32",
            (2, 2, _) => "d16",
            (2, _, false) => "d16u32",
            (2, _, true) => "d16u32h",
            (4, ..) => "d32",
            _ => "d64",
        }
    }
}

/// What follows the size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LscShapeKind {
    /// `x4`, `x64t`; 1 where no vector is written.
    Vector {
        /// Elements per lane.
        n_elements: u8,
        /// `t`
        is_transposed: bool,
    },
    /// `.xyzw`: bits x = 1, y = 2, z = 4, w = 8.
    Channels(u8),
    /// `.2x16x8nt`
    Block2d {
        /// Blocks; 1 where none are written.
        n_blocks: u32,
        /// Elements of a row.
        width: u32,
        /// Rows.
        height: u32,
        /// First letter is `t`.
        is_transposed: bool,
        /// Second letter is `t`.
        is_vnni: bool,
    },
    /// `32x4` without a size: a block of a typed surface, in bytes and rows.
    TypedBlock2d {
        /// Bytes of a row.
        width: u32,
        /// Rows.
        height: u32,
    },
}

impl LscShapeKind {
    /// Elements of a row of a block in registers, with padding, and rows; nothing for other shapes. The elements of a block
    /// of a typed surface are bytes.
    #[must_use]
    pub const fn block_rows(self) -> Option<(u64, u64)> {
        let (row, rows) = match self {
            Self::Block2d { width, height, is_transposed: true, .. } => (height, width),
            Self::Block2d { width, height, .. } => (width, height),
            Self::TypedBlock2d { width, height } => (if width < 4 { 4 } else { width }, height),
            _ => return None,
        };
        match row.checked_next_power_of_two() {
            Some(row) => Some((row as u64, rows as u64)),
            None => Some((u32::MAX as u64, rows as u64)),
        }
    }
}

/// A data shape: `:d32x4`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LscShape {
    /// The size.
    pub size: LscDataSize,
    /// What follows it.
    pub kind: LscShapeKind,
}
