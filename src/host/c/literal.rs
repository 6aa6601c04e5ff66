//! String literals of the C family as text with places.

use super::lexer::{self, Kind, Token};
use crate::base::span::Span;
use crate::host::literal::Literal;
use crate::host::map::Mapped;

/// The letter of the literal that a macro of `<inttypes.h>` stands for: `PRIx32` for `"x"`.
fn conversion(word: &str) -> Option<&str> {
    let rest = word.strip_prefix("PRI")?;
    let letter = rest.get(..1)?;
    let size = rest[1..].trim_start_matches("LEAST").trim_start_matches("FAST");
    matches!(size, "8" | "16" | "32" | "64" | "MAX" | "PTR").then_some(letter)
}

/// Makes literals of the macros of `<inttypes.h>` that stand beside one.
pub(super) fn conversions(text: &str, tokens: &mut [Token]) {
    let own = tokens.first().map_or(0, |t| t.start as usize);
    if memchr::memmem::find(&text.as_bytes()[own..], b"PRI").is_none() {
        return;
    }
    for at in 1..tokens.len() {
        let is_beside = |n: usize| tokens.get(n).is_some_and(|t| t.kind == Kind::Text);
        let is_conversion = tokens[at].kind == Kind::Word && conversion(tokens[at].of(text)).is_some();
        if is_conversion && (is_beside(at - 1) || is_beside(at + 1)) {
            tokens[at].kind = Kind::Text;
        }
    }
}

/// Appends the inside of a literal.
pub(super) fn append(text: &str, token: Token, out: &mut Mapped) {
    let written = token.of(text);
    if let Some(letter) = conversion(written) {
        out.push_atom(letter, token.span());
        return;
    }
    if token.kind == Kind::Raw {
        if let Some(inside) = raw_inside(text, token) {
            lines(inside.of(text), inside.start, out);
        }
        return;
    }
    let inside = plain_inside(text, token);
    escaped(inside.of(text), inside.start, out);
}

/// The string literals of a text behind `from`, in order.
pub(in crate::host) fn literals(text: &str, from: usize) -> Vec<Literal> {
    let tokens = lexer::tokens(text, from, |_| {});
    let literal = |token: &Token| {
        let (inside, is_raw) = match token.kind {
            Kind::Raw => (raw_inside(text, *token)?, true),
            Kind::Text => (plain_inside(text, *token), false),
            _ => return None,
        };
        Some(Literal { inside, is_raw, is_format: false, is_long: is_raw, is_escaped_twice: false })
    };
    tokens.iter().filter_map(literal).collect()
}

/// What stands between the quotes of a string, or up to the end of the line if it is not closed.
fn plain_inside(text: &str, token: Token) -> Span {
    let written = token.of(text);
    let from = written.find('"').map_or(0, |quote| quote + 1);
    let inside = &written[from..];
    let length = inside.strip_suffix('"').unwrap_or(inside).len();
    let start = token.start + from as u32;
    Span::new(start, start + length as u32)
}

/// What stands between the delimiters of a raw string.
pub(super) fn raw_inside(text: &str, token: Token) -> Option<Span> {
    let written = token.of(text);
    let quote = written.find('"').unwrap_or(0);
    let open = written[quote..].find('(')?;
    let delimiter = open - 1;
    let start = quote + open + 1;
    let end = written.len().saturating_sub(delimiter + 2).max(start);
    Some(Span::new(token.start + start as u32, token.start + end as u32))
}

/// Appends text as it is, with the line ends of Windows as newlines.
pub(in crate::host) fn lines(inside: &str, start: u32, out: &mut Mapped) {
    let mut from = 0;
    for (at, _) in inside.match_indices("\r\n") {
        out.push_run(&inside[from..at], start + from as u32);
        out.push_atom("\n", Span::new(start + at as u32, start + at as u32 + 2));
        from = at + 2;
    }
    out.push_run(&inside[from..], start + from as u32);
}

/// Appends text with the escapes of C.
pub(in crate::host) fn escaped(inside: &str, start: u32, out: &mut Mapped) {
    let bytes = inside.as_bytes();
    let mut from = 0;
    let mut at = 0;
    while let Some(found) = memchr::memchr2(b'\\', b'\r', &bytes[at..]) {
        let begin = at + found;
        if bytes[begin] == b'\r' {
            if bytes.get(begin + 1) != Some(&b'\n') {
                at = begin + 1;
                continue;
            }
            out.push_run(&inside[from..begin], start + from as u32);
            out.push_atom("\n", Span::new(start + begin as u32, start + begin as u32 + 2));
            from = begin + 2;
            at = from;
            continue;
        }
        out.push_run(&inside[from..begin], start + from as u32);
        let (length, character) = escape(&inside[begin..]);
        if let Some(character) = character {
            let host = Span::new(start + begin as u32, start + (begin + length) as u32);
            out.push_atom(character.encode_utf8(&mut [0; 4]), host);
        }
        from = begin + length;
        at = from;
    }
    out.push_run(&inside[from..], start + from as u32);
}

/// The length of the escape that `text` begins with, and what it stands for; nothing for a newline that is spliced away.
fn escape(text: &str) -> (usize, Option<char>) {
    let bytes = text.as_bytes();
    let digits = |radix: u32, from: usize, most: usize| {
        let n = text[from..].chars().take(most).take_while(|c| c.is_digit(radix)).count();
        (from + n, u32::from_str_radix(&text[from..from + n], radix).ok().and_then(char::from_u32))
    };
    match bytes.get(1) {
        None => (1, Some('\\')),
        Some(b'\n') => (2, None),
        Some(b'\r') if bytes.get(2) == Some(&b'\n') => (3, None),
        Some(b'n') => (2, Some('\n')),
        Some(b't') => (2, Some('\t')),
        Some(b'r') => (2, Some('\r')),
        Some(b'v') => (2, Some('\x0b')),
        Some(b'f') => (2, Some('\x0c')),
        Some(b'a') => (2, Some('\x07')),
        Some(b'b') => (2, Some('\x08')),
        Some(b'u') => digits(16, 2, 4),
        Some(b'x' | b'U') => digits(16, 2, 8),
        Some(b'0'..=b'7') => digits(8, 1, 3),
        Some(_) => {
            let c = text[1..].chars().next().unwrap_or('\\');
            (1 + c.len_utf8(), Some(c))
        }
    }
}
