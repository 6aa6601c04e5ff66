//! Whole kernels of vISA in strings, and lists of their lines.

use super::formats::inside;
use super::strings::Strings;
use super::tokens::{Kind, Role, Token, names_method};
use crate::base::span::Span;
use crate::host::map::Mapped;
use crate::host::placeholder::without_marks;
use crate::host::statement::RawStatement;
use crate::host::{kernel, sign};

/// Finds the kernels: values that begin as one.
pub(super) fn read(strings: &Strings, found: &mut Vec<RawStatement>) {
    let (text, tokens) = (strings.text, strings.tokens);
    let from = tokens.first().map_or(0, |t| t.span.start as usize);
    if !sign::may_be_kernel(&text.as_bytes()[from..]) {
        return;
    }
    let mut end = 0;
    for at in 1..tokens.len() {
        let is_value = matches!(tokens[at - 1].kind, Kind::Open | Kind::Comma | Kind::Equal)
            || tokens[at - 1].role == Role::Return;
        if at < end || !is_value {
            continue;
        }
        let is_candidate = match inside(&tokens[at]) {
            Some(literal) => {
                names_method(text, tokens, at + 1, "join")
                    || literal.of(text).trim_start().trim_start_matches("\\\n").starts_with(".version")
            }
            None => tokens[at].kind == Kind::Word && tokens.get(at + 1).is_some_and(|t| t.is(text, "+")),
        };
        if !is_candidate {
            continue;
        }
        end = end_of_value(tokens, at);
        let mut text_of = Mapped::default();
        strings.append(&tokens[at..end], 0, &mut text_of);
        let text_of = without_marks(text, &text_of).unwrap_or(text_of);
        found.extend(kernel::statement(text_of, Span::new(tokens[at].span.start, tokens[end - 1].span.end)));
    }
}

/// Where a value ends: at a comma or bracket around it, or with its line.
pub(super) fn end_of_value(tokens: &[Token], from: usize) -> usize {
    let mut depth = 0i32;
    let encloses = tokens[..from].last().is_some_and(|t| matches!(t.kind, Kind::Open | Kind::Comma));
    for (i, token) in tokens.iter().enumerate().skip(from) {
        // `value for name in list`
        let is_end = matches!(token.kind, Kind::Close | Kind::Comma)
            || token.role == Role::For
            || !encloses && tokens[i].begins_line;
        if i > from && depth == 0 && is_end {
            return i;
        }
        depth += token.nesting();
    }
    tokens.len()
}
