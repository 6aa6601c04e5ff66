//! Settings from files and from the client, comments that suppress, and the checks that come later.

use super::client::{Client, URI, capable, edited};
use crate::support::{kernel, tests_folder};
use serde_json::{Value, json};
use std::path::PathBuf;
use visa_lint::lsp::{SLOW_CHECKS, uri};

/// A folder of its own for one test.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("lsp").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn bad() -> String {
    kernel("", "    rett (M1, 1)\n    mov (M1, 8) VF(0,0)<1> 5:f\n")
}

fn rules(findings: &[Value]) -> Vec<(&str, u64)> {
    findings.iter().map(|f| (f["code"].as_str().expect("a rule"), f["severity"].as_u64().expect("a level"))).collect()
}

#[test]
fn a_file_of_settings_holds_below_its_folder_and_the_client_has_the_last_word() {
    let folder = folder("levels");
    let sub = folder.join("kernels");
    std::fs::create_dir_all(&sub).expect("a folder");
    let settings = "rules = { unknown-instruction = \"warning\", decimal-bit-pattern = \"off\" }\n";
    std::fs::write(folder.join("visa-lint.toml"), settings).expect("a file");
    let document = uri::from_path(&sub.join("a.visaasm"));

    let mut client = Client::new();
    client.open_as(&document, &bad());
    assert_eq!(rules(&client.findings()), [("unknown-instruction", 2)]);

    let options = json!({ "levels": { "decimal-bit-pattern": "error" }, "platforms": null, "pedantic": null });
    let mut client = Client::with(capable(), options, &[]);
    client.open_as(&document, &bad());
    assert_eq!(rules(&client.findings()), [("unknown-instruction", 2), ("decimal-bit-pattern", 1)]);
}

#[test]
fn a_changed_file_of_settings_is_read_again() {
    let folder = folder("watched");
    let file = folder.join("visa-lint.toml");
    let document = uri::from_path(&folder.join("a.visaasm"));
    let mut capabilities = capable();
    capabilities["workspace"]["didChangeWatchedFiles"] = json!({ "dynamicRegistration": true });
    let mut client = Client::with(capabilities, json!({}), &[]);
    let asked = client.asked("client/registerCapability");
    assert!(asked.params.to_string().contains("**/visa-lint.toml"), "{}", asked.params);
    client.open_as(&document, &bad());
    assert_eq!(client.findings().len(), 2);

    std::fs::write(&file, "rules = { unknown-instruction = \"off\" }\n").expect("a file");
    let changed = json!({ "changes": [{ "uri": uri::from_path(&file), "type": 1 }] });
    client.notify("workspace/didChangeWatchedFiles", changed.clone());
    assert_eq!(rules(&client.findings()), [("decimal-bit-pattern", 2)]);

    std::fs::write(&file, "exclude = [\"a.visaasm\"]\n").expect("a file");
    client.notify("workspace/didChangeWatchedFiles", changed.clone());
    assert!(client.findings().is_empty(), "the file is left out");

    // A file that cannot be used is said once, and the defaults hold.
    std::fs::write(&file, "ruls = {}\n").expect("a file");
    client.notify("workspace/didChangeWatchedFiles", changed);
    let message = client.notification("window/showMessage");
    assert!(message["message"].as_str().expect("text").contains("there is no key `ruls`"), "{message}");
    assert_eq!(client.findings().len(), 2);
}

#[test]
fn the_action_that_allows_a_finding_makes_it_go_away() {
    let mut client = Client::with(capable(), json!({}), SLOW_CHECKS);
    let text = kernel("", "    mov (M1, 8) VF(0,0)<1> 5:f\n");
    let findings = client.check(&text);
    assert_eq!(rules(&findings), [("decimal-bit-pattern", 2)]);
    let context = json!({ "diagnostics": [] });
    let parameters =
        json!({ "textDocument": { "uri": URI }, "range": findings[0]["range"].clone(), "context": context });
    let actions = client.request("textDocument/codeAction", parameters);
    let allow = actions.as_array().expect("a list").iter().find(|a| a["title"] == "Allow `decimal-bit-pattern` here");
    let new = edited(&text, &allow.expect("the action")["edit"]);
    client.change(2, json!([{ "text": new }]));
    loop {
        let sent = client.notification("textDocument/publishDiagnostics");
        if sent["version"] == 2 {
            assert_eq!(sent["diagnostics"], json!([]));
            break;
        }
    }
}

