//! Tests of `interp::domain::fold`.

use visa_lint::interp::domain::fold::{bits, float, float_bits, insert, integer};
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
