//! The state of the server, and its main loop.
//!
//! One thread handles messages in the order in which they come. A change only marks its document. When no message waits,
//! the text is handed to the [`Reader`], so that a burst of keystrokes costs one check, and what is asked meanwhile about
//! a line that is being typed is answered at once. A request that needs the whole text waits until it is read.

mod answer;

use super::ask::Refusal;
use super::background::{Background, Done, SlowCheck, Task};
use super::capabilities;
use super::client::Client;
use super::document::Document;
use super::reader::{Job, Read, Reader};
use super::settings::{Rules, SECTION, Settings};
use super::{diagnostics, uri};
use crate::config::FILE_NAME;
use answer::text_document;
use crossbeam_channel::select;
use gen_lsp_types::{
    ConfigurationItem, ConfigurationParams, DidChangeTextDocumentParams, DidOpenTextDocumentParams, LogMessageParams,
    LspNotificationMethod, LspRequestMethod, MessageType, ShowMessageParams,
};
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use rustc_hash::FxHashMap;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::cell::Cell;
use std::collections::{BTreeMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// How the server ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// The client sent `shutdown` and `exit`.
    Orderly,
    /// The client sent `exit` without `shutdown`.
    Exited,
    /// The input ended before `initialize`.
    Absent,
    /// The input ended without `shutdown`.
    Silent,
    /// The client takes no messages any more.
    Deaf,
    /// What came could not be divided into messages.
    Broken,
}

/// Serves one client until it leaves.
pub fn serve(connection: &Connection, slow: &'static [SlowCheck]) -> End {
    let (id, parameters) = match beginning(connection) {
        Ok(request) => request,
        Err(end) => return end,
    };
    let client = Client::new(&parameters);
    let answer = Response::new_ok(id, capabilities::server(&client));
    let mut server = Server::new(connection, client, slow, &parameters);
    server.send(answer);
    server.configure(parameters.get("initializationOptions").unwrap_or(&Value::Null));
    server.run()
}

/// Waits for `initialize`. Until it comes, other requests are refused and notifications left out, but for `exit`.
fn beginning(connection: &Connection) -> Result<(RequestId, Value), End> {
    for message in &connection.receiver {
        match message {
            Message::Request(request) if request.method == "initialize" => return Ok((request.id, request.params)),
            Message::Request(request) => {
                let message = format!("`{}` came before `initialize`", request.method);
                let answer = Response::new_err(request.id, ErrorCode::ServerNotInitialized as i32, message);
                connection.sender.send(answer.into()).map_err(|_| End::Deaf)?;
            }
            Message::Notification(n) if n.method == LspNotificationMethod::Exit.as_str() => return Err(End::Exited),
            Message::Notification(_) | Message::Response(_) => {}
        }
    }
    Err(End::Absent)
}

/// What an answer of the client is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Question {
    /// The configuration.
    Configuration,
    /// Something whose answer does not matter.
    Other,
}

struct Server<'c> {
    connection: &'c Connection,
    client: Client,
    settings: Settings,
    /// What was last complained about in the configuration.
    complaints: Vec<String>,
    /// What was complained about in files of settings since they last changed.
    file_complaints: Vec<String>,
    documents: BTreeMap<String, Document>,
    n_opened: u64,
    /// For each document whose slow checks were asked for: what stops them.
    running: FxHashMap<String, Arc<AtomicBool>>,
    folders: Vec<PathBuf>,
    background: Background,
    reader: Reader,
    /// Messages that wait.
    queue: VecDeque<Message>,
    /// Requests that the background answers.
    pending: Vec<RequestId>,
    questions: FxHashMap<RequestId, Question>,
    n_questions: i32,
    is_shut_down: bool,
    /// Set when a message could not be sent.
    is_deaf: Cell<bool>,
}

impl<'c> Server<'c> {
    fn new(connection: &'c Connection, client: Client, slow: &'static [SlowCheck], parameters: &Value) -> Self {
        let folders = match parameters.get("workspaceFolders").and_then(Value::as_array) {
            Some(folders) => folders.iter().filter_map(|f| f.get("uri")?.as_str()).filter_map(uri::to_path).collect(),
            None => parameters.get("rootUri").and_then(Value::as_str).and_then(uri::to_path).into_iter().collect(),
        };
        let background = Background::start(slow, client.encoding);
        Self {
            connection,
            client,
            settings: Settings::default(),
            complaints: Vec::new(),
            file_complaints: Vec::new(),
            documents: BTreeMap::new(),
            n_opened: 0,
            running: FxHashMap::default(),
            folders,
            background,
            reader: Reader::start(),
            queue: VecDeque::new(),
            pending: Vec::new(),
            questions: FxHashMap::default(),
            n_questions: 0,
            is_shut_down: false,
            is_deaf: Cell::new(false),
        }
    }

