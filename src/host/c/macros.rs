//! Macros of the file inside templates: those of literals are expanded, and all others are holes.

use super::brackets::{closing_of, split};
use super::lexer::{Kind, Role, Token};
use super::literal;
use super::{HOLE, Reader, WIDE_HOLE};
use crate::base::span::Span;
use crate::host::map::Mapped;
use rustc_hash::FxHashSet;

/// Macros inside of macros that are followed.
const DEPTH: u32 = 8;

/// Tokens that the macros of one template may become. A template that goes beyond has holes from there on.
const MOST_TOKENS: usize = 1 << 14;

/// Names of macros that make a string of their argument.
pub(super) const STRINGS: [&str; 6] = ["str", "STR", "STRINGIFY", "XSTR", "TOSTRING", "_STR"];

/// A definition of a macro of the file.
#[derive(Clone, Copy)]
pub(super) struct Macro {
    /// Where its name stands.
    pub at: u32,
    /// Its parameters in [`Reader::directives`]; nothing if it takes none.
    pub parameters: Option<(usize, usize)>,
    /// Its body in [`Reader::directives`]; empty if the name was undefined there.
    pub body: (usize, usize),
    /// Whether the name was undefined there.
    pub is_undefined: bool,
    /// Whether the body holds an asm statement, itself or through other macros.
    pub holds_asm: bool,
}

/// Definitions of one macro that may hold at one place: branches of an `#if` have their own.
const MOST_BRANCHES: usize = 8;

/// A token of a statement, and where it counts as written: at its own place, or at that of the macro that it is from.
#[derive(Clone, Copy)]
pub(super) struct Item {
    pub token: Token,
    place: Option<Span>,
    /// Whether it is an argument that `#` made a string of, up to the token that ends there.
    string_end: Option<u32>,
    /// The definition that the token is written in, by the place of its name; 0 outside of definitions.
    source: u32,
    /// Whether it is what a macro stands for that is an argument of another one.
    is_value: bool,
    /// Whether a blank stands before it, where its own place does not say so: it is where a name of a macro stood.
    is_spaced: Option<bool>,
}

impl Item {
    pub(super) const fn own(token: Token) -> Self {
        Self { token, place: None, string_end: None, source: 0, is_value: false, is_spaced: None }
    }

    /// Whether it is written outside of macros.
    pub(super) const fn is_own(self) -> bool {
        self.source == 0
    }

    /// The definition that it is written in, by the place of its name.
    pub(super) fn source(self) -> Option<u32> {
        (self.source != 0).then_some(self.source)
    }

    fn here(self) -> Span {
        self.place.unwrap_or(self.token.span())
    }
}

/// The parameters of a macro, what each is given, and whether something is left for `...`.
type Given<'s, 'i> = (Vec<&'s str>, Vec<&'i [Item]>, bool);

/// What is made of macros.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// The text of a template: all macros are followed, and what they become counts as written where they are used.
    Text,
    /// A whole statement: only macros that hold one are followed, and their words count as written where they stand.
    Statement,
}

