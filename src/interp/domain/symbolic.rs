//! Operations on values of one width, as exact as their forms allow.

use super::atom::AtomKind;
use super::bounds::Bounds;
use super::function::Function;
use super::{Domain, Value, fold, mask};
use crate::spec::operation::Operation;

/// Most terms of two factors that are still multiplied out.
const MAX_MULTIPLIED_OUT: usize = 3;

impl Domain {
    /// The result of a function of which only the operands are known.
    pub(crate) fn applied(&mut self, function: Function, args: [Value; 3], bytes: u8) -> Value {
        self.atom(AtomKind::Applied(function, args), bytes, 0, 0, mask(bytes))
    }

    /// The same with what is known of the result.
    pub(crate) fn applied_within(
        &mut self,
        function: Function,
        args: [Value; 3],
        bytes: u8,
        zeros: u32,
        low: u64,
        high: u64,
    ) -> Value {
        self.atom(AtomKind::Applied(function, args), bytes, zeros.min(63) as u8, low, high)
    }

    /// A function of two operands whose order does not matter.
    fn commutative(&mut self, operation: Operation, a: Value, b: Value, zeros: u32, (low, high): (u64, u64)) -> Value {
        let (first, second) = if (a.sum, a.constant) <= (b.sum, b.constant) { (a, b) } else { (b, a) };
        let none = Value::known(0, a.bytes);
        self.applied_within(Function::Integer(operation), [first, second, none], a.bytes, zeros, low, high)
    }

    /// Applies a function of one operand to both arms of a choice between two known numbers.
    fn over_choice(&mut self, a: Value, f: impl Fn(u64) -> u64) -> Option<Value> {
        let atom = a.sum.as_single()?;
        let AtomKind::Select(condition, x, y) = self.kind(atom) else { return None };
        let of = |x: Value| Some(Value::known(f(x.as_known()?.wrapping_add(a.constant) & mask(a.bytes)), a.bytes));
        let (x, y) = (of(x)?, of(y)?);
        Some(self.select(condition, x, y))
    }

    /// `a * b`
    pub fn multiply(&mut self, a: Value, b: Value) -> Value {
        if let Some(known) = b.as_known() {
            return self.scale(a, known);
        }
        if let Some(known) = a.as_known() {
            return self.scale(b, known);
        }
        let bytes = a.bytes;
        if self.terms(a.sum).len().max(self.terms(b.sum).len()) > MAX_MULTIPLIED_OUT {
            return self.product(a, b);
        }
        // (s + c) * (t + d) = s * t + d * s + c * t + c * d: lanes whose factors differ in a known number stay comparable.
        let (s, t) = (a.with_constant(0), b.with_constant(0));
        let product = self.product(s, t);
        self.combine(
            &[(product, 1), (s, b.constant), (t, a.constant), (Value::known(a.constant, bytes), b.constant)],
            bytes,
        )
    }

    fn product(&mut self, a: Value, b: Value) -> Value {
        let (mut a, mut b, mut factor) = (a, b, 1_u64);
        let (mut of_a, mut of_b) = (self.range(a), self.range(b));
        // Of numbers that are not positive, the product of their opposites.
        for (side, range) in [(&mut a, &mut of_a), (&mut b, &mut of_b)] {
            if range.1 > mask(side.bytes) >> 1 && self.signed_range(*side).1 <= 0 {
                *side = self.scale(*side, u64::MAX);
                *range = self.range(*side);
                factor = factor.wrapping_neg();
            }
        }
        let zeros = self.zeros(a) + self.zeros(b);
        let ((a_low, a_high), (b_low, b_high)) = (of_a, of_b);
        let within = match a_high.checked_mul(b_high).filter(|high| *high <= mask(a.bytes)) {
            Some(high) => (a_low * b_low, high),
            None => (0, mask(a.bytes)),
        };
        let product = self.commutative(Operation::Mul, a, b, zeros, within);
        self.scale(product, factor)
    }

    /// The upper half of `a * b`.
    pub fn high_product(&mut self, a: Value, b: Value, signed: bool) -> Value {
        let (first, second) = if (a.sum, a.constant) <= (b.sum, b.constant) { (a, b) } else { (b, a) };
        self.computed(Operation::Mulh, signed, [first, second, Value::known(0, a.bytes)], a.bytes)
    }

