//! Where the time of checks goes.

use super::RULES;
use super::common::modules;
use crate::base::rule::Rule;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A part of the work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// From the text to the program.
    Reading,
    /// Declarations, inputs, attributes, the file as a whole, and comments that suppress findings.
    Declarations,
    /// What the tables say of each instruction.
    Tables,
    /// Operands, predicates and immediates.
    Operands,
    /// Arithmetic, logic, moves and `dpas`.
    Arithmetic,
    /// LSC messages and fences.
    Lsc,
    /// Other memory messages and barriers.
    Memory,
    /// Sampler, media, motion estimation and render targets.
    Sampler,
    /// Control flow.
    Flow,
    /// Statements of host sources.
    Fragments,
    /// Abstract execution.
    Execution,
}

impl Part {
    /// All of them.
    pub const ALL: [Self; 11] = [
        Self::Reading,
        Self::Declarations,
        Self::Tables,
        Self::Operands,
        Self::Arithmetic,
        Self::Lsc,
        Self::Memory,
        Self::Sampler,
        Self::Flow,
        Self::Fragments,
        Self::Execution,
    ];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Reading => "reading",
            Self::Declarations => "declarations",
            Self::Tables => "tables",
            Self::Operands => "operands",
            Self::Arithmetic => "arithmetic",
            Self::Lsc => "lsc",
            Self::Memory => "memory",
            Self::Sampler => "sampler",
            Self::Flow => "flow",
            Self::Fragments => "fragments",
            Self::Execution => "execution",
        }
    }

    /// The part that a rule belongs to, by the place of its code: the rules of one part have their work in common.
    #[must_use]
    pub fn of(rule: &Rule) -> Self {
        let mut modules = modules(rule);
        match (modules.next().unwrap_or(""), modules.next().unwrap_or("")) {
            ("checks", "table") => Self::Tables,
            ("checks", "operand" | "predicate" | "branch_predicate" | "immediate" | "predefined") => Self::Operands,
            ("checks", "alu") => Self::Arithmetic,
            ("checks", "lsc") => Self::Lsc,
            ("checks", "memory") => Self::Memory,
            ("checks", "sampler" | "media" | "vme" | "render_target") => Self::Sampler,
            ("checks", "flow") => Self::Flow,
            ("checks", "fragment") | ("host", _) => Self::Fragments,
            ("checks", "execution") => Self::Execution,
            ("checks", _) => Self::Declarations,
            _ => Self::Reading,
        }
    }

    /// Its rules.
    pub fn rules(self) -> impl Iterator<Item = &'static Rule> {
        RULES.iter().copied().filter(move |rule| Self::of(rule) == self)
    }
}

/// How long each part took, over all threads.
#[derive(Debug, Default)]
pub struct Timings([AtomicU64; Part::ALL.len()]);

impl Timings {
    /// The time of a part.
    #[must_use]
    pub fn of(&self, part: Part) -> Duration {
        Duration::from_nanos(self.0[part as usize].load(Ordering::Relaxed))
    }
}

/// What measures the work, or does not: checks are compiled for both, so that nothing is asked for each instruction.
pub(super) trait Clock: Sync {
    /// Does the work of a part.
    fn during<R>(&self, part: Part, work: impl FnOnce() -> R) -> R;
}

impl Clock for () {
    fn during<R>(&self, _: Part, work: impl FnOnce() -> R) -> R {
        work()
    }
}

impl Clock for Timings {
    fn during<R>(&self, part: Part, work: impl FnOnce() -> R) -> R {
        let start = Instant::now();
        let result = work();
        self.0[part as usize].fetch_add(start.elapsed().as_nanos() as u64, Ordering::Relaxed);
        result
    }
}
