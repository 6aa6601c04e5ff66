//! Definition, references, highlights, renaming.

use super::client::{Client, URI, byte, capable, cursor, edited, of};
use crate::support::kernel;
use serde_json::{Value, json};

/// A file with two kernels, scopes, aliases, a subroutine, a function, and a line that cannot be read.
const TEXT: &str = "\
.version 4.1
.kernel \"first\"
.decl Va v_type=G type=ud num_elts=16 align=GRF
.decl Vb v_type=G type=d num_elts=16 alias=<Va, 0>
.decl P1 v_type=P num_elts=16
.decl A0 v_type=A num_elts=8
.input Va offset=32 size=64
.function \"first_main\"
first_main:
    mov (M1, 8) Va(0,0)<1> 0x1:ud
    add (M1, 8) Va(0,0)<1> Va(0,0)<8;8,1> Vb(0,0)<8;8,1>
    addr_add (M1, 1) A0(0)<1> &Va 0x0:uw
    cmp.eq (M1, 8) P1 Va(0,0)<8;8,1> 0x0:ud
    (P1) jmp (M1, 1) again
    mov (M1, 8) Va(0,0)<1> Va(0,0
again:
{
.decl Va v_type=G type=f num_elts=8
    mov (M1, 8) Va(0,0)<1> 1.0:f
}
    gather4_scaled.R (M1, 8) T1 0x0:ud Va.0 Vb.0
    call (M1, 8) sub
    ret (M1, 1)
.function \"sub\"
sub:
    subret (M1, 8)
.kernel \"second\"
.decl Va v_type=G type=ud num_elts=16 align=GRF
.function \"second_main\"
second_main:
again:
    mov (M1, 8) Va(0,0)<1> 0x1:ud
    jmp (M1, 1) again
    ret (M1, 1)
";

/// The text with a cursor before the n-th occurrence of a word.
fn at(word: &str, n: usize) -> String {
    let (place, _) = TEXT.match_indices(word).nth(n).expect("the word");
    format!("{}<|>{}", &TEXT[..place], &TEXT[place..])
}

/// The places in a list of ranges: line, and the text before the place in it.
fn places(ranges: impl IntoIterator<Item = Value>) -> Vec<(u64, usize)> {
    let mut all: Vec<(u64, usize)> = ranges
        .into_iter()
        .map(|r| (r["start"]["line"].as_u64().expect("a line") + 1, byte(TEXT, &r["start"])))
        .collect();
    all.sort_unstable();
    all
}

fn references(marked: &str, with_declaration: bool) -> Vec<u64> {
    let mut client = Client::new();
    let (text, position) = cursor(marked);
    client.open(&text);
    let found = client.request(
        "textDocument/references",
        json!({ "textDocument": { "uri": URI }, "position": position, "context": { "includeDeclaration": with_declaration } }),
    );
    let ranges: Vec<Value> = found.as_array().expect("a list").iter().map(|l| l["range"].clone()).collect();
    places(ranges).into_iter().map(|(line, _)| line).collect()
}

#[test]
fn a_variable_is_found_in_its_kernel_and_scope() {
    // `Vb` is another name of the same bytes.
    let outer = [3, 4, 7, 10, 11, 11, 11, 12, 13, 15, 15, 21, 21];
    for n in [0, 1, 3, 5] {
        assert_eq!(references(&at("Va", n), true), outer, "{n}");
    }
    assert_eq!(references(&at("Va", 0), false), outer[1..]);
    assert_eq!(references(&at("Va v_type=G type=f", 0), true), [18, 19], "the inner one");
    assert_eq!(references(&at("Va v_type=G type=ud", 1), true), [28, 32], "the one of the other kernel");
    assert_eq!(references(&at("P1", 0), true), [5, 13, 14]);
    assert_eq!(references(&at("A0", 1), true), [6, 12]);
}

#[test]
fn labels_subroutines_and_functions_are_found() {
    assert_eq!(references(&at("again", 0), true), [14, 16]);
    assert_eq!(references(&at("again:", 1), true), [31, 33]);
    assert_eq!(references(&at("sub\n", 0), true), [22, 24, 25]);
    assert_eq!(references(&at("first\"", 0), true), [2]);
}

#[test]
fn predefined_variables_are_found_under_both_names() {
    let text = "\
.version 4.1
.kernel \"k\"
    mov (M1, 8) V7(0,0)<1> %r0<|>(0,0)<8;8,1>
    mov (M1, 8) V8(0,0)<1> 0x1:ud
";
    assert_eq!(references(text, true), [3, 3]);
}

#[test]
fn definitions_are_declarations() {
    let mut client = Client::new();
    for (word, n, line) in [
        ("Va(0,0)<8;8,1> Vb", 0, 3),
        ("Va(0,0)<1> 1.0", 0, 18),
        ("Va, 0", 0, 3),
        ("again\n", 0, 16),
        ("P1)", 0, 5),
        ("Va(0,0\n", 0, 3),
    ] {
        let found = client.at_cursor("textDocument/definition", &at(word, n));
        let links = found.as_array().expect("a list");
        assert_eq!(
            links
                .iter()
                .map(|l| l["targetSelectionRange"]["start"]["line"].as_u64().expect("a line") + 1)
                .collect::<Vec<_>>(),
            [line],
            "{word}"
        );
        assert_eq!(
            of(TEXT, &links[0]["originSelectionRange"]),
            word.split(|c: char| !c.is_alphanumeric()).next().expect("a word")
        );
    }
    // A subroutine has its directive and its label.
    let found = client.at_cursor("textDocument/declaration", &at("sub\n", 0));
    assert_eq!(found.as_array().map(Vec::len), Some(2));
    assert_eq!(client.at_cursor("textDocument/definition", &at("T1", 0)), Value::Null, "predefined");

    let mut plain = Client::with(json!({ "general": { "positionEncodings": ["utf-8"] } }), json!({}), &[]);
    let found = plain.at_cursor("textDocument/definition", &at("P1)", 0));
    assert_eq!((&found[0]["uri"], of(TEXT, &found[0]["range"])), (&json!(URI), "P1"));
}

#[test]
fn highlights_tell_reads_from_writes() {
    const TEXT_KIND: u64 = 1;
    const READ: u64 = 2;
    const WRITE: u64 = 3;
    let mut client = Client::new();
    let found = client.at_cursor("textDocument/documentHighlight", &at("Va", 0));
    let kinds: Vec<(u64, u64)> = found
        .as_array()
        .expect("a list")
        .iter()
        .map(|h| (h["range"]["start"]["line"].as_u64().expect("a line") + 1, h["kind"].as_u64().expect("a kind")))
        .collect();
    let expected = [
        (3, TEXT_KIND),
        (4, TEXT_KIND),
        (7, WRITE),
        (10, WRITE),
        (11, WRITE),
        (11, READ),
        (11, READ),
        (12, TEXT_KIND),
        (13, READ),
        (15, TEXT_KIND),
        (15, TEXT_KIND),
        (21, READ),
        (21, WRITE),
    ];
    assert_eq!(kinds, expected);
}

fn rename(client: &mut Client, marked: &str, new: &str) -> Result<String, String> {
    let (text, position) = cursor(marked);
    client.open(&text);
    let parameters = json!({ "textDocument": { "uri": URI }, "position": position, "newName": new });
    let id = client.ask("textDocument/rename", parameters);
    client.answer(&id).map(|edit| edited(&text, &edit)).map_err(|e| e.message)
}

#[test]
fn renaming_keeps_the_meaning() {
    let mut client = Client::new();
    let new = rename(&mut client, &at("Va(0,0)<8;8,1> Vb", 0), "Vnew").expect("a change");
    assert_eq!(new.matches("Vnew").count(), 11);
    assert!(
        new.contains(".decl Vnew v_type=G type=ud")
            && new.contains("alias=<Vnew, 0>")
            && new.contains("&Vnew")
            && new.contains("Vnew(0,0)<1> Vnew(0,0\n")
    );
    assert!(
        new.contains(".decl Va v_type=G type=f") && new.contains("    mov (M1, 8) Va(0,0)<1> 1.0:f"),
        "the inner one stays"
    );

    let new = rename(&mut client, &at("again:", 0), "loop_1").expect("a change");
    assert_eq!((new.matches("loop_1").count(), new.matches("again").count()), (2, 2));
    let new = rename(&mut client, &at("sub\n", 0), "helper").expect("a change");
    assert!(
        new.contains(".function \"helper\"") && new.contains("\nhelper:\n") && new.contains("call (M1, 8) helper\n")
    );

    // What was renamed and is renamed back is what it was.
    let there = rename(&mut client, &at("Vb", 0), "Vq").expect("a change");
    let place = there.find("Vq").expect("the name");
    let back = rename(&mut client, &format!("{}<|>{}", &there[..place], &there[place..]), "Vb").expect("a change");
    assert_eq!(back, TEXT);
}

#[test]
fn a_client_without_versions_gets_plain_changes() {
    let mut client = Client::with(json!({ "general": { "positionEncodings": ["utf-8"] } }), json!({}), &[]);
    assert!(rename(&mut client, &at("Va", 0), "Vq").expect("a change").contains(".decl Vq "));
}

#[test]
fn names_that_cannot_be_are_refused() {
    let mut client = Client::new();
    for (place, new, why) in [
        (at("Va", 0), "Vb", "already declared"),
        (at("Va", 0), "add", "reserved"),
        (at("Va", 0), "1a", "not a name"),
        (at("Va", 0), "", "not a name"),
        (at("Va", 0), "V7", "predefined"),
        (at("again", 0), "sub", "already declared"),
        (at("T1", 0), "T9", "predefined"),
    ] {
        let refusal = rename(&mut client, &place, new).expect_err("a refusal");
        assert!(refusal.contains(why), "{new}: {refusal}");
    }
}

#[test]
fn what_can_be_renamed_is_said_before() {
    let mut client = Client::new();
    let found = client.at_cursor("textDocument/prepareRename", &at("Va, 0", 0));
    assert_eq!((of(TEXT, &found["range"]), &found["placeholder"]), ("Va", &json!("Va")));
    for nothing in [at("mov (M1, 8) Va", 0), at("M1", 0), at("v_type", 0), at(" num_elts=16 align", 0)] {
        assert_eq!(client.at_cursor("textDocument/prepareRename", &nothing), Value::Null);
    }
    let (text, position) = cursor(&at("T1", 0));
    client.open(&text);
    let refusal =
        client.refused("textDocument/prepareRename", json!({ "textDocument": { "uri": URI }, "position": position }));
    assert!(refusal.message.contains("predefined"));
}

#[test]
fn columns_are_those_of_the_client() {
    let mut capabilities = capable();
    capabilities["general"]["positionEncodings"] = json!(["utf-16"]);
    let mut client = Client::with(capabilities, json!({}), &[]);
    let text = ".version 4.1\n.kernel \"k\"\n.decl Va v_type=G type=ud num_elts=16\n    /* \u{1f600}\u{e9} */ mov (M1, 8) Va(0,0)<1> 0x1:ud\n";
    client.open(text);
    // The first one takes two code units, the other one.
    let parameters = json!({ "textDocument": { "uri": URI }, "position": { "line": 2, "character": 6 }, "context": { "includeDeclaration": false } });
    let found = client.request("textDocument/references", parameters);
    assert_eq!(found[0]["range"]["start"], json!({ "line": 3, "character": 26 }));
}

/// Functions of a file: where they are called they are found, described, proposed, and renamed together.
#[test]
fn functions_are_known_where_they_are_called() {
    let calls = "    fcall (M1, 16) callee 2 1\n    faddr callee VUQ(0,0)<1>\n";
    let functions = ".global_function \"callee\"\n.decl VX v_type=G type=d num_elts=8\n    fret (M1, 16)\n\
                     .global_function \"unused\"\n    fret (M1, 16)\n";
    let text = format!("{}{functions}", kernel("", calls));
    let marked = text.replacen("callee", "<|>callee", 1);
    let mut client = Client::new();
    let hover = client.at_cursor("textDocument/hover", &marked);
    let words = hover["contents"]["value"].as_str().expect("text");
    assert!(words.contains("function `callee`: 1 instruction, 1 variable, for"), "{words}");
    let found = client.at_cursor("textDocument/definition", &marked);
    let place = &found[0]["targetSelectionRange"];
    assert_eq!(of(&text, place).trim_matches('"'), "callee", "{found}");
    assert!(byte(&text, &place["end"]) > text.rfind("callee").expect("the declaration"), "{found}");
    let renamed = rename(&mut client, &marked, "helper").expect("a change");
    assert_eq!((renamed.matches("helper").count(), renamed.matches("callee").count()), (3, 0), "{renamed}");
    assert!(rename(&mut client, &marked, "unused").expect_err("a refusal").contains("already declared"));
    let proposed = text.replacen("callee 2 1", "<|> 2 1", 1);
    let list = client.at_cursor("textDocument/completion", &proposed);
    let labels: Vec<_> = list["items"].as_array().expect("a list").iter().filter_map(|i| i["label"].as_str()).collect();
    assert_eq!(labels, ["callee", "unused"]);
    client.check(&text);
    let lenses = client.request("textDocument/codeLens", json!({ "textDocument": { "uri": URI } }));
    let line = text.lines().position(|l| l.contains("fcall")).expect("the call") + 1;
    let titles: Vec<_> =
        lenses.as_array().expect("a list").iter().filter_map(|l| l["command"]["title"].as_str()).collect();
    assert!(titles.contains(&&*format!("called once: line {line}")), "{titles:?}");
}
