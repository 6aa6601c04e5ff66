//! Findings: sent or asked for, fast and slow.

use super::client::{Client, URI, capable, of, position};
use super::long_kernel;
use crate::support::kernel;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};
use visa_lint::base::diagnostic::Diagnostic;
use visa_lint::base::span::Span;
use visa_lint::checks::{Options, rule};
use visa_lint::lsp::SlowCheck;
use visa_lint::lsp::analysis::Analysis;

fn bad() -> String {
    kernel("", "    rett (M1, 1)\n    mov (M1, 8) VD(0,0)<1> Vx(0,0)<8;8,1>\n")
}

#[test]
fn findings_carry_what_the_protocol_can_carry() {
    let mut client = Client::new();
    let text = kernel(
        ".decl Vs v_type=G type=ud num_elts=8 align=GRF\n",
        "    gather4_scaled.RG (M1, 8) T6 0x0:ud VUD.0 Vs.0\n    rett (M1, 1)\n",
    );
    let findings = client.check(&text);
    assert_eq!(findings.len(), 2, "{findings:#?}");
    let [bounds, unknown] = findings.as_slice() else { unreachable!() };
    assert_eq!(
        (&bounds["code"], &bounds["severity"], &bounds["source"]),
        (&json!("operand-out-of-bounds"), &json!(1), &json!("visa-lint"))
    );
    assert_eq!(of(&text, &bounds["range"]), "Vs.0");
    let href = bounds["codeDescription"]["href"].as_str().expect("a link");
    assert!(href.starts_with("https://") && href.contains(".md"), "{href}");
    let related = &bounds["relatedInformation"][0];
    assert_eq!(related["location"]["uri"], URI);
    assert_eq!(of(&text, &related["location"]["range"]), "Vs");
    assert!(bounds["message"].as_str().expect("text").contains("\nnote: "));
    assert_eq!(unknown["data"]["edits"][0]["newText"], "ret");
    assert!(unknown["message"].as_str().expect("text").contains("\nhelp: did you mean `ret`?"));
}

#[test]
fn what_a_client_cannot_show_is_left_out() {
    let mut client = Client::with(json!({}), Value::Null, &[]);
    let text = kernel(
        ".decl Vs v_type=G type=ud num_elts=8 align=GRF\n",
        "    gather4_scaled.RG (M1, 8) T6 0x0:ud VUD.0 Vs.0\n",
    );
    let finding = &client.check(&text)[0];
    assert_eq!((finding.get("relatedInformation"), finding.get("codeDescription")), (None, None));
}

#[test]
fn levels_become_severities() {
    let mut client = Client::with(
        json!({}),
        json!({ "pedantic": true, "levels": { "undeclared-variable": "pedantic", "unknown-instruction": "warning" } }),
        &[],
    );
    let findings = client.check(&bad());
    let severity = |rule: &str| findings.iter().find(|f| f["code"] == rule).map(|f| f["severity"].clone());
    assert_eq!([severity("unknown-instruction"), severity("undeclared-variable")], [Some(json!(2)), Some(json!(3))]);
}

#[test]
fn a_file_with_many_findings_does_not_flood_the_client() {
    let mut client = Client::with(json!({}), json!({ "maxFindings": 10 }), &[]);
    let warning = "    mov (M1, 8) VF(0,0)<1> 5:f\n";
    let text = kernel("", &(warning.repeat(20) + &"    rett (M1, 1)\n".repeat(15)));
    let findings = client.check(&text);
    assert_eq!(findings.len(), 11);
    assert!(findings[..10].iter().all(|f| f["severity"] == 1), "the most serious are kept");
    assert_eq!(findings[10]["severity"], 3);
    assert!(findings[10]["message"].as_str().expect("text").starts_with("25 further findings are not shown"));
}

#[test]
fn closing_takes_the_findings_away() {
    let mut client = Client::new();
    assert_eq!(client.check(&bad()).len(), 2);
    client.notify("textDocument/didClose", json!({ "textDocument": { "uri": URI } }));
    assert_eq!(client.findings().len(), 0);
}

#[test]
fn findings_name_the_version_that_they_are_about() {
    let mut client = Client::new();
    client.open(&bad());
    assert_eq!(client.notification("textDocument/publishDiagnostics")["version"], 1);
    client.change(7, json!([{ "text": kernel("", "") }]));
    let sent = client.notification("textDocument/publishDiagnostics");
    assert_eq!((&sent["version"], &sent["diagnostics"]), (&json!(7), &json!([])));
}

#[test]
fn documents_without_a_file_are_checked() {
    let mut client = Client::new();
    for uri in ["untitled:Untitled-1", "vscode-vfs://github/x/y.visaasm", "git:/a/b.visaasm?HEAD"] {
        client.open_as(uri, &bad());
        let sent = client.notification("textDocument/publishDiagnostics");
        assert_eq!(sent["uri"], uri);
        assert_eq!(sent["diagnostics"].as_array().map(Vec::len), Some(2));
    }
}

fn pulling() -> Value {
    let mut capabilities = capable();
    capabilities["textDocument"]["diagnostic"] = json!({ "relatedDocumentSupport": false });
    capabilities
}

