//! How much is known of random values and programs. What is known less of is still so, and may be missed by no case: the
//! numbers are blessed in `tests/snapshots/precision`, so that a bound, a shortcut or a form of a value that is lost shows.

use super::generator::{self, Numbers};
use super::{launch, steps};
use crate::support::{blessed, tests_folder};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use visa_lint::interp;
use visa_lint::interp::domain::condition::Condition;
use visa_lint::interp::domain::{Domain, Value};
use visa_lint::lower::lower;

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
    }

    pub fn condition(&mut self, kind: &str, condition: Condition) {
        let row = self.row(kind);
        row.n += 1;
        row.n_known += u64::from(condition.as_known().is_some());
    }

    pub fn count(&mut self, kind: &str, n: u64) {
        *self.counts.entry(kind.to_owned()).or_default() += n;
    }

    fn and(mut self, other: Self) -> Self {
        for (kind, row) in other.rows {
            let own = self.row(&kind);
            own.n += row.n;
            own.n_known += row.n_known;
            own.n_terms += row.n_terms;
            own.bits += row.bits;
            own.signed_bits += row.signed_bits;
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
    for (kind, Row { n, n_known, n_terms, bits, signed_bits }) in &table.rows {
        let _ = writeln!(out, "{kind}: {n}, {n_known} known, {n_terms} terms, {bits} bits, {signed_bits} signed");
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
        table.count(&format!("fact {}", name(&fact.kind)), 1);
        table.count("instructions that values came through", fact.trail.len() as u64);
    }
    for verdict in facts.verdicts.values() {
        table.count(&format!("verdict {}", name(verdict)), 1);
    }
    table.count("effort", facts.effort);
    table.count("given up", facts.is_incomplete.into());
    let trace = interp::trace(&program, object, random.grf_bytes, &launch());
    for step in steps(&trace) {
        let row = program.row(&program.instructions[step.instruction]);
        let mnemonic = row.map_or("", |row| row.mnemonic);
        table.condition("instructions that are reached", step.reached);
        for lane in 0..step.exec_mask.len() {
            table.condition("lanes that are active", step.exec_mask.at(lane));
        }
        for (_, lanes) in &step.sources {
            for lane in 0..lanes.len() {
                table.value(mnemonic, &trace.domain, lanes.at(lane));
            }
        }
    }
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
