//! The bytes that a place of the text stands for, and the other places that touch them.

use super::analysis::Analysis;
use super::ask::Ask;
use super::names::{Found, Namespace, object_at};
use super::site::{Site, site_at};
use crate::program::{Object, VariableId};
use crate::reading::bytes::meet;
use crate::reading::reach::{self, Reach};
use crate::reading::{Touch, Touches};
use std::ops::Range;

/// The place where bytes are read or written that the cursor stands on.
#[must_use]
pub fn touch_at(analysis: &Analysis, offset: u32) -> Option<Touch> {
    let site = site_at(analysis, offset)?;
    let (Site::Operand(index, _) | Site::Predicate(index)) = site else { return None };
    let whole = site.span(analysis);
    let all = analysis.touches().of_instruction(index);
    let inside = |t: &&Touch| whole.start <= t.name.start && t.name.end <= whole.end;
    let here = |t: &&Touch| t.name.start <= offset && offset <= t.name.end;
    let found = all.iter().filter(inside).find(here).or_else(|| {
        // An LSC address may name several variables.
        let mut inside = all.iter().filter(inside);
        inside.next().filter(|_| inside.next().is_none())
    });
    found.copied()
}

/// The kernel or function around a place.
#[must_use]
pub fn object_around(analysis: &Analysis, offset: u32) -> Option<&Object> {
    object_at(analysis, offset).map(|id| &analysis.program.objects[id])
}

/// Bytes of a root variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The variable at the end of the alias chain.
    pub root: VariableId,
    /// The bytes, in their order.
    pub ranges: Vec<Range<u32>>,
    /// Whether they are those of one operand; else they are those of a whole variable.
    pub is_operand: bool,
}

/// The bytes that a name stands for: those of the operand around the cursor, or all of the variable.
#[must_use]
pub fn place(analysis: &Analysis, found: &Found, offset: u32) -> Option<Place> {
    let touches = analysis.touches();
    if let Some(touch) = touch_at(analysis, offset).filter(|t| t.root != VariableId::NULL) {
        return Some(Place { root: touch.root, ranges: touches.ranges(&touch).to_vec(), is_operand: true });
    }
    let Namespace::Variable(Some(variable)) = found.namespace else { return None };
    let p = &analysis.program;
    let start = p.variables[variable].root_offset.max(0) as u32;
    let end = start.saturating_add(p.variable_bytes(variable, analysis.grf_bytes()).max(1));
    Some(Place { root: p.variables[variable].root, ranges: std::iter::once(start..end).collect(), is_operand: false })
}

impl Place {
    /// The places of the object that name these bytes.
    pub fn touched<'t>(&'t self, touches: &'t Touches, object: &Object) -> impl Iterator<Item = &'t Touch> {
        let instructions = object.instructions.clone();
        touches
            .named(self.root)
            .filter(move |t| instructions.contains(&t.instruction.0))
            .filter(|t| meet(touches.ranges(t), &self.ranges))
    }
}

/// What the bytes under the cursor were last written by, if they are read there, and what reads them next, if they are
/// written there.
#[must_use]
pub fn reach(ask: &Ask, touch: &Touch) -> Option<(Option<Reach>, Option<Reach>)> {
    let analysis = &ask.analysis;
    let object = &analysis.program.objects[analysis.program.object_of(touch.instruction)];
    let touches = analysis.touches();
    let last = touch.reads.then(|| reach::last_writes(&analysis.program, object, touches, touch));
    let next = touch.writes.then(|| reach::next_reads(&analysis.program, object, touches, touch));
    Some((last, next))
}