#[test]
fn a_client_may_ask_for_findings() {
    let mut client = Client::with(pulling(), json!({}), &[]);
    client.open(&bad());
    let first = client.request("textDocument/diagnostic", json!({ "textDocument": { "uri": URI } }));
    assert_eq!((&first["kind"], first["items"].as_array().map(Vec::len)), (&json!("full"), Some(2)));
    let again = json!({ "textDocument": { "uri": URI }, "previousResultId": first["resultId"] });
    assert_eq!(client.request("textDocument/diagnostic", again.clone())["kind"], "unchanged");
    client.change(2, json!([{ "text": kernel("", "    rett (M1, 1)\n") }]));
    let other = client.request("textDocument/diagnostic", again);
    assert_eq!((&other["kind"], other["items"].as_array().map(Vec::len)), (&json!("full"), Some(1)));
    assert!(!client.has_come("textDocument/publishDiagnostics", Duration::from_millis(100)), "nothing is sent twice");
}

// ---- slow checks ----

/// Reports every `ret`, as the slow checks do: with another rule than the fast ones.
fn every_ret(analysis: &Analysis, _: &Options, _: &Arc<AtomicBool>) -> Vec<Diagnostic> {
    let text = analysis.text.as_str();
    text.match_indices("    ret ")
        .map(|(at, _)| {
            Diagnostic::new(rule("syntax-error").expect("a rule"), Span::new(at as u32 + 4, at as u32 + 7), "slow")
        })
        .collect()
}

#[test]
fn slow_findings_come_after_the_fast_ones() {
    const SLOW: &[SlowCheck] = &[every_ret];
    let mut client = Client::with(capable(), json!({}), SLOW);
    let fast = client.check(&bad());
    assert_eq!(fast.len(), 2);
    let all = client.findings();
    assert_eq!(all.iter().map(|f| f["message"] == "slow").collect::<Vec<_>>(), [false, false, true]);

    // They stay in their places while something else is typed.
    let text = bad();
    let at = position(&text, text.find("    rett").expect("rett"));
    client.change(2, json!([{ "range": { "start": at, "end": at }, "text": "    mov (M1, 8) VD(0,0)<1> 0x1:d\n" }]));
    let soon = client.findings();
    assert_eq!(soon.len(), 3);
    let new = text.replacen("    rett", "    mov (M1, 8) VD(0,0)<1> 0x1:d\n    rett", 1);
    assert_eq!(of(&new, &soon[2]["range"]), "ret");
}

#[test]
fn a_client_that_asks_is_told_of_slow_findings() {
    const SLOW: &[SlowCheck] = &[every_ret];
    let mut client = Client::with(pulling(), json!({}), SLOW);
    client.open(&bad());
    let question = client.asked("workspace/diagnostic/refresh");
    client.reply(question.id, Value::Null);
    let all = client.request("textDocument/diagnostic", json!({ "textDocument": { "uri": URI } }));
    assert_eq!(all["items"].as_array().map(Vec::len), Some(3));
}

static STARTED: AtomicU32 = AtomicU32::new(0);
static STOPPED: AtomicU32 = AtomicU32::new(0);

/// Takes forever, until it is told to stop.
fn endless(_: &Analysis, _: &Options, cancelled: &Arc<AtomicBool>) -> Vec<Diagnostic> {
    STARTED.fetch_add(1, Ordering::SeqCst);
    while !cancelled.load(Ordering::SeqCst) {
        std::thread::sleep(Duration::from_millis(1));
    }
    STOPPED.fetch_add(1, Ordering::SeqCst);
    Vec::new()
}

#[test]
fn slow_checks_do_not_keep_anybody_waiting() {
    const SLOW: &[SlowCheck] = &[endless];
    let mut client = Client::with(capable(), json!({}), SLOW);
    client.check(&bad());
    let wait = |counter: &AtomicU32, n: u32| {
        let start = Instant::now();
        while counter.load(Ordering::SeqCst) < n {
            assert!(start.elapsed() < Duration::from_secs(30), "nothing happens");
            std::thread::sleep(Duration::from_millis(1));
        }
    };
    wait(&STARTED, 1);
    client.request(
        "textDocument/hover",
        json!({ "textDocument": { "uri": URI }, "position": { "line": 3, "character": 8 } }),
    );
    client.change(2, json!([{ "text": bad() }]));
    assert_eq!(client.findings().len(), 2);
    wait(&STOPPED, 1);
    wait(&STARTED, 2);
    client.notify("textDocument/didClose", json!({ "textDocument": { "uri": URI } }));
    wait(&STOPPED, 2);
}

#[test]
fn a_slow_check_that_panics_costs_only_itself() {
    fn broken(_: &Analysis, _: &Options, _: &Arc<AtomicBool>) -> Vec<Diagnostic> {
        panic!("this panic is part of a test")
    }
    const SLOW: &[SlowCheck] = &[broken, every_ret];
    let mut client = Client::with(capable(), json!({}), SLOW);
    client.check(&bad());
    assert_eq!(client.findings().len(), 3);
}

#[test]
fn typing_in_a_long_kernel_sends_findings_for_the_last_version() {
    let mut client = Client::new();
    let text = long_kernel(3000);
    assert_eq!(client.check(&text), [Value::Null; 0]);
    let line = 1500;
    let at = json!({ "line": line, "character": 0 });
    for (i, letter) in "rett".chars().enumerate() {
        let place = json!({ "line": line, "character": i });
        client.change(2 + i as i32, json!([{ "range": { "start": place, "end": place }, "text": letter.to_string() }]));
    }
    client.change(9, json!([{ "range": { "start": at, "end": at }, "text": "nonsense\n" }]));
    loop {
        let sent = client.notification("textDocument/publishDiagnostics");
        if sent["version"] == 9 {
            assert!(sent["diagnostics"].as_array().is_some_and(|d| !d.is_empty()));
            break;
        }
    }
}
