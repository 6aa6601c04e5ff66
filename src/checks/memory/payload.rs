//! How the registers of a message are laid out, and whether two of its operands share some.

use crate::base::diagnostic::Diagnostic;
use crate::checks::context::{Sink, View};
use crate::checks::table;
use crate::checks::table::bytes::raw_start;
use crate::checks::table::types::operand_type;
use crate::program::{Operand, VariableId};
use crate::spec::OperandName;
use crate::spec::instruction::{AccessKind, Memory, OperandSlot};

crate::declare_rule! {
    /// Eight lanes with several channels where registers have 64 bytes. The manual gives each channel a register of its
    /// own; the reference packs the channels 32 bytes apart for typed and virtual-address messages. With 16 lanes both
    /// agree.
    ///
    /// ```visa bad
    /// // platform: PVC
    /// svm_scatter4scaled.RG (M1, 8) VUQ(0,0)<0;1,0> VUQ.128 VF.0
    /// ```
    /// ```visa good
    /// // platform: PVC
    /// svm_scatter4scaled.RG (M1, 16) VUQ(0,0)<0;1,0> VUQ.128 VF.0
    /// ```
    pub AMBIGUOUS_PAYLOAD_LAYOUT = "ambiguous-payload-layout", Warning, "SVM_SCATTER4_SCALED"
}

crate::declare_rule! {
    /// The destination of a message shares some registers with one of its sources, but not all. Some platforms may write
    /// the first results before they have read the last source.
    ///
    /// ```visa bad
    /// gather4_scaled.RGBA (M1, 16) T6 0x0:ud VUD.64 VUD.0
    /// ```
    /// ```visa good
    /// gather4_scaled.RGBA (M1, 16) T6 0x0:ud VUD.256 VUD.0
    /// ```
    pub OVERLAPPING_PAYLOADS = "overlapping-payloads", Warning | Pedantic, "GATHER4_SCALED",
        help = "use another variable for the result, or all of the registers of the source: results may arrive before the source is read"
}

crate::declare_rule! {
    /// An execution size below that of the hardware message. The message is rounded up to 16 lanes (8 where registers have
    /// 32 bytes) with the surplus lanes switched off: it takes more registers than the text shows.
    ///
    /// ```visa bad
    /// // platform: PVC
    /// qw_scatter.1 (M1, 8) T6 VUD.0 VUQ.0
    /// ```
    /// ```visa good
    /// // platform: PVC
    /// qw_scatter.1 (M1, 16) T6 VUD.0 VUQ.0
    /// ```
    pub ROUNDED_EXEC_SIZE = "rounded-exec-size", Warning, "QW_SCATTER"
}

/// Checks a message that has one block of registers per enabled channel.
pub fn ambiguous_layout(view: &View, sink: &mut Sink) {
    if !view.instruction.has_exec || view.exec_size() != 8 {
        return;
    }
    let channels = view.modifiers.first().filter(|_| view.channel_mask().is_some_and(|mask| mask.count_ones() > 1));
    let Some(channels) = channels else { return };
    let failing = view.cx.failing_grf(|grf_bytes| grf_bytes == 64);
    sink.report_on(view.cx, failing, || {
        let written = view.text(channels.span);
        Diagnostic::new(
            &AMBIGUOUS_PAYLOAD_LAYOUT,
            channels.span,
            format!("where the second channel of `{written}` lies is not certain with 8 lanes and 64-byte registers"),
        )
        .label("64 bytes apart says the manual, 32 the reference")
        .also(view.spans.size, "8 lanes")
        .help("use 16 lanes, or one channel at a time")
    });
}

/// Checks a message whose execution size is rounded up to that of the hardware.
pub fn rounded_size(view: &View, sink: &mut Sink) {
    if !view.instruction.has_exec {
        return;
    }
    // A payload of other than qword elements is laid out by hand, register by register.
    let is_qword = [OperandName::SRC, OperandName::DST]
        .into_iter()
        .filter_map(|name| view.operand(name))
        .any(|(o, _)| operand_type(view, o).is_some_and(|t| t.bytes() == 8));
    let size = view.exec_size();
    if !is_qword || !view.row.exec_sizes.legal.contains(size) {
        return;
    }
    let failing = view.cx.failing_grf(|grf_bytes| size < grf_bytes / 4);
    sink.report_on(view.cx, failing, || {
        let native = failing.grf_sizes().next().unwrap_or(32) / 4;
        Diagnostic::new(
            &ROUNDED_EXEC_SIZE,
            view.spans.size,
            format!("`{}` sends {native} lanes, also with an execution size of {size}", view.row.mnemonic),
        )
        .label(format!("the lanes from {size} on are switched off"))
        .note(table::document(view))
    });
}

/// The variable at the end of the aliases, and the bytes of it that a raw operand takes.
fn range(view: &View, operand: &Operand, slot: &OperandSlot, grf_bytes: u32) -> Option<(VariableId, i64, i64)> {
    let (variable, start) = raw_start(view, operand, grf_bytes)?;
    let row = &view.cx.program.variables[variable];
    let bytes = view.evaluate(slot.bytes?, grf_bytes, row.element_bytes())?;
    let start = start + i64::from(row.root_offset);
    (bytes > 0).then_some((row.root, start, start + bytes))
}

/// Checks whether the destination of a scattered read lies partly on one of its sources. To read in place is fine.
pub fn overlap(view: &View, sink: &mut Sink) {
    let reads = |memory| matches!(memory, Memory::Surface | Memory::Typed | Memory::Svm);
    if !view.row.accesses.iter().any(|access| access.kind == AccessKind::Read && reads(access.memory)) {
        return;
    }
    let Some((dst, dst_spans, dst_slot)) = view.each_operand().find(|(_, _, slot)| slot.role.writes()) else { return };
    for (source, spans, slot) in view.each_operand().filter(|(_, _, slot)| !slot.role.writes()) {
        let failing = view.cx.failing_grf(|grf_bytes| {
            let ranges = (range(view, dst, dst_slot, grf_bytes), range(view, source, slot, grf_bytes));
            let (Some((root, start, end)), Some((other_root, other_start, other_end))) = ranges else { return false };
            root == other_root && start < other_end && other_start < end && (start, end) != (other_start, other_end)
        });
        sink.report_on(view.cx, failing, || {
            let (written, source) = (view.text(dst_spans.whole), view.text(spans.whole));
            Diagnostic::new(
                &OVERLAPPING_PAYLOADS,
                dst_spans.whole,
                format!("the destination `{written}` overwrites a part of the source `{source}` of the same message"),
            )
            .also(spans.whole, format!("this is the operand {}", slot.name))
        });
    }
}
