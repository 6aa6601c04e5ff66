//! Fences of the older data ports.

use crate::base::diagnostic::Diagnostic;
use crate::base::rule::Level;
use crate::checks::context::{Sink, View};
use crate::checks::table;
use crate::checks::table::platform::UNSUPPORTED_INSTRUCTION;
use crate::spec::ModifierName;
use crate::spec::family::Check;
use crate::spec::{Platform, PlatformSet};

crate::declare_rule! {
    /// A fence without commit enable (`E`). The manual says that then nothing guarantees that others can see the accesses
    /// before it. Reported with `--pedantic` only, for such fences are common.
    ///
    /// ```visa bad
    /// // pedantic
    /// fence_global
    /// ```
    /// ```visa good
    /// // pedantic
    /// fence_global.E
    /// ```
    pub FENCE_WITHOUT_COMMIT = "fence-without-commit", Pedantic, "FENCE",
        help = "write `E` among the options of the fence"
}

crate::declare_rule! {
    /// An option of a fence that has no effect: on DG2 and later it becomes an LSC fence, which has no instruction, sampler
    /// and constant caches to flush.
    ///
    /// ```visa bad
    /// // platform: DG2
    /// fence_global.ES
    /// ```
    /// ```visa good
    /// // platform: DG2
    /// fence_global.E
    /// ```
    pub IGNORED_FENCE_OPTION = "ignored-fence-option", Warning, "FENCE"
}

/// Bits of the options.
const COMMIT: i32 = 1;
const IGNORED: [(i32, &str); 3] = [(2, "I"), (4, "S"), (8, "C")];

/// Checks one fence.
pub fn check(view: &View, sink: &mut Sink) {
    let Some(slot) = view.row.modifier(ModifierName::OPTIONS) else { return };
    let options = view.modifier(ModifierName::OPTIONS).map_or(0, |m| m.number);
    let place = view.modifier(ModifierName::OPTIONS).map_or(view.spans.mnemonic, |m| m.span);
    let mnemonic = view.row.mnemonic;
    debug_assert!(slot < view.row.modifiers.len());
    if options & COMMIT == 0 {
        let message = format!("without `E` this `{mnemonic}` does not guarantee that others see what was written");
        sink.report(Diagnostic::new(&FENCE_WITHOUT_COMMIT, place, message).note(table::document(view)));
    }
    let dropped: Vec<&str> = IGNORED.iter().filter(|(bit, _)| options & bit != 0).map(|(_, letter)| *letter).collect();
    if !dropped.is_empty() {
        let failing = PlatformSet::since(Platform::DG2);
        sink.report_on(view.cx, failing, || {
            let letters: Vec<String> = dropped.iter().map(|letter| format!("`{letter}`")).collect();
            let verb = if letters.len() == 1 { "is" } else { "are" };
            let message =
                format!("{} of `{}` {verb} ignored from DG2 on", crate::spec::join_and(letters), view.text(place));
            Diagnostic::new(&IGNORED_FENCE_OPTION, place, message).note("the fence becomes an LSC fence there")
        });
    }
    // A bare local fence commits nothing, so that it matters little which memory it is for.
    if view.row.has(Check::LocalFence) && options != 0 {
        let failing = PlatformSet::before(Platform::ICLLP);
        sink.report_on(view.cx, failing, || {
            let message =
                "the choice between `fence_local` and `fence_global` exists from ICLLP on; here both are the same";
            Diagnostic::new(&UNSUPPORTED_INSTRUCTION, view.spans.mnemonic, message)
                .level(Level::Warning)
                .note(table::document(view))
        });
    }
}
