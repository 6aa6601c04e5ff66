//! Predicates: bits for every lane, groups, lanes that never run.

use super::context::{Context, Sink, View};
use super::table;
use crate::base::diagnostic::{Diagnostic, Edit, Fix};
use crate::base::rule::Level;
use crate::base::span::Span;
use crate::program::instruction::PredicateControl;
use crate::program::object::AttributeValue;
use crate::program::variable::FLAG_ENLARGED;
use crate::program::{InstructionIndex, Operand, VariableId};
use crate::spec::family::{Check, Family};
use crate::spec::instruction::Execution;

crate::declare_rule! {
    /// A predicate with fewer bits than there are lanes. Lane *i* uses bit *mask offset + i*, also with `_NM`, so that the
    /// predicate needs as many elements as mask offset and execution size together.
    ///
    /// ```visa bad
    /// .decl Px v_type=P num_elts=8
    /// (Px) mov (M1, 16) VD(0,0)<1> VD2(0,0)<1;1,0>
    /// ```
    /// ```visa good
    /// .decl Px v_type=P num_elts=16
    /// (Px) mov (M1, 16) VD(0,0)<1> VD2(0,0)<1;1,0>
    /// ```
    pub PREDICATE_TOO_SMALL = "predicate-too-small", Error, "5_operands"
}

crate::declare_rule! {
    /// `.any` or `.all` of a predicate that has not as many elements as there are lanes. The manual combines the bits of the
    /// lanes; assemblers combine as many bits as the predicate variable has, from PVC on the whole flag.
    ///
    /// ```visa bad
    /// (P1.any) mov (M1, 8) VD(0,0)<1> VD2(0,0)<1;1,0>
    /// ```
    /// ```visa good
    /// .decl Px v_type=P num_elts=8
    /// (Px.any) mov (M1, 8) VD(0,0)<1> VD2(0,0)<1;1,0>
    /// ```
    pub AMBIGUOUS_ANY_ALL = "ambiguous-any-all", Warning, "5_operands"
}

crate::declare_rule! {
    /// Lanes beyond the SIMD size of the kernel: they never run.
    ///
    /// ```visa bad
    /// .version 4.1
    /// .kernel "half"
    /// .decl VD v_type=G type=d num_elts=32 align=GRF
    /// .kernel_attr SimdSize=16
    /// .function "half_main"
    ///     mov (M5, 16) VD(0,0)<1> 0x1:d
    ///     ret (M1, 1)
    /// ```
    /// ```visa good
    /// .version 4.1
    /// .kernel "half"
    /// .decl VD v_type=G type=d num_elts=32 align=GRF
    /// .kernel_attr SimdSize=16
    /// .function "half_main"
    ///     mov (M1, 16) VD(0,0)<1> 0x1:d
    ///     ret (M1, 1)
    /// ```
    pub LANES_BEYOND_SIMD_SIZE = "lanes-beyond-simd-size", Warning, "3_execution_model"
}

/// Checks the predicates of one instruction.
pub fn check(view: &View, sink: &mut Sink) {
    let instruction = view.instruction;
    if !instruction.has_exec || view.row.execution != Execution::MaskAndSize {
        return;
    }
    let lanes = u32::from(instruction.mask_offset) + view.exec_size();
    if lanes > 32 {
        return;
    }
    if let Some(predicate) = instruction.predicate {
        let n = view.cx.program.n_elements(predicate.variable, 32);
        let is_known = !view.cx.program.variables[predicate.variable].is(FLAG_ENLARGED);
        if n < lanes {
            too_small(view, sink, predicate.variable, view.spans.predicate, lanes);
        } else if predicate.control != PredicateControl::PerLane
            && is_known
            && n != view.exec_size()
            && view.exec_size() > 1
        {
            any_all(view, sink, predicate.variable, predicate.control, n);
        }
    }
    for (operand, spans, _) in view.each_operand() {
        // A predicate as the source of `mov` is read as a whole.
        if let (Operand::Predicate { variable }, true) = (operand, !view.row.has(Check::PredicateCopy))
            && view.cx.program.n_elements(*variable, 32) < lanes
        {
            too_small(view, sink, *variable, spans.whole, lanes);
        }
    }
}

