//! An LSC message taken apart: what it does, through which unit, and the places of its parts.

use crate::base::span::Span;
use crate::checks::context::View;
use crate::interp::facts::AddressNumbers;
use crate::program::lsc::{LscAddress, LscItem, LscShape, LscShapeKind, LscValue};
use crate::program::{ModifierUse, Operand, OperandSpans, VariableId};
use crate::spec::ModifierName;
use crate::spec::OperandName;
use crate::spec::instruction::{AccessKind, KindSet, OperandKind};

/// What a message does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// Loads data, or prefetches them.
    Load,
    /// Says which addresses are valid.
    Status,
    /// Stores data.
    Store,
    /// Reads and writes indivisibly.
    Atomic,
    /// The same on the append counter of a surface.
    Counter,
    /// Reads the description of a surface.
    StateInfo,
    /// Changes the state of cache lines.
    CacheControl,
}

/// The unit that performs a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    /// Untyped global memory.
    Ugm,
    /// The same, low bandwidth.
    Ugml,
    /// Shared local memory.
    Slm,
    /// Typed global memory.
    Tgm,
}

impl Unit {
    /// From its word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Some(match word {
            "ugm" => Self::Ugm,
            "ugml" => Self::Ugml,
            "slm" => Self::Slm,
            "tgm" => Self::Tgm,
            _ => return None,
        })
    }

    /// As written.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Ugm => "ugm",
            Self::Ugml => "ugml",
            Self::Slm => "slm",
            Self::Tgm => "tgm",
        }
    }
}

/// The data operand.
#[derive(Clone, Copy)]
pub struct Data<'a> {
    /// Its variable; `%null` for prefetches and unused results.
    pub variable: VariableId,
    /// Byte offset in it.
    pub byte_offset: i32,
    /// Its shape.
    pub shape: LscShape,
    /// Its places.
    pub spans: &'a OperandSpans,
    /// The size in its shape, with the colon: `:d32`, or the whole shape of a vector.
    pub size_span: Span,
    /// What follows the size after a dot, with the dot: `.xyzw`, `.2x16x8nn`; the whole shape of a vector.
    pub tail_span: Span,
}

impl Data<'_> {
    /// Whether it is `%null`.
    #[must_use]
    pub fn is_null(&self) -> bool {
        self.variable == VariableId::NULL
    }
}

/// A message.
#[derive(Clone, Copy)]
pub struct Message<'a> {
    /// The instruction.
    pub view: &'a View<'a>,
    /// What it does.
    pub class: Class,
    /// Through which unit; nothing if that could not be read.
    pub unit: Option<Unit>,
    /// Lanes; nothing if the execution size could not be read.
    pub lanes: Option<u32>,
    /// The data operand; nothing if there is none or it could not be read.
    pub data: Option<Data<'a>>,
    /// The address, or the surface of an append counter.
    pub address: Option<(&'a LscAddress, &'a OperandSpans)>,
    /// What registers of the address are known to hold; nothing where the text alone is checked.
    pub known: AddressNumbers,
    /// The forms that the slot of the data takes.
    data_kinds: KindSet,
    /// The forms that the slot of the address takes.
    address_kinds: KindSet,
}

impl<'a> Message<'a> {
    /// Takes the instruction apart.
    #[must_use]
    pub fn new(view: &'a View<'a>) -> Self {
        let row = view.row;
        let class = match row.accesses.first().map(|access| access.kind) {
            _ if row.slot(OperandName::SURFACE).is_some() && row.slot(OperandName::SRC0_DATA).is_some() => {
                Class::Counter
            }
            _ if row.slot(OperandName::SURFACE).is_some() => Class::StateInfo,
            Some(AccessKind::Read) => Class::Load,
            Some(AccessKind::Write) => Class::Store,
            Some(AccessKind::Atomic) => Class::Atomic,
            None if row.slot(OperandName::DST_DATA).is_some() => Class::Status,
            None => Class::CacheControl,
        };
        let mut message = Self {
            view,
            class,
            unit: view.modifier_word(ModifierName::UNIT).and_then(Unit::from_word),
            lanes: view.instruction.has_exec.then_some(u32::from(view.instruction.exec_size)),
            data: None,
            address: None,
            known: AddressNumbers::default(),
            data_kinds: KindSet(0),
            address_kinds: KindSet(0),
        };
        // Some mnemonics hold their unit.
        if let Some((_, unit)) = row.mnemonic.split_once('.') {
            message.unit = Unit::from_word(unit);
        }
        for ((operand, spans), slot) in view.operands.iter().zip(view.operand_spans).zip(view.slots) {
            message.take(operand, spans, row.operands[usize::from(*slot)].kinds);
        }
        message
    }

