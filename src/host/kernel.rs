//! Kernels of vISA that a program writes as text, whole or in parts.

use super::map::Mapped;
use super::sign;
use super::statement::{Escapes, HOLE, RawStatement, WIDE_HOLE};
use crate::base::span::Span;

/// A text as a kernel, if it is one.
pub(super) fn statement(kernel: Mapped, span: Span) -> Option<RawStatement> {
    let has_holes = kernel.text.contains([HOLE, WIDE_HOLE]);
    if !sign::is_kernel(&kernel.text, !has_holes) {
        return None;
    }
    Some(if has_holes { part(&kernel, span) } else { of_text(kernel, span) })
}

/// A part of a kernel, without what stands before the body of one: so it can be read whatever that is.
pub(super) fn part(kernel: &Mapped, span: Span) -> RawStatement {
    of_text(without_head(kernel), span)
}

fn of_text(kernel: Mapped, span: Span) -> RawStatement {
    let mut statement = RawStatement::new(span, kernel, Escapes::Dollar);
    statement.is_kernel = true;
    statement
}

/// A kernel of which parts are not known, without what stands before its body: so it can be read as a part of one.
fn without_head(kernel: &Mapped) -> Mapped {
    const HEAD: [&str; 5] = [".version", ".kernel", ".function", ".input", ".global"];
    let mut out = Mapped::default();
    let mut start = 0;
    for line in kernel.text.split_inclusive('\n') {
        let end = start + line.len() as u32;
        if HEAD.iter().any(|word| line.trim_start().starts_with(word)) {
            out.push_atom(&format!("{WIDE_HOLE}\n"), Span::default());
        } else {
            out.push_part(kernel, Span::new(start, end));
        }
        start = end;
    }
    out
}
