//! Keys `exec_sizes` and `no_mask`.

use crate::base::diagnostic::Diagnostic;
use crate::base::rule::Level;
use crate::checks::context::{Sink, View};
use crate::checks::kernel::is_in_media_kernel;
use crate::spec::family::Check;
use crate::spec::instruction::{Execution, NoMask, Sizes};
use crate::spec::{Platform, PlatformSet};

crate::declare_rule! {
    /// An execution size, or number of blocks, that the instruction does not have.
    ///
    /// ```visa bad
    /// scatter4_scaled.R (M1, 32) T6 0x0:ud VUD.0 VUD.256
    /// ```
    /// ```visa good
    /// scatter4_scaled.R (M1, 16) T6 0x0:ud VUD.0 VUD.256
    /// ```
    pub UNSUPPORTED_EXEC_SIZE = "unsupported-exec-size", Error | Warning, "3_execution_model",
        help = "split the instruction, or choose another number of blocks"
}

crate::declare_rule! {
    /// An instruction that ignores the execution mask, or must not be masked, without `_NM` in its mask.
    ///
    /// ```visa bad
    /// // platform: PVCXT
    /// srnd (M1, 16) VHF(0,0)<1> VF(0,0)<1;1,0> VUW(0,0)<1;1,0>
    /// ```
    /// ```visa good
    /// // platform: PVCXT
    /// srnd (M1_NM, 16) VHF(0,0)<1> VF(0,0)<1;1,0> VUW(0,0)<1;1,0>
    /// ```
    pub MISSING_NO_MASK = "missing-no-mask", Error | Warning | Pedantic, "3_execution_model",
        help = "write the mask with `_NM`, as in `M1_NM`"
}

/// The sizes that are legal on a platform.
fn legal_on(view: &View, platform: Platform) -> Sizes {
    let row = view.row;
    row.exec_sizes_by_platform
        .iter()
        .filter(|x| x.platforms.contains(platform))
        .fold(row.exec_sizes.legal, |sizes, x| sizes.or(x.value))
}

/// Whether no platform in question refuses the execution size. Faults that follow from a wrong size are not reported.
#[must_use]
pub fn is_supported(view: &View) -> bool {
    let (size, sizes) = (view.exec_size(), &view.row.exec_sizes);
    let known = sizes.legal.or(sizes.seen).or(sizes.tolerated);
    !view.instruction.has_exec
        || known.contains(size)
        || !view.cx.concerns(view.cx.failing(|p| !legal_on(view, *p).contains(size)))
}

/// Checks the execution size against the row.
pub fn check(view: &View, sink: &mut Sink) {
    let instruction = view.instruction;
    if !instruction.has_exec {
        return;
    }
    no_mask(view, sink);
    let size = view.exec_size();
    let sizes = &view.row.exec_sizes;
    if sizes.legal.contains(size) {
        return;
    }
    // The form in which the source is taken as bits exists for media kernels.
    let is_of_media = || view.row.has(Check::PredicateFromBits) && is_in_media_kernel(view);
    if sizes.tolerated.contains(size) && is_of_media() {
        return;
    }
    let failing = view.cx.failing(|p| !legal_on(view, *p).contains(size));
    let level = if sizes.seen.contains(size) {
        Level::Pedantic
    } else if sizes.tolerated.contains(size) {
        Level::Warning
    } else {
        Level::Error
    };
    sink.report_on(view.cx, failing, || {
        let mnemonic = view.row.mnemonic;
        let noun = if view.row.execution == Execution::BlockCount { "a block count" } else { "an execution size" };
        let everywhere = legal_everywhere(view, failing);
        let message = match level {
            Level::Error => format!("`{mnemonic}` does not take {noun} of {size}"),
            _ => format!("`{mnemonic}` should not have {noun} of {size}"),
        };
        let mut diagnostic = Diagnostic::new(&UNSUPPORTED_EXEC_SIZE, view.spans.size, message).level(level);
        if !everywhere.is_empty() {
            diagnostic = diagnostic.label(format!("expected {}", everywhere.describe()));
        }
        let others: Vec<String> = view
            .row
            .exec_sizes_by_platform
            .iter()
            .filter(|x| x.value.contains(size))
            .map(|x| format!("{size} exists {}", x.platforms.on()))
            .collect();
        for other in others {
            diagnostic = diagnostic.note(other);
        }
        diagnostic.note(super::document(view))
    });
}

fn legal_everywhere(view: &View, platforms: PlatformSet) -> Sizes {
    platforms.iter().map(|p| legal_on(view, p)).reduce(|a, b| Sizes(a.0 & b.0)).unwrap_or(Sizes(0))
}

fn no_mask(view: &View, sink: &mut Sink) {
    if view.instruction.no_mask || view.row.no_mask == NoMask::Free {
        return;
    }
    let level = if view.row.no_mask == NoMask::Required { Level::Error } else { Level::Pedantic };
    let message = format!("`{}` has to ignore the execution mask", view.row.mnemonic);
    sink.report(missing_no_mask(view, message).level(level));
}

/// The finding of an execution mask that has to be ignored.
pub(crate) fn missing_no_mask(view: &View, message: impl Into<String>) -> Diagnostic {
    let mask = view.spans.mask;
    let diagnostic = Diagnostic::new(&MISSING_NO_MASK, view.spans.mask_or_exec(), message);
    if mask.is_empty() { diagnostic } else { diagnostic.replace(mask, format!("{}_NM", view.text(mask)), false) }
}
