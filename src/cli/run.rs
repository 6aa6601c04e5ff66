//! A run: find the files, check them in parallel, print in order.

use super::args::{Arguments, CheckArguments, Color, Format, Subcommand};
use super::input::{self, Input, InputError, Job};
use crate::checks::{self, Options};
use crate::program::{self, ObjectKind};
use crate::report::{self, Counts, FileFindings, Finding};
use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};
use std::io::{IsTerminal as _, Write as _};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Nothing at error level.
const CLEAN: u8 = 0;
/// Findings at error level.
const FOUND: u8 = 1;
/// Usage, or input that cannot be read.
const UNUSABLE: u8 = 2;
/// A fault of the program itself.
const BROKEN: u8 = 3;

/// Runs the program with the arguments of the process.
#[must_use]
pub fn main() -> ExitCode {
    let (arguments, matches) = match Arguments::read(std::env::args_os()) {
        Ok(read) => read,
        Err(error) => {
            // `--help` and `--version` come this way, too.
            let status = if error.use_stderr() { UNUSABLE } else { CLEAN };
            let _ = error.print();
            return ExitCode::from(status);
        }
    };
    match &arguments.command {
        Some(Subcommand::Explain { name }) => return ExitCode::from(explain(name.as_deref())),
        Some(Subcommand::Lsp { .. }) => return ExitCode::from(serve()),
        None => {}
    }
    let options = Options {
        platforms: arguments.check.platforms(),
        pedantic: arguments.check.pedantic,
        levels: arguments.check.levels(&matches).into_iter().map(|(rule, level)| (rule.name, level)).collect(),
    };
    ExitCode::from(check(&arguments.check, &options))
}

fn explain(name: Option<&str>) -> u8 {
    match super::explain::explain(name) {
        Ok(page) => {
            // A reader that has gone does not matter.
            let _ = std::io::stdout().write_all(page.as_bytes());
            CLEAN
        }
        Err(message) => {
            eprintln!("visa-lint: {message}");
            UNUSABLE
        }
    }
}

/// Serves an editor until it leaves.
fn serve() -> u8 {
    match crate::lsp::run() {
        Ok(crate::lsp::End::Orderly) => CLEAN,
        // The protocol wants this number if the client left without a word.
        Ok(crate::lsp::End::Abrupt) => FOUND,
        Err(message) => {
            eprintln!("visa-lint: {message}");
            UNUSABLE
        }
    }
}

/// The result of one job.
struct Checked {
    /// What is printed on standard output.
    text: String,
    counts: Counts,
    n_kernels: usize,
    n_instructions: usize,
    n_fixes: usize,
    /// What could not be read, or the fault of the program.
    failure: Option<Failure>,
}

enum Failure {
    Input(InputError),
    Panic(String),
}

fn check(arguments: &CheckArguments, options: &Options) -> u8 {
    let start = Instant::now();
    let (jobs, errors) = input::find(&arguments.paths, arguments.stdin_filename.as_deref());
    let mut status = CLEAN;
    for error in &errors {
        complain(error);
        status = UNUSABLE;
    }
    if jobs.is_empty() && errors.is_empty() {
        eprintln!("visa-lint: no vISA text (*.visaasm, *.isaasm) found");
        return UNUSABLE;
    }
    let color = use_color(arguments.color);
    let progress = progress(jobs.len());
    let results: Vec<Checked> = jobs
        .into_par_iter()
        .map(|job| {
            let result = guarded(&job, arguments, color, options);
            progress.inc(1);
            result
        })
        .collect();
    progress.finish_and_clear();

    let mut counts = Counts::default();
    let (mut n_kernels, mut n_instructions, mut n_files, mut n_fixes) = (0, 0, 0, 0);
    let mut out = std::io::stdout().lock();
    for result in results {
        match &result.failure {
            Some(Failure::Input(error)) => {
                complain(error);
                status = status.max(UNUSABLE);
                continue;
            }
            Some(Failure::Panic(path)) => {
                eprintln!("visa-lint: a fault of visa-lint itself while checking `{path}`; please report it with that file");
                status = BROKEN;
                continue;
            }
            None => {}
        }
        counts.errors += result.counts.errors;
        counts.warnings += result.counts.warnings;
        counts.pedantic += result.counts.pedantic;
        n_kernels += result.n_kernels;
        n_instructions += result.n_instructions;
        n_fixes += result.n_fixes;
        n_files += 1;
        if out.write_all(result.text.as_bytes()).is_err() {
            // The reader has gone: nobody is left to tell.
            return status;
        }
    }
    let _ = out.flush();
    if !arguments.quiet && !arguments.diff && arguments.format != Format::Json {
        if arguments.fix {
            eprintln!("fixed {n_fixes} {}", if n_fixes == 1 { "finding" } else { "findings" });
        }
        eprintln!("{}", summary(n_files, n_kernels, n_instructions, counts, start.elapsed()));
    }
    if arguments.diff {
        return if status == CLEAN && n_fixes > 0 { FOUND } else { status };
    }
    if status == CLEAN && (counts.errors > 0 || arguments.deny_warnings && counts.warnings > 0) {
        status = FOUND;
    }
    status
}

fn complain(error: &InputError) {
    eprintln!("visa-lint: {error}");
}

fn use_color(color: Color) -> bool {
    match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => {
            let choice = anstream::AutoStream::choice(&std::io::stdout());
            choice != anstream::ColorChoice::Never
        }
    }
}

