//! Kernels with and without races between work-items, as compilers print them for several devices.
//!
//! The sources stand in `tests/races/*.cl`, where the comment before a kernel says how large a group is. A name that begins
//! with `race_` says that two work-items of one group meet whatever the arguments are; with `cond_` that it depends on
//! them; with `free_` that they never do; with `group_` that two groups meet. Each folder holds the dumps for one device,
//! sub-group size and version of the text. `missed.txt` lists the races that are not found; `judged.txt` those that do not
//! show in what memory holds when the group is executed (`judge.rs`), with what shows instead.

mod generated;
mod judge;
mod messages;

use crate::support::{blessed, check_sum, files, listing, tests_folder};
use judge::{Court, Schedule, Side, Turn};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use visa_lint::base::diagnostic::Diagnostic;
use visa_lint::base::rule::Level;
use visa_lint::checks::common::execution::OVERLAPPING_LANE_WRITES;
use visa_lint::checks::execution::race::{ARGUMENT_DEPENDENT_RACE, WORK_ITEM_RACE};
use visa_lint::checks::{self, LaunchFacts, Options};
use visa_lint::interp::launch::Layout;
use visa_lint::interp::{self, Further, Launch};
use visa_lint::lower::lower;
use visa_lint::program::Program;
use visa_lint::spec::{Platform, PlatformSet};

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

/// A dump with a label.
struct Labelled {
    device: String,
    name: String,
    text: String,
    size: [u32; 3],
}

impl Labelled {
    fn all() -> Vec<Self> {
        let groups = groups();
        let all = files(&tests_folder().join("races"), "visaasm").into_iter().map(|file| {
            let name = file.file_stem().and_then(|n| n.to_str()).expect("a name").to_owned();
            let device =
                file.parent().and_then(|p| p.file_name()).and_then(|n| n.to_str()).expect("a folder").to_owned();
            let text = std::fs::read_to_string(&file).expect("a readable file");
            let size = *groups.get(&name).unwrap_or_else(|| panic!("no source of {name}"));
            Self { device, name, text, size }
        });
        all.collect()
    }

    fn findings(&self) -> Vec<Diagnostic> {
        self.findings_of(&[WORK_ITEM_RACE.name])
    }

