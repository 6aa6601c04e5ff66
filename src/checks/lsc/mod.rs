//! LSC messages: loads, stores and atomic operations of the load/store cache. What address, data and caching may be
//! depends on the operation, the unit and the platform together, which is more than one key of the tables says.

pub mod address;
pub mod atomic;
pub mod block;
pub mod cache;
pub mod data;
pub mod fence;
pub mod form;
pub mod message;
pub mod overlap;
mod register;
pub mod wide;

use super::context::{Sink, View};
use super::table::bytes::OPERAND_OUT_OF_BOUNDS;
use super::table::exec_size::UNSUPPORTED_EXEC_SIZE;
use crate::base::diagnostic::Diagnostic;
use crate::base::rule::Level;
use message::Message;
use wide::Modes;

/// Checks the numbers that the registers of an address are known to hold.
pub fn numbers(message: &Message, sink: &mut Sink) {
    address::numbers(message, sink);
    if message.is_block() {
        block::numbers(message, sink);
    }
}

/// Checks the shape of the data of a message, whatever registers hold them.
pub fn shape(message: &Message, modes: &Modes, sink: &mut Sink) {
    if message.is_block() || message.is_typed_block() {
        block::check(message, sink);
    } else {
        data::shape(message, modes, sink);
    }
}

/// Checks one message.
pub fn check(view: &View, modes: &Modes, sink: &mut Sink) {
    let message = Message::new(view);
    let start = sink.diagnostics.len();
    cache::check(&message, modes, sink);
    address::check(&message, modes, sink);
    form::coordinate_offsets(&message, sink);
    if message.is_block() || message.is_typed_block() {
        block::check(&message, sink);
    } else {
        data::check(&message, modes, sink);
    }
    atomic::check(&message, sink);
    overlap::check(&message, sink);
    form::check(&message, sink);
    // What lies beyond an operand because of a wrong execution size is no fault of its own.
    let is_wrong = |d: &Diagnostic| d.rule == &UNSUPPORTED_EXEC_SIZE && d.level == Level::Error;
    if sink.diagnostics[start..].iter().any(is_wrong) {
        let own = sink.diagnostics.split_off(start);
        sink.diagnostics.extend(own.into_iter().filter(|d| d.rule != &OPERAND_OUT_OF_BOUNDS));
    }
}
