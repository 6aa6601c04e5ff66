//! Typed surface messages: coordinates.

use super::payload;
use crate::base::diagnostic::Diagnostic;
use crate::checks::context::{Sink, View};
use crate::checks::table;
use crate::checks::table::platform::report_missing;
use crate::checks::table::types::operand_type;
use crate::spec::OperandName;
use crate::spec::{Platform, PlatformSet, Type};

crate::declare_rule! {
    /// The coordinate `r` of a typed message without `v`. A surface has one, two or three dimensions, so `r` is only used
    /// together with `v`; assemblers shift it into the place of `v` or stop.
    ///
    /// ```visa bad
    /// gather4_typed.R (M1, 8) T6 VUD.0 %null.0 VUD.64 %null.0 VUD.128
    /// ```
    /// ```visa good
    /// gather4_typed.R (M1, 8) T6 VUD.0 VUD.64 %null.0 %null.0 VUD.128
    /// ```
    pub MISSING_COORDINATE = "missing-coordinate", Error, "SCATTER4_TYPED"
}

crate::declare_rule! {
    /// Coordinates of one texel, some of them signed and some not. The manual wants `ud`; compilers pass `d`, but then for
    /// all of them.
    ///
    /// ```visa bad
    /// gather4_typed.R (M1, 8) T6 VUD.0 VD.64 %null.0 %null.0 VUD.128
    /// ```
    /// ```visa good
    /// gather4_typed.R (M1, 8) T6 VUD.0 VUD.64 %null.0 %null.0 VUD.128
    /// ```
    pub MIXED_COORDINATE_TYPES = "mixed-coordinate-types", Warning, "SCATTER4_TYPED"
}

const COORDINATES: [OperandName; 4] = [OperandName::U, OperandName::V, OperandName::R, OperandName::LOD];

/// Checks one typed read or write.
pub fn check(view: &View, sink: &mut Sink) {
    coordinates(view, sink);
    payload::ambiguous_layout(view, sink);
}

/// Checks the coordinates of a typed message; does nothing for other messages.
pub fn coordinates(view: &View, sink: &mut Sink) {
    let (Some((v, v_spans)), Some((r, r_spans))) = (view.operand(OperandName::V), view.operand(OperandName::R)) else {
        return;
    };
    if v.is_null() && !r.is_null() {
        let written = view.text(r_spans.whole);
        let message = format!("the coordinate v is `%null`, but the coordinate r after it is `{written}`");
        sink.report(
            Diagnostic::new(&MISSING_COORDINATE, v_spans.whole, message)
                .label("a surface with a third coordinate has a second one")
                .also(r_spans.whole, "the coordinate r")
                .note(table::document(view))
                .help("give both coordinates, or write `%null.0` for both"),
        );
        return;
    }
    let typed = || {
        COORDINATES
            .iter()
            .filter_map(|name| view.operand(*name))
            .filter_map(|(o, spans)| Some((o, spans, operand_type(view, o)?)))
    };
    let Some((_, unsigned, _)) = typed().find(|(_, _, t)| *t == Type::UD) else { return };
    let Some((operand, spans, _)) = typed().find(|(_, _, t)| *t == Type::D) else { return };
    let written = view.text(spans.whole);
    let message = format!("the coordinate `{written}` is signed, but `{}` is not", view.text(unsigned.whole));
    let diagnostic = Diagnostic::new(&MIXED_COORDINATE_TYPES, spans.whole, message).label("expected `ud`");
    sink.report(table::declared(view, diagnostic, operand).note(table::document(view)));
}

/// By the manual, atomics of typed surfaces end before PVC. The compiler prints them there all the same, always with the 16
/// lanes that these platforms have.
pub fn platform(view: &View, sink: &mut Sink) {
    if view.row.slot(OperandName::U).is_none() || !view.instruction.has_exec || view.exec_size() == 16 {
        return;
    }
    let failing: PlatformSet = [Platform::PVC, Platform::PVCXT].into_iter().collect();
    report_missing(view, sink, failing, view.row.platforms.legal);
}
