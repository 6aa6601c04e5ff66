//! How long an editor waits: `cargo bench --bench latency`.
//!
//! A server in memory is driven as an editor drives it, on kernels of 10,000 and of 30,000 lines made of compiler output.
//! `findings` is the time from a keystroke to the findings of the new text, `hover` and the other requests the time to
//! their answer, `completion_while_typing` that of a completion that is asked for together with its keystroke.

#![expect(clippy::needless_pass_by_value, reason = "what is sent is written where it is used")]

use divan::Bencher;
use lsp_server::{Connection, Message, Notification, Request, RequestId};
use serde_json::{Value, json};
use std::path::Path;
use visa_lint::lsp::{SLOW_CHECKS, serve};

const URI: &str = "untitled:kernel";

/// One kernel of that many lines. The blocks of a dump are repeated, each with labels of its own.
fn kernel(n_lines: usize) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/compiler_output/dg2/math_basic_simd8.visaasm");
    let dump = std::fs::read_to_string(path).expect("compiler output");
    let is_body = |l: &&str| l.starts_with("    ") && !l.trim_start().starts_with("ret ");
    let first = dump.lines().position(|l| is_body(&l)).expect("instructions");
    let head: Vec<&str> = dump.lines().take(first).collect();
    let body: Vec<&str> =
        dump.lines().skip(first).filter(is_body).filter(|l| !l.contains("jmp") && !l.contains("goto")).collect();
    let mut text = head.join("\n");
    text.push('\n');
    for line in body.iter().cycle().take(n_lines.saturating_sub(head.len() + 2)) {
        text.push_str(line);
        text.push('\n');
    }
    text.push_str("    ret (M1, 1)\n");
    text
}

struct Editor {
    connection: Connection,
    n_lines: usize,
    version: i32,
    n_requests: i32,
}

impl Editor {
    fn open(n_lines: usize) -> Self {
        let (connection, other) = Connection::memory();
        std::thread::spawn(move || serve(&other, SLOW_CHECKS));
        let mut editor = Self { connection, n_lines, version: 1, n_requests: 0 };
        let capabilities = json!({
            "general": { "positionEncodings": ["utf-16"] },
            "textDocument": {
                "hover": { "contentFormat": ["markdown"] },
                "completion": { "completionItem": { "snippetSupport": true }, "completionList": { "itemDefaults": ["editRange"] } },
                "publishDiagnostics": { "relatedInformation": true, "codeDescriptionSupport": true }
            }
        });
        editor.request("initialize", json!({ "capabilities": capabilities }));
        let text = kernel(n_lines);
        assert!(text.lines().count().abs_diff(n_lines) < 3, "{} lines", text.lines().count());
        editor.notify(
            "textDocument/didOpen",
            json!({ "textDocument": { "uri": URI, "languageId": "visa", "version": 1, "text": text } }),
        );
        let findings = editor.findings();
        assert!(
            findings["diagnostics"].as_array().is_some_and(|d| d.len() < 50),
            "the kernel is nearly good: {findings}"
        );
        editor
    }

    fn notify(&self, method: &str, parameters: Value) {
        self.connection.sender.send(Notification::new(method.to_owned(), parameters).into()).expect("a server");
    }

    fn ask(&mut self, method: &str, parameters: Value) -> RequestId {
        self.n_requests += 1;
        let id = RequestId::from(self.n_requests);
        self.connection.sender.send(Request::new(id.clone(), method.to_owned(), parameters).into()).expect("a server");
        id
    }

    fn answer(&self, id: &RequestId) -> Value {
        loop {
            if let Message::Response(response) = self.connection.receiver.recv().expect("a server")
                && response.id == *id
            {
                return response.response_result.expect("an answer");
            }
        }
    }

    fn request(&mut self, method: &str, parameters: Value) -> Value {
        let id = self.ask(method, parameters);
        self.answer(&id)
    }

    fn findings(&self) -> Value {
        loop {
            if let Message::Notification(notification) = self.connection.receiver.recv().expect("a server")
                && notification.method == "textDocument/publishDiagnostics"
                && notification.params["version"] == self.version
            {
                return notification.params;
            }
        }
    }

