//! Tests of `interp::domain::fold`.

use crate::soundness::concrete;
use std::collections::BTreeSet;
use visa_lint::interp::domain::fold::{
    bits, compared_float, dot_product, float, float_bits, float_bounds, float_interval, float_operation,
    float_to_integer, insert, integer,
};
use visa_lint::interp::domain::{mask, sign_extended};
use visa_lint::spec::operation::Operation;
use visa_lint::spec::{Type, instructions};

/// Every pair of bytes, and numbers at both ends of wider types, against the interpreter of the tests.
#[test]
fn every_operation_gives_what_it_gives_of_whole_numbers() {
    let operations: BTreeSet<Operation> = instructions().iter().filter_map(|row| row.operation).collect();
    let mut n_compared = 0;
    for operation in operations {
        // The low half of what these give.
        let plain = match operation {
            Operation::AddrAdd | Operation::Addc => Operation::Add,
            Operation::Madw => Operation::Mad,
            _ => operation,
        };
        for bytes in [1, 2, 4, 8] {
            if operation == Operation::Bfrev && bytes != 4 {
                continue;
            }
            let top = 1_u64 << (8 * bytes - 1);
            let all: Vec<u64> = if bytes == 1 {
                (0..256).collect()
            } else {
                let few = [0, 1, 2, 3, 7, 8, 16, 31, 32, 33, 0x5a, 0xff];
                let ends = [top - 1, top, top + 1, top | 0x55, mask(bytes), (top - 1) | top >> 1, mask(bytes) - 1];
                few.into_iter().chain(ends).collect()
            };
            for signed in [false, true] {
                // An arithmetic shift takes any number as signed.
                let reads_signs = signed || operation == Operation::Asr;
                let whole = |x| if reads_signs { i128::from(sign_extended(x, bytes)) } else { i128::from(x) };
                let width = if matches!(operation, Operation::Fbl | Operation::Fbh | Operation::Cbit | Operation::Lzd) {
                    4
                } else {
                    bytes
                };
                for (a, b) in all.iter().flat_map(|a| all.iter().map(|b| (*a, *b))) {
                    let c = b.rotate_left(3) & mask(bytes);
                    let expected = concrete::compute(plain, [a, b, c].map(whole), 8 * u32::from(bytes), reads_signs);
                    let Some(expected) = expected else { continue };
                    let found = integer(operation, signed, [a, b, c], bytes);
                    let expected = Some(expected as u64 & mask(width));
                    assert_eq!(found, expected, "{operation:?} {a:#x} {b:#x} {c:#x} of {bytes} bytes, {signed}");
                    n_compared += 1;
                }
            }
        }
    }
    assert!(n_compared > 3_000_000, "only {n_compared}");
    assert_eq!(integer(Operation::Div, false, [5, 0, 0], 4), None);
    assert_eq!(integer(Operation::Mod, true, [5, 0, 0], 4), None);
}

