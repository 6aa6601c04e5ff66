//! Checks of single operands, whatever the instruction: offsets, regions, bounds, read-only variables.

pub mod addresses;
pub mod bounds;
pub mod offset;
pub mod predefined;
pub mod region;
pub mod span;

use super::context::{Sink, View};
use super::table::exec_size;
use crate::spec::instruction::{Execution, OperandSlot};

/// Checks the operands of one instruction. What is wrong with an offset or a region is said once: the checks that build
/// on it are left out.
pub fn check(view: &View, sink: &mut Sink) {
    let mut is_sound = true;
    for (operand, spans, slot) in view.each_operand() {
        if !offset::check(view, sink, operand, spans) || !region::check(view, sink, operand, spans, slot) {
            is_sound = false;
            continue;
        }
        if predefined::check(view, sink, operand, spans, slot) && exec_size::is_supported(view) {
            addresses::check(view, sink, operand, spans, slot);
            bounds::check(view, sink, operand, spans, slot);
        }
    }
    if is_sound {
        span::check(view, sink);
    }
}

/// Lanes for which the operand gives an element: one where only its first element is used.
#[must_use]
pub fn n_lanes(view: &View, slot: &OperandSlot) -> u32 {
    if slot.scalar || view.row.execution != Execution::MaskAndSize { 1 } else { view.exec_size() }
}
