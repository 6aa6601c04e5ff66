//! Fragments of vISA in open host sources.

use super::client::{Client, capable, cursor, edited, of};
use super::structure::tokens;
use serde_json::{Value, json};

const URI: &str = "file:///folder/kernel.cl";

/// A host source with two fragments in one function.
const TEXT: &str = r#"// mov is no mnemonic here, and %0 no operand
#define WIDE "(0,0)<1;1,0>"
__attribute__((intel_reqd_sub_group_size(16)))
kernel void scale(global float *from, global float *to, uint n) {
  float x; ulong ptr = (ulong)(from + get_global_id(0));
  __asm__ volatile("{\n"
      ".decl tmp v_type=G type=f num_elts=16 align=GRF\n"
      "lsc_load.ugm (M1, 16) tmp:d32 flat[%1]:a64\n"
      "mul (M1, 16) %0(0,0)<1> tmp" WIDE " %[half]\n"
      "}\n" : "=rw"(x) : "rw"(ptr), [half] "i"(2), "rw.u"(n));
  __asm__ volatile("add (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0> 0x1:w" : "+rw"(x));
  to[get_global_id(0)] = x;
}
"#;

fn client() -> Client {
    Client::with(capable(), json!({ "hosts": true }), &[])
}

/// The text with a cursor before the n-th occurrence of a word.
fn at(word: &str, n: usize) -> String {
    let (place, _) = TEXT.match_indices(word).nth(n).expect("the word");
    format!("{}<|>{}", &TEXT[..place], &TEXT[place..])
}

fn ask(client: &mut Client, method: &str, marked: &str, more: Value) -> Value {
    let (text, position) = cursor(marked);
    client.open_as(URI, &text);
    let mut parameters = json!({ "textDocument": { "uri": URI }, "position": position });
    for (key, value) in more.as_object().expect("parameters") {
        parameters[key] = value.clone();
    }
    client.request(method, parameters)
}

#[test]
fn hover_shows_operands_as_the_host_declares_them() {
    let mut client = client();
    let mut hover = |marked: &str| {
        let found = ask(&mut client, "textDocument/hover", marked, json!({}));
        let text = found["contents"]["value"].as_str().unwrap_or("").to_owned();
        (text, if found.is_null() { String::new() } else { of(TEXT, &found["range"]).to_owned() })
    };
    let (text, place) = hover(&at("%1]", 0));
    assert_eq!(place, "%1");
    assert!(text.starts_with("`%1`: 16 lanes \u{d7} q, from `\"rw\"(ptr)`"), "{text}");
    let (text, place) = hover(&at("%[half]", 0));
    assert_eq!(place, "%[half]");
    assert!(text.starts_with("`%[half]`: a number, from `\"i\"(2)`"), "{text}");
    let (text, place) = hover(&at("lsc_load", 0));
    assert_eq!(place, "lsc_load");
    assert!(text.contains("LSC_UNTYPED"), "{text}");
    let (text, _) = hover(&at("tmp:d32", 0));
    assert!(text.contains("tmp"), "{text}");
    // What is no fragment belongs to another server.
    assert_eq!(hover(&at("mov is", 0)).0, "");
    assert_eq!(hover(&at("%0 no", 0)).0, "");
    assert_eq!(hover(&at("get_global_id", 1)).0, "");
}

#[test]
fn definitions_lead_to_operands_and_declarations() {
    let mut client = client();
    let mut target = |marked: &str| {
        let found = ask(&mut client, "textDocument/definition", marked, json!({}));
        found.as_array().map(|all| of(TEXT, &all[0]["targetSelectionRange"]).to_owned())
    };
    assert_eq!(target(&at("%1]", 0)).as_deref(), Some("ptr"));
    assert_eq!(target(&at("%0(0,0)<1> tmp", 0)).as_deref(), Some("x"));
    let found = ask(&mut client, "textDocument/definition", &at("tmp:d32", 0), json!({}));
    let line = found[0]["targetSelectionRange"]["start"]["line"].as_u64();
    assert_eq!(line, Some(6), "{found}");
}

