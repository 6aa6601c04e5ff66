//! The parameters of sampler messages: their number, order, types and sizes.
//!
//! Text has two dialects. In the older one (version 4.1, and the manual) the parameters follow the destination; in the
//! newer one (4.2) a paired surface stands between the two, `%null.0` where there is none.

use crate::base::diagnostic::{Diagnostic, Edit, Fix};
use crate::base::rule::Level;
use crate::base::span::Span;
use crate::checks::alu::types::MIXED_OPERAND_TYPES;
use crate::checks::context::{Sink, View};
use crate::checks::table::bytes::{self, OPERAND_OUT_OF_BOUNDS, Shortage, raw_start, shortage};
use crate::checks::table::null::UNEXPECTED_NULL;
use crate::checks::table::surface::UNSUPPORTED_SURFACE;
use crate::checks::table::types::{UNSUPPORTED_TYPE, operand_type};
use crate::checks::table::{declared, document, only_left};
use crate::lower::arity::{MISSING_OPERAND, SURPLUS_OPERAND};
use crate::program::{Operand, OperandSpans, VariableId};
use crate::spec;
use crate::spec::OperandName;
use crate::spec::family::ParameterTypes;
use crate::spec::{Platform, PlatformSet, Type};

crate::declare_rule! {
    /// Text of version 4.2 without the paired surface between the destination and the parameters of a sampler message. An
    /// assembler takes the first parameter for it, and each parameter for the one before it. Write `%null.0` where no
    /// paired surface is meant. Text of version 4.1 has no such operand.
    ///
    /// ```visa bad
    /// // platform: XE2
    /// .version 4.2
    /// .kernel "k"
    /// .decl Vx v_type=G type=f num_elts=512 align=GRF
    /// .decl S0 v_type=S num_elts=1
    /// .decl T6 v_type=T num_elts=1
    /// .input S0 offset=64 size=4
    /// .input T6 offset=68 size=4
    ///     sample_3d.R (M1, 16) 0x0:uw S0 T6 Vx.0 Vx.64 Vx.128
    ///     ret (M1, 1)
    /// ```
    /// ```visa good
    /// // platform: XE2
    /// .version 4.2
    /// .kernel "k"
    /// .decl Vx v_type=G type=f num_elts=512 align=GRF
    /// .decl S0 v_type=S num_elts=1
    /// .decl T6 v_type=T num_elts=1
    /// .input S0 offset=64 size=4
    /// .input T6 offset=68 size=4
    ///     sample_3d.R (M1, 16) 0x0:uw S0 T6 Vx.0 %null.0 Vx.64 Vx.128
    ///     ret (M1, 1)
    /// ```
    pub MISSING_PAIRED_SURFACE = "missing-paired-surface", Warning, "3D_SAMPLE"
}

/// Most parameters of any message.
const MAX_PARAMETERS: usize = 15;

/// The names of the parameters of a message; none where the manual has none. `first` is the type of the first one.
fn names(row: &spec::Instruction, first: Option<Type>) -> &'static [&'static str] {
    match first {
        Some(Type::UW | Type::W) if !row.word_parameters.is_empty() => row.word_parameters,
        _ => row.parameters,
    }
}

/// An operand with its places.
type Given<'a> = (&'a Operand, &'a OperandSpans);

/// Checks the paired surface and the parameters. Returns the parameters.
pub fn check<'a>(view: &View<'a>, sink: &mut Sink) -> Vec<Given<'a>> {
    let Some(slot) = view.row.slot(OperandName::PARAMETERS) else { return Vec::new() };
    let all = view.operands.iter().zip(view.operand_spans).zip(view.slots);
    let mut given: Vec<Given> = all.filter(|(_, s)| usize::from(**s) == slot).map(|(given, _)| given).collect();
    let is_newer = view.cx.is_version_4_2() || given.first().is_some_and(|(operand, _)| operand.is_null());
    if is_newer {
        let Some(&paired) = given.first() else {
            report_missing(view, sink, "a paired surface (`%null.0`) and at least one parameter");
            return given;
        };
        if !paired_surface(view, sink, paired, &given[1..]) {
            return Vec::new();
        }
        given.remove(0);
    }
    if given.is_empty() {
        report_missing(view, sink, "at least one parameter");
        return given;
    }
    let first = operand_type(view, given[0].0);
    let names = names(view.row, first);
    count(view, sink, names, &given);
    types(view, sink, names, &given);
    for (operand, spans) in &given {
        size(view, sink, operand, spans);
        if operand.is_null() {
            let message = format!("`{}` cannot be a parameter", view.text(spans.whole));
            sink.report(
                Diagnostic::new(&UNEXPECTED_NULL, spans.whole, message)
                    .level(Level::Warning)
                    .note("only parameters at the end can be left out, by not writing them")
                    .note(document(view)),
            );
        }
    }
    given
}

