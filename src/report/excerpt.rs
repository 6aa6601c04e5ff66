//! The lines of a text that a finding shows.

use crate::base::printable;
use crate::base::source::SourceFile;
use crate::base::span::Span;
use codespan_reporting::files::{Error, Files, column_index};
use std::ops::Range;
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// Room for a line where no terminal tells its width: a longer one is cut, so that it does not flood the report.
const MAX_COLUMNS: usize = 400;
/// Room for a line that is cut although no terminal tells its width.
const CUT_COLUMNS: usize = 120;
/// What is drawn beside a line, apart from its number: ` │ `.
const GUTTER_COLUMNS: usize = 3;
/// What stands where a line is cut.
const CUT: &str = "…";
/// Columns that are shown behind a place on a line that is cut, if there is room.
const BEHIND: usize = 8;

/// The lines that a finding shows, each cut to the room that there is.
pub(super) struct Excerpt<'a> {
    /// Name of the file.
    name: &'a str,
    /// The lines as they are drawn, each with its newline.
    pub(super) text: String,
    /// What they are of the source, in its order.
    lines: Vec<Line>,
}

/// A line of an [`Excerpt`].
pub(super) struct Line {
    /// Its line in the source, from 0.
    pub(super) index: usize,
    /// Bytes of the excerpt's text that it takes, with its newline.
    range: Range<usize>,
    /// Bytes of the source that are shown.
    shown: Range<usize>,
    /// Offset in the excerpt of the first byte that is shown: behind the mark of a cut.
    start: usize,
    /// Characters of the source's line in front of the excerpt's line, the mark of a cut being one of them.
    hidden: usize,
    /// Columns that there are for it.
    pub(super) room: usize,
}

impl<'a> Excerpt<'a> {
    /// The lines around the places `spans`. `columns` is the width of the terminal.
    pub(super) fn new(source: &SourceFile, name: &'a str, spans: &[Span], columns: Option<usize>) -> Self {
        let lines = source.lines();
        let index = |span: &Span| lines.line_column(span.start).line;
        let mut indices: Vec<u32> = spans.iter().map(index).collect();
        indices.sort_unstable();
        indices.dedup();
        // A single line between two others is drawn, too.
        let between: Vec<u32> = indices.windows(2).filter(|w| w[1] == w[0] + 2).map(|w| w[0] + 1).collect();
        indices.extend(between);
        indices.sort_unstable();
        let mut this = Self { name, text: String::new(), lines: Vec::with_capacity(indices.len()) };
        let number = indices.last().map_or(1, |last| digits(*last as usize + 1));
        let room = columns.map(|columns| columns.saturating_sub(number + GUTTER_COLUMNS).max(20));
        for line in indices {
            let on_it: Vec<Span> = spans.iter().copied().filter(|span| index(span) == line).collect();
            this.push(source, line, &on_it, room);
        }
        this
    }

    fn push(&mut self, source: &SourceFile, index: u32, spans: &[Span], room: Option<usize>) {
        let line = source.lines().line_span(index);
        let bytes = line.start as usize..line.end as usize;
        let is_whole = has_room(&source.text[bytes.clone()], room.unwrap_or(MAX_COLUMNS));
        let room = room.unwrap_or(if is_whole { MAX_COLUMNS } else { CUT_COLUMNS });
        let shown = if is_whole { bytes.clone() } else { window(&source.text, &bytes, spans, room) };
        let begin = self.text.len();
        let hidden = source.lines().n_characters(line.start, shown.start as u32).saturating_sub(1) as usize;
        self.text += if shown.start > bytes.start { CUT } else { "" };
        let start = self.text.len();
        self.text += &printable::source(&source.text[shown.clone()]);
        self.text += if shown.end < bytes.end { CUT } else { "" };
        self.text.push('\n');
        self.lines.push(Line { index: index as usize, range: begin..self.text.len(), shown, start, hidden, room });
    }

    /// The line of a place of the source, and the place in the excerpt. A place ends on the line where it begins.
    pub(super) fn place(&self, source: &SourceFile, span: Span) -> (&Line, Range<usize>) {
        let index = source.lines().line_column(span.start).line as usize;
        let line = &self.lines[self.lines.partition_point(|line| line.index < index)];
        let inside = |offset: u32| (offset as usize).clamp(line.shown.start, line.shown.end) - line.shown.start;
        let start = line.start + inside(span.start);
        (line, start..(line.start + inside(span.end)).max(start))
    }

