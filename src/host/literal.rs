//! A string literal of a host source: what a change of a fragment has to escape depends on the one it stands in.

use crate::base::span::Span;

/// A string literal: where its inside stands, and how it is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Literal {
    pub(super) inside: Span,
    /// Whether backslashes stand for themselves.
    pub(super) is_raw: bool,
    /// Whether braces hold expressions.
    pub(super) is_format: bool,
    /// Whether it may hold line breaks.
    pub(super) is_long: bool,
    /// Whether the source that it is part of stands in a literal that is not raw, so that its text is escaped twice.
    pub(super) is_escaped_twice: bool,
}

impl Literal {
    /// Whether a text cannot be written into it by escaping its characters as in other places of the source.
    pub(super) fn refuses(&self, text: &str) -> bool {
        self.is_raw && !self.is_long && text.contains('\n')
            || self.is_format && text.contains(['{', '}'])
            || self.is_escaped_twice && text.contains(['\n', '"', '\\'])
    }
}
