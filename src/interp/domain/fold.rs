//! Arithmetic on known numbers.

use super::function::Function;
use super::{mask, sign_extended};
use crate::spec::Type;
use crate::spec::operation::Operation;

/// An integer operation on numbers of `bytes` bytes, the result too. Nothing where the result is not defined.
#[must_use]
pub fn integer(operation: Operation, signed: bool, args: [u64; 3], bytes: u8) -> Option<u64> {
    let bits = 8 * u32::from(bytes);
    let [a, b, c] = args.map(|x| x & mask(bytes));
    let wide = |x: u64| if signed { i128::from(sign_extended(x, bytes)) } else { i128::from(x) };
    let count = (b & if bytes == 8 { 63 } else { 31 }) as u32;
    let shifted = |x: u64, n: u32| if n >= bits { 0 } else { x << n };
    let dropped = |x: u64, n: u32| if n >= bits { 0 } else { x >> n };
    let result = match operation {
        Operation::Mov | Operation::Movs => a,
        Operation::Add | Operation::AddrAdd | Operation::Addc => a.wrapping_add(b),
        Operation::Add3 => a.wrapping_add(b).wrapping_add(c),
        Operation::Subb => a.wrapping_sub(b),
        Operation::Mul => a.wrapping_mul(b),
        Operation::Mad | Operation::Madw => a.wrapping_mul(b).wrapping_add(c),
        // Of two numbers of 64 bits the product may have 128, of which the sign is not needed.
        Operation::Mulh => (wide(a).wrapping_mul(wide(b)) >> bits) as u64,
        Operation::Shl => shifted(a, count),
        Operation::Shr => dropped(a, count),
        Operation::Asr => (sign_extended(a, bytes) >> count.min(63)) as u64,
        Operation::Rol => shifted(a, count % bits) | dropped(a, bits - count % bits),
        Operation::Ror => dropped(a, count % bits) | shifted(a, bits - count % bits),
        Operation::And => a & b,
        Operation::Or => a | b,
        Operation::Xor => a ^ b,
        Operation::Not => !a,
        Operation::Min => {
            if wide(a) < wide(b) {
                a
            } else {
                b
            }
        }
        Operation::Max => {
            if wide(a) < wide(b) {
                b
            } else {
                a
            }
        }
        Operation::Avg => ((wide(a) + wide(b) + 1) >> 1) as u64,
        Operation::Div if b != 0 => (wide(a) / wide(b)) as u64,
        Operation::Mod if b != 0 => (wide(a) % wide(b)) as u64,
        // Counts have four bytes whatever is counted.
        Operation::Fbl => return Some(u64::from(if a == 0 { u32::MAX } else { a.trailing_zeros() })),
        Operation::Fbh => return Some(first_high_bit(a, signed, bytes)),
        Operation::Cbit => return Some(u64::from(a.count_ones())),
        Operation::Lzd => return Some(u64::from(a.leading_zeros() - (64 - bits))),
        Operation::Bfrev => (a as u32).reverse_bits().into(),
        Operation::Bfe => bit_field(a, b, c, signed),
        // By zero, of more than the operands, or of floats.
        Operation::Div
        | Operation::Mod
        | Operation::Bfn
        | Operation::Bfi
        | Operation::Dp4a
        | Operation::Sel
        | Operation::Cmp
        | Operation::Setp
        | Operation::Rndd
        | Operation::Rndu
        | Operation::Rnde
        | Operation::Rndz
        | Operation::Inv => return None,
    };
    Some(result & mask(bytes))
}

/// `fbh`: leading zeros of an unsigned number; of a signed one the leading copies of its sign; all ones if there is no
/// such bit.
fn first_high_bit(a: u64, signed: bool, bytes: u8) -> u64 {
    let unused = 64 - 8 * u32::from(bytes);
    let looked_at = if signed && sign_extended(a, bytes) < 0 { !a & mask(bytes) } else { a };
    if looked_at == 0 { u64::from(u32::MAX) } else { u64::from(looked_at.leading_zeros() - unused) }
}

/// `bfe`: `width` bits of `c` from bit `offset` on, both modulo 32.
fn bit_field(width: u64, offset: u64, c: u64, signed: bool) -> u64 {
    let (width, offset) = ((width & 31) as u32, (offset & 31) as u32);
    if width == 0 {
        return 0;
    }
    let field = (c as u32) >> offset;
    let kept = width.min(32 - offset);
    let unused = 32 - kept;
    if signed {
        u64::from((((field << unused) as i32) >> unused) as u32)
    } else {
        u64::from((field << unused) >> unused)
    }
}

