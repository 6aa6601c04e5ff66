//! The real program, over its standard input and output.

use crate::support::kernel;
use lsp_server::{Message, Notification, Request, RequestId, Response};
use serde_json::{Value, json};
use std::io::BufReader;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

struct Program {
    child: Child,
    to: Option<ChildStdin>,
    from: BufReader<ChildStdout>,
}

impl Program {
    fn start(arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_visa-lint"))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let to = child.stdin.take();
        let from = BufReader::new(child.stdout.take().expect("a pipe"));
        Self { child, to, from }
    }

    fn send(&mut self, message: impl Into<Message>) {
        message.into().write(self.to.as_mut().expect("a pipe")).expect("the program reads");
    }

    fn next(&mut self) -> Message {
        Message::read(&mut self.from).expect("a message").expect("a message before the end")
    }

    fn initialize(&mut self) -> Value {
        self.send(Request::new(
            1.into(),
            "initialize".to_owned(),
            json!({ "capabilities": {}, "processId": null, "rootUri": null }),
        ));
        let Message::Response(Response { response_result: Ok(result), .. }) = self.next() else { panic!("no answer") };
        self.send(Notification::new("initialized".to_owned(), json!({})));
        result
    }

    fn status(mut self) -> (Option<i32>, String) {
        drop(self.to.take());
        let output = self.child.wait_with_output().expect("the program ends");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    }
}

fn open(text: &str) -> Notification {
    Notification::new(
        "textDocument/didOpen".to_owned(),
        json!({ "textDocument": { "uri": "untitled:1", "languageId": "visa", "version": 1, "text": text } }),
    )
}

#[test]
fn a_session_from_beginning_to_end() {
    for arguments in [&["lsp"] as &[&str], &["lsp", "--stdio"]] {
        let mut program = Program::start(arguments);
        assert_eq!(program.initialize()["serverInfo"]["version"], env!("CARGO_PKG_VERSION"));
        program.send(open(&kernel("", "    rett (M1, 1)\n")));
        let Message::Notification(findings) = program.next() else { panic!("no findings") };
        assert_eq!(findings.params["diagnostics"][0]["code"], "unknown-instruction");
        program.send(Request::new(2.into(), "shutdown".to_owned(), Value::Null));
        let Message::Response(_) = program.next() else { panic!("no answer") };
        program.send(Notification::new("exit".to_owned(), Value::Null));
        let (status, errors) = program.status();
        assert_eq!((status, errors.as_str()), (Some(0), ""));
    }
}

/// Symbols are looked for beside all else; a client may leave before they are found.
#[test]
fn every_request_before_the_end_is_answered() {
    let mut program = Program::start(&["lsp"]);
    program.initialize();
    for id in 2..12 {
        program.send(Request::new(id.into(), "workspace/symbol".to_owned(), serde_json::json!({ "query": "k" })));
    }
    program.send(Request::new(12.into(), "shutdown".to_owned(), Value::Null));
    program.send(Notification::new("exit".to_owned(), Value::Null));
    let mut ids = Vec::new();
    while ids.last() != Some(&12.into()) {
        if let Message::Response(response) = program.next() {
            ids.push(response.id);
        }
    }
    ids.sort();
    assert_eq!(ids, (2..13).map(RequestId::from).collect::<Vec<_>>());
    assert_eq!(program.status().0, Some(0));
}

#[test]
fn the_program_ends_with_its_client() {
    let mut program = Program::start(&["lsp"]);
    program.initialize();
    let (status, errors) = program.status();
    assert_eq!((status, errors.as_str()), (Some(1), "visa-lint: standard input ended without `shutdown`\n"));
}

#[test]
fn a_client_that_speaks_nonsense_is_left() {
    use std::io::Write as _;
    let mut program = Program::start(&["lsp"]);
    program.to.as_mut().expect("a pipe").write_all(b"GET / HTTP/1.1\r\n\r\n").expect("the program reads");
    let (status, errors) = program.status();
    assert_eq!(status, Some(2));
    assert!(errors.starts_with("visa-lint: ") && errors.contains("header"), "{errors}");
}

#[test]
fn without_a_client_the_program_says_so() {
    let (status, errors) = Program::start(&["lsp"]).status();
    assert_eq!((status, errors.as_str()), (Some(2), "visa-lint: standard input ended before a client said anything\n"));
}

