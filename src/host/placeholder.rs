//! Marks in a text that a program replaces before the text is used, in the forms of the languages for templates: `@N@`,
//! `{{ n }}`, `${N}`, `%N%`, `__N__`. vISA has none of them.

use super::map::Mapped;
use super::statement::HOLE;
use super::template::UNIQUE;
use crate::base::span::Span;
use crate::spec;
use std::ops::Range;

/// What begins and ends a mark around a name.
const AROUND_NAME: [(&str, &str); 12] = [
    ("@", "@"),
    ("?", "?"),
    ("~", "~"),
    ("${", "}"),
    ("$(", ")"),
    ("%", "%"),
    ("#", "#"),
    ("<<", ">>"),
    ("[[", "]]"),
    ("__", "__"),
    ("{", "}"),
    ("$", ""),
];

/// What begins and ends a mark around an expression.
const AROUND_ANY: [(&str, &str); 3] = [("{{", "}}"), ("{%", "%}"), ("<%", "%>")];

/// Marks that compilers replace by a number that no other statement has.
const OF_COMPILERS: [&str; 2] = ["%=", "${:uid}"];

/// Bytes of a mark.
const MOST_BYTES: usize = 64;

/// A text with a hole for each of its marks; nothing if it has none, here and below.
pub(super) fn without_marks(host: &str, from: &Mapped) -> Option<Mapped> {
    let text = from.text.as_bytes();
    let begins = |b: &u8| matches!(b, b'@' | b'?' | b'~' | b'$' | b'%' | b'#' | b'<' | b'[' | b'_' | b'{');
    let mut at = 0;
    let marks = std::iter::from_fn(|| {
        while let Some(found) = text[at..].iter().position(begins) {
            let begin = at + found;
            at = begin + 1;
            let is_inside = begin > 0 && text[begin - 1].is_ascii_alphanumeric();
            if let Some(length) = mark(&text[begin..text.len().min(begin + MOST_BYTES)], is_inside) {
                at = begin + length;
                return Some(begin..at);
            }
        }
        None
    });
    with_holes(host, from, marks)
}

/// A text with a hole for each expression in two braces: `{{ n }}`.
pub(super) fn without_expressions(host: &str, from: &Mapped) -> Option<Mapped> {
    let mut at = 0;
    let expressions = std::iter::from_fn(|| {
        let begin = at + from.text[at..].find("{{")?;
        at = begin + from.text[begin..].find("}}")? + 2;
        Some(begin..at)
    });
    with_holes(host, from, expressions)
}

/// A text with a hole for each number behind `sign`, which a program replaces by an argument: `$0`, `%1`.
pub(super) fn without_numbers(host: &str, from: &Mapped, sign: char) -> Option<Mapped> {
    let text = from.text.as_str();
    let numbers = text.match_indices(sign).filter_map(|(at, _)| {
        let digits = text[at + 1..].bytes().take_while(u8::is_ascii_digit).count();
        (digits > 0).then_some(at..at + 1 + digits)
    });
    with_holes(host, from, numbers)
}

/// A text with a hole for each place of a word that a program replaces.
pub(super) fn without_word(host: &str, from: &Mapped, word: &str) -> Option<Mapped> {
    let places = memchr::memmem::find_iter(from.text.as_bytes(), word.as_bytes()).map(|at| at..at + word.len());
    with_holes(host, from, places)
}

/// A text with a hole, or a number that compilers make, for each of these places, which are in order; nothing if there are none. Of places that overlap, the
/// first one counts.
fn with_holes(host: &str, from: &Mapped, places: impl Iterator<Item = Range<usize>>) -> Option<Mapped> {
    let mut bytes = [0; 4];
    let hole: &str = HOLE.encode_utf8(&mut bytes);
    let mut out = Mapped::default();
    let mut done = 0;
    for place in places.filter(|place| !place.is_empty()) {
        let part = Span::new(place.start as u32, place.end as u32);
        if part.start < done {
            continue;
        }
        out.push_part(from, Span::new(done, part.start));
        let is_unique = OF_COMPILERS.contains(&part.of(&from.text));
        let stand = if is_unique { UNIQUE } else { hole };
        out.push_instead(stand, from, host, part);
        done = part.end;
    }
    if done == 0 {
        return None;
    }
    out.push_part(from, Span::new(done, from.text.len() as u32));
    Some(out)
}

/// The length of the mark that a text begins with, which stands inside of a word or not.
fn mark(text: &[u8], is_inside: bool) -> Option<usize> {
    if let Some(unique) = OF_COMPILERS.iter().find(|mark| text.starts_with(mark.as_bytes())) {
        return Some(unique.len());
    }
    let is_name = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
    for (open, close) in AROUND_ANY {
        let Some(inside) = text.strip_prefix(open.as_bytes()) else { continue };
        let n = inside.iter().take_while(|b| is_name(b) || matches!(b, b' ' | b'.' | b'=' | b'|')).count();
        if n > 0 && inside[n..].starts_with(close.as_bytes()) {
            return Some(open.len() + n + close.len());
        }
    }
    AROUND_NAME.iter().find_map(|(open, close)| {
        let inside = text.strip_prefix(open.as_bytes())?;
        let n = inside.iter().take_while(|b| is_name(b)).count();
        let is_dunder = *open == "__";
        let name = if is_dunder { inside[..n].strip_suffix(b"__").filter(|_| !is_inside)? } else { &inside[..n] };
        let close = if is_dunder { "" } else { close };
        // `{barrier}`
        let is_own = *open == "{" && std::str::from_utf8(name).is_ok_and(|name| spec::lookup(name).is_some());
        // `%1%`
        let is_number = *open == "%" && !name.is_empty() && name.iter().all(u8::is_ascii_digit);
        let is_named = name.first().is_some_and(u8::is_ascii_alphabetic) || is_number;
        let is_mark = is_named && inside[n..].starts_with(close.as_bytes());
        (is_mark && !is_own).then_some(open.len() + n + close.len())
    })
}
