//! Pairs of types that mov, fcvt and srnd convert.

use crate::base::diagnostic::Diagnostic;
use crate::base::rule::Level;
use crate::base::span::Span;
use crate::checks::context::{Sink, View};
use crate::checks::table;
use crate::checks::table::exec_size::missing_no_mask;
use crate::checks::table::predicate::PREDICATE_NOT_ALLOWED;
use crate::checks::table::source_modifier::UNSUPPORTED_SOURCE_MODIFIER;
use crate::checks::table::types::{UNSUPPORTED_TYPE, is_refused, operand_type};
use crate::lower::operand::WRONG_OPERAND_FORM;
use crate::program::{Operand, OperandSpans, SourceModifier};
use crate::spec::{Platform, PlatformSet, Type};

crate::declare_rule! {
    /// Two types between which there is no conversion. The small floats have one partner each: `tf32` and `bf` go with `f`,
    /// `bf8` and `hf8` with `hf`. `fcvt` and `srnd` write `ub` for `bf8`, `b` for `hf8` and `ud` for `tf32`.
    ///
    /// ```visa bad
    /// // platform: PVC
    /// fcvt (M1_NM, 16) VF(0,0)<1> VHF(0,0)<1;1,0>
    /// ```
    /// ```visa good
    /// // platform: PVC
    /// fcvt (M1_NM, 16) VUB(0,0)<1> VHF(0,0)<1;1,0>
    /// ```
    pub UNSUPPORTED_CONVERSION = "unsupported-conversion", Error | Warning, "2_datatypes"
}

crate::declare_rule! {
    /// A `mov` that loses what it converts: to a narrower integer without `.sat`, which drops the upper bits, or of a negative
    /// float to an unsigned integer, which gives an undefined value.
    ///
    /// ```visa bad
    /// mov (M1, 8) VUB(0,0)<1> VD(0,0)<8;8,1>
    /// ```
    /// ```visa good
    /// mov.sat (M1, 8) VUB(0,0)<1> VD(0,0)<8;8,1>
    /// ```
    pub LOSSY_CONVERSION = "lossy-conversion", Pedantic, "2_datatypes",
        help = "convert to a signed type first, or choose a number that the destination can hold"
}

