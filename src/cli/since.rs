//! What changed since a commit, as git says it.

use crate::base::span::Span;
use crate::config::absolute;
use crate::report::FileFindings;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ffi::OsStr;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What changed in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Change {
    /// All of it: it is new.
    Whole,
    /// These lines, counted from 1.
    Lines(Vec<RangeInclusive<u32>>),
}

/// What changed, by the absolute path of the file.
#[derive(Default, Debug)]
pub(super) struct Changes(FxHashMap<PathBuf, Change>);

impl Changes {
    /// What differs in the repositories that hold `paths` from the commit where their branch left `reference`. Files that
    /// git does not know yet are new.
    pub(super) fn since(reference: &str, paths: &[PathBuf]) -> Result<Self, String> {
        let mut changes = Self::default();
        let mut seen = FxHashSet::default();
        for path in paths {
            let folder = if path.is_dir() {
                path.clone()
            } else {
                absolute(path).parent().map(Path::to_owned).unwrap_or_default()
            };
            let top = git(&folder, ["rev-parse", "--show-cdup"])?;
            let top = absolute(&folder.join(top.trim_end_matches('\n')));
            if seen.insert(top.clone()) {
                changes.add(&top, reference)?;
            }
        }
        Ok(changes)
    }

    fn add(&mut self, top: &Path, reference: &str) -> Result<(), String> {
        let commit = format!("{reference}^{{commit}}");
        let commit = git(top, ["rev-parse", "--verify", "--quiet", "--end-of-options", &commit])
            .map_err(|_| format!("git knows no commit `{reference}`"))?;
        let commit = commit.trim().to_owned();
        // Histories without a common commit are compared as they are.
        let base = git(top, ["merge-base", &commit, "HEAD"]).map_or(commit, |base| base.trim().to_owned());
        let names = git(top, ["diff", "--name-only", "--no-renames", "-z", "--diff-filter=d", &base, "--"])?;
        for name in names.split('\0').filter(|name| !name.is_empty()) {
            self.0.insert(top.join(name), Change::Whole);
        }
        let options = ["--unified=0", "--no-renames", "--no-color", "--no-ext-diff", "--no-textconv"];
        let prefixes = ["--src-prefix=a/", "--dst-prefix=b/", "--diff-filter=M"];
        let arguments = ["-c", "core.quotePath=false", "diff"].into_iter().chain(options).chain(prefixes);
        let diff = git(top, arguments.chain([&*base, "--"]))?;
        for (name, lines) in hunks(&diff) {
            self.0.insert(top.join(name), Change::Lines(lines));
        }
        let new = git(top, ["ls-files", "--others", "--exclude-standard", "-z"])?;
        self.0.extend(new.split('\0').filter(|name| !name.is_empty()).map(|name| (top.join(name), Change::Whole)));
        Ok(())
    }

    /// Whether anything changed in a file.
    pub(super) fn touch(&self, path: &Path) -> bool {
        self.0.contains_key(&absolute(path))
    }

    /// Keeps the findings on changed lines, and those in regions with changed lines.
    pub(super) fn keep(&self, path: &Path, file: &mut FileFindings, regions: &[Span]) {
        let Some(Change::Lines(lines)) = self.0.get(&absolute(path)) else { return };
        let source = &file.source;
        let is_changed = |span: Span| {
            let (first, last) = (source.position(span.start).0, source.position(span.end.max(span.start + 1) - 1).0);
            let next = lines.partition_point(|range| *range.end() < first);
            lines.get(next).is_some_and(|range| *range.start() <= last)
        };
        let regions: Vec<(Span, bool)> = regions.iter().map(|region| (*region, is_changed(*region))).collect();
        let region_of = |offset| {
            let next = regions.partition_point(|(region, _)| region.start <= offset);
            next.checked_sub(1).map(|i| regions[i]).filter(|(region, _)| offset <= region.end)
        };
        file.findings.retain(|finding| {
            let span = finding.diagnostic.primary.span;
            region_of(span.start).is_some_and(|(_, is_changed)| is_changed) || is_changed(span)
        });
    }
}

/// The lines of the new text that the hunks of a diff without context name, by file. Where lines are only taken away, the
/// line before and the one after are changed.
fn hunks(diff: &str) -> Vec<(&str, Vec<RangeInclusive<u32>>)> {
    let mut files: Vec<(&str, Vec<RangeInclusive<u32>>)> = Vec::new();
    // What a hunk holds may look like anything.
    let mut n_left = 0;
    for line in diff.split('\n') {
        if n_left > 0 && line.starts_with(['+', '-']) {
            n_left -= 1;
        } else if line.starts_with("diff --git ") {
            files.push(("", Vec::new()));
        } else if let Some((name, file)) = line.strip_prefix("+++ b/").zip(files.last_mut()) {
            file.0 = name.trim_end_matches('\t');
        } else if let Some((old, rest)) = line.strip_prefix("@@ -").and_then(|rest| rest.split_once(" +"))
            && let Some((new, _)) = rest.split_once(" @@")
            && let Some(((_, n_old), (start, n_new))) = range(old).zip(range(new))
        {
            n_left = n_old + n_new;
            let lines = if n_new == 0 { start.max(1)..=start + 1 } else { start..=start + n_new - 1 };
            if let Some((_, all)) = files.last_mut() {
                all.push(lines);
            }
        }
    }
    // Names in quotes are not taken apart: such files count as new.
    files.retain(|(name, _)| !name.is_empty());
    files
}

/// `12,3` or `12`.
fn range(text: &str) -> Option<(u32, u32)> {
    match text.split_once(',') {
        Some((start, n)) => Some((start.parse().ok()?, n.parse().ok()?)),
        None => Some((text.parse().ok()?, 1)),
    }
}

/// What git says to a command.
fn git(folder: &Path, arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Result<String, String> {
    let mut command = Command::new("git");
    command.arg("-C").arg(folder).arg("--no-optional-locks").args(arguments);
    let output =
        command.output().map_err(|error| format!("git cannot be started: {}", super::input::reason(&error)))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(format!("git says: {}", said.lines().next().unwrap_or("nothing").trim_start_matches("fatal: ")))
}
