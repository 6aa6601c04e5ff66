//! Signature help: the form of the instruction that is being typed, with the operand that comes next.

use crate::base::span::Span;
use crate::lsp::ask::{Draft, markup};
use crate::lsp::line::{self, Spot, Typed};
use crate::spec::describe;
use crate::spec::instruction::{Instruction, KindSet, OperandSlot, Role};
use gen_lsp_types::{
    ActiveParameter, Documentation, ParameterInformation, ParameterInformationLabel, SignatureHelp,
    SignatureInformation,
};

/// Letters after which clients ask by themselves.
pub const TRIGGERS: [&str; 4] = ["(", " ", ",", "."];

/// Answers the request.
#[must_use]
pub fn signature_help(draft: &Draft) -> Option<SignatureHelp> {
    let text = draft.text;
    let line_span = text.line_span(text.line(draft.offset));
    let before = Span::new(line_span.start, draft.offset).of(text.as_str());
    let cursor = line::read(before);
    let (instruction, active): (&Typed, Option<usize>) = match &cursor.spot {
        Spot::Modifier(i) | Spot::Mask(i) | Spot::Size(i) => (i, None),
        Spot::Operand(i) => (i, Some(i.next_slot(before))),
        _ => return None,
    };
    let row = instruction.row();
    let label = describe::signature(row);
    let parameters = parameters(draft, row, &label);
    let active = active.filter(|a| *a < row.operands.len());
    let signature = SignatureInformation {
        label,
        documentation: Some(Documentation::MarkupContent(markup(draft.client, row.summary.to_owned()))),
        parameters: Some(parameters),
        active_parameter: None,
    };
    // Without an operand to mark, a number beyond the last one marks none.
    let active = active.unwrap_or(row.operands.len()) as u32;
    Some(SignatureHelp::new(vec![signature], Some(0), Some(ActiveParameter::Int(active))))
}

/// The operands with their places in the signature.
fn parameters(draft: &Draft, row: &Instruction, label: &str) -> Vec<ParameterInformation> {
    let mut from = row.mnemonic.len();
    row.operands
        .iter()
        .map(|slot| {
            let start = word_at(label, slot.name.text(), from);
            from = start.map_or(from, |s| s + slot.name.text().len());
            let label = match start {
                // The signature is ASCII: all encodings count the same.
                Some(start) if draft.client.label_offsets => {
                    ParameterInformationLabel::Tuple((start as u32, (start + slot.name.text().len()) as u32))
                }
                _ => ParameterInformationLabel::String(slot.name.text().to_owned()),
            };
            ParameterInformation::new(label, Some(Documentation::MarkupContent(markup(draft.client, about(slot)))))
        })
        .collect()
}

/// Where a word stands in a text, from `from` on.
fn word_at(text: &str, word: &str, from: usize) -> Option<usize> {
    let is_part = |b: Option<&u8>| b.is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_');
    let bytes = text.as_bytes();
    text.get(from..)?.match_indices(word).map(|(i, _)| i + from).find(|i| {
        let before = i.checked_sub(1).and_then(|b| bytes.get(b));
        !is_part(before) && before != Some(&b'<') && !is_part(bytes.get(i + word.len()))
    })
}

fn about(slot: &OperandSlot) -> String {
    let role = match slot.role {
        Role::Source => "read",
        Role::Destination => "written",
        Role::Both => "read and written",
    };
    let mut out = format!("{role}: {}", KindSet::describe(slot.kinds));
    if !slot.types.legal.is_empty() {
        out += "; ";
        out += &slot.types.legal.describe();
    }
    if let (Some(a), Some(b)) = (slot.minimum, slot.maximum) {
        out += &format!("; {a} to {b}");
    }
    out
}
