//! Keys `minimum`, `maximum`, `values`: numbers in the text.

use crate::base::diagnostic::Diagnostic;
use crate::base::rule::Level;
use crate::checks::context::{Sink, View};
use crate::program::{Operand, OperandSpans};
use crate::spec::instruction::OperandSlot;

crate::declare_rule! {
    /// A number in the text that lies outside what the operand may be.
    ///
    /// ```visa bad
    /// // platform: DG2
    /// urb_write_3d (M1, 8) 9 0 %null.0 VUD.0 %null.0 VUD.64
    /// ```
    /// ```visa good
    /// // platform: DG2
    /// urb_write_3d (M1, 8) 8 0 %null.0 VUD.0 %null.0 VUD.64
    /// ```
    pub VALUE_OUT_OF_RANGE = "value-out-of-range", Error, "5_instruction_set"
}

/// Checks one operand.
pub fn check(view: &View, sink: &mut Sink, operand: &Operand, spans: &OperandSpans, slot: &'static OperandSlot) {
    let value = match *operand {
        Operand::Number { value } => value,
        Operand::Immediate { bits, element_type } if !element_type.is_float() && !element_type.is_packed() => bits as i64,
        _ => return,
    };
    let written = view.text(spans.whole);
    let listed = slot.values.legal;
    if !listed.is_empty() && !listed.contains(&value) {
        let level = if slot.values.seen.contains(&value) {
            Level::Pedantic
        } else if slot.values.tolerated.contains(&value) {
            Level::Warning
        } else {
            Level::Error
        };
        let all = crate::spec::join_or(listed.iter().map(i64::to_string));
        sink.report(
            Diagnostic::new(
                &VALUE_OUT_OF_RANGE,
                spans.whole,
                format!("`{}` of `{}` cannot be `{written}`", slot.name, view.row.mnemonic),
            )
            .level(level)
            .label(format!("expected {all}"))
            .note(super::document(view.row)),
        );
        return;
    }
    let below = slot.minimum.is_some_and(|m| value < m);
    let above = slot.maximum.is_some_and(|m| value > m);
    if !below && !above {
        return;
    }
    let range = match (slot.minimum, slot.maximum) {
        (Some(a), Some(b)) => format!("{a} to {b}"),
        (Some(a), None) => format!("at least {a}"),
        (None, Some(b)) => format!("at most {b}"),
        (None, None) => String::new(),
    };
    sink.report(
        Diagnostic::new(
            &VALUE_OUT_OF_RANGE,
            spans.whole,
            format!("`{}` of `{}` cannot be `{written}`", slot.name, view.row.mnemonic),
        )
        .label(format!("expected {range}"))
        .note(super::document(view.row)),
    );
}
