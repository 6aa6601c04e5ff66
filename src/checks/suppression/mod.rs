//! Comments that suppress findings: `// visa-lint: allow(rule, ...) reason`.
//!
//! While a text holds such comments its findings are looked for at every level, so that a comment about a pedantic
//! finding counts as used even when pedantic findings are not wanted; the levels that are wanted are applied afterwards.

mod comment;

use super::context::Options;
use crate::base::diagnostic::{Diagnostic, Edit, Fix};
use crate::base::rule::{Level, Rule};
use crate::base::span::Span;
use crate::base::spelling::closest;
use crate::host::Host;
use crate::program::Program;
use comment::{Parsed, Verb};
use rustc_hash::FxHashMap;

crate::declare_rule! {
    /// A comment begins with `visa-lint` but cannot be read, so it suppresses nothing. The forms are
    ///
    /// * `// visa-lint: allow(rule, ...) reason` for the statement before it on its line, or else the next one;
    /// * `// visa-lint: allow-kernel(rule, ...) reason` for the kernel or function around it or right after it;
    /// * `// visa-lint: allow-file(rule, ...) reason` for the whole file;
    /// * `// visa-lint: expect(rule, ...) reason` like `allow`, and the finding has to be there.
    ///
    /// ```visa bad
    /// scatter4_scaled.R (M1, 8) T1 0x0:ud VUD.0 VUD // visa-lint: alow(missing-raw-offset) our tool never writes offsets
    /// ```
    /// ```visa good
    /// scatter4_scaled.R (M1, 8) T1 0x0:ud VUD.0 VUD // visa-lint: allow(missing-raw-offset) our tool never writes offsets
    /// ```
    pub MALFORMED_SUPPRESSION = "malformed-suppression", Warning, ""
}

crate::declare_rule! {
    /// A comment names a rule that there is not, so it suppresses nothing. `visa-lint explain` lists the rules.
    ///
    /// ```visa bad
    /// scatter4_scaled.R (M1, 8) T1 0x0:ud VUD.0 VUD // visa-lint: allow(missing-raw-ofset) our tool never writes offsets
    /// ```
    /// ```visa good
    /// scatter4_scaled.R (M1, 8) T1 0x0:ud VUD.0 VUD // visa-lint: allow(missing-raw-offset) our tool never writes offsets
    /// ```
    pub UNKNOWN_RULE = "unknown-rule", Warning, ""
}

crate::declare_rule! {
    /// A comment suppresses findings and does not say why. A later reader needs the reason to decide whether it still
    /// holds.
    ///
    /// ```visa bad
    /// scatter4_scaled.R (M1, 8) T1 0x0:ud VUD.0 VUD // visa-lint: allow(missing-raw-offset)
    /// ```
    /// ```visa good
    /// scatter4_scaled.R (M1, 8) T1 0x0:ud VUD.0 VUD // visa-lint: allow(missing-raw-offset) our tool never writes offsets
    /// ```
    pub UNEXPLAINED_SUPPRESSION = "unexplained-suppression", Warning, ""
}

crate::declare_rule! {
    /// A comment allows what does not happen, on no platform and at no level: the fault was mended, or the comment
    /// stands in the wrong place. It would hide a new fault of that kind.
    ///
    /// ```visa bad
    /// scatter4_scaled.R (M1, 8) T1 0x0:ud VUD.0 VUD.0 // visa-lint: allow(missing-raw-offset) our tool never writes offsets
    /// ```
    /// ```visa good
    /// scatter4_scaled.R (M1, 8) T1 0x0:ud VUD.0 VUD.0
    /// ```
    pub UNUSED_SUPPRESSION = "unused-suppression", Warning, ""
}

crate::declare_rule! {
    /// A comment expects a finding that does not come. Unlike `allow`, `expect` is about this very run: the platforms
    /// that it is for count.
    ///
    /// ```visa bad
    /// scatter4_scaled.R (M1, 8) T1 0x0:ud VUD.0 VUD.0 // visa-lint: expect(missing-raw-offset) an example of the fault
    /// ```
    /// ```visa good
    /// scatter4_scaled.R (M1, 8) T1 0x0:ud VUD.0 VUD // visa-lint: expect(missing-raw-offset) an example of the fault
    /// ```
    pub UNFULFILLED_EXPECTATION = "unfulfilled-expectation", Warning, ""
}

/// A report proposes that many similar names; more would cost more than they help.
const MAX_SUGGESTIONS: usize = 200;

