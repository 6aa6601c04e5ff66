//! Tests of `interp::domain::fold`.

use visa_lint::interp::domain::fold::{bits, float, float_bits, float_operation, insert, integer};
use visa_lint::spec::Type;
use visa_lint::spec::operation::Operation;

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
