//! Macros of the file inside templates: those of literals are expanded, and all others are holes.

use super::lexer::{Kind, Token};
use super::literal;
use super::statement::split;
use super::types::closing;
use super::{HOLE, Reader, WIDE_HOLE};
use crate::base::span::Span;
use crate::host::map::Mapped;

/// Macros inside of macros that are followed.
const DEPTH: u32 = 8;

/// Tokens that the macros of one template may become. A template that goes beyond has holes from there on.
const MOST_TOKENS: usize = 1 << 14;

/// A definition of a macro of the file.
#[derive(Clone, Copy)]
pub(super) struct Macro {
    /// Where its name stands.
    pub at: u32,
    /// Its parameters in [`Reader::tokens`]; nothing if it takes none.
    pub parameters: Option<(usize, usize)>,
    /// Its body in [`Reader::tokens`]; empty if the name was undefined there.
    pub body: (usize, usize),
}

/// A token of a template, and where it counts as written: at its own place, or at that of the macro that it is from.
#[derive(Clone, Copy)]
struct Item {
    token: Token,
    place: Option<Span>,
    /// Whether it is an argument that `#` made a string of, up to the token that ends there.
    string_end: Option<u32>,
}

impl Item {
    const fn own(token: Token) -> Self {
        Self { token, place: None, string_end: None }
    }

    fn here(self) -> Span {
        self.place.unwrap_or(self.token.span())
    }
}

