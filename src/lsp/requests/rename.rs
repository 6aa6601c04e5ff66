//! Renaming of variables, labels and functions.

use crate::base::diagnostic::Edit;
use crate::base::span::Span;
use crate::host::template::UNIQUE;
use crate::lsp::analysis::Analysis;
use crate::lsp::ask::{Ask, Refusal, workspace_edit};
use crate::lsp::host::places;
use crate::lsp::names::{self, Found, Namespace};
use crate::program::VariableId;
use crate::spec::words::{self, Reserved};
use gen_lsp_types::{PrepareRenameParams, PrepareRenamePlaceholder, RenameParams, TextEdit, WorkspaceEdit};
use std::collections::BTreeSet;

/// Says what would be renamed.
///
/// # Errors
/// If what stands there cannot be renamed.
pub fn prepare(ask: &Ask, parameters: &PrepareRenameParams) -> Result<Option<PrepareRenamePlaceholder>, Refusal> {
    let offset = ask.offset(parameters.text_document_position_params.position);
    let Some(found) = names::find(&ask.analysis, offset) else { return Ok(None) };
    renamable(ask, &found)?;
    in_host(ask, &found)?;
    let here = without_unique(ask, found.here);
    Ok(Some(PrepareRenamePlaceholder::new(ask.range(here), ask.analysis.text_of(here).to_owned())))
}

/// Answers the request.
///
/// # Errors
/// If what stands there cannot be renamed, or not to that.
pub fn rename(ask: &Ask, parameters: &RenameParams) -> Result<Option<WorkspaceEdit>, Refusal> {
    let offset = ask.offset(parameters.text_document_position_params.position);
    let Some(found) = names::find(&ask.analysis, offset) else { return Ok(None) };
    renamable(ask, &found)?;
    let new = parameters.new_name.as_str();
    let Some((host, places)) = in_host(ask, &found)? else {
        if new != ask.analysis.text_of(found.here) {
            check_name(&ask.analysis, &found, new, "")?;
        }
        let edits: Vec<Edit> = found.mentions.iter().map(|m| Edit { span: m.span, text: new.to_owned() }).collect();
        return Ok(Some(ask.edit(&edits)));
    };
    // Labels keep the number that is each statement's own.
    let new = new.strip_suffix("%=").or_else(|| new.strip_suffix("${:uid}")).unwrap_or(new);
    let suffix = if ask.analysis.text_of(found.here).ends_with(UNIQUE) { UNIQUE } else { "" };
    let is_same = new == ask.analysis.text_of(without_unique(ask, found.here));
    for index in places.iter().map(|(index, _)| *index).filter(|_| !is_same).collect::<BTreeSet<_>>() {
        let found = Found { object: names::object_at(&host.fragments[index].analysis, 0), ..found.clone() };
        check_name(&host.fragments[index].analysis, &found, new, suffix)?;
    }
    let spans: BTreeSet<Span> = places.into_iter().map(|(_, span)| span).collect();
    let edit = |span: Span| TextEdit::new(host.text.range(span, ask.client.encoding), new.to_owned());
    Ok(Some(workspace_edit(ask.client, ask.uri, ask.version, spans.into_iter().map(edit).collect())))
}

/// The part of a label before the number that is each statement's own.
fn without_unique(ask: &Ask, span: Span) -> Span {
    let written = ask.analysis.text_of(span);
    let length = if ask.host.is_some() { written.strip_suffix(UNIQUE).map(str::len) } else { None };
    length.map_or(span, |n| Span::new(span.start, span.start + n as u32))
}

/// Places in a host, each with the number of its statement.
type Places = Vec<(usize, Span)>;

/// Where a name of a fragment is written in the host, in all statements and macros that share it, each with the statement;
/// nothing if the document is no host source.
fn in_host<'a>(ask: &'a Ask, found: &Found) -> Result<Option<(&'a Analysis, Places)>, Refusal> {
    let Some((host, index)) = &ask.host else { return Ok(None) };
    let own = without_unique(ask, found.here);
    let name = ask.analysis.text_of(own);
    let places = places(host, *index, found).into_iter().map(|(index, span)| {
        let mapped = &host.fragments[index].fragment.pasted.text;
        let written = mapped.written(Span::new(span.start, span.start + own.len()));
        written.filter(|w| w.of(host.text.as_str()) == name).map(|w| (index, w))
    });
    match places.collect::<Option<Vec<_>>>() {
        Some(places) => Ok(Some((host, places))),
        None => Err(Refusal::failed(format!("`{name}` is put together from several pieces of the host"))),
    }
}

fn renamable(ask: &Ask, found: &Found) -> Result<(), Refusal> {
    let name = ask.analysis.text_of(found.here);
    if let Some((_, view)) = ask.view()
        && view.operand_named(name).is_some()
    {
        let name = view.fragment.words(name);
        return Err(Refusal::failed(format!("`{name}` is an operand of the statement")));
    }
    match found.namespace {
        Namespace::Variable(Some(variable)) if variable.predefined().is_some() => {
            Err(Refusal::failed(format!("`{name}` is predefined")))
        }
        // It may be declared in another statement.
        Namespace::Variable(None) if is_declared_elsewhere(ask, name) => Ok(()),
        Namespace::Variable(None) => Err(Refusal::failed(format!("`{name}` is not declared"))),
        _ => Ok(()),
    }
}

fn is_declared_elsewhere(ask: &Ask, name: &str) -> bool {
    let program = &ask.analysis.program;
    let is_named = |v| program.names.lookup(name).is_some_and(|symbol| program.variables[VariableId(v)].name == symbol);
    ask.host.is_some() && program.objects.iter().any(|o| o.variables.clone().any(is_named))
}

/// Whether something may have the name `new`, behind which the text writes `suffix`.
fn check_name(analysis: &Analysis, found: &Found, new: &str, suffix: &str) -> Result<(), Refusal> {
    let p = &analysis.program;
    let mut bytes = new.bytes();
    let is_name = bytes.next().is_some_and(|b| b.is_ascii_alphabetic() || b == b'_')
        && bytes.all(|b| b.is_ascii_alphanumeric() || b == b'_');
    if !is_name {
        return Err(Refusal::failed(format!(
            "`{new}` is not a name: names begin with a letter or `_`, and hold letters, digits and `_`"
        )));
    }
    if words::reserved(new) != Reserved::No {
        return Err(Refusal::failed(format!("`{new}` is a reserved word")));
    }
    if VariableId::of_predefined(new).is_some() {
        return Err(Refusal::failed(format!("`{new}` is predefined")));
    }
    let Some(symbol) = p.names.lookup(&format!("{new}{suffix}")) else { return Ok(()) };
    let is_taken = match (found.namespace, found.object) {
        (Namespace::Variable(_), Some(object)) => {
            p.objects[object].variables.clone().any(|v| p.variables[VariableId(v)].name == symbol)
        }
        (Namespace::Label, Some(object)) => p.labels_of(&p.objects[object]).iter().any(|l| l.name == symbol),
        _ => p.objects.iter().any(|o| o.name == symbol),
    };
    if is_taken { Err(Refusal::failed(format!("`{new}` is already declared"))) } else { Ok(()) }
}
