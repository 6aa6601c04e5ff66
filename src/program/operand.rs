//! Operands, resolved.

use super::region::Region;
use super::variable::VariableId;
use crate::base::span::Span;
use crate::base::symbol::Symbol;
use crate::spec::Type;
use crate::spec::instruction::OperandKind;

/// A source modifier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SourceModifier {
    /// None.
    None,
    /// `(-)`
    Negate,
    /// `(abs)`
    Absolute,
    /// `(-abs)`
    NegateAbsolute,
    /// `(~)`
    Complement,
}

impl SourceModifier {
    /// As written; empty for none.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Negate => "(-)",
            Self::Absolute => "(abs)",
            Self::NegateAbsolute => "(-abs)",
            Self::Complement => "(~)",
        }
    }
}

/// An operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operand {
    /// Something that could not be understood and was reported; later checks skip it.
    Broken,
    /// `V(row,column)<region>`
    General {
        /// The variable.
        variable: VariableId,
        /// Rows of one register each.
        row: i32,
        /// Elements in the row.
        column: i32,
        /// The region.
        region: Region,
        /// The source modifier.
        modifier: SourceModifier,
    },
    /// `r[A(element),offset]<region>:type`
    Indirect {
        /// The address variable.
        address: VariableId,
        /// The element of it.
        element: i32,
        /// Byte offset that is added.
        offset: i32,
        /// The region.
        region: Region,
        /// The element type.
        element_type: Type,
        /// The source modifier.
        modifier: SourceModifier,
    },
    /// `0x1:ud`
    Immediate {
        /// Its bits, sign-extended integers for integer types.
        bits: u64,
        /// Its type.
        element_type: Type,
    },
    /// `V.64`
    Raw {
        /// The variable.
        variable: VariableId,
        /// Byte offset in it.
        byte_offset: i32,
    },
    /// `A(element)<width>`
    Address {
        /// The address variable.
        variable: VariableId,
        /// First element.
        element: i32,
        /// Elements.
        width: i32,
    },
    /// `&V[offset]`
    AddressOf {
        /// The variable.
        variable: VariableId,
        /// Byte offset.
        offset: i32,
    },
    /// `P1`
    Predicate {
        /// The predicate variable.
        variable: VariableId,
    },
    /// A surface or a sampler by name; `index` of the `(T6, 2)` form.
    Handle {
        /// The surface, sampler or, where bindless handles are allowed, general variable.
        variable: VariableId,
        /// The index, 0 where none is written.
        index: i32,
    },
    /// `T6(index)`
    State {
        /// The surface or sampler variable.
        variable: VariableId,
        /// The element.
        index: i32,
    },
    /// `V(row,column)` without a region
    Element {
        /// The variable.
        variable: VariableId,
        /// Rows of one register each.
        row: i32,
        /// Elements in the row.
        column: i32,
    },
    /// A number without a type.
    Number {
        /// Its value.
        value: i64,
    },
    /// A label or function name.
    Name {
        /// The name.
        name: Symbol,
        /// Whether it is quoted.
        is_quoted: bool,
    },
    /// Names in [`super::Program::label_lists`].
    LabelList {
        /// The first.
        start: u32,
        /// One past the last.
        end: u32,
    },
    /// `"text"`; its text is that of its span.
    String,
    /// A bare variable name, as in `lifetime.start V`.
    Variable {
        /// The variable.
        variable: VariableId,
    },
    /// A word: its place in the slot's list.
    Keyword {
        /// The place.
        index: u8,
    },
    /// `V.64:d32x4`
    LscData {
        /// The variable.
        variable: VariableId,
        /// Byte offset in it.
        byte_offset: i32,
        /// Its place in [`super::Program::lsc_shapes`].
        shape: u32,
    },
    /// `flat[V]:a64`: its place in [`super::Program::lsc_addresses`].
    LscAddress {
        /// The place.
        index: u32,
    },
    /// `V.0/32`
    WithLength {
        /// The variable.
        variable: VariableId,
        /// Byte offset in it.
        byte_offset: i32,
        /// Bytes.
        length: i32,
    },
}

