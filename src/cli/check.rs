//! A check: find the files, check them in parallel, write the reports in order.

use super::args::{CheckArguments, Color, Target};
use super::baseline::{self, Baselines, Use};
use super::cache::Cache;
use super::console;
use super::input::{self, Input, InputError, Job};
use super::job::{Checked, Fault, Run};
use super::output::Place;
use super::replace::finish_before_interrupts;
use super::reports::{Captured, Reports};
use super::settings;
use super::since::Changes;
use super::status::{CLEAN, FOUND};
use super::summary::{self, ByRule, Totals, plural};
use super::timings::Stopwatch;
use super::values::Shard;
use crate::base::printable;
use crate::base::rule::Level;
use crate::checks::{self, Options};
use crate::config::{Configs, Known, absolute};
use crate::host::Language;
use crate::matching::{Baseline, Entry, Hash};
use crate::report::{Failure, Format, Style};
use clap::ArgMatches;
use rayon::iter::{IndexedParallelIterator as _, IntoParallelIterator as _, ParallelIterator as _};
use rustc_hash::FxHashSet;
use std::io::IsTerminal as _;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Where a check is a part of something longer: what it takes over from the check before, and what it leaves.
#[derive(Default)]
pub(super) struct Session {
    /// Texts that are known to have no findings.
    pub cache: Option<Cache>,
    /// Takes what would go to standard output.
    pub stdout: Option<Captured>,
    /// The last line of the check.
    pub summary: Option<String>,
}

/// Checks what the arguments name; returns the exit status.
pub(super) fn check(arguments: &CheckArguments, matches: &ArgMatches, targets: &[Target]) -> u8 {
    let cache = match arguments.cache.as_deref().map(Cache::open).transpose() {
        Ok(cache) => cache,
        Err(reason) => return console::refuse(reason),
    };
    let mut session = Session { cache, ..Session::default() };
    let status = check_in(&mut session, arguments, matches, targets);
    session.summary.into_iter().for_each(console::say);
    status
}

