//! Asm strings in Python: `tl.inline_asm_elementwise(asm, constraints, ...)` and calls of the same kind.

use super::c;
use super::llvm::operands;
use super::map::Mapped;
use super::statement::{Escapes, HOLE, HostType, RawStatement, Value, WIDE_HOLE};
use crate::base::span::Span;

/// Something in a Python text that a scanner has to tell apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
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
struct Token {
    kind: Kind,
    span: Span,
}

/// Finds the asm strings of a text; comments go to `comment`.
pub(super) fn read(text: &str, comment: impl FnMut(Span)) -> Vec<RawStatement> {
    let tokens = tokens(text, comment);
    let assigned = assigned(text, &tokens);
    let mut found = Vec::new();
    let mut function = (0, "");
    for (i, token) in tokens.iter().enumerate().filter(|(_, t)| t.kind == Kind::Word) {
        let word = token.span.of(text);
        if word == "def"
            && let Some(name) = tokens.get(i + 1).filter(|t| t.kind == Kind::Word)
        {
            function = (function.0 + 1, name.span.of(text));
        }
        let is_call = word.contains("asm") && tokens.get(i + 1).is_some_and(|t| t.kind == Kind::Open);
        if is_call && let Some(mut statement) = call(text, &tokens, i, &assigned) {
            statement.function = function.0;
            function.1.clone_into(&mut statement.function_name);
            found.push(statement);
        }
    }
    found
}

/// A value that is given a name outside of brackets, in the order of the text: the name, where the tokens of its value
/// begin and end. A name whose value goes on elsewhere (`+=`) has an empty one.
type Assigned<'a> = Vec<(&'a str, usize, usize)>;

fn assigned<'a>(text: &'a str, tokens: &[Token]) -> Assigned<'a> {
    let mut found = Vec::new();
    let mut depth = 0i32;
    // The line around the token.
    let (mut line, mut end) = (0, 0);
    for (i, token) in tokens.iter().enumerate() {
        if depth == 0 && breaks(text, tokens, i) {
            line = i;
        }
        match token.kind {
            Kind::Open => depth += 1,
            Kind::Close => depth -= 1,
            Kind::Equal if depth == 0 && i > 0 => {
                let is_word = |at: usize| tokens[at].kind == Kind::Word;
                if end <= i {
                    end = end_of_line(text, tokens, i + 1);
                }
                if is_word(i - 1) && (i - 1 == line || !is_annotated(text, tokens, line)) {
                    found.push((tokens[i - 1].span.of(text), i + 1, end));
                } else if is_word(line) {
                    // `NAME: type = value`, or `NAME += value`
                    let value = if is_annotated(text, tokens, line) { (i + 1, end) } else { (i, i) };
                    found.push((tokens[line].span.of(text), value.0, value.1));
                }
            }
            _ => {}
        }
    }
    found
}

/// Whether a colon follows the word at `at`.
fn is_annotated(text: &str, tokens: &[Token], at: usize) -> bool {
    tokens[at].kind == Kind::Word && tokens.get(at + 1).is_some_and(|t| t.span.of(text) == ":")
}

/// Whether a new line begins at a token, as far as the text before it shows.
fn breaks(text: &str, tokens: &[Token], at: usize) -> bool {
    let Some(before) = at.checked_sub(1).map(|i| tokens[i].span.end) else { return true };
    let between = &text[before as usize..tokens[at].span.start as usize];
    between.contains('\n') && !between.contains("\\\n") && !between.contains("\\\r\n")
        || tokens[at - 1].span.of(text) == ";"
}

