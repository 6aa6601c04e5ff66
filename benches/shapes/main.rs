//! How the work grows with the size of the input, for texts of unusual shapes: each is made with n, 2n, 4n and 8n parts,
//! and the program is run on it under valgrind, which counts instructions. Fails if the work of a shape grows faster
//! than n to the power of [`MAX_EXPONENT`] from 2n to 8n. Words as arguments select shapes by their names; `--quick`
//! leaves out the sizes that only make the table complete; `--write FOLDER` writes the largest texts there, and counts nothing.

mod code;
mod findings;
mod shape;
mod text;

use rayon::iter::{IndexedParallelIterator as _, IntoParallelIterator as _, ParallelIterator as _};
use shape::{Shape, kernel};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::atomic::{AtomicUsize, Ordering};

/// More than n log n would need at these sizes.
const MAX_EXPONENT: f64 = 1.25;

/// Instructions that an input costs at least, to be told from chance: 0.1 ms.
const LEAST: f64 = 300_000.0;

const SIZES: [usize; 4] = [1, 2, 4, 8];

/// The folder of one run.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let n = NEXT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("visa-lint-shapes-{}-{n}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        Self(folder)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Instructions that the program executes on a shape of that size.
fn instructions(shape: &Shape, n: usize) -> f64 {
    let scratch = Scratch::new();
    let text = (shape.text)(n);
    let path = scratch.0.join(shape.file);
    std::fs::write(&path, &text).expect("the text can be written");
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]).arg(env!("CARGO_BIN_EXE_visa-lint"));
    if shape.is_settings {
        let small = scratch.0.join("small.visaasm");
        std::fs::write(&small, kernel("", "")).expect("the text can be written");
        command.arg("--config").arg(&path).arg(small);
    } else {
        command.arg("--no-config").arg(&path);
    }
    command.args(["-q", "--color", "never"]).args(shape.arguments);
    let output = command.env("RAYON_NUM_THREADS", "1").output().expect("valgrind can be started");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let code = output.status.code();
    assert!(matches!(code, Some(0 | 1)), "status {code:?} for `{}`\n{said}", shape.name);
    let count = said.lines().find_map(|l| l.split_once("Collected :")).map(|(_, n)| n.trim().to_owned());
    count.and_then(|n| n.parse().ok()).unwrap_or_else(|| panic!("no count in\n{said}"))
}

fn no_text(_: usize) -> String {
    String::new()
}

fn empty_kernel(_: usize) -> String {
    kernel("", "")
}

/// Instructions that the program executes on a file of that name in which there is nothing to check.
fn base(file: &'static str) -> f64 {
    let extension = std::path::Path::new(file).extension().and_then(std::ffi::OsStr::to_str);
    let is_visa = matches!(extension, Some("visaasm" | "toml"));
    let nothing =
        if is_visa { Shape::new("nothing", 1, empty_kernel) } else { Shape::new("nothing", 1, no_text).in_file(file) };
    instructions(&nothing, 1)
}

/// Writes the text of each shape in its largest size.
fn write(shapes: &[&Shape], folder: &Path) {
    for shape in shapes {
        let folder = folder.join(shape.name.replace(' ', "-"));
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(folder.join(shape.file), (shape.text)(shape.n * 8)).expect("the text can be written");
    }
}

fn main() -> ExitCode {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let folder = arguments.iter().position(|a| a == "--write").map(|at| arguments.drain(at..).nth(1));
    let is_quick = arguments.iter().any(|a| a == "--quick");
    arguments.retain(|a| !a.starts_with('-'));
    let is_meant = |s: &&Shape| arguments.is_empty() || arguments.iter().any(|w| s.name.contains(w.as_str()));
    let all = text::SHAPES.iter().chain(code::SHAPES).chain(findings::SHAPES);
    let shapes: Vec<&Shape> = all.filter(is_meant).collect();
    if let Some(folder) = folder {
        write(&shapes, Path::new(&folder.expect("a folder to write to")));
        return ExitCode::SUCCESS;
    }
    if Command::new("valgrind").arg("--version").output().is_err() {
        eprintln!("skipped: this bench counts instructions with valgrind, which is not there");
        return ExitCode::SUCCESS;
    }
    let files: BTreeSet<&'static str> = shapes.iter().map(|s| s.file).collect();
    let bases: BTreeMap<&str, f64> = files.into_iter().map(|file| (file, base(file))).collect();
    println!("instructions beyond those of an empty kernel or host source, in millions:\n");
    println!("{:<62} {:>6} {:>9} {:>9} {:>9} {:>9} {:>7}", "shape", "n", "n", "2n", "4n", "8n", "growth");
    let bases = &bases;
    let n_too_steep: usize = shapes
        .into_par_iter()
        .with_max_len(1)
        .map(|shape| {
            let is_needed = |times: usize| !is_quick || matches!(times, 2 | 8);
            let counts = SIZES.map(|times| {
                is_needed(times).then(|| (instructions(shape, shape.n * times) - bases[shape.file]).max(LEAST))
            });
            let growth = match counts {
                [_, Some(less), _, Some(more)] => (more / less).log2() / 2.0,
                _ => unreachable!("both are needed"),
            };
            let mut line = format!("{:<62} {:>6}", shape.name, shape.n);
            for count in counts {
                let _ = match count {
                    Some(count) => write!(line, " {:>9.2}", count / 1e6),
                    None => write!(line, " {:>9}", ""),
                };
            }
            let is_too_steep = growth > MAX_EXPONENT;
            println!("{line} {growth:>7.2}{}", if is_too_steep { "  too steep" } else { "" });
            usize::from(is_too_steep)
        })
        .sum();
    if n_too_steep > 0 {
        eprintln!("{n_too_steep} shapes grow faster than n to the power of {MAX_EXPONENT}");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
