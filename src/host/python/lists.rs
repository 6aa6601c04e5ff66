//! Lists of lines that are joined to one text.

use super::formats::{MOST_ITEMS, hole, part, push_optional, unknown_lines};
use super::names::{Given, Put};
use super::strings::{DEPTH, SPACERS, Strings, WRAPPERS};
use super::tokens::{Kind, Role, Token, closing, parts};
use crate::base::span::Span;
use crate::host::map::Mapped;

/// An item of a list.
#[derive(Clone, Copy)]
struct Item<'v> {
    tokens: &'v [Token],
    /// Whether a branch, a loop or a comprehension puts it there: once, several times or not at all.
    is_optional: bool,
}

impl Item<'_> {
    /// Items that a function may have put there.
    const UNKNOWN: Self = Self { tokens: &[], is_optional: true };
}

impl Strings<'_> {
    /// A number that is written out, or the one value of a name.
    pub(super) fn number(&self, part: &[Token]) -> Option<usize> {
        let part = self.value(part).unwrap_or(part);
        Span::new(part.first()?.span.start, part.last()?.span.end).of(self.text).parse().ok()
    }

    /// The list whose items a comprehension takes over but for the space around them: `indent(line) for line in list`.
    fn mapped<'v>(&self, item: &[Token], rest: &'v [Token]) -> Option<&'v [Token]> {
        let word = |token: &Token| token.span.of(self.text);
        let [_, name, of, list @ ..] = rest else { return None };
        let is_whole = of.role == Role::In && !list.iter().any(|t| matches!(t.role, Role::If | Role::For));
        let is_name = |token: &Token| token.kind == Kind::Word && word(token) == word(name);
        let is_same = match item {
            [only] => is_name(only),
            [.., function, open, own, _close] if word(open) == "(" => {
                is_name(own) && WRAPPERS.contains(&word(function)) && !item[..item.len() - 4].iter().any(is_name)
            }
            [own, dot, method, open, ..] if word(open) == "(" => {
                is_name(own)
                    && dot.kind == Kind::Dot
                    && SPACERS.contains(&word(method))
                    && closing(item, 3) == Some(item.len() - 1)
            }
            _ => false,
        };
        (is_whole && is_same).then_some(list)
    }

    /// The items between the brackets of a list.
    fn listed<'v>(&'v self, inside: &'v [Token], depth: u32) -> Option<Vec<Item<'v>>> {
        if let Some(end) = comprehension(inside) {
            if let Some(list) = self.mapped(&inside[..end], &inside[end..]) {
                return self.items(list, depth + 1);
            }
            return Some(vec![Item { tokens: &inside[..end], is_optional: true }]);
        }
        let mut all = Vec::new();
        for item in parts(inside) {
            match item {
                [star, list @ ..] if star.span.of(self.text) == "*" => all.extend(self.items(list, depth + 1)?),
                _ => all.push(Item { tokens: item, is_optional: false }),
            }
        }
        Some(all)
    }

    /// The items of a list: written out, repeated, added, under a name, returned by a function.
    fn items<'v>(&'v self, list: &'v [Token], depth: u32) -> Option<Vec<Item<'v>>> {
        if depth >= DEPTH {
            return None;
        }
        let list = self.chosen(list);
        self.expansion.spend_steps(list.len());
        let mut all = Vec::new();
        let mut brackets = 0i32;
        for term in list.split(|t| {
            brackets += t.nesting();
            brackets == 0 && t.kind == Kind::Other && t.span.of(self.text) == "+"
        }) {
            let first = term.first()?;
            match first.kind {
                Kind::Open => {
                    let close = closing(term, 0)?;
                    let inside = &term[1..close];
                    let is_group = first.span.of(self.text) == "("
                        && parts(inside).nth(1).is_none()
                        && inside.last().is_some_and(|t| t.kind != Kind::Comma);
                    let items = if is_group && comprehension(inside).is_none() {
                        self.items(inside, depth + 1)?
                    } else {
                        self.listed(inside, depth)?
                    };
                    let times = match &term[close + 1..] {
                        [] => 1,
                        [star, number @ ..] if star.span.of(self.text) == "*" => self.number(number)?,
                        _ => return None,
                    };
                    all.extend(std::iter::repeat_n(items, times.min(MOST_ITEMS)).flatten());
                }
                Kind::Word if term.len() == 1 => all.extend(self.named_items(*first, depth)?),
                Kind::Word => all.extend(self.items_of_path(term, depth)?),
                _ => return None,
            }
        }
        Some(all)
    }

    /// The items of a list that an object holds, or that a function returns or yields: `self.lines`, `lines()`.
    fn items_of_path<'v>(&'v self, term: &'v [Token], depth: u32) -> Option<Vec<Item<'v>>> {
        let word = |at: usize| term[at].span.of(self.text);
        let end = (1..term.len()).step_by(2).find(|at| term[*at].kind != Kind::Dot).unwrap_or(term.len());
        let name = term[end - 1];
        if end == term.len() {
            // What other functions put behind it stands there, too.
            let given = self.assigned.get(word(end - 1))?;
            let last = given.last()?.function_end;
            let is_put = |v: &&Given| matches!(v.put, Put::Item | Put::Behind | Put::Line);
            return given
                .iter()
                .filter(is_put)
                .all(|v| v.function_end == last)
                .then(|| self.named_items(name, depth))?;
        }
        if word(end) != "(" || closing(term, end) != Some(term.len() - 1) {
            return None;
        }
        if matches!(word(end - 1), "list" | "tuple") && end == 1 {
            return self.items(&term[2..term.len() - 1], depth + 1);
        }
        let function = self.functions.get(word(end - 1))?.as_ref()?;
        if let Some(value) = function.value.clone() {
            return self.items(&self.tokens[value], depth + 1);
        }
        let mut all = Vec::new();
        for (value, is_optional) in &function.yielded {
            let value = &self.tokens[value.clone()];
            match value {
                [from, list @ ..] if from.span.of(self.text) == "from" => {
                    let items = self.items(list, depth + 1)?;
                    all.extend(
                        items.into_iter().map(|item| Item { is_optional: item.is_optional || *is_optional, ..item }),
                    );
                }
                _ => all.push(Item { tokens: value, is_optional: *is_optional }),
            }
        }
        (!all.is_empty()).then_some(all)
    }

    /// The items of a list that has a name.
    fn named_items(&self, name: Token, depth: u32) -> Option<Vec<Item<'_>>> {
        let pieces = self.pieces(name);
        let mut all = Vec::new();
        let mut done = name.span.start;
        for piece in &pieces {
            let begin = piece.tokens.first().map_or(done, |t| t.span.start);
            all.extend(self.is_handed(name, done, begin).then_some(Item::UNKNOWN));
            done = begin;
            match piece.put {
                Put::Line => return None,
                Put::Item => all.push(Item { tokens: piece.tokens, is_optional: piece.is_optional }),
                Put::Value | Put::Behind | Put::Each => {
                    let items = self.items(piece.tokens, depth + 1)?;
                    all.extend(items.into_iter().map(|mut item| {
                        item.is_optional |= piece.is_optional;
                        item
                    }));
                }
            }
        }
        all.extend(self.is_handed(name, done, name.span.start).then_some(Item::UNKNOWN));
        (!pieces.is_empty()).then_some(all)
    }

    /// Appends `"\n".join([...])`: the items of a list, with the separator between them.
    pub(super) fn join(&self, separator: Span, is_raw: bool, list: &[Token], depth: u32, out: &mut Mapped) {
        let Some((first, last)) = list.first().zip(list.last()) else { return };
        let place = Span::new(first.span.start, last.span.end);
        // The parentheses of the call are those of a comprehension.
        let items = match comprehension(list) {
            Some(_) => self.listed(list, depth),
            None => self.items(list, depth),
        };
        let Some(items) = items.filter(|_| self.follows(depth, out)) else { return hole(place, out) };
        let mut between = Mapped::default();
        part(self.text, separator, is_raw, &mut between);
        let between_span = Span::new(0, between.text.len() as u32);
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                out.push_part(&between, between_span);
            }
            if item.tokens.is_empty() {
                unknown_lines(place, out);
                continue;
            }
            if !item.is_optional {
                self.append(item.tokens, depth + 1, out);
                continue;
            }
            let mut own = Mapped::default();
            self.append(item.tokens, depth + 1, &mut own);
            if between.text.ends_with('\n') {
                own.push_part(&between, between_span);
            }
            push_optional(&own, place, out);
        }
    }
}

/// Where a comprehension goes on behind its item.
fn comprehension(inside: &[Token]) -> Option<usize> {
    let mut brackets = 0i32;
    inside.iter().position(|t| {
        brackets += t.nesting();
        brackets == 0 && t.role == Role::For
    })
}
