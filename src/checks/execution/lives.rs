//! Whether variables are within their lives, where the control flow alone does not tell.

use crate::checks::context::{Context, Sink};
use crate::checks::flow::{Scope, lifetime};
use crate::interp::{Fact, FactKind, Lives};
use crate::program::{InstructionIndex, Object, VariableId};
use rustc_hash::FxHashSet;

/// What is asked of abstract execution about a kernel or function.
#[must_use]
pub fn questions(cx: &Context, object: &Object) -> Lives {
    scope(cx, object).map_or(Lives::default(), |scope| Lives::new(lifetime::questions(&scope)))
}

/// Takes back what it has answered of what was `asked`.
pub fn confirm(cx: &Context, object: &Object, asked: &Lives, facts: &[Fact], sink: &mut Sink) {
    let Some(scope) = scope(cx, object).filter(|_| !asked.is_empty()) else { return };
    let outside: FxHashSet<(InstructionIndex, VariableId)> = facts
        .iter()
        .filter_map(|fact| match fact.kind {
            FactKind::OutsideLife { variable } => Some((fact.instruction, variable)),
            _ => None,
        })
        .collect();
    lifetime::confirm(&scope, asked, sink, |instruction, life| outside.contains(&(instruction, life)));
}

/// A kernel or function with its control flow; nothing if it has no instruction.
fn scope<'a>(cx: &'a Context, object: &'a Object) -> Option<Scope<'a>> {
    let id = cx.program.object_of(InstructionIndex(object.instructions.start));
    let flow = cx.flow.get(id).filter(|_| !object.instructions.is_empty())?;
    Some(Scope { cx, object, flow })
}
