//! The 3D sampler: what its messages have beyond the tables.

pub mod cache;
pub mod level;
pub mod parameters;

use super::context::{Sink, View};
use super::table::bytes::{OPERAND_OUT_OF_BOUNDS, Shortage, raw_start, shortage};
use super::table::exec_size::UNSUPPORTED_EXEC_SIZE;
use super::table::modifier::UNSUPPORTED_MODIFIER_VALUE;
use super::table::null::UNEXPECTED_NULL;
use super::table::predicate::DROPPED_MODIFIER;
use super::table::value::VALUE_OUT_OF_RANGE;
use super::table::{declared, document};
use crate::base::diagnostic::Diagnostic;
use crate::base::rule::Level;
use crate::base::span::Span;
use crate::program::{Operand, OperandSpans};
use crate::spec;
use crate::spec::ModifierName;
use crate::spec::OperandName;
use crate::spec::family::Check;
use crate::spec::instruction::ModifierKind;
use crate::spec::{Platform, PlatformSet};

crate::declare_rule! {
    /// A channel that a message does not have. `sample4` gathers one channel, so its mask names one (error), and the
    /// comparing forms always take red; `lod` returns R and G, `sampleinfo` R and A. Of the LSC messages only the quad
    /// forms have channels, and elsewhere assemblers silently take their bits for a vector length; quad stores write
    /// `x`, `xy`, `xyz` or `xyzw`.
    ///
    /// ```visa bad
    /// // platform: DG2
    /// sample4.RG (M1, 8) 0x0:uw S0 T6 VF.0 %null.0 VF2.0 VF2.64
    /// ```
    /// ```visa good
    /// // platform: DG2
    /// sample4.R (M1, 8) 0x0:uw S0 T6 VF.0 %null.0 VF2.0 VF2.64
    /// ```
    pub UNSUPPORTED_CHANNEL = "unsupported-channel", Error | Warning | Pedantic, "3D_SAMPLE4",
        help = "name only channels that the message has"
}

crate::declare_rule! {
    /// The result of a sampler message lies over one of its parameters. Long messages, and those with gradients, are sent
    /// in two halves: the result of the first overwrites the parameters of the second.
    ///
    /// ```visa bad
    /// // platform: DG2
    /// sample_d.RGBA (M1, 16) 0x0:uw S0 T6 VF.0 %null.0 VF.64 VF2.0 VF2.64 VF2.128 VF2.192 VF2.256
    /// ```
    /// ```visa good
    /// // platform: DG2
    /// sample_d.RGBA (M1, 16) 0x0:uw S0 T6 VF.0 %null.0 VF.256 VF2.0 VF2.64 VF2.128 VF2.192 VF2.256
    /// ```
    pub OVERLAPPING_SPLIT_MESSAGE = "overlapping-split-message", Warning, "3D_SAMPLE"
}

/// Checks one sampler message.
pub fn check(view: &View, sink: &mut Sink) {
    gathers_many(view, sink);
    // A platform without the message says nothing of its parts.
    if view.cx.platforms.and(view.row.platforms.legal).is_empty() {
        return;
    }
    indices(view, sink);
    channels(view, sink);
    if view.row.slot(OperandName::PARAMETERS).is_none() {
        info_size(view, sink);
        return;
    }
    coarse(view, sink);
    if let Some(used) = view.modifier(ModifierName::DIV_S) {
        let message =
            format!("`{}` is missing when an assembler of text version 4.1 lists the program", view.text(used.span));
        sink.report(Diagnostic::new(&DROPPED_MODIFIER, used.span, message).level(Level::Pedantic));
    }
    if !view.instruction.is_broken {
        let given = parameters::check(view, sink);
        overlap(view, sink, &given);
    }
}

/// `(T6, 2)`: an index other than 0.
fn indices(view: &View, sink: &mut Sink) {
    for (operand, spans, _) in view.each_operand() {
        let Operand::Handle { index, .. } = *operand else { continue };
        if index != 0 {
            let failing = PlatformSet::before(Platform::XE3P_CRI);
            sink.report_on(view.cx, failing, || {
                let message = format!("the index in `{}` has to be 0", view.text(spans.whole));
                Diagnostic::new(&VALUE_OUT_OF_RANGE, spans.whole, message)
                    .note("other indices need 64-bit surface addresses")
            });
        }
    }
}

/// The bits of a channel mask.
const RED: u8 = 1;
const GREEN_BLUE: u8 = 2 | 4;
const BLUE_ALPHA: u8 = 4 | 8;

/// The channel mask: its bits, and where it stands.
fn mask_of(view: &View) -> Option<(u8, Span)> {
    let mask = view.channel_mask()?;
    let slot = view.row.modifiers.iter().position(|m| m.kind == ModifierKind::ChannelMask)?;
    let written = view.modifiers.iter().find(|m| usize::from(m.slot) == slot)?;
    Some((mask, written.span))
}

/// Reports a gather with several channels, which no assembler reads, whether the platform has the message or not.
fn gathers_many(view: &View, sink: &mut Sink) {
    let mnemonic = view.row.mnemonic;
    let Some((mask, place)) = mask_of(view) else { return };
    if !view.row.has(Check::OneChannel) || mask.count_ones() < 2 {
        return;
    }
    let written = view.text(place);
    let message = format!("`{mnemonic}` gathers one channel, and `{written}` names {}", mask.count_ones());
    sink.report(Diagnostic::new(&UNSUPPORTED_CHANNEL, place, message).note(document(view)));
}

