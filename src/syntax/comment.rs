//! Comments that speak to the program. Comments are no tokens; they are looked for only in texts that hold the word.

use super::token::TokenKind;
use crate::base::span::Span;
use logos::Logos as _;

/// A comment: from `//` to the end of its line, or `/* ... */`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Comment {
    /// The comment without the end of its last line.
    pub span: Span,
    /// Whether something stands before it on its line.
    pub is_trailing: bool,
    /// The statement before it on its line, or else the next one; empty at the end of the text if there is none.
    pub statement: Span,
}

/// The comments that hold `word`. Costs one search when there is none.
#[must_use]
pub fn comments_with(text: &str, word: &str) -> Vec<Comment> {
    let finder = memchr::memmem::Finder::new(word);
    if finder.find(text.as_bytes()).is_none() {
        return Vec::new();
    }
    let mut comments: Vec<Comment> = Vec::new();
    // Comments from here on belong to the statement that is open or comes next.
    let mut first_open = 0;
    let mut statement_start = None;
    let mut gap_start = 0;
    let mut lexer = TokenKind::lexer(text);
    loop {
        let token = lexer.next();
        let span = if token.is_some() { lexer.span() } else { text.len()..text.len() };
        let block = (token == Some(Ok(TokenKind::BlockComment))).then(|| Span::new(span.start as u32, span.end as u32));
        for comment in line_comments(text, gap_start, span.start).chain(block) {
            if finder.find(comment.of(text).as_bytes()).is_some() {
                comments.push(Comment {
                    span: comment,
                    is_trailing: statement_start.is_some(),
                    statement: Span::default(),
                });
            }
        }
        gap_start = span.end;
        let is_blank = matches!(token, Some(Ok(TokenKind::CarriageReturn | TokenKind::BlockComment)));
        let ends = token.is_none() || token == Some(Ok(TokenKind::Newline));
        match (ends, statement_start) {
            (false, None) if !is_blank => statement_start = Some(span.start as u32),
            (true, Some(start)) => {
                for comment in &mut comments[first_open..] {
                    comment.statement = Span::new(start, span.start as u32);
                }
                first_open = comments.len();
                statement_start = None;
            }
            _ => {}
        }
        if token.is_none() {
            break;
        }
    }
    for comment in &mut comments[first_open..] {
        comment.statement = Span::at(text.len() as u32);
    }
    comments
}

/// The line comments in a range between two tokens, which holds blanks and such comments only.
fn line_comments(text: &str, start: usize, end: usize) -> impl Iterator<Item = Span> {
    let mut at = start;
    std::iter::from_fn(move || {
        let rest = &text[at..end];
        at += memchr::memmem::find(rest.as_bytes(), b"//")?;
        let rest = &text[at..end];
        let length = memchr::memchr(b'\n', rest.as_bytes()).unwrap_or(rest.len());
        let span = Span::new(at as u32, (at + rest[..length].trim_end().len()) as u32);
        at += length;
        Some(span)
    })
}