    // ---- the main loop ----

    fn run(mut self) -> End {
        loop {
            if self.is_deaf.get() {
                return self.end(End::Deaf);
            }
            while let Ok(message) = self.connection.receiver.try_recv() {
                self.arrived(message);
            }
            if let Some(message) = self.queue.pop_front() {
                if let Some(end) = self.handle(message) {
                    return end;
                }
                continue;
            }
            if let Some(uri) = self.documents.values().find(|d| d.is_dirty).map(|d| d.uri.clone()) {
                self.guarded(|server| server.check(&uri));
                continue;
            }
            select! {
                recv(self.reader.done) -> read => match read {
                    Ok(read) => {
                        self.guarded(|server| server.was_read(read));
                    }
                    Err(_) => return self.end(End::Silent),
                },
                recv(self.connection.receiver) -> message => match message {
                    Ok(message) => self.arrived(message),
                    Err(_) => return self.end(End::Silent),
                },
                recv(self.background.done) -> done => match done {
                    Ok(done) => self.done(done),
                    Err(_) => return self.end(End::Silent),
                },
            }
        }
    }

    /// Ends the work of the other threads. After `shutdown`, the client may leave as it likes.
    fn end(&self, end: End) -> End {
        for cancelled in self.running.values() {
            cancelled.store(true, Ordering::Relaxed);
        }
        if self.is_shut_down { End::Orderly } else { end }
    }

    /// Puts a message with those that wait. A request that is taken back while it waits is answered at once.
    fn arrived(&mut self, message: Message) {
        if let Message::Notification(notification) = &message
            && notification.method == LspNotificationMethod::CancelRequest.as_str()
        {
            let id = notification.params.get("id").and_then(|id| serde_json::from_value::<RequestId>(id.clone()).ok());
            if let Some(id) = id {
                self.cancel(&id);
            }
            return;
        }
        self.queue.push_back(message);
    }

    fn cancel(&mut self, id: &RequestId) {
        let waits = self.queue.iter().position(|m| matches!(m, Message::Request(r) if r.id == *id));
        let is_pending = self.pending.iter().position(|p| p == id);
        match (waits, is_pending) {
            (Some(place), _) => drop(self.queue.remove(place)),
            (None, Some(place)) => drop(self.pending.remove(place)),
            // It was answered already.
            (None, None) => return,
        }
        self.send(Response::new_err(
            id.clone(),
            ErrorCode::RequestCanceled as i32,
            "the client took the request back".to_owned(),
        ));
    }

    fn handle(&mut self, message: Message) -> Option<End> {
        match message {
            Message::Request(request) => {
                let id = request.id.clone();
                if self.guarded(|server| server.request(request)).is_none() {
                    let message = "a fault of visa-lint itself; please report it with the file".to_owned();
                    self.send(Response::new_err(id, ErrorCode::InternalError as i32, message));
                }
            }
            Message::Notification(notification) => {
                if notification.method == LspNotificationMethod::Exit.as_str() {
                    return Some(self.end(End::Exited));
                }
                self.guarded(|server| server.notification(notification));
            }
            Message::Response(response) => {
                if self.questions.remove(&response.id) == Some(Question::Configuration)
                    && let Ok(Value::Array(sections)) = response.response_result
                {
                    self.configure(sections.first().unwrap_or(&Value::Null));
                }
            }
        }
        None
    }

    /// Does something; a panic costs that and no more.
    fn guarded<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> Option<T> {
        let result = catch_unwind(AssertUnwindSafe(|| work(self))).ok();
        if result.is_none() {
            self.log_fault();
        }
        result
    }

    fn log_fault(&self) {
        let message = "visa-lint: a fault of visa-lint itself; please report it with the file".to_owned();
        self.notify(LspNotificationMethod::WindowLogMessage, LogMessageParams::new(MessageType::Error, message));
    }

    // ---- sending ----

    fn send(&self, message: impl Into<Message>) {
        if self.connection.sender.send(message.into()).is_err() {
            self.is_deaf.set(true);
        }
    }

    fn notify(&self, method: LspNotificationMethod, parameters: impl Serialize) {
        self.send(Notification::new(method.as_str().to_owned(), parameters));
    }

    fn question(&mut self, method: LspRequestMethod, parameters: impl Serialize, question: Question) {
        self.n_questions += 1;
        let id = RequestId::from(self.n_questions);
        self.questions.insert(id.clone(), question);
        self.send(Request::new(id, method.as_str().to_owned(), parameters));
    }

    fn answer<T: Serialize>(&self, id: RequestId, result: Result<T, Refusal>) {
        self.send(match result {
            Ok(value) => Response::new_ok(id, value),
            Err(refusal) => Response::new_err(id, refusal.code, refusal.message),
        });
    }

    // ---- notifications ----

