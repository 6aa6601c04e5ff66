//! Keys `predicate` and `saturate`.

use crate::base::diagnostic::Diagnostic;
use crate::base::span::Span;
use crate::checks::context::{Sink, View};
use crate::spec::instruction::Predication;

crate::declare_rule! {
    /// A predicate before an instruction that takes none.
    ///
    /// ```visa bad
    /// (P1) cmp.eq (M1, 8) P2 VD(0,0)<8;8,1> 0x1:d
    /// ```
    /// ```visa good
    /// cmp.eq (M1, 8) P2 VD(0,0)<8;8,1> 0x1:d
    /// ```
    pub PREDICATE_NOT_ALLOWED = "predicate-not-allowed", Error, "3_execution_model"
}

crate::declare_rule! {
    /// A predicate or `.sat` that assemblers read and then throw away: the instruction runs as if it were not there.
    ///
    /// ```visa bad
    /// (P1) min (M1, 8) VD(0,0)<1> VD(1,0)<8;8,1> 0x1:d
    /// ```
    /// ```visa good
    /// min (M1, 8) VD(0,0)<1> VD(1,0)<8;8,1> 0x1:d
    /// ```
    pub DROPPED_MODIFIER = "dropped-modifier", Error | Warning | Pedantic, "3_execution_model",
        help = "remove it, or compute what it says with an instruction of its own"
}

crate::declare_rule! {
    /// An instruction that needs a predicate and has none.
    ///
    /// ```visa bad
    /// add3.o (M1, 8) VD(0,0)<1> VD(1,0)<8;8,1> VD(2,0)<8;8,1> VD(3,0)<8;8,1>
    /// ```
    /// ```visa good
    /// (P1) add3.o (M1, 8) VD(0,0)<1> VD(1,0)<8;8,1> VD(2,0)<8;8,1> VD(3,0)<8;8,1>
    /// ```
    pub MISSING_PREDICATE = "missing-predicate", Error | Warning | Pedantic, "5_instruction_set",
        help = "write a predicate variable in parentheses before the mnemonic, as in `(P1) ...`"
}

/// Checks the predicate before the instruction, and `.sat`.
pub fn check(view: &View, sink: &mut Sink) {
    let spans = view.spans;
    let mnemonic = view.row.mnemonic;
    let has_predicate = !spans.predicate.is_empty();
    let remove = || Span::new(spans.predicate.start, spans.mnemonic.start);
    match view.row.predicate {
        Predication::Forbidden if has_predicate => sink.report(
            Diagnostic::new(&PREDICATE_NOT_ALLOWED, spans.predicate, format!("`{mnemonic}` takes no predicate"))
                .replace(remove(), "", false),
        ),
        Predication::Dropped if has_predicate => sink.report(
            Diagnostic::new(
                &DROPPED_MODIFIER,
                spans.predicate,
                format!("the predicate `{}` is thrown away: `{mnemonic}` runs without it", view.text(spans.predicate)),
            )
            .replace(remove(), "", false),
        ),
        Predication::Required if !has_predicate => {
            let message = format!("`{mnemonic}` needs a predicate before it");
            sink.report(Diagnostic::new(&MISSING_PREDICATE, spans.mnemonic, message));
        }
        _ => {}
    }
}
