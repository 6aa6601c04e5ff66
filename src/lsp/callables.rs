//! What can be called: kernels and functions, and the subroutines in them. The first subroutine of an object is the object
//! itself: that is where it begins.

use super::analysis::Analysis;
use super::names::object_span;
use crate::base::id::Id as _;
use crate::base::span::Span;
use crate::base::symbol::Symbol;
use crate::program::{InstructionIndex, LabelId, Object, ObjectId, ObjectKind, Operand};
use crate::spec::instruction::Flow;

/// Something that can be called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Callable {
    /// The kernel or function that it is, or stands in.
    pub object: ObjectId,
    /// Its `.function`, if it is a subroutine behind the first one.
    pub label: Option<LabelId>,
    /// The place of its name.
    pub name: Span,
    /// Its text.
    pub whole: Span,
}

/// A call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Call {
    /// The instruction.
    pub instruction: InstructionIndex,
    /// The name of what is called, in the text.
    pub span: Span,
    /// Where it stands, in the list of callables.
    pub caller: usize,
    /// What it calls, in the same list.
    pub callee: usize,
}

/// All callables of a document in the order of the text, and the calls between them.
#[must_use]
pub fn callables(analysis: &Analysis) -> (Vec<Callable>, Vec<Call>) {
    let p = &analysis.program;
    let mut all: Vec<Callable> = Vec::new();
    // The name by which each is called: that of the object by `fcall`, those of subroutines within their object.
    let mut names: Vec<(Option<ObjectId>, Symbol, usize)> = Vec::new();
    for (id, object) in p.objects.entries().filter(|(_, o)| o.kind != ObjectKind::Missing) {
        let whole = object_span(analysis, id);
        let first = all.len();
        let name = if object.name_span.is_empty() { object.span } else { object.name_span };
        names.push((None, object.name, first));
        all.push(Callable { object: id, label: None, name, whole });
        let labels = (object.labels.start..object.labels.end).map(LabelId);
        for (n, label) in labels.filter(|l| p.labels[*l].is_function).enumerate() {
            let row = &p.labels[label];
            if n == 0 {
                names.push((Some(id), row.name, first));
                continue;
            }
            let start = analysis.text.line_span(analysis.text.line(row.span.start)).start;
            if let Some(last) = all.last_mut() {
                last.whole.end = start;
            }
            names.push((Some(id), row.name, all.len()));
            all.push(Callable { object: id, label: Some(label), name: row.span, whole: Span::new(start, whole.end) });
        }
    }
    names.sort_unstable();
    let find = |object: Option<ObjectId>, name: Symbol| {
        let place = names.partition_point(|(o, n, _)| (*o, *n) < (object, name));
        names.get(place).filter(|(o, n, _)| (*o, *n) == (object, name)).map(|(_, _, place)| *place)
    };
    let mut calls = Vec::new();
    for (index, instruction) in p.instructions.entries() {
        let object = match p.row(instruction).map(|row| row.flow) {
            Some(Flow::Call) => Some(p.object_of(index)),
            Some(Flow::FunctionCall) => None,
            _ => continue,
        };
        for (operand, spans) in p.operands_of(instruction).iter().zip(p.operand_spans_of(instruction)) {
            if let Operand::Name { name, .. } = operand
                && let Some(callee) = find(object, *name)
                && let Some(caller) = around(&all, spans.whole.start)
            {
                calls.push(Call { instruction: index, span: spans.whole, caller, callee });
            }
        }
    }
    (all, calls)
}

/// The callable around a place.
#[must_use]
pub fn around(all: &[Callable], offset: u32) -> Option<usize> {
    all.partition_point(|c| c.whole.start <= offset).checked_sub(1)
}

/// What is called, in words.
#[must_use]
pub fn word(analysis: &Analysis, callable: &Callable) -> &'static str {
    match (callable.label, analysis.program.objects[callable.object].kind) {
        (Some(_), _) => "subroutine",
        (None, ObjectKind::Function) => "function",
        (None, _) => "kernel",
    }
}

/// What a kernel or function is made of.
#[must_use]
pub fn describe(analysis: &Analysis, object: &Object) -> String {
    let kind = match object.kind {
        ObjectKind::Function => "function",
        ObjectKind::Kernel | ObjectKind::Fragment | ObjectKind::Missing => "kernel",
    };
    let counted = |n: usize, one: &str| if n == 1 { format!("1 {one}") } else { format!("{n} {one}s") };
    format!(
        "{kind} `{}`: {}, {}, for {}",
        analysis.program.names.name(object.name),
        counted(object.instructions.len(), "instruction"),
        counted(object.variables.len(), "variable"),
        analysis.platforms.describe()
    )
}

/// The name of a callable.
#[must_use]
pub fn name<'a>(analysis: &'a Analysis, callable: &Callable) -> &'a str {
    let p = &analysis.program;
    p.names.name(callable.label.map_or(p.objects[callable.object].name, |label| p.labels[label].name))
}

/// The line of an instruction, counted from 1.
#[must_use]
pub fn line_of(analysis: &Analysis, instruction: InstructionIndex) -> u32 {
    analysis.text.line(analysis.program.instruction_spans[instruction].statement.start) + 1
}

/// Line numbers as a list: `12, 40 and 3 more`.
#[must_use]
pub fn lines(mut all: Vec<u32>) -> String {
    /// More are counted.
    const MAX: usize = 8;
    all.sort_unstable();
    all.dedup();
    let shown: Vec<String> = all.iter().take(MAX).map(u32::to_string).collect();
    let plural = if all.len() == 1 { "" } else { "s" };
    match all.len().saturating_sub(MAX) {
        0 => format!("line{plural} {}", shown.join(", ")),
        more => format!("line{plural} {} and {more} more", shown.join(", ")),
    }
}

/// The number of a callable whose name, or a call of it, stands at a place.
#[must_use]
pub fn at(analysis: &Analysis, all: &[Callable], calls: &[Call], offset: u32) -> Option<usize> {
    let holds = |span: Span| span.start <= offset && offset <= span.end;
    if let Some(call) = calls.iter().find(|c| holds(c.span)) {
        return Some(call.callee);
    }
    let own = all.iter().position(|c| holds(c.name));
    // The `.function` with which an object begins, and labels of the same name.
    own.or_else(|| {
        let p = &analysis.program;
        let place = p.labels.as_slice().partition_point(|l| l.span.start <= offset).checked_sub(1)?;
        let label = p.labels.get(LabelId::from_index(place)).filter(|l| holds(l.span))?;
        let around = around(all, offset)?;
        let first = p.objects[all[around].object].labels.start as usize;
        let begins = p.labels.as_slice()[first..=place].iter().find(|l| l.is_function)?;
        (label.name == begins.name || name(analysis, &all[around]) == p.names.name(label.name)).then_some(around)
    })
}
