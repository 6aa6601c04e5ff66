//! The grammar, applied to the tokens of one statement.

use super::error::SyntaxError;
use super::pattern::{Patterns, numbered};
use super::token::{Token, TokenKind, plain};
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
    patterns: Patterns,
    /// The nodes of the statement that was parsed last.
    pub tree: Tree,
}

impl Parser {
    /// A parser.
    #[must_use]
    pub fn new() -> Self {
        Self { statement: grammar::StatementParser::new(), patterns: Patterns::default(), tree: Tree::default() }
    }

    /// Parses the tokens of one statement into [`Parser::tree`].
    ///
    /// # Errors
    /// The first token that cannot stand where it does, in words.
    pub fn parse(&mut self, text: &str, tokens: &[Token]) -> Result<Statement, SyntaxError> {
        self.tree.clear();
        if tokens.len() >= super::lexer::MAX_TOKENS {
            return Err(SyntaxError::too_long(tokens));
        }
        for token in tokens {
            match token.kind {
                TokenKind::Error | TokenKind::UnclosedString => {
                    let plain = plain(text, tokens);
                    let index = plain.iter().position(|t| t.start == token.start).unwrap_or(0);
                    return Err(SyntaxError::at(text, plain, index));
                }
                TokenKind::String => {
                    if let Some(fault) = super::string::fault(text, token.span()) {
                        return Err(SyntaxError::in_string(fault, plain(text, tokens)));
                    }
                }
                _ => {}
            }
        }
        let Self { statement, patterns, tree } = self;
        let copied = patterns.copy(tokens, tree, |made| {
            let stream = tokens.iter().enumerate().map(|(i, t)| Ok(numbered(i, t.kind)));
            statement.parse(made, stream).map_err(|_| ())
        });
        let parsed = match copied {
            Ok(Some(statement)) => Ok(statement),
            Ok(None) => self.attempt(tokens).map_err(|_| ()),
            Err(()) => Err(()),
        };
        if let Ok(statement) = parsed {
            return self.check_depth(statement, tokens);
        }
        // Which part of a form is at fault shows only when it is taken apart.
        let plain = plain(text, tokens);
        match self.attempt(&plain) {
            Ok(statement) => self.check_depth(statement, &plain),
            Err(place) => Err(SyntaxError::at(text, plain, place)),
        }
    }

    /// Parses the tokens, or says at which of them that fails.
    fn attempt(&mut self, tokens: &[Token]) -> Result<Statement, usize> {
        self.tree.clear();
        let stream = tokens.iter().map(|t| Ok((t.start, t.kind, t.end)));
        self.statement.parse(&mut self.tree, stream).map_err(|error| match error {
            ParseError::UnrecognizedToken { token: (start, _, _), .. }
            | ParseError::ExtraToken { token: (start, _, _) } => {
                tokens.iter().position(|t| t.start == start).unwrap_or(tokens.len())
            }
            _ => tokens.len(),
        })
    }

    fn check_depth(&self, statement: Statement, tokens: &[Token]) -> Result<Statement, SyntaxError> {
        match self.tree.too_deep {
            Some(span) => Err(SyntaxError::too_deep(span, tokens)),
            None => Ok(statement),
        }
    }
}
