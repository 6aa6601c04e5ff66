//! `.sat` and source modifiers where they depend on more than the mnemonic.

use crate::base::diagnostic::Diagnostic;
use crate::base::rule::Level;
use crate::base::span::Span;
use crate::checks::context::{Sink, View};
use crate::checks::table;
use crate::checks::table::source_modifier::UNSUPPORTED_SOURCE_MODIFIER;
use crate::checks::table::types::operand_type;
use crate::lower::modifier::SATURATION_NOT_ALLOWED;
use crate::program::SourceModifier;
use crate::program::pardon::Pardon;
use crate::spec::family::Check;
use crate::spec::instruction::Saturation;
use crate::spec::{PlatformSet, Type};

/// Checks the `.sat` of an instruction that has it.
pub fn check(view: &View, sink: &mut Sink) {
    let mnemonic = view.row.mnemonic;
    let destination =
        super::destination(view).and_then(|(operand, spans, _)| Some((operand_type(view, operand)?, spans)));
    let report = |sink: &mut Sink, level, message: String| {
        let place = place(view);
        let diagnostic =
            Diagnostic::new(&SATURATION_NOT_ALLOWED, place, message).level(level).replace(place, "", false);
        sink.report(diagnostic.note(table::document(view)));
    };
    match (view.row.saturate, destination) {
        (Saturation::Floats, Some((t, _))) if !t.is_float() && Pardon::AskedFor.holds_in(view.cx.program) => {}
        (Saturation::Floats, Some((t, spans))) if !t.is_float() => {
            let written = view.text(spans.whole);
            report(
                sink,
                Level::Error,
                format!("`{mnemonic}` saturates floats only, and `{written}` is `{}`", t.text()),
            );
        }
        (Saturation::Tolerated, _) => {
            report(sink, Level::Warning, format!("the manual has no `.sat` for `{mnemonic}`"));
        }
        (Saturation::Seen, Some((t, spans))) if view.row.has(Check::StochasticRounding) && t.is_float() => {
            let written = view.text(spans.whole);
            report(
                sink,
                Level::Error,
                format!("`{mnemonic}` saturates 8-bit floats only, and `{written}` is `{}`", t.text()),
            );
        }
        (Saturation::Seen, _) => {
            report(sink, Level::Pedantic, format!("the text of the manual has no `.sat` for `{mnemonic}`"));
        }
        (_, Some((Type::TF32, _)))
            if view.row.has(Check::Conversion) && super::pair(view).is_some_and(|(_, source)| source == Type::F) =>
        {
            report(sink, Level::Error, "a conversion to `tf32` cannot saturate".to_owned());
        }
        _ => {}
    }
    let without = PlatformSet::ALL.without(view.row.saturate_platforms);
    sink.report_on(view.cx, without, || {
        let place = place(view);
        let message = format!("`{mnemonic}` saturates only {}", view.row.saturate_platforms.on());
        Diagnostic::new(&SATURATION_NOT_ALLOWED, place, message).replace(place, "", false)
    });
}

/// The place of `.sat`.
pub(super) fn place(view: &View) -> Span {
    let start = view.spans.mnemonic.end;
    let end = if view.spans.exec.is_empty() { view.spans.statement.end } else { view.spans.exec.start };
    match view.text(Span::new(start, end)).find(".sat") {
        Some(i) => Span::new(start + i as u32, start + i as u32 + 4),
        None => view.spans.mnemonic,
    }
}

/// Source modifiers that the manual's page does not list and assemblers take.
pub fn undocumented_modifiers(view: &View, sink: &mut Sink) {
    for (operand, spans, slot) in super::sources(view) {
        let modifier = operand.modifier();
        if modifier == SourceModifier::None || modifier == SourceModifier::Complement {
            continue;
        }
        let written = modifier.text();
        let place = Span::new(spans.whole.start, spans.whole.start + written.len() as u32);
        let message =
            format!("the manual has no source modifiers for the operand {} of `{}`", slot.name, view.row.mnemonic);
        sink.report(
            Diagnostic::new(&UNSUPPORTED_SOURCE_MODIFIER, place, message)
                .level(Level::Pedantic)
                .note(table::document(view)),
        );
    }
}
