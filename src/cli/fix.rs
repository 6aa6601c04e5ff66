//! `--fix` and `--diff`.

use crate::base::fix::apply_all;
use crate::checks::{self, Options};
use similar::TextDiff;

/// Applies certain fixes until none is left. Returns the new text and the number of findings that were mended.
#[must_use]
pub fn fix_all(text: &str, options: &Options) -> Option<(String, usize)> {
    apply_all(text, |now| checks::check(now, options)).map(|fixed| (fixed.text, fixed.n_fixes))
}

/// A unified diff from one text to the other.
#[must_use]
pub fn diff(name: &str, old: &str, new: &str) -> String {
    let name = name.trim_start_matches('/');
    TextDiff::from_lines(old, new).unified_diff().header(&format!("a/{name}"), &format!("b/{name}")).to_string()
}
