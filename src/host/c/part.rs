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
    Unknown(Span),
    /// `std::endl`, `'\n'`
    NewLine(Span),
    /// `'('`: the place of the character.
    Character(Span),
}

impl<'t> Part<'t> {
    pub(super) const fn literals(&self) -> &'t [Token] {
        match self {
            Part::Literals(tokens) | Part::Format(tokens) => tokens,
            Part::Unknown(_) | Part::NewLine(_) | Part::Character(_) => &[],
        }
    }

    /// Whether it is the name of a string that cannot change.
    pub(super) fn is_constant(&self, text: &str, constants: &Constants) -> bool {
        matches!(self, Part::Unknown(span) if constants.has(name_of_text(span.of(text))))
    }
}

/// The parts of literals and macros that stand side by side: `"mov " EXEC "dst"`.
pub(super) fn beside(own: &[Token]) -> Option<Vec<Part<'_>>> {
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
                parts.push(Part::Unknown(span_of(&own[from..at])));
            }
            _ => return None,
        }
    }
    let n_literals = parts.iter().filter(|p| !p.literals().is_empty()).count();
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