    fn notification(&mut self, notification: Notification) {
        let parameters = notification.params;
        match LspNotificationMethod::from(notification.method.as_str()) {
            LspNotificationMethod::Initialized => self.initialized(),
            LspNotificationMethod::TextDocumentDidOpen => {
                let Some(opened) = self.read::<DidOpenTextDocumentParams>(parameters) else { return };
                let document = opened.text_document;
                self.n_opened += 1;
                let (uri, revision) = (document.uri.0, self.n_opened << 32);
                let rules = self.rules(&uri);
                let new = Document::new(uri.clone(), document.version, document.text, revision, rules);
                self.documents.insert(uri, new);
            }
            LspNotificationMethod::TextDocumentDidChange => {
                let Some(changed) = self.read::<DidChangeTextDocumentParams>(parameters) else { return };
                self.change(changed);
            }
            LspNotificationMethod::TextDocumentDidClose => {
                let Some(uri) = text_document(&parameters) else { return };
                self.stop(uri);
                if self.documents.remove(uri).is_some() && !self.client.uses_pull() {
                    self.notify(LspNotificationMethod::TextDocumentPublishDiagnostics, diagnostics::nothing(uri));
                }
            }
            LspNotificationMethod::WorkspaceDidChangeConfiguration => {
                if self.client.configuration {
                    self.ask_for_configuration();
                } else {
                    self.configure(parameters.get("settings").unwrap_or(&Value::Null));
                }
            }
            // The only files that are watched are those of settings.
            LspNotificationMethod::WorkspaceDidChangeWatchedFiles => {
                self.file_complaints.clear();
                self.check_all_again();
            }
            LspNotificationMethod::WorkspaceDidChangeWorkspaceFolders => {
                let paths = |key: &str| -> Vec<PathBuf> {
                    let folders = parameters.pointer(&format!("/event/{key}")).and_then(Value::as_array);
                    folders
                        .into_iter()
                        .flatten()
                        .filter_map(|f| f.get("uri")?.as_str())
                        .filter_map(uri::to_path)
                        .collect()
                };
                let removed = paths("removed");
                self.folders.retain(|f| !removed.contains(f));
                self.folders.extend(paths("added"));
            }
            _ => {}
        }
    }

    /// Applies changes of a document, together with those that wait right behind them.
    fn change(&mut self, changed: DidChangeTextDocumentParams) {
        let uri = changed.text_document.text_document_identifier.uri.0;
        let (mut version, mut changes) = (changed.text_document.version, changed.content_changes);
        while let Some(Message::Notification(next)) = self.queue.front()
            && next.method == LspNotificationMethod::TextDocumentDidChange.as_str()
            && text_document(&next.params) == Some(&uri)
        {
            let Some(Message::Notification(next)) = self.queue.pop_front() else { break };
            if let Some(next) = self.read::<DidChangeTextDocumentParams>(next.params) {
                version = next.text_document.version;
                changes.extend(next.content_changes);
            }
        }
        self.stop(&uri);
        if let Some(document) = self.documents.get_mut(&uri) {
            document.change(version, changes, self.client.encoding);
        }
    }

    fn read<P: DeserializeOwned>(&self, parameters: Value) -> Option<P> {
        match serde_json::from_value(parameters) {
            Ok(parameters) => Some(parameters),
            Err(error) => {
                let message = format!("visa-lint: the client sent a notification that cannot be read: {error}");
                self.notify(
                    LspNotificationMethod::WindowLogMessage,
                    LogMessageParams::new(MessageType::Warning, message),
                );
                None
            }
        }
    }

    fn initialized(&mut self) {
        let mut registrations = Vec::new();
        if self.client.registers_configuration {
            let method = LspNotificationMethod::WorkspaceDidChangeConfiguration.as_str();
            registrations
                .push(json!({ "id": "configuration", "method": method, "registerOptions": { "section": SECTION } }));
        }
        if self.client.watches_files {
            let method = LspNotificationMethod::WorkspaceDidChangeWatchedFiles.as_str();
            let watchers = json!([{ "globPattern": format!("**/{FILE_NAME}") }]);
            registrations.push(json!({ "id": "files", "method": method, "registerOptions": { "watchers": watchers } }));
        }
        if !registrations.is_empty() {
            self.question(
                LspRequestMethod::ClientRegisterCapability,
                json!({ "registrations": registrations }),
                Question::Other,
            );
        }
        if self.client.configuration {
            self.ask_for_configuration();
        }
    }

    fn ask_for_configuration(&mut self) {
        let item = ConfigurationItem { section: Some(SECTION.to_owned()), ..ConfigurationItem::default() };
        self.question(
            LspRequestMethod::WorkspaceConfiguration,
            ConfigurationParams::new(vec![item]),
            Question::Configuration,
        );
    }

