//! Symbols, folds, selections, colours, hints.

use super::client::{Client, URI, capable, cursor, of};
use super::long_kernel;
use crate::support::kernel;
use serde_json::{Value, json};

const TEXT: &str = "\
.version 4.1
.kernel \"first\"
// one
// two
// three
.decl Va v_type=G type=ud num_elts=16 align=GRF
.decl Vb v_type=G type=d num_elts=16 alias=<Va, 0>
.decl P1 v_type=P num_elts=16
.kernel_attr SimdSize=16
.function \"first_main\"
first_main:
    mov (M1, 8) Va(0,0)<1> 0x1:ud
again:
    {
    add (M1, 8) Va(0,0)<1> %r0(0,0)<8;8,1> Vb(0,0)<8;8,1>
    }
    jmp (M1, 1) again

    gather4_scaled.R (M1, 8) T1 0x0:ud Va.0 Vb.0
.global_function \"second\"
.function \"second_main\"
    ret (M1, 1)
";

fn ask(client: &mut Client, method: &str) -> Value {
    client.open(TEXT);
    client.request(method, json!({ "textDocument": { "uri": URI } }))
}

#[test]
fn the_outline_shows_kernels_variables_and_labels() {
    let symbols = ask(&mut Client::new(), "textDocument/documentSymbol");
    let names = |symbols: &Value| -> Vec<String> {
        symbols.as_array().expect("a list").iter().map(|s| s["name"].as_str().expect("a name").to_owned()).collect()
    };
    assert_eq!(names(&symbols), ["first", "second"]);
    let children = &symbols[0]["children"];
    assert_eq!(names(children), ["first_main", "general variables", "predicate variables"]);
    assert_eq!(names(&children[0]["children"]), ["again"]);
    assert_eq!(names(&children[1]["children"]), ["Va", "Vb"]);
    assert_eq!(children[1]["children"][0]["detail"], "ud \u{d7} 16");
    assert_eq!((&symbols[0]["detail"], &symbols[1]["detail"]), (&json!("kernel"), &json!("function")));
    assert_eq!(of(TEXT, &symbols[0]["selectionRange"]).trim_matches('"'), "first");
    // Each range holds the place of its name.
    for symbol in symbols
        .as_array()
        .expect("a list")
        .iter()
        .flat_map(|s| s["children"].as_array().expect("a list").iter().chain([s]))
    {
        let place = |key: &str, end: &str| super::client::byte(TEXT, &symbol[key][end]);
        assert!(
            place("range", "start") <= place("selectionRange", "start")
                && place("selectionRange", "end") <= place("range", "end"),
            "{symbol}"
        );
    }
    let flat = ask(
        &mut Client::with(json!({ "general": { "positionEncodings": ["utf-8"] } }), json!({}), &[]),
        "textDocument/documentSymbol",
    );
    assert_eq!(flat.as_array().map(Vec::len), Some(8));
    assert!(
        flat.as_array().expect("a list").iter().any(|s| s["name"] == "again" && s["containerName"] == "first_main")
    );
}

