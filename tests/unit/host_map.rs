//! Tests of `host::map`.

use crate::soundness::generator::Numbers;
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

/// A character of a text: where it stands in the host, and whether as itself.
#[derive(Clone, Copy)]
struct Place {
    start: u32,
    end: u32,
    is_run: bool,
}

/// A random host of literals: letters, escapes, newlines of raw strings, ends and beginnings of literals, and other lines.
fn random(numbers: &mut Numbers) -> (String, Mapped, Vec<Place>) {
    let (mut host, mut mapped, mut places) = ("\"".to_owned(), Mapped::default(), Vec::new());
    for _ in 0..2 + numbers.below(7) {
        let start = host.len() as u32;
        match numbers.below(6) {
            0..=2 => {
                let run = &"abc\ndefg"[numbers.below(3)..][..=numbers.below(5)];
                host += run;
                mapped.push_run(run, start);
                places.extend((start..).zip(run.bytes()).map(|(at, _)| Place { start: at, end: at + 1, is_run: true }));
            }
            3 => {
                host += "\\n";
                mapped.push_atom("\n", Span::new(start, start + 2));
                places.push(Place { start, end: start + 2, is_run: false });
            }
            4 => host += "\" \"",
            _ => host += "\"\n  \"",
        }
    }
    (host + "\"\n", mapped, places)
}

#[test]
fn spans_of_random_texts_stand_where_their_characters_do() {
    let mut numbers = Numbers::new(1);
    for _ in 0..2_000 {
        let (host, mapped, places) = random(&mut numbers);
        assert_eq!(mapped.text.len(), places.len());
        for (begin, first) in places.iter().enumerate() {
            // What is marked ends with its line.
            let line_end =
                host[first.start as usize..].find('\n').map_or(host.len(), |n| first.start as usize + n) as u32;
            let mut end = first.start;
            for (to, last) in places.iter().enumerate().skip(begin) {
                if last.start <= line_end {
                    end = if last.is_run { last.end.min(line_end.max(first.start + 1)) } else { last.end };
                }
                let span = Span::new(begin as u32, to as u32 + 1);
                let wanted = Span::new(first.start, end);
                assert_eq!(mapped.host_span(&host, span), wanted, "{:?} of {host:?}", &mapped.text[begin..=to]);
                let own = &places[begin..=to];
                let is_run = own.iter().all(|p| p.is_run) && own.windows(2).all(|w| w[0].end == w[1].start);
                let is_one = is_run || begin == to;
                let run = is_one.then(|| Span::new(first.start, last.end));
                assert_eq!(mapped.run(span), run, "{:?} of {host:?}", &mapped.text[begin..=to]);
            }
            let own = Some(begin as u32).filter(|_| first.is_run);
            let is_behind_run = begin > 0 && places[begin - 1].is_run && places[begin - 1].end == first.start;
            assert_eq!(mapped.offset_in_run(first.start), own.or(is_behind_run.then_some(begin as u32)), "{host:?}");
            assert_eq!(mapped.offset_of(first.start), Some(begin as u32), "{host:?}");
        }
    }
}
