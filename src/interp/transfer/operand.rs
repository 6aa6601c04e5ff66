//! Sources and destinations of ALU instructions.

use crate::interp::domain::atom::Origin;
use crate::interp::domain::condition::Condition;
use crate::interp::domain::function::Function;
use crate::interp::domain::lanes::Lanes;
use crate::interp::domain::{Domain, LANES, Value, mask};
use crate::interp::state::content::{NO_WRITER, Presence, later};
use crate::interp::state::{Change, Location, Reader, Undefined, first_undefined};
use crate::interp::transfer::address::IndirectAddress;
use crate::interp::transfer::copies::passes_on;
use crate::interp::transfer::effects::{Effects, Observed};
use crate::interp::transfer::undefined::leaves_undefined;
use crate::program::{Operand, Region, RegionForm, SourceModifier, VariableId, View};
use crate::spec::Type;
use crate::spec::operation::{LowBits, Operation};

/// A source as it was read.
pub struct Source {
    /// The elements, as wide as their type.
    pub lanes: Lanes<Value>,
    /// Their type; a wider one than that of the operand where a source modifier may not fit it.
    pub kind: Type,
    /// Bytes of the operand's elements.
    pub bytes: u8,
    /// The instruction that wrote the first of them.
    pub writer: u32,
    /// The first lane that reads something undefined.
    pub undefined: Option<Undefined>,
}

impl Source {
    fn new(lanes: Lanes<Value>, kind: Type, writer: u32, undefined: Option<Undefined>) -> Self {
        Self { lanes, kind, bytes: kind.bytes() as u8, writer, undefined }
    }
}

/// The lanes of an immediate, and the type that they have.
#[must_use]
pub fn immediate(bits: u64, kind: Type, n: u32) -> (Lanes<Value>, Type) {
    let nibble = |lane: u32| bits >> (4 * (lane % 8)) & 15;
    match kind {
        Type::UV => (Lanes::of(n, |l| Value::known(nibble(l), 2)), Type::UW),
        Type::V => (Lanes::of(n, |l| Value::known(((nibble(l) << 60) as i64 >> 60) as u64, 2)), Type::W),
        Type::VF => (
            Lanes::of(n, |l| {
                let byte = bits >> (8 * (l % 4)) & 0xff;
                Value::known(restricted_float(byte as u8).to_bits().into(), 4)
            }),
            Type::F,
        ),
        _ => (Lanes::run(Value::known(bits, kind.bytes() as u8), n), kind),
    }
}