    /// Takes an operand as the data or the address, whose slot takes these forms.
    pub fn take(&mut self, operand: &Operand, spans: &'a OperandSpans, kinds: KindSet) {
        let program = self.view.cx.program;
        match *operand {
            Operand::LscData { variable, byte_offset, shape } if self.data.is_none() => {
                let shape = program.lsc_shapes[shape as usize];
                let dot = self.view.text(spans.suffix).find('.').map(|i| spans.suffix.start + i as u32);
                let (size_span, tail_span) = match dot {
                    Some(dot) => (Span::new(spans.suffix.start, dot), Span::new(dot, spans.suffix.end)),
                    None => (spans.suffix, spans.suffix),
                };
                self.data = Some(Data { variable, byte_offset, shape, spans, size_span, tail_span });
                self.data_kinds = kinds;
            }
            Operand::LscAddress { index } => {
                self.address = Some((&program.lsc_addresses[index as usize], spans));
                self.address_kinds = kinds;
            }
            _ => {}
        }
    }

    /// The items between the brackets of the address.
    #[must_use]
    pub fn items(&self) -> &'a [LscItem] {
        self.address.map_or(&[], |(address, _)| &self.view.cx.program.lsc_items[address.items()])
    }

    /// The number that an item of the address is: written, or held by the one element that it is.
    #[must_use]
    pub fn number(&self, item: usize) -> Option<i64> {
        match self.items().get(item)?.value {
            LscValue::Immediate(number) => Some(number),
            LscValue::Element { .. } => self.known.items().get(item).copied().flatten().map(i64::from),
            _ => None,
        }
    }

    /// Whether its data have channels instead of a vector length.
    #[must_use]
    pub const fn is_quad(&self) -> bool {
        self.data_kinds.contains(OperandKind::LscChannels)
    }

    /// Whether it moves a block of a 2D surface that is given by its parameters.
    #[must_use]
    pub const fn is_block(&self) -> bool {
        self.data_kinds.contains(OperandKind::LscBlock) || self.address_kinds.contains(OperandKind::LscBlockAddress)
    }

    /// Whether it moves a block of a typed surface.
    #[must_use]
    pub const fn is_typed_block(&self) -> bool {
        self.data_kinds.contains(OperandKind::LscTypedBlock)
            || self.address_kinds.contains(OperandKind::LscTypedBlockAddress)
    }

    /// Whether its addresses are a base and a pitch.
    #[must_use]
    pub const fn is_strided(&self) -> bool {
        self.address_kinds.contains(OperandKind::LscStridedAddress)
    }

    /// Whether its brackets hold coordinates.
    #[must_use]
    pub fn has_coordinates(&self) -> bool {
        self.unit == Some(Unit::Tgm) && !self.is_typed_block() && self.class != Class::StateInfo
    }

    /// Whether addresses have to be multiples of the element size: for atomic operations, blocks, and vectors in shared
    /// local memory.
    #[must_use]
    pub fn needs_alignment(&self, data: &Data) -> bool {
        match data.shape.kind {
            _ if matches!(self.class, Class::Atomic | Class::Counter) => true,
            LscShapeKind::Vector { n_elements, is_transposed } => {
                is_transposed || self.unit == Some(Unit::Slm) && n_elements > 1
            }
            _ => false,
        }
    }

    /// The words for caching, in order.
    pub fn cache_words(&self) -> impl Iterator<Item = (&'static str, &'a ModifierUse)> + use<'a> {
        let view = self.view;
        let row = view.row;
        view.modifiers.iter().filter_map(move |used| {
            let slot = &row.modifiers[usize::from(used.slot)];
            let word = slot.values.get(usize::from(used.value))?.text;
            let is_cache =
                matches!(slot.name, ModifierName::CACHE_L1 | ModifierName::CACHE_L2 | ModifierName::CACHE_L3);
            is_cache.then_some((word, used))
        })
    }
}
