//! Beginning, end, configuration, cancellation.

use super::client::{Client, URI, capable};
use crate::support::kernel;
use lsp_server::{Connection, Notification, Request, RequestId};
use serde_json::{Value, json};
use std::time::Duration;
use visa_lint::lsp::{End, serve};

#[test]
fn the_encoding_is_the_one_that_the_client_likes_best() {
    for (offered, chosen) in [
        (json!(["utf-32", "utf-8", "utf-16"]), "utf-32"),
        (json!(["utf-8", "utf-16"]), "utf-8"),
        (json!(["utf-16"]), "utf-16"),
        (json!(["utf-7", "utf-16"]), "utf-16"),
        (Value::Null, "utf-16"),
    ] {
        let client = Client::with(json!({ "general": { "positionEncodings": offered } }), json!({}), &[]);
        assert_eq!(client.server_capabilities["capabilities"]["positionEncoding"], chosen);
    }
}

#[test]
fn a_client_that_can_nothing_is_served() {
    let mut client = Client::with(json!({}), Value::Null, &[]);
    let bad = kernel("", "    rett (M1, 1)\n");
    client.open(&bad);
    assert_eq!(client.findings().len(), 1);
    let hover = client.request(
        "textDocument/hover",
        json!({ "textDocument": { "uri": URI }, "position": { "line": 2, "character": 8 } }),
    );
    assert_eq!(hover["contents"]["kind"], "plaintext");
    assert!(!hover["contents"]["value"].as_str().expect("text").contains('`'));
}

#[test]
fn requests_that_make_no_sense_are_refused_and_the_server_lives() {
    let mut client = Client::new();
    client.open(&kernel("", ""));
    let no_document = client.refused(
        "textDocument/hover",
        json!({ "textDocument": { "uri": "file:///other" }, "position": { "line": 0, "character": 0 } }),
    );
    assert_eq!(no_document.code, -32602);
    assert!(no_document.message.contains("file:///other"));
    assert_eq!(client.refused("textDocument/hover", json!({ "textDocument": { "uri": URI } })).code, -32602);
    assert_eq!(client.refused("textDocument/hover", json!([])).code, -32602);
    assert_eq!(client.refused("no/such/request", Value::Null).code, -32601);
    client.notify("textDocument/didChange", json!({ "nonsense": true }));
    client.notify("$/noSuchNotification", json!({}));
    client.notify("textDocument/didClose", json!({ "textDocument": { "uri": "file:///never/opened" } }));
    let far = json!({ "textDocument": { "uri": URI }, "position": { "line": 4_000_000_000u32, "character": 4_000_000_000u32 } });
    for method in [
        "textDocument/hover",
        "textDocument/completion",
        "textDocument/signatureHelp",
        "textDocument/definition",
        "textDocument/documentHighlight",
        "textDocument/prepareRename",
    ] {
        client.request(method, far.clone());
    }
}

#[test]
fn a_request_that_waits_can_be_taken_back() {
    let (connection, other) = Connection::memory();
    // Everything is sent before the server runs, so the order is certain.
    let at = json!({ "textDocument": { "uri": URI }, "position": { "line": 0, "character": 0 } });
    let id = |n: i32| RequestId::from(n);
    let send = |m: lsp_server::Message| connection.sender.send(m).expect("a channel");
    send(Request::new(id(1), "initialize".to_owned(), json!({ "capabilities": {} })).into());
    let open = json!({ "textDocument": { "uri": URI, "languageId": "visa", "version": 1, "text": kernel("", "") } });
    send(Notification::new("textDocument/didOpen".to_owned(), open).into());
    send(Request::new(id(2), "textDocument/hover".to_owned(), at.clone()).into());
    send(Request::new("three".to_owned().into(), "textDocument/hover".to_owned(), at.clone()).into());
    send(Request::new(id(4), "textDocument/hover".to_owned(), at).into());
    send(Notification::new("$/cancelRequest".to_owned(), json!({ "id": "three" })).into());
    send(Notification::new("$/cancelRequest".to_owned(), json!({ "id": 99 })).into());
    send(Request::new(id(5), "shutdown".to_owned(), Value::Null).into());
    send(Request::new(id(6), "textDocument/hover".to_owned(), Value::Null).into());
    send(Notification::new("exit".to_owned(), Value::Null).into());
    assert_eq!(serve(&other, &[]), End::Orderly);
    let mut answers = Vec::new();
    while let Ok(message) = connection.receiver.try_recv() {
        if let lsp_server::Message::Response(response) = message {
            answers.push((response.id.to_string(), response.response_result.err().map(|e| e.code)));
        }
    }
    answers.sort();
    let expected =
        [("\"three\"", Some(-32800)), ("1", None), ("2", None), ("4", None), ("5", None), ("6", Some(-32600))];
    assert_eq!(answers, expected.map(|(id, code)| (id.to_owned(), code)));
}

