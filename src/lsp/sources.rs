//! The lines of a dump that say which source the instructions behind them come from.

use super::analysis::Analysis;
use super::uri;
use crate::base::span::Span;
use crate::spec::family::Marker;
use crate::spec::instructions;
use std::path::PathBuf;
use std::sync::LazyLock;

/// The words with which a line begins that names a source file, or a line of one: an instruction and a directive.
struct Words {
    file: [&'static str; 2],
    line: [&'static str; 2],
}

static WORDS: LazyLock<Words> = LazyLock::new(|| {
    let instruction = |marker| {
        let row = instructions().iter().find(|row| row.marker == Some(marker));
        row.map_or("", |row| row.mnemonic)
    };
    Words { file: [instruction(Marker::File), ".file"], line: [instruction(Marker::Line), ".loc"] }
});

/// A line that names a line of a source.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceLine<'t> {
    /// The statement.
    pub span: Span,
    /// The file as the dump names it.
    pub file: &'t str,
    /// The line, from 1.
    pub line: u32,
}

/// The lines that name a line of a source, in their order. The file is the one that was named last.
pub fn source_lines(text: &str) -> impl Iterator<Item = SourceLine<'_>> {
    let mut file = None;
    let mut start = 0;
    text.split_inclusive('\n').filter_map(move |line| {
        let whole = Span::new(start, start + line.len() as u32);
        start = whole.end;
        let words = line.trim();
        if let Some(name) = after(words, WORDS.file) {
            file = name.strip_prefix('"').and_then(|name| name.split('"').next()).filter(|name| !name.is_empty());
            return None;
        }
        let number = after(words, WORDS.line)?;
        let line = number.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok().filter(|line| *line > 0)?;
        Some(SourceLine { span: whole.trimmed(text), file: file?, line })
    })
}

/// What stands behind a word with which a line begins.
fn after<'t>(line: &'t str, words: [&str; 2]) -> Option<&'t str> {
    let rest = words.iter().filter(|word| !word.is_empty()).find_map(|word| line.strip_prefix(word))?;
    rest.starts_with([' ', '\t']).then(|| rest.trim_start())
}

/// The line of a source that the line of a place names.
#[must_use]
pub fn source_line_at(analysis: &Analysis, offset: u32) -> Option<SourceLine<'_>> {
    let text = &analysis.text;
    let line = text.line_span(text.line(offset));
    let words = text.as_str()[line.start as usize..line.end as usize].trim_start();
    after(words, WORDS.line)?;
    source_lines(text.as_str()).find(|source| line.start <= source.span.start && source.span.end <= line.end)
}

/// Where a source is, if it is on this machine: its own path, or that from the folder of the document.
#[must_use]
pub fn path(document: &str, file: &str) -> Option<PathBuf> {
    let folder = uri::to_path(document)?;
    let path = folder.parent()?.join(file.replace("\\\\", "\\"));
    path.is_file().then_some(path)
}
