//! How much is known of random values and programs. What is known less of is still so, and may be missed by no case: the
//! numbers are blessed in `tests/snapshots/precision`, so that a bound, a shortcut or a form of a value that is lost shows.

use super::generator::{self, Numbers};
use super::{launch, steps};
use crate::support::{blessed, check_sum, check_sum_of, files, tests_folder};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use visa_lint::interp::domain::condition::Condition;
use visa_lint::interp::domain::{Domain, Value};
use visa_lint::interp::flow::trace::Trace;
use visa_lint::interp::{self, Launch};
use visa_lint::lower::lower;
use visa_lint::program::InstructionIndex;

/// Of so many sources of an instruction of a case one is shown.
const SOURCES_OF_SHOWN: usize = 3;
/// Random programs of which it is looked at.
const N_PROGRAMS: u64 = 600;

/// What is known of values of one kind.
#[derive(Default)]
struct Row {
    /// Values or conditions.
    n: u64,
    /// Of these, such as are one number, or hold or do not.
    n_known: u64,
    /// Atoms that they are made of.
    n_terms: u64,
    /// Bits that it takes to tell the numbers of their ranges apart.
    bits: u64,
    /// The same as signed numbers.
    signed_bits: u64,
    /// Zeros that they end with.
    zeros: u64,
    /// The ends of their ranges, added up, as unsigned and as signed numbers.
    ends: u32,
}

/// What is known, by kind.
#[derive(Default)]
pub struct Table {
    rows: BTreeMap<String, Row>,
    counts: BTreeMap<String, u64>,
}

impl Table {
    fn row(&mut self, kind: &str) -> &mut Row {
        if !self.rows.contains_key(kind) {
            self.rows.insert(kind.to_owned(), Row::default());
        }
        self.rows.get_mut(kind).expect("it is there")
    }

    pub fn value(&mut self, kind: &str, domain: &Domain, value: Value) {
        let ((low, high), (least, greatest)) = (domain.range(value), domain.signed_range(value));
        let row = self.row(kind);
        row.n += 1;
        row.n_known += u64::from(value.is_known());
        row.n_terms += domain.terms(value.sum).len() as u64;
        row.bits += u64::from(64 - (high - low).leading_zeros());
        row.signed_bits += u64::from(64 - greatest.wrapping_sub(least).leading_zeros());
        row.zeros += u64::from(domain.zeros(value));
        let ends = [low, high, least.cast_unsigned(), greatest.cast_unsigned()];
        row.ends = ends.iter().fold(row.ends, |sum, end| sum.wrapping_add((end ^ end >> 32) as u32));
    }

    pub fn condition(&mut self, kind: &str, condition: Condition) {
        let row = self.row(kind);
        row.n += 1;
        row.n_known += u64::from(condition.as_known().is_some());
    }

    pub fn count(&mut self, kind: &str, n: u64) {
        *self.counts.entry(kind.to_owned()).or_default() += n;
    }

    pub fn and(mut self, other: Self) -> Self {
        for (kind, row) in other.rows {
            let own = self.row(&kind);
            own.n += row.n;
            own.n_known += row.n_known;
            own.n_terms += row.n_terms;
            own.bits += row.bits;
            own.signed_bits += row.signed_bits;
            own.zeros += row.zeros;
            own.ends = own.ends.wrapping_add(row.ends);
        }
        for (kind, n) in other.counts {
            self.count(&kind, n);
        }
        self
    }
}

/// The table in words.
pub fn say(table: &Table) -> String {
    let mut out = String::new();
    for (kind, Row { n, n_known, n_terms, bits, signed_bits, zeros, ends }) in &table.rows {
        let _ = write!(out, "{kind}: {n}, {n_known} known");
        if *n_terms + bits + zeros > 0 {
            let _ = write!(out, ", {n_terms} terms, {bits} bits, {signed_bits} signed, {zeros} zeros, ends {ends:08x}");
        }
        out.push('\n');
    }
    for (kind, n) in &table.counts {
        let _ = writeln!(out, "{kind}: {n}");
    }
    out
}

/// The first words of what is printed for debugging: the names of variants, without their fields.
fn name(kind: &impl std::fmt::Debug) -> String {
    let all = format!("{kind:?}");
    let end = all.find(|c: char| !c.is_alphanumeric() && c != '(').unwrap_or(all.len());
    all[..end].to_owned()
}

fn look_at(seed: u64, table: &mut Table) {
    let random = generator::program(&mut Numbers::new(seed));
    let program = lower(&random.text);
    let object = program.objects.iter().next().expect("a kernel");
    let facts = interp::run(&program, object, random.grf_bytes, &launch());
    for fact in &facts.all {
        let on_path = if fact.path.is_some() { " on a path" } else { "" };
        table.count(&format!("fact {}{on_path}", name(&fact.kind)), 1);
        table.count("check sums of facts", check_sum(&format!("{fact:?}")).into());
        table.count("instructions that values came through", fact.trail.len() as u64);
    }
    for verdict in facts.verdicts.values() {
        table.count(&format!("verdict {}", name(verdict)), 1);
    }
    table.count("effort", facts.effort);
    table.count("given up", facts.is_incomplete.into());
    let trace = interp::trace(&program, object, random.grf_bytes, &launch());
    look_at_trace(&trace, table, |at| program.row(&program.instructions[at]).map_or("", |row| row.mnemonic));
}

