//! What one instruction does to the registers.

use super::domain::atom::{AtomKind, Function, Origin};
use super::domain::condition::{Condition, FloatRelation};
use super::domain::{Domain, Value, fold, mask};
use super::facts::FactKind;
use super::lanes::Lanes;
use super::machine::{Machine, Source, Undefined};
use super::state::NOBODY;
use crate::program::View;
use crate::program::{Operand, SourceModifier, VariableId};
use crate::spec::ModifierName;
use crate::spec::Type;
use crate::spec::instruction::ModifierKind;
use crate::spec::operation::Operation;
use crate::spec::predefined::VariableKind;

/// The destination and the sources of an ALU instruction, read.
struct Arguments {
    /// The place of the destination.
    destination: usize,
    /// Its type.
    to: Type,
    /// The sources, with source modifiers applied, as wide as their types.
    sources: Vec<Source>,
    /// The lanes.
    given: Lanes<Condition>,
}

impl Machine<'_> {
    /// Executes an instruction that has a row of operation.
    pub fn compute(&mut self, view: &View, operation: Operation) {
        if self.is_left_out(view) {
            return self.write_without_value(view);
        }
        match operation {
            Operation::Movs => self.move_state(view),
            Operation::Setp => self.set_predicate(view),
            Operation::AddrAdd => self.add_address(view),
            Operation::Cmp => self.compare(view),
            Operation::Mov => self.move_value(view),
            Operation::And | Operation::Or | Operation::Xor | Operation::Not
                if matches!(view.operands.first(), Some(Operand::Predicate { .. })) =>
            {
                self.combine_predicates(view, operation);
            }
            Operation::Addc | Operation::Subb => self.add_with_carry(view, operation),
            Operation::Madw => self.multiply_wide(view),
            Operation::Sel
            | Operation::Add
            | Operation::Add3
            | Operation::Mul
            | Operation::Mulh
            | Operation::Mad
            | Operation::Shl
            | Operation::Shr
            | Operation::Asr
            | Operation::Rol
            | Operation::Ror
            | Operation::And
            | Operation::Or
            | Operation::Xor
            | Operation::Not
            | Operation::Bfn
            | Operation::Min
            | Operation::Max
            | Operation::Fbl
            | Operation::Fbh
            | Operation::Cbit
            | Operation::Lzd
            | Operation::Bfrev
            | Operation::Bfe
            | Operation::Bfi
            | Operation::Avg
            | Operation::Div
            | Operation::Mod => self.compute_vector(view, operation),
        }
    }

    /// Whether nobody looks at what an instruction computes.
    pub fn is_left_out(&self, view: &View) -> bool {
        super::slice::computed_place(view).and_then(|place| view.operands[place].variable()).is_some_and(|v| {
            v == VariableId::NULL || self.root(v).is_some_and(|(register, _)| !self.is_followed(register))
        })
    }

    /// Executes an instruction at whose result nobody looks.
    pub fn write_without_value(&mut self, view: &View) {
        let given = self.mask(view);
        for place in 1..view.operands.len() {
            let (writer, undefined) = self.presence(view, place, &given);
            self.note_source(view, place - 1, writer);
            self.note_undefined(view, place, undefined);
        }
        if let Some((at, _)) = self.direct_place(&view.operands[0])
            && view.operands[0].variable() != Some(VariableId::NULL)
        {
            self.define_place(at, &given, view.index.0);
        }
    }

    /// Reads the sources of an instruction whose first operand is the destination.
    fn arguments(&mut self, view: &View) -> Option<Arguments> {
        let destination = 0;
        let to = self.destination_type(view.operands.first()?)?;
        let given = self.mask(view);
        let sources = self.read_sources(view, 1, &given);
        Some(Arguments { destination, to, sources, given })
    }

    /// Reads the operands from `first` on as sources.
    pub fn read_sources(&mut self, view: &View, first: usize, given: &Lanes<Condition>) -> Vec<Source> {
        let mut sources = Vec::with_capacity(view.operands.len().saturating_sub(first));
        for place in first..view.operands.len() {
            let source = self.source(view, place, given);
            self.note_source(view, place - first, source.writer);
            self.note_undefined(view, place, source.undefined);
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

    /// Reports a source that nothing has written, unless the instruction is one that compilers write such sources for: a
    /// copy of what is undefined is undefined and harms nobody, and a comparison of a register with itself gives the
    /// active lanes.
    fn note_undefined(&mut self, view: &View, place: usize, undefined: Option<Undefined>) {
        let Some(undefined) = undefined else { return };
        match view.row.operation {
            // What a kernel finds in `%arg`, `%retval`, `%sp` and `%fp` is nothing that a program could pass on.
            Some(Operation::Mov) if !undefined.is_partial && undefined.left_by.is_none() => {
                let root = view.operands[place].variable().map(|v| self.program.variables[v].root);
                if root.is_none_or(|root| root.predefined().is_none()) {
                    return;
                }
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
            Some(Operation::And | Operation::Shl | Operation::Bfe | Operation::Bfi | Operation::Bfn)
                if undefined.is_partial && !self.keeps_undefined(view, place, undefined) =>
            {
                return;
            }
            _ => {}
        }
        let trail = undefined.left_by.into_iter().collect();
        self.report_with(view, place, FactKind::UndefinedRegister(undefined), trail);
    }

    /// Whether undefined bytes of a source come through an `and` with a known mask.
    fn keeps_undefined(&mut self, view: &View, place: usize, undefined: Undefined) -> bool {
        if view.row.operation != Some(Operation::And) {
            return false;
        }
        let other = if place == 1 { 2 } else { 1 };
        let Some(Operand::Immediate { bits, .. }) = view.operands.get(other) else { return false };
        let Some((at, _)) = self.direct_place(&view.operands[place]) else { return false };
        let start = at.start + i64::from(at.region.element(undefined.lane)) * i64::from(at.bytes);
        let Ok(start) = u32::try_from(start) else { return false };
        let Some((register, domain)) = self.existing_mut(at.register) else { return false };
        let unit = register.unit().min(at.bytes);
        (0..u32::from(at.bytes)).step_by(usize::from(unit)).any(|i| {
            let is_undefined = register.presence(domain, start + i, unit).is_some_and(|p| p.defined.is_false());
            is_undefined && (bits >> (8 * i)) & super::domain::mask(unit) != 0
        })
    }

    /// Applies a source modifier. `only_low_bits` says that nothing beyond the width of the source matters.
    fn modify(&mut self, source: &mut Source, modifier: SourceModifier, only_low_bits: bool) {
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

    /// An operation on vectors: destination first, then sources.
    fn compute_vector(&mut self, view: &View, operation: Operation) {
        let Some(arguments) = self.arguments(view) else { return };
        let Arguments { destination, to, sources, given } = arguments;
        let result = if to.is_float() || sources.iter().any(|s| s.kind.is_float()) {
            self.float_vector(view, operation, to, &sources)
        } else {
            self.integer_vector(view, operation, to, &sources)
        };
        // add3.o puts the overflow into its predicate and executes every lane.
        if operation == Operation::Add3
            && let Some(predicate) = view.instruction.predicate
            && view.row.predicate == crate::spec::instruction::Predication::Required
        {
            let overflow = Lanes::run(self.domain.unknown_condition(), given.len());
            self.write_predicate(view, predicate.variable, view.first_lane(), &overflow, &given);
        }
        self.write(view, destination, &result, &given);
    }

    fn integer_vector(&mut self, view: &View, operation: Operation, to: Type, sources: &[Source]) -> Lanes<Value> {
        let n = view.n_lanes();
        let shape = Shape::new(view, operation, to, sources);
        let mut wide = [Lanes::run(Value::known(0, shape.width), n); 4];
        for (lanes, source) in wide.iter_mut().zip(sources) {
            let signed = source.kind.is_signed();
            *lanes = source.lanes.map(|v| self.domain.resize(v, shape.width, signed));
        }
        let [a, b, c, d] = &wide;
        if view.instruction.saturate {
            if operation == Operation::Shl {
                self.check_wide_shift(view, &shape, a, b);
            }
            return a.zip3(b, c, |x, y, z| self.saturated(&shape, [x, y, z]));
        }
        if operation == Operation::Sel {
            let choice = self.choice(view, n);
            let chosen = choice.zip3(a, b, |c, x, y| self.domain.select(c, x, y));
            return chosen.map(|v| self.domain.resize(v, shape.to_bytes, shape.signed));
        }
        let domain = &mut self.domain;
        a.zip4(b, c, d, |x, y, z, w| {
            let result = domain.operate(&shape, [x, y, z, w]);
            domain.resize(result, shape.to_bytes, shape.signed_result)
        })
    }

    /// Reports a shift whose result has more bits than saturation looks at.
    fn check_wide_shift(&mut self, view: &View, shape: &Shape, a: &Lanes<Value>, b: &Lanes<Value>) {
        for lane in 0..a.len() {
            let (Some(value), Some(count)) = (a.at(lane).as_known(), b.at(lane).as_known()) else { continue };
            let value = if shape.signed {
                i128::from(super::domain::sign_extended(value, shape.width))
            } else {
                i128::from(value)
            };
            let shifted = value << (count & shape.counts.0);
            let limit = if shape.signed { 1_i128 << 32 } else { 1 << 33 };
            if shape.width <= 4 && (shifted >= limit || shifted < -(1_i128 << 32)) {
                self.report(view, 1, FactKind::WideSaturation { lane: lane + view.first_lane() });
                return;
            }
        }
    }

    /// An operation with saturation: exact where nothing can overflow.
    fn saturated(&mut self, shape: &Shape, args: [Value; 3]) -> Value {
        let domain = &mut self.domain;
        let range = |v: Value| {
            if shape.signed {
                let (low, high) = domain.signed_range(v);
                (i128::from(low), i128::from(high))
            } else {
                let (low, high) = domain.range(v);
                (i128::from(low), i128::from(high))
            }
        };
        if shape.mixed && !args.into_iter().all(|a| domain.is_not_negative(a)) {
            return domain.applied(shape.function, args, shape.to_bytes);
        }
        let (certain, possible) = shape.counts;
        let [(a, b), (c, d), (e, f)] = args.map(range);
        // Products of unsigned qwords need not fit; then they do not fit the destination either.
        let products = [(a, c), (a, d), (b, c), (b, d)].map(|(x, y)| x.saturating_mul(y));
        let (low, high) = (products.into_iter().min().unwrap_or(0), products.into_iter().max().unwrap_or(0));
        let (low, high) = match shape.operation {
            Operation::Mov => (a, b),
            Operation::Add => (a + c, b + d),
            Operation::Add3 => (a + c + e, b + d + f),
            Operation::Mul => (low, high),
            Operation::Mad => (low.saturating_add(e), high.saturating_add(f)),
            Operation::Shl if c == d && c & i128::from(possible) <= i128::from(certain) => {
                let count = c & i128::from(certain);
                (a << count, b << count)
            }
            Operation::Min => (a.min(c), b.min(d)),
            Operation::Max => (a.max(c), b.max(d)),
            _ => (i128::MIN, i128::MAX),
        };
        let (least, greatest) = fold::limits(shape.to_bytes, shape.to_signed);
        if low >= least && high <= greatest {
            let result = domain.operate(shape, [args[0], args[1], args[2], Value::known(0, shape.width)]);
            return domain.resize(result, shape.to_bytes, shape.signed_result);
        }
        if low >= greatest {
            return Value::known(greatest as u64, shape.to_bytes);
        }
        if high <= least {
            return Value::known(least as u64, shape.to_bytes);
        }
        domain.applied(shape.function, args, shape.to_bytes)
    }
}

/// Whether the lowest bits of a result depend on as many bits of the first source only.
const fn looks_at_low_bits(operation: Operation) -> bool {
    operation.is_modular() || matches!(operation, Operation::Shl | Operation::Setp)
}

/// The signed type that holds every number of an integer type and its negative.
fn signed_of_twice_the_bytes(kind: Type) -> Option<Type> {
    match kind.bytes() {
        1 => Some(Type::W),
        2 => Some(Type::D),
        4 => Some(Type::Q),
        _ => None,
    }
}

/// What an integer operation is like in all lanes.
pub struct Shape {
    operation: Operation,
    /// Bytes at which it is computed.
    width: u8,
    /// The widest source.
    own: u8,
    /// Bytes of the destination.
    to_bytes: u8,
    to_signed: bool,
    /// Whether a source is signed.
    signed: bool,
    /// Whether another one is not.
    mixed: bool,
    /// Whether the result is extended by its sign.
    signed_result: bool,
    /// The bits of a count of bits to shift by that matter for certain, and those that may.
    counts: (u64, u64),
    /// The truth table of `bfn`.
    table: u8,
    /// What the result is where only the operands are known.
    function: Function,
}

impl Shape {
    fn new(view: &View, operation: Operation, to: Type, sources: &[Source]) -> Self {
        let to_bytes = to.bytes() as u8;
        let own = sources.iter().map(|s| s.bytes).max().unwrap_or(to_bytes);
        let signed = sources.iter().any(|s| s.kind.is_signed());
        // The manual goes by the destination, machines go by the sources.
        let bits_of = |bytes: u8| if bytes == 8 { 63 } else { 31 };
        let counts = (bits_of(own.min(to_bytes)), bits_of(own.max(to_bytes)));
        // These look at the upper bits of their sources, so that it matters how wide they are.
        let is_narrow = matches!(
            operation,
            Operation::Shr
                | Operation::Asr
                | Operation::Rol
                | Operation::Ror
                | Operation::Fbl
                | Operation::Fbh
                | Operation::Cbit
                | Operation::Lzd
                | Operation::Mulh
                | Operation::Min
                | Operation::Max
                | Operation::Div
                | Operation::Mod
                | Operation::Avg
        );
        let is_unsigned = matches!(
            operation,
            Operation::Shr
                | Operation::Fbl
                | Operation::Fbh
                | Operation::Cbit
                | Operation::Lzd
                | Operation::Rol
                | Operation::Ror
        );
        let slot = view.row.modifiers.iter().position(|m| m.kind == ModifierKind::BooleanFunction);
        let from = sources.first().map_or(to, |s| s.kind);
        let function = match view.instruction.spec {
            Some(id) => Function::Instruction(id, to, from, view.instruction.saturate),
            None => Function::Integer(operation),
        };
        Self {
            operation,
            width: if is_narrow { own } else { own.max(to_bytes) },
            own,
            to_bytes,
            to_signed: to.is_signed(),
            signed,
            mixed: signed && sources.iter().any(|s| !s.kind.is_signed()),
            signed_result: signed && !is_unsigned,
            counts,
            table: slot.map_or(0, |s| view.modifier_number(s as u8)) as u8,
            function,
        }
    }
}

impl Domain {
    /// An integer operation in one lane. The operands have the width of the operation; so has the result, or it is a count.
    fn operate(&mut self, shape: &Shape, [a, b, c, d]: [Value; 4]) -> Value {
        let Shape { operation, width, own, signed, counts: (certain, possible), .. } = *shape;
        let none = Value::known(0, width);
        let count = b.as_known().map(|n| (n & possible) as u32);
        let is_shift = matches!(operation, Operation::Shl | Operation::Shr | Operation::Asr);
        if is_shift && count.map_or_else(|| self.range(b).1, u64::from) > certain && certain != possible {
            return self.applied(shape.function, [a, b, none], width);
        }
        let result = match operation {
            Operation::Mov | Operation::Sel => return a,
            Operation::Add => self.add(a, b),
            Operation::Add3 => self.combine(&[(a, 1), (b, 1), (c, 1)], width),
            Operation::Not => self.bit_not(a),
            Operation::Shl => match count {
                Some(count) => self.shift_left(a, count),
                None => self.computed(operation, false, [a, b, none], width, mask(width)),
            },
            Operation::Mul => return self.multiply(a, b),
            Operation::Mad => {
                let product = self.multiply(a, b);
                return self.add(product, c);
            }
            Operation::Mulh => return self.high_product(a, b, signed),
            Operation::And => return self.bit_and(a, b),
            Operation::Or => return self.bit_or(a, b),
            Operation::Xor => return self.bit_xor(a, b),
            Operation::Bfn => return self.bit_function(shape.table, a, b, c),
            Operation::Shr => {
                let high = self.range(a).1;
                return match count {
                    Some(count) => self.shift_right(a, count),
                    None => self.computed(operation, false, [a, b, none], width, high),
                };
            }
            Operation::Asr => {
                return match count {
                    Some(count) => self.shift_right_signed(a, count),
                    None => self.computed(operation, true, [a, b, none], width, mask(width)),
                };
            }
            // What becomes of numbers of both signs together is not the same on every machine.
            Operation::Min | Operation::Max | Operation::Div | Operation::Mod | Operation::Avg
                if shape.mixed && !(self.is_not_negative(a) && self.is_not_negative(b)) =>
            {
                return self.applied(shape.function, [a, b, none], width);
            }
            Operation::Min | Operation::Max => return self.extreme(operation, a, b, signed),
            Operation::Div | Operation::Mod => return self.divide(operation, a, b, signed),
            Operation::Avg => return self.computed(operation, signed, [a, b, none], width, mask(width)),
            Operation::Rol | Operation::Ror => {
                return self.computed(operation, false, [a, b, none], width, mask(width));
            }
            Operation::Fbl | Operation::Fbh => return self.counted(operation, signed, a, mask(4)),
            Operation::Cbit | Operation::Lzd => return self.counted(operation, false, a, 8 * u64::from(width)),
            Operation::Bfrev => return self.computed(operation, false, [a, none, none], width, mask(width)),
            Operation::Bfe => {
                let signed = shape.to_signed;
                let high = match a.as_known() {
                    Some(bits) if !signed => (1 << (bits & 31)) - 1,
                    _ => mask(width),
                };
                return self.computed(operation, signed, [a, b, c], width, high);
            }
            Operation::Bfi => {
                return match (a.as_known(), b.as_known()) {
                    (Some(bits), Some(offset)) => {
                        // (d without the field) + (c cut to it)
                        let field = fold::insert(bits, offset, u64::MAX, 0);
                        let kept = self.bit_and(d, Value::known(!field, width));
                        let placed = self.shift_left(c, (offset & 31) as u32);
                        let inserted = self.bit_and(placed, Value::known(field, width));
                        self.add(kept, inserted)
                    }
                    _ => self.unknown_for(&[a, b, c, d], width),
                };
            }
            Operation::Movs
            | Operation::Addc
            | Operation::Subb
            | Operation::Madw
            | Operation::Cmp
            | Operation::Setp
            | Operation::AddrAdd => return self.applied(shape.function, [a, b, c], width),
        };
        // What narrow operands give beyond their own width is not the same on every machine: only where it fits.
        if own >= width || self.fits(result, own, signed) {
            return result;
        }
        self.applied(shape.function, [a, b, c], width)
    }

    fn is_not_negative(&self, a: Value) -> bool {
        self.signed_range(a).0 >= 0
    }

    /// Whether a number fits into fewer bytes.
    fn fits(&self, a: Value, bytes: u8, signed: bool) -> bool {
        let (low, high) = fold::limits(bytes, signed);
        let (least, greatest) = self.signed_range(a);
        i128::from(least) >= low && i128::from(greatest) <= high
    }

    /// A count of bits, which has four bytes whatever is counted.
    fn counted(&mut self, operation: Operation, signed: bool, a: Value, high: u64) -> Value {
        if let Some(known) = a.as_known() {
            return Value::known(fold::integer(operation, signed, [known, 0, 0], a.bytes).unwrap_or(0), 4);
        }
        let function = if signed { Function::Signed(operation) } else { Function::Integer(operation) };
        let nothing = Value::known(0, a.bytes);
        self.applied_within(function, [a, nothing, nothing], 4, 0, 0, high)
    }
}

impl Machine<'_> {
    /// Which source `sel` takes in each lane.
    fn choice(&mut self, view: &View, n: u32) -> Lanes<Condition> {
        match view.instruction.predicate {
            Some(predicate) => {
                let bits = self.predicate_lanes(&predicate, view.first_lane(), n);
                if self.is_certain {
                    return bits;
                }
                let reached = self.reached;
                bits.map(|b| self.domain.given(b, reached))
            }
            None => Lanes::run(self.domain.unknown_condition(), n),
        }
    }

    /// A result of which only the operands are known.
    fn opaque(&mut self, view: &View, to: Type, sources: &[Source]) -> Lanes<Value> {
        let n = view.n_lanes();
        let bytes = to.bytes() as u8;
        let from = sources.first().map_or(to, |s| s.kind);
        let (Some(id), true) = (view.instruction.spec, sources.len() <= 3) else {
            return Lanes::run(self.domain.unknown(bytes, Origin::Result), n);
        };
        let function = Function::Instruction(id, to, from, view.instruction.saturate);
        let none = Lanes::run(Value::known(0, bytes), n);
        let at = |i: usize| sources.get(i).map_or(&none, |s| &s.lanes);
        let domain = &mut self.domain;
        at(0).zip3(at(1), at(2), |x, y, z| domain.applied(function, [x, y, z], bytes))
    }

    fn float_vector(&mut self, view: &View, operation: Operation, to: Type, sources: &[Source]) -> Lanes<Value> {
        let n = view.n_lanes();
        let bytes = to.bytes() as u8;
        if operation == Operation::Sel && sources.iter().all(|s| s.kind == to) && !view.instruction.saturate {
            let choice = self.choice(view, n);
            return choice.zip3(&sources[0].lanes, &sources[1].lanes, |c, x, y| self.domain.select(c, x, y));
        }
        let opaque = self.opaque(view, to, sources);
        if sources.len() > 3 || sources.iter().any(|s| s.lanes.as_run().is_some_and(|v| !v.is_known())) {
            return opaque;
        }
        let nearest = self.rounds_to_nearest;
        let saturate = view.instruction.saturate;
        // The operation is that of the widest float.
        let kinds = sources.iter().map(|s| s.kind).chain([to]);
        let computed_as = kinds.filter(|k| k.is_float()).max_by_key(|k| k.bytes()).unwrap_or(to);
        Lanes::of(n, |lane| {
            let fold = || {
                let mut args = [0.0; 3];
                for (arg, source) in args.iter_mut().zip(sources) {
                    let bits = source.lanes.at(lane).as_known()?;
                    *arg = if source.kind.is_float() {
                        fold::float(bits, source.kind)?
                    } else {
                        let number = super::domain::sign_extended(bits, source.kind.bytes() as u8);
                        let number = if source.kind.is_signed() { number as f64 } else { bits as f64 };
                        (number.abs() < 9.0e15).then_some(number)?
                    };
                }
                let result = fold::float_operation(operation, args, computed_as, nearest)?;
                if to.is_float() {
                    let result = if saturate { result.clamp(0.0, 1.0) } else { result };
                    fold::float_bits(result, to, nearest)
                } else {
                    let rounded = if operation == Operation::Mov { Some(result) } else { None };
                    fold::float_to_integer(rounded?, to, saturate)
                }
            };
            fold().map_or_else(|| opaque.at(lane), |bits| Value::known(bits, bytes))
        })
    }

    fn move_value(&mut self, view: &View) {
        match (view.operands.first(), view.operands.get(1)) {
            (Some(Operand::Address { variable, element, .. }), Some(source)) => {
                let given = self.mask(view);
                let lanes = match *source {
                    Operand::AddressOf { variable, offset } => {
                        let value = self.address_of(variable, offset);
                        Lanes::run(value, given.len())
                    }
                    _ => self.address_source(view, 1, &given),
                };
                self.write_addresses(view, *variable, *element, &lanes, &given);
            }
            (Some(_), Some(Operand::Predicate { variable })) => self.move_predicate(view, *variable),
            (Some(_), Some(Operand::Address { .. })) => {
                let given = self.mask(view);
                let lanes = self.address_source(view, 1, &given);
                let Some(to) = self.destination_type(&view.operands[0]) else { return };
                let lanes = lanes.map(|v| self.domain.resize(v, to.bytes() as u8, false));
                self.write(view, 0, &lanes, &given);
            }
            _ => {
                let Some(arguments) = self.arguments(view) else { return };
                let Arguments { destination, to, sources, given } = arguments;
                let Some(source) = sources.first() else { return };
                let plain = source.kind == to
                    || source.kind.is_integer() && to.is_integer() && source.kind.bytes() == to.bytes();
                let result = if plain && !view.instruction.saturate {
                    source.lanes
                } else if source.kind.is_float() || to.is_float() {
                    self.float_vector(view, Operation::Mov, to, &sources)
                } else {
                    self.integer_vector(view, Operation::Mov, to, &sources)
                };
                self.write(view, destination, &result, &given);
            }
        }
    }

    /// `mov V P`: the bits of a predicate as a number.
    fn move_predicate(&mut self, view: &View, variable: VariableId) {
        let Some(to) = self.destination_type(&view.operands[0]) else { return };
        let n_elements = self.program.variables[variable].n_elements.clamp(1, 32);
        self.read_predicate(view, 1, variable, 0, n_elements);
        let Some(predicate) = self.predicate(variable) else { return };
        let bits = predicate.bits;
        let bytes = to.bytes() as u8;
        let mut known = Some(0_u64);
        for lane in 0..n_elements.min(to.bytes() * 8) {
            known = match (known, bits.at(lane).as_known()) {
                (Some(number), Some(bit)) => Some(number | u64::from(bit) << lane),
                _ => None,
            };
        }
        // With fewer than 16 elements the upper bits are undefined.
        let value = match known.filter(|_| n_elements >= 16 || n_elements >= to.bytes() * 8) {
            Some(number) => Value::known(number, bytes),
            None => self.domain.unknown_one(bytes, Origin::Result),
        };
        let given = Lanes::run(self.reached, 1);
        self.write(view, 0, &Lanes::run(value, 1), &given);
    }

    fn compare(&mut self, view: &View) {
        let given = self.mask(view);
        let sources = self.read_sources(view, 1, &given);
        let n = given.len();
        let result = match (view.modifier_word(ModifierName::RELATION), sources.as_slice()) {
            (Some(relation), [a, b]) => self.compared_lanes(relation, a, b),
            _ => Lanes::run(self.domain.unknown_condition(), n),
        };
        match view.operands[0] {
            Operand::Predicate { variable } => self.write_predicate(view, variable, view.first_lane(), &result, &given),
            ref operand => {
                let Some(to) = self.destination_type(operand) else { return };
                let bytes = to.bytes() as u8;
                let (ones, zero) = (Value::known(u64::MAX, bytes), Value::known(0, bytes));
                let lanes = result.map(|c| self.domain.select(c, ones, zero));
                self.write(view, 0, &lanes, &given);
            }
        }
    }

    fn compared_lanes(&mut self, relation: &str, a: &Source, b: &Source) -> Lanes<Condition> {
        let nearest = self.rounds_to_nearest;
        let reached = self.reached;
        let is_certain = self.is_certain;
        let domain = &mut self.domain;
        if a.kind.is_float() || b.kind.is_float() {
            let same_type = a.kind == b.kind;
            return a.lanes.zip(&b.lanes, |x, y| {
                let number = |v: Value, kind: Type| {
                    let bits = v.as_known()?;
                    if kind.is_float() {
                        fold::float(bits, kind)
                    } else {
                        Some(super::domain::sign_extended(bits, kind.bytes() as u8) as f64)
                    }
                };
                if let (Some(x), Some(y)) = (number(x, a.kind), number(y, b.kind))
                    && (same_type || nearest && a.kind.is_float() && b.kind.is_float())
                {
                    return Condition::known(match relation {
                        "eq" => x == y,
                        "ne" => x != y,
                        "lt" => x < y,
                        "le" => x <= y,
                        "gt" => x > y,
                        _ => x >= y,
                    });
                }
                match relation {
                    "eq" => domain.float_compare(FloatRelation::Equal, x, y),
                    "ne" => domain.float_compare(FloatRelation::Equal, x, y).not(),
                    "lt" => domain.float_compare(FloatRelation::Less, x, y),
                    "le" => domain.float_compare(FloatRelation::LessEqual, x, y),
                    "gt" => domain.float_compare(FloatRelation::Less, y, x),
                    _ => domain.float_compare(FloatRelation::LessEqual, y, x),
                }
            });
        }
        let width = a.kind.bytes().max(b.kind.bytes()) as u8;
        let signed = a.kind.is_signed() || b.kind.is_signed();
        let mixed = a.kind.is_signed() != b.kind.is_signed();
        a.lanes.zip(&b.lanes, |x, y| {
            let (x, y) = (domain.resize(x, width, a.kind.is_signed()), domain.resize(y, width, b.kind.is_signed()));
            // Numbers of both signs are compared in different ways by different machines, if one is negative.
            let is_ordered = !mixed || domain.is_not_negative(x) && domain.is_not_negative(y);
            let condition = match relation {
                "eq" => domain.equal(x, y),
                "ne" => domain.equal(x, y).not(),
                _ if !is_ordered => {
                    let operation = if matches!(relation, "lt" | "ge") { Operation::Min } else { Operation::Max };
                    let condition = domain.compared(Function::Signed(operation), x, y);
                    if matches!(relation, "ge" | "le") { condition.not() } else { condition }
                }
                "lt" => domain.less(signed, x, y),
                "ge" => domain.less(signed, x, y).not(),
                "gt" => domain.less(signed, y, x),
                _ => domain.less(signed, y, x).not(),
            };
            if is_certain { condition } else { domain.given(condition, reached) }
        })
    }

    /// Writes bits of a predicate in the lanes of `given`.
    pub fn write_predicate(
        &mut self,
        view: &View,
        variable: VariableId,
        first: u32,
        bits: &Lanes<Condition>,
        given: &Lanes<Condition>,
    ) {
        let n = given.len();
        let Some(register) = self.predicate(variable) else { return };
        let (old, written) = (register.bits.slice(first, n), register.may_be_written);
        let touched = (((1_u64 << n) - 1) << first) as u32;
        let is_new = written & touched == 0;
        let bits = if given.all_true() || is_new {
            *bits
        } else {
            let domain = &mut self.domain;
            bits.zip3(&old, given, |new, old, g| {
                if g.is_true() {
                    return new;
                }
                let taken = domain.and(g, new);
                let kept = domain.and(g.not(), old);
                domain.or(taken, kept)
            })
        };
        if let Some(register) = self.predicate(variable) {
            register.bits.replace(first, &bits);
            register.may_be_written |= touched;
            register.writer = view.index.0;
        }
    }

    /// Reports bits of a predicate that nothing has written.
    pub fn read_predicate(&mut self, view: &View, place: usize, variable: VariableId, first: u32, n: u32) {
        let Some(register) = self.predicate(variable) else { return };
        let wanted = (((1_u64 << n) - 1) << first) as u32;
        let missing = wanted & !register.may_be_written;
        let is_partial = register.may_be_written != 0;
        if missing != 0 {
            let fact = FactKind::UndefinedPredicate { variable, lane: missing.trailing_zeros(), is_partial };
            self.report(view, place, fact);
        }
    }

    fn combine_predicates(&mut self, view: &View, operation: Operation) {
        let n = view.n_lanes();
        let first = view.first_lane();
        let given = self.mask(view);
        let mut lanes = [Lanes::run(Condition::FALSE, n); 2];
        for (i, place) in (1..view.operands.len()).enumerate().take(2) {
            if let Operand::Predicate { variable } = view.operands[place] {
                self.read_predicate(view, place, variable, first, n);
                if let Some(register) = self.predicate(variable) {
                    lanes[i] = register.bits.slice(first, n);
                }
            }
        }
        let [a, b] = &lanes;
        let domain = &mut self.domain;
        let result = match operation {
            Operation::And => a.zip(b, |x, y| domain.and(x, y)),
            Operation::Or => a.zip(b, |x, y| domain.or(x, y)),
            Operation::Xor => a.zip(b, |x, y| {
                let left = domain.and(x, y.not());
                let right = domain.and(x.not(), y);
                domain.or(left, right)
            }),
            _ => a.map(Condition::not),
        };
        if let Operand::Predicate { variable } = view.operands[0] {
            self.write_predicate(view, variable, first, &result, &given);
        }
    }

    /// `setp`: from the bits of a scalar, or the lowest bits of a vector.
    fn set_predicate(&mut self, view: &View) {
        let (Some(Operand::Predicate { variable }), Some(source)) = (view.operands.first(), view.operands.get(1))
        else {
            return;
        };
        let n = view.n_lanes();
        let is_scalar = n == 1
            || !matches!(source, Operand::General { region, .. } | Operand::Indirect { region, .. } if !region.is_scalar());
        if is_scalar {
            // It sets 16 bits at once, or all 32.
            let given = Lanes::run(self.reached, 1);
            let sources = self.read_sources(view, 1, &given);
            let Some(value) = sources.first().map(|s| s.lanes.at(0)) else { return };
            let first = if view.first_lane() >= 16 { 16 } else { 0 };
            let n_bits = if n == 32 { 32 } else { 16 };
            let bits = match value.as_known() {
                Some(known) => Lanes::of(n_bits, |l| Condition::known(known >> l & 1 == 1)),
                None => Lanes::run(self.domain.bits(value), n_bits),
            };
            let given = Lanes::run(self.reached, n_bits);
            self.write_predicate(view, *variable, first, &bits, &given);
        } else {
            let given = self.mask(view);
            let sources = self.read_sources(view, 1, &given);
            let Some(source) = sources.first() else { return };
            let bits = source.lanes.map(|v| self.domain.odd(v));
            self.write_predicate(view, *variable, view.first_lane(), &bits, &given);
        }
    }

    /// Where a variable lies, as an address.
    fn address_of(&mut self, variable: VariableId, offset: i32) -> Value {
        match self.root(variable) {
            Some((register, root_offset)) => {
                let place = self.domain.atom(AtomKind::AddressOf(register as u32), 2, 0, 0, mask(2));
                place.plus((root_offset + i64::from(offset)) as u64)
            }
            None => self.domain.unknown_one(2, Origin::Result),
        }
    }

    /// The elements of an address operand, or of a general one that is used as an address.
    fn address_source(&mut self, view: &View, place: usize, given: &Lanes<Condition>) -> Lanes<Value> {
        let n = given.len();
        match view.operands[place] {
            Operand::AddressOf { variable, offset } => Lanes::run(self.address_of(variable, offset), n),
            Operand::Address { variable, element, width } => {
                let mut values = Vec::with_capacity(n as usize);
                let mut reported = false;
                for lane in 0..n {
                    let step = if width <= 1 { 0 } else { lane };
                    let read = self.address(variable, i64::from(element) + i64::from(step), given.at(lane));
                    let (value, defined, writer) =
                        read.unwrap_or_else(|| (self.domain.unknown_one(2, Origin::Result), Condition::TRUE, NOBODY));
                    if defined.is_false() && !given.at(lane).is_false() && !reported {
                        reported = true;
                        self.report(view, place, FactKind::UndefinedAddress { element: element + step as i32 });
                    }
                    if lane == 0 {
                        self.note_source(view, place - 1, writer);
                    }
                    values.push(value);
                }
                Lanes::of(n, |l| values[l as usize])
            }
            _ => {
                let source = self.source(view, place, given);
                self.note_source(view, place - 1, source.writer);
                let signed = source.kind.is_signed();
                source.lanes.map(|v| self.domain.resize(v, 2, signed))
            }
        }
    }

    fn write_addresses(
        &mut self,
        view: &View,
        variable: VariableId,
        element: i32,
        lanes: &Lanes<Value>,
        given: &Lanes<Condition>,
    ) {
        let Some((register, _)) = self.root(variable) else { return };
        let region = crate::program::Region {
            vertical_stride: 0,
            width: 1,
            horizontal_stride: 1,
            form: crate::program::RegionForm::Stride,
        };
        let place = super::machine::Place { register, start: 2 * i64::from(element), bytes: 2, region };
        self.write_place(place, lanes, given, view.index.0);
    }

    fn add_address(&mut self, view: &View) {
        let Some(Operand::Address { variable, element, .. }) = view.operands.first() else { return };
        if view.operands.len() < 3 {
            return;
        }
        let given = self.mask(view);
        let base = self.address_source(view, 1, &given);
        let offset = self.source(view, 2, &given);
        self.note_source(view, 1, offset.writer);
        self.note_undefined(view, 2, offset.undefined);
        let signed = offset.kind.is_signed();
        let sum = base.zip(&offset.lanes, |a, b| {
            let b = self.domain.resize(b, 2, signed);
            self.domain.add(a, b)
        });
        self.write_addresses(view, *variable, *element, &sum, &given);
    }

    /// `movs`: surfaces and samplers to and from registers, dword by dword.
    fn move_state(&mut self, view: &View) {
        let given = self.mask(view);
        let n = given.len();
        let Some([to, from]) = view.operands.get(..2) else { return };
        let lanes = match *from {
            Operand::State { variable, index } => {
                let at = self.state_place(variable, index, n);
                let Some(at) = at else { return };
                let (lanes, writer, _) = self.read_place(at, &given);
                self.note_source(view, 0, writer);
                lanes
            }
            _ => {
                let source = self.source(view, 1, &given);
                self.note_source(view, 0, source.writer);
                self.note_undefined(view, 1, source.undefined);
                source.lanes.map(|v| self.domain.resize(v, 4, false))
            }
        };
        match *to {
            Operand::State { variable, index } => {
                if let Some(at) = self.state_place(variable, index, n) {
                    self.write_place(at, &lanes, &given, view.index.0);
                }
            }
            ref operand => {
                let Some(to) = self.destination_type(operand) else { return };
                let lanes = lanes.map(|v| self.domain.resize(v, to.bytes() as u8, false));
                self.write(view, 0, &lanes, &given);
            }
        }
    }

    /// The elements of a surface or sampler variable.
    pub fn state_place(&self, variable: VariableId, index: i32, n: u32) -> Option<super::machine::Place> {
        let kind = self.program.variables.get(variable)?.kind;
        if !matches!(kind, VariableKind::Surface | VariableKind::Sampler) {
            return None;
        }
        let (register, _) = self.root(variable)?;
        let form = crate::program::RegionForm::Stride;
        let region = crate::program::Region { vertical_stride: 0, width: 1, horizontal_stride: u8::from(n > 1), form };
        Some(super::machine::Place { register, start: 4 * i64::from(index), bytes: 4, region })
    }

    fn add_with_carry(&mut self, view: &View, operation: Operation) {
        if view.operands.len() < 4 {
            return;
        }
        let given = self.mask(view);
        let sources = self.read_sources(view, 2, &given);
        let [a, b] = sources.as_slice() else { return };
        let domain = &mut self.domain;
        let (a, b) = (a.lanes.map(|v| domain.resize(v, 4, false)), b.lanes.map(|v| domain.resize(v, 4, false)));
        let none = Value::known(0, 4);
        let (result, carry) = if operation == Operation::Addc {
            let sum = a.zip(&b, |x, y| domain.add(x, y));
            let carry = a.zip(&b, |x, y| {
                let ((x_low, x_high), (y_low, y_high)) = (domain.range(x), domain.range(y));
                if x_high + y_high <= mask(4) {
                    return none;
                }
                if x_low + y_low > mask(4) {
                    return Value::known(1, 4);
                }
                domain.applied_within(Function::Integer(Operation::Addc), [x, y, none], 4, 0, 0, 1)
            });
            (sum, carry)
        } else {
            let difference = a.zip(&b, |x, y| domain.subtract(x, y));
            let borrow = a.zip(&b, |x, y| {
                let ((x_low, x_high), (y_low, y_high)) = (domain.range(x), domain.range(y));
                if x_low >= y_high || x == y {
                    return none;
                }
                if x_high < y_low {
                    return Value::known(1, 4);
                }
                domain.applied_within(Function::Integer(Operation::Subb), [x, y, none], 4, 0, 0, 1)
            });
            (difference, borrow)
        };
        self.write(view, 0, &result, &given);
        // The carry is written last.
        self.write(view, 1, &carry, &given);
    }

    /// `madw`: the lower dwords at the destination, the upper ones at the next register boundary after them.
    fn multiply_wide(&mut self, view: &View) {
        let given = self.mask(view);
        let sources = self.read_sources(view, 1, &given);
        let [a, b, c] = sources.as_slice() else { return };
        let (signed_a, signed_b, signed_c) = (a.kind.is_signed(), b.kind.is_signed(), c.kind.is_signed());
        let domain = &mut self.domain;
        let whole = a.lanes.zip3(&b.lanes, &c.lanes, |x, y, z| {
            let (x, y, z) =
                (domain.resize(x, 8, signed_a), domain.resize(y, 8, signed_b), domain.resize(z, 8, signed_c));
            let product = domain.multiply(x, y);
            domain.add(product, z)
        });
        let low = whole.map(|v| domain.resize(v, 4, false));
        let high = whole.map(|v| domain.extract(v, 4, 4));
        let Some((at, _)) = self.direct_place(&view.operands[0]) else { return };
        self.write_place(at, &low, &given, view.index.0);
        let grf = i64::from(self.grf_bytes);
        let end = at.start + 4 * i64::from(at.region.last_element(given.len()) + 1);
        let upper =
            super::machine::Place { start: end.div_euclid(grf) * grf + if end % grf == 0 { 0 } else { grf }, ..at };
        self.write_place(upper, &high, &given, view.index.0);
    }
}
