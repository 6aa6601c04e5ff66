//! Reads before the first write in fragments. Abstract execution does not follow operands whose type or size is not known,
//! and lets a copy hand on what nothing has set, to an output of the host. But what comes first in the text comes first in
//! time, up to the first branch.

use crate::base::diagnostic::Diagnostic;
use crate::base::span::Span;
use crate::checks::common::execution::{UNDEFINED_PREDICATE, UNDEFINED_REGISTER};
use crate::checks::common::fragment::UNSET_OUTPUT;
use crate::checks::context::{Context, Sink, View};
use crate::program::fragment::{Fragment, Touch};
use crate::program::operand::Operand;
use crate::program::variable::{
    FLAG_ADDRESS_TAKEN, FLAG_BROKEN, FLAG_INPUT, FLAG_INPUT_ATTRIBUTE, FLAG_MISUSED, FLAG_OPERAND,
};
use crate::program::{InstructionIndex, VariableId};
use crate::spec::instruction::Flow;
use crate::spec::operation::Operation;
use crate::spec::predefined::VariableKind;
use rustc_hash::FxHashSet;

/// Checks what a fragment reads up to its first branch.
pub fn check(cx: &Context, fragment: &Fragment, sink: &mut Sink) {
    if fragment.is_open {
        return;
    }
    let mut walk = Walk { cx, sink, written: FxHashSet::default(), reported: FxHashSet::default() };
    let mut touches = fragment.touches.as_slice();
    for index in 0..cx.program.instructions.len() {
        let index = InstructionIndex(index as u32);
        let n = touches.iter().take_while(|t| t.instruction <= index).count();
        let (own, rest) = touches.split_at(n);
        touches = rest;
        // What a line does that could not be read is not known.
        let Some(view) = View::new(cx, index).filter(|v| matches!(v.row.flow, Flow::Next | Flow::Barrier)) else {
            return;
        };
        walk.step(&view, own);
    }
}

struct Walk<'a, 'p, 's> {
    cx: &'a Context<'p>,
    sink: &'a mut Sink<'s>,
    /// The roots of the variables that something may have written.
    written: FxHashSet<VariableId>,
    reported: FxHashSet<VariableId>,
}

impl Walk<'_, '_, '_> {
    fn step(&mut self, view: &View, touches: &[Touch]) {
        let root = |variable: VariableId| self.cx.program.variables[variable].root;
        let mut reads: Vec<(VariableId, Span)> = Vec::new();
        let mut writes: Vec<VariableId> = Vec::new();
        if let Some(predicate) = view.instruction.predicate {
            reads.push((predicate.variable, view.spans.predicate));
        }
        for touch in touches {
            match touch.writes {
                Some(false) => reads.push((touch.variable, touch.whole)),
                _ => writes.push(root(touch.variable)),
            }
        }
        // A marker names a variable, and reads nothing of it.
        let named = view.each_operand().filter(|_| view.row.marker.is_none());
        for (operand, spans, slot) in named {
            let Some(variable) = operand.variable() else { continue };
            if slot.role.writes() {
                writes.push(root(variable));
            }
            if slot.role.reads() {
                reads.push((variable, spans.whole));
            }
        }
        // Of the operands of a line that lacks one, which is which is not known.
        if view
            .operands
            .iter()
            .zip(view.operand_spans)
            .any(|(o, spans)| matches!(o, Operand::Broken) && spans.whole.is_empty())
        {
            self.written.extend(reads.iter().map(|(variable, _)| root(*variable)).chain(writes));
            return;
        }
        // `xor x x` is zero, whatever `x` is.
        let is_same = reads.windows(2).all(|w| view.text(w[0].1) == view.text(w[1].1));
        let is_free = is_same && reads.len() > 1 && matches!(view.row.operation, Some(Operation::Xor | Operation::Cmp));
        for (variable, place) in reads.into_iter().filter(|_| !is_free) {
            self.read(variable, place);
        }
        self.written.extend(writes);
    }

    fn read(&mut self, variable: VariableId, place: Span) {
        let program = self.cx.program;
        let root = program.variables[variable].root;
        let row = &program.variables[root];
        let is_known = row.is(FLAG_INPUT | FLAG_INPUT_ATTRIBUTE | FLAG_ADDRESS_TAKEN | FLAG_MISUSED | FLAG_BROKEN)
            || root.predefined().is_some()
            || !matches!(row.kind, VariableKind::General | VariableKind::Predicate);
        if is_known || self.written.contains(&root) || !self.reported.insert(root) {
            return;
        }
        let (name, written) = (program.variable_name(root), self.cx.text(place));
        let declared = program.variable_spans[root].name;
        let diagnostic = if row.is(FLAG_OPERAND) {
            let message = format!("`{written}` reads the output `{name}` before anything is written to it");
            Diagnostic::new(&UNSET_OUTPUT, place, message).help("declare it with `+rw`")
        } else if row.kind == VariableKind::Predicate {
            let message = format!("`{name}` is read, but nothing has set it");
            Diagnostic::new(&UNDEFINED_PREDICATE, place, message)
        } else {
            let message = format!("`{written}` reads what nothing has written");
            Diagnostic::new(&UNDEFINED_REGISTER, place, message)
        };
        self.sink.report(diagnostic.declared_at(declared));
    }
}
