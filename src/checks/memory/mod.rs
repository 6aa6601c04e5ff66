//! Memory and synchronisation messages: what the keys of the tables cannot express. LSC messages are checked elsewhere.

pub mod atomic;
pub mod barrier;
pub mod block;
pub mod fence;
pub mod offset;
pub mod payload;
pub mod raw_send;
pub mod surface;
pub mod svm;
pub mod typed;
pub mod urb;

use super::context::{Context, Sink, View};
use crate::base::rule::Level;
use crate::spec::instruction::{Custom, OperandKind};

/// Checks one instruction.
pub fn check(view: &View, sink: &mut Sink) {
    if view.instruction.is_broken {
        return;
    }
    match view.row.custom {
        Some(Custom::Atomic) => atomic::check(view, sink),
        Some(Custom::Typed) => typed::check(view, sink),
        Some(Custom::Svm) => svm::check(view, sink),
        Some(Custom::Qword) if !has_errors(view, sink) => payload::rounded_size(view, sink),
        Some(Custom::Urb) => urb::check(view, sink),
        Some(Custom::Media) => block::check(view, sink),
        Some(Custom::RawSend) => raw_send::check(view, sink),
        Some(Custom::Fence) => fence::check(view, sink),
        Some(Custom::Barrier) => barrier::check(view, sink),
        _ => {}
    }
    if view.row.operands.first().is_some_and(|slot| slot.kinds.contains(OperandKind::Surface))
        || view.row.custom == Some(Custom::Media)
    {
        offset::check(view, sink);
    }
    block::mask(view, sink);
    if !has_errors(view, sink) {
        payload::overlap(view, sink);
    }
}

/// Whether an error of this instruction was found already, of which further findings might only be consequences.
fn has_errors(view: &View, sink: &Sink) -> bool {
    let place = view.spans.statement;
    let own = sink
        .diagnostics
        .iter()
        .rev()
        .take_while(|d| d.primary.span.start >= place.start && d.primary.span.end <= place.end);
    own.into_iter().any(|d| d.level == Level::Error)
}

/// "1 register", "2 registers".
fn counted(n: i64, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{n} {noun}s") }
}

/// Checks what several instructions of one kernel say together.
pub fn check_program(cx: &Context, sink: &mut Sink) {
    surface::check_program(cx, sink);
    barrier::check_program(cx, sink);
    raw_send::check_program(cx, sink);
}