/// Where the line that holds the token `from` ends: brackets join lines.
fn end_of_line(text: &str, tokens: &[Token], from: usize) -> usize {
    let mut depth = 0i32;
    for (i, token) in tokens.iter().enumerate().skip(from) {
        if i > from && depth == 0 && breaks(text, tokens, i) {
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

/// The call whose name stands at `name`.
fn call(text: &str, tokens: &[Token], name: usize, assigned: &Assigned) -> Option<RawStatement> {
    let mut arguments: Vec<(&str, &[Token])> = Vec::new();
    let mut depth = 0i32;
    let mut from = name + 2;
    let mut end = None;
    for (i, token) in tokens.iter().enumerate().skip(name + 1) {
        match token.kind {
            Kind::Open => depth += 1,
            Kind::Close => depth -= 1,
            _ => {}
        }
        if depth == 0 || depth == 1 && token.kind == Kind::Comma {
            let part = &tokens[from..i];
            match part {
                [key, equal, value @ ..] if key.kind == Kind::Word && equal.kind == Kind::Equal => {
                    arguments.push((key.span.of(text), value));
                }
                [] => {}
                _ => arguments.push(("", part)),
            }
            from = i + 1;
        }
        if depth == 0 {
            end = Some(token.span.end);
            break;
        }
    }
    let positional = |n: usize| arguments.iter().filter(|(key, _)| key.is_empty()).nth(n).map(|(_, v)| *v);
    let named = |keys: &[&str]| arguments.iter().find(|(key, _)| keys.contains(key)).map(|(_, v)| *v);
    // A name stands for the value that it was given last.
    let value = |part: &'_ [Token]| -> Option<(usize, usize)> {
        let [only] = part else { return None };
        let word = (only.kind == Kind::Word).then(|| only.span.of(text))?;
        let is_before = |at: usize| tokens.get(at).is_some_and(|t| t.span < only.span);
        let given = assigned.iter().rev().find(|(name, first, _)| *name == word && is_before(*first))?;
        Some((given.1, given.2))
    };
    let resolved = |part| unwrapped(text, value(part).map_or(part, |(from, to)| &tokens[from..to]));
    let template = named(&["asm", "asm_str", "asm_string"]).or_else(|| positional(0)).map(resolved)?;
    if !template.iter().any(|t| matches!(t.kind, Kind::Text { .. })) {
        return None;
    }
    let constraints = named(&["constraints", "constraint"]).or_else(|| positional(1)).map(resolved);
    let span = Span::new(tokens[name].span.start, end.unwrap_or(tokens[name].span.end));
    let mut statement = RawStatement::new(span, strings(text, template), Escapes::Dollar);
    if let Some([only]) = constraints
        && let Kind::Text { inside, is_format: false, .. } = only.kind
    {
        let list = inside.of(text);
        statement.operands =
            Some(operands(list, inside.start as usize, |_, _| (HostType::Open, Span::default(), Value::Open)));
    }
    Some(statement)
}

/// A value without the parentheses around it.
fn unwrapped<'t>(text: &str, tokens: &'t [Token]) -> &'t [Token] {
    match tokens {
        [open, inside @ .., close]
            if open.kind == Kind::Open
                && close.kind == Kind::Close
                && open.span.of(text) == "("
                && inside.iter().all(|t| matches!(t.kind, Kind::Text { .. })) =>
        {
            inside
        }
        _ => tokens,
    }
}

/// Functions that change nothing but the space around and before the lines of a string.
const SPACERS: [&str; 8] = ["textwrap", "inspect", "dedent", "cleandoc", "strip", "lstrip", "rstrip", "splitlines"];

/// The strings of an argument, joined; anything else is a hole.
fn strings(text: &str, tokens: &[Token]) -> Mapped {
    let mut out = Mapped::default();
    // `"...".format(n=16)` and `"..." % n`
    let formats = tokens.windows(2).any(|w| w[0].span.of(text) == "." && w[1].span.of(text) == "format");
    let percent = tokens.iter().any(|t| t.kind == Kind::Other && t.span.of(text) == "%");
    let mut depth = 0i32;
    for token in tokens {
        match token.kind {
            Kind::Text { inside, is_raw, is_format } if depth == 0 || !(formats || percent) => {
                if percent {
                    conversions(text, inside, is_raw, &mut out);
                } else {
                    part(text, inside, is_raw, is_format || formats, &mut out);
                }
            }
            Kind::Open => depth += 1,
            Kind::Close => depth -= 1,
            _ if formats || percent => {}
            Kind::Word if SPACERS.contains(&token.span.of(text)) => {}
            Kind::Other if token.span.of(text) == "." => {}
            _ => {
                if !out.text.ends_with(WIDE_HOLE) {
                    out.push_atom(WIDE_HOLE.encode_utf8(&mut [0; 4]), token.span);
                }
            }
        }
    }
    out
}

/// One string of which `%d` and `%(n)s` are replaced: they are holes, and `%%` is a percent sign.
fn conversions(text: &str, inside: Span, is_raw: bool, out: &mut Mapped) {
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
        let hole = HOLE.encode_utf8(&mut [0; 4]).to_owned();
        let text = if rest.starts_with('%') { "%" } else { &hole };
        out.push_atom(text, Span::new(at, at + length));
        from = at + length;
    }
    append(from, inside.end, out);
}

/// One string: what stands in the braces of a format string is a hole.
fn part(text: &str, inside: Span, is_raw: bool, is_format: bool, out: &mut Mapped) {
    let append = |from: u32, to: u32, out: &mut Mapped| {
        let piece = Span::new(from, to).of(text);
        if is_raw { c::lines(piece, from, out) } else { c::escaped(piece, from, out) }
    };
    if !is_format {
        append(inside.start, inside.end, out);
        return;
    }
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
                out.push_atom(HOLE.encode_utf8(&mut [0; 4]), Span::new(at, end));
                at = end;
                from = end;
            }
            _ => at += 1,
        }
    }
    append(from, inside.end, out);
}

fn tokens(text: &str, mut comment: impl FnMut(Span)) -> Vec<Token> {
    let bytes = text.as_bytes();
    let mut all = Vec::new();
    let mut at = 0;
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
            b' ' | b'\t' | b'\r' | b'\n' | b'\\' => {
                at += 1;
                continue;
            }
            _ => {
                at += text[at..].chars().next().map_or(1, char::len_utf8);
                Kind::Other
            }
        };
        all.push(Token { kind, span: Span::new(start as u32, at as u32) });
    }
    all
}

/// A string whose quote stands at `at`, which is moved past it.
fn string(text: &str, at: &mut usize, is_raw: bool, is_format: bool) -> Kind {
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
