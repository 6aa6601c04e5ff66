//! Immediate offsets into a surface.

use crate::base::diagnostic::Diagnostic;
use crate::base::rule::Level;
use crate::checks::context::{Sink, View};
use crate::checks::table;
use crate::checks::table::value::VALUE_OUT_OF_RANGE;
use crate::program::Operand;
use crate::spec::OperandName;
use crate::spec::types::TypeClass;

/// Checks that no immediate offset is negative: surfaces have no bytes before their first one, and the offset is taken as a
/// huge one.
pub fn check(view: &View, sink: &mut Sink) {
    for (operand, spans, slot) in view.each_operand() {
        let Operand::Immediate { bits, element_type } = *operand else { continue };
        if !matches!(
            slot.name,
            OperandName::OFFSET | OperandName::GLOBAL_OFFSET | OperandName::X_OFFSET | OperandName::Y_OFFSET
        ) || !element_type.is_integer()
        {
            continue;
        }
        let unused = 64 - 8 * element_type.bytes();
        let value = match element_type.row().class {
            TypeClass::Signed => ((bits << unused) as i64) >> unused,
            // Written with a minus.
            _ => bits as i64,
        };
        // The type of the offset may be at fault already.
        let is_reported = sink.diagnostics.iter().rev().take(4).any(|d| d.primary.span == spans.whole);
        if value >= 0 || is_reported {
            continue;
        }
        let written = view.text(spans.whole);
        let message = format!("the offset `{written}` is negative, and is taken as {:#x}", bits as u32);
        sink.report(
            Diagnostic::new(&VALUE_OUT_OF_RANGE, spans.whole, message)
                .level(Level::Warning)
                .note(table::document(view)),
        );
    }
}