#[test]
fn the_workspace_is_searched_for_kernels() {
    let folder = std::env::temp_dir().join(format!("visa-lint-symbols-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join("with blank")).expect("a folder");
    std::fs::write(folder.join("with blank/a.visaasm"), ".version 4.1\n.kernel \"matrix_multiply\"\n").expect("a file");
    std::fs::write(folder.join("b.isaasm"), ".version 4.1\n.global_function \"multiply\"\n").expect("a file");
    std::fs::write(folder.join("c.txt"), ".version 4.1\n.kernel \"multiply_no\"\n").expect("a file");
    let uri = format!("file://{}", folder.display());
    let parameters = json!({ "capabilities": capable(), "workspaceFolders": [{ "uri": uri, "name": "w" }] });
    let mut client = Client::initialized(parameters, &[]);
    client.open(&TEXT.replace("second\"", "multiply_open\""));
    let search = |client: &mut Client, query: &str| -> Vec<(String, String)> {
        let found = client.request("workspace/symbol", json!({ "query": query }));
        let mut all: Vec<(String, String)> = found
            .as_array()
            .expect("a list")
            .iter()
            .map(|s| {
                (
                    s["name"].as_str().expect("a name").to_owned(),
                    s["location"]["uri"].as_str().expect("a place").replace(&uri, ""),
                )
            })
            .collect();
        all.sort();
        all
    };
    let expected = [("matrix_multiply", "/with%20blank/a.visaasm"), ("multiply", "/b.isaasm"), ("multiply_open", URI)];
    assert_eq!(search(&mut client, "Mply"), expected.map(|(n, u)| (n.to_owned(), u.to_owned())));
    // Changed files are read again; a folder that is gone from the workspace is not searched.
    std::thread::sleep(std::time::Duration::from_millis(20));
    std::fs::write(folder.join("b.isaasm"), ".version 4.1\n.kernel \"other\"\n").expect("a file");
    assert_eq!(search(&mut client, "mply").len(), 2);
    client.notify(
        "workspace/didChangeWorkspaceFolders",
        json!({ "event": { "added": [], "removed": [{ "uri": uri, "name": "w" }] } }),
    );
    assert_eq!(search(&mut client, "mply").len(), 1);
    let _ = std::fs::remove_dir_all(&folder);
}

#[test]
fn comments_of_several_lines_fold() {
    let text = ".version 4.1\n/* one\n   comment */\n.kernel \"k\"\n// no /* comment\n/* one line */\n    ret (M1, 1) /* a\nb\nc */\n";
    let mut client = Client::new();
    client.check(text);
    let folds = client.request("textDocument/foldingRange", json!({ "textDocument": { "uri": URI } }));
    let comments = folds.as_array().expect("a list").iter().filter(|f| f["kind"] == "comment");
    let lines: Vec<_> = comments.map(|f| (f["startLine"].as_u64(), f["endLine"].as_u64())).collect();
    assert_eq!(lines, [(Some(1), Some(2)), (Some(6), Some(8))], "{folds}");
}

#[test]
fn kernels_blocks_scopes_and_runs_fold() {
    let mut capabilities = capable();
    capabilities["textDocument"]["foldingRange"] = json!({ "lineFoldingOnly": true });
    let folds = ask(&mut Client::with(capabilities, json!({}), &[]), "textDocument/foldingRange");
    let lines: Vec<(u64, u64)> = folds
        .as_array()
        .expect("a list")
        .iter()
        .map(|f| (f["startLine"].as_u64().expect("a line") + 1, f["endLine"].as_u64().expect("a line") + 1))
        .collect();
    assert_eq!(lines, [(2, 19), (3, 5), (6, 8), (10, 19), (11, 12), (13, 19), (14, 16), (20, 22), (21, 22)]);
    assert_eq!(folds[1]["kind"], "comment");
    assert_eq!(folds[0].get("endCharacter"), None);
    let folds = ask(&mut Client::new(), "textDocument/foldingRange");
    assert_eq!(folds[0]["endCharacter"], 48);
}

#[test]
fn selections_grow_from_the_word_to_the_file() {
    let mut client = Client::new();
    let place = TEXT.find("r0(0,0)").expect("the operand");
    let (text, position) = cursor(&format!("{}<|>{}", &TEXT[..place], &TEXT[place..]));
    client.open(&text);
    let chain = client.request(
        "textDocument/selectionRange",
        json!({ "textDocument": { "uri": URI }, "positions": [position, { "line": 0, "character": 0 }] }),
    );
    let mut texts = Vec::new();
    let mut next = &chain[0];
    while next.is_object() {
        texts.push(of(&text, &next["range"]));
        next = &next["parent"];
    }
    assert_eq!(
        texts[..5],
        [
            "r0",
            "%r0",
            "%r0(0,0)<8;8,1>",
            "Va(0,0)<1> %r0(0,0)<8;8,1> Vb(0,0)<8;8,1>",
            "add (M1, 8) Va(0,0)<1> %r0(0,0)<8;8,1> Vb(0,0)<8;8,1>"
        ]
    );
    assert!(texts[6].starts_with("again:") && texts[7].starts_with(".kernel") && texts[8] == text, "{texts:?}");
    assert_eq!(chain.as_array().map(Vec::len), Some(2));
}

/// The tokens as texts with their kind and modifiers.
pub fn tokens(client: &Client, text: &str, data: &Value) -> Vec<(String, String)> {
    let legend = &client.server_capabilities["capabilities"]["semanticTokensProvider"]["legend"];
    let numbers: Vec<u64> =
        data["data"].as_array().expect("numbers").iter().map(|n| n.as_u64().expect("a number")).collect();
    let (mut line, mut column) = (0, 0);
    let mut all = Vec::new();
    for token in numbers.chunks(5) {
        column = if token[0] == 0 { column + token[1] } else { token[1] };
        line += token[0];
        let range = json!({ "start": { "line": line, "character": column }, "end": { "line": line, "character": column + token[2] } });
        let mut kind = legend["tokenTypes"][token[3] as usize].as_str().expect("a kind").to_owned();
        for (i, modifier) in legend["tokenModifiers"].as_array().expect("modifiers").iter().enumerate() {
            if token[4] >> i & 1 == 1 {
                kind = format!("{kind}.{}", modifier.as_str().expect("a modifier"));
            }
        }
        all.push((of(text, &range).to_owned(), kind));
    }
    all
}

#[test]
fn colours_tell_what_is_declared_written_and_predefined() {
    let mut client = Client::new();
    let data = ask(&mut client, "textDocument/semanticTokens/full");
    let all = tokens(&client, TEXT, &data);
    let has = |text: &str, kind: &str| {
        assert!(all.iter().any(|(t, k)| t == text && k == kind), "{text} {kind} is missing in {all:?}");
    };
    has("Va", "variable.declaration");
    has("Va", "variable.modification");
    has("Vb", "variable");
    has("again", "label.declaration");
    has("again", "label");
    has("first", "namespace.declaration");
    has("%r0", "variable.readonly.defaultLibrary");
    has("gather4_scaled", "function");
    has("R", "property");
    has("M1", "enumMember");
    has("0x1", "number");
    has("ud", "type");
    has("SimdSize", "property");
    has("GRF", "enumMember");

    let line = json!({ "start": { "line": 14, "character": 0 }, "end": { "line": 14, "character": 5 } });
    let part =
        client.request("textDocument/semanticTokens/range", json!({ "textDocument": { "uri": URI }, "range": line }));
    let part = tokens(&client, TEXT, &part);
    assert_eq!(part.iter().map(|(t, _)| t.as_str()).collect::<Vec<_>>(), ["add", "M1", "8", "Va", "%r0", "Vb"]);
}

/// Predefined variables have no place in the text: nothing at its beginning is taken for their declaration.
#[test]
fn a_comment_at_the_beginning_keeps_its_colour() {
    let mut client = Client::new();
    let text = format!("// what this is for\n{TEXT}");
    client.open(&text);
    let data = client.request("textDocument/semanticTokens/full", json!({ "textDocument": { "uri": URI } }));
    let all = tokens(&client, &text, &data);
    let keywords: Vec<&str> = all.iter().filter(|(_, kind)| kind == "keyword").map(|(t, _)| t.as_str()).collect();
    assert_eq!(keywords, [".decl"; 3]);
    assert_eq!(all[0], ("first".to_owned(), "namespace.declaration".to_owned()));
}

#[test]
fn a_large_text_is_coloured_in_parts() {
    let mut client = Client::new();
    let text = long_kernel(80_000);
    assert!(text.len() > 4 << 20);
    client.open(&text);
    assert_eq!(
        client.request("textDocument/semanticTokens/full", json!({ "textDocument": { "uri": URI } })),
        Value::Null
    );
    let range = json!({ "start": { "line": 9000, "character": 0 }, "end": { "line": 9050, "character": 0 } });
    let part =
        client.request("textDocument/semanticTokens/range", json!({ "textDocument": { "uri": URI }, "range": range }));
    assert!(tokens(&client, &text, &part).len() > 200);
}

#[test]
fn hints_stand_behind_raw_operands() {
    let mut client = Client::new();
    let text = kernel(
        "",
        "    gather4_scaled.R (M1, 8) T6 0x0:ud VUD.0 VF.64\n    mov (M1, 8) VD(0,0)<1> 0x1:d\n    lsc_load.ugm (M1, 16) VUD:d32 flat[VUQ]:a64\n",
    );
    client.open(&text);
    let whole = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 999, "character": 0 } });
    let parameters = json!({ "textDocument": { "uri": URI }, "range": whole });
    let hints = client.request("textDocument/inlayHint", parameters.clone());
    let shown: Vec<(String, &str)> = hints
        .as_array()
        .expect("a list")
        .iter()
        .map(|h| {
            let at = super::client::byte(&text, &h["position"]);
            (text[..at].rsplit(' ').next().expect("an operand").to_owned(), h["label"].as_str().expect("a label"))
        })
        .collect();
    assert_eq!(
        shown,
        [("VUD.0", "ud\u{d7}512"), ("VF.64", "f\u{d7}512"), ("VUD:d32", "ud\u{d7}512")].map(|(a, b)| (a.to_owned(), b))
    );
    let mut quiet = Client::with(capable(), json!({ "inlayHints": false }), &[]);
    quiet.open(&text);
    assert_eq!(quiet.request("textDocument/inlayHint", parameters), json!([]));
}
