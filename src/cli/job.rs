//! One job: its text is read and checked, and each report says of it what it has to say.

use super::args::{CheckArguments, Target};
use super::baseline::{self, Baselines, Use};
use super::cache::{Cache, Clean};
use super::container::{self, Form, Member};
use super::drawings;
use super::input::{self, Input, InputError, Job};
use super::since::Changes;
use super::status::{BROKEN, UNUSABLE};
use super::summary::{ByRule, Totals};
use super::timings::Stopwatch;
use crate::base::source::SourceFile;
use crate::base::span::Span;
use crate::checks::Options;
use crate::config::Known;
use crate::host::{self, Language};
use crate::matching::Entry;
use crate::report::{Counts, Failure, FileFindings, Format, Style};
use crate::spec::Platform;
use rayon::iter::{IndexedParallelIterator as _, IntoParallelIterator as _, ParallelIterator as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// The result of one job.
#[derive(Default)]
pub(super) struct Checked {
    /// What each report says of it, in the order of the targets.
    pub parts: Vec<String>,
    /// What is shown instead of a report: a diff, or the mended text of standard input.
    pub shown: String,
    pub totals: Totals,
    /// Findings of each rule at each level, if they are to be counted.
    pub by_rule: ByRule,
    /// What the baseline knows of it.
    pub known: Vec<Use>,
    /// What a new baseline says of it.
    pub entries: Vec<Entry>,
    /// What in it could not be checked.
    pub failures: Vec<Failure>,
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
pub(super) enum Fault {
    Input(InputError),
    Panic(String),
}

impl Fault {
    pub fn status(&self) -> u8 {
        match self {
            Self::Input(_) => UNUSABLE,
            Self::Panic(_) => BROKEN,
        }
    }

    pub fn failure(self) -> Failure {
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
pub(super) struct Run<'a> {
    pub arguments: &'a CheckArguments,
    pub targets: &'a [Target],
    pub style: &'a Style,
    /// How those in files are written.
    pub file_style: &'a Style,
    pub baselines: Baselines,
    pub changes: Option<Changes>,
    /// The folder of the baseline that is written.
    pub new_folder: Option<PathBuf>,
    /// Texts that are known to have no findings.
    pub cache: Option<Cache>,
    /// Where the time goes, if that is wanted.
    pub stopwatch: Option<Stopwatch>,
}

/// Makes the allocator keep what one file frees for the next one. The GNU allocator gives large blocks back to the system
/// at once, which then has to clear them anew for each file; a block of this size that is freed raises its limit. Other
/// allocators take no notice.
fn keep_memory() {
    const LARGEST_BLOCK: usize = 16 << 20;
    drop(std::hint::black_box(Vec::<u8>::with_capacity(LARGEST_BLOCK)));
}

impl Run<'_> {
    /// Checks jobs, whose bytes are given, in parallel; the results are in the order of the jobs.
    pub fn all(
        &self,
        jobs: Vec<(u64, Job, Options)>,
        progress: &indicatif::ProgressBar,
    ) -> Vec<Result<Checked, Fault>> {
        let mut jobs: Vec<_> = jobs.into_iter().enumerate().collect();
        if jobs.len() > 1 {
            keep_memory();
        }
        // A large file that begins last would keep one thread busy alone.
        jobs.sort_by_key(|(_, (n_bytes, ..))| std::cmp::Reverse(*n_bytes));
        // How many findings of a kind are shown is settled last.
        let in_full = self.baselines.is_any() || self.changes.is_some() || self.new_folder.is_some();
        let of_job = |(index, (n_bytes, job, mut options)): (usize, (u64, Job, Options))| {
            options.in_full |= in_full;
            options.timings = self.stopwatch.as_ref().map(|stopwatch| Arc::clone(&stopwatch.parts));
            let start = Instant::now();
            let result = self.guarded(&job, n_bytes, &options);
            if let Some(stopwatch) = &self.stopwatch {
                stopwatch.note(start, job.name());
            }
            progress.inc(1);
            (index, result)
        };
        // To start threads takes longer than to check one small file.
        let mut results: Vec<(usize, Result<Checked, Fault>)> = if jobs.len() == 1 {
            jobs.into_iter().map(of_job).collect()
        } else {
            jobs.into_par_iter().with_max_len(1).map(of_job).collect()
        };
        results.sort_by_key(|(index, _)| *index);
        results.into_iter().map(|(_, result)| result).collect()
    }

    /// Checks one job of about `n_bytes`; a panic costs this file and no other.
    fn guarded(&self, job: &Job, n_bytes: u64, options: &Options) -> Result<Checked, Fault> {
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let language = Language::of_path(job.path());
            let is_checked = !(self.arguments.dump_messages || self.arguments.diff || self.arguments.fix);
            if let (true, Some(language), Job::File(path)) = (is_checked, language, job)
                && input::holds_nothing(path, n_bytes, |bytes| host::may_hold(bytes, language))
            {
                let clean = FileFindings::clean(SourceFile::new(job.name(), String::new()));
                return Ok(self.reported(clean, Clean::default(), &[]));
            }
            if let Some((path, form)) = container::of_job(job) {
                return self.container(path, form, options);
            }
            let input = input::read(job)?;
            if self.arguments.dump_messages {
                Ok(self.dump(&input, options))
            } else if self.arguments.diff || self.arguments.fix {
                self.fix(job, input, options)
            } else {
                Ok(self.check(input, language, options))
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
        let cache = self.cache.as_ref().filter(|_| invalid_byte.is_none());
        let cached = cache.map(|cache| (cache, Cache::key(&source.text, language, options)));
        if let Some((cache, key)) = cached
            && let Some(clean) = cache.get(key)
        {
            return self.reported(FileFindings::clean(source), clean, &[]);
        }
        let crate::Checked { mut file, n_kernels, n_instructions, regions } =
            crate::check(source, language, options, invalid_byte);
        let size = Clean { n_kernels: n_kernels as u32, n_instructions: n_instructions as u32 };
        if let Some((cache, key)) = cached
            && file.findings.is_empty()
            && file.suppressed.is_empty()
        {
            cache.add(key, size);
        }
        if language.is_none() && self.targets.iter().any(|target| target.format == Format::Html) {
            let platform = options.platforms.and_then(|platforms| platforms.iter().next());
            drawings::add(&mut file.findings, &file.source.text, platform.map_or(32, Platform::grf_bytes));
        }
        self.reported(file, size, &regions)
    }

    /// What the reports say of the findings of a text, whose kernels or statements stand at `regions`.
    fn reported(&self, mut file: FileFindings, size: Clean, regions: &[Span]) -> Checked {
        let path = PathBuf::from(&file.source.name);
        if let Some(changes) = &self.changes {
            changes.keep(&path, &mut file, regions);
        }
        let known = self.baselines.apply(&path, &mut file).into_iter().collect();
        let folder = self.new_folder.as_deref();
        let entries = folder.map(|folder| baseline::entries(&file, &Known::path_in(folder, &path))).unwrap_or_default();
        let parts = self.targets.iter().map(|target| {
            let mut part = String::new();
            let style = if target.path.is_some() { self.file_style } else { self.style };
            target.format.file(&file, style, &mut part);
            part
        });
        let mut by_rule = ByRule::new();
        if self.arguments.statistics {
            for finding in &file.findings {
                *by_rule.entry((finding.diagnostic.rule.name, finding.diagnostic.level)).or_default() += 1;
            }
        }
        let (n_kernels, n_instructions) = (size.n_kernels as usize, size.n_instructions as usize);
        let totals = Totals { counts: Counts::of(&file), n_files: 1, n_kernels, n_instructions, n_fixes: 0 };
        Checked { parts: parts.collect(), shown: String::new(), totals, by_rule, known, entries, failures: Vec::new() }
    }
}
