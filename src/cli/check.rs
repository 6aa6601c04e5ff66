//! A check: find the files, check them in parallel, write the reports in order.

use super::args::{CheckArguments, Color, Target};
use super::console;
use super::input::{self, Input, InputError, Job};
use super::output::Place;
use super::run::{BROKEN, CLEAN, FOUND, UNUSABLE};
use super::settings;
use crate::base::diagnostic::Diagnostic;
use crate::base::rule::Level;
use crate::base::source::SourceFile;
use crate::checks::{self, Options};
use crate::config::Configs;
use crate::host::{self, Language};
use crate::lower;
use crate::program::{ObjectKind, Program};
use crate::report::{Counts, Failure, FileFindings, Finding, Style, Suppressed};
use clap::ArgMatches;
use rayon::iter::{IndexedParallelIterator as _, IntoParallelIterator as _, ParallelIterator as _};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use std::io::{BufWriter, IsTerminal as _, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The result of one job.
#[derive(Default)]
struct Checked {
    /// What each report says of it, in the order of the targets.
    parts: Vec<String>,
    /// What is shown instead of a report: a diff, or the mended text of standard input.
    shown: String,
    totals: Totals,
    /// Findings of each rule, if they are to be counted.
    by_rule: BTreeMap<&'static str, usize>,
}

/// What the summary counts.
#[derive(Clone, Copy, Default)]
struct Totals {
    counts: Counts,
    n_files: usize,
    n_kernels: usize,
    n_instructions: usize,
    n_fixes: usize,
}

impl Totals {
    fn add(&mut self, other: Self) {
        self.counts.add(other.counts);
        self.n_files += other.n_files;
        self.n_kernels += other.n_kernels;
        self.n_instructions += other.n_instructions;
        self.n_fixes += other.n_fixes;
    }
}

/// Why a job has no result.
enum Fault {
    Input(InputError),
    Panic(String),
}

impl Fault {
    fn status(&self) -> u8 {
        match self {
            Self::Input(_) => UNUSABLE,
            Self::Panic(_) => BROKEN,
        }
    }

    fn failure(self) -> Failure {
        match self {
            Self::Input(InputError { path, reason }) => Failure { path, reason },
            Self::Panic(path) => Failure {
                path,
                reason: "this shows a fault of visa-lint itself; please report it with that file".to_owned(),
            },
        }
    }
}

/// What all jobs share.
struct Run<'a> {
    arguments: &'a CheckArguments,
    targets: &'a [Target],
    style: Style,
}

