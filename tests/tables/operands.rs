//! Keys of operands, apart from forms, types and extents.

use super::{Given, each_row, each_row_but};
use visa_lint::base::rule::Level;
use visa_lint::program::{Operand, RegionForm};
use visa_lint::spec::instruction::{Alignment, Notation, NullUse, OperandKind, Role, SourceModifiers, SurfaceClass};
use visa_lint::spec::predefined::VariableKind;
use visa_lint::spec::{OperandName, Platform, Type};

#[test]
fn counts() {
    each_row(|example, faults| {
        let row = example.row;
        let is_variadic = row.operands.last().is_some_and(|o| o.variadic);
        let has_optional = row.operands.iter().any(|o| o.optional);
        let mut surplus = super::Line::example(row);
        surplus.text += " 0x1:ud";
        if !is_variadic && !has_optional {
            faults.faulty(&surplus, "surplus-operand", Level::Error);
        }
        let n_outside = row.operands.len() - row.execution.n_operands();
        let operands = example.operands();
        let Some(last) = operands.last() else { return };
        if n_outside > 0 && !has_optional && (!is_variadic || operands.len() == row.operands.len()) {
            faults.faulty(&example.with(last.spans.whole, ""), "missing-operand", Level::Error);
        }
    });
}

/// Operands that may be null, but not beside the others of the example.
const NEEDED: &[(&str, &str)] =
    &[("urb_write_3d urb_handle", "no other operand says which entries are written, as a finding of its own says")];

#[test]
fn null() {
    each_row_but(NEEDED, |example, faults| {
        let mut n_parameters = 0;
        for given in example.operands() {
            let Given { operand, spans, slot } = given;
            n_parameters += usize::from(slot.name == OperandName::PARAMETERS);
            let null = match operand {
                Operand::Raw { .. } if slot.kinds.contains(OperandKind::Raw) => "%null.0",
                Operand::Raw { .. } | Operand::Element { .. } if slot.kinds.contains(OperandKind::LscRegister) => {
                    "%null"
                }
                Operand::General { .. } if slot.role.writes() => "%null(0,0)<1>",
                _ => continue,
            };
            if slot.null == NullUse::Required {
                let line = example.with(spans.whole, &null.replace("%null", "VUD"));
                faults.faulty(&line, "unexpected-source", Level::Error);
                continue;
            }
            if operand.is_null() {
                continue;
            }
            let line = example.with(spans.whole, null);
            match slot.null {
                NullUse::Forbidden => faults.faulty(&line, "unexpected-null", Level::Error),
                NullUse::Tolerated => faults.faulty(&line, "unexpected-null", Level::Warning),
                // The first parameter of a sampler message is the paired surface; data have to be there.
                NullUse::Allowed if slot.name == OperandName::PARAMETERS && n_parameters > 1 => {
                    faults.faulty(&line, "unexpected-null", Level::Warning);
                }
                NullUse::Allowed if matches!(operand, Operand::Raw { .. }) => {
                    let alike = example.with_all_beside_others(&[(spans.whole, null.to_owned())]);
                    let problem = line.refused().filter(|_| alike.iter().all(|line| line.refused().is_some()));
                    faults.unless(format!("{} {:?}", example.row.mnemonic, slot.name), problem);
                }
                // The form is legal, and the result is thrown away: another rule has a word on that.
                NullUse::Allowed => {
                    if let Some(problem) = line.refused().and_then(|_| line.lacks(&["unexpected-null"], Level::Warning))
                        && line.lacks(&["unexpected-null"], Level::Error).is_some()
                    {
                        faults.add(problem);
                    }
                }
                NullUse::Required => {}
            }
        }
    });
}

