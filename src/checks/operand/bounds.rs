//! The elements of general operands lie inside their variable.

use crate::base::diagnostic::Diagnostic;
use crate::base::rule::Level;
use crate::base::span::Span;
use crate::checks::context::{Sink, View};
use crate::checks::table;
use crate::checks::table::bytes::{OPERAND_OUT_OF_BOUNDS, declared};
use crate::program::{Footprint, Operand, OperandSpans, Program, Region};
use crate::spec::instruction::OperandSlot;

/// Checks one operand.
pub fn check(view: &View, sink: &mut Sink, operand: &Operand, spans: &OperandSpans, slot: &'static OperandSlot) {
    let Operand::General { variable, row, .. } = *operand else { return };
    let program = view.cx.program;
    let reach = |grf_bytes| accessed(view, operand, slot, grf_bytes);
    let fails = |grf_bytes| reach(grf_bytes).is_some_and(|r| r.0.start + r.1 > own_bytes(program, &r.0, grf_bytes));
    // Without rows, the size of a register matters only for what is defined in registers.
    let depends = row != 0 || variable.predefined().is_some() || slot.has_own_elements();
    if !fails(32) && (!depends || !fails(64)) {
        return;
    }
    let failing = view.cx.failing_grf(fails);
    sink.report_on(view.cx, failing, || {
        let grf_bytes = failing.grf_sizes().next().unwrap_or(32);
        let (variable, root, end, in_root) = reach(grf_bytes).map_or_else(Default::default, |(f, bytes)| {
            let in_root = f.root_start + bytes <= i64::from(program.variable_bytes(f.root, grf_bytes));
            (Some(f.variable), Some(f.root), f.start + bytes, in_root)
        });
        let size = variable.map_or(0, |v| program.variable_bytes(v, grf_bytes));
        // The manual gives `%cr0` one element; the hardware has three.
        let is_hidden =
            variable.and_then(crate::program::variable::VariableId::predefined).is_some_and(|row| row.name == "%cr0")
                && end <= 12;
        let is_inside_root = variable != root && in_root;
        let verb = if slot.role.writes() { "writes" } else { "reads" };
        let name = view.text(spans.name);
        let message = format!("`{}` {verb} up to byte {end} of `{name}`, which has {size}", view.text(spans.whole));
        let diagnostic = Diagnostic::new(&OPERAND_OUT_OF_BOUNDS, spans.whole, message)
            .level(if is_hidden || is_inside_root { Level::Warning } else { Level::Error })
            .label(format!("`{name}` has {size} bytes"));
        let is_one_element = variable.is_some_and(|v| program.n_elements(v, grf_bytes) == 1) && !slot.role.writes();
        let diagnostic = if is_one_element && !spans.region.is_empty() {
            let help = format!("write `{name}(0,0)<0;1,0>` to read the one element in every lane");
            let place = Span::new(spans.name.end, spans.region.end);
            table::declared(view, diagnostic, operand).help(help).replace(place, "(0,0)<0;1,0>", false)
        } else {
            declared(view, diagnostic, operand, end)
        };
        match root {
            Some(root) if is_inside_root => {
                diagnostic.note(format!("what lies there belongs to `{}`", program.variable_name(root)))
            }
            _ => diagnostic.note("a row is one register, a column one element"),
        }
    });
}

/// Whether the operand touches more than its variable has, on some platform in question.
#[must_use]
pub fn is_beyond(view: &View, operand: &Operand, slot: &OperandSlot) -> bool {
    let fails = |grf_bytes| {
        accessed(view, operand, slot, grf_bytes).is_some_and(|(footprint, bytes)| {
            footprint.start + bytes > own_bytes(view.cx.program, &footprint, grf_bytes)
        })
    };
    !view.cx.failing_grf(fails).is_empty()
}

/// What the operand touches: its footprint, and how many bytes from the start of that. A few instructions read other
/// elements than the region says.
#[must_use]
pub fn accessed(view: &View, operand: &Operand, slot: &OperandSlot, grf_bytes: u32) -> Option<(Footprint, i64)> {
    let footprint = Footprint::new(view.cx.program, operand, super::n_lanes(view, slot), grf_bytes)?;
    let footprint = if let Some(elements) = slot.elements {
        let n = u32::try_from(view.evaluate(elements, grf_bytes, footprint.element_bytes)?).ok()?;
        footprint.with_region(Region::CONTIGUOUS, n)
    } else if slot.packed && !footprint.region.is_scalar() {
        footprint.with_region(Region::CONTIGUOUS, view.exec_size())
    } else {
        footprint
    };
    let extent = footprint.extent();
    let bytes = if slot.second_block { block_distance(extent, grf_bytes) + extent } else { extent };
    Some((footprint, bytes))
}

/// Bytes from the first to the second block of a destination that has two.
#[must_use]
pub fn block_distance(block_bytes: i64, grf_bytes: u32) -> i64 {
    let grf_bytes = i64::from(grf_bytes);
    (block_bytes + grf_bytes - 1) / grf_bytes * grf_bytes
}

/// Bytes of the variable; a variable of unknown size is large enough for every operand.
fn own_bytes(program: &Program, footprint: &Footprint, grf_bytes: u32) -> i64 {
    match program.variable_bytes(footprint.variable, grf_bytes) {
        0 => i64::MAX,
        bytes => i64::from(bytes),
    }
}
