//! Keys `types`, `types_seen`, `types_tolerated`, `types_by_platform`.

use crate::base::diagnostic::Diagnostic;
use crate::base::rule::Level;
use crate::checks::context::{Sink, View};
use crate::program::pardon::Pardon;
use crate::program::variable::{FLAG_BROKEN, FLAG_OPEN, FLAG_OPERAND};
use crate::program::{Operand, OperandSpans};
use crate::spec::instruction::{Custom, OperandSlot};
use crate::spec::predefined::VariableKind;
use crate::spec::{PlatformSet, Type, TypeSet};

crate::declare_rule! {
    /// An operand whose element type the instruction does not take.
    ///
    /// ```visa bad
    /// and (M1, 8) VF(0,0)<1> VF(1,0)<8;8,1> VF(2,0)<8;8,1>
    /// ```
    /// ```visa good
    /// and (M1, 8) VUD(0,0)<1> VUD(1,0)<8;8,1> VUD(2,0)<8;8,1>
    /// ```
    pub UNSUPPORTED_TYPE = "unsupported-type", Error | Warning | Pedantic, "2_datatypes",
        help = "declare the operand with that type, or convert it with a `mov` before"
}

/// The element type of an operand: that of its declaration, or the one written after it.
#[must_use]
pub fn operand_type(view: &View, operand: &Operand) -> Option<Type> {
    match *operand {
        Operand::Immediate { element_type, .. } | Operand::Indirect { element_type, .. } => Some(element_type),
        Operand::General { variable, .. }
        | Operand::Raw { variable, .. }
        | Operand::Element { variable, .. }
        | Operand::LscData { variable, .. }
        | Operand::WithLength { variable, .. } => {
            let row = &view.cx.program.variables[variable];
            (row.kind == VariableKind::General && !row.is(FLAG_BROKEN | FLAG_OPEN) && !operand.is_null())
                .then_some(row.element_type)
        }
        _ => None,
    }
}

/// Where the slot does not take the type, and how bad that is.
fn verdict(view: &View, operand: &Operand, t: Type, slot: &OperandSlot) -> Option<(PlatformSet, Level)> {
    if !slot.has_types() || slot.types.legal.contains(t) || is_host_sign(view, operand, t, slot) {
        return None;
    }
    let failing = view.cx.platforms.without(legal_on(slot, t));
    let is_pardoned = || slot.asked_for && Pardon::AskedFor.holds_in(view.cx.program);
    let level = match () {
        () if slot.types.seen.contains(t) && (!slot.asked_for || is_pardoned()) => Level::Pedantic,
        () if slot.types.tolerated.contains(t) && is_pardoned() => Level::Pedantic,
        () if slot.types.tolerated.contains(t) => Level::Warning,
        () => Level::Error,
    };
    Some((failing, level))
}

/// Whether only the sign of the type is wrong, and the compiler of a host source chose it: an operand of the host's type
/// `uint` is declared as `d`. Compilers take it, but for a few operands.
fn is_host_sign(view: &View, operand: &Operand, t: Type, slot: &OperandSlot) -> bool {
    !slot.sign_checked && is_of_host(view, operand) && unsigned(t).is_some_and(|t| slot.types.legal.contains(t))
}

/// Whether the compiler of a host source declares the operand.
fn is_of_host(view: &View, operand: &Operand) -> bool {
    operand.variable().is_some_and(|v| view.cx.program.variables[v].is(FLAG_OPERAND))
}

const fn unsigned(t: Type) -> Option<Type> {
    Some(match t {
        Type::B => Type::UB,
        Type::W => Type::UW,
        Type::D => Type::UD,
        Type::Q => Type::UQ,
        _ => return None,
    })
}

fn legal_on(slot: &OperandSlot, t: Type) -> PlatformSet {
    slot.types_by_platform.iter().filter(|x| x.value.contains(t)).fold(PlatformSet::NONE, |set, x| set.or(x.platforms))
}

/// Whether the type of the operand is an error by itself, so that it needs no comparison with others.
#[must_use]
pub fn is_refused(view: &View, operand: &Operand, slot: &OperandSlot) -> bool {
    operand_type(view, operand)
        .and_then(|t| verdict(view, operand, t, slot))
        .is_some_and(|(failing, level)| level == Level::Error && !failing.is_empty() && view.cx.concerns(failing))
}

/// How an immediate is written with the integer type of the operands beside it.
#[must_use]
pub fn retyped(written: &str, beside: Type) -> Option<String> {
    let (number, own) = written.rsplit_once(':')?;
    // A vector holds several numbers.
    let is_whole = !number.contains(['.', '(', ')']) && !own.contains(['v', 'V']);
    let fits = beside.is_integer() && beside.row().immediate;
    (is_whole && fits).then(|| format!("write `{number}:{}`, the type of the operands beside it", beside.text()))
}

/// Whether an operand before this one has the same type and is refused as much: then it is the type with which the
/// instruction does not compute.
fn is_said_before(view: &View, spans: &OperandSpans, t: Type, refused: (PlatformSet, Level)) -> bool {
    let mut before = view.each_operand().take_while(|(_, other, _)| other.whole.start < spans.whole.start);
    before.any(|(operand, _, slot)| {
        operand_type(view, operand) == Some(t) && verdict(view, operand, t, slot) == Some(refused)
    })
}

/// Checks the type of one operand.
pub fn check(view: &View, sink: &mut Sink, operand: &Operand, spans: &OperandSpans, slot: &'static OperandSlot) {
    let Some(t) = operand_type(view, operand) else { return };
    let Some((failing, level)) = verdict(view, operand, t, slot) else { return };
    let legal_on = legal_on(slot, t);
    if view.row.custom == Some(Custom::Alu) && is_said_before(view, spans, t, (failing, level)) {
        return;
    }
    sink.report_on(view.cx, failing, || {
        let written = view.text(spans.whole);
        let allowed = slot
            .types_by_platform
            .iter()
            .filter(|x| view.cx.platforms.without(x.platforms).is_empty())
            .fold(slot.types.legal, |set, x| set.or(x.value));
        let what = if legal_on.is_empty() { String::new() } else { format!(" here, only {}", legal_on.on()) };
        let message = format!(
            "`{written}` has the type `{}`, which the operand {} of `{}` cannot have{what}",
            t.text(),
            slot.name,
            view.row.mnemonic
        );
        let mut diagnostic = Diagnostic::new(&UNSUPPORTED_TYPE, spans.whole, message).level(level);
        if allowed != TypeSet::NONE {
            diagnostic = diagnostic.label(format!("expected {}", allowed.describe()));
        }
        let beside =
            || view.each_operand().filter_map(|(other, ..)| operand_type(view, other)).find(|t| allowed.contains(*t));
        if let Operand::Immediate { .. } = operand
            && let Some(help) = beside().and_then(|t| retyped(written, t))
        {
            diagnostic = diagnostic.help(help);
        }
        if let Some(unsigned) = unsigned(t).filter(|t| allowed.contains(*t) && is_of_host(view, operand)) {
            let name = view.text(spans.name);
            let alias =
                format!("declare an alias: `.decl U v_type=G type={} num_elts=N alias=<{name}, 0>`", unsigned.text());
            diagnostic = diagnostic.help(alias);
        }
        diagnostic = super::declared(view, diagnostic, operand);
        diagnostic.note(super::document(view))
    });
}