/// What is known at each instruction, by a word for it.
pub fn look_at_trace<'w>(trace: &Trace, table: &mut Table, word: impl Fn(InstructionIndex) -> &'w str) {
    for step in steps(trace) {
        table.condition("instructions that are reached", step.reached);
        for lane in 0..step.exec_mask.len() {
            table.condition("lanes that are active", step.exec_mask.at(lane));
        }
        for (_, lanes) in &step.sources {
            for lane in 0..lanes.len() {
                table.value(word(step.instruction), &trace.domain, lanes.at(lane));
            }
        }
    }
}

/// What is known of a program: of how many lanes whether they are active, of how many values which numbers they are, the ends
/// of their ranges and a check sum of what they are made of; the number of facts and a check sum of what they say; a check sum of
/// the program that it is read as.
pub fn line_of(text: &str) -> String {
    let program = lower(text);
    let (mut table, mut n_facts, mut facts_sum, mut words_sum) = (Table::default(), 0, 0_u32, 0_u32);
    for object in program.objects.iter() {
        let facts = interp::run(&program, object, 32, &Launch::default()).all;
        n_facts += facts.len();
        facts_sum = facts.iter().fold(facts_sum, |sum, fact| sum.wrapping_add(check_sum(&format!("{fact:?}"))));
        let trace = interp::trace(&program, object, 32, &Launch::default());
        look_at_trace(&trace, &mut table, |_| "values");
        let mut name = |variable: u32, element: u32, bytes: u8| format!("{variable}.{element}:{bytes}");
        for (_, lanes) in steps(&trace).iter().flat_map(|step| &step.sources) {
            let said = [0, lanes.len() - 1].map(|lane| trace.domain.describe(lanes.at(lane), &mut name));
            words_sum = words_sum.wrapping_add(check_sum(&said.concat()));
        }
    }
    let of = |kind: &str| table.rows.get(kind).map_or((0, 0, 0), |row| (row.n_known, row.n, row.ends));
    let (active, lanes, _) = of("lanes that are active");
    let (known, values, ends) = of("values");
    let program_sum = check_sum_of(&program);
    format!(
        "{active}/{lanes} {known}/{values} {ends:08x} {words_sum:08x}; {n_facts} {facts_sum:08x}; {program_sum:08x}\n"
    )
}

#[test]
fn as_much_is_known_of_cases_as_is_blessed() {
    let of_folder = |name: &str| -> String {
        let folder = tests_folder().join(name);
        let of = |file: &PathBuf| {
            let name = file.strip_prefix(&folder).expect("a file of the folder").to_string_lossy().replace('\\', "/");
            format!("{name} {}", line_of(&std::fs::read_to_string(file).expect("a readable file")))
        };
        files(&folder, "visaasm").par_iter().map(of).collect()
    };
    let said = ["cases", "compiler_output"].map(of_folder).concat();
    blessed(&tests_folder().join("snapshots/precision/cases.txt"), &said);
}

#[test]
fn as_much_is_known_of_random_programs_as_is_blessed() {
    let table = (0..N_PROGRAMS)
        .into_par_iter()
        .fold(Table::default, |mut table, seed| {
            look_at(seed, &mut table);
            table
        })
        .reduce(Table::default, Table::and);
    blessed(&tests_folder().join("snapshots/precision/programs.txt"), &say(&table));
}

/// What an editor shows of the sources of the cases: of each how many are shown, and a check sum of what they hold.
#[test]
fn sources_of_cases_are_shown_as_blessed() {
    let folder = tests_folder().join("cases");
    let of = |file: &PathBuf| {
        let text = std::fs::read_to_string(file).expect("a readable file");
        let program = lower(&text);
        let places = program.objects.iter().flat_map(|object| {
            let instructions = object.instructions.clone().map(InstructionIndex);
            let n_operands = |at| program.operands_of(&program.instructions[at]).len();
            instructions.flat_map(move |at| (0..n_operands(at)).map(move |operand| (object, (at, operand))))
        });
        let shown = places.step_by(SOURCES_OF_SHOWN);
        let shown: Vec<_> =
            shown.filter_map(|(object, at)| interp::look(&program, object, 32, &Launch::default(), at)).collect();
        let rule = file.parent().and_then(|rule| rule.file_name()).expect("the folder of a rule");
        (rule.to_string_lossy().into_owned(), shown.len(), check_sum_of(&shown))
    };
    let mut rows: BTreeMap<String, (usize, u32)> = BTreeMap::new();
    for (rule, n, sum) in files(&folder, "visaasm").par_iter().map(of).collect::<Vec<_>>() {
        let row = rows.entry(rule).or_default();
        *row = (row.0 + n, row.1.wrapping_add(sum));
    }
    let row = |(rule, (n, sum)): (&String, &(usize, u32))| format!("{rule}: {n} {sum:08x}\n");
    let said: String = rows.iter().map(row).collect();
    blessed(&tests_folder().join("snapshots/precision/shown.txt"), &said);
}
