//! `--fix` and `--diff`.

use crate::base::fix::apply_all;
use crate::checks::{self, Options};
use crate::host;
use crate::lower::text::CARRIAGE_RETURN;
use similar::TextDiff;
use std::borrow::Cow;

/// Applies certain fixes until none is left. Returns the new text and the number of findings that were mended.
#[must_use]
pub fn fix_all(text: &str, options: &Options) -> Option<(String, usize)> {
    if let Some(language) = options.host {
        // Its line ends are those of the host, and no matter of vISA.
        let options = &Options { in_full: true, ..options.clone() };
        let check = |now: &str| {
            let host = host::read(now, language, options.sub_group);
            checks::fragment::check_host(now, &host, options, None).diagnostics
        };
        return apply_all(text, check).map(|fixed| (fixed.text, fixed.n_fixes));
    }
    let options = &Options { in_full: true, ..options.clone() };
    let findings = checks::check(text, options);
    let has_returns = findings.iter().any(|found| found.rule.name == CARRIAGE_RETURN.name);
    let text = if has_returns { Cow::Owned(without_returns(text)) } else { Cow::Borrowed(text) };
    let mut findings = (!has_returns).then_some(findings);
    let fixed = apply_all(&text, |now| findings.take().unwrap_or_else(|| checks::check(now, options)));
    match (fixed, text) {
        (Some(fixed), _) => Some((fixed.text, fixed.n_fixes + usize::from(has_returns))),
        (None, Cow::Owned(text)) => Some((text, 1)),
        (None, Cow::Borrowed(_)) => None,
    }
}

/// A text with Unix line ends. A carriage return that ends no line is a blank to this program, and becomes one; in a text
/// without newlines, carriage returns are what ends the lines.
fn without_returns(text: &str) -> String {
    if text.contains('\n') { text.replace("\r\n", "\n").replace('\r', " ") } else { text.replace('\r', "\n") }
}

/// A unified diff from one text to the other.
#[must_use]
pub fn diff(name: &str, old: &str, new: &str) -> String {
    let name = name.trim_start_matches('/');
    TextDiff::from_lines(old, new).unified_diff().header(&format!("a/{name}"), &format!("b/{name}")).to_string()
}
