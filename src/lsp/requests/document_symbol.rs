//! The outline of a document: kernels and functions with their variables and labels.

use crate::base::id::Id as _;
use crate::base::span::Span;
use crate::lsp::ask::Ask;
use crate::lsp::names;
use crate::program::{LabelId, Object, ObjectId, ObjectKind, VariableId};
use crate::spec::predefined::VariableKind;
use gen_lsp_types::{
    BaseSymbolInformation, DocumentSymbol, DocumentSymbolResponse, Location, SymbolInformation, SymbolKind,
};

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
    for symbol in symbols {
        let container = symbol.name.clone();
        for child in symbol.children.iter().flatten() {
            flat.push(information(ask, child, Some(container.clone())));
        }
        flat.push(information(ask, &symbol, None));
    }
    DocumentSymbolResponse::SymbolInformationList(flat)
}

fn information(ask: &Ask, symbol: &DocumentSymbol, container: Option<String>) -> SymbolInformation {
    let base = BaseSymbolInformation::new(symbol.name.clone(), symbol.kind, None, container);
    SymbolInformation::new(None, Location::new(ask.uri.into(), symbol.range), base)
}

fn object(ask: &Ask, id: ObjectId, object: &Object) -> DocumentSymbol {
    let p = &ask.analysis.program;
    let whole = names::object_span(&ask.analysis, id);
    let mut children: Vec<(u32, DocumentSymbol)> = Vec::new();
    for variable in object.variables.clone().map(VariableId) {
        let (v, spans) = (&p.variables[variable], &p.variable_spans[variable]);
        let detail = match v.kind {
            VariableKind::General => format!("{} \u{d7} {}", v.element_type.text(), v.n_elements),
            kind => format!("{} \u{d7} {}", kind.word(), v.n_elements),
        };
        children.push((
            spans.statement.start,
            symbol(ask, p.variable_name(variable), detail, SymbolKind::Variable, spans.statement, spans.name),
        ));
    }
    let labels = object.labels.clone();
    for label in (labels.start..labels.end).map(|l| LabelId::from_index(l as usize)) {
        let l = &p.labels[label];
        // A label reaches to the next one.
        let next = if label.0 + 1 < labels.end { p.labels[LabelId(label.0 + 1)].span.start } else { whole.end };
        let reach = Span::new(l.span.start, last_code(ask, l.span, next));
        let kind = if l.is_function { SymbolKind::Method } else { SymbolKind::Key };
        let detail = if l.is_function { "subroutine" } else { "label" };
        children.push((l.span.start, symbol(ask, p.names.name(l.name), detail.to_owned(), kind, reach, l.span)));
    }
    children.sort_by_key(|(start, _)| *start);
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
    out.children = Some(children.into_iter().map(|(_, s)| s).collect());
    out
}

/// Where the text between a label and `end` ends, without blank lines.
fn last_code(ask: &Ask, label: Span, end: u32) -> u32 {
    let between = Span::new(label.end, end.max(label.end));
    label.end + ask.analysis.text_of(between).trim_end().len() as u32
}

fn symbol(ask: &Ask, name: &str, detail: String, kind: SymbolKind, whole: Span, name_span: Span) -> DocumentSymbol {
    DocumentSymbol::new(name.to_owned(), Some(detail), kind, None, None, ask.range(whole), ask.range(name_span), None)
}
