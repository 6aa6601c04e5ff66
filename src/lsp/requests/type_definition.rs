//! From a variable to the declaration at the end of its alias chain.

use crate::lsp::ask::Ask;
use crate::lsp::names::{self, Namespace};
use gen_lsp_types::{Location, TypeDefinitionParams};

/// Answers the request.
#[must_use]
pub fn type_definition(ask: &Ask, parameters: &TypeDefinitionParams) -> Option<Location> {
    let offset = ask.offset(parameters.text_document_position_params.position);
    let found = names::find(&ask.analysis, offset)?;
    let Namespace::Variable(Some(variable)) = found.namespace else { return None };
    let program = &ask.analysis.program;
    let root = program.variables[variable].root;
    root.predefined().is_none().then(|| ask.location(program.variable_spans[root].name))
}
