//! Key `alignment`: where a raw operand has to begin.

use super::bytes::raw_start;
use crate::base::diagnostic::Diagnostic;
use crate::checks::context::{Sink, View};
use crate::program::{Operand, OperandSpans};
use crate::spec::family::Check;
use crate::spec::instruction::{Alignment, OperandSlot};

crate::declare_rule! {
    /// An operand that does not begin where the instruction needs it: most messages take whole registers, so that raw
    /// operands begin at a register boundary. The offset in an alias counts.
    ///
    /// ```visa bad
    /// gather4_scaled.R (M1, 8) T6 0x0:ud VUD.4 VUD.64
    /// ```
    /// ```visa good
    /// gather4_scaled.R (M1, 8) T6 0x0:ud VUD.0 VUD.64
    /// ```
    pub MISALIGNED_OPERAND = "misaligned-operand", Error | Warning, "3_execution_model",
        help = "begin the operand at a multiple of that many bytes, and declare the variable with `align=GRF`"
}

/// Checks one operand.
pub fn check(view: &View, sink: &mut Sink, operand: &Operand, spans: &OperandSpans, slot: &'static OperandSlot) {
    let program = view.cx.program;
    // One lane is scaled down where its dword stands.
    let is_single = view.exec_size() == 1 && view.row.has(Check::ScaleDown);
    let alignment = if is_single && slot.alignment == Alignment::Grf { Alignment::Bytes(4) } else { slot.alignment };
    let wanted = |grf_bytes| match alignment {
        Alignment::None => 1,
        Alignment::Grf => i64::from(grf_bytes),
        Alignment::Bytes(n) => i64::from(n),
    };
    if alignment == Alignment::None || raw_start(view, operand, 32).is_none() {
        return;
    }
    let place = |grf_bytes| {
        let (variable, start) = raw_start(view, operand, grf_bytes)?;
        Some((variable, start + i64::from(program.variables[variable].root_offset)))
    };
    let failing = view.cx.failing_grf(|g| place(g).is_some_and(|(_, start)| start.rem_euclid(wanted(g).max(1)) != 0));
    sink.report_on(view.cx, failing, || {
        let grf_bytes = failing.grf_sizes().next().unwrap_or(32);
        let (variable, start) = place(grf_bytes).unwrap_or((crate::program::VariableId::NULL, 0));
        let root = program.variable_name(program.variables[variable].root);
        let wanted = wanted(grf_bytes);
        let boundary = match alignment {
            Alignment::Grf => format!("a register boundary (a multiple of {wanted} bytes)"),
            _ => format!("a multiple of {wanted} bytes"),
        };
        let message = format!("`{}` does not begin at {boundary}", view.text(spans.whole));
        let diagnostic = Diagnostic::new(&MISALIGNED_OPERAND, spans.whole, message)
            .label(format!("begins at byte {start} of `{root}`"));
        super::declared(view, diagnostic, operand).note(super::document(view))
    });
}
