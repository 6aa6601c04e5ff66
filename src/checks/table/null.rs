//! Key `null`: where `%null` may stand.

use crate::base::diagnostic::Diagnostic;
use crate::base::rule::Level;
use crate::checks::context::{Sink, View};
use crate::program::{Operand, OperandSpans};
use crate::spec::instruction::{NullUse, OperandSlot};

crate::declare_rule! {
    /// `%null` in a place that needs a real operand. Read, it gives an undefined value; as the data of a message it
    /// leaves nothing to send.
    ///
    /// ```visa bad
    /// scatter4_scaled.R (M1, 8) T6 0x0:ud %null.0 VUD.64
    /// ```
    /// ```visa good
    /// scatter4_scaled.R (M1, 8) T6 0x0:ud VUD.0 VUD.64
    /// ```
    pub UNEXPECTED_NULL = "unexpected-null", Error, "3_execution_model"
}

/// Checks one operand.
pub fn check(view: &View, sink: &mut Sink, operand: &Operand, spans: &OperandSpans, slot: &'static OperandSlot) {
    if !operand.is_null() || slot.null == NullUse::Allowed {
        return;
    }
    if matches!(operand, Operand::AddressOf { .. } | Operand::Handle { .. }) {
        return;
    }
    let (level, message) = match slot.null {
        NullUse::Forbidden => (Level::Error, format!("`{}` of `{}` cannot be `%null`", slot.name, view.row.mnemonic)),
        _ => (Level::Warning, format!("`%null` as `{}` makes this `{}` useless", slot.name, view.row.mnemonic)),
    };
    sink.report(Diagnostic::new(&UNEXPECTED_NULL, spans.whole, message).level(level).note(super::document(view.row)));
}
