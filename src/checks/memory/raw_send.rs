//! Raw sends: what an immediate descriptor says against the registers that are written beside it.

use crate::base::diagnostic::Diagnostic;
use crate::base::span::Span;
use crate::checks::context::{Context, Sink, View};
use crate::checks::table;
use crate::checks::table::bytes::{OPERAND_OUT_OF_BOUNDS, declared, raw_start};
use crate::checks::table::value::VALUE_OUT_OF_RANGE;
use crate::program::{Object, Operand, OperandSpans};
use crate::spec;
use crate::spec::ModifierName;
use crate::spec::OperandName;
use crate::spec::instruction::Custom;
use crate::spec::instruction::OperandKind;
use crate::spec::{Platform, PlatformSet};

crate::declare_rule! {
    /// A message descriptor whose lengths do not fit the registers that stand beside it. The message length (bits 28 to 25)
    /// counts the registers of the first payload, the response length (bits 24 to 20) those of the destination, and the
    /// extended descriptor's bits 10 to 6 those of the second payload. Hardware obeys the descriptor.
    ///
    /// ```visa bad
    /// raw_send (M1, 8) 0xa 1 1 0x04180200:ud VUD.0 VUD.64
    /// ```
    /// ```visa good
    /// raw_send (M1, 8) 0xa 1 1 0x02180200:ud VUD.0 VUD.64
    /// ```
    pub DESCRIPTOR_MISMATCH = "descriptor-mismatch", Error | Warning, "RAW_SEND"
}

crate::declare_rule! {
    /// A message that ends the thread by bit 5 of its extended descriptor, which is easily overlooked: nothing after it
    /// runs.
    ///
    /// ```visa bad
    /// raw_send (M1, 8) 0x2a 1 0 0x02080200:ud VUD.0 %null.0
    /// ```
    /// ```visa good
    /// raw_send (M1, 8) 0xa 1 0 0x02080200:ud VUD.0 %null.0
    /// ```
    pub HIDDEN_END_OF_THREAD = "hidden-end-of-thread", Warning, "RAW_SEND"
}

crate::declare_rule! {
    /// An extended descriptor whose bits 15 to 12 are 0xB. Xe2 does something else with these (workaround 14020375314), and
    /// the reference refuses them.
    ///
    /// ```visa bad
    /// // platform: XE2
    /// raw_sends.10.1.1.1 (M1, 8) 0xb04a:ud 0x02180200:ud VUD.0 VUD.64 VUD.128
    /// ```
    /// ```visa good
    /// // platform: XE2
    /// raw_sends.10.1.1.1 (M1, 8) 0x4a:ud 0x02180200:ud VUD.0 VUD.64 VUD.128
    /// ```
    pub RESERVED_DESCRIPTOR_BITS = "reserved-descriptor-bits", Warning, "RAW_SENDS",
        help = "choose other bits: the hardware gives this value another meaning"
}

crate::declare_rule! {
    /// `raw_send` or `raw_sends` in one kernel with `raw_sendg`. An assembler knows the one or the other, depending on its
    /// option `-enableEfficient64b`.
    ///
    /// ```visa bad
    /// // platform: XE3P_CRI
    /// raw_sendg.14 (M1, 16) VUD.0/64 VUD.64/64 VUD.128/64 VUQ(0,0)<0;1,0> VUQ(0,1)<0;1,0> 0x0
    /// raw_sends.10.1.1.1 (M1, 8) 0x4a:ud 0x02180200:ud VUD.0 VUD.64 VUD.128
    /// ```
    /// ```visa good
    /// // platform: XE3P_CRI
    /// raw_sendg.14 (M1, 16) VUD.0/64 VUD.64/64 VUD.128/64 VUQ(0,0)<0;1,0> VUQ(0,1)<0;1,0> 0x0
    /// ```
    pub MIXED_SEND_FAMILIES = "mixed-send-families", Error, "RAW_SEND"
}

