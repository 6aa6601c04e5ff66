//! How many instructions each stage executes for a byte of text: `cargo bench --bench stages`. They are counted by
//! valgrind, so that the figures are the same on a busy machine. The texts are the compiler output in
//! `tests/compiler_output`, or with `VISA_LINT_BENCH=FOLDER` the files of that folder.

mod support;

use std::process::{Command, ExitCode};
use visa_lint::checks::{self, Options};
use visa_lint::lower;
use visa_lint::syntax::{Lexer, Parser, lexer::Line};

/// Each stage does what those before it do.
const STAGES: [&str; 6] = ["read", "lex", "parse", "lower", "check the text", "execute"];

/// Says in which process a stage is executed.
const STAGE: &str = "--stage";

/// Executes a stage on a text. Returns something that depends on all of it.
fn execute(stage: &str, text: &str) -> usize {
    let options = Options::default();
    match stage {
        "read" => text.len(),
        "lex" => {
            let mut lexer = Lexer::new(text);
            let mut n = 0;
            while lexer.next_line().is_some() {
                n += lexer.tokens().len();
            }
            n
        }
        "parse" => {
            let (mut lexer, mut parser) = (Lexer::new(text), Parser::new());
            let mut n = 0;
            while let Some(line) = lexer.next_line() {
                n += usize::from(line == Line::Statement && parser.parse(text, lexer.tokens()).is_ok());
            }
            n
        }
        "lower" => lower::lower(text).instructions.len(),
        "check the text" => checks::check_quickly(text, &lower::lower(text), &options).len(),
        _ => checks::check(text, &options).len(),
    }
}

/// Instructions of a process that executes a stage on all texts.
fn count(stage: &str) -> f64 {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(std::env::current_exe().expect("a program"))
        .args([STAGE, stage])
        .env("RAYON_NUM_THREADS", "1")
        .output()
        .expect("valgrind can be started");
    let said = String::from_utf8_lossy(&output.stderr);
    let collected = said.lines().find_map(|l| l.split_once("Collected :")).map(|(_, n)| n.trim().to_owned());
    collected.and_then(|n| n.parse().ok()).unwrap_or_else(|| panic!("no count in\n{said}"))
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(at) = arguments.iter().position(|a| a == STAGE) {
        let all = support::texts().0.into_iter().map(|f| std::fs::read_to_string(f).expect("a readable file"));
        std::hint::black_box(all.map(|text| execute(&arguments[at + 1], &text)).sum::<usize>());
        return ExitCode::SUCCESS;
    }
    if Command::new("valgrind").arg("--version").output().is_err() {
        eprintln!("skipped: this bench counts instructions with valgrind, which is not there");
        return ExitCode::SUCCESS;
    }
    let n_bytes: u64 = support::texts().0.iter().map(|f| f.metadata().expect("a file").len()).sum();
    println!("{:<16} {:>12} {:>22}", "stage", "a byte", "more than the one before");
    let mut before = 0.0;
    for stage in STAGES {
        #[expect(clippy::cast_precision_loss, reason = "a mean")]
        let a_byte = count(stage) / n_bytes as f64;
        println!("{stage:<16} {a_byte:>12.1} {:>22.1}", a_byte - before);
        before = a_byte;
    }
    ExitCode::SUCCESS
}
