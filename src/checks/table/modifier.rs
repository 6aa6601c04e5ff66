//! Key `modifiers`: values in their tiers.

use crate::base::diagnostic::Diagnostic;
use crate::base::rule::Level;
use crate::checks::context::{Sink, View};
use crate::program::ModifierUse;
use crate::spec;
use crate::spec::PlatformSet;
use crate::spec::instruction::{Modifier, ModifierKind, ModifierValue};

crate::declare_rule! {
    /// A word or number after a dot whose value the instruction does not take, or not on the platform in question.
    /// Assemblers often silently replace such a number by 1.
    ///
    /// ```visa bad
    /// scatter_scaled.3 (M1, 8) T6 0x0:ud VUD.0 VUD.64
    /// ```
    /// ```visa good
    /// scatter_scaled.4 (M1, 8) T6 0x0:ud VUD.0 VUD.64
    /// ```
    pub UNSUPPORTED_MODIFIER_VALUE = "unsupported-modifier-value", Error | Warning | Pedantic, "5_instruction_set",
        help = "choose a value that exists on the platforms in question"
}

/// Checks the values of all modifiers.
pub fn check(view: &View, sink: &mut Sink) {
    // A word that stands twice, as in `dpas.bf8.bf8`, is wrong once, and so are two words for one thing that came together, as
    // in `dpas.hf8.bf8`.
    let mut reported: Option<(&'static Modifier, &ModifierUse)> = None;
    let repeats = |(first, earlier): (&'static Modifier, &ModifierUse), slot: &'static Modifier, used: &ModifierUse| {
        let platforms = platforms_of(slot, used);
        let is_exchangeable = slot
            .values
            .get(usize::from(used.value))
            .is_some_and(|v| slot.kind == first.kind && first.values.iter().any(|other| other.text == v.text));
        view.text(earlier.span) == view.text(used.span)
            || is_exchangeable && !platforms.is_empty() && platforms == platforms_of(first, earlier)
    };
    for used in view.modifiers {
        let slot = &view.row.modifiers[usize::from(used.slot)];
        match slot.kind {
            ModifierKind::Word | ModifierKind::Number if reported.is_some_and(|first| repeats(first, slot, used)) => {}
            ModifierKind::Word | ModifierKind::Number if value(view, sink, slot, used) => {
                reported = Some((slot, used));
            }
            ModifierKind::BooleanFunction if used.number > 255 => sink.report(
                Diagnostic::new(
                    &UNSUPPORTED_MODIFIER_VALUE,
                    used.span,
                    format!("the boolean function `{}` does not fit 8 bits", view.text(used.span)),
                )
                .note("a function of three bits has 256 values, `.x00` to `.xff`"),
            ),
            _ => {}
        }
    }
}

/// One value may stand in the list several times, with different platforms and tiers.
fn entries(slot: &'static Modifier, used: &ModifierUse) -> impl Iterator<Item = &'static ModifierValue> {
    let (number, text) = (i64::from(used.number), slot.values.get(usize::from(used.value)).map(|u| u.text));
    slot.values.iter().filter(move |v| match slot.kind {
        ModifierKind::Number => v.number == number,
        _ => Some(v.text) == text,
    })
}

/// Where a value is legal.
fn platforms_of(slot: &'static Modifier, used: &ModifierUse) -> PlatformSet {
    entries(slot, used).filter(|v| v.tier == 0).fold(PlatformSet::NONE, |all, v| all.or(v.platforms))
}

/// Reports a value that the slot does not take; gives whether there was something to report.
fn value(view: &View, sink: &mut Sink, slot: &'static Modifier, used: &ModifierUse) -> bool {
    let written = view.text(used.span);
    let mut failing = [view.cx.platforms; 3];
    for v in entries(slot, used) {
        for (tier, set) in failing.iter_mut().enumerate() {
            if usize::from(v.tier) <= tier {
                *set = set.without(v.platforms);
            }
        }
    }
    // What no tier allows is an error; what only a weaker tier allows is reported at that tier's level.
    let [not_legal, not_seen, not_tolerated] = failing;
    let level = if view.cx.concerns(not_tolerated) {
        (not_tolerated, Level::Error)
    } else if view.cx.concerns(not_seen) {
        (not_seen, Level::Warning)
    } else {
        (not_legal, Level::Pedantic)
    };
    sink.report_on(view.cx, level.0, || {
        let mnemonic = view.row.mnemonic;
        let legal: Vec<String> = slot.values.iter().filter(|v| v.tier == 0).map(|v| format!("`.{}`", v.text)).collect();
        let name = match slot.name.words() {
            name if legal.is_empty() || written == format!(".{name}") => "modifier".to_owned(),
            name => name,
        };
        let elsewhere: Vec<String> = entries(slot, used).filter(|v| v.tier == 0).map(|v| v.platforms.on()).collect();
        let mut diagnostic = Diagnostic::new(
            &UNSUPPORTED_MODIFIER_VALUE,
            used.span,
            if elsewhere.is_empty() {
                format!("`{mnemonic}` has no {name} `{written}`")
            } else {
                format!("the {name} `{written}` of `{mnemonic}` exists only {}", elsewhere.join(" and "))
            },
        )
        .level(level.1);
        if elsewhere.is_empty() && !legal.is_empty() {
            diagnostic = diagnostic.label(format!("expected {}", spec::join_or(legal)));
        }
        diagnostic.note(super::document(view))
    });
    !level.0.is_empty() && view.cx.concerns(level.0)
}
