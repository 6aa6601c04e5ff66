//! A check: find the files, check them in parallel, write the reports in order.

use super::args::{CheckArguments, Color, Shard, Target};
use super::baseline::{self, Baselines, Use};
use super::console;
use super::container::{self, Form, Member};
use super::input::{self, Input, InputError, Job};
use super::output::Place;
use super::run::{BROKEN, CLEAN, FOUND, UNUSABLE};
use super::settings;
use super::since::Changes;
use crate::base::printable;
use crate::base::rule::Level;
use crate::base::source::SourceFile;
use crate::checks::group::Group;
use crate::checks::{self, Options};
use crate::config::{Configs, Known, absolute};
use crate::host::Language;
use crate::matching::{Baseline, Entry, Hash};
use crate::report::{Counts, Failure, Format, Style};
use clap::ArgMatches;
use rayon::iter::{IndexedParallelIterator as _, IntoParallelIterator as _, ParallelIterator as _};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use std::io::{BufWriter, IsTerminal as _, Write};
use std::path::{Path, PathBuf};
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
    /// Findings of each rule at each level, if they are to be counted.
    by_rule: ByRule,
    /// What the baseline knows of it.
    known: Vec<Use>,
    /// What a new baseline says of it.
    entries: Vec<Entry>,
    /// What in it could not be checked.
    failures: Vec<Failure>,
}