/// `bfi`: the low `width` bits of `c` in `d` from bit `offset` on, both modulo 32.
#[must_use]
pub fn insert(width: u64, offset: u64, c: u64, d: u64) -> u64 {
    let (width, offset) = ((width & 31) as u32, (offset & 31) as u32);
    let field = ((1_u64 << width) - 1) << offset & mask(4);
    (d & !field | (c << offset) & field) & mask(4)
}

/// `dp4a`: the products of the four bytes of two dwords, added up; each dword with its own sign.
#[must_use]
pub fn dot_product(b: u64, c: u64, (b_signed, c_signed): (bool, bool)) -> u64 {
    let byte = |x: u64, i: u32, signed: bool| {
        let bits = x >> (8 * i) & 0xff;
        if signed { sign_extended(bits, 1) } else { bits as i64 }
    };
    let sum: i64 = (0..4).map(|i| byte(b, i, b_signed) * byte(c, i, c_signed)).sum();
    sum as u64 & mask(4)
}

/// `bfn`: each bit of the result is the bit of the table that the bits of the sources count up to.
#[must_use]
pub fn bits(table: u8, a: u64, b: u64, c: u64) -> u64 {
    let mut result = 0;
    for entry in 0..8_u32 {
        if table >> entry & 1 == 1 {
            let of = |x: u64, bit: u32| if entry >> bit & 1 == 1 { x } else { !x };
            result |= of(a, 0) & of(b, 1) & of(c, 2);
        }
    }
    result
}

/// What a float holds, if it is an ordinary number: neither a NaN nor denormal, which depends on modes.
#[must_use]
pub fn float(bits: u64, kind: Type) -> Option<f64> {
    any_float(bits, kind).filter(|number| !number.is_nan() && !is_denormal(bits, kind))
}

/// The number that comparisons see: a denormal counts as zero, as it may on a machine. Nothing for other types.
#[must_use]
pub fn compared_float(bits: u64, kind: Type) -> Option<f64> {
    let number = any_float(bits, kind)?;
    Some(if is_denormal(bits, kind) { 0.0 } else { number })
}

/// The number that the bits are as a float of that type.
fn any_float(bits: u64, kind: Type) -> Option<f64> {
    match kind {
        Type::F => Some(f64::from(f32::from_bits(bits as u32))),
        Type::DF => Some(f64::from_bits(bits)),
        Type::HF => Some(half(bits as u16)),
        _ => None,
    }
}

/// The bits of 1 as a float of that many bytes.
#[must_use]
pub const fn one(bytes: u8) -> u64 {
    match bytes {
        2 => 0x3c00,
        4 => 1.0_f32.to_bits() as u64,
        _ => 1.0_f64.to_bits(),
    }
}

fn is_denormal(bits: u64, kind: Type) -> bool {
    let (exponent, fraction) = match kind {
        Type::DF => (bits >> 52 & 0x7ff, bits & ((1 << 52) - 1)),
        Type::HF => (bits >> 10 & 0x1f, bits & 0x3ff),
        _ => (bits >> 23 & 0xff, bits & 0x7f_ffff),
    };
    exponent == 0 && fraction != 0
}

fn half(bits: u16) -> f64 {
    let sign = if bits & 0x8000 == 0 { 1.0 } else { -1.0 };
    let (exponent, fraction) = (i32::from(bits >> 10 & 0x1f), f64::from(bits & 0x3ff));
    match exponent {
        0 => sign * fraction * 2_f64.powi(-24),
        31 if fraction == 0.0 => sign * f64::INFINITY,
        31 => f64::NAN,
        _ => sign * (1.0 + fraction / 1024.0) * 2_f64.powi(exponent - 15),
    }
}

/// The nearest half to a number, ties to even.
fn to_half(number: f64) -> u16 {
    let sign = if number.is_sign_negative() { 0x8000 } else { 0 };
    let size = number.abs();
    if size >= 65520.0 {
        return sign | 0x7c00;
    }
    if size < 2_f64.powi(-14) {
        return sign | (size * 2_f64.powi(24)).round_ties_even() as u16;
    }
    let exponent = ((size.to_bits() >> 52) as i32 & 0x7ff) - 1023;
    // Rounding up to the next power of two carries into the exponent, as it should.
    let fraction = (size / 2_f64.powi(exponent) * 1024.0).round_ties_even() as u16 - 1024;
    sign | ((((exponent + 15) as u16) << 10) + fraction)
}

