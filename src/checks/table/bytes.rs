//! Keys `bytes` and `bytes_tolerated`: how much of a variable a raw operand takes.

use crate::base::diagnostic::{Diagnostic, Edit, Fix};
use crate::base::rule::Level;
use crate::checks::context::{Sink, View};
use crate::checks::declaration::DOCUMENTED_LIMIT;
use crate::program::pardon::Pardon;
use crate::program::variable::{FLAG_BROKEN, FLAG_OPERAND};
use crate::program::{Operand, OperandSpans, VariableId};
use crate::spec::PlatformSet;
use crate::spec::instruction::OperandSlot;
use crate::spec::predefined::VariableKind;

crate::declare_rule! {
    /// An operand that reaches beyond the end of its variable. What is read there is undefined, and what is written there
    /// destroys other variables.
    ///
    /// ```visa bad
    /// .decl Vx v_type=G type=ud num_elts=8 align=GRF
    /// gather4_scaled.RG (M1, 8) T6 0x0:ud VUD.0 Vx.0
    /// ```
    /// ```visa good
    /// .decl Vx v_type=G type=ud num_elts=32 align=GRF
    /// gather4_scaled.RG (M1, 8) T6 0x0:ud VUD.0 Vx.0
    /// ```
    pub OPERAND_OUT_OF_BOUNDS = "operand-out-of-bounds", Error | Warning | Pedantic, "3_execution_model",
        help = "declare the variable with more elements, begin the operand earlier, or move less"
}

/// The variable and first byte of a raw operand; rows of an element operand count `grf_bytes`.
#[must_use]
pub fn raw_start(view: &View, operand: &Operand, grf_bytes: u32) -> Option<(VariableId, i64)> {
    let (variable, start) = match *operand {
        Operand::Raw { variable, byte_offset }
        | Operand::LscData { variable, byte_offset, .. }
        | Operand::WithLength { variable, byte_offset, .. } => (variable, i64::from(byte_offset)),
        Operand::Element { variable, row, column } => {
            let bytes = i64::from(view.cx.program.variables[variable].element_bytes());
            (variable, i64::from(row) * i64::from(grf_bytes) + i64::from(column) * bytes)
        }
        _ => return None,
    };
    let row = &view.cx.program.variables[variable];
    (variable != VariableId::NULL && row.kind == VariableKind::General && !row.is(FLAG_BROKEN))
        .then_some((variable, start))
}

/// What a raw operand lacks of the `needed` bytes from its start on.
pub struct Shortage {
    /// Where its variable ends before.
    pub failing: PlatformSet,
    /// The bytes that it has there.
    pub left: i64,
}

/// What a raw operand lacks of the `needed` bytes; nothing if it has them on all platforms in question.
#[must_use]
pub fn shortage(view: &View, operand: &Operand, needed: i64) -> Option<Shortage> {
    let (variable, start) = raw_start(view, operand, 32)?;
    let left = |grf_bytes| i64::from(view.cx.program.variable_bytes(variable, grf_bytes)) - start;
    let failing = view.cx.failing_grf(|g| start < 0 || left(g) < needed);
    let grf_bytes = failing.grf_sizes().next()?;
    Some(Shortage { failing, left: left(grf_bytes).max(0) })
}

/// Adds the declaration of an operand's variable, and how many elements hold everything up to the byte `end`. An alias has
/// the bytes of another variable.
#[must_use]
pub fn declared(view: &View, diagnostic: Diagnostic, operand: &Operand, end: i64) -> Diagnostic {
    let diagnostic = super::declared(view, diagnostic, operand);
    match operand.variable() {
        Some(variable) => enlarged(view, diagnostic, variable, end),
        None => diagnostic,
    }
}

/// Says how many elements hold everything up to the byte `end` of a variable that the text declares with a size of its own.
#[must_use]
pub fn enlarged(view: &View, diagnostic: Diagnostic, variable: VariableId, end: i64) -> Diagnostic {
    let program = view.cx.program;
    let (row, place) = (&program.variables[variable], program.variable_spans[variable].n_elements);
    let is_declared = row.root == variable && !row.is(FLAG_OPERAND) && !place.is_empty();
    if !is_declared || !(1..=i64::from(DOCUMENTED_LIMIT)).contains(&end) {
        return diagnostic;
    }
    let n_elements = (end as u64).div_ceil(u64::from(row.element_bytes().max(1)));
    let name = program.variable_name(variable);
    let declaration = format!("declare `{name}` with num_elts={n_elements}");
    let edits = vec![Edit { span: place, text: n_elements.to_string() }];
    diagnostic.help(format!("{declaration} or more, begin the operand earlier, or move less")).fix(Fix {
        title: declaration,
        edits,
        certain: false,
    })
}

/// Checks one operand.
pub fn check(view: &View, sink: &mut Sink, operand: &Operand, spans: &OperandSpans, slot: &'static OperandSlot) {
    let Some(formula) = slot.bytes else { return };
    let program = view.cx.program;
    let Some((variable, _)) = raw_start(view, operand, 32) else { return };
    let type_bytes = program.variables[variable].element_bytes();
    let are_whole = Pardon::WholeRegisters.holds_in(program);
    let short = |formula, grf_bytes: u32| {
        let Some((_, start)) = raw_start(view, operand, grf_bytes) else { return false };
        let needed = view.evaluate(formula, grf_bytes, type_bytes).unwrap_or(0);
        let size = program.variable_bytes(variable, grf_bytes);
        let size = if are_whole { size.next_multiple_of(grf_bytes) } else { size };
        start < 0 || needed > 0 && start + needed > i64::from(size)
    };
    let failing = view.cx.failing_grf(|g| short(formula, g));
    if !view.cx.concerns(failing) {
        return;
    }
    let worse = slot.bytes_tolerated.map(|formula| view.cx.failing_grf(|g| short(formula, g)));
    let (failing, level) = match worse {
        None => (failing, Level::Error),
        Some(worse) if view.cx.concerns(worse) => (worse, Level::Error),
        Some(_) => (failing, Level::Warning),
    };
    sink.report_on(view.cx, failing, || {
        let grf_bytes = failing.grf_sizes().next().unwrap_or(32);
        let needed = view.evaluate(formula, grf_bytes, type_bytes).unwrap_or(0);
        let start = raw_start(view, operand, grf_bytes).map_or(0, |(_, start)| start);
        let size = program.variable_bytes(variable, grf_bytes);
        let left = (i64::from(size) - start).max(0);
        let verb = if slot.role.writes() { "writes" } else { "reads" };
        let name = program.variable_name(variable);
        let message = format!("`{}` {verb} {needed} bytes, {}", view.text(spans.whole), super::only_left(name, left));
        let diagnostic = Diagnostic::new(&OPERAND_OUT_OF_BOUNDS, spans.whole, message)
            .level(level)
            .label(format!("`{name}` has {size} bytes"));
        declared(view, diagnostic, operand, start + needed).note(super::document(view))
    });
}
