//! Tests of `lsp::template`.

use visa_lint::checks::{self, Options};
use visa_lint::lsp::template::snippet;

/// The text that a snippet is before anything is filled in, with the names of places replaced by variables that exist.
fn filled(snippet: &str) -> String {
    let mut out = String::new();
    let mut rest = snippet;
    while let Some(start) = rest.find("${") {
        out += &rest[..start];
        rest = rest[start + 2..].trim_start_matches(|c: char| c.is_ascii_digit());
        let is_choice = rest.starts_with('|');
        rest = &rest[1..];
        let end = if is_choice {
            rest.find("|}").expect("the end of a choice")
        } else {
            rest.find('}').expect("the end of a place")
        };
        let words = &rest[..end];
        out += if is_choice { words.split(',').next().expect("a word") } else { words };
        rest = &rest[end + if is_choice { 2 } else { 1 }..];
    }
    out += rest;
    out.replace("$0", "").replace('\\', "")
}

#[test]
fn snippets_are_instructions_of_their_form() {
    for row in visa_lint::spec::instructions() {
        let text = filled(&snippet(row, row.platforms.legal));
        assert!(text.contains(row.mnemonic), "{text}");
        // Names are made up, so only faults of the form count.
        let program = format!(".version 4.2\n.kernel \"k\"\n{text}\n");
        let faults = [
            "syntax-error",
            "unknown-instruction",
            "unknown-modifier",
            "missing-modifier",
            "missing-operand",
            "surplus-operand",
            "missing-exec-size",
            "unexpected-exec-size",
            "unsupported-exec-size",
            "unknown-exec-mask",
        ];
        let found = checks::check(&program, &Options::default());
        let found: Vec<_> = found
            .iter()
            .filter(|d| faults.contains(&d.rule.name))
            .map(|d| format!("{}: {}", d.rule.name, d.message))
            .collect();
        assert!(found.is_empty(), "{text}\n{found:?}");
    }
}
