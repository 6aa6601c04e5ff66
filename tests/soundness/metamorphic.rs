//! Changes of a program that change nothing of what is found, or one thing that is known beforehand.

use super::generator::{self, Numbers};
use super::{launch, steps, times};
use crate::support::{files, tests_folder};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use visa_lint::interp::facts::{Fact, FactKind, Overlap, Verdict};
use visa_lint::interp::flow::trace;
use visa_lint::interp::{self, Facts, Launch};
use visa_lint::lower::lower;
use visa_lint::program::InstructionIndex;
use visa_lint::spec::Platform;

/// Random programs that are renamed, and such of straight code that are rearranged.
const N_RENAMED: u64 = 1000;
const N_STRAIGHT: u64 = 1000;

/// The names of a text in pieces: what lies between them, and names. What follows a dot, a colon or a percent sign is none.
fn pieces(text: &str) -> impl Iterator<Item = (bool, &str)> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut rest = text;
    let mut before = ' ';
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let is_word = is_part(first);
        let end = rest.find(|c| is_part(c) != is_word).unwrap_or(rest.len());
        let (piece, after) = rest.split_at(end);
        let is_name = is_word && !first.is_ascii_digit() && !matches!(before, '.' | ':' | '%');
        before = piece.chars().next_back().unwrap_or(' ');
        rest = after;
        Some((is_name, piece))
    })
}

fn renamed(text: &str, names: &BTreeMap<String, String>) -> String {
    pieces(text).map(|(is_name, piece)| names.get(piece).filter(|_| is_name).map_or(piece, String::as_str)).collect()
}

/// Another name for each variable and label.
fn new_names(text: &str) -> BTreeMap<String, String> {
    let functions: Vec<&str> = text.lines().filter_map(|l| l.strip_prefix(".function ")).collect();
    let is_function = |name: &str| functions.iter().any(|f| f.trim().trim_matches('"') == name);
    let is_plain = |name: &str| pieces(name).eq([(true, name)]);
    let declared = text.lines().filter_map(|line| {
        let line = line.trim();
        let name = match line.strip_prefix(".decl ") {
            Some(rest) => rest.split_whitespace().next()?,
            None => line.strip_suffix(':')?,
        };
        (is_plain(name) && !is_function(name)).then(|| name.to_owned())
    });
    declared.enumerate().map(|(i, name)| (name, format!("q{}_", 7 * i + 3))).collect()
}

/// All that is known of all kernels of a text, in words.
fn in_words(text: &str, grf_bytes: u32, launch: &Launch) -> Vec<String> {
    let program = lower(text);
    let mut words = Vec::new();
    for object in program.objects.iter() {
        let facts = interp::run(&program, object, grf_bytes, launch);
        words.extend(facts.all.iter().map(|f| format!("{f:?}")));
        words.extend(facts.verdicts.iter().map(|v| format!("{v:?}")));
        words.push(facts.effort.to_string());
    }
    words
}

fn assert_names_do_not_matter(text: &str, grf_bytes: u32, launch: &Launch) -> usize {
    let names = new_names(text);
    assert!(!names.is_empty(), "no names in\n{text}");
    let changed = renamed(text, &names);
    let before = in_words(text, grf_bytes, launch);
    let after = in_words(&changed, grf_bytes, launch);
    for (x, y) in before.iter().zip(&after) {
        assert_eq!(&renamed(x, &names), y, "\n{text}");
    }
    assert_eq!(before.len(), after.len(), "\n{text}");
    before.len()
}

#[test]
fn names_do_not_matter() {
    let n_renamed = times(N_RENAMED);
    let n: usize = (0..n_renamed)
        .into_par_iter()
        .map(|seed| {
            let random = generator::program(&mut Numbers::new(1_000_000 + seed));
            assert_names_do_not_matter(&random.text, random.grf_bytes, &launch())
        })
        .sum();
    assert!(n > 3 * n_renamed as usize, "only {n} things were known of all programs");
}

/// The compiler output of the tests, with the bytes of a register.
fn kernels() -> Vec<(String, u32)> {
    let all = files(&tests_folder().join("compiler_output"), "visaasm");
    assert!(all.len() >= 20, "the compiler output is missing");
    all.iter()
        .map(|file| {
            let device = file.parent().and_then(|p| p.file_name()).and_then(|n| n.to_str()).unwrap_or("");
            let platform = Platform::from_name(device).unwrap_or_else(|| panic!("no platform {device}"));
            (std::fs::read_to_string(file).expect("a readable file"), platform.grf_bytes())
        })
        .collect()
}

