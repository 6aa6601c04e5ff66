//! Hints behind operands, masks and declarations: what they stand for, but do not say.

use crate::base::span::Span;
use crate::lsp::ask::Ask;
use crate::program::{InstructionIndex, Operand, VariableId, View};
use crate::spec::OperandName;
use crate::spec::instruction::{Custom, Execution};
use crate::spec::predefined::VariableKind;
use gen_lsp_types::{InlayHint, InlayHintKind, InlayHintParams, Label, Tooltip};

/// Answers the request.
#[must_use]
pub fn inlay_hint(ask: &Ask, parameters: &InlayHintParams) -> Vec<InlayHint> {
    if !ask.settings.inlay_hints {
        return Vec::new();
    }
    let range = ask.span(parameters.range);
    let p = &ask.analysis.program;
    let spans = p.instruction_spans.as_slice();
    let first = spans.partition_point(|s| s.statement.end < range.start);
    let mut hints = Vec::new();
    for (index, spans) in (first as u32..).map(InstructionIndex).zip(&spans[first..]) {
        if spans.statement.start > range.end {
            break;
        }
        let Some(view) = View::new(p, index) else { continue };
        lanes(ask, &view, &mut hints);
        for place in view.instruction.operands() {
            operand(ask, place, &mut hints);
        }
        if view.row.custom == Some(Custom::RawSend) {
            descriptor(ask, &view, &mut hints);
        }
    }
    hints
}

/// The lanes of a mask that does not begin at lane 0.
fn lanes(ask: &Ask, view: &View, hints: &mut Vec<InlayHint>) {
    let first = view.first_lane();
    if first == 0 || view.row.execution == Execution::BlockCount {
        return;
    }
    let last = first + view.n_lanes() - 1;
    let words = if last == first { format!("lane {first}") } else { format!("lanes {first} to {last}") };
    hint(ask, view.spans.exec, words, "the lanes of the thread that the instruction executes", hints);
}

/// The type and the number of elements behind a raw operand, and the root of an alias.
fn operand(ask: &Ask, place: usize, hints: &mut Vec<InlayHint>) {
    let p = &ask.analysis.program;
    let operand = &p.operands[place];
    let Some(variable) = operand.variable() else { return };
    let v = &p.variables[variable];
    if variable == VariableId::NULL || v.kind != VariableKind::General {
        return;
    }
    let whole = p.operand_spans[place].whole;
    if let Operand::Raw { .. } | Operand::LscData { .. } | Operand::WithLength { .. } = operand {
        let grf_bytes = ask.analysis.grf_bytes();
        let n = p.n_elements(variable, grf_bytes);
        let bytes = p.variable_bytes(variable, grf_bytes);
        let (name, word) = (p.variable_name(variable), v.element_type.text());
        let tooltip = format!("{name}: {n} elements of type {word}, {bytes} bytes");
        hint(ask, whole, format!("{word}\u{d7}{n}"), &tooltip, hints);
    }
    if v.root != variable {
        let (name, root) = (p.variable_name(variable), p.variable_name(v.root));
        let label = if v.root_offset == 0 { format!("={root}") } else { format!("={root}+{}", v.root_offset) };
        hint(ask, whole, label, &format!("{name} begins at byte {} of {root}", v.root_offset), hints);
    }
}

/// The lengths that the descriptor of a raw send says.
fn descriptor(ask: &Ask, view: &View, hints: &mut Vec<InlayHint>) {
    let Some((Operand::Immediate { bits, .. }, spans)) = view.operand(OperandName::DESCRIPTOR) else { return };
    let (sent, returned, has_header) = (bits >> 25 & 0xf, bits >> 20 & 0x1f, bits >> 19 & 1 == 1);
    let header = if has_header { ", header" } else { "" };
    let tooltip = format!(
        "bits 28 to 25: {sent} registers are sent; bits 24 to 20: {returned} come back; bit 19: {} header; bits 18 to 0, the \
         function: {:#x}",
        if has_header { "with a" } else { "no" },
        bits & 0x7_ffff
    );
    hint(ask, spans.whole, format!("sends {sent}, returns {returned}{header}"), &tooltip, hints);
}

fn hint(ask: &Ask, behind: Span, label: String, tooltip: &str, hints: &mut Vec<InlayHint>) {
    let mut hint = InlayHint::new(
        ask.range(behind).end,
        Label::String(label),
        Some(InlayHintKind::Type),
        None,
        Some(Tooltip::String(tooltip.to_owned())),
        Some(true),
        None,
        None,
    );
    hint.padding_left = Some(true);
    hints.push(hint);
}