/// The bits of a number as a float of that type. Where it has to be rounded, `nearest` says whether the rounding mode is
/// known to be the usual one.
#[must_use]
pub fn float_bits(number: f64, kind: Type, nearest: bool) -> Option<u64> {
    let bits = match kind {
        Type::F => u64::from((number as f32).to_bits()),
        Type::DF => number.to_bits(),
        Type::HF => u64::from(to_half(number)),
        _ => return None,
    };
    let back = float(bits, kind)?;
    (nearest && !number.is_nan() || back.to_bits() == number.to_bits()).then_some(bits)
}

/// The bits of the nearest floats of a type that are not above a number that is not negative, and not below it.
#[must_use]
pub fn float_bits_around(number: f64, kind: Type) -> (u64, u64) {
    let nearest = match kind {
        Type::F => u64::from((number as f32).to_bits()),
        Type::HF => u64::from(to_half(number)),
        _ => number.to_bits(),
    };
    let held = any_float(nearest, kind).unwrap_or(number);
    (nearest - u64::from(held > number), nearest + u64::from(held < number))
}

/// An operation on floats whose result is to have type `kind`. Numbers come as 64-bit floats, in which the sum, difference
/// or product of two 32-bit floats can be rounded first without changing what it is rounded to in the end.
#[must_use]
#[expect(clippy::float_cmp, reason = "only exact results are folded")]
pub fn float_operation(operation: Operation, args: [f64; 3], kind: Type, nearest: bool) -> Option<f64> {
    let [a, b, c] = args;
    let exact_type = kind != Type::DF;
    let result = match operation {
        Operation::Mov => a,
        Operation::Add if exact_type || nearest => a + b,
        Operation::Mul if exact_type || nearest => a * b,
        Operation::Mad => {
            // Once rounded or twice: only what does not depend on it. The product of two 32-bit floats is exact here.
            let product = a * b;
            let sum = product + c;
            let exact = (sum - product) == c && (sum - c) == product;
            (exact && exact_type).then_some(sum)?
        }
        Operation::Min => a.min(b),
        Operation::Max => a.max(b),
        Operation::Rndd => a.floor(),
        Operation::Rndu => a.ceil(),
        Operation::Rnde => a.round_ties_even(),
        Operation::Rndz => a.trunc(),
        Operation::Div if exact_type && nearest && b != 0.0 => {
            // Division is an approximation: only what is exact. The product of two 32-bit floats is exact here.
            let quotient = a / b;
            let is_short = f64::from(quotient as f32) == quotient;
            (is_short && quotient * b == a).then_some(quotient)?
        }
        _ => return None,
    };
    (!result.is_nan()).then_some(result)
}

/// The least and the greatest number that a float of 32 or 64 bits may be whose bits are in a range: finite, and of one sign.
#[must_use]
pub fn float_interval((low, high): (u64, u64), kind: Type) -> Option<(f64, f64)> {
    let (sign, infinity) = match kind {
        Type::F => (1 << 31, 0x7f80_0000),
        Type::DF => (1 << 63, 0x7ff0_0000_0000_0000),
        _ => return None,
    };
    let number =
        |bits: u64| if kind == Type::F { f64::from(f32::from_bits(bits as u32)) } else { f64::from_bits(bits) };
    // A denormal may count as zero.
    let nearest_zero = |bits: u64, zero: f64| if is_denormal(bits, kind) { zero } else { number(bits) };
    if high < infinity {
        Some((nearest_zero(low, 0.0), number(high)))
    } else if low >= sign && high < sign | infinity {
        Some((number(high), nearest_zero(low, -0.0)))
    } else {
        None
    }
}

/// Between which floats the result of an operation on floats of that type, 32 or 64 bits, lies, however it is rounded, and
/// however often.
#[must_use]
pub fn float_bounds(operation: Operation, args: [(f64, f64); 3], kind: Type, nearest: bool) -> Option<(f64, f64)> {
    let (low, high) = float_limits(operation, args, kind)?;
    // The sign of a sum that is zero depends on the rounding mode.
    let is_sum = matches!(operation, Operation::Add | Operation::Mad);
    let has_sign = !is_sum || low > 0.0 || high < 0.0 || nearest && high > 0.0;
    has_sign.then_some((low, high))
}