    /// `a & b`
    pub fn bit_and(&mut self, a: Value, b: Value) -> Value {
        if let Some(known) = b.as_known() {
            return self.masked(a, known);
        }
        if let Some(known) = a.as_known() {
            return self.masked(b, known);
        }
        if a == b {
            return a;
        }
        let zeros = self.zeros(a).max(self.zeros(b));
        let high = self.range(a).1.min(self.range(b).1);
        self.commutative(Operation::And, a, b, zeros, (0, high))
    }

    /// The bits that the unknown part of a value may have: those of its one unknown, or all from its lowest one to its
    /// highest one.
    fn possible_bits(&self, a: Value) -> u64 {
        let whole = mask(a.bytes);
        let up_to = |high: u64| if high == 0 { 0 } else { u64::MAX >> high.leading_zeros() };
        let Some(atom) = a.sum.as_single() else {
            let (_, high) = self.range(a.with_constant(0));
            return up_to(high) & whole << self.sum_zeros(a.sum).min(63) & whole;
        };
        let block = self.block(atom);
        let covers = up_to(block.high);
        let bits = match block.kind {
            AtomKind::Masked(_, bits) => bits,
            AtomKind::Shifted(v, count) => self.kept_bits(v) >> count,
            AtomKind::ZeroExtended(v) => self.kept_bits(v),
            _ => u64::MAX << block.zeros.min(63),
        };
        bits & covers & whole
    }

    /// The bits that a value may have: those that a mask keeps, or those of the constant below its unknown part, and all above.
    fn kept_bits(&self, a: Value) -> u64 {
        match a.sum.as_single().filter(|_| a.constant == 0).map(|atom| self.block(atom).kind) {
            Some(AtomKind::Masked(_, bits)) => bits,
            _ => a.constant | u64::MAX << self.sum_zeros(a.sum).min(63),
        }
    }

    /// The value with all bits turned over, if that is an unknown of which nothing is taken away.
    fn opposite_bits(&self, a: Value) -> Option<Value> {
        if a.sum.as_single().is_some() || a.sum.is_zero() {
            return None;
        }
        match self.terms(a.sum).as_slice() {
            [term] if term.coefficient == mask(a.bytes) => Some(Self::value_of(term.atom, a.bytes).plus(!a.constant)),
            _ => None,
        }
    }

    /// The bits that are set whatever the unknowns are, as far as that is seen.
    #[must_use]
    pub(crate) fn known_ones(&self, a: Value) -> u64 {
        if let Some(opposite) = self.opposite_bits(a) {
            return !self.possible_ones(opposite) & mask(a.bytes);
        }
        let unknown = self.possible_bits(a);
        // Without a bit in common no sum carries; below the lowest unknown bit there is nothing to add.
        let is_known = if a.constant & unknown == 0 { u64::MAX } else { !(u64::MAX << unknown.trailing_zeros()) };
        a.constant & is_known
    }

    /// The bits that may be set, as far as that is seen.
    #[must_use]
    pub(crate) fn possible_ones(&self, a: Value) -> u64 {
        if let Some(opposite) = self.opposite_bits(a) {
            return !self.known_ones(opposite) & mask(a.bytes);
        }
        let unknown = self.possible_bits(a);
        // A sum may carry to every bit above the lowest one in common.
        let common = a.constant & unknown;
        let carries = if common == 0 { 0 } else { u64::MAX << common.trailing_zeros() & mask(a.bytes) };
        a.constant | unknown | carries
    }

