//! How fast each stage is. `cargo bench` measures on the compiler output in `tests/compiler_output`, put together into
//! one text; with `VISA_LINT_BENCH=FOLDER` on the files of that folder.

mod support;

use divan::Bencher;
use divan::counter::BytesCount;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;
use visa_lint::checks::{self, Options};
use visa_lint::host::{self, Language};
use visa_lint::lower;
use visa_lint::syntax::{Lexer, Parser, lexer::Line};

/// The texts to measure on, with their names.
static TEXTS: LazyLock<Vec<(PathBuf, String)>> = LazyLock::new(|| {
    let (files, is_own) = support::texts();
    let texts: Vec<(PathBuf, String)> =
        files.into_iter().map(|f| (f.clone(), std::fs::read_to_string(&f).expect("a readable file"))).collect();
    if !is_own {
        return texts;
    }
    // Kernels of one register size, as one file of several megabytes.
    let mut all = String::from(".version 4.1\n");
    while all.len() < 3_000_000 {
        for (path, text) in &texts {
            if path.parent().and_then(Path::file_name).is_some_and(|n| n == "dg2") {
                all.extend(
                    text.lines()
                        .filter(|l| !l.starts_with(".version") && !l.starts_with("//Platform"))
                        .flat_map(|l| [l, "\n"]),
                );
            }
        }
    }
    let path = std::env::temp_dir().join("visa-lint-bench.visaasm");
    std::fs::write(&path, &all).expect("the text can be written");
    vec![(path, all)]
});

fn bytes() -> BytesCount {
    BytesCount::new(TEXTS.iter().map(|(_, t)| t.len()).sum::<usize>())
}

fn main() {
    divan::main();
}

#[divan::bench]
fn lex(bencher: Bencher) {
    bencher.counter(bytes()).bench(|| {
        let mut n = 0;
        for (_, text) in TEXTS.iter() {
            let mut lexer = Lexer::new(text);
            while lexer.next_line().is_some() {
                n += lexer.tokens().len();
            }
        }
        n
    });
}

#[divan::bench]
fn lex_and_parse(bencher: Bencher) {
    bencher.counter(bytes()).bench(|| {
        let mut n = 0;
        let mut parser = Parser::new();
        for (_, text) in TEXTS.iter() {
            let mut lexer = Lexer::new(text);
            while let Some(line) = lexer.next_line() {
                n += usize::from(line == Line::Statement && parser.parse(text, lexer.tokens()).is_ok());
            }
        }
        n
    });
}

#[divan::bench]
fn lex_parse_and_lower(bencher: Bencher) {
    bencher
        .counter(bytes())
        .bench(|| TEXTS.iter().map(|(_, text)| lower::lower(text).instructions.len()).sum::<usize>());
}

#[divan::bench]
fn everything(bencher: Bencher) {
    let options = Options::default();
    bencher.counter(bytes()).bench(|| TEXTS.iter().map(|(_, text)| checks::check(text, &options).len()).sum::<usize>());
}

#[divan::bench(sample_count = 20)]
fn binary_on_one_core(bencher: Bencher) {
    binary(bencher, "1");
}

#[divan::bench(sample_count = 20)]
fn binary_on_two_cores(bencher: Bencher) {
    binary(bencher, "2");
}

fn binary(bencher: Bencher, threads: &str) {
    let files: Vec<&PathBuf> = TEXTS.iter().map(|(path, _)| path).collect();
    bencher.counter(bytes()).bench(|| {
        Command::new(env!("CARGO_BIN_EXE_visa-lint"))
            .env("RAYON_NUM_THREADS", threads)
            .arg("--quiet")
            .args(&files)
            .stdout(Stdio::null())
            .status()
            .expect("the program starts")
    });
}

#[divan::bench(sample_count = 100)]
fn binary_on_a_small_file(bencher: Bencher) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/hello.visaasm");
    bencher.bench(|| {
        Command::new(env!("CARGO_BIN_EXE_visa-lint"))
            .arg("--quiet")
            .arg(&path)
            .stdout(Stdio::null())
            .status()
            .expect("the program starts")
    });
}

/// A C++ source of several megabytes: functions, and after so many of them one with a fragment.
fn host_text(n_between: usize) -> String {
    let plain = "template <typename T>\nstatic inline T clamp_to(const T &value, const T &least, const T &most) {\n  \
        // Forward only what lies between the two.\n  return value < least ? least : (most < value ? most : value);\n}\n\n";
    let fragment = "inline int twice(int x) {\n  int y;\n  asm volatile(\"{\\n\"\n    \
        \".decl tmp v_type=G type=d num_elts=16 align=GRF\\n\"\n    \
        \"add (M1, 16) tmp(0,0)<1> %1(0,0)<1;1,0> %1(0,0)<1;1,0>\\n\"\n    \
        \"mov (M1, 16) %0(0,0)<1> tmp(0,0)<1;1,0>\\n\"\n    \"}\\n\" : \"=rw\"(y) : \"rw\"(x));\n  return y;\n}\n\n";
    let mut text = String::new();
    for i in 0.. {
        text += if i % (n_between + 1) == n_between { fragment } else { plain };
        if text.len() > 4_000_000 {
            break;
        }
    }
    text
}

/// C++ without asm statements.
#[divan::bench(sample_count = 20)]
fn host_without_fragments(bencher: Bencher) {
    let text = host_text(usize::MAX - 1);
    bencher.counter(BytesCount::of_str(&text)).bench(|| host::read(divan::black_box(&text), Language::C, None));
}

/// C++ with a fragment in every 50th function: found, read and checked.
#[divan::bench(sample_count = 10)]
fn host_with_fragments(bencher: Bencher) {
    let text = host_text(49);
    bencher.counter(BytesCount::of_str(&text)).bench(|| {
        let host = host::read(divan::black_box(&text), Language::C, None);
        checks::fragment::check_host(&text, &host, &Options::default(), None)
    });
}