#[test]
fn names_of_a_fragment_are_renamed_and_others_are_not() {
    let mut client = client();
    let edit = ask(&mut client, "textDocument/rename", &at("tmp:d32", 0), json!({ "newName": "loaded" }));
    assert_eq!(edited(TEXT, &edit), TEXT.replace("tmp", "loaded"));
    let (_, position) = cursor(&at("%1]", 0));
    let parameters = json!({ "textDocument": { "uri": URI }, "position": position, "newName": "other" });
    assert!(client.refused("textDocument/rename", parameters).message.contains("`%1` is an operand"));
}

#[test]
fn completion_writes_what_the_host_can_hold() {
    let mut client = client();
    let mut labels = |marked: &str| -> Vec<(String, String)> {
        let list = ask(&mut client, "textDocument/completion", marked, json!({}));
        let items = list["items"].as_array().cloned().unwrap_or_default();
        let text = |i: &Value| {
            let label = i["label"].as_str().unwrap_or("").to_owned();
            let new = i["textEditText"].as_str().or(i["textEdit"]["newText"].as_str()).unwrap_or(&label).to_owned();
            (label, new)
        };
        items.iter().map(text).collect()
    };
    let typed = TEXT.replace("\"add (M1, 16) %0(0,0)<1> %0", "\"ad<|>d (M1, 16) %0(0,0)<1> %0");
    let found = labels(&typed);
    assert!(found.iter().any(|(l, new)| l == "add" && new.starts_with("add")), "{found:?}");
    // Operands by their names of the host, also those that are not used yet; a percent sign is written twice.
    let found = labels(&TEXT.replace("%[half]\\n", "<|>\\n"));
    for wanted in ["%0", "%1", "%3", "%[half]", "tmp", "%%r0"] {
        assert!(found.iter().any(|(l, _)| l == wanted), "{wanted} is missing in {found:?}");
    }
    assert!(found.iter().any(|(l, new)| l == "%3" && new.starts_with("%3(")), "{found:?}");
    assert!(found.iter().all(|(l, new)| !l.contains("__") && !new.contains("__")), "{found:?}");
    assert!(labels(&TEXT.replace("float x;", "float x; m<|>")).is_empty());
    let llvm =
        "define i32 @f(i32 %x) {\n  %r = call i32 asm \"mov (M1, 16) <|>\", \"=rw,rw\"(i32 %x)\n  ret i32 %r\n}\n";
    let (text, position) = cursor(llvm);
    client.open_as("file:///folder/a.ll", &text);
    let parameters = json!({ "textDocument": { "uri": "file:///folder/a.ll" }, "position": position });
    let list = client.request("textDocument/completion", parameters).to_string();
    assert!(list.contains("\"label\":\"$0\""), "{list}");
}

#[test]
fn only_fragments_are_coloured() {
    let mut client = client();
    client.open_as(URI, TEXT);
    let data = client.request("textDocument/semanticTokens/full", json!({ "textDocument": { "uri": URI } }));
    let all = tokens(&client, TEXT, &data);
    let has = |text: &str, kind: &str| {
        assert!(all.iter().any(|(t, k)| t == text && k == kind), "{text} {kind} is missing in {all:?}");
    };
    has("mul", "function");
    has("add", "function");
    has("tmp", "variable.declaration");
    has("%0", "variable.modification");
    has("%1", "variable");
    has("16", "number");
    let words: Vec<&str> = all.iter().map(|(t, _)| t.as_str()).collect();
    assert!(!words.contains(&"mov") && !words.contains(&"WIDE") && !words.contains(&"kernel"), "{words:?}");
    // A source without fragments leaves its colours to others.
    client.open_as("file:///folder/b.cl", "kernel void f(global int *p) { *p = 1; }\n");
    let parameters = json!({ "textDocument": { "uri": "file:///folder/b.cl" } });
    assert_eq!(client.request("textDocument/semanticTokens/full", parameters), Value::Null);
}

#[test]
fn host_sources_are_left_alone_until_they_are_opted_in() {
    let mut client = Client::with(capable(), json!({}), &[]);
    assert_eq!(ask(&mut client, "textDocument/hover", &at("lsc_load", 0), json!({})), Value::Null);
    assert_eq!(ask(&mut client, "textDocument/completion", &at("add (M1", 0), json!({})), Value::Null);
}
