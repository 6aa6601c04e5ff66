//! The finding that a byte is not UTF-8.

use visa_lint::base::diagnostic::Diagnostic;
use visa_lint::base::span::Span;
use visa_lint::checks::Options;
use visa_lint::checks::encoding::{INVALID_ENCODING, add_invalid_byte};

fn places(found: &[Diagnostic]) -> Vec<(u32, u32)> {
    found.iter().map(|d| (d.primary.span.start, d.primary.span.end)).collect()
}

#[test]
fn an_invalid_byte_stands_in_the_order_of_the_text_and_only_where_nothing_else_does() {
    let options = Options { pedantic: true, ..Options::default() };
    let at = |start, end| Diagnostic::new(&INVALID_ENCODING, Span::new(start, end), "");
    let mut found = vec![at(2, 5), at(7, 9)];
    add_invalid_byte(3, &options, &mut found);
    assert_eq!(places(&found), [(2, 5), (7, 9)]);
    add_invalid_byte(6, &options, &mut found);
    assert_eq!(places(&found), [(2, 5), (6, 7), (7, 9)]);
    add_invalid_byte(9, &options, &mut found);
    assert_eq!(places(&found), [(2, 5), (6, 7), (7, 9), (9, 10)]);
    let mut none = Vec::new();
    add_invalid_byte(0, &Options::default(), &mut none);
    assert!(none.is_empty(), "a pedantic finding");
}