impl Reader<'_> {
    /// Reads a source of an ALU instruction, without its source modifier.
    pub fn source(&mut self, view: &View, place: usize, exec_mask: &Lanes<Condition>) -> Source {
        self.read_source(view, place, exec_mask, None)
    }

    /// Reads a source of an ALU instruction, and says what is come across.
    pub(super) fn observed_source(
        &mut self,
        view: &View,
        place: usize,
        exec_mask: &Lanes<Condition>,
        effects: &mut Effects,
    ) -> Source {
        self.read_source(view, place, exec_mask, Some(effects))
    }

    fn read_source(
        &mut self,
        view: &View,
        place: usize,
        exec_mask: &Lanes<Condition>,
        effects: Option<&mut Effects>,
    ) -> Source {
        let n = exec_mask.len();
        // Elements one after the other, whatever the region says.
        let is_block = n > 1 && view.row.operation == Some(Operation::Movs);
        let region_of =
            |region: Region| if is_block && region.form != RegionForm::Rows { Region::CONTIGUOUS } else { region };
        match view.operands[place] {
            Operand::Immediate { bits, element_type } => {
                let (lanes, kind) = immediate(bits, element_type, n);
                Source::new(lanes, kind, NO_WRITER, None)
            }
            Operand::Indirect { element_type, .. } => {
                let (lanes, undefined) = match IndirectAddress::of(view, place) {
                    Some(address) => {
                        let address = IndirectAddress { region: region_of(address.region), ..address };
                        self.read_indirect(view, address, exec_mask, effects)
                    }
                    None => (Lanes::run(self.domain.unknown(4, Origin::Result), n), None),
                };
                Source::new(lanes, element_type, NO_WRITER, undefined)
            }
            ref operand => {
                if let Some((at, kind)) = self.direct_location(operand) {
                    let at = Location { region: region_of(at.region), ..at };
                    let (lanes, writer, undefined) = self.read_at(at, exec_mask);
                    Source::new(lanes, kind, writer, undefined)
                } else {
                    let unknown = self.domain.unknown(4, Origin::Result);
                    Source::new(Lanes::run(unknown, n), Type::UD, NO_WRITER, None)
                }
            }
        }
    }

    /// The instruction that wrote a direct source of an ALU instruction last, and the first lane that reads something
    /// undefined.
    pub fn presence(&mut self, view: &View, place: usize, exec_mask: &Lanes<Condition>) -> (u32, Option<Undefined>) {
        let operand = &view.operands[place];
        let Some((at, _)) = self.direct_location(operand) else {
            return (NO_WRITER, None);
        };
        let n = exec_mask.len();
        if let Ok(start) = u32::try_from(at.start) {
            self.content(at.root, start, at.bytes);
        }
        let Some((content, domain)) = self.existing_with_values(at.root) else { return (NO_WRITER, None) };
        let is_scalar = at.region.is_scalar() || n == 1;
        let n_read = if is_scalar { 1 } else { n };
        if let Ok(start) = u32::try_from(at.start)
            && (is_scalar || at.region.is_contiguous(n))
            && let Some(writer) = content.writer_of_run(start, at.bytes, n_read)
        {
            return (writer, None);
        }
        let mut all = [Presence::GIVEN; LANES as usize];
        let mut writer = NO_WRITER;
        for lane in 0..n_read {
            let Some(presence) =
                u32::try_from(at.start_of(lane)).ok().and_then(|o| content.presence(domain, o, at.bytes))
            else {
                continue;
            };
            writer = later(writer, presence.writer);
            all[lane as usize] = presence;
        }
        if all[..n_read as usize].iter().all(|presence| presence.defined.is_true()) {
            return (writer, None);
        }
        let at = |l: u32| all[if is_scalar { 0 } else { l as usize }];
        let undefined = first_undefined(n, exec_mask, at).or_else(|| self.lacking(exec_mask, at));
        (writer, undefined)
    }

    /// Whether undefined bytes of a source are among the bits that an instruction is known to use of it.
    pub(in crate::interp) fn keeps_undefined(&mut self, view: &View, place: usize, undefined: Undefined) -> bool {
        let Some(used) = used_bits(view, place) else { return false };
        let Some((at, _)) = self.direct_location(&view.operands[place]) else { return false };
        let start = at.start_of(undefined.lane);
        let Ok(start) = u32::try_from(start) else { return false };
        let Some((content, domain)) = self.existing_with_values(at.root) else { return false };
        let unit = content.unit().min(at.bytes);
        (0..u32::from(at.bytes)).step_by(usize::from(unit)).any(|i| {
            let is_undefined = content.presence(domain, start + i, unit).is_some_and(|p| p.defined.is_false());
            is_undefined && (used >> (8 * i)) & mask(unit) != 0
        })
    }

    /// Applies a source modifier. `only_low_bits` says that nothing beyond the width of the source matters.
    pub(in crate::interp) fn modify(&mut self, source: &mut Source, modifier: SourceModifier, only_low_bits: bool) {
        if modifier == SourceModifier::None {
            return;
        }
        let kind = source.kind;
        let bytes = kind.bytes() as u8;
        let domain = &mut self.domain;
        let overflows = |domain: &Domain, value: Value| {
            let limit = 1_i128 << (8 * u32::from(bytes) - 1);
            match modifier {
                SourceModifier::Negate | SourceModifier::Absolute if kind.is_signed() => {
                    i128::from(domain.signed_range(value).0) == -limit
                }
                SourceModifier::Negate | SourceModifier::NegateAbsolute if !kind.is_signed() => {
                    i128::from(domain.range(value).1) > limit
                }
                _ => false,
            }
        };
        if kind.is_integer() && !only_low_bits && source.lanes.iter().any(|v| overflows(domain, v)) {
            // Whether it wraps around at its own width is not the same on every machine.
            if let Some(wider) = signed_of_twice_the_bytes(kind) {
                let wide = wider.bytes() as u8;
                source.lanes = source.lanes.map(|value| {
                    let none = Value::known(0, bytes);
                    domain.applied(Function::Sign(modifier as u8, kind), [value, none, none], wide)
                });
                source.kind = wider;
                return;
            }
        }
        source.lanes = source.lanes.map(|value| {
            if kind.is_float() {
                let sign = 1_u64 << (8 * u32::from(bytes) - 1);
                return match (value.as_known(), modifier) {
                    (Some(bits), SourceModifier::Negate) => Value::known(bits ^ sign, bytes),
                    (Some(bits), SourceModifier::Absolute) => Value::known(bits & !sign, bytes),
                    (Some(bits), SourceModifier::NegateAbsolute) => Value::known(bits | sign, bytes),
                    _ => {
                        let none = Value::known(0, bytes);
                        domain.applied(Function::Sign(modifier as u8, kind), [value, none, none], bytes)
                    }
                };
            }
            match modifier {
                SourceModifier::Negate => domain.scale(value, u64::MAX),
                SourceModifier::Complement => domain.bit_not(value),
                SourceModifier::Absolute | SourceModifier::NegateAbsolute => {
                    let (low, high) = domain.signed_range(value);
                    let negate = modifier == SourceModifier::NegateAbsolute;
                    let is_plain = !kind.is_signed() || low >= 0;
                    if is_plain || high <= 0 {
                        if is_plain == negate { domain.scale(value, u64::MAX) } else { value }
                    } else {
                        domain.unknown_for(&[value], bytes)
                    }
                }
                SourceModifier::None => value,
            }
        });
        if matches!(modifier, SourceModifier::Negate | SourceModifier::NegateAbsolute) && !kind.is_float() {
            // The negative of an unsigned number is extended by its sign.
            source.kind = match kind {
                Type::UB => Type::B,
                Type::UW => Type::W,
                Type::UD => Type::D,
                Type::UQ => Type::Q,
                signed => signed,
            };
        }
    }

    /// The type of a destination's elements.
    #[must_use]
    pub fn destination_type(&self, operand: &Operand) -> Option<Type> {
        match *operand {
            Operand::Indirect { element_type, .. } => Some(element_type),
            _ if operand.is_null() => Some(Type::UD),
            _ => self.direct_location(operand).map(|(_, kind)| kind),
        }
    }
}

