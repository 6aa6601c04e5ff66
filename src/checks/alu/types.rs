//! Types of operands that have to go together.

use crate::base::diagnostic::Diagnostic;
use crate::base::rule::Level;
use crate::checks::context::{Sink, View};
use crate::checks::table;
use crate::checks::table::types::{UNSUPPORTED_TYPE, is_refused, operand_type, retyped};
use crate::program::{Operand, OperandSpans};
use crate::spec::family::{Check, Family};
use crate::spec::{Platform, PlatformSet, Type};

crate::declare_rule! {
    /// Operands of one instruction whose types do not go together. Integers mix with integers of other widths, F with HF;
    /// integers do not mix with floats, nor DF or BF with anything else (BF with F, in a few instructions). Only `mov`
    /// converts. The parameters of a sampler message, and the colours of a render target message, have one type.
    ///
    /// ```visa bad
    /// add (M1, 8) VF(0,0)<1> VF(1,0)<8;8,1> VD(0,0)<8;8,1>
    /// ```
    /// ```visa good
    /// mov (M1, 8) VF(1,0)<1> VD(0,0)<8;8,1>
    /// add (M1, 8) VF(0,0)<1> VF(1,0)<8;8,1> VF(2,0)<8;8,1>
    /// ```
    pub MIXED_OPERAND_TYPES = "mixed-operand-types", Error | Warning | Pedantic, "2_datatypes",
        help = "convert one of them with a `mov` before"
}

/// An operand with a type.
#[derive(Clone, Copy)]
struct Typed<'a> {
    operand: &'a Operand,
    spans: &'a OperandSpans,
    t: Type,
}

/// Checks one instruction.
pub fn check(view: &View, sink: &mut Sink) {
    let family = view.row.family;
    match family {
        Family::Arithmetic | Family::Selection | Family::Comparison => {}
        Family::Logic => return logic(view, sink),
        Family::Move | Family::Other => return,
    }
    let typed = |(operand, spans, _)| Some(Typed { operand, spans, t: operand_type(view, operand)? });
    let destination = super::destination(view).and_then(typed);
    let mut sources = super::sources(view).filter_map(typed);
    let Some(first) = sources.next() else { return };
    // By far the most instructions have one type.
    if destination.is_none_or(|d| d.t == first.t) && sources.clone().all(|s| s.t == first.t) && first.t != Type::DF {
        return;
    }
    if view.each_operand().any(|(operand, _, slot)| is_refused(view, operand, slot)) {
        return;
    }
    let sources = || std::iter::once(first).chain(sources.clone());
    let has_bf = destination.into_iter().chain(sources()).any(|o| o.t == Type::BF);
    match family {
        Family::Comparison => comparison(view, sink, destination, first, sources()),
        Family::Selection => selection(view, sink, &destination.into_iter().chain(sources())),
        _ if view.row.has(Check::StochasticRounding) => {}
        _ if has_bf => brain(view, sink, destination, &sources()),
        _ => arithmetic(view, sink, destination, sources()),
    }
}

/// Reports that `odd` does not go with `other`.
fn report(view: &View, sink: &mut Sink, odd: Typed, other: Typed, what: &str) {
    let (odd_text, other_text) = (view.text(odd.spans.whole), view.text(other.spans.whole));
    let message = format!("`{odd_text}` is `{}` and `{other_text}` is `{}`: {what}", odd.t.text(), other.t.text());
    let diagnostic = Diagnostic::new(&MIXED_OPERAND_TYPES, odd.spans.whole, message)
        .label(format!("`{}`", odd.t.text()))
        .also(other.spans.whole, format!("`{}`", other.t.text()));
    let diagnostic = match retyped(odd_text, other.t) {
        Some(help) => diagnostic.help(help),
        None => diagnostic,
    };
    sink.report(table::declared(view, diagnostic, odd.operand).note(table::document(view)));
}

/// Whether a source of type `s` goes with a destination of type `d`.
fn goes_with(d: Type, s: Type) -> bool {
    if is_float(d) || is_float(s) {
        return d == s || d == Type::F && matches!(s, Type::VF | Type::HF) || d == Type::HF && s == Type::F;
    }
    s != Type::VF
}

fn is_float(t: Type) -> bool {
    matches!(t, Type::F | Type::HF | Type::DF)
}

