//! What stands at a place of a program.

use super::analysis::Analysis;
use crate::base::id::Id as _;
use crate::base::span::Span;
use crate::program::{InstructionIndex, LabelId, ObjectId, VariableId};
use crate::spec::predefined;

/// Something of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Site {
    /// The mnemonic of an instruction.
    Mnemonic(InstructionIndex),
    /// A modifier: its place in [`crate::program::Program::modifiers`].
    Modifier(InstructionIndex, usize),
    /// The execution mask and size.
    Exec(InstructionIndex),
    /// The predicate before an instruction.
    Predicate(InstructionIndex),
    /// An operand: its place in [`crate::program::Program::operands`].
    Operand(InstructionIndex, usize),
    /// Some other place in an instruction.
    Instruction(InstructionIndex),
    /// A part of a declaration.
    Declaration(VariableId, Span),
    /// A `.kernel_attr`: its place in [`crate::program::Program::attributes`].
    Attribute(usize),
    /// An `.input`: its place in [`crate::program::Program::inputs`].
    Input(usize),
    /// The definition of a label or subroutine.
    Label(LabelId),
    /// The name of a kernel or function.
    Object(ObjectId),
    /// The word of a directive, with its dot.
    Directive(Span),
}

impl Site {
    /// Its place.
    #[must_use]
    pub fn span(self, analysis: &Analysis) -> Span {
        let p = &analysis.program;
        match self {
            Self::Mnemonic(i) => p.instruction_spans[i].mnemonic,
            Self::Modifier(_, place) => p.modifiers[place].span,
            Self::Exec(i) => p.instruction_spans[i].exec,
            Self::Predicate(i) => p.instruction_spans[i].predicate,
            Self::Operand(_, place) => p.operand_spans[place].whole,
            Self::Instruction(i) => p.instruction_spans[i].statement,
            Self::Declaration(_, span) | Self::Directive(span) => span,
            Self::Attribute(place) => p.attributes[place].name_span,
            Self::Input(place) => p.inputs[place].name_span,
            Self::Label(label) => p.labels[label].span,
            Self::Object(object) => p.objects[object].name_span,
        }
    }
}

/// The instruction whose statement holds or ends at a place.
#[must_use]
pub fn instruction_at(analysis: &Analysis, offset: u32) -> Option<InstructionIndex> {
    let spans = analysis.program.instruction_spans.as_slice();
    let index = spans.partition_point(|s| s.statement.start <= offset).checked_sub(1)?;
    (offset <= spans[index].statement.end).then(|| InstructionIndex::from_index(index))
}

/// The variable whose declaration holds or ends at a place.
#[must_use]
pub fn declaration_at(analysis: &Analysis, offset: u32) -> Option<VariableId> {
    let first = predefined::all().len();
    let spans = &analysis.program.variable_spans.as_slice()[first..];
    let index = spans.partition_point(|s| s.statement.start <= offset).checked_sub(1)?;
    (offset <= spans[index].statement.end).then(|| VariableId::from_index(first + index))
}

/// What stands at a place; a place right behind something counts for it if nothing else begins there.
#[must_use]
pub fn site_at(analysis: &Analysis, offset: u32) -> Option<Site> {
    let p = &analysis.program;
    let holds = |span: Span| !span.is_empty() && span.contains(offset);
    let ends = |span: Span| !span.is_empty() && span.end == offset;
    if let Some(index) = instruction_at(analysis, offset) {
        let instruction = &p.instructions[index];
        let spans = &p.instruction_spans[index];
        for is_here in [&holds as &dyn Fn(Span) -> bool, &ends] {
            if is_here(spans.mnemonic) {
                return Some(Site::Mnemonic(index));
            }
            if let Some(place) = instruction.modifiers().find(|m| is_here(p.modifiers[*m].span)) {
                return Some(Site::Modifier(index, place));
            }
            if is_here(spans.exec) {
                return Some(Site::Exec(index));
            }
            if is_here(spans.predicate) {
                return Some(Site::Predicate(index));
            }
            if let Some(place) = instruction.operands().find(|o| is_here(p.operand_spans[*o].whole)) {
                return Some(Site::Operand(index, place));
            }
        }
        return Some(Site::Instruction(index));
    }
    if let Some(variable) = declaration_at(analysis, offset) {
        let s = &p.variable_spans[variable];
        let alias = s.alias.to(if s.alias_offset.is_empty() { s.alias } else { s.alias_offset });
        for is_here in [&holds as &dyn Fn(Span) -> bool, &ends] {
            if let Some(part) =
                [s.name, s.element_type, s.n_elements, s.align, alias].into_iter().find(|part| is_here(*part))
            {
                return Some(Site::Declaration(variable, part));
            }
        }
    }
    let label = p.labels.as_slice().partition_point(|l| l.span.start <= offset).checked_sub(1);
    if let Some(label) = label.filter(|l| offset <= p.labels.as_slice()[*l].span.end) {
        return Some(Site::Label(LabelId::from_index(label)));
    }
    let attribute = p.attributes.partition_point(|a| a.statement.start <= offset).checked_sub(1);
    if let Some(place) =
        attribute.filter(|a| offset <= p.attributes[*a].statement.end && offset >= p.attributes[*a].name_span.start)
    {
        return Some(Site::Attribute(place));
    }
    let input = p.inputs.partition_point(|i| i.directive.start <= offset).checked_sub(1);
    if let Some(place) =
        input.filter(|i| p.inputs[*i].name_span.start <= offset && offset <= p.inputs[*i].name_span.end)
    {
        return Some(Site::Input(place));
    }
    let object = p.objects.as_slice().partition_point(|o| o.span.start <= offset).checked_sub(1);
    if let Some(object) =
        object.filter(|o| holds(p.objects.as_slice()[*o].name_span) || ends(p.objects.as_slice()[*o].name_span))
    {
        return Some(Site::Object(ObjectId::from_index(object)));
    }
    directive_at(analysis, offset).map(Site::Directive)
}

/// The word of a directive at the beginning of the line, if the place is in it.
fn directive_at(analysis: &Analysis, offset: u32) -> Option<Span> {
    let line = analysis.text.line_span(analysis.text.line(offset));
    let text = analysis.text_of(line);
    let start = line.start + (text.len() - text.trim_start().len()) as u32;
    let word = Span::new(start, line.end).of(analysis.text.as_str());
    let length =
        word.strip_prefix('.')?.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count() as u32 + 1;
    (start <= offset && offset <= start + length).then(|| Span::new(start, start + length))
}