const _: () = assert!(size_of::<Operand>() <= 28);

impl Operand {
    /// The variable that it names, if it names one.
    #[must_use]
    pub fn variable(&self) -> Option<VariableId> {
        let mut own = *self;
        own.variable_mut().copied()
    }

    /// The same, to replace it.
    pub(crate) fn variable_mut(&mut self) -> Option<&mut VariableId> {
        match self {
            Self::General { variable, .. }
            | Self::Raw { variable, .. }
            | Self::Address { variable, .. }
            | Self::AddressOf { variable, .. }
            | Self::Predicate { variable }
            | Self::Handle { variable, .. }
            | Self::State { variable, .. }
            | Self::Element { variable, .. }
            | Self::Variable { variable }
            | Self::LscData { variable, .. }
            | Self::WithLength { variable, .. }
            | Self::Indirect { address: variable, .. } => Some(variable),
            _ => None,
        }
    }

    /// The bits that may be written of an element of which others are reserved.
    #[must_use]
    pub fn writable_bits(&self) -> Option<u32> {
        let Self::General { variable, row: 0, column, .. } = *self else { return None };
        let (element, bits) = variable.predefined()?.writable_bits?;
        (u32::try_from(column) == Ok(element)).then_some(bits)
    }

    /// Whether both are general operands that begin at the same element of one variable.
    #[must_use]
    pub fn is_same_element(&self, other: &Self) -> bool {
        let element = |operand: &Self| match *operand {
            Self::General { variable, row, column, .. } => Some((variable, row, column)),
            _ => None,
        };
        element(self).is_some_and(|own| element(other) == Some(own))
    }

    /// Whether it is `%null`.
    #[must_use]
    pub fn is_null(&self) -> bool {
        self.variable() == Some(VariableId::NULL)
    }

    /// The source modifier.
    #[must_use]
    pub const fn modifier(&self) -> SourceModifier {
        match *self {
            Self::General { modifier, .. } | Self::Indirect { modifier, .. } => modifier,
            _ => SourceModifier::None,
        }
    }

    /// The region of a general or indirect operand.
    #[must_use]
    pub const fn region(&self) -> Option<Region> {
        match *self {
            Self::General { region, .. } | Self::Indirect { region, .. } => Some(region),
            _ => None,
        }
    }

    /// Its form, unless it is broken.
    #[must_use]
    pub const fn kind(&self) -> Option<OperandKind> {
        Some(match self {
            Self::Broken => return None,
            Self::General { .. } => OperandKind::General,
            Self::Indirect { .. } => OperandKind::Indirect,
            Self::Immediate { .. } => OperandKind::Immediate,
            Self::Raw { .. } => OperandKind::Raw,
            Self::Address { .. } => OperandKind::Address,
            Self::AddressOf { .. } => OperandKind::AddressOf,
            Self::Predicate { .. } => OperandKind::Predicate,
            Self::Handle { .. } => OperandKind::Surface,
            Self::State { .. } => OperandKind::State,
            Self::Element { .. } => OperandKind::Element,
            Self::Number { .. } => OperandKind::Number,
            Self::Name { .. } => OperandKind::Label,
            Self::LabelList { .. } => OperandKind::LabelList,
            Self::String => OperandKind::String,
            Self::Variable { .. } => OperandKind::Variable,
            Self::Keyword { .. } => OperandKind::Keyword,
            Self::LscData { .. } => OperandKind::LscData,
            Self::LscAddress { .. } => OperandKind::LscAddress,
            Self::WithLength { .. } => OperandKind::WithLength,
        })
    }
}

/// The places of the parts of an operand; empty where a part is absent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct OperandSpans {
    /// The whole.
    pub whole: Span,
    /// The name, or the number.
    pub name: Span,
    /// `(0,0)`, `.64`, `[4]`
    pub offset: Span,
    /// `<8;8,1>`
    pub region: Span,
    /// `:ud`, with the colon
    pub suffix: Span,
}
