//! Tests of `reading::drawing`.

use visa_lint::program::VariableId;
use visa_lint::reading::drawing::{Canvas, MAX_LINES, draw, legend};
use visa_lint::reading::elements::{Elements, Taken};

fn lanes(bytes: impl IntoIterator<Item = i64>, element_bytes: u32) -> Elements {
    let taken =
        bytes.into_iter().enumerate().map(|(i, byte)| Taken { byte, lane: Some(i as u32), channel: None }).collect();
    Elements { variable: VariableId(40), element_bytes, taken }
}

#[track_caller]
fn expect(elements: &Elements, canvas: Canvas, drawing: &str) {
    let drawn = draw(elements, canvas).expect("something to draw");
    assert_eq!(
        drawn.lines().map(str::trim).collect::<Vec<_>>(),
        drawing.lines().map(str::trim).collect::<Vec<_>>(),
        "\n{drawn}"
    );
}

#[test]
fn a_row_of_dwords() {
    let canvas = Canvas { grf_bytes: 32, variable_bytes: 64, root_offset: 0 };
    expect(&lanes((0..8).map(|i| 32 + 4 * i), 4), canvas, "+32 │  0  1  2  3  4  5  6  7 │");
}

#[test]
fn strides_and_words_beyond_the_end() {
    let canvas = Canvas { grf_bytes: 32, variable_bytes: 40, root_offset: 0 };
    expect(
        &lanes((0..8).map(|i| 16 + 4 * i), 2),
        canvas,
        "+0 │  ·  ·  ·  ·  ·  ·  ·  ·  0  ·  1  ·  2  ·  3  · │
         +32 │  4  ·  5  · 6!    7!                            │",
    );
}

#[test]
fn one_element_for_all_lanes_of_an_alias() {
    let canvas = Canvas { grf_bytes: 32, variable_bytes: 16, root_offset: 8 };
    let drawn = draw(&lanes([4; 16], 4), canvas).expect("a drawing");
    assert_eq!(drawn.trim_end(), "-8 │        ·  *  ·  ·       │");
    assert_eq!(legend(&lanes([4; 16], 4), &drawn), "numbers: lanes, *: all lanes, ·: not taken");
}

#[test]
fn long_payloads_are_cut_in_the_middle() {
    let canvas = Canvas { grf_bytes: 32, variable_bytes: 4096, root_offset: 0 };
    let taken = (0..1024).map(|i| Taken { byte: 4 * i, lane: None, channel: None }).collect();
    let drawn = draw(&Elements { variable: VariableId(40), element_bytes: 4, taken }, canvas).expect("a drawing");
    assert_eq!(drawn.lines().count(), MAX_LINES + 1);
    assert!(drawn.contains('\u{22ee}'));
}
