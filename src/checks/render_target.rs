//! Render target messages: which operands the options ask for, and what they have to be.

use super::alu::types::MIXED_OPERAND_TYPES;
use super::context::{Sink, View};
use super::table::bytes::{self, OPERAND_OUT_OF_BOUNDS, Shortage, raw_start, shortage};
use super::table::modifier::UNSUPPORTED_MODIFIER_VALUE;
use super::table::null::UNEXPECTED_NULL;
use super::table::predicate::DROPPED_MODIFIER;
use super::table::region::IGNORED_REGION;
use super::table::types::{UNSUPPORTED_TYPE, operand_type};
use super::table::value::VALUE_OUT_OF_RANGE;
use super::table::{declared, document};
use crate::base::diagnostic::Diagnostic;
use crate::base::rule::Level;
use crate::base::span::Span;
use crate::base::spelling::closest;
use crate::lower::arity::{MISSING_OPERAND, SURPLUS_OPERAND};
use crate::lower::modifier::UNKNOWN_MODIFIER;
use crate::lower::operand::WRONG_OPERAND_FORM;
use crate::program::{Operand, OperandSpans};
use crate::spec::ModifierName;
use crate::spec::OperandName;
use crate::spec::{Platform, PlatformSet, Type};

/// What an operand of the message is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// A scalar of any integer type.
    Scalar,
    /// The render target index: a scalar.
    Index,
    /// A colour, or the source-0 alpha.
    Colour,
    /// The sample mask.
    Mask,
    /// The source depth.
    Depth,
    /// The stencil.
    Stencil,
}

/// The operands behind the header in the order of the text: the option that asks for each, its name, and what it is.
/// The four colours are always there.
const PARTS: &[(Option<&str>, &str, Part)] = &[
    (Some("SI"), "sample index", Part::Scalar),
    (Some("CPS"), "coarse pixel counter", Part::Scalar),
    (Some("RTI"), "render target index", Part::Index),
    (Some("A"), "source-0 alpha", Part::Colour),
    (Some("O"), "mask", Part::Mask),
    (None, "red", Part::Colour),
    (None, "green", Part::Colour),
    (None, "blue", Part::Colour),
    (None, "alpha", Part::Colour),
    (Some("Z"), "depth", Part::Depth),
    (Some("ST"), "stencil", Part::Stencil),
];

impl Part {
    const fn is_scalar(self) -> bool {
        matches!(self, Self::Scalar | Self::Index)
    }

    const fn types(self) -> (&'static [Type], &'static str) {
        match self {
            Self::Scalar => (&[], ""),
            Self::Index | Self::Stencil => (&[Type::UB], "`ub`"),
            Self::Colour => (&[Type::F, Type::HF], "`f` or `hf`"),
            Self::Mask => (&[Type::UW], "`uw`"),
            Self::Depth => (&[Type::F], "`f`"),
        }
    }
}

/// An operand with its places, name and part.
type Given<'a> = (&'a Operand, &'a OperandSpans, &'static str, Part);

/// Checks one render target message.
pub fn check(view: &View, sink: &mut Sink) {
    let Some(options) = options(view, sink) else { return };
    // A message that does not exist on the platform is one fault, and so is one whose options could not be read.
    if view.instruction.is_broken || view.cx.platforms.and(view.row.platforms.legal).is_empty() {
        return;
    }
    let has = |name: &str| options.iter().find(|(option, _)| *option == name).map(|(_, span)| *span);
    if let Some(span) = has("SI") {
        let diagnostic =
            Diagnostic::new(&DROPPED_MODIFIER, span, "the sample index `<SI>` has no effect").level(Level::Warning);
        sink.report(diagnostic.note("assemblers read its operand and throw it away"));
    }
    if let Some(span) = has("CPS") {
        let failing = PlatformSet::before(Platform::ICLLP);
        sink.report_on(view.cx, failing, || {
            Diagnostic::new(&UNSUPPORTED_MODIFIER_VALUE, span, "`<CPS>` exists from ICLLP on").note(document(view))
        });
    }
    let parts: Vec<(&str, Part)> = PARTS
        .iter()
        .filter(|(option, ..)| option.is_none_or(|o| has(o).is_some()))
        .map(|(_, name, part)| (*name, *part))
        .collect();
    let slot = view.row.slot(OperandName::DATA);
    let all = view.operands.iter().zip(view.operand_spans).zip(view.slots);
    let data: Vec<(&Operand, &OperandSpans)> =
        all.filter(|(_, s)| Some(usize::from(**s)) == slot).map(|(given, _)| given).collect();
    if data.len() != parts.len() {
        report_count(view, sink, &parts, &data);
        return;
    }
    let given: Vec<Given> =
        data.into_iter().zip(parts).map(|((operand, spans), (name, part))| (operand, spans, name, part)).collect();
    if forms(view, sink, &given) && types(view, sink, &given) {
        for (operand, spans, name, _) in given.iter().filter(|(.., part)| !part.is_scalar()) {
            size(view, sink, operand, spans, name);
        }
        all_null(view, sink, &given);
    }
}

