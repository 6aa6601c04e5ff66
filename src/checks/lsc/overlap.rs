//! Lanes of a store that write the same bytes, as far as the text alone says so: a pitch that is a number.

use super::message::{Class, Message};
use crate::base::diagnostic::Diagnostic;
use crate::checks::context::Sink;
use crate::checks::table::document;
use crate::program::lsc::{LscShapeKind, LscValue};

crate::declare_rule! {
    /// Two lanes of one store that write the same bytes. The lanes are not ordered, so that different values leave the
    /// bytes undefined.
    ///
    /// ```visa bad
    /// // platform: PVC
    /// lsc_store_strided.ugm (M1_NM, 16) flat[VUQ, 0x0]:a64 VF:d32
    /// ```
    /// ```visa good
    /// // platform: PVC
    /// lsc_store_strided.ugm (M1_NM, 16) flat[VUQ, 0x4]:a64 VF:d32
    /// ```
    pub OVERLAPPING_LANE_WRITES = "overlapping-lane-writes", Error, "3_execution_model"
}

/// Checks one message.
pub fn check(message: &Message, sink: &mut Sink) {
    if message.class != Class::Store || !message.is_strided() {
        return;
    }
    let view = message.view;
    let ([_, pitch], Some(data), Some(lanes)) = (message.items(), &message.data, message.lanes) else { return };
    let (LscValue::Immediate(bytes), LscShapeKind::Vector { n_elements, is_transposed: false }) =
        (pitch.value, data.shape.kind)
    else {
        return;
    };
    // Masked lanes may be off.
    let lane_bytes = i64::from(n_elements) * i64::from(data.shape.size.memory_bytes);
    let is_certain = view.instruction.no_mask && view.instruction.predicate.is_none() && lanes > 1;
    if is_certain && (0..lane_bytes).contains(&bytes) {
        let text = format!("each lane writes {lane_bytes} bytes, but the next lane begins {bytes} bytes later");
        sink.report(
            Diagnostic::new(&OVERLAPPING_LANE_WRITES, pitch.span, text)
                .label(format!("expected at least {lane_bytes}"))
                .note(document(view.row)),
        );
    }
}
