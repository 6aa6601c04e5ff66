//! The real program, over its standard input and output.

use crate::support::kernel;
use lsp_server::{Message, Notification, Request, Response};
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

#[test]
fn the_program_ends_with_its_client() {
    let mut program = Program::start(&["lsp"]);
    program.initialize();
    let (status, errors) = program.status();
    assert_eq!((status, errors.as_str()), (Some(1), ""));
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
