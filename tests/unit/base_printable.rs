//! Tests of `base::printable`.

use std::borrow::Cow;
use visa_lint::base::printable::{is_harmful, line, lines, source};

const HARMFUL: &str = "\x1b[31m\u{9b}2J\u{202e}\u{2066}\u{61c}\u{2028}\u{feff}\r\x7f";

#[test]
fn harmful_characters_go() {
    let text = format!("a{HARMFUL}b\tc\nä€");
    assert!(!line(&text).contains(is_harmful), "{:?}", line(&text));
    assert_eq!(lines("a\x1b\n\tb\u{9b}"), "a\u{fffd}\n\tb\u{fffd}");
    assert!(matches!(line("plain ä€"), Cow::Borrowed(_)));
}

#[test]
fn offsets_of_quoted_text_stay() {
    let text = format!("a{HARMFUL}b\tc\nä€");
    let shown = source(&text);
    assert!(!shown.contains(|c| is_harmful(c) && c != '\n' && c != '\t'), "{shown:?}");
    let starts = |text: &str| text.char_indices().map(|(start, _)| start).collect::<Vec<_>>();
    assert_eq!(starts(&text), starts(&shown));
    assert!(shown.ends_with("b\tc\nä€"), "{shown:?}");
}
