//! The outline of a document: kernels and functions with their subroutines, labels and loops, and behind these the
//! variables, by kind.

use crate::base::span::Span;
use crate::lsp::ask::Ask;
use crate::lsp::callables::line_of;
use crate::lsp::names;
use crate::program::cfg::target_names;
use crate::program::{InstructionIndex, LabelId, Object, ObjectId, ObjectKind, VariableId};
use crate::spec::instruction::Flow;
use crate::spec::predefined::VariableKind;
use gen_lsp_types::{
    BaseSymbolInformation, DocumentSymbol, DocumentSymbolResponse, Location, SymbolInformation, SymbolKind,
};
use rustc_hash::FxHashMap;

/// Answers the request.
#[must_use]
pub fn document_symbol(ask: &Ask) -> DocumentSymbolResponse {
    let p = &ask.analysis.program;
    let objects = p.objects.entries().filter(|(_, o)| o.kind != ObjectKind::Missing || !o.variables.is_empty());
    let symbols: Vec<DocumentSymbol> = objects.map(|(id, o)| object(ask, id, o)).collect();
    if ask.client.nested_symbols {
        return DocumentSymbolResponse::DocumentSymbolList(symbols);
    }
    let mut flat = Vec::new();
    // Each symbol with the one that holds it; of groups only what is in them counts.
    let mut open: Vec<(DocumentSymbol, Option<String>)> = symbols.into_iter().rev().map(|s| (s, None)).collect();
    while let Some((mut symbol, container)) = open.pop() {
        let children = symbol.children.take().unwrap_or_default();
        let is_group = symbol.kind == SymbolKind::Namespace;
        let inside = if is_group { container.clone() } else { Some(symbol.name.clone()) };
        open.extend(children.into_iter().rev().map(|child| (child, inside.clone())));
        if !is_group {
            let base = BaseSymbolInformation::new(symbol.name.clone(), symbol.kind, None, container);
            flat.push(SymbolInformation::new(None, Location::new(ask.uri.into(), symbol.range), base));
        }
    }
    DocumentSymbolResponse::SymbolInformationList(flat)
}

fn object(ask: &Ask, id: ObjectId, object: &Object) -> DocumentSymbol {
    let p = &ask.analysis.program;
    let whole = names::object_span(&ask.analysis, id);
    let mut children = code(ask, object, whole);
    children.extend(variables(ask, object));
    let (kind, detail) = match object.kind {
        ObjectKind::Function => (SymbolKind::Function, "function"),
        ObjectKind::Kernel => (SymbolKind::Module, "kernel"),
        ObjectKind::Fragment => (SymbolKind::Module, "fragment"),
        ObjectKind::Missing => (SymbolKind::Module, "statements outside of any kernel"),
    };
    let name = p.names.name(object.name);
    let name = if name.is_empty() { "(nameless)" } else { name };
    let selection = if object.name_span.is_empty() { object.span } else { object.name_span };
    let mut out =
        symbol(ask, name, detail.to_owned(), kind, Span::new(whole.start, whole.end.max(selection.end)), selection);
    out.children = Some(children);
    out
}

/// A part of the code, and where it ends.
struct Part {
    symbol: DocumentSymbol,
    end: u32,
}

