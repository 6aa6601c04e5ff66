//! Tests of `host::map`.

use visa_lint::base::span::Span;
use visa_lint::host::map::Mapped;

#[test]
fn places_go_through_runs_and_atoms() {
    let host = "\"ab\\ncd\" \"ef\"";
    let mut mapped = Mapped::default();
    mapped.push_run("ab", 1);
    mapped.push_atom("\n", Span::new(3, 5));
    mapped.push_run("cd", 5);
    mapped.push_run("ef", 10);
    assert_eq!(mapped.text, "ab\ncdef");
    assert_eq!(mapped.host_span(host, Span::new(1, 2)), Span::new(2, 3));
    assert_eq!(mapped.host_span(host, Span::new(2, 3)), Span::new(3, 5));
    assert_eq!(mapped.host_span(host, Span::new(4, 6)), Span::new(6, 11));
    assert_eq!(mapped.run(Span::new(4, 6)), None);
    assert_eq!(mapped.run(Span::new(3, 5)), Some(Span::new(5, 7)));
    let place = mapped.add_place(Span::new(8, 9));
    assert_eq!(mapped.host_span(host, place), Span::new(8, 9));
    assert_eq!(mapped.offset_of(6), Some(4));
}

#[test]
fn a_part_keeps_its_places() {
    let mut mapped = Mapped::default();
    mapped.push_run("abc", 10);
    mapped.push_atom("\n", Span::new(13, 15));
    mapped.push_run("d", 15);
    let mut part = Mapped::default();
    part.push_part(&mapped, Span::new(2, 5));
    assert_eq!(part.text, "c\nd");
    let host = "................";
    assert_eq!(part.host_span(host, Span::new(0, 1)), Span::new(12, 13));
    assert_eq!(part.host_span(host, Span::new(2, 3)), Span::new(15, 16));
}