impl Reader<'_> {
    /// The template: its literals joined; macros of literals expanded, and holes for all others. `before` is where the
    /// macros are looked up: only what was defined before counts.
    pub(super) fn template(&self, items: &[Item], before: u32) -> Mapped {
        let mut expanded = Vec::with_capacity(items.len());
        self.expand(Purpose::Text, items, before, 0, &mut expanded);
        let mut out = Mapped::default();
        self.literals(&expanded, &mut out);
        self.expansion.spend(&out);
        out
    }

    /// The tokens of `items` with macros that hold asm statements expanded.
    pub(super) fn unfolded(&self, items: &[Item], before: u32) -> Vec<Item> {
        let mut out = Vec::new();
        self.expand(Purpose::Statement, items, before, 0, &mut out);
        out
    }

    /// Tokens with all macros of the file expanded.
    pub(super) fn expanded(&self, tokens: &[Token], before: u32) -> Vec<Token> {
        let items: Vec<Item> = tokens.iter().map(|t| Item::own(*t)).collect();
        self.expanded_items(&items, before).into_iter().map(|i| i.token).collect()
    }

    /// Items with all macros of the file expanded.
    pub(super) fn expanded_items(&self, items: &[Item], before: u32) -> Vec<Item> {
        let mut out = Vec::new();
        self.expand(Purpose::Text, items, before, 0, &mut out);
        out
    }

    /// The definition of a macro that holds at a place: of several, which branches of an `#if` have, the last one that holds
    /// an asm statement. The others are those of a host, where nothing runs.
    pub(super) fn definition(&self, name: &str, before: u32) -> Option<Macro> {
        let all = self.macros.get(name)?;
        let known = all[..all.partition_point(|m| m.at < before)].iter().rev();
        let mut known = known.take_while(|m| !m.is_undefined).take(MOST_BRANCHES);
        let last = *known.next()?;
        let found = if last.holds_asm { last } else { known.find(|m| m.holds_asm).copied().unwrap_or(last) };
        (found.body.0 < found.body.1).then_some(found)
    }

    fn expand(&self, purpose: Purpose, items: &[Item], before: u32, depth: u32, out: &mut Vec<Item>) {
        let mut at = 0;
        while let Some(item) = items.get(at) {
            at += 1;
            let is_name = item.token.kind == Kind::Word && depth < DEPTH;
            let definition = Some(self.word(item.token))
                .filter(|word| {
                    is_name
                        && (purpose == Purpose::Text || self.asm_macros.contains(word))
                        && !self.parameters.contains(word)
                        && out.len() < MOST_TOKENS
                        && !self.expansion.is_over()
                })
                .and_then(|word| self.definition(word, before));
            let Some(definition) = definition else {
                let constant = Some(self.word(item.token)).filter(|word| {
                    is_name && purpose == Purpose::Text && item.is_own() && !self.parameters.contains(word)
                });
                match constant.and_then(|word| self.texts.get(word)?.as_ref()) {
                    Some(literals) => out.extend(literals.iter().map(|t| Item::own(*t))),
                    None => out.push(*item),
                }
                continue;
            };
            let Some(parameters) = definition.parameters else {
                let mut body = self.body(purpose, definition, item.here());
                self.space_as(&mut body, *item);
                self.expand(purpose, &body, before, depth + 1, out);
                continue;
            };
            let close = items.get(at).filter(|i| i.token.kind == Kind::Open).and_then(|_| closing_item(items, at));
            let body = close.and_then(|close| {
                let last = items[close];
                let place = item.place.unwrap_or(Span::new(item.token.start, last.token.end));
                self.substituted(purpose, definition, parameters, &items[at + 1..close], before, depth, place)
            });
            match (body, close) {
                (Some(mut body), Some(close)) => {
                    self.space_as(&mut body, *item);
                    self.expand(purpose, &body, before, depth + 1, out);
                    at = close + 1;
                }
                _ => out.push(*item),
            }
        }
    }

    /// The tokens of a macro's body, which is used at `place`.
    fn body(&self, purpose: Purpose, definition: Macro, place: Span) -> Vec<Item> {
        let body = &self.directives[definition.body.0..definition.body.1];
        let place = (purpose == Purpose::Text).then_some(place);
        let item = |t: &Token| Item { place, source: definition.at, ..Item::own(*t) };
        body.iter().map(item).collect()
    }

    /// What a macro is given; nothing if that does not fit.
    fn given<'s, 'i>(&'s self, parameters: (usize, usize), arguments: &'i [Item]) -> Option<Given<'s, 'i>> {
        let names = &self.directives[parameters.0..parameters.1.max(parameters.0)];
        let dots = names.iter().position(|t| t.kind == Kind::Dot);
        let takes_rest = dots.is_some();
        // `args...`, and not `...`
        let is_rest_named = dots.and_then(|at| at.checked_sub(1)).is_some_and(|at| names[at].kind == Kind::Word);
        let mut names: Vec<&str> = names.iter().filter(|t| t.kind == Kind::Word).map(|t| self.word(*t)).collect();
        let mut given = split_items(arguments);
        // The last argument may be empty, too.
        if !names.is_empty() && arguments.last().is_none_or(|i| i.token.kind == Kind::Comma) {
            given.push(&[]);
        }
        if takes_rest {
            if !is_rest_named {
                names.push("__VA_ARGS__");
            }
            let n = names.len() - 1;
            if given.len() < n {
                return None;
            }
            let n_before: usize = given[..n].iter().map(|part| part.len() + 1).sum();
            given.truncate(n);
            given.push(arguments.get(n_before..).unwrap_or_default());
        }
        if given.len() != names.len() {
            return None;
        }
        let has_rest = takes_rest && given.last().is_some_and(|rest| !rest.is_empty());
        Some((names, given, has_rest))
    }

    /// The body of a macro with its arguments; nothing if they do not fit, or if it joins tokens to what is not known.
    #[expect(clippy::too_many_arguments, reason = "one recursion")]
    fn substituted(
        &self,
        purpose: Purpose,
        definition: Macro,
        parameters: (usize, usize),
        arguments: &[Item],
        before: u32,
        depth: u32,
        place: Span,
    ) -> Option<Vec<Item>> {
        let (names, given, has_rest) = self.given(parameters, arguments)?;
        let body = self.with_option(self.body(purpose, definition, place), has_rest)?;
        let argument = |item: &Item| {
            let position = names.iter().position(|n| item.token.kind == Kind::Word && *n == self.word(item.token))?;
            Some(given.get(position).copied().unwrap_or_default())
        };
        let mut all = Vec::with_capacity(body.len());
        let mut at = 0;
        // The parentheses around the place.
        let mut open = Vec::new();
        while let Some(item) = body.get(at) {
            at += 1;
            if body.get(at).is_some_and(|next| next.token.kind == Kind::Paste) {
                let end = at + body[at..].chunks(2).take_while(|pair| pair[0].token.kind == Kind::Paste).count() * 2;
                let parts = body[at - 1..end.min(body.len())].iter().step_by(2);
                let written: Vec<&[Item]> =
                    parts.map(|part| argument(part).unwrap_or(std::slice::from_ref(part))).collect();
                let nameless = Token { kind: Kind::Word, role: Role::Other, end: item.token.start, ..item.token };
                match self.pasted(written.iter().copied(), before, *item) {
                    Some(pasted) => all.push(pasted),
                    // A name that nothing is known of: of a function, or of a variable.
                    None if purpose == Purpose::Statement => all.push(Item { token: nameless, ..*item }),
                    None if !self.is_made_string(&body, open.last().copied(), depth) => return None,
                    None => self.join(written, *item, &mut all),
                }
                at = end;
                continue;
            }
            match item.token.kind {
                Kind::Open => open.push(at - 1),
                Kind::Close => drop(open.pop()),
                _ => {}
            }
            match item.token.kind {
                Kind::Paste => return None,
                Kind::Hash => {
                    let Some(written) = body.get(at).and_then(argument) else {
                        all.push(*item);
                        continue;
                    };
                    at += 1;
                    let first = written.first()?;
                    let is_known = written.iter().all(|i| i.token.kind != Kind::Word || self.is_itself(*i, depth));
                    match self.stringified(written).filter(|_| is_known) {
                        Some(string) => all.extend(string),
                        None => all.extend([*item, *first]),
                    }
                }
                _ => match argument(item) {
                    Some(written) => {
                        let n = all.len();
                        if purpose == Purpose::Statement {
                            all.extend_from_slice(written);
                        } else {
                            self.expand(purpose, written, before, depth + 1, &mut all);
                            let own: FxHashSet<u32> = written.iter().map(|item| item.source).collect();
                            for value in &mut all[n..] {
                                value.is_value |= !own.contains(&value.source);
                            }
                        }
                        self.space_as(&mut all[n..], *item);
                    }
                    None => all.push(*item),
                },
            }
            if all.len() > MOST_TOKENS {
                return None;
            }
        }
        Some(all)
    }

    /// Appends what `##` joins, for a string: no blank stands between the parts.
    fn join(&self, parts: Vec<&[Item]>, first: Item, out: &mut Vec<Item>) {
        for (index, part) in parts.into_iter().enumerate() {
            let n = out.len();
            out.extend_from_slice(part);
            self.space_as(&mut out[n..], first);
            if index > 0
                && let Some(joined) = out.get_mut(n)
            {
                joined.is_spaced = Some(false);
            }
        }
    }

    /// Whether a blank stands before an item.
    fn is_spaced(&self, item: Item) -> bool {
        let before = &self.text.as_bytes()[..item.token.start as usize];
        item.is_spaced.unwrap_or_else(|| before.last().is_some_and(u8::is_ascii_whitespace) || before.ends_with(b"*/"))
    }

    /// What stands in the place of a name has the blank before it that the name has.
    fn space_as(&self, items: &mut [Item], name: Item) {
        if let Some(first) = items.first_mut() {
            first.is_spaced = Some(self.is_spaced(name));
        }
    }

    /// Whether the parenthesis at `open` of a macro's body is that of a macro that makes a string of its argument.
    fn is_made_string(&self, body: &[Item], open: Option<usize>, depth: u32) -> bool {
        let callee = open.and_then(|open| body[..open].last()).map_or("", |item| self.word(item.token));
        depth < DEPTH && self.macros.get(callee).is_some_and(|all| all.iter().all(|d| self.makes_string(*d, depth + 1)))
    }

    /// Whether a macro does nothing but make a string of its argument, itself or through another one.
    fn makes_string(&self, definition: Macro, depth: u32) -> bool {
        let body = &self.directives[definition.body.0..definition.body.1];
        match body {
            [hash, name] => hash.kind == Kind::Hash && name.kind == Kind::Word,
            [name, open, argument, close] => {
                let kinds = [open.kind, argument.kind, close.kind] == [Kind::Open, Kind::Word, Kind::Close];
                let makes = |all: &Vec<Macro>| all.iter().all(|d| self.makes_string(*d, depth + 1));
                kinds && depth < DEPTH && self.macros.get(self.word(*name)).is_some_and(makes)
            }
            _ => false,
        }
    }

    /// The string that `#` makes of an argument: a literal for each run of it that one place of the file holds, and a blank
    /// where one stands between two.
    fn stringified(&self, written: &[Item]) -> Option<Vec<Item>> {
        let is_blank = |from: u32, to: u32| {
            from <= to && Span::new(from, to).of(self.text).bytes().all(|b| matches!(b, b' ' | b'\t'))
        };
        let is_run = |one: &Item, two: &Item| {
            one.place == two.place
                && one.source == two.source
                && two.is_spaced.is_none()
                && one.string_end.is_none()
                && two.string_end.is_none()
                && is_blank(one.token.end, two.token.start)
        };
        let mut out: Vec<Item> = Vec::new();
        for run in written.chunk_by(is_run) {
            let (first, last) = (run[0], run[run.len() - 1]);
            let token = Token { kind: Kind::Text, role: Role::Other, ..first.token };
            let end = first.string_end.unwrap_or(last.token.end);
            if let Some(before) = out.last().filter(|_| self.is_spaced(first)) {
                let behind = before.place.map_or(before.string_end.unwrap_or(before.token.end), |p| p.end);
                let begin = first.here().start;
                let blank = if behind < begin && is_blank(behind, begin) {
                    let token = Token { kind: Kind::Text, role: Role::Other, start: behind, end: begin, ..first.token };
                    Item { string_end: Some(begin), ..Item::own(token) }
                } else {
                    let end = first.token.start;
                    let token = Token { kind: Kind::Newline, end, role: Role::Other, ..first.token };
                    Item { token, string_end: Some(first.token.start), ..first }
                };
                out.push(blank);
            }
            out.push(Item { token, string_end: Some(end), is_spaced: None, ..first });
        }
        (!out.is_empty()).then_some(out)
    }

    /// A body in which `__VA_OPT__(...)` is what it holds if arguments are left for it, and nothing otherwise.
    fn with_option(&self, body: Vec<Item>, has_rest: bool) -> Option<Vec<Item>> {
        let is_option = |i: &Item| i.token.kind == Kind::Word && self.word(i.token) == "__VA_OPT__";
        if !body.iter().any(is_option) {
            return Some(body);
        }
        let mut out = Vec::with_capacity(body.len());
        let mut at = 0;
        while let Some(item) = body.get(at) {
            at += 1;
            if !is_option(item) {
                out.push(*item);
                continue;
            }
            let close = body.get(at).filter(|i| i.token.kind == Kind::Open).and_then(|_| closing_item(&body, at))?;
            if has_rest {
                out.extend_from_slice(&body[at + 1..close]);
            }
            at = close + 1;
        }
        Some(out)
    }

    /// Whether a word that `#` makes a string of is what the string holds. An argument that was handed on was expanded
    /// before, and another file may define it; names of macros are written in capitals.
    fn is_itself(&self, item: Item, depth: u32) -> bool {
        let word = self.word(item.token);
        let is_own = depth == 0 && item.place.is_none();
        let is_expanded = item.place.is_some() || !self.macros.contains_key(word);
        !self.parameters.contains(&word) && (is_own || is_expanded && !may_be_macro(word))
    }

    /// The macro whose name `##` puts together; nothing if the file defines none.
    fn pasted<'i>(&self, parts: impl Iterator<Item = &'i [Item]>, before: u32, first: Item) -> Option<Item> {
        let mut name = String::new();
        for item in parts.flatten() {
            let word = self.word(item.token);
            if self.parameters.contains(&word) {
                return None;
            }
            name += word;
        }
        let at = self.definition(&name, before)?.at;
        let (kind, role) = (Kind::Word, Role::of(&name));
        let token = Token { kind, role, start: at, end: at + name.len() as u32, ..first.token };
        Some(Item { token, place: Some(first.here()), ..first })
    }

    fn literals(&self, items: &[Item], out: &mut Mapped) {
        let mut at = 0;
        while let Some(item) = items.get(at) {
            let here = item.here();
            if item.token.kind == Kind::Newline {
                let mut blank = Mapped::default();
                blank.push_atom(" ", Span::at(item.token.start));
                match item.place {
                    None => out.push_part(&blank, Span::new(0, 1)),
                    Some(place) => out.push_placed(&blank, place),
                }
                at += 1;
                continue;
            }
            if let Some(end) = item.string_end {
                let written = Span::new(item.token.start, end);
                match item.place {
                    None => out.push_argument(written.of(self.text), written.start),
                    Some(place) => {
                        let mut inside = Mapped::default();
                        inside.push_run(written.of(self.text), written.start);
                        out.push_macro(&inside, place, item.is_value);
                    }
                }
                at += 1;
                continue;
            }
            match item.token.kind {
                Kind::Text | Kind::Raw => match item.place {
                    None => literal::append(self.text, item.token, out),
                    Some(place) => {
                        let mut inside = Mapped::default();
                        literal::append(self.text, item.token, &mut inside);
                        out.push_macro(&inside, place, item.is_value);
                    }
                },
                Kind::Hash => {
                    // `#T` of a macro that holds the statement: one word.
                    at += 1;
                    let end = items.get(at).map_or(here.end, |i| i.here().end.max(here.end));
                    out.push_atom(HOLE.encode_utf8(&mut [0; 4]), Span::new(here.start, end));
                }
                Kind::Word => {
                    let is_call = items.get(at + 1).is_some_and(|i| i.token.kind == Kind::Open);
                    let close = if is_call { closing_item(items, at + 1) } else { None };
                    // What turns its argument into a string makes one word of it.
                    let word = self.word(item.token);
                    let is_string = is_call && STRINGS.contains(&word);
                    let hole = if is_string { HOLE } else { WIDE_HOLE };
                    let end = close.map_or(here.end, |c| items[c].here().end.max(here.end));
                    let here = item.place.unwrap_or(Span::new(item.token.start, end));
                    out.push_atom(hole.encode_utf8(&mut [0; 4]), here);
                    at = close.unwrap_or(at);
                }
                // Parentheses around a literal change nothing.
                Kind::Open | Kind::Close if item.place.is_some() || stands_alone(items) => {}
                _ => out.push_atom(WIDE_HOLE.encode_utf8(&mut [0; 4]), here),
            }
            at += 1;
        }
    }
}

