//! Lines of vISA in strings that no statement is known to take.

use super::choices::MOST_CHOICES;
use super::formats::{self, Formatting, inside};
use super::kernels::end_of_value;
use super::names::Given;
use super::strings::Strings;
use super::tokens::{Kind, Role, Token, may_hold, names_method};
use super::values::MOST_GIVEN;
use super::written;
use crate::base::span::Span;
use crate::host::c;
use crate::host::guess;
use crate::host::loose::{self, End};
use crate::host::map::Mapped;
use crate::host::placeholder::{without_marks, without_word};
use crate::host::statement::{Expansion, RawStatement};
use rustc_hash::FxHashSet;
use std::ops::Range;

/// Finds the lines that are part of no statement so far.
pub(super) fn read(strings: &Strings, known: &[RawStatement]) -> Vec<RawStatement> {
    let (text, tokens) = (strings.text, strings.tokens);
    let mut found = Vec::new();
    if !loose::may_hold(text) {
        return found;
    }
    let mut taken: Vec<u32> = known.iter().flat_map(|s| s.template.host_starts()).collect();
    taken.sort_unstable();
    let is_among = |taken: &[u32], span: Span| {
        let first = taken.partition_point(|start| *start < span.start);
        taken.get(first).is_some_and(|start| *start < span.end)
    };
    let put_together = put_together(strings, &|span| is_among(&taken, span), &mut found);
    taken.extend(put_together);
    taken.sort_unstable();
    let is_taken = |span: Span| is_among(&taken, span);
    let together = written_lines(strings, &is_taken, &mut found);
    let is_taken = |span: Span| is_taken(span) || together.contains(&span.start);
    let reach = Expansion::of(text);
    let mut depth = 0i32;
    let mut at = 0;
    while at < tokens.len() {
        depth += tokens[at].nesting();
        if !tokens[at].is_text() {
            at += 1;
            continue;
        }
        // `NAME + "..."`
        let is_name = |name: &usize| tokens[*name].kind == Kind::Word && tokens[at - 1].is(text, "+");
        let name = at.checked_sub(2).filter(is_name).filter(|name| begins_value(tokens, *name, depth));
        if name.is_none() && !begins_value(tokens, at, depth) {
            at += 1;
            continue;
        }
        let n = tokens[at..].iter().map_while(inside).count();
        // A key.
        if depth > 0 && tokens.get(at + n).is_some_and(|t| t.kind == Kind::Colon) {
            at += n;
            continue;
        }
        if let Some((end, lines)) = scope_of_items(strings, at, &is_taken) {
            let span = Span::new(tokens[at].span.start, tokens[end - 1].span.end);
            found.push(loose::statement(&lines, span, End::Line, found.len() as u32 + 1));
            at = end;
            continue;
        }
        let from = name.unwrap_or_else(|| group(strings, at));
        let end = end_of_value(tokens, from).max(at + 1);
        // Values inside of each other are read up to the end of each.
        reach.spend_steps(end - from);
        if reach.is_over() {
            break;
        }
        let span = Span::new(tokens[at].span.start, tokens[end - 1].span.end);
        let literals: Vec<Span> = tokens[at..end].iter().filter_map(inside).collect();
        if literals.iter().any(|l| loose::may_hold(l.of(text))) && !literals.iter().any(|l| is_taken(*l)) {
            // Of texts among which the program chooses, each is one.
            for choice in 0..MOST_CHOICES {
                strings.choice.set(choice);
                strings.n_choices.set(1);
                strings.block.set(None);
                if let Some((lines, is_nested)) = lines(strings, from..end, at) {
                    let function = found.len() as u32 + 1;
                    let is_line = is_list(text, tokens, at, end) || is_emitted(strings, at, end);
                    let last = if is_line { End::Line } else { End::Unknown };
                    let mut statement = loose::statement(&lines, span, last, function);
                    statement.is_nested = is_nested;
                    found.push(statement);
                }
                if choice + 1 >= strings.n_choices.get() || strings.expansion.is_over() {
                    break;
                }
            }
        }
        at = if tokens[at..end].iter().any(|t| t.kind == Kind::Open) { at + 1 } else { end };
    }
    found
}

