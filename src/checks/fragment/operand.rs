//! What a fragment does with the operands of the host.

use crate::base::diagnostic::Diagnostic;
use crate::base::rule::Level;
use crate::checks::context::{Context, Sink, View};
use crate::checks::operand::region;
use crate::checks::table::{self, source_modifier};
use crate::program::Instruction;
use crate::program::fragment::{Form, Fragment, OperandClass, Touch};
use crate::program::operand::Operand;
use crate::program::variable::{FLAG_ADDRESS_TAKEN, FLAG_MISUSED};
use crate::spec::Type;
use crate::spec::operation::{Extension, Operation, SecondSource};

crate::declare_rule! {
    /// A write to an input of the statement. The compiler of the host does not know of it, and goes on with the old value or
    /// the new one, whichever is at hand. An operand that is read and written has the constraint `+rw`.
    ///
    /// ```c bad
    /// asm("add (M1, 16) %1(0,0)<1> %1(0,0)<1;1,0> 0x1:d\n"
    ///     "mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>" : "=rw"(y) : "rw"(x));
    /// ```
    /// ```c good
    /// asm("add (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0> 0x1:d" : "=rw"(y) : "rw"(x));
    /// ```
    pub WRITTEN_INPUT = "written-input", Warning, ""
}

crate::declare_rule! {
    /// An output that the statement does not write. What the host reads afterwards is what was left in the registers.
    ///
    /// ```c bad
    /// asm("mov (M1, 16) %1(0,0)<1> %2(0,0)<1;1,0>" : "=rw"(y), "=rw"(z) : "rw"(x));
    /// ```
    /// ```c good
    /// asm("mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>" : "=rw"(z) : "rw"(x));
    /// ```
    pub UNWRITTEN_OUTPUT = "unwritten-output", Warning, ""
}

crate::declare_rule! {
    /// Data without a sign in an instruction whose result depends on the sign. The compiler declares an operand of type
    /// `uint` as `d`: comparisons, `max`, `min`, `asr`, `mulh` and divisions take it as signed, and so do saturation and
    /// conversions to wider integers and to floats. An alias of the type `ud` says what is meant.
    ///
    /// ```c bad
    /// void f(uint x, uint y, uint z) {
    ///   asm("max (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0> %2(0,0)<1;1,0>" : "=rw"(z) : "rw"(x), "rw"(y));
    /// }
    /// ```
    /// ```c good
    /// void f(int x, int y, int z) {
    ///   asm("max (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0> %2(0,0)<1;1,0>" : "=rw"(z) : "rw"(x), "rw"(y));
    /// }
    /// ```
    pub LOST_SIGN = "lost-sign", Warning, ""
}

crate::declare_rule! {
    /// A write of all lanes (`M1_NM`) to an output of a statement that stands in a branch. It changes the output for lanes
    /// that do not take the branch, too.
    ///
    /// ```c bad
    /// // pedantic
    /// void f(int x, int y) {
    ///   if (x > 0) {
    ///     asm("mov (M1_NM, 16) %0(0,0)<1> %1(0,0)<1;1,0>" : "+rw"(y) : "rw"(x));
    ///   }
    /// }
    /// ```
    /// ```c good
    /// // pedantic
    /// void f(int x, int y) {
    ///   if (x > 0) {
    ///     asm("mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>" : "+rw"(y) : "rw"(x));
    ///   }
    /// }
    /// ```
    pub UNMASKED_OUTPUT = "unmasked-output", Pedantic, ""
}

/// Checks where each operand is named.
pub fn check(cx: &Context, fragment: &Fragment, sink: &mut Sink) {
    if fragment.is_vector {
        return;
    }
    let program = cx.program;
    let mut is_reported = vec![false; fragment.operands.len()];
    let mut is_written = vec![false; fragment.operands.len()];
    for touch in &fragment.touches {
        let index = touch.operand as usize;
        let operand = &fragment.operands[index];
        if touch.writes != Some(false) {
            is_written[index] = true;
        }
        if touch.writes == Some(true)
            && !operand.is_output
            && !is_reported[index]
            && operand.class != OperandClass::Immediate
        {
            is_reported[index] = true;
            written_input(cx, touch, sink);
        }
        if touch.writes == Some(true) && operand.is_output && fragment.is_conditional {
            unmasked(cx, touch, sink);
        }
    }
    signs(cx, fragment, sink);
    forms(cx, fragment, sink);
    // An operand whose type or size is not known is no fault of its instruction.
    let is_faulty = program.diagnostics.iter().any(|d| d.level == Level::Error);
    if fragment.is_open
        || is_faulty
        || program.objects.iter().any(|o| o.has_broken_lines)
        || program.instructions.is_empty()
    {
        return;
    }
    for (operand, is_written) in fragment.operands.iter().zip(is_written) {
        let variable = &program.variables[operand.variable];
        let may_be_written = variable.is(FLAG_MISUSED | FLAG_ADDRESS_TAKEN);
        if operand.is_output && !operand.is_input && !is_written && !may_be_written {
            let message = "the statement does not write this output";
            sink.report(
                Diagnostic::new(&UNWRITTEN_OUTPUT, operand.constraint, message)
                    .help("write it, or leave it out; with `+rw` it keeps the value that it has"),
            );
        }
    }
}