#[test]
fn fields_and_products_bit_by_bit() {
    let samples = [0_u64, 1, 0x8000_0000, 0xffff_ffff, 0x1234_5678, 0x80ff_7f01, 0xa5a5_5a5a];
    for (c, d) in samples.into_iter().flat_map(|c: u64| samples.map(|d| (c, d))) {
        for (width, offset) in (0..34_u64).flat_map(|width| (0..34_u64).map(move |offset| (width, offset))) {
            let (w, o) = (width & 31, offset & 31);
            let inserted: u64 = (0..32_u64)
                .map(|bit| if (o..o + w).contains(&bit) { (c >> (bit - o) & 1) << bit } else { d & 1 << bit })
                .sum();
            assert_eq!(insert(width, offset, c, d), inserted, "{width} {offset} {c:#x} {d:#x}");
            let kept = w.min(32 - o);
            let field: u64 = (0..kept).map(|bit| (c >> (o + bit) & 1) << bit).sum();
            let sign: u64 = if kept > 0 && field >> (kept - 1) & 1 == 1 { mask(4) >> kept << kept } else { 0 };
            assert_eq!(integer(Operation::Bfe, false, [width, offset, c], 4), Some(field), "{width} {offset} {c:#x}");
            assert_eq!(
                integer(Operation::Bfe, true, [width, offset, c], 4),
                Some(field | sign),
                "{width} {offset} {c:#x}"
            );
        }
        for signs in [(false, false), (false, true), (true, false), (true, true)] {
            let byte = |x: u64, i: usize, signed| {
                let byte = (x as u32).to_le_bytes()[i];
                if signed { i32::from(byte.cast_signed()) } else { i32::from(byte) }
            };
            let sum: i32 = (0..4).map(|i| byte(c, i, signs.0) * byte(d, i, signs.1)).sum();
            assert_eq!(dot_product(c, d, signs), u64::from(sum.cast_unsigned()), "{c:#x} {d:#x} {signs:?}");
        }
    }
    for table in 0..=u8::MAX {
        // Each of the eight entries in one bit of the sources.
        assert_eq!(bits(table, 0xaa, 0xcc, 0xf0) & 0xff, u64::from(table));
    }
}

/// The bits of a half as those of a float: the same fraction, and an exponent that counts from elsewhere.
fn widened(half: u16) -> f64 {
    let half = u32::from(half);
    let rest = half & 0x7fff;
    let exponent = if rest >= 0x7c00 { 0xff - 0x1f } else { 127 - 15 };
    let sign = (half & 0x8000) << 16;
    f32::from_bits(sign | ((exponent << 23) + (rest << 13))).into()
}

#[test]
fn halves_are_the_nearest_ones() {
    for half in 0x0400..0x7c00_u16 {
        let (number, next) = (widened(half), if half == 0x7bff { 65536.0 } else { widened(half + 1) });
        let middle = f64::midpoint(number, next);
        for (sign, factor) in [(0_u16, 1.0), (0x8000, -1.0)] {
            let rounded = |number: f64| float_bits(factor * number, Type::HF, true);
            assert_eq!(float((sign | half).into(), Type::HF), Some(factor * number), "{half:#x}");
            assert_eq!(compared_float((sign | half).into(), Type::HF), Some(factor * number), "{half:#x}");
            assert_eq!(rounded(number), Some((sign | half).into()), "{half:#x}");
            assert_eq!(rounded(middle.next_down()), Some((sign | half).into()), "below the middle above {half:#x}");
            assert_eq!(rounded(middle), Some((sign | (half + half % 2)).into()), "in the middle above {half:#x}");
            assert_eq!(rounded(middle.next_up()), Some((sign | (half + 1)).into()), "above the middle above {half:#x}");
        }
    }
    for denormal in [0x0001, 0x03ff, 0x8001, 0x83ff] {
        assert_eq!((float(denormal, Type::HF), compared_float(denormal, Type::HF)), (None, Some(0.0)));
    }
    for (denormal, kind) in [(1, Type::F), (0x807f_ffff, Type::F), (1, Type::DF), ((1 << 52) - 1, Type::DF)] {
        assert_eq!((float(denormal, kind), compared_float(denormal, kind)), (None, Some(0.0)), "{denormal:#x}");
    }
    for (bits, kind) in [(0x0080_0000, Type::F), (1 << 52, Type::DF), (0, Type::F), (0, Type::DF)] {
        assert!(float(bits, kind).is_some() && float(bits, kind) == compared_float(bits, kind), "{bits:#x}");
    }
    for (nan, kind) in [(0x7c01, Type::HF), (0x7f80_0001, Type::F), (0x7ff0_0000_0000_0001, Type::DF)] {
        assert!(float(nan, kind).is_none() && compared_float(nan, kind).is_some_and(f64::is_nan), "{nan:#x}");
    }
    assert_eq!((float(1, Type::UD), compared_float(1, Type::D)), (None, None));
}

