//! What the text version, the platform's units and common sense say about the form of a message.

use super::message::{Class, Message, Unit};
use crate::base::diagnostic::Diagnostic;
use crate::base::rule::Level;
use crate::base::span::Span;
use crate::checks::context::Sink;
use crate::checks::portability::WRONG_TEXT_VERSION;
use crate::checks::table::modifier::UNSUPPORTED_MODIFIER_VALUE;
use crate::checks::table::predicate::DROPPED_MODIFIER;
use crate::program::instruction::PredicateControl;
use crate::program::lsc::AddressModel;
use crate::program::pardon::Pardon;
use crate::spec::ModifierName;

crate::declare_rule! {
    /// An address without a model, which is then `flat`. The compiler always writes the model.
    ///
    /// ```visa bad
    /// lsc_load.ugm (M1, 16) VUD:d32 [VUQ]:a64
    /// ```
    /// ```visa good
    /// lsc_load.ugm (M1, 16) VUD:d32 flat[VUQ]:a64
    /// ```
    pub IMPLICIT_ADDRESS_MODEL = "implicit-address-model", Pedantic, "LSC_UNTYPED"
}

/// Checks one message. Comes after all other checks of the message.
pub fn check(message: &Message, sink: &mut Sink) {
    units(message, sink);
    predicate(message, sink);
    implicit_model(message, sink);
    text_version(message, sink);
}

/// Whether this message already has an error or a warning at that place.
fn is_reported(message: &Message, place: Span, sink: &Sink) -> bool {
    let statement = message.view.spans.statement;
    let mut own = sink.diagnostics.iter().rev().take_while(|d| statement.contains(d.primary.span.start));
    own.any(|d| d.level >= Level::Warning && d.primary.span.start < place.end && place.start < d.primary.span.end)
}

/// Some modifiers belong to typed or to untyped messages.
fn units(message: &Message, sink: &mut Sink) {
    let view = message.view;
    let Some(unit) = message.unit else { return };
    for (name, wants_typed) in [(ModifierName::OV, false), (ModifierName::MSAA, true)] {
        let Some(used) = view.modifier(name) else { continue };
        if (unit == Unit::Tgm) != wants_typed {
            let written = view.text(used.span);
            let text = format!("`{written}` does not go with `.{}`", unit.word());
            sink.report(Diagnostic::new(&UNSUPPORTED_MODIFIER_VALUE, used.span, text).replace(used.span, "", false));
        }
    }
}

/// Bits of a predicate are not combined for a message.
fn predicate(message: &Message, sink: &mut Sink) {
    let view = message.view;
    let Some(predicate) = view.instruction.predicate else { return };
    if predicate.control == PredicateControl::PerLane {
        return;
    }
    let span = control(view.spans.predicate, view.cx.text).unwrap_or(view.spans.predicate);
    if is_reported(message, span, sink) {
        return;
    }
    let text = format!("`{}` has no meaning for a message", view.text(span));
    let is_meant = Pardon::CombinedPredicate.holds_in(view.cx.program);
    let level = if is_meant { Level::Pedantic } else { Level::Warning };
    sink.report(Diagnostic::new(&DROPPED_MODIFIER, span, text).level(level).replace(span, "", false));
}

/// The place of a `.any` or `.all` in a predicate.
fn control(predicate: Span, text: &str) -> Option<Span> {
    let written = predicate.of(text);
    let dot = written.find('.')?;
    let end = written.rfind(')')?;
    let inner = written.get(dot..end)?.trim_end();
    Some(Span::new(predicate.start + dot as u32, predicate.start + (dot + inner.len()) as u32))
}

fn implicit_model(message: &Message, sink: &mut Sink) {
    if let Some((address, spans)) = message.address
        && address.has_brackets
        && !address.has_model
    {
        let place = Span::new(spans.whole.start, spans.whole.start + 1);
        let text = "the address model is left out, which means `flat`";
        sink.report(Diagnostic::new(&IMPLICIT_ADDRESS_MODEL, place, text).replace(Span::at(place.start), "flat", true));
    }
}

