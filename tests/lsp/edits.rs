//! Random edits: whatever was typed, the findings at the end are those of a fresh check of the text at the end.

use super::client::{Client, URI, capable};
use super::long_kernel;
use crate::support::kernel;
use crate::support::mutator::Random;
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use visa_lint::base::rule::Level;
use visa_lint::checks::{self, Options};
use visa_lint::lsp::SLOW_CHECKS;

/// Edits in all.
const N_EDITS: usize = 10_000;

/// Edits after which the findings are compared.
const N_BETWEEN: usize = 500;

/// What is typed.
const SNIPPETS: [&str; 22] = [
    "x",
    "0",
    ".",
    "\n",
    "\r\n",
    "(",
    ">",
    ":ud",
    " ",
    "é",
    "𝄞",
    "/*",
    "*/",
    "// visa-lint: allow(unknown-instruction) why not\n",
    "// visa-lint: expect(overlapping-lane-writes) why not\n",
    "    rett (M1, 1)\n",
    "    mov (M1_NM, 8) VUD(0,0)<1> 0x33221100:uv\n    scatter4_scaled.R (M1_NM, 8) T6 0x0:ud VUD.0 VF.0\n",
    ".decl V7 v_type=G type=d num_elts=8 align=GRF\n",
    "label_7:\n",
    "    jmp (M1, 1) label_7\n",
    "    add (M1, 16) VD(0,0)<1> VD2(0,0)<1;1,0> VD(0,0)<1;1,0>\n",
    "V7",
];

/// The position of a byte; columns count UTF-16.
fn position(text: &str, at: usize) -> Value {
    let mut line = 0;
    let mut start = 0;
    let bytes = text.as_bytes();
    // A line ends before its `\r\n`: no position lies between the two.
    let at = if at > 0 && !is_cursor(text, at) { at - 1 } else { at };
    for (i, byte) in bytes[..at].iter().enumerate() {
        // The protocol ends lines at `\n`, `\r\n` and `\r`.
        if *byte == b'\n' || *byte == b'\r' && bytes.get(i + 1) != Some(&b'\n') {
            line += 1;
            start = i + 1;
        }
    }
    json!({ "line": line, "character": text[start..at].encode_utf16().count() })
}

/// Whether an editor would put a cursor there.
fn is_cursor(text: &str, at: usize) -> bool {
    let in_line_end = at > 0 && text.as_bytes()[at - 1] == b'\r' && text.as_bytes().get(at) == Some(&b'\n');
    text.is_char_boundary(at) && !in_line_end
}

fn place(text: &str, random: &mut Random) -> usize {
    let mut at = random.below(text.len() + 1);
    while !is_cursor(text, at) {
        at -= 1;
    }
    at
}

/// Changes the text, and says so in the words of the protocol.
fn edit(text: &mut String, random: &mut Random) -> Value {
    let start = place(text, random);
    let mut end = start;
    if random.below(2) == 0 {
        end = (start + random.below(12)).min(text.len());
        while !is_cursor(text, end) {
            end -= 1;
        }
        end = end.max(start);
    }
    let new = match random.below(3) {
        0 => String::new(),
        1 => SNIPPETS[random.below(SNIPPETS.len())].to_owned(),
        _ => {
            let from = place(text, random);
            text[from..].chars().take(random.below(30)).collect()
        }
    };
    let range = json!({ "start": position(text, start), "end": position(text, end) });
    text.replace_range(start..end, &new);
    json!({ "range": range, "text": new })
}

/// What a fresh check of the text says, as the protocol would say it.
fn expected(text: &str) -> Vec<(String, Value, Value, Value)> {
    let mut all: Vec<_> = checks::check(text, &Options::default())
        .iter()
        .map(|d| {
            let span = d.primary.span;
            let severity = match d.level {
                Level::Error => 1,
                Level::Warning => 2,
                Level::Pedantic | Level::Off => 3,
            };
            let (start, end) = (position(text, span.start as usize), position(text, span.end as usize));
            (d.rule.name.to_owned(), start, end, json!(severity))
        })
        .collect();
    all.sort_by_key(|f| format!("{f:?}"));
    all
}

fn sent(parameters: &Value) -> Vec<(String, Value, Value, Value)> {
    let mut all: Vec<_> = parameters["diagnostics"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|d| {
            let rule = d["code"].as_str().unwrap_or("").to_owned();
            (rule, d["range"]["start"].clone(), d["range"]["end"].clone(), d["severity"].clone())
        })
        .collect();
    all.sort_by_key(|f| format!("{f:?}"));
    all
}

