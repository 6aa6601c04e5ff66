//! A baseline: findings that are known, and which of the findings of a text they are.

use super::{Hash, Identity};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;

/// A known finding.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The file, relative to the folder of the baseline, with slashes.
    pub path: String,
    /// The kernel or function; empty if none holds it.
    pub kernel: String,
    /// The line at the time; for readers only.
    pub line: u32,
    /// The rule.
    pub rule: String,
    /// The message at the time; for readers only.
    pub message: String,
    /// The hash of the statement, in 16 hexadecimal digits.
    #[serde(with = "hexadecimal")]
    pub statement: u64,
    /// The hash of the instructions around it, likewise.
    #[serde(with = "hexadecimal")]
    pub neighbours: u64,
}

mod hexadecimal {
    use serde::{Deserialize as _, Deserializer, Serializer, de::Error};

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde asks for")]
    pub fn serialize<S: Serializer>(value: &u64, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{value:016x}"))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
        let text = String::deserialize(deserializer)?;
        u64::from_str_radix(&text, 16).map_err(|_| D::Error::custom(format!("`{text}` is no hash")))
    }
}

/// The version of the form of the file.
const VERSION: u32 = 1;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    version: u32,
    findings: Vec<Entry>,
}

/// A finding, as far as it matters here.
#[derive(Clone, Copy, Debug)]
pub struct Found<'a> {
    /// The rule.
    pub rule: &'a str,
    /// The kernel or function.
    pub kernel: &'a str,
    /// What stays the same of it.
    pub identity: Identity,
}

/// What is known of the findings of one file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Matched {
    /// For each finding the entry that it is, by number.
    pub known: Vec<Option<u32>>,
    /// Whether the baseline has no entry for the path, so that entries of other paths were taken.
    pub is_moved: bool,
}

/// Known findings, sorted, and where they are found.
#[derive(Clone, Debug, Default)]
pub struct Baseline {
    entries: Vec<Entry>,
    by_key: FxHashMap<Hash, Vec<u32>>,
    paths: FxHashSet<String>,
}

/// What of the neighbours has to agree, the strictest first: those on both sides, those before, those after, none.
const AGREEMENTS: [fn(u64) -> u64; 4] = [|both| both, |both| both >> 32, |both| both & 0xffff_ffff, |_| 0];

/// What has to agree between a finding and an entry.
fn key(rule: &str, kernel: &str, statement: u64) -> Hash {
    let mut hash = Hash::default();
    hash.add(rule);
    hash.add(kernel);
    hash.add_number(statement);
    hash
}

impl Baseline {
    /// A baseline of these entries.
    #[must_use]
    pub fn new(mut entries: Vec<Entry>) -> Self {
        entries.sort();
        let mut by_key: FxHashMap<Hash, Vec<u32>> = FxHashMap::default();
        for (i, entry) in entries.iter().enumerate() {
            by_key.entry(key(&entry.rule, &entry.kernel, entry.statement)).or_default().push(i as u32);
        }
        let paths = entries.iter().map(|entry| entry.path.clone()).collect();
        Self { entries, by_key, paths }
    }

    /// Reads the text of a file.
    ///
    /// # Errors
    /// If it is none, in words.
    pub fn parse(text: &str) -> Result<Self, String> {
        let file: File = serde_json::from_str(text).map_err(|error| format!("this is no baseline: {error}"))?;
        if file.version != VERSION {
            return Err(format!("this is a baseline of version {}, and not {VERSION}", file.version));
        }
        Ok(Self::new(file.findings))
    }

    /// The text of a file: one entry a line, sorted, so that differences between two of them can be read.
    #[must_use]
    pub fn text(&self) -> String {
        text(self.entries.iter())
    }

