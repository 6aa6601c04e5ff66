//! Contiguous blocks: owords of a buffer, rectangles of a 2D surface.

use crate::base::diagnostic::Diagnostic;
use crate::base::rule::Level;
use crate::base::span::Span;
use crate::checks::alu::predicate::IGNORED_EXEC_MASK;
use crate::checks::common::lsc::MISALIGNED_ADDRESS;
use crate::checks::context::{Sink, View};
use crate::checks::table;
use crate::checks::table::surface::UNSUPPORTED_SURFACE;
use crate::program::{Operand, OperandSpans};
use crate::spec::OperandName;
use crate::spec::family::Check;
use crate::spec::instruction::Execution;
use crate::spec::{Platform, PlatformSet};

crate::declare_rule! {
    /// An offset whose unit depends on the version of the text: up to version 3.1, `oword_ld_unaligned` counts dwords, and
    /// from 3.2 on bytes.
    ///
    /// ```visa bad
    /// .version 3.1
    /// .kernel "block"
    /// .decl V32 v_type=G type=ud num_elts=16 align=GRF
    /// .decl T6 v_type=T num_elts=1
    /// .input T6 offset=32 size=4
    /// oword_ld_unaligned (4) T6 0x4:ud V32.0
    /// ret (M1, 1)
    /// ```
    /// ```visa good
    /// oword_ld_unaligned (4) T6 0x4:ud VUD.0
    /// ```
    pub VERSION_DEPENDENT_OFFSET = "version-dependent-offset", Warning, "OWORD_LD_UNALIGNED",
        help = "raise `.version` to 3.2 or later and count bytes, so that the offset means the same everywhere"
}

/// Checks one block message.
pub fn check(view: &View, sink: &mut Sink) {
    if view.row.slot(OperandName::OFFSET).is_some() {
        owords(view, sink);
    } else if view.row.stores() {
        rectangle(view, sink);
    }
}

/// Checks the mask before a number of blocks.
pub fn mask(view: &View, sink: &mut Sink) {
    let mask = view.spans.mask;
    let is_whole = view.instruction.no_mask && view.instruction.mask_offset == 0;
    if view.row.execution != Execution::BlockCount || !view.instruction.has_exec || mask.is_empty() || is_whole {
        return;
    }
    let message = format!("the mask `{}` is thrown away: `{}` moves all blocks", view.text(mask), view.row.mnemonic);
    sink.report(
        Diagnostic::new(&IGNORED_EXEC_MASK, mask, message).level(Level::Warning).note(table::document(view)).replace(
            Span::new(mask.start, view.spans.size.start),
            "",
            true,
        ),
    );
}

fn owords(view: &View, sink: &mut Sink) {
    if let Some((Operand::Handle { variable, .. }, spans)) = view.operand(OperandName::SURFACE) {
        let is_slm = variable.predefined().is_some_and(|p| p.name == "%slm");
        let name = view.text(spans.name);
        let mnemonic = view.row.mnemonic;
        if is_slm {
            let failing = PlatformSet::before(Platform::ICLLP);
            sink.report_on(view.cx, failing, || {
                let message = format!("`{mnemonic}` reaches `{name}` only from ICLLP on");
                Diagnostic::new(&UNSUPPORTED_SURFACE, spans.whole, message).note(table::document(view))
            });
        } else if view.exec_size() == 16 && view.instruction.has_exec {
            // Before XeHP_SDV there are no 16 owords at all, and the count is at fault.
            let failing = PlatformSet::since(Platform::XEHP_SDV);
            sink.report_on(view.cx, failing, || {
                let message = format!("16 owords can only be moved from or to `%slm`, not `{name}`");
                Diagnostic::new(&UNSUPPORTED_SURFACE, spans.whole, message)
                    .also(view.spans.size, "16 owords")
                    .note(table::document(view))
            });
        }
    }
    if view.row.has(Check::VersionedOffset) {
        unaligned(view, sink);
    }
}

/// The value of an integer immediate.
fn integer(operand: &Operand) -> Option<i64> {
    match *operand {
        Operand::Immediate { bits, element_type } if element_type.is_integer() => Some(bits as i64),
        _ => None,
    }
}

/// An offset that need not be a multiple of an oword.
fn unaligned(view: &View, sink: &mut Sink) {
    let Some((operand, spans)) = view.operand(OperandName::OFFSET) else { return };
    let value = integer(operand);
    let written = view.text(spans.whole);
    if let Some((major, minor, place)) = view.cx.program.version.filter(|(major, minor, _)| (*major, *minor) < (3, 2)) {
        if value == Some(0) {
            return;
        }
        sink.report(
            Diagnostic::new(&VERSION_DEPENDENT_OFFSET, spans.whole, format!("the offset `{written}` counts dwords in text of version {major}.{minor}, and bytes from version 3.2 on"))
                .also(place, "the version")
                .note(table::document(view)),
        );
        return;
    }
    aligned(view, sink, value, spans, 4);
}

fn aligned(view: &View, sink: &mut Sink, value: Option<i64>, spans: &OperandSpans, alignment: i64) {
    if value.is_none_or(|value| value.rem_euclid(alignment) == 0) {
        return;
    }
    let written = view.text(spans.whole);
    let message = format!("the offset `{written}` is not a multiple of {alignment} bytes");
    sink.report(Diagnostic::new(&MISALIGNED_ADDRESS, spans.whole, message).note(table::document(view)));
}

/// `x_offset` of a store is in dwords, although it counts bytes.
pub fn rectangle(view: &View, sink: &mut Sink) {
    let Some((operand, spans)) = view.operand(OperandName::X_OFFSET) else { return };
    aligned(view, sink, integer(operand), spans, 4);
}
