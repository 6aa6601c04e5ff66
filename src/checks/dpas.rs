//! Systolic multiply-add: which precisions, types and places go together.

use super::alu::overlap::OVERLAPPING_OPERANDS;
use super::alu::predicate::IGNORED_EXEC_MASK;
use super::context::{Sink, View};
use super::table;
use super::table::alignment::MISALIGNED_OPERAND;
use super::table::bytes::raw_start;
use super::table::modifier::UNSUPPORTED_MODIFIER_VALUE;
use super::table::types::{UNSUPPORTED_TYPE, is_refused, operand_type};
use crate::base::diagnostic::Diagnostic;
use crate::base::rule::Level;
use crate::program::{Operand, VariableId};
use crate::spec::ModifierName;
use crate::spec::OperandName;
use crate::spec::family::Check;
use crate::spec::{Platform, PlatformSet, Type, TypeSet};
use std::ops::Range;

/// The precision of the elements of src1 or src2.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Precision {
    Integer,
    Half,
    Brain,
    Tf32,
    Fp8,
    E2m1,
}

impl Precision {
    fn of(word: &str) -> Self {
        match word {
            "hf" => Self::Half,
            "bf" => Self::Brain,
            "tf32" => Self::Tf32,
            "bf8" | "hf8" => Self::Fp8,
            "e2m1" => Self::E2m1,
            _ => Self::Integer,
        }
    }

    /// The types of dst and src0.
    fn result_types(self) -> TypeSet {
        match self {
            Self::Integer => TypeSet::of(&[Type::D, Type::UD]),
            Self::Half => TypeSet::of(&[Type::F, Type::HF]),
            Self::Brain | Self::Fp8 | Self::E2m1 => TypeSet::of(&[Type::F, Type::BF]),
            Self::Tf32 => TypeSet::of(&[Type::F]),
        }
    }
}

/// Checks one instruction.
pub fn check(view: &View, sink: &mut Sink) {
    let (Some(first), Some(second)) =
        (view.modifier_word(ModifierName::PRECISION1), view.modifier_word(ModifierName::PRECISION2))
    else {
        return;
    };
    let precisions = (Precision::of(first), Precision::of(second));
    // The words go together or not, whatever the operands are.
    if mixed_precisions(view, sink, (first, second), precisions) || view.instruction.is_broken {
        return;
    }
    mask(view, sink);
    result_types(view, sink, precisions.1);
    if !has_legal_shape(view) {
        return;
    }
    overlaps(view, sink);
    if view.row.slot(OperandName::SRC3).is_some() {
        scales(view, sink, second == "e2m1");
    } else {
        rows(view, sink);
    }
}

fn number(view: &View, name: ModifierName) -> i64 {
    view.modifier(name).map_or(0, |m| i64::from(m.number))
}

/// Whether lanes, depth and repeat count are such that the sizes of the operands follow from them.
fn has_legal_shape(view: &View) -> bool {
    let sizes = view.cx.platforms.grf_sizes().map(|grf_bytes| grf_bytes / 4);
    number(view, ModifierName::DEPTH) == 8
        && (1..=8).contains(&number(view, ModifierName::REPEAT))
        && sizes.into_iter().any(|n| n == view.exec_size())
}

/// Bytes of one row of src2.
fn row_bytes(view: &View) -> i64 {
    let (bits1, bits2) = (number(view, ModifierName::PRECISION1), number(view, ModifierName::PRECISION2));
    let per_lane = match bits1 {
        32 => 1,
        16 => 2,
        _ if bits1.max(bits2) <= 4 => 8,
        _ => 4,
    };
    number(view, ModifierName::DEPTH) * per_lane * bits2 / 8
}

