//! What a run says at its end.

use crate::base::rule::Level;
use crate::checks::{self, group::Group};
use crate::report::Counts;
use std::collections::BTreeMap;
use std::time::Duration;

/// Findings of each rule at each level.
pub(super) type ByRule = BTreeMap<(&'static str, Level), usize>;

/// What the summary counts.
#[derive(Clone, Copy, Default)]
pub(super) struct Totals {
    pub counts: Counts,
    pub n_files: usize,
    pub n_kernels: usize,
    pub n_instructions: usize,
    pub n_fixes: usize,
}

impl Totals {
    pub fn add(&mut self, other: Self) {
        self.counts.add(other.counts);
        self.n_files += other.n_files;
        self.n_kernels += other.n_kernels;
        self.n_instructions += other.n_instructions;
        self.n_fixes += other.n_fixes;
    }
}

/// The counts, the largest first.
fn by_count(by_rule: &ByRule) -> Vec<(usize, Level, &'static str)> {
    let mut rules: Vec<_> = by_rule.iter().map(|((name, level), n)| (*n, *level, *name)).collect();
    rules.sort_by_key(|(n, level, name)| (std::cmp::Reverse(*n), std::cmp::Reverse(*level), *name));
    rules
}

/// A line for each rule and level that was reported, the most frequent one first.
pub(super) fn statistics(by_rule: &ByRule) -> String {
    let line = |(n, level, name): (usize, Level, &str)| format!("{n:>7} {:<8} {name}\n", level.word());
    by_count(by_rule).into_iter().map(line).collect()
}

/// The same as an array of objects.
pub(super) fn statistics_json(by_rule: &ByRule) -> String {
    let row = |(n, level, name): (usize, Level, &'static str)| {
        let group = checks::rule(name).map_or("", |rule| Group::of(rule).name());
        serde_json::json!({ "rule": name, "level": level.word(), "group": group, "count": n })
    };
    let rows: Vec<_> = by_count(by_rule).into_iter().map(row).collect();
    format!("{:#}\n", serde_json::Value::from(rows))
}

/// A number with its noun.
pub(super) fn plural(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// The last line of a run.
pub(super) fn summary(totals: Totals, elapsed: Duration) -> String {
    let counts = totals.counts;
    let mut findings = vec![plural(counts.errors, "error", "errors"), plural(counts.warnings, "warning", "warnings")];
    if counts.pedantic > 0 {
        findings.push(format!("{} pedantic", counts.pedantic));
    }
    if counts.known > 0 {
        findings.push(format!("{} known", counts.known));
    }
    if counts.suppressed > 0 {
        findings.push(format!("{} suppressed", counts.suppressed));
    }
    format!(
        "checked {} in {}, {}: {} ({:.2} s)",
        plural(totals.n_kernels, "kernel", "kernels"),
        plural(totals.n_files, "file", "files"),
        plural(totals.n_instructions, "instruction", "instructions"),
        findings.join(", "),
        elapsed.as_secs_f64()
    )
}
