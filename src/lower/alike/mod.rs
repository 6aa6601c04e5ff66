//! Statements that say the same of other variables are read once.
//!
//! Of a kernel whose loops are unrolled, nineteen of twenty instructions repeat an earlier one with other variables. What
//! reading a statement gives depends on its text, on the declarations of the variables that it names, and on the directives
//! before it; on nothing else. So where the texts are equal but for names, the variables are declared alike, and no directive
//! stands between, the statement is copied with the variables and places of the new one.

mod form;
mod key;

use super::Lowering;
use super::declaration;
use crate::base::id::Id as _;
use crate::base::span::Span;
use crate::program::VariableId;
use crate::syntax::token::{Token, TokenKind};
use form::{Before, Form};
pub(super) use key::Key;
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher as _;

/// So many forms are kept; a new one takes the place of an old one with the same hash.
const N_SLOTS: usize = 1024;

/// The forms of the statements that were read last, and what is known of the one being read.
#[derive(Default)]
pub(super) struct Alike {
    /// Whether forms are kept.
    pub(super) is_on: bool,
    instructions: Vec<Option<Box<Form>>>,
    pub(super) declarations: Vec<Option<Box<declaration::Form>>>,
    /// Grows with each directive that may change what a statement means: older forms do not count.
    epoch: u32,
    /// The key of the statement being read, and the slot of its form.
    key: Key,
    slot: usize,
    /// Whether the form of the statement being read is to be kept.
    pub(super) is_wanted: bool,
    /// The names in it that were taken for variables.
    used: Vec<Span>,
    /// What it sets of variables.
    noted: Vec<(VariableId, u16)>,
}

impl Alike {
    /// Notes that a name was taken for a variable.
    pub(super) fn use_name(&mut self, name: Span) {
        if self.is_wanted {
            self.used.push(name);
        }
    }

    /// Notes that a flag of a variable is set.
    pub(super) fn set_flag(&mut self, variable: VariableId, flag: u16) {
        if self.is_wanted {
            self.noted.push((variable, flag));
        }
    }

    /// Forgets all forms: a directive may change what statements mean.
    pub(super) fn forget(&mut self) {
        self.epoch += 1;
    }

    /// The statement being read: where its form is kept, the epoch, and its key.
    pub(super) fn wanted(&self) -> (usize, u32, &Key) {
        (self.slot, self.epoch, &self.key)
    }

    /// The flags that the statement being read sets of a variable. Nothing if it sets some of another one, or has names that
    /// are no variables to it.
    pub(super) fn flags_of_one(&self, variable: Option<VariableId>) -> Option<u16> {
        let is_of_it = self.noted.iter().all(|(noted, _)| Some(*noted) == variable);
        (is_of_it && self.key.are_used(&self.used)).then(|| self.noted.iter().fold(0, |all, (_, flag)| all | flag))
    }

    pub(super) fn keep_declaration(&mut self, slot: usize, form: declaration::Form) {
        if self.declarations.is_empty() {
            self.declarations.resize_with(N_SLOTS, || None);
        }
        self.declarations[slot] = Some(Box::new(form));
    }
}

impl Lowering<'_> {
    /// Describes the statement of whose tokens those behind `start` are given. Returns whether copies are possible.
    pub(super) fn describe(&mut self, start: u32, tokens: &[Token]) -> bool {
        let Alike { is_on: true, key, used, noted, slot, .. } = &mut self.alike else { return false };
        let find = |name: &str| {
            let symbol = self.program.names.lookup(name)?;
            let binding = self.bindings.get(symbol.index())?;
            (binding.variable != u32::MAX).then_some(VariableId(binding.variable))
        };
        used.clear();
        noted.clear();
        let is_described = key.describe(self.text, start, tokens, &self.program, find);
        *slot = FxBuildHasher.hash_one(key.bytes()) as usize % N_SLOTS;
        is_described
    }

    /// Reads an instruction by copying an earlier one. If there is none, returns what [`Lowering::keep_instruction`] needs.
    pub(super) fn copy_instruction(&mut self, tokens: &[Token]) -> Copied {
        let Some(first) = tokens.first().filter(|t| t.kind != TokenKind::DotWord && t.start > 0) else {
            return Copied::Not(None);
        };
        if !self.describe(first.start, tokens) {
            return Copied::Not(None);
        }
        let Alike { instructions, slot, epoch, key, is_wanted, .. } = &mut self.alike;
        if let Some(form) = instructions.get(*slot).and_then(Option::as_ref).filter(|form| form.is_of(*epoch, key)) {
            form.copy(key, &mut self.program);
            return Copied::Whole;
        }
        *is_wanted = true;
        Copied::Not(Some(Before::of(&self.program)))
    }

    /// Keeps the form of the instruction that was read last, if copies of it say the same.
    pub(super) fn keep_instruction(&mut self, before: &Before) {
        let Alike { instructions, slot, epoch, key, used, noted, is_wanted, .. } = &mut self.alike;
        if instructions.is_empty() {
            instructions.resize_with(N_SLOTS, || None);
        }
        *is_wanted = false;
        instructions[*slot].get_or_insert_default().fill(*epoch, key, before, &self.program, used, noted);
    }
}

/// Whether an instruction was copied from an earlier one.
pub(super) enum Copied {
    /// It was.
    Whole,
    /// It was not; whether it may be kept for later ones.
    Not(Option<Before>),
}

/// Notes in [`Program::alike`](crate::program::Program) that an instruction is a copy of `first`.
fn note_alike(alike: &mut Vec<u32>, index: usize, first: u32) {
    alike.resize(index, u32::MAX);
    alike[first as usize] = first;
    alike.push(first);
}