#[test]
fn alignment() {
    each_row(|example, faults| {
        for Given { operand, spans, slot } in example.operands() {
            let Operand::Raw { variable, byte_offset } = *operand else { continue };
            if operand.is_null() || !slot.kinds.contains(OperandKind::Raw) {
                continue;
            }
            let n = match slot.alignment {
                Alignment::None => 1,
                Alignment::Grf => example.row.example_platform.grf_bytes() as i32,
                Alignment::Bytes(n) => n as i32,
            };
            let t = example.program.variables[variable].element_type.text();
            let n_elements = (4096 - 32) / example.program.variables[variable].element_bytes();
            // A variable of its own, so that nothing overlaps.
            let at = |offset: i32| {
                example
                    .with(spans.whole, &format!("Vapart.{}", byte_offset + offset))
                    .and_declare(&format!(".decl Vapart v_type=G type={t} num_elts={n_elements} align=GRF\n"))
            };
            faults.level(&at(n), "misaligned-operand", None);
            if n > 1 {
                faults.faulty(&at(1), "misaligned-operand", Level::Error);
                faults.faulty(&at(n / 2), "misaligned-operand", Level::Error);
                // The offset of an alias counts.
                let half = n / 2;
                let line = example
                    .with(spans.whole, "Valias.0")
                    .and_declare(".decl Vroot v_type=G type=ub num_elts=4096 align=GRF\n")
                    .and_declare(&format!(
                        ".decl Valias v_type=G type={t} num_elts={n_elements} alias=<Vroot,{half}>\n"
                    ));
                faults.faulty(&line, "misaligned-operand", Level::Error);
            }
        }
    });
}

#[test]
fn scalar_regions() {
    each_row(|example, faults| {
        for given in example.operands() {
            let slot = given.slot;
            if !slot.scalar || slot.role != Role::Source || !slot.kinds.contains(OperandKind::General) {
                continue;
            }
            let t = slot.types.legal.iter().find(|t| t.row().declarable).unwrap_or(Type::UD);
            let name = super::variable_of(t);
            let is_legal = |line: &super::Line| line.refused().is_none();
            let scalar = example.with(given.spans.whole, &format!("{name}(0,0)<0;1,0>"));
            if !is_legal(&scalar) {
                faults.legal(&scalar);
                continue;
            }
            let line = example.with(given.spans.whole, &format!("{name}(0,0)<1;1,0>"));
            faults.faulty(&line, "ignored-region", Level::Warning);
        }
    });
}

const MODIFIERS: [&str; 4] = ["(-)", "(abs)", "(-abs)", "(~)"];

#[test]
fn source_modifiers() {
    each_row(|example, faults| {
        for Given { operand, spans, slot } in example.operands() {
            let is_plain = matches!(operand, Operand::General { .. }) && !operand.is_null();
            if !is_plain || slot.role != Role::Source || slot.kinds.contains(OperandKind::Surface) {
                continue;
            }
            for written in MODIFIERS {
                let fits = match slot.source_modifiers {
                    SourceModifiers::None => false,
                    SourceModifiers::Arithmetic => written != "(~)",
                    SourceModifiers::Logic => written == "(~)",
                };
                let line = example.with(spans.whole, &format!("{written}{}", example.text(spans.whole)));
                if fits {
                    faults.legal(&line);
                    continue;
                }
                let is_of_message = slot.scalar && written != "(~)" && example.row.touches_memory();
                let level = if is_of_message { Level::Warning } else { Level::Error };
                faults.faulty(&line, "unsupported-source-modifier", level);
            }
        }
    });
}

/// A number in the notation of the slot.
fn number(notation: Notation, value: i64) -> String {
    match notation {
        Notation::Decimal => value.to_string(),
        _ if value < 0 => format!("-{:#x}", -value),
        _ => format!("{value:#x}"),
    }
}

#[test]
fn numbers() {
    each_row(|example, faults| {
        for Given { operand, spans, slot } in example.operands() {
            let suffix = match operand {
                Operand::Number { .. } => String::new(),
                Operand::Immediate { element_type, .. } => format!(":{}", element_type.text()),
                _ => continue,
            };
            let with = |value: i64| example.with(spans.whole, &(number(slot.notation, value) + &suffix));
            if let Some(least) = slot.minimum {
                faults.level(&with(least), "value-out-of-range", None);
                if least > 0 {
                    faults.faulty(&with(least - 1), "value-out-of-range", Level::Error);
                }
            }
            if let Some(most) = slot.maximum {
                if slot.limit.is_none() {
                    faults.level(&with(most), "value-out-of-range", None);
                }
                faults.faulty(&with(most + 1), "value-out-of-range", Level::Error);
            }
            let tiers = [
                (slot.values.legal, None),
                (slot.values.seen, Some(Level::Pedantic)),
                (slot.values.tolerated, Some(Level::Warning)),
            ];
            for (values, level) in tiers {
                for value in values {
                    match level {
                        None => faults.level(&with(*value), "value-out-of-range", None),
                        Some(level) => faults.faulty(&with(*value), "value-out-of-range", level),
                    }
                }
            }
            let known = |v: &i64| tiers.iter().any(|(values, _)| values.contains(v));
            if let (Some(least), Some(most)) = (slot.values.legal.iter().min(), slot.values.legal.iter().max())
                && let Some(gap) = (*least..=*most + 1).find(|v| !known(v))
            {
                faults.faulty(&with(gap), "value-out-of-range", Level::Error);
            }
        }
    });
}