impl Reader<'_> {
    /// Reads the operands from `first` on as sources.
    pub(super) fn read_sources(
        &mut self,
        view: &View,
        first: usize,
        exec_mask: &Lanes<Condition>,
        effects: &mut Effects,
    ) -> Vec<Source> {
        let mut sources = Vec::with_capacity(view.operands.len().saturating_sub(first));
        for place in first..view.operands.len() {
            let mut source = self.observed_source(view, place, exec_mask, effects);
            source.undefined = self.undefined_where_read(view, place, source.undefined, exec_mask);
            effects.note_writer(place - first, source.writer);
            self.note_undefined(view, place, source.undefined, effects);
            sources.push(source);
        }
        let to = view.operands.first().and_then(|o| self.destination_type(o));
        let width = sources.iter().map(|s| s.kind).chain(to).map(Type::bytes).max().unwrap_or(0);
        let wraps = !view.instruction.saturate && view.row.operation.is_some_and(looks_at_low_bits);
        for (source, place) in sources.iter_mut().zip(first..) {
            let only_low_bits = wraps && source.kind.bytes() >= width;
            self.modify(source, view.operands[place].modifier(), only_low_bits);
        }
        sources
    }

    /// Notes a source that nothing has written, unless the instruction is one that compilers write such sources for: a
    /// copy of what is undefined is undefined and harmless, and a comparison of a variable with itself gives the
    /// active lanes. Nor does a result count that is the same whatever the source holds.
    pub(super) fn note_undefined(
        &mut self,
        view: &View,
        place: usize,
        undefined: Option<Undefined>,
        effects: &mut Effects,
    ) {
        let Some(undefined) = undefined else { return };
        match view.row.operation {
            _ if passes_on(view, place, undefined)
                || leaves_undefined(view, place, undefined)
                || is_cancelled(view, place) =>
            {
                return;
            }
            Some(Operation::Cmp) => {
                let sources = view.operands.get(view.operands.len().saturating_sub(2)..).unwrap_or_default();
                if let [a, b] = sources
                    && a == b
                {
                    return;
                }
            }
            // The bytes that are not defined may be thrown away again.
            Some(operation)
                if operation.row().discards_bits
                    && undefined.is_partial
                    && !self.keeps_undefined(view, place, undefined) =>
            {
                return;
            }
            _ => {}
        }
        effects.observe(place, Observed::UndefinedVariable(undefined, None));
    }

    /// Writes the result of an ALU instruction, as wide as the destination's elements.
    pub(super) fn write(
        &mut self,
        view: &View,
        place: usize,
        values: Lanes<Value>,
        exec_mask: Lanes<Condition>,
        effects: &mut Effects,
    ) {
        match view.operands[place] {
            Operand::Indirect { address, element, offset, region, element_type, .. } => {
                let address = IndirectAddress { place, variable: address, element, offset, region, element_type };
                let places = self.indirect_locations(view, address, &exec_mask, Some(effects));
                let is_known = (0..exec_mask.len()).all(|l| exec_mask.at(l).is_false() || places[l as usize].is_some());
                if !is_known {
                    return effects.changes.push(Change::ForgetAddressed);
                }
                self.check_overwritten(view, &places, i64::from(element_type.bytes()), &exec_mask, effects);
                for lane in 0..exec_mask.len() {
                    if let Some((root, start)) = places[lane as usize] {
                        let one = Location { root, start, bytes: element_type.bytes() as u8, region: Region::SCALAR };
                        effects.write(one, Lanes::run(values.at(lane), 1), Lanes::run(exec_mask.at(lane), 1));
                    }
                }
            }
            ref operand => {
                if let Some((at, _)) = self.direct_location(operand)
                    && operand.variable() != Some(VariableId::NULL)
                {
                    effects.write(at, values, exec_mask);
                }
            }
        }
    }
}

