//! Replacing the content of a file so that at each moment the old or the new one is there, whole.

use super::input::reason;
use super::status::INTERRUPTED;
use std::fs::{File, Metadata, OpenOptions};
use std::io::Write as _;
use std::path::Path;
use std::sync::{PoisonError, RwLock};

/// Read while a file is being replaced, and written by what ends the program.
static REPLACING: RwLock<()> = RwLock::new(());

/// Makes an interrupt wait until no file is half replaced, so that nothing is left beside the files.
pub fn finish_before_interrupts() {
    // Where there can be no handler, the program ends at once, and the files are whole all the same.
    let _ = ctrlc::set_handler(|| {
        let _guard = REPLACING.write().unwrap_or_else(PoisonError::into_inner);
        std::process::exit(INTERRUPTED.into());
    });
}

/// Replaces `before`, which was read from the file, by `after`: writes it beside the file, waits until it is on the disk,
/// and gives it the name of the file. Keeps the mode, and the owner where that is allowed; of a symbolic link the target
/// is replaced.
///
/// # Errors
/// If it cannot be done, or if the file does not hold `before` any more, in words. The file is then as it was.
pub fn replace(path: &Path, before: &str, after: &str) -> Result<(), String> {
    let cannot = |error: std::io::Error| format!("it cannot be written: {}", reason(&error));
    let target = path.canonicalize().map_err(cannot)?;
    // A file that may not be written stays, though its folder would allow to replace it.
    let data = OpenOptions::new().read(true).write(true).open(&target).and_then(|f| f.metadata()).map_err(cannot)?;
    if !data.is_file() {
        return Err("it is not a regular file, so it is not changed".to_owned());
    }
    if n_names(&data) > 1 {
        return Err("the file has several names (hard links), which a change would part; it is not changed".to_owned());
    }
    let _guard = REPLACING.read().unwrap_or_else(PoisonError::into_inner);
    let folder = target.parent().unwrap_or(Path::new("/"));
    let beside = |error: std::io::Error| format!("nothing can be written beside it: {}", reason(&error));
    let mut new = tempfile::Builder::new().prefix(".visa-lint-").suffix(".tmp").tempfile_in(folder).map_err(beside)?;
    new.write_all(after.as_bytes()).map_err(beside)?;
    keep_owner(new.as_file(), &data);
    new.as_file().set_permissions(data.permissions()).map_err(beside)?;
    new.as_file().sync_all().map_err(beside)?;
    let now = std::fs::read(&target).map_err(cannot)?;
    if now == after.as_bytes() {
        // Another name of the same file was mended first.
        return Ok(());
    }
    if now != before.as_bytes() {
        return Err("it was changed meanwhile, so it is not written; run again".to_owned());
    }
    new.persist(&target).map_err(|error| cannot(error.error))?;
    // The new name, too, is to be on the disk. Some file systems cannot do that, and then nothing is lost but time.
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
    Ok(())
}

/// Number of names that a file has.
#[cfg(unix)]
fn n_names(data: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::nlink(data)
}

#[cfg(not(unix))]
fn n_names(_: &Metadata) -> u64 {
    1
}

/// Gives a file the owner and group of another one, as far as that is allowed: often only the group can be kept.
#[cfg(unix)]
fn keep_owner(file: &File, data: &Metadata) {
    use std::os::unix::fs::{MetadataExt as _, fchown};
    if fchown(file, Some(data.uid()), Some(data.gid())).is_err() {
        let _ = fchown(file, None, Some(data.gid()));
    }
}

#[cfg(not(unix))]
fn keep_owner(_: &File, _: &Metadata) {}