    /// Types or takes back a letter in the middle of the text.
    fn type_letter(&mut self) {
        self.version += 1;
        let line = self.n_lines / 2;
        let is_there = self.version % 2 == 1;
        let end = u32::from(is_there) + 4;
        let range = json!({ "start": { "line": line, "character": 4 }, "end": { "line": line, "character": end } });
        let change = json!([{ "range": range, "text": if is_there { "" } else { "x" } }]);
        self.notify(
            "textDocument/didChange",
            json!({ "textDocument": { "uri": URI, "version": self.version }, "contentChanges": change }),
        );
    }

    fn place(&self, character: u32) -> Value {
        json!({ "textDocument": { "uri": URI }, "position": { "line": self.n_lines / 2, "character": character } })
    }
}

fn main() {
    divan::main();
}

#[divan::bench(args = [10_000, 30_000], sample_count = 40)]
fn findings(bencher: Bencher, n_lines: usize) {
    let mut editor = Editor::open(n_lines);
    bencher.bench_local(|| {
        editor.type_letter();
        editor.findings()
    });
}

#[divan::bench(args = [10_000, 30_000], sample_count = 40)]
fn completion_while_typing(bencher: Bencher, n_lines: usize) {
    let mut editor = Editor::open(n_lines);
    bencher.with_inputs(|| ()).bench_local_values(|()| {
        editor.type_letter();
        let place = editor.place(7);
        let id = editor.ask("textDocument/completion", place);
        editor.answer(&id)
    });
}

/// The column of a source in the middle of the text.
fn source_column(n_lines: usize) -> u32 {
    let text = kernel(n_lines);
    let line = text.lines().nth(n_lines / 2).unwrap_or_default();
    line.rfind(" V").map_or(18, |at| at as u32 + 1)
}

/// Requests that do not follow a keystroke.
fn still(bencher: Bencher, n_lines: usize, method: &str, more: Value, character: u32) {
    let mut editor = Editor::open(n_lines);
    let mut parameters = editor.place(character);
    for (key, value) in more.as_object().into_iter().flatten() {
        parameters[key] = value.clone();
    }
    bencher.bench_local(|| editor.request(method, parameters.clone()));
}

#[divan::bench(args = [10_000, 30_000], sample_count = 40)]
fn hover(bencher: Bencher, n_lines: usize) {
    still(bencher, n_lines, "textDocument/hover", json!({}), source_column(n_lines));
}

#[divan::bench(args = [10_000, 30_000], sample_count = 40)]
fn completion(bencher: Bencher, n_lines: usize) {
    still(bencher, n_lines, "textDocument/completion", json!({}), 7);
}

#[divan::bench(args = [10_000, 30_000], sample_count = 40)]
fn document_highlight(bencher: Bencher, n_lines: usize) {
    still(bencher, n_lines, "textDocument/documentHighlight", json!({}), 18);
}

#[divan::bench(args = [10_000, 30_000], sample_count = 40)]
fn document_symbol(bencher: Bencher, n_lines: usize) {
    still(bencher, n_lines, "textDocument/documentSymbol", json!({}), 18);
}

#[divan::bench(args = [10_000, 30_000], sample_count = 40)]
fn folding_range(bencher: Bencher, n_lines: usize) {
    still(bencher, n_lines, "textDocument/foldingRange", json!({}), 18);
}

#[divan::bench(args = [10_000, 30_000], sample_count = 40)]
fn semantic_tokens_of_a_screen(bencher: Bencher, n_lines: usize) {
    let range = json!({ "start": { "line": n_lines / 2, "character": 0 }, "end": { "line": n_lines / 2 + 60, "character": 0 } });
    still(bencher, n_lines, "textDocument/semanticTokens/range", json!({ "range": range }), 18);
}

#[divan::bench(args = [10_000, 30_000], sample_count = 40)]
fn inlay_hints_of_a_screen(bencher: Bencher, n_lines: usize) {
    let range = json!({ "start": { "line": n_lines / 2, "character": 0 }, "end": { "line": n_lines / 2 + 60, "character": 0 } });
    still(bencher, n_lines, "textDocument/inlayHint", json!({ "range": range }), 18);
}
