//! URB messages.

use crate::base::diagnostic::Diagnostic;
use crate::base::rule::Level;
use crate::checks::context::{Sink, View};
use crate::checks::table;
use crate::checks::table::null::UNEXPECTED_NULL;
use crate::checks::table::platform::report_missing;
use crate::program::pardon::Pardon;
use crate::spec::OperandName;
use crate::spec::{Platform, PlatformSet};

/// Checks one URB write.
pub fn check(view: &View, sink: &mut Sink) {
    let Some((handle, spans)) = view.operand(OperandName::URB_HANDLE) else { return };
    if handle.is_null() {
        // Offsets count from a handle. A compiler prints what the source asks for as it is.
        let has_offsets = view.operand(OperandName::PER_SLOT_OFFSET).is_some_and(|(offset, _)| !offset.is_null());
        let is_pardoned = has_offsets && Pardon::AskedFor.holds_in(view.cx.program);
        sink.report(
            Diagnostic::new(
                &UNEXPECTED_NULL,
                spans.whole,
                "without `urb_handle` nothing says which URB entries are written",
            )
            .level(if is_pardoned { Level::Pedantic } else { Level::Error })
            .note(table::document(view)),
        );
        return;
    }
    // Without handles nothing is written, so that only a message with handles does harm where there is no URB.
    let failing: PlatformSet = [Platform::PVC, Platform::PVCXT].into_iter().collect();
    report_missing(view, sink, failing, view.row.platforms.legal);
}