/// The options with their places; reports unknown ones, and returns nothing if there is one.
fn options<'a>(view: &View<'a>, sink: &mut Sink) -> Option<Vec<(&'a str, Span)>> {
    let Some(used) = view.modifier(ModifierName::MODE) else { return Some(Vec::new()) };
    let known = || {
        view.row.modifiers.iter().filter(|m| m.name == ModifierName::MODE).flat_map(|m| m.values.iter().map(|v| v.text))
    };
    let mut options = Vec::new();
    let mut is_known = true;
    let text = view.text(used.span);
    let mut at = 0;
    while let Some(length) = text[at..].find('>') {
        let start = at + text[at..at + length].find('<').map_or(0, |i| i + 1);
        let span = Span::new(used.span.start + start as u32, used.span.start + (at + length) as u32);
        at += length + 1;
        let option = view.text(span);
        options.push((option, span));
        if known().any(|k| k == option) {
            continue;
        }
        is_known = false;
        let message = format!("`{}` has no option `<{option}>`", view.row.mnemonic);
        let diagnostic = Diagnostic::new(&UNKNOWN_MODIFIER, span, message).note("assemblers silently ignore it");
        let similar = closest(option, known());
        sink.report(match similar {
            Some(similar) => diagnostic.replace(span, similar, similar.eq_ignore_ascii_case(option)),
            None => diagnostic
                .help(format!("the options are {}", crate::spec::join_or(known().map(|k| format!("`<{k}>`"))))),
        });
    }
    is_known.then_some(options)
}

/// The order of the operands, in words.
fn order(parts: impl Iterator<Item = &'static str>) -> String {
    let names: Vec<&str> = ["surface", "header"].into_iter().chain(parts).collect();
    format!("the operands are {}", names.join(", "))
}

