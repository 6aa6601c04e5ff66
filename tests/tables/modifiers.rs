//! Keys of modifiers.

use super::{Example, Line, each_row, each_row_but};
use visa_lint::base::rule::Level;
use visa_lint::base::span::Span;
use visa_lint::spec::Platform;
use visa_lint::spec::instruction::{Modifier, ModifierKind};

/// The place of a modifier in the example, or the place where it would stand.
fn place(example: &Example, index: usize) -> Span {
    let view = example.view();
    let used = |i: usize| view.modifiers.iter().find(|m| usize::from(m.slot) == i).map(|m| m.span);
    let slots = example.row.modifiers;
    used(index).unwrap_or_else(|| {
        let same_side = |i: &usize| slots[*i].after_execution == slots[index].after_execution;
        let before = (0..index).rev().filter(same_side).find_map(used).map(|span| span.end);
        let start = if slots[index].after_execution { view.spans.exec.end } else { view.spans.mnemonic.end };
        let end = before.unwrap_or(start);
        Span::at(end)
    })
}

fn is_used(example: &Example, index: usize) -> bool {
    example.view().modifiers.iter().any(|m| usize::from(m.slot) == index)
}

/// The text of a value in its place.
pub(super) fn written(slot: &Modifier, value: &str) -> String {
    if slot.after_execution { format!(" .{value}") } else { format!(".{value}") }
}

/// What is said of a modifier that its slot does not know.
const UNKNOWN: &[&str] =
    &["unknown-modifier", "unsupported-modifier-value", "invalid-channel-mask", "unknown-instruction"];

#[test]
fn absence() {
    each_row(|example, faults| {
        for modifier in example.view().modifiers {
            let slot = &example.row.modifiers[usize::from(modifier.slot)];
            let without = example.with(modifier.span, "");
            if slot.optional {
                continue;
            }
            let wanted: &[&str] = match slot.kind {
                ModifierKind::ChannelMask => &["empty-channel-mask"],
                _ => &["missing-modifier", "unknown-instruction", "unknown-modifier"],
            };
            faults.faulty_with_one_of(&without, wanted, Level::Error);
        }
    });
}

#[test]
fn unknown_values() {
    each_row(|example, faults| {
        for (index, slot) in example.row.modifiers.iter().enumerate().filter(|(i, _)| is_used(example, *i)) {
            let bogus = match slot.kind {
                ModifierKind::Number => "77",
                ModifierKind::BooleanFunction => "x100",
                ModifierKind::RenderTargetOptions => continue,
                _ => "qqq",
            };
            let line = example.with(place(example, index), &written(slot, bogus));
            faults.faulty_with_one_of(&line, UNKNOWN, Level::Error);
        }
    });
}

/// Values that are legal only beside others.
const BESIDE_OTHERS: &[(&str, &str)] = &[
    ("Dpas repeat 1", "the two units of `dpasw` share rows of the second source: there have to be two"),
    ("Fence unit slm", "a fence of shared local memory has neither a scope nor a flush, and the example has both"),
    ("Lsc msaa msaa", "samples belong to typed surfaces, and there are no typed atomics on floats"),
    (
        "Sampler cps cps",
        "the word `coarse_pixels` of the key `checks` says which messages sample them, and from when on",
    ),
];

/// Each value on each platform: legal, or a finding of the level of its tier.
#[test]
fn values() {
    const RULE: &str = "unsupported-modifier-value";
    each_row_but(BESIDE_OTHERS, |example, faults| {
        for (index, slot) in example.row.modifiers.iter().enumerate() {
            for value in slot.values {
                let change = (place(example, index), written(slot, value.text));
                let line = example.with_all(std::slice::from_ref(&change));
                // Precisions of one kind go together.
                let is_alike = |m: &Modifier| m.values.iter().any(|v| v.text == value.text);
                let everywhere: Vec<(Span, String)> = (0..example.row.modifiers.len())
                    .filter(|i| *i == index || is_used(example, *i) && is_alike(&example.row.modifiers[*i]))
                    .map(|i| (place(example, i), written(&example.row.modifiers[i], value.text)))
                    .collect();
                let mut alike = example.with_all_beside_others(&[change]);
                alike.push(example.with_all(&everywhere));
                for platform in Platform::all().filter(|p| example.row.platforms.legal.contains(*p)) {
                    let line = line.clone().on(platform);
                    let tier = slot
                        .values
                        .iter()
                        .filter(|v| v.text == value.text && v.platforms.contains(platform))
                        .map(|v| v.tier)
                        .min();
                    let level = match tier {
                        Some(0) => None,
                        Some(1) => Some(Level::Pedantic),
                        Some(_) => Some(Level::Warning),
                        None => Some(Level::Error),
                    };
                    let said = line.level_of(RULE);
                    let is_fine = |line: &Line| line.clone().on(platform).level_of(RULE) <= level;
                    let said = if said > level && alike.iter().any(is_fine) { level } else { said };
                    if said < level {
                        faults.level(&line, RULE, level);
                    } else if said != level {
                        let family = example.row.custom.map_or(String::new(), |custom| format!("{custom:?} "));
                        let key = format!("{family}{:?} {}", slot.name, value.text);
                        faults.unless(key, Some(line.problem(&format!("expected {level:?}, not {said:?}"), &[])));
                    }
                }
            }
        }
    });
}

/// Where the text has no blank, one parts the word from its mnemonic.
#[test]
fn glued_words() {
    each_row(|example, faults| {
        for (index, slot) in example.row.modifiers.iter().enumerate().filter(|(i, _)| is_used(example, *i)) {
            let span = place(example, index);
            let written = example.text(span);
            let line: Line = example.with(span, &format!(" {written}"));
            let found = line.findings(Level::Pedantic);
            let is_told = found.iter().any(|d| d.rule.name == "blank-in-modifier");
            if slot.glued != is_told {
                faults.add(line.problem(&format!("expected a finding of the blank: {}", slot.glued), &found));
            }
        }
    });
}

/// The case of letters.
#[test]
fn letters() {
    each_row(|example, faults| {
        for (index, slot) in example.row.modifiers.iter().enumerate() {
            if slot.kind != ModifierKind::Word {
                continue;
            }
            let Some(value) = slot.values.iter().find(|v| {
                v.tier == 0 && v.platforms.contains(example.row.example_platform) && v.text.to_uppercase() != v.text
            }) else {
                continue;
            };
            let line = example.with(place(example, index), &written(slot, &value.text.to_uppercase()));
            let is_known = !line.findings(Level::Warning).iter().any(|d| UNKNOWN.contains(&d.rule.name));
            if is_known != slot.any_case {
                faults.add(line.problem(&format!("expected that either case is read: {}", slot.any_case), &[]));
            }
        }
    });
}
