//! `docs/coverage.tsv` says of each constraint of the specification which rule reports it. `docs/coverage.md` is made from
//! it: `BLESS=1 cargo test coverage`.

use crate::support::blessed;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use visa_lint::base::rule::Level;
use visa_lint::checks;

const COLUMNS: usize = 5;
const LEVELS: [Level; 3] = [Level::Error, Level::Warning, Level::Pedantic];
/// What stands for a rule where there is none.
const WITHOUT_RULE: [&str; 2] = ["none", "disputed"];

#[test]
fn the_coverage_table_is_true_to_the_rules() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let table = std::fs::read_to_string(docs.join("coverage.tsv")).expect("the coverage table");
    let mut seen = BTreeSet::new();
    let mut rows = String::new();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut by_nothing_else = 0;
    for line in table.lines() {
        let columns: Vec<&str> = line.split('\t').collect();
        let [id, rules, level, other, remark] = columns[..] else {
            panic!("{COLUMNS} columns are needed: {line}");
        };
        assert!(seen.insert(id), "{id} stands twice");
        for name in rules.split(", ").filter(|name| !WITHOUT_RULE.contains(name)) {
            assert!(checks::rule(name).is_some(), "{id}: there is no rule {name}");
        }
        assert!(level.is_empty() || LEVELS.iter().any(|l| l.word() == level), "{id}: there is no level {level}");
        let kind = if WITHOUT_RULE.contains(&rules) { rules } else { "rule" };
        *counts.entry(kind).or_default() += 1;
        by_nothing_else += usize::from(kind == "rule" && other == "nothing");
        let _ = writeln!(rows, "| {id} | {rules} | {level} | {other} | {remark} |");
    }
    let count = |kind: &str| counts.get(kind).copied().unwrap_or(0);
    let text = format!(
        "# What is covered\n\nOf {} constraints of the manual and the reference, {} have a rule; {} of those nothing else \
         reports. {} are disputed ([disputes](disputes.md)), and {} have none: most of them describe what hardware does, \
         or allow something.\n\nThe column *else* says what else finds a violation: the parser or the verifier of the reference \
         assembler, an abort or a crash of it, or nothing.\n\n| constraint | rules | level | else | remark |\n\
         |---|---|---|---|---|\n{rows}",
        seen.len(),
        count("rule"),
        by_nothing_else,
        count("disputed"),
        count("none"),
    );
    blessed(&docs.join("coverage.md"), &text);
}