    /// `a & bits`
    fn masked(&mut self, a: Value, bits: u64) -> Value {
        if let Some(known) = a.as_known() {
            return Value::known(known & bits, a.bytes);
        }
        if a.constant & bits != 0 && a.sum.as_single().is_some() && a.constant & self.possible_bits(a) == 0 {
            let rest = self.masked(a.with_constant(0), bits);
            return rest.plus(a.constant & bits);
        }
        if bits & mask(a.bytes) == mask(a.bytes) {
            return a;
        }
        // Below its trailing zeros the unknown part has no say.
        let zeros = self.sum_zeros(a.sum).min(63);
        let low = (1 << zeros) - 1;
        let outside = a.constant & low & bits;
        let (a, bits) = (a.plus((a.constant & low).wrapping_neg()), bits & !low);
        if bits == 0 {
            return Value::known(outside, a.bytes);
        }
        // Nor do the bits above the mask.
        let top = 64 - bits.leading_zeros();
        let a = self.modulo(a, top);
        let (_, high) = self.range(a);
        let covers = if high == 0 { 0 } else { u64::MAX >> high.leading_zeros() };
        if covers & !low & !bits == 0 {
            return a.plus(outside);
        }
        if let Some(chosen) = self.over_choice(a, |x| x & bits) {
            return chosen.plus(outside);
        }
        // A mask of a mask is one mask.
        let (a, bits) = match a.sum.as_single().map(|atom| self.kind(atom)) {
            Some(AtomKind::Masked(inner, inner_bits)) if a.constant == 0 && inner.bytes == a.bytes => {
                (inner, bits & inner_bits)
            }
            _ => (a, bits),
        };
        if bits == 0 {
            return Value::known(outside, a.bytes);
        }
        // Without some of its lowest bits a number is as great as its least one is without them.
        let (least, greatest) = self.range(a);
        let cleared = if greatest == 0 { 0 } else { u64::MAX >> greatest.leading_zeros() } & !bits;
        let least = if cleared & cleared.wrapping_add(1) == 0 { least & bits } else { 0 };
        self.atom(AtomKind::Masked(a, bits), a.bytes, bits.trailing_zeros() as u8, least, (bits & covers).min(high))
            .plus(outside)
    }

    /// `a | b`
    pub fn bit_or(&mut self, a: Value, b: Value) -> Value {
        if let Some(known) = b.as_known() {
            return self.masked(a, !known).plus(known);
        }
        if let Some(known) = a.as_known() {
            return self.masked(b, !known).plus(known);
        }
        if a == b {
            return a;
        }
        // Where one ends before the other begins, it is a sum.
        for (upper, lower) in [(a, b), (b, a)] {
            let zeros = self.zeros(upper).min(63);
            if self.range(lower).1 < 1 << zeros {
                return self.add(upper, lower);
            }
        }
        let zeros = self.zeros(a).min(self.zeros(b));
        let ((a_low, a_high), (b_low, b_high)) = (self.range(a), self.range(b));
        let high = a_high | b_high;
        let covers = if high == 0 { 0 } else { u64::MAX >> high.leading_zeros() };
        self.commutative(Operation::Or, a, b, zeros, (a_low.max(b_low), covers))
    }

    /// `a ^ b`
    pub fn bit_xor(&mut self, a: Value, b: Value) -> Value {
        if a == b {
            return Value::known(0, a.bytes);
        }
        let (a, b) = if a.is_known() { (b, a) } else { (a, b) };
        if let Some(bits) = b.as_known() {
            if let Some(known) = a.as_known() {
                return Value::known(known ^ bits, a.bytes);
            }
            if bits == 0 {
                return a;
            }
            if bits == mask(a.bytes) {
                return self.bit_not(a);
            }
            let low = (1 << self.sum_zeros(a.sum).min(63)) - 1;
            if bits & !low == 0 {
                let constant = a.constant & !low | (a.constant ^ bits) & low;
                return a.with_constant(constant);
            }
            if let Some(chosen) = self.over_choice(a, |x| x ^ bits) {
                return chosen;
            }
        }
        let zeros = self.zeros(a).min(self.zeros(b));
        let high = self.range(a).1 | self.range(b).1;
        let covers = if high == 0 { 0 } else { u64::MAX >> high.leading_zeros() };
        self.commutative(Operation::Xor, a, b, zeros, (0, covers))
    }

    /// `!a`
    pub fn bit_not(&mut self, a: Value) -> Value {
        self.scale(a, u64::MAX).plus(u64::MAX)
    }

    /// `a << count`; the count is that of the instruction, already without what does not matter.
    pub fn shift_left(&mut self, a: Value, count: u32) -> Value {
        if count >= 8 * u32::from(a.bytes) {
            return Value::known(0, a.bytes);
        }
        self.scale(a, 1 << count)
    }

