//! Macros that stand for types: `#define ACC float8`, `#define VEC(T, N) T##N`, `#define AS_INT(x) as_int8(x)`.

use super::Reader;
use super::brackets::{closing, split};
use super::lexer::{Kind, Token};
use super::macros::Macro;
use super::types::Declarations;
use crate::host::statement::HostType;

/// Macros inside of macros that are followed to the name of a type.
const DEPTH: u32 = 8;

/// Tokens of a macro that stands for a type, and of a use of one.
const MOST_TOKENS: usize = 24;

/// A parameter of a macro with what stands for it: as it is written, and with its macros expanded.
type Argument<'a> = (&'a str, Option<String>, Option<String>);

impl Reader<'_> {
    /// Notes the types that macros of the file stand for. Names of types that are known by now may stand in them.
    pub(super) fn collect_macro_types(&mut self) {
        let mut types = Vec::new();
        let mut returns = Vec::new();
        for (name, definitions) in &self.macros {
            let [definition] = definitions.as_slice() else { continue };
            let body = self.short_body(*definition);
            if body.is_empty() || self.asm_macros.contains(name) {
                continue;
            }
            if definition.parameters.is_none() {
                let read = self.names.read_type(body).filter(|(_, n)| *n == body.len()).map(|(read, _)| read);
                types.extend(
                    read.filter(|t| *t != HostType::Open).or_else(|| self.joined_type(body)).map(|t| (*name, t)),
                );
            } else {
                let read = self.names.type_of(body, &Declarations::default());
                returns.extend(Some((*name, read)).filter(|(_, t)| *t != HostType::Open));
            }
        }
        self.names.types.extend(types);
        self.names.returns.extend(returns);
    }

    /// Notes the types that uses of macros become which join the name of one: `VEC(float, 8) v;`.
    pub(super) fn collect_joined_types(&mut self, code: &[Token]) {
        let is_join = |definitions: &Vec<Macro>| {
            let [definition] = definitions.as_slice() else { return false };
            let body = self.short_body(*definition);
            let is_call = matches!(body, [name, open, ..] if name.kind == Kind::Word && open.kind == Kind::Open);
            definition.parameters.is_some() && (is_call || body.iter().any(|t| t.kind == Kind::Paste))
        };
        let joins: Vec<&str> = self.macros.iter().filter(|(_, all)| is_join(all)).map(|(name, _)| *name).collect();
        if joins.is_empty() {
            return;
        }
        let joins: rustc_hash::FxHashSet<&str> = joins.into_iter().collect();
        for (at, pair) in code.windows(2).enumerate() {
            if pair[0].kind != Kind::Word || pair[1].kind != Kind::Open || !joins.contains(self.word(pair[0])) {
                continue;
            }
            let near = &code[at..code.len().min(at + MOST_TOKENS)];
            if let Some(close) = closing(near, 1)
                && let Some(read) = self.joined_type(&near[..=close])
            {
                self.names.joined.insert(pair[0].start, read);
            }
        }
    }

    /// The body of a macro, if it is a short one.
    fn short_body(&self, definition: Macro) -> &[Token] {
        let body = &self.directives[definition.body.0..definition.body.1];
        if body.len() <= MOST_TOKENS { body } else { &[] }
    }

    /// The type whose name macros join.
    fn joined_type(&self, tokens: &[Token]) -> Option<HostType> {
        self.names.type_named(&self.joined(tokens, &[], 0)?)
    }

    /// The word that tokens become.
    fn joined(&self, tokens: &[Token], arguments: &[Argument], depth: u32) -> Option<String> {
        if depth > DEPTH {
            return None;
        }
        if let [token] = tokens {
            let word = self.word(*token);
            if let Some((_, _, expanded)) = arguments.iter().find(|(name, ..)| *name == word) {
                return expanded.clone();
            }
            return match self.macros.get(word).map(Vec::as_slice) {
                None => Some(word.to_owned()),
                Some([definition]) if definition.parameters.is_none() => {
                    self.joined(self.short_body(*definition), &[], depth + 1)
                }
                Some(_) => None,
            };
        }
        if tokens.iter().any(|t| t.kind == Kind::Paste) {
            let mut name = String::new();
            for part in tokens.split(|t| t.kind == Kind::Paste) {
                let [token] = part else { return None };
                let word = self.word(*token);
                match arguments.iter().find(|(name, ..)| *name == word) {
                    Some((_, written, _)) => name += written.as_ref()?,
                    None => name += word,
                }
            }
            return Some(name);
        }
        let [name, open, inside @ .., _] = tokens else { return None };
        let [definition] = self.macros.get(self.word(*name))?.as_slice() else { return None };
        let (from, to) = definition.parameters.filter(|_| open.kind == Kind::Open)?;
        let names = self.directives[from..to.max(from)].iter().filter(|t| t.kind == Kind::Word).map(|t| self.word(*t));
        let given = split(inside).into_iter().map(|argument| {
            let written = match argument {
                [token] => match arguments.iter().find(|(name, ..)| *name == self.word(*token)) {
                    Some((_, _, expanded)) => expanded.clone(),
                    None => Some(self.word(*token).to_owned()),
                },
                _ => None,
            };
            (written, self.joined(argument, arguments, depth + 1))
        });
        let own: Vec<Argument> =
            names.zip(given).map(|(name, (written, expanded))| (name, written, expanded)).collect();
        self.joined(self.short_body(*definition), &own, depth + 1)
    }
}
