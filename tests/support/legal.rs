//! Legal programs: statements that are put together so that nothing in them is wrong, and the same with one faulty
//! statement among them.

use std::fmt::Write as _;
use visa_lint::base::diagnostic::Diagnostic;
use visa_lint::base::rule::Level;
use visa_lint::checks::{self, Options};

/// Reads choices one after the other; when there are no more, always the first.
struct Choices<'a>(std::slice::Iter<'a, u8>);

impl Choices<'_> {
    fn of<'t, T>(&mut self, all: &'t [T]) -> &'t T {
        &all[usize::from(self.0.next().copied().unwrap_or(0)) % all.len()]
    }

    fn below(&mut self, n: u8) -> u8 {
        self.0.next().copied().unwrap_or(0) % n
    }
}

/// Variables of 16 elements of each type; each was written in full when the kernel begins.
const TYPES: [&str; 6] = ["d", "ud", "f", "w", "uw", "hf"];

/// A program of declarations, assignments to all of them, and statements that were chosen.
fn program(choices: &mut Choices) -> String {
    let mut text = String::from(".version 4.1\n.kernel \"k\"\n");
    for name in TYPES {
        for i in 0..3 {
            let _ = writeln!(text, ".decl V{name}{i} v_type=G type={name} num_elts=16 align=GRF");
        }
    }
    text += ".decl P1 v_type=P num_elts=16\n.decl T6 v_type=T num_elts=1\n.input T6 offset=32 size=4\n";
    text += ".kernel_attr Target=\"cm\"\n.kernel_attr SimdSize=16\n.function \"k\"\nk:\n";
    for name in TYPES {
        for i in 0..3 {
            let _ = writeln!(text, "    mov (M1_NM, 16) V{name}{i}(0,0)<1> {}", immediate(name, i));
        }
    }
    text += "    cmp.lt (M1, 16) P1 Vd0(0,0)<8;8,1> Vd1(0,0)<8;8,1>\n";
    let n_statements = 1 + choices.below(24);
    let mut open = Vec::new();
    for i in 0..n_statements {
        statement(choices, i, &mut open, &mut text);
    }
    while let Some(label) = open.pop() {
        let _ = writeln!(text, "{label}:");
    }
    // What was computed is used.
    for name in TYPES {
        for i in 0..3 {
            let bytes = 64 * i;
            let n_owords = if matches!(name, "w" | "uw" | "hf") { 2 } else { 4 };
            let _ = writeln!(text, "    oword_st ({n_owords}) T6 0x{bytes:x}:ud V{name}{i}.0");
        }
    }
    text + "    ret (M1, 1)\n"
}

fn immediate(name: &str, i: usize) -> String {
    match name {
        "f" => format!("{i}.5:f"),
        "hf" => format!("0x{:x}:hf", 0x3c00 + i),
        _ => format!("{}:{name}", i + 1),
    }
}

fn statement(choices: &mut Choices, index: u8, open: &mut Vec<String>, text: &mut String) {
    let name = *choices.of(&TYPES);
    let is_float = matches!(name, "f" | "hf");
    let mask = *choices.of(&["M1", "M1_NM"]);
    let predicate = *choices.of(&["", "", "", "(P1) ", "(!P1) "]);
    let predicate = if mask == "M1_NM" { "" } else { predicate };
    let mut source = || format!("V{name}{}(0,0)<8;8,1>", choices.0.next().copied().unwrap_or(0) % 3);
    let (a, b) = (source(), source());
    let to = format!("V{name}{}(0,0)<1>", choices.below(3));
    let operations: &[&str] = if is_float { &["add", "mul"] } else { &["add", "and", "or", "xor"] };
    let operation = *choices.of(operations);
    match choices.below(8) {
        0 => {
            let label = format!("L{index}");
            let _ = writeln!(text, "    (P1) goto (M1, 16) {label}");
            open.push(label);
        }
        1 => {
            if let Some(label) = open.pop() {
                let _ = writeln!(text, "{label}:");
            }
        }
        2 => {
            let _ = writeln!(text, "    {predicate}mov ({mask}, 16) {to} {a}");
        }
        _ => {
            let _ = writeln!(text, "    {predicate}{operation} ({mask}, 16) {to} {a} {b}");
        }
    }
}

/// What is wrong with a program that is legal.
pub fn fault(choices: &[u8]) -> Option<String> {
    let text = program(&mut Choices(choices.iter()));
    let mut findings = checks::check(&text, &Options::default());
    findings.retain(|d| d.level >= Level::Warning);
    let first = findings.first()?;
    Some(format!("{}[{}]: {}\n{text}", first.level.word(), first.rule.name, first.message))
}

/// Statements that are wrong wherever they stand, with the rule that says so.
const FAULTY: [(&str, &str); 9] = [
    ("movv (M1, 16) Vd0(0,0)<1> 1:d", "unknown-instruction"),
    ("mov (M1, 16) Vx(0,0)<1> 1:d", "undeclared-variable"),
    ("mov (M1, 3) Vd0(0,0)<1> 1:d", "invalid-exec-size"),
    ("mov (M1, 16) Vd0(0,0)<8;8,1> 1:d", "malformed-region"),
    ("mov (M1, 16) 1:d Vd0(0,0)<8;8,1>", "wrong-operand-form"),
    ("add (M1, 16) Vd0(0,0)<1> Vd1(0,0)<8;8,1>", "missing-operand"),
    ("add (M1, 16) Vd0(0,0)<1> Vd1(0,0)<8;8,1> 1:d 2:d", "surplus-operand"),
    ("mov (M1, 16) Vd0(9,0)<1> 1:d", "operand-out-of-bounds"),
    ("(P1) goto (M1, 16) Nowhere", "undefined-label"),
];

/// What is wrong with the findings of a legal program in which one faulty statement was planted: they have to be of its
/// rule, and on its line.
pub fn planted_fault(choices: &[u8]) -> Option<String> {
    let mut choices = Choices(choices.iter());
    let (statement, rule) = *choices.of(&FAULTY);
    let place = usize::from(choices.below(255));
    let legal = program(&mut choices);
    let body: Vec<usize> = legal.match_indices("\n    ").map(|(at, _)| at + 1).collect();
    let at = body[place % body.len()];
    let text = format!("{}    {statement}\n{}", &legal[..at], &legal[at..]);
    let mut findings = checks::check(&text, &Options::default());
    findings.retain(|d| d.level >= Level::Warning);
    let line = at..at + statement.len() + 5;
    let is_meant = |d: &Diagnostic| d.rule.name == rule && line.contains(&(d.primary.span.start as usize));
    if findings.len() == 1 && is_meant(&findings[0]) {
        return None;
    }
    let found: Vec<String> = findings.iter().map(|d| format!("{}: {}", d.rule.name, d.message)).collect();
    Some(format!("`{statement}` has the findings {found:?} instead of {rule}\n{text}"))
}
