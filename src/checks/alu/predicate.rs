//! Instructions that read or write predicates, and predicates that are not what they seem.

use crate::base::diagnostic::Diagnostic;
use crate::base::rule::Level;
use crate::base::span::Span;
use crate::checks::context::{Sink, View};
use crate::checks::table;
use crate::checks::table::exec_size::UNSUPPORTED_EXEC_SIZE;
use crate::checks::table::predicate::{DROPPED_MODIFIER, MISSING_PREDICATE};
use crate::checks::table::types::{UNSUPPORTED_TYPE, operand_type};
use crate::host::statement::WIDE_HOLE;
use crate::lower::operand::WRONG_OPERAND_FORM;
use crate::program::instruction::PredicateControl;
use crate::program::variable::FLAG_SET_AS_A_WHOLE;
use crate::program::{Operand, OperandSpans, Region, VariableId};
use crate::spec::Type;

crate::declare_rule! {
    /// A predicate and a register or immediate of another size: a copy loses the upper bits, leaves predicate bits without
    /// a value, or copies bits that the predicate does not have. A predicate of fewer than sixteen elements has sixteen
    /// defined bits only where `setp` of a scalar has set it. That is no fault where everything that reads the copy leaves the
    /// other bits out, such as an `and` that follows.
    ///
    /// ```visa bad
    /// mov (M1_NM, 1) VUB(0,0)<1> P1
    /// ```
    /// ```visa good
    /// mov (M1_NM, 1) VUD(0,0)<1> P1
    /// ```
    pub TRUNCATED_PREDICATE = "truncated-predicate", Error | Warning, "5_instruction_set"
}

crate::declare_rule! {
    /// A mask that has no effect, or another one than it seems to have. `setp` with a scalar source writes 16 bits of the
    /// predicate, the lower or the upper half, or all 32, whatever the mask and size say: only `M1_NM` and `M5_NM` with 16
    /// lanes say what they do. `dpas` ignores the lanes of its mask. A message that moves contiguous blocks moves all of
    /// them.
    ///
    /// ```visa bad
    /// setp (M3_NM, 8) P1 0xff:ub
    /// ```
    /// ```visa good
    /// setp (M1_NM, 16) P1 0xff:uw
    /// ```
    pub IGNORED_EXEC_MASK = "ignored-exec-mask", Error | Warning | Pedantic, "3_execution_model"
}

/// Reports something before the mnemonic, or after it, that has no effect.
fn dropped(view: &View, sink: &mut Sink, place: Span, level: Level, message: String) {
    let mut diagnostic = Diagnostic::new(&DROPPED_MODIFIER, place, message).level(level).note(table::document(view));
    if place == view.spans.predicate {
        diagnostic = diagnostic.replace(Span::new(place.start, view.spans.mnemonic.start), "", false);
    }
    sink.report(diagnostic);
}

/// `mov V P`: the predicate as a number.
pub fn mov(view: &View, sink: &mut Sink) {
    let Some((&Operand::Predicate { variable }, source_spans, _)) = super::sources(view).next() else { return };
    if !view.spans.predicate.is_empty() {
        let message = format!(
            "the predicate `{}` is thrown away: a predicate is copied as a whole",
            view.text(view.spans.predicate)
        );
        dropped(view, sink, view.spans.predicate, Level::Error, message);
    }
    if view.instruction.saturate {
        let place = super::saturation::place(view);
        let message = "`.sat` is thrown away: the copy of a predicate does not saturate".to_owned();
        dropped(view, sink, place, Level::Error, message);
    }
    if view.exec_size() != 1 {
        let message = format!("the copy of a predicate has the execution size 1, not {}", view.exec_size());
        sink.report(
            Diagnostic::new(&UNSUPPORTED_EXEC_SIZE, view.spans.size, message)
                .label("expected 1")
                .note("mask and size are thrown away")
                .replace(view.spans.size, "1", true),
        );
    }
    let Some((operand, spans, _)) = super::destination(view) else { return };
    let Some(t) = operand_type(view, operand) else { return };
    if !t.is_integer() || t.bytes() > 4 {
        report_type(
            view,
            sink,
            operand,
            spans,
            t,
            Level::Error,
            "a copy of a predicate is an integer of at most 32 bits",
        );
        return;
    }
    let n = view.cx.program.n_elements(variable, 32);
    if n > 8 * t.bytes() {
        let (d, s) = (view.text(spans.whole), view.text(source_spans.whole));
        let message = format!("`{s}` has {n} elements, and `{d}` has {} bits", 8 * t.bytes());
        let wanted = if n > 16 { "`ud`" } else { "`uw` or `ud`" };
        let diagnostic =
            Diagnostic::new(&TRUNCATED_PREDICATE, spans.whole, message).label(format!("expected {wanted}"));
        sink.report(declared(view, diagnostic, variable, n));
    } else if n < 16
        && 8 * t.bytes() > n
        && !view.cx.program.variables[variable].is(FLAG_SET_AS_A_WHOLE)
        && !super::undefined_bits::are_left_out(view, n)
    {
        let (d, s) = (view.text(spans.whole), view.text(source_spans.whole));
        let message = format!("`{s}` has {n} elements: the other bits of `{d}` are undefined");
        let diagnostic = Diagnostic::new(&TRUNCATED_PREDICATE, source_spans.whole, message)
            .level(Level::Warning)
            .help(format!(
                "mask `{d}` before anything else reads it, or set `{s}` with `setp` of a scalar first, which writes sixteen bits"
            ));
        sink.report(declared(view, diagnostic, variable, n));
    } else if t.is_signed() {
        report_type(
            view,
            sink,
            operand,
            spans,
            t,
            Level::Pedantic,
            "the manual copies predicates to unsigned integers",
        );
    }
}

