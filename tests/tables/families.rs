//! Keys `family`, `lanes`, `immediate_bits`, `parameters` and `parameter_types`.

use super::{Example, Line, each_row, variable_of};
use visa_lint::base::rule::Level::{Error, Pedantic, Warning};
use visa_lint::base::span::Span;
use visa_lint::program::Operand;
use visa_lint::spec::family::{Check, Family, ParameterTypes};
use visa_lint::spec::instruction::{OperandKind, Role};
use visa_lint::spec::{OperandName, Type};

/// The example with registers of these types, in the order of its operands; the last one is repeated.
fn typed(example: &Example, types: &[Type]) -> Option<Line> {
    let mut changes = Vec::new();
    for (i, given) in example.operands().into_iter().enumerate() {
        let t = *types.get(i).or(types.last())?;
        if !given.slot.kinds.contains(OperandKind::General) || !given.slot.types.legal.contains(t) {
            return None;
        }
        let region = if given.slot.role == Role::Source { "<1;1,0>" } else { "<1>" };
        changes.push((given.spans.whole, format!("{}({},0){region}", variable_of(t), 8 * i)));
    }
    Some(example.with_all(&changes))
}

/// Integers and floats, in every place where both are legal by themselves.
#[test]
fn families() {
    each_row(|example, faults| {
        let row = example.row;
        let rule = "mixed-operand-types";
        let is_strict = matches!(row.family, Family::Arithmetic | Family::Selection | Family::Comparison);
        let n_operands = example.operands().len();
        for (own, other) in [(Type::D, Type::F), (Type::F, Type::D)] {
            let Some(pure) = typed(example, &[own]) else { continue };
            if pure.refused().is_some() {
                continue;
            }
            faults.level(&pure, rule, None);
            for i in 0..n_operands {
                let mut types = vec![own; n_operands];
                types[i] = other;
                // A comparison of integers may fill any lanes with ones.
                let is_result = i == 0 && row.family == Family::Comparison;
                if let Some(mixed) = typed(example, &types).filter(|_| !is_result) {
                    faults.level(&mixed, rule, is_strict.then_some(Error));
                }
            }
        }
    });
}

/// Lanes that write what later ones read are a fault where each lane reads its own.
#[test]
fn lanes() {
    each_row(|example, faults| {
        let row = example.row;
        if row.family == Family::Other || row.operands.iter().any(|o| o.elements.is_some() || o.second_block) {
            return;
        }
        let operands = example.operands();
        let vector = |i: usize| matches!(operands[i].operand, Operand::General { region, .. } if !region.is_scalar());
        let (Some(to), Some(from)) = (
            (0..operands.len()).find(|i| operands[*i].slot.role == Role::Destination && vector(*i)),
            (0..operands.len()).find(|i| operands[*i].slot.role == Role::Source && vector(*i)),
        ) else {
            return;
        };
        let variable = operands[to].operand.variable().expect("a variable");
        let name = example.program.variable_name(variable);
        let shifted = |to_column: u32, from_column: u32| {
            let changes = [
                (operands[to].spans.whole, format!("{name}(0,{to_column})<1>")),
                (operands[from].spans.whole, format!("{name}(0,{from_column})<1;1,0>")),
            ];
            example.with_all(&changes)
        };
        if shifted(0, 0).level_of("unsupported-type") == Some(Error) || row.has(Check::BitField) {
            return;
        }
        faults.level(&shifted(0, 0), "overlapping-operands", None);
        faults.level(&shifted(0, 1), "overlapping-operands", Some(Pedantic));
        faults.level(&shifted(1, 0), "overlapping-operands", Some(Warning));
    });
}

#[test]
fn immediate_bits() {
    each_row(|example, faults| {
        let Some(n_bits) = example.row.immediate_bits else { return };
        for given in example.operands() {
            let slot = given.slot;
            let takes = slot.kinds.contains(OperandKind::Immediate) && slot.types.legal.contains(Type::UD);
            if !takes || slot.role != Role::Source {
                continue;
            }
            let with = |value: u64| example.with(given.spans.whole, &format!("{value:#x}:ud"));
            let said = with((1 << n_bits) - 1).level_of("value-out-of-range");
            if said.is_none() {
                faults.level(&with((1 << n_bits) - 1), "wide-immediate", None);
            }
            if with(1 << n_bits).level_of("value-out-of-range").is_none() {
                faults.level(&with(1 << n_bits), "wide-immediate", Some(Pedantic));
            }
        }
    });
}

/// One parameter more than the message has, and one of another class.
#[test]
fn parameters() {
    each_row(|example, faults| {
        let row = example.row;
        if row.slot(OperandName::PARAMETERS).is_none() {
            return;
        }
        let operands = example.operands();
        let mut given: Vec<_> = operands.iter().filter(|g| g.slot.name == OperandName::PARAMETERS).collect();
        // The first one is the paired surface.
        given.remove(0);
        let last = given.last().expect("parameters").spans.whole;
        let written = example.text(last);
        if !row.parameters.is_empty() {
            let more = |n: usize| {
                let further: String =
                    (given.len()..n).map(|i| format!(" {}", apart(written, i))).collect::<Vec<_>>().concat();
                example.with(Span::at(last.end), &further)
            };
            faults.level(&more(row.parameters.len()), "surplus-operand", None);
            faults.level(&more(row.parameters.len() + 1), "surplus-operand", Some(Warning));
        }
        let other = match row.parameter_types {
            Some(ParameterTypes::Float) => "VD.0",
            Some(ParameterTypes::Integer) => "VF2.1024",
            Some(ParameterTypes::Any) | None => return,
        };
        let level = if row.parameter_types == Some(ParameterTypes::Float) { Error } else { Warning };
        // Texel offsets are bits.
        if row.parameters.first().is_some_and(|name| name.contains("offset")) {
            return;
        }
        let line = example.with(given[0].spans.whole, other);
        faults.level(&line, "unsupported-type", Some(level));
        faults.level(&Line::example(row), "unsupported-type", None);
    });
}

/// The parameter further on.
fn apart(written: &str, i: usize) -> String {
    let name = written.split('.').next().unwrap_or("VF2");
    format!("{name}.{}", 64 * (i + 8))
}
