//! From a read to the writes that may have made its value, and from a write to the reads that may see it.

use crate::lsp::ask::Ask;
use crate::lsp::touched;
use gen_lsp_types::{ImplementationParams, Location};

/// Answers the request.
#[must_use]
pub fn implementation(ask: &Ask, parameters: &ImplementationParams) -> Option<Vec<Location>> {
    let offset = ask.offset(parameters.text_document_position_params.position);
    let touch = touched::touch_at(&ask.analysis, offset)?;
    let (last, next) = touched::reach(ask, &touch)?;
    let places = [last, next].into_iter().flatten().flat_map(|reach| reach.places);
    Some(places.map(|t| ask.location(t.name)).collect())
}