fn text_version(message: &Message, sink: &mut Sink) {
    let view = message.view;
    if view.cx.program.version.is_none() {
        return;
    }
    if view.cx.is_version_4_2() {
        older(message, sink);
        return;
    }
    let Some((span, fix)) = first_newer_form(message) else { return };
    // What the platform or the unit does not have is reported as such, not as missing from the text version.
    if is_reported(message, span, sink) {
        return;
    }
    let written = view.text(span);
    let diagnostic = Diagnostic::new(&WRONG_TEXT_VERSION, span, format!("`{written}` needs `.version 4.2`"));
    sink.report(match fix {
        Some(text) => diagnostic.replace(span, text, true),
        None => diagnostic.help("write `.version 4.2`, if no older assembler has to read this"),
    });
}

/// The first form that text version 4.1 does not have, and how it is written there.
fn first_newer_form(message: &Message) -> Option<(Span, Option<String>)> {
    let view = message.view;
    if view.row.newer_text || message.is_typed_block() {
        return Some((view.spans.mnemonic, None));
    }
    let plain = |span: Span| Some((span, None));
    let third = message.cache_words().nth(2).and_then(|(_, used)| plain(used.span));
    let word = [ModifierName::OV, ModifierName::MSAA]
        .into_iter()
        .find_map(|name| view.modifier(name))
        .and_then(|used| plain(used.span));
    let data = message.data.and_then(|data| {
        let written = view.text(data.size_span);
        let older = written.replacen("8u32", "8c32", 1).replacen("16u32", "16c32", 1);
        (older != written).then_some((data.size_span, Some(older)))
    });
    // The first one in the text.
    [third, word, data, newer_address(message).and_then(plain)].into_iter().flatten().min_by_key(|(span, _)| span.start)
}

fn newer_address(message: &Message) -> Option<Span> {
    let (address, spans) = message.address?;
    let is_older_model = !matches!(address.model, AddressModel::Surf | AddressModel::Flat);
    if !is_older_model && address.surface.is_some() {
        // With the closing parenthesis.
        let rest = message.view.cx.text.get(address.surface_span.end as usize..).unwrap_or_default();
        let end = address.surface_span.end + rest.find(')').map_or(0, |i| i as u32 + 1);
        return Some(Span::new(address.model_span.start, end));
    }
    if address.surface_index.is_some() {
        return Some(address.surface_index_span);
    }
    if message.class == Class::StateInfo {
        return address.has_brackets.then(|| Span::new(address.model_span.start, spans.whole.end));
    }
    if message.is_block() {
        return message.items().iter().map(|item| item.displacement_span).find(|span| !span.is_empty());
    }
    None
}

/// What the newer text does not have any more.
fn older(message: &Message, sink: &mut Sink) {
    let Some((address, spans)) = message.address.filter(|_| message.class == Class::StateInfo) else { return };
    if !address.has_brackets {
        let text = "the register with the coordinates is missing, which text version 4.2 demands";
        sink.report(
            Diagnostic::new(&WRONG_TEXT_VERSION, spans.whole, text).help("write it in brackets: `bti(0x4)[V]`"),
        );
    }
}

/// Offsets of coordinates are in no manual and in no output of a compiler.
pub fn coordinate_offsets(message: &Message, sink: &mut Sink) {
    if !message.has_coordinates() {
        return;
    }
    let mut items = message.items().iter();
    if let Some(item) = items.find(|item| !item.displacement_span.is_empty()) {
        let written = message.view.text(item.displacement_span);
        let text = format!("the offset `{written}` of a coordinate is read by the newest assemblers only");
        let diagnostic = Diagnostic::new(&WRONG_TEXT_VERSION, item.displacement_span, text);
        sink.report(diagnostic.help("add it to the coordinate before the message"));
    }
}