/// Checks what the arguments name; returns the exit status.
pub(super) fn check(arguments: &CheckArguments, matches: &ArgMatches, targets: &[Target]) -> u8 {
    let start = Instant::now();
    let configs = match Configs::new(&arguments.config_source()) {
        Ok(configs) => Arc::new(configs),
        Err(error) => return settings::refuse(&[error]),
    };
    let found = input::find(
        &arguments.paths,
        arguments.stdin_filename.as_deref(),
        &configs,
        arguments.force_exclude,
        arguments.hosts,
    );
    if found.jobs.is_empty() && found.errors.is_empty() && !found.has_excluded {
        return console::refuse("no vISA text (*.visaasm, *.isaasm) found");
    }
    if let Some(path) = overwritten(targets, &found.jobs, arguments) {
        return console::refuse(format_args!("`--output {}` would write over what is read", path.display()));
    }
    let shows_text = arguments.diff
        || arguments.dump_messages
        || arguments.fix && found.jobs.iter().any(|job| matches!(job, Job::Stdin(_)));
    let jobs = match settings::of_jobs(found.jobs, &configs, arguments, matches) {
        Ok(jobs) => jobs,
        Err(errors) => return settings::refuse(&errors),
    };
    if arguments.races && !jobs.is_empty() && jobs.iter().all(|(_, options)| !options.launch.knows_sizes()) {
        return console::refuse(
            "--races needs the size of groups: --local-size X,Y,Z, or --ze-info FILE of kernels that say it",
        );
    }
    let run = Run { arguments, targets, style: style(arguments) };
    let progress = progress(jobs.len());
    let mut jobs: Vec<_> = jobs.into_iter().enumerate().collect();
    // A large file that begins last would keep one thread busy alone.
    jobs.sort_by_cached_key(|(_, (job, _))| std::cmp::Reverse(job.n_bytes()));
    let mut results: Vec<(usize, Result<Checked, Fault>)> = jobs
        .into_par_iter()
        .with_max_len(1)
        .map(|(index, (job, options))| {
            let result = run.guarded(&job, &options);
            progress.inc(1);
            (index, result)
        })
        .collect();
    results.sort_by_key(|(index, _)| *index);
    let results: Vec<_> = results.into_iter().map(|(_, result)| result).collect();
    progress.finish_and_clear();

    let mut status = CLEAN;
    let mut totals = Totals::default();
    let mut checked = Vec::with_capacity(results.len());
    let mut by_rule: BTreeMap<&str, usize> = BTreeMap::new();
    let mut failures = Vec::new();
    for result in found.errors.into_iter().map(|error| Err(Fault::Input(error))).chain(results) {
        match result {
            Ok(result) => {
                totals.add(result.totals);
                for (rule, n) in &result.by_rule {
                    *by_rule.entry(rule).or_default() += n;
                }
                checked.push(result);
            }
            Err(fault) => {
                status = status.max(fault.status());
                let failure = fault.failure();
                console::refuse(format_args!("cannot check `{}`: {}", failure.path, failure.reason));
                failures.push(failure);
            }
        }
    }
    if shows_text {
        status = status.max(console::print_raw(checked.iter().map(|c| &*c.shown)));
    }
    let mut is_for_people = true;
    if arguments.statistics {
        status = status.max(console::print(&statistics(&by_rule)));
    }
    for (index, target) in targets.iter().enumerate().filter(|_| !arguments.statistics) {
        let write = |out: &mut dyn Write| {
            write_report(target, &run.style, checked.iter().map(|c| &*c.parts[index]), &failures, out)
        };
        match &target.path {
            Some(path) => {
                if let Err(error) = std::fs::File::create(path).and_then(|file| write(&mut BufWriter::new(file))) {
                    let reason = input::reason(&error);
                    status = status.max(console::refuse(format_args!("cannot write `{}`: {reason}", path.display())));
                }
            }
            None if shows_text => {}
            None => {
                is_for_people = target.format.is_for_people();
                status = status.max(console::write(write));
            }
        }
    }
    if !arguments.quiet && !arguments.diff && !arguments.dump_messages && is_for_people {
        if arguments.fix {
            console::say(format_args!("fixed {}", plural(totals.n_fixes, "finding", "findings")));
        }
        console::say(summary(totals, start.elapsed()));
    }
    if arguments.diff {
        return if status == CLEAN && totals.n_fixes > 0 { FOUND } else { status };
    }
    let fails = totals.counts.errors > 0 || arguments.deny_warnings && totals.counts.warnings > 0;
    if status == CLEAN && fails { FOUND } else { status }
}

/// The first output that is also an input.
fn overwritten<'t>(targets: &'t [Target], jobs: &[Job], arguments: &CheckArguments) -> Option<&'t Path> {
    let outputs: Vec<(Place, &Path)> =
        targets.iter().filter_map(|t| t.path.as_deref()).map(|path| (Place::of(path), path)).collect();
    if outputs.is_empty() {
        return None;
    }
    let texts = jobs.iter().filter_map(|job| match job {
        Job::File(path) => Some(path),
        Job::Stdin(_) => None,
    });
    let inputs: FxHashSet<Place> =
        texts.chain(&arguments.config).chain(&arguments.ze_info).map(|path| Place::of(path)).collect();
    outputs.into_iter().find(|(place, _)| inputs.contains(place)).map(|(_, path)| path)
}

