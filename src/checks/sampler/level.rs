//! The level of detail that `resinfo` reads: an integer, also where its variable has type F.

use crate::base::diagnostic::Diagnostic;
use crate::base::rule::Level;
use crate::checks::context::{Context, Sink, View};
use crate::checks::table::types::{UNSUPPORTED_TYPE, operand_type};
use crate::checks::table::{declared, document};
use crate::program::{InstructionIndex, Object, Operand, VariableId};
use crate::spec::OperandName;
use crate::spec::Type;
use crate::spec::family::Family;
use crate::spec::instruction::Custom;
use rustc_hash::{FxHashMap, FxHashSet};

/// Reports every `resinfo` whose level has type F, unless it is an integer all the same: compilers write one, or a zero,
/// into such a variable first, often through an alias of an integer type.
pub fn check(cx: &Context, sink: &mut Sink) {
    let is_resinfo = |i: &crate::program::Instruction| {
        cx.program.row(i).is_some_and(|row| row.custom == Some(Custom::Sampler) && row.slot(OperandName::LOD).is_some())
    };
    let queries = cx.program.instructions.entries().filter(|(_, i)| is_resinfo(i));
    let suspects: Vec<(InstructionIndex, VariableId)> =
        queries.filter_map(|(index, _)| Some((index, float_level(cx, index)?))).collect();
    if suspects.is_empty() {
        return;
    }
    let integers = integers(cx);
    let mut is_read = FxHashMap::default();
    let is_read_in_full =
        |object: &Object| !object.has_broken_lines && cx.program.unread_writes(object).next().is_none();
    for (index, _) in suspects.iter().filter(|(_, root)| !integers.contains(root)) {
        let object = cx.program.object_of(*index);
        if !*is_read.entry(object).or_insert_with(|| is_read_in_full(&cx.program.objects[object])) {
            continue;
        }
        let Some(view) = View::new(cx, *index) else { continue };
        let Some((operand, spans)) = view.operand(OperandName::LOD) else { continue };
        let message = format!("`resinfo` reads an integer level, and `{}` has type `f`", view.text(spans.whole));
        let diagnostic =
            Diagnostic::new(&UNSUPPORTED_TYPE, spans.whole, message).level(Level::Warning).label("expected `ud`");
        sink.report(declared(&view, diagnostic, operand).note(document(&view)));
    }
}

/// The root variable of a level of type F.
fn float_level(cx: &Context, index: InstructionIndex) -> Option<VariableId> {
    let view = View::new(cx, index)?;
    let (operand, _) = view.operand(OperandName::LOD)?;
    let is_float = operand_type(&view, operand) == Some(Type::F);
    operand.variable().filter(|_| is_float).map(|v| cx.program.variables[v].root)
}

/// The root variables that some instruction writes as an integer, or with a constant zero.
fn integers(cx: &Context) -> FxHashSet<VariableId> {
    let mut integers = FxHashSet::default();
    for index in 0..cx.program.instructions.len() {
        let Some(view) = View::new(cx, InstructionIndex(index as u32)) else { continue };
        let is_zero = |o: &Operand| matches!(o, Operand::Immediate { bits: 0, .. });
        let copies_zero = view.row.family == Family::Move && view.operands.iter().any(is_zero);
        for (operand, _, _) in view.each_operand().filter(|(_, _, slot)| slot.role.writes()) {
            let Some(variable) = operand.variable() else { continue };
            let row = &cx.program.variables[variable];
            if copies_zero || row.element_type.is_integer() {
                integers.insert(row.root);
            }
        }
    }
    integers
}
