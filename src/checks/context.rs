//! What checks see, and where they put what they find.

use super::timing::{Clock as _, Part, Timings};
use crate::base::diagnostic::{Diagnostic, PLATFORMS};
use crate::base::id::IdVec;
use crate::base::rule::{Level, Rule};
use crate::base::span::Span;
use crate::base::tally::Tally;
use crate::program::{self, ControlFlow, Instruction, InstructionIndex, ObjectId, Operand, Program};
use crate::spec::{Platform, PlatformSet};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// How a set of platforms is meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlatformMode {
    /// The program is for one of them, and which one is not said: only what is wrong on all of them is reported.
    OneOf,
    /// The program has to be right on each of them.
    EachOf,
}

/// What is checked, and how strictly.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The platforms that the user named; nothing if they follow from the program.
    pub platforms: Option<PlatformSet>,
    /// Whether findings of level pedantic are wanted.
    pub pedantic: bool,
    /// Levels that the user gave to rules, by name.
    pub levels: FxHashMap<&'static str, Level>,
    /// The language of the text if it is a host source.
    pub host: Option<crate::host::Language>,
    /// Lanes of a sub-group for statements of host sources that do not say it.
    pub sub_group: Option<u32>,
    /// What the user knows of launches.
    pub launch: super::LaunchFacts,
    /// Set by a caller that no longer waits for the findings: abstract execution then ends early, and some are missing.
    pub cancelled: Option<Arc<AtomicBool>>,
    /// Whether every finding is wanted, however many there are of one kind: to mend them, or to suppress some.
    pub in_full: bool,
    /// Where the time is noted that each part of the work takes, if that is wanted.
    pub timings: Option<Arc<Timings>>,
}

impl Options {
    /// The level at which a finding is reported; nothing if it is not wanted.
    #[must_use]
    pub fn level_of(&self, rule: &Rule, own: Level) -> Option<Level> {
        if let Some(level) = self.levels.get(rule.name) {
            return (*level > Level::Pedantic || *level == Level::Pedantic && self.pedantic).then_some(*level);
        }
        match own {
            Level::Off => None,
            Level::Pedantic => self.pedantic.then_some(own),
            Level::Warning | Level::Error => Some(own),
        }
    }

    /// Does a part of the work, and notes its time if that is wanted.
    pub fn during<R>(&self, part: Part, work: impl FnOnce() -> R) -> R {
        match self.timings.as_deref() {
            Some(timings) => timings.during(part, work),
            None => work(),
        }
    }

    /// Whether any finding of the rule could be reported, so that its work is worth doing.
    #[must_use]
    pub fn is_wanted(&self, rule: &Rule) -> bool {
        self.level_of(rule, rule.level).is_some()
    }
}

/// A program under checking.
pub struct Context<'a> {
    /// The text.
    pub text: &'a str,
    /// The program.
    pub program: &'a Program,
    /// The control flow of its kernels and functions.
    pub flow: &'a IdVec<ObjectId, ControlFlow>,
    /// The platforms in question; never empty.
    pub platforms: PlatformSet,
    /// How they are meant.
    pub mode: PlatformMode,
    /// What is wanted.
    pub options: &'a Options,
}

impl<'a> Context<'a> {
    /// The text of a place.
    #[must_use]
    pub fn text(&self, span: Span) -> &'a str {
        span.of(self.text)
    }

    /// The platforms in question whose register size makes `fails` true.
    pub fn failing_grf(&self, mut fails: impl FnMut(u32) -> bool) -> PlatformSet {
        self.platforms
            .grf_sizes()
            .filter(|&g| fails(g))
            .fold(PlatformSet::NONE, |set, g| set.or(PlatformSet::with_grf_bytes(g)))
            .and(self.platforms)
    }

    /// The platforms in question for which `fails` is true.
    pub fn failing(&self, fails: impl FnMut(&Platform) -> bool) -> PlatformSet {
        self.platforms.iter().filter(fails).collect()
    }

    /// Whether something that is wrong on `failing` is to be reported.
    #[must_use]
    pub fn concerns(&self, failing: PlatformSet) -> bool {
        let failing = failing.and(self.platforms);
        let is_enough = match self.mode {
            PlatformMode::OneOf => failing == self.platforms,
            PlatformMode::EachOf => true,
        };
        is_enough && !failing.is_empty()
    }

    /// A register size of the platforms in question.
    #[must_use]
    pub fn any_grf_bytes(&self) -> u32 {
        self.platforms.grf_sizes().next().unwrap_or(32)
    }

    /// Whether the text is of version 4.2 or later. Of a version that does not exist nothing is known.
    #[must_use]
    pub fn is_version_4_2(&self) -> bool {
        self.program.version.is_some_and(|(major, minor, _)| major == 4 && minor >= 2)
    }
}

/// Collects findings.
pub struct Sink<'o> {
    options: &'o Options,
    /// What was found.
    pub diagnostics: Vec<Diagnostic>,
    /// Counts what was found, unless all of it is wanted.
    tally: Option<Tally>,
}

impl<'o> Sink<'o> {
    /// An empty sink.
    #[must_use]
    pub fn new(options: &'o Options) -> Self {
        Self { options, diagnostics: Vec::new(), tally: (!options.in_full).then(Tally::default) }
    }

    /// One that keeps every finding.
    #[must_use]
    pub(super) fn unbounded(options: &'o Options) -> Self {
        Self { options, diagnostics: Vec::new(), tally: None }
    }

