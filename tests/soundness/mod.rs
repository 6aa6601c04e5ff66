//! Random programs, executed for real with several inputs, against abstract execution: whatever registers hold is one of
//! the things that they may be said to hold, and whatever is claimed of an instruction is so wherever it is executed.

mod claims;
pub mod concrete;
mod faults;
pub mod generator;
mod growth;
mod halves;
mod intervals;
mod laws;
mod membership;
mod metamorphic;
mod operations;
mod precision;
mod relations;

use crate::support::{blessed, check_sum_of, tests_folder};
use concrete::{Concrete, Ending, Manner};
use generator::Numbers;
use membership::Follower;
use rayon::prelude::*;
use std::collections::BTreeMap;
use visa_lint::interp::flow::trace::{Event, Step, Trace};
use visa_lint::interp::{self, Facts, Launch};
use visa_lint::lower::lower;
use visa_lint::program::InstructionIndex;
use visa_lint::spec::operation::Operation;

/// Random programs in a run.
const N_PROGRAMS: u64 = 10_000;
/// Real executions of each.
const N_INPUTS: u64 = 3;
/// So many programs have one check sum.
const PROGRAMS_OF_SUM: u64 = 500;
/// How often each kind of claim has to be seen, and each instruction has to be executed.
const MIN_SEEN: u64 = 5;
/// The instructions that random programs consist of.
const INSTRUCTIONS: [&str; 42] = [
    "add",
    "addc",
    "addr_add",
    "and",
    "asr",
    "avg",
    "barrier",
    "call",
    "cbit",
    "cmp",
    "div",
    "fbh",
    "fbl",
    "gather4_scaled",
    "goto",
    "jmp",
    "lzd",
    "max",
    "min",
    "mod",
    "mov",
    "mul",
    "mulh",
    "not",
    "or",
    "ret",
    "scatter4_scaled",
    "scatter_scaled",
    "sel",
    "setp",
    "shl",
    "shr",
    "subb",
    "svm_scatter",
    "switchjmp",
    "xor",
    "add.sat",
    "mov.sat",
    "mul.sat",
    "shl.sat",
    "indirect source",
    "indirect destination",
];

/// What was seen.
#[derive(Default, Debug)]
struct Tally {
    /// Values and masks that were compared.
    n_compared: u64,
    /// Real executions that came to the end.
    n_ended: u64,
    /// Claims that were so, by their kind.
    claims: BTreeMap<&'static str, u64>,
    /// Instructions that were executed by some lane.
    instructions: BTreeMap<String, u64>,
    /// The same, by what they compute.
    operations: BTreeMap<Operation, u64>,
    /// Check sums of what is known of so many programs, one behind the other.
    known: BTreeMap<u64, u32>,
}

impl Tally {
    fn and(mut self, other: Self) -> Self {
        self.n_compared += other.n_compared;
        self.n_ended += other.n_ended;
        for (kind, n) in other.claims {
            *self.claims.entry(kind).or_default() += n;
        }
        for (name, n) in other.instructions {
            *self.instructions.entry(name).or_default() += n;
        }
        for (operation, n) in other.operations {
            *self.operations.entry(operation).or_default() += n;
        }
        for (part, sum) in other.known {
            self.note_sum(part, sum);
        }
        self
    }

    /// Notes all that is known of a program.
    fn note_known(&mut self, seed: u64, facts: &Facts, trace: &Trace) {
        let mut table = precision::Table::default();
        precision::look_at_trace(trace, &mut table, |_| "values");
        let said = precision::say(&table);
        let held = (&facts.all, &facts.verdicts, &facts.bounds, &facts.skipped, facts.effort, said);
        self.note_sum(seed / PROGRAMS_OF_SUM, check_sum_of(&held));
    }

    fn note_sum(&mut self, part: u64, sum: u32) {
        let own = self.known.entry(part).or_default();
        *own = own.wrapping_add(sum);
    }

    /// Less may be known than was: that is so, and missed by no case.
    fn assert_as_much_is_known(&self, name: &str) {
        let row = |(part, sum): (&u64, &u32)| format!("{part}: {sum:08x}\n");
        let said: String = self.known.iter().map(row).collect();
        blessed(&tests_folder().join("snapshots/precision").join(name), &said);
    }

    fn note(&mut self, name: &str) {
        match self.instructions.get_mut(name) {
            Some(n) => *n += 1,
            None => {
                self.instructions.insert(name.to_owned(), 1);
            }
        }
    }
}

/// Executes one random program for real and abstractly. Returns what is not so.
fn examine(seed: u64, tally: &mut Tally) -> Result<(), String> {
    let random = generator::program(&mut Numbers::new(seed));
    examine_text(&random.text, (random.simd, random.grf_bytes), seed, tally)
        .map_err(|e| format!("program {seed}: {e}\n{}", random.text))
}

