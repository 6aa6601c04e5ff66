//! Fragments as whole kernels, to be read or assembled.

use super::{Fragment, Host};
use crate::base::source::LineIndex;
use crate::base::span::Span;
use crate::host::template::UNIQUE;
use crate::lower::fragment::HOLES;
use crate::program::fragment::{OperandClass, Touch};
use crate::program::operand::Operand;
use crate::program::variable::FLAG_OPEN;
use crate::program::{Variable, VariableId};
use crate::spec::Type;
use crate::spec::predefined::VariableKind;
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
        if fragment.raw.is_kernel && !fragment.text().contains(HOLES) {
            let _ = write!(out, "\n// {name}:{line}\n{}", without_version(fragment.text()));
            continue;
        }
        let function = if fragment.raw.function_name.is_empty() { "fragment" } else { &fragment.raw.function_name };
        let word: String = function.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        let _ = writeln!(out, "\n// {name}:{line}\n.kernel \"{word}_{index}\"");
        operands(text, fragment, &mut out);
        body(fragment, index, &mut out);
        if !fragment.raw.is_kernel {
            out += "ret (M1, 1)\n";
        }
    }
    out
}

/// A whole kernel without the line of its version: the text has one.
fn without_version(kernel: &str) -> String {
    let lines = kernel.split_inclusive('\n').filter(|line| !line.trim_start().starts_with(".version"));
    let mut text: String = lines.collect();
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text
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
        if fragment.raw.is_vector && raw.constraint.as_deref().is_some_and(|c| c.ends_with("cr")) {
            let _ = writeln!(out, ".decl op{index} v_type=P num_elts={MOST_LANES} // {source}");
            continue;
        }
        let note = if variable.is(FLAG_OPEN) { ": type and size are not known" } else { "" };
        let (kind, n) = declared(variable, || used_as(fragment, index));
        let _ = writeln!(out, ".decl op{index} v_type=G type={kind} num_elts={n} align=GRF // {source}{note}");
    }
    for id in fragment.program.objects.iter().flat_map(|o| o.variables.clone()).map(VariableId) {
        let place = fragment.program.variable_spans[id].name;
        let is_outer =
            place.start as usize >= fragment.text().len() && !facts.operands.iter().any(|o| o.variable == id);
        let variable = &fragment.program.variables[id];
        if is_outer && variable.kind == VariableKind::General {
            let (kind, n) = declared(variable, || None);
            let name = fragment.program.variable_name(id);
            let _ = writeln!(out, ".decl {name} v_type=G type={kind} num_elts={n} align=GRF // of another statement");
        }
    }
}

/// What an operand is declared as whose type and size are not known: with room for most uses, so that the text assembles, and
/// small enough that several fit into the registers.
const OPEN_BYTES: u32 = 1024;

/// Lanes of the widest instruction, which a predicate has an element for each.
const MOST_LANES: u32 = 32;

fn declared(variable: &Variable, used_as: impl Fn() -> Option<Type>) -> (&'static str, u32) {
    if variable.is(FLAG_OPEN) {
        let element = used_as().unwrap_or(Type::UD);
        return (element.text(), OPEN_BYTES / element.bytes());
    }
    (variable.element_type.text(), variable.n_elements)
}

/// The type that an operand of the host seems to have, by its first use whose type is known.
fn used_as(fragment: &Fragment, index: usize) -> Option<Type> {
    let program = &fragment.program;
    let facts = program.fragment.as_ref()?;
    let operand = facts.operands.get(index)?;
    let is_own = |touch: &&Touch| touch.operand as usize == index && touch.variable == operand.variable;
    facts.touches.iter().filter(is_own).find_map(|touch| {
        // The address of a message: `flat[$1]:a64`.
        let line = fragment.text()[touch.name.end as usize..].split('\n').next().unwrap_or("");
        if let Some((_, size)) = line.split_once("]:a").filter(|(before, _)| !before.contains('[')) {
            return Some(if size.starts_with("64") { Type::UQ } else { Type::UD });
        }
        let instruction = program.instructions.as_slice().get(touch.instruction.0 as usize)?;
        let beside = program.operands[instruction.operands()].iter().find_map(|other| match other {
            Operand::Immediate { element_type, .. } => Some(*element_type),
            other => {
                let variable = &program.variables[other.variable()?];
                (!variable.is(FLAG_OPEN) && variable.kind == VariableKind::General).then_some(variable.element_type)
            }
        });
        let writes = touch.writes == Some(true);
        let slot = program.row(instruction)?.operands.iter().find(|slot| slot.role.writes() == writes)?;
        let takes = |t: &Type| slot.types.legal.is_empty() || slot.types.legal.contains(*t);
        beside.filter(takes).or_else(|| (!takes(&Type::UD)).then(|| slot.types.legal.iter().last()).flatten())
    })
}

/// The regions that operands of the vector backend bring with them, behind their names.
fn regions(fragment: &Fragment) -> impl Iterator<Item = (Span, String)> {
    let facts = fragment.program.fragment.as_ref().filter(|f| f.is_vector);
    facts.into_iter().flat_map(|f| &f.touches).filter_map(|touch| {
        let raw = fragment.raw.operands.as_ref()?.get(touch.operand as usize)?;
        let word = raw.constraint.as_deref()?.trim_start_matches(['=', '+', '&']);
        let is_bare = touch.whole == touch.name && touch.form.region().is_none() && matches!(word, "r" | "a");
        let region = if touch.writes.filter(|_| is_bare)? { "(0,0)<1>" } else { "(0,0)<1;1,0>" };
        Some((Span::at(touch.name.end), region.to_owned()))
    })
}

fn body(fragment: &Fragment, index: usize, out: &mut String) {
    let mut body = fragment.text().to_owned();
    let pasted = &fragment.pasted;
    let operands = pasted.guessed_operands.iter().map(|guess| guess.span);
    let guesses = pasted.guessed_sizes.iter().copied().chain(operands).map(|guess| {
        // A number or a mask may stay: the text assembles with it.
        let number = guess.of(&body).trim().trim_start_matches('0');
        let may_stay = number == "M1" || number.bytes().all(|b| b.is_ascii_digit());
        let number = if may_stay { number } else { "" };
        (guess, format!("{number}{}", HOLES[0]))
    });
    let mut edits: Vec<(Span, String)> = guesses.chain(regions(fragment)).collect();
    edits.sort_by_key(|(place, _)| place.start);
    for (place, text) in edits.into_iter().rev() {
        body.replace_range(place.range(), &text);
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
