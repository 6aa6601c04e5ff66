//! `movs`: surfaces and samplers as values.

use crate::base::diagnostic::Diagnostic;
use crate::checks::context::{Sink, View};
use crate::checks::operand::bounds;
use crate::checks::table;
use crate::checks::table::region::IGNORED_REGION;
use crate::checks::table::types::{UNSUPPORTED_TYPE, is_refused, operand_type};
use crate::lower::operand::{WRONG_OPERAND_FORM, WRONG_VARIABLE_KIND};
use crate::program::pardon::Pardon;
use crate::program::{Operand, RegionForm};
use crate::spec::Type;

/// Checks a `movs`.
pub fn movs(view: &View, sink: &mut Sink) {
    let (Some((to, to_spans, _)), Some((from, from_spans, slot))) =
        (super::destination(view), super::sources(view).next())
    else {
        return;
    };
    match (to, from) {
        (&Operand::State { variable: a, .. }, &Operand::State { variable: b, .. }) => {
            let kinds = [a, b].map(|v| view.cx.program.variables[v].kind);
            if kinds[0] != kinds[1] {
                let (d, s) = (view.text(to_spans.name), view.text(from_spans.name));
                let message =
                    format!("`{s}` is a {} variable, and `{d}` is a {} variable", kinds[1].word(), kinds[0].word());
                let diagnostic = Diagnostic::new(&WRONG_VARIABLE_KIND, from_spans.whole, message);
                sink.report(table::declared(view, diagnostic, from).note(table::document(view)));
            }
        }
        (Operand::State { .. }, _) | (_, Operand::State { .. }) => {}
        _ if Pardon::Print.holds_in(view.cx.program) => return,
        _ => {
            sink.report(
                Diagnostic::new(
                    &WRONG_OPERAND_FORM,
                    to_spans.whole,
                    "`movs` needs a surface or sampler variable on one side at least",
                )
                .help("between registers write `mov`")
                .note(table::document(view)),
            );
            return;
        }
    }
    if let Some(region) = from.region().filter(|region| !region.is_contiguous(view.exec_size()))
        && (matches!(from, Operand::General { .. }) || !region.is_scalar())
    {
        let place = if from_spans.region.is_empty() { from_spans.whole } else { from_spans.region };
        let written = view.text(place);
        let message = format!("`{written}` is ignored: `{}` copies elements one after the other", view.row.mnemonic);
        // Of several rows of addresses each names one element.
        if region.form == RegionForm::Full && !bounds::is_beyond(view, from, slot) {
            let diagnostic = Diagnostic::new(&IGNORED_REGION, place, message).note(table::document(view));
            sink.report(diagnostic.replace(place, "<1;1,0>", false));
        }
    }
    for (operand, spans, slot) in view.each_operand() {
        let Some(t) = operand_type(view, operand) else { continue };
        if is_refused(view, operand, slot) {
            continue;
        }
        let message = match *operand {
            Operand::Immediate { .. } if t != Type::UD => format!("`{}` has to be an `ud`", view.text(spans.whole)),
            // The element is taken for one of 32 bits, and its offset is not scaled.
            Operand::General { column, .. } if t.bytes() == 8 && column != 0 => {
                format!("`{}` is read as if its elements had 32 bits, and takes other bytes", view.text(spans.whole))
            }
            _ => continue,
        };
        let diagnostic = Diagnostic::new(&UNSUPPORTED_TYPE, spans.whole, message).label("expected `ud`");
        sink.report(table::declared(view, diagnostic, operand).note(table::document(view)));
    }
}
