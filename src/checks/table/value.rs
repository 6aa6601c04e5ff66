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
    pub VALUE_OUT_OF_RANGE = "value-out-of-range", Error | Warning | Pedantic, "5_instruction_set",
        help = "write a number in that range"
}

/// Checks one operand.
pub fn check(view: &View, sink: &mut Sink, operand: &Operand, spans: &OperandSpans, slot: &'static OperandSlot) {
    let value = match *operand {
        Operand::Number { value } => value,
        Operand::Immediate { bits, element_type } if !element_type.is_float() && !element_type.is_packed() => {
            bits as i64
        }
        _ => return,
    };
    let message =
        || format!("the operand {} of `{}` cannot be {}", slot.name, view.row.mnemonic, written(view, spans, value));
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
            Diagnostic::new(&VALUE_OUT_OF_RANGE, spans.whole, message())
                .level(level)
                .label(format!("expected {all}"))
                .note(super::document(view)),
        );
        return;
    }
    let below = slot.minimum.is_some_and(|m| value < m);
    let above = slot.maximum.is_some_and(|m| value > m);
    if !below && !above {
        limit(view, sink, value, spans, slot);
        return;
    }
    let range = match (slot.minimum, slot.maximum) {
        (Some(a), Some(b)) => format!("{a} to {b}"),
        (Some(a), None) => format!("at least {a}"),
        (None, Some(b)) => format!("at most {b}"),
        (None, None) => String::new(),
    };
    sink.report(
        Diagnostic::new(&VALUE_OUT_OF_RANGE, spans.whole, message())
            .label(format!("expected {range}"))
            .note(super::document(view)),
    );
}

/// A number as it is written; of one that a register holds, itself.
fn written(view: &View, spans: &OperandSpans, value: i64) -> String {
    let text = view.text(spans.whole);
    let is_number = text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '+'));
    if is_number { format!("`{text}`") } else { in_words(value) }
}

/// A number: a small one in decimals.
pub(crate) fn in_words(value: i64) -> String {
    if value.unsigned_abs() < 0x1_0000 { value.to_string() } else { format!("{value:#x}") }
}

/// Checks a number against what the others leave.
fn limit(view: &View, sink: &mut Sink, value: i64, spans: &OperandSpans, slot: &'static OperandSlot) {
    let Some(formula) = slot.limit else { return };
    let above = |grf_bytes| view.evaluate(formula, grf_bytes, 0).filter(|most| (0..value).contains(most));
    let failing = view.cx.failing_grf(|grf_bytes| above(grf_bytes).is_some());
    sink.report_on(view.cx, failing, || {
        let most = failing.grf_sizes().next().and_then(above).unwrap_or(0);
        let message = format!(
            "the operand {} of `{}` cannot be {} beside the other numbers",
            slot.name,
            view.row.mnemonic,
            written(view, spans, value)
        );
        Diagnostic::new(&VALUE_OUT_OF_RANGE, spans.whole, message)
            .label(format!("at most {most} here"))
            .note(super::document(view))
    });
}