    /// `a >> count`, zeros shifted in.
    pub fn shift_right(&mut self, a: Value, count: u32) -> Value {
        if count == 0 {
            return a;
        }
        if count >= 8 * u32::from(a.bytes) {
            return Value::known(0, a.bytes);
        }
        if let Some(known) = a.as_known() {
            return Value::known(known >> count, a.bytes);
        }
        // What falls out and carries nothing.
        let low = (1 << self.sum_zeros(a.sum).min(count)) - 1;
        let a = a.plus((a.constant & low).wrapping_neg());
        if let Some(divided) = self.divided(a, count) {
            return divided;
        }
        if let Some(chosen) = self.over_choice(a, |x| x >> count) {
            return chosen;
        }
        // A known part that loses nothing stays outside, so that lanes keep their distance.
        let unknown = a.with_constant(0);
        let is_sum = self.range(unknown).1.checked_add(a.constant).is_some_and(|high| high <= mask(a.bytes));
        if a.constant != 0 && is_sum && a.constant.trailing_zeros() >= count {
            return self.shift_right(unknown, count).plus(a.constant >> count);
        }
        let (a, count) = match a.sum.as_single().map(|atom| self.kind(atom)) {
            Some(AtomKind::Shifted(inner, before)) if a.constant == 0 && inner.bytes == a.bytes => {
                (inner, u32::from(before) + count)
            }
            _ => (a, count),
        };
        if count >= 8 * u32::from(a.bytes) {
            return Value::known(0, a.bytes);
        }
        let (low, high) = self.range(a);
        let zeros = self.zeros(a).saturating_sub(count).min(63) as u8;
        self.atom(AtomKind::Shifted(a, count as u8), a.bytes, zeros, low >> count, high >> count)
    }

    /// `a >> count`, signs shifted in.
    pub fn shift_right_signed(&mut self, a: Value, count: u32) -> Value {
        let count = count.min(8 * u32::from(a.bytes) - 1);
        if count == 0 {
            return a;
        }
        if let Some(known) = a.as_signed() {
            return Value::known((known >> count) as u64, a.bytes);
        }
        let (low, high) = self.signed_range(a);
        if low >= 0 {
            return self.shift_right(a, count);
        }
        if high < 0 && high >> count == low >> count {
            return Value::known((low >> count) as u64, a.bytes);
        }
        // Counted from a number that is not greater, none is negative; the sign alone is told by its shape.
        let half = 1_i64 << (8 * u32::from(a.bytes) - 1).min(62);
        let base = low >> count << count;
        if a.bytes <= 4 && base > -half && high - base < half && count + 1 < 8 * u32::from(a.bytes) {
            let above = a.plus(base.unsigned_abs());
            return self.shift_right(above, count).plus((base >> count) as u64);
        }
        let count = Value::known(u64::from(count), a.bytes);
        self.applied(Function::Signed(Operation::Asr), [a, count, Value::known(0, a.bytes)], a.bytes)
    }

    /// The lesser or the greater one.
    pub fn extreme(&mut self, operation: Operation, a: Value, b: Value, signed: bool) -> Value {
        if a == b {
            return a;
        }
        let less = if signed {
            let ((a_low, a_high), (b_low, b_high)) = (self.signed_range(a), self.signed_range(b));
            if a_high <= b_low { Some(true) } else { (b_high <= a_low).then_some(false) }
        } else {
            let ((a_low, a_high), (b_low, b_high)) = (self.range(a), self.range(b));
            if a_high <= b_low { Some(true) } else { (b_high <= a_low).then_some(false) }
        };
        if let Some(a_is_less) = less {
            return if a_is_less == (operation == Operation::Min) { a } else { b };
        }
        let ((a_low, a_high), (b_low, b_high)) = (self.range(a), self.range(b));
        let half = mask(a.bytes) >> 1;
        if signed && (a_high > half || b_high > half) {
            // Moved by half of all numbers they have the same order as unsigned ones, and the result has both ends.
            return self.extreme(operation, a.plus(half + 1), b.plus(half + 1), false).plus(half + 1);
        }
        let (low, high) = match operation {
            Operation::Min => (a_low.min(b_low), a_high.min(b_high)),
            _ => (a_low.max(b_low), a_high.max(b_high)),
        };
        let zeros = self.zeros(a).min(self.zeros(b));
        self.commutative(operation, a, b, zeros, (low, high))
    }

    /// An operation that is only computed on known numbers; its result is within what their bounds say.
    pub fn computed(&mut self, operation: Operation, signed: bool, args: [Value; 3], bytes: u8) -> Value {
        let known = args.map(Value::as_known);
        if let [Some(a), Some(b), Some(c)] = known
            && let Some(result) = fold::integer(operation, signed, [a, b, c], args[0].bytes)
        {
            return Value::known(result, bytes);
        }
        let Bounds { zeros, low, high } = self.bounds(operation, signed, args, bytes);
        let function = if signed { Function::Signed(operation) } else { Function::Integer(operation) };
        self.applied_within(function, args, bytes, zeros, low, high)
    }

