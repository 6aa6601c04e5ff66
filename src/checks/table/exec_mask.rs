//! Execution mask and size together. The lanes of the mask begin at a multiple of the execution size, and end at 32.

use crate::base::diagnostic::Diagnostic;
use crate::base::span::Span;
use crate::checks::context::{Sink, View};
use crate::program::pardon::Pardon;
use crate::spec::instruction::Execution;
use crate::spec::{Platform, PlatformSet};

crate::declare_rule! {
    /// The mask begins at a lane that is not a multiple of the execution size, or reaches beyond lane 31. `M1` begins at
    /// lane 0, `M2` at 4, and so on to `M8` at 28; size 8 goes with M1, M3, M5 and M7, size 16 with M1 and M5, size 32
    /// with M1.
    ///
    /// ```visa bad
    /// mov (M2, 16) VD(0,0)<1> 0x1:d
    /// ```
    /// ```visa good
    /// mov (M5, 16) VD(0,0)<1> 0x1:d
    /// ```
    pub MISALIGNED_EXEC_MASK = "misaligned-exec-mask", Error, "3_execution_model"
}

crate::declare_rule! {
    /// The masks M2, M4, M6 and M8 with execution sizes up to 4: platforms from PVC on have no nibble control.
    ///
    /// ```visa bad
    /// // platform: PVC
    /// mov (M2, 4) VD(0,0)<1> 0x1:d
    /// ```
    /// ```visa good
    /// // platform: PVC
    /// mov (M3, 4) VD(0,0)<1> 0x1:d
    /// ```
    pub UNSUPPORTED_EXEC_MASK = "unsupported-exec-mask", Error, "3_execution_model"
}

crate::declare_rule! {
    /// An execution size without a mask. It means `M1`; the compiler always writes the mask.
    ///
    /// ```visa bad
    /// // pedantic
    /// mov (8) VD(0,0)<1> 0x1:d
    /// ```
    /// ```visa good
    /// // pedantic
    /// mov (M1, 8) VD(0,0)<1> 0x1:d
    /// ```
    pub IMPLICIT_EXEC_MASK = "implicit-exec-mask", Pedantic, "3_execution_model"
}

/// Checks mask and size together.
pub fn check(view: &View, sink: &mut Sink) {
    let instruction = view.instruction;
    if instruction.has_exec && view.spans.mask.is_empty() && view.row.execution == Execution::MaskAndSize {
        let size = view.spans.size;
        let message = format!("`{}` has no mask, which means `M1`", view.text(view.spans.exec));
        sink.report(Diagnostic::new(&IMPLICIT_EXEC_MASK, view.spans.exec, message).replace(
            Span::at(size.start),
            "M1, ",
            true,
        ));
    }
    if !instruction.has_exec || view.row.execution != Execution::MaskAndSize || instruction.mask_offset == 0 {
        return;
    }
    let (offset, size) = (instruction.mask_offset, instruction.exec_size);
    let mask = view.text(view.spans.mask);
    if offset % size != 0 || offset + size > 32 {
        let all: Vec<String> =
            (0..8u8).filter(|m| m * 4 % size == 0 && m * 4 + size <= 32).map(|m| format!("`M{}`", m + 1)).collect();
        let message = format!("`{mask}` cannot be combined with the execution size {size}");
        let diagnostic = Diagnostic::new(&MISALIGNED_EXEC_MASK, view.spans.mask, message)
            .label(format!("begins at lane {offset}"))
            .note(format!("with size {size} the masks are {}", crate::spec::join_or(all)));
        sink.report(diagnostic);
        return;
    }
    if offset % 8 == 4 && !Pardon::AskedFor.holds_in(view.cx.program) {
        let failing = PlatformSet::since(Platform::PVC);
        sink.report_on(view.cx, failing, || {
            Diagnostic::new(&UNSUPPORTED_EXEC_MASK, view.spans.mask, format!("`{mask}` is not supported from PVC on"))
                .note("these platforms have no nibble control: use M1, M3, M5 and M7")
        });
    }
}
