//! Kernels with and without races between work-items, as compilers print them for several devices.
//!
//! The sources stand in `tests/races/*.cl`, where the comment before a kernel says how large a group is. A name that begins
//! with `race_` says that two work-items of one group meet whatever the arguments are; with `cond_` that it depends on
//! them; with `free_` that they never do; with `group_` that two groups meet. Each folder holds the dumps for one device,
//! sub-group size and version of the text.

use crate::support::{files, listing, tests_folder};
use std::collections::{BTreeMap, BTreeSet};
use visa_lint::base::rule::Level;
use visa_lint::checks::execution::overlap::OVERLAPPING_LANE_WRITES;
use visa_lint::checks::execution::race::WORK_ITEM_RACE;
use visa_lint::checks::{self, LaunchFacts, Options};

/// The group of each kernel, by its name.
fn groups() -> BTreeMap<String, [u32; 3]> {
    let mut groups = BTreeMap::new();
    for file in files(&tests_folder().join("races"), "cl") {
        let text = std::fs::read_to_string(&file).expect("a readable file");
        let mut size = None;
        for line in text.lines() {
            if let Some((_, rest)) = line.strip_prefix("// ").and_then(|l| l.split_once("size ")) {
                let mut numbers = rest.split([' ', ':']).map_while(|n| n.parse().ok());
                size = Some(std::array::from_fn(|_| numbers.next().unwrap_or(1)));
            } else if let Some((name, _)) = line.strip_prefix("kernel void ").and_then(|l| l.split_once('(')) {
                groups.insert(name.to_owned(), size.take().unwrap_or_else(|| panic!("{name} has no size")));
            }
        }
    }
    groups
}

#[test]
fn races_are_found_where_they_are_and_nowhere_else() {
    let groups = groups();
    let (mut missed, mut wrong) = (BTreeSet::new(), Vec::new());
    let (mut n_racy, mut n_free) = (0, 0);
    for file in files(&tests_folder().join("races"), "visaasm") {
        let name = file.file_stem().and_then(|n| n.to_str()).expect("a name");
        let device = file.parent().and_then(|p| p.file_name()).and_then(|n| n.to_str()).expect("a folder");
        let text = std::fs::read_to_string(&file).expect("a readable file");
        let size = *groups.get(name).unwrap_or_else(|| panic!("no source of {name}"));
        let launch = LaunchFacts { local_size: Some(size), ..LaunchFacts::default() };
        let mut options = Options { launch, ..Options::default() };
        options.levels.insert(WORK_ITEM_RACE.name, Level::Warning);
        let found = checks::check(&text, &options);
        let is_found = found.iter().any(|d| [WORK_ITEM_RACE.name, OVERLAPPING_LANE_WRITES.name].contains(&d.rule.name));
        if name.starts_with("race_") {
            n_racy += 1;
            if !is_found {
                missed.insert(format!("{device} {name}"));
            }
        } else if name.starts_with("free_") {
            n_free += 1;
            if !found.is_empty() {
                wrong.push(format!("{device} {name}\n{}", listing(&text, &found)));
            }
        }
    }
    assert!(n_racy >= 320 && n_free >= 300, "{n_racy} kernels with races, {n_free} without");
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    let known = std::fs::read_to_string(tests_folder().join("races/missed.txt")).expect("a list of what is missed");
    let known: BTreeSet<String> = known.lines().map(str::to_owned).collect();
    assert_eq!(missed, known, "what is missed has changed: {:#?}", missed.symmetric_difference(&known));
}