/// Whether a word may be the name of a macro of another file: a word in capitals that is not one of vISA.
fn may_be_macro(word: &str) -> bool {
    let is_name = word.bytes().take_while(u8::is_ascii_uppercase).count() > 1;
    let is_visa = matches!(word, "GRF" | "HF" | "UB" | "UW" | "UD" | "UQ" | "DF" | "BF" | "VF" | "UV");
    is_name && !is_visa || word.starts_with('_')
}

/// The place of a list of items. Of what is partly an argument of a macro and partly its body, the part that comes first.
pub(super) fn span_of_items(items: &[Item]) -> Span {
    let Some(first) = items.first() else { return Span::default() };
    let run = items.iter().take_while(|i| i.source == first.source && i.place == first.place);
    let end = run.map(|i| i.string_end.unwrap_or(i.token.end)).max().unwrap_or(first.token.end);
    first.place.unwrap_or(Span::new(first.token.start, end))
}

pub(super) fn closing_item(items: &[Item], open: usize) -> Option<usize> {
    closing_of(items.get(open..)?.iter().map(|i| i.token.kind)).map(|close| open + close)
}

/// The arguments between the commas at the outermost level.
pub(super) fn split_items(items: &[Item]) -> Vec<&[Item]> {
    let tokens: Vec<Token> = items.iter().map(|i| i.token).collect();
    let mut at = 0;
    let lengths = split(&tokens).into_iter().map(<[Token]>::len);
    lengths
        .map(|n| {
            let part = &items[at..at + n];
            at += n + 1;
            part
        })
        .collect()
}

/// Whether items are literals in parentheses: `asm((text))`.
fn stands_alone(items: &[Item]) -> bool {
    let is_part = |i: &Item| i.token.is_literal() || matches!(i.token.kind, Kind::Open | Kind::Close);
    items.iter().all(is_part)
}
