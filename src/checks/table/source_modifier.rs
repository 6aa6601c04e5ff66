//! Key `modifiers` of operands: source modifiers.

use crate::base::diagnostic::Diagnostic;
use crate::base::rule::Level;
use crate::base::span::Span;
use crate::checks::context::{Sink, View};
use crate::program::{Operand, OperandSpans, SourceModifier};
use crate::spec::instruction::{Custom, OperandSlot, SourceModifiers};

crate::declare_rule! {
    /// A source modifier that the operand cannot carry: `(-)`, `(abs)` and `(-abs)` belong to arithmetic, `(~)` to logic.
    ///
    /// ```visa bad
    /// and (M1, 8) VUD(0,0)<1> (-)VUD(1,0)<8;8,1> 0x1:ud
    /// ```
    /// ```visa good
    /// and (M1, 8) VUD(0,0)<1> (~)VUD(1,0)<8;8,1> 0x1:ud
    /// ```
    pub UNSUPPORTED_SOURCE_MODIFIER = "unsupported-source-modifier", Error | Warning | Pedantic, "5_instruction_set",
        help = "apply it before, with a `mov` to a variable"
}

/// Checks one operand.
pub fn check(view: &View, sink: &mut Sink, operand: &Operand, spans: &OperandSpans, slot: &'static OperandSlot) {
    let modifier = operand.modifier();
    let (fits, allowed) = match slot.source_modifiers {
        SourceModifiers::None => (modifier == SourceModifier::None, "none"),
        SourceModifiers::Arithmetic => (modifier != SourceModifier::Complement, "`(-)`, `(abs)` and `(-abs)`"),
        SourceModifiers::Logic => (matches!(modifier, SourceModifier::None | SourceModifier::Complement), "`(~)`"),
    };
    if fits {
        return;
    }
    // Assemblers apply an arithmetic modifier to the scalar operand of a message before they send it.
    let is_message_scalar = slot.scalar
        && modifier != SourceModifier::Complement
        && (view.row.touches_memory() || view.row.custom == Some(Custom::Barrier));
    let level = if is_message_scalar { Level::Warning } else { Level::Error };
    let written = modifier.text();
    let place = Span::new(spans.whole.start, spans.whole.start + written.len() as u32);
    let message =
        format!("the operand {} of `{}` cannot carry the source modifier `{written}`", slot.name, view.row.mnemonic);
    sink.report(
        Diagnostic::new(&UNSUPPORTED_SOURCE_MODIFIER, place, message)
            .level(level)
            .note(format!("allowed: {allowed}"))
            .replace(Span::new(place.start, spans.name.start), "", false),
    );
}
