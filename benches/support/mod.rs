//! What several benches measure on.

use std::path::{Path, PathBuf};

/// The files of compiler output, sorted: those in `tests/compiler_output`, or with `VISA_LINT_BENCH=FOLDER` those of that
/// folder; and whether they are the former.
pub fn texts() -> (Vec<PathBuf>, bool) {
    let (folder, is_own) = match std::env::var_os("VISA_LINT_BENCH") {
        Some(folder) => (PathBuf::from(folder), false),
        None => (Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/compiler_output"), true),
    };
    let mut files = Vec::new();
    let mut folders = vec![folder];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("the folder can be read") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "visaasm") {
                files.push(path);
            }
        }
    }
    files.sort();
    (files, is_own)
}