/// The same, where it does not matter of which sign a zero is.
#[must_use]
#[expect(clippy::float_cmp, reason = "exact results are told from others")]
pub fn float_limits(operation: Operation, args: [(f64, f64); 3], kind: Type) -> Option<(f64, f64)> {
    let [a, b, c] = args;
    let below = |x: f64, is_exact: bool| if is_exact { x } else { x.next_down() };
    let above = |x: f64, is_exact: bool| if is_exact { x } else { x.next_up() };
    let product = || {
        let corners = [(a.0, b.0), (a.0, b.1), (a.1, b.0), (a.1, b.1)].map(|(x, y)| {
            let product = x * y;
            let is_exact = x.mul_add(y, -product) == 0.0;
            (below(product, is_exact), above(product, is_exact))
        });
        let low = corners.iter().fold(f64::INFINITY, |low, corner| low.min(corner.0));
        (low, corners.iter().fold(f64::NEG_INFINITY, |high, corner| high.max(corner.1)))
    };
    let is_exact = |sum: f64, x: f64, y: f64| sum - x == y && sum - y == x;
    let sum = |(x, y): (f64, f64), (z, w): (f64, f64)| {
        let (low, high) = (x + z, y + w);
        (below(low, is_exact(low, x, z)), above(high, is_exact(high, y, w)))
    };
    let (low, high) = match operation {
        Operation::Mov => a,
        Operation::Add => sum(a, b),
        Operation::Mul => product(),
        Operation::Mad => sum(outward(product(), kind), c),
        Operation::Inv if kind == Type::F && (a.0 > 0.0 || a.1 < 0.0) => {
            let (low, high) = outward(((1.0 / a.1).next_down(), (1.0 / a.0).next_up()), kind);
            (f64::from((low as f32).next_down()), f64::from((high as f32).next_up()))
        }
        _ => return None,
    };
    let (low, high) = outward((low, high), kind);
    (low.is_finite() && high.is_finite()).then_some((low, high))
}

/// The nearest floats of a type that are not above the lower bound, and not below the upper one.
fn outward((low, high): (f64, f64), kind: Type) -> (f64, f64) {
    if kind != Type::F {
        return (low, high);
    }
    let (below, above) = (low as f32, high as f32);
    let below = if f64::from(below) > low { below.next_down() } else { below };
    let above = if f64::from(above) < high { above.next_up() } else { above };
    (f64::from(below), f64::from(above))
}

/// A number of an integer type from a float, cut towards zero; out of range only if it saturates.
#[must_use]
pub fn float_to_integer(number: f64, kind: Type, saturate: bool) -> Option<u64> {
    let bytes = kind.bytes() as u8;
    let (low, high) = limits(bytes, kind.is_signed());
    // What has more than 128 bits becomes the number at that end.
    let cut = number as i128;
    let within = cut.clamp(low, high);
    (saturate || cut == within).then_some(within as u64 & mask(bytes))
}

/// What a function makes of numbers that cuts a float to an integer, or makes an integer a float that holds it exactly. A
/// second number that is not zero is taken away from the result.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "numbers that a float does not hold are left alone")]
pub fn conversion(function: Function, [bits, moved, _]: [u64; 3]) -> Option<u64> {
    let Function::Instruction(id, to, from, saturate) = function else { return None };
    if id.row().operation != Some(Operation::Mov) {
        return None;
    }
    if to.is_integer() {
        let number = compared_float(bits, from).filter(|number| !number.is_nan())?;
        return float_to_integer(number, to, saturate).map(|cut| cut.wrapping_sub(moved) & mask(to.bytes() as u8));
    }
    let bytes = from.bytes() as u8;
    let number = if from.is_signed() { sign_extended(bits, bytes) as f64 } else { bits as f64 };
    let is_exact = from.is_integer() && bytes <= 4 && !saturate;
    float_bits(number, to, false).filter(|_| is_exact)
}

/// The least and the greatest number of a width.
#[must_use]
pub const fn limits(bytes: u8, signed: bool) -> (i128, i128) {
    let bits = 8 * bytes as u32;
    if signed { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) }
}
