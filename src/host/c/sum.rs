//! Texts that are put together inside of an expression: `return "mov (M1, 16) " + name + "(0,0)<1> 0x0:d";`,
//! `absl::StrCat("mov (M1, 16) ", name, "(0,0)<1> 0x0:d")`

use super::Reader;
use super::brackets::{closing, outermost, span_of};
use super::constants::Constants;
use super::lexer::{Kind, Token};
use super::part::{self, Part, has_beside};
use super::stream;
use super::target::is_message;
use super::written::PRINTED;
use crate::base::span::Span;
use crate::host::loose;
use crate::host::map::Mapped;
use crate::host::sign;
use rustc_hash::FxHashSet;
use std::ops::Range;

/// Tokens before a literal, and behind the beginning of a sum, that are read.
const MOST_TOKENS: usize = 256;

/// A text that `+` or a call puts together.
pub(super) struct Sum {
    pub(super) text: Mapped,
    pub(super) span: Span,
    /// The first token behind it.
    pub(super) end: usize,
}

/// Functions that join what they are given, and whether the first argument is what they put the text behind.
const JOINING: [(&str, bool); 2] = [("StrCat", false), ("StrAppend", true)];

/// Reads the call that joins the literal at `at` with its other arguments.
fn joined(text: &str, code: &[Token], at: usize, constants: &Constants) -> Option<Sum> {
    let open = open_around(code, at)?;
    let callee = open.checked_sub(1).map_or("", |i| code[i].of(text));
    let (_, has_target) = JOINING.iter().find(|(name, _)| *name == callee)?;
    let close = closing(&code[..code.len().min(at + 2 * MOST_TOKENS)], open)?;
    let own = &code[open + 1..close];
    let is_comma = |i: usize| own[i].kind == Kind::Comma;
    let parts = part::parts(text, own, is_comma);
    let parts = parts.get(usize::from(*has_target)..)?;
    let mut joined = Mapped::default();
    stream::append(text, parts, constants, &mut joined);
    Some(Sum { text: joined, span: span_of(own), end: close })
}

/// The parenthesis that a token stands in directly.
fn open_around(code: &[Token], at: usize) -> Option<usize> {
    let mut depth = 0i32;
    let near = at.saturating_sub(MOST_TOKENS)..at;
    near.rev().take_while(|i| code[*i].kind != Kind::Semicolon).find(|i| {
        depth -= stream::bracket(code[*i].kind);
        depth < 0
    })
}

/// Reads the call that writes the literal at `at`, its first one, and its other arguments one behind the other:
/// `print(os, "mov (M1, 16) V", n, "(0,0)<1> 0x0:d\n")`. A literal behind a value goes on with its line, and none stands
/// behind another one.
pub(super) fn pieces(text: &str, code: &[Token], at: usize, constants: &Constants) -> Option<Sum> {
    let open = open_around(code, at).filter(|open| code[*open].kind == Kind::Open)?;
    let callee = open.checked_sub(1).map(|i| code[i]).filter(|t| t.kind == Kind::Word)?;
    if code[open..at].iter().any(|t| t.is_literal())
        || is_message(callee.of(text))
        || PRINTED.contains(&callee.of(text))
    {
        return None;
    }
    let close = closing(&code[..code.len().min(at + 2 * MOST_TOKENS)], open)?;
    let own = &code[open + 1..close];
    let parts = part::parts(text, own, |i| own[i].kind == Kind::Comma);
    let is_literal = |part: &Part| part.has_literals();
    let first = parts.iter().position(is_literal)?;
    let pieces = &parts[first..];
    let goes_on = |part: &Part| {
        let mut piece = Mapped::default();
        stream::append(text, std::slice::from_ref(part), constants, &mut piece);
        // A blank between two values, too.
        !piece.text.contains('\n') && piece.text.trim().is_empty() || !loose::may_be_lines(&piece.text)
    };
    let is_between = |pair: &[Part]| is_literal(&pair[0]) != is_literal(&pair[1]);
    if pieces.len() < 3
        || !pieces.windows(2).all(is_between)
        || !pieces[1..].iter().filter(|p| is_literal(p)).all(goes_on)
    {
        return None;
    }
    let mut joined = Mapped::default();
    stream::append(text, pieces, constants, &mut joined);
    loose::is_lines(&joined.text).then(|| Sum { text: joined, span: span_of(own), end: close })
}

