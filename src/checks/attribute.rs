//! `.kernel_attr`: ranges, repetitions, and what belongs together.

use super::context::{Context, Sink};
use crate::base::diagnostic::Diagnostic;
use crate::base::rule::Level;
use crate::base::span::Span;
use crate::lower::attribute::{CONFLICTING_ATTRIBUTES, MISPLACED_ATTRIBUTE, WRONG_ATTRIBUTE_VALUE};
use crate::program::pardon::Pardon;
use crate::program::{Attribute, AttributeValue, InstructionIndex, Object, ObjectKind};
use crate::spec::predefined::VariableKind;
use crate::spec::words::KERNEL_ATTRIBUTES;
use crate::spec::{Platform, PlatformSet, Type, join_or};

crate::declare_rule! {
    /// An attribute that is missing: a function says with `ArgSize` and `RetValSize` how many registers its arguments and
    /// its result take, a `Callable` kernel gets its return address in its last input, and (level pedantic) every kernel
    /// names its `Target`.
    ///
    /// ```visa bad
    /// .version 4.1
    /// .kernel "k"
    /// ret (M1, 1)
    /// .global_function "f"
    /// fret (M1, 16)
    /// ```
    /// ```visa good
    /// .version 4.1
    /// .kernel "k"
    /// ret (M1, 1)
    /// .global_function "f"
    /// .kernel_attr ArgSize=1
    /// .kernel_attr RetValSize=0
    /// fret (M1, 16)
    /// ```
    pub MISSING_ATTRIBUTE = "missing-attribute", Error | Warning | Pedantic, "4_visa_header"
}

crate::declare_rule! {
    /// A spelling of an attribute that is going away (`AsmName`, `perThreadInputSize`), or an attribute that assemblers of
    /// text version 4.1 do not know.
    ///
    /// ```visa bad
    /// // pedantic
    /// .kernel_attr AsmName="k"
    /// ```
    /// ```visa good
    /// // pedantic
    /// .kernel_attr OutputAsmPath="k"
    /// ```
    pub UNPORTABLE_ATTRIBUTE = "unportable-attribute", Pedantic, "4_visa_header"
}

/// Longest output path in the manual.
const MAX_PATH_BYTES: usize = 256;

/// Checks the attributes of all objects.
pub fn check(cx: &Context, sink: &mut Sink) {
    for object in cx.program.objects.iter() {
        let attributes = cx.program.attributes_of(object);
        let mut seen = [Span::default(); KERNEL_ATTRIBUTES.len()];
        for attribute in attributes {
            let name = cx.program.names.name(attribute.name);
            let Some(place) = KERNEL_ATTRIBUTES.iter().position(|a| a.name == name) else { continue };
            repetition(cx, sink, attribute, name, &mut seen[place]);
            spelling(sink, attribute, name, KERNEL_ATTRIBUTES[place].since_4_2);
            if let AttributeValue::Number(value) = attribute.value {
                number(cx, sink, attribute, name, value);
            }
            if let (AttributeValue::Text(span), "OutputAsmPath" | "AsmName") = (attribute.value, name) {
                path(cx, sink, span);
            }
            if name == "Callable" {
                callable(cx, sink, object, attribute);
            }
            position(cx, sink, object, attribute, name);
        }
        missing(cx, sink, object, &seen);
    }
}

/// The place of an attribute in [`KERNEL_ATTRIBUTES`].
fn place_of(name: &str) -> usize {
    KERNEL_ATTRIBUTES.iter().position(|a| a.name == name).unwrap_or(0)
}

fn repetition(cx: &Context, sink: &mut Sink, attribute: &Attribute, name: &str, first: &mut Span) {
    if first.is_empty() {
        *first = attribute.name_span;
        return;
    }
    // Assemblers refuse two of these, and let the last one of the others count.
    let level = if matches!(name, "SLMSize" | "NBarrierCnt") { Level::Error } else { Level::Warning };
    let message = format!("`{}` is given twice", cx.text(attribute.name_span));
    sink.report(
        Diagnostic::new(&CONFLICTING_ATTRIBUTES, attribute.name_span, message)
            .level(level)
            .also(*first, "the first time"),
    );
}

