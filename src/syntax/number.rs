//! Numbers as the reference reads them.

/// The value of a number token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Number {
    /// The value that is written. Decimals of more than 19 digits saturate.
    pub written: u64,
    /// Whether it is hexadecimal.
    pub is_hex: bool,
    /// Whether there are more digits than the reference reads: over 32 bits in decimal, over 16 hexadecimal digits.
    pub overflows: bool,
}

/// Reads `12` or `0x0c`.
#[must_use]
pub fn number(text: &str) -> Number {
    if let Some(digits) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        let mut written = 0u64;
        for digit in digits.bytes() {
            written = written << 4 | u64::from((digit as char).to_digit(16).unwrap_or(0));
        }
        return Number { written, is_hex: true, overflows: digits.len() > 16 };
    }
    let mut written = 0u64;
    for digit in text.bytes() {
        written = written.saturating_mul(10).saturating_add(u64::from(digit.wrapping_sub(b'0')));
    }
    Number { written, is_hex: false, overflows: written > i32::MAX as u64 }
}

/// Reads the digits after a dot, skipping the dot and blanks: `.64`.
#[must_use]
pub fn dotted(text: &str) -> Number {
    number(text.trim_start_matches(['.', ' ', '\t']))
}

/// The plain decimal that a text begins with, and the number of its digits. Numbers of more than 19 digits saturate.
#[must_use]
pub fn leading(text: &[u8]) -> (u64, usize) {
    let mut value = 0u64;
    for (i, digit) in text.iter().enumerate() {
        if !digit.is_ascii_digit() {
            return (value, i);
        }
        value = value.saturating_mul(10).saturating_add(u64::from(digit - b'0'));
    }
    (value, text.len())
}

/// The plain decimals in a composite token such as `(0,1)` or `<8;8,1>`, in order.
pub fn digits(text: &str) -> impl Iterator<Item = u64> + '_ {
    let mut bytes = text.as_bytes();
    std::iter::from_fn(move || {
        let start = bytes.iter().position(u8::is_ascii_digit)?;
        let (value, n_digits) = leading(&bytes[start..]);
        bytes = &bytes[start + n_digits..];
        Some(value)
    })
}