/// The bits of a source that come through, where numbers in the text say which these are.
fn used_bits(view: &View, place: usize) -> Option<u64> {
    let number = |place: usize| match *view.operands.get(place)? {
        Operand::Immediate { bits, element_type } if element_type.is_integer() => Some(bits),
        _ => None,
    };
    // Five bits of each are read.
    let field = || Some(((1_u64 << (number(1)? & 31)) - 1, number(2)? & 31));
    match (view.row.operation?, place) {
        (Operation::And, 1 | 2) => number(3 - place),
        (Operation::Bfe, 3) => field().map(|(ones, offset)| ones << offset),
        (Operation::Bfi, 3) => field().map(|(ones, _)| ones),
        (Operation::Bfi, 4) => field().map(|(ones, offset)| !(ones << offset)),
        _ => None,
    }
}

/// Whether the result of an instruction is the same whatever one of its sources holds, such as `a ^ a` and `a & 0`.
fn is_cancelled(view: &View, place: usize) -> bool {
    let [_, a, b] = view.operands else { return false };
    let other = if place == 1 { b } else { a };
    let is = |number: u64| match *other {
        Operand::Immediate { bits, element_type } if element_type.is_integer() => {
            bits & mask(element_type.bytes() as u8) == number & mask(element_type.bytes() as u8)
        }
        _ => false,
    };
    match view.row.operation {
        Some(Operation::Xor) => a == b,
        Some(Operation::And | Operation::Mul) => is(0),
        Some(Operation::Or) => is(u64::MAX),
        _ => false,
    }
}

/// Whether the lowest bits of a result depend on as many bits of the first source only.
pub(in crate::interp) const fn looks_at_low_bits(operation: Operation) -> bool {
    !matches!(operation.row().low_bits, LowBits::Whole)
}

/// The signed type that holds every number of an integer type and its negative.
pub(in crate::interp) fn signed_of_twice_the_bytes(kind: Type) -> Option<Type> {
    match kind.bytes() {
        1 => Some(Type::W),
        2 => Some(Type::D),
        4 => Some(Type::Q),
        _ => None,
    }
}

/// An eight-bit float: sign, three bits of exponent, four of fraction.
#[expect(clippy::verbose_bit_mask, reason = "all bits but the sign")]
pub(in crate::interp) fn restricted_float(bits: u8) -> f32 {
    let sign = if bits & 0x80 == 0 { 1.0 } else { -1.0 };
    if bits & 0x7f == 0 {
        return sign * 0.0;
    }
    sign * (1.0 + f32::from(bits & 15) / 16.0) * 2_f32.powi(i32::from(bits >> 4 & 7) - 3)
}
