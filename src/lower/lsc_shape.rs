//! Data shapes of LSC messages: the part after the colon.

use crate::program::lsc::{LscDataSize, LscShape, LscShapeKind};
use std::sync::LazyLock;

/// A spelling of a size, with the bytes of an element in memory and in registers.
#[derive(Clone, Copy)]
struct Spelling {
    text: &'static str,
    size: LscDataSize,
    /// Whether channels or a block may follow: the older spelling of the converting sizes is the only one that may.
    takes_tail: bool,
}

const fn size(text: &'static str, memory_bytes: u8, register_bytes: u8) -> Spelling {
    Spelling { text, size: LscDataSize { memory_bytes, register_bytes, is_high: false }, takes_tail: true }
}

const fn high(text: &'static str) -> Spelling {
    Spelling { text, size: LscDataSize { memory_bytes: 2, register_bytes: 4, is_high: true }, takes_tail: true }
}

const fn without_tail(spelling: Spelling) -> Spelling {
    Spelling { takes_tail: false, ..spelling }
}

/// Every spelling; a spelling that another one begins with stands after it.
const SIZES: &[Spelling] = &[
    size("d8c32", 1, 4),
    without_tail(size("d8u32", 1, 4)),
    high("d16c32h"),
    size("d16c32", 2, 4),
    without_tail(high("d16u32h")),
    without_tail(size("d16u32", 2, 4)),
    size("d8", 1, 1),
    size("d16", 2, 2),
    size("d32", 4, 4),
    size("d64", 8, 8),
    size("u8c32", 1, 4),
    high("u16c32h"),
    size("u16c32", 2, 4),
    size("u8", 1, 1),
    size("u16", 2, 2),
    size("u32", 4, 4),
    size("u64", 8, 8),
];

/// Why something is not a shape.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The first byte that does not fit.
    pub at: usize,
    /// What would.
    pub why: &'static str,
}

const NO_SIZE: &str = "sizes are `d8`, `d16`, `d32`, `d64`, `d8u32`, `d16u32` and `d16u32h`";
const NO_VECTOR: &str = "vectors have 1, 2, 3, 4, 8, 16, 32 or 64 elements";
const NO_LETTER: &str = "at most two letters `n` or `t` follow the height";
const NO_NUMBER: &str = "blocks, width and height are decimal numbers from 1 on, without leading zeros";

/// Reads the text after the colon.
///
/// # Errors
/// Where it is no shape, and why.
pub fn read(written: &str) -> Result<LscShape, Fault> {
    if written.as_bytes().first().is_some_and(u8::is_ascii_digit) {
        return typed_block(written);
    }
    let (front, tail) = match written.split_once('.') {
        Some((front, tail)) => (front, Some(tail)),
        None => (written, None),
    };
    let found = SIZES.iter().find_map(|spelling| Some((spelling, front.strip_prefix(spelling.text)?)));
    let Some((spelling, rest)) = found.filter(|(_, rest)| matches!(rest.as_bytes(), [] | [b'x', ..] | [b't'])) else {
        return Err(Fault { at: 0, why: NO_SIZE });
    };
    let n_front = front.len();
    let kind = match tail {
        None => vector(rest).map_err(|why| Fault { at: n_front - rest.len(), why })?,
        Some(_) if !rest.is_empty() => {
            return Err(Fault { at: n_front, why: "nothing can follow the vector length but `t`" });
        }
        Some(_) if !spelling.takes_tail => {
            let why = "before channels and blocks the converting sizes are written `d8c32`, `d16c32` and `d16c32h`";
            return Err(Fault { at: 0, why });
        }
        Some(tail) if tail.as_bytes().first().is_some_and(u8::is_ascii_digit) => {
            block(tail).map_err(|why| Fault { at: n_front, why })?
        }
        Some(tail) => channels(tail).map_err(|why| Fault { at: n_front, why })?,
    };
    Ok(LscShape { size: spelling.size, kind })
}

/// Lengths of vectors, as written.
const LENGTHS: [&str; 9] = ["", "x1", "x2", "x3", "x4", "x8", "x16", "x32", "x64"];

/// What letters follow a block.
const LETTERS: [&str; 7] = ["", "n", "t", "nn", "nt", "tn", "tt"];

/// What channels are written; that none is too few is said where they are counted.
const CHANNELS: [&str; 16] =
    ["", "x", "y", "z", "w", "xy", "xz", "xw", "yz", "yw", "zw", "xyz", "xyw", "xzw", "yzw", "xyzw"];

/// Stands for text that is not known in [`may_be`].
pub const UNKNOWN: &str = "*";
const UNKNOWN_BYTE: u8 = UNKNOWN.as_bytes()[0];

/// All forms of a shape. `D` is the first digit of a number, `R` those behind it.
static FORMS: LazyLock<Vec<String>> = LazyLock::new(|| {
    const NUMBER: &str = "DR";
    let vectors = LENGTHS.iter().flat_map(|length| ["", "t"].map(|letter| format!("{length}{letter}")));
    let channels = CHANNELS.iter().map(|channels| format!(".{channels}"));
    let blocks = LETTERS
        .iter()
        .flat_map(|letters| [format!(".{NUMBER}x{NUMBER}{letters}"), format!(".{NUMBER}x{NUMBER}x{NUMBER}{letters}")]);
    let tails: Vec<String> = vectors.chain(channels).chain(blocks).collect();
    let of_size = |size: &'static Spelling| {
        let own = tails.iter().filter(|tail| size.takes_tail || !tail.starts_with('.'));
        own.map(|tail| format!("{}{tail}", size.text)).collect::<Vec<_>>()
    };
    SIZES.iter().flat_map(of_size).chain([format!("{NUMBER}x{NUMBER}")]).collect()
});

