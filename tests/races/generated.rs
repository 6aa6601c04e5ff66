//! Random kernels whose threads have common bytes: what is claimed of a group happens when it is executed, and how much is
//! claimed is blessed, so that a bound, a comparison or a trial that is lost shows.

use super::judge::Court;
use super::{is_race, trials, witness};
use crate::soundness::generator::Numbers;
use crate::support::{blessed, check_sum, on, tests_folder};
use crate::words::words;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use visa_lint::base::rule::Level;
use visa_lint::checks::execution::race::{ARGUMENT_DEPENDENT_RACE, GROUP_RACE, WORK_ITEM_RACE};
use visa_lint::checks::{self, LaunchFacts, Options};
use visa_lint::lower::lower;
use visa_lint::spec::Platform;

/// Random kernels in a run.
const N_KERNELS: u64 = 220;
const SIZES: [[u32; 3]; 5] = [[64, 1, 1], [32, 1, 1], [16, 4, 1], [8, 8, 1], [8, 4, 2]];
const RELATIONS: [&str; 6] = ["eq", "ne", "lt", "le", "gt", "ge"];

/// A SIMD16 kernel for registers of 32 bytes, and its group.
struct Kernel {
    text: String,
    size: [u32; 3],
}

struct Generator {
    numbers: Numbers,
    out: String,
    n_labels: usize,
    /// How many registers hold something that is loaded, or an address.
    n_places: usize,
    n_loaded: usize,
}

/// Registers of each kind.
const N_REGISTERS: usize = 3;

fn head(size: [u32; 3]) -> String {
    let mut head = ".version 4.2\n.kernel \"k\"\n".to_owned();
    for (name, kind, n) in [
        ("x", "w", 16),
        ("y", "w", 16),
        ("z", "w", 16),
        ("lx", "ud", 16),
        ("ly", "ud", 16),
        ("lz", "ud", 16),
        ("A0", "ud", 16),
        ("A1", "ud", 16),
        ("A2", "ud", 16),
        ("L0", "ud", 16),
        ("L1", "ud", 16),
        ("L2", "ud", 16),
        ("D", "ud", 32),
        ("W", "uq", 16),
        ("one", "ud", 1),
    ] {
        let _ = writeln!(head, ".decl {name} v_type=G type={kind} num_elts={n} align=GRF");
    }
    head += ".decl header v_type=G type=ub num_elts=32 align=GRF alias=<%r0, 0>\n\
             .decl group v_type=G type=ud num_elts=8 align=GRF alias=<%r0, 0>\n\
             .decl p v_type=G type=uq num_elts=1 align=qword\n.decl q v_type=G type=uq num_elts=1 align=qword\n\
             .decl n v_type=G type=d num_elts=1 align=dword\n.decl m v_type=G type=d num_elts=1 align=dword\n\
             .decl P1 v_type=P num_elts=1\n.decl P16 v_type=P num_elts=16\n.decl T6 v_type=T num_elts=1\n\
             .input x offset=32 size=32\n.input y offset=64 size=32\n.input z offset=96 size=32\n\
             .input p offset=128 size=8\n.input q offset=136 size=8\n.input n offset=144 size=4\n\
             .input m offset=148 size=4\n\
             .kernel_attr Target=\"3d\"\n.kernel_attr SimdSize=16\n.kernel_attr PerThreadInputSize=96\n";
    let _ = writeln!(head, "// {} work-items", size.iter().product::<u32>());
    head
}

impl Generator {
    fn line(&mut self, line: &str) {
        self.out.push_str("    ");
        self.out.push_str(line);
        self.out.push('\n');
    }

    /// A source that has a number for each lane, or one for all.
    fn source(&mut self) -> String {
        let loaded = self.n_loaded;
        match self.numbers.below(12) {
            0..=3 => "lx(0,0)<1;1,0>".to_owned(),
            4 => "ly(0,0)<1;1,0>".to_owned(),
            5 => "lz(0,0)<1;1,0>".to_owned(),
            6 => "n(0,0)<0;1,0>".to_owned(),
            7 => "m(0,0)<0;1,0>".to_owned(),
            8 => "group(0,1)<0;1,0>".to_owned(),
            9 => "header(0,8)<0;1,0>".to_owned(),
            10 if loaded > 0 => format!("L{}(0,0)<1;1,0>", self.numbers.below(loaded)),
            _ => format!("0x{:x}:ud", self.numbers.pick(&[0, 1, 3, 16, 64, 256])),
        }
    }

