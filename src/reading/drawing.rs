//! A drawing of the elements that an operand takes, in rows of one register each.

use super::elements::{Counted, Elements, Taken};
use crate::program::{Operand, View};
use crate::spec::instruction::OperandSlot;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Elements of one drawn line; registers of more elements take several lines.
const CELLS: i64 = 16;

/// Lines of one drawing; more are left out in the middle.
pub const MAX_LINES: usize = 16;

/// What there is to draw on.
#[derive(Clone, Copy, Debug)]
pub struct Canvas {
    /// Bytes of one register.
    pub grf_bytes: u32,
    /// Bytes of the variable.
    pub variable_bytes: i64,
    /// Where the variable begins in the variable that it is an alias of.
    pub root_offset: i64,
}

/// What an operand takes of its variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Drawn {
    /// Which bytes and registers, in words.
    pub words: String,
    /// The elements, in lines that end with a newline.
    pub drawing: String,
    /// What the signs of the drawing mean.
    pub legend: String,
}

/// Draws what an operand of an instruction takes, where registers have `grf_bytes` bytes; nothing if that is not known.
#[must_use]
pub fn of_operand(view: &View, operand: &Operand, slot: &'static OperandSlot, grf_bytes: u32) -> Option<Drawn> {
    let program = view.program;
    let elements = Elements::new(view, operand, slot, grf_bytes)?;
    let range = elements.range()?;
    let canvas = Canvas {
        grf_bytes,
        variable_bytes: i64::from(program.variable_bytes(elements.variable, grf_bytes)),
        root_offset: i64::from(program.variables[elements.variable].root_offset),
    };
    let drawing = draw(&elements, canvas)?;
    let grf = i64::from(grf_bytes);
    let (first, last) = (range.start.div_euclid(grf), (range.end - 1).div_euclid(grf));
    let registers = if first == last { format!("register {first}") } else { format!("registers {first} to {last}") };
    let words = format!(
        "bytes {} to {} of {}: {registers} of {grf_bytes} bytes",
        range.start,
        range.end - 1,
        canvas.variable_bytes
    );
    Some(Drawn { words, legend: legend(&elements, &drawing), drawing })
}

/// Draws the elements that an operand takes; nothing if it takes none.
#[must_use]
pub fn draw(elements: &Elements, canvas: Canvas) -> Option<String> {
    let range = elements.range()?;
    let size = i64::from(elements.element_bytes);
    // Elements that do not begin at a multiple of their size are drawn where they begin.
    let phase = range.start.rem_euclid(size);
    let mut cells: BTreeMap<i64, Vec<Taken>> = BTreeMap::new();
    for taken in &elements.taken {
        cells.entry((taken.byte - phase).div_euclid(size)).or_default().push(*taken);
    }
    let is_inside = |cell: i64| {
        let byte = cell * size + phase;
        byte >= 0 && byte + size <= canvas.variable_bytes
    };
    let n_takers = elements.taken.len();
    let labels: BTreeMap<i64, String> =
        cells.iter().map(|(cell, takers)| (*cell, label(takers, n_takers, is_inside(*cell)))).collect();
    let width = labels.values().map(|l| l.chars().count()).max().unwrap_or(1).max(2);

    // Lines follow the registers of the variable at the end of the alias chain.
    let per_grf = (i64::from(canvas.grf_bytes) / size).max(1);
    let per_line = per_grf.min(CELLS);
    let shift = canvas.root_offset.div_euclid(size);
    let line_of = |cell: i64| (cell + shift).div_euclid(per_line);
    let first_line = line_of(*labels.keys().next()?);
    let last_line = line_of(*labels.keys().next_back()?);
    let taken_lines: Vec<i64> = {
        let mut all: Vec<i64> = labels.keys().map(|c| line_of(*c)).collect();
        all.dedup();
        all
    };
    let shown: Vec<i64> = if (last_line - first_line) < MAX_LINES as i64 {
        (first_line..=last_line).collect()
    } else {
        let half = MAX_LINES / 2;
        let front = taken_lines.iter().take(half);
        let back = taken_lines.iter().skip(half.max(taken_lines.len().saturating_sub(half)));
        front.chain(back).copied().collect()
    };
    let name_of = |line: i64| format!("{:+}", (line * per_line - shift) * size + phase);
    let margin = shown.iter().map(|l| name_of(*l).len()).max().unwrap_or(2);

    let mut out = String::new();
    let mut previous = None;
    for line in shown {
        if previous.is_some_and(|p: i64| p + 1 < line) {
            let _ = writeln!(out, "{:>margin$} \u{22ee}", "");
        }
        previous = Some(line);
        let first = line * per_line - shift;
        let mut row = String::new();
        for cell in first..first + per_line {
            let text = match labels.get(&cell) {
                Some(label) => label.as_str(),
                None if is_inside(cell) => "\u{b7}",
                None => "",
            };
            let _ = write!(row, " {text:>width$}");
        }
        // Where a register takes several lines, its first one is marked.
        let starts_register = per_line < per_grf && (line * per_line).rem_euclid(per_grf) == 0;
        let edge = if starts_register { '\u{251c}' } else { '\u{2502}' };
        let _ = writeln!(out, "{:>margin$} {edge}{row} \u{2502}", name_of(line));
    }
    Some(out)
}

/// The words under a drawing that say what its signs mean.
#[must_use]
pub fn legend(elements: &Elements, drawing: &str) -> String {
    let mut words = Vec::new();
    if elements.taken.iter().any(|t| t.lane.is_some()) {
        let has_letters = elements.taken.iter().any(|t| t.channel.is_some());
        words.push(match (elements.counted, has_letters) {
            (Counted::Lanes, true) => "letter and number: channel and lane",
            (Counted::Lanes, false) => "numbers: lanes",
            (Counted::Rows, true) => "letter and number: block and row in memory",
            (Counted::Rows, false) => "numbers: rows in memory",
            (Counted::Columns, true) => "letter and number: block and column in memory",
            (Counted::Columns, false) => "numbers: columns in memory",
        });
    } else {
        words.push("\u{25a0}: taken");
    }
    for (sign, meaning) in [
        ('*', "*: all lanes"),
        ('+', "+: and further lanes"),
        ('!', "!: outside of the variable"),
        ('\u{b7}', "\u{b7}: not taken"),
    ] {
        // Every line of the drawing begins with a plus and a number.
        let body = drawing
            .lines()
            .filter_map(|l| l.split_once(['\u{251c}', '\u{2502}']))
            .any(|(_, cells)| cells.contains(sign));
        if body {
            words.push(meaning);
        }
    }
    words.join(", ")
}

fn label(takers: &[Taken], n_takers: usize, is_inside: bool) -> String {
    let first = takers[0];
    let mut text = match (first.channel, first.lane) {
        (_, Some(_)) if takers.len() == n_takers && n_takers > 1 => "*".to_owned(),
        (Some(channel), Some(lane)) => format!("{channel}{lane}"),
        (None, Some(lane)) => lane.to_string(),
        (Some(channel), None) => channel.to_string(),
        (None, None) => "\u{25a0}".to_owned(),
    };
    if takers.len() > 1 && text != "*" {
        text.push('+');
    }
    if !is_inside {
        text.push('!');
    }
    text
}
