//! Fragments as whole kernels, to be read or assembled.

use super::{Fragment, Host};
use crate::base::source::LineIndex;
use crate::host::template::UNIQUE;
use crate::lower::fragment::HOLES;
use crate::program::fragment::OperandClass;
use crate::program::variable::FLAG_OPEN;
use crate::program::{Variable, VariableId};
use std::fmt::Write as _;

/// The fragments of a host source as one text of kernels, each with its operands declared and the line that it comes from.
/// Statements of macros are those that their uses become.
#[must_use]
pub fn expand(name: &str, text: &str, host: &Host) -> String {
    if host.fragments.is_empty() {
        return String::new();
    }
    let lines = LineIndex::new(text);
    let mut out = ".version 4.1\n".to_owned();
    let is_shown = |f: &&Fragment| !f.raw.has_uses;
    for (index, fragment) in host.fragments.iter().filter(is_shown).enumerate() {
        let line = lines.line_column(fragment.raw.span.start).line + 1;
        let function = if fragment.raw.function_name.is_empty() { "fragment" } else { &fragment.raw.function_name };
        let word: String = function.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        let _ = writeln!(out, "\n// {name}:{line}\n.kernel \"{word}_{index}\"");
        operands(text, fragment, &mut out);
        body(fragment, index, &mut out);
        out += "ret (M1, 1)\n";
    }
    out
}

fn operands(text: &str, fragment: &Fragment, out: &mut String) {
    let Some(facts) = fragment.program.fragment.as_ref() else { return };
    let raw = fragment.raw.operands.iter().flatten();
    for (index, (operand, raw)) in facts.operands.iter().zip(raw).enumerate() {
        let variable = &fragment.program.variables[operand.variable];
        let source = format!("{}({})", raw.constraint_span.of(text), raw.expression.of(text).replace('\n', " "));
        if operand.class == OperandClass::Immediate {
            let _ = writeln!(out, "// op{index}: {source}");
            continue;
        }
        let note = if variable.is(FLAG_OPEN) { ": type and size are not known" } else { "" };
        let (kind, n) = declared(variable);
        let _ = writeln!(out, ".decl op{index} v_type=G type={kind} num_elts={n} align=GRF // {source}{note}");
    }
    for id in fragment.program.objects.iter().flat_map(|o| o.variables.clone()).map(VariableId) {
        let place = fragment.program.variable_spans[id].name;
        let is_outer =
            place.start as usize >= fragment.text().len() && !facts.operands.iter().any(|o| o.variable == id);
        let variable = &fragment.program.variables[id];
        if is_outer && variable.kind == crate::spec::predefined::VariableKind::General {
            let (kind, n) = declared(variable);
            let name = fragment.program.variable_name(id);
            let _ = writeln!(out, ".decl {name} v_type=G type={kind} num_elts={n} align=GRF // of another statement");
        }
    }
}

/// What an operand is declared as whose type and size are not known: with room for most uses, so that the text assembles, and
/// small enough that several fit into the registers.
const OPEN: (&str, u32) = ("ud", 256);

fn declared(variable: &Variable) -> (&'static str, u32) {
    if variable.is(FLAG_OPEN) { OPEN } else { (variable.element_type.text(), variable.n_elements) }
}

fn body(fragment: &Fragment, index: usize, out: &mut String) {
    let mut body = fragment.text().to_owned();
    let mut guesses: Vec<_> = fragment.pasted.guessed_sizes.iter().chain(&fragment.pasted.guessed_operands).collect();
    guesses.sort_by_key(|guess| guess.start);
    for size in guesses.into_iter().rev() {
        body.replace_range(size.start as usize..size.end as usize, &HOLES[0].to_string());
    }
    let operands = fragment.program.fragment.as_ref().map(|f| f.operands.as_slice()).unwrap_or_default();
    for (name, _, operand) in &fragment.pasted.spellings {
        let is_number = operands.get(*operand as usize).is_some_and(|o| o.class == OperandClass::Immediate);
        let text = if is_number { "0x0:d".to_owned() } else { format!("op{operand}") };
        body = body.replace(name, &text);
    }
    body = body.replace(UNIQUE, &format!("_{index}")).replace(HOLES, "/* ? */");
    *out += &body;
    if !body.ends_with('\n') {
        out.push('\n');
    }
}
