//! Random programs, executed lane by lane with random inputs, against what abstract execution claims of their last store:
//! lanes that are said to meet meet for all inputs, and where nothing is said, not even that they may meet, they never do.

use crate::support::on;
use std::fmt::Write as _;
use visa_lint::base::rule::Level;
use visa_lint::checks;
use visa_lint::spec::Platform;

const LANES: usize = 16;
/// Programs in a run; each is executed with [`N_INPUTS`] inputs.
const N_PROGRAMS: u64 = 100_000;
const N_INPUTS: u64 = 6;
const N_REGISTERS: usize = 5;
/// Lane numbers, an input with a number for each lane, and an input with one number for all.
const N_GIVEN: usize = 3;
const N_VARIABLES: usize = N_GIVEN + N_REGISTERS;

type Vector = [u32; LANES];

/// Numbers that are the same in every run (xorshift).
struct Numbers(u64);

impl Numbers {
    fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 16
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    /// A number that addresses are made of, or any.
    fn immediate(&mut self) -> u32 {
        const COMMON: [u32; 14] = [0, 1, 2, 3, 4, 5, 7, 8, 16, 31, 0xff, 0x1000, 0xffff_fffc, 0x8000_0000];
        match self.below(COMMON.len() + 2) {
            i if i < COMMON.len() => COMMON[i],
            _ => self.next() as u32,
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum Source {
    Vector(usize),
    /// One element for all lanes.
    Scalar(usize, usize),
    Immediate(u32),
}

#[derive(Clone, Copy, Debug)]
enum Operation {
    Mov,
    Not,
    Add,
    Mul,
    And,
    Or,
    Xor,
    Shl,
    Shr,
    Asr,
    Min,
    Max,
    /// A comparison, and a choice by what it gives.
    Select(&'static str),
}

const OPERATIONS: [Operation; 17] = [
    Operation::Mov,
    Operation::Not,
    Operation::Add,
    Operation::Add,
    Operation::Add,
    Operation::Mul,
    Operation::And,
    Operation::And,
    Operation::Or,
    Operation::Xor,
    Operation::Shl,
    Operation::Shl,
    Operation::Shr,
    Operation::Asr,
    Operation::Min,
    Operation::Max,
    Operation::Select("lt"),
];

#[derive(Clone, Debug)]
struct Step {
    operation: Operation,
    destination: usize,
    sources: [Source; 2],
    /// What a choice compares.
    compared: [Source; 2],
}

struct Random {
    steps: Vec<Step>,
    /// The predicate of the store: a comparison.
    condition: Option<(&'static str, [Source; 2])>,
    offset: usize,
}

const COMPARISONS: [&str; 6] = ["eq", "ne", "lt", "le", "gt", "ge"];

fn random_source(numbers: &mut Numbers, may_be_immediate: bool) -> Source {
    let variable = numbers.below(N_VARIABLES);
    match numbers.below(if may_be_immediate { 8 } else { 5 }) {
        0..=3 => Source::Vector(variable),
        4 => Source::Scalar(variable, numbers.below(LANES)),
        _ => Source::Immediate(numbers.immediate()),
    }
}

fn random_program(numbers: &mut Numbers) -> Random {
    let n_steps = 1 + numbers.below(7);
    let pair = |numbers: &mut Numbers| [random_source(numbers, false), random_source(numbers, true)];
    let mut steps = Vec::with_capacity(n_steps);
    for _ in 0..n_steps {
        let mut operation = OPERATIONS[numbers.below(OPERATIONS.len())];
        if let Operation::Select(relation) = &mut operation {
            *relation = COMPARISONS[numbers.below(COMPARISONS.len())];
        }
        steps.push(Step {
            operation,
            destination: N_GIVEN + numbers.below(N_REGISTERS),
            sources: pair(numbers),
            compared: pair(numbers),
        });
    }
    let condition = (numbers.below(4) == 0).then(|| (COMPARISONS[numbers.below(COMPARISONS.len())], pair(numbers)));
    let offset = steps.last().map_or(0, |s: &Step| s.destination);
    Random { steps, condition, offset }
}

fn in_text(source: Source, kind: &str) -> String {
    let alias = if kind == "d" { "S" } else { "" };
    match source {
        Source::Vector(v) => format!("{alias}V{v}(0,0)<1;1,0>"),
        Source::Scalar(v, lane) => format!("{alias}V{v}({},{})<0;1,0>", lane / 8, lane % 8),
        Source::Immediate(n) => format!("0x{n:x}:{kind}"),
    }
}

/// The program as text; the store is the last line but one.
fn text(random: &Random) -> String {
    let mut out = String::from(".version 4.1\n.kernel \"random\"\n");
    for v in 0..N_VARIABLES {
        let _ = writeln!(out, ".decl V{v} v_type=G type=ud num_elts=16 align=GRF");
        let _ = writeln!(out, ".decl SV{v} v_type=G type=d num_elts=16 align=GRF alias=<V{v}, 0>");
    }
    out.push_str(".decl P v_type=P num_elts=16\n.decl DATA v_type=G type=ud num_elts=16 align=GRF\n");
    out.push_str(".decl T6 v_type=T num_elts=1\n.input V1 offset=64 size=64\n.input V2 offset=128 size=64\n");
    out.push_str(".input DATA offset=192 size=64\n.input T6 offset=256 size=4\n");
    out.push_str(".kernel_attr Target=\"cm\"\n.kernel_attr SimdSize=16\n.function \"random_main\"\nrandom_main:\n");
    out.push_str("    mov (M1_NM, 8) V0(0,0)<1> 0x76543210:uv\n");
    out.push_str("    add (M1_NM, 8) V0(1,0)<1> V0(0,0)<1;1,0> 0x8:ud\n");
    for v in N_GIVEN..N_VARIABLES {
        let _ = writeln!(out, "    mov (M1_NM, 16) V{v}(0,0)<1> V{}(0,0)<1;1,0>", v % N_GIVEN);
    }
    for Step { operation, destination, sources: [a, b], compared } in &random.steps {
        let d = format!("(M1_NM, 16) V{destination}(0,0)<1>");
        let (x, y) = (in_text(*a, "ud"), in_text(*b, "ud"));
        let _ = match operation {
            Operation::Mov => writeln!(out, "    mov {d} {y}"),
            Operation::Not => writeln!(out, "    not {d} {x}"),
            Operation::Add => writeln!(out, "    add {d} {x} {y}"),
            Operation::Mul => writeln!(out, "    mul {d} {x} {y}"),
            Operation::And => writeln!(out, "    and {d} {x} {y}"),
            Operation::Or => writeln!(out, "    or {d} {x} {y}"),
            Operation::Xor => writeln!(out, "    xor {d} {x} {y}"),
            Operation::Shl => writeln!(out, "    shl {d} {x} {y}"),
            Operation::Shr => writeln!(out, "    shr {d} {x} {y}"),
            Operation::Asr => {
                writeln!(out, "    asr (M1_NM, 16) SV{destination}(0,0)<1> {} {}", in_text(*a, "d"), in_text(*b, "d"))
            }
            Operation::Min => writeln!(out, "    min {d} {x} {y}"),
            Operation::Max => writeln!(out, "    max {d} {x} {y}"),
            Operation::Select(relation) => {
                let [l, r] = compared.map(|s| in_text(s, "ud"));
                let _ = writeln!(out, "    cmp.{relation} (M1_NM, 16) P {l} {r}");
                writeln!(out, "    (P) sel {d} {x} {y}")
            }
        };
    }
    if let Some((relation, compared)) = random.condition {
        let [l, r] = compared.map(|s| in_text(s, "ud"));
        let _ = writeln!(out, "    cmp.{relation} (M1_NM, 16) P {l} {r}");
        out.push_str("    (P) ");
    } else {
        out.push_str("    ");
    }
    let _ = writeln!(out, "scatter4_scaled.R (M1_NM, 16) T6 0x0:ud V{}.0 DATA.0", random.offset);
    out.push_str("    ret (M1_NM, 1)\n");
    out
}

fn value(registers: &[Vector; N_VARIABLES], source: Source, lane: usize) -> u32 {
    match source {
        Source::Vector(v) => registers[v][lane],
        Source::Scalar(v, element) => registers[v][element],
        Source::Immediate(n) => n,
    }
}

fn compares(relation: &str, a: u32, b: u32) -> bool {
    match relation {
        "eq" => a == b,
        "ne" => a != b,
        "lt" => a < b,
        "le" => a <= b,
        "gt" => a > b,
        _ => a >= b,
    }
}

/// Whether two active lanes of the store write a common byte, and whether all lanes are active.
fn executed(random: &Random, inputs: [Vector; N_GIVEN]) -> (bool, bool) {
    let mut registers: [Vector; N_VARIABLES] = std::array::from_fn(|v| inputs[v % N_GIVEN]);
    for step in &random.steps {
        let [a, b] = step.sources;
        let result = std::array::from_fn(|lane| {
            let (x, y) = (value(&registers, a, lane), value(&registers, b, lane));
            match step.operation {
                Operation::Mov => y,
                Operation::Not => !x,
                Operation::Add => x.wrapping_add(y),
                Operation::Mul => x.wrapping_mul(y),
                Operation::And => x & y,
                Operation::Or => x | y,
                Operation::Xor => x ^ y,
                Operation::Shl => x << (y & 31),
                Operation::Shr => x >> (y & 31),
                Operation::Asr => ((x as i32) >> (y & 31)) as u32,
                Operation::Min => x.min(y),
                Operation::Max => x.max(y),
                Operation::Select(relation) => {
                    let [l, r] = step.compared.map(|s| value(&registers, s, lane));
                    if compares(relation, l, r) { x } else { y }
                }
            }
        });
        registers[step.destination] = result;
    }
    let is_active = |lane: usize| {
        random
            .condition
            .is_none_or(|(relation, [l, r])| compares(relation, value(&registers, l, lane), value(&registers, r, lane)))
    };
    let mut written: Vec<u32> = (0..LANES).filter(|l| is_active(*l)).map(|l| registers[random.offset][l]).collect();
    written.sort_unstable();
    let is_whole = written.len() == LANES;
    let around = written.first().zip(written.last()).map(|(first, last)| first.wrapping_sub(*last));
    let meets =
        written.windows(2).any(|pair| pair[1] - pair[0] < 4) || written.len() > 1 && around.is_some_and(|d| d < 4);
    (meets, is_whole)
}

fn random_inputs(numbers: &mut Numbers, style: u64) -> [Vector; N_GIVEN] {
    let one = |numbers: &mut Numbers| match style {
        0 => 0,
        1 => numbers.below(8) as u32,
        2 => numbers.below(64) as u32 * 4,
        3 => u32::MAX - numbers.below(8) as u32,
        _ => numbers.next() as u32,
    };
    let lanes = std::array::from_fn(|lane| lane as u32);
    [lanes, std::array::from_fn(|_| one(numbers)), std::array::from_fn(|_| one(numbers))]
}

/// What is claimed of the store of a program.
#[derive(PartialEq, Eq, Debug)]
enum Claim {
    Meets,
    Never,
    Nothing,
}

fn claim(text: &str) -> Claim {
    let mut options = on(Platform::from_name("DG2").expect("a platform"));
    options.levels.insert("possible-overlap", Level::Warning);
    let found = checks::check(text, &options);
    let has = |name: &str| found.iter().any(|d| d.rule.name == name);
    if has("overlapping-lane-writes") || has("duplicate-lane-writes") {
        Claim::Meets
    } else if found
        .iter()
        .any(|d| d.rule.name == "possible-overlap" || d.level == Level::Error && d.rule.name != "misaligned-address")
    {
        Claim::Nothing
    } else {
        Claim::Never
    }
}

/// The first violation among some programs, and how many claims there were.
fn violations(seeds: impl Iterator<Item = u64>) -> (Option<String>, u64) {
    let mut n_claims = 0;
    for seed in seeds {
        let mut numbers = Numbers::new(seed + 1);
        let random = random_program(&mut numbers);
        let text = text(&random);
        let claim = claim(&text);
        if claim == Claim::Nothing {
            continue;
        }
        n_claims += 1;
        for style in 0..N_INPUTS {
            let inputs = random_inputs(&mut numbers, style);
            let (meets, is_whole) = executed(&random, inputs);
            // Lanes that are said to meet do so where they are active.
            let holds = if claim == Claim::Meets { meets || !is_whole } else { !meets };
            if !holds {
                let message =
                    format!("program {seed}: claimed {claim:?}, but not so with the inputs {inputs:?}\n{text}");
                return (Some(message), n_claims);
            }
        }
    }
    (None, n_claims)
}

#[test]
fn what_is_claimed_of_random_stores_holds() {
    let n_threads = std::thread::available_parallelism().map_or(2, std::num::NonZero::get) as u64;
    let results: Vec<(Option<String>, u64)> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..n_threads)
            .map(|t| scope.spawn(move || violations((0..N_PROGRAMS).filter(|seed| seed % n_threads == t))))
            .collect();
        threads.into_iter().map(|t| t.join().expect("no panic")).collect()
    });
    let n_claims: u64 = results.iter().map(|(_, n)| n).sum();
    let violation = results.into_iter().find_map(|(v, _)| v);
    assert!(violation.is_none(), "{}", violation.unwrap_or_default());
    assert!(n_claims > N_PROGRAMS / 10, "only {n_claims} programs had a claim to test");
}