/// Where a comment holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Scope {
    /// The statement that begins there.
    Statement(u32),
    /// The kernel or function of that number.
    Object(u32),
    File,
}

impl Scope {
    /// A number by which narrow ones come first.
    const fn width(self) -> u8 {
        match self {
            Self::Statement(_) => 0,
            Self::Object(_) => 1,
            Self::File => 2,
        }
    }
}

/// One rule in one comment.
#[derive(Debug)]
struct Entry {
    rule: &'static Rule,
    /// The name in the comment.
    span: Span,
    /// Which comment.
    comment: usize,
    is_used: bool,
}

/// The comments of a text.
#[derive(Debug, Default)]
pub struct Suppressions {
    comments: Vec<Parsed>,
    entries: Vec<Entry>,
    by_place: FxHashMap<(Scope, &'static str), usize>,
    /// The statements that comments are about, ascending.
    statements: Vec<Span>,
    /// Where the kernels and functions begin.
    objects: Vec<u32>,
}

/// A finding that a comment suppresses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suppressed {
    /// The finding.
    pub diagnostic: Diagnostic,
    /// Why, in the words of the comment; may be empty.
    pub reason: String,
}

impl Suppressions {
    /// The comments of a text; `None`, after one search for a word, if there are none.
    #[must_use]
    pub fn read(text: &str, program: &Program) -> Option<Self> {
        let comments: Vec<Parsed> = comment::read(text);
        if comments.is_empty() {
            return None;
        }
        Some(Self::of(text, comments, program.objects.iter().map(|o| o.span.start).collect()))
    }

    /// The comments of a host source and of its fragments; `None` if there are none.
    #[must_use]
    pub fn of_host(text: &str, host: &Host) -> Option<Self> {
        let comments: Vec<Parsed> = comment::read_host(text, host);
        if comments.is_empty() {
            return None;
        }
        // The statements of one function are what a kernel is elsewhere.
        let mut objects = Vec::new();
        let mut last = None;
        for fragment in &host.fragments {
            if last != Some(fragment.raw.function) {
                objects.push(fragment.raw.span.start);
                last = Some(fragment.raw.function);
            }
        }
        Some(Self::of(text, comments, objects))
    }

    fn of(text: &str, comments: Vec<Parsed>, objects: Vec<u32>) -> Self {
        let mut read = Self { objects, ..Self::default() };
        for (index, parsed) in comments.iter().enumerate() {
            let scope = read.scope(parsed);
            for name in &parsed.names {
                let Some(rule) = super::rule(name.of(text)) else { continue };
                // A rule that is named twice for one place is used once.
                read.by_place.entry((scope, rule.name)).or_insert(read.entries.len());
                read.entries.push(Entry { rule, span: *name, comment: index, is_used: false });
            }
            if matches!(scope, Scope::Statement(_)) {
                read.statements.push(parsed.comment.statement);
            }
        }
        read.statements.sort_by_key(|s| s.start);
        read.statements.dedup();
        read.comments = comments;
        read
    }

    /// Options that find everything that a comment may be about. Rules that are off stay off unless the user wants them.
    #[must_use]
    pub fn widened(options: &Options) -> Options {
        let mut wide = Options { pedantic: true, in_full: true, ..options.clone() };
        wide.levels.retain(|name, _| super::rule(name).is_some_and(|rule| rule.level == Level::Off));
        wide
    }

    /// Takes out of `diagnostics`, which were found with widened options, what is suppressed and what is not wanted, and
    /// adds what is to be said of the comments. `elsewhere` finds what other platforms would show.
    pub fn apply(
        mut self,
        text: &str,
        options: &Options,
        diagnostics: Vec<Diagnostic>,
        elsewhere: impl FnOnce() -> Vec<Diagnostic>,
    ) -> (Vec<Diagnostic>, Vec<Suppressed>) {
        let mut left = Vec::with_capacity(diagnostics.len());
        let mut suppressed = Vec::new();
        self.sort(text, options, diagnostics, &mut left, &mut suppressed);
        let mut own = self.faults(text, options, &left, elsewhere);
        own.sort_by_key(|d| d.primary.span);
        self.sort(text, options, own, &mut left, &mut suppressed);
        (left, suppressed)
    }

