//! What is true of an instruction stands in `rules/`: no code knows an instruction by its name.

use std::collections::BTreeSet;
use std::path::Path;
use visa_lint::spec;

/// Words that are mnemonics as well, and mean something else where they stand.
const OTHER_WORDS: &[(&str, &str, &str)] = &[
    ("src/checks/alu/layout.rs", "srnd", "a rounding mode"),
    ("src/checks/memory/atomic.rs", "add", "the operation of an atomic message"),
    ("src/cli/args.rs", "FILE", "the value of an option"),
    ("src/cli/args/check.rs", "FILE", "the value of an option"),
    ("src/host/c/mod.rs", "goto", "a qualifier of an asm statement"),
    ("src/host/c/target.rs", "log", "a part of the names of functions"),
    ("src/host/c/types/words.rs", "goto", "a word of C"),
    ("src/host/python/tokens.rs", "yield", "a word of Python"),
    ("src/host/lanes.rs", "add", "an operation of LLVM IR"),
    ("src/host/lanes.rs", "load", "an operation of LLVM IR"),
    ("src/host/sign.rs", "goto", "a qualifier of an asm statement"),
    ("src/spec/describe.rs", "max", "a function of formulas"),
    ("src/spec/describe.rs", "min", "a function of formulas"),
    ("src/spec/describe.rs", "not", "the head of a line"),
];

/// The string literals of a line of code.
fn literals(code: &str) -> impl Iterator<Item = &str> {
    code.split('"').skip(1).step_by(2)
}

/// The lines of a source that are neither comments nor unit tests, with their numbers.
fn code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    // Unit tests stand at the end, in a module of the same file.
    let end = text.find("#[cfg(test)]\nmod tests {").unwrap_or(text.len());
    text[..end]
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim_start().starts_with("//"))
        .map(|(i, line)| (i + 1, line))
}

#[test]
fn no_code_names_an_instruction() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut faults = Vec::new();
    let mut met = BTreeSet::new();
    for file in crate::support::files(&root.join("src"), "rs") {
        let text = std::fs::read_to_string(&file).expect("a readable file");
        let path = file.strip_prefix(root).expect("a file of the project").to_string_lossy().replace('\\', "/");
        for (number, line) in code(&text) {
            for word in literals(line).filter(|word| spec::lookup(word).is_some()) {
                match OTHER_WORDS.iter().position(|(file, other, _)| *file == path && *other == word) {
                    Some(place) => _ = met.insert(place),
                    None => {
                        faults.push(format!("{path}:{number}: `{word}` is a mnemonic: say it by a key of the data"));
                    }
                }
            }
            for question in ["starts_with", "ends_with", "contains", "strip_prefix", "strip_suffix", "find"] {
                if line.contains(&format!("mnemonic.{question}(\"")) {
                    faults.push(format!("{path}:{number}: looks into a mnemonic: say it by a key of the data"));
                }
            }
        }
    }
    for (file, word, _) in OTHER_WORDS.iter().enumerate().filter(|(i, _)| !met.contains(i)).map(|(_, other)| other) {
        faults.push(format!("{file} does not say `{word}` any more"));
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// The variants of `enum Check`, as the words of the rules.
fn words_of_checks() -> Vec<String> {
    let source = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/spec/family.rs")).expect("it");
    let body = source.split("pub enum Check {").nth(1).and_then(|rest| rest.split("\n}").next()).expect("the enum");
    let variants = body.lines().filter_map(|line| line.trim().strip_suffix(','));
    variants.filter(|name| name.chars().all(char::is_alphabetic)).map(snake_case).collect()
}

fn snake_case(name: &str) -> String {
    let mut word = String::new();
    for (i, c) in name.chars().enumerate() {
        if c.is_uppercase() && i > 0 {
            word.push('_');
        }
        word.extend(c.to_lowercase());
    }
    word
}

#[test]
fn every_check_has_instructions_of_its_family_and_is_explained() {
    let readme = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("rules/README.md"))
        .expect("a readable file");
    let mut used = BTreeSet::new();
    for row in spec::instructions() {
        for check in row.checks {
            used.insert(snake_case(&format!("{check:?}")));
            assert_eq!(check.custom(), row.custom, "`checks` of {}: {check:?} is of another family", row.mnemonic);
        }
    }
    let words = words_of_checks();
    assert!(words.len() > 40, "the words are read");
    for word in words {
        assert!(used.contains(&word), "no instruction has `{word}` in its `checks`");
        assert!(
            readme.contains(&format!("| `{word}`")) || readme.contains(&format!(", `{word}`")),
            "rules/README.md does not explain `{word}`"
        );
    }
}
