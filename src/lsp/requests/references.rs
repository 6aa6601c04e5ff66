//! All places of a name, and those that touch the same bytes under another name.

use crate::lsp::ask::Ask;
use crate::lsp::names::{self, Use};
use crate::lsp::touched;
use gen_lsp_types::{Location, ReferenceParams};

/// Answers the request.
#[must_use]
pub fn references(ask: &Ask, parameters: &ReferenceParams) -> Option<Vec<Location>> {
    let offset = ask.offset(parameters.text_document_position_params.position);
    let found = names::find(&ask.analysis, offset)?;
    let wanted = found.mentions.iter().filter(|m| parameters.context.include_declaration || m.is != Use::Declared);
    let mut spans: Vec<_> = wanted.map(|m| m.span).collect();
    if let Some(object) = touched::object_around(&ask.analysis, offset)
        && let Some(place) = touched::place(&ask.analysis, &found, offset)
    {
        // Those of the own name are there already; the place of a predicate is that of its parentheses.
        let own = ask.analysis.text_of(found.here);
        let touched = place.touched(ask.analysis.touches(), object).map(|t| t.name);
        spans.extend(touched.filter(|span| !ask.analysis.text_of(*span).contains(own)));
        spans.sort_unstable();
        spans.dedup();
    }
    Some(spans.into_iter().map(|span| ask.location(span)).collect())
}
