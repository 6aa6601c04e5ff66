//! Predefined variables where they are not what they seem, or not there.

use super::context::{Context, Sink, View};
use super::kernel::{empty_slm, has_3d_target};
use super::operand::predefined::fixed_pause_counter;
use super::table::null::UNEXPECTED_NULL;
use super::table::types::operand_type;
use crate::base::diagnostic::Diagnostic;
use crate::base::rule::Level;
use crate::base::span::Span;
use crate::program::pardon::Pardon;
use crate::program::variable::{FLAG_INPUT, FLAG_USED};
use crate::program::{InstructionIndex, Object, Operand, OperandSpans, VariableId};
use crate::spec::family::Family;
use crate::spec::instruction::OperandSlot;
use crate::spec::operation::Operation;
use crate::spec::predefined;
use crate::spec::{ModifierName, Platform, PlatformSet, Type, join_and};

crate::declare_rule! {
    /// A predefined variable that holds nothing here: `%thread_x`, `%thread_y` and `%color` exist for media kernels
    /// (`Target="cm"`), `%impl_arg_buf_ptr` and `%local_id_buf_ptr` before `XeHP_SDV`.
    ///
    /// ```visa bad
    /// // platform: DG2
    /// mov (M1_NM, 1) VUQ(0,0)<1> %impl_arg_buf_ptr(0,0)<0;1,0>
    /// ```
    /// ```visa good
    /// // platform: TGLLP
    /// mov (M1_NM, 1) VUQ(0,0)<1> %impl_arg_buf_ptr(0,0)<0;1,0>
    /// ```
    pub UNAVAILABLE_PREDEFINED = "unavailable-predefined", Warning, "4_visa_header",
        help = "hand the value to the kernel as an input"
}

crate::declare_rule! {
    /// A write to bits that are reserved: in the control register `%cr0(0,0)` all but 0, 4 to 7, 9, 10 and 30, in the pause
    /// counter `%tsc(0,4)` all but 5 to 9. A pause that a register holds may have lower bits.
    ///
    /// ```visa bad
    /// or (M1_NM, 1) %cr0(0,0)<1> %cr0(0,0)<0;1,0> 0x800:ud
    /// ```
    /// ```visa good
    /// or (M1_NM, 1) %cr0(0,0)<1> %cr0(0,0)<0;1,0> 0x4c0:ud
    /// ```
    pub RESERVED_BITS = "reserved-bits", Warning | Pedantic, "4_visa_header"
}

crate::declare_rule! {
    /// A write to an input. The manual calls inputs read-only, and yet marks general variables as writable. Registers that
    /// take the answer of a message are left alone: it is common to reuse those of an input for that.
    ///
    /// ```visa bad
    /// // pedantic
    /// .decl Vx v_type=G type=d num_elts=8 align=GRF
    /// .input Vx offset=32 size=32
    /// mov (M1, 8) Vx(0,0)<1> 0x1:d
    /// ```
    /// ```visa good
    /// // pedantic
    /// .decl Vx v_type=G type=d num_elts=8 align=GRF
    /// .input Vx offset=32 size=32
    /// mov (M1, 8) VD(0,0)<1> Vx(0,0)<8;8,1>
    /// ```
    pub WRITE_TO_INPUT = "write-to-input", Pedantic, "4_visa_header",
        help = "write to a variable that is no input, and read that one from here on"
}

crate::declare_rule! {
    /// An access to shared local memory in a kernel that says with `SLMSize=0` that it has none.
    ///
    /// ```visa bad
    /// .kernel_attr SLMSize=0
    /// gather4_scaled.R (M1, 8) %slm 0x0:ud VUD.0 VUD.64
    /// ```
    /// ```visa good
    /// .kernel_attr SLMSize=4
    /// gather4_scaled.R (M1, 8) %slm 0x0:ud VUD.0 VUD.64
    /// ```
    pub MISSING_SLM = "missing-slm", Warning, "4_visa_header",
        help = "set `SLMSize` to the number of kilobytes that the kernel uses"
}

