//! Statements that are read ahead.

use super::lexer::{Lexer, Line};
use super::token::Token;
use crate::base::span::Span;

/// So many tokens are read at a time: few enough for the caches, and enough to be worth a task.
const N_TOKENS: usize = 1 << 14;

/// Lines of a text with their tokens, which one thread reads while another one works on those before them.
#[derive(Default)]
pub struct Batch {
    tokens: Vec<Token>,
    lines: Vec<Read>,
}

struct Read {
    line: Line,
    glued_to: Option<Span>,
    /// Where its tokens end.
    end: usize,
}

impl Batch {
    /// Takes the next lines in place of those that are here.
    pub fn fill(&mut self, lexer: &mut Lexer) {
        self.tokens.clear();
        self.lines.clear();
        while self.tokens.len() + self.lines.len() < N_TOKENS
            && let Some(line) = lexer.next_line()
        {
            self.tokens.extend_from_slice(lexer.tokens());
            self.lines.push(Read { line, glued_to: lexer.glued_to(), end: self.tokens.len() });
        }
    }

    /// Whether the text has ended.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// The lines in order: what each is, what stands before it on its line, and its tokens.
    pub fn lines(&self) -> impl Iterator<Item = (Line, Option<Span>, &[Token])> {
        let mut start = 0;
        self.lines.iter().map(move |read| {
            let tokens = &self.tokens[start..read.end];
            start = read.end;
            (read.line, read.glued_to, tokens)
        })
    }
}
