//! The value of an immediate in words.

use crate::spec::Type;
use crate::spec::types::TypeClass;

/// What the bits of an immediate mean: `1065353216 = 0x3f800000`, `1.5`, `[0, 1, 2, ...]`.
#[must_use]
pub fn describe(bits: u64, element_type: Type) -> String {
    let n_bits = (element_type.bytes() * 8).min(64);
    let mask = if n_bits == 64 { u64::MAX } else { (1 << n_bits) - 1 };
    let bits = bits & mask;
    match element_type.row().class {
        TypeClass::Signed => {
            let shift = 64 - n_bits;
            format!("{} = {bits:#x}", ((bits << shift) as i64) >> shift)
        }
        TypeClass::Unsigned | TypeClass::Other => format!("{bits} = {bits:#x}"),
        TypeClass::Float => {
            let value = match element_type.text() {
                "f" => f64::from(f32::from_bits(bits as u32)),
                "df" => f64::from_bits(bits),
                "bf" => f64::from(f32::from_bits((bits as u32) << 16)),
                _ => half(bits as u16),
            };
            format!("{value:?} = {bits:#x}")
        }
        TypeClass::Packed => {
            let values: Vec<String> = match element_type.text() {
                "vf" => (0..4).map(|i| format!("{:?}", quarter((bits >> (8 * i)) as u8))).collect(),
                "v" => (0..8).map(|i| ((((bits >> (4 * i)) as u8) << 4) as i8 >> 4).to_string()).collect(),
                _ => (0..8).map(|i| (bits >> (4 * i) & 15).to_string()).collect(),
            };
            format!("[{}]", values.join(", "))
        }
    }
}

/// The value of a half-precision number.
fn half(bits: u16) -> f64 {
    float(u64::from(bits), 5, 10)
}

/// The value of an element of `vf`: a sign, three bits of exponent, four of fraction; all zeros are zero.
fn quarter(bits: u8) -> f64 {
    // Without the sign.
    if bits << 1 == 0 {
        return if bits == 0 { 0.0 } else { -0.0 };
    }
    let exponent = i32::from(bits >> 4 & 7) - 3;
    let value = (1.0 + f64::from(bits & 15) / 16.0) * 2f64.powi(exponent);
    if bits >> 7 == 1 { -value } else { value }
}

#[expect(clippy::cast_precision_loss, reason = "fractions have 52 bits at most")]
fn float(bits: u64, n_exponent: u32, n_fraction: u32) -> f64 {
    let fraction = (bits & ((1 << n_fraction) - 1)) as f64 / (1u64 << n_fraction) as f64;
    let largest = (1 << n_exponent) - 1;
    let exponent = (bits >> n_fraction) as i32 & largest;
    let bias = largest / 2;
    let value = match exponent {
        0 => fraction * 2f64.powi(1 - bias),
        e if e == largest => {
            if fraction == 0.0 {
                f64::INFINITY
            } else {
                f64::NAN
            }
        }
        e => (1.0 + fraction) * 2f64.powi(e - bias),
    };
    if bits >> (n_exponent + n_fraction) & 1 == 1 { -value } else { value }
}
