//! The places of a name in view: reads and writes apart, of the same bytes under any name, and the rest of the variable.

use crate::base::span::Span;
use crate::lsp::ask::Ask;
use crate::lsp::names::{self, Use};
use crate::lsp::touched;
use gen_lsp_types::{DocumentHighlight, DocumentHighlightKind, DocumentHighlightParams};
use rustc_hash::{FxHashMap, FxHashSet};

/// Answers the request.
#[must_use]
pub fn document_highlight(ask: &Ask, parameters: &DocumentHighlightParams) -> Option<Vec<DocumentHighlight>> {
    let offset = ask.offset(parameters.text_document_position_params.position);
    let found = names::find(&ask.analysis, offset)?;
    let mut places: FxHashMap<Span, DocumentHighlightKind> = FxHashMap::default();
    let (mut is_operand, mut own) = (false, FxHashSet::default());
    if let Some(object) = touched::object_around(&ask.analysis, offset)
        && let Some(place) = touched::place(&ask.analysis, &found, offset)
    {
        let touches = ask.analysis.touches();
        is_operand = place.is_operand;
        own = touches.named(place.root).map(|t| t.name).collect();
        for touch in place.touched(touches, object) {
            let kind = if touch.writes { DocumentHighlightKind::Write } else { DocumentHighlightKind::Read };
            places.insert(touch.name, kind);
        }
    }
    for mention in &found.mentions {
        let kind = match mention.is {
            // Another part of the variable than the operand under the cursor.
            _ if is_operand && own.contains(&mention.span) => DocumentHighlightKind::Text,
            Use::Declared | Use::Named => DocumentHighlightKind::Text,
            Use::Read => DocumentHighlightKind::Read,
            Use::Written | Use::Changed => DocumentHighlightKind::Write,
        };
        places.entry(mention.span).or_insert(kind);
    }
    // The place of a predicate before an instruction is that of its parentheses; its name is there as a mention.
    places.retain(|span, _| !ask.analysis.text_of(*span).starts_with('('));
    let mut all: Vec<_> = places.into_iter().collect();
    all.sort_unstable_by_key(|(span, _)| *span);
    Some(all.into_iter().map(|(span, kind)| DocumentHighlight::new(ask.range(span), Some(kind))).collect())
}