    /// Drops those of the findings from `from` on that are too many of their kind.
    pub fn bound(&mut self, from: usize) {
        if let Some(tally) = &mut self.tally {
            tally.bound(&mut self.diagnostics, from);
        }
    }

    /// The findings, and with them what is said of those that were left out: here, and, as `before` says, earlier.
    #[must_use]
    pub fn finish(mut self, before: &[Diagnostic]) -> Vec<Diagnostic> {
        let own = self.tally.take().map(|tally| tally.left_out()).unwrap_or_default();
        self.diagnostics.extend(own);
        for found in before {
            self.report(found.clone());
        }
        self.diagnostics
    }

    /// Whether a finding of `rule` at `level` would be taken.
    #[must_use]
    pub fn wants(&self, rule: &Rule, level: Level) -> bool {
        self.options.level_of(rule, level).is_some()
    }

    /// Takes a finding, if its level is wanted.
    pub fn report(&mut self, mut diagnostic: Diagnostic) {
        if let Some(level) = self.options.level_of(diagnostic.rule, diagnostic.level) {
            diagnostic.level = level;
            self.diagnostics.push(diagnostic);
        }
    }

    /// Drops an earlier finding of the same rule at the same place that is less grave; false if there is none.
    pub fn drop_weaker(&mut self, diagnostic: &Diagnostic) -> bool {
        let level = self.options.level_of(diagnostic.rule, diagnostic.level);
        let weaker = self.diagnostics.iter().position(|d| {
            let is_same = d.rule.name == diagnostic.rule.name && d.primary.span == diagnostic.primary.span;
            is_same && level.is_some_and(|level| d.level < level)
        });
        weaker.map(|i| self.diagnostics.remove(i)).is_some()
    }

    /// Whether a rule has been reported at a place.
    #[must_use]
    pub fn has(&self, rule: &Rule, place: Span) -> bool {
        self.diagnostics.iter().any(|d| d.rule.name == rule.name && d.primary.span == place)
    }

    /// Takes back the findings of a rule at a place.
    pub fn take_back(&mut self, rule: &Rule, place: Span) {
        self.diagnostics.retain(|d| d.rule.name != rule.name || d.primary.span != place);
    }

    /// Takes back the findings of some rules that begin within a place.
    pub fn take_back_within(&mut self, rules: &[&Rule], place: Span) {
        let is_within = |d: &Diagnostic| (place.start..place.end).contains(&d.primary.span.start);
        self.diagnostics.retain(|d| !is_within(d) || rules.iter().all(|rule| rule.name != d.rule.name));
    }

    /// Takes a finding that holds on `failing`, if that concerns the program; says so if it is not all of the platforms in
    /// question. The finding is only made if it is wanted.
    pub fn report_on(&mut self, cx: &Context, failing: PlatformSet, make: impl FnOnce() -> Diagnostic) {
        let failing = failing.and(cx.platforms);
        if !cx.concerns(failing) {
            return;
        }
        let mut diagnostic = make();
        if failing != cx.platforms {
            diagnostic = diagnostic.note(format!("{PLATFORMS}{}", failing.on()));
            diagnostic.platforms = failing.iter().map(Platform::name).collect();
        }
        self.report(diagnostic);
    }
}

impl Sink<'_> {
    /// Takes a finding whose level depends on the platform, at the highest level that concerns the program. `make` gets
    /// one of the platforms where it has that level, and is only called if the finding is wanted.
    pub fn report_by_platform(
        &mut self,
        cx: &Context,
        level: impl Fn(Platform) -> Level,
        make: impl FnOnce(Platform) -> Diagnostic,
    ) {
        for least in [Level::Error, Level::Warning, Level::Pedantic] {
            let failing = cx.failing(|platform| level(*platform) >= least);
            if let Some(platform) = failing.iter().next().filter(|_| cx.concerns(failing)) {
                if least > Level::Pedantic || self.options.pedantic || !self.options.levels.is_empty() {
                    self.report_on(cx, failing, || make(platform).level(least));
                }
                return;
            }
        }
    }
}

/// An instruction together with what its checks see.
#[derive(Clone, Copy)]
pub struct View<'a> {
    /// What checks see.
    pub cx: &'a Context<'a>,
    view: program::View<'a>,
}

impl<'a> std::ops::Deref for View<'a> {
    type Target = program::View<'a>;

    fn deref(&self) -> &Self::Target {
        &self.view
    }
}

impl<'a> View<'a> {
    /// The instruction, unless its mnemonic is unknown.
    #[must_use]
    pub fn new(cx: &'a Context<'a>, index: InstructionIndex) -> Option<Self> {
        Some(Self { cx, view: program::View::new(cx.program, index)? })
    }

    /// An instruction that the program holds as one that could not be read.
    #[must_use]
    pub fn of(cx: &'a Context<'a>, index: InstructionIndex, instruction: &'a Instruction) -> Option<Self> {
        Some(Self { cx, view: program::View::of(cx.program, index, instruction)? })
    }

    /// The same instruction with other operands, one for each.
    #[must_use]
    pub fn with_operands(self, operands: &'a [Operand]) -> Self {
        Self { view: program::View { operands, ..self.view }, ..self }
    }

    /// The text of a place.
    #[must_use]
    pub fn text(&self, span: Span) -> &'a str {
        self.cx.text(span)
    }
}