#[test]
fn notations() {
    each_row(|example, faults| {
        for Given { operand, spans, slot } in example.operands() {
            let Operand::Number { value } = *operand else { continue };
            let (decimal, hexadecimal) = (value.to_string(), format!("{value:#x}"));
            for (written, other) in [(decimal, Notation::Hexadecimal), (hexadecimal, Notation::Decimal)] {
                let line = example.with(spans.whole, &written);
                if slot.notation == other {
                    faults.faulty_with_one_of(&line, &["wrong-operand-form", "syntax-error"], Level::Error);
                } else {
                    faults.legal(&line);
                }
            }
        }
    });
}

#[test]
fn surfaces() {
    const CLASSES: [(SurfaceClass, &str); 3] =
        [(SurfaceClass::Slm, "%slm"), (SurfaceClass::Scratch, "%scratch"), (SurfaceClass::Bindless, "%bss")];
    each_row(|example, faults| {
        for Given { operand, spans, slot } in example.operands() {
            let Operand::Handle { variable, .. } = *operand else { continue };
            if example.program.variables[variable].kind == VariableKind::Surface {
                for (class, name) in CLASSES {
                    let line = example.with(spans.whole, name);
                    let forbidden = slot.surfaces_forbidden;
                    if forbidden.contains(&class) || forbidden.contains(&SurfaceClass::Predefined) {
                        faults.faulty(&line, "unsupported-surface", Level::Error);
                    } else {
                        faults.legal(&line);
                    }
                }
            }
            for platform in Platform::all().filter(|p| example.row.platforms.legal.contains(*p)) {
                let line = example.with(spans.whole, "VUQ").on(platform);
                if !slot.pointers.contains(platform) {
                    if platform.grf_bytes() == example.row.example_platform.grf_bytes() {
                        faults.faulty(&line, "not-a-surface", Level::Error);
                    }
                } else if line.findings(Level::Warning).iter().any(|d| d.rule.name == "not-a-surface") {
                    faults.add(line.problem("expected that a pointer is legal", &[]));
                }
                if slot.pointers.contains(platform) {
                    let line = example.with(spans.whole, "VUD").on(platform);
                    if !line.findings(Level::Warning).iter().any(|d| d.rule.name == "not-a-surface") {
                        faults.add(line.problem("expected that a pointer has 64 bits", &[]));
                    }
                }
            }
        }
    });
}

#[test]
fn keywords() {
    each_row(|example, faults| {
        for Given { operand, spans, slot } in example.operands() {
            if !matches!(operand, Operand::Keyword { .. }) {
                continue;
            }
            for word in slot.words {
                faults.legal(&example.with(spans.whole, word));
            }
            faults.faulty(&example.with(spans.whole, "qqq"), "wrong-operand-form", Level::Error);
        }
    });
}

/// What is only read is not written.
#[test]
fn roles() {
    each_row(|example, faults| {
        for Given { operand, spans, slot } in example.operands() {
            let writes_general = matches!(operand, Operand::General { region, .. } if region.form != RegionForm::Full)
                || matches!(operand, Operand::Raw { .. } if slot.kinds.contains(OperandKind::Raw));
            if !writes_general || operand.is_null() || !slot.has_types() {
                continue;
            }
            let line = example.with(spans.name, "%r0");
            let found = line.findings(Level::Warning);
            let is_told = found.iter().any(|d| d.rule.name == "write-to-read-only");
            if is_told != slot.role.writes() {
                faults.add(line.problem("expected a finding where it is written", &found));
            }
        }
    });
}