/// Findings of each rule at each level.
type ByRule = BTreeMap<(&'static str, Level), usize>;

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

impl Checked {
    /// Adds the result of another text of the same job.
    fn append(&mut self, mut other: Self, targets: &[Target]) {
        for ((all, part), target) in self.parts.iter_mut().zip(&other.parts).zip(targets) {
            if !all.is_empty() && !part.is_empty() {
                all.push_str(target.format.separator());
            }
            all.push_str(part);
        }
        self.shown += &other.shown;
        self.totals.add(other.totals);
        for (rule, n) in other.by_rule {
            *self.by_rule.entry(rule).or_default() += n;
        }
        self.known.append(&mut other.known);
        self.entries.append(&mut other.entries);
        self.failures.append(&mut other.failures);
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
    baselines: Baselines,
    changes: Option<Changes>,
    /// The folder of the baseline that is written.
    new_folder: Option<PathBuf>,
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
    if arguments.list_files {
        let names: Vec<String> = found.jobs.iter().map(|job| format!("{}\n", printable::line(&job.name()))).collect();
        let status = found.errors.iter().map(console::refuse).max().unwrap_or(CLEAN);
        return status.max(console::print_raw(names.iter().map(String::as_str)));
    }
    if let Some(path) = overwritten(targets, &found.jobs, arguments) {
        return console::refuse(format_args!("`--output {}` would write over what is read", path.display()));
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
    let mut jobs = match settings::of_jobs(found.jobs, &configs, arguments, matches) {
        Ok(jobs) => jobs,
        Err(errors) => return settings::refuse(&errors),
    };
    if arguments.races && !jobs.is_empty() && jobs.iter().all(|(_, options)| !options.launch.knows_sizes()) {
        return console::refuse(
            "--races needs the size of groups: --local-size X,Y,Z, or --ze-info FILE of kernels that say it",
        );
    }
    if baselines.is_any() || changes.is_some() || arguments.write_baseline.is_some() {
        // How many findings of a kind are shown is settled last.
        for (_, options) in &mut jobs {
            options.in_full = true;
        }
    }
    let new_folder = arguments.write_baseline.as_deref().map(Known::folder_of);
    let run = Run { arguments, targets, style: style(arguments), baselines, changes, new_folder };
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
    let mut by_rule = ByRule::new();
    let (mut uses, mut entries) = (Vec::new(), Vec::new());
    let mut failures = Vec::new();
    for result in found.errors.into_iter().map(|error| Err(Fault::Input(error))).chain(results) {
        match result {
            Ok(mut result) => {
                totals.add(result.totals);
                uses.append(&mut result.known);
                entries.append(&mut result.entries);
                for failure in result.failures.drain(..) {
                    status = status.max(refuse(failure, &mut failures));
                }
                for (rule, n) in &result.by_rule {
                    *by_rule.entry(*rule).or_default() += n;
                }
                checked.push(result);
            }
            Err(fault) => {
                status = status.max(fault.status());
                refuse(fault.failure(), &mut failures);
            }
        }
    }
    if let Some(file) = &arguments.write_baseline {
        return write_baseline(file, entries, status, arguments.quiet);
    }
    let gone = run.baselines.gone(&uses);
    if shows_text {
        status = status.max(console::print_raw(checked.iter().map(|c| &*c.shown)));
    }
    let mut is_for_people = true;
    if arguments.statistics {
        let is_json = targets.iter().any(|t| t.format == Format::Json);
        is_for_people = !is_json;
        status = status.max(console::print(&if is_json { statistics_json(&by_rule) } else { statistics(&by_rule) }));
    }
    for (index, target) in targets.iter().enumerate().filter(|_| !arguments.statistics) {
        let write = |out: &mut dyn Write| {
            let mut tail = String::new();
            for (_, gone) in &gone {
                target.format.gone(gone, &run.style, &mut tail);
            }
            let parts = checked.iter().map(|c| &*c.parts[index]).chain([&*tail]);
            write_report(target, &run.style, parts, &failures, out)
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
        for (_, gone) in &gone {
            list_gone(gone);
        }
        console::say(summary(totals, start.elapsed()));
    }
    if arguments.prune_baseline {
        for (source, gone) in &gone {
            if let Err(reason) = run.baselines.prune(*source, gone) {
                status = status.max(console::refuse(reason));
            }
        }
    }
    if arguments.diff {
        return if status == CLEAN && totals.n_fixes > 0 { FOUND } else { status };
    }
    let most = if arguments.deny_warnings { Some(0) } else { arguments.max_warnings };
    let fails = totals.counts.errors > 0 || most.is_some_and(|most| totals.counts.warnings > most);
    if arguments.exit_zero && status == CLEAN {
        return CLEAN;
    }
    if status == CLEAN && fails { FOUND } else { status }
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
    let jobs =
        settings::of_jobs(found.jobs, configs, arguments, matches).map_err(|errors| settings::refuse(&errors))?;
    let of_job = |(job, mut options): (Job, Options)| {
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

/// The counts, the largest first.
fn by_count(by_rule: &ByRule) -> Vec<(usize, Level, &'static str)> {
    let mut rules: Vec<_> = by_rule.iter().map(|((name, level), n)| (*n, *level, *name)).collect();
    rules.sort_by_key(|(n, level, name)| (std::cmp::Reverse(*n), std::cmp::Reverse(*level), *name));
    rules
}

/// A line for each rule and level that was reported, the most frequent one first.
fn statistics(by_rule: &ByRule) -> String {
    let line = |(n, level, name): (usize, Level, &str)| format!("{n:>7} {:<8} {name}\n", level.word());
    by_count(by_rule).into_iter().map(line).collect()
}

/// The same as an array of objects.
fn statistics_json(by_rule: &ByRule) -> String {
    let row = |(n, level, name): (usize, Level, &'static str)| {
        let group = checks::rule(name).map_or("", |rule| Group::of(rule).name());
        serde_json::json!({ "rule": name, "level": level.word(), "group": group, "count": n })
    };
    let rows: Vec<_> = by_count(by_rule).into_iter().map(row).collect();
    format!("{:#}\n", serde_json::Value::from(rows))
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
            if let Some((path, form)) = container::of_job(job) {
                return self.container(path, form, options);
            }
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

    /// Checks the texts in an archive or binary, some at a time.
    fn container(&self, path: &Path, form: Form, options: &Options) -> Result<Checked, InputError> {
        let name = path.display().to_string();
        if self.arguments.fix || self.arguments.diff {
            return Err(InputError { path: name, reason: "texts in archives and binaries are not changed".to_owned() });
        }
        let mut all = Checked { parts: vec![String::new(); self.targets.len()], ..Checked::default() };
        let mut n_members = 0;
        let read = container::read(path, form, &mut |members| {
            n_members += members.len();
            let checked: Vec<Result<Checked, Failure>> =
                members.into_par_iter().with_max_len(1).map(|member| self.member(&name, member, options)).collect();
            for result in checked {
                match result {
                    Ok(checked) => all.append(checked, self.targets),
                    Err(failure) => all.failures.push(failure),
                }
            }
        });
        match read {
            Err(reason) => all.failures.push(Failure { path: name, reason }),
            Ok(()) if n_members == 0 => {
                return Err(InputError { path: name, reason: "there is no vISA text in it".to_owned() });
            }
            Ok(()) => {}
        }
        Ok(all)
    }

    fn member(&self, container: &str, member: Member, options: &Options) -> Result<Checked, Failure> {
        let name = format!("{container}({})", member.name);
        let mut options = options.clone();
        if let Some(kernels) = member.kernels.filter(|_| options.launch.kernels.is_empty()) {
            options.launch.kernels = kernels;
        }
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let input = input::of_bytes(name.clone(), member.bytes?)?;
            Ok(if self.arguments.dump_messages {
                self.dump(&input, &options)
            } else {
                self.check(input, None, &options)
            })
        }));
        match result {
            Ok(checked) => checked.map_err(|reason| Failure { path: name, reason }),
            Err(_) => Err(Fault::Panic(name).failure()),
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
        let path = PathBuf::from(&source.name);
        let crate::Checked { mut file, n_kernels, n_instructions, regions } =
            crate::check(source, language, options, invalid_byte);
        if let Some(changes) = &self.changes {
            changes.keep(&path, &mut file, &regions);
        }
        let known = self.baselines.apply(&path, &mut file).into_iter().collect();
        let folder = self.new_folder.as_deref();
        let entries = folder.map(|folder| baseline::entries(&file, &Known::path_in(folder, &path))).unwrap_or_default();
        let parts = self.targets.iter().map(|target| {
            let mut part = String::new();
            target.format.file(&file, &self.style, &mut part);
            part
        });
        let mut by_rule = ByRule::new();
        if self.arguments.statistics {
            for finding in &file.findings {
                *by_rule.entry((finding.diagnostic.rule.name, finding.diagnostic.level)).or_default() += 1;
            }
        }
        let totals = Totals { counts: Counts::of(&file), n_files: 1, n_kernels, n_instructions, n_fixes: 0 };
        Checked { parts: parts.collect(), shown: String::new(), totals, by_rule, known, entries, failures: Vec::new() }
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
    if counts.known > 0 {
        findings.push(format!("{} known", counts.known));
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