/// Subroutines, and in them labels and loops; what stands in a loop stands below it.
fn code(ask: &Ask, object: &Object, whole: Span) -> Vec<DocumentSymbol> {
    let analysis = &ask.analysis;
    let p = &analysis.program;
    let back = last_jumps_back(ask, object);
    let labels: Vec<LabelId> = (object.labels.start..object.labels.end).map(LabelId).collect();
    let start_of = |label: &LabelId| analysis.text.line_span(analysis.text.line(p.labels[*label].span.start)).start;
    let mut functions = labels.iter().filter(|l| p.labels[**l].is_function).skip(1).map(start_of).collect::<Vec<_>>();
    functions.push(whole.end);
    let mut n_functions = 0;
    let mut top = Vec::new();
    let mut open: Vec<Part> = Vec::new();
    let close = |open: &mut Vec<Part>, top: &mut Vec<DocumentSymbol>, at: u32| {
        while let Some(part) = open.pop_if(|part| part.end <= at) {
            match open.last_mut() {
                Some(around) => around.symbol.children.get_or_insert_default().push(part.symbol),
                None => top.push(part.symbol),
            }
        }
    };
    let mut function = None;
    for (n, label) in labels.iter().enumerate() {
        let row = &p.labels[*label];
        // The label with which a subroutine begins has its name.
        if !row.is_function && function == Some((row.name, row.instruction)) {
            continue;
        }
        close(&mut open, &mut top, row.span.start);
        let name = p.names.name(row.name);
        if row.is_function {
            close(&mut open, &mut top, u32::MAX);
            function = Some((row.name, row.instruction));
            let end = last_code(ask, row.span, functions[n_functions]);
            n_functions += 1;
            let reach = Span::new(row.span.start, end);
            let symbol = symbol(ask, name, "subroutine".to_owned(), SymbolKind::Method, reach, row.span);
            open.push(Part { symbol, end });
            continue;
        }
        // A label reaches to the next one, a loop to the last jump back.
        let around = open.last().map_or(whole.end, |part| part.end);
        let (detail, end) = if let Some(jump) = back.get(label) {
            let end = p.instruction_spans[*jump].statement.end;
            (format!("loop to line {}", line_of(analysis, *jump)), end)
        } else {
            let next = labels.get(n + 1).map_or(whole.end, |l| start_of(l).min(p.labels[*l].span.start));
            ("label".to_owned(), last_code(ask, row.span, next))
        };
        let end = end.min(around).max(row.span.end);
        let reach = Span::new(row.span.start, end);
        let kind = if back.contains_key(label) { SymbolKind::Array } else { SymbolKind::Key };
        open.push(Part { symbol: symbol(ask, name, detail, kind, reach, row.span), end });
    }
    close(&mut open, &mut top, u32::MAX);
    top
}

/// For each label that something further down jumps to: the last such jump.
fn last_jumps_back(ask: &Ask, object: &Object) -> FxHashMap<LabelId, InstructionIndex> {
    let p = &ask.analysis.program;
    let labels = (object.labels.start..object.labels.end).map(LabelId);
    let by_name: FxHashMap<_, _> =
        labels.filter(|l| !p.labels[*l].is_function).map(|l| (p.labels[l].name, l)).collect();
    let mut back = FxHashMap::default();
    for (index, instruction) in p.instructions_in(object) {
        if !p.row(instruction).is_some_and(|row| matches!(row.flow, Flow::Jump | Flow::Goto | Flow::Switch)) {
            continue;
        }
        let targets = target_names(p, instruction).filter_map(|name| by_name.get(&name));
        for label in targets.filter(|l| p.labels[**l].instruction <= index.0) {
            back.insert(*label, index);
        }
    }
    back
}

/// The variables of an object, by kind.
fn variables(ask: &Ask, object: &Object) -> Vec<DocumentSymbol> {
    let p = &ask.analysis.program;
    let mut groups = Vec::new();
    for kind in [
        VariableKind::General,
        VariableKind::Predicate,
        VariableKind::Address,
        VariableKind::Surface,
        VariableKind::Sampler,
    ] {
        let own = object.variables.clone().map(VariableId).filter(|v| p.variables[*v].kind == kind);
        let children: Vec<DocumentSymbol> = own
            .clone()
            .map(|variable| {
                let (v, spans) = (&p.variables[variable], &p.variable_spans[variable]);
                let n = v.n_elements;
                let mut detail = match kind {
                    VariableKind::General => format!("{} \u{d7} {n}", v.element_type.text()),
                    kind => format!("{} \u{d7} {n}", kind.word()),
                };
                if v.root != variable {
                    detail += &format!(", byte {} of {}", v.root_offset, p.variable_name(v.root));
                }
                symbol(ask, p.variable_name(variable), detail, SymbolKind::Variable, spans.statement, spans.name)
            })
            .collect();
        let (Some(first), Some(last)) = (own.clone().next(), own.clone().next_back()) else { continue };
        let (first, last) = (&p.variable_spans[first], &p.variable_spans[last]);
        let detail = children.len().to_string();
        let name = format!("{} variables", kind.word());
        let whole = first.statement.to(last.statement);
        let mut group = symbol(ask, &name, detail, SymbolKind::Namespace, whole, first.name);
        group.children = Some(children);
        groups.push(group);
    }
    groups
}

/// Where the text between a label and `end` ends, without blank lines.
fn last_code(ask: &Ask, label: Span, end: u32) -> u32 {
    let between = Span::new(label.end, end.max(label.end));
    label.end + ask.analysis.text_of(between).trim_end().len() as u32
}

fn symbol(ask: &Ask, name: &str, detail: String, kind: SymbolKind, whole: Span, name_span: Span) -> DocumentSymbol {
    DocumentSymbol::new(name.to_owned(), Some(detail), kind, None, None, ask.range(whole), ask.range(name_span), None)
}
