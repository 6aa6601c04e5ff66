//! Colours by meaning: what a grammar of regular expressions cannot tell, such as what is written and what is predefined.

use crate::base::span::Span;
use crate::lsp::ask::Ask;
use crate::lsp::names::{self, Event, Place, Use};
use crate::program::{Operand, VariableId};
use crate::spec::predefined::Writable;
use gen_lsp_types::{SemanticToken, SemanticTokens, SemanticTokensRangeParams};

/// Kinds of tokens; their places here are their numbers.
pub const TYPES: [&str; 9] =
    ["function", "property", "variable", "label", "keyword", "number", "type", "enumMember", "namespace"];

/// Modifiers; their places here are their bits.
pub const MODIFIERS: [&str; 4] = ["declaration", "modification", "readonly", "defaultLibrary"];

const FUNCTION: u32 = 0;
const PROPERTY: u32 = 1;
const VARIABLE: u32 = 2;
const LABEL: u32 = 3;
const KEYWORD: u32 = 4;
const NUMBER: u32 = 5;
const TYPE: u32 = 6;
const ENUM_MEMBER: u32 = 7;
const NAMESPACE: u32 = 8;

const DECLARATION: u32 = 1;
const MODIFICATION: u32 = 2;
const READONLY: u32 = 4;
const PREDEFINED: u32 = 8;

/// Of a text larger than this, which is some 50,000 lines, only what is in view is coloured by meaning: clients that can
/// then ask for ranges.
const LARGEST_TEXT: usize = 4 << 20;

/// The tokens of a document; nothing for a large one.
#[must_use]
pub fn full(ask: &Ask) -> Option<SemanticTokens> {
    if ask.options.host.is_some() {
        return in_host(ask, Span::new(0, u32::MAX));
    }
    let length = ask.analysis.text.as_str().len();
    (length <= LARGEST_TEXT).then(|| tokens(ask, Span::new(0, length as u32)))
}

/// The tokens of a range.
#[must_use]
pub fn range(ask: &Ask, parameters: &SemanticTokensRangeParams) -> Option<SemanticTokens> {
    let span = ask.span(parameters.range);
    if ask.options.host.is_some() { in_host(ask, span) } else { Some(tokens(ask, span)) }
}

/// The tokens of the fragments of a host source; nothing if it has none, so that those of another server are shown.
fn in_host(ask: &Ask, range: Span) -> Option<SemanticTokens> {
    let text = &ask.analysis.text;
    let mut all: Vec<(Span, u32, u32)> = Vec::new();
    for (index, view) in ask.analysis.fragments.iter().enumerate() {
        let raw = &view.fragment.raw;
        if raw.span.end < range.start || raw.span.start > range.end {
            continue;
        }
        let inside = ask.inside(index);
        let found = found(&inside, Span::new(0, inside.analysis.text.as_str().len() as u32));
        // What the host does not write as it is pasted, such as the text of a macro, is not coloured.
        all.extend(found.into_iter().filter_map(|(span, kind, modifiers)| {
            let place = view.fragment.pasted.text.run(span)?;
            let (written, pasted) = (place.of(text.as_str()), inside.analysis.text_of(span));
            let is_same = written == pasted || view.operand_named(pasted).is_some() && !written.contains('(');
            is_same.then_some((place, kind, modifiers))
        }));
    }
    // Both branches of an `#if` inside a statement are fragments of the same place.
    all.sort_unstable();
    all.dedup_by_key(|(span, ..)| *span);
    (!ask.analysis.fragments.is_empty()).then(|| encode(ask, &all))
}

fn tokens(ask: &Ask, range: Span) -> SemanticTokens {
    encode(ask, &found(ask, range))
}

/// The tokens of a range, in the order of the text.
fn found(ask: &Ask, range: Span) -> Vec<(Span, u32, u32)> {
    let text = &ask.analysis.text;
    // Whole lines: a statement is read as a whole.
    let lines = Span::new(text.line_span(text.line(range.start)).start, text.line_span(text.line(range.end)).end);
    let mut found: Vec<(Span, u32, u32)> = Vec::new();
    names(ask, lines, &mut found);
    instructions(ask, lines, &mut found);
    declarations(ask, lines, &mut found);
    found.retain(|(span, _, _)| !span.is_empty());
    found.sort_by_key(|(span, _, _)| *span);
    found
}

