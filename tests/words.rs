//! What findings mark and say: messages, labels, other places, notes, helps and fixes of the annotated cases, as they were blessed.

use crate::support::{HostSource, blessed, check_as_asked, check_sum, files, host_sources, tests_folder};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use visa_lint::base::diagnostic::Diagnostic;
use visa_lint::checks::{self, Options};

/// A place as line and column, from 1.
fn place(text: &str, offset: u32) -> String {
    let before = &text[..offset as usize];
    let start = before.rfind('\n').map_or(0, |i| i + 1);
    format!("{}:{}", before.matches('\n').count() + 1, before.len() - start + 1)
}

/// How many findings there are, and a check sum of all that they say, in whatever order.
#[derive(Default)]
pub struct Said {
    n: usize,
    sum: u32,
}

impl Said {
    pub fn note(&mut self, text: &str, found: &[Diagnostic]) {
        self.n += found.len();
        self.sum = found.iter().fold(self.sum, |sum, d| sum.wrapping_add(check_sum(&words(text, d))));
    }

    pub fn and(self, other: &Self) -> Self {
        Self { n: self.n + other.n, sum: self.sum.wrapping_add(other.sum) }
    }
}

impl std::fmt::Display for Said {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {:08x}", self.n, self.sum)
    }
}

/// All that a finding says.
pub fn words(text: &str, d: &Diagnostic) -> String {
    let span = d.primary.span;
    let marked = span.of(text).replace('\n', " / ");
    let mut out = format!("{} `{marked}` {}[{}] {}\n", place(text, span.start), d.level.word(), d.rule.name, d.message);
    if !d.primary.text.is_empty() {
        let _ = writeln!(out, "    {}", d.primary.text);
    }
    for label in &d.secondary {
        let marked = text[label.span.range()].lines().next().unwrap_or_default();
        let _ = writeln!(out, "    {} `{marked}`: {}", place(text, label.span.start), label.text);
    }
    for note in &d.notes {
        let _ = writeln!(out, "    note: {note}");
    }
    if let Some(help) = &d.help {
        let _ = writeln!(out, "    help: {help}");
    }
    if let Some(fix) = &d.fix {
        let certain = if fix.certain { "certain" } else { "possible" };
        let _ = writeln!(out, "    fix ({certain}): {}", fix.title);
        for edit in &fix.edits {
            let _ =
                writeln!(out, "        {} `{}` -> {:?}", place(text, edit.span.start), edit.span.of(text), edit.text);
        }
    }
    out
}

/// The same for host sources, in one file.
#[test]
fn findings_in_hosts_say_what_is_blessed() {
    let found: Vec<String> = host_sources()
        .par_iter()
        .map(|HostSource { name, language, text }| {
            let options = Options { pedantic: true, ..Options::default() };
            let host = visa_lint::host::read(text, *language, None);
            let found = checks::fragment::check_host(text, &host, &options, None).diagnostics;
            let found: String = found.iter().map(|d| words(text, d)).collect();
            if found.is_empty() { found } else { format!("== {name}\n{found}") }
        })
        .collect();
    blessed(&tests_folder().join("snapshots/findings/hosts.txt"), &found.concat());
}

/// `tests/snapshots/findings/RULE.txt` holds what the findings of the cases of a rule say. With `BLESS=1` new cases are
/// added; a case that it does not name yet is not compared.
#[test]
fn findings_say_what_is_blessed() {
    let cases = tests_folder().join("cases");
    let all: Vec<(String, String, String)> = files(&cases, "visaasm")
        .par_iter()
        .map(|file| {
            let inner = file.strip_prefix(&cases).expect("a file of the folder");
            let rule = inner.components().next().expect("a folder").as_os_str().to_string_lossy().into_owned();
            let text = std::fs::read_to_string(file).expect("a readable case");
            let found: String = check_as_asked(&text, &rule).iter().map(|d| words(&text, d)).collect();
            (rule, inner.to_string_lossy().replace('\\', "/"), found)
        })
        .collect();
    let folder = tests_folder().join("snapshots/findings");
    let is_blessing = std::env::var_os("BLESS").is_some();
    let mut by_rule: BTreeMap<&str, String> = BTreeMap::new();
    let mut n_compared = 0;
    for (rule, name, found) in &all {
        let known = std::fs::read_to_string(folder.join(format!("{rule}.txt"))).unwrap_or_default();
        let head = format!("== {name}\n");
        if !found.is_empty() && (is_blessing || known.contains(&head)) {
            n_compared += 1;
            *by_rule.entry(rule).or_default() += &format!("{head}{found}");
        }
    }
    for (rule, text) in by_rule {
        blessed(&folder.join(format!("{rule}.txt")), &text);
    }
    assert!(n_compared > 300, "only {n_compared} cases were compared");
}
