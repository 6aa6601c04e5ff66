//! The ways in which an instruction changes a state. They are data, so what an instruction does is known before it happens.

use crate::interp::domain::Value;
use crate::interp::domain::atom::Origin;
use crate::interp::domain::condition::Condition;
use crate::interp::domain::lanes::Lanes;
use crate::interp::state::barriers::{Barrier, Signal};
use crate::interp::state::recent::Place;
use crate::interp::state::{Buffer, Location, Machine};
use crate::program::VariableId;
use std::ops::Range;

/// A change of a state. Each is carried out in the state that those before it have left.
#[derive(Debug)]
pub enum Change {
    /// Elements hold other values, in the lanes of a mask.
    Write {
        /// The elements.
        at: Location,
        /// Their values.
        values: Lanes<Value>,
        /// The lanes.
        exec_mask: Lanes<Condition>,
    },
    /// Elements have been written in the lanes of a mask; with what is not followed.
    Define {
        /// The elements.
        at: Location,
        /// The lanes.
        exec_mask: Lanes<Condition>,
    },
    /// Bytes of a variable hold nothing that was written, where a condition holds.
    Undefine {
        /// The variable.
        root: usize,
        /// The bytes.
        bytes: Range<u32>,
        /// The condition.
        active: Condition,
        /// What left them so; [`NO_WRITER`](super::content::NO_WRITER) if they are as if nothing had written them.
        writer: u32,
    },
    /// Bytes of a variable hold something unknown, where a condition holds.
    Forget {
        /// The variable.
        root: usize,
        /// The bytes.
        bytes: Range<u32>,
        /// The condition.
        active: Condition,
        /// Why they are unknown.
        origin: Origin,
    },
    /// A variable holds something unknown.
    ForgetVariable(VariableId),
    /// Every variable whose address is taken may hold something else.
    ForgetAddressed,
    /// Every variable, and memory, may hold anything.
    ForgetEverything,
    /// Bits of a predicate are other ones, in the lanes of a mask.
    SetPredicate {
        /// The predicate variable.
        variable: VariableId,
        /// The first bit.
        first: u32,
        /// The bits.
        bits: Lanes<Condition>,
        /// The lanes.
        exec_mask: Lanes<Condition>,
    },
    /// Memory holds another value, where a condition holds.
    Store {
        /// The address of a lane.
        address: Value,
        /// From there the first byte, and the number of bytes.
        bytes: (u64, u32),
        /// The value, if it is known.
        value: Option<Value>,
        /// The condition.
        active: Condition,
    },
    /// A place in memory that a kernel may load from again holds another value, where a condition holds.
    StoreRecent {
        /// The place.
        place: Place,
        /// The first byte of it, and the number of bytes.
        bytes: (u64, u32),
        /// The value, if it is known.
        value: Option<Value>,
        /// The condition.
        active: Condition,
    },
    /// Of what was stored in shared local memory, or elsewhere, nothing is known any more but what one place holds.
    ForgetRecentBut {
        /// Whether it is shared local memory.
        is_slm: bool,
        /// The place.
        kept: Option<Place>,
    },
    /// Nothing is known any more of what was stored.
    ForgetRecent,
    /// A store goes to memory that threads share; where is not known.
    StoreSomewhere,
    /// Something is stored to a buffer; anywhere, if it is not known to which.
    StoreTo(Option<Buffer>),
    /// Memory that threads share may hold something else.
    ForgetSharedMemory,
    /// Any memory may hold something else.
    ForgetMemory,
    /// The memory at an address belongs to the thread alone.
    OwnMemory(Value),
    /// A half of a barrier.
    Signal(Barrier, Signal),
    /// Which halves of barriers are open is not known any more.
    LoseBarriers,
}

impl Machine<'_> {
    /// Carries out what the instruction with that number changes.
    #[inline]
    pub fn apply(&mut self, writer: u32, change: Change) {
        match change {
            Change::Write { at, values, exec_mask } => self.write_at(at, &values, &exec_mask, writer),
            Change::Define { at, exec_mask } => self.define_at(at, &exec_mask, writer),
            Change::Undefine { root, bytes, active, writer } => {
                if let Some((held, domain)) = self.existing_mut(root) {
                    held.undefine(domain, bytes.start, bytes.end.saturating_sub(bytes.start), active, writer);
                }
            }
            Change::Forget { root, bytes, active, origin } => {
                self.forget(root, bytes.start, bytes.end, active, writer, origin);
            }
            Change::ForgetVariable(variable) => self.forget_variable(variable, writer),
            Change::ForgetAddressed => self.forget_addressed(writer),
            Change::ForgetEverything => self.forget_everything(),
            Change::SetPredicate { variable, first, bits, exec_mask } => {
                self.write_predicate(variable, first, &bits, &exec_mask, writer);
            }
            Change::Store { address, bytes, value, active } => self.store_to_memory(address, bytes, value, active),
            Change::StoreRecent { place, bytes, value, active } => self.store_recent(place, bytes, value, active),
            Change::ForgetRecentBut { is_slm, kept } => self.forget_recent_but(is_slm, kept),
            Change::ForgetRecent => self.forget_recent(),
            Change::StoreSomewhere => self.store_somewhere(),
            Change::StoreTo(buffer) => self.note_stored_to(buffer),
            Change::ForgetSharedMemory => self.forget_shared_memory(),
            Change::ForgetMemory => self.forget_memory(),
            Change::OwnMemory(address) => self.note_private(address),
            Change::Signal(barrier, signal) => self.state_mut().barriers.set(barrier, signal),
            Change::LoseBarriers => self.state_mut().barriers.lose(),
        }
    }
}
