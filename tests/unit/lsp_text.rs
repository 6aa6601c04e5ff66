//! Tests of `lsp::text`.

use gen_lsp_types::Position;
use visa_lint::base::span::Span;
use visa_lint::lsp::text::{Encoding, Text};

const ENCODINGS: [Encoding; 3] = [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32];

#[test]
fn columns_count_what_the_encoding_says() {
    let text = Text::new("a\u{e9}\u{1f600}b\r\nc\rd\n".to_owned());
    assert_eq!(text.n_lines(), 4);
    let b = text.as_str().find('b').expect("b") as u32;
    let columns = ENCODINGS.map(|e| text.position(b, e).character);
    assert_eq!(columns, [7, 4, 3]);
    for encoding in ENCODINGS {
        for (offset, _) in text.as_str().char_indices().filter(|(_, c)| !matches!(c, '\r' | '\n')) {
            assert_eq!(text.offset(text.position(offset as u32, encoding), encoding), offset as u32);
        }
    }
    assert_eq!(text.offset(Position::new(0, 3), Encoding::Utf16), 3, "the middle of a pair means its start");
    assert_eq!(text.offset(Position::new(0, 99), Encoding::Utf16), b + 1, "before the line end");
    assert_eq!(text.offset(Position::new(99, 0), Encoding::Utf16), text.as_str().len() as u32);
    assert_eq!(text.position(b + 2, Encoding::Utf8), Position::new(0, 8), "the newline belongs to its line");
}

#[test]
fn lines_follow_every_change() {
    let pieces = ["", "\n", "\r", "\r\n", "x", "y\nz", "\n\r", "\u{1f600}", "a\r\nb\rc\n"];
    let mut state = 12345u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let mut text = Text::new(String::new());
    for _ in 0..20_000 {
        let mut at = || {
            let mut i = random(text.as_str().len() + 1);
            while !text.as_str().is_char_boundary(i) {
                i -= 1;
            }
            i
        };
        let (a, b) = (at(), at());
        let end = if a.max(b) - a.min(b) > 8 { a.min(b) } else { a.max(b) };
        let new = pieces[random(pieces.len())];
        text.replace(Span::new(a.min(b) as u32, end as u32), new);
        let fresh = Text::new(text.as_str().to_owned());
        let starts = |text: &Text| -> Vec<u32> {
            (0..text.n_lines()).map(|line| text.offset(Position::new(line, 0), Encoding::Utf8)).collect()
        };
        assert_eq!(starts(&text), starts(&fresh), "{:?}", text.as_str());
        if text.as_str().len() > 60 {
            text = Text::new(String::new());
        }
    }
}