    /// Puts an offset in bytes into a register of addresses.
    fn place(&mut self) -> usize {
        if self.n_places > 0 && self.numbers.one_in(3) {
            return self.numbers.below(self.n_places);
        }
        let to = self.n_places % N_REGISTERS;
        self.n_places = (self.n_places + 1).min(N_REGISTERS);
        let source = if self.numbers.one_in(2) { "lx(0,0)<1;1,0>".to_owned() } else { self.source() };
        self.line(&format!("mov (M1, 16) A{to}(0,0)<1> {source}"));
        for _ in 0..self.numbers.below(3) {
            let operation = self.numbers.pick(&["add", "add", "mul", "and", "or", "xor", "shr", "avg", "min"]);
            let other = match operation {
                "shr" => "0x2:ud".to_owned(),
                "mul" => self.numbers.pick(&["0x3:ud", "0x8:ud", "n(0,0)<0;1,0>", "0x10:ud"]).to_owned(),
                "and" | "xor" if self.numbers.one_in(2) => {
                    format!("0x{:x}:ud", self.numbers.pick(&[1, 7, 15, 16, 31, 48]))
                }
                _ => self.source(),
            };
            self.line(&format!("{operation} (M1, 16) A{to}(0,0)<1> A{to}(0,0)<1;1,0> {other}"));
        }
        self.line(&format!("shl (M1, 16) A{to}(0,0)<1> A{to}(0,0)<1;1,0> 0x2:ud"));
        to
    }

    /// Something to be stored.
    fn data(&mut self) {
        let source = self.source();
        self.line(&format!("mov (M1, 16) D(0,0)<1> {source}"));
        if self.numbers.one_in(2) {
            let operation = self.numbers.pick(&["add", "mul", "xor", "or", "and", "shl"]);
            let other = if operation == "shl" { "0x3:ud".to_owned() } else { self.source() };
            self.line(&format!("{operation} (M1, 16) D(0,0)<1> D(0,0)<1;1,0> {other}"));
        }
    }

    fn message(&mut self, mask: &str) {
        let place = self.place();
        let shape = self.numbers.pick(&["d32", "d32", "d32", "d16u32", "d8u32", "d32x2"]);
        let step = self.numbers.pick(&["", "", "+0x4", "+0x40"]);
        let (unit, address) = match self.numbers.below(8) {
            0..=3 => ("slm", format!("flat[A{place}{step}]:a32")),
            4 | 5 => {
                let pointer = self.numbers.pick(&["p", "p", "q"]);
                self.line(&format!("mov (M1, 16) W(0,0)<1> A{place}(0,0)<1;1,0>"));
                self.line(&format!("add (M1, 16) W(0,0)<1> W(0,0)<1;1,0> {pointer}(0,0)<0;1,0>"));
                ("ugm", format!("flat[W{step}]:a64"))
            }
            6 => ("ugm", format!("bti(0x1)[A{place}{step}]:a32")),
            _ => {
                let surface = self.numbers.pick(&["%slm", "T6"]);
                if surface == "T6" {
                    self.line("movs (M1_NM, 1) T6(0) 0x0:ud");
                }
                if self.numbers.one_in(2) {
                    self.data();
                    self.line(&format!("{mask}scatter4_scaled.R (M1, 16) {surface} 0x0:ud A{place}.0 D.0"));
                } else {
                    let to = self.loaded();
                    self.line(&format!("{mask}gather4_scaled.R (M1, 16) {surface} 0x0:ud A{place}.0 L{to}.0"));
                    self.use_loaded(to);
                }
                return;
            }
        };
        match self.numbers.below(10) {
            0..=4 => {
                self.data();
                self.line(&format!("{mask}lsc_store.{unit} (M1, 16) {address} D:{shape}"));
            }
            5..=7 => {
                let to = self.loaded();
                let shape = shape.trim_end_matches("x2");
                self.line(&format!("{mask}lsc_load.{unit} (M1, 16) L{to}:{shape} {address}"));
                self.use_loaded(to);
            }
            8 => {
                self.data();
                self.line(&format!("{mask}lsc_atomic_iadd.{unit} (M1, 16) %null:d32 {address} D %null"));
            }
            _ => {
                let to = self.loaded();
                self.data();
                let what = self.numbers.pick(&["icas", "store", "icas"]);
                let last = if what == "icas" { "lx" } else { "%null" };
                self.line(&format!("{mask}lsc_atomic_{what}.{unit} (M1, 16) %null:d32 {address} L{to} {last}"));
            }
        }
    }

