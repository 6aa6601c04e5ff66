//! `--fix` and `--diff`.

use crate::base::fix::apply;
use crate::checks::{self, Options};
use similar::TextDiff;

/// Mending one fault can show another, whose mending shows a third; more steps than this are not made.
const MAX_ROUNDS: usize = 16;

/// Applies certain fixes until none is left. Returns the new text and the number of findings that were mended.
#[must_use]
pub fn fix_all(text: &str, options: &Options) -> Option<(String, usize)> {
    let mut current: Option<(String, usize)> = None;
    for _ in 0..MAX_ROUNDS {
        let now = current.as_ref().map_or(text, |(t, _)| t);
        let Some(fixed) = apply(now, &checks::check(now, options)) else { break };
        let before = current.as_ref().map_or(0, |(_, n)| *n);
        current = Some((fixed.text, before + fixed.n_fixes));
    }
    current
}

/// A unified diff from one text to the other.
#[must_use]
pub fn diff(name: &str, old: &str, new: &str) -> String {
    let name = name.trim_start_matches('/');
    TextDiff::from_lines(old, new).unified_diff().header(&format!("a/{name}"), &format!("b/{name}")).to_string()
}
