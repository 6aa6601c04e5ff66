//! Elements of address and state variables.

use super::region::ILLEGAL_REGION;
use crate::base::diagnostic::Diagnostic;
use crate::base::rule::Level;
use crate::checks::context::{Sink, View};
use crate::checks::table;
use crate::checks::table::bytes::OPERAND_OUT_OF_BOUNDS;
use crate::program::{Operand, OperandSpans, RegionForm, VariableId};
use crate::spec::Platform;
use crate::spec::instruction::OperandSlot;

/// Address registers of a platform.
fn n_address_registers(platform: Platform) -> u32 {
    if platform >= Platform::XE3P_CRI { 32 } else { 16 }
}

/// Checks one operand.
pub fn check(view: &View, sink: &mut Sink, operand: &Operand, spans: &OperandSpans, slot: &'static OperandSlot) {
    let lanes = super::n_lanes(view, slot);
    match *operand {
        Operand::Indirect { address, element, region, .. } => {
            let n = if region.form == RegionForm::Rows { (lanes / u32::from(region.width).max(1)).max(1) } else { 1 };
            let failing = view.cx.failing(|p| n > n_address_registers(*p));
            if view.cx.concerns(failing) {
                sink.report_on(view.cx, failing, || {
                    let message =
                        format!("`{}` needs {n} addresses, and there are 16 address registers", view.text(spans.whole));
                    let place = if spans.region.is_empty() { spans.whole } else { spans.region };
                    Diagnostic::new(&OPERAND_OUT_OF_BOUNDS, place, message)
                        .note("there is one address for each row of the region")
                });
                return;
            }
            let _ = elements(view, sink, operand, spans, address, element, n, "addresses");
        }
        Operand::Address { variable, element, width } => {
            address(view, sink, operand, spans, slot, (variable, element, width));
        }
        Operand::State { variable, index } => {
            let _ = elements(view, sink, operand, spans, variable, index, lanes, "elements");
        }
        _ => {}
    }
}

fn address(
    view: &View,
    sink: &mut Sink,
    operand: &Operand,
    spans: &OperandSpans,
    slot: &OperandSlot,
    (variable, element, width): (VariableId, i32, i32),
) {
    let place = if spans.region.is_empty() { spans.whole } else { spans.region };
    let lanes = super::n_lanes(view, slot);
    let is_legal = matches!(width, 1 | 2 | 4 | 8 | 16)
        || width == 32 && !view.cx.platforms.iter().all(|p| n_address_registers(p) < 32);
    if !is_legal {
        let message = format!("`{}` has the width {width}", view.text(spans.whole));
        sink.report(Diagnostic::new(&ILLEGAL_REGION, place, message).label("expected 1, 2, 4, 8 or 16"));
        return;
    }
    let width = width as u32;
    // The width of a destination is ignored: every lane writes its element.
    let n = if slot.role.writes() { width.max(lanes) } else { width };
    if elements(view, sink, operand, spans, variable, element, n, "addresses")
        && !slot.role.writes()
        && 1 < width
        && width < lanes
    {
        let message = format!("`{}` has {width} addresses for {lanes} lanes", view.text(spans.whole));
        sink.report(
            Diagnostic::new(&ILLEGAL_REGION, place, message)
                .level(Level::Warning)
                .note(format!("the manual repeats the {width} addresses; assemblers read {lanes}"))
                .help(format!("write `<1>` or `<{lanes}>`")),
        );
    }
}

/// Reports elements beyond the end of an address or state variable; gives whether all is well.
#[expect(clippy::too_many_arguments, reason = "both operands with all that is said of them")]
fn elements(
    view: &View,
    sink: &mut Sink,
    operand: &Operand,
    spans: &OperandSpans,
    variable: VariableId,
    first: i32,
    n: u32,
    noun: &str,
) -> bool {
    let n_elements = view.cx.program.n_elements(variable, view.cx.any_grf_bytes());
    let end = i64::from(first) + i64::from(n);
    if first >= 0 && end <= i64::from(n_elements) || n_elements == 0 {
        return true;
    }
    let name = view.text(spans.name);
    let what =
        if n == 1 { format!("takes element {first}") } else { format!("takes the elements {first} to {}", end - 1) };
    let message = format!("`{}` {what} of `{name}`, which has {n_elements}", view.text(spans.whole));
    let diagnostic = Diagnostic::new(&OPERAND_OUT_OF_BOUNDS, spans.whole, message)
        .label(format!("`{name}` has {n_elements} {noun}"));
    sink.report(table::declared(view, diagnostic, operand));
    false
}
