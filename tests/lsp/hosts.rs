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

/// What an operand holds, and whether it is read or written.
#[test]
fn hover_shows_components_vectors_and_outputs() {
    let hover = |uri: &str, marked: &str| {
        let (text, position) = cursor(marked);
        let mut client = client();
        client.open_as(uri, &text);
        let parameters = json!({ "textDocument": { "uri": uri }, "position": position });
        let found = client.request("textDocument/hover", parameters);
        found["contents"]["value"].as_str().unwrap_or("").to_owned()
    };
    let kernel =
        "kernel void f(global int *p) {\n  float4 x;\n  asm(\"mov (M1, 16) %<|>0(0,0)<1> 0x1:f\" : \"=rw\"(x));\n}\n";
    let text = hover(URI, kernel);
    assert!(text.starts_with("`%0`: each lane \u{d7} 4 components \u{d7} f, from `\"=rw\"(x)`\n\nan output"), "{text}");
    let text = hover(URI, &format!("__attribute__((intel_reqd_sub_group_size(16)))\n{kernel}"));
    assert!(text.starts_with("`%0`: 16 lanes \u{d7} 4 components \u{d7} f"), "{text}");
    let vector = "define dllexport spir_kernel void @k(<16 x i32> %a, <16 x i32> %b) #0 {\n  \
                  %r = call <16 x i32> asm sideeffect \"and (M1, 16) $<|>0 $1 $2\", \"=r,r,r\"(<16 x i32> %a, <16 x i32> %b)\n  \
                  ret void\n}\nattributes #0 = { \"CMGenxMain\" }\n";
    let text = hover("file:///folder/kernel.ll", vector);
    assert!(text.starts_with("`$0`: a vector, from the constraint `=r`\n\nan output"), "{text}");
}

/// A name that two literals write cannot be changed in one place.
#[test]
fn names_of_several_pieces_are_not_renamed() {
    let marked = "kernel void f(global int *p) {\n  int x, y;\n  asm(\".decl t\" \"mp v_type=G type=d num_elts=16\\n\"\n    \
                  \"mov (M1, 16) tm<|>p(0,0)<1> %1(0,0)<1;1,0>\\n\"\n    \
                  \"mov (M1, 16) %0(0,0)<1> tmp(0,0)<1;1,0>\" : \"=rw\"(y) : \"rw\"(x));\n}\n";
    let (text, position) = cursor(marked);
    let mut client = client();
    client.open_as(URI, &text);
    let parameters = json!({ "textDocument": { "uri": URI }, "position": position, "newName": "other" });
    let refusal = client.refused("textDocument/rename", parameters);
    assert_eq!(refusal.message, "`tmp` is put together from several pieces of the host");
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

/// Of a line with a part that only the program knows, names are described all the same.
#[test]
fn names_in_lines_with_holes_are_described() {
    let source = "import triton.language as tl\n\ndef lines(n):\n    \
        yield \".decl sum v_type=G type=d num_elts=16 align=GRF\"\n    \
        for i in range(n):\n        yield f\"add (M1, 16) su<|>m(0,0)<1> sum(0,0)<1;1,0> {i}:d\"\n\n\
        def k(x):\n    return tl.inline_asm_elementwise(\"\\n\".join(lines(4)), \"=rw,rw\", [x], dtype=tl.int32, is_pure=True, pack=1)\n";
    let (text, position) = cursor(source);
    let mut client = client();
    client.open_as("file:///folder/lines.py", &text);
    let place = json!({ "textDocument": { "uri": "file:///folder/lines.py" }, "position": position });
    let found = client.request("textDocument/hover", place);
    assert!(found["contents"]["value"].as_str().is_some_and(|t| t.contains("`sum`: general variable")), "{found}");
    assert_eq!(of(&text, &found["range"]), "sum");
}

/// A line may stand in a list, far from the call that joins it.
#[test]
fn strings_outside_of_their_statement_are_answered() {
    let source = "import triton.language as tl\nLINES = [\"{\"]\n\
        LINES.append(\".decl far v_type=G type=d num_elts=16 align=GRF\")\n\
        LINES.append(\"mov (M1, 16) f<|>ar(0,0)<1> $1(0,0)<1;1,0>\")\nLINES.append(\"}\")\n\n\
        def k(x):\n    return tl.inline_asm_elementwise(\"\\n\".join(LINES), \"=rw,rw\", [x], dtype=tl.int32, is_pure=True, pack=1)\n";
    let uri = "file:///folder/lines.py";
    let (text, position) = cursor(source);
    let mut client = client();
    client.open_as(uri, &text);
    let place = json!({ "textDocument": { "uri": uri }, "position": position });
    let found = client.request("textDocument/hover", place.clone());
    assert!(found["contents"]["value"].as_str().is_some_and(|t| t.contains("`far`: general variable")), "{found}");
    let found = client.request("textDocument/definition", place);
    assert_eq!(found[0]["targetSelectionRange"]["start"]["line"].as_u64(), Some(2), "{found}");
    assert_eq!(renamed("py", source, "near"), Ok(text.replace("far", "near")));
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

/// Renames what stands at the cursor; the text with the changes, or why not.
fn renamed(ending: &str, marked: &str, new: &str) -> Result<String, String> {
    let mut client = client();
    let uri = format!("file:///folder/renamed.{ending}");
    let (text, position) = cursor(marked);
    client.open_as(&uri, &text);
    let parameters = json!({ "textDocument": { "uri": uri }, "position": position, "newName": new });
    let id = client.ask("textDocument/rename", parameters);
    client.answer(&id).map(|edit| edited(&text, &edit)).map_err(|refusal| refusal.message)
}

#[test]
fn a_name_is_renamed_in_all_statements_that_share_it() {
    // Declared in one statement, used in another and in a macro; `acc` in braces is another variable.
    let own = r"{\n.decl acc v_type=G type=f num_elts=16 align=GRF\nmov (M1, 16) acc(0,0)<1> 0x0:f\n}";
    let text = r#"#define ZERO "mov (M1, 16) acc(0,0)<1> 0x0:d\n"
kernel void f(global int *p) {
  int x = p[0];
  asm volatile(".decl acc v_type=G type=d num_elts=16 align=GRF\n");
  asm volatile(ZERO "add (M1, 16) acc(0,0)<1> acc(0,0)<1;1,0> %0(0,0)<1;1,0>\n" :: "rw"(x));
  asm volatile("OWN" ::: "memory");
  asm volatile("mov (M1, 16) %0(0,0)<1> <|>acc(0,0)<1;1,0>\n" : "=rw"(x));
}
"#;
    let with = |outer: &str, inner: &str| text.replace("acc", outer).replace("OWN", inner).replace("<|>", "");
    let renamed_outer = renamed("cl", &text.replace("OWN", own), "sum");
    assert_eq!(renamed_outer, Ok(with("sum", own)));
    let marked = text.replace("<|>", "").replace("OWN", &own.replace("acc(", "<|>acc("));
    assert_eq!(renamed("cl", &marked, "tmp"), Ok(with("acc", &own.replace("acc", "tmp"))));
    // A name that one of the statements has already.
    let two = r"align=GRF\n.decl b v_type=G type=d num_elts=16 align=GRF";
    let taken = text.replace("OWN", own).replacen("align=GRF", two, 1);
    assert_eq!(renamed("cl", &taken, "b"), Err("`b` is already declared".to_owned()));
}

#[test]
fn labels_are_renamed_before_their_number() {
    let text = r#"kernel void f(global int *p) {
  int x = p[0];
  asm volatile("{\n.decl go v_type=P num_elts=16\nAGAIN%=:\nadd (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0> 0x1:d\n"
               "cmp.lt (M1, 16) go %0(0,0)<1;1,0> 0x9:d\n(go) goto (M1, 16) <|>AGAIN%=\n}" : "+rw"(x));
}
"#;
    let wanted = text.replace("<|>", "").replace("AGAIN", "L1");
    assert_eq!(renamed("cl", text, "L1").as_ref(), Ok(&wanted));
    assert_eq!(renamed("cl", text, "L1%=").as_ref(), Ok(&wanted));
}

/// One fragment in each language but C, with a cursor.
const OTHERS: [(&str, &str); 3] = [
    (
        "ll",
        r#"define void @f(i32 %x) {
  call void asm sideeffect "{\0A.decl t v_type=G type=d num_elts=16 align=GRF\0Amov (M1, 16) t(0,0)<1> $0(0,0)<1;1,0>\0A}", "rw"(i32 %x)
  ret void
}
"#,
    ),
    (
        "mlir",
        r#"llvm.func @f(%x: i32) {
  llvm.inline_asm has_side_effects "{\0A.decl t v_type=G type=d num_elts=16 align=GRF\0Amov (M1, 16) t(0,0)<1> $0(0,0)<1;1,0>\0A}", "rw" %x : (i32) -> ()
}
"#,
    ),
    (
        "py",
        r#"def f(x):
    return tl.inline_asm_elementwise("""{
.decl t v_type=G type=d num_elts=16 align=GRF
mov (M1, 16) t(0,0)<1> $0(0,0)<1;1,0>
}""", "+rw", [x], tl.int32, is_pure=True, pack=1)
"#,
    ),
];