/// Finds the texts that names and lists put together: what a function returns, and what `"\n".join(lines)` makes. Returns where
/// their parts begin.
fn put_together(strings: &Strings, is_taken: &dyn Fn(Span) -> bool, found: &mut Vec<RawStatement>) -> FxHashSet<u32> {
    let (text, tokens) = (strings.text, strings.tokens);
    let mut all = FxHashSet::default();
    let mut depth = 0i32;
    for at in 1..tokens.len() {
        depth += tokens[at - 1].nesting();
        let is_plus = |at: usize| tokens.get(at).is_some_and(|t| t.is(text, "+"));
        let is_joined =
            || tokens[at].is_text() && names_method(text, tokens, at + 1, "join") && begins_value(tokens, at, depth);
        let goes_on = || names_method(text, tokens, at + 1, "replace") || is_plus(at + 1);
        let given = || strings.assigned.get(tokens[at].span.of(text)).map_or(&[][..], Vec::as_slice);
        let is_returned =
            || tokens[at - 1].role == Role::Return && (given().len() > 1 || !given().is_empty() && goes_on());
        // `HEAD + TAIL`, of names that are given strings.
        let is_string = |given: &Given| tokens.get(given.tokens.start).is_some_and(|t| t.is_text());
        let is_sum = || {
            tokens[at].kind == Kind::Word
                && is_plus(at + 1)
                && tokens.get(at + 2).is_some_and(|t| t.kind == Kind::Word)
                && begins_value(tokens, at, depth)
                && given().iter().take(MOST_GIVEN).any(is_string)
        };
        if !is_joined() && !is_returned() && !is_sum() || strings.expansion.is_over() {
            continue;
        }
        let end = end_of_value(tokens, at);
        let span = Span::new(tokens[at].span.start, tokens[end - 1].span.end);
        strings.expansion.spend_steps(end - at);
        let mut own = FxHashSet::default();
        for choice in 0..MOST_CHOICES {
            strings.choice.set(choice);
            strings.n_choices.set(1);
            strings.block.set(None);
            if let Some((lines, is_nested)) = lines(strings, at..end, at) {
                let starts: Vec<u32> = lines.host_starts().collect();
                let is_known = |start: &u32| all.contains(start) || is_taken(Span::new(*start, *start + 1));
                let is_several = is_sum() || given().len() > 1 || lines.text.trim_end().contains('\n');
                let is_one = is_several && !loose::declares_twice(&lines.text);
                if is_one && !starts.iter().any(is_known) {
                    let mut statement = loose::statement(&lines, span, End::Unknown, found.len() as u32 + 1);
                    statement.is_nested = is_nested;
                    found.push(statement);
                    own.extend(starts);
                }
            }
            if choice + 1 >= strings.n_choices.get() {
                break;
            }
        }
        all.extend(own);
    }
    all
}

/// The lines that the items of a list are whose first one stands at `at`, if together they are one scope, and where they end.
fn scope_of_items(strings: &Strings, at: usize, is_taken: &dyn Fn(Span) -> bool) -> Option<(usize, Mapped)> {
    let (text, tokens) = (strings.text, strings.tokens);
    let open = at.checked_sub(1).filter(|open| matches!(tokens[*open].span.of(text), "[" | "("))?;
    inside(&tokens[at]).filter(|first| first.of(text).trim_start().starts_with('{'))?;
    let close = strings.brackets.closing(open)?;
    let mut whole = Mapped::default();
    let mut from = at;
    while from < close {
        tokens.get(from).and_then(inside).filter(|item| !is_taken(*item))?;
        let end = end_of_value(tokens, from).max(from + 1);
        let item = text_of(strings, from..end, from).0;
        whole.push_part(&item, Span::new(0, item.text.len() as u32));
        if !item.text.ends_with('\n') {
            whole.push_atom("\n", Span::at(tokens[end - 1].span.end));
        }
        if end < close && tokens[end].kind != Kind::Comma {
            return None;
        }
        from = end + 1;
    }
    let is_list = tokens.get(at + 1).is_some_and(|t| t.kind == Kind::Comma);
    (is_list && loose::is_scope(&whole.text) && loose::is_lines(&whole.text)).then_some((close, whole))
}

/// The text of the value whose tokens are in `range`, and whose first literal stands at `at`, if it is lines; and whether they
/// stand in a string of their own.
fn lines(strings: &Strings, range: Range<usize>, at: usize) -> Option<(Mapped, bool)> {
    let (lines, is_nested) = text_of(strings, range, at);
    loose::is_lines(&lines.text).then_some((lines, is_nested))
}

/// The text of the value whose tokens are in `range`, and whose first literal stands at `at`; and whether it stands in a string
/// of its own.
fn text_of(strings: &Strings, range: Range<usize>, at: usize) -> (Mapped, bool) {
    let (text, tokens) = (strings.text, strings.tokens);
    let mut lines = Mapped::default();
    match formatting(text, tokens, at..range.end) {
        Some(formatting) => {
            tokens[at..range.end].iter().for_each(|t| formats::literal(text, *t, formatting, &mut lines));
        }
        None => strings.append(&tokens[range], 0, &mut lines),
    }
    strings.expansion.spend(&lines);
    let quoted = c::quoted(text, &lines);
    let is_nested = quoted.is_some();
    let lines = quoted.unwrap_or(lines);
    let lines = without_marks(text, &lines).unwrap_or(lines);
    let lines = strings.replaced.iter().fold(lines, |lines, word| without_word(text, &lines, word).unwrap_or(lines));
    (lines, is_nested)
}

