//! Strings of Python with what is put into them: `.format`, `%` and format strings.

use super::tokens::{Kind, Token};
use crate::base::span::Span;
use crate::host::c;
use crate::host::loose;
use crate::host::map::Mapped;
use crate::host::statement::{HOLE, SEVERAL, WIDE_HOLE};

/// How often a text or a list is repeated, at most.
pub(super) const MOST_ITEMS: usize = 64;

/// What is done with the strings of a value.
#[derive(Clone, Copy)]
pub(super) enum Formatting<'a> {
    Plain,
    /// `.format(...)`, with what stands between its parentheses.
    Braces(&'a [Token]),
    /// `% (...)`, with what stands behind the percent sign.
    Percent(&'a [Token]),
    /// `Template(...).substitute(...)`, with what stands between the parentheses.
    Template(&'a [Token]),
}

impl<'a> Formatting<'a> {
    /// What is put in.
    pub(super) const fn given(self) -> &'a [Token] {
        match self {
            Self::Plain => &[],
            Self::Braces(given) | Self::Percent(given) | Self::Template(given) => given,
        }
    }
}

/// What stands for `{...}` in a string.
pub(super) enum Field {
    /// A text of which the host does not have the very bytes.
    Made(String),
    /// A text whose very bytes stand at a place.
    Written(String, Span),
    /// The same, as the value of a name: what is wrong with all of it is wrong where the name stands.
    Named(String, Span),
    /// A text of several parts, each with its place.
    Parts(Mapped),
}

impl Field {
    /// A text whose very bytes stand at `place`, if the host has them.
    pub(super) fn of(text: String, place: Option<Span>) -> Self {
        match place {
            Some(place) => Self::Written(text, place),
            None => Self::Made(text),
        }
    }
}

/// The inside of a string.
#[inline]
pub(super) const fn inside(token: &Token) -> Option<Span> {
    token.inside()
}

/// Appends the text of a string, to which `formatting` is applied.
pub(super) fn literal(text: &str, token: Token, formatting: Formatting, out: &mut Mapped) {
    filled(text, token, formatting, &mut |_| None, out);
}

/// Appends the text of a string; `fill` says what stands for what is between braces, or for the name of a conversion, if it is
/// known.
pub(super) fn filled(
    text: &str,
    token: Token,
    formatting: Formatting,
    fill: &mut dyn FnMut(Span) -> Option<Field>,
    out: &mut Mapped,
) {
    let Kind::Text { is_raw, is_format, .. } = token.kind else { return };
    let Some(inside) = token.inside() else { return };
    match formatting {
        Formatting::Percent(_) => conversions(text, inside, is_raw, fill, out),
        Formatting::Template(_) => placeholders(text, inside, is_raw, fill, out),
        Formatting::Braces(_) => fields(text, inside, is_raw, fill, out),
        Formatting::Plain if is_format => fields(text, inside, is_raw, fill, out),
        Formatting::Plain => part(text, inside, is_raw, out),
    }
}

/// Appends text that is not known.
pub(super) fn hole(place: Span, out: &mut Mapped) {
    if !out.text.ends_with(WIDE_HOLE) {
        out.push_atom(WIDE_HOLE.encode_utf8(&mut [0; 4]), place);
    }
}

/// Appends lines that are not known.
pub(super) fn unknown_lines(place: Span, out: &mut Mapped) {
    out.push_atom(&format!("{WIDE_HOLE}\n"), Span::at(place.start));
}

/// Appends what separates lines of which it is not known how often they are there.
fn several(place: Span, out: &mut Mapped) {
    out.push_atom(&format!("{SEVERAL}\n"), Span::at(place.start));
}

/// Appends a word that is not known.
pub(super) fn word_hole(place: Span, out: &mut Mapped) {
    out.push_atom(HOLE.encode_utf8(&mut [0; 4]), place);
}

/// One string of which `%d` and `%(n)s` are replaced: by what `fill` says, or by a hole. `%%` is a percent sign.
fn conversions(text: &str, inside: Span, is_raw: bool, fill: &mut dyn FnMut(Span) -> Option<Field>, out: &mut Mapped) {
    let append = |from: u32, to: u32, out: &mut Mapped| {
        let piece = Span::new(from, to).of(text);
        if is_raw { c::lines(piece, from, out) } else { c::escaped(piece, from, out) }
    };
    let mut from = inside.start;
    while let Some(found) = memchr::memchr(b'%', &text.as_bytes()[from as usize..inside.end as usize]) {
        let at = from + found as u32;
        append(from, at, out);
        let rest = &text[at as usize + 1..inside.end as usize];
        let name = if rest.starts_with('(') { rest.find(')').map_or(0, |i| i + 1) } else { 0 };
        let flags = rest[name..].bytes().take_while(|b| b.is_ascii_digit() || b"-+ #.".contains(b)).count();
        let length = (1 + name + flags + 1).min(rest.len() + 1) as u32;
        from = at + length;
        let whole = Span::new(at, from);
        if rest.starts_with('%') {
            out.push_atom("%", whole);
            continue;
        }
        let key = Span::new(at + 1 + u32::from(name > 0), at + 1 + name.max(1) as u32 - 1);
        let is_plain = flags == 0 && rest[name..].starts_with(['s', 'd', 'i']);
        push_field(fill(key).filter(|_| is_plain), whole, out);
    }
    append(from, inside.end, out);
}

/// One string of which `$name` and `${name}` are replaced: by what `fill` says, or by a hole. `$$` is a dollar sign.
fn placeholders(text: &str, inside: Span, is_raw: bool, fill: &mut dyn FnMut(Span) -> Option<Field>, out: &mut Mapped) {
    let mut from = inside.start;
    while let Some(found) = memchr::memchr(b'$', &text.as_bytes()[from as usize..inside.end as usize]) {
        let at = from + found as u32;
        part(text, Span::new(from, at), is_raw, out);
        let rest = &text[at as usize + 1..inside.end as usize];
        // `$0` is none.
        let name = |rest: &str| match rest.bytes().next() {
            Some(first) if first.is_ascii_digit() => 0,
            _ => rest.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count(),
        };
        let length = match rest.strip_prefix('{') {
            Some(braced) if name(braced) == 0 => 0,
            Some(braced) => name(braced) + 2,
            None if rest.starts_with('$') => 1,
            None => name(rest),
        };
        let end = (at + 1 + length as u32).min(inside.end);
        let whole = Span::new(at, end);
        if rest.starts_with('$') || length == 0 {
            out.push_atom("$", whole);
        } else {
            let brace = u32::from(rest.starts_with('{'));
            push_field(fill(Span::new(at + 1 + brace, end - brace)), whole, out);
        }
        from = end;
    }
    part(text, Span::new(from, inside.end), is_raw, out);
}

/// One string without fields.
pub(super) fn part(text: &str, inside: Span, is_raw: bool, out: &mut Mapped) {
    if is_raw {
        c::lines(inside.of(text), inside.start, out);
    } else {
        c::escaped(inside.of(text), inside.start, out);
    }
}

/// One format string: what stands in its braces is what `fill` says, or a hole.
fn fields(text: &str, inside: Span, is_raw: bool, fill: &mut dyn FnMut(Span) -> Option<Field>, out: &mut Mapped) {
    let append = |from: u32, to: u32, out: &mut Mapped| part(text, Span::new(from, to), is_raw, out);
    let bytes = text.as_bytes();
    let mut from = inside.start;
    let mut at = inside.start;
    while at < inside.end {
        let byte = bytes[at as usize];
        let is_double = at + 1 < inside.end && bytes[at as usize + 1] == byte;
        match byte {
            b'{' | b'}' if is_double => {
                append(from, at, out);
                out.push_atom(if byte == b'{' { "{" } else { "}" }, Span::new(at, at + 2));
                at += 2;
                from = at;
            }
            b'{' => {
                append(from, at, out);
                let mut depth = 0i32;
                let length = text[at as usize..inside.end as usize].bytes().position(|b| {
                    depth += i32::from(b == b'{') - i32::from(b == b'}');
                    depth == 0
                });
                let end = length.map_or(inside.end, |n| at + n as u32 + 1);
                push_field(length.and_then(|_| fill(Span::new(at + 1, end - 1))), Span::new(at, end), out);
                at = end;
                from = end;
            }
            _ => at += 1,
        }
    }
    append(from, inside.end, out);
}

/// Appends what stands for the part of a string at `place`; a hole if that is not known.
fn push_field(field: Option<Field>, place: Span, out: &mut Mapped) {
    match field {
        Some(Field::Parts(parts)) => out.push_part(&parts, Span::new(0, parts.text.len() as u32)),
        Some(Field::Named(text, own)) => {
            let mut value = Mapped::default();
            value.push_run(&text, own.start);
            out.push_placed(&value, place);
        }
        Some(Field::Written(text, own)) => out.push_run(&text, own.start),
        Some(Field::Made(text)) => out.push_atom(&text, place),
        None => word_hole(place, out),
    }
}

/// Appends what stands there once, several times or not at all; a part that is not known if it is less than a line, and lines
/// that are not known if it declares again what the text has declared.
pub(super) fn push_optional(own: &Mapped, place: Span, out: &mut Mapped) {
    // Of what is not known there is no more to say.
    if own.text.chars().all(|c| matches!(c, HOLE | WIDE_HOLE | '\n')) {
        return hole(place, out);
    }
    let begins_line = out.text.is_empty() || out.text.ends_with('\n');
    if !begins_line || !own.text.ends_with('\n') {
        return hole(place, out);
    }
    if loose::declares_again(&out.text, &own.text) {
        return unknown_lines(place, out);
    }
    // What is declared may have another name each time.
    let separate = if loose::declares(&own.text) { unknown_lines } else { several };
    separate(place, out);
    out.push_part(own, Span::new(0, own.text.len() as u32));
    separate(place, out);
}