fn declared(view: &View, diagnostic: Diagnostic, variable: VariableId, n: u32) -> Diagnostic {
    let place = view.cx.program.variable_spans[variable].n_elements;
    let diagnostic = if place.is_empty() { diagnostic } else { diagnostic.also(place, format!("{n} elements here")) };
    diagnostic.note(table::document(view))
}

fn report_type(
    view: &View,
    sink: &mut Sink,
    operand: &Operand,
    spans: &OperandSpans,
    t: Type,
    level: Level,
    what: &str,
) {
    let message = format!("`{}` has the type `{}`: {what}", view.text(spans.whole), t.text());
    let diagnostic =
        Diagnostic::new(&UNSUPPORTED_TYPE, spans.whole, message).level(level).label("expected `ub`, `uw` or `ud`");
    sink.report(table::declared(view, diagnostic, operand).note(table::document(view)));
}

/// and, or, xor, not of predicates.
pub fn logic(view: &View, sink: &mut Sink) {
    let is_predicate = |operand: &Operand| matches!(operand, Operand::Predicate { .. });
    let n = view.operands.iter().filter(|o| is_predicate(o)).count();
    if n == 0 {
        return;
    }
    if n < view.operands.len() {
        let wanted = super::destination(view).is_some_and(|(operand, _, _)| is_predicate(operand));
        if let Some((_, spans, _)) = view.each_operand().find(|(operand, _, _)| is_predicate(operand) != wanted) {
            let written = view.text(spans.whole);
            let message = if wanted {
                format!("`{written}` is no predicate, and the destination is one")
            } else {
                format!("`{written}` is a predicate, and the destination is none")
            };
            sink.report(
                Diagnostic::new(&WRONG_OPERAND_FORM, spans.whole, message)
                    .note("either all operands are predicates, or none is")
                    .note(table::document(view)),
            );
        }
        return;
    }
    if !view.spans.predicate.is_empty() {
        let written = view.text(view.spans.predicate);
        let message =
            format!("the predicate `{written}` is thrown away: `{}` of predicates runs without it", view.row.mnemonic);
        dropped(view, sink, view.spans.predicate, Level::Error, message);
    }
}

