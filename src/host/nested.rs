//! Sources in strings of other sources: kernels that a program hands to a compiler at run time.

pub(super) use super::inner::{language, may_hold};
use super::map::Mapped;
use super::statement::{Parts, RawStatement};
use super::{Language, c, llvm, mlir, sign};
use crate::base::span::Span;

/// Statements of a source whose text is escaped once more by the string that holds it.
pub(super) fn without_fixes(mut statements: Vec<RawStatement>) -> Vec<RawStatement> {
    for statement in &mut statements {
        statement.is_nested = true;
    }
    statements
}

/// Finds the asm statements of a source of the C family behind `from`, and of sources that it holds in strings; comments go to
/// `comment`.
pub(super) fn source(text: &str, from: usize, comment: &mut dyn FnMut(Span)) -> Vec<RawStatement> {
    let (found, sources) = c::read(text, from, comment);
    if sources.is_empty() {
        return found;
    }
    let mut parts = Parts::default();
    parts.append(found);
    for source in sources {
        parts.append(read(text, &source, comment));
    }
    parts.sorted()
}

/// Finds the asm statements of a source that strings of the host hold, if it is one; comments go to `comment`.
pub(super) fn read(host: &str, source: &Mapped, comment: &mut dyn FnMut(Span)) -> Vec<RawStatement> {
    let Some(language) = language(&source.text).filter(|l| sign::may_hold(source.text.as_bytes(), *l)) else {
        return Vec::new();
    };
    let comment = &mut |span| comment(source.whole_span(host, span));
    let mut found = match language {
        Language::Llvm => llvm::read(&source.text, 0, comment),
        Language::Mlir => mlir::read(&source.text, 0, comment),
        _ => self::source(&source.text, 0, comment),
    };
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
    if let Some(handed) = &mut statement.handed_over {
        handed.list = span(handed.list);
    }
    statement.is_nested = true;
}
