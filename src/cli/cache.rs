//! Texts that are known to have no findings, so that a run over many files checks only those that changed.
//!
//! Nearly all dumps of a compiler are clean. What a clean text needs in a report is two numbers, so the cache is a set of
//! keys with these: 24 bytes for each text. A key is a hash of the text, of the options that hold for it, and of the
//! program itself. Each run appends to a file of its own. So runs beside each other do not meet, and a run that was
//! stopped leaves what it knew.

use super::input::reason;
use crate::checks::{LaunchFacts, Options};
use crate::host::Language;
use crate::matching::Hash;
use rustc_hash::FxHashMap;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// What is known of a clean text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Clean {
    pub n_kernels: u32,
    pub n_instructions: u32,
}

/// The bytes of an entry: the key and both numbers, little-endian.
const ENTRY_BYTES: usize = 16 + 4 + 4;
/// The ending of the files.
const ENDING: &str = "clean";
/// More files than these are put together.
const MAX_FILES: usize = 16;
/// Most bytes of a file: some million texts. A larger one is thrown away, and the cache begins anew.
const MAX_BYTES: u64 = 64 << 20;
/// What tells backup programs and version control to leave the folder out.
const MARKS: [(&str, &str); 2] =
    [("CACHEDIR.TAG", "Signature: 8a477f597d28d172789f06886806bc55\n"), (".gitignore", "*\n")];

/// The clean texts that earlier runs and this one met.
pub(super) struct Cache {
    /// The folder for this version of the program; nothing if no other run is to know.
    folder: Option<PathBuf>,
    known: FxHashMap<u128, Clean>,
    /// Entries that are not yet in a file.
    new: Mutex<Vec<u8>>,
    /// The file of this run, once it has entries.
    file: Option<tempfile::NamedTempFile>,
}

impl Cache {
    /// A cache that ends with the program.
    pub fn new() -> Self {
        Self { folder: None, known: FxHashMap::default(), new: Mutex::new(Vec::new()), file: None }
    }

    /// Reads what earlier runs left in a folder, and makes the folder if it is not there.
    ///
    /// # Errors
    /// If the folder cannot be used, in words.
    pub fn open(folder: &Path) -> Result<Self, String> {
        let fail = |error: io::Error| format!("the cache `{}` cannot be used: {}", folder.display(), reason(&error));
        let own = folder.join(version().map_err(fail)?);
        fs::create_dir_all(&own).map_err(fail)?;
        for (name, text) in MARKS {
            let path = folder.join(name);
            if !path.exists() {
                fs::write(path, text).map_err(fail)?;
            }
        }
        let mut cache = Self::new();
        cache.read(&own).map_err(fail)?;
        cache.folder = Some(own);
        Ok(cache)
    }

    fn read(&mut self, folder: &Path) -> io::Result<()> {
        let entries = fs::read_dir(folder)?;
        let files: Vec<PathBuf> = entries
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.extension().is_some_and(|ending| ending == ENDING))
            .collect();
        for path in &files {
            if path.metadata().is_ok_and(|data| data.len() > MAX_BYTES) {
                let _ = fs::remove_file(path);
                continue;
            }
            // A run beside this one may have put files together.
            let Ok(bytes) = fs::read(path) else { continue };
            // The last entry of a run that was stopped may be incomplete.
            self.known.extend(bytes.chunks_exact(ENTRY_BYTES).map(entry_of));
        }
        if files.len() > MAX_FILES {
            let all: Vec<u8> = self.known.iter().flat_map(|(key, clean)| bytes_of(*key, *clean)).collect();
            let mut file = new_file(folder)?;
            file.write_all(&all)?;
            file.keep().map_err(|error| error.error)?;
            for path in files {
                let _ = fs::remove_file(path);
            }
        }
        Ok(())
    }

    /// The key of a text under options. `language` is that of a host source.
    pub fn key(text: &str, language: Option<Language>, options: &Options) -> u128 {
        // No field may be forgotten here; the last two change no finding of a run that goes on.
        let Options { platforms, pedantic, levels, host, sub_group, launch, in_full, cancelled: _, timings: _ } =
            options;
        let LaunchFacts { local_size, slm_bytes, buffers, serves_many, kernels } = launch;
        let mut levels: Vec<_> = levels.iter().map(|(name, level)| (*name, level.word())).collect();
        levels.sort_unstable();
        let mut kernels: Vec<_> = kernels.iter().collect();
        kernels.sort_unstable_by_key(|(name, _)| *name);
        let mut hash = Hash::default();
        let launch = (local_size, slm_bytes, buffers, serves_many, kernels);
        let all = (platforms, pedantic, levels, host, sub_group, launch, in_full, language);
        hash.add(&format!("{all:?}"));
        hash.add(text);
        hash.0
    }

    /// What is known of a text; nothing if it is new or not clean.
    pub fn get(&self, key: u128) -> Option<Clean> {
        self.known.get(&key).copied()
    }

    /// Notes that a text is clean.
    pub fn add(&self, key: u128, clean: Clean) {
        self.new.lock().unwrap_or_else(PoisonError::into_inner).extend(bytes_of(key, clean));
    }

    /// Makes known what was noted since the last time, and writes it.
    ///
    /// # Errors
    /// If that is not possible, in words.
    pub fn save(&mut self) -> Result<(), String> {
        let new = std::mem::take(self.new.get_mut().unwrap_or_else(PoisonError::into_inner));
        if new.is_empty() {
            return Ok(());
        }
        self.known.extend(new.chunks_exact(ENTRY_BYTES).map(entry_of));
        let Some(folder) = &self.folder else { return Ok(()) };
        let mut append = || -> io::Result<()> {
            let file = match &mut self.file {
                Some(file) => file,
                none => {
                    let mut file = new_file(folder)?;
                    // It stays if the program is stopped.
                    file.disable_cleanup(true);
                    none.insert(file)
                }
            };
            file.write_all(&new)
        };
        append().map_err(|error| format!("the cache `{}` cannot be written: {}", folder.display(), reason(&error)))
    }
}

fn new_file(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    tempfile::Builder::new().suffix(&format!(".{ENDING}")).tempfile_in(folder)
}

/// The folder of the entries that this program made: rules change from one build to the next.
fn version() -> io::Result<String> {
    let program = fs::read(std::env::current_exe()?)?;
    let mut hash = Hash::default();
    hash.add_bytes(program.into_iter());
    Ok(format!("{}-{:016x}", env!("CARGO_PKG_VERSION"), hash.short()))
}

fn bytes_of(key: u128, clean: Clean) -> impl Iterator<Item = u8> {
    key.to_le_bytes().into_iter().chain(clean.n_kernels.to_le_bytes()).chain(clean.n_instructions.to_le_bytes())
}

fn entry_of(bytes: &[u8]) -> (u128, Clean) {
    let number = |at: usize| u32::from_le_bytes(std::array::from_fn(|i| bytes[at + i]));
    let key = u128::from_le_bytes(std::array::from_fn(|i| bytes[i]));
    (key, Clean { n_kernels: number(16), n_instructions: number(20) })
}