/// A cut number is what it is as an integer, where the type has that one.
#[test]
fn floats_become_integers_towards_zero() {
    let ends =
        [8, 16, 32, 64].map(|bits| 2f64.powi(bits)).into_iter().chain([7, 15, 31, 63].map(|bits| 2f64.powi(bits)));
    let near = ends.flat_map(|end| [end - 1.5, end - 1.0, end - 0.5, end.next_down(), end, end + 1.0]);
    let numbers: Vec<f64> = near.chain([0.0, 0.5, 1.0, 1.99, 1e30, f64::INFINITY]).flat_map(|n| [n, -n]).collect();
    for kind in [Type::UB, Type::B, Type::UW, Type::W, Type::UD, Type::D, Type::UQ, Type::Q] {
        let (bits, whole) = (8 * kind.bytes(), mask(kind.bytes() as u8));
        let (least, most) =
            if kind.is_signed() { (-(1_i128 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1_i128 << bits) - 1) };
        for number in &numbers {
            let cut = *number as i128;
            let fits = (least..=most).contains(&cut);
            let own = Some(cut.clamp(least, most) as u64 & whole);
            assert_eq!(float_to_integer(*number, kind, true), own, "{number} as {kind:?}");
            assert_eq!(float_to_integer(*number, kind, false), own.filter(|_| fits), "{number} as {kind:?}");
        }
    }
}

#[test]
fn ranges_of_bits_are_ranges_of_floats_of_one_sign() {
    let of = |low: f32, high: f32| float_interval((low.to_bits().into(), high.to_bits().into()), Type::F);
    assert_eq!(of(1.0, 2.0), Some((1.0, 2.0)));
    assert_eq!(of(-1.0, -2.0), Some((-2.0, -1.0)));
    assert_eq!(of(0.0, 2.0), Some((0.0, 2.0)));
    assert_eq!(of(-0.0, -2.0).map(|(low, high)| (low, high.to_bits())), Some((-2.0, (-0.0_f64).to_bits())));
    assert_eq!(of(f32::from_bits(7), 2.0), Some((0.0, 2.0)), "a denormal may count as zero");
    assert_eq!(of(f32::from_bits(0x8000_0007), -2.0), Some((-2.0, 0.0)), "so may a negative one");
    assert_eq!(of(1.0, f32::MAX), Some((1.0, f32::MAX.into())));
    assert_eq!(of(-1.0, f32::MIN), Some((f32::MIN.into(), -1.0)));
    for (low, high) in [(1.0, f32::INFINITY), (-1.0, f32::NEG_INFINITY), (1.0, -1.0), (f32::INFINITY, -1.0)] {
        assert_eq!(of(low, high), None, "{low} to {high}");
    }
    let double = |low: f64, high: f64| float_interval((low.to_bits(), high.to_bits()), Type::DF);
    assert_eq!(double(1.0, f64::MAX), Some((1.0, f64::MAX)));
    assert_eq!(double(-1.0, f64::MIN), Some((f64::MIN, -1.0)));
    assert_eq!(double(1.0, f64::INFINITY), None);
    assert_eq!(float_interval((0x3c00, 0x4000), Type::HF), None);
}