/// A bar that appears on a terminal when a run takes longer than a second.
fn progress(n_jobs: usize) -> indicatif::ProgressBar {
    if n_jobs < 2 || !std::io::stderr().is_terminal() {
        return indicatif::ProgressBar::hidden();
    }
    let bar = indicatif::ProgressBar::hidden();
    bar.set_length(n_jobs as u64);
    let late = bar.clone();
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_secs(1));
        if !late.is_finished() {
            late.set_draw_target(indicatif::ProgressDrawTarget::stderr());
        }
    });
    bar
}

/// Checks one job; a panic costs this file and no other.
fn guarded(job: &Job, arguments: &CheckArguments, color: bool, options: &Options) -> Checked {
    let name = match job {
        Job::File(path) => path.display().to_string(),
        Job::Stdin(name) => name.clone(),
    };
    let empty = |failure| Checked {
        text: String::new(),
        counts: Counts::default(),
        n_kernels: 0,
        n_instructions: 0,
        n_fixes: 0,
        failure: Some(failure),
    };
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let input = input::read(job)?;
        if arguments.diff || arguments.fix {
            fix_one(job, input, arguments, color, options)
        } else {
            Ok(check_one(input, arguments.format, color, options))
        }
    }));
    match result {
        Ok(Ok(checked)) => checked,
        Ok(Err(error)) => empty(Failure::Input(error)),
        Err(_) => empty(Failure::Panic(name)),
    }
}

/// Applies the certain fixes to one job's text: shows them as a diff, or writes the file and reports what is left.
fn fix_one(job: &Job, input: Input, arguments: &CheckArguments, color: bool, options: &Options) -> Result<Checked, InputError> {
    let name = input.source.name.clone();
    let fail = |reason: &str| InputError { path: name.clone(), reason: reason.to_owned() };
    if input.invalid_byte.is_some() {
        return Err(fail("it holds bytes that are not UTF-8, so it is not changed"));
    }
    let fixed = super::fix::fix_all(&input.source.text, options);
    let n_fixes = fixed.as_ref().map_or(0, |(_, n)| *n);
    if arguments.diff {
        let text = fixed.map(|(new, _)| super::fix::diff(&name, &input.source.text, &new)).unwrap_or_default();
        return Ok(Checked { text, counts: Counts::default(), n_kernels: 0, n_instructions: 0, n_fixes, failure: None });
    }
    let source = match fixed {
        None => input.source,
        Some((new, _)) => {
            match job {
                Job::File(path) => std::fs::write(path, &new).map_err(|e| fail(&format!("it cannot be written: {e}")))?,
                Job::Stdin(_) => {}
            }
            crate::base::source::SourceFile::new(name, new)
        }
    };
    let new = matches!(job, Job::Stdin(_)).then(|| source.text.clone());
    let checked = check_one(Input { source, invalid_byte: None }, arguments.format, color, options);
    // Standard input comes out mended on standard output; what is left of findings shows only in the exit status.
    let text = new.unwrap_or(checked.text);
    Ok(Checked { text, n_fixes, ..checked })
}

fn check_one(input: Input, format: Format, color: bool, options: &Options) -> Checked {
    let Input { source, invalid_byte } = input;
    let program = program::lower(&source.text);
    let mut diagnostics = checks::check_program(&source.text, &program, options);
    if let Some(offset) = invalid_byte {
        checks::encoding::add_invalid_byte(offset, options, &mut diagnostics);
    }
    let mut counts = Counts::default();
    let findings: Vec<Finding> = diagnostics
        .into_iter()
        .map(|diagnostic| {
            counts.add(diagnostic.level);
            let kernel = kernel_at(&program, diagnostic.primary.span.start);
            Finding { diagnostic, kernel }
        })
        .collect();
    let n_kernels = program.objects.iter().filter(|o| o.kind != ObjectKind::Missing).count();
    let n_instructions = program.instructions.len();
    let file = FileFindings { source, findings };
    let mut text = String::new();
    match format {
        Format::Text => report::text::write(&file, &report::text::Style { color }, &mut text),
        Format::Short => report::short::write(&file, &mut text),
        Format::Json => report::json::write(&file, &mut text),
    }
    Checked { text, counts, n_kernels, n_instructions, n_fixes: 0, failure: None }
}

/// The name of the kernel or function around a place.
fn kernel_at(program: &program::Program, offset: u32) -> String {
    let objects = program.objects.as_slice();
    let next = objects.partition_point(|o| o.span.start <= offset);
    match next.checked_sub(1).map(|i| &objects[i]) {
        Some(object) if object.kind != ObjectKind::Missing => program.names.name(object.name).to_owned(),
        _ => String::new(),
    }
}

fn summary(n_files: usize, n_kernels: usize, n_instructions: usize, counts: Counts, elapsed: Duration) -> String {
    let plural = |n: usize, one: &str, many: &str| format!("{n} {}", if n == 1 { one } else { many });
    let mut findings = vec![plural(counts.errors, "error", "errors"), plural(counts.warnings, "warning", "warnings")];
    if counts.pedantic > 0 {
        findings.push(format!("{} pedantic", counts.pedantic));
    }
    format!(
        "checked {} in {}, {}: {} ({:.2} s)",
        plural(n_kernels, "kernel", "kernels"),
        plural(n_files, "file", "files"),
        plural(n_instructions, "instruction", "instructions"),
        findings.join(", "),
        elapsed.as_secs_f64()
    )
}