    /// Sorts findings into those that are left and those that are suppressed.
    fn sort(
        &mut self,
        text: &str,
        options: &Options,
        diagnostics: Vec<Diagnostic>,
        left: &mut Vec<Diagnostic>,
        suppressed: &mut Vec<Suppressed>,
    ) {
        for mut diagnostic in diagnostics {
            let entry = self.use_entry(&diagnostic);
            let Some(level) = options.level_of(diagnostic.rule, diagnostic.level) else { continue };
            diagnostic.level = level;
            match entry {
                Some(entry) => {
                    let reason = self.comments[entry].reason.of(text).to_owned();
                    suppressed.push(Suppressed { diagnostic, reason });
                }
                None => left.push(diagnostic),
            }
        }
    }

    /// Marks the entry that suppresses a finding as used, the narrowest one; returns its comment.
    fn use_entry(&mut self, diagnostic: &Diagnostic) -> Option<usize> {
        // What is in the definition of a macro may be suppressed there, or where the macro is used.
        let places = [Some(diagnostic.primary.span), diagnostic.use_place()].into_iter().flatten();
        let mut scopes: Vec<Scope> = places.flat_map(|place| self.scopes_around(place.start)).collect();
        scopes.sort_by_key(|scope| scope.width());
        let entry = scopes.iter().find_map(|scope| self.by_place.get(&(*scope, diagnostic.rule.name)).copied())?;
        self.entries[entry].is_used = true;
        Some(self.entries[entry].comment)
    }

    /// The scopes that hold a place, the narrowest first.
    fn scopes_around(&self, at: u32) -> impl Iterator<Item = Scope> + use<> {
        let before = self.statements.partition_point(|s| s.start <= at);
        let statement = before.checked_sub(1).map(|i| self.statements[i]).filter(|s| at <= s.end);
        let object = self.objects.partition_point(|start| *start <= at).checked_sub(1);
        let statement = statement.map(|s| Scope::Statement(s.start));
        statement.into_iter().chain(object.map(|i| Scope::Object(i as u32))).chain([Scope::File])
    }

    fn scope(&self, parsed: &Parsed) -> Scope {
        match parsed.verb {
            Some(Verb::AllowFile) => Scope::File,
            Some(Verb::AllowKernel) => {
                // A comment right before a kernel, or before all of them, means the kernel that follows.
                let at =
                    if parsed.comment.is_trailing { parsed.comment.span.start } else { parsed.comment.statement.start };
                Scope::Object(self.objects.partition_point(|start| *start <= at).saturating_sub(1) as u32)
            }
            Some(Verb::Allow | Verb::Expect) | None => Scope::Statement(parsed.comment.statement.start),
        }
    }

    /// What is to be said of the comments.
    fn faults(
        &mut self,
        text: &str,
        options: &Options,
        left: &[Diagnostic],
        elsewhere: impl FnOnce() -> Vec<Diagnostic>,
    ) -> Vec<Diagnostic> {
        let mut found: Vec<Diagnostic> = Vec::new();
        let mut n_suggestions = 0;
        for parsed in &self.comments {
            found.extend(parsed.fault.clone());
            if parsed.fault.is_some() {
                continue;
            }
            for name in parsed.names.iter().filter(|n| super::rule(n.of(text)).is_none()) {
                n_suggestions += 1;
                let left = if n_suggestions <= MAX_SUGGESTIONS { Some(left) } else { None };
                found.push(self.unknown(text, parsed, *name, left));
            }
            if parsed.reason.is_empty() {
                found.push(unexplained(parsed));
            }
        }
        // Comments about these findings are used by them.
        for diagnostic in &found {
            self.use_entry(diagnostic);
        }
        let could_be_unused = |e: &Entry| !e.is_used && can_be_unused(e.rule, options);
        let mut unused: Vec<bool> = self.entries.iter().map(could_be_unused).collect();
        if self.entries.iter().zip(&unused).any(|(e, u)| *u && self.comments[e.comment].verb != Some(Verb::Expect)) {
            let before: Vec<bool> = self.entries.iter().map(|e| e.is_used).collect();
            for diagnostic in elsewhere() {
                self.use_entry(&diagnostic);
            }
            for (i, entry) in self.entries.iter_mut().enumerate() {
                if self.comments[entry.comment].verb == Some(Verb::Expect) {
                    entry.is_used = before[i];
                }
                unused[i] &= !entry.is_used;
            }
        }
        // A statement with another error is not checked further: the expected finding may be hidden by it.
        for (entry, unused) in self.entries.iter().zip(&mut unused) {
            let parsed = &self.comments[entry.comment];
            let is_narrow = matches!(parsed.verb, Some(Verb::Allow | Verb::Expect));
            *unused &= !(is_narrow && has_error(left, parsed.comment.statement));
        }
        self.report_unused(text, &unused, &mut found);
        found
    }

