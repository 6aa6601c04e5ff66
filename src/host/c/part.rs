//! Parts of a text that a program puts together.

use super::brackets::{closing, outermost, span_of};
use super::constants::{Constants, name_of_text};
use super::lexer::{Kind, Token};
use crate::base::span::Span;

/// A part of a text: literals that stand side by side, or a value that only the program knows.
pub(super) enum Part<'t> {
    Literals(&'t [Token]),
    /// The format of `printf` and its like.
    Format(&'t [Token]),
    /// That of `std::format` and its like.
    Fields(&'t [Token]),
    /// The program takes one of these: `wide ? "d64" : "d32"`.
    Choice(Span, Vec<Vec<Self>>),
    /// A value that only the program knows.
    Unknown(&'t [Token]),
    /// A number that only the program knows.
    Number(Span),
    /// `std::endl`, `'\n'`
    NewLine(Span),
    /// `'('`: the place of the character.
    Character(Span),
}

impl<'t> Part<'t> {
    /// The literals, also of each text that the program may take.
    pub(super) fn literals(&self) -> Vec<Token> {
        match self {
            Part::Literals(tokens) | Part::Format(tokens) | Part::Fields(tokens) => tokens.to_vec(),
            Part::Choice(_, all) => all.iter().flatten().flat_map(Self::literals).collect(),
            Part::Unknown(_) | Part::Number(_) | Part::NewLine(_) | Part::Character(_) => Vec::new(),
        }
    }

    /// Whether there are literals in it.
    pub(super) fn has_literals(&self) -> bool {
        match self {
            Part::Literals(_) | Part::Format(_) | Part::Fields(_) => true,
            Part::Choice(_, all) => all.iter().flatten().any(Self::has_literals),
            Part::Unknown(_) | Part::Number(_) | Part::NewLine(_) | Part::Character(_) => false,
        }
    }

    /// Whether it is the name of a string that cannot change.
    pub(super) fn is_constant(&self, text: &str, constants: &Constants) -> bool {
        matches!(self, Part::Unknown(own) if constants.has(name_of_text(span_of(own).of(text))))
    }

    /// What only the program knows.
    fn unknown(text: &str, own: &'t [Token]) -> Self {
        if is_number(text, own) { Part::Number(span_of(own)) } else { Part::Unknown(own) }
    }
}

/// Functions that write a number.
const WRITERS: [&str; 3] = ["to_string", "itostr", "utostr"];

/// Functions that make a text of a format, as `printf` does.
const PRINTERS: [&str; 4] = ["StrFormat", "StringPrintf", "strprintf", "sprintf"];

/// Functions that put what they are given in the places of `{}`.
const FORMATTERS: [&str; 3] = ["format", "formatv", "vformat"];

/// What makes a text of a literal and changes nothing.
const TEXTS: [&str; 4] = ["string", "string_view", "StringRef", "Twine"];

/// Methods of a text that change nothing.
const METHODS: [&str; 4] = ["str", "c_str", "data", "view"];

/// Parentheses inside of each other in which parts are looked for.
const DEPTH: u32 = 6;

/// Whether these tokens end with the name of a type that makes a text of what its parentheses hold.
pub(super) fn makes_text(text: &str, before: &[Token]) -> bool {
    before.last().is_some_and(|t| t.kind == Kind::Word && TEXTS.contains(&t.of(text)))
}

/// Whether a value is a number: a product, a difference, what a function makes of one.
pub(super) fn is_number(text: &str, own: &[Token]) -> bool {
    if let [only] = own {
        return only.kind == Kind::Number;
    }
    let is_sign = |t: Token| t.kind == Kind::Star || t.kind == Kind::Other && matches!(t.of(text), "-" | "/" | "%");
    let ends = |t: Token| matches!(t.kind, Kind::Word | Kind::Number | Kind::Close | Kind::BracketClose);
    let is_between = |at: usize| at > 0 && at + 1 < own.len() && ends(own[at - 1]);
    let is_plain = |t: Token| {
        matches!(t.kind, Kind::Word | Kind::Number | Kind::Dot | Kind::Arrow | Kind::Scope | Kind::Star)
            || t.kind == Kind::Other && t.of(text) != "?"
    };
    let mut signs = 0;
    if outermost(own).all(|(at, t)| {
        signs += usize::from(is_sign(t) && is_between(at));
        is_plain(t)
    }) && signs > 0
    {
        return true;
    }
    called(own).is_some_and(|(open, _)| WRITERS.contains(&own[open - 1].of(text)))
}

/// Where the parentheses open of a value that is one call, `space::name(...)`, and what stands in them.
pub(super) fn called(own: &[Token]) -> Option<(usize, &[Token])> {
    let path = own.iter().take_while(|t| matches!(t.kind, Kind::Word | Kind::Scope | Kind::Dot | Kind::Arrow)).count();
    let is_call = path > 0 && own[path - 1].kind == Kind::Word;
    let open = own.get(path).filter(|t| is_call && matches!(t.kind, Kind::Open | Kind::BraceOpen)).map(|_| path)?;
    (closing(own, open)? + 1 == own.len()).then(|| (open, &own[open + 1..own.len() - 1]))
}

/// Whether a function is called as that of an object.
pub(super) fn has_object(path: &[Token]) -> bool {
    path.iter().any(|t| matches!(t.kind, Kind::Dot | Kind::Arrow))
}

/// A value without the methods behind it that change nothing: `formatv("...", n).str()`.
fn without_methods<'t>(text: &str, mut own: &'t [Token]) -> &'t [Token] {
    while let [rest @ .., dot, name, open, close] = own {
        let is_method = (dot.kind, open.kind, close.kind) == (Kind::Dot, Kind::Open, Kind::Close)
            && METHODS.contains(&name.of(text))
            && rest.last().is_some_and(|t| matches!(t.kind, Kind::Close | Kind::BraceClose));
        if !is_method {
            break;
        }
        own = rest;
    }
    own
}

/// What a stream takes and does not write.
const MANIPULATORS: [&str; 12] = [
    "dec",
    "hex",
    "oct",
    "setw",
    "setfill",
    "showbase",
    "noshowbase",
    "uppercase",
    "nouppercase",
    "flush",
    "boolalpha",
    "noboolalpha",
];

/// The parts of an expression between `<<` or `+`.
pub(super) fn parts<'t>(text: &str, tokens: &'t [Token], is_joint: impl Fn(usize) -> bool) -> Vec<Part<'t>> {
    match choice(text, tokens, 0) {
        Some(choice) => vec![choice],
        None => parts_of(text, tokens, is_joint, 0),
    }
}