/// What is known of a launch of these programs.
fn launch() -> Launch {
    Launch { dispatches_all: true, slm_bytes: Some(1024), ..Launch::default() }
}

/// The instructions of a trace.
fn steps(trace: &Trace) -> Vec<&Step> {
    let all = trace.events.iter().map(|event| match event {
        Event::Step(step) => Some(&**step),
        _ => None,
    });
    all.flatten().collect()
}

/// Executes a program, of one kernel in which all lanes are dispatched, for real and abstractly.
fn examine_text(text: &str, (simd, grf_bytes): (u32, u32), seed: u64, tally: &mut Tally) -> Result<(), String> {
    let program = lower(text);
    if let Some(fault) = program.diagnostics.first() {
        return Err(format!("cannot be read: {} ({})", fault.message, &text[fault.primary.span.range()]));
    }
    let object = program.objects.iter().next().ok_or("there is no kernel")?;
    let launch = launch();
    let facts = interp::run(&program, object, grf_bytes, &launch);
    let trace = interp::trace(&program, object, grf_bytes, &launch);
    tally.note_known(seed, &facts, &trace);
    let steps = steps(&trace);
    for run in 0..N_INPUTS {
        let manner = Manner {
            wraps_narrow: (seed + run).is_multiple_of(2),
            counts_by_destination: (seed / 2 + run).is_multiple_of(2),
        };
        let style = (seed / 2 + 5 * run) % 7;
        let mut machine = Concrete::new(&program, object, grf_bytes, seed * N_INPUTS + run + 1, style, manner);
        let mut follower = Follower::new(&trace);
        let ending = machine.run(simd, &mut follower);
        tally.n_compared += follower.n_compared;
        tally.n_ended += u64::from(ending == Ending::Done);
        if let Some(misfit) = follower.misfit {
            return Err(format!("run {run}, {manner:?}: {misfit}"));
        }
        for record in follower.records.iter().filter(|r| r.active != 0 && !r.is_cut) {
            let instruction = &program.instructions[InstructionIndex(record.instruction)];
            let mnemonic = program.row(instruction).map_or("", |row| row.mnemonic);
            tally.note(mnemonic);
            if let Some(operation) = program.row(instruction).and_then(|row| row.operation) {
                *tally.operations.entry(operation).or_default() += 1;
            }
            if instruction.saturate {
                tally.note(&format!("{mnemonic}.sat"));
            }
            for pointed in &record.pointed {
                tally.note(if pointed.place == 0 { "indirect destination" } else { "indirect source" });
            }
        }
        for seen in claims::look_at(&program, &facts, &steps, &follower.records, ending) {
            match seen.holds {
                Some(true) => *tally.claims.entry(seen.kind).or_default() += 1,
                Some(false) => return Err(format!("run {run}, {manner:?}: claimed, but not so: {}", seen.what)),
                None => {}
            }
        }
    }
    Ok(())
}

/// A number of random programs, times what `VISA_LINT_SOUNDNESS` says.
fn times(n: u64) -> u64 {
    let times = std::env::var("VISA_LINT_SOUNDNESS");
    n * times.map_or(1, |times| times.parse::<u64>().expect("VISA_LINT_SOUNDNESS is a number"))
}

#[test]
fn what_is_claimed_of_random_programs_holds() {
    let (n_programs, min_seen) = (times(N_PROGRAMS), times(MIN_SEEN));
    let (tally, faults) = (0..n_programs)
        .into_par_iter()
        .fold(<(Tally, Vec<String>)>::default, |(mut tally, mut faults), seed| {
            faults.extend(examine(seed, &mut tally).err());
            (tally, faults)
        })
        .reduce(Default::default, |(a, x), (b, y)| (a.and(b), [x, y].concat()));
    let heads: Vec<&str> = faults.iter().filter_map(|f| f.lines().next()).collect();
    assert!(faults.is_empty(), "{} faults:\n{}\nthe first one:\n{}", faults.len(), heads.join("\n"), faults[0]);
    assert!(tally.n_ended > n_programs * N_INPUTS / 2, "only {} executions came to the end", tally.n_ended);
    assert!(tally.n_compared > 1000 * n_programs, "only {} values were compared", tally.n_compared);
    for kind in claims::KINDS {
        let n = tally.claims.get(kind).copied().unwrap_or(0);
        assert!(n >= min_seen, "only {n} claims were seen of this kind: {kind}");
    }
    for name in INSTRUCTIONS {
        let n = tally.instructions.get(name).copied().unwrap_or(0);
        assert!(n >= min_seen, "this was executed only {n} times: {name}");
    }
    if n_programs == N_PROGRAMS {
        tally.assert_as_much_is_known("executed.txt");
    }
}
