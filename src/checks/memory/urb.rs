//! URB messages.

use crate::base::diagnostic::Diagnostic;
use crate::base::rule::Level;
use crate::checks::context::{Sink, View};
use crate::checks::table;
use crate::checks::table::null::UNEXPECTED_NULL;
use crate::checks::table::platform::UNSUPPORTED_INSTRUCTION;
use crate::spec::OperandName;
use crate::spec::{Platform, PlatformSet};

/// Checks one URB write.
pub fn check(view: &View, sink: &mut Sink) {
    let (Some((handle, spans)), Some((offset, _))) =
        (view.operand(OperandName::URB_HANDLE), view.operand(OperandName::PER_SLOT_OFFSET))
    else {
        return;
    };
    if handle.is_null() {
        // With offsets of its own for every vertex the message at least says where each one goes; hand-written programs
        // have that.
        if offset.is_null() {
            sink.report(
                Diagnostic::new(
                    &UNEXPECTED_NULL,
                    spans.whole,
                    "without `urb_handle` nothing says which URB entries are written",
                )
                .note(table::document(view.row)),
            );
        }
        return;
    }
    // Without handles nothing is written, so that only a message with handles does harm where there is no URB.
    let failing: PlatformSet = [Platform::PVC, Platform::PVCXT].into_iter().collect();
    sink.report_on(view.cx, failing, || {
        Diagnostic::new(
            &UNSUPPORTED_INSTRUCTION,
            view.spans.mnemonic,
            format!("`{}` does not exist on {}", view.row.mnemonic, failing.and(view.cx.platforms).describe()),
        )
        .level(Level::Error)
        .note(format!("it exists on {}", view.row.platforms.legal.describe()))
    });
}
