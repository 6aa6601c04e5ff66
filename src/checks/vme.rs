//! Motion estimation: the packed modes of `vme_fbr`.

use super::context::{Sink, View};
use super::table::document;
use super::table::value::VALUE_OUT_OF_RANGE;
use crate::base::diagnostic::Diagnostic;
use crate::base::rule::Level;
use crate::program::Operand;
use crate::spec::OperandName;

/// Checks one message of motion estimation.
pub fn check(view: &View, sink: &mut Sink) {
    for name in [OperandName::SUB_MB_SHAPE, OperandName::SUB_PRED_MODE] {
        let Some((Operand::Immediate { bits, element_type }, spans)) = view.operand(name) else { continue };
        if !element_type.is_integer() {
            continue;
        }
        let written = view.text(spans.whole);
        let report = |message: String, level: Level| {
            Diagnostic::new(&VALUE_OUT_OF_RANGE, spans.whole, message).level(level).note(document(view))
        };
        let illegal = (0..4).find(|field| bits >> (2 * field) & 3 == 3).filter(|_| name == OperandName::SUB_PRED_MODE);
        if let Some(field) = illegal {
            let (high, low) = (2 * field + 1, 2 * field);
            sink.report(report(
                format!("bits {high} and {low} of `{written}` are 3, which is no prediction mode"),
                Level::Error,
            ));
        } else if bits >> 8 != 0 {
            sink.report(report(format!("the operand {name} has 8 bits, and `{written}` more"), Level::Warning));
        }
    }
}
