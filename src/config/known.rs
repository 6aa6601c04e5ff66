//! Findings that are known, from the file that a baseline is.

use super::ConfigError;
use super::find::{MAX_WRITTEN, absolute, read_text};
use crate::matching::Baseline;
use std::path::{Path, PathBuf};

/// A baseline, and the folder that its paths are relative to.
#[derive(Clone, Debug)]
pub struct Known {
    /// The findings.
    pub baseline: Baseline,
    /// The folder, in absolute form.
    pub folder: PathBuf,
}

impl Known {
    /// Reads a file.
    ///
    /// # Errors
    /// If it cannot be read, or is no baseline.
    pub fn read(file: &Path) -> Result<Self, ConfigError> {
        let text = read_text(file, MAX_WRITTEN)?;
        let baseline = Baseline::parse(&text).map_err(|reason| ConfigError::plain(file, reason))?;
        Ok(Self { baseline, folder: Self::folder_of(file) })
    }

    /// The folder that the paths of a file are relative to.
    #[must_use]
    pub fn folder_of(file: &Path) -> PathBuf {
        absolute(file).parent().map(Path::to_owned).unwrap_or_default()
    }

    /// The path of a text as a baseline in `folder` writes it: relative if the text is below the folder, with slashes.
    #[must_use]
    pub fn path_in(folder: &Path, path: &Path) -> String {
        let path = absolute(path);
        let path = path.strip_prefix(folder).unwrap_or(&path).display().to_string();
        if cfg!(windows) { path.replace('\\', "/") } else { path }
    }
}
