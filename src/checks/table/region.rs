//! Key `region`: operands of which only the first element is used.

use crate::base::diagnostic::Diagnostic;
use crate::checks::context::{Sink, View};
use crate::program::{Operand, OperandSpans, RegionForm};
use crate::spec::instruction::OperandSlot;

crate::declare_rule! {
    /// A region that is not used: the operand is a scalar, and only its first element counts.
    ///
    /// ```visa bad
    /// gather4_scaled.R (M1, 8) T6 VUD(0,0)<8;8,1> VUD.64 VUD.128
    /// ```
    /// ```visa good
    /// gather4_scaled.R (M1, 8) T6 VUD(0,0)<0;1,0> VUD.64 VUD.128
    /// ```
    pub IGNORED_REGION = "ignored-region", Warning, "3_execution_model"
}

/// Checks one operand.
pub fn check(view: &View, sink: &mut Sink, operand: &Operand, spans: &OperandSpans, slot: &'static OperandSlot) {
    if !slot.scalar || slot.role.writes() {
        return;
    }
    let Some(region) = operand.region() else { return };
    if region.is_scalar()
        || region.has_illegal_number()
        || matches!(operand, Operand::Indirect { .. }) && region.form != RegionForm::Full
    {
        return;
    }
    let place = if spans.region.is_empty() { spans.whole } else { spans.region };
    let written = view.text(place);
    let diagnostic = Diagnostic::new(
        &IGNORED_REGION,
        place,
        format!("`{written}` is ignored: `{}` of `{}` is one element", slot.name, view.row.mnemonic),
    );
    sink.report(diagnostic.replace(place, "<0;1,0>", false));
}