#[test]
fn names_do_not_matter_in_compiler_output() {
    let n: usize =
        kernels().par_iter().map(|(text, grf)| assert_names_do_not_matter(text, *grf, &Launch::default())).sum();
    assert!(n > 100, "only {n} things were known of all kernels");
}

#[derive(Clone, Copy)]
enum Source {
    Vector(usize),
    Scalar(usize, usize),
    Immediate(u32),
}

/// One line of straight code, which writes a variable that nothing else writes.
#[derive(Clone, Copy)]
struct Step {
    name: &'static str,
    to: usize,
    sources: [Source; 2],
    /// A choice by this comparison.
    compared: Option<(&'static str, [Source; 2])>,
}

const LANES: usize = 16;
/// Lane numbers, and two inputs.
const N_GIVEN: usize = 3;

struct Straight {
    steps: Vec<Step>,
    /// Addresses of the store.
    stored: usize,
}

impl Straight {
    fn random(numbers: &mut Numbers) -> Self {
        let n = 2 + numbers.below(8);
        let mut steps = Vec::new();
        for to in N_GIVEN..N_GIVEN + n {
            let source = |numbers: &mut Numbers, is_second: bool| match numbers.below(if is_second { 8 } else { 5 }) {
                0..=3 => Source::Vector(numbers.below(to)),
                4 => Source::Scalar(numbers.below(to), numbers.below(LANES)),
                _ => Source::Immediate(numbers.pick(&[0, 1, 2, 4, 4, 4, 7, 12, 16, 0xff, 0xffff_fffc])),
            };
            let name =
                numbers.pick(&["add", "add", "add", "mul", "and", "or", "xor", "shl", "shl", "shr", "min", "sel"]);
            let sources = [source(numbers, false), source(numbers, true)];
            let compared = (name == "sel").then(|| {
                (numbers.pick(&["eq", "ne", "lt", "le", "gt", "ge"]), [source(numbers, false), source(numbers, true)])
            });
            steps.push(Step { name, to, sources, compared });
        }
        if numbers.one_in(3) {
            // As most addresses are: a multiple of the lane number, beyond something that all lanes share.
            let to = N_GIVEN + n;
            let bytes = Source::Immediate(numbers.pick(&[4, 8, 12, 16]));
            steps.push(Step { name: "mul", to, sources: [Source::Vector(0), bytes], compared: None });
            let base = Source::Scalar(numbers.below(to), numbers.below(LANES));
            steps.push(Step { name: "add", to: to + 1, sources: [Source::Vector(to), base], compared: None });
        }
        Self { stored: N_GIVEN + steps.len() - 1, steps }
    }

    fn needs(step: &Step) -> impl Iterator<Item = usize> + use<> {
        let all: Vec<Source> = step.sources.into_iter().chain(step.compared.into_iter().flat_map(|(_, c)| c)).collect();
        all.into_iter().filter_map(|s| match s {
            Source::Vector(v) | Source::Scalar(v, _) => Some(v),
            Source::Immediate(_) => None,
        })
    }

    /// The lines in another order in which everything is written before it is read.
    fn permuted(&self, numbers: &mut Numbers) -> Self {
        let mut left = self.steps.clone();
        let mut done: Vec<usize> = (0..N_GIVEN).collect();
        let mut steps = Vec::new();
        while !left.is_empty() {
            let ready: Vec<usize> =
                (0..left.len()).filter(|i| Self::needs(&left[*i]).all(|v| done.contains(&v))).collect();
            let step = left.remove(numbers.pick(&ready));
            done.push(step.to);
            steps.push(step);
        }
        Self { steps, stored: self.stored }
    }

