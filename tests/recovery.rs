//! A bad line costs one finding, and nothing else: `tests/recovery/*.visaasm` hold several independent faults each; the
//! annotations are those of `tests/cases`, but only the line counts.

use crate::support::{check_as_asked, files, listing, loud, tests_folder};
use std::collections::BTreeSet;

#[test]
fn each_fault_is_reported_once_and_nothing_else() {
    let mut faults = Vec::new();
    let all = files(&tests_folder().join("recovery"), "visaasm");
    assert!(all.len() >= 3, "the recovery files are missing");
    for file in all {
        let text = std::fs::read_to_string(&file).expect("a readable file");
        let expected: BTreeSet<usize> =
            text.lines().enumerate().filter(|(_, l)| l.contains("//!")).map(|(i, _)| i + 1).collect();
        let found = loud(check_as_asked(&text, ""));
        let mut lines: Vec<usize> =
            found.iter().map(|d| text[..d.primary.span.start as usize].matches('\n').count() + 1).collect();
        lines.sort_unstable();
        let once: BTreeSet<usize> = lines.iter().copied().collect();
        if once != expected || once.len() != lines.len() {
            faults.push(format!(
                "{}: expected one finding on each of the lines {expected:?}\n{}",
                file.display(),
                listing(&text, &found)
            ));
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// A text without newlines was read as one line: nothing else is said of it.
#[test]
fn a_text_of_carriage_returns_alone_has_one_finding() {
    let found = check_as_asked(".version 4.1\r.kernel \"k\"\rret (M1, 1)\r", "");
    let said: Vec<_> = found.iter().map(|d| (d.rule.name, d.message.as_str())).collect();
    let message = "3 carriage returns stand in the text, and no newline (old Mac line ends)";
    assert_eq!(said, [("carriage-return", message)]);
    let found = check_as_asked(".version 4.1\r\n.kernel \"k\"\r\nret (M1, 1)\r\n", "");
    let message = "3 carriage returns stand in the text (Windows line ends)";
    assert!(found.iter().any(|d| d.message == message), "{found:?}");
}

/// What concerns a text as a whole stands in the order of the text, also where nothing else is said.
#[test]
fn findings_about_a_text_that_is_no_visa_are_in_order() {
    let found = check_as_asked("\u{feff}. 4.1", "");
    let rules: Vec<&str> = found.iter().map(|d| d.rule.name).collect();
    assert_eq!(rules, ["byte-order-mark", "not-visa"]);
}
