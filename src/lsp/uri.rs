//! File names and the URIs of files.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use std::path::{Path, PathBuf};

/// What is written as `%XX` in the path of a URI. Drive letters keep their colon.
const ESCAPED: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b':');

/// The path of a `file:` URI; nothing for other ones, such as those of documents that were never saved.
#[must_use]
pub fn to_path(uri: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix("file://")?;
    // `file://server/share` names a file of another machine.
    let (host, path) = rest.split_at(rest.find('/')?);
    let path = percent_decode_str(path).decode_utf8().ok()?.into_owned();
    let is_local = host.is_empty() || host.eq_ignore_ascii_case("localhost");
    if cfg!(windows) {
        let has_drive = path.as_bytes().get(2) == Some(&b':');
        let path = if has_drive { path[1..].to_owned() } else { path };
        return Some(PathBuf::from(if is_local { path } else { format!("//{host}{path}") }));
    }
    is_local.then(|| PathBuf::from(path))
}

/// The URI of an absolute path.
#[must_use]
pub fn from_path(path: &Path) -> String {
    let path = path.to_string_lossy();
    let path = if cfg!(windows) { path.replace('\\', "/") } else { path.into_owned() };
    let start = if path.starts_with('/') { "file://" } else { "file:///" };
    format!("{start}{}", utf8_percent_encode(&path, ESCAPED))
}
