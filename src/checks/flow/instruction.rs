//! What can be said of one instruction of control flow alone.

use crate::base::diagnostic::{DOCUMENT, Diagnostic};
use crate::base::rule::Level;
use crate::base::span::Span;
use crate::base::symbol::Symbol;
use crate::checks::context::{Sink, View};
use crate::checks::flow::label::ILLEGAL_BRANCH_TARGET;
use crate::checks::kernel::has_cm_target;
use crate::checks::table::bytes::OPERAND_OUT_OF_BOUNDS;
use crate::checks::table::exec_size::MISSING_NO_MASK;
use crate::checks::table::region::IGNORED_REGION;
use crate::checks::table::types::operand_type;
use crate::checks::table::value::VALUE_OUT_OF_RANGE;
use crate::lower::arity::{MISSING_OPERAND, SURPLUS_OPERAND};
use crate::lower::directive::long_file_name;
use crate::lower::operand::{WRONG_OPERAND_FORM, WRONG_VARIABLE_KIND};
use crate::program::cfg::{Target, simd_size};
use crate::program::pardon::Pardon;
use crate::program::variable::FLAG_BROKEN;
use crate::program::{Operand, OperandSpans, VariableId};
use crate::spec::OperandName;
use crate::spec::family::Marker;
use crate::spec::instruction::Flow;
use crate::spec::predefined::VariableKind;
use crate::spec::{Platform, Type};

crate::declare_rule! {
    /// A divergent `goto` that covers fewer lanes than the kernel has. The lanes outside go on as if it were not there, and
    /// assemblers have to take the jump apart.
    ///
    /// ```visa bad
    /// (P1) goto (M5, 16) label_1
    /// ```
    /// ```visa good
    /// (P1) goto (M1, 32) label_1
    /// ```
    pub PARTIAL_GOTO = "partial-goto", Warning, "3_execution_model"
}

crate::declare_rule! {
    /// An indirect call to an address that stands in the text. Where a function lies is known only once the program is
    /// linked, so a number cannot be its address; `faddr` takes it. Nothing can be called that lies beside the begin of a
    /// function.
    ///
    /// ```visa bad
    /// ifcall (M1, 16) 0x10:ud 1 1
    /// ```
    /// ```visa good
    /// faddr other_function VUQ(0,0)<1>
    /// ifcall (M1, 16) VUQ(0,0)<0;1,0> 1 1
    /// ```
    pub CONSTANT_CALL_ADDRESS = "constant-call-address", Warning, "IFCALL"
}

crate::declare_rule! {
    /// Labels of a jump table that are not separated by one comma each. Assemblers read past commas in a jump table: one
    /// more, or one less, changes nothing.
    ///
    /// ```visa bad
    /// // platform: PVC
    /// // pedantic
    /// switchjmp (M1, 1) VUB(0,0)<0;1,0> (label_1,, example_end)
    /// example_end:
    /// ```
    /// ```visa good
    /// // platform: PVC
    /// // pedantic
    /// switchjmp (M1, 1) VUB(0,0)<0;1,0> (label_1, example_end)
    /// example_end:
    /// ```
    pub STRAY_COMMA = "stray-comma", Pedantic, "SWITCHJMP"
}

crate::declare_rule! {
    /// `fccall` in a kernel that has no place for the return address: the last `.input` has to be one element of type `q`
    /// or `uq`, from which the callee learns where to return.
    ///
    /// ```visa bad
    /// .version 4.1
    /// .kernel "k"
    ///     fccall (M1_NM, 1) other_kernel
    ///     ret (M1, 1)
    /// ```
    /// ```visa good
    /// .version 4.1
    /// .kernel "k"
    /// .decl back v_type=G type=uq num_elts=1
    /// .input back offset=32 size=8
    ///     fccall (M1_NM, 1) other_kernel
    ///     ret (M1, 1)
    /// ```
    pub MISSING_RETURN_ADDRESS = "missing-return-address", Error, "FCCALL"
}

/// Most labels of a `switchjmp`.
const MAX_SWITCH_LABELS: usize = 32;

/// Checks one instruction of control flow.
pub fn check(view: &View, sink: &mut Sink) {
    match view.row.flow {
        Flow::Goto => partial(view, sink),
        Flow::Call | Flow::Return | Flow::FunctionReturn => scalar_is_masked(view, sink),
        Flow::FunctionCall => {
            if view.row.slot(OperandName::LABEL).is_some() {
                composite(view, sink);
            } else {
                scalar_is_masked(view, sink);
            }
            constant_address(view, sink);
        }
        Flow::Switch => switch(view, sink),
        Flow::Jump | Flow::Barrier => {}
        Flow::Next => match view.row.marker {
            None if view.row.slot(OperandName::FUNCTION).is_some() => function_address(view, sink),
            Some(Marker::File) => {
                for spans in view.operand_spans {
                    if let Some(too_long) = long_file_name(spans.whole) {
                        sink.report(too_long);
                    }
                }
            }
            _ => lifetime(view, sink),
        },
    }
}

