//! Known findings: which baseline holds for a text, what it knows, and what is written back.

use super::args::CheckArguments;
use super::input::{Job, reason};
use crate::config::{ConfigError, Configs, Known, absolute};
use crate::matching::baseline::{Found, Matched};
use crate::matching::{Baseline, Entry};
use crate::report::{FileFindings, Finding};
use rustc_hash::{FxHashMap, FxHashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A baseline in use.
struct Source {
    baseline: Baseline,
    /// The file that it was read from; nothing if it was made of a folder.
    file: Option<PathBuf>,
    /// The folders that its paths are relative to.
    folders: Vec<PathBuf>,
}

impl Source {
    fn path_of(&self, path: &Path) -> String {
        let folder = self.folders.iter().find(|folder| absolute(path).starts_with(folder)).unwrap_or(&self.folders[0]);
        Known::path_in(folder, path)
    }
}

/// What one text did to the baseline that holds for it.
#[derive(Default)]
pub(super) struct Use {
    source: usize,
    path: String,
    matched: Matched,
}

/// The baselines in use.
pub(super) struct Baselines {
    sources: Vec<Source>,
    configs: Arc<Configs>,
    /// The number of each file that settings name.
    by_file: FxHashMap<PathBuf, usize>,
    /// Whether one holds for every text.
    is_fixed: bool,
}

impl Baselines {
    /// Those that the arguments and the settings of the jobs name.
    pub(super) fn new<'j>(
        arguments: &CheckArguments,
        configs: &Arc<Configs>,
        jobs: impl Iterator<Item = &'j Job>,
    ) -> Result<Self, ConfigError> {
        let mut all = Self {
            sources: Vec::new(),
            configs: Arc::clone(configs),
            by_file: FxHashMap::default(),
            is_fixed: arguments.write_baseline.is_some(),
        };
        if let Some(file) = &arguments.baseline {
            all.add(file)?;
            all.is_fixed = true;
        }
        if all.is_fixed {
            return Ok(all);
        }
        let mut last = None;
        for job in jobs {
            // Neighbours have the same settings nearly always.
            let file = configs.of(job.path()).ok().flatten().and_then(|config| config.baseline());
            if file != last
                && let Some(file) = &file
                && !all.by_file.contains_key(file)
            {
                all.add(file)?;
                all.by_file.insert(file.clone(), all.sources.len() - 1);
            }
            last = file;
        }
        Ok(all)
    }

    fn add(&mut self, file: &Path) -> Result<(), ConfigError> {
        let known = Known::read(file)?;
        let source = Source { baseline: known.baseline, file: Some(file.to_owned()), folders: vec![known.folder] };
        self.sources.push(source);
        Ok(())
    }

    /// A baseline for every text, made of other texts. `folders` are those that its paths are relative to.
    pub(super) fn of_entries(entries: Vec<Entry>, folders: Vec<PathBuf>, configs: &Arc<Configs>) -> Self {
        Self {
            sources: vec![Source { baseline: Baseline::new(entries), file: None, folders }],
            configs: Arc::clone(configs),
            by_file: FxHashMap::default(),
            is_fixed: true,
        }
    }

    /// Whether any is in use.
    pub(super) fn is_any(&self) -> bool {
        !self.sources.is_empty()
    }

    /// Takes what is known out of the findings of a text.
    pub(super) fn apply(&self, path: &Path, file: &mut FileFindings) -> Option<Use> {
        let source = if self.is_fixed {
            (!self.sources.is_empty()).then_some(0)
        } else {
            let config = self.configs.of(path).ok().flatten();
            config.and_then(|config| config.baseline()).and_then(|file| self.by_file.get(&file).copied())
        }?;
        let path = self.sources[source].path_of(path);
        let found: Vec<Found> = file.findings.iter().map(found).collect();
        let matched = self.sources[source].baseline.matches(&path, &found);
        let mut is_known = matched.known.iter().map(Option::is_some);
        let known = file.findings.extract_if(.., |_| is_known.next() == Some(true)).collect();
        file.known = Some(known);
        Some(Use { source, path, matched })
    }

    /// What of each baseline is gone, after all texts were checked. A finding of a file that was not checked, but is
    /// there, is not gone.
    pub(super) fn gone(&self, uses: &[Use]) -> Vec<(usize, Vec<Entry>)> {
        let of_source = |(i, source): (usize, &Source)| {
            let mut used = FxHashMap::default();
            let mut checked = FxHashSet::default();
            for done in uses.iter().filter(|done| done.source == i) {
                checked.insert(done.path.as_str());
                used.extend(done.matched.known.iter().flatten().map(|entry| (*entry, done.matched.is_moved)));
            }
            let is_there = |path: &str| {
                // A member of an archive is there if the archive is.
                let outer = path.split_once('(').map_or(path, |(outer, _)| outer);
                source.folders.iter().any(|folder| folder.join(path).exists() || folder.join(outer).is_file())
            };
            (i, source.baseline.gone(&used, |path| checked.contains(path), is_there))
        };
        self.sources.iter().enumerate().map(of_source).filter(|(_, gone)| !gone.is_empty()).collect()
    }

    /// Writes a baseline without what is gone.
    pub(super) fn prune(&self, source: usize, gone: &[Entry]) -> Result<(), String> {
        let source = &self.sources[source];
        let Some(file) = &source.file else { return Ok(()) };
        write(file, &source.baseline.text_without(gone))
    }
}

fn found(finding: &Finding) -> Found<'_> {
    Found { rule: finding.diagnostic.rule.name, kernel: &finding.kernel, identity: finding.identity }
}

/// The findings of a text as entries of a baseline that holds the text under `path`.
pub(super) fn entries(file: &FileFindings, path: &str) -> Vec<Entry> {
    let entry = |finding: &Finding| Entry {
        path: path.to_owned(),
        kernel: finding.kernel.clone(),
        line: file.source.position(finding.diagnostic.primary.span.start).0,
        rule: finding.diagnostic.rule.name.to_owned(),
        message: finding.diagnostic.message.clone(),
        statement: finding.identity.statement,
        neighbours: finding.identity.neighbours,
    };
    file.findings.iter().map(entry).collect()
}

/// Writes the file of a baseline, whole or not at all.
pub(super) fn write(file: &Path, text: &str) -> Result<(), String> {
    let fail = |reason: String| format!("cannot write `{}`: {reason}", file.display());
    match std::fs::read_to_string(file) {
        Ok(old) if old == text => Ok(()),
        Ok(old) => super::replace::replace(file, &old, text).map_err(fail),
        Err(_) => {
            let is_new = !file.exists();
            std::fs::write(file, text).map_err(|error| {
                if is_new {
                    let _ = std::fs::remove_file(file);
                }
                fail(reason(&error))
            })
        }
    }
}