    /// Half of `a + b + 1`, which is computed with more bits than they have.
    pub fn average(&mut self, a: Value, b: Value, signed: bool) -> Value {
        let ends = |v: Value| {
            let ((low, high), (least, most)) = (self.signed_range(v), self.range(v));
            if signed { (i128::from(low), i128::from(high)) } else { (i128::from(least), i128::from(most)) }
        };
        let ((a_low, a_high), (b_low, b_high)) = (ends(a), ends(b));
        let (least, greatest) = fold::limits(a.bytes, signed);
        if a_low + b_low < least || a_high + b_high >= greatest {
            return self.computed(Operation::Avg, signed, [a, b, Value::known(0, a.bytes)], a.bytes);
        }
        let sum = self.add(a, b).plus(1);
        if signed { self.shift_right_signed(sum, 1) } else { self.shift_right(sum, 1) }
    }

    /// `a` with its bits rotated to the left.
    pub fn rotated(&mut self, a: Value, count: u32) -> Value {
        let bits = 8 * u32::from(a.bytes);
        let count = count % bits;
        let (upper, lower) = (self.shift_left(a, count), self.shift_right(a, bits - count));
        if count == 0 { a } else { self.bit_or(upper, lower) }
    }

    /// `width` bits of a dword from bit `offset` on, both less than 32.
    pub fn field(&mut self, a: Value, width: u32, offset: u32, signed: bool) -> Value {
        let width = width.min(32 - offset);
        if width == 0 {
            return Value::known(0, a.bytes);
        }
        let (shifted, bits) = (self.shift_right(a, offset), (1 << width) - 1);
        if signed {
            // Counted from the least one, none is negative.
            let half = 1 << (width - 1);
            return self.masked(shifted.plus(half), bits).plus(half.wrapping_neg());
        }
        self.masked(shifted, bits)
    }

    /// `a / b` and `a mod b` of unsigned numbers, and of signed ones that are not negative.
    pub fn divide(&mut self, operation: Operation, a: Value, b: Value, signed: bool) -> Value {
        let half = mask(a.bytes) >> 1;
        let ((a_low, a_high), (_, b_high)) = (self.range(a), self.range(b));
        let is_plain = !signed || a_high <= half && b_high <= half;
        let none = Value::known(0, a.bytes);
        if let Some(divisor) = b.as_known().filter(|d| *d > 0 && is_plain) {
            if divisor.is_power_of_two() {
                return match operation {
                    Operation::Div => self.shift_right(a, divisor.trailing_zeros()),
                    _ => self.masked(a, divisor - 1),
                };
            }
            let (low, high) = match operation {
                Operation::Div => (a_low / divisor, a_high / divisor),
                _ => (0, (divisor - 1).min(a_high)),
            };
            if let Some(known) = a.as_known() {
                let result = if operation == Operation::Div { known / divisor } else { known % divisor };
                return Value::known(result, a.bytes);
            }
            return self.applied_within(Function::Integer(operation), [a, b, none], a.bytes, 0, low, high);
        }
        self.computed(operation, signed && !is_plain, [a, b, none], a.bytes)
    }

    /// Some bytes of a value.
    pub fn extract(&mut self, a: Value, offset: u8, bytes: u8) -> Value {
        let shifted = self.shift_right(a, 8 * u32::from(offset));
        self.resize(shifted, bytes)
    }

    /// One value from its pieces, the lowest one first.
    pub fn concatenate(&mut self, pieces: &[Value]) -> Value {
        let bytes = pieces.iter().map(|p| p.bytes).sum();
        if let [low, high] = pieces
            && let Some(whole) = self.joined(*low, *high)
        {
            return whole;
        }
        let mut whole = Value::known(0, bytes);
        let mut bit = 0;
        for piece in pieces {
            let wide = self.resize(*piece, bytes);
            let placed = self.shift_left(wide, bit);
            whole = self.add(whole, placed);
            bit += 8 * u32::from(piece.bytes);
        }
        whole
    }

