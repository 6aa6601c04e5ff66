//! The tokens of Python that matter for strings, and what brackets and lines make of them.

use crate::base::span::Span;

/// Parentheses around a value that are left out.
const MOST_PARENTHESES: usize = 8;

/// Something in a Python text that a scanner has to tell apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Word,
    /// A string: where its inside begins and ends.
    Text {
        inside: Span,
        is_raw: bool,
        is_format: bool,
    },
    Open,
    Close,
    Comma,
    Equal,
    Other,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    /// Whether a new line begins at it, as far as the text before it shows: brackets around it are not looked at.
    pub(super) begins_line: bool,
    pub(super) span: Span,
}

impl Token {
    /// Whether it is a word. Costs no more than its length for nearly all others.
    pub(super) fn is(self, text: &str, word: &str) -> bool {
        let (from, to) = (self.span.start as usize, self.span.end as usize);
        to - from == word.len() && text.as_bytes().get(from..to) == Some(word.as_bytes())
    }
}

/// Characters before a token that begins a line.
pub(super) fn indent(text: &str, token: Token) -> usize {
    let before = &text[..token.span.start as usize];
    before.len() - memchr::memrchr(b'\n', before.as_bytes()).map_or(0, |n| n + 1)
}

/// Whether a colon follows the word at `at`.
pub(super) fn is_annotated(text: &str, tokens: &[Token], at: usize) -> bool {
    tokens[at].kind == Kind::Word && tokens.get(at + 1).is_some_and(|t| t.span.of(text) == ":")
}

/// Where the line that holds the token `from` ends: brackets join lines.
pub(super) fn end_of_line(tokens: &[Token], from: usize) -> usize {
    let mut depth = 0i32;
    for (i, token) in tokens.iter().enumerate().skip(from) {
        if i > from && depth == 0 && tokens[i].begins_line {
            return i;
        }
        depth += match token.kind {
            Kind::Open => 1,
            Kind::Close => -1,
            _ => 0,
        };
    }
    tokens.len()
}

/// A value without the parentheses around it.
pub(super) fn unwrapped<'t>(text: &str, mut tokens: &'t [Token]) -> &'t [Token] {
    for _ in 0..MOST_PARENTHESES {
        match tokens {
            [open, inside @ .., _] if open.span.of(text) == "(" && closing(tokens, 0) == Some(tokens.len() - 1) => {
                tokens = inside;
            }
            _ => break,
        }
    }
    tokens
}

/// Where the bracket at `open` is closed.
pub(super) fn closing(tokens: &[Token], open: usize) -> Option<usize> {
    let mut depth = 0i32;
    tokens.iter().enumerate().skip(open).find_map(|(i, token)| {
        depth += i32::from(token.kind == Kind::Open) - i32::from(token.kind == Kind::Close);
        (depth == 0).then_some(i)
    })
}

/// The parts between the commas outside of brackets; what is empty, as behind a last comma, is none.
pub(super) fn parts(tokens: &[Token]) -> impl Iterator<Item = &[Token]> {
    let mut brackets = 0i32;
    let ends = move |t: &Token| {
        brackets += i32::from(t.kind == Kind::Open) - i32::from(t.kind == Kind::Close);
        brackets == 0 && t.kind == Kind::Comma
    };
    tokens.split(ends).filter(|part| !part.is_empty())
}

pub(super) fn tokens(text: &str, from: usize, mut comment: impl FnMut(Span)) -> Vec<Token> {
    let bytes = text.as_bytes();
    let mut all = Vec::with_capacity((bytes.len() - from) / 5);
    let mut at = from;
    // What stands since the last token.
    let (mut has_newline, mut has_splice) = (true, false);
    while at < bytes.len() {
        let start = at;
        let byte = bytes[at];
        let kind = match byte {
            b'#' => {
                at += memchr::memchr(b'\n', &bytes[at..]).unwrap_or(bytes.len() - at);
                comment(Span::new(start as u32, (start + text[start..at].trim_end().len()) as u32));
                continue;
            }
            b'"' | b'\'' => string(text, &mut at, false, false),
            b'A'..=b'Z' | b'a'..=b'z' | b'_' => {
                while at < bytes.len() && (bytes[at].is_ascii_alphanumeric() || bytes[at] == b'_') {
                    at += 1;
                }
                let word = &text[start..at];
                let is_prefix = word.len() <= 2 && word.bytes().all(|b| b"rRbBuUfF".contains(&b));
                if is_prefix && matches!(bytes.get(at), Some(b'"' | b'\'')) {
                    string(text, &mut at, word.contains(['r', 'R']), word.contains(['f', 'F']))
                } else {
                    Kind::Word
                }
            }
            b'(' | b'[' | b'{' => {
                at += 1;
                Kind::Open
            }
            b')' | b']' | b'}' => {
                at += 1;
                Kind::Close
            }
            b',' => {
                at += 1;
                Kind::Comma
            }
            b'=' if bytes.get(at + 1) != Some(&b'=') => {
                at += 1;
                Kind::Equal
            }
            b'\n' => {
                has_newline = true;
                at += 1;
                continue;
            }
            b'\\' => {
                at += 1;
                has_splice |= bytes[at..].starts_with(b"\n") || bytes[at..].starts_with(b"\r\n");
                continue;
            }
            b' ' | b'\t' | b'\r' => {
                at += 1;
                continue;
            }
            _ => {
                at += text[at..].chars().next().map_or(1, char::len_utf8);
                Kind::Other
            }
        };
        let begins_line = has_newline && !has_splice;
        all.push(Token { kind, begins_line, span: Span::new(start as u32, at as u32) });
        (has_newline, has_splice) = (byte == b';', false);
    }
    all
}

/// A string whose quote stands at `at`, which is moved past it.
pub(super) fn string(text: &str, at: &mut usize, is_raw: bool, is_format: bool) -> Kind {
    let bytes = text.as_bytes();
    let quote = bytes[*at];
    let triple = [quote; 3];
    let is_triple = bytes[*at..].starts_with(&triple);
    *at += if is_triple { 3 } else { 1 };
    let start = *at;
    loop {
        match bytes.get(*at) {
            None => break,
            Some(b'\\') => *at += 2,
            Some(b'\n') if !is_triple => break,
            Some(byte) if *byte == quote && (!is_triple || bytes[*at..].starts_with(&triple)) => break,
            Some(_) => *at += 1,
        }
    }
    let mut end = (*at).min(bytes.len());
    while !text.is_char_boundary(end) {
        end += 1;
    }
    let has_quote = bytes.get(end) == Some(&quote);
    *at = (end
        + if !has_quote {
            0
        } else if is_triple {
            3
        } else {
            1
        })
    .min(bytes.len());
    Kind::Text { inside: Span::new(start as u32, end as u32), is_raw, is_format }
}
