//! What a statement has opened and not closed.

use super::Place;
use crate::syntax::token::TokenKind;

/// What a bracket opens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Opening {
    /// `(M1, 16)`
    Execution,
    /// `(P1)`
    Predicate,
    /// `V(0,0)`
    Arguments,
    /// `(1 + 2)`
    Group,
    /// `[...]`
    Index,
    /// `r[...]`
    Indirect,
    /// `attrs={...}`
    Attributes,
    /// `alias=<...>`
    Alias,
    /// `<8;8,1>`
    Region,
}

impl Opening {
    /// What closes it.
    pub const fn closing(self) -> &'static str {
        match self {
            Self::Execution | Self::Predicate | Self::Arguments | Self::Group => ")",
            Self::Index | Self::Indirect => "]",
            Self::Attributes => "}",
            Self::Alias | Self::Region => ">",
        }
    }

    /// The name for it in messages.
    pub const fn describe(self) -> &'static str {
        match self {
            Self::Execution => "the execution mask and size",
            Self::Predicate => "the predicate",
            Self::Arguments => "row and column",
            Self::Group => "the expression",
            Self::Index => "the brackets",
            Self::Indirect => "the indirect operand",
            Self::Attributes => "the attributes",
            Self::Alias => "the alias",
            Self::Region => "the region",
        }
    }

    /// The words for what is missing in front of the bracket that closes it.
    pub const fn missing_inside(self) -> &'static str {
        match self {
            Self::Execution => "the execution size is missing",
            Self::Predicate => "the predicate variable is missing",
            Self::Arguments => "a number is missing",
            Self::Region => "a number of the region is missing",
            Self::Alias => "the byte offset is missing",
            Self::Attributes => "an attribute is missing",
            Self::Group | Self::Index | Self::Indirect => "something is missing",
        }
    }
}

/// What the tokens before `index` have opened and not closed, with the place of the bracket; innermost last.
pub fn before(place: &Place, index: usize) -> Vec<(Opening, usize)> {
    let execution = place.execution();
    let is_directive = place.is_directive();
    let mut open: Vec<(Opening, usize)> = Vec::new();
    for (i, token) in place.tokens[..index].iter().enumerate() {
        let opening = match token.kind {
            TokenKind::Open if i == 0 => Opening::Predicate,
            TokenKind::Open if execution == Some(i) && !is_directive => Opening::Execution,
            TokenKind::Open => Opening::Group,
            TokenKind::CallOpen => Opening::Arguments,
            TokenKind::BracketOpen | TokenKind::IndexOpen => Opening::Index,
            TokenKind::IndirectOpen => Opening::Indirect,
            TokenKind::BraceOpen => Opening::Attributes,
            TokenKind::Less if is_directive && i > 0 && place.kind(i - 1) == Some(TokenKind::Equal) => Opening::Alias,
            TokenKind::Less if open.is_empty() => Opening::Region,
            TokenKind::Close | TokenKind::BracketClose | TokenKind::BraceClose => {
                // A region that is not closed ends with the bracket around it.
                while open.last().is_some_and(|(o, _)| *o == Opening::Region) {
                    open.pop();
                }
                open.pop();
                continue;
            }
            TokenKind::Greater if open.last().is_some_and(|(o, _)| matches!(o, Opening::Region | Opening::Alias)) => {
                open.pop();
                continue;
            }
            _ => continue,
        };
        open.push((opening, i));
    }
    open
}