/// Reports a predicate that has fewer than `needed` elements.
fn too_small(view: &View, sink: &mut Sink, variable: VariableId, place: Span, needed: u32) {
    let program = view.cx.program;
    let n = program.n_elements(variable, 32);
    if n == 0 {
        return;
    }
    let name = program.variable_name(variable);
    let message = format!("`{name}` has {}, and bits up to {} are used", count(n), needed - 1);
    let mut diagnostic = Diagnostic::new(&PREDICATE_TOO_SMALL, place, message)
        .label(format!("needs at least {}", count(needed)))
        .note(format!(
            "lane 0 uses element {} of the predicate, the next lanes use those after it; `_NM` does not change that",
            view.first_lane()
        ));
    let declared = program.variable_spans[variable].n_elements;
    if program.fragment.is_some() && !declared.is_empty() {
        // Of the few lines of a fragment, the declaration is the one to change.
        diagnostic.primary.span = declared;
        diagnostic = diagnostic.also(place, "the use");
    } else if !declared.is_empty() {
        diagnostic = diagnostic.also(declared, format!("{} here", count(n)));
    }
    if !declared.is_empty() {
        let n_elements = needed.next_power_of_two().to_string();
        let title = format!("declare `{name}` with num_elts={n_elements}");
        let edits = vec![Edit { span: declared, text: n_elements }];
        diagnostic = diagnostic.fix(Fix { title, edits, certain: false });
    }
    sink.report(diagnostic);
}

fn any_all(view: &View, sink: &mut Sink, variable: VariableId, control: PredicateControl, n: u32) {
    let program = view.cx.program;
    let word = if control == PredicateControl::Any { "any" } else { "all" };
    let size = view.exec_size();
    let name = program.variable_name(variable);
    let message = format!("`.{word}` combines {n} bits of `{name}` or {size}: the manual and assemblers disagree");
    let mut diagnostic = Diagnostic::new(&AMBIGUOUS_ANY_ALL, view.spans.predicate, message)
        .note(format!("the manual combines the bits of the {size} lanes, assemblers all those of the predicate"))
        .help(format!("use a predicate of {}", count(size)));
    let declared = program.variable_spans[variable].n_elements;
    if !declared.is_empty() {
        diagnostic = diagnostic.also(declared, format!("{} here", count(n)));
    }
    sink.report(diagnostic.note(table::document(view)));
}

fn count(n: u32) -> String {
    if n == 1 { "1 element".to_owned() } else { format!("{n} elements") }
}

/// Checks for lanes that the kernel does not have.
pub fn check_simd_size(cx: &Context, sink: &mut Sink) {
    let program = cx.program;
    for object in program.objects.iter() {
        let attributes = program.attributes_of(object);
        let size = attributes.iter().rev().find_map(|a| match a.value {
            AttributeValue::Number(n @ (8 | 16 | 32)) if program.names.name(a.name) == "SimdSize" => {
                Some((n, a.value_span))
            }
            _ => None,
        });
        let Some((simd_size, place)) = size else { continue };
        for (index, instruction) in program.instructions_in(object) {
            let end = i64::from(instruction.mask_offset) + i64::from(instruction.exec_size);
            if end > simd_size && instruction.has_exec && !instruction.no_mask && end <= 32 {
                beyond(cx, sink, index, simd_size, place);
            }
        }
    }
}

fn beyond(cx: &Context, sink: &mut Sink, index: InstructionIndex, simd_size: i64, place: Span) {
    let instruction = &cx.program.instructions[index];
    let Some(row) = cx.program.row(instruction) else { return };
    let (first, size) = (instruction.mask_offset, instruction.exec_size);
    // With 8 lanes, arithmetic on 16 elements is common where whole registers are meant. A comparison sets a bit for each
    // lane, and the bits of lanes that do not exist mean nothing.
    let is_meant = first == 0 && simd_size == 8 && !row.touches_memory() && row.family != Family::Comparison;
    // A mask that does not go with the size is a fault of its own.
    let is_misaligned = size == 0 || first % size != 0;
    if row.execution != Execution::MaskAndSize || is_meant || is_misaligned {
        return;
    }
    let spans = &cx.program.instruction_spans[index];
    let last = u32::from(first) + u32::from(size) - 1;
    let message = format!("lanes {first} to {last} do not all exist: the kernel has {simd_size}");
    sink.report(
        Diagnostic::new(
            &LANES_BEYOND_SIMD_SIZE,
            if spans.exec.is_empty() { spans.mnemonic } else { spans.exec },
            message,
        )
        .level(Level::Warning)
        .also(place, "the SIMD size")
        .note("lanes beyond the SIMD size never run; with `_NM` they do"),
    );
}