    fn findings_of(&self, rules: &[&'static str]) -> Vec<Diagnostic> {
        let launch = LaunchFacts { local_size: Some(self.size), ..LaunchFacts::default() };
        let mut options = Options { launch, ..Options::default() };
        options.levels.extend(rules.iter().map(|rule| (*rule, Level::Warning)));
        checks::check(&self.text, &options)
    }

    /// The platform that the dump is for.
    fn platform(&self) -> Platform {
        let device = self.device.split("-simd").next().expect("a device");
        let name = match device {
            "bmg" => "XE2",
            "ptl-h" => "XE3",
            other => &other.to_uppercase(),
        };
        Platform::from_name(name).unwrap_or_else(|| panic!("no platform {name}"))
    }
}

fn is_race(finding: &Diagnostic) -> bool {
    [WORK_ITEM_RACE.name, OVERLAPPING_LANE_WRITES.name].contains(&finding.rule.name)
}

#[test]
fn races_are_found_where_they_are_and_nowhere_else() {
    let (mut missed, mut wrong) = (BTreeSet::new(), Vec::new());
    let (mut n_racy, mut n_free) = (0, 0);
    for dump in Labelled::all() {
        let found = dump.findings();
        let Labelled { device, name, text, .. } = &dump;
        if name.starts_with("race_") {
            n_racy += 1;
            if !found.iter().any(is_race) {
                missed.insert(format!("{device} {name}"));
            }
        } else if name.starts_with("cond_") {
            let rules = [WORK_ITEM_RACE.name, ARGUMENT_DEPENDENT_RACE.name, OVERLAPPING_LANE_WRITES.name];
            let found = dump.findings_of(&rules);
            // Lanes that meet in a message that only some launches send are reported as that.
            let is_it = |f: &Diagnostic| {
                [ARGUMENT_DEPENDENT_RACE.name, OVERLAPPING_LANE_WRITES.name].contains(&f.rule.name)
                    || f.message.contains(", if ")
            };
            if !found.iter().any(is_it) {
                missed.insert(format!("{device} {name}"));
            }
        } else if name.starts_with("free_") {
            n_free += 1;
            if !found.is_empty() {
                wrong.push(format!("{device} {name}\n{}", listing(text, &found)));
            }
        }
    }
    assert!(n_racy >= 320 && n_free >= 300, "{n_racy} kernels with races, {n_free} without");
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    let known = std::fs::read_to_string(tests_folder().join("races/missed.txt")).expect("a list of what is missed");
    let known: BTreeSet<String> = known.lines().map(str::to_owned).collect();
    assert_eq!(missed, known, "what is missed has changed: {:#?}", missed.symmetric_difference(&known));
}

/// What two work-items a finding is about, and where each accesses memory.
fn witness(program: &Program, finding: &Diagnostic) -> (Side, Side) {
    let instruction = |at: u32| {
        let spans = program.instruction_spans.as_slice();
        spans.iter().rposition(|s| s.statement.start <= at).expect("an instruction") as u32
    };
    let here = instruction(finding.primary.span.start);
    if finding.rule.name == OVERLAPPING_LANE_WRITES.name {
        let any = Side { instruction: here, item: None };
        return (any, any);
    }
    let items: Vec<[u32; 3]> = finding
        .message
        .split("work-item (")
        .skip(1)
        .map(|rest| {
            let numbers = rest.split(')').next().expect("an id");
            let ids: Vec<u32> = numbers.split(", ").map(|n| n.parse().expect("a number")).collect();
            ids.try_into().expect("three ids")
        })
        .collect();
    let [a, b] = items[..] else { panic!("{}", finding.message) };
    let other = finding.secondary.iter().find(|label| label.text.ends_with("s here"));
    let there = other.map_or(here, |label| instruction(label.span.start));
    (Side { instruction: here, item: Some(a) }, Side { instruction: there, item: Some(b) })
}

/// The schedules of each trial: what memory and arguments hold, and in which order threads come.
fn trials() -> [Vec<Schedule>; 2] {
    let turns = [Turn::First, Turn::Last, Turn::Random(1), Turn::Random(2)];
    [(64, false), (20, true)].map(|(argument, has_floats)| {
        let of = |turn| [false, true].map(|is_late| Schedule { turn, is_late, argument, has_floats });
        turns.into_iter().flat_map(of).collect()
    })
}

/// What executions show of a dump.
fn judge(dump: &Labelled) -> String {
    let program = lower(&dump.text);
    let asked: Vec<_> = dump.findings().iter().filter(|f| is_race(f)).map(|f| witness(&program, f)).collect();
    let court = match Court::new(&program, dump.size, dump.platform()) {
        Ok(court) => court,
        Err(why) => return format!("not executed: {why}"),
    };
    let mut met = vec![false; asked.len()];
    let mut differs = false;
    for trial in trials() {
        let mut first = None;
        for schedule in trial {
            let ended = match court.run(schedule, &asked) {
                Ok(ended) => ended,
                Err(why) => return format!("not executed: {why}"),
            };
            met.iter_mut().zip(&ended.met).for_each(|(met, now)| *met |= *now);
            differs |= first.get_or_insert_with(|| ended.memory.clone()) != &ended.memory;
        }
    }
    if let Some(pair) = met.iter().position(|met| !met) {
        return format!("a claim that is not so: {:?}", asked[pair]);
    }
    let words = if differs {
        "two schedules end in different memory"
    } else if asked.is_empty() {
        "all schedules end in the same memory"
    } else {
        "accesses without an order, and one memory in all schedules"
    };
    words.to_owned()
}

#[test]
fn what_is_claimed_of_a_group_happens_when_it_is_executed() {
    let dumps = Labelled::all();
    let of = |dump: &Labelled| {
        let expected = match dump.name.split('_').next() {
            Some("race") => "two schedules end in different memory",
            Some("free") => "all schedules end in the same memory",
            _ => return None,
        };
        let judged = judge(dump);
        (judged != expected).then(|| format!("{} {}: {judged}\n", dump.device, dump.name))
    };
    let mut others: Vec<String> = dumps.par_iter().filter_map(of).collect();
    others.sort_unstable();
    let is_wrong = |line: &&String| line.contains("not so") || line.contains(" free_") && line.contains("different");
    let wrong: Vec<&String> = others.iter().filter(is_wrong).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    blessed(&tests_folder().join("races/judged.txt"), &others.concat());
}

/// What reading an instruction or a declaration costs, in steps of an execution.
const STEPS_PER_STATEMENT: u64 = 4;
/// What it costs to start.
const STEPS_OF_START: u64 = 2_500;

/// What it costs to execute the threads of groups of a dump, and what is found, with a check sum of what it says; one cost that
/// is too great.
fn cost_of_groups(dump: &Labelled) -> (String, Option<String>) {
    let program = lower(&dump.text);
    let object = program.objects.iter().next().expect("a kernel");
    let platform = dump.platform();
    let n = u64::from(object.instructions.end - object.instructions.start)
        + u64::from(object.variables.end - object.variables.start);
    let mut said = format!("{} {}:", dump.device, dump.name);
    let mut above = None;
    for size in [[256, 1, 1], [16, 16, 1], [8, 8, 4]] {
        let grf_bytes = platform.grf_bytes();
        let layout = Layout::new(size, None, (&program, object), grf_bytes, PlatformSet::one(platform));
        let Some((layout, group)) = layout.and_then(|layout| layout.group(64).map(|group| (layout, group))) else {
            continue;
        };
        let mut launch = Launch::default();
        launch.set_group(&layout);
        let plain = interp::run(&program, object, grf_bytes, &launch).effort;
        let further = Further { by_arguments: true, between_groups: true };
        let outcome = interp::races((&program, object), grf_bytes, &launch, &group, Some(plain), further);
        assert!(outcome.effort > 0, "{} {}", dump.device, dump.name);
        let most = 10 * (STEPS_OF_START + plain + n * STEPS_PER_STATEMENT);
        if outcome.effort > most {
            above = Some(format!("{} {} {size:?}: {} of {most}", dump.device, dump.name, outcome.effort));
        }
        let found = [outcome.facts.len(), outcome.conditional.len(), outcome.between.len(), outcome.open.len()];
        let stop = outcome.stop.map_or(String::new(), |stop| format!(" {stop:?}"));
        let facts = (&outcome.facts, &outcome.conditional, &outcome.between, &outcome.outside, &outcome.parted);
        let sum = check_sum(&format!("{facts:?} {:?} {} {}", outcome.open, outcome.is_free, outcome.is_free_in_any));
        let _ = write!(said, " {} {found:?} {sum:08x}{stop};", outcome.effort);
    }
    (said + "\n", above)
}

/// A few dumps of each device and kind: what their threads cost, and what is found of races that only some launches have, is
/// blessed, so that a budget, a bound or a trial that is lost shows.
#[test]
fn threads_of_a_group_cost_at_most_ten_times_one_execution() {
    let dumps = Labelled::all();
    let (said, above): (Vec<String>, Vec<Option<String>>) = dumps.par_iter().step_by(3).map(cost_of_groups).unzip();
    let above: Vec<String> = above.into_iter().flatten().collect();
    assert!(above.is_empty(), "{above:#?}");
    blessed(&tests_folder().join("snapshots/precision/dumps.txt"), &said.concat());
}