/// Checks one raw send.
pub fn check(view: &View, sink: &mut Sink) {
    if super::has_errors(view, sink) {
        return;
    }
    if has_lengths(view.row) {
        lengths(view, sink);
    } else if view.row.modifier(ModifierName::NUM_SRC0).is_some() {
        split(view, sink);
    } else {
        single(view, sink);
    }
}

/// Whether each payload carries its length.
fn has_lengths(row: &spec::Instruction) -> bool {
    row.takes(OperandKind::WithLength)
}

/// The bits of an immediate operand.
fn immediate<'a>(view: &View<'a>, name: OperandName) -> Option<(u64, &'a OperandSpans)> {
    match view.operand(name)? {
        (Operand::Immediate { bits, .. }, spans) => Some((*bits, spans)),
        _ => None,
    }
}

fn number<'a>(view: &View<'a>, name: OperandName) -> Option<(i64, &'a OperandSpans)> {
    match view.operand(name)? {
        (Operand::Number { value }, spans) => Some((*value, spans)),
        _ => None,
    }
}

/// Bits `first..=last` of a number.
const fn field(bits: u64, last: u32, first: u32) -> i64 {
    (bits >> first & ((1 << (last - first + 1)) - 1)) as i64
}

/// "1 register", "2 registers".
fn registers(n: i64) -> String {
    super::counted(n, "register")
}

fn mismatch(view: &View, sink: &mut Sink, place: Span, message: String, beside: Span) {
    sink.report(
        Diagnostic::new(&DESCRIPTOR_MISMATCH, place, message)
            .also(beside, "this is the number of registers")
            .note("bits 28 to 25 of the descriptor are the message length, bits 24 to 20 the response length")
            .note(table::document(view)),
    );
}

/// `raw_send`, `raw_sendc`
fn single(view: &View, sink: &mut Sink) {
    let (source, destination) = (number(view, OperandName::NUM_SRC), number(view, OperandName::NUM_DST));
    if let Some((descriptor, spans)) = immediate(view, OperandName::DESCRIPTOR) {
        let written = view.text(spans.whole);
        let (message, response) = (field(descriptor, 28, 25), field(descriptor, 24, 20));
        if let Some((n, place)) = source.filter(|(n, _)| message > *n) {
            let text = format!("the descriptor `{written}` sends {}, but the payload has {n}", registers(message));
            mismatch(view, sink, spans.whole, text, place.whole);
        } else if let Some((n, place)) = destination.filter(|(n, _)| response > *n) {
            let text =
                format!("the descriptor `{written}` returns {}, but the destination has {n}", registers(response));
            mismatch(view, sink, spans.whole, text, place.whole);
        }
    }
    if let Some((value, spans)) =
        number(view, OperandName::EXT_MESSAGE_DESCRIPTOR).filter(|(value, _)| value >> 5 & 1 == 1)
    {
        let written = view.text(spans.whole);
        let message = format!("bit 5 of `{written}` ends the thread with this message");
        sink.report(Diagnostic::new(&HIDDEN_END_OF_THREAD, spans.whole, message).note(table::document(view)).replace(
            spans.whole,
            format!("{:#x}", value & !0x20),
            false,
        ));
    }
}

