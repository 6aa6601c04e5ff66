//! Drawings of the operands in which faults stand, for reports that have room for them.

use crate::base::id::Id as _;
use crate::lower;
use crate::program::{InstructionIndex, Program, View};
use crate::reading::drawing::{self, Drawn};
use crate::report::Finding;

/// So many findings of one text are drawn.
const MAX_DRAWN: usize = 1000;

/// Draws the operands in which the findings of a vISA text stand, where registers have `grf_bytes` bytes.
pub(super) fn add(findings: &mut [Finding], text: &str, grf_bytes: u32) {
    if findings.is_empty() {
        return;
    }
    let program = lower::lower(text);
    for finding in findings.iter_mut().take(MAX_DRAWN) {
        finding.drawing = at(&program, finding.diagnostic.primary.span.start, grf_bytes);
    }
}

fn at(program: &Program, offset: u32, grf_bytes: u32) -> Option<String> {
    let spans = program.instruction_spans.as_slice();
    let index = spans.partition_point(|spans| spans.statement.start <= offset).checked_sub(1)?;
    let view = View::new(program, InstructionIndex::from_index(index))?;
    let (operand, _, slot) = view.each_operand().find(|(_, spans, _)| spans.whole.contains(offset))?;
    let Drawn { words, drawing, legend } = drawing::of_operand(&view, operand, slot, grf_bytes)?;
    Some(format!("{words}\n{drawing}{legend}"))
}
