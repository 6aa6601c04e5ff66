//! Tests of `lsp::uri`.

use std::path::{Path, PathBuf};
use visa_lint::lsp::uri::{from_path, to_path};

#[test]
fn paths_come_back() {
    for path in ["/a/b.visaasm", "/with blank/\u{e9}%20.visaasm", "/c:/x"] {
        assert_eq!(to_path(&from_path(Path::new(path))), Some(PathBuf::from(path)));
    }
    assert_eq!(from_path(Path::new("/a b")), "file:///a%20b");
    assert_eq!(to_path("untitled:Untitled-1"), None);
    assert_eq!(to_path("file://other/x"), None);
    assert_eq!(to_path("file://localhost/x"), Some(PathBuf::from("/x")));
}