/// The parts of an expression that stands in `depth` parentheses.
pub(super) fn parts_of<'t>(
    text: &str,
    tokens: &'t [Token],
    is_joint: impl Fn(usize) -> bool,
    depth: u32,
) -> Vec<Part<'t>> {
    let mut found = Vec::new();
    let mut from = 0;
    let mut is_hexadecimal = false;
    let mut add = |from: usize, to: usize| {
        let own = &tokens[from..to];
        // `std::hex`, `std::setw(4)`
        let name =
            own.iter().take_while(|t| matches!(t.kind, Kind::Word | Kind::Scope)).last().map_or("", |t| t.of(text));
        match own {
            [] => {}
            _ if MANIPULATORS.contains(&name) && own[0].of(text) == "std" => is_hexadecimal |= name == "hex",
            [only] if only.of(text) == r"'\n'" => found.push(Part::NewLine(only.span())),
            [only] if only.kind == Kind::Character && only.of(text).len() == "'('".len() => {
                found.push(Part::Character(Span::new(only.start + 1, only.end - 1)));
            }
            [.., last] if name == "endl" && last.of(text) == name => found.push(Part::NewLine(span_of(own))),
            _ if own.iter().all(|t| t.is_literal()) => found.push(Part::Literals(own)),
            _ => {
                found.extend(of_value(text, own, depth));
                if let Some(Part::Unknown(own)) = found.last().filter(|_| std::mem::take(&mut is_hexadecimal)) {
                    let span = span_of(own);
                    found.pop();
                    found.push(Part::Number(span));
                }
            }
        }
    };
    for (i, token) in outermost(tokens) {
        if i >= from && is_joint(i) {
            add(from, i);
            from = i + if token.kind == Kind::Less { 2 } else { 1 };
        }
    }
    add(from.min(tokens.len()), tokens.len());
    found
}

