//! Reading of input: which files, and their text.

use crate::base::source::SourceFile;
use crate::config::{Config, Configs};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Endings of the files that are looked for in folders.
pub const ENDINGS: [&str; 2] = ["visaasm", "isaasm"];

/// A text that was read.
#[derive(Debug)]
pub struct Input {
    /// The text.
    pub source: SourceFile,
    /// The first byte that is not UTF-8; it and all like it were replaced by U+001A.
    pub invalid_byte: Option<u32>,
}

/// Why something cannot be checked.
#[derive(Debug)]
pub struct InputError {
    /// The path, or `<stdin>`.
    pub path: String,
    /// What is wrong, in words.
    pub reason: String,
}

impl std::fmt::Display for InputError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "cannot check `{}`: {}", self.path, self.reason)
    }
}

impl std::error::Error for InputError {}

impl miette::Diagnostic for InputError {}

/// Something to check.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Job {
    /// A file.
    File(PathBuf),
    /// Standard input, under a name.
    Stdin(String),
}

impl Job {
    /// How large it is, as far as that is known beforehand.
    #[must_use]
    pub fn n_bytes(&self) -> u64 {
        match self {
            Self::File(path) => std::fs::metadata(path).map_or(0, |m| m.len()),
            Self::Stdin(_) => u64::MAX,
        }
    }

    /// The path whose settings hold for it.
    #[must_use]
    pub fn path(&self) -> &Path {
        match self {
            Self::File(path) => path,
            Self::Stdin(name) => Path::new(name),
        }
    }

    /// The name that reports use.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::File(path) => path.display().to_string(),
            Self::Stdin(name) => name.clone(),
        }
    }
}

/// What the paths name.
#[derive(Debug, Default)]
pub struct Found {
    /// The files, sorted and without duplicates.
    pub jobs: Vec<Job>,
    /// What cannot be looked at.
    pub errors: Vec<InputError>,
    /// Whether the settings leave something out.
    pub has_excluded: bool,
}

/// Looks for what the paths name. Folders are walked for vISA text; what version control ignores and what the settings
/// exclude is left out. Files that are named are left out only if `force_exclude` says so.
#[must_use]
pub fn find(paths: &[PathBuf], stdin_name: Option<&str>, configs: &Arc<Configs>, force_exclude: bool) -> Found {
    let mut found = Found::default();
    for path in paths {
        if path.as_os_str() == "-" {
            found.jobs.push(Job::Stdin(stdin_name.unwrap_or("<stdin>").to_owned()));
            continue;
        }
        match std::fs::metadata(path) {
            Ok(data) if data.is_dir() => walk(path, configs, &mut found),
            Ok(_) if force_exclude && settings(configs, path).is_some_and(|c| c.excludes(path)) => {
                found.has_excluded = true;
            }
            Ok(_) => found.jobs.push(Job::File(path.clone())),
            Err(error) => found.errors.push(InputError { path: path.display().to_string(), reason: reason(&error) }),
        }
    }
    found.jobs.sort();
    found.jobs.dedup();
    found
}

/// The settings for a path, if they can be used; that they cannot is reported before a text is checked with them.
fn settings(configs: &Configs, path: &Path) -> Option<Arc<Config>> {
    configs.of(path).ok().flatten()
}

fn walk(folder: &Path, configs: &Arc<Configs>, found: &mut Found) {
    let has_excluded = Arc::new(AtomicBool::new(false));
    let mut walk = ignore::WalkBuilder::new(folder);
    let (configs, seen) = (Arc::clone(configs), Arc::clone(&has_excluded));
    walk.require_git(false).filter_entry(move |entry| {
        let is_folder = entry.file_type().is_some_and(|t| t.is_dir());
        if entry.depth() == 0 || !is_folder && !is_text(entry.path()) {
            return true;
        }
        let is_excluded = settings(&configs, entry.path()).is_some_and(|c| c.excludes_entry(entry.path(), is_folder));
        if is_excluded {
            seen.store(true, Ordering::Relaxed);
        }
        !is_excluded
    });
    for entry in walk.build() {
        match entry {
            Ok(entry) => {
                let is_file = entry.file_type().is_some_and(|t| t.is_file() || t.is_symlink());
                if is_file && is_text(entry.path()) {
                    let path = entry.path();
                    found.jobs.push(Job::File(path.strip_prefix("./").unwrap_or(path).to_path_buf()));
                }
            }
            Err(error) => {
                found.errors.push(InputError { path: folder.display().to_string(), reason: error.to_string() });
            }
        }
    }
    found.has_excluded |= has_excluded.load(Ordering::Relaxed);
}

fn is_text(path: &Path) -> bool {
    path.extension().and_then(|e| e.to_str()).is_some_and(|e| ENDINGS.contains(&e))
}

/// Why the system refuses, in words.
pub(super) fn reason(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such file or folder".to_owned(),
        std::io::ErrorKind::PermissionDenied => "it may not be read".to_owned(),
        _ => {
            let text = error.to_string();
            text.split(" (os error").next().unwrap_or(&text).to_lowercase()
        }
    }
}

/// Reads a job's text.
///
/// # Errors
/// If it cannot be read, is too large, or is not text.
pub fn read(job: &Job) -> Result<Input, InputError> {
    let name = job.name();
    let bytes = match job {
        Job::File(path) => std::fs::read(path),
        Job::Stdin(_) => {
            let mut bytes = Vec::new();
            std::io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
        }
    };
    let fail = |reason: String| InputError { path: name.clone(), reason };
    let bytes = bytes.map_err(|error| fail(reason(&error)))?;
    if bytes.len() >= u32::MAX as usize {
        return Err(fail("it is larger than 4 GiB".to_owned()));
    }
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Err(fail("it is UTF-16 text; save it as ASCII or UTF-8".to_owned()));
    }
    let looked_at = &bytes[..bytes.len().min(8192)];
    if memchr::memchr(0, looked_at).is_some() {
        return Err(fail("it is a binary file, not vISA text".to_owned()));
    }
    let (text, invalid_byte) = decode(bytes);
    Ok(Input { source: SourceFile::new(name, text), invalid_byte })
}

/// Bytes to text. Bytes that are not UTF-8 are replaced one by one, so that offsets stay those of the file.
fn decode(bytes: Vec<u8>) -> (String, Option<u32>) {
    let mut bytes = match String::from_utf8(bytes) {
        Ok(text) => return (text, None),
        Err(error) => error.into_bytes(),
    };
    let mut first = None;
    let mut start = 0;
    while let Err(error) = std::str::from_utf8(&bytes[start..]) {
        let bad = start + error.valid_up_to();
        first.get_or_insert(bad as u32);
        let length = error.error_len().unwrap_or(bytes.len() - bad);
        bytes[bad..bad + length].fill(0x1a);
        start = bad + length;
    }
    (String::from_utf8(bytes).unwrap_or_default(), first)
}
