//! All places of a name.

use crate::lsp::ask::Ask;
use crate::lsp::names::{self, Use};
use gen_lsp_types::{Location, ReferenceParams};

/// Answers the request.
#[must_use]
pub fn references(ask: &Ask, parameters: &ReferenceParams) -> Option<Vec<Location>> {
    let offset = ask.offset(parameters.text_document_position_params.position);
    let found = names::find(&ask.analysis, offset)?;
    let wanted = found.mentions.iter().filter(|m| parameters.context.include_declaration || m.is != Use::Declared);
    Some(wanted.map(|m| ask.location(m.span)).collect())
}