/// The parts of one value of a sum or a stream.
pub(super) fn of_value<'t>(text: &str, own: &'t [Token], depth: u32) -> Vec<Part<'t>> {
    let unknown = || vec![Part::unknown(text, own)];
    if depth >= DEPTH || !own.iter().any(|t| t.is_literal()) {
        return unknown();
    }
    if let Some(parts) = beside(text, own) {
        return parts;
    }
    let value = without_methods(text, own);
    let is_group = |value: &[Token]| {
        value.first().is_some_and(|t| t.kind == Kind::Open) && closing(value, 0) == Some(value.len() - 1)
    };
    if is_group(value) {
        return of_sum(text, &value[1..value.len() - 1], depth + 1);
    }
    let Some((open, inside)) = called(value) else { return unknown() };
    let n = inside.iter().take_while(|t| t.is_literal()).count();
    let is_format = n > 0 && inside.get(n).is_none_or(|t| t.kind == Kind::Comma);
    match value[open - 1].of(text) {
        name if TEXTS.contains(&name) && !has_object(&value[..open]) => of_sum(text, inside, depth + 1),
        "StrCat" => {
            let is_comma = |i: usize| inside[i].kind == Kind::Comma;
            parts_of(text, inside, is_comma, depth + 1)
        }
        name if is_format && PRINTERS.contains(&name) => vec![Part::Format(&inside[..n])],
        name if is_format && FORMATTERS.contains(&name) => vec![Part::Fields(&inside[..n])],
        _ => unknown(),
    }
}

/// The parts of a sum, or of each value among which the program chooses.
fn of_sum<'t>(text: &str, own: &'t [Token], depth: u32) -> Vec<Part<'t>> {
    match choice(text, own, depth) {
        Some(choice) => vec![choice],
        None => parts_of(text, own, |i| own[i].kind == Kind::Other && own[i].of(text) == "+", depth),
    }
}

/// The texts of `condition ? one : two`.
pub(super) fn choice<'t>(text: &str, own: &'t [Token], depth: u32) -> Option<Part<'t>> {
    let mut all = Vec::new();
    let mut rest = own;
    while let Some(asked) = find(rest, |t| t.kind == Kind::Other && t.of(text) == "?") {
        let behind = &rest[asked + 1..];
        let other = find(behind, |t| t.kind == Kind::Colon)?;
        all.push(of_sum(text, &behind[..other], depth + 1));
        rest = &behind[other + 1..];
        // Of longer rows not all are read.
        if all.len() >= MOST_CHOICES || depth >= DEPTH {
            return None;
        }
    }
    if all.is_empty() {
        return None;
    }
    all.push(of_sum(text, rest, depth + 1));
    let is_text = all.iter().flatten().any(Part::has_literals);
    is_text.then(|| Part::Choice(span_of(own), all))
}

/// Texts among which the program chooses that are told apart.
pub(super) const MOST_CHOICES: usize = 16;

/// Where the first token outside of brackets stands of which something holds.
fn find(tokens: &[Token], holds: impl Fn(Token) -> bool) -> Option<usize> {
    outermost(tokens).find(|(_, t)| holds(*t)).map(|(at, _)| at)
}

/// The parts of literals and macros that stand side by side: `"mov " EXEC "dst"`.
pub(super) fn beside<'t>(text: &str, own: &'t [Token]) -> Option<Vec<Part<'t>>> {
    let mut parts = Vec::new();
    let mut at = 0;
    while let Some(token) = own.get(at) {
        let from = at;
        match token.kind {
            Kind::Text | Kind::Raw => {
                at += own[at..].iter().take_while(|t| t.is_literal()).count();
                parts.push(Part::Literals(&own[from..at]));
            }
            Kind::Word => {
                let is_call = own.get(at + 1).is_some_and(|t| t.kind == Kind::Open);
                at = if is_call { closing(own, at + 1)? + 1 } else { at + 1 };
                parts.push(Part::unknown(text, &own[from..at]));
            }
            _ => return None,
        }
    }
    let n_literals = parts.iter().filter(|p| p.has_literals()).count();
    (0 < n_literals && n_literals < parts.len()).then_some(parts)
}

/// Whether literals and macros stand side by side in an expression.
pub(super) fn has_beside(tokens: &[Token]) -> bool {
    // `(char *)"..."`
    let is_cast = tokens.first().is_some_and(|t| t.kind == Kind::Open);
    outermost(tokens).any(|(at, token)| {
        let before = at.checked_sub(1).map(|i| tokens[i].kind);
        match token.kind {
            Kind::Text | Kind::Raw => before == Some(Kind::Word) || before == Some(Kind::Close) && !is_cast,
            Kind::Word => matches!(before, Some(Kind::Text | Kind::Raw)),
            _ => false,
        }
    })
}