/// Names: what they name, and whether they are declared or written.
fn names(ask: &Ask, lines: Span, found: &mut Vec<(Span, u32, u32)>) {
    names::walk(&ask.analysis, lines, |event| {
        let Event::Name(span, place) = event else { return };
        let (kind, mut modifiers) = match place {
            Place::DeclaredVariable => (VARIABLE, DECLARATION),
            Place::Variable(Use::Written | Use::Changed) => (VARIABLE, MODIFICATION),
            Place::Variable(_) => (VARIABLE, 0),
            Place::DeclaredLabel => (LABEL, DECLARATION),
            Place::Label => (LABEL, 0),
            Place::DeclaredFunction => (NAMESPACE, DECLARATION),
            Place::Function => (NAMESPACE, 0),
            Place::Unclear => return,
        };
        if kind == VARIABLE
            && let Some(row) = VariableId::of_predefined(ask.analysis.text_of(span)).and_then(VariableId::predefined)
        {
            modifiers |= PREDEFINED;
            if matches!(row.writable, Writable::No) {
                modifiers |= READONLY;
            }
        }
        found.push((span, kind, modifiers));
    });
}

fn instructions(ask: &Ask, lines: Span, found: &mut Vec<(Span, u32, u32)>) {
    let p = &ask.analysis.program;
    let spans = p.instruction_spans.as_slice();
    let first = spans.partition_point(|s| s.statement.end < lines.start);
    for (instruction, spans) in p.instructions.as_slice()[first..]
        .iter()
        .zip(&spans[first..])
        .take_while(|(_, s)| s.statement.start < lines.end)
    {
        if instruction.spec.is_some() {
            found.push((spans.mnemonic, FUNCTION, 0));
        }
        found
            .extend(p.modifiers_of(instruction).iter().map(|m| (Span::new(m.span.start + 1, m.span.end), PROPERTY, 0)));
        if instruction.has_exec {
            found.push((spans.mask, ENUM_MEMBER, 0));
            found.push((spans.size, NUMBER, 0));
        }
        for place in instruction.operands() {
            let parts = &p.operand_spans[place];
            match p.operands[place] {
                Operand::Immediate { .. } => {
                    let number = Span::new(
                        parts.whole.start,
                        if parts.suffix.is_empty() { parts.whole.end } else { parts.suffix.start },
                    );
                    found.push((number, NUMBER, 0));
                    found.push((
                        Span::new(parts.suffix.start + 1, parts.suffix.end.max(parts.suffix.start + 1)),
                        TYPE,
                        0,
                    ));
                }
                Operand::Number { .. } => found.push((parts.whole, NUMBER, 0)),
                Operand::Keyword { .. } => found.push((parts.whole, ENUM_MEMBER, 0)),
                Operand::LscData { .. } | Operand::Indirect { .. } if !parts.suffix.is_empty() => {
                    found.push((Span::new(parts.suffix.start + 1, parts.suffix.end), TYPE, 0));
                }
                _ => {}
            }
        }
    }
}

fn declarations(ask: &Ask, lines: Span, found: &mut Vec<(Span, u32, u32)>) {
    let p = &ask.analysis.program;
    let spans = p.variable_spans.as_slice();
    let first = spans.partition_point(|s| s.statement.end < lines.start);
    for s in spans[first..].iter().take_while(|s| s.statement.start < lines.end) {
        // Predefined variables are declared nowhere.
        if s.statement.is_empty() {
            continue;
        }
        found.push((Span::new(s.statement.start, s.statement.start + ".decl".len() as u32), KEYWORD, 0));
        found.push((s.element_type, TYPE, 0));
        found.push((s.n_elements, NUMBER, 0));
        found.push((s.align, ENUM_MEMBER, 0));
    }
    let first = p.attributes.partition_point(|a| a.statement.end < lines.start);
    for attribute in p.attributes[first..].iter().take_while(|a| a.statement.start < lines.end) {
        found.push((attribute.name_span, PROPERTY, 0));
    }
}

/// Positions relative to the token before. Tokens do not overlap and do not cross lines.
fn encode(ask: &Ask, found: &[(Span, u32, u32)]) -> SemanticTokens {
    let mut data = Vec::with_capacity(found.len());
    let (mut line, mut column, mut end) = (0, 0, 0);
    for (span, kind, modifiers) in found {
        let place = ask.range(*span);
        if span.start < end || place.start.line != place.end.line {
            continue;
        }
        end = span.end;
        let delta_line = place.start.line - line;
        let delta_start = if delta_line == 0 { place.start.character - column } else { place.start.character };
        (line, column) = (place.start.line, place.start.character);
        data.push(SemanticToken {
            delta_line,
            delta_start,
            length: place.end.character - place.start.character,
            token_type: *kind,
            token_modifiers_bitset: *modifiers,
        });
    }
    SemanticTokens { result_id: None, data }
}