    /// Columns beside the lines.
    pub(super) fn gutter(&self) -> usize {
        self.lines.last().map_or(1, |line| digits(line.index + 1)) + GUTTER_COLUMNS
    }
}

impl Line {
    /// Columns up to the end of a place of this line.
    pub(super) fn columns(&self, text: &str, place: &Range<usize>) -> usize {
        columns_of(&text[self.range.start..place.end.max(place.start).min(self.range.end)])
    }
}

impl<'a> Files<'a> for Excerpt<'a> {
    type FileId = ();
    type Name = &'a str;
    type Source = &'a str;

    fn name(&'a self, (): ()) -> Result<&'a str, Error> {
        Ok(self.name)
    }

    fn source(&'a self, (): ()) -> Result<&'a str, Error> {
        Ok(&self.text)
    }

    fn line_index(&'a self, (): (), byte_index: usize) -> Result<usize, Error> {
        let at = self.lines.partition_point(|line| line.range.end <= byte_index).min(self.lines.len() - 1);
        Ok(self.lines[at].index)
    }

    fn column_number(&'a self, (): (), line_index: usize, byte_index: usize) -> Result<usize, Error> {
        let at = self.lines.binary_search_by_key(&line_index, |line| line.index);
        let hidden = at.map_or(0, |at| self.lines[at].hidden);
        Ok(hidden + column_index(&self.text, self.line_range((), line_index)?, byte_index) + 1)
    }

    fn line_range(&'a self, (): (), line_index: usize) -> Result<Range<usize>, Error> {
        let found = self.lines.binary_search_by_key(&line_index, |line| line.index);
        let max = self.lines.last().map_or(0, |line| line.index);
        found.map(|at| self.lines[at].range.clone()).map_err(|_| Error::LineTooLarge { given: line_index, max })
    }
}

/// The part of a long line that is shown: around the places on it, the first of which is the most important one.
fn window(text: &str, line: &Range<usize>, spans: &[Span], room: usize) -> Range<usize> {
    let room = room - 2 * CUT.width();
    let first = spans.first().map_or(line.start, |span| span.start as usize).clamp(line.start, line.end);
    let end = spans.first().map_or(line.start, |span| span.end as usize).clamp(first, line.end);
    // From the end of the place backwards as far as there is room; from the start if the place itself has none.
    let kept = columns_of(&text[first..advance(text, first..end, room)]);
    let behind = advance(text, end..line.end, BEHIND.min(room - kept.min(room)));
    let is_near = has_room(&text[line.start..behind], room);
    let start = if is_near { line.start } else { retreat(text, line.start..behind, room).min(first) };
    start..advance(text, start..line.end, room)
}

/// The end of as much of a range of the text as has room.
fn advance(text: &str, range: Range<usize>, room: usize) -> usize {
    let mut left = room;
    for (offset, c) in text[range.clone()].char_indices() {
        match left.checked_sub(column(c)) {
            Some(rest) => left = rest,
            None => return range.start + offset,
        }
    }
    range.end
}

/// The start of as much of the end of a range of the text as has room.
fn retreat(text: &str, range: Range<usize>, room: usize) -> usize {
    let mut left = room;
    for (offset, c) in text[range.clone()].char_indices().rev() {
        match left.checked_sub(column(c)) {
            Some(rest) => left = rest,
            None => return range.start + offset + c.len_utf8(),
        }
    }
    range.start
}

/// Whether a text takes at most `room` columns. A long one is not read to its end.
fn has_room(text: &str, room: usize) -> bool {
    advance(text, 0..text.len(), room) == text.len()
}

fn columns_of(text: &str) -> usize {
    text.chars().map(column).sum()
}

/// Columns that a character takes at most; a tab is drawn as up to four.
fn column(c: char) -> usize {
    if c == '\t' { 4 } else { c.width().unwrap_or(1) }
}

fn digits(number: usize) -> usize {
    number.checked_ilog10().unwrap_or(0) as usize + 1
}
