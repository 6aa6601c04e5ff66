//! A bound on findings of one kind: beyond it, one finding says how many are left out.

use super::diagnostic::Diagnostic;
use super::rule::{Level, Rule};
use super::span::Span;
use rustc_hash::FxHashMap;

/// So many findings of one rule and level are kept for a file.
pub const MAX_PER_KIND: usize = 1000;

/// What was found of one rule at one level.
#[derive(Debug)]
struct Kind {
    rule: &'static Rule,
    n_found: usize,
    /// The first place that is left out.
    first_left_out: Option<Span>,
}

/// Counts findings by rule and level.
#[derive(Debug, Default)]
pub struct Tally {
    kinds: FxHashMap<(&'static str, Level), Kind>,
}

impl Tally {
    /// Drops those of the findings from `from` on that are beyond the bound.
    pub fn bound(&mut self, findings: &mut Vec<Diagnostic>, from: usize) {
        if from < findings.len() {
            findings.extract_if(from.., |found| !self.takes(found)).for_each(drop);
        }
    }

    fn takes(&mut self, found: &Diagnostic) -> bool {
        let kind = self.kinds.entry((found.rule.name, found.level)).or_insert_with(|| Kind {
            rule: found.rule,
            n_found: 0,
            first_left_out: None,
        });
        kind.n_found += 1;
        if kind.n_found > MAX_PER_KIND {
            kind.first_left_out.get_or_insert(found.primary.span);
        }
        kind.n_found <= MAX_PER_KIND
    }

    /// A finding for each kind of which some were left out, in the order of the text.
    #[must_use]
    pub fn left_out(&self) -> Vec<Diagnostic> {
        let of_kind = |((_, level), kind): (&(_, Level), &Kind)| {
            let n = kind.n_found - MAX_PER_KIND.min(kind.n_found);
            let message = format!("{n} more findings of this kind are left out, from here on");
            Some(Diagnostic::new(kind.rule, kind.first_left_out?, message).level(*level))
        };
        let mut findings: Vec<Diagnostic> = self.kinds.iter().filter_map(of_kind).collect();
        findings.sort_by_key(|d| (d.primary.span, d.rule.name, d.level));
        findings
    }
}
