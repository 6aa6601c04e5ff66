//! Open documents, and what was last worked out about each.

use super::analysis::Analysis;
use super::settings::Rules;
use super::text::{Encoding, Text};
use crate::base::diagnostic::Diagnostic;
use crate::base::span::Span;
use crate::checks::Options;
use crate::config::Known;
use crate::lower::reread::TextEdit;
use gen_lsp_types::TextDocumentContentChangeEvent as Change;
use std::sync::Arc;

/// An open document.
#[derive(Debug)]
pub struct Document {
    /// As the client writes it.
    pub uri: String,
    /// The client's number of this version.
    pub version: i32,
    /// How many changes there were; unlike the client's number, it also counts changes of the configuration.
    pub revision: u64,
    /// How it is checked.
    pub options: Arc<Options>,
    /// Whether the settings leave it out, so that nothing is reported.
    pub is_excluded: bool,
    /// What is known and not reported, and the path of the document there.
    pub known: Option<(Arc<Known>, String)>,
    /// The text.
    pub text: Arc<Text>,
    /// What was last worked out, perhaps about an earlier text.
    last: Option<Arc<Analysis>>,
    /// What changed since then; nothing if `last` is up to date.
    stale: Option<TextEdit>,
    /// What the slow checks found in this or an earlier text; the places are those of the present text.
    pub slow_findings: Vec<Diagnostic>,
    /// The revision that the slow checks have seen.
    pub slow_revision: Option<u64>,
    /// Whether findings have to be worked out and sent.
    pub is_dirty: bool,
    /// The revision that is being read beside the main loop.
    pub in_flight: Option<u64>,
}

impl Document {
    /// A document that was just opened. Its revisions count from `revision` on: no two documents ever share one, so that
    /// what was worked out about one that was closed is not taken for another that was opened under its name.
    #[must_use]
    pub fn new(uri: String, version: i32, text: String, revision: u64, rules: Rules) -> Self {
        Self {
            uri,
            version,
            revision,
            options: rules.options,
            is_excluded: rules.is_excluded,
            known: rules.known,
            text: Arc::new(Text::new(text)),
            last: None,
            stale: None,
            slow_findings: Vec::new(),
            slow_revision: None,
            is_dirty: true,
            in_flight: None,
        }
    }

    /// Applies changes in their order, each to the result of the one before.
    pub fn change(&mut self, version: i32, mut changes: Vec<Change>, encoding: Encoding) {
        self.version = version;
        self.touch();
        // What comes before the last change of the whole text leaves no trace.
        let is_whole = |change: &Change| matches!(change, Change::TextDocumentContentChangeWholeDocument(_));
        if let Some(last) = changes.iter().rposition(is_whole) {
            changes.drain(..last);
        }
        for change in changes {
            match change {
                Change::TextDocumentContentChangeWholeDocument(whole) => {
                    let old = Span::new(0, self.text.as_str().len() as u32);
                    self.note(old, whole.text.len() as u32);
                    self.slow_findings.clear();
                    self.text = Arc::new(Text::new(whole.text));
                }
                Change::TextDocumentContentChangePartial(part) => {
                    let span = self.text.span(part.range, encoding);
                    self.note(span, part.text.len() as u32);
                    self.move_slow_findings(span, part.text.len() as u32);
                    Arc::make_mut(&mut self.text).replace(span, &part.text);
                }
            }
        }
    }

    /// Says that what was worked out does not hold any more.
    pub fn touch(&mut self) {
        self.revision += 1;
        self.is_dirty = true;
    }

    /// Takes other settings, and forgets what was worked out with the earlier ones.
    pub fn set_rules(&mut self, rules: Rules) {
        self.options = rules.options;
        self.is_excluded = rules.is_excluded;
        self.known = rules.known;
        self.touch();
        self.last = None;
        self.stale = None;
        self.slow_findings.clear();
        self.slow_revision = None;
    }

    fn note(&mut self, span: Span, n_new: u32) {
        if self.last.is_some() {
            let edit = TextEdit { start: span.start, old_end: span.start, new_end: span.start };
            self.stale.get_or_insert(edit).add(span, n_new);
        }
    }

    /// Moves what the slow checks found with the text around it; what was touched itself is dropped.
    fn move_slow_findings(&mut self, edited: Span, n_new: u32) {
        let moved = |s: &mut Span| {
            let is_behind = s.start > edited.end;
            if is_behind {
                *s = Span::new(s.start - edited.len() + n_new, s.end - edited.len() + n_new);
            }
            is_behind || s.end < edited.start
        };
        self.slow_findings.retain_mut(|d| {
            let own = moved(&mut d.primary.span);
            let others = d.secondary.iter_mut().all(|l| moved(&mut l.span));
            // The edits of a fix hold for the text that was checked.
            d.fix = None;
            own && others
        });
    }

    /// Takes what was worked out about the present text.
    pub fn set_analysis(&mut self, analysis: Arc<Analysis>) {
        self.last = Some(analysis);
        self.stale = None;
    }

    /// What the present text says.
    pub fn analysis(&mut self) -> Arc<Analysis> {
        match &self.last {
            Some(last) if self.stale.is_none() => Arc::clone(last),
            _ => {
                let new = Arc::new(Analysis::of_text(Arc::clone(&self.text), self.before(), &self.options));
                self.set_analysis(Arc::clone(&new));
                new
            }
        }
    }

    /// What was last worked out, and how the text was edited since.
    #[must_use]
    pub fn before(&self) -> Option<(Arc<Analysis>, TextEdit)> {
        Some((Arc::clone(self.last.as_ref()?), self.stale?))
    }

    /// What was last worked out, without working anything out, and where a place of the present text was then.
    #[must_use]
    pub fn last_analysis(&self, offset: u32) -> Option<(Arc<Analysis>, u32)> {
        let last = Arc::clone(self.last.as_ref()?);
        let offset = match self.stale {
            Some(w) if offset >= w.new_end => offset - w.new_end + w.old_end,
            Some(w) => offset.min(w.start),
            None => offset,
        };
        Some((last, offset))
    }

    /// Whether `last_analysis` is about the present text.
    #[must_use]
    pub fn is_analysed(&self) -> bool {
        self.last.is_some() && self.stale.is_none()
    }
}
