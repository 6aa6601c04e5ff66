//! Keys `bytes`, `elements`, `packed`, `second_block`: how much of a variable each operand takes, found by declaring it
//! smaller and smaller. What is found is blessed, so that a change of a formula or of its use shows.

use super::{Example, Given, Line, each_row};
use crate::support::{blessed, tests_folder};
use rayon::prelude::*;
use std::fmt::Write as _;
use visa_lint::base::rule::Level;
use visa_lint::program::Operand;
use visa_lint::spec;

/// The least number of bytes that a variable in place of the operand has to have, and the line with one element less.
fn extent(example: &Example, given: Given, grf_bytes: u32) -> Option<(u32, Line)> {
    let variable = given.operand.variable()?;
    let is_register = matches!(
        given.operand,
        Operand::General { .. }
            | Operand::Raw { .. }
            | Operand::Element { .. }
            | Operand::LscData { .. }
            | Operand::WithLength { .. }
    );
    let info = &example.program.variables[variable];
    let kind = visa_lint::spec::predefined::VariableKind::General;
    if !is_register || given.operand.is_null() || info.kind != kind || variable.predefined().is_some() {
        return None;
    }
    let platform = example.row.platforms.legal.iter().find(|p| {
        p.grf_bytes() == grf_bytes
            && (p == &example.row.example_platform || grf_bytes != example.row.example_platform.grf_bytes())
    })?;
    let with = |n_elements: u32| {
        let t = info.element_type.text();
        let declaration = format!(".decl Vsmall v_type=G type={t} num_elts={n_elements} align=GRFx2\n");
        example.with(given.spans.name, "Vsmall").and_declare(&declaration).on(platform)
    };
    let fits = |n: u32| !with(n).findings(Level::Warning).iter().any(|d| d.rule.name == "operand-out-of-bounds");
    let most = example.program.variable_bytes(variable, grf_bytes) / info.element_bytes().max(1);
    if !fits(most) {
        return None;
    }
    // The greatest size that does not fit, and the least that does.
    let (mut short, mut enough) = (0, most);
    while enough - short > 1 {
        let middle = u32::midpoint(short, enough);
        if fits(middle) { enough = middle } else { short = middle }
    }
    Some((enough * info.element_bytes(), with(enough - 1)))
}

#[test]
fn operands_take_as_many_bytes_as_blessed() {
    let rows: Vec<&spec::Instruction> = spec::instructions().iter().collect();
    let texts: Vec<String> = rows
        .par_iter()
        .map(|row| {
            let example = Example::of(row);
            let mut text = String::new();
            for given in example.operands() {
                let sizes = [32, 64].map(|grf_bytes| {
                    extent(&example, given, grf_bytes).map_or_else(|| "-".to_owned(), |(n, _)| n.to_string())
                });
                if sizes.iter().any(|s| s != "-") {
                    let _ = writeln!(text, "    {}: {} / {}", given.slot.name, sizes[0], sizes[1]);
                }
            }
            format!("{}\n{text}", row.example)
        })
        .collect();
    let head = "# Bytes that each operand of each example takes, with registers of 32 and of 64 bytes.\n\n";
    blessed(&tests_folder().join("snapshots/operand_bytes.txt"), &(head.to_owned() + &texts.concat()));
}

/// One element less than the operand takes is a fault, and the only one.
#[test]
fn smaller_variables_are_too_small() {
    each_row(|example, faults| {
        for given in example.operands() {
            if let Some((n_bytes, line)) = extent(example, given, example.row.example_platform.grf_bytes())
                && n_bytes > example.program.variables[given.operand.variable().expect("a variable")].element_bytes()
            {
                // Where fewer bytes are tolerated, one element less may be too few for that as well.
                if given.slot.bytes_tolerated.is_none()
                    || line.lacks(&["operand-out-of-bounds"], Level::Warning).is_some()
                {
                    faults.faulty(&line, "operand-out-of-bounds", Level::Error);
                }
            }
        }
    });
}