    fn configure(&mut self, section: &Value) {
        if section.is_null() {
            return;
        }
        let (settings, complaints) = Settings::read(section);
        self.settings = settings;
        if complaints != self.complaints {
            for complaint in &complaints {
                let message = format!("visa-lint: {complaint}");
                self.notify(
                    LspNotificationMethod::WindowShowMessage,
                    ShowMessageParams::new(MessageType::Warning, message),
                );
            }
            self.complaints = complaints;
        }
        self.check_all_again();
    }

    /// What holds for a document; says what is wrong with its file of settings, once.
    fn rules(&mut self, uri: &str) -> Rules {
        let (rules, problem) = self.settings.rules(uri);
        if let Some(problem) = problem.filter(|p| !self.file_complaints.contains(p)) {
            let message = format!("visa-lint: {problem}");
            self.notify(
                LspNotificationMethod::WindowShowMessage,
                ShowMessageParams::new(MessageType::Warning, message),
            );
            self.file_complaints.push(problem);
        }
        rules
    }

    /// Works everything out anew, because settings have changed.
    fn check_all_again(&mut self) {
        let uris: Vec<String> = self.documents.keys().cloned().collect();
        for uri in uris {
            self.stop(&uri);
            let rules = self.rules(&uri);
            if let Some(document) = self.documents.get_mut(&uri) {
                document.set_rules(rules);
            }
        }
        self.refresh_diagnostics();
        if self.client.refreshes_hints && !self.documents.is_empty() {
            self.question(LspRequestMethod::WorkspaceInlayHintRefresh, Value::Null, Question::Other);
        }
    }

    // ---- checking ----

    /// Sees to it that a document is read, checked, and its findings sent.
    fn check(&mut self, uri: &str) {
        let Some(document) = self.documents.get_mut(uri) else { return };
        document.is_dirty = false;
        if document.is_analysed() {
            return self.was_checked(uri);
        }
        document.in_flight = Some(document.revision);
        self.reader.ask(Job {
            uri: uri.to_owned(),
            revision: document.revision,
            text: Arc::clone(&document.text),
            before: document.before(),
            options: Arc::clone(&document.options),
        });
    }

    /// Takes what was read, unless the text has changed meanwhile.
    fn was_read(&mut self, read: Read) {
        let Some(document) = self.documents.get_mut(&read.uri) else { return };
        if document.in_flight == Some(read.revision) {
            document.in_flight = None;
        }
        if document.revision != read.revision {
            return;
        }
        match read.analysis {
            Some(analysis) => {
                document.set_analysis(analysis);
                self.was_checked(&read.uri);
            }
            None => self.log_fault(),
        }
    }

    /// Hands a document to the slow checks, and sends its findings.
    fn was_checked(&mut self, uri: &str) {
        let Some(document) = self.documents.get_mut(uri) else { return };
        if self.background.has_slow_checks && !document.is_excluded {
            let cancelled = Arc::new(AtomicBool::new(false));
            let task = Task::Check {
                uri: uri.to_owned(),
                revision: document.revision,
                analysis: document.analysis(),
                options: Arc::clone(&document.options),
                cancelled: Arc::clone(&cancelled),
            };
            if let Some(earlier) = self.running.insert(uri.to_owned(), cancelled) {
                earlier.store(true, Ordering::Relaxed);
            }
            self.background.ask(task);
        }
        self.publish(uri);
    }

    /// Stops the slow checks of a document.
    fn stop(&mut self, uri: &str) {
        if let Some(cancelled) = self.running.remove(uri) {
            cancelled.store(true, Ordering::Relaxed);
        }
    }

    /// Sends the findings of a document to a client that does not ask for them.
    fn publish(&mut self, uri: &str) {
        if !self.client.uses_pull()
            && let Some(findings) = self.about(uri).map(|ask| diagnostics::push(&ask))
        {
            self.notify(LspNotificationMethod::TextDocumentPublishDiagnostics, findings);
        }
    }

    /// Tells a client that asks for findings that there are others now.
    fn refresh_diagnostics(&mut self) {
        if self.client.uses_pull() && !self.documents.is_empty() {
            self.question(LspRequestMethod::WorkspaceDiagnosticRefresh, Value::Null, Question::Other);
        }
    }

    fn done(&mut self, done: Done) {
        match done {
            Done::Checked { uri, revision, findings } => {
                let Some(document) = self.documents.get_mut(&uri).filter(|d| d.revision == revision) else { return };
                let is_new = document.slow_findings != findings;
                document.slow_findings = findings;
                document.slow_revision = Some(revision);
                self.running.remove(&uri);
                if is_new {
                    self.publish(&uri);
                    self.refresh_diagnostics();
                }
            }
            Done::Symbols { id, found } => {
                if let Some(place) = self.pending.iter().position(|p| *p == id) {
                    self.pending.remove(place);
                    self.send(Response::new_ok(id, found));
                }
            }
        }
    }
}