/// Reports precisions that do not go together; gives whether there is something to report.
fn mixed_precisions(
    view: &View,
    sink: &mut Sink,
    words: (&str, &str),
    (first, second): (Precision, Precision),
) -> bool {
    let Some(used) = view.modifier(ModifierName::PRECISION2) else { return false };
    if first != second || first != Precision::Integer && first != Precision::Fp8 && words.0 != words.1 {
        let is_mixed = (first == Precision::Integer) != (second == Precision::Integer);
        let why = if is_mixed { "floats and integers do not mix" } else { "both are the same float" };
        let message = format!("the precisions `{}` and `{}` do not go together: {why}", words.0, words.1);
        let help = if is_mixed {
            "take integers for both, or floats for both".to_owned()
        } else {
            format!("write `{}` or `{}` for both", words.0, words.1)
        };
        let mut diagnostic =
            Diagnostic::new(&UNSUPPORTED_MODIFIER_VALUE, used.span, message).note(table::document(view)).help(help);
        if let Some(other) = view.modifier(ModifierName::PRECISION1) {
            diagnostic = diagnostic.also(other.span, "the other precision");
        }
        sink.report(diagnostic);
        return true;
    }
    let (bits1, bits2) = (number(view, ModifierName::PRECISION1), number(view, ModifierName::PRECISION2));
    if first == Precision::Integer && bits1 != bits2 && bits1.min(bits2) > 2 {
        let failing = PlatformSet::since(Platform::XE3P_CRI);
        sink.report_on(view.cx, failing, || {
            let message = format!("integers of {bits1} and {bits2} bits are not mixed after XE3");
            Diagnostic::new(&UNSUPPORTED_MODIFIER_VALUE, used.span, message).note(table::document(view))
        });
    }
    false
}

/// dst and src0 hold sums of what the precisions multiply; the first of them that does not fit is reported.
fn result_types(view: &View, sink: &mut Sink, precision: Precision) {
    for (operand, spans, slot) in
        view.each_operand().filter(|(_, _, slot)| matches!(slot.name, OperandName::DST | OperandName::SRC0))
    {
        let Some(t) = operand_type(view, operand) else { continue };
        if precision.result_types().contains(t) || is_refused(view, operand, slot) {
            continue;
        }
        let is_old_spelling = precision == Precision::Brain && matches!(t, Type::W | Type::UW);
        let written = view.text(spans.whole);
        let message = if is_old_spelling {
            format!("`{written}` is `{}`, an old spelling of `bf`", t.text())
        } else {
            format!("`{written}` is `{}`, which cannot hold sums of these precisions", t.text())
        };
        let diagnostic = Diagnostic::new(&UNSUPPORTED_TYPE, spans.whole, message)
            .level(if is_old_spelling { Level::Pedantic } else { Level::Error })
            .label(format!("expected {}", precision.result_types().describe()));
        sink.report(table::declared(view, diagnostic, operand).note(table::document(view)));
        return;
    }
}

/// The systolic array works on all lanes, whatever the mask.
fn mask(view: &View, sink: &mut Sink) {
    let instruction = view.instruction;
    if instruction.has_exec && instruction.mask_offset > 0 && !instruction.no_mask && !view.spans.mask.is_empty() {
        let message = format!("`{}` ignores the lanes of its mask `{}`", view.row.mnemonic, view.text(view.spans.mask));
        sink.report(Diagnostic::new(&IGNORED_EXEC_MASK, view.spans.mask, message).level(Level::Pedantic).replace(
            view.spans.mask,
            "M1_NM",
            false,
        ));
    }
}

/// The variable and the bytes of it that an operand takes.
fn bytes_of(view: &View, name: OperandName, grf_bytes: u32) -> Option<(VariableId, Range<i64>)> {
    let (operand, _) = view.operand(name)?;
    let slot = &view.row.operands[view.row.slot(name)?];
    let (variable, start) = raw_start(view, operand, grf_bytes)?;
    let info = &view.cx.program.variables[variable];
    let n = view.evaluate(slot.bytes?, grf_bytes, info.element_bytes())?;
    let start = start + i64::from(info.root_offset);
    Some((info.root, start..start + n))
}

fn overlaps(view: &View, sink: &mut Sink) {
    for name in [OperandName::SRC0, OperandName::SRC1, OperandName::SRC2] {
        let shares = |g| {
            let (Some((root, written)), Some((other, read))) =
                (bytes_of(view, OperandName::DST, g), bytes_of(view, name, g))
            else {
                return false;
            };
            // Adding in place is what dpas is for.
            let is_in_place = name == OperandName::SRC0 && written == read;
            // A destination between two registers is reported for that.
            let is_aligned = written.start % i64::from(g) == 0;
            root == other && written.start < read.end && read.start < written.end && !is_in_place && is_aligned
        };
        let failing = view.cx.failing_grf(shares);
        let (Some((_, written)), Some((_, read))) = (view.operand(OperandName::DST), view.operand(name)) else {
            continue;
        };
        sink.report_on(view.cx, failing, || {
            let (a, b) = (view.text(read.whole), view.text(written.whole));
            let what = if name == OperandName::SRC0 {
                "the accumulator has to be the destination or another place"
            } else {
                "rows are written while it is read"
            };
            Diagnostic::new(&OVERLAPPING_OPERANDS, read.whole, format!("`{a}` overlaps `{b}`: {what}"))
                .level(Level::Warning)
                .also(written.whole, "written here")
                .note(table::document(view))
        });
    }
}