fn arithmetic<'a>(
    view: &View,
    sink: &mut Sink,
    destination: Option<Typed<'a>>,
    mut sources: impl Iterator<Item = Typed<'a>> + Clone,
) {
    let Some(first) = sources.clone().next() else { return };
    let reference = destination.unwrap_or(first);
    if let Some(odd) = sources.clone().find(|s| !goes_with(reference.t, s.t)) {
        let what = match (reference.t, odd.t) {
            (Type::DF, _) | (_, Type::DF) => "`df` goes with nothing else",
            _ => "integers and floats do not mix",
        };
        // Where all sources agree, the destination is the odd one.
        let is_destination = !is_float(reference.t) && sources.clone().count() > 1 && sources.all(|s| s.t == odd.t);
        let (odd, other) = if is_destination { (reference, odd) } else { (odd, reference) };
        report(view, sink, odd, other, what);
        return;
    }
    if view.row.has(Check::WideFactors)
        && reference.t.bytes() == 8
        && reference.t.is_integer()
        && let Some(short) = sources.clone().find(|s| s.t.is_integer() && s.t.bytes() < 4)
    {
        report(view, sink, short, reference, "a 64-bit product takes 32-bit factors");
    }
    if view.row.has(Check::SameSign) {
        same_sign(view, sink, reference, first, sources.clone());
    }
    if let Some(half) = sources.clone().chain(destination).find(|o| o.t == Type::HF) {
        mixed_floats(view, sink, half, sources.chain(destination));
    }
}

/// Half and single floats in one instruction.
fn mixed_floats<'a>(view: &View, sink: &mut Sink, half: Typed, mut all: impl Iterator<Item = Typed<'a>>) {
    let Some(single) = all.find(|o| matches!(o.t, Type::F | Type::VF)) else { return };
    if view.row.has(Check::SameFloat) {
        let (half_text, single_text) = (view.text(half.spans.whole), view.text(single.spans.whole));
        let message = format!(
            "`{half_text}` is `hf` and `{single_text}` is `{}`: the manual's `{}` takes one of them",
            single.t.text(),
            view.row.mnemonic
        );
        sink.report(
            Diagnostic::new(&MIXED_OPERAND_TYPES, half.spans.whole, message)
                .level(Level::Warning)
                .also(single.spans.whole, format!("`{}`", single.t.text()))
                .note(table::document(view)),
        );
        return;
    }
    let without: PlatformSet = [Platform::BDW, Platform::CHV, Platform::ICLLP].into_iter().collect();
    sink.report_on(view.cx, without, || {
        let message = format!("the hardware does not mix `hf` with `{}`: conversions are inserted", single.t.text());
        Diagnostic::new(&MIXED_OPERAND_TYPES, half.spans.whole, message).level(Level::Pedantic)
    });
}

/// Whether it is an immediate that is the same number with and without a sign.
fn is_plain_number(operand: &Operand) -> bool {
    matches!(*operand, Operand::Immediate { bits, .. } if i32::try_from(bits).is_ok())
}

/// The product of a signed and an unsigned factor is neither.
fn same_sign<'a>(
    view: &View,
    sink: &mut Sink,
    destination: Typed,
    first: Typed,
    mut sources: impl Iterator<Item = Typed<'a>>,
) {
    let Some(other) = sources.find(|s| s.t.is_signed() != first.t.is_signed()) else { return };
    let (a, b) = (view.text(first.spans.whole), view.text(other.spans.whole));
    // An unsigned destination shows that the bits are meant.
    let is_harmless = !destination.t.is_signed() || is_plain_number(first.operand) || is_plain_number(other.operand);
    let level = if is_harmless { Level::Pedantic } else { Level::Error };
    let (odd, good) = if first.t.is_signed() == destination.t.is_signed() { (other, first) } else { (first, other) };
    let message = format!(
        "`{a}` is `{}` and `{b}` is `{}`: the factors of `{}` have one type",
        first.t.text(),
        other.t.text(),
        view.row.mnemonic
    );
    sink.report(
        Diagnostic::new(&MIXED_OPERAND_TYPES, odd.spans.whole, message)
            .level(level)
            .label(format!("`{}`", odd.t.text()))
            .also(good.spans.whole, format!("`{}`", good.t.text()))
            .note(table::document(view)),
    );
}

fn brain<'a>(
    view: &View,
    sink: &mut Sink,
    destination: Option<Typed<'a>>,
    sources: &(impl Iterator<Item = Typed<'a>> + Clone),
) {
    let is_pure = view.row.has(Check::PureBrain);
    let all = || destination.into_iter().chain(sources.clone());
    let odd = all().find(|o| o.t != Type::BF && (is_pure || o.t != Type::F));
    if let (Some(odd), Some(other)) = (odd, all().find(|o| o.t == Type::BF)) {
        let what = if is_pure { "`bf` goes with `bf` only here" } else { "`bf` goes with `f` and `bf` only" };
        report(view, sink, odd, other, what);
    }
}

/// What may stand together in sel, min and max, and in the sources of cmp.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Group {
    Integer,
    Double,
    Half,
    Single,
    Brain,
    Other,
}

fn group(t: Type) -> Group {
    match t {
        Type::DF => Group::Double,
        Type::HF => Group::Half,
        Type::F | Type::VF => Group::Single,
        Type::BF => Group::Brain,
        t if t.is_integer() || t.is_packed() => Group::Integer,
        _ => Group::Other,
    }
}

