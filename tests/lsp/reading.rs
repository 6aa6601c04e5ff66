//! Reading a dump: bytes under several names, who writes and who reads them, calls, what is live.

use super::client::{Client, URI, cursor, of};
use crate::support::process::Scratch;
use serde_json::{Value, json};
use visa_lint::lsp::uri::from_path;

const TEXT: &str = "\
.version 4.1
.kernel \"k\"
.decl Va v_type=G type=ud num_elts=16 align=GRF
.decl Vb v_type=G type=uw num_elts=16 alias=<Va, 32>
.decl Vc v_type=G type=uw num_elts=4 alias=<Vb, 4>
.decl Vlone v_type=G type=ud num_elts=8 align=GRF
.decl P1 v_type=P num_elts=8
.kernel_attr SimdSize=8
.function \"k_main\"
k_main:
    mov (M1, 8) Va(0,0)<1> 0x1:ud
    mov (M1, 8) Va(1,0)<1> 0x2:ud
    cmp.eq (M1, 8) P1 Va(0,0)<8;8,1> 0x3:ud
    (P1) jmp (M1, 1) other
    mov (M1_NM, 8) Vb(0,0)<1> 0x4:uw
other:
    add (M5, 4) Vc(0,0)<1> Vc(0,0)<4;4,1> 0x5:uw
    call (M1, 8) sub
again:
inner:
    (P1) jmp (M1, 1) inner
    add (M1, 8) Va(1,0)<1> Va(1,0)<8;8,1> 0x6:ud
    (P1) jmp (M1, 1) again
    mov (M1, 8) Vlone(0,0)<1> 0x7:ud
    raw_sends.10.1.1.1 (M1, 8) 0x4a:ud 0x02180200:ud Va.0 Va.0 Va.0
    ret (M1, 1)
.function \"sub\"
sub:
    mov (M1, 8) Va(0,0)<1> 0x8:ud
    ret (M1, 8)
.global_function \"f\"
.function \"f_main\"
    fret (M1, 1)
";

/// The text with a cursor before the n-th occurrence of a word.
fn at(word: &str, n: usize) -> String {
    let (place, _) = TEXT.match_indices(word).nth(n).expect("the word");
    format!("{}<|>{}", &TEXT[..place], &TEXT[place..])
}

fn lines(places: &Value) -> Vec<u64> {
    let places = places.as_array().expect("a list").iter();
    places.map(|p| p["range"]["start"]["line"].as_u64().expect("a line") + 1).collect()
}

fn hover(word: &str, n: usize) -> String {
    let found = Client::new().at_cursor("textDocument/hover", &at(word, n));
    found["contents"]["value"].as_str().expect("text").to_owned()
}

fn of_document(client: &mut Client, method: &str) -> Value {
    client.open(TEXT);
    client.request(method, json!({ "textDocument": { "uri": URI } }))
}

#[test]
fn references_follow_bytes_through_aliases() {
    let mut client = Client::new();
    let mut references = |word: &str, n: usize| {
        let (text, position) = cursor(&at(word, n));
        client.open(&text);
        lines(&client.request(
            "textDocument/references",
            json!({ "textDocument": { "uri": URI }, "position": position, "context": { "includeDeclaration": true } }),
        ))
    };
    // Bytes 36 to 43 of `Va`: its second register, all of `Vb`, and the whole of the variable that the message takes.
    assert_eq!(references("Vc(0,0)<4", 0), [5, 12, 15, 17, 17, 22, 22]);
    assert_eq!(references("Vc v_type", 0), [5, 12, 15, 17, 17, 22, 22]);
    // `Vlone` shares its bytes with no other.
    assert_eq!(references("Vlone", 1), [6, 24]);
}