    /// The program as text, of instructions with `n` lanes each, with some more lines before the store.
    fn text(&self, n: usize, more: &str) -> String {
        let mut out = String::from(".version 4.1\n.kernel \"straight\"\n");
        for v in 0..N_GIVEN + self.steps.len() {
            let _ = writeln!(out, ".decl X{v} v_type=G type=ud num_elts=16 align=GRF");
            let _ = writeln!(out, ".decl B{v} v_type=P num_elts=16");
        }
        out.push_str(".decl DATA v_type=G type=ud num_elts=16 align=GRF\n.decl T6 v_type=T num_elts=1\n");
        out.push_str(".input X1 offset=64 size=64\n.input X2 offset=128 size=64\n.input DATA offset=192 size=64\n");
        out.push_str(".input T6 offset=256 size=4\n.kernel_attr Target=\"cm\"\n.kernel_attr SimdSize=16\n");
        out.push_str(".function \"straight_main\"\nstraight_main:\n");
        out.push_str("mov (M1_NM, 8) X0(0,0)<1> 0x76543210:uv\nadd (M1_NM, 8) X0(1,0)<1> X0(0,0)<1;1,0> 0x8:ud\n");
        for step in &self.steps {
            for first in (0..LANES).step_by(n) {
                let mask = format!("(M{}, {n})", first / 4 + 1);
                let at = |source: Source| match source {
                    Source::Vector(v) => format!("X{v}({},0)<1;1,0>", first / 8),
                    Source::Scalar(v, element) => format!("X{v}({},{})<0;1,0>", element / 8, element % 8),
                    Source::Immediate(number) => format!("0x{number:x}:ud"),
                };
                let mut guard = String::new();
                if let Some((relation, compared)) = step.compared {
                    let [a, b] = compared.map(at);
                    let _ = writeln!(out, "cmp.{relation} {mask} B{} {a} {b}", step.to);
                    guard = format!("(B{}) ", step.to);
                }
                let [a, b] = step.sources.map(at);
                let _ = writeln!(out, "{guard}{} {mask} X{}({},0)<1> {a} {b}", step.name, step.to, first / 8);
            }
        }
        let _ = writeln!(out, "{more}scatter4_scaled.R (M1, 16) T6 0x0:ud X{}.0 DATA.0\nret (M1, 1)", self.stored);
        out
    }
}

/// What is known of the store: whether lanes meet, which ones, and what else is said of it.
#[derive(PartialEq, Eq, Debug)]
struct OfStore {
    verdict: Option<Verdict>,
    lanes: Option<(u32, u32)>,
    facts: Vec<String>,
}

fn overlap(fact: &Fact) -> Option<&Overlap> {
    match &fact.kind {
        FactKind::Overlap(overlap) => Some(overlap),
        _ => None,
    }
}

fn of_store(text: &str) -> OfStore {
    let program = lower(text);
    assert!(program.diagnostics.is_empty(), "{:?}\n{text}", program.diagnostics.first());
    let object = program.objects.iter().next().expect("a kernel");
    let facts: Facts = interp::run(&program, object, 32, &launch());
    let store = InstructionIndex(program.instructions.len() as u32 - 2);
    let of_it: Vec<&Fact> = facts.all.iter().filter(|f| f.instruction == store).collect();
    let kind = |fact: &&Fact| {
        let words = format!("{:?}", fact.kind);
        words.split([' ', '(', '{']).next().unwrap_or("").to_owned()
    };
    OfStore {
        verdict: facts.verdicts.get(&store.0).copied(),
        lanes: of_it.iter().find_map(|f| overlap(f)).map(|o| o.lanes),
        facts: of_it.iter().map(kind).collect(),
    }
}

#[test]
fn halves_and_order_do_not_matter_but_a_lane_that_is_moved_does() {
    let count =
        |verdict| if verdict == Some(Verdict::Never) { (1, 0) } else { (0, u64::from(verdict == Some(Verdict::Must))) };
    let n_straight = times(N_STRAIGHT);
    let (n_never, n_must) = (0..n_straight)
        .into_par_iter()
        .map(|seed| {
            let mut numbers = Numbers::new(2_000_000 + seed);
            let straight = Straight::random(&mut numbers);
            let text = straight.text(16, "");
            let whole = of_store(&text);
            let halves = straight.text(8, "");
            assert_eq!(whole, of_store(&halves), "program {seed}, in halves:\n{halves}");
            let permuted = straight.permuted(&mut numbers).text(16, "");
            assert_eq!(whole, of_store(&permuted), "program {seed}, in another order:\n{text}\n{permuted}");
            if whole.verdict == Some(Verdict::Never) {
                let from = numbers.below(LANES);
                let to = (from + 1 + numbers.below(LANES - 1)) % LANES;
                let v = straight.stored;
                let element = |lane: usize| format!("X{v}({},{})", lane / 8, lane % 8);
                let more = format!("mov (M1_NM, 1) {}<1> {}<0;1,0>\n", element(to), element(from));
                let colliding = straight.text(16, &more);
                let found = of_store(&colliding);
                let lanes = (from.min(to) as u32, from.max(to) as u32);
                assert_eq!(
                    (found.verdict, found.lanes),
                    (Some(Verdict::Must), Some(lanes)),
                    "program {seed}, with lanes that meet:\n{colliding}"
                );
            }
            count(whole.verdict)
        })
        .reduce(|| (0, 0), |(a, b), (c, d)| (a + c, b + d));
    assert!(n_never > n_straight / 20 && n_must > n_straight / 20, "{n_never} are apart, {n_must} meet");
}

#[test]
fn a_lane_that_is_moved_matters_in_compiler_output() {
    let mut n_moved = 0;
    for (text, grf_bytes) in kernels() {
        let program = lower(&text);
        let lines: Vec<&str> = text.lines().collect();
        // The instructions are lines with an execution mask.
        let stores = lines.iter().enumerate().filter_map(|(at, line)| {
            let line = line.trim();
            let (_, rest) = line.split_once(" (M1_NM, ").or_else(|| line.split_once(" (M1, "))?;
            let (size, operands) = rest.split_once(')')?;
            let address = if line.starts_with("scatter4_scaled.R ") {
                operands.split_whitespace().nth(2)?.strip_suffix(".0")?
            } else if line.starts_with("lsc_store.") {
                operands.split_once("]:a32")?.0.rsplit_once('[')?.1
            } else {
                return None;
            };
            Some((at, size.parse::<u32>().ok().filter(|n| *n > 1)?, address))
        });
        for (at, size, address) in stores {
            let declaration = format!(".decl {address} ");
            let is_of_dwords =
                lines.iter().any(|l| l.starts_with(&declaration) && (l.contains("type=ud ") || l.contains("type=d ")));
            let instruction = |program: &visa_lint::program::Program, text: &str, line: usize| {
                let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
                let end = start + text.lines().nth(line).map_or(0, str::len);
                let all = program.instructions_in(program.objects.iter().next().expect("a kernel"));
                all.map(|(index, _)| index).find(|i| {
                    let span = program.instruction_spans[*i].mnemonic;
                    (start..end).contains(&(span.start as usize))
                })
            };
            let verdict = |program: &visa_lint::program::Program, text: &str, line: usize| {
                let object = program.objects.iter().next().expect("a kernel");
                let facts = interp::run(program, object, grf_bytes, &launch());
                let store = instruction(program, text, line).expect("an instruction");
                let lanes = facts.all.iter().filter(|f| f.instruction == store).find_map(overlap).map(|o| o.lanes);
                (facts.verdicts.get(&store.0).copied(), lanes)
            };
            if !is_of_dwords || verdict(&program, &text, at).0 != Some(Verdict::Never) {
                continue;
            }
            let (from, to) = (1, size - 1);
            // Where one of them is switched off, it does not matter where it would store.
            let object = program.objects.iter().next().expect("a kernel");
            let trace = interp::trace(&program, object, grf_bytes, &launch());
            let store = instruction(&program, &text, at);
            let is_off = |s: &&trace::Step| {
                Some(s.instruction) == store && (s.exec_mask.at(from).is_false() || s.exec_mask.at(to).is_false())
            };
            if steps(&trace).iter().any(is_off) {
                continue;
            }
            let element = |lane: u32| format!("{address}({},{})", 4 * lane / grf_bytes, 4 * lane % grf_bytes / 4);
            let moved = format!("    mov (M1_NM, 1) {}<1> {}<0;1,0>", element(to), element(from));
            let changed: Vec<&str> =
                lines[..at].iter().copied().chain([&*moved]).chain(lines[at..].iter().copied()).collect();
            let changed = changed.join("\n");
            let (now, lanes) = verdict(&lower(&changed), &changed, at + 1);
            assert!(
                matches!(now, Some(Verdict::Must | Verdict::Conditional)),
                "{now:?} of line {}:\n{changed}",
                at + 2
            );
            assert_eq!(lanes, Some((from, to)), "line {}:\n{changed}", at + 2);
            n_moved += 1;
        }
    }
    assert!(n_moved >= 2, "only {n_moved} stores were changed");
}