    /// The entries, sorted.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Which findings of the file at `path` are known. The findings are those of one file, in the order of its text; so
    /// the answer depends on no other file.
    ///
    /// An entry is used once. If the baseline knows the path, its entries there count; otherwise, since dumps change their
    /// names when they are compiled again, those of the path that has most of the kind. Of several findings of a kind,
    /// those with the same neighbours are the known ones: on both sides,
    /// or else on one.
    #[must_use]
    pub fn matches(&self, path: &str, findings: &[Found]) -> Matched {
        let mut matched = Matched { known: vec![None; findings.len()], is_moved: !self.paths.contains(path) };
        let mut of_key: FxHashMap<Hash, Vec<usize>> = FxHashMap::default();
        for (i, found) in findings.iter().enumerate() {
            of_key.entry(key(found.rule, found.kernel, found.identity.statement)).or_default().push(i);
        }
        for (key, places) in of_key {
            let Some(all) = self.by_key.get(&key) else { continue };
            let entries = if matched.is_moved { self.largest_path(all) } else { self.at_path(all, path) };
            let mut left = entries.to_vec();
            for agreement in AGREEMENTS {
                // The entries with some neighbours, the first one last.
                let mut by_neighbours: FxHashMap<u64, Vec<u32>> = FxHashMap::default();
                for entry in left.iter().rev() {
                    by_neighbours.entry(agreement(self.entries[*entry as usize].neighbours)).or_default().push(*entry);
                }
                for place in places.iter().filter(|place| matched.known[**place].is_none()).collect::<Vec<_>>() {
                    let same = by_neighbours.get_mut(&agreement(findings[*place].identity.neighbours));
                    matched.known[*place] = same.and_then(Vec::pop);
                }
                left = by_neighbours.into_values().flatten().collect();
                left.sort_unstable();
            }
        }
        matched
    }

    /// Those of the entries that are at a path. Entries are sorted by path.
    fn at_path<'e>(&self, all: &'e [u32], path: &str) -> &'e [u32] {
        let start = all.partition_point(|i| self.entries[*i as usize].path.as_str() < path);
        let n = all[start..].partition_point(|i| self.entries[*i as usize].path == path);
        &all[start..start + n]
    }

    /// Those at the path that has most of them; of several such paths, at the first.
    fn largest_path<'e>(&self, all: &'e [u32]) -> &'e [u32] {
        let groups = all.chunk_by(|a, b| self.entries[*a as usize].path == self.entries[*b as usize].path);
        groups.rev().max_by_key(|group| group.len()).unwrap_or_default()
    }

    /// The entries that no finding is any more, after a run over files. `used` are the entries that findings are, with
    /// whether the finding was at another path; `is_checked` tells whether the file at a path was checked, and `is_there`
    /// whether there is one.
    #[must_use]
    pub fn gone(
        &self,
        used: &FxHashMap<u32, bool>,
        is_checked: impl Fn(&str) -> bool,
        is_there: impl Fn(&str) -> bool,
    ) -> Vec<Entry> {
        let key_of = |entry: &Entry| key(&entry.rule, &entry.kernel, entry.statement);
        // Of several files with equal findings that have new names, only one is asked for its entries.
        let moved: FxHashSet<Hash> =
            used.iter().filter(|(_, is_moved)| **is_moved).map(|(i, _)| key_of(&self.entries[*i as usize])).collect();
        let mut is_there_of: FxHashMap<&str, bool> = FxHashMap::default();
        let mut gone = Vec::new();
        for (i, entry) in self.entries.iter().enumerate() {
            if used.contains_key(&(i as u32)) {
                continue;
            }
            let is_gone = is_checked(&entry.path)
                || !*is_there_of.entry(&entry.path).or_insert_with(|| is_there(&entry.path))
                    && !moved.contains(&key_of(entry));
            if is_gone {
                gone.push(entry.clone());
            }
        }
        gone
    }

    /// The text of a file without some entries, which are sorted.
    #[must_use]
    pub fn text_without(&self, gone: &[Entry]) -> String {
        let mut gone = gone.iter().peekable();
        text(self.entries.iter().filter(|entry| gone.next_if_eq(entry).is_none()))
    }
}

fn text<'e>(entries: impl Iterator<Item = &'e Entry>) -> String {
    let mut text = format!("{{\"version\":{VERSION},\"findings\":[");
    for (i, entry) in entries.enumerate() {
        // Strings and numbers always serialise, and writing into a string does not fail.
        let row = serde_json::to_string(entry).unwrap_or_default();
        let _ = write!(text, "{}\n{row}", if i > 0 { "," } else { "" });
    }
    text + "\n]}\n"
}
