//! Edits of an open document: the server finds afterwards what it finds in the new text.

use lsp_server::{Connection, Message, Notification, Request};
use serde_json::{Value, json};
use visa_lint::lsp::serve;

const URI: &str = "untitled:1";

/// A server with an open document.
struct Session {
    connection: Connection,
    n: i32,
}

impl Session {
    fn open(text: &str) -> Self {
        let (connection, other) = Connection::memory();
        std::thread::spawn(move || serve(&other, &[]));
        let mut session = Self { connection, n: 0 };
        let pulls = json!({ "textDocument": { "diagnostic": {} }, "general": { "positionEncodings": ["utf-8"] } });
        session.ask("initialize", json!({ "capabilities": pulls, "processId": null, "rootUri": null }));
        session.notify("initialized", json!({}));
        let document = json!({ "uri": URI, "languageId": "visa", "version": 1, "text": text });
        session.notify("textDocument/didOpen", json!({ "textDocument": document }));
        session
    }

    fn notify(&self, method: &str, parameters: Value) {
        let message = Notification::new(method.to_owned(), parameters);
        self.connection.sender.send(message.into()).expect("a server that lives");
    }

    fn ask(&mut self, method: &str, parameters: Value) -> Value {
        self.n += 1;
        let request = Request::new(self.n.into(), method.to_owned(), parameters);
        let id = request.id.clone();
        self.connection.sender.send(request.into()).expect("a server that lives");
        loop {
            if let Message::Response(response) = self.connection.receiver.recv().expect("a server that lives")
                && response.id == id
            {
                return response.response_result.unwrap_or_else(|error| panic!("{method}: {error:?}"));
            }
        }
    }

    fn findings(&mut self) -> Value {
        self.ask("textDocument/diagnostic", json!({ "textDocument": { "uri": URI } }))
    }

    fn close(mut self) {
        self.ask("shutdown", Value::Null);
        self.notify("exit", Value::Null);
    }
}

/// The place of a byte. Lines end as in the protocol.
fn position(text: &str, offset: usize) -> Value {
    let before = &text[..offset];
    let ends = before.replace("\r\n", " \n").replace('\r', "\n");
    let line = ends.matches('\n').count();
    let start = ends.rfind('\n').map_or(0, |at| at + 1);
    json!({ "line": line, "character": offset - start })
}

/// What is wrong with what a server finds. The text is what stands before the first NUL; each piece behind one is an
/// edit: two bytes that say where, and what is put there.
pub fn fault(input: &str) -> Option<String> {
    let mut pieces = input.split('\0');
    let mut text = pieces.next().unwrap_or("").to_owned();
    let mut session = Session::open(&text);
    for (i, piece) in pieces.take(16).enumerate() {
        let mut numbers = piece.bytes();
        let (a, b) = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
        let new: String = piece.chars().skip(2).collect();
        let boundary = |at: usize| (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        let start = boundary(text.len() * usize::from(a) / 255);
        let end = boundary(start + usize::from(b % 32)).max(start);
        // In the middle of a line end there is no place.
        if text[..start].ends_with('\r') && text[start..].starts_with('\n')
            || text[..end].ends_with('\r') && text[end..].starts_with('\n')
        {
            continue;
        }
        let range = json!({ "start": position(&text, start), "end": position(&text, end) });
        session.notify(
            "textDocument/didChange",
            json!({
                "textDocument": { "uri": URI, "version": i + 2 },
                "contentChanges": [{ "range": range, "text": new }],
            }),
        );
        text.replace_range(start..end, &new);
        if a % 3 == 0 {
            session.findings();
        }
    }
    let edited = session.findings();
    session.close();
    let mut other = Session::open(&text);
    let fresh = other.findings();
    other.close();
    (edited["items"] != fresh["items"]).then(|| format!("after edits:\n{edited:#}\nof the text:\n{fresh:#}\n{text}"))
}