/// Destination and source, if neither type is an error by itself.
#[expect(clippy::type_complexity, reason = "a table")]
fn operands<'a>(view: &View<'a>) -> Option<((Type, &'a OperandSpans), (Type, &'a OperandSpans, &'a Operand))> {
    let (to, to_spans, to_slot) = super::destination(view)?;
    let (from, from_spans, from_slot) = super::sources(view).next()?;
    if is_refused(view, to, to_slot) || is_refused(view, from, from_slot) {
        return None;
    }
    Some(((operand_type(view, to)?, to_spans), (operand_type(view, from)?, from_spans, from)))
}

fn report(
    view: &View,
    sink: &mut Sink,
    to: (Type, &OperandSpans),
    from: (Type, &OperandSpans),
    place: &OperandSpans,
    partners: &str,
) {
    let message = format!("`{}` does not convert `{}` to `{}`", view.row.mnemonic, from.0.text(), to.0.text());
    let diagnostic = Diagnostic::new(&UNSUPPORTED_CONVERSION, place.whole, message).note(partners.to_owned()).also(
        if place == to.1 { from.1.whole } else { to.1.whole },
        format!("`{}`", if place == to.1 { from.0 } else { to.0 }.text()),
    );
    sink.report(diagnostic.note(table::document(view)));
}

/// The type that a small float is converted from and to.
fn partner(t: Type) -> Option<Type> {
    match t {
        Type::TF32 | Type::BF => Some(Type::F),
        Type::BF8 | Type::HF8 => Some(Type::HF),
        _ => None,
    }
}

/// Moves convert.
pub fn mov(view: &View, sink: &mut Sink) {
    let Some(((to, to_spans), (from, from_spans, source))) = operands(view) else { return };
    let modifier = source.modifier();
    if to == from && modifier == SourceModifier::None && !view.instruction.saturate {
        return;
    }
    // The small float that decides, in the order in which assemblers look for them.
    let small = [Type::TF32, Type::BF8, Type::HF8, Type::BF].into_iter().find(|t| *t == to || *t == from);
    let Some((small, wanted)) = small.and_then(|t| Some((t, partner(t)?))) else {
        lossy(view, sink, (to, to_spans), (from, from_spans, source));
        return;
    };
    let other = if to == small { from } else { to };
    if other != wanted && other != small {
        let place = if to == small { from_spans } else { to_spans };
        let partners = format!("`{}` is converted from and to `{}` only", small.text(), wanted.text());
        report(view, sink, (to, to_spans), (from, from_spans), place, &partners);
        return;
    }
    let is_strict = matches!(small, Type::BF8 | Type::HF8) || to == Type::TF32 && from == Type::F;
    if !is_strict {
        return;
    }
    let what = format!("a conversion between `{}` and `{}`", small.text(), wanted.text());
    if !view.spans.predicate.is_empty() {
        let place = view.spans.predicate;
        let message = format!("{what} takes no predicate");
        sink.report(Diagnostic::new(&PREDICATE_NOT_ALLOWED, place, message).replace(
            Span::new(place.start, view.spans.mnemonic.start),
            "",
            false,
        ));
    }
    if modifier != SourceModifier::None {
        let place = Span::new(from_spans.whole.start, from_spans.whole.start + modifier.text().len() as u32);
        sink.report(Diagnostic::new(&UNSUPPORTED_SOURCE_MODIFIER, place, format!("{what} takes no source modifier")));
    }
}

fn lossy(
    view: &View,
    sink: &mut Sink,
    (to, to_spans): (Type, &OperandSpans),
    (from, from_spans, source): (Type, &OperandSpans, &Operand),
) {
    if view.instruction.saturate || !sink.wants(&LOSSY_CONVERSION, Level::Pedantic) {
        return;
    }
    let (d, s) = (view.text(to_spans.whole), view.text(from_spans.whole));
    let is_immediate = matches!(source, Operand::Immediate { .. });
    if to.is_integer() && from.is_integer() && to.bytes() < from.bytes() && !is_immediate {
        let message = format!("`{s}` is `{}` and `{d}` is `{}`: the upper bits are dropped", from.text(), to.text());
        sink.report(
            Diagnostic::new(&LOSSY_CONVERSION, view.spans.mnemonic, message)
                .level(Level::Pedantic)
                .help("`mov.sat` gives the nearest value instead"),
        );
    }
    let is_unsigned = to.is_integer() && !to.is_signed();
    if let (Operand::Immediate { bits, .. }, true) = (source, is_unsigned && from.is_float()) {
        let sign = 8 * from.bytes() - 1;
        let is_negative = bits >> sign & 1 == 1 && bits & !(1 << sign) != 0;
        if is_negative {
            let message = format!("`{s}` is negative and `{d}` is unsigned: the result is undefined");
            sink.report(Diagnostic::new(&LOSSY_CONVERSION, from_spans.whole, message).level(Level::Pedantic));
        }
    }
}

/// Conversions of small floats under the names of integers.
pub fn fcvt(view: &View, sink: &mut Sink) {
    let needs_no_mask = super::pair(view).is_some_and(|(to, _)| matches!(to, Type::UB | Type::B));
    if needs_no_mask && !view.instruction.no_mask && view.instruction.has_exec {
        let message = "a conversion to an 8-bit float has to ignore the execution mask";
        sink.report(missing_no_mask(view, message).note(table::document(view)));
    }
    let Some((to, (from, from_spans, _))) = operands(view) else { return };
    match (to.0, from) {
        (Type::UB | Type::B, Type::HF) | (Type::HF, Type::UB | Type::B) | (Type::UD, Type::F) => {}
        (Type::F, Type::UD) => sink.report(
            Diagnostic::new(
                &UNSUPPORTED_CONVERSION,
                to.1.whole,
                "newer assemblers do not convert `tf32` to `f`: its bits are those of an `f`",
            )
            .level(Level::Warning)
            .help("write a `mov`")
            .note(table::document(view)),
        ),
        _ => {
            let partners = "`hf` goes with `ub` (bf8) and, from XE3 on, with `b` (hf8); `f` goes to `ud` (tf32)";
            report(view, sink, to, (from, from_spans), to.1, partners);
        }
    }
}

/// Stochastic rounding.
pub fn srnd(view: &View, sink: &mut Sink) {
    let mut sources = super::sources(view);
    if let Some((Operand::Immediate { .. }, spans, _)) = sources.next() {
        let message = format!("`{}`: the manual's `srnd` rounds general operands only", view.text(spans.whole));
        sink.report(
            Diagnostic::new(&WRONG_OPERAND_FORM, spans.whole, message)
                .level(Level::Pedantic)
                .note(table::document(view)),
        );
    }
    let Some((to, (from, from_spans, _))) = operands(view) else { return };
    let failing = match (to.0, from) {
        (Type::HF, Type::F) | (Type::UB, Type::HF) => PlatformSet::NONE,
        (Type::UB | Type::B, Type::BF) | (Type::B, Type::HF) => {
            view.cx.platforms.without(PlatformSet::since(Platform::XE3P_CRI))
        }
        _ => view.cx.platforms,
    };
    if !failing.is_empty() && view.cx.concerns(failing) {
        let partners =
            "`f` is rounded to `hf`, `hf` to `ub` (bf8); after XE3 `bf` to `ub`, and `bf` and `hf` to `b` (hf8)";
        report(view, sink, to, (from, from_spans), to.1, partners);
        return;
    }
    if let Some((random, spans, _)) = sources.next() {
        let wanted = if to.0 == Type::HF { Type::UW } else { Type::UB };
        if let Some(t @ (Type::UW | Type::UB)) = operand_type(view, random).filter(|t| *t != wanted) {
            let message = format!(
                "the random bits for `{}` are `{}`, and `{}` is `{}`",
                to.0.text(),
                wanted.text(),
                view.text(spans.whole),
                t.text()
            );
            sink.report(
                Diagnostic::new(&UNSUPPORTED_TYPE, spans.whole, message)
                    .level(Level::Warning)
                    .note(table::document(view)),
            );
        }
    }
}
