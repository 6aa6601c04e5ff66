//! Key `surfaces_forbidden`.

use crate::base::diagnostic::Diagnostic;
use crate::checks::context::{Sink, View};
use crate::program::{Operand, OperandSpans, VariableId};
use crate::spec::instruction::{OperandKind, OperandSlot, SurfaceClass};
use crate::spec::predefined::VariableKind;
use crate::spec::{PlatformSet, Type};

crate::declare_rule! {
    /// A surface or sampler on which the instruction does not work: shared local memory, scratch space, bindless surfaces,
    /// the bindless sampler, a paired surface where there are none.
    ///
    /// ```visa bad
    /// gather4_typed.R (M1, 8) %slm VUD.0 %null.0 %null.0 %null.0 VUD.64
    /// ```
    /// ```visa good
    /// gather4_typed.R (M1, 8) T6 VUD.0 %null.0 %null.0 %null.0 VUD.64
    /// ```
    pub UNSUPPORTED_SURFACE = "unsupported-surface", Error, "4_visa_header",
        help = "use a surface that the instruction takes"
}

crate::declare_rule! {
    /// A general variable, a sampler or a predicate where a surface has to stand, or the other way round. Assemblers take
    /// the number of the variable for that of a surface, and access whatever stands there.
    ///
    /// ```visa bad
    /// gather4_scaled.R (M1, 8) VD 0x0:ud VUD.64 VUD.128
    /// ```
    /// ```visa good
    /// gather4_scaled.R (M1, 8) T6 0x0:ud VUD.64 VUD.128
    /// ```
    pub NOT_A_SURFACE = "not-a-surface", Error, "4_visa_header",
        help = "name a variable that is declared with that kind: an assembler would take the number of this one for that of a surface"
}

/// The name of the class of a predefined surface.
fn class(variable: VariableId) -> Option<SurfaceClass> {
    match variable.predefined()?.name {
        "%slm" => Some(SurfaceClass::Slm),
        "%scratch" => Some(SurfaceClass::Scratch),
        "%bss" => Some(SurfaceClass::Bindless),
        _ => None,
    }
}

/// Checks a number, or nothing, where a compiler prints the place of a surface or sampler in a table: only for platforms on
/// which a pointer may stand there.
fn printed(view: &View, sink: &mut Sink, spans: &OperandSpans, slot: &'static OperandSlot) {
    if !view.cx.concerns(view.cx.platforms.without(slot.pointers)) {
        return;
    }
    let wanted = if slot.kinds.contains(OperandKind::Surface) { "surface" } else { "sampler" };
    let message = format!(
        "`{}` is no variable; the operand {} of `{}` has to be a {wanted}",
        view.text(spans.whole),
        slot.name,
        view.row.mnemonic
    );
    sink.report(Diagnostic::new(&NOT_A_SURFACE, spans.whole, message).note(super::document(view)));
}

/// Checks one operand.
pub fn check(view: &View, sink: &mut Sink, operand: &Operand, spans: &OperandSpans, slot: &'static OperandSlot) {
    let is_handle_slot = slot.kinds.contains(OperandKind::Surface) || slot.kinds.contains(OperandKind::Sampler);
    if !is_handle_slot {
        return;
    }
    let variable = match *operand {
        Operand::Handle { variable, .. } | Operand::General { variable, .. } if !operand.is_null() => variable,
        Operand::Handle { .. } | Operand::Immediate { .. } => return printed(view, sink, spans, slot),
        _ => return,
    };
    let row = &view.cx.program.variables[variable];
    let name = view.text(spans.name);
    if row.kind == VariableKind::General {
        // Later platforms address surfaces and samplers by 64-bit pointers.
        let is_pointer = matches!(row.element_type, Type::Q | Type::UQ);
        let failing = view.cx.platforms.without(if is_pointer { slot.pointers } else { PlatformSet::NONE });
        if !view.cx.concerns(failing) {
            return;
        }
        let wanted = if slot.kinds.contains(OperandKind::Surface) { "surface" } else { "sampler" };
        let message = format!(
            "`{name}` is a general variable; the operand {} of `{}` has to be a {wanted}",
            slot.name, view.row.mnemonic
        );
        let diagnostic = Diagnostic::new(&NOT_A_SURFACE, spans.name, message);
        sink.report(super::declared(view, diagnostic, operand));
        return;
    }
    let own = class(variable);
    let is_predefined = variable.predefined().is_some();
    let forbidden = slot.surfaces_forbidden.iter().any(|f| {
        own == Some(*f) || *f == SurfaceClass::Predefined && is_predefined && row.kind == VariableKind::Surface
    });
    if forbidden {
        let message = format!("`{}` does not work on `{name}`", view.row.mnemonic);
        sink.report(Diagnostic::new(&UNSUPPORTED_SURFACE, spans.name, message).note(super::document(view)));
    }
}
