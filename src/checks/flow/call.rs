//! Function calls: what caller and callee say of each other.

use crate::base::diagnostic::Diagnostic;
use crate::base::span::Span;
use crate::base::spelling::closest;
use crate::base::symbol::Symbol;
use crate::checks::context::{Context, Sink, View};
use crate::program::pardon::Pardon;
use crate::program::{AttributeValue, InstructionIndex, Object, ObjectKind, Operand};
use crate::spec::OperandName;
use crate::spec::instruction::Flow;
use rustc_hash::FxHashMap;

crate::declare_rule! {
    /// A function call that passes or expects another number of registers than the callee declares with `ArgSize` and
    /// `RetValSize`. The callee reads arguments that were not written, or the caller a result that was not returned.
    ///
    /// ```visa bad
    /// .version 4.1
    /// .kernel "k"
    ///     fcall (M1, 16) inc 1 1
    ///     ret (M1, 1)
    /// .global_function "inc"
    /// .kernel_attr ArgSize=2
    /// .kernel_attr RetValSize=1
    ///     fret (M1, 16)
    /// ```
    /// ```visa good
    /// .version 4.1
    /// .kernel "k"
    ///     fcall (M1, 16) inc 2 1
    ///     ret (M1, 1)
    /// .global_function "inc"
    /// .kernel_attr ArgSize=2
    /// .kernel_attr RetValSize=1
    ///     fret (M1, 16)
    /// ```
    pub CALL_SIZE_MISMATCH = "call-size-mismatch", Error, "FCALL"
}

crate::declare_rule! {
    /// A function call to a name that is neither a `.global_function` of the file nor declared with `.funcdecl`. Only
    /// files with both kernels and functions are checked: compilers also put each function into a file of its own, and
    /// declare the others in that of the kernel.
    ///
    /// ```visa bad
    /// .version 4.1
    /// .kernel "k"
    ///     fcall (M1, 16) ink 0 0
    ///     ret (M1, 1)
    /// .global_function "inc"
    /// .kernel_attr ArgSize=0
    /// .kernel_attr RetValSize=0
    ///     fret (M1, 16)
    /// ```
    /// ```visa good
    /// .version 4.1
    /// .kernel "k"
    ///     fcall (M1, 16) inc 0 0
    ///     ret (M1, 1)
    /// .global_function "inc"
    /// .kernel_attr ArgSize=0
    /// .kernel_attr RetValSize=0
    ///     fret (M1, 16)
    /// ```
    pub UNKNOWN_FUNCTION = "unknown-function", Warning, "FCALL"
}

/// How many reports may look for a similar name; more would cost more than they help.
const MAX_SUGGESTIONS: u32 = 20;

/// What a function says of its calls.
struct Function {
    name_span: Span,
    /// `ArgSize` and `RetValSize`, with the places of the values.
    sizes: [Option<(i64, Span)>; 2],
}

/// Checks all function calls of a file with kernels and functions.
pub fn check(cx: &Context, sink: &mut Sink) {
    let functions: FxHashMap<Symbol, Function> = cx
        .program
        .objects
        .iter()
        .filter(|o| o.kind == ObjectKind::Function)
        .map(|o| (o.name, function(cx, o)))
        .collect();
    if functions.is_empty() || cx.program.objects.iter().all(|o| o.kind == ObjectKind::Function) {
        return;
    }
    let is_pardoned = Pardon::OtherFile.holds_in(cx.program);
    let mut suggestions_left = MAX_SUGGESTIONS;
    for (index, instruction) in cx.program.instructions.entries() {
        // Calls, and `faddr`, which takes the address of one.
        let is_checked = |flow: Flow| flow == Flow::FunctionCall || flow == Flow::Next && !is_pardoned;
        if cx
            .program
            .row(instruction)
            .is_some_and(|row| row.slot(OperandName::FUNCTION).is_some() && is_checked(row.flow))
        {
            call(cx, sink, &functions, index, &mut suggestions_left);
        }
    }
}

fn function(cx: &Context, object: &Object) -> Function {
    let attributes = cx.program.attributes_of(object);
    let size = |name: &str| {
        attributes.iter().rev().find(|a| cx.program.names.name(a.name) == name).and_then(|a| match a.value {
            AttributeValue::Number(value) => Some((value, a.value_span)),
            _ => None,
        })
    };
    Function { name_span: object.name_span, sizes: [size("ArgSize"), size("RetValSize")] }
}

fn call(
    cx: &Context,
    sink: &mut Sink,
    functions: &FxHashMap<Symbol, Function>,
    index: InstructionIndex,
    suggestions_left: &mut u32,
) {
    let Some(view) = View::new(cx, index) else { return };
    let Some((Operand::Name { name, .. }, spans)) = view.operand(OperandName::FUNCTION) else { return };
    let Some(callee) = functions.get(name) else {
        if !cx.program.declared_functions.contains(name) {
            let written = cx.program.names.name(*name);
            let mut diagnostic =
                Diagnostic::new(&UNKNOWN_FUNCTION, spans.whole, format!("`{written}` is no function of this file"));
            if *suggestions_left > 0 {
                *suggestions_left -= 1;
                if let Some(similar) = closest(written, functions.keys().map(|f| cx.program.names.name(*f))) {
                    diagnostic =
                        diagnostic.help(format!("did you mean `{similar}`?")).replace(spans.whole, similar, false);
                }
            }
            sink.report(diagnostic.note("declare functions of other files with `.funcdecl`"));
        }
        return;
    };
    let written = cx.program.names.name(*name);
    for (slot, attribute, verb, size) in [
        (OperandName::ARG_SIZE, "ArgSize", "passes", callee.sizes[0]),
        (OperandName::RETURN_SIZE, "RetValSize", "expects", callee.sizes[1]),
    ] {
        let (Some((Operand::Number { value }, spans)), Some((wanted, place))) = (view.operand(slot), size) else {
            continue;
        };
        // A number that no function can have was reported.
        let is_legal =
            view.row.slot(slot).is_none_or(|s| view.row.operands[s].maximum.is_none_or(|m| (0..=m).contains(value)));
        if *value != wanted && is_legal {
            let noun = if *value == 1 { "register" } else { "registers" };
            let message = format!("the call {verb} {value} {noun}, but `{written}` has {attribute}={wanted}");
            let diagnostic = Diagnostic::new(&CALL_SIZE_MISMATCH, spans.whole, message).declared_at(place);
            sink.report(diagnostic.also(callee.name_span, "the function").replace(
                spans.whole,
                wanted.to_string(),
                false,
            ));
        }
    }
}