fn misaligned(view: &View, sink: &mut Sink, name: OperandName, failing: PlatformSet, wanted: &str) {
    let Some((operand, spans)) = view.operand(name) else { return };
    sink.report_on(view.cx, failing, || {
        let grf_bytes = failing.grf_sizes().next().unwrap_or(32);
        let start = bytes_of(view, name, grf_bytes).map_or(0, |(_, bytes)| bytes.start);
        let message = format!("`{}` does not begin at {wanted}", view.text(spans.whole));
        let diagnostic =
            Diagnostic::new(&MISALIGNED_OPERAND, spans.whole, message).label(format!("begins at byte {start}"));
        table::declared(view, diagnostic, operand).note(table::document(view))
    });
}

/// src2 begins at a row, and is shared only if there is more than one register of it.
fn rows(view: &View, sink: &mut Sink) {
    let row = row_bytes(view);
    if row <= 0 {
        return;
    }
    let (depth, repeat) = (number(view, ModifierName::DEPTH), number(view, ModifierName::REPEAT));
    // From XE2 on, a full block begins at a register.
    let wanted = |p: Platform| {
        if p >= Platform::XE2 && depth == 8 && repeat == 8 { row.max(i64::from(p.grf_bytes())) } else { row }
    };
    let start = |g| bytes_of(view, OperandName::SRC2, g).map(|(_, bytes)| bytes.start);
    let failing = view.cx.failing(|p| start(p.grf_bytes()).is_some_and(|s| s.rem_euclid(wanted(*p)) != 0));
    if let Some(platform) = failing.iter().next() {
        misaligned(view, sink, OperandName::SRC2, failing, &format!("a multiple of {} bytes", wanted(platform)));
        if view.cx.concerns(failing) {
            return;
        }
    }
    declared_alignment(view, sink, row);
    if view.row.has(Check::SharedOperand) && row * repeat <= 32 {
        let Some(used) = view.modifier(ModifierName::REPEAT) else { return };
        let message = format!(
            "src2 has {} bytes with a repeat count of {repeat}: there is nothing for the two units to share",
            row * repeat
        );
        sink.report(
            Diagnostic::new(&UNSUPPORTED_MODIFIER_VALUE, used.span, message)
                .level(Level::Warning)
                .help("write `dpas`")
                .note(table::document(view)),
        );
    }
}

/// The variable that src2 is a part of has to be declared with the alignment of a row.
fn declared_alignment(view: &View, sink: &mut Sink, row: i64) {
    let Some((&Operand::Element { variable, .. }, spans)) = view.operand(OperandName::SRC2) else { return };
    let program = view.cx.program;
    let root = program.variables[variable].root;
    let info = &program.variables[root];
    // A variable that fills registers begins at a register, and fragments often leave `align=` out.
    if program.fragment.is_some() || root.predefined().is_some() || info.is(crate::program::variable::FLAG_INPUT) {
        return;
    }
    let alignment = |g| i64::from(info.alignment_bytes(g).max(info.element_bytes()));
    let failing = view.cx.failing_grf(|g| alignment(g) % row != 0);
    sink.report_on(view.cx, failing, || {
        let name = program.variable_name(root);
        let message = format!("`{name}` is not declared with the alignment of {row} bytes that `src2` needs");
        let declaration = program.variable_spans[root];
        let place = if declaration.align.is_empty() { declaration.name } else { declaration.align };
        Diagnostic::new(&MISALIGNED_OPERAND, spans.whole, message)
            .level(Level::Warning)
            .note(table::document(view))
            .declared_at(place)
    });
}

/// Scales begin at certain bytes of a register.
fn scales(view: &View, sink: &mut Sink, is_four_bits: bool) {
    for (name, step) in [(OperandName::SRC3, 16), (OperandName::SRC4, 8)] {
        let misplaced = |g: u32| {
            bytes_of(view, name, g).is_some_and(|(_, bytes)| {
                let byte = bytes.start.rem_euclid(i64::from(g));
                byte % step != 0 || is_four_bits && byte >= 32
            })
        };
        let failing = view.cx.failing_grf(misplaced);
        let wanted = match (is_four_bits, name) {
            (true, OperandName::SRC3) => "byte 0 or 16 of a register".to_owned(),
            (true, _) => "byte 0, 8, 16 or 24 of a register".to_owned(),
            _ => format!("a multiple of {step} bytes"),
        };
        misaligned(view, sink, name, failing, &wanted);
    }
}
