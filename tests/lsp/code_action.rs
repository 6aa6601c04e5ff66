//! Code actions.

use super::client::{Client, URI, edited};
use crate::support::kernel;
use serde_json::{Value, json};
use visa_lint::checks::{self, Options};

/// The actions for a line of a document.
fn actions(client: &mut Client, text: &str, line_with: &str, only: &Value) -> Vec<Value> {
    let at = text.find(line_with).expect("the line");
    let line = text[..at].matches('\n').count();
    client.open(text);
    let range = json!({ "start": { "line": line, "character": 0 }, "end": { "line": line, "character": 200 } });
    let context =
        if only.is_null() { json!({ "diagnostics": [] }) } else { json!({ "diagnostics": [], "only": only }) };
    let found = client.request(
        "textDocument/codeAction",
        json!({ "textDocument": { "uri": URI }, "range": range, "context": context }),
    );
    found.as_array().expect("a list").clone()
}

fn titled<'a>(actions: &'a [Value], title: &str) -> &'a Value {
    actions
        .iter()
        .find(|a| a["title"] == title)
        .unwrap_or_else(|| panic!("no {title} in {:?}", actions.iter().map(|a| &a["title"]).collect::<Vec<_>>()))
}

#[test]
fn a_fix_is_offered_where_its_finding_is() {
    let mut client = Client::new();
    let text = kernel("", "    rett (M1, 1)\n    MOV (M1, 8) VD(0,0)<1> 0x1:d\n");
    let found = actions(&mut client, &text, "rett", &Value::Null);
    let fix = titled(&found, "Write `ret`");
    assert_eq!(
        (&fix["kind"], &fix["isPreferred"]),
        (&json!("quickfix"), &json!(false)),
        "it is not certain that this was meant"
    );
    assert_eq!(fix["diagnostics"][0]["code"], "unknown-instruction");
    assert_eq!(edited(&text, &fix["edit"]), text.replace("rett", "ret"));
    assert_eq!(fix["edit"]["documentChanges"][0]["textDocument"], json!({ "uri": URI, "version": 1 }));

    let found = actions(&mut client, &text, "MOV", &Value::Null);
    let fix = titled(&found, "Write `mov`");
    assert_eq!(fix["isPreferred"], true);
    assert_eq!(edited(&text, &fix["edit"]), text.replace("MOV", "mov"));
    assert!(actions(&mut client, &text, ".version", &json!(["quickfix"])).is_empty());
}

#[test]
fn all_certain_fixes_are_made_at_once() {
    let mut client = Client::new();
    // Under the first fault lies a second.
    let text = kernel(
        "",
        "    MOV (M1, 8) VD(0,0)<1> 0x1:d\n    ADD (M1, 8) VD(0,0)<1> VD(0,0)<8;8,1> 0x1:d\n    rett (M1, 1)\n",
    );
    for only in [Value::Null, json!(["source"]), json!(["source.fixAll"]), json!(["source.fixAll.visa-lint"])] {
        let found = actions(&mut client, &text, ".version", &only);
        let fix = titled(&found, "Mend all 2 findings with a certain fix");
        assert_eq!(fix["kind"], "source.fixAll.visa-lint");
        let new = edited(&text, &fix["edit"]);
        assert_eq!(new, text.replace("MOV", "mov").replace("ADD", "add"));
        assert!(checks::check(&new, &Options::default()).iter().all(|d| d.rule.name == "unknown-instruction"));
    }
    assert!(actions(&mut client, &text, ".version", &json!(["quickfix"])).is_empty());
    assert!(actions(&mut client, &text, ".version", &json!(["refactor"])).is_empty());
    assert!(actions(&mut client, &kernel("", ""), ".version", &json!(["source.fixAll"])).is_empty(), "nothing to do");

    let found = actions(&mut client, &text, "MOV", &json!(["quickfix"]));
    let fix = titled(&found, "Mend all 2 findings of `unknown-instruction`");
    assert_eq!(edited(&text, &fix["edit"]), text.replace("MOV", "mov").replace("ADD", "add"));
}

#[test]
fn a_finding_can_be_allowed_where_it_is() {
    let mut client = Client::new();
    let text = kernel("", "    mov (M1, 8) VF(0,0)<1> 5:f\n");
    let found = actions(&mut client, &text, "5:f", &Value::Null);
    let allow = titled(&found, "Allow `decimal-bit-pattern` here");
    let new = edited(&text, &allow["edit"]);
    assert!(
        new.contains("\n    // visa-lint: allow(decimal-bit-pattern) intended\n    mov (M1, 8) VF(0,0)<1> 5:f\n"),
        "{new}"
    );

    // A second one goes into the same comment.
    let text = kernel("", "    // visa-lint: allow(unknown-type) intended\n    mov (M1, 8) VF(0,0)<1> 5:f\n");
    let found = actions(&mut client, &text, "5:f", &Value::Null);
    let new = edited(&text, &titled(&found, "Allow `decimal-bit-pattern` here")["edit"]);
    assert!(new.contains("// visa-lint: allow(unknown-type, decimal-bit-pattern) intended\n"), "{new}");
}

#[test]
fn a_rule_can_be_explained() {
    let mut client = Client::new();
    let found = actions(&mut client, &kernel("", "    rett (M1, 1)\n"), "rett", &Value::Null);
    let explain = titled(&found, "Explain `unknown-instruction`");
    assert_eq!(explain["command"]["command"], "visa-lint.explain");
    assert_eq!(explain["command"]["arguments"], json!(["unknown-instruction"]));
    let mut plain = Client::with(json!({ "general": { "positionEncodings": ["utf-8"] } }), json!({}), &[]);
    let commands = actions(&mut plain, &kernel("", "    rett (M1, 1)\n"), "rett", &Value::Null);
    assert!(!commands.is_empty() && commands.iter().all(|c| c["command"] == "visa-lint.explain"), "only commands");
}
