//! The checks that follow from the keys of `rules/instructions`: one file per key.

pub mod alignment;
pub mod bytes;
pub mod exec_mask;
pub mod exec_size;
pub mod modifier;
pub mod null;
pub mod platform;
pub mod predicate;
pub mod region;
pub mod source_modifier;
pub mod surface;
pub mod types;
pub mod value;

use super::context::{Sink, View};
use crate::base::diagnostic::{DOCUMENT, OWN_PAGE};
use crate::base::rule::{Level, Rule};
use crate::spec::ModifierName;
use crate::spec::instruction::{Custom, ModifierKind};

/// Checks one instruction against its row.
pub fn check(view: &View, sink: &mut Sink) {
    let start = sink.diagnostics.len();
    predicate::check(view, sink);
    exec_size::check(view, sink);
    exec_mask::check(view, sink);
    modifier::check(view, sink);
    for (operand, spans, slot) in view.each_operand() {
        let before = sink.diagnostics.len();
        value::check(view, sink, operand, spans, slot);
        if sink.diagnostics.len() == before {
            types::check(view, sink, operand, spans, slot);
        }
        null::check(view, sink, operand, spans, slot);
        source_modifier::check(view, sink, operand, spans, slot);
        region::check(view, sink, operand, spans, slot);
        surface::check(view, sink, operand, spans, slot);
        alignment::check(view, sink, operand, spans, slot);
        // The size of an operand with a wrong type or offset is wrong as a consequence.
        let is_sound = sink.diagnostics[before..].iter().all(|d| d.level < Level::Error);
        if is_sound && has_sound_sizes(view, sink, start) {
            bytes::check(view, sink, operand, spans, slot);
        }
    }
}

/// Whether the sizes and counts that formulas speak of are legal: what follows from a wrong one is no fault of its own.
fn has_sound_sizes(view: &View, sink: &Sink, start: usize) -> bool {
    if view.instruction.is_broken && view.row.modifiers.iter().any(|m| m.kind == ModifierKind::Number) {
        return false;
    }
    let sizes: [&'static Rule; 3] =
        [&exec_size::UNSUPPORTED_EXEC_SIZE, &modifier::UNSUPPORTED_MODIFIER_VALUE, &value::VALUE_OUT_OF_RANGE];
    !sink.diagnostics[start..].iter().any(|d| d.level == Level::Error && sizes.contains(&d.rule))
}

/// The page of LSC messages to typed surfaces, also of those that go to memory with another unit.
const TYPED_PAGE: &str = "LSC_TYPED";

/// Where to read more: the manual's page.
pub(crate) fn document(view: &View) -> String {
    let row = view.row;
    if row.document.is_empty() {
        format!("{OWN_PAGE}{}`", row.mnemonic)
    } else if row.custom == Some(Custom::Lsc) && view.modifier_word(ModifierName::UNIT) == Some("tgm") {
        format!("{DOCUMENT}{TYPED_PAGE}")
    } else {
        format!("{DOCUMENT}{}", row.document)
    }
}

/// Why a variable has not the bytes that an operand needs: it has only so many from the operand's start on.
pub(crate) fn only_left(name: &str, left: i64) -> String {
    if left > 0 {
        format!("but `{name}` has only {left} from there on")
    } else {
        format!("but begins behind the end of `{name}`")
    }
}

/// Adds the declaration of the operand's variable.
pub(crate) fn declared(
    view: &View,
    diagnostic: crate::base::diagnostic::Diagnostic,
    operand: &crate::program::Operand,
) -> crate::base::diagnostic::Diagnostic {
    match operand.variable() {
        Some(variable) => diagnostic.declared_at(view.cx.program.variable_spans[variable].name),
        None => diagnostic,
    }
}
