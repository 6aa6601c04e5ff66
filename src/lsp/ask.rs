//! What a request is asked about, and the small things that all answers need.

use super::analysis::{Analysis, View};
use super::client::Client;
use super::host::view_at;
use super::settings::Settings;
use super::text::Text;
use crate::base::diagnostic::{Diagnostic, Edit};
use crate::base::id::IdVec;
use crate::base::span::Span;
use crate::checks::{Context, Options, PlatformMode};
use crate::config::Known;
use crate::program::{ControlFlow, ObjectId};
use gen_lsp_types::{
    DocumentChange, Location, MarkupContent, MarkupKind, OptionalVersionedTextDocumentIdentifier, Position, Range,
    TextDocumentEdit, TextDocumentIdentifier, TextEdit, Uri, WorkspaceEdit,
};
use lsp_server::ErrorCode;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

/// Answers look at one instruction at a time: none follows the control flow.
static NO_FLOW: LazyLock<IdVec<ObjectId, ControlFlow>> = LazyLock::new(IdVec::new);

/// Why a request is not answered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The protocol's number for it.
    pub code: i32,
    /// In words.
    pub message: String,
}

impl Refusal {
    /// The request can be understood, but not done.
    #[must_use]
    pub fn failed(message: impl Into<String>) -> Self {
        Self { code: ErrorCode::RequestFailed as i32, message: message.into() }
    }

    /// The request makes no sense.
    #[must_use]
    pub fn invalid(message: impl Into<String>) -> Self {
        Self { code: ErrorCode::InvalidParams as i32, message: message.into() }
    }
}

/// One version of a document, and the request for it.
pub struct Ask<'a> {
    /// The document.
    pub uri: &'a str,
    /// The client's number of its version.
    pub version: i32,
    /// What the document says.
    pub analysis: Arc<Analysis>,
    /// What the slow checks found.
    pub slow_findings: &'a [Diagnostic],
    /// How the document is checked.
    pub options: &'a Options,
    /// Whether nothing is reported about it.
    pub is_excluded: bool,
    /// What is known and not reported, and the path of the document there.
    pub known: Option<&'a (Arc<Known>, String)>,
    /// What the client can do.
    pub client: &'a Client,
    /// What is configured.
    pub settings: &'a Settings,
    /// The host source that the document is, if `analysis` is that of one of its fragments, and which one.
    pub host: Option<(Arc<Analysis>, usize)>,
}

impl Ask<'_> {
    /// The fragment that the request is about, if the document is a host source.
    #[must_use]
    pub fn view(&self) -> Option<(&Text, &View)> {
        let (host, index) = self.host.as_ref()?;
        Some((&host.text, &host.fragments[*index]))
    }

    /// The same question about a fragment of the host source.
    #[must_use]
    pub fn inside(&self, index: usize) -> Self {
        let analysis = Arc::clone(&self.analysis.fragments[index].analysis);
        Self { analysis, host: Some((Arc::clone(&self.analysis), index)), ..*self }
    }

    /// The byte of a place.
    #[must_use]
    pub fn offset(&self, position: Position) -> u32 {
        match &self.host {
            // What is asked about a fragment is asked at a place in it.
            Some((host, _)) => {
                let offset = host.text.offset(position, self.client.encoding);
                view_at(host, offset).map_or(0, |(_, offset)| offset)
            }
            None => self.analysis.text.offset(position, self.client.encoding),
        }
    }

    /// The bytes of a range.
    #[must_use]
    pub fn span(&self, range: Range) -> Span {
        self.analysis.text.span(range, self.client.encoding)
    }

    /// The place of some bytes.
    #[must_use]
    pub fn range(&self, span: Span) -> Range {
        match self.view() {
            Some((text, view)) => text.range(view.fragment.place(text.as_str(), span), self.client.encoding),
            None => self.analysis.text.range(span, self.client.encoding),
        }
    }

    /// The place of some bytes, with the document.
    #[must_use]
    pub fn location(&self, span: Span) -> Location {
        Location::new(self.uri.into(), self.range(span))
    }

    /// What checks see, for one register size.
    #[must_use]
    pub fn context(&self) -> Context<'_> {
        Context {
            text: self.analysis.text.as_str(),
            program: &self.analysis.program,
            flow: &NO_FLOW,
            platforms: self.analysis.platforms,
            mode: PlatformMode::OneOf,
            options: self.options,
        }
    }

    /// Changes of this document.
    #[must_use]
    pub fn edit<'e>(&self, edits: impl IntoIterator<Item = &'e Edit>) -> WorkspaceEdit {
        let edits: Vec<TextEdit> =
            edits.into_iter().map(|e| TextEdit::new(self.range(e.span), e.text.clone())).collect();
        workspace_edit(self.client, self.uri, self.version, edits)
    }

    /// Text for people.
    #[must_use]
    pub fn markup(&self, markdown: String) -> MarkupContent {
        match self.view() {
            Some((_, view)) => markup(self.client, view.fragment.words(&markdown)),
            None => markup(self.client, markdown),
        }
    }
}

/// A document that is being edited: its text, and the last analysis.
pub struct Draft<'a> {
    /// The text.
    pub text: &'a Text,
    /// The place.
    pub offset: u32,
    /// What was last worked out about the document, and where the place was then.
    pub last: Option<(Arc<Analysis>, u32)>,
    /// What the client can do.
    pub client: &'a Client,
    /// What is configured.
    pub settings: &'a Settings,
    /// The text of the host source and the fragment, if the draft is a fragment.
    pub host: Option<(&'a Text, &'a View)>,
}

impl Draft<'_> {
    /// The place of some bytes.
    #[must_use]
    pub fn range(&self, span: Span) -> Range {
        match self.host {
            Some((text, view)) => text.range(view.fragment.place(text.as_str(), span), self.client.encoding),
            None => self.text.range(span, self.client.encoding),
        }
    }
}

/// Markdown, or the same as plain text for a client that knows no Markdown.
#[must_use]
pub fn markup(client: &Client, markdown: String) -> MarkupContent {
    if client.markdown {
        return MarkupContent::new(MarkupKind::Markdown, markdown);
    }
    let plain =
        markdown.lines().filter(|l| !l.starts_with("```") && *l != "---").map(|l| l.replace("**", "").replace('`', ""));
    MarkupContent::new(MarkupKind::PlainText, plain.collect::<Vec<_>>().join("\n"))
}

/// Changes of one document, in the form that the client takes.
#[must_use]
pub fn workspace_edit(client: &Client, uri: &str, version: i32, edits: Vec<TextEdit>) -> WorkspaceEdit {
    let uri = Uri::from(uri);
    if client.document_changes {
        let document = OptionalVersionedTextDocumentIdentifier::new(Some(version), TextDocumentIdentifier::new(uri));
        let edits = edits.into_iter().map(gen_lsp_types::Edit::TextEdit).collect();
        let change = DocumentChange::TextDocumentEdit(TextDocumentEdit::new(document, edits));
        return WorkspaceEdit { document_changes: Some(vec![change]), ..WorkspaceEdit::default() };
    }
    WorkspaceEdit { changes: Some(HashMap::from([(uri, edits)])), ..WorkspaceEdit::default() }
}