#[test]
fn leaving_without_a_word_is_noticed() {
    let (connection, other) = Connection::memory();
    let send = |m: lsp_server::Message| connection.sender.send(m).expect("a channel");
    send(Request::new(1.into(), "initialize".to_owned(), json!({ "capabilities": {} })).into());
    send(Notification::new("exit".to_owned(), Value::Null).into());
    assert_eq!(serve(&other, &[]), End::Exited);
}

#[test]
fn the_configuration_comes_with_the_first_message() {
    let lsc = kernel("", "    lsc_fence.ugm.none.group\n");
    let mut client = Client::with(json!({}), json!({ "platforms": ["SKL"] }), &[]);
    assert_eq!(client.check(&lsc)[0]["code"], "unsupported-instruction");
    let mut client = Client::with(json!({}), json!({ "platforms": ["DG2"] }), &[]);
    assert_eq!(client.check(&lsc), [Value::Null; 0]);
}

#[test]
fn the_configuration_is_asked_for() {
    let mut client = Client::new();
    let registration = client.asked("client/registerCapability");
    assert_eq!(registration.params["registrations"][0]["method"], "workspace/didChangeConfiguration");
    let question = client.asked("workspace/configuration");
    assert_eq!(question.params["items"][0]["section"], "visa-lint");
    client.reply(question.id, json!([{ "levels": { "unknown-instruction": "warning" } }]));
    let bad = kernel("", "    rett (M1, 1)\n");
    assert_eq!(client.check(&bad)[0]["severity"], 2);

    // A change of the configuration is asked for again, and everything is checked again.
    client.notify("workspace/didChangeConfiguration", json!({ "settings": null }));
    let question = client.asked("workspace/configuration");
    client.reply(question.id, json!([{ "levels": { "unknown-instruction": "off" } }]));
    assert_eq!(client.findings(), [Value::Null; 0]);
    client.asked("workspace/inlayHint/refresh");
}

#[test]
fn a_client_that_cannot_be_asked_sends_its_configuration() {
    let mut client = Client::with(json!({}), Value::Null, &[]);
    assert_eq!(client.check(&kernel("", "    rett (M1, 1)\n")).len(), 1);
    client.notify(
        "workspace/didChangeConfiguration",
        json!({ "settings": { "visa-lint": { "levels": { "unknown-instruction": "off" } } } }),
    );
    assert_eq!(client.findings().len(), 0);
}

#[test]
fn a_wrong_configuration_is_complained_about_once() {
    let mut client = Client::with(json!({}), json!({ "platforms": ["DG3"] }), &[]);
    let complaint = client.notification("window/showMessage");
    assert_eq!(complaint["message"], "visa-lint: there is no platform `DG3`; did you mean `DG2`?");
    client.notify("workspace/didChangeConfiguration", json!({ "settings": { "visa-lint": { "platforms": ["DG3"] } } }));
    client.check(&kernel("", ""));
    assert!(!client.has_come("window/showMessage", Duration::from_millis(50)));
}

#[test]
fn everything_that_is_answered_is_offered() {
    let client = Client::new();
    let offered = &client.server_capabilities["capabilities"];
    for provider in [
        "hover",
        "completion",
        "signatureHelp",
        "definition",
        "declaration",
        "references",
        "documentHighlight",
        "documentSymbol",
        "workspaceSymbol",
        "codeAction",
        "rename",
        "foldingRange",
        "selectionRange",
        "semanticTokens",
        "inlayHint",
        "executeCommand",
    ] {
        assert!(offered.get(format!("{provider}Provider")).is_some_and(|p| *p != false), "{provider}");
    }
    assert_eq!(offered.get("diagnosticProvider"), None, "this client does not ask for findings");
    let mut pulling = capable();
    pulling["textDocument"]["diagnostic"] = json!({});
    let client = Client::with(pulling, json!({}), &[]);
    assert!(client.server_capabilities["capabilities"]["diagnosticProvider"].is_object());
    assert_eq!(client.server_capabilities["serverInfo"]["name"], "visa-lint");
}