/// `raw_sends`, `raw_sendsc`, with and without end of thread
fn split(view: &View, sink: &mut Sink) {
    let count = |name| view.modifier(name).map(|m| (i64::from(m.number), m.span));
    let descriptor = immediate(view, OperandName::DESCRIPTOR);
    let extended = immediate(view, OperandName::EXT_MESSAGE_DESCRIPTOR);
    let has_destination = view.operand(OperandName::DST).is_some_and(|(dst, _)| !dst.is_null());
    if let Some((descriptor, spans)) = descriptor {
        let written = view.text(spans.whole);
        let (message, response) = (field(descriptor, 28, 25), field(descriptor, 24, 20));
        if let Some((n, place)) = count(ModifierName::NUM_SRC0).filter(|(n, _)| message != *n) {
            let text = format!("the descriptor `{written}` sends {}, but `src0` has {n}", registers(message));
            mismatch(view, sink, spans.whole, text, place);
        } else if let Some((n, place)) = count(ModifierName::NUM_DST).filter(|(n, _)| has_destination && response > *n)
        {
            let text = format!("the descriptor `{written}` returns {}, but `dst` has {n}", registers(response));
            mismatch(view, sink, spans.whole, text, place);
        }
    }
    let Some((extended, spans)) = extended else { return };
    let written = view.text(spans.whole);
    let length = field(extended, 10, 6);
    if let Some((n, place)) = count(ModifierName::NUM_SRC1).filter(|(n, _)| length > *n) {
        let message = format!("the extended descriptor `{written}` sends {}, but `src1` has {n}", registers(length));
        sink.report(
            Diagnostic::new(&DESCRIPTOR_MISMATCH, spans.whole, message)
                .also(place, "this is the number of registers")
                .note("bits 10 to 6 of the extended descriptor are the length of the second payload")
                .note(table::document(view)),
        );
    }
    if field(extended, 15, 12) == 0xB {
        sink.report_on(view.cx, PlatformSet::one(Platform::XE2), || {
            let message = format!("bits 15 to 12 of `{written}` must not be 0xB on XE2");
            Diagnostic::new(&RESERVED_DESCRIPTOR_BITS, spans.whole, message).note(table::document(view))
        });
    }
}

/// `raw_sendg`: each payload carries its length in bytes.
fn lengths(view: &View, sink: &mut Sink) {
    for (operand, spans, slot) in view.each_operand() {
        let Operand::WithLength { variable, length, .. } = *operand else { continue };
        let grf_bytes = view.cx.any_grf_bytes();
        let most = if slot.role.writes() { 32 } else { 31 };
        let written = view.text(spans.whole);
        if length < 0 || i64::from(length) > most * i64::from(grf_bytes) {
            let message = format!("`{written}`: the operand {} is at most {most} registers long", slot.name);
            sink.report(
                Diagnostic::new(&VALUE_OUT_OF_RANGE, spans.whole, message)
                    .label(format!("at most {} bytes", most * i64::from(grf_bytes))),
            );
            continue;
        }
        let Some((_, start)) = raw_start(view, operand, grf_bytes) else { continue };
        let size = i64::from(view.cx.program.variable_bytes(variable, grf_bytes));
        if start < 0 || length > 0 && start + i64::from(length) > size {
            let verb = if slot.role.writes() { "writes" } else { "reads" };
            let name = view.cx.program.variable_name(variable);
            let message = format!("`{written}` {verb} {length} bytes, {}", table::only_left(name, size - start));
            let diagnostic = Diagnostic::new(&OPERAND_OUT_OF_BOUNDS, spans.whole, message)
                .label(format!("`{name}` has {size} bytes"));
            sink.report(declared(view, diagnostic, operand, start + i64::from(length)));
        }
    }
}

/// Checks the sends of every kernel and function against each other.
pub fn check_program(cx: &Context, sink: &mut Sink) {
    for object in cx.program.objects.iter() {
        families(cx, object, sink);
    }
}

fn families(cx: &Context, object: &Object, sink: &mut Sink) {
    let sends = cx.program.instructions_in(object).filter_map(|(index, instruction)| {
        let row = cx.program.row(instruction).filter(|row| row.custom == Some(Custom::RawSend))?;
        Some((has_lengths(row), cx.program.instruction_spans[index].mnemonic))
    });
    let mut first: Option<(bool, Span)> = None;
    for (is_generic, place) in sends {
        let Some((first_is_generic, earlier)) = first else {
            first = Some((is_generic, place));
            continue;
        };
        if first_is_generic != is_generic {
            let message = format!("`{}` and `{}` do not exist together", cx.text(place), cx.text(earlier));
            sink
                .report(Diagnostic::new(&MIXED_SEND_FAMILIES, place, message).also(earlier, "in the same kernel").note(
                "with the assembler option -enableEfficient64b there is only `raw_sendg`, without it only the others",
            ));
            return;
        }
    }
}
