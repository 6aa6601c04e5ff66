//! `docs/coverage.tsv` says of each constraint of the specification which rule reports it, and of each rule without a
//! constraint (`rule/NAME`) why it is there. `docs/coverage.md` is made from it: `BLESS=1 cargo test coverage`.

use crate::support::blessed;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use visa_lint::base::rule::{Level, Rule};
use visa_lint::checks;

const COLUMNS: usize = 5;
/// Constraints in the table. A row that is lost by mistake changes it; so does one that is added.
const N_CONSTRAINTS: usize = 1633;
const LEVELS: [Level; 3] = [Level::Error, Level::Warning, Level::Pedantic];
/// What stands for a rule where there is none.
const WITHOUT_RULE: [&str; 2] = ["none", "disputed"];
/// The first part of the id of a rule that no constraint asks for.
const OWN: &str = "rule";

/// Whether some finding of a rule has that level; rules that are off are switched on as warnings.
fn fires_at(rule: &Rule, level: &str) -> bool {
    rule.levels.iter().any(|l| l.word() == level || *l == Level::Off && level == Level::Warning.word())
}

#[test]
fn the_coverage_table_is_true_to_the_rules() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let table = std::fs::read_to_string(docs.join("coverage.tsv")).expect("the coverage table");
    let mut seen = BTreeSet::new();
    let mut rows = String::new();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut by_nothing_else = 0;
    let mut own = String::new();
    let mut named = BTreeSet::new();
    let mut faults = Vec::new();
    for line in table.lines() {
        let columns: Vec<&str> = line.split('\t').collect();
        let [id, rules, level, other, remark] = columns[..] else {
            panic!("{COLUMNS} columns are needed: {line}");
        };
        assert!(seen.insert(id), "{id} stands twice");
        let reporting: Vec<&Rule> = rules
            .split(", ")
            .filter(|name| !WITHOUT_RULE.contains(name))
            .map(|name| checks::rule(name).unwrap_or_else(|| panic!("{id}: there is no rule {name}")))
            .collect();
        assert!(level.is_empty() || LEVELS.iter().any(|l| l.word() == level), "{id}: there is no level {level}");
        // Each level of a rule has an annotated case (`cases.rs`), so a rule that can have the level fires at it.
        let is_reported = reporting.iter().any(|rule| fires_at(rule, level));
        if !reporting.is_empty() && !is_reported {
            faults.push(format!("{id}: no finding of {rules} has the level `{level}`"));
        }
        if let Some(name) = id.strip_prefix(OWN).and_then(|id| id.strip_prefix('/')) {
            assert_eq!(name, rules, "{id}: such a row is about the rule of its name");
            assert!(!named.contains(name), "{id}: a constraint asks for it");
            assert!(!remark.is_empty(), "{id}: why no constraint asks for it is not said");
            let _ = writeln!(own, "| {name} | {level} | {remark} |");
            named.insert(name);
            continue;
        }
        named.extend(reporting.iter().map(|rule| rule.name));
        let kind = if WITHOUT_RULE.contains(&rules) { rules } else { "rule" };
        *counts.entry(kind).or_default() += 1;
        by_nothing_else += usize::from(kind == "rule" && other == "nothing");
        let _ = writeln!(rows, "| {id} | {rules} | {level} | {other} | {remark} |");
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
    let missing: Vec<&str> = checks::RULES.iter().map(|rule| rule.name).filter(|name| !named.contains(name)).collect();
    assert!(
        missing.is_empty(),
        "docs/coverage.tsv names no constraint that is reported by {}; if there is none, add rows `{OWN}/NAME` that say why",
        missing.join(", ")
    );
    let n_constraints = counts.values().sum::<usize>();
    assert_eq!(n_constraints, N_CONSTRAINTS, "rows were lost or added: if that is meant, set `N_CONSTRAINTS`");
    let count = |kind: &str| counts.get(kind).copied().unwrap_or(0);
    let text = format!(
        "# What is covered\n\nOf {} constraints of the manual and the reference, {} have a rule; {} of those nothing else \
         reports. {} are disputed ([disputes](disputes.md)), and {} have none: most of them describe what hardware does, \
         or allow something.\n\nThe column *else* says what else finds a violation: the parser or the verifier of the reference \
         assembler, an abort or a crash of it, or nothing.\n\n| constraint | rules | level | else | remark |\n\
         |---|---|---|---|---|\n{rows}\n## Rules that no constraint asks for\n\n| rule | level | why |\n|---|---|---|\n{own}",
        n_constraints,
        count("rule"),
        by_nothing_else,
        count("disputed"),
        count("none"),
    );
    blessed(&docs.join("coverage.md"), &text);
}