    /// A rule that there is not; with a suggestion if the findings that nothing suppresses are given.
    fn unknown(&self, text: &str, parsed: &Parsed, name: Span, left: Option<&[Diagnostic]>) -> Diagnostic {
        let word = name.of(text);
        let diagnostic = Diagnostic::new(&UNKNOWN_RULE, name, format!("there is no rule `{word}`"));
        let similar = left.and_then(|left| Some((left, closest(word, super::RULES.iter().map(|r| r.name))?)));
        let Some((left, similar)) = similar else {
            return diagnostic.help("`visa-lint explain` lists the rules");
        };
        // The name is certain if there is a finding of that name to suppress.
        let scope = self.scope(parsed);
        let waits =
            |d: &Diagnostic| d.rule.name == similar && self.scopes_around(d.primary.span.start).any(|s| s == scope);
        let is_certain = left.iter().any(waits);
        diagnostic.help(format!("did you mean `{similar}`?")).replace(name, similar, is_certain)
    }

    /// Reports the entries that suppress nothing: a comment as a whole if it has no other entries.
    fn report_unused(&self, text: &str, unused: &[bool], found: &mut Vec<Diagnostic>) {
        let mut start = 0;
        while start < self.entries.len() {
            let comment = self.entries[start].comment;
            let end = start + self.entries[start..].iter().take_while(|e| e.comment == comment).count();
            let parsed = &self.comments[comment];
            let is_expectation = parsed.verb == Some(Verb::Expect);
            let rule = if is_expectation { &UNFULFILLED_EXPECTATION } else { &UNUSED_SUPPRESSION };
            let is_whole = unused[start..end].iter().all(|u| *u) && end - start == parsed.names.len();
            for (entry, _) in self.entries[start..end].iter().zip(&unused[start..end]).filter(|(_, unused)| **unused) {
                let name = entry.rule.name;
                let message = match (is_expectation, parsed.verb) {
                    (true, _) => format!("`{name}` is expected here and does not come"),
                    (_, Some(Verb::AllowFile)) => format!("nothing in this file is reported as `{name}`"),
                    (_, Some(Verb::AllowKernel)) => format!("nothing in this kernel is reported as `{name}`"),
                    _ => format!("nothing here is reported as `{name}`"),
                };
                let span = if is_whole { parsed.removal(text) } else { comment::removal_of_name(parsed, entry.span) };
                let what = if is_whole { "the comment".to_owned() } else { format!("`{name}`") };
                let fix = Fix {
                    title: format!("remove {what}"),
                    edits: vec![Edit { span, text: String::new() }],
                    // Where an expectation is not met, the code may be wrong and not the comment.
                    certain: !is_expectation,
                };
                found.push(Diagnostic::new(rule, entry.span, message).fix(fix));
            }
            start = end;
        }
    }
}

/// Whether what the rule says depends on all findings being there.
pub(super) fn needs_all(rule: &Rule) -> bool {
    rule == &UNUSED_SUPPRESSION || rule == &UNFULFILLED_EXPECTATION
}

/// Whether it can be known that nothing is reported as `rule`: it is not off, and its findings do not depend on which
/// comments are unused.
fn can_be_unused(rule: &'static Rule, options: &Options) -> bool {
    let is_last = [&UNUSED_SUPPRESSION, &UNFULFILLED_EXPECTATION].contains(&rule);
    !is_last && (rule.level != Level::Off || options.is_wanted(rule))
}

/// Whether one of the findings, which are in the order of the text, is an error that begins in a statement.
fn has_error(sorted: &[Diagnostic], statement: Span) -> bool {
    let first = sorted.partition_point(|d| d.primary.span.start < statement.start);
    let here = sorted[first..].iter().take_while(|d| d.primary.span.start <= statement.end);
    here.into_iter().any(|d| d.level == Level::Error)
}

fn unexplained(parsed: &Parsed) -> Diagnostic {
    let end = Span::at(parsed.list.end);
    let fix = Fix {
        title: "add the reason".to_owned(),
        edits: vec![Edit { span: end, text: " ...".to_owned() }],
        certain: false,
    };
    Diagnostic::new(&UNEXPLAINED_SUPPRESSION, parsed.directive, "this suppression does not say why")
        .help("write the reason after the closing parenthesis")
        .fix(fix)
}
