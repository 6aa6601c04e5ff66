//! What may stand in a quoted string.

use super::error::SYNTAX_ERROR;
use crate::base::diagnostic::Diagnostic;
use crate::base::span::Span;

/// Most bytes that a string may stand for.
const MAX_BYTES: usize = 4096;

/// The first fault of a string whose quotes are closed: an escape that does not exist, or too many bytes.
#[must_use]
pub fn fault(text: &str, string: Span) -> Option<Diagnostic> {
    let bytes = string.of(text).as_bytes();
    if !bytes.contains(&b'\\') && bytes.len() - 2 <= MAX_BYTES {
        return None;
    }
    let mut n_decoded = 0;
    let mut i = 1;
    while i + 1 < bytes.len() {
        n_decoded += 1;
        if bytes[i] != b'\\' {
            i += 1;
            continue;
        }
        let Some(length) = escape_length(&bytes[i + 1..bytes.len() - 1]) else {
            return Some(unknown_escape(text, string.start + i as u32));
        };
        i += 1 + length;
    }
    (n_decoded > MAX_BYTES).then(|| {
        Diagnostic::new(&SYNTAX_ERROR, string, format!("a string has at most {MAX_BYTES} bytes, this one {n_decoded}"))
    })
}

/// Bytes after the backslash that belong to an escape; nothing if there is no such escape.
fn escape_length(rest: &[u8]) -> Option<usize> {
    let digits = |bytes: &[u8], most: usize, is_digit: fn(&u8) -> bool| {
        bytes.iter().take(most).take_while(|b| is_digit(b)).count()
    };
    match rest.first()? {
        b'a' | b'b' | b'e' | b'f' | b'n' | b'r' | b't' | b'v' | b'\'' | b'"' | b'?' | b'\\' => Some(1),
        b'0'..=b'9' => Some(digits(rest, 3, u8::is_ascii_digit)),
        b'x' => match digits(&rest[1..], 2, u8::is_ascii_hexdigit) {
            0 => None,
            n => Some(1 + n),
        },
        _ => None,
    }
}

fn unknown_escape(text: &str, backslash: u32) -> Diagnostic {
    let rest = &text[backslash as usize + 1..];
    let length = rest.chars().next().map_or(0, char::len_utf8) as u32;
    let span = Span::new(backslash, backslash + 1 + length);
    Diagnostic::new(&SYNTAX_ERROR, span, format!("the escape `{}` does not exist", span.of(text)))
        .note("a backslash begins an escape, also in paths: write it twice")
        .replace(Span::new(backslash, backslash + 1), "\\\\", false)
}
