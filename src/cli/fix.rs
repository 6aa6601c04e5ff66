//! `--fix` and `--diff`.

use crate::base::fix::apply_all;
use crate::checks::{self, Options};
use crate::host;
use crate::lower::text::CARRIAGE_RETURN;
use imara_diff::{Algorithm, Diff, Hunk, InternedInput, Token};
use std::borrow::Cow;
use std::ops::Range;

/// Applies certain fixes until none is left. Returns the new text and the number of findings that were mended.
#[must_use]
pub fn fix_all(text: &str, options: &Options) -> Option<(String, usize)> {
    if let Some(language) = options.host {
        // Its line ends are those of the host, and are left as they are.
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

/// Lines that a diff shows before and behind those that differ.
const CONTEXT: u32 = 3;

/// A unified diff from one text to the other.
#[must_use]
pub fn diff(name: &str, old: &str, new: &str) -> String {
    let name = name.trim_start_matches('/');
    let input = InternedInput::new(old, new);
    let all: Vec<Hunk> = Diff::compute(Algorithm::Myers, &input).hunks().collect();
    let mut out = format!("--- a/{name}\n+++ b/{name}\n");
    for hunks in all.chunk_by(|one, next| next.before.start - one.before.end <= 2 * CONTEXT) {
        show(&mut out, hunks, &input);
    }
    out
}

/// Shows what differs in lines that are close to each other, with the lines around them.
fn show(out: &mut String, hunks: &[Hunk], input: &InternedInput<&str>) {
    let (Some(first), Some(last)) = (hunks.first(), hunks.last()) else { return };
    let n_before = first.before.start.min(CONTEXT);
    let n_behind = (input.before.len() as u32 - last.before.end).min(CONTEXT);
    let (begin, end) = (first.before.start - n_before, last.before.end + n_behind);
    let n_new = last.after.end + n_behind - (first.after.start - n_before);
    let header = [(begin, end - begin), (first.after.start - n_before, n_new)];
    // Where there are no lines, it is the line before that counts.
    let [old, new] = header.map(|(begin, n)| format!("{},{n}", begin + u32::from(n > 0)));
    *out += &format!("@@ -{old} +{new} @@\n");
    let mut lines = |mark: char, lines: &[Token]| {
        for line in lines {
            let line = input.interner[*line];
            *out +=
                &format!("{mark}{line}{}", if line.ends_with('\n') { "" } else { "\n\\ No newline at end of file\n" });
        }
    };
    let part = |lines: Range<u32>| lines.start as usize..lines.end as usize;
    let mut at = begin;
    for hunk in hunks {
        lines(' ', &input.before[part(at..hunk.before.start)]);
        lines('-', &input.before[part(hunk.before.clone())]);
        lines('+', &input.after[part(hunk.after.clone())]);
        at = hunk.before.end;
    }
    lines(' ', &input.before[part(at..end)]);
}
