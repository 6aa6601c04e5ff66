//! Integer operations, in all lanes of a vector.

use crate::interp::domain::atom::Origin;
use crate::interp::domain::function::Function;
use crate::interp::domain::lanes::Lanes;
use crate::interp::domain::{Domain, Value, fold, mask};
use crate::interp::state::Reader;
use crate::interp::transfer::effects::{Effects, Observed};
use crate::interp::transfer::operand::Source;
use crate::program::View;
use crate::spec::Type;
use crate::spec::instruction::ModifierKind;
use crate::spec::operation::{Extension, Operation, SecondSource, Width};

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
    /// Whether the first source is signed.
    first_signed: bool,
    /// Whether the second and the third one are.
    factors_signed: (bool, bool),
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
        let row = operation.row();
        let slot = view.row.modifiers.iter().position(|m| m.kind == ModifierKind::BooleanFunction);
        let from = sources.first().map_or(to, |s| s.kind);
        let is_signed = |i: usize| sources.get(i).is_some_and(|s| s.kind.is_signed());
        let function = match view.instruction.spec {
            Some(id) => Function::Instruction(id, to, from, view.instruction.saturate),
            None => Function::Integer(operation),
        };
        Self {
            operation,
            width: match row.width {
                Width::Sources => own,
                Width::Widest => own.max(to_bytes),
            },
            own,
            to_bytes,
            to_signed: to.is_signed(),
            signed,
            mixed: signed && sources.iter().any(|s| !s.kind.is_signed()),
            first_signed: from.is_signed(),
            factors_signed: (is_signed(1), is_signed(2)),
            signed_result: signed && row.extension == Extension::Sources,
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
        let is_count = operation.row().second == SecondSource::Count;
        if is_count && count.map_or_else(|| self.range(b).1, u64::from) > certain && certain != possible {
            return self.applied(shape.function, [a, b, none], width);
        }
        // What becomes of numbers of both signs together is not the same on every machine.
        if shape.mixed && operation.row().mixed_signs_differ && !(self.is_not_negative(a) && self.is_not_negative(b)) {
            return self.applied(shape.function, [a, b, none], width);
        }
        let result = match operation {
            Operation::Mov | Operation::Sel => return a,
            Operation::Add => self.add(a, b),
            Operation::Add3 => self.combine(&[(a, 1), (b, 1), (c, 1)], width),
            Operation::Not => self.bit_not(a),
            Operation::Shl => match count {
                Some(count) => self.shift_left(a, count),
                None => self.computed(operation, false, [a, b, none], width),
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
                return match count {
                    Some(count) => self.shift_right(a, count),
                    None => self.computed(operation, false, [a, b, none], width),
                };
            }
            // With the sign in the manual, with zeros on machines.
            Operation::Asr if !shape.first_signed && !self.is_not_negative(a) => {
                return self.applied(shape.function, [a, b, none], width);
            }
            Operation::Asr => {
                return match count {
                    Some(count) => self.shift_right_signed(a, count),
                    None => self.computed(operation, true, [a, b, none], width),
                };
            }
            Operation::Min | Operation::Max => return self.extreme(operation, a, b, signed),
            Operation::Div | Operation::Mod => return self.divide(operation, a, b, signed),
            Operation::Avg => return self.average(a, b, signed),
            Operation::Rol | Operation::Ror => {
                let bits = 8 * u32::from(width);
                return match count {
                    Some(count) if operation == Operation::Rol => self.rotated(a, count),
                    Some(count) => self.rotated(a, bits - count % bits),
                    None => self.computed(operation, false, [a, b, none], width),
                };
            }
            // Counts have four bytes whatever is counted.
            Operation::Fbl | Operation::Fbh => return self.computed(operation, signed, [a, none, none], 4),
            Operation::Cbit | Operation::Lzd => return self.computed(operation, false, [a, none, none], 4),
            Operation::Bfrev => return self.computed(operation, false, [a, none, none], width),
            Operation::Bfe => {
                return match (a.as_known(), b.as_known()) {
                    (Some(bits), Some(offset)) if width == 4 => {
                        self.field(c, (bits & 31) as u32, (offset & 31) as u32, shape.to_signed)
                    }
                    _ => self.computed(operation, shape.to_signed, [a, b, c], width),
                };
            }
            Operation::Dp4a => return self.dotted(shape, [a, b, c]),
            Operation::Bfi => return self.inserted([a, b, c, d]),
            Operation::Movs
            | Operation::Addc
            | Operation::Subb
            | Operation::Madw
            | Operation::Cmp
            | Operation::Setp
            | Operation::AddrAdd
            | Operation::Rndd
            | Operation::Rndu
            | Operation::Rnde
            | Operation::Rndz
            | Operation::Inv => return self.applied(shape.function, [a, b, c], width),
        };
        // What narrow operands give beyond their own width is not the same on every machine: only where it fits.
        let is_exact = own >= width || self.fits(result, own, signed);
        if is_exact { result } else { self.beyond_sources(shape, [a, b, c], result) }
    }

    /// `dp4a`: a number and the products of the bytes of two dwords.
    fn dotted(&mut self, shape: &Shape, [a, b, c]: [Value; 3]) -> Value {
        if let (Some(b), Some(c)) = (b.as_known(), c.as_known()) {
            let product = fold::dot_product(b, c, shape.factors_signed);
            return self.add(a, Value::known(product, shape.width));
        }
        let (low, high) = self.dot_product_bounds(b, c, shape.factors_signed);
        let product = self.unknown_up_to(shape.width, Origin::Result, high - low).plus(low);
        let steps = a.steps() || b.steps() || c.steps();
        self.add(a, if steps { product } else { product.at(0) })
    }

    /// `bfi`: so many bits of a number in another one, from some bit on.
    fn inserted(&mut self, [bits, offset, c, d]: [Value; 4]) -> Value {
        let (Some(n_bits), Some(first)) = (bits.as_known(), offset.as_known()) else {
            return self.unknown_for(&[bits, offset, c, d], d.bytes);
        };
        // (d without the field) + (c cut to it)
        let field = fold::insert(n_bits, first, u64::MAX, 0);
        let kept = self.bit_and(d, Value::known(!field, d.bytes));
        let placed = self.shift_left(c, (first & 31) as u32);
        let inserted = self.bit_and(placed, Value::known(field, d.bytes));
        self.add(kept, inserted)
    }

    /// The result of narrow operands that does not fit their width: zeros at its end are there on every machine.
    fn beyond_sources(&mut self, shape: &Shape, args: [Value; 3], result: Value) -> Value {
        let zeros = self.zeros(result).min(8 * u32::from(shape.own));
        self.applied_within(shape.function, args, shape.width, zeros, 0, mask(shape.width))
    }

    pub(in crate::interp) fn is_not_negative(&self, a: Value) -> bool {
        self.signed_range(a).0 >= 0
    }

    /// Whether a number fits into fewer bytes.
    fn fits(&self, a: Value, bytes: u8, signed: bool) -> bool {
        let (low, high) = fold::limits(bytes, signed);
        let (least, greatest) = self.signed_range(a);
        i128::from(least) >= low && i128::from(greatest) <= high
    }
}