    /// Two halves that were made from one number: the sign of the lower one, or the halves of a product or a sum.
    fn joined(&mut self, low: Value, high: Value) -> Option<Value> {
        let bytes = low.bytes + high.bytes;
        if low.bytes != high.bytes || high.is_known() {
            return None;
        }
        let bits = 8 * u32::from(low.bytes);
        if let Some(atom) = high.sum.as_single().filter(|_| high.constant == 0) {
            match self.kind(atom) {
                AtomKind::Applied(Function::Signed(Operation::Asr), [value, count, _])
                    if value == low && count.as_known() == Some(u64::from(bits - 1)) =>
                {
                    return Some(self.resize_as(low, bytes, true));
                }
                AtomKind::Shifted(value, count) if u32::from(count) == bits && value.bytes == bytes => {
                    let its_low = self.resize(value, low.bytes);
                    return (its_low == low).then_some(value);
                }
                AtomKind::Applied(
                    f @ (Function::Integer(Operation::Mulh) | Function::Signed(Operation::Mulh)),
                    [a, b, _],
                ) if a.bytes == low.bytes => {
                    let signed = f == Function::Signed(Operation::Mulh);
                    if self.multiply(a, b) == low {
                        let (a, b) = (self.resize_as(a, bytes, signed), self.resize_as(b, bytes, signed));
                        return Some(self.multiply(a, b));
                    }
                }
                _ => {}
            }
        }
        // high = rest + carry(a, b) and low = a + b: together a + b + rest * 2^bits.
        for term in self.terms(high.sum).iter().filter(|t| t.coefficient == 1) {
            if let AtomKind::Applied(Function::Integer(Operation::Addc), [a, b, _]) = self.kind(term.atom)
                && self.add(a, b) == low
            {
                let carry = Self::value_of(term.atom, high.bytes);
                let mut rest = self.subtract(high, carry);
                let parts = [a, b].map(|part| match self.shifted_out(part, rest) {
                    Some((whole, without)) => {
                        rest = without;
                        whole
                    }
                    None => self.resize(part, bytes),
                });
                let upper = self.widened(rest, bytes);
                return Some(self.combine(&[(parts[0], 1), (parts[1], 1), (upper, 1 << bits)], bytes));
            }
        }
        let (whole, rest) = self.shifted_out(low, high)?;
        let upper = self.widened(rest, bytes);
        Some(self.combine(&[(whole, 1), (upper, 1 << bits)], bytes))
    }

    /// `low = n << count` with what was shifted out of it, `n >> (bits - count)`, among the terms of `high`: `n << count`
    /// at twice the width, and what is left of `high`.
    fn shifted_out(&mut self, low: Value, high: Value) -> Option<(Value, Value)> {
        let bits = 8 * u32::from(low.bytes);
        if low.is_known() || low.bytes != high.bytes || low.bytes > 4 {
            return None;
        }
        for term in self.terms(high.sum).iter().filter(|t| t.coefficient == 1) {
            let (n, right, signed) = match self.kind(term.atom) {
                AtomKind::Shifted(n, right) => (n, u32::from(right), false),
                AtomKind::Applied(Function::Signed(Operation::Asr), [n, right, _]) => {
                    (n, u32::try_from(right.as_known()?).ok()?, true)
                }
                _ => continue,
            };
            if n.bytes != low.bytes || right == 0 || right >= bits {
                continue;
            }
            // The shift to the right may have left out low bits that do not get so far.
            let count = bits - right;
            let begin = self.shift_left(n, count);
            let Some(missing) = self.subtract(low, begin).as_known() else { continue };
            let n = n.plus(missing >> count);
            let upper = Self::value_of(term.atom, high.bytes);
            let again = if signed { self.shift_right_signed(n, right) } else { self.shift_right(n, right) };
            if self.shift_left(n, count) == low && again.sum == upper.sum {
                let mut rest = self.subtract(high, again);
                let mut signed = signed;
                // The sign, shifted just as far, makes it the number with its sign.
                let sign = self.shift_right_signed(n, bits - 1);
                if let Some(sign) = sign.sum.as_single().filter(|_| !signed && sign.constant == 0)
                    && self.terms(rest.sum).iter().any(|t| t.atom == sign && t.coefficient == 1 << count)
                {
                    let sign = Self::value_of(sign, high.bytes);
                    rest = self.combine(&[(rest, 1), (sign, (1_u64 << count).wrapping_neg())], high.bytes);
                    signed = true;
                }
                let wide = self.resize_as(n, 2 * low.bytes, signed);
                return Some((self.shift_left(wide, count), rest));
            }
        }
        None
    }

    /// The same sum at a greater width, where what is above the old width does not matter.
    fn widened(&mut self, a: Value, bytes: u8) -> Value {
        let parts: Vec<(Value, u64)> =
            self.terms(a.sum).iter().map(|t| (Self::value_of(t.atom, bytes), t.coefficient)).collect();
        let sum = self.combine(&parts, bytes);
        sum.plus(a.constant)
    }
}