fn report_count(view: &View, sink: &mut Sink, parts: &[(&'static str, Part)], data: &[(&Operand, &OperandSpans)]) {
    let (wanted, found) = (parts.len() + 1, data.len() + 1);
    let message = format!("`{}` takes {wanted} operands behind its surface here, not {found}", view.row.mnemonic);
    let help = order(parts.iter().map(|(name, _)| *name));
    let Some(last) = view.operand_spans.last() else { return };
    let diagnostic = if found < wanted {
        let header = view.operand(OperandName::HEADER).and_then(|(operand, spans)| {
            let is_colour = matches!(operand_type(view, operand), Some(Type::F | Type::HF));
            (is_colour && found + 1 == wanted).then_some(spans.whole)
        });
        let diagnostic = Diagnostic::new(&MISSING_OPERAND, last.whole, message).label("nothing follows");
        match header {
            Some(span) => diagnostic
                .also(span, "this stands in the place of the header")
                .help("write `%null.0` where there is no header"),
            None => diagnostic.help(help),
        }
    } else {
        Diagnostic::new(&SURPLUS_OPERAND, data[parts.len()].1.whole.to(last.whole), message).help(help)
    };
    sink.report(diagnostic.note(document(view)));
}

/// Scalars where registers stand, and the other way round. Returns whether all fit.
fn forms(view: &View, sink: &mut Sink, given: &[Given]) -> bool {
    let misfit = given.iter().find(|(operand, .., part)| {
        let is_raw = matches!(operand, Operand::Raw { .. });
        **operand != Operand::Broken && is_raw == part.is_scalar()
    });
    let Some((_, spans, name, part)) = misfit else { return true };
    let wanted = if part.is_scalar() { "a scalar, `V(0,0)<0;1,0>` or `0x1:ub`" } else { "a raw operand, `V.0`" };
    let message = format!("`{}` cannot be the {name}", view.text(spans.whole));
    let diagnostic = Diagnostic::new(&WRONG_OPERAND_FORM, spans.whole, message).label(format!("expected {wanted}"));
    sink.report(diagnostic.help(order(given.iter().map(|(_, _, name, _)| *name))).note(document(view)));
    false
}

/// The types, and the range of the index. Returns whether none is an error.
fn types(view: &View, sink: &mut Sink, given: &[Given]) -> bool {
    for (operand, spans, name, part) in given {
        let Some(own) = operand_type(view, operand) else { continue };
        if part.is_scalar() {
            region(view, sink, operand, spans, name);
        }
        if *part == Part::Index && index(view, sink, operand, spans) {
            continue;
        }
        let (types, wanted) = part.types();
        if types.is_empty() || types.contains(&own) {
            continue;
        }
        // Assemblers take an index of any type as it is meant.
        let level = if *part == Part::Index { Level::Warning } else { Level::Error };
        let message = format!("the {name} `{}` has the type `{}`", view.text(spans.whole), own.text());
        let diagnostic =
            Diagnostic::new(&UNSUPPORTED_TYPE, spans.whole, message).level(level).label(format!("expected {wanted}"));
        let diagnostic = declared(view, diagnostic, operand).note(document(view));
        let are_swapped = swaps(view, given, own, *part);
        sink.report(if are_swapped {
            diagnostic.help(order(given.iter().map(|(_, _, name, _)| *name)))
        } else {
            diagnostic
        });
        if level == Level::Error {
            // Operands in another order are one fault.
            return false;
        }
    }
    same_type(view, sink, given)
}

/// Whether all colours have one type; reports the first one whose type the fewer have.
fn same_type(view: &View, sink: &mut Sink, given: &[Given]) -> bool {
    let colours = || {
        let colours = given.iter().filter(|(.., part)| *part == Part::Colour);
        colours.filter_map(|given| Some((given, operand_type(view, given.0)?)))
    };
    let count = |wanted: Type| colours().filter(|(_, own)| *own == wanted).count();
    let Some((_, first)) = colours().next() else { return true };
    let Some((_, other)) = colours().find(|(_, own)| *own != first) else { return true };
    let (common, rare) = if count(first) < count(other) { (other, first) } else { (first, other) };
    if let Some(((operand, spans, name, _), _)) = colours().find(|(_, own)| *own == rare) {
        let message = format!(
            "the {name} `{}` has type `{}`, other colours `{}`",
            view.text(spans.whole),
            rare.text(),
            common.text()
        );
        let place = colours().find(|(_, own)| *own == common).map_or(spans.whole, |((_, spans, ..), _)| spans.whole);
        let diagnostic = Diagnostic::new(&MIXED_OPERAND_TYPES, spans.whole, message)
            .also(place, format!("type `{}`", common.text()));
        sink.report(declared(view, diagnostic, operand).note(document(view)));
    }
    false
}

/// A scalar with a region of several elements.
fn region(view: &View, sink: &mut Sink, operand: &Operand, spans: &OperandSpans, name: &str) {
    if operand.region().is_some_and(|r| !r.is_scalar() && r.has_source_numbers()) {
        let message = format!("`{}` is ignored: the {name} is one element", view.text(spans.region));
        sink.report(Diagnostic::new(&IGNORED_REGION, spans.region, message).replace(spans.region, "<0;1,0>", false));
    }
}

/// Whether another operand of the message has a type that fits `part`, and its place would take `own`: the two may stand
/// in the wrong order.
fn swaps(view: &View, given: &[Given], own: Type, part: Part) -> bool {
    given.iter().any(|(operand, _, _, other)| {
        *other != part
            && !other.is_scalar()
            && operand_type(view, operand).is_some_and(|t| part.types().0.contains(&t) && !other.types().0.contains(&t))
            && other.types().0.contains(&own)
    })
}

/// Reports an index beyond the last render target. Returns whether it did.
fn index(view: &View, sink: &mut Sink, operand: &Operand, spans: &OperandSpans) -> bool {
    const MAX_INDEX: u64 = 7;
    let Operand::Immediate { bits, element_type } = operand else { return false };
    let is_beyond = element_type.is_integer() && *bits > MAX_INDEX;
    if is_beyond {
        let message = format!("there is no render target `{}`", view.text(spans.whole));
        sink.report(
            Diagnostic::new(&VALUE_OUT_OF_RANGE, spans.whole, message).label("expected 0 to 7").note(document(view)),
        );
    }
    is_beyond
}

/// An operand that does not hold an element for every lane.
fn size(view: &View, sink: &mut Sink, operand: &Operand, spans: &OperandSpans, name: &str) {
    let program = view.cx.program;
    let Some((variable, start)) = raw_start(view, operand, 32) else { return };
    let needed = i64::from(view.exec_size()) * i64::from(program.variables[variable].element_bytes());
    let Some(Shortage { failing, left }) = shortage(view, operand, needed) else { return };
    sink.report_on(view.cx, failing, || {
        let message = format!(
            "the {name} `{}` has {left} bytes, and {} lanes need {needed}",
            view.text(spans.whole),
            view.exec_size()
        );
        let diagnostic = Diagnostic::new(&OPERAND_OUT_OF_BOUNDS, spans.whole, message);
        bytes::declared(view, diagnostic, operand, start + needed).note(document(view))
    });
}

/// A message without any colour.
fn all_null(view: &View, sink: &mut Sink, given: &[Given]) {
    let mut colours = given.iter().filter(|(_, _, name, part)| *part == Part::Colour && *name != "source-0 alpha");
    let Some((_, first, ..)) = colours.clone().next() else { return };
    if colours.all(|(operand, ..)| operand.is_null()) {
        let failing = PlatformSet::before(Platform::XE3P_CRI);
        sink.report_on(view.cx, failing, || {
            let diagnostic =
                Diagnostic::new(&UNEXPECTED_NULL, first.whole, "all four colours are `%null`: no colour is written");
            diagnostic.level(Level::Pedantic)
        });
    }
}
