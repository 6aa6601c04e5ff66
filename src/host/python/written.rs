//! Texts that a program writes line by line: `print("...")`, `file.write("...")`.

use super::formats::inside;
use super::strings::Strings;
use super::tokens::{Kind, Role, Token, closing, parts};
use crate::base::span::Span;
use crate::host::map::Mapped;
use crate::host::nested;
use rustc_hash::FxHashSet;
use std::ops::Range;

/// A text that calls one after the other write to one place.
#[derive(Default)]
pub(super) struct Written<'t> {
    /// What is called: `print`, `file.write`.
    callee: &'t str,
    /// What stands between the parentheses of each call.
    pub(super) calls: Vec<Range<usize>>,
    /// Whether other statements stand between them, which may write as well.
    pub(super) has_gaps: bool,
}

impl Written<'_> {
    /// Appends what a call writes.
    pub(super) fn append(&self, strings: &Strings, arguments: &[Token], out: &mut Mapped) {
        let Some(argument) = parts(arguments).next() else { return };
        strings.append(argument, 0, out);
        let has_end = parts(arguments).any(|a| a[0].span.of(strings.text) == "end");
        let name = self.callee.rsplit(['.', ' ']).next().unwrap_or(self.callee);
        let ends_line = match name {
            "print" => !has_end,
            "write" => false,
            _ => !out.text.ends_with('\n'),
        };
        if ends_line {
            out.push_atom("\n", Span::at(argument[argument.len() - 1].span.end));
        }
    }
}

/// A text that is written by several calls, and what is known of it.
pub(super) struct Source {
    pub(super) text: Mapped,
    pub(super) span: Span,
    /// Whether nothing else can have been written between its lines.
    pub(super) is_whole: bool,
}

/// Finds the texts that may hold asm statements or kernels. The places of their literals go to `literals`.
pub(super) fn read(strings: &Strings, literals: &mut FxHashSet<u32>) -> Vec<Source> {
    let (text, tokens) = (strings.text, strings.tokens);
    let may_hold = |t: &Token| {
        inside(t).is_some_and(|s| nested::may_hold(s.of(text)) || s.of(text).trim_start().starts_with(".version"))
    };
    if !tokens.iter().any(may_hold) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for written in written(text, tokens, false) {
        let all = || written.calls.iter().flat_map(|call| &tokens[call.clone()]);
        if written.calls.len() < 2 || !all().any(may_hold) {
            continue;
        }
        let mut source = Mapped::default();
        for call in &written.calls {
            written.append(strings, &tokens[call.clone()], &mut source);
        }
        literals.extend(all().filter_map(inside).map(|s| s.start));
        let (first, last) = (written.calls[0].start, written.calls[written.calls.len() - 1].end);
        let span = Span::new(tokens[first].span.start, tokens[last].span.end);
        found.push(Source { text: source, span, is_whole: !written.has_gaps });
    }
    found
}

/// The calls that write, in the order of the text: those of one function to one place belong together. With `takes_any` also
/// those of other functions that are given one string.
pub(super) fn written<'t>(text: &'t str, tokens: &[Token], takes_any: bool) -> Vec<Written<'t>> {
    let mut all = Vec::new();
    let mut open = Written::default();
    let mut depth = 0i32;
    let mut end = 0;
    for at in 0..tokens.len() {
        if at >= end && depth == 0 && tokens[at].begins_line {
            if let Some((callee, call)) = call(text, tokens, at, takes_any) {
                end = call.end + 1;
                if callee != open.callee {
                    all.push(std::mem::replace(&mut open, Written { callee, ..Written::default() }));
                }
                if !call.is_empty() {
                    open.calls.push(call);
                }
                continue;
            }
            match tokens[at].role {
                Role::Def | Role::Class => all.push(std::mem::take(&mut open)),
                Role::Return => {}
                _ => open.has_gaps |= tokens.get(at + 1).is_none_or(|t| t.kind != Kind::Equal),
            }
        }
        if at >= end {
            depth += tokens[at].nesting();
        }
    }
    all.push(open);
    all
}

/// The call that is the whole line at `at`, if it writes: what is called, and what stands between its parentheses.
fn call<'t>(text: &'t str, tokens: &[Token], at: usize, takes_any: bool) -> Option<(&'t str, Range<usize>)> {
    let goes_on = |i: &usize| *i == at || !tokens[*i].begins_line;
    let is_path = |i: &usize| matches!(tokens[*i].kind, Kind::Word | Kind::Dot);
    let path = (at..tokens.len()).take_while(|i| goes_on(i) && is_path(i)).count();
    let open = at + path;
    tokens.get(open).filter(|t| path > 0 && t.is(text, "("))?;
    let name = tokens[open - 1];
    let is_string = || tokens.get(open + 1).is_some_and(|t| inside(t).is_some());
    let writes = if path == 1 { name.is(text, "print") } else { name.is(text, "write") };
    if !(writes || takes_any && is_string()) {
        return None;
    }
    let close = closing(tokens, open)?;
    let is_line = close + 1 == tokens.len() || tokens[close + 1].begins_line;
    is_line.then(|| (Span::new(tokens[at].span.start, name.span.end).of(text), open + 1..close))
}