/// Words that `.replace` is given to put something else in the place of.
const MOST_REPLACED: usize = 64;

/// The words of strings that `.replace("WORD", value)` puts something else in the place of.
pub(super) fn replaced_words<'t>(text: &'t str, tokens: &[Token]) -> Vec<&'t str> {
    let is_word = |word: &&str| {
        word.len() > 1
            && word.contains(|c: char| c.is_ascii_alphabetic())
            && word.bytes().all(|b| b.is_ascii_alphanumeric() || b"_@${}<>%.:".contains(&b))
    };
    let read = tokens.windows(4).filter_map(|four| {
        let is_call = four[0].is(text, "replace") && four[1].is(text, "(");
        is_call.then(|| inside(&four[2])).flatten().filter(|_| four[3].kind == Kind::Comma).map(|word| word.of(text))
    });
    let mut found = Vec::new();
    if !may_hold(text, tokens, "replace") {
        return found;
    }
    for word in read.filter(is_word) {
        if !found.contains(&word) && found.len() < MOST_REPLACED {
            found.push(word);
        }
    }
    found
}

/// Finds the lines that calls write one behind the other, if one of them is a line only beside the others. Returns where their
/// literals begin.
fn written_lines(strings: &Strings, is_taken: &dyn Fn(Span) -> bool, found: &mut Vec<RawStatement>) -> FxHashSet<u32> {
    let (text, tokens) = (strings.text, strings.tokens);
    let mut literals = FxHashSet::default();
    for written in written::written(text, tokens, true).into_iter().filter(|w| !w.has_gaps && w.calls.len() > 2) {
        let own = || written.calls.iter().flat_map(|call| &tokens[call.clone()]).filter_map(inside);
        let is_misspelt = |literal: Span| loose::has_misspelt(literal.of(text).trim_end_matches("\\n"));
        if !own().any(is_misspelt) || own().any(is_taken) {
            continue;
        }
        let mut lines = Mapped::default();
        for call in &written.calls {
            written.append(strings, &tokens[call.clone()], &mut lines);
        }
        if loose::is_lines(&lines.text) {
            let (first, last) = (written.calls[0].start, written.calls[written.calls.len() - 1].end);
            let span = Span::new(tokens[first].span.start, tokens[last].span.end);
            found.push(loose::statement(&lines, span, End::Line, found.len() as u32 + 1));
            literals.extend(own().map(|s| s.start));
        }
    }
    literals
}

/// Where the parentheses begin around a string to which a method or a format is applied behind them.
fn group(strings: &Strings, at: usize) -> usize {
    let (text, tokens) = (strings.text, strings.tokens);
    let is_group = |open: usize| {
        let before = open.checked_sub(1).map_or("", |i| tokens[i].span.of(text));
        let is_called =
            before != "return" && before.ends_with(|c: char| c.is_ascii_alphanumeric() || "_])".contains(c));
        tokens[open].span.of(text) == "(" && !is_called
    };
    let Some(open) = at.checked_sub(1).filter(|open| is_group(*open)) else { return at };
    let behind = strings.brackets.closing(open).and_then(|close| tokens.get(close + 1)).map_or("", |t| t.span.of(text));
    if matches!(behind, "." | "%") { open } else { at }
}

/// How a value that is nothing but literals is filled in elsewhere, if it has fields.
fn formatting(text: &str, tokens: &[Token], value: Range<usize>) -> Option<Formatting<'static>> {
    let from = value.start;
    let all = &tokens[value];
    if !all.iter().all(|t| matches!(t.kind, Kind::Text { is_format: false, .. })) {
        return None;
    }
    // `${:uid}` is none.
    let is_field = |rest: &str| {
        let end = rest.find(|c: char| c.is_whitespace() || matches!(c, '{' | '}'));
        end.is_some_and(|end| rest[end..].starts_with('}') && &rest[..end] != ":uid")
    };
    let is_conversion = |rest: &str| rest.starts_with(['s', 'd', 'x', 'i', 'u', '(']);
    let has = |sign: char, is_field: &dyn Fn(&str) -> bool| {
        let mut texts = all.iter().filter_map(inside).map(|s| s.of(text));
        texts.any(|text| text.match_indices(sign).any(|(at, _)| is_field(&text[at + 1..])))
    };
    let before = |n: usize| from.checked_sub(n).map_or("", |at| tokens[at].span.of(text));
    if (before(2), before(1)) == ("Template", "(") {
        return Some(Formatting::Template(&[]));
    }
    // `${name}` is a mark, and braces that stand alone are those of vISA.
    let is_name = |rest: &str| rest.strip_prefix('{').is_some_and(|n| n.starts_with(|c: char| c.is_ascii_alphabetic()));
    let is_double = |rest: &str| rest.starts_with('{');
    if has('$', &is_name) && !has('{', &is_double) {
        return Some(Formatting::Template(&[]));
    }
    match (has('{', &is_field), has('%', &is_conversion)) {
        (true, _) => Some(Formatting::Braces(&[])),
        (_, true) => Some(Formatting::Percent(&[])),
        _ => None,
    }
}