/// A result between two floats may be either of them; one that is a float is known.
#[test]
fn bounds_of_floats_are_no_wider_than_rounding() {
    // None so much smaller than another one that a wide float could not hold their sum.
    let numbers: [f32; 9] = [1.0, -1.0, 3.0, 0.1, -0.3, 16_777_216.0, 8_388_609.0, 0.333_333_34, -7.25];
    for (x, y) in numbers.into_iter().flat_map(|x| numbers.map(|y| (x, y))) {
        let point = |x: f32| (f64::from(x), f64::from(x));
        for (operation, exact) in [
            (Operation::Add, f64::from(x) + f64::from(y)),
            (Operation::Mul, f64::from(x) * f64::from(y)),
            (Operation::Mov, f64::from(x)),
        ] {
            let rounded = exact as f32;
            let is_exact = f64::from(rounded).total_cmp(&exact).is_eq();
            let found = float_bounds(operation, [point(x), point(y), point(0.0)], Type::F, true);
            if is_exact && exact == 0.0 {
                continue;
            }
            let (low, high) = found.expect("it is finite and not zero");
            assert!(low <= exact && exact <= high, "{operation:?} {x} {y}: {low} to {high}");
            if is_exact {
                assert_eq!((low, high), (exact, exact), "{operation:?} {x} {y}");
            } else {
                let next = (low as f32).next_up();
                assert!(
                    low < high && f64::from(next).total_cmp(&high).is_eq(),
                    "{operation:?} {x} {y}: {low} to {high}"
                );
            }
        }
    }
    let of = |operation, a, b, c, nearest| float_bounds(operation, [a, b, c], Type::F, nearest);
    let none = (0.0, 0.0);
    assert_eq!(of(Operation::Add, (1.0, 2.0), (10.0, 20.0), none, false), Some((11.0, 22.0)));
    assert_eq!(of(Operation::Mul, (-2.0, 3.0), (-5.0, 7.0), none, false), Some((-15.0, 21.0)));
    assert_eq!(of(Operation::Mul, (-2.0, -1.0), (3.0, 4.0), none, false), Some((-8.0, -3.0)));
    assert_eq!(of(Operation::Mad, (1.0, 2.0), (3.0, 4.0), (100.0, 200.0), false), Some((103.0, 208.0)));
    assert_eq!(of(Operation::Add, (-1.0, 1.0), (1.0, 2.0), none, false), None, "it may be a zero of any sign");
    assert_eq!(of(Operation::Add, (-1.0, 1.0), (1.0, 2.0), none, true), Some((0.0, 3.0)));
    assert_eq!(of(Operation::Add, (-2.0, -1.0), (1.0, 1.0), none, true), None, "nothing but zeros above");
    assert_eq!(of(Operation::Mul, (f32::MAX.into(), f32::MAX.into()), (2.0, 2.0), none, true), None, "too large");
    assert_eq!(of(Operation::Inv, (-1.0, 1.0), none, none, true), None, "it may be divided by zero");
    for (a, exact) in [((2.0, 4.0), (0.25, 0.5)), ((-4.0, -2.0), (-0.5, -0.25))] {
        // Within an ulp or two of what it is.
        let (low, high) = of(Operation::Inv, a, none, none, true).expect("it is known");
        assert!(low < exact.0 && exact.0 - low < 1e-6, "{low}");
        assert!(high > exact.1 && high - exact.1 < 1e-6, "{high}");
    }
    assert_eq!(of(Operation::Div, (1.0, 1.0), (1.0, 1.0), none, true), None);
}

#[test]
fn halves_survive_the_way_there_and_back() {
    for bits in 0..=u16::MAX {
        if let Some(number) = float(bits.into(), Type::HF) {
            assert_eq!(float_bits(number, Type::HF, true), Some(bits.into()), "{number}");
        }
    }
}

#[test]
fn rotations_by_zero_and_by_the_width() {
    for n in [0, 8, 16] {
        assert_eq!(integer(Operation::Rol, false, [0xab, n, 0], 1), Some(0xab));
        assert_eq!(integer(Operation::Ror, false, [0xab, n, 0], 1), Some(0xab));
    }
    assert_eq!(integer(Operation::Rol, false, [0x8000_0001, 4, 0], 4), Some(0x18));
    assert_eq!(integer(Operation::Ror, false, [0x8000_0001, 4, 0], 4), Some(0x1800_0000));
}