#[test]
fn highlights_tell_the_bytes_of_the_operand_from_the_rest_of_its_variable() {
    let found = Client::new().at_cursor("textDocument/documentHighlight", &at("Va(1,0)<1> 0x2", 0));
    let kinds: Vec<(u64, u64)> = lines(&found)
        .into_iter()
        .zip(found.as_array().expect("a list").iter().map(|h| h["kind"].as_u64().expect("a kind")))
        .collect();
    let (text, read, write) = (1, 2, 3);
    assert_eq!(
        kinds,
        [
            (3, text),
            (4, text),
            (11, text),
            (12, write),
            (13, text),
            (15, write),
            (17, write),
            (17, read),
            (22, write),
            (22, read),
            (25, text),
            (25, text),
            (25, text),
            (29, text),
        ]
    );
}

#[test]
fn a_read_leads_to_the_last_writes_and_a_write_to_the_next_reads_on_all_paths() {
    let mut client = Client::new();
    let mut reached = |word: &str, n: usize| lines(&client.at_cursor("textDocument/implementation", &at(word, n)));
    assert_eq!(reached("Vc(0,0)<4", 0), [12, 15], "over the jump, and past it");
    assert_eq!(reached("Va(1,0)<1> 0x2", 0), [17, 22]);
    assert_eq!(reached("Vb(0,0)<1>", 0), [17, 22]);
    assert_eq!(reached("Va(1,0)<8;8,1>", 0), [12, 15, 17, 22], "what the loop wrote is read again");
    // The subroutine writes what the message reads; behind its call nothing of the first write is left for it.
    assert_eq!(reached("Va(0,0)<1> 0x8", 0), [25, 25]);
    assert_eq!(reached("Vlone(0,0)", 0), [0u64; 0]);
    assert_eq!(reached("P1) jmp (M1, 1) again", 0), [13]);
}

#[test]
fn hover_says_who_wrote_and_who_reads() {
    let source = hover("Vc(0,0)<4", 0);
    assert!(source.contains("last written: lines 12, 15"), "{source}");
    let destination = hover("Vlone(0,0)", 0);
    assert!(destination.contains("read next: nowhere"), "{destination}");
    let declaration = hover("Vc v_type", 0);
    assert!(declaration.contains("begins at byte 36 of `Va`"), "{declaration}");
    assert!(declaration.contains("read once, written once in line 17 under this name"), "{declaration}");
    assert!(
        declaration.contains("with the other names of its bytes read 2 times, written 4 times in lines 12, 15, 17, 22"),
        "{declaration}"
    );
    let once = hover("Vlone v_type", 0);
    assert!(once.contains("```visa\nmov (M1, 8) Vlone(0,0)<1> 0x7:ud\n```"), "{once}");
}

#[test]
fn hover_on_a_mnemonic_says_what_is_live() {
    // Before the message: a register of `Va` that it reads. `Vlone` is never read.
    let message = hover("raw_sends", 0);
    assert!(message.contains("live here: 32 bytes in 1 registers of 32 bytes; at most 64 in 2 registers"), "{message}");
    let first = hover("mov", 0);
    assert!(first.contains("live here: 0 bytes in 0 registers"), "{first}");
}

#[test]
fn a_type_definition_is_the_declaration_at_the_end_of_the_alias_chain() {
    let found = Client::new().at_cursor("textDocument/typeDefinition", &at("Vc(0,0)<4", 0));
    assert_eq!((of(TEXT, &found["range"]), &found["range"]["start"]["line"]), ("Va", &json!(2)));
}

