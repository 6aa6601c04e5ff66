//! Which part of the server answers a request.

use super::super::ask::{Ask, Draft, Refusal};
use super::super::background::Task;
use super::super::host::view_at;
use super::super::requests::{
    call_hierarchy, code_action, code_lens, command, completion, definition, document_highlight, document_symbol,
    explain, folding_range, hover, implementation, inlay_hint, references, rename, selection_range, semantic_tokens,
    signature_help, type_definition, workspace_symbol,
};
use super::super::{diagnostics, uri};
use super::{Question, Server};
use gen_lsp_types::{LspNotificationMethod, LspRequestMethod, MessageType, Position, Range, ShowMessageParams};
use lsp_server::{ErrorCode, Request, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::sync::Arc;

impl Server<'_> {
    pub(super) fn request(&mut self, request: Request) {
        if self.is_shut_down {
            let message = "the server is shutting down".to_owned();
            return self.send(Response::new_err(request.id, ErrorCode::InvalidRequest as i32, message));
        }
        match LspRequestMethod::from(request.method.as_str()) {
            LspRequestMethod::Initialize => {
                let message = "the server is initialized already".to_owned();
                self.send(Response::new_err(request.id, ErrorCode::InvalidRequest as i32, message));
            }
            LspRequestMethod::Shutdown => {
                self.is_shut_down = true;
                while let Some(id) = self.pending.pop() {
                    self.send(Response::new_err(
                        id,
                        ErrorCode::RequestCanceled as i32,
                        "the server is shutting down".to_owned(),
                    ));
                }
                self.send(Response::new_ok(request.id, Value::Null));
            }
            LspRequestMethod::TextDocumentDiagnostic => self.on(request, |ask, p| Ok(diagnostics::pull(ask, &p))),
            LspRequestMethod::TextDocumentHover => self.on(request, |ask, p| Ok(hover::hover(ask, &p))),
            LspRequestMethod::TextDocumentDefinition => self.on(request, |ask, p| Ok(definition::definition(ask, &p))),
            LspRequestMethod::TextDocumentDeclaration => self.on(request, |ask, p| Ok(definition::definition(ask, &p))),
            LspRequestMethod::TextDocumentTypeDefinition => {
                self.on(request, |ask, p| Ok(type_definition::type_definition(ask, &p)));
            }
            LspRequestMethod::TextDocumentImplementation => {
                self.on(request, |ask, p| Ok(implementation::implementation(ask, &p)));
            }
            LspRequestMethod::TextDocumentPrepareCallHierarchy => {
                self.on(request, |ask, p| Ok(call_hierarchy::prepare(ask, &p)));
            }
            LspRequestMethod::CallHierarchyIncomingCalls => {
                self.on(request, |ask, p| Ok(call_hierarchy::incoming(ask, &p)));
            }
            LspRequestMethod::CallHierarchyOutgoingCalls => {
                self.on(request, |ask, p| Ok(call_hierarchy::outgoing(ask, &p)));
            }
            LspRequestMethod::TextDocumentCodeLens => {
                self.on(request, |ask, _: Value| Ok(code_lens::code_lens(ask)));
            }
            LspRequestMethod::TextDocumentReferences => self.on(request, |ask, p| Ok(references::references(ask, &p))),
            LspRequestMethod::TextDocumentDocumentHighlight => {
                self.on(request, |ask, p| Ok(document_highlight::document_highlight(ask, &p)));
            }
            LspRequestMethod::TextDocumentPrepareRename => self.on(request, |ask, p| rename::prepare(ask, &p)),
            LspRequestMethod::TextDocumentRename => self.on(request, |ask, p| rename::rename(ask, &p)),
            LspRequestMethod::TextDocumentDocumentSymbol => {
                self.on(request, |ask, _: Value| Ok(document_symbol::document_symbol(ask)));
            }
            LspRequestMethod::TextDocumentFoldingRange => {
                self.on(request, |ask, _: Value| Ok(folding_range::folding_range(ask)));
            }
            LspRequestMethod::TextDocumentSelectionRange => {
                self.on(request, |ask, p| Ok(selection_range::selection_range(ask, &p)));
            }
            LspRequestMethod::TextDocumentSemanticTokensFull => {
                self.on(request, |ask, _: Value| Ok(semantic_tokens::full(ask)));
            }
            LspRequestMethod::TextDocumentSemanticTokensRange => {
                self.on(request, |ask, p| Ok(semantic_tokens::range(ask, &p)));
            }
            LspRequestMethod::TextDocumentInlayHint => self.on(request, |ask, p| Ok(inlay_hint::inlay_hint(ask, &p))),
            LspRequestMethod::TextDocumentCodeAction => {
                self.on(request, |ask, p| Ok(code_action::code_action(ask, &p)));
            }
            LspRequestMethod::TextDocumentCompletion => self.on_draft(request, completion::completion),
            LspRequestMethod::TextDocumentSignatureHelp => {
                self.on_draft(request, signature_help::signature_help);
            }
            LspRequestMethod::CompletionItemResolve => {
                let result = parameters(request.params)
                    .map(|item| completion::resolve(&self.client, self.settings.pages.as_deref(), item));
                self.answer(request.id, result);
            }
            LspRequestMethod::WorkspaceSymbol => self.workspace_symbol(request),
            LspRequestMethod::WorkspaceExecuteCommand => {
                let result = self.execute(&request.params);
                self.answer(request.id, result);
            }
            _ => {
                let message = format!("`{}` is not supported", request.method);
                self.send(Response::new_err(request.id, ErrorCode::MethodNotFound as i32, message));
            }
        }
    }

    /// Does what a command says.
    fn execute(&mut self, parameters: &Value) -> Result<Value, Refusal> {
        let arguments = parameters.get("arguments").unwrap_or(&Value::Null);
        match parameters.get("command").and_then(Value::as_str).unwrap_or("") {
            explain::COMMAND => {
                let page = explain::execute(arguments, self.settings.pages.as_deref())?;
                if !page.is_shown_by_client {
                    let message = ShowMessageParams::new(MessageType::Info, page.plain);
                    self.notify(LspNotificationMethod::WindowShowMessage, message);
                }
                Ok(page.markdown.into())
            }
            command::NAMES => Ok(command::names()),
            name @ (command::LAST_WRITES | command::NEXT_READS) => {
                let (uri, position) = command::place(arguments)?;
                let ask = self.about(&uri).ok_or_else(|| not_open(&uri))?;
                Ok(json!(command::reach(&ask, name, position)))
            }
            command::SHOW_SOURCE => {
                let uri = arguments.get(0).and_then(Value::as_str);
                let line = arguments.get(1).and_then(Value::as_u64);
                let (Some(uri), Some(line)) = (uri, line) else {
                    return Err(Refusal::invalid("the arguments have to be a document and a line"));
                };
                let place = Position::new(line.min(u64::from(u32::MAX)) as u32, 0);
                let shown = json!({ "uri": uri, "takeFocus": true, "selection": Range::new(place, place) });
                self.question(LspRequestMethod::WindowShowDocument, shown, Question::Other);
                Ok(Value::Null)
            }
            command => Err(Refusal::invalid(format!("there is no command `{command}`"))),
        }
    }

    /// Answers a request about a document.
    fn on<P: DeserializeOwned, R: Serialize>(
        &mut self,
        request: Request,
        handler: impl FnOnce(&Ask, P) -> Result<R, Refusal>,
    ) {
        let served = self.served(&request);
        if served == Served::Elsewhere {
            return self.answer(request.id, Ok(Value::Null));
        }
        let position = request.params.get("position").cloned().and_then(|p| parameters::<Position>(p).ok());
        let result = match Self::named(&request.params) {
            Ok(uri) => parameters(request.params).and_then(|p| match self.about(&uri) {
                Some(ask) if served == Served::InFragments => {
                    let offset = position.map_or(u32::MAX, |p| ask.offset(p));
                    let inside = view_at(&ask.analysis, offset).map(|(index, _)| ask.inside(index));
                    inside.map(|ask| handler(&ask, p)).transpose()
                }
                Some(ask) => handler(&ask, p).map(Some),
                None => Err(not_open(&uri)),
            }),
            Err(refusal) => Err(refusal),
        };
        self.answer(request.id, result);
    }

    /// Answers a request about a place in the line that is being typed, from the last analysis.
    fn on_draft<R: Serialize>(&mut self, request: Request, handler: impl FnOnce(&Draft) -> R) {
        let served = self.served(&request);
        if served == Served::Elsewhere {
            return self.answer(request.id, Ok(Value::Null));
        }
        let position = request.params.get("position").cloned().unwrap_or_default();
        let result = Self::named(&request.params).and_then(|uri| {
            let position: Position = parameters(position)?;
            let encoding = self.client.encoding;
            let document = self.documents.get_mut(&uri).ok_or_else(|| not_open(&uri))?;
            let offset = document.text.offset(position, encoding);
            if served == Served::InFragments {
                // Where a fragment begins and ends is only known of the present text.
                let analysis = document.analysis();
                let Some((index, offset)) = view_at(&analysis, offset) else { return Ok(None) };
                let view = &analysis.fragments[index];
                let last = Some((Arc::clone(&view.analysis), offset));
                let host = Some((&*analysis.text, view));
                let (text, client, settings) = (&*view.analysis.text, &self.client, &self.settings);
                return Ok(Some(handler(&Draft { text, offset, last, client, settings, host })));
            }
            if document.last_analysis(offset).is_none() {
                document.analysis();
            }
            let last = document.last_analysis(offset);
            let (text, client, settings) = (&document.text, &self.client, &self.settings);
            Ok(Some(handler(&Draft { text, offset, last, client, settings, host: None })))
        });
        self.answer(request.id, result);
    }

    /// Who answers a request: of a host source, all but its fragments belongs to the server of its language.
    fn served(&self, request: &Request) -> Served {
        use LspRequestMethod as Method;
        let document = text_document(&request.params).and_then(|uri| self.documents.get(uri));
        let Some(document) = document.filter(|d| d.options.host.is_some()) else { return Served::Whole };
        match Method::from(request.method.as_str()) {
            Method::TextDocumentDiagnostic | Method::TextDocumentCodeAction => Served::Whole,
            _ if document.is_excluded => Served::Elsewhere,
            Method::TextDocumentSemanticTokensFull | Method::TextDocumentSemanticTokensRange => Served::Whole,
            Method::TextDocumentHover
            | Method::TextDocumentDefinition
            | Method::TextDocumentDeclaration
            | Method::TextDocumentTypeDefinition
            | Method::TextDocumentImplementation
            | Method::TextDocumentReferences
            | Method::TextDocumentDocumentHighlight
            | Method::TextDocumentPrepareRename
            | Method::TextDocumentRename
            | Method::TextDocumentCompletion
            | Method::TextDocumentSignatureHelp => Served::InFragments,
            _ => Served::Elsewhere,
        }
    }

    fn named(parameters: &Value) -> Result<String, Refusal> {
        text_document(parameters).map(str::to_owned).ok_or_else(|| Refusal::invalid("the request names no document"))
    }

    pub(super) fn about(&mut self, uri: &str) -> Option<Ask<'_>> {
        // If the text is being read, it will be there soon.
        while self.documents.get(uri).is_some_and(|d| !d.is_analysed() && d.in_flight == Some(d.revision)) {
            match self.reader.done.recv() {
                Ok(read) => self.was_read(read),
                Err(_) => break,
            }
        }
        let document = self.documents.get_mut(uri)?;
        let analysis = document.analysis();
        let document = self.documents.get_key_value(uri)?;
        Some(Ask {
            uri: document.0,
            version: document.1.version,
            analysis,
            slow_findings: &document.1.slow_findings,
            options: &document.1.options,
            is_excluded: document.1.is_excluded,
            known: document.1.known.as_ref(),
            client: &self.client,
            settings: &self.settings,
            host: None,
        })
    }

    fn workspace_symbol(&mut self, request: Request) {
        let query = request.params.get("query").and_then(Value::as_str).unwrap_or("").to_owned();
        let uris: Vec<String> = self.documents.keys().cloned().collect();
        let mut found = Vec::new();
        for uri in &uris {
            if let Some(ask) = self.about(uri) {
                found.extend(workspace_symbol::in_document(&ask, &query));
            }
        }
        let open = uris.iter().filter_map(|u| uri::to_path(u)).collect();
        self.pending.push(request.id.clone());
        self.background.ask(Task::Symbols { id: request.id, query, folders: self.folders.clone(), open, found });
    }
}

/// What of a document a request is answered about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Served {
    /// The document.
    Whole,
    /// The fragment of a host source at the place of the request.
    InFragments,
    /// Nothing: the request is one for another server.
    Elsewhere,
}

pub(super) fn text_document(parameters: &Value) -> Option<&str> {
    parameters.pointer("/textDocument/uri").or_else(|| parameters.pointer("/item/uri"))?.as_str()
}

fn parameters<P: DeserializeOwned>(value: Value) -> Result<P, Refusal> {
    serde_json::from_value(value).map_err(|error| Refusal::invalid(error.to_string()))
}

fn not_open(uri: &str) -> Refusal {
    Refusal::invalid(format!("`{uri}` is not open"))
}
