//! Tests of `lsp::transport`.

use lsp_server::Message;
use visa_lint::lsp::transport::read;

/// What is read from bytes: the methods of the messages, the codes of the answers, and how it ends.
fn all(bytes: &[u8]) -> (Vec<String>, String, Result<(), String>) {
    let (to, messages) = crossbeam_channel::unbounded();
    let mut answers = Vec::new();
    let end = read(&mut &*bytes, &to, &mut answers);
    drop(to);
    let methods = messages.iter().filter_map(|m| match m {
        Message::Notification(n) => Some(n.method),
        Message::Request(r) => Some(r.method),
        Message::Response(_) => None,
    });
    (methods.collect(), String::from_utf8(answers).unwrap(), end)
}

fn framed(text: &str) -> String {
    format!("Content-Length: {}\r\n\r\n{text}", text.len())
}

const GOOD: &str = r#"{"jsonrpc":"2.0","method":"m"}"#;

#[test]
fn what_is_no_message_is_answered_and_passed_over() {
    for (bad, answer) in [
        ("{", "-32700"),
        ("\u{1}", "-32700"),
        ("[]", "-32600"),
        (r#"{"id":1.5,"method":7}"#, "\"id\":1.5"),
        (r#"{"jsonrpc":"2.0"}"#, "-32600"),
    ] {
        let (methods, answers, end) = all((framed(bad) + &framed(GOOD)).as_bytes());
        assert_eq!((methods.as_slice(), end), (&["m".to_owned()][..], Ok(())), "{bad}");
        assert!(answers.contains(answer), "{bad}: {answers}");
    }
    let deep = "[".repeat(100_000);
    let (methods, answers, _) = all((framed(&deep) + &framed(GOOD)).as_bytes());
    assert!(methods == ["m"] && answers.contains("-32700"), "{answers}");
}

#[test]
fn answers_without_a_question_are_not_answered() {
    let (methods, answers, end) = all((framed(r#"{"id":null,"error":{}}"#) + &framed(GOOD)).as_bytes());
    assert_eq!((methods.as_slice(), answers.as_str(), end), (&["m".to_owned()][..], "", Ok(())));
}

#[test]
fn lengths_take_no_memory_before_the_bytes_come() {
    for (length, reason) in [
        ("400000000", "ended in the middle"),
        ("18446744073709551615", "ended in the middle"),
        ("99999999999999999999", "no length"),
        ("-1", "no length"),
    ] {
        let (methods, _, end) = all(format!("Content-Length: {length}\r\n\r\n{{}}").as_bytes());
        assert!(methods.is_empty() && end.as_ref().is_err_and(|e| e.contains(reason)), "{length}: {end:?}");
    }
}

#[test]
fn headers_are_bounded() {
    for (text, reason) in [
        ("x".repeat(1 << 20), "does not end"),
        ("a: b\r\n".repeat(1000), "too many lines"),
        ("GET / HTTP/1.1\r\n\r\n".to_owned(), "is no header"),
        ("a: b\r\n\r\n".to_owned(), "no `Content-Length`"),
    ] {
        let (_, _, end) = all(text.as_bytes());
        assert!(end.as_ref().is_err_and(|e| e.contains(reason)), "{end:?}");
    }
    assert_eq!(all(b"").2, Ok(()));
}