fn report_missing(view: &View, sink: &mut Sink, what: &str) {
    let Some((_, dst)) = view.operand(OperandName::DST) else { return };
    let message = format!("`{}` needs {what} behind its destination", view.row.mnemonic);
    sink.report(Diagnostic::new(&MISSING_OPERAND, dst.whole, message).label("nothing follows").note(document(view)));
}

/// Checks the operand in the place of the paired surface. Returns whether it can be one.
fn paired_surface(view: &View, sink: &mut Sink, (operand, spans): Given, parameters: &[Given]) -> bool {
    if operand.is_null() || *operand == Operand::Broken {
        return true;
    }
    let written = view.text(spans.whole);
    let insert = || Fix {
        title: "insert `%null.0`".into(),
        edits: vec![Edit { span: Span::at(spans.whole.start), text: "%null.0 ".into() }],
        certain: false,
    };
    let failing = PlatformSet::before(Platform::XE2);
    if view.cx.concerns(failing) {
        sink.report_on(view.cx, failing, || {
            let message = format!("`{written}` stands in the place of the paired surface, which exists from XE2 on");
            Diagnostic::new(&UNSUPPORTED_SURFACE, spans.whole, message).fix(insert())
        });
        return false;
    }
    let shares = parameters.iter().find(|(other, _)| variable_of(view, other) == variable_of(view, operand));
    let what = match (operand_type(view, operand), shares) {
        (Some(element_type), _) if element_type != Type::UD => format!("has type `{}`", element_type.text()),
        (_, Some((_, other))) => format!("lies beside the parameter `{}`", view.text(other.whole)),
        _ => return true,
    };
    let message = format!("`{written}` stands in the place of the paired surface, but {what}");
    let diagnostic =
        Diagnostic::new(&MISSING_PAIRED_SURFACE, spans.whole, message).label("is `%null.0` missing before it?");
    sink.report(declared(view, diagnostic, operand).fix(insert()));
    false
}

/// The variable that a raw operand lies in: no surface stands in one of coordinates.
fn variable_of(view: &View, operand: &Operand) -> Option<VariableId> {
    let Operand::Raw { variable, .. } = *operand else { return None };
    Some(view.cx.program.variables[variable].root)
}

/// Too many parameters.
fn count(view: &View, sink: &mut Sink, names: &[&str], given: &[Given]) {
    let mnemonic = view.row.mnemonic;
    let (limit, level) = match given.len() {
        n if n > MAX_PARAMETERS => (MAX_PARAMETERS, Level::Error),
        n if n > names.len() && !names.is_empty() => (names.len(), Level::Warning),
        _ => return,
    };
    let span = given[limit].1.whole.to(given[given.len() - 1].1.whole);
    let message = format!("`{mnemonic}` takes at most {limit} parameters, not {}", given.len());
    let diagnostic = Diagnostic::new(&SURPLUS_OPERAND, span, message).level(level);
    let diagnostic = match names {
        [] => diagnostic,
        names => diagnostic.help(format!("they are {}", names.join(", "))),
    };
    sink.report(diagnostic.note(document(view)));
}

