//! What variables and functions of a program stand for that puts texts together: strings, and numbers.

use super::brackets::{outermost, split};
use super::generator::Blocks;
use super::lexer::{Kind, Token};
use super::{Reader, part, stream};
use rustc_hash::FxHashSet;
use std::ops::Range;

/// Tokens between a literal and the beginning of the value that it is a part of.
const MOST_BEFORE: usize = 16;

/// Bytes of a replacement field of a format.
const MOST_FIELD: usize = 128;

/// Tokens of a value that are read.
const MOST_VALUE: usize = 256;

/// Tokens between the parameters of a function and its body.
const MOST_QUALIFIERS: usize = 6;

/// Types of integers that a stream writes as numbers.
const INTEGERS: [&str; 14] = [
    "int",
    "unsigned",
    "long",
    "short",
    "size_t",
    "ptrdiff_t",
    "int16_t",
    "int32_t",
    "int64_t",
    "uint16_t",
    "uint32_t",
    "uint64_t",
    "uint",
    "ushort",
];

/// Words before a name that declare nothing.
const OTHERS: [&str; 7] = ["return", "throw", "else", "case", "new", "delete", "co_return"];

/// Methods of a text that change it.
const CHANGING: [&str; 9] = ["append", "insert", "replace", "erase", "clear", "push_back", "assign", "resize", "swap"];

/// The value of a declaration: where its name stands, and its tokens.
struct Declared {
    name: usize,
    value: Range<usize>,
}

impl<'a> Reader<'a> {
    /// Notes variables that hold one text, functions that return one, and the names of integers.
    pub(super) fn collect_values(&mut self, code: &[Token]) {
        if !self.index.free().any(|at| self.is_of_visa(code[at])) {
            return;
        }
        self.collect_variables(code);
        self.collect_changes(code);
        self.collect_returned(code);
        self.collect_integers(code);
        self.collect_fields(code);
    }

    /// Notes where numbers are put in the places of `{}`: `std::format("... {} ...", n * 16)`.
    fn collect_fields(&self, code: &[Token]) {
        let mut end = 0;
        for at in self.index.literals() {
            if at < end {
                continue;
            }
            end = at + code[at..].iter().take_while(|t| t.is_literal()).count();
            let callee = || self.callee(code, at);
            if !code[at..end].iter().any(|t| t.of(self.text).contains('{')) {
                continue;
            }
            if code.get(end).is_none_or(|t| t.kind != Kind::Comma)
                || !(callee().contains("format") || callee() == "print")
            {
                continue;
            }
            let rest = &code[end + 1..code.len().min(end + MOST_VALUE)];
            let mut depth = 0;
            let close = rest.iter().position(|t| {
                depth += stream::bracket(t.kind);
                depth < 0
            });
            let Some(close) = close else { continue };
            let given = split(&rest[..close]);
            let mut n = 0;
            for token in &code[at..end] {
                let written = token.of(self.text);
                for (open, _) in written.match_indices('{') {
                    let near = &written[open + 1..];
                    let near = &near[..near.floor_char_boundary(MOST_FIELD)];
                    let inside = near.split_once('}').map_or("{", |(inside, _)| inside);
                    let is_own = !inside.contains('{') && !written[..open].ends_with('{');
                    let (index, flags) = inside.split_once(':').unwrap_or((inside, ""));
                    let number = match index.parse() {
                        Ok(number) => number,
                        Err(_) if index.is_empty() && is_own => {
                            n += 1;
                            n - 1
                        }
                        Err(_) => continue,
                    };
                    if is_own && flags.is_empty() && given.get(number).is_some_and(|own| self.is_number(own)) {
                        self.constants.note_number(token.start + open as u32);
                    }
                }
            }
        }
    }

    fn is_number(&self, own: &[Token]) -> bool {
        part::is_number(self.text, own) || matches!(own, [only] if self.constants.is_integer(self.word(*only)))
    }

    fn collect_variables(&mut self, code: &[Token]) {
        let mut blocks = Blocks::default();
        let mut done = 0;
        for at in self.index.clone().literals() {
            if at < done {
                continue;
            }
            let Some(Declared { name, value }) = self.declared_value(code, at) else { continue };
            done = value.end;
            let scope = blocks.around(self, code, value.start);
            let word = self.word(code[name]);
            // Strings that cannot change are known already.
            let is_literal = code[value.clone()].iter().all(|t| t.is_literal());
            let is_known = is_literal && self.constants.has(word);
            if scope.start != 0 && !is_known {
                self.constants.note_variable(word, scope, code[value].to_vec());
            }
        }
    }

    /// The declaration whose value the literal at `at` is a part of: `std::string NAME = "..." + n;`.
    fn declared_value(&self, code: &[Token], at: usize) -> Option<Declared> {
        let mut depth = 0;
        let equal = (at.saturating_sub(MOST_BEFORE)..at).rev().find(|i| {
            depth += stream::bracket(code[*i].kind);
            depth >= 0 && matches!(code[*i].kind, Kind::Equal | Kind::Semicolon | Kind::BraceOpen | Kind::BraceClose)
        })?;
        let name = equal.checked_sub(1).filter(|_| code[equal].kind == Kind::Equal)?;
        let before = code[name.checked_sub(1)?];
        let is_type = match before.kind {
            Kind::Word => !OTHERS.contains(&self.word(before)),
            Kind::Greater | Kind::Star => true,
            _ => false,
        };
        if code[name].kind != Kind::Word || !is_type {
            return None;
        }
        let rest = &code[equal + 1..code.len().min(equal + MOST_VALUE)];
        let end = outermost(rest).find(|(_, t)| t.kind == Kind::Semicolon).map(|(n, _)| equal + 1 + n)?;
        (end > at).then_some(Declared { name, value: equal + 1..end })
    }

