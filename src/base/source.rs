//! A source text with its lines.

use std::sync::OnceLock;

/// Where the lines of a text begin.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineIndex {
    /// Byte offset of the first byte of each line.
    starts: Vec<u32>,
    /// Length of the text in bytes.
    length: u32,
    /// For each character of more than one byte, in order: the offset of its end, and the number of bytes up to there that
    /// are not the first one of a character.
    wide: Vec<(u32, u32)>,
}

/// A place in a text: both count from 0, the column in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LineColumn {
    /// 0-based line.
    pub line: u32,
    /// 0-based column in bytes.
    pub column: u32,
}

impl LineIndex {
    /// Finds the lines of `text`; only `\n` ends a line, as for the reference.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let mut starts = Vec::with_capacity(text.len() / 64 + 1);
        starts.push(0);
        starts.extend(memchr::memchr_iter(b'\n', text.as_bytes()).map(|i| i as u32 + 1));
        Self { starts, length: text.len() as u32, wide: wide(text) }
    }

    /// Number of lines; text that ends in a newline has an empty last line.
    #[must_use]
    pub fn n_lines(&self) -> u32 {
        self.starts.len() as u32
    }

    /// The place of a byte offset; offsets beyond the end count as the end.
    #[must_use]
    pub fn line_column(&self, offset: u32) -> LineColumn {
        let offset = offset.min(self.length);
        let line = self.starts.partition_point(|&s| s <= offset) - 1;
        LineColumn { line: line as u32, column: offset - self.starts[line] }
    }

    /// Number of characters that begin in the bytes `start..end`.
    #[must_use]
    pub fn n_characters(&self, start: u32, end: u32) -> u32 {
        let surplus = |offset| match self.wide.partition_point(|&(at, _)| at <= offset) {
            0 => 0,
            n => self.wide[n - 1].1,
        };
        (end - start).saturating_sub(surplus(end) - surplus(start))
    }

    /// The bytes of a line without its newline; empty if there is no such line.
    #[must_use]
    pub fn line_span(&self, line: u32) -> super::span::Span {
        let Some(&start) = self.starts.get(line as usize) else {
            return super::span::Span::at(self.length);
        };
        let end = self.starts.get(line as usize + 1).map_or(self.length, |&next| next - 1);
        super::span::Span::new(start, end)
    }
}

/// The characters of more than one byte, see [`LineIndex::wide`].
fn wide(text: &str) -> Vec<(u32, u32)> {
    if text.is_ascii() {
        return Vec::new();
    }
    let mut surplus = 0;
    text.char_indices()
        .filter(|(_, c)| c.len_utf8() > 1)
        .map(|(start, c)| {
            surplus += c.len_utf8() as u32 - 1;
            (start as u32 + c.len_utf8() as u32, surplus)
        })
        .collect()
}

/// A text under a name, ready for reports.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// The path as the user gave it, or `<stdin>`.
    pub name: String,
    /// The text. Bytes that are not UTF-8 were replaced one by one, so offsets are those of the file.
    pub text: String,
    /// Its lines, found when they are first asked for: most texts have no findings.
    lines: OnceLock<LineIndex>,
}

impl SourceFile {
    /// A text under a name.
    #[must_use]
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { name: name.into(), text: text.into(), lines: OnceLock::new() }
    }

    /// Its lines.
    pub fn lines(&self) -> &LineIndex {
        self.lines.get_or_init(|| LineIndex::new(&self.text))
    }

    /// The place of a byte offset with the column counted in characters; both count from 1.
    #[must_use]
    pub fn position(&self, offset: u32) -> (u32, u32) {
        let place = self.lines().line_column(offset);
        let end = offset.min(self.text.len() as u32);
        (place.line + 1, self.lines().n_characters(end - place.column, end) + 1)
    }
}
