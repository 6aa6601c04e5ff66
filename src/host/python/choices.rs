//! What names stand for where the program chooses: branches, loops, tables, calls. Of several values, one is read at a time.

use super::formats::{Formatting, hole, inside, push_optional, unknown_lines};
use super::names::{Given, Put};
use super::strings::{Strings, push_known};
use super::tokens::{Kind, Role, Token, closing, parts, unwrapped};
use crate::base::span::Span;
use crate::host::map::Mapped;
use crate::host::statement::WIDE_HOLE;

/// A value that a name is given, or that is put behind what it has.
pub(super) struct Piece<'t> {
    pub(super) tokens: &'t [Token],
    pub(super) put: Put,
    /// Whether a branch or a loop puts it there: once, several times or not at all.
    pub(super) is_optional: bool,
    /// Characters before its line, and where its block ends.
    indent: usize,
    block_end: usize,
}

/// Values that branches may have given a name, of which each is read.
const MOST_WAYS: usize = 8;

/// Texts of one call that are read, of those among which the program chooses.
pub(super) const MOST_CHOICES: usize = 16;

impl<'t> Strings<'t> {
    /// What a name at a place was given last, and what was put behind it, in order.
    pub(super) fn pieces(&self, name: Token) -> Vec<Piece<'t>> {
        let word = name.span.of(self.text);
        let is_behind_dot = self.text[..name.span.start as usize].ends_with('.');
        let of_other = is_behind_dot.then(|| Span::new(name.span.start - 1, name.span.end).of(self.text));
        let given = of_other.and_then(|word| self.assigned.get(word)).or_else(|| self.assigned.get(word));
        let all = given.map_or(&[][..], Vec::as_slice);
        let is_before = |v: &Given| {
            let last = v.tokens.end.max(v.tokens.start + 1) - 1;
            self.tokens.get(last).is_some_and(|t| t.span < name.span)
        };
        let before = &all[..all.partition_point(is_before)];
        let at = self.tokens.partition_point(|t| t.span < name.span);
        let holds = |v: &Given| v.function_end > at;
        let is_value = |v: &Given| matches!(v.put, Put::Value | Put::Each) && holds(v);
        let Some(last) = before.iter().rposition(is_value) else { return Vec::new() };
        let first = self.branch(before, last, at);
        let indent = before[first].indent;
        if before[first].put == Put::Each {
            let item = Some(&before[first]).filter(|v| v.block_end >= at && last == first);
            let item = item.and_then(|v| self.each(&self.tokens[v.tokens.clone()]));
            let one = |tokens| Piece { tokens, put: Put::Value, is_optional: false, indent, block_end: 0 };
            return item.map(one).into_iter().collect();
        }
        let piece = |v: &Given| Piece {
            tokens: &self.tokens[v.tokens.clone()],
            put: v.put,
            is_optional: v.indent > indent,
            indent: v.indent,
            block_end: v.block_end,
        };
        let own = before[first + 1..].iter().position(is_value).map_or(before.len(), |n| first + 1 + n);
        // What follows all branches is put behind each of them.
        let is_common = |v: &&Given| holds(v) && v.tokens.start >= before[last].block_end;
        let common = if own == before.len() { &[][..] } else { &before[last + 1..] };
        let own = before[first..own].iter().filter(|v| holds(v));
        own.chain(common.iter().filter(is_common)).map(piece).collect()
    }

    /// How many pieces the branches of one `if` put behind a text, of which the first stands at the beginning, and where the
    /// block ends whose pieces are read now; nothing if only one branch puts something there.
    fn branches(&self, pieces: &[Piece]) -> Option<(usize, usize)> {
        let first = pieces.first().filter(|p| p.is_optional && p.put == Put::Behind)?;
        let mut blocks = vec![first.block_end];
        let mut n = 1;
        for piece in pieces[1..].iter().take_while(|p| p.put == Put::Behind && p.indent == first.indent) {
            let end = blocks[blocks.len() - 1];
            let next = || self.tokens.get(end).filter(|t| t.role == Role::Else || t.is(self.text, "elif"));
            let is_behind = |next: &Token| piece.tokens.first().is_some_and(|t| next.span < t.span);
            if piece.block_end != end && !next().is_some_and(is_behind) {
                break;
            }
            if piece.block_end != end {
                blocks.push(piece.block_end);
            }
            n += 1;
        }
        (blocks.len() > 1).then(|| (n, blocks[self.choose(blocks.len())]))
    }

    /// The one value of a name, if `part` is one.
    pub(super) fn value(&self, part: &[Token]) -> Option<&'t [Token]> {
        let [only] = part else { return None };
        match (only.kind, self.pieces(*only).as_slice()) {
            (Kind::Word, [piece]) if !self.is_rebound(only.span.of(self.text)) => Some(piece.tokens),
            _ => None,
        }
    }

    /// Appends what a name was given. Nothing if that is not known.
    pub(super) fn named(&self, name: Token, formatting: Formatting, depth: u32, out: &mut Mapped) -> Option<()> {
        let pieces = self.pieces(name);
        if pieces.is_empty() {
            let argument = self.handed_over(name)?;
            self.append_formatted(argument, formatting, &[], depth + 1, out);
        }
        // A stream that a call is given may be written to there.
        let is_begun = |t: &Token| t.span.of(self.text) == "StringIO";
        let is_stream = pieces.first().is_some_and(|piece| piece.tokens.iter().any(is_begun));
        let mut done = name.span.start;
        // Up to which piece those of one `if` stand, and which block of them is read.
        let mut chosen = (0, 0);
        for (i, piece) in pieces.iter().enumerate() {
            let is_inside = !out.text.is_empty() && !out.text.ends_with(['\n', WIDE_HOLE]);
            // Of two such choices, what they make together may be what the program never does.
            let begins_block = i == 0 || pieces[i - 1].block_end != piece.block_end;
            if chosen.0 == 0 && begins_block && piece.is_optional && is_inside {
                chosen = self.branches(&pieces[i..]).map_or((0, 0), |(n, block)| (i + n, block));
            }
            let is_chosen = i < chosen.0;
            if is_chosen && piece.block_end != chosen.1 {
                continue;
            }
            let begin = piece.tokens.first().map_or(done, |t| t.span.start);
            if is_stream && self.is_handed(name, done, begin) {
                unknown_lines(name.span, out);
            }
            done = begin;
            match piece.put {
                // A list is no text.
                Put::Item | Put::Each => hole(name.span, out),
                Put::Line if piece.tokens.is_empty() => unknown_lines(name.span, out),
                Put::Value | Put::Behind | Put::Line => {
                    let mut own = Mapped::default();
                    self.append_formatted(piece.tokens, formatting, &[], depth + 1, &mut own);
                    if let (Put::Line, Some(last)) = (piece.put, piece.tokens.last()) {
                        own.push_atom("\n", Span::at(last.span.end));
                    }
                    if piece.is_optional && !is_chosen {
                        push_optional(&own, name.span, out);
                    } else {
                        push_known(&own, out);
                    }
                }
            }
        }
        if is_stream && self.is_handed(name, done, name.span.start) {
            unknown_lines(name.span, out);
        }
        Some(())
    }

    /// What the function around a parameter is given for it: of several calls, by the one that is read now.
    pub(super) fn handed_over(&self, parameter: Token) -> Option<&'t [Token]> {
        let at = self.tokens.partition_point(|t| t.span < parameter.span);
        // A name in the braces of a string stands where the string does.
        let holds = |i: &usize| self.tokens[*i].span.contains(parameter.span.start);
        let at = at.checked_sub(1).filter(holds).unwrap_or(at);
        let function = self.functions.get(self.function_at(at)?)?.as_ref()?;
        let word = parameter.span.of(self.text);
        let own =
            |part: &&[Token]| part.iter().find(|t| t.kind == Kind::Word).is_some_and(|t| t.span.of(self.text) == word);
        let parameters = &self.tokens[function.parameters.clone()];
        // `*NAME` takes several.
        let (index, declared) =
            parts(parameters).enumerate().find(|(_, part)| own(part)).filter(|(_, part)| part[0].kind == Kind::Word)?;
        let default = || declared.iter().position(|t| t.kind == Kind::Equal).map(|equal| &declared[equal + 1..]);
        if function.calls.is_empty() {
            // What may be left out is given by some.
            let is_empty = |value: &&[Token]| matches!(value, [only] if inside(only).is_some_and(Span::is_empty));
            return default().filter(|value| !is_empty(value));
        }
        let open = function.calls[self.choose(function.calls.len())];
        let close = self.brackets.closing(open)?;
        let is_method = parts(parameters).next().is_some_and(|p| matches!(p, [t] if t.span.of(self.text) == "self"));
        let given: Vec<&[Token]> = parts(&self.tokens[open + 1..close]).collect();
        let is_positional = |part: &&[Token]| part.get(1).is_none_or(|t| t.kind != Kind::Equal);
        let is_named = |part: &&&[Token]| !is_positional(part) && part[0].span.of(self.text) == word;
        let named = given.iter().find(is_named).map(|part| &part[2..]);
        let index = index.checked_sub(usize::from(is_method))?;
        named.or_else(|| given.get(index).copied().filter(is_positional)).or_else(default)
    }

    /// Which value of a name is read now, which is used at the token `at`: the `last` one, or another one of a branch that the
    /// program may have come through. Names that one branch gives values are read together.
    fn branch(&self, before: &[Given], last: usize, at: usize) -> usize {
        if before[last].block_end > at {
            return last;
        }
        let function = before[last].function_end;
        let mut ways = Vec::new();
        let mut is_sure = false;
        for (i, given) in before[..=last].iter().enumerate().rev() {
            if !matches!(given.put, Put::Value) || given.function_end != function || ways.len() == MOST_WAYS {
                continue;
            }
            ways.push(i);
            if given.block_end > at {
                is_sure = true;
                break;
            }
        }
        let sure = ways.last().copied().filter(|_| is_sure);
        let block = |i: usize| if Some(i) == sure { Some(usize::MAX) } else { Some(before[i].block_end) };
        let known = self.block.get().and_then(|known| ways.iter().copied().find(|i| block(*i) == Some(known)));
        if let Some(way) = known.or_else(|| sure.filter(|_| self.block.get().is_some())) {
            return way;
        }
        if ways.is_empty() {
            return last;
        }
        let way = ways[self.choose(ways.len())];
        self.block.set(block(way));
        way
    }

    /// The item of a list that a loop is at now, if the list is written out.
    pub(super) fn each(&self, list: &'t [Token]) -> Option<&'t [Token]> {
        let list = unwrapped(self.text, self.value(list).unwrap_or(list));
        let inside = match list {
            [open, inside @ .., close] if (open.kind, close.kind) == (Kind::Open, Kind::Close) => inside,
            [first, ..] if first.is_text() => list,
            _ => return None,
        };
        let is_literal = |item: &&[Token]| matches!(item, [only] if only.is_text());
        let items: Vec<&[Token]> = parts(inside).take(MOST_CHOICES).collect();
        items.iter().all(is_literal).then(|| items.get(self.choose(items.len())).copied())?
    }

    /// Of `one if condition else two`, the value that is read now.
    pub(super) fn chosen<'v>(&self, value: &'v [Token]) -> &'v [Token] {
        let mut brackets = 0i32;
        let mut asked = None;
        for at in 0..value.len() {
            brackets += value[at].nesting();
            match (value[at].role, asked) {
                (Role::If, None) if brackets == 0 => asked = Some(at),
                (Role::Else, Some(condition)) if brackets == 0 => {
                    return match self.choose(2) {
                        0 => unwrapped(self.text, &value[..condition]),
                        _ => self.chosen(unwrapped(self.text, &value[at + 1..])),
                    };
                }
                _ => {}
            }
        }
        value
    }

    /// Which of `n` values is read now. Where a text depends on several choices, not all combinations are read.
    fn choose(&self, n: usize) -> usize {
        self.n_choices.set(self.n_choices.get().max(n));
        self.choice.get() % n.max(1)
    }

    /// The items of `NAME[key]`: the one with that key, or else the one that is read now.
    pub(super) fn item(&self, name: Token, key: &[Token]) -> Option<&'t [Token]> {
        self.item_in(self.value(&[name])?, key)
    }

    /// The item of a list or dictionary that is written out.
    pub(super) fn item_in<'v>(&self, value: &'v [Token], key: &[Token]) -> Option<&'v [Token]> {
        self.lookups.spend_steps(value.len());
        if self.lookups.is_over() {
            return None;
        }
        let value = unwrapped(self.text, value);
        // `dict(key=value)`
        let is_called = value.first().is_some_and(|t| t.span.of(self.text) == "dict");
        let value = &value[usize::from(is_called)..];
        let [open, inside @ .., _] = value else { return None };
        if open.kind != Kind::Open || closing(value, 0) != Some(value.len() - 1) {
            return None;
        }
        let mut items = parts(inside);
        let colon = |item: &[Token]| item.iter().position(|t| matches!(t.kind, Kind::Colon | Kind::Equal));
        let content = |token: &Token| token.inside().unwrap_or(token.span).of(self.text);
        let is_dictionary = is_called || open.span.of(self.text) == "{";
        if let [key] = key
            && key.kind != Kind::Word
        {
            let found = if is_dictionary {
                items.find(|item| item.len() > 2 && content(&item[0]) == content(key))
            } else {
                content(key).parse().ok().and_then(|n: usize| items.nth(n))
            };
            return found.map(|item| if is_dictionary { &item[2..] } else { item });
        }
        let items: Vec<&[Token]> = items.take(MOST_CHOICES).collect();
        let item = *items.get(self.choose(items.len()))?;
        if is_dictionary { Some(&item[colon(item)? + 1..]) } else { Some(item) }
    }
}
