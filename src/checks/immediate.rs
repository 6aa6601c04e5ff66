//! Immediates: whether the value is the one that is written.

use super::alu;
use super::context::{Sink, View};
use super::table;
use crate::base::diagnostic::Diagnostic;
use crate::base::rule::Level;
use crate::lower::operand::INVALID_IMMEDIATE;
use crate::program::{Operand, OperandSpans, SourceModifier};
use crate::spec::Type;
use crate::spec::family::Family;
use crate::spec::instruction::{Custom, OperandSlot};

crate::declare_rule! {
    /// An immediate that does not fit its type: the bits beyond it are dropped. Hexadecimal numbers may be the bit pattern
    /// of a negative one, also with its sign extended to 32 bits, as disassemblers print it (`0xfffffffb:w` is -5).
    ///
    /// ```visa bad
    /// mov (M1, 16) VUB(0,0)<1> 300:ub
    /// ```
    /// ```visa good
    /// mov (M1, 16) VUB(0,0)<1> 200:ub
    /// ```
    pub TRUNCATED_IMMEDIATE = "truncated-immediate", Warning, "5_operands"
}

crate::declare_rule! {
    /// A packed immediate with fewer elements than there are lanes: `:v` and `:uv` hold eight, `:vf` four. The manual leaves
    /// undefined what the other lanes get; hardware begins again.
    ///
    /// ```visa bad
    /// mov (M1, 16) VW(0,0)<1> 0x76543210:v
    /// ```
    /// ```visa good
    /// mov (M1, 8) VW(0,0)<1> 0x76543210:v
    /// ```
    pub PACKED_IMMEDIATE_TOO_SHORT = "packed-immediate-too-short", Warning, "5_operands"
}

crate::declare_rule! {
    /// A minus that may not mean what it seems to mean: before the bit pattern of a float it flips the sign of the float,
    /// and before an unsigned source it gives the two's complement.
    ///
    /// ```visa bad
    /// mov (M1, 16) VF(0,0)<1> -0x3f800000:f
    /// ```
    /// ```visa good
    /// mov (M1, 16) VF(0,0)<1> 0xbf800000:f
    /// ```
    pub SUSPICIOUS_NEGATION = "suspicious-negation", Pedantic, "2_datatypes",
        help = "use a signed type if the negative number is meant"
}

crate::declare_rule! {
    /// An instruction that computes a constant: all of its sources are immediates. One `mov` does the same.
    ///
    /// ```visa bad
    /// add (M1, 16) VD(0,0)<1> 0x1:d 0x2:d
    /// ```
    /// ```visa good
    /// mov (M1, 16) VD(0,0)<1> 0x3:d
    /// ```
    pub CONSTANT_INSTRUCTION = "constant-instruction", Pedantic, "5_instruction_set"
}

crate::declare_rule! {
    /// An immediate of more than 16 bits in an instruction with three sources. The hardware has none there: it is first
    /// moved to a register.
    ///
    /// ```visa bad
    /// // platform: DG2
    /// add3 (M1, 8) VUD(0,0)<1> VUD(1,0)<8;8,1> VUD(2,0)<8;8,1> 0x12345:ud
    /// ```
    /// ```visa good
    /// // platform: DG2
    /// add3 (M1, 8) VUD(0,0)<1> VUD(1,0)<8;8,1> VUD(2,0)<8;8,1> 0x1234:uw
    /// ```
    pub WIDE_IMMEDIATE = "wide-immediate", Pedantic, "5_instruction_set",
        help = "move the number to a variable once, and use the variable"
}

/// Checks the immediates of one instruction, and negated sources.
pub fn check(view: &View, sink: &mut Sink) {
    let is_alu = view.row.custom == Some(Custom::Alu);
    for (operand, spans, slot) in view.each_operand() {
        match *operand {
            Operand::Immediate { bits, element_type } => {
                // With a type that cannot stand there, its value means nothing.
                if table::types::is_refused(view, operand, slot) {
                    continue;
                }
                // A number beyond the bounds of the operand is reported for that.
                if element_type.is_integer() && slot.maximum.is_some_and(|most| bits as i64 > most) {
                    continue;
                }
                truncated(view, sink, spans, bits, element_type);
                if is_alu && !slot.scalar {
                    packed(view, sink, spans, element_type);
                }
            }
            Operand::General { modifier: SourceModifier::Negate | SourceModifier::NegateAbsolute, .. }
            | Operand::Indirect { modifier: SourceModifier::Negate | SourceModifier::NegateAbsolute, .. }
                if is_alu =>
            {
                negated(view, sink, operand, spans, slot);
            }
            _ => {}
        }
    }
    if is_alu && sink.wants(&CONSTANT_INSTRUCTION, Level::Pedantic) {
        constant(view, sink);
        wide(view, sink);
    }
}

