//! Every key of every instruction's row has an effect: its example is legal, and a change of the example that breaks the
//! key raises the rule of that key.

use crate::support::{as_excerpt, kernel, listing, loud, on};
use visa_lint::base::diagnostic::Diagnostic;
use visa_lint::base::span::Span;
use visa_lint::checks;
use visa_lint::lower;
use visa_lint::program::{Instruction as Used, Operand, Program};
use visa_lint::spec::instruction::{
    Alignment, Execution, Instruction, ModifierKind, Notation, NullUse, OperandKind, Predication, Role, Saturation,
    SurfaceClass,
};
use visa_lint::spec::predefined::VariableKind;
use visa_lint::spec::{self, Platform, Type};

/// An instruction's example as a program, with its place in the text.
struct Example {
    row: &'static Instruction,
    program: Program,
    line: Span,
}

impl Example {
    fn of(row: &'static Instruction) -> Self {
        let text = program_with(row, row.example);
        let start = text.find(row.example).expect("the example is in the text") as u32;
        let program = lower::lower(&text);
        Self { row, program, line: Span::new(start, start + row.example.len() as u32) }
    }

    /// The instruction of the example in the program.
    fn used(&self) -> (&Used, &visa_lint::program::InstructionSpans) {
        let (id, used) = self
            .program
            .instructions
            .entries()
            .find(|(id, _)| self.line.contains(self.program.instruction_spans[*id].statement.start))
            .unwrap_or_else(|| panic!("`{}` was not read", self.row.example));
        (used, &self.program.instruction_spans[id])
    }

    /// The example with the text at `span` replaced.
    fn with(&self, span: Span, replacement: &str) -> String {
        let mut line = self.row.example.to_owned();
        let (start, end) = ((span.start - self.line.start) as usize, (span.end - self.line.start) as usize);
        line.replace_range(start..end, replacement);
        line
    }
}

fn program_with(row: &Instruction, line: &str) -> String {
    let text = crate::tables_context::program(row, line).unwrap_or_else(|| kernel("", &format!("    {line}\n")));
    if row.newer_text { text.replacen(".version 4.1", ".version 4.2", 1) } else { text }
}

fn findings(row: &'static Instruction, line: &str, platform: Platform) -> Vec<Diagnostic> {
    let text = program_with(row, line);
    let start = text.find(line).expect("the line is in the text") as u32;
    let end = start + line.len() as u32;
    let all = checks::check(&text, &as_excerpt(on(platform), ""));
    all.into_iter().filter(|d| d.primary.span.start >= start && d.primary.span.start <= end).collect()
}

/// Expects `rule` among the findings of the changed line.
fn expect(faults: &mut Vec<String>, row: &'static Instruction, line: &str, platform: Platform, rule: &str) {
    let found = findings(row, line, platform);
    if !found.iter().any(|d| d.rule.name == rule) {
        let seen: Vec<&str> = found.iter().map(|d| d.rule.name).collect();
        faults.push(format!("{}: expected {rule} for `{line}` on {}, saw {seen:?}", row.mnemonic, platform.name()));
    }
}

