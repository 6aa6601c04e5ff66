//! Renaming of variables, labels and functions.

use crate::base::diagnostic::Edit;
use crate::base::span::Span;
use crate::lsp::ask::{Ask, Refusal};
use crate::lsp::names::{self, Found, Namespace};
use crate::program::VariableId;
use crate::spec::words::{self, Reserved};
use gen_lsp_types::{PrepareRenameParams, PrepareRenamePlaceholder, RenameParams, WorkspaceEdit};

/// Says what would be renamed.
///
/// # Errors
/// If what stands there cannot be renamed.
pub fn prepare(ask: &Ask, parameters: &PrepareRenameParams) -> Result<Option<PrepareRenamePlaceholder>, Refusal> {
    let offset = ask.offset(parameters.text_document_position_params.position);
    let Some(found) = names::find(&ask.analysis, offset) else { return Ok(None) };
    renamable(ask, &found)?;
    Ok(Some(PrepareRenamePlaceholder::new(ask.range(found.here), ask.analysis.text_of(found.here).to_owned())))
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
    check_name(ask, &found, new)?;
    let edits: Vec<Edit> = found.mentions.iter().map(|m| Edit { span: m.span, text: new.to_owned() }).collect();
    Ok(Some(ask.edit(&edits)))
}

fn renamable(ask: &Ask, found: &Found) -> Result<(), Refusal> {
    let name = ask.analysis.text_of(found.here);
    if let Some((host, (view, all))) = ask.host.as_ref().map(|(a, i)| (&a.text, (&a.fragments[*i], &a.fragments))) {
        let is_written = |span: Span| {
            let place = view.fragment.pasted.text.run(span);
            place.is_some_and(|p| p.of(host.as_str()) == ask.analysis.text_of(span))
        };
        if view.operand_named(name).is_some() {
            let name = view.fragment.words(name);
            return Err(Refusal::failed(format!("`{name}` is an operand of the statement")));
        }
        if view.is_shared(all, name) {
            return Err(Refusal::failed(format!("`{name}` stands in other statements of this function, too")));
        }
        if !found.mentions.iter().all(|m| is_written(m.span)) {
            return Err(Refusal::failed(format!(
                "`{name}` is put together from several pieces of the host, or a macro"
            )));
        }
    }
    match found.namespace {
        Namespace::Variable(Some(variable)) if variable.predefined().is_some() => {
            Err(Refusal::failed(format!("`{name}` is predefined")))
        }
        Namespace::Variable(None) => Err(Refusal::failed(format!("`{name}` is not declared"))),
        _ => Ok(()),
    }
}

fn check_name(ask: &Ask, found: &Found, new: &str) -> Result<(), Refusal> {
    let p = &ask.analysis.program;
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
    if new == ask.analysis.text_of(found.here) {
        return Ok(());
    }
    let Some(symbol) = p.names.lookup(new) else { return Ok(()) };
    let is_taken = match (found.namespace, found.object) {
        (Namespace::Variable(_), Some(object)) => {
            p.objects[object].variables.clone().any(|v| p.variables[VariableId(v)].name == symbol)
        }
        (Namespace::Label, Some(object)) => {
            let labels = p.objects[object].labels.clone();
            p.labels.as_slice()[labels.start as usize..labels.end as usize].iter().any(|l| l.name == symbol)
        }
        _ => p.objects.iter().any(|o| o.name == symbol),
    };
    if is_taken { Err(Refusal::failed(format!("`{new}` is already declared"))) } else { Ok(()) }
}