/// Checks the operands of one instruction.
pub fn check(view: &View, sink: &mut Sink) {
    let variables = &view.cx.program.variables;
    let n_predefined = predefined::all().len() as u32;
    for (operand, spans, slot) in view.each_operand() {
        let Some(variable) = operand.variable() else { continue };
        let root = &variables[variables[variable].root];
        if slot.role.writes() && root.is(FLAG_INPUT) && matches!(operand, Operand::General { .. }) {
            write_to_input(view, sink, spans, variable);
        }
        if variables[variable].root.0 >= n_predefined {
            continue;
        }
        if variable == VariableId::NULL {
            null_destination(view, sink, operand, spans, slot);
            continue;
        }
        if variable.0 < n_predefined {
            by_platform(view, sink, variable, spans);
            reserved_bits(view, sink, operand, spans, slot);
        }
    }
}

fn write_to_input(view: &View, sink: &mut Sink, spans: &OperandSpans, variable: VariableId) {
    let name = view.text(spans.name);
    let root = view.cx.program.variables[variable].root;
    let diagnostic =
        Diagnostic::new(&WRITE_TO_INPUT, spans.whole, format!("`{name}` is an input, and inputs are read-only"));
    sink.report(diagnostic.also(view.cx.program.variable_spans[root].name, "the input"));
}

/// A vector result that goes to `%null` itself. Aliases of it are how the compiler throws results away, and a `mov` of a
/// variable to it is how it waits for the variable.
fn null_destination(view: &View, sink: &mut Sink, operand: &Operand, spans: &OperandSpans, slot: &OperandSlot) {
    if !matches!(operand, Operand::General { .. }) || !slot.role.writes() {
        return;
    }
    if view.row.family == Family::Move && view.operands.iter().any(|o| o.variable().is_some() && !o.is_null()) {
        return;
    }
    if view.cx.program.fragment.is_some() {
        return;
    }
    let mnemonic = view.row.mnemonic;
    // Assemblers take `%null` for a variable of type UD.
    let is_float = |o: &Operand| matches!(operand_type(view, o), Some(Type::F | Type::HF | Type::DF));
    let diagnostic = if view.row.family == Family::Arithmetic && view.operands.iter().any(is_float) {
        let message = format!("the result of `{mnemonic}` is a float, and `%null` stands for an integer");
        Diagnostic::new(&UNEXPECTED_NULL, spans.whole, message)
    } else {
        Diagnostic::new(&UNEXPECTED_NULL, spans.whole, format!("the result of `{mnemonic}` is thrown away"))
            .level(Level::Warning)
    };
    sink.report(diagnostic.label("`%null` holds nothing"));
}

fn by_platform(view: &View, sink: &mut Sink, variable: VariableId, spans: &OperandSpans) {
    let Some(row) = variable.predefined().filter(|row| matches!(row.name, "%impl_arg_buf_ptr" | "%local_id_buf_ptr"))
    else {
        return;
    };
    let failing = view.cx.failing(|p| *p >= Platform::XEHP_SDV);
    sink.report_on(view.cx, failing, || {
        Diagnostic::new(&UNAVAILABLE_PREDEFINED, spans.name, format!("`{}` does not exist from XeHP_SDV on", row.name))
    });
}

/// Checks the immediate that is written to, or combined with, a register of control bits.
fn reserved_bits(view: &View, sink: &mut Sink, operand: &Operand, spans: &OperandSpans, slot: &OperandSlot) {
    if !slot.role.writes() || operand.writable_bits().is_none() {
        return;
    }
    if is_pause_counter(operand) && !Pardon::AskedFor.holds_in(view.cx.program) {
        let failing = view.cx.failing(|p| *p < Platform::ICLLP);
        sink.report_on(view.cx, failing, || {
            let message = "there is no pause counter before ICLLP".to_owned();
            Diagnostic::new(&UNAVAILABLE_PREDEFINED, spans.whole, message)
        });
    }
    for (source, place) in view.operands.iter().zip(view.operand_spans) {
        let Operand::Immediate { bits, .. } = *source else { continue };
        let written = match view.row.operation {
            Some(Operation::Mov | Operation::Or | Operation::Xor) => bits,
            // Of another register those bits are left that are set.
            Some(Operation::And) if view.combines_with_itself() => !bits,
            _ => continue,
        };
        written_bits(view, sink, operand, spans, (written, place.whole));
    }
}

/// Whether it is the element of `%tsc` that makes the thread pause.
fn is_pause_counter(operand: &Operand) -> bool {
    operand.variable().and_then(VariableId::predefined).is_some_and(|row| row.name == "%tsc")
}

