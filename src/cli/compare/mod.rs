//! `visa-lint diff`: what changed between two versions of texts, and which findings came or went.

mod html;
mod text;

use super::args::{DiffArguments, DiffFormat};
use super::input::{self, Job};
use super::stats::{self, MostLive};
use super::status::{CLEAN, FOUND};
use super::{console, settings};
use crate::base::source::SourceFile;
use crate::base::span::Span;
use crate::checks::Options;
use crate::config::{Configs, Known, Source, absolute};
use crate::host::Language;
use crate::lower;
use crate::matching::baseline::Found;
use crate::matching::compare::{self, Kernel, Row, Side};
use crate::matching::{Baseline, Entry, Shape};
use crate::program::Program;
use crate::reading::Touches;
use crate::report::Finding;
use crate::spec::{Platform, PlatformSet};
use rayon::iter::{IndexedParallelIterator as _, IntoParallelIterator as _, ParallelIterator as _};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// A text, read and checked.
struct Read {
    /// Its path as it was given.
    name: String,
    /// Its path relative to what is compared.
    path: String,
    source: SourceFile,
    program: Program,
    shape: Shape,
    findings: Vec<Finding>,
    /// The bytes of a register where it is to run.
    grf_bytes: u32,
    /// What its instructions read and write, once that is asked for.
    touches: OnceLock<Touches>,
}

impl Read {
    fn most_live(&self, kernel: &Kernel) -> Option<MostLive> {
        let touches = self.touches.get_or_init(|| Touches::new(&self.program, self.grf_bytes));
        let object = &self.program.objects.as_slice()[kernel.object as usize];
        stats::most_live(&self.source, &self.program, object, touches, self.grf_bytes)
    }

    fn side(&self) -> Side<'_> {
        Side { path: &self.path, text: &self.source.text, program: &self.program, shape: &self.shape }
    }
}

/// A place in one of the versions.
#[derive(Clone, Serialize)]
struct Place<'a> {
    path: &'a str,
    line: u32,
}

/// A kernel of one version.
#[derive(Serialize)]
struct Version<'a> {
    kernel: &'a str,
    simd_size: Option<i64>,
    n_instructions: usize,
    /// The most that is live, unless nothing changed.
    most_live: Option<MostLive>,
    #[serde(flatten)]
    place: Place<'a>,
}

/// A line of one version.
#[derive(Clone, Copy, Serialize)]
struct Written<'a> {
    line: u32,
    text: &'a str,
}

/// A line of both versions; one of them is absent where it is new or gone.
#[derive(Clone, Copy, Serialize)]
struct Line<'a> {
    old: Option<Written<'a>>,
    new: Option<Written<'a>>,
    #[serde(skip)]
    is_same: bool,
}

/// How many messages of a kind there are.
#[derive(Serialize)]
struct Messages<'a> {
    mnemonic: &'a str,
    old: usize,
    new: usize,
}

/// A finding of one version.
#[derive(Serialize)]
struct Told<'a> {
    level: &'static str,
    rule: &'static str,
    message: &'a str,
    #[serde(flatten)]
    place: Place<'a>,
}

/// What became of a kernel.
#[derive(Serialize)]
struct Changed<'a> {
    old: Option<Version<'a>>,
    new: Option<Version<'a>>,
    is_same: bool,
    /// Instructions and labels that changed, in order; all of them for pages that show them side by side.
    changes: Vec<Line<'a>>,
    #[serde(skip)]
    lines: Vec<Line<'a>>,
    gone_directives: Vec<Written<'a>>,
    new_directives: Vec<Written<'a>>,
    /// The kinds of messages whose number changed.
    messages: Vec<Messages<'a>>,
}

/// Everything that changed.
#[derive(Serialize)]
struct Report<'a> {
    kernels: Vec<Changed<'a>>,
    new_findings: Vec<Told<'a>>,
    gone_findings: Vec<Told<'a>>,
    n_same_findings: usize,
}

impl Changed<'_> {
    /// The most registers that are live in both versions, if the number changed.
    fn live_registers(&self) -> Option<(u32, u32)> {
        let most = |version: &Option<Version>| Some(version.as_ref()?.most_live.as_ref()?.registers);
        most(&self.old).zip(most(&self.new)).filter(|(old, new)| old != new)
    }
}

impl Report<'_> {
    fn is_same(&self) -> bool {
        self.new_findings.is_empty()
            && self.gone_findings.is_empty()
            && self.kernels.iter().all(|kernel| kernel.is_same)
    }
}

