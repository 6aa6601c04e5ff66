//! Growing selections: part of an operand, operand, statement, line, block, kernel, file.

use crate::base::span::Span;
use crate::lsp::ask::Ask;
use crate::lsp::names;
use crate::lsp::site::{Site, declaration_at, instruction_at, site_at};
use gen_lsp_types::{SelectionRange, SelectionRangeParams};

/// Answers the request.
#[must_use]
pub fn selection_range(ask: &Ask, parameters: &SelectionRangeParams) -> Vec<SelectionRange> {
    parameters.positions.iter().map(|position| grow(ask, ask.offset(*position))).collect()
}

fn grow(ask: &Ask, offset: u32) -> SelectionRange {
    let analysis = &ask.analysis;
    let p = &analysis.program;
    let text = &analysis.text;
    let mut spans = vec![word(ask, offset)];
    if let Some(site) = site_at(analysis, offset) {
        if let Site::Operand(_, place) = site {
            let parts = &p.operand_spans[place];
            spans.extend([parts.name, parts.offset, parts.region, parts.suffix]);
        }
        spans.push(site.span(analysis));
    }
    if let Some(index) = instruction_at(analysis, offset) {
        let statement = &p.instruction_spans[index];
        let operands: Vec<Span> = p.operand_spans_of(&p.instructions[index]).iter().map(|s| s.whole).collect();
        if let (Some(first), Some(last)) = (operands.first(), operands.last()) {
            spans.push(first.to(*last));
        }
        spans.push(statement.statement);
    }
    if let Some(id) = declaration_at(analysis, offset) {
        spans.push(p.variable_spans[id].statement);
    }
    let line = text.line_span(text.line(offset));
    spans.push(line);
    if let Some(object) = names::object_at(analysis, offset) {
        let whole = names::object_span(analysis, object);
        let labels = p.labels_of(&p.objects[object]);
        let next = labels.partition_point(|l| l.span.start <= offset);
        if let Some(before) = next.checked_sub(1) {
            let end = labels.get(next).map_or(whole.end, |l| l.span.start);
            spans.push(Span::new(labels[before].span.start, end));
        }
        spans.push(whole);
    }
    spans.push(Span::new(0, text.as_str().len() as u32));

    // Each has to hold the one before; what does not hold the place is left out.
    let mut chain: Vec<Span> = Vec::new();
    spans.retain(|s| s.start <= offset && offset <= s.end);
    spans.sort_by_key(|s| s.len());
    for span in spans {
        match chain.last() {
            Some(last) if *last == span => {}
            Some(last) if last.start < span.start || span.end < last.end => {}
            _ => chain.push(span),
        }
    }
    let mut range: Option<Box<SelectionRange>> = None;
    for span in chain.into_iter().rev() {
        range = Some(Box::new(SelectionRange::new(ask.range(span), range)));
    }
    range.map_or_else(|| SelectionRange::new(ask.range(Span::at(offset)), None), |r| *r)
}

/// The letters, digits and underscores around a place.
fn word(ask: &Ask, offset: u32) -> Span {
    let bytes = ask.analysis.text.as_str().as_bytes();
    let is_part = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
    let before = bytes[..offset as usize].iter().rev().take_while(|b| is_part(b)).count() as u32;
    let after = bytes[offset as usize..].iter().take_while(|b| is_part(b)).count() as u32;
    Span::new(offset - before, offset + after)
}
