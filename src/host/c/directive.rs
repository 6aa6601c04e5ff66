//! Directives of the preprocessor: which branches are skipped, and which macros there are.

use super::Reader;
use super::brackets::{closing, outermost};
use super::index::Index;
use super::lexer::{Kind, Token};
use super::macros::Macro;
use crate::base::span::Span;
use std::rc::Rc;

/// A condition of the preprocessor that is open.
struct Condition {
    id: u32,
    branch: u32,
    outer: u32,
    /// Whether a branch before is certainly taken: `#if 1`.
    is_taken: bool,
    /// Whether all around it is skipped.
    is_dead: bool,
}

/// Where a reader stands in the conditions of the preprocessor.
#[derive(Default)]
struct Branches {
    open: Vec<Condition>,
    n_conditions: u32,
    /// The current branch: a place in [`Reader::paths`].
    path: u32,
    /// Whether the current branch is skipped.
    is_dead: bool,
}

impl Branches {
    /// `#if`, with its value if that is written.
    fn begin(&mut self, value: Option<bool>, paths: &mut Vec<(u32, u32, u32)>) {
        self.n_conditions += 1;
        let (id, outer) = (self.n_conditions, self.path);
        let is_taken = value == Some(true);
        self.open.push(Condition { id, branch: 0, outer, is_taken, is_dead: self.is_dead });
        self.is_dead |= value == Some(false);
        self.path = paths.len() as u32;
        paths.push((id, 0, outer));
    }

    /// `#elif` and `#else`, with its value if that is written.
    fn next(&mut self, value: Option<bool>, paths: &mut Vec<(u32, u32, u32)>) {
        let Some(condition) = self.open.last_mut() else { return };
        condition.branch += 1;
        self.is_dead = condition.is_dead || condition.is_taken || value == Some(false);
        condition.is_taken |= value == Some(true);
        self.path = paths.len() as u32;
        paths.push((condition.id, condition.branch, condition.outer));
    }

    /// `#endif`.
    fn end(&mut self) {
        if let Some(condition) = self.open.pop() {
            self.path = condition.outer;
            self.is_dead = condition.is_dead;
        }
    }
}

/// Under which conditions the tokens of a text stand.
#[derive(Default)]
pub(super) struct Paths {
    /// The tokens from which on another path holds, each with that path: a place in [`Reader::paths`].
    changes: Vec<(usize, u32)>,
}

impl Paths {
    /// Notes that another path holds from the token at `at` on.
    fn note(&mut self, at: usize, path: u32) {
        self.changes.push((at, path));
    }

    /// The path of the token at `at`.
    pub(super) fn at(&self, at: usize) -> u32 {
        let next = self.changes.partition_point(|(from, _)| *from <= at);
        next.checked_sub(1).map_or(0, |last| self.changes[last].1)
    }

    /// Whether some of the tokens from `at` on, up to `end`, stand under other conditions than the first of them.
    pub(super) fn change_within(&self, at: usize, end: usize) -> bool {
        let next = self.changes.partition_point(|(from, _)| *from <= at);
        self.changes.get(next).is_some_and(|(from, _)| *from < end)
    }
}

impl<'a> Reader<'a> {
    /// Takes directives and skipped branches out of the tokens of a text, keeps directives, and notes what stands
    /// where. Returns the bodies of macros that hold asm statements.
    pub(super) fn preprocess(&mut self, tokens: &mut Vec<Token>) -> Vec<(&'a str, usize, usize)> {
        let mut bodies = Vec::new();
        let mut branches = Branches::default();
        // That of the last token.
        let mut path = 0;
        let mut n_kept = 0;
        let mut at = 0;
        while at < tokens.len() {
            let token = tokens[at];
            if !(token.begins_line && token.kind == Kind::Hash) {
                if !branches.is_dead {
                    if path != branches.path {
                        path = branches.path;
                        self.path_of.note(n_kept, path);
                    }
                    tokens[n_kept] = token;
                    n_kept += 1;
                }
                at += 1;
                continue;
            }
            let rest = &tokens[at..];
            let line = &rest[..rest.iter().skip(1).position(|t| t.begins_line).map_or(rest.len(), |n| n + 1)];
            let from = self.directives.len();
            self.directives.extend_from_slice(line);
            at += line.len();
            let end = self.directives.len();
            let name = line.get(1).map_or("", |t| self.word(*t));
            let from = from + 2;
            match name {
                "if" => branches.begin(self.truth(from, end), &mut self.paths),
                "ifdef" | "ifndef" => branches.begin(None, &mut self.paths),
                "elif" => branches.next(self.truth(from, end), &mut self.paths),
                "else" | "elifdef" | "elifndef" => branches.next(None, &mut self.paths),
                "endif" => branches.end(),
                "undef" if !branches.is_dead => self.undefine(from, end),
                "define" if !branches.is_dead => bodies.extend(self.define(from, end)),
                _ => {}
            }
        }
        tokens.truncate(n_kept);
        self.index = Rc::new(Index::of(self.text, tokens));
        bodies
    }

