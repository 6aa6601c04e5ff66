//! Every rule: its name, its page, its examples.

use crate::support::{as_excerpt, asked, check_as_asked, kernel, listing, loud};
use std::collections::BTreeSet;
use visa_lint::base::rule::{Level, Rule};
use visa_lint::checks::{self, Options, RULES};

/// The fenced examples of a page with that mark.
pub fn examples(rule: &Rule, mark: &str) -> Vec<String> {
    fenced(rule, "visa", mark)
}

/// The fenced examples of a page in a language.
fn fenced(rule: &Rule, language: &str, mark: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut lines = rule.documentation.lines();
    while let Some(line) = lines.next() {
        if line.trim() == format!("```{language} {mark}") {
            let body: Vec<&str> =
                lines.by_ref().take_while(|l| l.trim() != "```").map(|l| l.strip_prefix(' ').unwrap_or(l)).collect();
            found.push(body.join("\n") + "\n");
        }
    }
    found
}

/// An example as a file.
pub fn program(example: &str) -> String {
    if example.lines().any(|l| l.trim_start().starts_with(".version")) {
        return example.to_owned();
    }
    let (mut comments, mut declarations, mut lines) = (String::new(), String::new(), String::new());
    for line in example.lines() {
        let target = if line.starts_with("//") {
            &mut comments
        } else if line.trim_start().starts_with('.') && !line.trim_start().starts_with(".function") {
            &mut declarations
        } else {
            &mut lines
        };
        target.push_str(line);
        target.push('\n');
    }
    comments + &kernel(&declarations, &lines)
}

#[test]
fn names_are_unique_and_name_a_fault() {
    let mut seen = BTreeSet::new();
    for rule in RULES {
        assert!(seen.insert(rule.name), "two rules are called {}", rule.name);
        assert!(
            rule.name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'),
            "{} is not in kebab case",
            rule.name
        );
        let is_own = OWN.contains(&rule.name);
        assert_eq!(
            rule.section.is_empty(),
            is_own || HOST.contains(&rule.name),
            "{}: the manual's section, unless the manual cannot know",
            rule.name
        );
    }
}

/// Every `declare_rule!` of the sources is in the one list.
#[test]
fn no_rule_is_forgotten() {
    let src = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut missing = Vec::new();
    for file in crate::support::files(&src, "rs") {
        let text = std::fs::read_to_string(&file).expect("a readable file");
        for line in text
            .lines()
            .filter(|l| l.trim_start().starts_with("pub ") && l.contains(" = \"") && l.trim_end().ends_with(['"', ',']))
        {
            let name = line.split(" = \"").nth(1).and_then(|rest| rest.split('"').next()).unwrap_or("");
            let level = line.split("\", ").nth(1).unwrap_or("");
            let is_rule = ["Error", "Warning", "Pedantic", "Off"].iter().any(|l| level.starts_with(l));
            if is_rule && checks::rule(name).is_none() {
                missing.push(format!("{name} ({})", file.display()));
            }
        }
    }
    assert!(missing.is_empty(), "not in the list of rules: {}", missing.join(", "));
}

/// The rules that an example in C breaks. Lines alone stand in a function.
fn in_source(example: &str, rule: &Rule) -> Vec<&'static str> {
    let is_whole = example.contains("void f(");
    let text = if is_whole { example.to_owned() } else { format!("void f(int x, int y, int z) {{\n{example}}}\n") };
    let options = Options { pedantic: rule.level == Level::Pedantic, ..Options::default() };
    let host = visa_lint::host::read(&text, visa_lint::host::Language::C, None);
    assert!(!host.fragments.is_empty(), "{}: no fragment in\n{text}", rule.name);
    let found = checks::fragment::check_host(&text, &host, &options, None).diagnostics;
    found.iter().map(|d| d.rule.name).collect()
}

#[test]
fn bad_examples_are_reported_and_good_ones_are_clean() {
    let mut faults = Vec::new();
    for rule in RULES {
        let (bad, good) = (examples(rule, "bad"), examples(rule, "good"));
        let in_host = fenced(rule, "c", "bad");
        for example in &in_host {
            if !in_source(example, rule).contains(&rule.name) {
                faults.push(format!("{}: the bad example is not reported:\n{example}", rule.name));
            }
        }
        for example in fenced(rule, "c", "good") {
            let found = in_source(&example, rule);
            if !found.is_empty() {
                faults.push(format!("{}: the good example is reported as {found:?}:\n{example}", rule.name));
            }
        }
        if !in_host.is_empty() {
            continue;
        }
        if bad.is_empty() && !WITHOUT_EXAMPLES.contains(&rule.name) {
            faults.push(format!("{} has no bad example", rule.name));
        }
        for example in bad {
            let text = program(&example);
            let mut options = as_excerpt(asked(&text), rule.name);
            options.pedantic |= rule.level == Level::Pedantic;
            if rule.level == Level::Off {
                options.levels.insert(rule.name, Level::Warning);
            }
            let found = checks::check(&text, &options);
            if !found.iter().any(|d| d.rule == *rule) {
                faults.push(format!(
                    "{}: the bad example is not reported:\n{example}{}",
                    rule.name,
                    listing(&text, &found)
                ));
            }
        }
        for example in good {
            let text = program(&example);
            let found = loud(check_as_asked(&text, rule.name));
            if !found.is_empty() {
                faults.push(format!(
                    "{}: the good example is reported:\n{example}{}",
                    rule.name,
                    listing(&text, &found)
                ));
            }
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// Rules about statements of host sources, which the manual of the instruction set does not describe.
const HOST: &[&str] = &[
    "unknown-constraint",
    "missing-host-operand",
    "dropped-statement",
    "wrong-escape",
    "varying-immediate",
    "region-on-immediate",
    "impossible-uniform",
    "unscoped-declaration",
    "unscoped-label",
    "capturing-name",
    "swallowed-instruction",
    "misplaced-constraint",
    "nested-kernel",
    "written-input",
    "unwritten-output",
    "unset-output",
    "lost-sign",
    "unmasked-output",
    "exec-size-beyond-operand",
    "partial-sub-group",
    "mask-beyond-sub-group",
];

/// Rules about comments that speak to this program.
const OWN: &[&str] = &[
    "malformed-suppression",
    "unknown-rule",
    "unexplained-suppression",
    "unused-suppression",
    "unfulfilled-expectation",
];

/// Rules about the bytes of a file, which an example in a page of text cannot show. `tests/cases` and `tests/cli` hold
/// their examples.
const WITHOUT_EXAMPLES: &[&str] = &["carriage-return", "byte-order-mark", "invalid-encoding", "too-many-declarations"];

/// More labels than the manual's numbers can name: an example of that length is no reading.
#[test]
fn labels_are_counted() {
    let labels = |n: usize| (0..n).fold(String::new(), |text, i| text + &format!("label_of_many_{i}:\n"));
    let options = Options { pedantic: true, ..Options::default() };
    let n_found = |n| {
        let found = checks::check(&kernel("", &labels(n)), &options);
        found.iter().filter(|d| d.rule.name == "too-many-declarations").count()
    };
    assert_eq!(n_found(4000), 0);
    assert_eq!(n_found(4100), 1);
}