    /// The register of what is loaded next.
    fn loaded(&mut self) -> usize {
        let to = self.numbers.below(N_REGISTERS);
        while self.n_loaded <= to {
            let n = self.n_loaded;
            self.line(&format!("mov (M1, 16) L{n}(0,0)<1> 0x{n:x}:ud"));
            self.n_loaded += 1;
        }
        to
    }

    /// Mostly stores what is loaded where no other work-item comes.
    fn use_loaded(&mut self, from: usize) {
        if self.numbers.one_in(4) {
            return;
        }
        self.line(&format!("add (M1, 16) D(0,0)<1> L{from}(0,0)<1;1,0> 0x1:ud"));
        self.line("shl (M1, 16) A0(0,0)<1> lx(0,0)<1;1,0> 0x2:ud");
        self.n_places = self.n_places.max(1);
        self.line("lsc_store.slm (M1, 16) flat[A0+0x8000]:a32 D:d32");
    }

    /// A number that all lanes compare.
    fn scalar(&mut self) -> String {
        self.numbers
            .pick(&["n(0,0)<0;1,0>", "m(0,0)<0;1,0>", "x(0,0)<0;1,0>", "group(0,1)<0;1,0>", "L0(0,0)<0;1,0>"])
            .to_owned()
    }

    fn step(&mut self, depth: u32) {
        let relation = self.numbers.pick(&RELATIONS);
        let limit = self.numbers.pick(&[0, 1, 2, 8, 16, 32]);
        match self.numbers.below(12) {
            0..=5 => self.message(""),
            6 => {
                let source = self.source().replace("0x", "n(0,0)<0;1,0> 0x");
                let source = source.split(' ').next().unwrap_or_default().to_owned();
                self.line(&format!("cmp.{relation} (M1, 16) P16 {source} 0x{limit:x}:d"));
                self.message("(P16) ");
            }
            7 | 8 if depth < 2 => {
                self.n_labels += 1;
                let label = self.n_labels;
                self.loaded();
                let scalar = self.scalar();
                let not = self.numbers.pick(&["", "!"]);
                self.line(&format!("cmp.{relation} (M1_NM, 1) P1 {scalar} 0x{limit:x}:d"));
                self.line(&format!("({not}P1) jmp (M1_NM, 1) L{label}_"));
                self.step(depth + 1);
                let _ = writeln!(self.out, "L{label}_:");
            }
            9 if depth == 0 => {
                self.n_labels += 1;
                let label = self.n_labels;
                let bound = self.numbers.pick(&["0x2:d", "0x3:d", "n(0,0)<0;1,0>"]);
                self.line("mov (M1_NM, 1) one(0,0)<1> 0x0:ud");
                let _ = writeln!(self.out, "L{label}_:");
                self.line("add (M1_NM, 1) one(0,0)<1> one(0,0)<0;1,0> 0x1:ud");
                self.step(depth + 1);
                self.line(&format!("cmp.lt (M1_NM, 1) P1 one(0,0)<0;1,0> {bound}"));
                self.line(&format!("(P1) jmp (M1_NM, 1) L{label}_"));
            }
            _ => {
                if !self.numbers.one_in(4) {
                    self.line("fence_local.E");
                }
                if self.numbers.one_in(3) {
                    self.line("fence_global.EL1");
                }
                self.line("barrier");
            }
        }
    }
}

fn kernel(seed: u64) -> Kernel {
    let mut numbers = Numbers::new(seed);
    let size = numbers.pick(&SIZES);
    let mut g = Generator { numbers, out: String::new(), n_labels: 0, n_places: 0, n_loaded: 0 };
    for name in ["x", "y", "z"] {
        g.line(&format!("mov (M1, 16) l{name}(0,0)<1> {name}(0,0)<1;1,0>"));
    }
    g.line("mov (M1, 16) D(2,0)<1> lx(0,0)<1;1,0>");
    for _ in 0..2 + g.numbers.below(4) {
        g.step(0);
    }
    g.line("ret (M1, 1)");
    Kernel { text: head(size) + &g.out, size }
}

/// What is counted.
type Counts = BTreeMap<String, u64>;