/// Checks as a part of a session.
pub(super) fn check_in(
    session: &mut Session,
    arguments: &CheckArguments,
    matches: &ArgMatches,
    targets: &[Target],
) -> u8 {
    let start = Instant::now();
    let configs = match Configs::new(&arguments.config_source()) {
        Ok(configs) => Arc::new(configs),
        Err(error) => return settings::refuse(&[error]),
    };
    let stdin = arguments.stdin_filename.as_deref();
    let found = input::find(&arguments.paths, stdin, &configs, arguments.force_exclude, arguments.hosts);
    if found.jobs.is_empty() && found.errors.is_empty() && !found.has_excluded {
        return console::refuse("no vISA text (*.visaasm, *.isaasm) found");
    }
    if arguments.list_files {
        let names: Vec<String> = found.jobs.iter().map(|job| format!("{}\n", printable::line(&job.name()))).collect();
        let status = found.errors.iter().map(console::refuse).max().unwrap_or(CLEAN);
        return status.max(console::print_raw(names.iter().map(String::as_str)));
    }
    if let Some((option, path)) = overwritten(targets, &found.jobs, arguments) {
        return console::refuse(format_args!("`{option} {}` would write over what is read", path.display()));
    }
    let shows_text = arguments.diff
        || arguments.dump_messages
        || arguments.fix && found.jobs.iter().any(|job| matches!(job, Job::Stdin(_)));
    let changes = match arguments.since.as_deref().map(|commit| Changes::since(commit, &arguments.paths)).transpose() {
        Ok(changes) => changes,
        Err(reason) => return console::refuse(format_args!("--since: {reason}")),
    };
    let mut found = found;
    if let Some(shard) = arguments.shard {
        found.jobs.retain(|job| is_in(shard, &job.name()));
    }
    if let Some(changes) = &changes {
        found.jobs.retain(|job| changes.touch(job.path()));
    }
    let baselines = match &arguments.against {
        Some(old) => against(old, arguments, matches, &configs),
        None => Baselines::new(arguments, &configs, found.jobs.iter()).map_err(|error| settings::refuse(&[error])),
    };
    let baselines = match baselines {
        Ok(baselines) => baselines,
        Err(status) => return status,
    };
    if arguments.prune_baseline && !baselines.is_any() {
        return console::refuse("--prune-baseline needs a baseline: --baseline FILE, or `baseline` in the settings");
    }
    // Whatever is wrong with settings is said before anything is checked.
    let wrong = settings::errors(&found.jobs, &configs);
    if !wrong.is_empty() {
        return settings::refuse(&wrong);
    }
    let of_job = match settings::OfJobs::new(&configs, arguments, matches) {
        Ok(of_job) => of_job,
        Err(error) => return settings::refuse(&[error]),
    };
    if arguments.races && !found.jobs.is_empty() && !of_job.know_sizes(&found.jobs) {
        return console::refuse(
            "--races needs the size of groups: --local-size X,Y,Z, or --ze-info FILE of kernels that say it",
        );
    }
    let (style, file_style) = (style(arguments, true), style(arguments, false));
    let new_folder = arguments.write_baseline.as_deref().map(Known::folder_of);
    let mut reports = Reports::begin(targets, &style, arguments, shows_text, session.stdout.as_ref());
    let is_for_people = reports.are_for_people();
    let mut run = Run {
        arguments,
        targets,
        style: &style,
        file_style: &file_style,
        baselines,
        changes,
        new_folder,
        cache: session.cache.take(),
        stopwatch: arguments.timings.then(Stopwatch::default),
    };
    if arguments.fix {
        finish_before_interrupts();
    }
    let progress = progress(found.jobs.len());
    let mut all = Collected::default();
    all.add(found.errors.into_iter().map(|error| Err(Fault::Input(error))), &mut reports);
    for window in windows(found.jobs) {
        let results = match of_job.all(window) {
            Ok(jobs) => run.all(jobs, &progress),
            // A file of settings changed while the run went on.
            Err(errors) => {
                all.status = settings::refuse(&errors);
                break;
            }
        };
        progress.suspend(|| {
            all.add(results, &mut reports);
            reports.flush();
            if let Some(Err(reason)) = run.cache.as_mut().map(Cache::save) {
                all.status = all.status.max(console::refuse(reason));
                run.cache = None;
            }
        });
    }
    progress.finish_and_clear();
    session.cache = run.cache.take();
    let (status, summary) = all.finish(&run, reports, is_for_people, start.elapsed());
    session.summary = summary;
    status
}

/// So many texts are checked before what was found in them is written, or so many bytes of text: memory does not grow with
/// the number of files.
const WINDOW_JOBS: usize = 4096;
const WINDOW_BYTES: u64 = 128 << 20;

/// The jobs in parts, in their order; each with its bytes.
fn windows(jobs: Vec<Job>) -> impl Iterator<Item = Vec<(u64, Job)>> {
    let mut jobs = jobs.into_iter().peekable();
    std::iter::from_fn(move || {
        jobs.peek()?;
        let (mut window, mut n_bytes) = (Vec::new(), 0u64);
        while window.len() < WINDOW_JOBS
            && n_bytes < WINDOW_BYTES
            && let Some(job) = jobs.next()
        {
            let own = job.n_bytes();
            n_bytes = n_bytes.saturating_add(own);
            window.push((own, job));
        }
        Some(window)
    })
}

/// What a run knows of the texts that were checked so far.
#[derive(Default)]
struct Collected {
    status: u8,
    /// Whether standard output could not be written, which is said once.
    is_stdout_lost: bool,
    totals: Totals,
    by_rule: ByRule,
    uses: Vec<Use>,
    entries: Vec<Entry>,
    failures: Vec<Failure>,
}