#[test]
fn what_is_executed_comes_after_what_is_read() {
    let mut client = Client::with(capable(), json!({}), SLOW_CHECKS);
    let store = "    mov (M1_NM, 8) VUD(0,0)<1> 0x33221100:uv\n    shl (M1_NM, 8) VUD(0,0)<1> VUD(0,0)<1;1,0> 0x2:ud\n    \
                 scatter4_scaled.R (M1_NM, 8) T6 0x0:ud VUD.0 VF.0\n";
    let typo = "    rett (M1, 1)\n";
    let first = client.check(&kernel("", &format!("{typo}{store}")));
    assert_eq!(rules(&first), [("unknown-instruction", 1)]);
    let second = client.findings();
    assert!(rules(&second).contains(&("overlapping-lane-writes", 1)), "{second:#?}");

    // Neither an allowed finding of the slow kind nor an unused comment shows before the slow checks have spoken.
    let allow = "    // visa-lint: allow(overlapping-lane-writes) only one lane is ever active\n";
    let (before, after) = store.split_at(store.rfind("    scatter4").expect("the store"));
    client.change(2, json!([{ "text": kernel("", &format!("{typo}{before}{allow}{after}")) }]));
    loop {
        let sent = client.notification("textDocument/publishDiagnostics");
        if sent["version"] == 2 {
            assert_eq!(rules(sent["diagnostics"].as_array().expect("a list")), [("unknown-instruction", 1)]);
            break;
        }
    }
    let unused =
        "    // visa-lint: allow(overlapping-lane-writes) nothing overlaps\n    mov (M1, 8) VD(0,0)<1> 0x1:d\n";
    client.change(3, json!([{ "text": kernel("", unused) }]));
    loop {
        let sent = client.notification("textDocument/publishDiagnostics");
        let found = rules(sent["diagnostics"].as_array().expect("a list"));
        if sent["version"] == 3 && !found.is_empty() {
            assert_eq!(found, [("unused-suppression", 2)]);
            break;
        }
    }
}

#[test]
fn what_a_baseline_knows_is_not_reported() {
    let folder = folder("baseline");
    let path = folder.join("a.visaasm");
    std::fs::write(&path, bad()).expect("a file");
    let status = std::process::Command::new(env!("CARGO_BIN_EXE_visa-lint"))
        .current_dir(&folder)
        .args(["-q", "--no-config", "--write-baseline", "known.json", "a.visaasm"])
        .status();
    assert!(status.expect("the program starts").success());
    std::fs::write(folder.join("visa-lint.toml"), "baseline = \"known.json\"\n").expect("a file");
    let document = uri::from_path(&path);
    let mut client = Client::new();
    client.open_as(&document, &bad());
    assert!(client.findings().is_empty(), "all is known");
    let mut client = Client::new();
    client.open_as(&document, &bad().replacen("    ret (M1, 1)", "    wat (M1, 1)\n    ret (M1, 1)", 1));
    assert_eq!(rules(&client.findings()), [("unknown-instruction", 1)]);
}

#[test]
fn a_race_carries_the_steps_that_lead_to_it() {
    let folder = folder("race");
    let settings = "platforms = [\"DG2\"]\nrules = { work-item-race = \"warning\" }\n[launch]\nlocal-size = [64]\n";
    std::fs::write(folder.join("visa-lint.toml"), settings).expect("a file");
    let text = std::fs::read_to_string(tests_folder().join("races/dg2-simd16-v41/race_after_barrier.visaasm"));
    let mut client = Client::with(capable(), json!({}), SLOW_CHECKS);
    client.open_as(&uri::from_path(&folder.join("a.visaasm")), &text.expect("a dump"));
    let findings = std::iter::repeat_with(|| client.findings()).find(|all| !all.is_empty()).unwrap_or_default();
    assert_eq!(rules(&findings), [("work-item-race", 2)]);
    let related = findings[0]["relatedInformation"].as_array().expect("places");
    let words: Vec<&str> = related.iter().filter_map(|place| place["message"].as_str()).collect();
    assert_eq!(
        words,
        [
            "work-item (16, 0, 0) computes 0x10, work-item (15, 0, 0) 0xf",
            "work-item (16, 0, 0) computes 0x40, work-item (15, 0, 0) 0x3c",
            "this barrier comes before both",
            "work-item (15, 0, 0) computes 0x40",
            "work-item (15, 0, 0) reads here",
        ]
    );
}
