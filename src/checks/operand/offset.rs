//! Rows, columns and offsets: what the encoding has room for.

use crate::base::diagnostic::Diagnostic;
use crate::base::rule::Level;
use crate::base::span::Span;
use crate::checks::context::{Sink, View};
use crate::checks::table::alignment::MISALIGNED_OPERAND;
use crate::checks::table::value::VALUE_OUT_OF_RANGE;
use crate::program::{Operand, OperandSpans, VariableId};
use crate::spec::predefined::VariableKind;

/// Checks the offset of one operand; gives whether it means what it says.
pub fn check(view: &View, sink: &mut Sink, operand: &Operand, spans: &OperandSpans) -> bool {
    match *operand {
        Operand::General { variable, row, column, .. } | Operand::Element { variable, row, column } => {
            row_and_column(view, sink, spans, variable, row, column)
        }
        Operand::Indirect { offset, element_type, .. } => {
            if !(-512..=511).contains(&offset) {
                report(
                    view,
                    sink,
                    spans,
                    &format!("the offset {offset} does not fit an indirect operand"),
                    "expected -512 to 511",
                );
                return false;
            }
            let bytes = element_type.bytes() as i32;
            if offset % bytes != 0 {
                let place = place(spans);
                let message =
                    format!("the offset {offset} is not a multiple of the {bytes} bytes of `{}`", element_type.text());
                sink.report(
                    Diagnostic::new(&MISALIGNED_OPERAND, place, message)
                        .level(Level::Warning)
                        .note("address and offset together have to be a multiple of the size of the type"),
                );
            }
            true
        }
        Operand::State { index, .. } if !(0..=255).contains(&index) => {
            report(
                view,
                sink,
                spans,
                &format!("the element {index} does not fit a state operand"),
                "expected 0 to 255",
            );
            false
        }
        Operand::AddressOf { offset, .. } if i16::try_from(offset).is_err() => {
            report(view, sink, spans, &format!("the offset {offset} does not fit 16 bits"), "expected -32768 to 32767");
            false
        }
        Operand::Address { element, .. } if element < 0 => {
            report(view, sink, spans, &format!("the element {element} is negative"), "expected 0 or more");
            false
        }
        _ => true,
    }
}

fn place(spans: &OperandSpans) -> Span {
    if spans.offset.is_empty() { spans.whole } else { spans.offset }
}

fn report(view: &View, sink: &mut Sink, spans: &OperandSpans, message: &str, expected: &str) {
    let whole = view.text(spans.whole);
    sink.report(Diagnostic::new(&VALUE_OUT_OF_RANGE, place(spans), format!("{message}: `{whole}`")).label(expected));
}

fn row_and_column(
    view: &View,
    sink: &mut Sink,
    spans: &OperandSpans,
    variable: VariableId,
    row: i32,
    column: i32,
) -> bool {
    for (what, value) in [("row", row), ("column", column)] {
        if (0..=255).contains(&value) {
            continue;
        }
        if value < 0 {
            report(view, sink, spans, &format!("the {what} {value} is negative"), "expected 0 to 255");
            return false;
        }
        let message = format!(
            "the {what} {value} does not fit 8 bits and is read as {}: `{}`",
            value % 256,
            view.text(spans.whole)
        );
        let mut diagnostic = Diagnostic::new(&VALUE_OUT_OF_RANGE, place(spans), message).label("expected 0 to 255");
        if let Some(written) = shorter(view, variable, row, column) {
            let name = view.text(spans.name);
            diagnostic =
                diagnostic.help(format!("the same element is `{name}{written}`")).replace(place(spans), written, false);
        }
        sink.report(diagnostic);
        return false;
    }
    let info = &view.cx.program.variables[variable];
    let bytes = i64::from(info.element_bytes());
    if i64::from(column) * bytes >= 32 && info.kind == VariableKind::General {
        let failing = view.cx.failing_grf(|g| i64::from(column) * bytes >= i64::from(g));
        sink.report_on(view.cx, failing, || {
            let message =
                format!("the column {column} lies beyond the register of its row: `{}`", view.text(spans.whole));
            let diagnostic = Diagnostic::new(&VALUE_OUT_OF_RANGE, place(spans), message)
                .level(Level::Pedantic)
                .note("rows and columns are added up, so that this is well defined");
            match shorter(view, variable, row, column) {
                Some(written) => diagnostic.replace(place(spans), written, false),
                None => diagnostic,
            }
        });
    }
    true
}

/// The same element with the column inside its row, where the register size is known and the row fits.
fn shorter(view: &View, variable: VariableId, row: i32, column: i32) -> Option<String> {
    let mut sizes = view.cx.platforms.grf_sizes();
    let (Some(grf_bytes), None) = (sizes.next(), sizes.next()) else { return None };
    let columns = i64::from(grf_bytes / view.cx.program.variables[variable].element_bytes().max(1)).max(1);
    let row = i64::from(row) + i64::from(column) / columns;
    (0..=255).contains(&row).then(|| format!("({row},{})", i64::from(column) % columns))
}
