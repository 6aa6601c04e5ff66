//! Which `visa-lint.toml` applies to a file.

use super::{Config, ConfigError};
use rustc_hash::FxHashMap;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// The name of the file.
pub const FILE_NAME: &str = "visa-lint.toml";

/// Where settings come from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Source {
    /// From the folder of each text, or the nearest folder above it that has them.
    #[default]
    Folders,
    /// From one file, for every text; its patterns are relative to the current folder.
    File(PathBuf),
    /// From nowhere.
    Nothing,
}

/// What is known about folders that were asked for. Each file of settings is read once.
#[derive(Debug)]
pub struct Configs {
    /// The settings for every text, if they do not come from folders.
    #[expect(clippy::option_option, reason = "that there are no settings may be fixed, too")]
    fixed: Option<Option<Arc<Config>>>,
    folders: Mutex<FxHashMap<PathBuf, Option<Arc<Config>>>>,
}

impl Configs {
    /// Settings from `source`.
    ///
    /// # Errors
    /// If they are to come from one file, and it cannot be used.
    pub fn new(source: &Source) -> Result<Self, ConfigError> {
        let fixed = match source {
            Source::Folders => None,
            Source::Nothing => Some(None),
            Source::File(file) => Some(Some(Arc::new(read(file, &absolute(Path::new(".")))?))),
        };
        Ok(Self { fixed, folders: Mutex::default() })
    }

    /// The settings for a file or folder, which need not exist: those of the folder that holds it, or of the nearest
    /// folder above that has some.
    ///
    /// # Errors
    /// If they cannot be used.
    pub fn of(&self, path: &Path) -> Result<Option<Arc<Config>>, ConfigError> {
        if let Some(fixed) = &self.fixed {
            return Ok(fixed.clone());
        }
        let path = absolute(path);
        let Some(start) = path.parent() else { return Ok(None) };
        let mut known = self.folders.lock().unwrap_or_else(PoisonError::into_inner);
        let mut found = None;
        for folder in start.ancestors() {
            if let Some(before) = known.get(folder) {
                found.clone_from(before);
                break;
            }
            let file = folder.join(FILE_NAME);
            if is_there(&file) {
                found = Some(Arc::new(read(&file, folder)?));
                break;
            }
        }
        let stop = found.as_ref().map(|c: &Arc<Config>| c.root.clone());
        for folder in start.ancestors() {
            known.insert(folder.to_owned(), found.clone());
            if Some(folder) == stop.as_deref() {
                break;
            }
        }
        Ok(found)
    }
}

/// Whether there is something under the name of a settings file, be it of use or not.
fn is_there(file: &Path) -> bool {
    file.symlink_metadata().is_ok()
}

/// Most bytes of a file of settings.
const MAX_SETTINGS: u64 = 4 << 20;
/// Most bytes of a file that a tool writes: known findings, or facts about kernels.
pub(super) const MAX_WRITTEN: u64 = 64 << 20;

/// Most files of settings that extend each other.
const MAX_CHAIN: usize = 16;

fn read(file: &Path, root: &Path) -> Result<Config, ConfigError> {
    read_chain(file, root, MAX_CHAIN)
}

fn read_chain(file: &Path, root: &Path, n_left: usize) -> Result<Config, ConfigError> {
    let mut config = Config::parse(file, root, &read_text(file, MAX_SETTINGS)?)?;
    let folder = absolute(file).parent().map(Path::to_owned).unwrap_or_default();
    let base = match (&config.settings.extend, config.settings.inherit) {
        (Some(other), inherit) => {
            if inherit == Some(true) {
                return Err(ConfigError::plain(file, "`extend` names the settings to inherit: leave `inherit` out"));
            }
            Some(absolute(&folder.join(other)))
        }
        (None, Some(true)) => folder.ancestors().skip(1).map(|f| f.join(FILE_NAME)).find(|f| is_there(f)),
        (None, _) => None,
    };
    if let Some(base) = base {
        if n_left == 0 {
            return Err(ConfigError::plain(file, "settings extend each other in a circle, or too often"));
        }
        let root = base.parent().unwrap_or(Path::new("")).to_owned();
        config.base = Some(Arc::new(read_chain(&base, &root, n_left - 1)?));
    }
    Ok(config)
}

/// Reads a file that settings come from.
///
/// # Errors
/// If it is not a regular file (a pipe or a device may have no end), has more than `max` bytes, or is not text.
pub(super) fn read_text(file: &Path, max: u64) -> Result<String, ConfigError> {
    let fail = |reason: &str| Err(ConfigError::plain(file, reason));
    let data = match file.metadata() {
        Ok(data) => data,
        Err(error) => return fail(&error.to_string()),
    };
    if data.is_dir() {
        return fail("it is a folder, not a file");
    }
    if !data.is_file() {
        return fail("it is a pipe or a device, not a file");
    }
    if data.len() > max {
        return fail(&format!("it is larger than {} MiB", max >> 20));
    }
    std::fs::read_to_string(file).or_else(|error| fail(&error.to_string()))
}

/// The absolute form of a path, without `.` and `..`. Links are not followed: a text belongs to the folder in which the
/// user sees it.
#[must_use]
pub fn absolute(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    plain
}
