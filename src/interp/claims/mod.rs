//! What is claimed of a program: each file reads states and messages and records facts of a few kinds. Nothing here changes
//! what a state holds.
//!
//! See docs/abstract-execution.md, "What is claimed".

mod barrier;
pub mod bounds;
pub mod endless;
pub mod facts;
mod interface;
pub mod look;
mod message;
pub mod order;
pub mod overlap;
mod payload;
pub mod races;
pub mod steps;
mod undefined;
mod urb;
mod used;
mod value;

use crate::interp::domain::condition::Condition;
use crate::interp::domain::lanes::Lanes;
use crate::interp::state::{Log, Observed, Reader};
use crate::interp::transfer::message::Message;
use crate::program::{InstructionIndex, View};
use facts::{Fact, FactKind, Facts};
use look::Look;
use races::RaceLog;

/// What is recorded of an execution.
#[derive(Default)]
pub struct Record {
    /// What was found.
    pub facts: Facts,
    /// The source that is asked about.
    pub look: Option<Look>,
    /// What threads access, if they are compared.
    pub(in crate::interp) races: Option<RaceLog>,
    /// What is asked of threads that meet others.
    pub(in crate::interp) watch: Option<steps::Watch>,
    /// Cases that were looked at to decide about messages.
    pub(in crate::interp) n_cases: u32,
}

impl Record {
    /// Whether this is one of the threads that are compared: what is to be said of each alone is known from elsewhere.
    pub(in crate::interp) const fn compares_threads(&self) -> bool {
        self.races.is_some()
    }
}

/// Looks at a state, and records what is to be said of it. What it has of the state is a [`Reader`], which cannot change it.
pub struct Claims<'m, 'p> {
    /// What is looked at.
    pub reader: &'m mut Reader<'p>,
    /// What was noted while instructions were executed.
    pub log: &'m Log,
    /// What is recorded.
    pub record: &'m mut Record,
}

impl<'p> std::ops::Deref for Claims<'_, 'p> {
    type Target = Reader<'p>;

    #[inline]
    fn deref(&self) -> &Reader<'p> {
        self.reader
    }
}

impl std::ops::DerefMut for Claims<'_, '_> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Self::Target {
        self.reader
    }
}

impl<'p> Claims<'_, 'p> {
    /// Looks at what a message instruction is about to do.
    pub(in crate::interp) fn look_at_messages(
        &mut self,
        view: &View<'p>,
        messages: &[Message],
        exec_mask: &Lanes<Condition>,
    ) {
        if self.record.compares_threads() {
            if messages.is_empty() && !view.row.accesses.is_empty() {
                self.note_open(view.index);
            }
            for message in messages {
                self.note_accesses(view, message);
            }
            return;
        }
        if messages.is_empty() {
            self.note_opaque(view);
        }
        for message in messages {
            self.check_message(view, message);
            self.check_overlap(view, message);
            self.note_bounds(view, message);
        }
        self.check_payloads(view, messages, exec_mask);
    }

    /// Records what an instruction has come across.
    pub(in crate::interp) fn report_observed(&mut self, view: &View<'p>, observed: Vec<(usize, Observed)>) {
        if self.record.compares_threads() {
            return;
        }
        for (operand, what) in observed {
            let trail = match what {
                Observed::UndefinedVariable(undefined) => undefined.left_by.into_iter().collect(),
                _ => Vec::new(),
            };
            self.report_with(view, operand, FactKind::Observed(what), trail);
        }
    }

    /// Records a fact about an operand.
    pub fn report(&mut self, view: &View, place: usize, kind: FactKind) {
        self.report_with(view, place, kind, Vec::new());
    }

    /// Records a fact that has to be so whenever the instruction is executed.
    pub fn report_if_always(&mut self, view: &View, place: usize, kind: FactKind, is_so: bool) {
        let fact = Fact { instruction: view.index, operand: Some(place as u8), kind, trail: Vec::new() };
        self.record.facts.add_if_always(fact, is_so);
    }

    /// Records a fact about an operand, with the instructions that explain it.
    pub fn report_with(&mut self, view: &View, place: usize, kind: FactKind, trail: Vec<InstructionIndex>) {
        self.record.facts.add(Fact { instruction: view.index, operand: Some(place as u8), kind, trail });
    }
}
