//! What each instruction does to a state: a function of the state and the instruction, which changes nothing itself. It
//! knows no fact and no report; what an instruction comes across is [`Observed`].
//!
//! See docs/abstract-execution.md, "What instructions do".

pub(in crate::interp) mod address;
mod alu;
pub mod barrier;
pub mod call;
mod copies;
mod cut;
mod effects;
mod elementwise;
mod formula;
mod integer;
pub mod limits;
mod lives;
mod load;
pub mod lsc;
pub mod message;
pub mod operand;
mod predicate;
mod quotient;
mod recent;
pub mod relevant;
mod state_variable;
mod surface;
mod undefined;

use crate::interp::domain::Value;
use crate::interp::domain::lanes::Lanes;
use crate::interp::state::{Change, Reader};
use crate::program::View;
use crate::spec::Instruction;
use crate::spec::family::Check;
use crate::spec::instruction::{Effect, Flow};
pub use effects::{Effects, IndirectFault, Loaded, Observed, UnsetPredicate};

/// Adds to the effects, which are empty, what an instruction does that does not branch: at the state that a reader has.
pub fn execute<'p>(reader: &mut Reader<'p>, view: &View<'p>, effects: &mut Effects) {
    reader.pass_barrier(view, effects);
    if view.row.flow == Flow::FunctionCall {
        effects.exec_mask = reader.mask(view);
        return reader.call_function(view, effects);
    }
    if lets_others_store(view.row) {
        if reader.cx().follows_memory() {
            effects.changes.push(Change::ForgetSharedMemory);
        }
        if reader.has_recent() {
            effects.changes.push(Change::ForgetRecent);
        }
    }
    match view.row.operation {
        Some(operation) => reader.compute(view, operation, effects),
        None if relevant::is_elementwise(view) => reader.apply_elementwise(view, effects),
        None => reader.send(view, effects),
    }
}

/// Whether an instruction orders threads, so that memory may hold what others have stored.
fn lets_others_store(row: &Instruction) -> bool {
    let orders = |effect: &Effect| matches!(effect, Effect::Fence | Effect::Barrier);
    row.barrier.is_some() || row.effects.iter().any(orders)
}

/// Adds to the effects what a `switchjmp` does before it branches, and returns the index of its label with the instruction
/// that wrote it.
pub fn select_label<'p>(reader: &mut Reader<'p>, view: &View<'p>, effects: &mut Effects) -> (Value, u32) {
    let exec_mask = Lanes::run(reader.state().reached, 1);
    let source = reader.observed_source(view, 0, &exec_mask, effects);
    effects.note_writer(0, source.writer);
    reader.note_undefined(view, 0, source.undefined, effects);
    (source.lanes.at(0), source.writer)
}

impl<'p> Reader<'p> {
    /// An instruction without an operation: what its messages store and load, or whatever else it writes.
    fn send(&mut self, view: &View<'p>, effects: &mut Effects) {
        let exec_mask = self.mask(view);
        if !exec_mask.all_false() {
            if view.row.touches_memory() {
                self.find_messages(view, &exec_mask, effects);
            }
            let messages = std::mem::take(&mut effects.messages);
            if view.row.touches_memory() {
                self.store(view, &messages, effects);
                self.remember(view, &messages, effects);
            }
            self.write_results(view, &messages, &exec_mask, effects);
            effects.messages = messages;
            if view.row.has(Check::EvenElements) {
                self.undefine_odd_elements(view, &exec_mask, effects);
            }
        }
        effects.exec_mask = exec_mask;
    }
}