/// A line for each rule that was reported, the most frequent one first.
fn statistics(by_rule: &BTreeMap<&str, usize>) -> String {
    let mut rules: Vec<_> = by_rule.iter().collect();
    rules.sort_by_key(|(name, n)| (std::cmp::Reverse(**n), **name));
    rules.into_iter().fold(String::new(), |text, (name, n)| text + &format!("{n:>7} {name}\n"))
}

/// Puts the parts of a report together.
fn write_report<'p>(
    target: &Target,
    style: &Style,
    parts: impl Iterator<Item = &'p str>,
    failures: &[Failure],
    out: &mut dyn Write,
) -> std::io::Result<()> {
    let mut text = String::new();
    target.format.head(style, &mut text);
    for (i, part) in parts.filter(|part| !part.is_empty()).enumerate() {
        if i > 0 {
            text.push_str(target.format.separator());
        }
        out.write_all(text.as_bytes())?;
        text.clear();
        out.write_all(part.as_bytes())?;
    }
    target.format.tail(failures, &mut text);
    out.write_all(text.as_bytes())?;
    out.flush()
}

fn style(arguments: &CheckArguments) -> Style {
    let (color, links) = match arguments.color {
        Color::Always => (true, supports_hyperlinks::on(supports_hyperlinks::Stream::Stdout)),
        Color::Never => (false, false),
        Color::Auto => {
            let choice = anstream::AutoStream::choice(&std::io::stdout());
            (choice != anstream::ColorChoice::Never, supports_hyperlinks::on(supports_hyperlinks::Stream::Stdout))
        }
    };
    let fails_at = if arguments.deny_warnings { Level::Warning } else { Level::Error };
    Style { color, links, fails_at, rules: checks::RULES }
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

impl Run<'_> {
    /// Checks one job; a panic costs this file and no other.
    fn guarded(&self, job: &Job, options: &Options) -> Result<Checked, Fault> {
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let input = input::read(job)?;
            if self.arguments.dump_messages {
                Ok(self.dump(&input, options))
            } else if self.arguments.diff || self.arguments.fix {
                self.fix(job, input, options)
            } else {
                Ok(self.check(input, Language::of_path(job.path()), options))
            }
        }));
        match result {
            Ok(Ok(checked)) => Ok(checked),
            Ok(Err(error)) => Err(Fault::Input(error)),
            Err(_) => Err(Fault::Panic(job.name())),
        }
    }

    /// What is decided about each memory message.
    fn dump(&self, input: &Input, options: &Options) -> Checked {
        let shown = super::messages::dump(&input.source, options);
        let parts = vec![String::new(); self.targets.len()];
        Checked { parts, shown, totals: Totals { n_files: 1, ..Totals::default() }, ..Checked::default() }
    }

    /// Applies the certain fixes to one job's text: shows them as a diff, or writes the file and reports what is left.
    fn fix(&self, job: &Job, input: Input, options: &Options) -> Result<Checked, InputError> {
        let name = input.source.name.clone();
        let fail = |reason: &str| InputError { path: name.clone(), reason: reason.to_owned() };
        if input.invalid_byte.is_some() {
            return Err(fail("it holds bytes that are not UTF-8, so it is not changed"));
        }
        let fixed = super::fix::fix_all(
            &input.source.text,
            &Options { host: Language::of_path(job.path()), ..options.clone() },
        );
        let n_fixes = fixed.as_ref().map_or(0, |(_, n)| *n);
        if self.arguments.diff {
            let shown = fixed.map(|(new, _)| super::fix::diff(&name, &input.source.text, &new)).unwrap_or_default();
            let parts = vec![String::new(); self.targets.len()];
            let totals = Totals { n_fixes, n_files: 1, ..Totals::default() };
            return Ok(Checked { parts, shown, totals, ..Checked::default() });
        }
        let source = match fixed {
            None => input.source,
            Some((new, _)) => {
                match job {
                    Job::File(path) => {
                        super::replace::replace(path, &input.source.text, &new).map_err(|reason| fail(&reason))?;
                    }
                    Job::Stdin(_) => {}
                }
                SourceFile::new(name, new)
            }
        };
        // Standard input comes out mended on standard output.
        let shown = if matches!(job, Job::Stdin(_)) { source.text.clone() } else { String::new() };
        let mut checked = self.check(Input { source, invalid_byte: None }, Language::of_path(job.path()), options);
        checked.shown = shown;
        checked.totals.n_fixes = n_fixes;
        Ok(checked)
    }

    fn check(&self, input: Input, language: Option<Language>, options: &Options) -> Checked {
        let Input { source, invalid_byte } = input;
        let text = &source.text;
        let outcome;
        let kernel_at: Box<dyn Fn(u32) -> String>;
        let (n_kernels, n_instructions);
        if let Some(language) = language {
            let host = host::read(text, language, options.sub_group);
            outcome = checks::fragment::check_host(text, &host, options, invalid_byte);
            n_kernels = host.fragments.len();
            n_instructions = host.fragments.iter().map(|f| f.program.instructions.len()).sum();
            kernel_at = Box::new(move |offset| host.function_at(offset).to_owned());
        } else {
            let program = lower::lower(text);
            outcome = checks::check_in_full(text, &program, options, invalid_byte);
            n_kernels = program.objects.iter().filter(|o| o.kind != ObjectKind::Missing).count();
            n_instructions = program.instructions.len();
            kernel_at = Box::new(move |offset| kernel_of(&program, offset));
        }
        let finding = |diagnostic: Diagnostic| {
            let kernel = kernel_at(diagnostic.primary.span.start);
            Finding { diagnostic, kernel }
        };
        let suppressed =
            outcome.suppressed.into_iter().map(|s| Suppressed { finding: finding(s.diagnostic), reason: s.reason });
        let file = FileFindings {
            suppressed: suppressed.collect(),
            findings: outcome.diagnostics.into_iter().map(finding).collect(),
            source,
        };
        let parts = self.targets.iter().map(|target| {
            let mut part = String::new();
            target.format.file(&file, &self.style, &mut part);
            part
        });
        let mut by_rule = BTreeMap::new();
        if self.arguments.statistics {
            for finding in &file.findings {
                *by_rule.entry(finding.diagnostic.rule.name).or_default() += 1;
            }
        }
        let totals = Totals { counts: Counts::of(&file), n_files: 1, n_kernels, n_instructions, n_fixes: 0 };
        Checked { parts: parts.collect(), shown: String::new(), totals, by_rule }
    }
}

/// The name of the kernel or function around a place.
pub(super) fn kernel_of(program: &Program, offset: u32) -> String {
    let objects = program.objects.as_slice();
    let next = objects.partition_point(|o| o.span.start <= offset);
    match next.checked_sub(1).map(|i| &objects[i]) {
        Some(object) if object.kind != ObjectKind::Missing => program.names.name(object.name).to_owned(),
        _ => String::new(),
    }
}

fn plural(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

fn summary(totals: Totals, elapsed: Duration) -> String {
    let counts = totals.counts;
    let mut findings = vec![plural(counts.errors, "error", "errors"), plural(counts.warnings, "warning", "warnings")];
    if counts.pedantic > 0 {
        findings.push(format!("{} pedantic", counts.pedantic));
    }
    if counts.suppressed > 0 {
        findings.push(format!("{} suppressed", counts.suppressed));
    }
    format!(
        "checked {} in {}, {}: {} ({:.2} s)",
        plural(totals.n_kernels, "kernel", "kernels"),
        plural(totals.n_files, "file", "files"),
        plural(totals.n_instructions, "instruction", "instructions"),
        findings.join(", "),
        elapsed.as_secs_f64()
    )
}