#[test]
fn what_is_no_message_is_answered_and_the_server_goes_on() {
    use std::io::{BufRead as _, Read as _, Write as _};
    let mut program = Program::start(&["lsp"]);
    program.initialize();
    program.to.as_mut().expect("a pipe").write_all(b"Content-Length: 1\r\n\r\n{").expect("the program reads");
    // The answer has no id, so it is read as text: a line with its length, an empty one, and that many bytes.
    let mut head = String::new();
    program.from.read_line(&mut head).expect("an answer");
    let length = head.trim().strip_prefix("Content-Length: ").and_then(|n| n.parse().ok()).expect("a length");
    program.from.read_line(&mut head).expect("an answer");
    let mut answer = vec![0; length];
    program.from.read_exact(&mut answer).expect("an answer");
    let answer = String::from_utf8_lossy(&answer);
    assert!(answer.contains("\"id\":null") && answer.contains("-32700"), "{answer}");
    program.send(Request::new(2.into(), "shutdown".to_owned(), Value::Null));
    let Message::Response(Response { response_result: Ok(_), .. }) = program.next() else { panic!("no answer") };
    program.send(Notification::new("exit".to_owned(), Value::Null));
    assert_eq!(program.status(), (Some(0), String::new()));
}

#[test]
fn every_end_says_why() {
    let mut program = Program::start(&["lsp"]);
    program.send(Notification::new("exit".to_owned(), Value::Null));
    let said = |reason: &str| format!("visa-lint: {reason}\n");
    assert_eq!(program.status(), (Some(1), said("the client sent `exit` without `shutdown`")));
    let mut program = Program::start(&["lsp"]);
    program.initialize();
    program.send(Notification::new("exit".to_owned(), Value::Null));
    assert_eq!(program.status(), (Some(1), said("the client sent `exit` without `shutdown`")));
    // A client that reads no more, but does not close the input.
    let mut program = Program::start(&["lsp"]);
    program.initialize();
    let Program { mut child, mut to, from } = program;
    drop(from);
    for id in 2..20 {
        let request = Message::from(Request::new(id.into(), "x".to_owned(), Value::Null));
        if request.write(to.as_mut().expect("a pipe")).is_err() {
            break;
        }
    }
    let status = child.wait().expect("the program ends");
    let mut errors = String::new();
    std::io::Read::read_to_string(&mut child.stderr.take().expect("a pipe"), &mut errors).expect("text");
    assert_eq!(status.code(), Some(1));
    assert!(errors.starts_with("visa-lint: standard output cannot be written: "), "{errors}");
}

#[test]
fn a_second_beginning_and_an_early_request_are_refused() {
    let mut program = Program::start(&["lsp"]);
    program.send(Request::new(7.into(), "shutdown".to_owned(), Value::Null));
    let Message::Response(Response { response_result: Err(error), .. }) = program.next() else { panic!("no error") };
    assert_eq!(error.code, lsp_server::ErrorCode::ServerNotInitialized as i32);
    program.initialize();
    program.send(Request::new(8.into(), "initialize".to_owned(), json!({ "capabilities": {} })));
    let Message::Response(Response { response_result: Err(error), .. }) = program.next() else { panic!("no error") };
    assert_eq!(error.code, lsp_server::ErrorCode::InvalidRequest as i32);
}

/// Bytes of memory that a process holds.
#[cfg(target_os = "linux")]
fn resident(id: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).expect("a status");
    let line = status.lines().find(|l| l.starts_with("VmRSS:")).expect("a size");
    line.split_whitespace().nth(1).and_then(|n| n.parse::<u64>().ok()).expect("a number") * 1024
}

#[test]
#[cfg(target_os = "linux")]
fn memory_returns_after_a_document_is_closed() {
    let mut program = Program::start(&["lsp"]);
    program.initialize();
    let before = resident(program.child.id());
    let text = kernel("", &"    mov (M1, 8) VD(0,0)<1> 1:d\n".repeat(100_000));
    program.send(open(&text));
    let Message::Notification(_) = program.next() else { panic!("no findings") };
    let open = resident(program.child.id());
    program.send(Notification::new(
        "textDocument/didClose".to_owned(),
        json!({ "textDocument": { "uri": "untitled:1" } }),
    ));
    let Message::Notification(_) = program.next() else { panic!("no findings") };
    // The threads beside the main loop let go of what they hold a little later.
    let mut closed = open;
    for _ in 0..100 {
        closed = resident(program.child.id());
        if closed - before < (open - before) / 4 {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    panic!("{before} bytes before, {open} while the document was open, {closed} afterwards");
}