#[test]
fn calls_are_found_both_ways() {
    let mut client = Client::new();
    for (word, n) in [("sub\n", 0), ("sub\"", 0), ("sub:", 0)] {
        let items = client.at_cursor("textDocument/prepareCallHierarchy", &at(word, n));
        assert_eq!((&items[0]["name"], &items[0]["detail"]), (&json!("sub"), &json!("subroutine")), "{word}");
        let calls = client.request("callHierarchy/incomingCalls", json!({ "item": items[0] }));
        assert_eq!((&calls[0]["from"]["name"], of(TEXT, &calls[0]["fromRanges"][0])), (&json!("k"), "sub"));
        assert_eq!(calls.as_array().map(Vec::len), Some(1));
        let calls = client.request("callHierarchy/outgoingCalls", json!({ "item": items[0] }));
        assert_eq!(calls, json!([]));
    }
    let items = client.at_cursor("textDocument/prepareCallHierarchy", &at("k_main:", 0));
    assert_eq!((&items[0]["name"], &items[0]["detail"]), (&json!("k"), &json!("kernel")));
    let calls = client.request("callHierarchy/outgoingCalls", json!({ "item": items[0] }));
    assert_eq!(calls[0]["to"]["name"], "sub");
    assert_eq!(client.at_cursor("textDocument/prepareCallHierarchy", &at("again:", 0)), Value::Null);
}

#[test]
fn lenses_say_who_calls_and_where_control_comes_from() {
    let lenses = of_document(&mut Client::new(), "textDocument/codeLens");
    let shown: Vec<(&str, &str)> = lenses
        .as_array()
        .expect("a list")
        .iter()
        .map(|l| (of(TEXT, &l["range"]), l["command"]["title"].as_str().expect("a title")))
        .collect();
    for expected in [
        ("\"sub\"", "called once: line 18"),
        ("other", "reached from lines 14, 15"),
        ("again", "reached from lines 18, 21, 23"),
    ] {
        let (name, title) = expected;
        assert!(shown.iter().any(|(n, t)| n.trim_matches('"') == name.trim_matches('"') && *t == title), "{shown:?}");
    }
    let live = shown.iter().find(|(name, _)| name.trim_matches('"') == "k").expect("a lens on the kernel");
    assert_eq!(live.1, "at most 2 registers of 32 bytes are live, 64 bytes, in line 13");
}

#[test]
fn commands_lead_to_the_last_writes_and_the_next_reads() {
    let mut client = Client::new();
    client.open(TEXT);
    let mut run = |command: &str, word: &str, n: usize| {
        let (_, position) = cursor(&at(word, n));
        lines(&client.request("workspace/executeCommand", json!({ "command": command, "arguments": [URI, position] })))
    };
    // Over the branch: the upper half of `Va` was written as itself and as `Vb`.
    assert_eq!(run("visa-lint.lastWrites", "Vc(0,0)<4;4,1>", 0), [12, 15]);
    assert_eq!(run("visa-lint.nextReads", "Vc(0,0)<1>", 0), [22]);
    assert_eq!(run("visa-lint.nextReads", "Vc(0,0)<4;4,1>", 0), [0; 0], "nothing is written there");
    assert_eq!(run("visa-lint.lastWrites", "kernel", 0), [0; 0]);
    let nowhere = json!({ "command": "visa-lint.lastWrites", "arguments": ["file:///not-open.visaasm", { "line": 0, "character": 0 }] });
    assert!(client.refused("workspace/executeCommand", nowhere).message.contains("not open"));
    let none = json!({ "command": "visa-lint.nextReads", "arguments": [] });
    assert_eq!(client.refused("workspace/executeCommand", none).code, -32602);
}