impl Collected {
    /// Adds results, in the order of their names.
    fn add(&mut self, results: impl IntoIterator<Item = Result<Checked, Fault>>, reports: &mut Reports) {
        for result in results {
            match result {
                Ok(mut result) => {
                    self.totals.add(result.totals);
                    self.uses.append(&mut result.known);
                    self.entries.append(&mut result.entries);
                    for failure in result.failures.drain(..) {
                        self.status = self.status.max(refuse(failure, &mut self.failures));
                    }
                    for (rule, n) in &result.by_rule {
                        *self.by_rule.entry(*rule).or_default() += n;
                    }
                    if !result.shown.is_empty() && !self.is_stdout_lost {
                        let status = console::print_raw(std::iter::once(&*result.shown));
                        self.is_stdout_lost = status != CLEAN;
                        self.status = self.status.max(status);
                    }
                    reports.add(&result.parts);
                }
                Err(fault) => {
                    self.status = self.status.max(fault.status());
                    refuse(fault.failure(), &mut self.failures);
                }
            }
        }
    }

    /// Says what is said at the end of a run; returns the exit status and the last line.
    fn finish(self, run: &Run, reports: Reports, mut is_for_people: bool, elapsed: Duration) -> (u8, Option<String>) {
        let Self { mut status, is_stdout_lost: _, totals, by_rule, uses, entries, failures } = self;
        let arguments = run.arguments;
        if let Some(file) = &arguments.write_baseline {
            return (write_baseline(file, entries, status, arguments.quiet), None);
        }
        let gone = run.baselines.gone(&uses);
        if arguments.statistics {
            let is_json = run.targets.iter().any(|t| t.format == Format::Json);
            is_for_people = !is_json;
            let text = if is_json { summary::statistics_json(&by_rule) } else { summary::statistics(&by_rule) };
            status = status.max(console::print(&text));
        }
        status = status.max(reports.finish(&gone.iter().map(|(_, gone)| gone.as_slice()), &failures));
        let mut last_line = None;
        if !arguments.quiet && !arguments.diff && !arguments.dump_messages && is_for_people {
            if arguments.fix {
                console::say(format_args!("fixed {}", plural(totals.n_fixes, "finding", "findings")));
            }
            for (_, gone) in &gone {
                list_gone(gone);
            }
            last_line = Some(summary::summary(totals, elapsed));
        }
        if let Some(stopwatch) = &run.stopwatch {
            console::show(&stopwatch.text());
        }
        if arguments.prune_baseline {
            for (source, gone) in &gone {
                if let Err(reason) = run.baselines.prune(*source, gone) {
                    status = status.max(console::refuse(reason));
                }
            }
        }
        let most = if arguments.deny_warnings { Some(0) } else { arguments.max_warnings };
        let fails = if arguments.diff {
            totals.n_fixes > 0
        } else {
            !arguments.exit_zero && (totals.counts.errors > 0 || most.is_some_and(|most| totals.counts.warnings > most))
        };
        (if status == CLEAN && fails { FOUND } else { status }, last_line)
    }
}

/// The findings in an older version of the files, as a baseline.
fn against(
    old: &Path,
    arguments: &CheckArguments,
    matches: &ArgMatches,
    configs: &Arc<Configs>,
) -> Result<Baselines, u8> {
    let found = input::find(&[old.to_owned()], None, configs, arguments.force_exclude, arguments.hosts);
    if let Some(error) = found.errors.first() {
        return Err(console::refuse(error));
    }
    let folder_of = |path: &Path| {
        let path = absolute(path);
        if path.is_dir() { path } else { path.parent().map(Path::to_owned).unwrap_or_default() }
    };
    let folder = folder_of(old);
    let jobs: Vec<Job> = found.jobs;
    let options = settings::OfJobs::new(configs, arguments, matches).map_err(|error| settings::refuse(&[error]))?;
    let jobs =
        options.all(jobs.into_iter().map(|job| (0, job)).collect()).map_err(|errors| settings::refuse(&errors))?;
    let of_job = |(_, job, mut options): (u64, Job, Options)| {
        options.in_full = true;
        let Input { source, invalid_byte } = input::read(&job)?;
        let checked = crate::check(source, Language::of_path(job.path()), &options, invalid_byte);
        Ok(baseline::entries(&checked.file, &Known::path_in(&folder, job.path())))
    };
    let entries: Result<Vec<Vec<Entry>>, InputError> = jobs.into_par_iter().with_max_len(1).map(of_job).collect();
    let entries = entries.map_err(console::refuse)?.into_iter().flatten().collect();
    Ok(Baselines::of_entries(entries, arguments.paths.iter().map(|path| folder_of(path)).collect(), configs))
}

