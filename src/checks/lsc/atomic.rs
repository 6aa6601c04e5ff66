//! The operands of atomic operations, append counters and queries that stand after the address.

use super::message::{Class, Message};
use super::register::Register;
use crate::base::diagnostic::Diagnostic;
use crate::base::rule::Level;
use crate::checks::context::Sink;
use crate::checks::memory::payload::OVERLAPPING_PAYLOADS;
use crate::checks::table::document;
use crate::lower::arity::SURPLUS_OPERAND;
use crate::program::lsc::LscShapeKind;
use crate::program::{Operand, OperandSpans, VariableId};
use crate::spec::OperandName;

/// Checks the sources of one message.
pub fn check(message: &Message, sink: &mut Sink) {
    match message.class {
        Class::Atomic => atomic(message, sink),
        Class::Counter => counter(message, sink),
        Class::StateInfo => state_info(message, sink),
        _ => {}
    }
}

/// The register of an operand that is one.
fn register(operand: &Operand, spans: &OperandSpans, is_written: bool) -> Option<Register> {
    let (Operand::Raw { variable, byte_offset } | Operand::LscData { variable, byte_offset, .. }) = *operand else {
        return None;
    };
    let span = if spans.offset.is_empty() { spans.name } else { spans.name.to(spans.offset) };
    (variable != VariableId::NULL).then_some(Register {
        variable,
        row: 0,
        byte_offset: i64::from(byte_offset),
        span,
        is_written,
    })
}

fn atomic(message: &Message, sink: &mut Sink) {
    let view = message.view;
    let (Some(lanes), Some(data)) = (message.lanes, &message.data) else { return };
    let n_bytes = lanes * u32::from(data.shape.size.register_bytes);
    for name in [OperandName::SRC1_DATA, OperandName::SRC2_DATA] {
        let Some((operand, spans)) = view.operand(name) else { continue };
        let Some(source) = register(operand, spans, false) else { continue };
        if source.check_extent(view, sink, |_| i64::from(n_bytes)) {
            source.check_alignment(view, sink);
        }
        overlap(message, &source, n_bytes, sink);
    }
}

/// Whether a source of `n_bytes` and the destination share some bytes but not all.
fn overlap(message: &Message, source: &Register, n_bytes: u32, sink: &mut Sink) {
    let Some(data) = message.data.filter(|data| !data.is_null()) else { return };
    let variables = &message.view.cx.program.variables;
    let place = |variable: VariableId, offset: i64| {
        let row = &variables[variable];
        (row.root, i64::from(row.root_offset) + offset)
    };
    let (root, first) = place(source.variable, source.byte_offset);
    let (other_root, second) = place(data.variable, i64::from(data.byte_offset));
    if root == other_root && first != second && first.abs_diff(second) < u64::from(n_bytes) {
        let place = data.spans.name;
        let text = format!("`{}` overlaps the destination in part", message.view.text(source.span));
        sink.report(
            Diagnostic::new(&OVERLAPPING_PAYLOADS, source.span, text)
                .level(Level::Pedantic)
                .also(place, "the destination"),
        );
    }
}

fn counter(message: &Message, sink: &mut Sink) {
    let view = message.view;
    let (Some(lanes), Some(data)) = (message.lanes, &message.data) else { return };
    let Some((operand, spans)) = view.operand(OperandName::SRC0_DATA) else { return };
    if let Operand::LscData { shape, .. } = *operand {
        if let Some((_, surplus)) = view.operand(OperandName::SRC2_DATA) {
            let text =
                format!("`{}` is one operand too many for an append counter of a surface", view.text(surplus.whole));
            let diagnostic = Diagnostic::new(&SURPLUS_OPERAND, surplus.whole, text);
            sink.report(diagnostic.help("it belongs to the form with 64-bit surface addresses").note(document(view)));
        }
        let shape = view.cx.program.lsc_shapes[shape as usize];
        let is_same = shape.size == data.shape.size && matches!(shape.kind, LscShapeKind::Vector { .. });
        if !is_same {
            let own = view.text(data.spans.suffix);
            let text = format!("`{}` is thrown away: the destination has `{own}`", view.text(spans.suffix));
            let diagnostic = Diagnostic::new(&super::address::IGNORED_OPERAND_PART, spans.suffix, text);
            sink.report(diagnostic.replace(spans.suffix, own, false).note(document(view)));
        }
    }
    if let Some(source) = register(operand, spans, false) {
        let n_bytes = i64::from(lanes * u32::from(data.shape.size.register_bytes));
        if source.check_extent(view, sink, |_| n_bytes) {
            source.check_alignment(view, sink);
        }
    }
}

/// The description of a surface has 64 bytes.
fn state_info(message: &Message, sink: &mut Sink) {
    let view = message.view;
    let Some((operand, spans)) = view.operand(OperandName::DST_DATA) else { return };
    let Some(destination) = register(operand, spans, true) else { return };
    if destination.check_extent(view, sink, |_| 64) {
        destination.check_alignment(view, sink);
    }
}