/// Compares what the arguments name; returns the exit status: 1 if anything differs.
pub(super) fn diff(arguments: &DiffArguments) -> u8 {
    let (old, new) = match read(&arguments.old, arguments).and_then(|old| Ok((old, read(&arguments.new, arguments)?))) {
        Ok(both) => both,
        Err(status) => return status,
    };
    let report = report(&old, &new);
    let text = match arguments.format {
        DiffFormat::Text => text::write(&report),
        // Strings and numbers always serialise.
        DiffFormat::Json => crate::report::json_text(&report) + "\n",
        DiffFormat::Html => html::write(&report, &arguments.old, &arguments.new),
    };
    let status = match &arguments.output {
        None => console::print_raw(std::iter::once(&*text)),
        Some(path) => match std::fs::write(path, text) {
            Ok(()) => CLEAN,
            Err(error) => console::refuse(format_args!("cannot write `{}`: {}", path.display(), input::reason(&error))),
        },
    };
    if status == CLEAN && !report.is_same() { FOUND } else { status }
}

/// Reads and checks a file, or the vISA text below a folder.
fn read(path: &Path, arguments: &DiffArguments) -> Result<Vec<Read>, u8> {
    let configs = Configs::new(&Source::Folders).map(Arc::new).map_err(|error| settings::refuse(&[error]))?;
    let found = input::find(&[path.to_owned()], None, &configs, false, false);
    if let Some(error) = found.errors.first() {
        return Err(console::refuse(error));
    }
    if found.jobs.is_empty() {
        return Err(console::refuse(format_args!("no vISA text found in `{}`", path.display())));
    }
    let folder = absolute(path);
    let of_job = |job: Job| {
        if Language::of_path(job.path()).is_some() {
            let name = job.name();
            return Err(console::refuse(format_args!(
                "`{name}` is a host source; `visa-lint expand` makes kernels of it"
            )));
        }
        let mut options = match configs.of(job.path()) {
            Ok(config) => config.map(|config| config.options(job.path())).unwrap_or_default(),
            Err(error) => return Err(settings::refuse(&[error])),
        };
        options.in_full = true;
        if !arguments.platform.is_empty() {
            options.platforms = Some(arguments.platform.iter().copied().collect::<PlatformSet>());
        }
        read_one(&job, &folder, &options)
    };
    found.jobs.into_par_iter().with_max_len(1).map(of_job).collect()
}

fn read_one(job: &Job, folder: &Path, options: &Options) -> Result<Read, u8> {
    let input = input::read(job).map_err(console::refuse)?;
    let name = input.source.name.clone();
    let checked = crate::check(input.source, None, options, input.invalid_byte);
    let (source, findings) = (checked.file.source, checked.file.findings);
    let program = lower::lower(&source.text);
    let shape = Shape::of_program(&source.text, &program);
    // A file alone has no name that another one could share.
    let path = if absolute(job.path()) == folder { String::new() } else { Known::path_in(folder, job.path()) };
    let grf_bytes = options.platforms.and_then(|platforms| platforms.iter().next()).map_or(32, Platform::grf_bytes);
    Ok(Read { name, path, source, program, shape, findings, grf_bytes, touches: OnceLock::new() })
}

fn report<'a>(old: &'a [Read], new: &'a [Read]) -> Report<'a> {
    let (old_sides, new_sides): (Vec<Side>, Vec<Side>) =
        (old.iter().map(Read::side).collect(), new.iter().map(Read::side).collect());
    let (old_kernels, new_kernels) = (compare::kernels(&old_sides), compare::kernels(&new_sides));
    let pairs = compare::pairs((&old_sides, &old_kernels), (&new_sides, &new_kernels));
    let kernels = pairs
        .iter()
        .map(|(a, b)| {
            let a = a.map(|i| (&old[old_kernels[i].file], &old_kernels[i]));
            let b = b.map(|i| (&new[new_kernels[i].file], &new_kernels[i]));
            changed(a, b)
        })
        .collect();
    // A finding is the same if it is known to a baseline that calls partners by one name.
    let mut names: [Vec<Option<usize>>; 2] = [vec![None; old_kernels.len()], vec![None; new_kernels.len()]];
    for (number, (a, b)) in pairs.iter().enumerate() {
        for (kernel, names) in [a, b].into_iter().zip(&mut names) {
            if let Some(kernel) = kernel {
                names[*kernel] = Some(number);
            }
        }
    }
    let old_told = told(old, &old_kernels, &names[0]);
    let new_told = told(new, &new_kernels, &names[1]);
    let entry = |(i, (name, finding, told)): (usize, &(String, &Finding, Told))| Entry {
        path: String::new(),
        kernel: name.clone(),
        // The number of the finding: it comes back from what is gone.
        line: i as u32,
        rule: told.rule.to_owned(),
        message: String::new(),
        statement: finding.identity.statement,
        neighbours: finding.identity.neighbours,
    };
    let baseline = Baseline::new(old_told.iter().enumerate().map(entry).collect());
    let found: Vec<Found> = new_told
        .iter()
        .map(|(name, finding, told)| Found { rule: told.rule, kernel: name, identity: finding.identity })
        .collect();
    let matched = baseline.matches("", &found);
    let mut is_gone = vec![true; old_told.len()];
    for entry in matched.known.iter().flatten() {
        is_gone[baseline.entries()[*entry as usize].line as usize] = false;
    }
    let n_same_findings = is_gone.iter().filter(|gone| !**gone).count();
    let mut is_new = matched.known.iter().map(Option::is_none);
    Report {
        kernels,
        new_findings: new_told.into_iter().map(|(_, _, told)| told).filter(|_| is_new.next() == Some(true)).collect(),
        gone_findings: {
            let mut is_gone = is_gone.into_iter();
            old_told.into_iter().map(|(_, _, told)| told).filter(|_| is_gone.next() == Some(true)).collect()
        },
        n_same_findings,
    }
}

