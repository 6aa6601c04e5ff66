//! The form of a comment that suppresses: `visa-lint: VERB(RULE, ...) REASON`.

use super::MALFORMED_SUPPRESSION;
use crate::base::diagnostic::Diagnostic;
use crate::base::span::Span;
use crate::base::spelling::closest;
use crate::host::Host;
use crate::syntax::comment::{Comment, comments_with};

/// The word that such comments begin with.
const MARK: &str = "visa-lint";

/// What a comment does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Verb {
    Allow,
    AllowKernel,
    AllowFile,
    Expect,
}

const VERBS: [(&str, Verb); 4] = [
    ("allow", Verb::Allow),
    ("allow-kernel", Verb::AllowKernel),
    ("allow-file", Verb::AllowFile),
    ("expect", Verb::Expect),
];

/// A comment that begins with the mark.
#[derive(Clone, Debug)]
pub(super) struct Parsed {
    pub comment: Comment,
    /// What it does, if it can be read.
    pub verb: Option<Verb>,
    /// From the mark to the end of the list.
    pub directive: Span,
    /// The list with its parentheses.
    pub list: Span,
    /// The names of rules.
    pub names: Vec<Span>,
    /// Why, up to the end of the line; empty if nothing is said.
    pub reason: Span,
    /// What is wrong with its form.
    pub fault: Option<Diagnostic>,
}

impl Parsed {
    /// What to take out so that the comment is gone, with its line if nothing else stands on it.
    pub fn removal(&self, text: &str) -> Span {
        let span = self.comment.span;
        let blanks = text[..span.start as usize].bytes().rev().take_while(|b| matches!(b, b' ' | b'\t')).count() as u32;
        let start = span.start - blanks;
        let is_line = start == 0 || text.as_bytes()[start as usize - 1] == b'\n';
        let rest = &text[span.end as usize..];
        let newline = if rest.starts_with("\r\n") { 2 } else { u32::from(rest.starts_with('\n')) };
        Span::new(start, if is_line { span.end + newline } else { span.end })
    }
}

/// What to take out so that one name is gone from the list, with one comma.
pub(super) fn removal_of_name(parsed: &Parsed, name: Span) -> Span {
    let Ok(index) = parsed.names.binary_search_by_key(&name.start, |n| n.start) else { return name };
    if let Some(next) = parsed.names.get(index + 1) {
        return Span::new(name.start, next.start);
    }
    let start = index.checked_sub(1).map_or(name.start, |before| parsed.names[before].end);
    Span::new(start, name.end)
}

/// The comments of a text that begin with the mark.
pub(super) fn read(text: &str) -> Vec<Parsed> {
    comments_with(text, MARK).into_iter().filter_map(|comment| parse(text, comment)).collect()
}

/// The comments of a host source, and those inside of its templates, that begin with the mark. A comment is about the
/// line before it, the line below it, or the statement that begins below it.
pub(super) fn read_host(text: &str, host: &Host) -> Vec<Parsed> {
    let mut all: Vec<Comment> = host.comments.iter().map(|span| host_comment(text, host, *span)).collect();
    for fragment in &host.fragments {
        let inside = comments_with(fragment.text(), MARK);
        all.extend(inside.into_iter().map(|comment| Comment {
            span: fragment.place(text, comment.span),
            is_trailing: comment.is_trailing,
            statement: fragment.place(text, comment.statement),
        }));
    }
    all.sort_by_key(|c| (c.span.start, c.statement.start));
    // The template of a macro is read in each of its uses.
    all.dedup();
    all.into_iter().filter_map(|comment| parse(text, comment)).collect()
}

fn host_comment(text: &str, host: &Host, span: Span) -> Comment {
    let line_of = |at: usize| {
        let start = text[..at].rfind('\n').map_or(0, |i| i + 1);
        let end = memchr::memchr(b'\n', &text.as_bytes()[at..]).map_or(text.len(), |i| at + i);
        Span::new(start as u32, end as u32)
    };
    let own = line_of(span.start as usize);
    let before = Span::new(own.start, span.start).of(text);
    // In a source that is a string, the quote before a line is no part of it.
    let is_trailing = !before.trim_matches([' ', '\t', '"']).is_empty();
    let statement = if is_trailing {
        own
    } else {
        let below = line_of((line_of(span.end as usize).end as usize + 1).min(text.len()));
        host.fragments
            .iter()
            .map(|f| f.raw.span)
            .find(|s| below.start <= s.start && s.start <= below.end)
            .map_or(below, |s| Span::new(below.start, s.end.max(below.end)))
    };
    Comment { span, is_trailing, statement }
}

