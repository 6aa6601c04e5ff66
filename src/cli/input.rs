//! Reading of input: which files, and their text.

use crate::base::source::SourceFile;
use crate::config::{Config, Configs};
use crate::host::Language;
use std::cell::RefCell;
use std::fs::File;
use std::io::Read;
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
pub fn find(
    paths: &[PathBuf],
    stdin_name: Option<&str>,
    configs: &Arc<Configs>,
    force_exclude: bool,
    hosts: bool,
) -> Found {
    let mut found = Found::default();
    for path in paths {
        if path.as_os_str() == "-" {
            found.jobs.push(Job::Stdin(stdin_name.unwrap_or("<stdin>").to_owned()));
            continue;
        }
        match std::fs::metadata(path) {
            Ok(data) if data.is_dir() => walk(path, configs, hosts, &mut found),
            Ok(_) if force_exclude && settings(configs, path).is_some_and(|c| c.excludes(path)) => {
                found.has_excluded = true;
            }
            Ok(_) => found.jobs.push(Job::File(path.clone())),
            Err(error) => found.errors.push(InputError { path: path.display().to_string(), reason: reason(&error) }),
        }
    }
    found.jobs.sort_unstable();
    found.jobs.dedup();
    found
}

/// The settings for a path, if they can be used; that they cannot is reported before a text is checked with them.
fn settings(configs: &Configs, path: &Path) -> Option<Arc<Config>> {
    configs.of(path).ok().flatten()
}

fn walk(folder: &Path, configs: &Arc<Configs>, hosts: bool, found: &mut Found) {
    let has_excluded = Arc::new(AtomicBool::new(false));
    let mut walk = ignore::WalkBuilder::new(folder);
    let own = Arc::clone(configs);
    let (configs, seen) = (Arc::clone(configs), Arc::clone(&has_excluded));
    walk.require_git(false).filter_entry(move |entry| {
        let is_folder = entry.file_type().is_some_and(|t| t.is_dir());
        if entry.depth() == 0 || !is_folder && !is_text(entry.path()) && Language::of_path(entry.path()).is_none() {
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
                if is_file && (is_text(entry.path()) || is_wanted_host(entry.path(), &own, hosts)) {
                    let path = entry.path();
                    let path = path.strip_prefix("./").unwrap_or(path);
                    // A link may lead to a pipe or a device, which could keep the run waiting for ever.
                    if entry.path_is_symlink() && path.metadata().is_ok_and(|data| !data.is_file()) {
                        let reason = "it is a link to something else than a file".to_owned();
                        found.errors.push(InputError { path: path.display().to_string(), reason });
                    } else {
                        found.jobs.push(Job::File(path.to_path_buf()));
                    }
                }
            }
            Err(error) => {
                found.errors.push(InputError { path: folder.display().to_string(), reason: error.to_string() });
            }
        }
    }
    found.has_excluded |= has_excluded.load(Ordering::Relaxed);
}

/// Whether a host source is to be checked: by an argument, or by the settings of its folder.
fn is_wanted_host(path: &Path, configs: &Configs, hosts: bool) -> bool {
    Language::of_path(path).is_some() && (hosts || settings(configs, path).is_some_and(|config| config.hosts()))
}