    /// Forgets variables whose values change, or that a function is given which may change them.
    fn collect_changes(&mut self, code: &[Token]) {
        if self.constants.is_empty() {
            return;
        }
        for at in 1..code.len() {
            if code[at].kind != Kind::Word || !self.constants.has(self.word(code[at])) {
                continue;
            }
            let kind = |i: usize| code.get(i).map(|t| t.kind);
            let before = code[at - 1].kind;
            let is_word = |i: usize, words: &[&str]| code.get(i).is_some_and(|t| words.contains(&self.word(*t)));
            let is_passed = || {
                let is_argument = matches!(before, Kind::Open | Kind::Comma)
                    && matches!(kind(at + 1), Some(Kind::Close | Kind::Comma));
                // `os.append(NAME)`, `std::move(NAME)`, `(NAME)`
                let is_method = || {
                    at > 2
                        && before == Kind::Open
                        && (matches!(code[at - 3].kind, Kind::Dot | Kind::Arrow)
                            || code[at - 2].kind != Kind::Word
                            || is_word(at - 2, &["move", "string", "string_view", "StringRef", "Twine", "StrCat"]))
                };
                is_argument && !is_method()
            };
            let is_changed = match kind(at + 1) {
                Some(Kind::Equal) => kind(at + 2) != Some(Kind::Equal),
                Some(Kind::Other) => kind(at + 2) == Some(Kind::Equal) && is_word(at + 1, &["+"]),
                Some(Kind::Less) => {
                    kind(at + 2) == Some(Kind::Less) && !matches!(before, Kind::Less | Kind::Other | Kind::Open)
                }
                Some(Kind::Dot) => is_word(at + 2, &CHANGING),
                _ => false,
            };
            if is_changed || before == Kind::Ampersand && at > 1 && code[at - 2].kind != Kind::Word || is_passed() {
                self.constants.change(self.word(code[at]), code[at].start);
            }
        }
    }

    /// Notes the functions and lambdas that do nothing but return a text.
    fn collect_returned(&mut self, code: &[Token]) {
        for open in 1..code.len() {
            if code[open].kind != Kind::BraceOpen || !code.get(open + 1).is_some_and(|t| t.is(self.text, "return")) {
                continue;
            }
            let close = self.index.closing(open);
            let Some(body) = code.get(open + 2..close).filter(|body| body.len() < MOST_VALUE) else { continue };
            let Some((_, value)) = body.split_last().filter(|(last, _)| last.kind == Kind::Semicolon) else { continue };
            if value.iter().any(|t| t.kind == Kind::Semicolon) || !value.iter().any(|t| t.is_literal()) {
                continue;
            }
            if let Some(name) = self.function_before(code, open) {
                self.constants.note_returned(name, value);
            }
        }
    }

    /// The name of the function or lambda whose body begins at `open`.
    fn function_before(&self, code: &[Token], open: usize) -> Option<&'a str> {
        // `const`, `noexcept`, `-> std::string`
        let is_qualifier = |t: &&Token| matches!(t.kind, Kind::Word | Kind::Arrow | Kind::Scope);
        let n = code[..open].iter().rev().take(MOST_QUALIFIERS).take_while(is_qualifier).count();
        let close = (open - n).checked_sub(1).filter(|close| code[*close].kind == Kind::Close)?;
        let before = self.index.closing(close).checked_sub(1)?;
        let name = match code.get(before)?.kind {
            Kind::Word => before,
            Kind::BracketClose => {
                let equal = self.index.closing(before).checked_sub(1).filter(|i| code[*i].kind == Kind::Equal)?;
                equal.checked_sub(1).filter(|name| code[*name].kind == Kind::Word)?
            }
            _ => return None,
        };
        let word = self.word(code[name]);
        (!matches!(word, "if" | "while" | "for" | "switch" | "catch")).then_some(word)
    }

    /// Notes the names that are declared as integers wherever they are declared.
    fn collect_integers(&mut self, code: &[Token]) {
        let mut integers = FxHashSet::default();
        let mut others = FxHashSet::default();
        for three in code.windows(3) {
            let [before, name, behind] = three else { continue };
            let declares = matches!(
                behind.kind,
                Kind::Comma | Kind::Close | Kind::Equal | Kind::Semicolon | Kind::Colon | Kind::BraceOpen
            );
            if name.kind != Kind::Word || !declares {
                continue;
            }
            match before.kind {
                Kind::Word if INTEGERS.contains(&self.word(*before)) => drop(integers.insert(self.word(*name))),
                Kind::Word if !OTHERS.contains(&self.word(*before)) => drop(others.insert(self.word(*name))),
                // `std::string &NAME`, `std::vector<int> NAME`
                Kind::Ampersand | Kind::Star | Kind::Greater | Kind::BracketClose => {
                    others.insert(self.word(*name));
                }
                _ => {}
            }
        }
        integers.retain(|name| !others.contains(name));
        self.constants.note_integers(integers);
    }
}