fn spelling(sink: &mut Sink, attribute: &Attribute, name: &str, since_4_2: bool) {
    let newer = match name {
        "AsmName" => "OutputAsmPath",
        "perThreadInputSize" => "PerThreadInputSize",
        "crossThreadInputSize" => "CrossThreadInputSize",
        _ => {
            if since_4_2 {
                let message = format!("assemblers of text version 4.1 do not know `{name}`");
                sink.report(Diagnostic::new(&UNPORTABLE_ATTRIBUTE, attribute.name_span, message));
            }
            return;
        }
    };
    let message = format!("`{name}` is an old spelling of `{newer}`");
    sink.report(Diagnostic::new(&UNPORTABLE_ATTRIBUTE, attribute.name_span, message).replace(
        attribute.name_span,
        newer,
        true,
    ));
}

fn number(cx: &Context, sink: &mut Sink, attribute: &Attribute, name: &str, value: i64) {
    let wrong = |expected: String| {
        let message = format!("`{name}` cannot be `{}`", cx.text(attribute.value_span));
        Diagnostic::new(&WRONG_ATTRIBUTE_VALUE, attribute.value_span, message).label(format!("expected {expected}"))
    };
    match name {
        "SimdSize" if !matches!(value, 0 | 8 | 16 | 32) => sink.report(wrong("8, 16 or 32".to_owned())),
        "ArgSize" if !(0..=32).contains(&value) => sink.report(wrong("0 to 32 registers".to_owned())),
        "RetValSize" if !(0..=12).contains(&value) => sink.report(wrong("0 to 12 registers".to_owned())),
        "SLMSize" if !matches!(value, 0 | 1 | 2 | 4 | 8 | 16 | 32 | 64) => {
            // Later platforms have twice as much.
            let failing = match value {
                1.. if Pardon::Interface.holds_in(cx.program) => return,
                128 => cx.failing(|p| *p < Platform::PVC),
                _ => cx.platforms,
            };
            sink.report_on(cx, failing, || {
                wrong("0, 1, 2, 4, 8, 16, 32 or 64".to_owned())
                    .level(Level::Warning)
                    .note("the size is given in KB, and rounded up to a power of two")
            });
        }
        "NBarrierCnt" if value < 0 => sink.report(wrong("a number of barriers, which is not negative".to_owned())),
        "SpillMemOffset" if value < 0 => sink.report(wrong("an offset in bytes, which is not negative".to_owned())),
        "SpillMemOffset" => {
            let failing = cx.failing_grf(|grf_bytes| value % i64::from(grf_bytes) != 0);
            sink.report_on(cx, failing, || {
                wrong(format!("a multiple of {} bytes", failing.grf_sizes().next().unwrap_or(32)))
            });
        }
        "PerThreadInputSize" | "perThreadInputSize" | "CrossThreadInputSize" | "crossThreadInputSize" => {
            // -1 stands for a size that is not given.
            let least = if name.ends_with("CrossThreadInputSize") { -1 } else { 0 };
            // The first register is no input.
            let room = |p: Platform| i64::from(p.register_file_bytes() - p.grf_bytes());
            let failing = cx.failing(|p| !(least..=room(*p)).contains(&value));
            sink.report_on(cx, failing, || {
                let most = failing.iter().map(room).max().unwrap_or(0);
                wrong(format!("at most {most} bytes, which is what the registers hold"))
            });
        }
        "NumGRF" if value != 0 => {
            let has = |p: Platform| p.row().register_counts.iter().any(|count| i64::from(*count) == value);
            let failing = cx.failing(|p| !has(*p));
            sink.report_on(cx, failing, || {
                let first = failing.iter().next();
                let counts = first.map_or(&[][..], |p| p.row().register_counts);
                let all = join_or(counts.iter().map(u32::to_string));
                let diagnostic = wrong(format!("0 or {all}"));
                match first {
                    Some(p) if failing.without(PlatformSet::one(p)).is_empty() => diagnostic,
                    Some(p) => diagnostic.note(format!("these are the numbers of registers on {}", p.name())),
                    None => diagnostic,
                }
            });
        }
        _ => {}
    }
}