#[test]
fn every_language_is_served() {
    let mut client = client();
    for (ending, text) in OTHERS {
        let uri = format!("file:///folder/other.{ending}");
        let mut ask = |method: &str, word: &str| {
            let at = text.find(word).expect("the word");
            let (text, position) = cursor(&format!("{}<|>{}", &text[..at], &text[at..]));
            client.open_as(&uri, &text);
            let found = client.request(method, json!({ "textDocument": { "uri": uri }, "position": position }));
            client.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
            found
        };
        let hover = ask("textDocument/hover", "$0(");
        let value = hover["contents"]["value"].as_str().unwrap_or("");
        assert!(value.starts_with("`$0`: "), "{ending}: {hover}");
        let definition = ask("textDocument/definition", "$0(");
        let target = of(text, &definition[0]["targetSelectionRange"]);
        assert!(["rw", "+rw", "i32 %x", "%x"].contains(&target), "{ending}: {definition}");
        let declared = ask("textDocument/definition", "t(0,0)");
        assert_eq!(of(text, &declared[0]["targetSelectionRange"]), "t", "{ending}: {declared}");
        let completion = ask("textDocument/completion", "mov (M1").to_string();
        assert!(completion.contains("\"label\":\"mov\""), "{ending}: {completion}");
        let completion = ask("textDocument/completion", "$0(").to_string();
        assert!(completion.contains("\"label\":\"$0\""), "{ending}: {completion}");
        client.open_as(&uri, text);
        let data = client.request("textDocument/semanticTokens/full", json!({ "textDocument": { "uri": uri } }));
        let all = tokens(&client, text, &data);
        assert!(all.iter().any(|(t, k)| t == "mov" && k == "function"), "{ending}: {all:?}");
        assert!(!all.iter().any(|(t, _)| ["f", "x", "%x", "i32", "return"].contains(&t.as_str())), "{ending}: {all:?}");
        let wanted = text.replace(".decl t ", ".decl row ").replace(" t(", " row(");
        assert_eq!(renamed(ending, &text.replacen(" t(", " <|>t(", 1), "row").as_ref(), Ok(&wanted), "{ending}");
    }
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
