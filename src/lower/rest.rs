//! Statements that a newline breaks in two: the second half is no fault of its own.

use super::Lowering;
use super::arity::MISSING_OPERAND;
use super::declaration::MALFORMED_DECLARATION;
use super::execution::MISSING_EXEC_SIZE;
use crate::base::diagnostic::{Edit, Fix};
use crate::base::span::Span;
use crate::program::lsc::AddressModel;
use crate::spec;
use crate::syntax::error::SYNTAX_ERROR;
use crate::syntax::token::{Token, TokenKind};

/// What a statement lacks at its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Lack {
    /// Its last operands, or what stands before all of them: an instruction.
    Operands,
    /// A closing bracket.
    Bracket,
    /// Its last fields: a declaration.
    Fields,
}

/// A statement that lacks its end, by what was reported of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct CutShort {
    lack: Lack,
    /// Where it ends, with the rests that were found so far.
    end: u32,
    /// The finding that says what it lacks, by its place among all.
    finding: usize,
    /// Whether that finding says how a statement goes on.
    is_told: bool,
}

impl Lowering<'_> {
    /// Remembers whether the statement, of which everything from finding `n_reported` on was reported, lacks its end.
    pub(super) fn note_end(&mut self, statement: Span, tokens: &[Token], n_reported: usize) {
        self.cut_short = None;
        if self.program.diagnostics.len() == n_reported {
            return;
        }
        let ends_in_backslash = tokens.last().is_some_and(|t| t.span().of(self.text).starts_with('\\'));
        self.cut_short = self.program.diagnostics[n_reported..].iter().enumerate().find_map(|(i, d)| {
            let lack = if [&MISSING_OPERAND, &MISSING_EXEC_SIZE].contains(&d.rule) {
                Lack::Operands
            } else if d.rule == &MALFORMED_DECLARATION {
                Lack::Fields
            } else if d.rule != &SYNTAX_ERROR {
                return None;
            } else if ends_in_backslash {
                Lack::Operands
            } else if depths(tokens).last().is_some_and(|depth| depth > 0) {
                Lack::Bracket
            } else {
                return None;
            };
            Some(CutShort { lack, end: statement.end, finding: n_reported + i, is_told: false })
        });
    }

    /// Whether the tokens are what the statement on the line before lacks: operands where it lacks operands, `key=value`
    /// where it is a declaration, a closing bracket where one is open. The finding then says how a statement goes on.
    pub(super) fn is_rest(&mut self, tokens: &[Token]) -> bool {
        let (Some(cut), Some(first), Some(last)) = (self.cut_short, tokens.first(), tokens.last()) else {
            return false;
        };
        let between = Span::new(cut.end, first.start);
        if !is_one_newline(between.of(self.text)) || !self.has_what_lacks(cut.lack, *first, tokens) {
            return false;
        }
        let finding = &mut self.program.diagnostics[cut.finding];
        let ends_bare = between.of(self.text).trim_start_matches([' ', '\t', '\r']).starts_with('\n');
        if finding.rule != &SYNTAX_ERROR || cut.lack == Lack::Bracket {
            finding.help = Some("a statement ends with its line: a backslash at its end continues it".into());
            let edits = if cut.is_told { finding.fix.take().map(|fix| fix.edits) } else { Some(Vec::new()) };
            // A comment would swallow the backslash.
            finding.fix = edits.filter(|_| ends_bare).map(|mut edits| {
                edits.push(Edit { span: Span::at(cut.end), text: " \\".into() });
                Fix { title: "continue the statement on the next line".into(), edits, certain: false }
            });
        }
        self.cut_short = Some(CutShort { end: last.end, is_told: true, ..cut });
        true
    }

    fn has_what_lacks(&self, lack: Lack, first: Token, tokens: &[Token]) -> bool {
        let next = tokens.get(1);
        match (lack, first.kind) {
            (Lack::Bracket, _) => depths(tokens).any(|depth| depth < 0),
            (Lack::Fields, TokenKind::Word) => next.is_some_and(|t| t.span().of(self.text).starts_with('=')),
            (Lack::Operands, TokenKind::Word) => {
                let word = first.span().of(self.text);
                self.find_variable(word).is_some()
                    || AddressModel::from_text(word).is_some() && next.is_some_and(|t| opens(*t) == 1)
            }
            (Lack::Operands, TokenKind::Exec) => next.is_none_or(|t| spec::lookup(t.span().of(self.text)).is_none()),
            (
                Lack::Operands,
                TokenKind::SourceOperand
                | TokenKind::DestinationOperand
                | TokenKind::SourceModifier
                | TokenKind::Percent
                | TokenKind::BracketOpen
                | TokenKind::IndirectOpen
                | TokenKind::Dec
                | TokenKind::Hex
                | TokenKind::Float,
            ) => true,
            _ => false,
        }
    }
}

/// How many brackets are open behind each token, below zero where one is closed that was not opened.
fn depths(tokens: &[Token]) -> impl Iterator<Item = i32> {
    tokens.iter().scan(0, |depth, token| {
        *depth += opens(*token);
        Some(*depth)
    })
}

/// 1 for a token that opens a bracket, -1 for one that closes it.
fn opens(token: Token) -> i32 {
    match token.kind {
        TokenKind::Open
        | TokenKind::CallOpen
        | TokenKind::BracketOpen
        | TokenKind::IndexOpen
        | TokenKind::IndirectOpen
        | TokenKind::BraceOpen => 1,
        TokenKind::Close | TokenKind::BracketClose | TokenKind::BraceClose => -1,
        _ => 0,
    }
}

/// Whether nothing but the end of a line stands between two statements, and lines that are comments.
fn is_one_newline(between: &str) -> bool {
    let mut lines = between.split('\n').map(|line| line.trim_matches([' ', '\t', '\r', '\\']));
    let is_comment = |line: &str| line.starts_with("//");
    let (Some(first), Some(last)) = (lines.next(), lines.next_back()) else { return false };
    (first.is_empty() || is_comment(first)) && last.is_empty() && lines.all(is_comment)
}
