//! Key `region`: operands of which only the first element is used.

use crate::base::diagnostic::Diagnostic;
use crate::base::rule::Level;
use crate::checks::context::{Sink, View};
use crate::program::{Operand, OperandSpans, Region, RegionForm};
use crate::spec::instruction::{Custom, Execution, OperandKind, OperandSlot};

crate::declare_rule! {
    /// A region that is not used: the operand is a scalar, and only its first element counts. A region with more elements
    /// in a row than the instruction has lanes is an error, except in messages to the data port.
    ///
    /// ```visa bad
    /// gather4_scaled.R (M1, 8) T6 VUD(0,0)<8;8,1> VUD.64 VUD.128
    /// ```
    /// ```visa good
    /// gather4_scaled.R (M1, 8) T6 VUD(0,0)<0;1,0> VUD.64 VUD.128
    /// ```
    pub IGNORED_REGION = "ignored-region", Warning | Error | Pedantic, "3_execution_model",
        help = "write the region that the instruction uses"
}

/// Checks one operand.
pub fn check(view: &View, sink: &mut Sink, operand: &Operand, spans: &OperandSpans, slot: &'static OperandSlot) {
    if !slot.scalar || slot.role.writes() {
        return;
    }
    let Some(region) = operand.region() else { return };
    let is_short = matches!(operand, Operand::Indirect { .. }) && region.form != RegionForm::Full;
    let is_too_wide = is_wider_than_execution(view, region);
    if region.is_scalar() && !is_too_wide || !region.has_source_numbers() || is_short {
        return;
    }
    let place = if spans.region.is_empty() { spans.whole } else { spans.region };
    let written = view.text(place);
    let message =
        format!("`{written}` is ignored: the operand {} of `{}` is one element", slot.name, view.row.mnemonic);
    let diagnostic = Diagnostic::new(&IGNORED_REGION, place, message);
    let diagnostic = diagnostic.replace(place, "<0;1,0>", false);
    sink.report(if is_too_wide {
        diagnostic.level(Level::Error).note("the width of a region may not exceed the execution size")
    } else {
        diagnostic
    });
}

/// Whether a row of the region has more elements than the instruction has lanes, where that matters: the regions of
/// messages to the data port have no effect. Instructions without an execution size have one lane.
fn is_wider_than_execution(view: &View, region: Region) -> bool {
    let has = |kind| view.row.operands.iter().any(|slot| slot.kinds.contains(kind));
    let is_of_data_port = has(OperandKind::Surface)
        && !has(OperandKind::Sampler)
        && !matches!(view.row.custom, Some(Custom::Sampler | Custom::Vme));
    let lanes = match view.row.execution {
        Execution::MaskAndSize if !view.instruction.has_exec => return false,
        Execution::MaskAndSize => view.exec_size(),
        _ => 1,
    };
    !is_of_data_port && region.form == RegionForm::Full && u32::from(region.width) > lanes
}
