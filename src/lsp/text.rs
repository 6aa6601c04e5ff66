//! The text of an open document, and places in it as the protocol counts them.

use crate::base::span::Span;
use gen_lsp_types::{Position, PositionEncodingKind, Range};

/// What a column counts. Lines end with `\n`, `\r\n` or `\r`, as the protocol says; the checker's own line index, which
/// knows only `\n`, is not used here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoding {
    /// Bytes.
    Utf8,
    /// Code units of UTF-16: every client knows them.
    Utf16,
    /// Characters.
    Utf32,
}

impl Encoding {
    /// The encoding of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "utf-8" => Some(Self::Utf8),
            "utf-16" => Some(Self::Utf16),
            "utf-32" => Some(Self::Utf32),
            _ => None,
        }
    }

    /// Its name in the protocol.
    #[must_use]
    pub fn kind(self) -> PositionEncodingKind {
        match self {
            Self::Utf8 => PositionEncodingKind::UTF8,
            Self::Utf16 => PositionEncodingKind::UTF16,
            Self::Utf32 => PositionEncodingKind::UTF32,
        }
    }

    /// The length of `text`.
    fn length(self, text: &str) -> u32 {
        match self {
            Self::Utf8 => text.len() as u32,
            Self::Utf16 => text.chars().map(|c| c.len_utf16() as u32).sum(),
            Self::Utf32 => text.chars().count() as u32,
        }
    }

    /// The byte of `text` at which a column begins; the end if there is no such column. A column in the middle of a
    /// character means its start.
    fn byte(self, text: &str, column: u32) -> usize {
        let mut left = column;
        for (byte, c) in text.char_indices() {
            let length = match self {
                Self::Utf8 => c.len_utf8(),
                Self::Utf16 => c.len_utf16(),
                Self::Utf32 => 1,
            } as u32;
            if left < length {
                return byte;
            }
            left -= length;
        }
        text.len()
    }
}

/// A text with its lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text {
    content: String,
    /// Byte offset of the first byte of each line.
    starts: Vec<u32>,
    /// Whether all bytes are known to be ASCII, so that every encoding counts bytes.
    is_ascii: bool,
}

impl Text {
    /// Finds the lines of `content`.
    #[must_use]
    pub fn new(content: String) -> Self {
        let mut starts = Vec::with_capacity(content.len() / 64 + 1);
        starts.push(0);
        push_starts(content.as_bytes(), 0, content.len(), &mut starts);
        let is_ascii = content.is_ascii();
        Self { content, starts, is_ascii }
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.content
    }

    /// Number of lines; text that ends in a newline has an empty last line.
    #[must_use]
    pub fn n_lines(&self) -> u32 {
        self.starts.len() as u32
    }

    /// The line of a byte; those beyond the end are in the last line.
    #[must_use]
    pub fn line(&self, offset: u32) -> u32 {
        self.starts.partition_point(|&s| s <= offset) as u32 - 1
    }

    /// The bytes of a line without its end; empty at the end of the text if there is no such line.
    #[must_use]
    pub fn line_span(&self, line: u32) -> Span {
        let length = self.content.len() as u32;
        let Some(&start) = self.starts.get(line as usize) else { return Span::at(length) };
        let Some(&next) = self.starts.get(line as usize + 1) else { return Span::new(start, length) };
        let bytes = self.content.as_bytes();
        let ends_with = |i: u32, b: u8| i > start && bytes[i as usize - 1] == b;
        let mut end = next - 1;
        if bytes[end as usize] == b'\n' && ends_with(end, b'\r') {
            end -= 1;
        }
        Span::new(start, end)
    }

    /// A line without its end.
    #[must_use]
    pub fn line_text(&self, line: u32) -> &str {
        self.line_span(line).of(&self.content)
    }

    /// The place of a byte. Bytes of a line end mean the end of the line, those beyond the text its end.
    #[must_use]
    pub fn position(&self, offset: u32, encoding: Encoding) -> Position {
        let line = self.line(offset);
        let span = self.line_span(line);
        let end = offset.min(span.end);
        if self.is_ascii {
            return Position::new(line, end - span.start);
        }
        Position::new(line, encoding.length(Span::new(span.start, end).of(&self.content)))
    }

    /// The places of a span.
    #[must_use]
    pub fn range(&self, span: Span, encoding: Encoding) -> Range {
        Range::new(self.position(span.start, encoding), self.position(span.end, encoding))
    }

    /// The byte of a place. Columns beyond the end of a line mean its end, lines beyond the last one the end of the text.
    #[must_use]
    pub fn offset(&self, position: Position, encoding: Encoding) -> u32 {
        let span = self.line_span(position.line);
        if self.is_ascii {
            return span.start.saturating_add(position.character).min(span.end);
        }
        span.start + encoding.byte(span.of(&self.content), position.character) as u32
    }

    /// The bytes of a range; a range that is the wrong way round is turned.
    #[must_use]
    pub fn span(&self, range: Range, encoding: Encoding) -> Span {
        let (a, b) = (self.offset(range.start, encoding), self.offset(range.end, encoding));
        Span::new(a.min(b), a.max(b))
    }

    /// Replaces bytes, which have to begin and end between characters.
    pub fn replace(&mut self, span: Span, new: &str) {
        self.content.replace_range(span.range(), new);
        self.is_ascii = self.is_ascii && new.is_ascii();
        let new_end = span.start as usize + new.len();
        // A carriage return before, and a newline after the place may have become one line end, or two.
        let first = self.line(span.start.saturating_sub(1)) as usize;
        let after = self.starts.partition_point(|&s| s <= span.end.saturating_add(1));
        let from = self.starts[first] as usize;
        let moved = |s: u32| s - span.end + new_end as u32;
        let to = self.starts.get(after).map_or(self.content.len(), |&s| moved(s) as usize - 1);
        let mut found = Vec::new();
        push_starts(self.content.as_bytes(), from, to, &mut found);
        for start in &mut self.starts[after..] {
            *start = moved(*start);
        }
        self.starts.splice(first + 1..after, found);
    }
}

/// Appends where lines begin after a line end in `from..to`.
fn push_starts(bytes: &[u8], from: usize, to: usize, starts: &mut Vec<u32>) {
    for i in memchr::memchr2_iter(b'\n', b'\r', &bytes[from..to]) {
        let i = from + i;
        if bytes[i] == b'\r' && bytes.get(i + 1) == Some(&b'\n') {
            continue;
        }
        starts.push(i as u32 + 1);
    }
}
