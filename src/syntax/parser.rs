//! The grammar, applied to the tokens of one statement.

use super::error::SyntaxError;
use super::token::{Token, TokenKind};
use super::tree::{Statement, Tree};
use lalrpop_util::ParseError;

#[allow(clippy::all, clippy::pedantic, missing_docs, unused_imports, unused_qualifications, unreachable_pub, dead_code)]
mod grammar {
    include!(concat!(env!("OUT_DIR"), "/visa.rs"));
}

/// Parses statements, one after the other.
#[derive(Default)]
pub struct Parser {
    statement: grammar::StatementParser,
    /// The nodes of the statement that was parsed last.
    pub tree: Tree,
}

impl Parser {
    /// A parser.
    #[must_use]
    pub fn new() -> Self {
        Self { statement: grammar::StatementParser::new(), tree: Tree::default() }
    }

    /// Parses the tokens of one statement into [`Parser::tree`].
    ///
    /// # Errors
    /// The first token that cannot stand where it does, in words.
    pub fn parse(&mut self, text: &str, tokens: &[Token]) -> Result<Statement, SyntaxError> {
        self.tree.clear();
        for (index, token) in tokens.iter().enumerate() {
            match token.kind {
                TokenKind::Error | TokenKind::UnclosedString => return Err(SyntaxError::at(text, tokens, index)),
                TokenKind::String => {
                    if let Some(fault) = super::string::fault(text, token.span()) {
                        return Err(SyntaxError::in_string(fault));
                    }
                }
                _ => {}
            }
        }
        let stream = tokens.iter().map(|t| Ok((t.start, t.kind, t.end)));
        let parsed = self.statement.parse(&mut self.tree, stream).map_err(|error| {
            let place = match error {
                ParseError::UnrecognizedToken { token: (start, _, _), .. } | ParseError::ExtraToken { token: (start, _, _) } => {
                    tokens.iter().position(|t| t.start == start).unwrap_or(tokens.len())
                }
                _ => tokens.len(),
            };
            SyntaxError::at(text, tokens, place)
        })?;
        match self.tree.too_deep {
            Some(span) => Err(SyntaxError::too_deep(span)),
            None => Ok(parsed),
        }
    }
}
