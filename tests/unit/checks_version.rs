//! Versions of the text: which are known, and which do not fit the bytes that they are stored in.

use crate::support::PRELUDE;
use visa_lint::checks::{self, Options};

#[test]
fn versions_beyond_a_byte_become_others() {
    for (version, stored) in [
        ("4.2", None),
        ("0.255", None),
        ("4.255", None),
        ("255.0", None),
        ("255.255", None),
        ("256.1", Some("0.1")),
        ("3.256", Some("3.0")),
        ("257.258", Some("1.2")),
        ("300.1", Some("44.1")),
    ] {
        let text = PRELUDE.replace(".version 4.2", &format!(".version {version}"));
        let found = checks::check(&text, &Options::default());
        let notes: Vec<&String> = found.iter().flat_map(|d| &d.notes).filter(|note| note.contains("8 bits")).collect();
        let said = stored.map(|stored| format!("each number is stored in 8 bits: it becomes {stored}"));
        assert_eq!(notes, said.iter().collect::<Vec<_>>(), "{version}");
    }
}
