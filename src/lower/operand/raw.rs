//! Raw operands: a variable and a byte offset.

use super::{Named, WRONG_OPERAND_FORM};
use crate::base::diagnostic::Diagnostic;
use crate::base::span::Span;
use crate::lower::Lowering;
use crate::lower::expression::clamp;
use crate::program::operand::Operand;
use crate::program::variable::VariableId;
use crate::spec::instruction::{KindSet, OperandKind, OperandSlot};
use crate::spec::predefined::VariableKind;
use crate::syntax::number;
use crate::syntax::tree::{Arguments, Item};

crate::declare_rule! {
    /// A raw operand without its byte offset. Outside LSC messages the offset is mandatory, also when it is 0.
    ///
    /// ```visa bad
    /// gather4_scaled.R (M1, 8) T6 0x0:ud VUD VUD.64
    /// ```
    /// ```visa good
    /// gather4_scaled.R (M1, 8) T6 0x0:ud VUD.0 VUD.64
    /// ```
    pub MISSING_RAW_OFFSET = "missing-raw-offset", Error, "8_appendix_visa_assembly_syntax"
}

crate::declare_rule! {
    /// A raw operand `%null` is written `%null.0`: without its offset it is not read, and no other offset exists.
    ///
    /// ```visa bad
    /// gather4_typed.R (M1, 8) T6 VUD.0 %null %null.0 %null.0 VUD.64
    /// ```
    /// ```visa good
    /// gather4_typed.R (M1, 8) T6 VUD.0 %null.0 %null.0 %null.0 VUD.64
    /// ```
    pub MALFORMED_NULL = "malformed-null", Error, "8_appendix_visa_assembly_syntax"
}

crate::declare_rule! {
    /// A byte offset of a raw operand below 0 or above 65535. Assemblers keep 16 bits of it, so that 65536 and negative
    /// numbers mean another place, and refuse larger ones.
    ///
    /// ```visa bad
    /// gather4_scaled.R (M1, 8) T6 0x0:ud VUD.65536 VUD.64
    /// ```
    /// ```visa good
    /// gather4_scaled.R (M1, 8) T6 0x0:ud VUD.0 VUD.64
    /// ```
    pub WRAPPING_OFFSET = "wrapping-offset", Error, "5_operands"
}

impl Lowering<'_> {
    /// `V.64`, `V.(2 * 32)`
    pub(super) fn raw(
        &mut self,
        slot: &'static OperandSlot,
        item: &Item,
        named: Named,
        arguments: Arguments,
    ) -> Option<Operand> {
        let Named { name, variable, kind } = named;
        let offset = match arguments {
            Arguments::Offset(span) => {
                let number = number::dotted(span.of(self.text));
                number.written.min(i64::MAX as u64) as i64
            }
            Arguments::OffsetExpr(e) => self.constant(e)?,
            _ => 0,
        };
        if variable == VariableId::NULL && (offset != 0 || matches!(arguments, Arguments::OffsetExpr(_))) {
            let message = format!("`{}` is not an operand: `%null` takes the offset 0 only", item.span.of(self.text));
            self.report(Diagnostic::new(&MALFORMED_NULL, item.span, message).replace(item.span, "%null.0", true));
            return None;
        }
        if slot.kinds.contains(OperandKind::Raw) || slot.kinds.contains(OperandKind::LscRegister) {
            self.need_general(named, slot)?;
            self.check_raw_offset(Span::new(name.end, item.span.end), offset)?;
        } else if slot.kinds.intersects(KindSet::of(&[OperandKind::Surface, OperandKind::Sampler]))
            && matches!(kind, VariableKind::Surface | VariableKind::Sampler)
        {
            let span = Span::new(name.end, item.span.end);
            let message =
                format!("`{}` takes no offset: a surface or sampler stands by its name alone", name.of(self.text));
            self.report(Diagnostic::new(&WRONG_OPERAND_FORM, span, message).replace(span, "", true));
            return None;
        }
        Some(Operand::Raw { variable, byte_offset: clamp(offset) })
    }

    /// Reports the byte offset of a raw operand that does not fit 16 bits; no later check sees the operand.
    pub(in crate::lower) fn check_raw_offset(&mut self, span: Span, offset: i64) -> Option<()> {
        if (0..=0xffff).contains(&offset) {
            return Some(());
        }
        let message = format!("the byte offset {offset} of a raw operand does not fit 16 bits");
        let mut diagnostic = Diagnostic::new(&WRAPPING_OFFSET, span, message);
        if offset <= 0x1_0000 {
            diagnostic = diagnostic.note(format!("assemblers read it as {}", offset & 0xffff));
        }
        self.report(diagnostic.label("expected 0 to 65535"));
        None
    }

    /// `V.0/2`
    pub(super) fn with_length(
        &mut self,
        slot: &'static OperandSlot,
        item: &Item,
        variable: VariableId,
        arguments: Arguments,
    ) -> Option<Operand> {
        let length = self.constant(item.length?)?;
        let byte_offset = match arguments {
            Arguments::None => 0,
            Arguments::Offset(span) => number::dotted(span.of(self.text)).written.min(i64::MAX as u64) as i64,
            Arguments::OffsetExpr(e) => self.constant(e)?,
            _ => {
                self.report_form(slot, item);
                return None;
            }
        };
        Some(Operand::WithLength { variable, byte_offset: clamp(byte_offset), length: clamp(length) })
    }
}