fn path(cx: &Context, sink: &mut Sink, span: Span) {
    let length = cx.text(span).len() - 2;
    let message = match length {
        0 => "the output path is empty".to_owned(),
        1..=MAX_PATH_BYTES => return,
        _ => format!("the output path has at most {MAX_PATH_BYTES} characters, this one {length}"),
    };
    sink.report(Diagnostic::new(&crate::lower::directive::UNPORTABLE_NAME, span, message));
}

/// A callable kernel takes its return address from its last input.
fn callable(cx: &Context, sink: &mut Sink, object: &Object, attribute: &Attribute) {
    let last = cx.program.inputs_of(object).last();
    let message = match last {
        None => "a `Callable` kernel needs an input for its return address".to_owned(),
        Some(input) => {
            let variable = &cx.program.variables[input.variable];
            let is_address = variable.kind == VariableKind::General
                && matches!(variable.element_type, Type::UQ | Type::Q)
                && variable.n_elements == 1;
            if is_address {
                return;
            }
            format!(
                "the last input of a `Callable` kernel is its return address, which `{}` cannot hold",
                cx.text(input.name_span)
            )
        }
    };
    let diagnostic = Diagnostic::new(&MISSING_ATTRIBUTE, attribute.name_span, message)
        .help("make a variable with one element of type `uq` the last input");
    sink.report(match last {
        Some(input) => diagnostic.also(input.name_span, "the last input"),
        None => diagnostic,
    });
}

/// Attributes stand before the instructions. The compiler appends some after the last one, where they hide nothing; and
/// `Target` says nothing about the instructions around it.
fn position(cx: &Context, sink: &mut Sink, object: &Object, attribute: &Attribute, name: &str) {
    if object.instructions.is_empty() || name == "Target" {
        return;
    }
    let statement = |index| cx.program.instruction_spans[InstructionIndex(index)].statement;
    let (first, last) = (statement(object.instructions.start), statement(object.instructions.end - 1));
    if attribute.statement.start > first.start && attribute.statement.start < last.start {
        sink.report(
            Diagnostic::new(
                &MISPLACED_ATTRIBUTE,
                attribute.name_span,
                "attributes of a kernel stand before its instructions",
            )
            .also(first, "the first instruction"),
        );
    }
}

fn missing(cx: &Context, sink: &mut Sink, object: &Object, seen: &[Span; KERNEL_ATTRIBUTES.len()]) {
    let place = if object.name_span.is_empty() { object.span } else { object.name_span };
    let is_missing = |name: &&str| seen[place_of(name)].is_empty();
    if object.has_broken_lines || object.name_span.is_empty() {
        return;
    }
    if object.kind == ObjectKind::Function {
        let names: Vec<String> =
            ["ArgSize", "RetValSize"].iter().filter(|n| is_missing(n)).map(|n| format!("`{n}`")).collect();
        if !names.is_empty() {
            let names = names.join(" and ");
            let message = format!("the function `{}` does not say its {names}", cx.text(place).trim_matches('"'));
            sink.report(
                Diagnostic::new(&MISSING_ATTRIBUTE, place, message)
                    .level(Level::Warning)
                    .note("newer assemblers abort on such a function")
                    .help("write `.kernel_attr ArgSize=` and `.kernel_attr RetValSize=` with the numbers of registers"),
            );
        }
    } else if is_missing(&"Target") {
        let diagnostic =
            Diagnostic::new(&MISSING_ATTRIBUTE, place, "this kernel does not say its `Target`").level(Level::Pedantic);
        sink.report(
            diagnostic
                .note("the option of the assembler decides")
                .help("write `.kernel_attr Target=\"3d\"` or `\"cm\"`"),
        );
    }
}