/// `setp P V`: bits as a predicate.
pub fn setp(view: &View, sink: &mut Sink) {
    let instruction = view.instruction;
    if !instruction.has_exec {
        return;
    }
    let Some((source, spans, _)) = super::sources(view).next() else { return };
    let is_scalar = match source {
        Operand::Immediate { .. } => true,
        other => other.region().is_some_and(Region::is_scalar),
    };
    if !is_scalar || view.exec_size() == 1 || u32::from(instruction.mask_offset) + view.exec_size() > 32 {
        return;
    }
    let (offset, no_mask, size) = (instruction.mask_offset, instruction.no_mask, view.exec_size());
    let fault = match (offset, no_mask) {
        (0, true) => None,
        (16, true) if size <= 16 => None,
        // A mask that does not go with the size is a fault of its own.
        _ if u32::from(offset) % size != 0 => None,
        (0, false) if size < 32 => Some(Level::Pedantic),
        _ => Some(Level::Error),
    };
    if let Some(level) = fault {
        let place = view.spans.mask_or_exec();
        let bits = if size == 32 { "all 32 bits" } else { "bits 0 to 15" };
        let message = format!("`{}` is ignored: `setp` of a scalar writes {bits} of the predicate", view.text(place));
        let wanted = if size == 32 { "M1_NM" } else { "M1_NM or M5_NM" };
        let mut diagnostic =
            Diagnostic::new(&IGNORED_EXEC_MASK, place, message).level(level).label(format!("expected {wanted}"));
        if offset == 0 && !view.spans.mask.is_empty() {
            diagnostic = diagnostic.replace(place, "M1_NM", false);
        }
        sink.report(diagnostic.note(table::document(view)));
    }
    if fault.is_none_or(|level| level < Level::Error) {
        overwritten(view, sink);
    }
    if let Some(t) = operand_type(view, source).filter(|t| t.is_integer() && 8 * t.bytes() < size) {
        let message = format!("`{}` has {} bits for {size} elements", view.text(spans.whole), 8 * t.bytes());
        let wanted = if size == 32 { "`ud`" } else { "`uw` or `ud`" };
        sink.report(
            Diagnostic::new(&TRUNCATED_PREDICATE, spans.whole, message)
                .level(Level::Warning)
                .label(format!("expected {wanted}"))
                .note(table::document(view)),
        );
    }
}

/// A scalar sets sixteen bits, also for fewer lanes: those of other lanes are lost.
fn overwritten(view: &View, sink: &mut Sink) {
    let Some((&Operand::Predicate { variable }, _, _)) = super::destination(view) else { return };
    let (first, size) = (u32::from(view.instruction.mask_offset), view.exec_size());
    let n = view.cx.program.n_elements(variable, 32).min(first + 16);
    if size < 16 && n > first + size {
        let name = view.cx.program.variable_name(variable);
        let message = format!("`setp` of a scalar writes the elements {first} to {} of `{name}`, not {size}", n - 1);
        let diagnostic = Diagnostic::new(&IGNORED_EXEC_MASK, view.spans.size, message).level(Level::Warning);
        sink.report(declared(
            view,
            diagnostic.label("expected 16"),
            variable,
            view.cx.program.n_elements(variable, 32),
        ));
    }
}

/// Without a predicate there is nothing to select by.
pub fn sel(view: &View, sink: &mut Sink) {
    // What stands before the first line of a text whose surroundings are not known may be its predicate.
    let before = &view.cx.text[..view.spans.statement.start as usize];
    let may_have_one = view.cx.program.fragment.is_some() && before.trim_end().ends_with(WIDE_HOLE);
    if !view.spans.predicate.is_empty() || may_have_one {
        return;
    }
    // Where it copies a variable onto itself it does nothing at all: pointless, but harmless.
    let copies_itself = match (super::destination(view), super::sources(view).next()) {
        (Some((to, _, _)), Some((from, _, _))) => {
            let bytes = |operand| crate::program::Footprint::new(view.cx.program, operand, view.exec_size(), 32);
            matches!((bytes(to), bytes(from)), (Some(a), Some(b)) if a.is_same(&b))
        }
        _ => false,
    };
    let level = if copies_itself { Level::Pedantic } else { Level::Warning };
    sink.report(
        Diagnostic::new(&MISSING_PREDICATE, view.spans.mnemonic, "this `sel` has no predicate to select by")
            .level(level)
            .help("write a predicate before it, or a `mov`")
            .note(table::document(view)),
    );
}

/// The predicate before invm and rsqtm.
pub fn lost(view: &View, sink: &mut Sink) {
    if !view.spans.predicate.is_empty() {
        let message = format!("assemblers lose the predicate of `{}` when they write their binary", view.row.mnemonic);
        dropped(view, sink, view.spans.predicate, Level::Warning, message);
    }
}

/// The predicate of add3.o is a destination.
pub fn overflow(view: &View, sink: &mut Sink) {
    let Some(predicate) = view.instruction.predicate else { return };
    if !predicate.is_inverted && predicate.control == PredicateControl::PerLane {
        return;
    }
    let written = view.text(view.spans.predicate);
    let name = view.cx.program.variable_name(predicate.variable);
    let message = format!("`{written}` is read as `({name})`: the predicate of `add3.o` receives the overflow");
    let diagnostic = Diagnostic::new(&DROPPED_MODIFIER, view.spans.predicate, message).level(Level::Warning);
    sink.report(diagnostic.replace(view.spans.predicate, format!("({name})"), false).note(table::document(view)));
}