/// Whether a text of which parts are not known, for which [`UNKNOWN`] stands, may be a shape.
pub fn may_be(pattern: &[u8]) -> bool {
    FORMS.iter().any(|form| fits(pattern, form.as_bytes()))
}

/// Whether a text of which parts are not known may be one of a form, which has fewer than 64 bytes.
fn fits(pattern: &[u8], form: &[u8]) -> bool {
    // A bit for each place of the form that the text so far may reach.
    let passing = |mut reached: u64| {
        for (at, symbol) in form.iter().enumerate() {
            if *symbol == b'R' && reached >> at & 1 != 0 {
                reached |= 1 << (at + 1);
            }
        }
        reached
    };
    let step = |reached: u64, byte: u8| {
        let next = form.iter().enumerate().filter(|(at, _)| reached >> at & 1 != 0).fold(0, |next, (at, symbol)| {
            next | match symbol {
                b'D' if byte.is_ascii_digit() && byte != b'0' => 1 << (at + 1),
                b'R' if byte.is_ascii_digit() => 1 << at,
                symbol if *symbol == byte => 1 << (at + 1),
                _ => 0,
            }
        });
        passing(next)
    };
    let mut reached = 1u64;
    for byte in pattern {
        reached = if *byte == UNKNOWN_BYTE { u64::MAX << reached.trailing_zeros() } else { step(reached, *byte) };
        if reached == 0 {
            return false;
        }
    }
    reached >> form.len() & 1 != 0
}

/// Reads `x16t`.
fn vector(text: &str) -> Result<LscShapeKind, &'static str> {
    let (length, is_transposed) = match text.strip_suffix('t') {
        Some(front) => (front, true),
        None => (text, false),
    };
    let n_elements = match length {
        "" | "x1" => 1,
        "x2" => 2,
        "x3" => 3,
        "x4" => 4,
        "x8" => 8,
        "x16" => 16,
        "x32" => 32,
        "x64" => 64,
        _ => return Err(NO_VECTOR),
    };
    Ok(LscShapeKind::Vector { n_elements, is_transposed })
}

/// Reads `xyzw`.
fn channels(text: &str) -> Result<LscShapeKind, &'static str> {
    let mut bits = 0u8;
    for byte in text.bytes() {
        let Some(place) = b"xyzw".iter().position(|c| *c == byte) else {
            return Err("channels are `x`, `y`, `z` and `w`, in lower case");
        };
        if bits >> place != 0 {
            return Err("channels stand in the order `xyzw`, each once");
        }
        bits |= 1 << place;
    }
    Ok(LscShapeKind::Channels(bits))
}

/// A number without leading zeros. Those that do not fit become the greatest one, which no check takes for legal.
fn count(text: &str) -> Result<u32, &'static str> {
    if text.starts_with('0') || text.is_empty() || !text.bytes().all(|b| b.is_ascii_digit()) {
        return Err(NO_NUMBER);
    }
    Ok(text.parse().unwrap_or(u32::MAX))
}

/// Reads `2x16x8nt`.
fn block(text: &str) -> Result<LscShapeKind, &'static str> {
    let n_numbers = text.find(|c: char| !(c.is_ascii_digit() || c == 'x')).unwrap_or(text.len());
    let (numbers, letters) = text.split_at(n_numbers);
    let is_transform = |letter: Option<&u8>| match letter {
        None | Some(b'n') => Ok(false),
        Some(b't') => Ok(true),
        Some(_) => Err(NO_LETTER),
    };
    let letters = letters.as_bytes();
    if letters.len() > 2 {
        return Err(NO_LETTER);
    }
    let (is_transposed, is_vnni) = (is_transform(letters.first())?, is_transform(letters.get(1))?);
    let mut parts = numbers.split('x');
    let (first, second, third, rest) = (parts.next(), parts.next(), parts.next(), parts.next());
    let (n_blocks, width, height) = match (first, second, third, rest) {
        (Some(width), Some(height), None, None) => ("1", width, height),
        (Some(blocks), Some(width), Some(height), None) => (blocks, width, height),
        _ => return Err("a block is written `width x height` or `blocks x width x height`, without blanks"),
    };
    Ok(LscShapeKind::Block2d {
        n_blocks: count(n_blocks)?,
        width: count(width)?,
        height: count(height)?,
        is_transposed,
        is_vnni,
    })
}

/// Reads `64x2`.
fn typed_block(written: &str) -> Result<LscShape, Fault> {
    let fault = |why| Fault { at: 0, why };
    let (width, height) = written.split_once('x').ok_or(fault(NO_SIZE))?;
    let kind =
        LscShapeKind::TypedBlock2d { width: count(width).map_err(fault)?, height: count(height).map_err(fault)? };
    Ok(LscShape { size: LscDataSize { memory_bytes: 1, register_bytes: 1, is_high: false }, kind })
}