    /// The value of a condition that is a number or one of the two words, or such a one and something else.
    fn truth(&self, start: usize, end: usize) -> Option<bool> {
        let mut tokens = &self.directives[start.min(end)..end];
        if let [Token { kind: Kind::Open, .. }, inside @ .., Token { kind: Kind::Close, .. }] = tokens
            && closing(tokens, 0) == Some(tokens.len() - 1)
        {
            tokens = inside;
        }
        let [first, others @ ..] = tokens else { return None };
        let value = match self.word(*first) {
            "0" | "false" => false,
            "1" | "true" => true,
            _ => return None,
        };
        match others {
            [] => Some(value),
            // `0 && ...` and `1 || ...`, if no other operator comes behind.
            [one, other, rest @ ..] => {
                let operator = [*one, *other].map(|t| self.word(t));
                let decides = if value { ["|", "|"] } else { ["&", "&"] };
                let is_other = |word: &str| ["|", "&", "?"].contains(&word) && word != decides[0];
                let follows = outermost(rest).any(|(_, t)| is_other(self.word(t)));
                (operator == decides && !follows).then_some(value)
            }
            [_] => None,
        }
    }

    /// `#undef`, whose name stands at `start`.
    fn undefine(&mut self, start: usize, end: usize) {
        if let Some(name) = self.macro_name(start, end) {
            let undefined =
                Macro { at: name.start, parameters: None, body: (0, 0), is_undefined: true, holds_asm: false };
            self.macros.entry(self.word(name)).or_default().push(undefined);
        }
    }

    /// `#define`, whose name stands at `start`. Returns name and body if that holds an asm statement.
    fn define(&mut self, start: usize, end: usize) -> Option<(&'a str, usize, usize)> {
        let name = self.macro_name(start, end)?;
        let is_parenthesis = |t: &Token| t.kind == Kind::Open && t.start == name.end;
        let has_parameters = start + 1 < end && self.directives.get(start + 1).is_some_and(is_parenthesis);
        let inside = start + 2;
        let start = if has_parameters {
            closing(&self.directives[..end], start + 1).map_or(end, |close| close + 1)
        } else {
            start + 1
        };
        let word = self.word(name);
        let body = &self.directives[start.min(end)..end];
        let value = self.names.number(body);
        if !has_parameters && (value.is_some() || self.names.numbers.contains_key(word)) {
            self.names.is_number(word, value);
        }
        if !has_parameters {
            self.names.named_constant(word, body);
            if let Some(literals) = self.constants.joined(self.text, body) {
                self.constants.note(word, Span::new(0, u32::MAX), Some(literals));
            }
        }
        let has_asm = body.iter().any(|t| t.is_asm());
        if body.iter().any(|t| t.kind == Kind::Word && self.word(*t).contains("sub_group_size")) {
            self.size_macros.insert(word);
        }
        let parameters = has_parameters.then_some((inside, start.saturating_sub(1).min(end)));
        let body = (start.min(end), end);
        self.macros.entry(word).or_default().push(Macro {
            at: name.start,
            parameters,
            body,
            is_undefined: false,
            holds_asm: has_asm,
        });
        has_asm.then_some((word, start, end))
    }

    fn macro_name(&self, at: usize, end: usize) -> Option<Token> {
        self.directives.get(at).filter(|t| at < end && t.kind == Kind::Word).copied()
    }
}
