//! Lines of vISA in strings that no statement is known to take.

use super::brackets::span_of;
use super::lexer::{Kind, Token};
use super::written::FOR_PEOPLE;
use super::{Function, Reader, stream};
use crate::host::loose::{self, End};
use crate::host::map::Mapped;

/// Tokens before a literal in which the call is looked for that it is an argument of.
const MOST_BEFORE: usize = 24;

/// What is printed is for people.
const PRINTED: [&str; 2] = ["cout", "printf"];

impl Reader<'_> {
    /// Adds the lines in literals of the text, and of macros, that are part of no statement so far.
    pub(super) fn loose(&mut self, code: &[Token]) {
        let mut taken: Vec<u32> = self.found.iter().flat_map(|s| s.template.host_starts()).collect();
        taken.sort_unstable();
        self.loose_in(code, &taken);
        let mut bodies: Vec<(usize, usize)> = self.macros.values().flatten().map(|m| m.body).collect();
        bodies.sort_unstable();
        for (from, to) in bodies {
            let body: Vec<Token> = self.tokens[from..to].iter().filter(|t| t.kind != Kind::Newline).copied().collect();
            self.loose_in(&body, &taken);
        }
    }

    fn loose_in(&mut self, code: &[Token], taken: &[u32]) {
        let mut at = 0;
        while at < code.len() {
            if !is_text(code, at) {
                at += 1;
                continue;
            }
            let items = items(code, at);
            let before = at.checked_sub(1).map(|i| code[i]);
            let end = items.last().map_or(at + 1, |(_, end)| *end);
            let begins = before.is_none_or(|t| self.begins_value(code, t, at) || self.begins_line_of_stream(code, at));
            at = end;
            // What a macro of the file makes of it is read there, or nothing.
            if !begins || before.is_some_and(|_| self.macros.contains_key(self.callee(code, items[0].0))) {
                continue;
            }
            let texts: Vec<Option<Mapped>> = items.iter().map(|(from, _)| self.lines_at(code, *from)).collect();
            let is_list = items.len() > 1 && texts.iter().all(Option::is_some);
            for ((from, to), text) in items.into_iter().zip(texts) {
                let span = span_of(&code[from..to]);
                let first = taken.partition_point(|start| *start < span.start);
                let is_taken = taken.get(first).is_some_and(|start| *start < span.end);
                let Some(text) = text.filter(|text| !is_taken && loose::is_lines(&text.text)) else { continue };
                self.functions.push(Function::of_macro("", self.file_is_vector));
                let function = self.functions.len() as u32;
                let last = match code.get(to).map(|t| t.kind) {
                    _ if is_list => End::Line,
                    None | Some(Kind::Semicolon | Kind::Comma | Kind::Close | Kind::BraceClose) => End::Unknown,
                    Some(_) => End::Continued,
                };
                self.found.push(loose::statement(&text, span, last, function));
            }
        }
    }

    /// The name before the parenthesis that the literal at `at` stands in.
    fn callee(&self, code: &[Token], at: usize) -> &str {
        let mut depth = 0i32;
        for i in (at.saturating_sub(MOST_BEFORE)..at).rev() {
            match code[i].kind {
                Kind::Close => depth += 1,
                Kind::Open if depth == 0 => return i.checked_sub(1).map_or("", |i| self.word(code[i])),
                Kind::Open => depth -= 1,
                Kind::Semicolon | Kind::BraceOpen | Kind::BraceClose => return "",
                _ => {}
            }
        }
        ""
    }

    /// The text of the literals at `from`, if it may be lines of vISA.
    fn lines_at(&self, code: &[Token], from: usize) -> Option<Mapped> {
        let (_, joined) = self.literals_at(code, from);
        let is_format = stream::is_format(self.text, &code[..from]);
        let joined = if is_format { stream::printed(self.text, &joined) } else { joined };
        let mut text = Mapped::default();
        super::generator::formatted(self.text, &joined, &mut text);
        loose::may_be_lines(&text.text).then_some(text)
    }

    /// Whether the literal at `at` is the first one that a statement writes to a stream: `os << "..."`.
    fn begins_line_of_stream(&self, code: &[Token], at: usize) -> bool {
        let [.., name, first, second] = &code[..at] else { return false };
        let is_shift = (first.kind, second.kind) == (Kind::Less, Kind::Less) && first.end == second.start;
        let word = self.word(*name);
        let begins = at < 4 || stream::ends_statement(code[at - 4]);
        is_shift && begins && name.kind == Kind::Word && !FOR_PEOPLE.contains(&word) && !PRINTED.contains(&word)
    }
}

fn is_text(code: &[Token], at: usize) -> bool {
    code.get(at).is_some_and(|t| matches!(t.kind, Kind::Text | Kind::Raw))
}

/// The items of a list of literals that begins at `at`: where each begins and ends.
fn items(code: &[Token], at: usize) -> Vec<(usize, usize)> {
    let mut all = Vec::new();
    let mut from = at;
    loop {
        let end = from + (from..code.len()).take_while(|i| is_text(code, *i)).count();
        all.push((from, end));
        if code.get(end).is_none_or(|t| t.kind != Kind::Comma) || !is_text(code, end + 1) {
            return all;
        }
        from = end + 1;
    }
}
