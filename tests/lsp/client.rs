//! A client that talks to the server in memory.

use lsp_server::{Connection, Message, Notification, Request, RequestId, Response, ResponseError};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use visa_lint::lsp::{End, SlowCheck, serve};

/// Nothing takes that long, even on a busy machine.
const PATIENCE: Duration = Duration::from_mins(1);

/// The document that most tests open.
pub const URI: &str = "file:///work/test.visaasm";

/// A client, and the thread of its server.
pub struct Client {
    connection: Connection,
    server: Option<JoinHandle<End>>,
    /// The answer to `initialize`.
    pub server_capabilities: Value,
    /// What came while something else was waited for.
    inbox: VecDeque<Message>,
    n_requests: i32,
}

/// What a client can do that can do everything.
pub fn capable() -> Value {
    json!({
        "general": { "positionEncodings": ["utf-8"] },
        "workspace": {
            "configuration": true, "workspaceEdit": { "documentChanges": true }, "didChangeConfiguration": { "dynamicRegistration": true },
            "diagnostics": { "refreshSupport": true }, "inlayHint": { "refreshSupport": true }
        },
        "textDocument": {
            "publishDiagnostics": { "relatedInformation": true, "codeDescriptionSupport": true },
            "hover": { "contentFormat": ["markdown", "plaintext"] },
            "completion": { "completionItem": { "snippetSupport": true, "labelDetailsSupport": true }, "completionList": { "itemDefaults": ["editRange"] } },
            "signatureHelp": { "signatureInformation": { "parameterInformation": { "labelOffsetSupport": true } } },
            "definition": { "linkSupport": true },
            "documentSymbol": { "hierarchicalDocumentSymbolSupport": true },
            "codeAction": { "codeActionLiteralSupport": { "codeActionKind": { "valueSet": ["quickfix", "source.fixAll"] } } },
            "rename": { "prepareSupport": true }
        }
    })
}

impl Client {
    /// A capable client that is sent its findings.
    pub fn new() -> Self {
        Self::with(capable(), json!({}), &[])
    }

    /// A client that can do `capabilities`, with initialization options, and a server with these slow checks.
    pub fn with(capabilities: Value, options: Value, slow: &'static [SlowCheck]) -> Self {
        Self::initialized(
            json!({ "processId": null, "rootUri": null, "capabilities": capabilities, "initializationOptions": options }),
            slow,
        )
    }

    /// A client that sends these parameters.
    pub fn initialized(parameters: Value, slow: &'static [SlowCheck]) -> Self {
        let (connection, other) = Connection::memory();
        let server = std::thread::spawn(move || serve(&other, slow));
        let mut client = Self {
            connection,
            server: Some(server),
            server_capabilities: Value::Null,
            inbox: VecDeque::new(),
            n_requests: 0,
        };
        client.server_capabilities = client.request("initialize", parameters);
        client.notify("initialized", json!({}));
        client
    }

    pub fn send(&self, message: impl Into<Message>) {
        self.connection.sender.send(message.into()).expect("a server that lives");
    }

    pub fn notify(&self, method: &str, parameters: Value) {
        self.send(Notification::new(method.to_owned(), parameters));
    }

    /// Sends a request and does not wait.
    pub fn ask(&mut self, method: &str, parameters: Value) -> RequestId {
        self.n_requests += 1;
        let id = RequestId::from(self.n_requests);
        self.send(Request::new(id.clone(), method.to_owned(), parameters));
        id
    }

    /// The answer to a request.
    pub fn answer(&mut self, id: &RequestId) -> Result<Value, ResponseError> {
        let is_it = |m: &Message| matches!(m, Message::Response(r) if r.id == *id);
        let Message::Response(response) = self.wait("an answer", is_it) else { unreachable!() };
        response.response_result
    }

    /// Sends a request and expects a result.
    pub fn request(&mut self, method: &str, parameters: Value) -> Value {
        let id = self.ask(method, parameters);
        self.answer(&id).unwrap_or_else(|error| panic!("{method}: {error:?}"))
    }

    /// Sends a request and expects a refusal.
    pub fn refused(&mut self, method: &str, parameters: Value) -> ResponseError {
        let id = self.ask(method, parameters);
        self.answer(&id).expect_err("a refusal")
    }

    /// The next notification of that method.
    pub fn notification(&mut self, method: &str) -> Value {
        let is_it = |m: &Message| matches!(m, Message::Notification(n) if n.method == method);
        let Message::Notification(notification) = self.wait(method, is_it) else { unreachable!() };
        notification.params
    }

    /// The next request of the server of that method.
    pub fn asked(&mut self, method: &str) -> Request {
        let is_it = |m: &Message| matches!(m, Message::Request(r) if r.method == method);
        let Message::Request(request) = self.wait(method, is_it) else { unreachable!() };
        request
    }