/// Types of their own, and whether all are the same.
fn types(view: &View, sink: &mut Sink, names: &[&str], given: &[Given]) {
    let are_float = match view.row.parameter_types {
        Some(ParameterTypes::Float) => true,
        Some(ParameterTypes::Integer) => false,
        Some(ParameterTypes::Any) | None => return,
    };
    let mut first: Option<(Type, Span)> = None;
    let mut is_reported = false;
    for (i, (operand, spans)) in given.iter().enumerate() {
        let Some(element_type) = operand_type(view, operand) else { continue };
        // Texel offsets are bits, alone or with another value: their type does not matter.
        if let Some(name) = names.get(i).filter(|name| name.contains("offset")) {
            // Only the two plain offsets of the oldest form have a type in the manual.
            let is_plain = name.ends_with(" offset");
            if is_plain && !matches!(element_type, Type::D | Type::UD | Type::F | Type::HF) {
                report_type(view, sink, operand, spans, element_type, "d", PlatformSet::ALL, Level::Error);
            }
            continue;
        }
        let before_icllp = || PlatformSet::before(Platform::ICLLP);
        let is_uw_form = !view.row.word_parameters.is_empty() && matches!(element_type, Type::UW | Type::W);
        let (failing, level) = match (are_float, element_type) {
            (true, Type::F) => (PlatformSet::NONE, Level::Error),
            (true, Type::HF) => (before_icllp(), Level::Error),
            (true, _) => (PlatformSet::ALL, Level::Error),
            (false, Type::UD | Type::UW) if !is_uw_form => (PlatformSet::NONE, Level::Warning),
            (false, Type::UW | Type::W) if is_uw_form && view.cx.concerns(before_icllp()) => {
                (before_icllp(), Level::Warning)
            }
            (false, Type::UW) => (PlatformSet::NONE, Level::Warning),
            // Compilers pass signed texel numbers, which have the same bits.
            (false, Type::D | Type::W) => (PlatformSet::ALL, Level::Pedantic),
            (false, _) => (PlatformSet::ALL, Level::Warning),
        };
        if view.cx.concerns(failing) && !is_reported {
            let wanted = if are_float { "`f` or `hf`" } else { "`ud` or `uw`" };
            report_type(view, sink, operand, spans, element_type, wanted, failing, level);
            // The others have the same type, or are measured by the wrong one.
            is_reported = true;
            if level > Level::Pedantic {
                return;
            }
        }
        match first {
            None => first = Some((element_type, spans.whole)),
            Some((wanted, place)) if unsigned(wanted) != unsigned(element_type) => {
                let message = format!(
                    "`{}` has type `{}`, the first parameter `{}`",
                    view.text(spans.whole),
                    element_type.text(),
                    wanted.text()
                );
                let diagnostic = Diagnostic::new(&MIXED_OPERAND_TYPES, spans.whole, message)
                    .also(place, format!("type `{}`", wanted.text()));
                sink.report(declared(view, diagnostic, operand).note(document(view)));
            }
            Some(_) => {}
        }
    }
}

/// The type with the same bits; the sign of texel numbers makes no difference.
fn unsigned(element_type: Type) -> Type {
    match element_type {
        Type::D => Type::UD,
        Type::W => Type::UW,
        other => other,
    }
}

#[expect(clippy::too_many_arguments, reason = "a sampler message has so many parts")]
fn report_type(
    view: &View,
    sink: &mut Sink,
    operand: &Operand,
    spans: &OperandSpans,
    own: Type,
    wanted: &str,
    failing: PlatformSet,
    level: Level,
) {
    sink.report_on(view.cx, failing, || {
        let message = format!(
            "the parameter `{}` of `{}` cannot have the type `{}`",
            view.text(spans.whole),
            view.row.mnemonic,
            own.text()
        );
        let diagnostic =
            Diagnostic::new(&UNSUPPORTED_TYPE, spans.whole, message).level(level).label(format!("expected {wanted}"));
        declared(view, diagnostic, operand).note(document(view))
    });
}

/// A parameter that does not hold an element for every lane.
fn size(view: &View, sink: &mut Sink, operand: &Operand, spans: &OperandSpans) {
    let program = view.cx.program;
    let Some((variable, start)) = raw_start(view, operand, 32) else { return };
    let needed = i64::from(view.exec_size()) * i64::from(program.variables[variable].element_bytes());
    let Some(Shortage { failing, left }) = shortage(view, operand, needed) else { return };
    sink.report_on(view.cx, failing, || {
        let name = program.variable_name(variable);
        let message = format!("`{}` reads {needed} bytes, {}", view.text(spans.whole), only_left(name, left));
        let diagnostic = Diagnostic::new(&OPERAND_OUT_OF_BOUNDS, spans.whole, message)
            .label(format!("{} lanes read it", view.exec_size()));
        bytes::declared(view, diagnostic, operand, start + needed).note(document(view))
    });
}
