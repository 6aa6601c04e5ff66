//! Where reports go: no two into one file, and none over what is read.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The file that a path means: two spellings of it, and two links to it, are equal.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Place {
    /// A file that is there: its device and number.
    #[cfg(unix)]
    Node(u64, u64),
    /// The path, without links.
    Path(PathBuf),
}

/// More links than this are not followed; the system does not do it, either.
const MAX_LINKS: usize = 40;

impl Place {
    /// What `path` means, whether it is there or not.
    pub(super) fn of(path: &Path) -> Self {
        let mut path = path.to_owned();
        for _ in 0..MAX_LINKS {
            #[cfg(unix)]
            if let Ok(data) = std::fs::metadata(&path) {
                use std::os::unix::fs::MetadataExt as _;
                return Self::Node(data.dev(), data.ino());
            }
            // A link to a file that is not there yet is followed when the file is made.
            match std::fs::read_link(&path) {
                Ok(link) => path = folder(&path).join(link),
                Err(_) => break,
            }
        }
        let name = path.file_name().unwrap_or(OsStr::new("")).to_owned();
        let is_there = path.canonicalize();
        Self::Path(is_there.or_else(|_| folder(&path).canonicalize().map(|f| f.join(name))).unwrap_or(path))
    }
}

/// The folder around a path.
fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}
