//! Media sampler messages: what they have beyond the tables.

use super::context::{Sink, View};
use super::table::bytes::{OPERAND_OUT_OF_BOUNDS, declared, raw_start};
use super::table::surface::UNSUPPORTED_SURFACE;
use super::table::types::operand_type;
use super::table::{document, only_left};
use crate::base::diagnostic::Diagnostic;
use crate::base::rule::Level;
use crate::lower::arity::SURPLUS_OPERAND;
use crate::lower::execution::MISSING_EXEC_SIZE;
use crate::program::{Operand, VariableId};
use crate::spec::OperandName;
use crate::spec::Type;
use crate::spec::family::Check;
use crate::spec::instruction::{Effect, Execution};
use crate::spec::predefined::VariableKind;

/// Checks one media message.
pub fn check(view: &View, sink: &mut Sink) {
    if !view.row.effects.contains(&Effect::ReadsMemory) {
        return;
    }
    sampler(view, sink);
    if view.row.execution == Execution::OptionalSize && !view.instruction.has_exec && view.spans.exec.is_empty() {
        let message = format!("`{}` says no SIMD mode: it is executed for 8 lanes", view.row.mnemonic);
        sink.report(
            Diagnostic::new(&MISSING_EXEC_SIZE, view.spans.mnemonic, message)
                .level(Level::Warning)
                .help("write `(8)` or `(16)` behind the channels"),
        );
    }
    if view.row.has(Check::ChannelBlocks) {
        unorm_size(view, sink);
    }
    avs_size(view, sink);
}

/// A sampler that is ignored, or that does not work.
fn sampler(view: &View, sink: &mut Sink) {
    let Some((Operand::Handle { variable, .. }, spans)) = view.operand(OperandName::SAMPLER) else { return };
    let name = view.text(spans.name);
    let mnemonic = view.row.mnemonic;
    if view.row.has(Check::IgnoredSampler) {
        let message = format!("`{mnemonic}` ignores the sampler `{name}`");
        sink.report(Diagnostic::new(&SURPLUS_OPERAND, spans.whole, message).level(Level::Warning).replace(
            spans.whole,
            "",
            false,
        ));
    } else if variable.predefined().is_some() && !has_all_samplers(view) {
        let message = format!("`{mnemonic}` does not work with the bindless sampler `{name}`");
        sink.report(
            Diagnostic::new(&UNSUPPORTED_SURFACE, spans.whole, message).help("declare a sampler with `v_type=S`"),
        );
    }
}

/// Whether so many samplers are declared that the number of the bindless one is that of a declared one.
fn has_all_samplers(view: &View) -> bool {
    const N_SAMPLERS: usize = 32;
    let program = view.cx.program;
    let variables = program.objects[program.object_of(view.index)].variables.clone().map(VariableId);
    variables.filter(|v| program.variables[*v].kind == VariableKind::Sampler).take(N_SAMPLERS).count() == N_SAMPLERS
}

/// The manual wants 64 bytes for each channel; compilers declare half of it, of type W. Less has nowhere been seen.
fn unorm_size(view: &View, sink: &mut Sink) {
    const BYTES_PER_CHANNEL: i64 = 64;
    let Some(mask) = view.channel_mask() else { return };
    let Some((operand, _)) = view.operand(OperandName::DST) else { return };
    let is_word = operand_type(view, operand) == Some(Type::UW);
    let level = if is_word { Level::Error } else { Level::Pedantic };
    let full = BYTES_PER_CHANNEL * i64::from(mask.count_ones());
    if is_word || !size(view, sink, full / 2, Level::Error) {
        size(view, sink, full, level);
    }
}

/// Of messages with a control word for formats: 64 pixels for each channel, or 128, of one or two bytes; half of them
/// for red and blue where these are downsampled.
fn avs_size(view: &View, sink: &mut Sink) {
    const RED_BLUE: u8 = 1 | 4;
    let Some(mask) = view.channel_mask() else { return };
    let word = |name| match view.operand(name) {
        Some((Operand::Keyword { .. }, spans)) => Some(view.text(spans.whole)),
        _ => None,
    };
    let (Some(control), Some(mode)) = (word(OperandName::CONTROL), word(OperandName::EXEC_MODE)) else { return };
    let pixels = if mode == "AVS_16x8" { 128 } else { 64 };
    let pixel_bytes = if control.starts_with("AVS_16_") { 2 } else { 1 };
    let full = i64::from(mask.count_ones()) * pixels * pixel_bytes;
    let halved = if control.ends_with("DOWN_SAMPLE") { (mask & RED_BLUE).count_ones() } else { 0 };
    let least = full - i64::from(halved) * pixels * pixel_bytes / 2;
    if !size(view, sink, least, Level::Error) {
        size(view, sink, full, Level::Warning);
    }
}

/// Reports a destination with fewer than `needed` bytes. Returns whether it did.
fn size(view: &View, sink: &mut Sink, needed: i64, level: Level) -> bool {
    let program = view.cx.program;
    let Some((operand, spans)) = view.operand(OperandName::DST) else { return false };
    let Some((variable, start)) = raw_start(view, operand, 32) else { return false };
    // A platform without the message says nothing of its parts.
    let failing = view.cx.failing_grf(|g| start + needed > i64::from(program.variable_bytes(variable, g)));
    let failing = failing.and(view.row.platforms.legal);
    sink.report_on(view.cx, failing, || {
        let name = program.variable_name(variable);
        let size = failing.grf_sizes().next().map_or(0, |g| program.variable_bytes(variable, g));
        let left = (i64::from(size) - start).max(0);
        let written = view.text(spans.whole);
        let message = format!("`{written}` has to hold {needed} bytes, {}", only_left(name, left));
        let diagnostic = Diagnostic::new(&OPERAND_OUT_OF_BOUNDS, spans.whole, message).level(level);
        declared(view, diagnostic, operand, start + needed).note(document(view))
    });
    view.cx.concerns(failing)
}
