//! Statements that a newline breaks in two: the second half is no fault of its own.

use super::Lowering;
use super::arity::MISSING_OPERAND;
use super::declaration::MALFORMED_DECLARATION;
use crate::base::rule::Rule;
use crate::base::span::Span;
use crate::syntax::error::SYNTAX_ERROR;
use crate::syntax::token::{Token, TokenKind};

/// A statement that lacks its end, by what was reported of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CutShort {
    /// An instruction without its last operands.
    Instruction,
    /// A declaration without its last fields.
    Declaration,
}

impl Lowering<'_> {
    /// Remembers whether the statement, of which everything from finding `n_reported` on was reported, lacks its end.
    pub(super) fn note_end(&mut self, statement: Span, tokens: &[Token], n_reported: usize) {
        self.cut_short = None;
        if self.program.diagnostics.len() == n_reported {
            return;
        }
        let ends_in_backslash = tokens.last().is_some_and(|t| t.span().of(self.text).starts_with('\\'));
        self.cut_short = self.program.diagnostics[n_reported..].iter().find_map(|d| {
            let is = |rule: &Rule| d.rule.name == rule.name;
            if is(&MISSING_OPERAND) || is(&SYNTAX_ERROR) && ends_in_backslash {
                Some((CutShort::Instruction, statement.end))
            } else {
                is(&MALFORMED_DECLARATION).then_some((CutShort::Declaration, statement.end))
            }
        });
    }

    /// Whether the tokens are what the statement on the line before lacks: operands where it lacks operands, `key=value`
    /// where it is a declaration.
    pub(super) fn is_rest(&self, tokens: &[Token]) -> bool {
        let (Some((kind, end)), Some(first)) = (self.cut_short, tokens.first()) else { return false };
        if !is_one_newline(Span::new(end, first.start).of(self.text)) {
            return false;
        }
        let text = first.span().of(self.text);
        match (kind, first.kind) {
            (CutShort::Declaration, TokenKind::Word) => {
                tokens.get(1).is_some_and(|t| t.span().of(self.text).starts_with('='))
            }
            (CutShort::Instruction, TokenKind::Word | TokenKind::SourceOperand | TokenKind::DestinationOperand) => {
                let length = text.bytes().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'%')).count();
                self.find_variable(&text[..length]).is_some()
            }
            (
                CutShort::Instruction,
                TokenKind::Percent | TokenKind::IndirectOpen | TokenKind::Dec | TokenKind::Hex | TokenKind::Float,
            ) => true,
            _ => false,
        }
    }
}

/// Whether nothing but the end of a line stands between two statements, and lines that are comments.
fn is_one_newline(between: &str) -> bool {
    let mut lines = between.split('\n').map(|line| line.trim_matches([' ', '\t', '\r', '\\']));
    let is_comment = |line: &str| line.starts_with("//");
    let (Some(first), Some(last)) = (lines.next(), lines.next_back()) else { return false };
    (first.is_empty() || is_comment(first)) && last.is_empty() && lines.all(is_comment)
}
