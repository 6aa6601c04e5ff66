//! Sources of the C family in strings of other sources: kernels that a program hands to a compiler at run time.

use super::map::Mapped;
use super::statement::RawStatement;
use super::{Language, c, sign};
use crate::base::span::Span;

/// Finds the asm statements of a source that strings of the host hold, if it is one; comments go to `comment`.
pub(super) fn read(host: &str, source: &Mapped, comment: &mut dyn FnMut(Span)) -> Vec<RawStatement> {
    if !sign::is_source(&source.text) || !sign::may_hold(source.text.as_bytes(), Language::C) {
        return Vec::new();
    }
    let mut found = c::read(&source.text, 0, &mut |span| comment(source.whole_span(host, span)));
    for statement in &mut found {
        place(host, source, statement);
    }
    found
}

/// Moves the places of a statement from the source to the host.
fn place(host: &str, source: &Mapped, statement: &mut RawStatement) {
    let span = |span: Span| source.host_span(host, span);
    statement.span = source.whole_span(host, statement.span);
    statement.template = statement.template.through(source, host);
    for operand in statement.operands.iter_mut().flatten() {
        operand.constraint_span = span(operand.constraint_span);
        operand.expression = span(operand.expression);
    }
    statement.is_nested = true;
}
