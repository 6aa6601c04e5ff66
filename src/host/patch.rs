//! Patches: what the lines of each hunk become is a part of a source, in the language of the file that is patched.

use super::statement::{Parts, RawStatement};
use super::{Language, statements};
use crate::base::span::Span;

/// Finds the asm statements that a patch adds or keeps; comments go to `comment`.
pub(super) fn read(text: &str, comment: &mut dyn FnMut(Span)) -> Vec<RawStatement> {
    let (patched, hunks) = patched(text);
    let mut parts = Parts::default();
    for (language, hunk) in hunks {
        parts.append(statements(&patched[..hunk.end as usize], hunk.start as usize, language, comment));
    }
    parts.statements
}

/// The text with blanks for all that is not in the patched sources, so that each character keeps its place; and the hunks,
/// with the language of each.
fn patched(text: &str) -> (String, Vec<(Language, Span)>) {
    let mut out = String::with_capacity(text.len());
    let mut hunks: Vec<(Language, Span)> = Vec::new();
    let mut language = None;
    // Lines of the hunk that are still to come: of the old file, and of the new one.
    let mut left = (0u32, 0u32);
    for line in text.split_inclusive('\n') {
        let is_inside = left != (0, 0);
        let kept = match line.as_bytes().first() {
            _ if !is_inside => {
                if let Some(path) = line.strip_prefix("+++ ") {
                    let path = path.split('\t').next().unwrap_or(path).trim_end();
                    language = Language::of_path(path.as_ref()).filter(|l| *l != Language::Patch);
                } else if let Some(counts) = line.strip_prefix("@@ -") {
                    left = lengths(counts).unwrap_or_default();
                    let at = (out.len() + line.len()) as u32;
                    hunks.extend(language.map(|language| (language, Span::at(at))));
                }
                false
            }
            Some(b'+') => {
                left.1 = left.1.saturating_sub(1);
                true
            }
            Some(b'-') => {
                left.0 = left.0.saturating_sub(1);
                false
            }
            Some(b'\\') => false,
            // Some mailers leave out the blank of an empty line.
            _ => {
                left = (left.0.saturating_sub(1), left.1.saturating_sub(1));
                line.starts_with(' ')
            }
        };
        let end = line.trim_end_matches(['\n', '\r']).len();
        if kept {
            out.push(' ');
            out += &line[1..end];
        } else {
            // A line that is taken out of a macro does not end it.
            let goes_on = is_inside && end > 0 && (out.ends_with("\\\n") || out.ends_with("\\\r\n"));
            out.extend(std::iter::repeat_n(' ', end - usize::from(goes_on)));
            out += if goes_on { "\\" } else { "" };
        }
        out += &line[end..];
        if is_inside
            && language.is_some()
            && let Some((_, hunk)) = hunks.last_mut()
        {
            hunk.end = out.len() as u32;
        }
    }
    (out, hunks)
}

/// How many lines a hunk takes of the old file and of the new one: `12,3 +14,5 @@` or `12 +14 @@`.
fn lengths(counts: &str) -> Option<(u32, u32)> {
    let (old, rest) = counts.split_once(" +")?;
    let (new, _) = rest.split_once(" @@")?;
    let length = |range: &str| range.split_once(',').map_or(Some(1), |(_, n)| n.parse().ok());
    Some((length(old)?, length(new)?))
}
