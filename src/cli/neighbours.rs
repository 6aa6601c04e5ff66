//! What a compiler writes beside a dump: `X.zeinfo` says of the launches of `X_simd16_k.visaasm`.

use super::console;
use super::input::Job;
use crate::checks::KernelFacts;
use crate::config::ze_info;
use crate::host::Language;
use rustc_hash::FxHashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The ending of such files.
pub(super) const ENDING: &str = "zeinfo";

/// What is known of kernels, by name.
pub(super) type Facts = Arc<FxHashMap<String, KernelFacts>>;

/// The names, without their ending, under which the compiler may have written what belongs to a file with that name: the
/// longest first.
pub(super) fn fronts(name: &str) -> impl Iterator<Item = &str> {
    let folder = name.rfind('/').map_or(0, |slash| slash + 1);
    std::iter::once(name).chain(name[folder..].rmatch_indices('_').map(move |(end, _)| &name[..folder + end]))
}

/// What was found in the folders that were asked for. Each file is read once.
#[derive(Default)]
pub(super) struct Neighbours {
    folders: FxHashMap<PathBuf, FxHashMap<String, PathBuf>>,
    files: FxHashMap<PathBuf, Facts>,
}

impl Neighbours {
    /// What is known of the kernels in a job's file. Beside sources of hosts, compilers put nothing.
    pub(super) fn facts(&mut self, job: &Job) -> Facts {
        let Job::File(path) = job else { return Facts::default() };
        if Language::of_path(path).is_some() {
            return Facts::default();
        }
        let Some((folder, stem)) = path.parent().zip(path.file_stem().and_then(|stem| stem.to_str())) else {
            return Facts::default();
        };
        let all = self.folders.entry(folder.to_owned()).or_insert_with(|| list(folder));
        let Some(file) = fronts(stem).find_map(|name| all.get(name)) else { return Facts::default() };
        let read = || {
            let facts = ze_info::read(file).map_err(|error| console::say(format_args!("visa-lint: {error}")));
            Arc::new(facts.unwrap_or_default())
        };
        Arc::clone(self.files.entry(file.clone()).or_insert_with(read))
    }
}

/// The files of that kind in a folder, with their names without the ending.
fn list(folder: &Path) -> FxHashMap<String, PathBuf> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let Ok(entries) = std::fs::read_dir(folder) else { return FxHashMap::default() };
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let is_one = |path: &PathBuf| path.extension().is_some_and(|ending| ending == ENDING);
    paths.filter(is_one).filter_map(|path| Some((path.file_stem()?.to_str()?.to_owned(), path))).collect()
}
