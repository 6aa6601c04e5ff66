//! `tests/cases/RULE/NAME.visaasm`: programs whose findings stand beside their lines.
//!
//! A line `//~ ^^^^ error[rule]` says that the line above has that finding at the columns of the carets. `//~|` is the
//! same, with columns counted from the character after the bar, for places that begin in the first columns. Every finding
//! needs an annotation, and every annotation a finding. The first lines may ask for a platform (`// platform: PVC`), for
//! pedantic findings (`// pedantic`), for a rule that is off (`// warn: RULE`), or say how large groups are
//! (`// local-size: 16,16`).

use crate::support::{check_as_asked, files, tests_folder};
use std::collections::BTreeSet;

#[derive(PartialEq, Eq, PartialOrd, Ord, Clone, Debug)]
struct Expected {
    line: usize,
    start: usize,
    end: usize,
    level_and_rule: String,
}

fn annotations(text: &str) -> Vec<Expected> {
    let mut found = Vec::new();
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
        found.push(Expected {
            line: last_code + 1,
            start: shift + start,
            end: shift + start + length,
            level_and_rule: rest[start + length..].trim().to_owned(),
        });
    }
    found
}

/// The rule that gives a case its folder.
fn about(case: &std::path::Path) -> &str {
    case.parent().and_then(|p| p.file_name()).and_then(|n| n.to_str()).unwrap_or("")
}

#[test]
fn findings_are_where_they_are_annotated() {
    let mut faults = Vec::new();
    let all = files(&tests_folder().join("cases"), "visaasm");
    assert!(all.len() > 50, "the cases are missing");
    for file in all {
        let text = std::fs::read_to_string(&file).expect("a readable file");
        let expected: BTreeSet<Expected> = annotations(&text).into_iter().collect();
        let found: BTreeSet<Expected> = check_as_asked(&text, about(&file))
            .iter()
            .map(|d| {
                let start = d.primary.span.start as usize;
                let line_start = text[..start].rfind('\n').map_or(0, |i| i + 1);
                let line_end = text[start..].find('\n').map_or(text.len(), |i| start + i);
                let column = start - line_start;
                let end = (d.primary.span.end as usize).min(line_end).max(start + 1) - line_start;
                Expected {
                    line: text[..start].matches('\n').count() + 1,
                    start: column,
                    end,
                    level_and_rule: format!("{}[{}]", d.level.word(), d.rule.name),
                }
            })
            .collect();
        let name = file.strip_prefix(tests_folder()).unwrap_or(&file).display().to_string();
        for e in expected.difference(&found) {
            faults.push(format!("{name}:{}:{}-{}: expected {}", e.line, e.start, e.end, e.level_and_rule));
        }
        for f in found.difference(&expected) {
            faults.push(format!("{name}:{}:{}-{}: unexpected {}", f.line, f.start, f.end, f.level_and_rule));
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// An editor checks half-typed files: no beginning of a case may make the program panic.
#[test]
fn no_prefix_of_a_case_panics() {
    for file in files(&tests_folder().join("cases"), "visaasm") {
        let text = std::fs::read_to_string(&file).expect("a readable file");
        for end in (0..text.len()).filter(|i| text.is_char_boundary(*i)) {
            let _ = check_as_asked(&text[..end], about(&file));
        }
    }
}