/// Whether a value begins at a string: not one that documents a function.
pub(super) fn begins_value(tokens: &[Token], at: usize, depth: i32) -> bool {
    let Some(before) = at.checked_sub(1).map(|i| tokens[i]) else { return false };
    // `lambda i: f"..."`
    let begins = |t: &&Token| matches!(t.kind, Kind::Open | Kind::Comma | Kind::Equal | Kind::Word);
    let is_lambda = || {
        let mut near = tokens[..at - 1].iter().rev().take(MOST_PARAMETERS).take_while(begins);
        near.any(|t| t.role == Role::Lambda)
    };
    matches!(before.kind, Kind::Open | Kind::Comma | Kind::Equal)
        || before.kind == Kind::Colon && (depth > 0 || is_lambda())
        || matches!(before.role, Role::Return | Role::Yield)
}

/// Whether the value is an item of a list whose next or last item is a line, too: so each is whole.
fn is_list(text: &str, tokens: &[Token], at: usize, end: usize) -> bool {
    let is_line = |token: Option<&Token>| token.and_then(inside).is_some_and(|s| loose::is_lines(s.of(text)));
    let is_comma = |token: Option<&Token>| token.is_some_and(|t| t.kind == Kind::Comma);
    let keyed = |at: usize| tokens.get(at + 1).is_some_and(|t| t.kind == Kind::Colon);
    let next = if keyed(end + 1) { end + 3 } else { end + 1 };
    let before = at.checked_sub(if tokens[at - 1].kind == Kind::Colon { 3 } else { 1 });
    let is_next = is_comma(tokens.get(end)) && is_line(tokens.get(next));
    let is_last =
        before.is_some_and(|i| is_comma(tokens.get(i)) && is_line(i.checked_sub(1).and_then(|i| tokens.get(i))));
    is_next || is_last
}

/// Tokens of the parameters of a lambda.
const MOST_PARAMETERS: usize = 16;

/// Tokens of a call that are read.
const MOST_CALL: usize = 64;

/// Whether the value is all that a call is given, and the same is called before or behind it with another line that does not end
/// itself: so each call ends its own.
fn is_emitted(strings: &Strings, at: usize, end: usize) -> bool {
    let (text, tokens) = (strings.text, strings.tokens);
    let Some(open) = at.checked_sub(1).filter(|open| tokens[*open].span.of(text) == "(") else { return false };
    let is_path = |t: &Token| t.kind == Kind::Word || t.kind == Kind::Dot;
    let path_before = |open: usize| {
        let n = tokens[..open].iter().rev().take_while(|t| is_path(t)).count();
        (open - n..open, Span::new(tokens[open - n].span.start, tokens[open].span.start).of(text))
    };
    let is_line = |at: usize| {
        let literal = tokens.get(at).and_then(inside).map_or("", |s| s.of(text));
        let begins = loose::is_lines(literal) || guess::begins_statement(literal);
        begins && !literal.ends_with("\\n") && !literal.contains('\n')
    };
    let (path, name) = path_before(open);
    if tokens.get(end).is_none_or(|t| t.span.of(text) != ")") || path.is_empty() || !is_line(at) {
        return false;
    }
    let n = path.len();
    let next = end + 1;
    let is_next = tokens.get(next + n).is_some_and(|t| t.span.of(text) == "(")
        && Span::new(tokens[next].span.start, tokens[next + n].span.start).of(text) == name
        && is_line(next + n + 1);
    let before = || {
        let close = path.start.checked_sub(1).filter(|i| tokens[*i].span.of(text) == ")")?;
        let from = close.saturating_sub(MOST_CALL);
        let open = (from..close).rev().find(|i| strings.brackets.closing(*i) == Some(close))?;
        (path_before(open).1 == name && is_line(open + 1)).then_some(())
    };
    is_next || before().is_some()
}