    /// Answers a request of the server.
    pub fn reply(&self, id: RequestId, result: Value) {
        self.send(Response::new_ok(id, result));
    }

    /// Whether such a message has come; waits a little for it.
    pub fn has_come(&mut self, method: &str, within: Duration) -> bool {
        let is_it = |m: &Message| match m {
            Message::Notification(n) => n.method == method,
            Message::Request(r) => r.method == method,
            Message::Response(_) => false,
        };
        let end = Instant::now() + within;
        while !self.inbox.iter().any(is_it) {
            match self.connection.receiver.recv_deadline(end) {
                Ok(message) => self.inbox.push_back(message),
                Err(_) => return false,
            }
        }
        true
    }

    fn wait(&mut self, what: &str, is_it: impl Fn(&Message) -> bool) -> Message {
        if let Some(place) = self.inbox.iter().position(&is_it) {
            return self.inbox.remove(place).expect("a message");
        }
        let end = Instant::now() + PATIENCE;
        loop {
            let message =
                self.connection.receiver.recv_deadline(end).unwrap_or_else(|e| panic!("waiting for {what}: {e}"));
            if is_it(&message) {
                return message;
            }
            self.inbox.push_back(message);
        }
    }

    // ---- documents ----

    pub fn open(&mut self, text: &str) {
        self.open_as(URI, text);
    }

    pub fn open_as(&mut self, uri: &str, text: &str) {
        self.notify(
            "textDocument/didOpen",
            json!({ "textDocument": { "uri": uri, "languageId": "visa", "version": 1, "text": text } }),
        );
    }

    /// Opens a document and returns its findings.
    pub fn check(&mut self, text: &str) -> Vec<Value> {
        self.open(text);
        self.findings()
    }

    /// Changes the document.
    pub fn change(&mut self, version: i32, changes: Value) {
        self.notify(
            "textDocument/didChange",
            json!({ "textDocument": { "uri": URI, "version": version }, "contentChanges": changes }),
        );
    }

    /// The findings that are sent next.
    pub fn findings(&mut self) -> Vec<Value> {
        let sent = self.notification("textDocument/publishDiagnostics");
        sent["diagnostics"].as_array().expect("a list").clone()
    }

    /// Opens a text with a cursor `<|>` and sends a request about that place.
    pub fn at_cursor(&mut self, method: &str, marked: &str) -> Value {
        let (text, position) = cursor(marked);
        self.open(&text);
        self.request(method, json!({ "textDocument": { "uri": URI }, "position": position }))
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let Some(server) = self.server.take() else { return };
        if std::thread::panicking() {
            return;
        }
        self.n_requests += 1;
        let id = RequestId::from(self.n_requests);
        self.send(Request::new(id.clone(), "shutdown".to_owned(), Value::Null));
        self.answer(&id).expect("the server shuts down");
        self.notify("exit", Value::Null);
        assert_eq!(server.join().expect("the server ends"), End::Orderly);
    }
}

/// A text without its cursor mark, and the position of the mark; columns count bytes.
pub fn cursor(marked: &str) -> (String, Value) {
    let at = marked.find("<|>").expect("a cursor");
    let text = marked.replacen("<|>", "", 1);
    (text.clone(), position(&text, at))
}

/// The position of a byte.
pub fn position(text: &str, at: usize) -> Value {
    let line = text[..at].matches('\n').count();
    let column = at - text[..at].rfind('\n').map_or(0, |i| i + 1);
    json!({ "line": line, "character": column })
}

/// The byte of a position.
pub fn byte(text: &str, position: &Value) -> usize {
    let line = position["line"].as_u64().expect("a line") as usize;
    let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
    start + position["character"].as_u64().expect("a column") as usize
}

/// The text of a range.
pub fn of<'t>(text: &'t str, range: &Value) -> &'t str {
    &text[byte(text, &range["start"])..byte(text, &range["end"])]
}

/// A text after the edits of a `WorkspaceEdit` or of a list of edits.
pub fn edited(text: &str, edit: &Value) -> String {
    let edits = edit
        .pointer("/documentChanges/0/edits")
        .or_else(|| edit.pointer("/changes").and_then(|c| c.get(URI)))
        .unwrap_or(edit);
    let mut edits: Vec<(usize, usize, &str)> = edits
        .as_array()
        .expect("edits")
        .iter()
        .map(|e| {
            (byte(text, &e["range"]["start"]), byte(text, &e["range"]["end"]), e["newText"].as_str().expect("a text"))
        })
        .collect();
    edits.sort_by_key(|e| std::cmp::Reverse(e.0));
    let mut new = text.to_owned();
    for (start, end, with) in edits {
        new.replace_range(start..end, with);
    }
    new
}