#[test]
fn bit_fields() {
    assert_eq!(integer(Operation::Bfe, false, [8, 4, 0xabcd], 4), Some(0xbc));
    assert_eq!(integer(Operation::Bfe, true, [8, 4, 0xabcd], 4), Some(0xffff_ffbc));
    assert_eq!(integer(Operation::Bfe, false, [16, 24, 0xabcd_1234], 4), Some(0xab));
    assert_eq!(insert(8, 4, 0xee, 0x1234_5678), 0x1234_5ee8);
    assert_eq!(bits(0x80, 0b1100, 0b1010, 0b1111) & 15, 0b1000);
    assert_eq!(bits(0xfe, 0b1100, 0b1010, 0) & 15, 0b1110);
    assert_eq!(bits(0x96, 0b1100, 0b1010, 0b1111) & 15, 0b1001);
}

/// A product and a sum are rounded once or twice: only what does not depend on it is known.
#[test]
fn floats_that_depend_on_how_often_they_are_rounded() {
    let mad = |args| float_operation(Operation::Mad, args, Type::F, true);
    assert_eq!(mad([3.0, 5.0, 7.0]), Some(22.0));
    let beyond = 2f64.powi(60);
    assert_eq!(mad([1.0, 1.0, beyond.recip()]), None);
    assert_eq!(mad([1.0, 1.0, beyond]), None);
    assert_eq!(mad([-1.0, beyond, beyond]), Some(0.0));
    assert_eq!(float_operation(Operation::Mad, [3.0, 5.0, 7.0], Type::DF, true), None);
}

#[test]
fn floats_that_depend_on_the_rounding_mode() {
    let operation = |operation, kind, nearest| float_operation(operation, [6.0, 3.0, 0.0], kind, nearest);
    for (kind, nearest, is_known) in [(Type::F, false, true), (Type::DF, true, true), (Type::DF, false, false)] {
        assert_eq!(operation(Operation::Add, kind, nearest), is_known.then_some(9.0), "{kind:?} {nearest}");
        assert_eq!(operation(Operation::Mul, kind, nearest), is_known.then_some(18.0), "{kind:?} {nearest}");
    }
    for (kind, nearest, is_known) in [(Type::F, true, true), (Type::F, false, false), (Type::DF, true, false)] {
        assert_eq!(operation(Operation::Div, kind, nearest), is_known.then_some(2.0), "{kind:?} {nearest}");
    }
    assert_eq!(float_operation(Operation::Div, [1.0, 3.0, 0.0], Type::F, true), None);
    assert_eq!(float_operation(Operation::Div, [1.0, 0.0, 0.0], Type::F, true), None);
    assert_eq!(operation(Operation::Min, Type::F, false), Some(3.0));
    assert_eq!(operation(Operation::Max, Type::F, false), Some(6.0));
}

/// What does not fit a type, or is rounded in it, is known where the mode is.
#[test]
fn floats_of_smaller_types() {
    assert_eq!(float_bits(1.5, Type::F, false), Some(0x3fc0_0000));
    assert_eq!(float_bits(0.1, Type::F, false), None);
    assert_eq!(float_bits(0.1, Type::F, true), Some(0x3dcc_cccd));
    assert_eq!(float_bits(1.5, Type::HF, false), Some(0x3e00));
    assert_eq!(float_bits(0.1, Type::HF, false), None);
    assert_eq!(float_bits(-2.0, Type::DF, false), Some(0xc000_0000_0000_0000));
    assert_eq!(float(0xc000, Type::HF), Some(-2.0));
    assert_eq!(float(0x7c00, Type::HF), Some(f64::INFINITY));
    // Whether denormal numbers are flushed is not known.
    assert_eq!(float(0x0001, Type::HF), None);
    assert_eq!(float(0x03ff, Type::HF), None);
    assert_eq!(float(0x0400, Type::HF), Some(2f64.powi(-14)));
    assert_eq!(float(0x7bff, Type::HF), Some(65504.0));
}