/// Writes what was found as known findings; returns the exit status.
fn write_baseline(file: &Path, entries: Vec<Entry>, status: u8, quiet: bool) -> u8 {
    let n = entries.len();
    if let Err(reason) = baseline::write(file, &Baseline::new(entries).text()) {
        return status.max(console::refuse(reason));
    }
    if !quiet {
        console::say(format_args!("wrote {} to {}", plural(n, "finding", "findings"), file.display()));
    }
    status
}

/// So many known findings that are gone are named.
const MAX_GONE: usize = 20;

/// Names what is gone.
fn list_gone(gone: &[Entry]) {
    for entry in gone.iter().take(MAX_GONE) {
        console::say(format_args!("gone: {}:{}: [{}] {}", entry.path, entry.line, entry.rule, entry.message));
    }
    if gone.len() > MAX_GONE {
        console::say(format_args!("gone: {} more", gone.len() - MAX_GONE));
    }
}

/// Whether a file belongs to a part of a run; other files make no difference to that.
fn is_in(shard: Shard, name: &str) -> bool {
    let mut hash = Hash::default();
    hash.add(&crate::report::portable(name));
    hash.short() % shard.n == shard.index - 1
}

/// Says what cannot be checked, and notes it; returns the exit status.
fn refuse(failure: Failure, failures: &mut Vec<Failure>) -> u8 {
    let status = console::refuse(format_args!("cannot check `{}`: {}", failure.path, failure.reason));
    failures.push(failure);
    status
}

/// The first output that is also an input, with the option that names it.
fn overwritten<'t>(
    targets: &'t [Target],
    jobs: &[Job],
    arguments: &'t CheckArguments,
) -> Option<(&'static str, &'t Path)> {
    let reports = targets.iter().filter_map(|t| t.path.as_deref()).map(|path| ("--output", path));
    let outputs: Vec<(&str, &Path)> =
        reports.chain(arguments.write_baseline.as_deref().map(|path| ("--write-baseline", path))).collect();
    if outputs.is_empty() {
        return None;
    }
    let texts = jobs.iter().filter_map(|job| match job {
        Job::File(path) => Some(path),
        Job::Stdin(_) => None,
    });
    let inputs =
        texts.chain(&arguments.config).chain(&arguments.ze_info).chain(&arguments.baseline).map(|path| Place::of(path));
    let inputs: FxHashSet<Place> = inputs.collect();
    outputs.into_iter().find(|(_, path)| inputs.contains(&Place::of(path)))
}

/// How reports on standard output are written, or those in files, which are no terminal.
fn style(arguments: &CheckArguments, is_stdout: bool) -> Style {
    let has_links = || is_stdout && supports_hyperlinks::on(supports_hyperlinks::Stream::Stdout);
    let (color, links) = match arguments.color {
        Color::Always => (true, has_links()),
        Color::Never => (false, false),
        Color::Auto => {
            let choice = anstream::AutoStream::choice(&std::io::stdout());
            (is_stdout && choice != anstream::ColorChoice::Never, has_links())
        }
    };
    let columns = if is_stdout { super::console::columns() } else { None };
    let fails_at = if arguments.deny_warnings { Level::Warning } else { Level::Error };
    Style { color, links, columns, fails_at, rules: checks::RULES, pages: arguments.pages.clone() }
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
