//! Words in lines of a terminal's width.

use textwrap::{Options, WordSeparator, WordSplitter};

/// Lines of prose that are at least as long as this were cut by hand, and go on in the next line.
const CUT_BY_HAND: usize = 60;

/// A text in lines of at most so many columns, cut between words. What stands in front of the first line and of the
/// others counts.
#[must_use]
pub fn wrapped(text: &str, columns: usize, first: &str, others: &str) -> String {
    let options = Options::new(columns.max(first.len() + 1))
        .initial_indent(first)
        .subsequent_indent(others)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation)
        .break_words(false);
    textwrap::fill(text, options)
}

/// A page of prose, tables and drawings in lines of at most so many columns: paragraphs are filled anew, the last column
/// of a table wraps below itself, and drawings stay as they are.
#[must_use]
pub fn page(text: &str, columns: usize) -> String {
    let is_prose = |line: &str| line.starts_with(|c: char| !c.is_whitespace());
    let mut out = String::with_capacity(text.len() + 64);
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let mut whole = line.to_owned();
        let mut last = line;
        while is_prose(line) && last.len() >= CUT_BY_HAND {
            let Some(next) = lines.next_if(|next| is_prose(next)) else { break };
            whole = whole + " " + next;
            last = next;
        }
        if whole.chars().count() <= columns || whole.contains('│') {
            out += &whole;
        } else {
            let words = whole.trim_start();
            let indent = whole.len() - words.len();
            // The columns of a table keep the blanks between them.
            let (kept, others) = match (indent, last_column(words)) {
                (0, 0) => (0, 0),
                (_, column) if column > 0 && indent + column <= columns / 2 => (indent + column, indent + column),
                _ => (indent, indent + 4),
            };
            out += &wrapped(&whole[kept..], columns, &whole[..kept], &" ".repeat(others));
        }
        out.push('\n');
    }
    out
}

/// Where the last column of a line of a table begins, or the words behind a bullet; 0 in prose.
fn last_column(words: &str) -> usize {
    if words.starts_with("- ") { 2 } else { words.rfind("  ").map_or(0, |gap| gap + 2) }
}
