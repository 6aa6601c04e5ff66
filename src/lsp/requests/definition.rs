//! Go to definition and declaration.

use crate::lsp::ask::Ask;
use crate::lsp::{names, sources, uri};
use gen_lsp_types::{Definition, DefinitionParams, DefinitionResponse, Location, LocationLink, Position, Range};

/// Answers the request.
#[must_use]
pub fn definition(ask: &Ask, parameters: &DefinitionParams) -> Option<DefinitionResponse> {
    let offset = ask.offset(parameters.text_document_position_params.position);
    if let Some((host, view)) = ask.view()
        && let Some((index, name)) = view.operand_at(offset)
    {
        let target = host.range(view.origin(index)?, ask.client.encoding);
        if !ask.client.links {
            return Some(Definition::Location(Location::new(ask.uri.into(), target)).into());
        }
        let link = LocationLink::new(Some(ask.range(name)), ask.uri.into(), target, target);
        return Some(DefinitionResponse::DefinitionLinkList(vec![link]));
    }
    if let Some(source) = sources::source_line_at(&ask.analysis, offset) {
        let path = sources::path(ask.uri, source.file)?;
        let place = Position::new(source.line - 1, 0);
        let target = Location::new(uri::from_path(&path).into(), Range::new(place, place));
        return Some(Definition::Location(target).into());
    }
    let found = names::find(&ask.analysis, offset)?;
    let places: Vec<_> = found.declarations().collect();
    if places.is_empty() {
        return None;
    }
    if !ask.client.links {
        return Some(Definition::LocationList(places.into_iter().map(|s| ask.location(s)).collect()).into());
    }
    let links = places.into_iter().map(|span| {
        let text = &ask.analysis.text;
        // A line of a fragment may stand on several of the host.
        let line = if ask.host.is_some() { span } else { text.line_span(text.line(span.start)) };
        LocationLink::new(Some(ask.range(found.here)), ask.uri.into(), ask.range(line), ask.range(span))
    });
    Some(DefinitionResponse::DefinitionLinkList(links.collect()))
}