#[test]
fn ten_thousand_edits_end_with_the_findings_of_a_fresh_check() {
    let mut capabilities = capable();
    capabilities["general"]["positionEncodings"] = json!(["utf-16"]);
    let mut client = Client::with(capabilities, json!({ "maxFindings": 1_000_000 }), SLOW_CHECKS);
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let beginnings = [kernel("", ""), long_kernel(90), kernel("", SNIPPETS[16]), String::new()];
    let mut text = beginnings[0].clone();
    client.open(&text);
    let mut version = 1;
    for round in 0..N_EDITS / N_BETWEEN {
        let mut left = N_BETWEEN;
        while left > 0 {
            let n = (1 + random.below(40)).min(left);
            let mut changes = Vec::new();
            if left == N_BETWEEN && round > 0 {
                // Random text does not get better: begin with a good one again.
                text.clone_from(&beginnings[round % beginnings.len()]);
                changes.push(json!({ "text": text }));
            }
            changes.extend((0..n).map(|_| edit(&mut text, &mut random)));
            version += 1;
            client.change(version, Value::Array(changes));
            left -= n;
            if random.below(4) == 0 {
                // Typists pause, so that checks begin and are overtaken.
                std::thread::sleep(Duration::from_millis(random.below(20) as u64));
            }
        }
        let expected = expected(&text);
        let end = Instant::now() + Duration::from_secs(30);
        loop {
            let published = client.notification("textDocument/publishDiagnostics");
            if published["version"] != version {
                continue;
            }
            let sent = sent(&published);
            if sent == expected {
                break;
            }
            let has_more = client.has_come("textDocument/publishDiagnostics", Duration::from_secs(5));
            assert!(
                has_more && Instant::now() < end,
                "round {round}:\nmissing {:?}\nsurplus {:?}\nin\n{text}",
                expected.iter().filter(|f| !sent.contains(f)).collect::<Vec<_>>(),
                sent.iter().filter(|f| !expected.contains(f)).collect::<Vec<_>>(),
            );
        }
    }
    assert!(
        !client.has_come("textDocument/publishDiagnostics", Duration::from_millis(500)),
        "nothing is said after the last word, not even about {URI}"
    );
}

#[test]
fn edits_that_wait_are_worked_off_as_one() {
    use lsp_server::{Connection, Message, Notification, Request};
    let (connection, other) = Connection::memory();
    // Everything is sent before the server runs, so all of it waits.
    let send = |message: Message| connection.sender.send(message).expect("a channel");
    let notify = |method: &str, parameters: Value| send(Notification::new(method.to_owned(), parameters).into());
    send(Request::new(1.into(), "initialize".to_owned(), json!({ "capabilities": {} })).into());
    notify("initialized", json!({}));
    let text = format!("// \n{}", kernel("", "    rett (M1, 1)\n"));
    let document = json!({ "uri": URI, "languageId": "visa", "version": 1, "text": text });
    notify("textDocument/didOpen", json!({ "textDocument": document }));
    for version in 2..=N_EDITS + 1 {
        let place = json!({ "line": 0, "character": version });
        let whole = json!({ "text": format!("nothing of this stays, {version}") });
        let part = json!({ "range": { "start": place, "end": place }, "text": "x" });
        let change = match version {
            ..5000 => whole,
            5000 => json!({ "text": text }),
            _ => part,
        };
        notify(
            "textDocument/didChange",
            json!({ "textDocument": { "uri": URI, "version": version }, "contentChanges": [change] }),
        );
    }
    let server = std::thread::spawn(move || visa_lint::lsp::serve(&other, &[]));
    let mut published = Vec::new();
    while published.last().is_none_or(|p: &Value| p["version"] != N_EDITS + 1) {
        if let Message::Notification(n) = connection.receiver.recv().expect("a server that lives")
            && n.method == "textDocument/publishDiagnostics"
        {
            published.push(n.params);
        }
    }
    assert_eq!(published.len(), 1, "{published:#?}");
    let findings = published[0]["diagnostics"].as_array().expect("a list");
    assert!(findings.iter().any(|d| d["code"] == "unknown-instruction"), "{findings:#?}");
    drop(connection);
    server.join().expect("the server ends");
}