/// The findings of all texts, with a name for the kernel that partners share.
fn told<'a>(files: &'a [Read], kernels: &[Kernel], names: &[Option<usize>]) -> Vec<(String, &'a Finding, Told<'a>)> {
    let mut all = Vec::new();
    for (number, file) in files.iter().enumerate() {
        let first = kernels.partition_point(|kernel| kernel.file < number);
        let n = kernels[first..].partition_point(|kernel| kernel.file == number);
        for finding in &file.findings {
            let offset = finding.diagnostic.primary.span.start;
            let next = kernels[first..first + n].partition_point(|kernel| kernel.span.start <= offset);
            let name = next.checked_sub(1).and_then(|i| names[first + i]);
            let told = Told {
                level: finding.diagnostic.level.word(),
                rule: finding.diagnostic.rule.name,
                message: &finding.diagnostic.message,
                place: Place { path: &file.name, line: file.source.position(offset).0 },
            };
            all.push((name.map(|name| name.to_string()).unwrap_or_default(), finding, told));
        }
    }
    all
}

fn changed<'a>(old: Option<(&'a Read, &Kernel<'a>)>, new: Option<(&'a Read, &Kernel<'a>)>) -> Changed<'a> {
    let version = |(file, kernel): (&'a Read, &Kernel<'a>)| Version {
        kernel: kernel.name,
        simd_size: kernel.simd_size,
        n_instructions: file.program.objects.as_slice()[kernel.object as usize].instructions.len(),
        most_live: None,
        place: Place { path: &file.name, line: file.source.position(kernel.span.start).0 },
    };
    let mut changed = Changed {
        old: old.map(version),
        new: new.map(version),
        is_same: false,
        changes: Vec::new(),
        lines: Vec::new(),
        gone_directives: Vec::new(),
        new_directives: Vec::new(),
        messages: messages(old, new),
    };
    let Some(((a, kernel_a), (b, kernel_b))) = old.zip(new) else { return changed };
    let comparison = compare::compare((&a.side(), kernel_a), (&b.side(), kernel_b));
    let written = |file: &'a Read, i: usize| {
        let span = file.shape.statements[i].span;
        let end = file.source.lines().line_span(file.source.lines().line_column(span.start).line).end;
        let span = Span::new(span.start, span.end.min(end));
        Written { line: file.source.position(span.start).0, text: span.of(&file.source.text).trim_end() }
    };
    changed.is_same = comparison.is_same();
    if !changed.is_same {
        for (version, (file, kernel)) in [(&mut changed.old, (a, kernel_a)), (&mut changed.new, (b, kernel_b))] {
            if let Some(version) = version {
                version.most_live = file.most_live(kernel);
            }
        }
    }
    changed.lines = comparison
        .rows
        .iter()
        .map(|row| match *row {
            Row::Same(i, j) => Line { old: Some(written(a, i)), new: Some(written(b, j)), is_same: true },
            Row::Renamed(i, j) => Line { old: Some(written(a, i)), new: Some(written(b, j)), is_same: false },
            Row::Gone(i) => Line { old: Some(written(a, i)), new: None, is_same: false },
            Row::New(j) => Line { old: None, new: Some(written(b, j)), is_same: false },
        })
        .collect();
    changed.changes = changed.lines.iter().filter(|line| !line.is_same).copied().collect();
    changed.gone_directives = comparison.gone_directives.iter().map(|i| written(a, *i)).collect();
    changed.new_directives = comparison.new_directives.iter().map(|i| written(b, *i)).collect();
    changed
}

/// The kinds of messages whose number changed, by mnemonic.
fn messages<'a>(old: Option<(&'a Read, &Kernel<'a>)>, new: Option<(&'a Read, &Kernel<'a>)>) -> Vec<Messages<'a>> {
    let mut counts: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    for (place, version) in [old, new].into_iter().enumerate() {
        let Some((file, kernel)) = version else { continue };
        let object = &file.program.objects.as_slice()[kernel.object as usize];
        for (_, instruction) in file.program.instructions_in(object) {
            if let Some(row) = file.program.row(instruction).filter(|row| row.touches_memory()) {
                counts.entry(row.mnemonic).or_default()[place] += 1;
            }
        }
    }
    let differ = counts.into_iter().filter(|(_, [old, new])| old != new);
    differ.map(|(mnemonic, [old, new])| Messages { mnemonic, old, new }).collect()
}
