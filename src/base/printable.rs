//! Text of others that is shown in a terminal: without characters that change how the terminal shows what stands around
//! them.

use std::borrow::Cow;

/// Whether a terminal does something else with a character than to show it: control characters (C0, DEL, C1), the ends
/// of lines of Unicode, marks that turn the direction of writing, and marks without a width.
#[must_use]
pub const fn is_harmful(c: char) -> bool {
    matches!(c,
        '\0'..='\x1f' | '\x7f'..='\u{9f}'
        | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// Whether a text is nothing but printable ASCII, which nearly every text is.
fn is_plain(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' '..=b'~'))
}

/// A text that is to stand on one line, such as a file name: U+FFFD takes the place of each harmful character, newlines
/// and tabs among them.
#[must_use]
pub fn line(text: &str) -> Cow<'_, str> {
    if is_plain(text) || !text.contains(is_harmful) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.replace(is_harmful, "\u{fffd}"))
}

/// A text of several lines, as [`line()`] but with its newlines and tabs.
#[must_use]
pub fn lines(text: &str) -> Cow<'_, str> {
    let is_bad = |c| is_harmful(c) && !matches!(c, '\n' | '\t');
    if !text.contains(is_bad) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.replace(is_bad, "\u{fffd}"))
}

/// A source text as it is quoted: newlines and tabs stay, carriage returns become blanks, other harmful characters a
/// mark that is as long in bytes, so that offsets stay.
#[must_use]
pub fn source(text: &str) -> Cow<'_, str> {
    let is_bad = |c| is_harmful(c) && !matches!(c, '\n' | '\t');
    if !text.contains(is_bad) {
        return Cow::Borrowed(text);
    }
    let mark = |c: char| match (c, c.len_utf8()) {
        ('\r', _) => ' ',
        (c, _) if !is_bad(c) => c,
        (_, 1) => '?',
        (_, 2) => '\u{bf}',
        _ => '\u{fffd}',
    };
    Cow::Owned(text.chars().map(mark).collect())
}

/// A text with at most some `max` bytes, for a message: of a longer one, its beginning and its end.
#[must_use]
pub fn cut(text: &str, max: usize) -> Cow<'_, str> {
    if text.len() <= max {
        return Cow::Borrowed(text);
    }
    let (head, tail) = (text.floor_char_boundary(max / 2), text.ceil_char_boundary(text.len() - max / 2));
    Cow::Owned(format!("{}\u{2026}{}", &text[..head], &text[tail..]))
}
