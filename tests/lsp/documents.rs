//! Edits: however a text came about, its findings are those of the text.

use super::client::{Client, URI, capable};
use crate::support::mutator::Random;
use crate::support::{files, tests_folder};
use serde_json::{Value, json};
use visa_lint::checks::{self, Options};
use visa_lint::lsp::text::{Encoding, Text};

/// What a person or a script may put somewhere.
const PIECES: &[&str] = &[
    "",
    "",
    " ",
    "\n",
    "\r\n",
    "\r",
    "V",
    "1",
    ".",
    ",",
    "(",
    ")",
    "<",
    ">",
    "{",
    "}",
    ":",
    "\"",
    "//",
    "/*",
    "*/",
    "\\\n",
    "é",
    "\u{1f600}",
    "\t",
    "%null",
    ".0",
    "(M1, 8)",
    ":ud",
    "<8;8,1>",
    "    mov (M1, 8) VD(0,0)<1> 0x1:d\n",
    ".decl Vn v_type=G type=d num_elts=8\n",
    "label_9:\n",
    "    jmp (M1, 1) label_9\n",
    ".kernel \"other\"\n",
    "\0",
    "\u{feff}",
];

struct Editing {
    text: Text,
    encoding: Encoding,
    random: Random,
}

impl Editing {
    fn boundary(&mut self) -> u32 {
        let text = self.text.as_str();
        let mut at = self.random.below(text.len() + 1);
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at as u32
    }

    /// One change, as a client sends it, which is done here, too.
    fn change(&mut self) -> Value {
        let start = self.boundary();
        let mut end = match self.random.below(4) {
            0 => start,
            _ => (start + self.random.below(12) as u32).min(self.text.as_str().len() as u32),
        };
        while !self.text.as_str().is_char_boundary(end as usize) {
            end += 1;
        }
        let piece = PIECES[self.random.below(PIECES.len())];
        // Clients give places, not bytes; the middle of a line end is no place.
        let range = self.text.range(visa_lint::base::span::Span::new(start, end), self.encoding);
        let span = self.text.span(range, self.encoding);
        self.text.replace(span, piece);
        json!({ "range": range, "text": piece })
    }
}

/// Ten thousand random edits, in all encodings, sent one by one and in bursts: in the end, and now and then on the way,
/// the findings are exactly those of a server that is shown the final text.
#[test]
fn ten_thousand_random_edits_end_with_the_findings_of_a_fresh_check() {
    const N_EDITS: usize = 10_000;
    let sources: Vec<String> = files(&tests_folder().join("compiler_output"), "visaasm")
        .iter()
        .map(|f| std::fs::read_to_string(f).expect("a file"))
        .collect();
    let mut n_edits = 0;
    let mut seed = 1;
    while n_edits < N_EDITS {
        for (name, encoding) in [("utf-8", Encoding::Utf8), ("utf-16", Encoding::Utf16), ("utf-32", Encoding::Utf32)] {
            seed += 1;
            let mut capabilities = capable();
            capabilities["general"]["positionEncodings"] = json!([name]);
            let mut random = Random(u64::wrapping_mul(seed, 0x9e37_79b9_7f4a_7c15));
            // The first lines of a dump: long enough for all kinds of statements.
            let source: String = sources[random.below(sources.len())].split_inclusive('\n').take(120).collect();
            let mut client = Client::with(capabilities.clone(), json!({}), &[]);
            client.open(&source);
            let mut editing = Editing { text: Text::new(source), encoding, random };
            let mut version = 1;
            for _ in 0..12 {
                let n_messages = 1 + editing.random.below(30);
                for _ in 0..n_messages {
                    let n_changes = 1 + editing.random.below(4);
                    let changes: Vec<Value> = (0..n_changes).map(|_| editing.change()).collect();
                    n_edits += n_changes;
                    version += 1;
                    client.change(version, json!(changes));
                }
                let found = loop {
                    let sent = client.notification("textDocument/publishDiagnostics");
                    if sent["version"] == version {
                        break sent["diagnostics"].clone();
                    }
                };
                let mut fresh = Client::with(capabilities.clone(), json!({}), &[]);
                fresh.open(editing.text.as_str());
                let expected = fresh.notification("textDocument/publishDiagnostics")["diagnostics"].clone();
                assert_eq!(found, expected, "seed {seed}\n{:?}", editing.text.as_str());
                let codes: Vec<&str> =
                    found.as_array().expect("a list").iter().filter_map(|f| f["code"].as_str()).collect();
                let checked = checks::check(editing.text.as_str(), &Options::default());
                let rules: Vec<&str> = checked.iter().map(|d| d.rule.name).collect();
                assert_eq!(codes, rules, "seed {seed}");
            }
        }
    }
}

#[test]
fn changes_are_applied_one_after_the_other() {
    let mut client = Client::new();
    client.open("a\nb\nc\n");
    let at = |line: u32, from: u32, to: u32, text: &str| json!({ "range": { "start": { "line": line, "character": from }, "end": { "line": line, "character": to } }, "text": text });
    // The second change counts lines after the first.
    client.change(
        2,
        json!([
            at(0, 0, 1, ".version 4.1\n.kernel \"k\"\nret (M1, 1)\nx"),
            at(3, 0, 1, "//"),
            at(4, 0, 1, "//"),
            at(5, 0, 1, "//")
        ]),
    );
    loop {
        let sent = client.notification("textDocument/publishDiagnostics");
        if sent["version"] == 2 {
            assert_eq!(sent["diagnostics"], json!([]));
            break;
        }
    }
    let symbols = client.request("textDocument/documentSymbol", json!({ "textDocument": { "uri": URI } }));
    assert_eq!(symbols[0]["name"], "k");
}

#[test]
fn a_document_that_is_opened_again_is_another_one() {
    let mut client = Client::new();
    let bad = crate::support::kernel("", "    rett (M1, 1)\n");
    let good = crate::support::kernel("", "");
    for _ in 0..20 {
        client.open(&super::long_kernel(500).replace("    ret ", "    rett "));
        client.notify("textDocument/didClose", json!({ "textDocument": { "uri": URI } }));
        client.open(&good);
        client.notify("textDocument/didClose", json!({ "textDocument": { "uri": URI } }));
        client.open(&bad);
        let found = client.request("textDocument/diagnostic", json!({ "textDocument": { "uri": URI } }));
        assert_eq!(found["items"].as_array().map(Vec::len), Some(1));
        client.notify("textDocument/didClose", json!({ "textDocument": { "uri": URI } }));
    }
}

/// Requests that wait for a text that is being read get the answer of the newest text.
#[test]
fn requests_see_the_last_change() {
    let mut client = Client::new();
    client.open(&super::long_kernel(4000));
    for i in 0..30 {
        let start = json!({ "line": 2, "character": 9 });
        let end = json!({ "line": 2, "character": if i == 0 { 16 } else { 9 + format!("kernel_{}", i - 1).len() } });
        client.change(2 + i, json!([{ "range": { "start": start, "end": end }, "text": format!("kernel_{i}") }]));
        let symbols = client.request("textDocument/documentSymbol", json!({ "textDocument": { "uri": URI } }));
        assert_eq!(symbols[0]["name"], format!("kernel_{i}"));
    }
}