fn parse(text: &str, comment: Comment) -> Option<Parsed> {
    let start = mark(text, comment.span)?;
    // Of a block comment, the rest of the line.
    let written = Span::new(start, comment.span.end).of(text);
    let is_block = comment.span.of(text).starts_with("/*");
    let ends = |sign| written.find(sign).filter(|_| is_block).unwrap_or(written.len());
    let end = start + written[..ends("*/").min(ends("\n"))].trim_end().len() as u32;
    let mut at = Cursor { text, at: start + MARK.len() as u32, end };
    let mut parsed = Parsed {
        comment,
        verb: None,
        directive: Span::new(start, end),
        list: Span::at(end),
        names: Vec::new(),
        reason: Span::at(end),
        fault: None,
    };
    at.blanks();
    let has_colon = at.take(b':');
    let colon = Span::new(start + MARK.len() as u32, at.at);
    at.blanks();
    let word = at.word();
    let verb = VERBS.iter().find(|(name, _)| *name == word.of(text));
    at.blanks();
    let list_start = at.at;
    let has_list = at.take(b'(');
    if !has_colon {
        // A comment that merely speaks of the program is no directive.
        let (_, _) = verb.filter(|_| has_list)?;
        parsed.fault = Some(
            Diagnostic::new(&MALFORMED_SUPPRESSION, Span::new(start, word.end), "a colon is missing after `visa-lint`")
                .replace(colon, ": ", true),
        );
        return Some(parsed);
    }
    let fail = |span: Span, message: &str| Diagnostic::new(&MALFORMED_SUPPRESSION, span, message);
    let forms = "write `allow(rule) reason`, `allow-kernel(...)`, `allow-file(...)` or `expect(...)`";
    let Some((_, verb)) = verb else {
        let said = word.of(text);
        parsed.fault = Some(if word.is_empty() {
            fail(parsed.directive, "nothing is said after `visa-lint:`").help(forms)
        } else {
            let fault = fail(word, &format!("`{said}` is none of allow, allow-kernel, allow-file and expect"));
            match closest(said, VERBS.iter().map(|(name, _)| *name)) {
                Some(similar) => fault.help(format!("did you mean `{similar}`?")).replace(word, similar, has_list),
                None => fault.help(forms),
            }
        });
        return Some(parsed);
    };
    if !has_list {
        parsed.fault = Some(
            fail(word, "the rules are missing")
                .help(format!("write them in parentheses: `{}(rule) reason`", word.of(text))),
        );
        return Some(parsed);
    }
    loop {
        at.blanks();
        let name = at.word();
        if !name.is_empty() {
            parsed.names.push(name);
        }
        at.blanks();
        if at.take(b',') {
            continue;
        }
        if at.take(b')') {
            break;
        }
        let here = Span::new(list_start, at.at);
        let fault = fail(here, "this list of rules is not closed by `)`");
        parsed.names.clear();
        parsed.fault = Some(fault.help("separate names by commas, and write the reason after the list"));
        return Some(parsed);
    }
    parsed.list = Span::new(list_start, at.at);
    parsed.directive.end = at.at;
    if parsed.names.is_empty() {
        parsed.fault =
            Some(fail(parsed.list, "no rule is named").help("name the rules: `visa-lint explain` lists them"));
        return Some(parsed);
    }
    parsed.verb = Some(*verb);
    parsed.reason = reason(text, Span::new(at.at, end));
    Some(parsed)
}

/// Where the mark stands: at the beginning of the comment, or of a comment in it.
fn mark(text: &str, comment: Span) -> Option<u32> {
    let body = comment.of(text);
    let at = body.match_indices(MARK).map(|(at, _)| at).find(|at| {
        let front = body[..*at].trim_end_matches([' ', '\t']);
        // The comments of host sources begin in their own way.
        let is_block = |inside: &str| inside.bytes().all(|b| matches!(b, b'*' | b' ' | b'\t' | b'\r' | b'\n'));
        front.ends_with("//") || matches!(front, "#" | ";") || front.strip_prefix("/*").is_some_and(is_block)
    })?;
    Some(comment.start + at as u32)
}

/// The reason without the signs that may stand before it; empty if it holds no word.
fn reason(text: &str, rest: Span) -> Span {
    let words = rest.of(text);
    let start = words.len() - words.trim_start_matches(|c: char| !c.is_alphanumeric() && !"`\"'(<".contains(c)).len();
    let has_words = words.chars().any(char::is_alphanumeric);
    if has_words { Span::new(rest.start + start as u32, rest.end) } else { Span::at(rest.end) }
}

/// Reads words and signs.
struct Cursor<'a> {
    text: &'a str,
    at: u32,
    end: u32,
}

impl Cursor<'_> {
    fn rest(&self) -> &[u8] {
        &self.text.as_bytes()[self.at as usize..self.end as usize]
    }

    fn blanks(&mut self) {
        self.at += self.rest().iter().take_while(|b| matches!(b, b' ' | b'\t')).count() as u32;
    }

    fn take(&mut self, sign: u8) -> bool {
        let found = self.rest().first() == Some(&sign);
        self.at += u32::from(found);
        found
    }

    /// Letters, digits, `-` and `_`.
    fn word(&mut self) -> Span {
        let length =
            self.rest().iter().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_')).count() as u32;
        let span = Span::new(self.at, self.at + length);
        self.at = span.end;
        span
    }
}
