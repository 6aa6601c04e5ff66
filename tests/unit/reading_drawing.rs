//! Tests of `reading::drawing`.

use visa_lint::program::{InstructionIndex, VariableId, View};
use visa_lint::reading::drawing::{Canvas, MAX_LINES, draw, legend};
use visa_lint::reading::elements::{Counted, Elements, Taken};

fn lanes(bytes: impl IntoIterator<Item = i64>, element_bytes: u32) -> Elements {
    let taken =
        bytes.into_iter().enumerate().map(|(i, byte)| Taken { byte, lane: Some(i as u32), channel: None }).collect();
    Elements { variable: VariableId(40), element_bytes, taken, counted: Counted::Lanes }
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
    let drawn = draw(&Elements { variable: VariableId(40), element_bytes: 4, taken, counted: Counted::Lanes }, canvas)
        .expect("a drawing");
    assert_eq!(drawn.lines().count(), MAX_LINES + 1);
    assert!(drawn.contains('\u{22ee}'));
}

/// The drawing of the data of a block in memory.
fn block(data: &str) -> String {
    let text = format!(
        ".version 4.1\n.kernel \"k\"\n.decl V32 v_type=G type=ub num_elts=1024 align=GRF\n.decl V33 v_type=G type=uq num_elts=1\n    \
         lsc_load_block2d.ugm (M1_NM, 1) V32:{data} flat[V33,0xff,0x3f,0xff,0x0,0x0]\n"
    );
    let program = visa_lint::lower::lower(&text);
    let view = View::new(&program, InstructionIndex(0)).expect("an instruction");
    let (operand, _, slot) = view.each_operand().next().expect("an operand");
    let elements = Elements::new(&view, operand, slot, 64).expect("elements");
    let drawn = draw(&elements, Canvas { grf_bytes: 64, variable_bytes: 1024, root_offset: 0 }).expect("a drawing");
    drawn.lines().next().expect("a line").trim_start().to_owned() + &legend(&elements, &drawn)
}

/// Rows one after the other; transposed, columns; and with four rows of bytes, or two of words, in each four bytes.
#[test]
fn blocks_of_memory_lie_as_their_letters_say() {
    assert_eq!(
        block("d32.4x4nn"),
        "+0 \u{2502}  0  0  0  0  1  1  1  1  2  2  2  2  3  3  3  3 \u{2502}numbers: rows in memory"
    );
    assert_eq!(
        block("d32.4x4tn"),
        "+0 \u{2502}  0  0  0  0  1  1  1  1  2  2  2  2  3  3  3  3 \u{2502}numbers: columns in memory"
    );
    let start = "+0 \u{251c}  0  1  2  3  0  1  2  3  0  1  2  3  0  1  2  3 \u{2502}";
    assert_eq!(block("d8.16x4nt"), format!("{start}numbers: rows in memory"));
    assert!(block("d16.8x2nt").starts_with("+0 \u{251c}  0  1  0  1  0  1"), "{}", block("d16.8x2nt"));
    // A row of three elements takes the room of four.
    assert!(block("d32.3x2nn").starts_with("+0 \u{2502}  0  0  0  \u{b7}  1  1  1  \u{b7}"), "{}", block("d32.3x2nn"));
}
