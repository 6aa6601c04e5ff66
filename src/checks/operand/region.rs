//! The numbers of regions.

use crate::base::diagnostic::Diagnostic;
use crate::base::rule::Level;
use crate::base::span::Span;
use crate::checks::context::{Sink, View};
use crate::checks::table::types::UNSUPPORTED_TYPE;
use crate::lower::operand::MALFORMED_REGION;
use crate::program::{Operand, OperandSpans, Region, RegionForm};
use crate::spec::Type;
use crate::spec::instruction::OperandSlot;

crate::declare_rule! {
    /// A region with numbers that no region has. A destination has the stride 1, 2 or 4; a source `<v;w,h>` has a vertical
    /// stride of 0, 1, 2, 4, 8, 16 or 32, a width of 1, 2, 4, 8 or 16 that is not greater than the execution size, and a
    /// horizontal stride of 0, 1, 2 or 4. The width of an address operand is 1, 2, 4, 8 or 16. A few instructions want one
    /// region and no other.
    ///
    /// ```visa bad
    /// mov (M1, 8) VD(0,0)<3> VD2(0,0)<8;8,1>
    /// ```
    /// ```visa good
    /// mov (M1, 8) VD(0,0)<2> VD2(0,0)<8;8,1>
    /// ```
    pub ILLEGAL_REGION = "illegal-region", Error | Warning | Pedantic, "5_operands"
}

/// Checks the region of one operand; gives whether the elements that it takes are known.
pub fn check(
    view: &View,
    sink: &mut Sink,
    operand: &Operand,
    spans: &OperandSpans,
    slot: &'static OperandSlot,
) -> bool {
    if let Operand::Indirect { element_type, .. } = *operand {
        indirect_type(view, sink, spans, slot, element_type);
    }
    let Some(region) = operand.region() else { return true };
    let place = if spans.region.is_empty() { spans.whole } else { spans.region };
    let is_indirect = matches!(operand, Operand::Indirect { .. });
    if slot.role.writes() {
        destination(view, sink, place, region)
    } else {
        source(view, sink, place, region, slot, is_indirect)
    }
}

fn report(view: &View, sink: &mut Sink, place: Span, what: &str, value: u8, expected: &str) -> bool {
    let written = view.text(place);
    let message = if value == Region::ILLEGAL {
        format!("`{written}` has an illegal {what}")
    } else {
        format!("`{written}` has the {what} {value}")
    };
    sink.report(Diagnostic::new(&ILLEGAL_REGION, place, message).label(format!("expected {expected}")));
    false
}

fn destination(view: &View, sink: &mut Sink, place: Span, region: Region) -> bool {
    if region.form != RegionForm::Stride {
        let written = view.text(place);
        let message = format!("a destination takes one stride, as in `<1>`, not `{written}`");
        sink.report(Diagnostic::new(&MALFORMED_REGION, place, message).replace(place, "<1>", false));
        return false;
    }
    match region.horizontal_stride {
        1 | 2 | 4 => true,
        0 => {
            let diagnostic = Diagnostic::new(&ILLEGAL_REGION, place, "a destination cannot have the stride 0")
                .label("expected 1, 2 or 4")
                .replace(place, "<1>", view.exec_size() == 1);
            sink.report(diagnostic);
            false
        }
        stride => report(view, sink, place, "stride", stride, "1, 2 or 4"),
    }
}

fn source(view: &View, sink: &mut Sink, place: Span, region: Region, slot: &OperandSlot, is_indirect: bool) -> bool {
    if !Region::HORIZONTAL_STRIDES.contains(&region.horizontal_stride) {
        return report(view, sink, place, "horizontal stride", region.horizontal_stride, "0, 1, 2 or 4");
    }
    match region.form {
        RegionForm::Stride if is_indirect => {
            let meant = format!("<{};1,0>", region.horizontal_stride);
            let message = format!("`{}` is not a documented region of a source", view.text(place));
            sink.report(
                Diagnostic::new(&ILLEGAL_REGION, place, message)
                    .level(Level::Warning)
                    .note("assemblers take it for one address with that stride")
                    .replace(place, meant, false),
            );
            return true;
        }
        RegionForm::Full if !Region::VERTICAL_STRIDES.contains(&region.vertical_stride) => {
            return report(view, sink, place, "vertical stride", region.vertical_stride, "0, 1, 2, 4, 8, 16 or 32");
        }
        RegionForm::Full | RegionForm::Rows => {}
        RegionForm::Stride | RegionForm::Absent => return true,
    }
    if !Region::WIDTHS.contains(&region.width) {
        return report(view, sink, place, "width", region.width, "1, 2, 4, 8 or 16");
    }
    let exec_size = view.exec_size();
    // The region of a scalar operand is not used. That of an operand with the key `elements` is reported as ignored.
    let is_used = view.instruction.has_exec && !slot.scalar && slot.elements.is_none();
    if is_used && u32::from(region.width) > exec_size {
        let message =
            format!("`{}` has the width {}, and the execution size is {exec_size}", view.text(place), region.width);
        let diagnostic = Diagnostic::new(&ILLEGAL_REGION, place, message)
            .label("a row cannot be wider than the instruction")
            .also(view.spans.size, "the execution size");
        sink.report(if exec_size == 1 { diagnostic.replace(place, "<0;1,0>", true) } else { diagnostic });
        return false;
    }
    true
}

/// Indirect operands have the types of variables, without the small floats.
fn indirect_type(view: &View, sink: &mut Sink, spans: &OperandSpans, slot: &OperandSlot, t: Type) {
    if t.is_packed() || matches!(t, Type::BOOL | Type::TF32 | Type::BF8 | Type::HF8 | Type::E2M1) {
        let message =
            format!("`{}` has the type `{}`, which no indirect operand can have", view.text(spans.whole), t.text());
        sink.report(
            Diagnostic::new(&UNSUPPORTED_TYPE, spans.whole, message)
                .note(format!("it is the operand {} of `{}`", slot.name, view.row.mnemonic)),
        );
    }
}