fn agree(a: Type, b: Type) -> bool {
    matches!(
        (group(a), group(b)),
        (Group::Half | Group::Brain, Group::Single) | (Group::Single, Group::Half | Group::Brain)
    ) || group(a) == group(b)
}

fn mix(a: Type, b: Type) -> &'static str {
    match (group(a), group(b)) {
        (Group::Integer, _) | (_, Group::Integer) => "integers and floats do not mix",
        (Group::Double, _) | (_, Group::Double) => "`df` goes with nothing else",
        _ => "`bf` goes with `f` and `bf` only",
    }
}

fn selection<'a>(view: &View, sink: &mut Sink, all: &(impl Iterator<Item = Typed<'a>> + Clone)) {
    let Some(first) = all.clone().next() else { return };
    // Two of three decide; the one that is left is the odd one.
    let rest = || all.clone().skip(1);
    let Some(odd) = rest().find(|o| !agree(first.t, o.t)) else {
        // Both go with `f`, but not with each other.
        let (half, brain) = (all.clone().find(|o| o.t == Type::HF), all.clone().find(|o| o.t == Type::BF));
        if let (Some(half), Some(brain)) = (half, brain) {
            report(view, sink, half, brain, mix(half.t, brain.t));
        }
        return;
    };
    let disagreeing = rest().filter(|o| !agree(first.t, o.t)).count();
    if disagreeing > 1 && disagreeing == rest().count() {
        report(view, sink, first, odd, mix(first.t, odd.t));
    } else {
        report(view, sink, odd, first, mix(first.t, odd.t));
    }
}

fn comparison<'a>(
    view: &View,
    sink: &mut Sink,
    destination: Option<Typed<'a>>,
    first: Typed<'a>,
    mut sources: impl Iterator<Item = Typed<'a>> + Clone,
) {
    if let Some(odd) = sources.clone().find(|s| !agree(first.t, s.t)) {
        report(view, sink, odd, first, mix(first.t, odd.t));
        return;
    }
    let Some(destination) = destination else { return };
    if destination.t == Type::BF && group(first.t) == Group::Integer {
        report(view, sink, first, destination, mix(destination.t, first.t));
    } else if group(first.t) != Group::Integer && sources.all(|s| s.t != destination.t) {
        report(view, sink, destination, first, "a comparison of floats has a result of their type");
    }
}

/// Logic takes integers of all widths; a few instructions ask for more.
fn logic(view: &View, sink: &mut Sink) {
    let has_one_type = view.row.has(Check::SameType);
    if !has_one_type && !view.row.has(Check::RotationWidth) {
        return;
    }
    let typed = |(operand, spans, _)| Some(Typed { operand, spans, t: operand_type(view, operand)? });
    let Some(destination) = super::destination(view).and_then(typed) else { return };
    let mut sources = super::sources(view).filter_map(typed);
    if view.each_operand().any(|(operand, _, slot)| is_refused(view, operand, slot)) {
        return;
    }
    if has_one_type {
        if let Some(odd) = sources.clone().find(|s| s.t != destination.t && !is_plain_number(s.operand)) {
            let what = format!("all operands of `{}` are `d`, or all are `ud`", view.row.mnemonic);
            report(view, sink, odd, destination, &what);
        } else if let Some(odd) = sources.find(|s| s.t != destination.t) {
            // What an immediate width or offset means does not depend on its sign.
            let message = format!(
                "`{}` is `{}`: all operands of `{}` have one type",
                view.text(odd.spans.whole),
                odd.t.text(),
                view.row.mnemonic
            );
            let diagnostic = Diagnostic::new(&MIXED_OPERAND_TYPES, odd.spans.whole, message);
            sink.report(diagnostic.level(Level::Pedantic).note(table::document(view)));
        }
        return;
    }
    let Some(value) = sources.next() else { return };
    if value.t.bytes() != destination.t.bytes() {
        let (d, s) = (view.text(destination.spans.whole), view.text(value.spans.whole));
        let message = format!(
            "`{s}` is rotated within {} bits, and `{d}` has {}",
            8 * value.t.bytes(),
            8 * destination.t.bytes()
        );
        sink.report(
            Diagnostic::new(&MIXED_OPERAND_TYPES, value.spans.whole, message)
                .level(Level::Warning)
                .label(format!("`{}`", value.t.text()))
                .also(destination.spans.whole, format!("`{}`", destination.t.text()))
                .note("the width of the rotation is that of the source"),
        );
    }
}

/// Types that only assemblers know.
pub fn undocumented(view: &View, sink: &mut Sink) {
    if let Some((operand, spans, slot)) = super::destination(view)
        && operand_type(view, operand) == Some(Type::DF)
        && !is_refused(view, operand, slot)
    {
        let message = format!("the manual's `{}` takes `f` and `hf`", view.row.mnemonic);
        sink.report(
            Diagnostic::new(&UNSUPPORTED_TYPE, spans.whole, message).level(Level::Pedantic).note(table::document(view)),
        );
    }
}
