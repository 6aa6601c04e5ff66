//! Values for which an operation has no result.

use crate::base::diagnostic::Diagnostic;
use crate::base::rule::Level;
use crate::checks::context::{Sink, View};
use crate::checks::table;
use crate::checks::table::types::operand_type;
use crate::checks::table::value::VALUE_OUT_OF_RANGE;
use crate::program::Operand;
use crate::spec::OperandName;
use crate::spec::operation::Operation;

crate::declare_rule! {
    /// An integer division, or a remainder, by an immediate zero. The result is undefined.
    ///
    /// ```visa bad
    /// // platform: SKL
    /// div (M1, 8) VD(0,0)<1> VD(1,0)<8;8,1> 0x0:d
    /// ```
    /// ```visa good
    /// // platform: SKL
    /// div (M1, 8) VD(0,0)<1> VD(1,0)<8;8,1> 0x3:d
    /// ```
    pub DIVISION_BY_ZERO = "division-by-zero", Warning, "5_instruction_set",
        help = "divide by another number, or branch around the division"
}

/// Reports an integer divisor that is zero.
pub fn division(view: &View, sink: &mut Sink) {
    let Some((&Operand::Immediate { bits: 0, element_type }, spans)) = view.operand(OperandName::SRC1) else { return };
    if !element_type.is_float() {
        let what = if view.row.operation == Some(Operation::Div) { "a division" } else { "a remainder" };
        sink.report(
            Diagnostic::new(&DIVISION_BY_ZERO, spans.whole, format!("{what} by zero is undefined"))
                .note(table::document(view)),
        );
    }
}

/// Reports a field of more than 31 bits, or one that begins beyond them.
pub fn bit_field(view: &View, sink: &mut Sink) {
    for (name, what) in [(OperandName::SRC0, "width"), (OperandName::SRC1, "offset")] {
        let Some((&Operand::Immediate { bits, element_type }, spans)) = view.operand(name) else { continue };
        let number = bits as i64;
        if element_type.is_integer() && !(0..32).contains(&number) {
            let message = format!("the {what} `{}` of a field is taken as {}", view.text(spans.whole), number & 31);
            sink.report(
                Diagnostic::new(&VALUE_OUT_OF_RANGE, spans.whole, message)
                    .level(Level::Warning)
                    .label("expected 0 to 31")
                    .note(table::document(view)),
            );
        }
    }
}

/// Reports a count that is greater than the number of bits.
pub fn shift(view: &View, sink: &mut Sink) {
    let Some((&Operand::Immediate { bits, element_type }, spans)) = view.operand(OperandName::SRC1) else { return };
    if !element_type.is_integer() {
        return;
    }
    let Some(width) =
        super::destination(view).and_then(|(operand, _, _)| operand_type(view, operand)).map(crate::spec::Type::bytes)
    else {
        return;
    };
    let n_bits = if width == 8 { 64 } else { 32 };
    let count = bits as i64;
    if !(0..n_bits).contains(&count) {
        let used = count & (n_bits - 1);
        let message = format!("a shift by `{}` is a shift by {used}", view.text(spans.whole));
        sink.report(
            Diagnostic::new(&VALUE_OUT_OF_RANGE, spans.whole, message)
                .level(Level::Warning)
                .label(format!("expected 0 to {}", n_bits - 1))
                .note(table::document(view)),
        );
    }
}
