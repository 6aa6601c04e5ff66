//! Hints behind raw operands: the type and the number of elements of the variable, which the operand does not say.

use crate::lsp::ask::Ask;
use crate::program::{Operand, VariableId};
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
    for (instruction, spans) in p.instructions.as_slice()[first..].iter().zip(&spans[first..]) {
        if spans.statement.start > range.end {
            break;
        }
        for place in instruction.operands() {
            let (Operand::Raw { variable, .. }
            | Operand::LscData { variable, .. }
            | Operand::WithLength { variable, .. }) = p.operands[place]
            else {
                continue;
            };
            let v = &p.variables[variable];
            if variable == VariableId::NULL || v.kind != VariableKind::General {
                continue;
            }
            let grf_bytes = ask.analysis.platforms.grf_sizes().next().unwrap_or(32);
            let n = p.n_elements(variable, grf_bytes);
            let bytes = p.variable_bytes(variable, grf_bytes);
            hints.push(InlayHint {
                position: ask.range(p.operand_spans[place].whole).end,
                label: Label::String(format!("{}\u{d7}{n}", v.element_type.text())),
                kind: Some(InlayHintKind::Type),
                tooltip: Some(Tooltip::String(format!(
                    "{}: {n} elements of type {}, {bytes} bytes",
                    p.variable_name(variable),
                    v.element_type.text()
                ))),
                padding_left: Some(true),
                ..empty()
            });
        }
    }
    hints
}

fn empty() -> InlayHint {
    InlayHint::new(gen_lsp_types::Position::default(), Label::String(String::new()), None, None, None, None, None, None)
}
