//! `tests/cases/RULE/NAME.visaasm`: programs whose findings stand beside their lines.
//!
//! A line `//~ ^^^^ error[rule]` says that the line above has that finding at the columns of the carets. `//~|` is the
//! same, with columns counted from the character after the bar, for places that begin in the first columns. After the
//! rule may stand words: one text of the finding (message, label, note, help, or another place as `LINE: words`) has to
//! be these. Every finding needs an annotation, and every annotation a finding. The first lines may ask for a platform
//! (`// platform: PVC`), for pedantic findings (`// pedantic`), for a rule that is off (`// warn: RULE`), or say how large
//! groups are (`// local-size: 16,16`), and buffers (`// buffer: out=4096`).

use crate::support::{
    A_TO_L, HostSource, M_TO_T, U, V_TO_Z, asked, blessed, check_as_asked, files, host_sources, tests_folder,
};
use crate::words::Said;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use visa_lint::base::diagnostic::Diagnostic;
use visa_lint::base::rule::Level;
use visa_lint::checks::RULES;

#[derive(PartialEq, Eq, PartialOrd, Ord, Clone, Debug)]
struct Expected {
    line: usize,
    start: usize,
    end: usize,
    level_and_rule: String,
}

/// The annotations, and the words that stand after some of them.
fn annotations(text: &str) -> BTreeMap<Expected, String> {
    let mut found = BTreeMap::new();
    let mut last_code = 0;
    for (i, line) in text.lines().enumerate() {
        let Some(rest) = line.strip_prefix("//~") else {
            last_code = i;
            continue;
        };
        let (shift, rest) = match rest.strip_prefix('|') {
            Some(rest) => (0, rest),
            None => (3, rest),
        };
        let start = rest.find('^').unwrap_or_else(|| panic!("line {}: an annotation without carets", i + 1));
        let length = rest[start..].bytes().take_while(|b| *b == b'^').count();
        let (rule, words) = rest[start + length..]
            .split_once(']')
            .unwrap_or_else(|| panic!("line {}: an annotation without `level[rule]`", i + 1));
        let expected = Expected {
            line: last_code + 1,
            start: shift + start,
            end: shift + start + length,
            level_and_rule: format!("{}]", rule.trim()),
        };
        found.insert(expected, words.trim().to_owned());
    }
    found
}

/// What an annotation would have to say for a finding.
fn annotation_of(text: &str, d: &Diagnostic) -> Expected {
    let start = d.primary.span.start as usize;
    let line_start = text[..start].rfind('\n').map_or(0, |i| i + 1);
    let line_end = text[start..].find('\n').map_or(text.len(), |i| start + i);
    Expected {
        line: line_of(text, start),
        start: start - line_start,
        end: (d.primary.span.end as usize).min(line_end).max(start + 1) - line_start,
        level_and_rule: format!("{}[{}]", d.level.word(), d.rule.name),
    }
}

/// The number of the line that holds a byte, from 1.
fn line_of(text: &str, offset: usize) -> usize {
    text[..offset].matches('\n').count() + 1
}

/// The texts of a finding.
fn texts(text: &str, d: &Diagnostic) -> Vec<String> {
    let mut all = vec![d.message.clone(), d.primary.text.clone()];
    all.extend(d.notes.iter().cloned());
    all.extend(d.help.clone());
    all.extend(d.secondary.iter().map(|l| format!("{}: {}", line_of(text, l.span.start as usize), l.text)));
    all
}

/// The rule that gives a case its folder.
fn about(case: &Path) -> &str {
    case.parent().and_then(|p| p.file_name()).and_then(|n| n.to_str()).unwrap_or("")
}

/// The cases with their texts.
fn cases() -> Vec<(PathBuf, String)> {
    let all = files(&tests_folder().join("cases"), "visaasm");
    assert!(all.len() > 300, "the cases are missing");
    all.into_iter().map(|file| (file.clone(), std::fs::read_to_string(&file).expect("a readable file"))).collect()
}