#[test]
fn lines_of_the_source_are_shown_and_opened() {
    let scratch = Scratch::new("lsp-sources");
    scratch.file("sums.cl", "kernel void k() {\n}\n");
    let uri = from_path(&scratch.0.join("k.visaasm"));
    let source = from_path(&scratch.0.join("sums.cl"));
    let text = "\
.version 4.1
.kernel \"k\"
.kernel_attr SimdSize=8
LOC 1
FILE \"sums.cl\"
LOC 2
    .file \"gone.cl\"
    .loc 7
    ret (M1, 1)
";
    let capabilities = json!({ "window": { "showDocument": { "support": true } } });
    let mut client = Client::with(capabilities, json!({}), &[]);
    client.open_as(&uri, text);
    let lenses = client.request("textDocument/codeLens", json!({ "textDocument": { "uri": uri } }));
    let lens = |title: &str| {
        lenses.as_array().expect("a list").iter().find(|l| l["command"]["title"] == title).expect("a lens").clone()
    };
    assert_eq!(of(text, &lens("gone.cl:7")["range"]), ".loc 7");
    assert_eq!(lens("gone.cl:7")["command"]["command"], "", "there is nothing to open");
    let (found, n) = (lens("sums.cl:2"), lenses.as_array().map_or(0, Vec::len));
    assert_eq!((of(text, &found["range"]), n), ("LOC 2", 2), "the first line has no file");
    assert_eq!(found["command"]["arguments"], json!([source, 1]));
    client.request("workspace/executeCommand", found["command"].clone());
    let shown = client.asked("window/showDocument").params;
    assert_eq!((&shown["uri"], &shown["selection"]["start"]["line"]), (&json!(source), &json!(1)));
    let go = |client: &mut Client, line: u64| {
        let position = json!({ "line": line, "character": 5 });
        client.request("textDocument/definition", json!({ "textDocument": { "uri": uri }, "position": position }))
    };
    assert_eq!(go(&mut client, 5)["uri"], source);
    assert_eq!(go(&mut client, 7), Value::Null);
    // A client that cannot show a document is not told to.
    let mut plain = Client::with(json!({}), json!({}), &[]);
    plain.open_as(&uri, text);
    let lenses = plain.request("textDocument/codeLens", json!({ "textDocument": { "uri": uri } }));
    assert!(lenses.as_array().expect("a list").iter().all(|l| l["command"]["command"] == ""));
}

#[test]
fn hints_show_roots_lanes_and_what_descriptors_say() {
    let mut client = Client::new();
    client.open(TEXT);
    let whole = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } });
    let hints = client.request("textDocument/inlayHint", json!({ "textDocument": { "uri": URI }, "range": whole }));
    let shown: Vec<(u64, &str)> = hints
        .as_array()
        .expect("a list")
        .iter()
        .map(|h| (h["position"]["line"].as_u64().expect("a line") + 1, h["label"].as_str().expect("a label")))
        .collect();
    for expected in [(15, "=Va+32"), (17, "lanes 16 to 19"), (17, "=Va+36"), (25, "sends 1, returns 1, header")] {
        assert!(shown.contains(&expected), "{expected:?} is missing in {shown:?}");
    }
    assert!(!shown.iter().any(|(line, _)| *line == 11), "{shown:?}");
}

#[test]
fn the_outline_shows_subroutines_and_loops_before_variables() {
    fn tree(symbols: &Value, depth: usize, all: &mut Vec<String>) {
        for s in symbols.as_array().into_iter().flatten() {
            let (name, detail) = (s["name"].as_str().expect("a name"), s["detail"].as_str().expect("a detail"));
            all.push(format!("{}{name}: {detail}", "  ".repeat(depth)));
            tree(&s["children"], depth + 1, all);
        }
    }
    let symbols = of_document(&mut Client::new(), "textDocument/documentSymbol");
    let mut all = Vec::new();
    tree(&symbols, 0, &mut all);
    assert_eq!(
        all,
        [
            "k: kernel",
            "  k_main: subroutine",
            "    other: label",
            "    again: loop to line 23",
            "      inner: loop to line 21",
            "  sub: subroutine",
            "  general variables: 4",
            "    Va: ud \u{d7} 16",
            "    Vb: uw \u{d7} 16, byte 32 of Va",
            "    Vc: uw \u{d7} 4, byte 36 of Va",
            "    Vlone: ud \u{d7} 8",
            "  predicate variables: 1",
            "    P1: predicate \u{d7} 8",
            "f: function",
            "  f_main: subroutine",
        ]
    );
}
