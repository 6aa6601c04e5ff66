//! Lines of vISA that a program puts right behind text that is not known.

use super::map::Mapped;
use super::statement::{HOLE, WIDE_HOLE};
use crate::base::span::Span;

/// Whether a character stands for text that is not known.
pub(super) const fn is_hole(c: char) -> bool {
    matches!(c, HOLE | WIDE_HOLE)
}

/// A line without the braces and the predicate before its mnemonic.
pub(super) fn unpredicated(line: &str) -> &str {
    let word = line.trim_start_matches([' ', '\t', '{']);
    let word = word.strip_prefix('(').and_then(|r| r.split_once(')')).map_or(word, |(_, behind)| behind);
    word.trim_start_matches([' ', '\t'])
}

/// Bytes at the beginning of a line that are not known and certainly end a line: a predicate and its instruction follow.
pub(super) fn unknown_lines(line: &str) -> usize {
    let rest = line.trim_start_matches(is_hole);
    let is_predicate = || {
        let inside = rest.strip_prefix('(').and_then(|rest| rest.split_once(')')).map(|(inside, _)| inside);
        inside.is_some_and(|inside| !inside.is_empty() && !inside.contains([' ', ',', '(']))
    };
    let is_instruction = || {
        let mut words = unpredicated(rest).split_ascii_whitespace();
        let mnemonic = words.next().unwrap_or("");
        let begins = mnemonic.starts_with(|c: char| c.is_ascii_lowercase() || is_hole(c));
        begins && words.next().is_some_and(|word| word.starts_with("(M"))
    };
    let n = line.len() - rest.len();
    if n > 0 && is_predicate() && is_instruction() { n } else { 0 }
}

/// Ends the lines of a text that are not known where an instruction follows.
pub(super) fn with_unknown_lines(text: &Mapped) -> Option<Mapped> {
    let mut out = Mapped::default();
    let mut done = 0;
    let mut start = 0;
    for line in text.text.split_inclusive('\n') {
        let n = unknown_lines(line) as u32;
        if n > 0 {
            out.push_part(text, Span::new(done, start + n));
            out.push_atom(&format!("{WIDE_HOLE}\n"), Span::default());
            done = start + n;
        }
        start += line.len() as u32;
    }
    out.push_part(text, Span::new(done, text.text.len() as u32));
    (done > 0).then_some(out)
}
