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
    /// The path on which it holds; nothing if that is whenever the instruction is executed, or if the kind says it.
    pub path: Option<Path>,
    /// The instructions that the value came through, nearest first.
    pub trail: Vec<InstructionIndex>,
}

impl Fact {
    /// A fact that holds whenever the instruction is executed, without an explanation.
    #[must_use]
    pub const fn new(instruction: InstructionIndex, operand: Option<u8>, kind: FactKind) -> Self {
        Self { instruction, operand, kind, path: None, trail: Vec::new() }
    }

    /// Whether it says what another one says, however the value came about.
    #[must_use]
    pub fn is_like(&self, other: &Self) -> bool {
        (self.instruction, self.operand, self.path, &self.kind)
            == (other.instruction, other.operand, other.path, &other.kind)
    }

    /// The path on which it holds, if that is not whenever the instruction is executed.
    #[must_use]
    pub fn path(&self) -> Option<Path> {
        self.path.or(self.kind.path())
    }

    fn key(&self) -> Key {
        let observed = match &self.kind {
            FactKind::Observed(observed) => Some(discriminant(observed)),
            _ => None,
        };
        let held = self.kind.held_at_times();
        (self.instruction.0, self.operand, discriminant(&self.kind), observed, held, self.path.is_some())
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
type Key = (u32, Option<u8>, Discriminant<FactKind>, Option<Discriminant<Observed>>, Option<Held>, bool);

impl Facts {
    /// Takes a fact, unless one of its kind is known of that operand. Of values the least and the greatest of all times
    /// that the instruction is executed are kept.
    pub fn add(&mut self, fact: Fact) {
        let key = fact.key();
        // What holds on every path holds on each of them.
        let (instruction, operand, kind, observed, held, is_on_path) = key;
        if is_on_path && self.seen.contains_key(&(instruction, operand, kind, observed, held, false)) {
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
