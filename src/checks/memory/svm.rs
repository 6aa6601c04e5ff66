//! Messages to virtual addresses: which blocks go with which execution sizes and types.

use super::payload;
use crate::base::diagnostic::Diagnostic;
use crate::base::rule::Level;
use crate::checks::context::{Sink, View};
use crate::checks::table;
use crate::checks::table::exec_size::UNSUPPORTED_EXEC_SIZE;
use crate::checks::table::modifier::UNSUPPORTED_MODIFIER_VALUE;
use crate::checks::table::types::{UNSUPPORTED_TYPE, operand_type};
use crate::program::Operand;
use crate::spec::ModifierName;
use crate::spec::OperandName;
use crate::spec::{Platform, PlatformSet, Type};

crate::declare_rule! {
    /// Text that older assemblers cannot read. Reported with `--pedantic` only.
    ///
    /// ```visa bad
    /// // pedantic
    /// // platform: PVC
    /// nbarrier.signal 0x1:ub 0x0:uw 0x4:ub 0x4:ub
    /// ```
    /// ```visa good
    /// // pedantic
    /// // platform: PVC
    /// nbarrier.signal 0x1:ub 0x4:ub
    /// nbarrier.wait 0x1:ub
    /// ```
    pub NEWER_SYNTAX = "newer-syntax", Pedantic, "6_instructions"
}

/// Checks one message.
pub fn check(view: &View, sink: &mut Sink) {
    if view.row.modifier(ModifierName::ALIGNMENT).is_some() {
        alignment_word(view, sink);
    } else if view.row.modifier(ModifierName::NUM_BLOCKS).is_some() {
        blocks(view, sink);
    } else {
        base_address(view, sink);
        payload::ambiguous_layout(view, sink);
    }
}

/// `.aligned` and `.unaligned` of block messages.
fn alignment_word(view: &View, sink: &mut Sink) {
    let (Some(word), Some(used)) =
        (view.modifier_word(ModifierName::ALIGNMENT), view.modifier(ModifierName::ALIGNMENT))
    else {
        return;
    };
    if view.row.stores() && word == "unaligned" {
        sink.report(
            Diagnostic::new(
                &UNSUPPORTED_MODIFIER_VALUE,
                used.span,
                "`.unaligned` changes nothing: a store needs an address that is a multiple of 16",
            )
            .level(Level::Pedantic)
            .note(table::document(view))
            .replace(used.span, ".aligned", false),
        );
        return;
    }
    sink.report(
        Diagnostic::new(&NEWER_SYNTAX, used.span, format!("assemblers of text version 4.1 do not know `.{word}`"))
            .note("without `.aligned` or `.unaligned` the manual wants an address that is a multiple of 16, and newer assemblers accept any multiple of 4"),
    );
}

/// Block size and number of blocks of a gather or scatter.
fn blocks(view: &View, sink: &mut Sink) {
    let (Some(size), Some(count)) = (view.modifier(ModifierName::BLOCK_SIZE), view.modifier(ModifierName::NUM_BLOCKS))
    else {
        return;
    };
    let lanes = view.exec_size();
    let mnemonic = view.row.mnemonic;
    if count.number == 8 && size.number == 1 {
        let failing = PlatformSet::one(Platform::TGLLP);
        sink.report_on(view.cx, failing, || {
            let message = format!("`{mnemonic}` has no 8 blocks of one byte {}", failing.on());
            Diagnostic::new(&UNSUPPORTED_MODIFIER_VALUE, count.span, message).note(table::document(view))
        });
    } else if count.number == 8 && size.number == 8 {
        let message = format!("`{mnemonic}` takes 8 blocks of 4 bytes only, not of 8");
        sink.report(
            Diagnostic::new(&UNSUPPORTED_MODIFIER_VALUE, count.span, message)
                .also(size.span, "8 bytes")
                .note(table::document(view)),
        );
    } else if count.number == 8 && size.number == 4 && lanes != 8 && view.instruction.has_exec {
        let message = format!("8 blocks per lane need the execution size 8, not {lanes}");
        sink.report(
            Diagnostic::new(&UNSUPPORTED_EXEC_SIZE, view.spans.size, message)
                .also(count.span, "8 blocks")
                .note(table::document(view)),
        );
    } else if matches!(count.number, 2 | 4) && matches!(size.number, 4 | 8) && lanes < 8 && view.instruction.has_exec {
        // Blocks of one byte are exempt: the compiler prints them with one and two lanes.
        let message = format!("several blocks per lane need an execution size of 8 or 16, not {lanes}");
        sink.report(
            Diagnostic::new(&UNSUPPORTED_EXEC_SIZE, view.spans.size, message)
                .also(count.span, format!("{} blocks", count.number))
                .note(table::document(view)),
        );
    }
    if !super::has_errors(view, sink) {
        element_size(view, sink, size.number);
    }
}

/// The elements of the data should be as large as a block. For blocks of one byte the compiler uses dwords.
fn element_size(view: &View, sink: &mut Sink, block_size: i32) {
    if !matches!(block_size, 4 | 8) {
        return;
    }
    let Some((operand, spans, slot)) =
        view.each_operand().find(|(_, _, slot)| matches!(slot.name, OperandName::DST | OperandName::SRC))
    else {
        return;
    };
    let Some(t) = operand_type(view, operand) else { return };
    if !slot.types.legal.contains(t) || t.bytes() == block_size as u32 {
        return;
    }
    let written = view.text(spans.whole);
    let message = format!(
        "`{written}` has elements of {}, but the blocks have {block_size} bytes",
        super::counted(t.bytes().into(), "byte")
    );
    let diagnostic = Diagnostic::new(&UNSUPPORTED_TYPE, spans.whole, message)
        .level(Level::Warning)
        .label(format!("type `{}`", t.text()));
    sink.report(table::declared(view, diagnostic, operand).note(table::document(view)));
}

/// A base address of 32 bits. The compiler prints the base 0 so.
fn base_address(view: &View, sink: &mut Sink) {
    let Some((operand, spans)) = view.operand(OperandName::ADDRESS) else { return };
    if operand_type(view, operand) != Some(Type::UD) || matches!(operand, Operand::Immediate { bits: 0, .. }) {
        return;
    }
    let written = view.text(spans.whole);
    let message = format!("the address `{written}` has the type `ud`, but addresses have 64 bits");
    let mut diagnostic =
        Diagnostic::new(&UNSUPPORTED_TYPE, spans.whole, message).level(Level::Warning).label("expected `uq`");
    if let (Operand::Immediate { .. }, Some(digits)) = (operand, written.split(':').next()) {
        diagnostic = diagnostic.replace(spans.whole, format!("{digits}:uq"), false);
    }
    sink.report(table::declared(view, diagnostic, operand).note(table::document(view)));
}