/// A branch of one lane is meant for all: it has to ignore the execution mask.
fn scalar_is_masked(view: &View, sink: &mut Sink) {
    let instruction = view.instruction;
    if !instruction.has_exec || instruction.exec_size != 1 || instruction.no_mask {
        return;
    }
    // Compilers always print `ret (M1, 1)`.
    let level = if view.row.flow == Flow::Return { Level::Pedantic } else { Level::Warning };
    let mnemonic = view.row.mnemonic;
    let place = view.spans.mask_or_exec();
    let message = format!("`{mnemonic}` of execution size 1 has to ignore the execution mask");
    let diagnostic =
        Diagnostic::new(&MISSING_NO_MASK, place, message).level(level).note(format!("{DOCUMENT}{}", view.row.document));
    let fix = if view.spans.mask.is_empty() { "(M1_NM, 1)".to_owned() } else { format!("{}_NM", view.text(place)) };
    sink.report(diagnostic.replace(place, fix, true));
}

/// A divergent `goto` that leaves lanes out.
fn partial(view: &View, sink: &mut Sink) {
    let instruction = view.instruction;
    if !instruction.has_exec || instruction.exec_size == 1 || instruction.predicate.is_none() {
        return;
    }
    let object = &view.cx.program.objects[view.cx.program.object_of(view.index)];
    // A compiler knows how wide the branches of a media kernel are, whatever its dispatch.
    if has_cm_target(view.cx, object) && Pardon::Interface.holds_in(view.cx.program) {
        return;
    }
    let n_lanes = simd_size(view.cx.program, object);
    let first = u32::from(instruction.mask_offset);
    let last = first + view.exec_size() - 1;
    // A mask that does not go with the size is a fault of its own, and so are lanes that there are not.
    if first % view.exec_size() != 0 || last > 31 || n_lanes > 1 && last >= n_lanes {
        return;
    }
    if first > 0 || last + 1 < n_lanes {
        let message = if n_lanes > 1 {
            format!("this `goto` covers the lanes {first} to {last} of {n_lanes}")
        } else {
            format!("this `goto` covers the lanes from {first} on only")
        };
        let diagnostic = Diagnostic::new(&PARTIAL_GOTO, view.spans.exec, message);
        sink.report(if n_lanes > 1 { diagnostic.help(format!("write `(M1, {n_lanes})`")) } else { diagnostic });
    }
}

/// `fccall`
fn composite(view: &View, sink: &mut Sink) {
    let program = view.cx.program;
    let id = program.object_of(view.index);
    let object = &program.objects[id];
    if let Some((Operand::Name { name, .. }, spans)) = view.operand(OperandName::LABEL) {
        let own = match view.cx.flow[id].target(*name) {
            Some(Target::Block(label, _) | Target::Subroutine(label, _)) => Some(program.labels[label].span),
            None => program.objects.iter().find(|o| o.name == *name).map(|o| o.name_span),
        };
        if let Some(place) = own {
            let message =
                format!("`{}` stands in this file, and `fccall` needs a kernel of another one", view.text(spans.whole));
            sink.report(Diagnostic::new(&ILLEGAL_BRANCH_TARGET, spans.whole, message).also(place, "defined here"));
        }
    }
    let inputs = program.inputs_of(object);
    let last = inputs.last();
    let fits = last.is_some_and(|input| {
        let row = &program.variables[input.variable];
        row.is(FLAG_BROKEN)
            || row.kind == VariableKind::General
                && matches!(row.element_type, Type::Q | Type::UQ)
                && row.n_elements == 1
    });
    if !fits && !object.has_broken_lines {
        let diagnostic = Diagnostic::new(
            &MISSING_RETURN_ADDRESS,
            view.spans.mnemonic,
            "this kernel has no input for the return address",
        );
        let diagnostic = match last {
            Some(input) => diagnostic.also(input.name_span, "the last input is not one element of type `q` or `uq`"),
            None => diagnostic.also(object.name_span, "it has no inputs"),
        };
        sink.report(diagnostic.help("end the inputs with one element of type `uq`"));
    }
}

/// `ifcall` to a number.
fn constant_address(view: &View, sink: &mut Sink) {
    if let Some((Operand::Immediate { .. }, spans)) = view.operand(OperandName::ADDRESS) {
        let message = format!("`{}` cannot be the address of a function", view.text(spans.whole));
        sink.report(
            Diagnostic::new(&CONSTANT_CALL_ADDRESS, spans.whole, message).help("take the address with `faddr`"),
        );
    }
}