pub(super) fn is_text(path: &Path) -> bool {
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

/// The front of a text by which it is seen whether it is one, in bytes.
const N_LOOKED_AT: u64 = 8192;

/// Files up to this size are read at once, whether they are text or not.
const SMALL_FILE_BYTES: u64 = 64 << 10;

/// Most bytes of a regular file: offsets are numbers of 32 bits.
const MAX_FILE_BYTES: u64 = u32::MAX as u64 - 1;

/// Most bytes of what may have no end: a pipe, a device.
pub(super) const MAX_STREAM_BYTES: u64 = 256 << 20;

/// Reads a job's text.
///
/// # Errors
/// If it cannot be read, is too large, or is not text.
pub fn read(job: &Job) -> Result<Input, InputError> {
    let bytes = match job {
        Job::File(path) => File::open(path)
            .and_then(|file| Ok((file.metadata()?, file)))
            .map_err(|error| reason(&error))
            .and_then(|(data, file)| read_bytes(file, data.is_file().then_some(data.len()))),
        Job::Stdin(_) => read_bytes(std::io::stdin().lock(), None),
    };
    let name = job.name();
    bytes.map(|bytes| of_text(name.clone(), bytes)).map_err(|reason| InputError { path: name, reason })
}

thread_local! {
    /// Where small files are read to see whether they are worth more.
    static FRONT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Whether a file of `n_bytes`, as far as that was known beforehand, is a text of which `may_matter` says that it holds
/// nothing. What is large, has another size by now or is no text is for [`read`].
#[must_use]
pub fn holds_nothing(path: &Path, n_bytes: u64, may_matter: impl Fn(&[u8]) -> bool) -> bool {
    if !(1..=SMALL_FILE_BYTES).contains(&n_bytes) {
        return false;
    }
    FRONT.with_borrow_mut(|buffer| {
        // One more byte shows that the file has grown.
        buffer.resize(SMALL_FILE_BYTES as usize + 1, 0);
        let room = &mut buffer[..=n_bytes as usize];
        let read = File::open(path).and_then(|mut file| first(&mut file, room));
        let Some(bytes) = read.ok().filter(|n| *n as u64 == n_bytes).map(|n| &room[..n]) else { return false };
        refuse_binary(&bytes[..bytes.len().min(N_LOOKED_AT as usize)]).is_ok() && !may_matter(bytes)
    })
}

fn of_text(name: String, bytes: Vec<u8>) -> Input {
    let (text, invalid_byte) = decode(bytes);
    Input { source: SourceFile::new(name, text), invalid_byte }
}

/// The text that bytes are.
///
/// # Errors
/// If they are no text.
pub(super) fn of_bytes(name: String, bytes: Vec<u8>) -> Result<Input, String> {
    refuse_binary(&bytes[..bytes.len().min(N_LOOKED_AT as usize)])?;
    Ok(of_text(name, bytes))
}

/// Sees by the front of a text whether it is one.
fn refuse_binary(front: &[u8]) -> Result<(), String> {
    if front.starts_with(&[0xff, 0xfe]) || front.starts_with(&[0xfe, 0xff]) {
        return Err("it is UTF-16 text; save it as ASCII or UTF-8".to_owned());
    }
    if memchr::memchr(0, front).is_some() {
        return Err("it is a binary file, not vISA text".to_owned());
    }
    Ok(())
}

/// Reads what one call gives.
fn first(from: &mut impl Read, bytes: &mut [u8]) -> std::io::Result<usize> {
    loop {
        match from.read(bytes) {
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            other => return other,
        }
    }
}

/// Reads bytes to their end, unless they cannot be a text or are too many. `n_bytes` is the size of a regular file.
fn read_bytes(mut from: impl Read, n_bytes: Option<u64>) -> Result<Vec<u8>, String> {
    let most = if n_bytes.is_some() { MAX_FILE_BYTES } else { MAX_STREAM_BYTES };
    let mut bytes = Vec::new();
    if let Some(n) = n_bytes.filter(|n| (1..=SMALL_FILE_BYTES).contains(n)) {
        // One call: reading to an end goes by pieces.
        bytes.resize(n as usize, 0);
        let n_read = first(&mut from, &mut bytes).map_err(|error| reason(&error))?;
        bytes.truncate(n_read);
    } else {
        // Without room to begin with, reading begins with a few bytes.
        let front = n_bytes.map_or(N_LOOKED_AT, |n| n.clamp(1, N_LOOKED_AT));
        bytes.reserve_exact(front as usize);
        from.by_ref().take(front).read_to_end(&mut bytes).map_err(|error| reason(&error))?;
    }
    refuse_binary(&bytes[..bytes.len().min(N_LOOKED_AT as usize)])?;
    // The end of a file is known; some that the system makes up say that they are empty.
    if n_bytes.is_some_and(|n| n > 0 && n == bytes.len() as u64) {
        return Ok(bytes);
    }
    let n_left = n_bytes.map_or(0, |n| n.min(most).saturating_sub(bytes.len() as u64));
    bytes.reserve_exact(n_left as usize);
    from.take(most + 1 - bytes.len() as u64).read_to_end(&mut bytes).map_err(|error| reason(&error))?;
    if bytes.len() as u64 > most {
        return Err(match n_bytes {
            Some(_) => "it is larger than 4 GiB".to_owned(),
            None => format!("it has more than {} MiB, which only a file may have", MAX_STREAM_BYTES >> 20),
        });
    }
    Ok(bytes)
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