impl Reader<'_> {
    /// An operation with saturation: exact where nothing can overflow.
    pub(in crate::interp) fn saturated(&mut self, shape: &Shape, args: [Value; 3]) -> Value {
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
        // An atom of the operands would not say what the types of all of them are.
        if shape.operation == Operation::Dp4a {
            return domain.unknown_for(&args, shape.to_bytes);
        }
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
            return domain.resize_as(result, shape.to_bytes, shape.signed_result);
        }
        if low >= greatest {
            return Value::known(greatest as u64, shape.to_bytes);
        }
        if high <= least {
            return Value::known(least as u64, shape.to_bytes);
        }
        let (low, high) = (low.max(least), high.min(greatest));
        if low < 0 {
            return domain.applied(shape.function, args, shape.to_bytes);
        }
        domain.applied_within(shape.function, args, shape.to_bytes, 0, low as u64, high as u64)
    }
}

impl Reader<'_> {
    pub(in crate::interp) fn integer_vector(
        &mut self,
        view: &View,
        operation: Operation,
        to: Type,
        sources: &[Source],
        effects: &mut Effects,
    ) -> Lanes<Value> {
        let n = view.n_lanes();
        let shape = Shape::new(view, operation, to, sources);
        let mut wide = [(); 4].map(|()| Lanes::run(Value::known(0, shape.width), n));
        for (lanes, source) in wide.iter_mut().zip(sources) {
            let signed = source.kind.is_signed();
            *lanes = source.lanes.map(|v| self.domain.resize_as(v, shape.width, signed));
        }
        let [a, b, c, d] = &wide;
        if operation == Operation::Sel {
            let choice = self.choice(view, n);
            let chosen = choice.zip3(a, b, |c, x, y| self.domain.select(c, x, y));
            if !view.instruction.saturate {
                return chosen.map(|v| self.domain.resize_as(v, shape.to_bytes, shape.signed));
            }
            // Without its type a chosen number does not say what it saturates to.
            if shape.mixed {
                return Lanes::run(self.domain.unknown(shape.to_bytes, Origin::Result), n);
            }
            let copy = Shape { operation: Operation::Mov, ..shape };
            let none = Value::known(0, copy.width);
            return chosen.map(|v| self.saturated(&copy, [v, none, none]));
        }
        if view.instruction.saturate {
            if operation == Operation::Shl {
                observe_wide_shift(self, view, &shape, [a, b], effects);
            }
            return a.zip3(b, c, |x, y, z| self.saturated(&shape, [x, y, z]));
        }
        let domain = &mut self.domain;
        a.zip4(b, c, d, |x, y, z, w| {
            let result = domain.operate(&shape, [x, y, z, w]);
            domain.resize_as(result, shape.to_bytes, shape.signed_result)
        })
    }
}

/// Notes a shift whose result has more bits than saturation looks at.
fn observe_wide_shift(
    reader: &mut Reader,
    view: &View,
    shape: &Shape,
    sources: [&Lanes<Value>; 2],
    effects: &mut Effects,
) {
    if shape.width > 4 {
        return;
    }
    let exec_mask = reader.mask(view);
    for lane in exec_mask.active() {
        let [value, count] = sources.map(|lanes| reader.learned(lanes.at(lane), exec_mask.at(lane)));
        // The least count there is: machines look at its low bits alone.
        let count = match (count.as_known(), reader.domain.range(count)) {
            (Some(known), _) => known & shape.counts.0,
            (None, (least, greatest)) if greatest <= shape.counts.0 => least,
            _ => continue,
        };
        let is_wide = if shape.signed {
            let (least, greatest) = reader.domain.signed_range(value);
            i128::from(least) << count >= 1 << 32 || i128::from(greatest) << count < -(1 << 32)
        } else {
            i128::from(reader.domain.range(value).0) << count >= 1 << 33
        };
        if is_wide {
            effects.observe(1, Observed::WideSaturation { lane: lane + view.first_lane() });
            return;
        }
    }
}
