//! The places of a name in view, reads and writes apart.

use crate::lsp::ask::Ask;
use crate::lsp::names::{self, Use};
use gen_lsp_types::{DocumentHighlight, DocumentHighlightKind, DocumentHighlightParams};

/// Answers the request.
#[must_use]
pub fn document_highlight(ask: &Ask, parameters: &DocumentHighlightParams) -> Option<Vec<DocumentHighlight>> {
    let offset = ask.offset(parameters.text_document_position_params.position);
    let found = names::find(&ask.analysis, offset)?;
    let highlights = found.mentions.iter().map(|m| {
        let kind = match m.is {
            Use::Declared | Use::Named => DocumentHighlightKind::Text,
            Use::Read => DocumentHighlightKind::Read,
            Use::Written | Use::Changed => DocumentHighlightKind::Write,
        };
        DocumentHighlight::new(ask.range(m.span), Some(kind))
    });
    Some(highlights.collect())
}
