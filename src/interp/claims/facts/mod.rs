//! What abstract execution found out: facts, which the checks turn into findings.

mod kind;
mod lanes;
mod numbers;
mod threads;

pub use crate::interp::state::Path;
pub use crate::interp::transfer::message::Part;
pub use kind::{Endless, FactKind};
pub use lanes::{Cases, Doubt, Exemption, Overlap, Proof, Values, Verdict};
pub use numbers::{AddressNumbers, ChannelMaskFault, Held, MAX_ADDRESS_ELEMENTS, Number};
pub use threads::{Bounds, Computed, Outside, Parted, Race, Side, Unordered, Weak};

use crate::interp::transfer::Observed;
use crate::program::InstructionIndex;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::mem::{Discriminant, discriminant};
use std::ops::Range;

/// A fact about an instruction.
#[derive(Clone, PartialEq, Debug)]
pub struct Fact {
    /// The instruction.
    pub instruction: InstructionIndex,
    /// The place of the operand that it is about.
    pub operand: Option<u8>,
    /// What it is.
    pub kind: FactKind,
    /// The instructions that the value came through, nearest first.
    pub trail: Vec<InstructionIndex>,
}

impl Fact {
    /// Whether it says that of an operand of an instruction.
    #[must_use]
    pub fn is_of(&self, instruction: InstructionIndex, operand: Option<u8>, kind: &FactKind) -> bool {
        self.instruction == instruction && self.operand == operand && self.kind == *kind
    }

    fn key(&self) -> Key {
        let observed = match &self.kind {
            FactKind::Observed(observed) => Some(discriminant(observed)),
            _ => None,
        };
        (self.instruction.0, self.operand, discriminant(&self.kind), observed, self.kind.held_at_times())
    }
}

/// Why a kernel or function was not executed to its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GivenUp {
    /// Too much would have had to be remembered.
    TooLarge,
    /// Loops or calls are nested too deep.
    TooDeep,
}

/// The facts of one kernel, each once.
#[derive(Default, Debug)]
pub struct Facts {
    /// In the order of execution.
    pub all: Vec<Fact>,
    /// What was decided about the lanes of each message; the gravest, if it was executed more than once. Messages that no
    /// lane comes to are not there.
    pub verdicts: BTreeMap<u32, Verdict>,
    /// Where each message accesses memory, if that is asked for; the least that is known, if it was executed more than once.
    pub bounds: BTreeMap<u32, Bounds>,
    /// Whether it was not executed to its end ([`Facts::given_up`]).
    pub is_incomplete: bool,
    /// Instructions that were not executed because they are nested too deep.
    pub skipped: Vec<Range<u32>>,
    /// What it has cost: instructions, counted each time that they were executed, and blocks of values that were made.
    pub effort: u64,
    /// Where the last fact of each kind is.
    seen: FxHashMap<Key, usize>,
    /// What comes before is not to be changed: the facts behind it may be taken back.
    pub(in crate::interp) settled: usize,
    /// What does not hold whenever an instruction is executed: facts of these kinds count only if it does.
    denied: FxHashSet<Key>,
}

/// What tells facts of one execution apart.
type Key = (u32, Option<u8>, Discriminant<FactKind>, Option<Discriminant<Observed>>, Option<Held>);

impl Facts {
    /// Takes a fact, unless one of its kind is known of that operand. Of values the least and the greatest of all times
    /// that the instruction is executed are kept.
    pub fn add(&mut self, fact: Fact) {
        let key = fact.key();
        // What is so on every path says it of each of them.
        if let FactKind::OnPath(kind, _) = &fact.kind
            && self.seen.contains_key(&(key.0, key.1, discriminant(&**kind), None, kind.held_at_times()))
        {
            return;
        }
        let Some(at) = self.seen.get(&key).copied() else {
            self.seen.insert(key, self.all.len());
            return self.all.push(fact);
        };
        let Some(known) = self.all.get_mut(at).filter(|known| known.key() == key) else { return };
        if let (FactKind::GreatestValue { lane, bits, element_type }, Some(order)) = (&fact.kind, known.kind.order())
            && fact.kind.order().is_some_and(|new| new < order)
        {
            let kind = FactKind::LeastValue { lane: *lane, bits: *bits, element_type: *element_type };
            return self.add(Fact { kind, ..fact });
        }
        let fact = if fact.kind.held_at_times() == Some(Held::InPasses) {
            let Some(kind) = known.kind.with_passes(&fact.kind) else { return };
            Fact { kind, ..fact }
        } else if fact.kind.is_beyond(&known.kind) {
            fact
        } else {
            return;
        };
        if at >= self.settled {
            *known = fact;
        } else {
            self.seen.insert(key, self.all.len());
            self.all.push(fact);
        }
    }

    /// Notes that facts of the kind of this one do not hold whenever the instruction is executed.
    pub fn deny(&mut self, fact: &Fact) {
        self.denied.insert(fact.key());
    }

    /// Takes back what does not hold whenever its instruction is executed.
    pub fn drop_denied(&mut self) {
        self.all.retain(|f| !self.denied.contains(&f.key()));
    }

    /// Takes what was decided about a message.
    pub fn note_verdict(&mut self, instruction: InstructionIndex, verdict: Verdict) {
        let gravity = |v: &Verdict| match v {
            Verdict::Must => 4,
            Verdict::Conditional => 3,
            Verdict::Unknown(_) => 2,
            Verdict::Never => 1,
            Verdict::Exempt(_) => 0,
        };
        let known = self.verdicts.entry(instruction.0).or_insert(verdict);
        if gravity(&verdict) > gravity(known) {
            *known = verdict;
        }
    }

    /// Takes instructions that are not executed because they are nested too deep.
    pub fn note_skipped(&mut self, instructions: Range<u32>) {
        if !self.skipped.contains(&instructions) {
            self.skipped.push(instructions);
        }
    }

    /// Why it was not executed to its end; nothing if it was.
    #[must_use]
    pub const fn given_up(&self) -> Option<GivenUp> {
        match (self.is_incomplete, self.skipped.is_empty()) {
            (_, false) => Some(GivenUp::TooDeep),
            (true, true) => Some(GivenUp::TooLarge),
            (false, true) => None,
        }
    }

    /// Whether an instruction was not executed because it is nested too deep.
    #[must_use]
    pub fn is_skipped(&self, instruction: InstructionIndex) -> bool {
        self.skipped.iter().any(|range| range.contains(&instruction.0))
    }

    /// Takes what was found out of another thread.
    pub fn unite(&mut self, other: Self) {
        for fact in other.all {
            self.add(fact);
        }
        self.denied.extend(other.denied);
        self.is_incomplete |= other.is_incomplete;
        self.effort += other.effort;
        for instructions in other.skipped {
            self.note_skipped(instructions);
        }
        for (instruction, bounds) in other.bounds {
            let known = self.bounds.entry(instruction).or_insert(bounds);
            *known = bounds.max(*known);
        }
        for (instruction, verdict) in other.verdicts {
            self.note_verdict(InstructionIndex(instruction), verdict);
        }
    }

    /// Takes back what came after the first `n`.
    pub fn truncate(&mut self, n: usize) {
        for fact in self.all.drain(n.min(self.all.len())..) {
            self.seen.remove(&fact.key());
        }
    }
}