/// Checks how operands are written whose type or size is not known.
fn forms(cx: &Context, fragment: &Fragment, sink: &mut Sink) {
    for form in fragment.forms.iter().filter(|form| (form.instruction.0 as usize) < cx.program.instructions.len()) {
        if let Some(view) = View::new(cx, form.instruction) {
            check_form(&view, form, sink);
        }
    }
}

/// Checks how an operand of the instruction is written, whatever its type and size are.
pub fn check_form(view: &View, form: &Form, sink: &mut Sink) {
    let Some(number) = view.operand_spans.iter().position(|spans| spans.whole == form.whole) else { return };
    if matches!(form.operand, Operand::General { .. }) {
        let (spans, slot) = (&view.operand_spans[number], view.slot_of(number));
        source_modifier::check(view, sink, &form.operand, spans, slot);
        table::region::check(view, sink, &form.operand, spans, slot);
        region::check(view, sink, &form.operand, spans, slot);
    }
}

fn written_input(cx: &Context, touch: &Touch, sink: &mut Sink) {
    let operand = &cx.program.fragment.as_ref().expect("a fragment").operands[touch.operand as usize];
    let name = cx.text(touch.name);
    let root = cx.program.variable_name(operand.variable);
    let message = if root == name || root.is_empty() {
        format!("`{name}` is an input of the statement, and is written")
    } else {
        format!("`{name}` is an alias of the input `{root}`, and is written")
    };
    sink.report(
        Diagnostic::new(&WRITTEN_INPUT, touch.name, message)
            .also(operand.constraint, "the input")
            .help("declare it as an output with `+rw`"),
    );
}

fn unmasked(cx: &Context, touch: &Touch, sink: &mut Sink) {
    let Some(instruction) = cx.program.instructions.as_slice().get(touch.instruction.0 as usize) else { return };
    if !instruction.no_mask || instruction.exec_size == 1 {
        return;
    }
    let name = cx.text(touch.name);
    let place = cx.program.instruction_spans[touch.instruction].mask;
    let message = format!(
        "all lanes of the output `{name}` are written, whether they take the branch around the statement or not"
    );
    sink.report(Diagnostic::new(&UNMASKED_OUTPUT, if place.is_empty() { touch.whole } else { place }, message));
}

/// Whether the sign of a source decides about the result: it saturates, or becomes a wider integer or a float.
fn converts(cx: &Context, touch: &Touch, instruction: &Instruction, source: Option<(Type, u32)>) -> bool {
    let (Some((source, _)), Some(row)) = (source, cx.program.row(instruction)) else { return false };
    let operands = cx.program.operands_of(instruction);
    let spans = cx.program.operand_spans_of(instruction);
    let (Some(Operand::General { variable, .. }), Some(operation)) = (operands.first(), row.operation) else {
        return false;
    };
    let is_count =
        operation.row().second == SecondSource::Count && spans.get(2).is_some_and(|s| s.whole == touch.whole);
    let result = cx.program.variables[*variable].element_type;
    let is_wider = result.bytes() > source.bytes() && operation.row().extension == Extension::Sources;
    !is_count && (instruction.saturate && !result.is_float() || result.is_float() || is_wider)
}

fn signs(cx: &Context, fragment: &Fragment, sink: &mut Sink) {
    let mut last = None;
    for touch in fragment.touches.iter().filter(|t| t.writes.is_some()) {
        let operand = &fragment.operands[touch.operand as usize];
        let is_own = touch.variable == operand.variable;
        let is_signed = operand.element.is_some_and(|(t, _)| matches!(t, Type::B | Type::W | Type::D | Type::Q));
        let Some(instruction) = cx.program.instructions.as_slice().get(touch.instruction.0 as usize) else { continue };
        let Some(row) = cx.program.row(instruction) else { continue };
        let compares = row.operation == Some(Operation::Cmp)
            && cx.program.modifiers_of(instruction).iter().any(|m| {
                let word = row.modifiers[usize::from(m.slot)].values.get(usize::from(m.value)).map_or("", |v| v.text);
                matches!(word, "gt" | "ge" | "lt" | "le")
            });
        if !operand.is_unsigned || !is_own || !is_signed || last == Some(touch.instruction) {
            continue;
        }
        let needs_sign = row.operation.is_some_and(|operation| operation.row().needs_sign) || compares;
        let is_sensitive = match touch.writes {
            Some(true) => instruction.saturate,
            _ => needs_sign || converts(cx, touch, instruction, operand.element),
        };
        if !is_sensitive {
            continue;
        }
        last = Some(touch.instruction);
        let name = cx.text(touch.name);
        let t = operand.element.map_or("", |(t, _)| t.text());
        let message = format!(
            "`{name}` has no sign in the host, and `{}` takes it as signed: the operand is of type `{t}`",
            row.mnemonic
        );
        sink.report(
            Diagnostic::new(&LOST_SIGN, touch.whole, message)
                .declared_at(operand.constraint)
                .help(format!("declare an alias: `.decl U v_type=G type=u{t} num_elts=N alias=<{name}, 0>`")),
        );
    }
}
