//! What sources that consist of lines have in common: LLVM IR and MLIR.

use crate::base::span::Span;

/// The lines of a text behind `from` up to their comments, with where they begin. `comment_start` says where the comment
/// of a line begins; comments go to `comment`.
pub(super) fn code(
    text: &str,
    from: usize,
    comment_start: impl Fn(&str) -> Option<usize>,
    mut comment: impl FnMut(Span),
) -> impl Iterator<Item = (usize, &str)> {
    let mut next = from;
    std::iter::from_fn(move || {
        let start = next;
        let rest = text.get(start..).filter(|rest| !rest.is_empty())?;
        let line = &rest[..memchr::memchr(b'\n', rest.as_bytes()).unwrap_or(rest.len())];
        next = start + line.len() + 1;
        let code_end = comment_start(line).unwrap_or(line.len());
        if code_end < line.len() {
            comment(Span::new((start + code_end) as u32, (start + line.trim_end().len()) as u32));
        }
        Some((start, &line[..code_end]))
    })
}

/// The number that follows `mark`.
pub(super) fn number_after(text: &str, mark: &str) -> Option<u32> {
    let rest = &text[text.find(mark)? + mark.len()..];
    rest[..rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len())].parse().ok()
}