fn all_rows(mut test: impl FnMut(&'static Instruction, &mut Vec<String>)) {
    let mut faults = Vec::new();
    for row in spec::instructions() {
        test(row, &mut faults);
    }
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn examples_are_legal() {
    all_rows(|row, faults| {
        let text = program_with(row, row.example);
        let found = loud(checks::check(&text, &as_excerpt(on(row.example_platform), "")));
        if !found.is_empty() {
            faults.push(format!("`{}`\n{}", row.example, listing(&text, &found)));
        }
    });
}

#[test]
fn platforms() {
    all_rows(|row, faults| {
        let everywhere = spec::words::platforms_of(row);
        if let Some(other) = Platform::all().find(|p| !everywhere.contains(*p)) {
            expect(faults, row, row.example, other, "unsupported-instruction");
        }
    });
}

#[test]
fn predicates_and_saturation() {
    all_rows(|row, faults| {
        let platform = row.example_platform;
        let with = format!("(P1) {}", row.example);
        match row.predicate {
            Predication::Forbidden => expect(faults, row, &with, platform, "predicate-not-allowed"),
            Predication::Dropped => expect(faults, row, &with, platform, "dropped-modifier"),
            Predication::Required => {
                let without = row.example.split_once(") ").map_or("", |(_, rest)| rest);
                expect(faults, row, without, platform, "missing-predicate");
            }
            Predication::Allowed => {
                let found = findings(row, &with, platform);
                if found.iter().any(|d| d.rule.name == "predicate-not-allowed") {
                    faults.push(format!("{} refuses a predicate", row.mnemonic));
                }
            }
        }
        let example = Example::of(row);
        let (_, spans) = example.used();
        if !spans.exec.is_empty() && !row.example.contains(".sat") {
            let saturated = example.with(Span::at(spans.exec.start), ".sat ").replace(" .sat ", ".sat ");
            match row.saturate {
                Saturation::Forbidden | Saturation::Tolerated => {
                    expect(faults, row, &saturated, platform, "saturation-not-allowed");
                }
                Saturation::Dropped => expect(faults, row, &saturated, platform, "dropped-modifier"),
                Saturation::Allowed | Saturation::Floats | Saturation::Seen => {}
            }
        }
    });
}

#[test]
fn execution_sizes() {
    all_rows(|row, faults| {
        let example = Example::of(row);
        let (_, spans) = example.used();
        let platform = row.example_platform;
        if spans.size.is_empty() {
            if row.execution == Execution::None && !row.mnemonic.chars().all(char::is_uppercase) {
                let mnemonic_end = spans.mnemonic.end.max(last_modifier_end(&example));
                expect(
                    faults,
                    row,
                    &example.with(Span::at(mnemonic_end), " (M1, 8)"),
                    platform,
                    "unexpected-exec-size",
                );
            }
            return;
        }
        let legal = row
            .exec_sizes_by_platform
            .iter()
            .filter(|x| x.platforms.contains(platform))
            .fold(row.exec_sizes.legal, |set, x| set.or(x.value))
            .or(row.exec_sizes.seen)
            .or(row.exec_sizes.tolerated);
        if let Some(wrong) = [1u32, 2, 4, 8, 16, 32].into_iter().find(|s| !legal.contains(*s)) {
            let line = example.with(spans.size, &wrong.to_string());
            expect(faults, row, &line, platform, "unsupported-exec-size");
        }
        expect(faults, row, &example.with(spans.size, "5"), platform, "invalid-exec-size");
        if !spans.mask.is_empty() {
            expect(faults, row, &example.with(spans.mask, "M0"), platform, "unknown-exec-mask");
            expect(faults, row, &example.with(spans.exec, ""), platform, "missing-exec-size");
        }
    });
}

fn last_modifier_end(example: &Example) -> u32 {
    let (used, _) = example.used();
    example.program.modifiers_of(used).iter().map(|m| m.span.end).max().unwrap_or(0)
}

#[test]
fn modifiers() {
    all_rows(|row, faults| {
        let example = Example::of(row);
        let (used, _) = example.used();
        let platform = row.example_platform;
        for modifier in example.program.modifiers_of(used) {
            let slot = &row.modifiers[usize::from(modifier.slot)];
            let removed = example.with(modifier.span, "");
            if !slot.optional {
                let wanted =
                    if slot.kind == ModifierKind::ChannelMask { "empty-channel-mask" } else { "missing-modifier" };
                let found = findings(row, &removed, platform);
                let fine = found.iter().any(|d| {
                    d.rule.name == wanted || d.rule.name == "unknown-instruction" || d.rule.name == "unknown-modifier"
                });
                if !fine {
                    faults.push(format!("{}: nothing said of `{removed}`", row.mnemonic));
                }
            }
            let bogus = match slot.kind {
                ModifierKind::Number => ".77",
                ModifierKind::BooleanFunction => ".x100",
                ModifierKind::RenderTargetOptions => continue,
                _ => ".qqq",
            };
            let line = example.with(modifier.span, bogus);
            let found = findings(row, &line, platform);
            let fine = found.iter().any(|d| {
                matches!(
                    d.rule.name,
                    "unknown-modifier"
                        | "unsupported-modifier-value"
                        | "invalid-channel-mask"
                        | "unknown-instruction"
                        | "missing-modifier"
                )
            });
            if !fine {
                faults.push(format!("{}: nothing said of `{line}`", row.mnemonic));
            }
        }
        // Values that exist elsewhere only.
        for (index, slot) in row.modifiers.iter().enumerate() {
            let Some(used) = example.program.modifiers_of(used).iter().find(|m| usize::from(m.slot) == index) else {
                continue;
            };
            for value in slot.values {
                let same = |v: &&spec::instruction::ModifierValue| v.text == value.text;
                if !slot.values.iter().filter(same).any(|v| v.platforms.contains(platform)) {
                    let line = example.with(used.span, &format!(".{}", value.text));
                    expect(faults, row, &line, platform, "unsupported-modifier-value");
                }
            }
        }
    });
}

#[test]
fn operand_counts() {
    all_rows(|row, faults| {
        let example = Example::of(row);
        let (used, _) = example.used();
        let platform = row.example_platform;
        let n_outside = row.operands.len() - row.execution.n_operands();
        let is_variadic = row.operands.last().is_some_and(|o| o.variadic);
        if !is_variadic && !row.operands.iter().any(|o| o.optional) {
            let line = format!("{} 0x1:ud", row.example);
            expect(faults, row, &line, platform, "surplus-operand");
        }
        if n_outside > 0
            && !row.operands.iter().any(|o| o.optional)
            && !(is_variadic && row.operands.last().is_some_and(|o| o.optional))
        {
            let spans = example.program.operand_spans_of(used);
            let last = spans.last().expect("an operand").whole;
            let line = example.with(Span::new(last.start, last.end), "");
            let needs_one = !is_variadic || spans.len() == row.operands.len();
            if needs_one {
                expect(faults, row, &line, platform, "missing-operand");
            }
        }
    });
}

/// A variable of the prelude for each type.
const TYPED: &[(Type, &str)] = &[
    (Type::UD, "VUD"),
    (Type::D, "VD"),
    (Type::UW, "VUW"),
    (Type::W, "VW"),
    (Type::UB, "VUB"),
    (Type::B, "VB"),
    (Type::F, "VF"),
    (Type::HF, "VHF"),
    (Type::DF, "VDF"),
    (Type::Q, "VQ"),
    (Type::UQ, "VUQ"),
];

#[test]
fn operand_keys() {
    all_rows(|row, faults| {
        let example = Example::of(row);
        let (used, _) = example.used();
        let platform = row.example_platform;
        let range = used.operands();
        let operands = &example.program.operands[range.clone()];
        let spans = &example.program.operand_spans[range.clone()];
        let slots = &example.program.operand_slots[range];
        for ((operand, spans), slot) in operands.iter().zip(spans).zip(slots) {
            let slot = &row.operands[usize::from(*slot)];
            let is_register =
                matches!(operand, Operand::General { .. } | Operand::Raw { .. } | Operand::Element { .. });
            if slot.has_types() && is_register && !operand.is_null() {
                let any = slot
                    .types_by_platform
                    .iter()
                    .fold(slot.types.legal.or(slot.types.seen).or(slot.types.tolerated), |set, x| set.or(x.value));
                if let Some((_, name)) = TYPED.iter().find(|(t, _)| !any.contains(*t)) {
                    expect(faults, row, &example.with(spans.name, name), platform, "unsupported-type");
                }
            }
            if slot.null == NullUse::Forbidden && matches!(operand, Operand::Raw { .. }) && !operand.is_null() {
                expect(faults, row, &example.with(spans.whole, "%null.0"), platform, "unexpected-null");
            }
            if let (Operand::Raw { variable, byte_offset }, Some(_)) = (operand, slot.bytes)
                && !operand.is_null()
                && slot.kinds.contains(OperandKind::Raw)
            {
                let size = example.program.variable_bytes(*variable, platform.grf_bytes());
                let name = example.program.variable_name(*variable);
                let _ = byte_offset;
                let line = example.with(spans.whole, &format!("{name}.{size}"));
                expect(faults, row, &line, platform, "operand-out-of-bounds");
            }
            if let (Operand::Raw { variable, byte_offset }, true) = (operand, slot.alignment != Alignment::None)
                && !operand.is_null()
            {
                let name = example.program.variable_name(*variable);
                let line = example.with(spans.whole, &format!("{name}.{}", byte_offset + 1));
                expect(faults, row, &line, platform, "misaligned-operand");
            }
            if slot.scalar && slot.role == Role::Source {
                let kind = slot.kinds.contains(OperandKind::General);
                if kind && let Some((_, name)) = TYPED.iter().find(|(t, _)| slot.types.legal.contains(*t)) {
                    let line = example.with(spans.whole, &format!("{name}(0,0)<8;8,1>"));
                    expect(faults, row, &line, platform, "ignored-region");
                }
            }
            if let (Some(maximum), Operand::Number { .. }) = (slot.maximum, operand) {
                let beyond = if slot.notation == Notation::Decimal {
                    format!("{}", maximum + 1)
                } else {
                    format!("{:#x}", maximum + 1)
                };
                expect(faults, row, &example.with(spans.whole, &beyond), platform, "value-out-of-range");
            }
            if let (Operand::Number { .. }, false) = (operand, slot.values.legal.is_empty()) {
                let other = if slot.notation == Notation::Decimal { "7777" } else { "0x7777" };
                expect(faults, row, &example.with(spans.whole, other), platform, "value-out-of-range");
            }
            if let Operand::Handle { variable, .. } = operand
                && example.program.variables[*variable].kind == VariableKind::Surface
            {
                for class in slot.surfaces_forbidden {
                    let name = match class {
                        SurfaceClass::Slm => "%slm",
                        SurfaceClass::Scratch => "%scratch",
                        SurfaceClass::Bindless => "%bss",
                        SurfaceClass::Predefined => "T1",
                    };
                    expect(faults, row, &example.with(spans.whole, name), platform, "unsupported-surface");
                }
            }
            if matches!(operand, Operand::Predicate { .. })
                && slot.kinds == spec::instruction::KindSet::of(&[OperandKind::Predicate])
            {
                let line = example.with(spans.whole, "VUD(0,0)<1>");
                let found = findings(row, &line, platform);
                if !found.iter().any(|d| {
                    matches!(
                        d.rule.name,
                        "wrong-operand-form" | "wrong-variable-kind" | "malformed-region" | "missing-region"
                    )
                }) {
                    faults.push(format!("{}: nothing said of `{line}`", row.mnemonic));
                }
            }
        }
    });
}
