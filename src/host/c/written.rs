//! vISA that a program writes line by line to a stream that it is given: `void store(std::ostream &os) { os << "..."; }`.

use super::lexer::{Kind, Token};
use super::{HOLE, Reader, WIDE_HOLE};
use crate::base::span::Span;
use crate::host::loose::{self, Words};
use crate::host::map::Mapped;
use crate::host::{guess, kernel, sign};
use rustc_hash::FxHashMap;

/// What one block of a program writes to one stream.
pub(super) struct Written {
    pub(super) text: Mapped,
    /// Where its literals begin.
    pub(super) literals: Vec<u32>,
    pub(super) words: Words,
    /// Braces around the first of them.
    depth: u32,
}

/// What is written to the streams of a program that begin elsewhere.
#[derive(Default)]
pub(super) struct Streams<'a> {
    open: FxHashMap<&'a str, Written>,
    depth: u32,
}

impl<'a> Streams<'a> {
    /// What is written to the stream with that name; `first` is what is written now.
    pub(super) fn of(&mut self, name: &'a str, first: &str, place: Span) -> &mut Written {
        let depth = self.depth;
        self.open.entry(name).or_insert_with(|| {
            let mut text = Mapped::default();
            let unknown = if begins_line(first) { format!("{WIDE_HOLE}\n") } else { WIDE_HOLE.to_string() };
            text.push_atom(&unknown, Span::at(place.start));
            Written { text, literals: Vec::new(), words: Words::default(), depth }
        })
    }

    /// Reads a token. Returns what was written in the block that it ends.
    pub(super) fn read(&mut self, token: Token) -> Vec<Written> {
        match token.kind {
            Kind::BraceOpen => self.depth += 1,
            Kind::BraceClose => {
                self.depth = self.depth.saturating_sub(1);
                let depth = self.depth;
                if self.open.values().any(|w| w.depth > depth) {
                    let mut ended: Vec<Written> =
                        self.open.extract_if(|_, w| w.depth > depth).map(|(_, w)| w).collect();
                    ended.sort_by_key(|w| w.literals.first().copied());
                    return ended;
                }
            }
            _ => {}
        }
        Vec::new()
    }
}

impl Reader<'_> {
    /// Adds what a block writes as a statement, if it is vISA: between lines that are not known.
    pub(super) fn written(&mut self, mut written: Written, end: u32) {
        let text = &written.text.text;
        if written.literals.is_empty() || holds_strings(text) || !is_program(text) || !sign::is_template(text, true) {
            return;
        }
        let unknown = if text.ends_with('\n') { format!("{WIDE_HOLE}\n") } else { WIDE_HOLE.to_string() };
        written.text.push_atom(&unknown, Span::at(end));
        let span = Span::new(written.literals[0], end);
        self.built.extend(&written.literals);
        if written.text.text.contains('$') {
            self.numbered_statement(span, written.text, None, None);
        } else {
            self.found.push(kernel::part(&written.text, span));
        }
    }
}

/// Whether a text begins with a statement, and is not the rest of a line.
fn begins_line(text: &str) -> bool {
    let text = text.trim_start();
    let word =
        text.trim_start_matches(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '_' | '.'));
    let is_instruction =
        word.len() < text.len() && word.trim_start().starts_with("(M") && word.starts_with([' ', '\t']);
    let is_name = |name: &str| name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    let first = text.split_once('\n').map_or(text, |(line, _)| line);
    let is_label = first.trim_end().strip_suffix(':').is_some_and(|name| !name.is_empty() && is_name(name));
    is_instruction || is_label || text.starts_with(".version") || guess::begins_statement(text)
}

/// Whether a text has strings in it, as sources of other languages have, and not only names of kernels.
fn holds_strings(text: &str) -> bool {
    const NAMED: [&str; 3] = [".kernel", ".function", ".global_function"];
    let is_own = |line: &str| {
        let line = line.trim_start();
        let word = line.split([' ', '\t']).next().unwrap_or(line);
        NAMED.iter().any(|named| line.starts_with(named)) || crate::spec::lookup(word).is_some()
    };
    text.lines().any(|line| line.contains('"') && !is_own(line))
}

/// Whether all lines of a text begin as those of vISA do, and some are: messages about it are prose.
fn is_program(text: &str) -> bool {
    let mut n_statements = 0;
    for line in text.lines().map(str::trim_start) {
        let word = line.split([' ', '\t', '.', HOLE, WIDE_HOLE]).next().unwrap_or(line);
        if line.is_empty() || line.starts_with([HOLE, WIDE_HOLE, '{', '}']) {
            continue;
        }
        let is_other = line.starts_with(['.', '('])
            || line.starts_with("//")
            || line.trim_end().ends_with(':')
            || crate::spec::lookup(word).is_some() && !loose::is_prose(line);
        match begins_line(line) {
            true if line.starts_with('.') => n_statements += 2,
            true => n_statements += 1,
            false if is_other => {}
            false => return false,
        }
    }
    n_statements >= 2
}

/// Streams that people read.
pub(super) const FOR_PEOPLE: [&str; 3] = ["cerr", "clog", "stderr"];

/// What is printed is for people.
pub(super) const PRINTED: [&str; 2] = ["cout", "printf"];