#[test]
fn findings_are_where_they_are_annotated() {
    let mut faults = Vec::new();
    for (file, text) in cases() {
        let annotated = annotations(&text);
        let expected: BTreeSet<&Expected> = annotated.keys().collect();
        let diagnostics = check_as_asked(&text, about(&file));
        let found: BTreeSet<Expected> = diagnostics.iter().map(|d| annotation_of(&text, d)).collect();
        let name = file.strip_prefix(tests_folder()).unwrap_or(&file).display().to_string();
        for e in expected.iter().filter(|e| !found.contains(**e)) {
            faults.push(format!("{name}:{}:{}-{}: expected {}", e.line, e.start, e.end, e.level_and_rule));
        }
        for f in found.iter().filter(|f| !expected.contains(f)) {
            faults.push(format!("{name}:{}:{}-{}: unexpected {}", f.line, f.start, f.end, f.level_and_rule));
        }
        for d in &diagnostics {
            let words = annotated.get(&annotation_of(&text, d)).map_or("", String::as_str);
            let texts = texts(&text, d);
            if !words.is_empty() && !texts.iter().any(|t| t == words) {
                let line = line_of(&text, d.primary.span.start as usize);
                faults.push(format!("{name}:{line}: `{words}` is none of {texts:?}"));
            }
            if !d.rule.levels.contains(&d.level) && d.rule.level != Level::Off {
                let (rule, level) = (d.rule.name, d.level.word());
                faults
                    .push(format!("{name}: {rule} is reported at level {level}, which its declaration does not name"));
            }
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// A finding that says only that something is wrong leaves the reader alone: words at its place, a note or a help say why,
/// or what to write.
#[test]
fn every_finding_says_why_or_what_to_write() {
    let mut faults = BTreeSet::new();
    let mut look = |found: Vec<Diagnostic>| {
        faults.extend(found.iter().filter(|d| !d.is_explained()).map(|d| format!("{}: {}", d.rule.name, d.message)));
    };
    for HostSource { text, language, .. } in host_sources() {
        let host = visa_lint::host::read(&text, language, None);
        let options = visa_lint::checks::Options { pedantic: true, ..Default::default() };
        look(visa_lint::checks::fragment::check_host(&text, &host, &options, None).diagnostics);
    }
    for (file, text) in cases() {
        look(check_as_asked(&text, about(&file)));
        look(visa_lint::checks::check(&text, &asked(&text)));
    }
    let faults: Vec<String> = faults.into_iter().collect();
    assert!(faults.is_empty(), "nothing explains these findings:\n{}", faults.join("\n"));
}

/// Levels that no case can show: the file is not text; more labels than a case should hold (`rules.rs` counts them); only a
/// statement of a host has it (`tests/host`).
const WITHOUT_CASES: [(&str, Level); 3] = [
    ("invalid-encoding", Level::Pedantic),
    ("too-many-declarations", Level::Pedantic),
    ("unclosed-comment", Level::Error),
];

#[test]
fn every_rule_has_a_case_at_each_of_its_levels() {
    let annotated: BTreeSet<String> =
        cases().iter().flat_map(|(_, text)| annotations(text).into_keys().map(|e| e.level_and_rule)).collect();
    let mut missing = Vec::new();
    // Rules about host sources have their cases in `tests/host`, and an example of their own in C.
    for rule in RULES.iter().filter(|rule| !rule.documentation.contains("```c bad")) {
        for level in rule.levels {
            // A rule that is off is switched on as a warning.
            let level = if *level == Level::Off { Level::Warning } else { *level };
            let wanted = format!("{}[{}]", level.word(), rule.name);
            if !annotated.contains(&wanted) && !WITHOUT_CASES.contains(&(rule.name, level)) {
                missing.push(wanted);
            }
        }
    }
    assert!(missing.is_empty(), "no case in tests/cases is annotated with {}", missing.join(", "));
}

/// Rules whose fault is the first word of the line itself.
const WITHOUT_NEIGHBOURS: [&str; 4] = ["unknown-instruction", "unknown-directive", "unknown-rule", "syntax-error"];

/// The first word of a statement: a directive, or a mnemonic without its modifiers and its predicate.
fn first_word(line: &str) -> &str {
    let line = line.trim().trim_start_matches('\u{feff}');
    let line = if line.starts_with('(') { line.split_once(')').map_or("", |(_, rest)| rest.trim()) } else { line };
    let end =
        line.char_indices().find(|(i, c)| c.is_whitespace() || *i > 0 && *c == '.').map_or(line.len(), |(i, _)| i);
    &line[..end]
}

/// A rule that fires on everything of a kind would pass a test of its faults alone: in the cases that show a rule, some
/// statement that begins like a faulty one is legal.
#[test]
fn every_rule_has_a_legal_neighbour() {
    let mut faulty: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut legal: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (file, text) in cases() {
        let marked: BTreeSet<(usize, String)> = annotations(&text)
            .into_keys()
            .filter_map(|e| Some((e.line, e.level_and_rule.split_once('[')?.1.trim_end_matches(']').to_owned())))
            .collect();
        let rules: BTreeSet<&str> = marked.iter().map(|(_, rule)| rule.as_str()).chain([about(&file)]).collect();
        for (i, line) in text.lines().enumerate().filter(|(_, l)| !l.starts_with("//~")) {
            for rule in &rules {
                let is_faulty = marked.contains(&(i + 1, (*rule).to_owned()));
                let words = if is_faulty { &mut faulty } else { &mut legal };
                words.entry((*rule).to_owned()).or_default().insert(first_word(line).to_owned());
            }
        }
    }
    let has_neighbour = |rule: &str, words: &BTreeSet<String>| legal.get(rule).is_some_and(|l| !l.is_disjoint(words));
    let alone: Vec<&str> = faulty
        .iter()
        .filter(|(rule, words)| !has_neighbour(rule, words) && !WITHOUT_NEIGHBOURS.contains(&rule.as_str()))
        .map(|(rule, _)| rule.as_str())
        .collect();
    assert!(alone.is_empty(), "no legal line of the same kind beside the faults of {}", alone.join(", "));
}

/// The line without the digits that end names: `V12(0,0)` as `V(0,0)`.
fn without_numbers(line: &str) -> String {
    let mut shape = String::with_capacity(line.len());
    let mut is_name = false;
    for c in line.chars() {
        is_name = c.is_ascii_alphabetic() || c == '_' || is_name && c.is_ascii_digit();
        if !(is_name && c.is_ascii_digit()) {
            shape.push(c);
        }
    }
    shape
}

/// The beginnings of cases, with the rule that each is about and the number of the case. Inside a word or a run of blanks one
/// place is enough, and so is one of the beginnings of a line that differ in the numbers of names only.
fn beginnings(cases: &[(PathBuf, String)]) -> Vec<(&str, &str, usize)> {
    let is_word = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b >= 0x80;
    let is_run = |a: u8, b: u8| is_word(a) && is_word(b) || a == b' ' && b == b' ';
    let mut seen = BTreeSet::new();
    let mut beginnings = Vec::new();
    for (which, (file, text)) in cases.iter().enumerate() {
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            let bytes = line.as_bytes();
            let is_inside = |i: usize| i > 1 && is_run(bytes[i - 2], bytes[i - 1]) && is_run(bytes[i - 1], bytes[i]);
            let places = (0..line.len()).filter(|i| line.is_char_boundary(*i) && !is_inside(*i));
            if !line.starts_with("//") {
                let new = places.filter(|i| seen.insert(without_numbers(&line[..*i])));
                beginnings.extend(new.map(|i| (&text[..start + i], about(file), which)));
            }
            start += line.len();
        }
    }
    beginnings
}

/// An editor checks half-typed files: no beginning of a case may make the program panic. What is said of them all is blessed:
/// their number, that of the findings, and a check sum of all that these say.
fn no_beginning_panics(letters: &RangeInclusive<char>) {
    let mut cases = cases();
    cases.retain(|(file, _)| about(file).starts_with(|c| letters.contains(&c)));
    assert!(!cases.is_empty(), "no rule begins with one of {letters:?}");
    let of_each: Vec<(usize, Said)> = beginnings(&cases)
        .par_iter()
        .map(|(text, about, which)| {
            let mut said = Said::default();
            said.note(text, &check_as_asked(text, about));
            (*which, said)
        })
        .collect();
    let said = of_each.chunk_by(|a, b| a.0 == b.0).map(|of_case| {
        let said = of_case.iter().fold(Said::default(), |all, (_, said)| all.and(said));
        let name = cases[of_case[0].0].0.strip_prefix(tests_folder().join("cases")).expect("a file of the folder");
        format!("{} {}: {said}\n", name.to_string_lossy().replace('\\', "/"), of_case.len())
    });
    let name = format!("snapshots/beginnings/{}-{}.txt", letters.start(), letters.end());
    blessed(&tests_folder().join(name), &said.collect::<String>());
}

#[test]
fn no_beginning_of_cases_a_to_l_panics() {
    no_beginning_panics(&A_TO_L);
}

#[test]
fn no_beginning_of_cases_m_to_t_panics() {
    no_beginning_panics(&M_TO_T);
}

#[test]
fn no_beginning_of_cases_u_panics() {
    no_beginning_panics(&U);
}

#[test]
fn no_beginning_of_cases_v_to_z_panics() {
    no_beginning_panics(&V_TO_Z);
}
