//! What the page of an instruction says in general, for its example on one platform: formulas as numbers, and the layout
//! of elements and lanes in registers as drawings.

use crate::base::id::{Id as _, IdVec};
use crate::checks::{Context, Options, PlatformMode, View};
use crate::lower;
use crate::program::InstructionIndex;
use crate::reading::drawing::{self, Canvas};
use crate::reading::elements::Elements;
use crate::spec::describe::formula;
use crate::spec::{Instruction, Platform, PlatformSet};
use std::fmt::Write as _;

/// The declarations that examples use.
const DECLARATIONS: &str = include_str!("../../rules/example.visaasm");

/// Longer formulas, in characters, are not repeated.
const MAX_FORMULA: usize = 50;

/// The example of an instruction, with the bytes that its operands have where registers are those of `platform`.
pub(super) fn example(row: &Instruction, platform: Platform) -> String {
    let grf_bytes = platform.grf_bytes();
    let line = with_legal_size(row, platform);
    let mut out = format!("\nOn {}, where a register has {grf_bytes} bytes\n  {line}\n", platform.name());
    if !row.platforms.legal.contains(platform) {
        let _ = writeln!(out, "  by the manual `{}` exists only {}", row.mnemonic, row.platforms.legal.on());
    }
    let Some((head, tail)) = DECLARATIONS.rsplit_once("    ret") else { return out };
    let text = format!("{head}    {line}\n    ret{tail}");
    let program = lower::lower(&text);
    let (options, flow) = (Options::default(), IdVec::new());
    let context = Context {
        text: &text,
        program: &program,
        flow: &flow,
        platforms: PlatformSet::one(platform),
        mode: PlatformMode::EachOf,
        options: &options,
    };
    let all = (0..program.instructions.len()).rev().map(InstructionIndex::from_index);
    let view = all.filter_map(|index| View::new(&context, index)).find(|view| view.row.mnemonic == row.mnemonic);
    let Some(view) = view else { return out };
    for (operand, spans, slot) in view.each_operand() {
        let written = view.text(spans.whole);
        let type_bytes = operand.variable().map_or(0, |v| program.variables[v].element_bytes());
        let bytes = slot.bytes.and_then(|f| Some((view.evaluate(f, grf_bytes, type_bytes)?, formula(f, row))));
        let size = bytes.map(|(bytes, words)| {
            let n = (bytes + i64::from(grf_bytes) - 1) / i64::from(grf_bytes);
            let size = format!("{bytes} bytes, {n} {}", if n == 1 { "register" } else { "registers" });
            // The page above has the formula as well; one that fills the line is not repeated.
            if words.len() > MAX_FORMULA { format!(": {size}") } else { format!(": {words} = {size}") }
        });
        let drawn = Elements::new(&view, operand, slot, grf_bytes).and_then(|elements| {
            let canvas = Canvas {
                grf_bytes,
                // The variables of examples are large enough for the registers of the example's platform only.
                variable_bytes: elements.range()?.end.max(program.variable_bytes(elements.variable, grf_bytes).into()),
                root_offset: i64::from(program.variables[elements.variable].root_offset),
            };
            let drawing = drawing::draw(&elements, canvas)?;
            let legend = drawing::legend(&elements, &drawing);
            Some((drawing, legend))
        });
        if size.is_none() && drawn.is_none() {
            continue;
        }
        let _ = writeln!(out, "\n  {} `{written}`{}", slot.name, size.unwrap_or_default());
        if let Some((drawing, legend)) = drawn {
            for line in drawing.lines() {
                let _ = writeln!(out, "    {line}");
            }
            let _ = writeln!(out, "    {legend}");
        }
    }
    out
}

/// The example with an execution size that exists on the platform.
fn with_legal_size(row: &Instruction, platform: Platform) -> String {
    let sizes = row.exec_sizes_by_platform.iter().find(|x| x.platforms.contains(platform)).map(|x| x.value);
    let written = row.example.split_once(", ").and_then(|(_, rest)| rest.split_once(')'));
    match (sizes, written) {
        (Some(sizes), Some((size, _))) if size.parse().is_ok_and(|n| !sizes.contains(n)) => match sizes.iter().next() {
            Some(legal) => row.example.replacen(&format!(", {size})"), &format!(", {legal})"), 1),
            None => row.example.to_owned(),
        },
        _ => row.example.to_owned(),
    }
}
