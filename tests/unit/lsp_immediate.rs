//! Tests of `lsp::immediate`.

use visa_lint::lsp::immediate::describe;
use visa_lint::spec::Type;

#[test]
fn bits_are_read_by_their_type() {
    let of = |bits, name| describe(bits, Type::from_text(name).expect("a type"));
    assert_eq!(of(0xffff_ffff_ffff_fffe, "d"), "-2 = 0xfffffffe");
    assert_eq!(of(0xffff_fffe, "ud"), "4294967294 = 0xfffffffe");
    assert_eq!(of(0x3f80_0000, "f"), "1.0 = 0x3f800000");
    assert_eq!(of(0x3c00, "hf"), "1.0 = 0x3c00");
    assert_eq!(of(0xfc00, "hf"), "-inf = 0xfc00");
    assert_eq!(of(1, "hf"), "5.960464477539063e-8 = 0x1");
    assert_eq!(of(0x7e00, "hf"), "NaN = 0x7e00");
    assert_eq!(of(0x3fc0, "bf"), "1.5 = 0x3fc0");
    assert_eq!(of(0x7654_3210, "uv"), "[0, 1, 2, 3, 4, 5, 6, 7]");
    assert_eq!(of(0xf0, "v"), "[0, -1, 0, 0, 0, 0, 0, 0]");
    assert_eq!(of(0x3830, "vf"), "[1.0, 1.5, 0.0, 0.0]");
}