fn channels(view: &View, sink: &mut Sink) {
    let Some((mask, place)) = mask_of(view) else { return };
    let mnemonic = view.row.mnemonic;
    let written = view.text(place);
    let compares_red = view.row.has(Check::RedChannel);
    let (message, level) = if compares_red && mask != RED {
        (format!("`{mnemonic}` compares the red channel, whatever `{written}` says"), Level::Warning)
    } else if view.row.has(Check::RedGreen) && mask & BLUE_ALPHA != 0 {
        (format!("the channels B and A of `{mnemonic}` are undefined"), Level::Warning)
    } else if view.row.has(Check::RedAlpha) && mask & GREEN_BLUE != 0 {
        (format!("the channels G and B of `{mnemonic}` mean nothing"), Level::Pedantic)
    } else {
        return;
    };
    // A platform that has no such message does nothing with its channels either.
    let failing = PlatformSet::ALL.without(view.row.platforms.tolerated);
    sink.report_on(view.cx, failing, || {
        Diagnostic::new(&UNSUPPORTED_CHANNEL, place, message).level(level).note(document(view))
    });
}

/// `.cps`
fn coarse(view: &View, sink: &mut Sink) {
    let Some(used) = view.modifier(ModifierName::CPS) else { return };
    let mnemonic = view.row.mnemonic;
    if !view.row.has(Check::CoarsePixels) {
        let message = format!("`{mnemonic}` cannot sample coarse pixels (`.cps`)");
        let others = spec::instructions().iter().filter(|row| row.has(Check::CoarsePixels));
        let all = spec::join_or(others.map(|row| format!("`{}`", row.mnemonic)));
        sink.report(Diagnostic::new(&UNSUPPORTED_MODIFIER_VALUE, used.span, message).note(format!("only {all} can")));
        return;
    }
    if view.instruction.has_exec && !matches!(view.exec_size(), 8 | 16) {
        let message = format!("`.cps` does not go with an execution size of {}", view.exec_size());
        let diagnostic = Diagnostic::new(&UNSUPPORTED_EXEC_SIZE, view.spans.size, message);
        sink.report(diagnostic.label("expected 8 or 16").also(used.span, "coarse pixels"));
    }
    if let Some((_, dst)) = view.operand(OperandName::DST).filter(|(dst, _)| dst.is_null()) {
        let diagnostic = Diagnostic::new(&UNEXPECTED_NULL, dst.whole, "a message with `.cps` has to return something");
        sink.report(diagnostic.also(used.span, "coarse pixels"));
    }
    let failing = PlatformSet::before(Platform::ICLLP);
    sink.report_on(view.cx, failing, || {
        Diagnostic::new(&UNSUPPORTED_MODIFIER_VALUE, used.span, "`.cps` exists from ICLLP on")
            .level(Level::Warning)
            .note(document(view))
    });
}

/// The manual wants room for all four channels of `resinfo` and `sampleinfo`; compilers declare what is written.
fn info_size(view: &View, sink: &mut Sink) {
    const BYTES_PER_LANE: i64 = 16;
    let Some((operand, spans)) = view.operand(OperandName::DST) else { return };
    let needed = BYTES_PER_LANE * i64::from(view.exec_size());
    let Some(Shortage { failing, .. }) = shortage(view, operand, needed) else { return };
    sink.report_on(view.cx, failing, || {
        let message = format!("the manual wants room for {needed} bytes at `{}`", view.text(spans.whole));
        let diagnostic = Diagnostic::new(&OPERAND_OUT_OF_BOUNDS, spans.whole, message).level(Level::Pedantic);
        declared(view, diagnostic, operand).note(document(view))
    });
}

/// A result over a parameter of a message that is sent in two halves.
fn overlap(view: &View, sink: &mut Sink, given: &[(&Operand, &OperandSpans)]) {
    /// Rows of registers that one message can hold.
    const MAX_ROWS: i64 = 11;
    let program = view.cx.program;
    let Some((dst, dst_spans)) = view.operand(OperandName::DST) else { return };
    let Some(formula) = view.row.slot(OperandName::DST).and_then(|slot| view.row.operands[slot].bytes) else { return };
    let Some((to, _)) = raw_start(view, dst, 32) else { return };
    let lanes = i64::from(view.exec_size());
    let has_gradients = view.row.has(Check::Gradients);
    let root = |operand: &Operand| {
        let (variable, start) = raw_start(view, operand, 32)?;
        let row = &program.variables[variable];
        Some((row.root, start + i64::from(row.root_offset), i64::from(row.element_bytes())))
    };
    let Some((dst_root, dst_start, dst_bytes)) = root(dst) else { return };
    let mut shared: Option<Span> = None;
    let failing = view.cx.failing_grf(|grf_bytes| {
        let grf = i64::from(grf_bytes);
        let element = given.first().and_then(|(operand, _)| root(operand)).map_or(4, |(_, _, bytes)| bytes);
        let n_rows = given.len() as i64 * ((lanes * element + grf - 1) / grf) + 1;
        if lanes * 4 <= grf || !has_gradients && n_rows <= MAX_ROWS {
            return false;
        }
        let Some(written) = view.evaluate(formula, grf_bytes, dst_bytes as u32) else { return false };
        let over = given.iter().find(|(operand, _)| {
            root(operand).is_some_and(|(r, start, bytes)| {
                r == dst_root && start < dst_start + written && dst_start < start + lanes * bytes
            })
        });
        shared = shared.or(over.map(|(_, spans)| spans.whole));
        over.is_some()
    });
    sink.report_on(view.cx, failing, || {
        let place = shared.unwrap_or(dst_spans.whole);
        let message =
            format!("the first half of the result overwrites `{}` before the second half reads it", view.text(place));
        Diagnostic::new(&OVERLAPPING_SPLIT_MESSAGE, place, message)
            .also(dst_spans.whole, "the result")
            .declared_at(program.variable_spans[to].name)
            .note("the message is too long and is sent in two halves")
    });
}