impl Reader<'_> {
    /// The template: its literals joined; macros of literals expanded, and holes for all others. `before` is where the
    /// macros are looked up: only what was defined before counts.
    pub(super) fn template(&self, tokens: &[Token], before: u32) -> Mapped {
        let items: Vec<Item> = tokens.iter().map(|t| Item::own(*t)).collect();
        let mut expanded = Vec::with_capacity(items.len());
        self.expand(&items, before, 0, &mut expanded);
        let mut out = Mapped::default();
        self.literals(&expanded, &mut out);
        self.expansion.spend(&out);
        out
    }

    /// The definition of a macro that holds at a place.
    fn definition(&self, name: &str, before: u32) -> Option<Macro> {
        let last = self.macros.get(name)?.iter().rev().find(|m| m.at < before)?;
        (last.body.0 < last.body.1).then_some(*last)
    }

    fn expand(&self, items: &[Item], before: u32, depth: u32, out: &mut Vec<Item>) {
        let mut at = 0;
        while let Some(item) = items.get(at) {
            at += 1;
            let is_name = item.token.kind == Kind::Word && item.string_end.is_none() && depth < DEPTH;
            let definition = Some(self.word(item.token))
                .filter(|word| {
                    is_name && !self.parameters.contains(word) && out.len() < MOST_TOKENS && !self.expansion.is_over()
                })
                .and_then(|word| self.definition(word, before));
            let Some(definition) = definition else {
                out.push(*item);
                continue;
            };
            let Some(parameters) = definition.parameters else {
                let body = &self.tokens[definition.body.0..definition.body.1];
                let body: Vec<Item> = placed(body, item.here());
                self.expand(&body, before, depth + 1, out);
                continue;
            };
            let close = items.get(at).filter(|i| i.token.kind == Kind::Open).and_then(|_| closing_item(items, at));
            let body = close.and_then(|close| {
                let last = items[close];
                let place = item.place.unwrap_or(Span::new(item.token.start, last.token.end));
                self.substituted(definition, parameters, &items[at + 1..close], before, depth, place)
            });
            match (body, close) {
                (Some(body), Some(close)) => {
                    self.expand(&body, before, depth + 1, out);
                    at = close + 1;
                }
                _ => out.push(*item),
            }
        }
    }

    /// The body of a macro with its arguments; nothing if they do not fit, or if it joins tokens.
    fn substituted(
        &self,
        definition: Macro,
        parameters: (usize, usize),
        arguments: &[Item],
        before: u32,
        depth: u32,
        place: Span,
    ) -> Option<Vec<Item>> {
        let names = &self.tokens[parameters.0..parameters.1.max(parameters.0)];
        let names: Vec<&str> = names.iter().filter(|t| t.kind == Kind::Word).map(|t| self.word(*t)).collect();
        let arguments = split_items(arguments);
        if arguments.len() != names.len() && !(names.len() == 1 && arguments.is_empty()) {
            return None;
        }
        let body = placed(&self.tokens[definition.body.0..definition.body.1], place);
        let argument = |item: &Item| {
            let position = names.iter().position(|n| item.token.kind == Kind::Word && *n == self.word(item.token))?;
            Some(arguments.get(position).copied().unwrap_or_default())
        };
        let mut all = Vec::with_capacity(body.len());
        let mut at = 0;
        while let Some(item) = body.get(at) {
            at += 1;
            match item.token.kind {
                Kind::Paste => return None,
                Kind::Hash => {
                    let written = argument(body.get(at)?)?;
                    at += 1;
                    let (first, last) = (written.first()?, written.last()?);
                    // Text of the file as it is written; what comes from several macros is not.
                    let is_one_run =
                        written.iter().all(|i| i.place == first.place) && last.token.end >= first.token.end;
                    // A parameter of the macro that holds the statement, or what another file may define.
                    let is_known = written.iter().all(|i| {
                        i.token.kind != Kind::Word
                            || depth == 0 && i.place.is_none() && !self.parameters.contains(&self.word(i.token))
                    });
                    if !is_one_run || !is_known {
                        all.extend([*item, *first]);
                        continue;
                    }
                    all.push(Item { string_end: Some(last.token.end), ..*first });
                }
                _ => match argument(item) {
                    Some(written) => self.expand(written, before, depth + 1, &mut all),
                    None => all.push(*item),
                },
            }
            if all.len() > MOST_TOKENS {
                return None;
            }
        }
        Some(all)
    }

    fn literals(&self, items: &[Item], out: &mut Mapped) {
        let mut at = 0;
        while let Some(item) = items.get(at) {
            let here = item.here();
            if let Some(end) = item.string_end {
                let written = Span::new(item.token.start, end);
                match item.place {
                    None => out.push_run(written.of(self.text), written.start),
                    Some(place) => {
                        let mut inside = Mapped::default();
                        inside.push_run(written.of(self.text), written.start);
                        out.push_placed(&inside, place);
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
                        out.push_placed(&inside, place);
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
                    let is_string =
                        is_call && matches!(word, "str" | "STR" | "STRINGIFY" | "XSTR" | "TOSTRING" | "_STR");
                    let hole = if is_string { HOLE } else { WIDE_HOLE };
                    let end = close.map_or(here.end, |c| items[c].here().end.max(here.end));
                    let here = item.place.unwrap_or(Span::new(item.token.start, end));
                    out.push_atom(hole.encode_utf8(&mut [0; 4]), here);
                    at = close.unwrap_or(at);
                }
                Kind::Newline => {}
                // Parentheses around a literal change nothing.
                Kind::Open | Kind::Close if item.place.is_some() => {}
                _ => out.push_atom(WIDE_HOLE.encode_utf8(&mut [0; 4]), here),
            }
            at += 1;
        }
    }
}

fn closing_item(items: &[Item], open: usize) -> Option<usize> {
    let tokens: Vec<Token> = items[open..].iter().map(|i| i.token).collect();
    closing(&tokens, 0).map(|close| open + close)
}

/// The arguments between the commas at the outermost level.
fn split_items(items: &[Item]) -> Vec<&[Item]> {
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

/// Tokens of a macro's body, which stand at its use.
fn placed(body: &[Token], place: Span) -> Vec<Item> {
    let is_meant = |t: &&Token| t.kind != Kind::Newline;
    body.iter().filter(is_meant).map(|t| Item { token: *t, place: Some(place), string_end: None }).collect()
}
