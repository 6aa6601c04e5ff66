//! What has been signalled at barriers and not been waited for, as conditions of the paths.

use crate::interp::domain::condition::Condition;
use crate::interp::state::Reader;
use crate::interp::state::content::NO_WRITER;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A barrier with two halves.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Barrier {
    /// The split barrier.
    Split,
    /// The named barrier with that id.
    Named(u64),
}

/// The first half of a barrier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Signal {
    /// Where this thread has signalled as one that has to wait, and has not waited yet.
    pub open: Condition,
    /// The last such signal; [`NO_WRITER`] if there is none.
    pub at: u32,
}

/// A barrier of which it is known whether this thread has signalled there and not waited yet.
#[derive(Clone, Copy, Debug)]
pub struct KnownSignal {
    /// The barrier.
    pub barrier: Barrier,
    /// Whether it has.
    pub is_open: bool,
    /// The last signal.
    pub at: u32,
}

/// What has been signalled at all barriers of a kernel.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Barriers {
    signals: BTreeMap<Barrier, Signal>,
    /// Whether the ids of some named barriers are not known, or other code may have signalled or waited.
    is_unclear: bool,
}

impl Barriers {
    /// What has been signalled at a barrier.
    #[must_use]
    pub fn signal(&self, barrier: Barrier) -> Signal {
        self.signals.get(&barrier).copied().unwrap_or(Signal { open: Condition::FALSE, at: NO_WRITER })
    }

    /// Says what has been signalled at a barrier.
    pub fn set(&mut self, barrier: Barrier, signal: Signal) {
        self.signals.insert(barrier, signal);
    }

    /// All barriers that were signalled.
    pub fn all(&self) -> impl Iterator<Item = (Barrier, Signal)> + '_ {
        self.signals.iter().map(|(barrier, signal)| (*barrier, *signal))
    }

    /// From now on nothing is known for certain.
    pub const fn lose(&mut self) {
        self.is_unclear = true;
    }

    /// Whether something is known.
    #[must_use]
    pub const fn is_clear(&self) -> bool {
        !self.is_unclear
    }
}

/// The barriers whose halves a part of the text has; nothing if some are not known.
pub(in crate::interp) type Passed = Option<Rc<[Barrier]>>;

/// What is known of the barriers that functions of the text pass.
#[derive(Default)]
pub struct Passing {
    /// Whether a function may come to a half of a barrier, by its first instruction, as far as that was asked.
    pub(in crate::interp) may_pass: FxHashMap<u32, bool>,
    /// How many instructions were looked at for that.
    pub(in crate::interp) n_looked_at: u32,
    /// What is known of the barriers of the whole kernel, once that was asked for.
    pub(in crate::interp) of_object: Option<Passed>,
}

impl Reader<'_> {
    /// What is known of all barriers on the paths on which `reached` holds; nothing if it is not known of one.
    pub(in crate::interp) fn known_signals(&mut self, reached: Condition) -> Option<Vec<KnownSignal>> {
        let domain = &mut self.domain;
        let barriers = &self.state.barriers;
        let known = |(barrier, signal): (Barrier, Signal)| {
            let is_open = domain.given(signal.open, reached).as_known()?;
            Some(KnownSignal { barrier, is_open, at: signal.at })
        };
        if barriers.is_clear() { barriers.all().map(known).collect() } else { None }
    }
}