/// Whether numbers for the pause counter have more than its bits only below these: computed ones are as often rounded.
#[must_use]
pub fn is_rounded_pause(view: &View, numbers: &[u64]) -> bool {
    let Some(to) = view.operands.first().filter(|to| is_pause_counter(to)) else { return false };
    to.writable_bits().is_some_and(|legal| {
        let below = (1 << legal.trailing_zeros()) - 1;
        numbers.iter().all(|bits| *bits as u32 & !(legal | below) == 0)
    })
}

/// Checks the known result of an instruction for a register of control bits.
pub fn result(view: &View, sink: &mut Sink, place: usize, bits: u64) {
    let (operand, spans) = (&view.operands[place], &view.operand_spans[place]);
    written_bits(view, sink, operand, spans, (bits, spans.whole));
}

/// Reports reserved bits among those that are written, at a place.
fn written_bits(view: &View, sink: &mut Sink, to: &Operand, spans: &OperandSpans, (written, place): (u64, Span)) {
    let Some(legal) = to.writable_bits() else { return };
    let reserved = written as u32 & !legal;
    if reserved == 0 {
        return;
    }
    // What cannot be written at all has no bits that may be.
    let fixed = if is_pause_counter(to) { fixed_pause_counter() } else { PlatformSet::NONE };
    sink.report_on(view.cx, view.cx.platforms.without(fixed), || {
        let message = format!("reserved bits of `{}` are written: {reserved:#x}", view.text(spans.name));
        let numbers = join_and((0..u32::BITS).filter(|bit| legal >> bit & 1 != 0).map(|bit| bit.to_string()));
        Diagnostic::new(&RESERVED_BITS, place, message).note(format!("only the bits {numbers} may be written"))
    });
}

/// Checks what depends on the attributes of an object.
pub fn check_objects(cx: &Context, sink: &mut Sink) {
    let is_used = |name: &str| {
        let id = predefined::all().iter().position(|p| p.name == name).map(|i| VariableId(i as u32))?;
        cx.program.variables[id].is(FLAG_USED).then_some(id)
    };
    let media: Vec<VariableId> = ["%thread_x", "%thread_y", "%color"].into_iter().filter_map(is_used).collect();
    let slm = is_used("%slm");
    for object in cx.program.objects.iter() {
        if let Some(place) = empty_slm(cx, object) {
            lsc_without_slm(cx, object, place, sink);
        }
        if !media.is_empty() && has_3d_target(cx, object) {
            uses(cx, object, &mut |operand, spans| {
                if operand.variable().is_some_and(|v| media.contains(&v)) {
                    let message = format!("`{}` exists in media kernels only", cx.text(spans.name));
                    sink.report(
                        Diagnostic::new(&UNAVAILABLE_PREDEFINED, spans.name, message)
                            .note("these kernels have `Target=\"cm\"`"),
                    );
                }
            });
        }
        if let Some((slm, place)) = slm.and_then(|slm| Some((slm, empty_slm(cx, object)?))) {
            uses(cx, object, &mut |operand, spans| {
                if operand.variable() == Some(slm) {
                    let message = "this kernel has no shared local memory".to_owned();
                    sink.report(Diagnostic::new(&MISSING_SLM, spans.name, message).also(place, "the size is 0"));
                }
            });
        }
    }
}

/// Messages through the unit of shared local memory in an object that has none.
fn lsc_without_slm(cx: &Context, object: &Object, place: Span, sink: &mut Sink) {
    for index in object.instructions.clone().map(InstructionIndex) {
        let Some(view) = View::new(cx, index) else { continue };
        if view.row.accesses.is_empty() || view.modifier_word(ModifierName::UNIT) != Some("slm") {
            continue;
        }
        let Some(unit) = view.modifier(ModifierName::UNIT) else { continue };
        let message = "this kernel has no shared local memory".to_owned();
        sink.report(Diagnostic::new(&MISSING_SLM, unit.span, message).also(place, "the size is 0"));
    }
}

fn uses(cx: &Context, object: &Object, each: &mut dyn FnMut(&Operand, &OperandSpans)) {
    for index in object.instructions.clone() {
        let instruction = &cx.program.instructions[InstructionIndex(index)];
        for (operand, spans) in cx.program.operands_of(instruction).iter().zip(cx.program.operand_spans_of(instruction))
        {
            each(operand, spans);
        }
    }
}