fn truncated(view: &View, sink: &mut Sink, spans: &OperandSpans, bits: u64, t: Type) {
    let digits = view.text(spans.name).trim();
    let is_hex = digits.contains(['x', 'X']);
    if t.is_float() && is_hex && digits.starts_with('-') {
        let message = format!("the minus in `{}` flips the sign of the float", view.text(spans.whole));
        sink.report(
            Diagnostic::new(&SUSPICIOUS_NEGATION, spans.whole, message)
                .level(Level::Pedantic)
                .note("the number after it is a bit pattern"),
        );
    }
    if t == Type::HF && bits > 0xffff {
        let message = format!("`{}` does not fit 16 bits", view.text(spans.whole));
        sink.report(
            Diagnostic::new(&INVALID_IMMEDIATE, spans.whole, message)
                .note("a half-float immediate is a bit pattern of at most four hexadecimal digits"),
        );
        return;
    }
    if fits(bits, t, is_hex) {
        return;
    }
    let left = if t.bytes() >= 8 { bits } else { bits & ((1 << (t.bytes() * 8)) - 1) };
    let read = if t.is_signed() && left >> (t.bytes() * 8 - 1) & 1 == 1 {
        format!("-{:#x}", (1u64 << (t.bytes() * 8)) - left)
    } else {
        format!("{left:#x}")
    };
    let message = format!("`{}` does not fit its type and is read as {read}", view.text(spans.whole));
    sink.report(Diagnostic::new(&TRUNCATED_IMMEDIATE, spans.whole, message).label(format!(
        "`{}` has {} bits",
        t.text(),
        t.bytes() * 8
    )));
}

/// Whether the bits are a value of the type: an unsigned number or a negative one, and in hexadecimal also the bit pattern
/// of a negative one with its sign extended to 32 bits.
fn fits(bits: u64, t: Type, is_hex: bool) -> bool {
    let width = t.bytes() * 8;
    if width >= 64 {
        return true;
    }
    let (value, least, beyond) = (bits as i64, -1i64 << (width - 1), 1i64 << width);
    if t.is_float() {
        return bits >> width == 0;
    }
    if t.is_signed() && !is_hex {
        return (least..-least).contains(&value);
    }
    let extended = i64::from(bits as u32 as i32);
    (least..beyond).contains(&value) || u32::try_from(bits).is_ok() && (least..0).contains(&extended)
}

fn packed(view: &View, sink: &mut Sink, spans: &OperandSpans, t: Type) {
    if !t.is_packed() {
        return;
    }
    let n = if t == Type::VF { 4 } else { 8 };
    let size = view.exec_size();
    if size > n {
        let message = format!("`{}` has {n} elements, and there are {size} lanes", view.text(spans.whole));
        sink.report(
            Diagnostic::new(&PACKED_IMMEDIATE_TOO_SHORT, spans.whole, message)
                .also(view.spans.size, "the execution size")
                .note("what the other lanes get is undefined; hardware begins again with the first element"),
        );
    }
}

fn negated(view: &View, sink: &mut Sink, operand: &Operand, spans: &OperandSpans, slot: &OperandSlot) {
    let is_unsigned = table::types::operand_type(view, operand).is_some_and(|t| t.is_integer() && !t.is_signed());
    let takes_part =
        matches!(view.row.family, Family::Arithmetic | Family::Selection | Family::Comparison | Family::Move);
    if is_unsigned && takes_part && slot.source_modifiers != crate::spec::instruction::SourceModifiers::None {
        let message = format!("`{}` is unsigned: its negation is the two's complement", view.text(spans.whole));
        sink.report(Diagnostic::new(&SUSPICIOUS_NEGATION, spans.whole, message).level(Level::Pedantic));
    }
}

fn constant(view: &View, sink: &mut Sink) {
    if !matches!(view.row.family, Family::Arithmetic | Family::Logic) || view.instruction.is_broken {
        return;
    }
    let mut sources = alu::sources(view);
    let Some((Operand::Immediate { .. }, spans, _)) = sources.next() else { return };
    if sources.all(|(operand, _, _)| matches!(operand, Operand::Immediate { .. })) {
        let message = format!("all sources of this `{}` are immediates: its result is a constant", view.row.mnemonic);
        sink.report(
            Diagnostic::new(&CONSTANT_INSTRUCTION, spans.whole, message).level(Level::Pedantic).help("write a `mov`"),
        );
    }
}

fn wide(view: &View, sink: &mut Sink) {
    let Some(n_bits) = view.row.immediate_bits else { return };
    for (operand, spans, _) in alu::sources(view) {
        let Operand::Immediate { bits, element_type } = *operand else { continue };
        let value = bits as i64;
        let is_short = if element_type.is_integer() {
            let (least, beyond) = (-1i64 << (n_bits - 1), 1i64 << n_bits);
            (least..beyond).contains(&value) || (least..0).contains(&i64::from(bits as u32 as i32))
        } else {
            8 * element_type.bytes() <= n_bits
        };
        if !is_short {
            let message =
                format!("`{}` has more than {n_bits} bits and is first moved to a register", view.text(spans.whole));
            sink.report(Diagnostic::new(&WIDE_IMMEDIATE, spans.whole, message).level(Level::Pedantic));
        }
    }
}
