//! Folds: kernels, subroutines and blocks between labels, scopes, runs of declarations and of comments.

use crate::lsp::ask::Ask;
use crate::lsp::names;
use crate::program::{ObjectId, ObjectKind};
use crate::syntax::lexer::{Lexer, Line};
use gen_lsp_types::{FoldingRange, FoldingRangeKind};

/// Fewer lines than this in a row are not worth a fold of their own.
const SHORTEST_RUN: u32 = 3;

/// Answers the request.
#[must_use]
pub fn folding_range(ask: &Ask) -> Vec<FoldingRange> {
    let analysis = &ask.analysis;
    let p = &analysis.program;
    let mut folds = Folds { ask, found: Vec::new() };
    for (id, object) in p.objects.entries() {
        let whole = names::object_span(analysis, id);
        let last = last_line(ask, whole.end);
        if object.kind != ObjectKind::Missing {
            folds.add(line(ask, object.span.start), last, None);
        }
        blocks(ask, id, last, &mut folds);
    }
    runs(ask, &mut folds);
    scopes(ask, &mut folds);
    folds.found.sort_by_key(|f| (f.start_line, std::cmp::Reverse(f.end_line)));
    folds.found.dedup_by_key(|f| (f.start_line, f.end_line));
    folds.found
}

struct Folds<'a> {
    ask: &'a Ask<'a>,
    found: Vec<FoldingRange>,
}

impl Folds<'_> {
    fn add(&mut self, start: u32, end: u32, kind: Option<FoldingRangeKind>) {
        if start >= end {
            return;
        }
        let mut fold = FoldingRange { start_line: start, end_line: end, kind, ..FoldingRange::default() };
        if !self.ask.client.folds_lines {
            let column = |line: u32| {
                let span = self.ask.analysis.text.line_span(line);
                self.ask.analysis.text.position(span.end, self.ask.client.encoding).character
            };
            fold.start_character = Some(column(start));
            fold.end_character = Some(column(end));
        }
        self.found.push(fold);
    }
}

fn line(ask: &Ask, offset: u32) -> u32 {
    ask.analysis.text.line(offset)
}

/// The last line before `end` that holds something.
fn last_line(ask: &Ask, end: u32) -> u32 {
    let text = ask.analysis.text.as_str();
    line(ask, text[..end as usize].trim_end().len() as u32)
}

/// What stands between one label and the next, and subroutines as a whole.
fn blocks(ask: &Ask, id: ObjectId, last: u32, folds: &mut Folds) {
    let p = &ask.analysis.program;
    let labels = p.labels_of(&p.objects[id]);
    for (i, label) in labels.iter().enumerate() {
        let next = labels[i + 1..].iter().find(|l| !label.is_function || l.is_function);
        let end = next.map_or(last, |l| line(ask, l.span.start).saturating_sub(1));
        // Blank lines at the end stay outside.
        let end = last_line(ask, ask.analysis.text.line_span(end).end);
        folds.add(line(ask, label.span.start), end, None);
    }
}

/// Lines in a row that are all declarations, or all comments.
fn runs(ask: &Ask, folds: &mut Folds) {
    #[derive(Clone, Copy, PartialEq, Eq)]
    enum Sort {
        Declaration,
        Comment,
        Other,
    }
    let text = &ask.analysis.text;
    let sort_of = |line: u32| {
        let words = text.line_text(line).trim_start();
        if words.starts_with("//") {
            Sort::Comment
        } else if words.starts_with(".decl") {
            Sort::Declaration
        } else {
            Sort::Other
        }
    };
    let mut start = 0;
    let mut sort = sort_of(0);
    for line in 1..=text.n_lines() {
        let now = if line < text.n_lines() { sort_of(line) } else { Sort::Other };
        if now == sort && line < text.n_lines() {
            continue;
        }
        if sort != Sort::Other && line - start >= SHORTEST_RUN {
            let kind = if sort == Sort::Comment { FoldingRangeKind::Comment } else { FoldingRangeKind::Region };
            folds.add(start, line - 1, Some(kind));
        }
        start = line;
        sort = now;
    }
}

/// Braces, and comments of several lines.
fn scopes(ask: &Ask, folds: &mut Folds) {
    let text = ask.analysis.text.as_str();
    let has_scope = text.lines().any(|l| l.trim_start().starts_with('{'));
    if has_scope {
        let mut lexer = Lexer::new(text);
        let mut open = Vec::new();
        while let Some(next) = lexer.next_line() {
            match next {
                Line::ScopeOpen(brace) => open.push(brace.start),
                Line::ScopeClose(brace) => {
                    if let Some(start) = open.pop() {
                        folds.add(line(ask, start), line(ask, brace.start), None);
                    }
                }
                _ => {}
            }
        }
    }
    let mut from = 0;
    while let Some(start) = memchr::memmem::find(&text.as_bytes()[from..], b"/*").map(|i| i + from) {
        let line_start = text[..start].rfind('\n').map_or(0, |i| i + 1);
        if text[line_start..start].contains("//") {
            from = text[start..].find('\n').map_or(text.len(), |i| start + i);
            continue;
        }
        let end = memchr::memmem::find(&text.as_bytes()[start + 2..], b"*/").map_or(text.len(), |i| start + 2 + i + 2);
        folds.add(line(ask, start as u32), line(ask, end.saturating_sub(1) as u32), Some(FoldingRangeKind::Comment));
        from = end;
    }
}