/// What is said of a kernel, counted, and what of it is not so.
fn examine(seed: u64, counts: &mut Counts) -> Option<String> {
    let Kernel { text, size } = kernel(seed);
    let platform = Platform::from_name("DG2").expect("a platform");
    let launch = LaunchFacts { local_size: Some(size), ..LaunchFacts::default() };
    let mut options = Options { launch, ..on(platform) };
    for rule in [&WORK_ITEM_RACE, &ARGUMENT_DEPENDENT_RACE, &GROUP_RACE] {
        options.levels.insert(rule.name, Level::Warning);
    }
    let mut count = |what: &str, n: usize| *counts.entry(what.to_owned()).or_default() += n as u64;
    let program = lower(&text);
    let found = checks::check(&text, &options);
    if let Some(fault) = found.iter().find(|d| d.rule.name == "syntax-error") {
        return Some(format!("kernel {seed} cannot be read: {}\n{text}", fault.message));
    }
    for finding in &found {
        count(finding.rule.name, 1);
        count("check sums of findings", check_sum(&words(&text, finding)) as usize);
        count("words of findings", finding.message.split(' ').count());
        count("labels and steps", finding.secondary.len() + finding.notes.len());
        if let Some((_, condition)) = finding.message.split_once(", if ") {
            count("conditions", 1);
            count("words of conditions", condition.split(' ').count());
        }
    }
    let mut is_free = false;
    for kernel in checks::messages(&text, &program, &options).into_iter().flat_map(|(_, kernels)| kernels) {
        for message in &kernel.messages {
            count(&format!("verdict {}", message.verdict.word()), 1);
        }
        let Some(races) = kernel.races else { continue };
        count("races", races.n_found);
        count("races by arguments", races.n_by_arguments);
        count("races between groups", races.n_between_groups);
        count("instructions that are open", races.open.len());
        count(&format!("proof {:?}", races.proof), 1);
        if let Some(why) = races.why {
            count(&why, 1);
        }
        is_free =
            races.n_found == 0 && races.open.is_empty() && races.proof != checks::execution::messages::Proof::None;
    }
    let claimed: Vec<_> = found.iter().filter(|d| is_race(d) && !d.message.contains(", if ")).collect();
    let asked: Vec<_> = claimed.iter().map(|d| witness(&program, d)).collect();
    let court = Court::new(&program, size, platform).expect("a group");
    let (mut met, mut made) = (vec![false; asked.len()], vec![false; asked.len()]);
    let mut differs = false;
    for trial in trials() {
        let mut first = None;
        for schedule in trial.into_iter().step_by(3) {
            let Ok(ended) = court.run(schedule, &asked) else {
                count("not executed", 1);
                return None;
            };
            met.iter_mut().zip(&ended.met).for_each(|(met, now)| *met |= *now);
            made.iter_mut().zip(&ended.made).for_each(|(made, now)| *made |= *now);
            differs |= first.get_or_insert_with(|| ended.memory.clone()) != &ended.memory;
        }
    }
    count(if differs { "two schedules end in different memory" } else { "all schedules end in the same memory" }, 1);
    if differs && asked.is_empty() {
        count("different memory, and nothing is claimed", 1);
    }
    // Which branches are taken depends on what arguments and memory hold.
    count("claims", met.len());
    count("claims that were seen", met.iter().filter(|met| **met).count());
    if let Some(pair) = (0..met.len()).find(|pair| made[*pair] && !met[*pair]) {
        return Some(format!("kernel {seed}: this is not so: {}\n{text}", claimed[pair].message));
    }
    (is_free && differs).then(|| format!("kernel {seed}: no race is there, and memory differs\n{text}"))
}

#[test]
fn what_is_claimed_of_random_groups_happens() {
    let (counts, faults) = (0..N_KERNELS)
        .into_par_iter()
        .fold(<(Counts, Vec<String>)>::default, |(mut counts, mut faults), seed| {
            faults.extend(examine(seed, &mut counts));
            (counts, faults)
        })
        .reduce(Default::default, |(mut a, x), (b, y)| {
            for (what, n) in b {
                *a.entry(what).or_default() += n;
            }
            (a, [x, y].concat())
        });
    let heads: Vec<&str> = faults.iter().filter_map(|f| f.lines().next()).collect();
    assert!(faults.is_empty(), "{} faults:\n{}\nthe first one:\n{}", faults.len(), heads.join("\n"), faults[0]);
    let said = counts.iter().map(|(what, n)| format!("{what}: {n}\n")).collect::<Vec<_>>().concat();
    blessed(&tests_folder().join("snapshots/precision/groups.txt"), &said);
}
