//! Key `null`: where `%null` may stand.

use crate::base::diagnostic::Diagnostic;
use crate::base::rule::Level;
use crate::checks::context::{Sink, View};
use crate::program::{Operand, OperandSpans};
use crate::spec::instruction::{NullUse, OperandKind, OperandSlot};

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
    pub UNEXPECTED_NULL = "unexpected-null", Error | Warning | Pedantic, "3_execution_model",
        help = "name a variable that holds the operand"
}

crate::declare_rule! {
    /// A source that the operation does not take. `inc` and `dec` take none, `cmpxchg` and `fcmpwr` take both,
    /// every other operation takes the first one; what is not taken is `%null.0`. Toolchains send the surplus source
    /// along as part of the message.
    ///
    /// ```visa bad
    /// // platform: DG2
    /// dword_atomic.inc (M1, 8) T6 VUD.0 VUD.64 %null.0 VUD.128
    /// ```
    /// ```visa good
    /// // platform: DG2
    /// dword_atomic.inc (M1, 8) T6 VUD.0 %null.0 %null.0 VUD.128
    /// ```
    pub UNEXPECTED_SOURCE = "unexpected-source", Error, "6_instructions"
}

/// Checks one operand.
pub fn check(view: &View, sink: &mut Sink, operand: &Operand, spans: &OperandSpans, slot: &'static OperandSlot) {
    if slot.null == NullUse::Required && !operand.is_null() {
        let message =
            format!("`{}` does not use `{}`: it has to be `%null`", view.row.mnemonic, view.text(spans.whole));
        let null = if slot.kinds.contains(OperandKind::LscRegister) { "%null" } else { "%null.0" };
        sink.report(
            Diagnostic::new(&UNEXPECTED_SOURCE, spans.whole, message)
                .replace(spans.whole, null, false)
                .note(super::document(view)),
        );
        return;
    }
    if !operand.is_null() || matches!(slot.null, NullUse::Allowed | NullUse::Required) {
        return;
    }
    if matches!(operand, Operand::AddressOf { .. } | Operand::Handle { .. }) {
        return;
    }
    let (level, message) = match slot.null {
        NullUse::Forbidden => {
            (Level::Error, format!("the operand {} of `{}` cannot be `%null`", slot.name, view.row.mnemonic))
        }
        _ => (Level::Warning, format!("`%null` as {} makes this `{}` useless", slot.name, view.row.mnemonic)),
    };
    sink.report(Diagnostic::new(&UNEXPECTED_NULL, spans.whole, message).level(level).note(super::document(view)));
}