/// Reads the argument that begins with the literal at `at`, if a macro or a function writes it to a stream:
/// `EMIT(os, "mov (M1, 16) V" << n << "(0,0)<1> 0x0:d")`.
fn streamed(text: &str, code: &[Token], at: usize, constants: &Constants) -> Option<Sum> {
    at.checked_sub(1).filter(|before| matches!(code[*before].kind, Kind::Open | Kind::Comma))?;
    let near = &code[at..code.len().min(at + MOST_TOKENS)];
    let is_shift = |i: usize| {
        let pair = near.get(i).zip(near.get(i + 1));
        pair.is_some_and(|(one, two)| one.kind == Kind::Less && two.kind == Kind::Less && one.end == two.start)
    };
    if !is_shift(near.iter().take_while(|t| t.is_literal()).count()) {
        return None;
    }
    let mut depth = 0i32;
    let n = near.iter().position(|t| {
        depth += stream::bracket(t.kind);
        depth < 0 || depth == 0 && matches!(t.kind, Kind::Comma | Kind::Semicolon)
    })?;
    let own = &near[..n];
    let mut joined = Mapped::default();
    stream::append(text, &part::parts(text, own, is_shift), constants, &mut joined);
    Some(Sum { text: joined, span: span_of(own), end: at + n })
}

/// Reads the sum that the literal at `at` is a part of; nothing if it stands alone.
pub(super) fn read(text: &str, code: &[Token], at: usize, constants: &Constants) -> Option<Sum> {
    if let Some(joined) = joined(text, code, at, constants).or_else(|| streamed(text, code, at, constants)) {
        return Some(joined);
    }
    let is_plus = |t: &Token| t.kind == Kind::Other && t.of(text) == "+";
    let range = around(text, code, at);
    let own = &code[range.clone()];
    // In the parentheses of `std::string(...)`, too.
    let behind = || code[at..range.end].iter().find(|t| !t.is_literal());
    let stand_beside = || has_beside(own) || behind().is_some_and(|t| t.kind == Kind::Word);
    if range.end <= at || !outermost(own).any(|(_, t)| is_plus(&t)) && !stand_beside() {
        return None;
    }
    let parts = part::parts(text, own, |i| is_plus(&own[i]));
    let is_part = parts.iter().flat_map(Part::literals).any(|t| t.start == code[at].start);
    let mut joined = Mapped::default();
    stream::append(text, &parts, constants, &mut joined);
    is_part.then(|| Sum { text: joined, span: span_of(own), end: range.end })
}