/// `switchjmp`
fn switch(view: &View, sink: &mut Sink) {
    let Some((Operand::LabelList { start, end }, spans)) = view.operand(OperandName::LABELS) else { return };
    let labels = &view.cx.program.label_lists[*start as usize..*end as usize];
    commas(view, sink, labels, spans.whole);
    if labels.is_empty() {
        let diagnostic = Diagnostic::new(&MISSING_OPERAND, spans.whole, "`switchjmp` needs at least one label");
        sink.report(diagnostic);
    } else if let Some((_, surplus)) = labels.get(MAX_SWITCH_LABELS) {
        let message = format!("`switchjmp` takes {MAX_SWITCH_LABELS} labels, not {}", labels.len());
        sink.report(Diagnostic::new(&SURPLUS_OPERAND, *surplus, message).label("the first one too many"));
    }
    if let Some((Operand::Immediate { bits, element_type }, index)) = view.operand(OperandName::INDEX)
        && element_type.is_integer()
        && *bits as i64 >= labels.len() as i64
        && !labels.is_empty()
    {
        let message = format!("the index `{}` has no label: there are {}", view.text(index.whole), labels.len());
        let label =
            if labels.len() == 1 { "expected 0".to_owned() } else { format!("expected 0 to {}", labels.len() - 1) };
        sink.report(
            Diagnostic::new(&VALUE_OUT_OF_RANGE, index.whole, message).label(label).also(spans.whole, "the labels"),
        );
    }
}

/// The commas between the labels of a jump table.
fn commas(view: &View, sink: &mut Sink, labels: &[(Symbol, Span)], list: Span) {
    let mut gap_start = list.start + 1;
    for (i, end) in labels.iter().map(|(_, span)| *span).chain([Span::at(list.end.saturating_sub(1))]).enumerate() {
        let gap = Span::new(gap_start.min(end.start), end.start);
        let wanted = usize::from(i > 0 && i < labels.len());
        let n_commas = view.text(gap).matches(',').count();
        gap_start = end.end;
        if n_commas == wanted || labels.is_empty() {
            continue;
        }
        let message = if n_commas < wanted {
            "a comma is missing between these labels"
        } else {
            "a comma too many between the labels"
        };
        sink.report(Diagnostic::new(&STRAY_COMMA, gap, message).replace(
            gap,
            if wanted == 1 { ", " } else { "" },
            true,
        ));
        return;
    }
}

/// `faddr`
fn function_address(view: &View, sink: &mut Sink) {
    const ADDRESS_BYTES: i64 = 8;
    let Some((operand, spans)) = view.operand(OperandName::DST) else { return };
    if operand.region().is_some_and(|r| r.horizontal_stride != 1 && !r.has_illegal_number()) {
        let message = format!("the stride `{}` has no effect: `faddr` writes one element", view.text(spans.region));
        let diagnostic = Diagnostic::new(&IGNORED_REGION, spans.region, message).level(Level::Pedantic);
        sink.report(diagnostic.replace(spans.region, "<1>", false));
    }
    match *operand {
        Operand::Indirect { .. } => {
            // These have no 64-bit integers, and would have to write the address in two halves.
            let failing =
                [Platform::ICLLP, Platform::TGLLP, Platform::DG2, Platform::MTL, Platform::ARL].into_iter().collect();
            sink.report_on(view.cx, failing, || {
                let message = format!(
                    "the destination `{}` of `faddr` cannot be indirect without 64-bit integers",
                    view.text(spans.whole)
                );
                Diagnostic::new(&WRONG_OPERAND_FORM, spans.whole, message)
                    .help("write to a variable, and move the address from there")
            });
        }
        Operand::General { variable, row, column, .. } => {
            let program = view.cx.program;
            let Some(element_type) =
                operand_type(view, operand).filter(|t| matches!(*t, Type::UD | Type::UQ | Type::Q))
            else {
                return;
            };
            let start = |grf_bytes: u32| {
                i64::from(row) * i64::from(grf_bytes) + i64::from(column) * i64::from(element_type.bytes())
            };
            let left = |grf_bytes| i64::from(program.variable_bytes(variable, grf_bytes)) - start(grf_bytes);
            // An operand that begins behind the end is reported as such.
            let failing = view.cx.failing_grf(|g| (i64::from(element_type.bytes())..ADDRESS_BYTES).contains(&left(g)));
            sink.report_on(view.cx, failing, || {
                too_small(view, spans, program.variable_spans[variable].name, left(view.cx.any_grf_bytes()))
            });
        }
        _ => {}
    }
}

fn too_small(view: &View, spans: &OperandSpans, declared: Span, left: i64) -> Diagnostic {
    let message = format!("an address has 8 bytes, and `{}` has room for {left}", view.text(spans.whole));
    Diagnostic::new(&OPERAND_OUT_OF_BOUNDS, spans.whole, message).declared_at(declared).help("use type `uq`")
}

/// `lifetime.start`, `lifetime.end`
fn lifetime(view: &View, sink: &mut Sink) {
    let Some((Operand::Variable { variable }, spans)) = view.operand(OperandName::VARIABLE) else { return };
    let row = &view.cx.program.variables[*variable];
    let name = view.text(spans.whole);
    if variable.predefined().is_some() && *variable != VariableId::NULL {
        let message = format!("`{name}` is a predefined variable, and these have no lifetime");
        sink.report(Diagnostic::new(&WRONG_VARIABLE_KIND, spans.whole, message));
    } else if matches!(row.kind, VariableKind::Sampler | VariableKind::Surface) {
        let message = format!("`{name}` is a {} variable, and these have no lifetime", row.kind.word());
        let declared = view.cx.program.variable_spans[*variable].name;
        sink.report(Diagnostic::new(&WRONG_VARIABLE_KIND, spans.whole, message).declared_at(declared));
    }
}
