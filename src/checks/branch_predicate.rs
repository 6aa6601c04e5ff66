//! Predicates of scalar branches, and groups of one bit.

use super::context::{Sink, View};
use super::kernel::{has_cm_target, simd_size};
use crate::base::diagnostic::Diagnostic;
use crate::base::rule::Level;
use crate::program::instruction::PredicateControl;
use crate::spec::Platform;
use crate::spec::instruction::Flow;

crate::declare_rule! {
    /// A `jmp` with a predicate of several elements and without `.any` or `.all`: it tests the first element only. On
    /// platforms with fused EUs (TGLLP to ARL) assemblers turn the `jmp` of a media kernel (`Target="cm"`) into a `goto`;
    /// then such a predicate is an error, unless it has as many elements as the kernel has lanes.
    ///
    /// ```visa bad
    /// (P1) jmp (M1, 1) end
    /// end:
    /// ```
    /// ```visa good
    /// (P1.any) jmp (M1, 1) end
    /// end:
    /// ```
    pub WIDE_BRANCH_PREDICATE = "wide-branch-predicate", Error | Warning, "JMP"
}

crate::declare_rule! {
    /// `.any` or `.all` of a predicate with one element: it is the element itself.
    ///
    /// ```visa bad
    /// // pedantic
    /// .decl Px v_type=P num_elts=1
    /// (Px.any) jmp (M1, 1) end
    /// end:
    /// ```
    /// ```visa good
    /// // pedantic
    /// .decl Px v_type=P num_elts=1
    /// (Px) jmp (M1, 1) end
    /// end:
    /// ```
    pub USELESS_ANY_ALL = "useless-any-all", Pedantic, "5_operands",
        help = "write the predicate without `.any` or `.all`"
}

/// Checks the predicate of one instruction.
pub fn check(view: &View, sink: &mut Sink) {
    let Some(predicate) = view.instruction.predicate else { return };
    let cx = view.cx;
    let n_elements = cx.program.n_elements(predicate.variable, 32);
    let name = cx.program.variable_name(predicate.variable);
    let declared = cx.program.variable_spans[predicate.variable].n_elements;
    if predicate.control != PredicateControl::PerLane {
        if n_elements == 1 {
            let message = format!("`{name}` has one element, so that `.any` and `.all` change nothing");
            sink.report(
                Diagnostic::new(&USELESS_ANY_ALL, view.spans.predicate, message).also(declared, "one element here"),
            );
        }
        return;
    }
    if view.row.flow != Flow::Jump || n_elements < 2 {
        return;
    }
    let object = &cx.program.objects[cx.program.object_of(view.index)];
    let fits_kernel = simd_size(cx, object) == Some(i64::from(n_elements));
    let fused = cx.failing(|p| *p >= Platform::TGLLP && *p <= Platform::ARL);
    let is_error = has_cm_target(cx, object) && !fits_kernel && cx.concerns(fused);
    let message = format!("`{name}` has {n_elements} elements, and `jmp` tests the first one only");
    let diagnostic = Diagnostic::new(&WIDE_BRANCH_PREDICATE, view.spans.predicate, message)
        .also(declared, format!("{n_elements} elements here"))
        .help("write `.any` or `.all` after the predicate, or use one with a single element");
    if is_error {
        sink.report(diagnostic.note(format!("{} the branch becomes a `goto` that takes every element", fused.on())));
    } else {
        sink.report(diagnostic.level(Level::Warning));
    }
}