impl Reader<'_> {
    /// Where the literals of parts begin, also of those that names stand for, as long as not too much was put in.
    pub(super) fn literals_of(&self, parts: &[Part]) -> Vec<u32> {
        begins(parts, |name| self.named_text(name))
    }

    /// The literals that a name stands for.
    fn named_text(&self, name: Span) -> Option<&[Token]> {
        if self.expansion.is_over() {
            return None;
        }
        let own = self.texts.get(name.of(self.text)).and_then(Option::as_deref);
        own.or_else(|| self.constants.value(name.of(self.text), name))
    }

    /// Where strings that cannot change and hold a sign of vISA are named, in order.
    pub(super) fn named_constants(&self, code: &[Token]) -> Vec<usize> {
        let names: FxHashSet<&str> =
            self.constants.names_of(|tokens| tokens.iter().any(|t| self.is_of_visa(*t))).collect();
        if names.is_empty() {
            return Vec::new();
        }
        let is_named = |at: &usize| code[*at].kind == Kind::Word && names.contains(code[*at].of(self.text));
        (0..code.len()).filter(is_named).collect()
    }

    /// Reads the sums of strings that cannot change, which are named at `named`: `HEAD + body + TAIL`. Notes the literals that
    /// they are made of.
    pub(super) fn sums_of_constants(&mut self, code: &[Token], named: &[usize]) {
        let is_plus = |at: usize| code.get(at).is_some_and(|t| t.kind == Kind::Other && t.of(self.text) == "+");
        let sums: Vec<usize> = named.iter().copied().filter(|at| is_plus(at + 1)).collect();
        let mut end = 0;
        for at in sums {
            if at < end {
                continue;
            }
            let range = around(self.text, code, at);
            let own = &code[range.clone()];
            let parts = part::parts(self.text, own, |i| is_plus(range.start + i));
            end = range.end;
            // What is given to a name is read with what is added to it.
            let is_given = range.start.checked_sub(1).is_some_and(|before| code[before].kind == Kind::Equal);
            if range.end <= at || is_given {
                continue;
            }
            let mut joined = Mapped::default();
            stream::append(self.text, &parts, &self.constants, &mut joined);
            let literals = begins(&parts, |name| self.constants.value(name.of(self.text), name));
            if literals.len() < 2 || literals.iter().any(|l| self.built.contains(l)) {
                continue;
            }
            let list = code.get(end).filter(|t| t.kind == Kind::Comma).map(|_| self.literals_at(code, end + 1).1);
            let list = list.filter(|list| sign::is_constraints(&list.text));
            if loose::n_numbered(&joined.text, '$') > 0 && sign::is_template(&joined.text, list.is_some()) {
                self.numbered_statement(span_of(own), joined, list, None);
            } else if !self.loose_text(&joined, span_of(own), None) {
                continue;
            }
            self.built.extend(literals);
        }
    }
}

/// Where the literals of parts begin, and those that a name stands for.
fn begins<'t>(parts: &[Part<'t>], named: impl Fn(Span) -> Option<&'t [Token]>) -> Vec<u32> {
    let mut all = Vec::new();
    for part in parts {
        let known = match part {
            Part::Unknown(name) => named(span_of(name)).map(<[Token]>::to_vec).unwrap_or_default(),
            _ => part.literals(),
        };
        all.extend(known.iter().filter(|t| t.is_literal()).map(|t| t.start));
    }
    all
}

/// The expression that a literal is a part of.
fn around(text: &str, code: &[Token], at: usize) -> Range<usize> {
    let is_end = |t: Token| {
        matches!(t.kind, Kind::Comma | Kind::Semicolon | Kind::Equal | Kind::Less | Kind::Greater | Kind::Colon)
            || matches!(t.of(text), "return" | "?" | "co_yield" | "throw")
    };
    let mut from = at;
    let mut depth = 0i32;
    while from > at.saturating_sub(MOST_TOKENS) && from > 0 {
        let before = code[from - 1];
        match before.kind {
            Kind::Close | Kind::BracketClose | Kind::BraceClose => depth += 1,
            Kind::Open | Kind::BraceOpen if depth == 0 && part::makes_text(text, &code[..from - 1]) => {}
            Kind::Open | Kind::BracketOpen | Kind::BraceOpen => depth -= 1,
            _ if depth == 0 && is_end(before) => break,
            _ => {}
        }
        if depth < 0 {
            break;
        }
        from -= 1;
    }
    let mut depth = 0i32;
    let near = &code[from..code.len().min(from + 2 * MOST_TOKENS)];
    let closes = |t: &Token| {
        depth += stream::bracket(t.kind);
        depth < 0 || depth == 0 && is_end(*t)
    };
    // An expression that is not read to its end is no sum. The body of a macro ends with its tokens.
    let is_whole = from + near.len() == code.len();
    let end = near.iter().position(closes).map_or(if is_whole { code.len() } else { from }, |n| from + n);
    from..end
}
