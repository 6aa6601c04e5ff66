//! Types that classes give a name: `struct Traits { using Element = int; };`, `Register<128>::type`.

use super::super::brackets::{angle, closing, split};
use super::super::lexer::{Kind, Token};
use super::Names;
use crate::host::statement::HostType;
use rustc_hash::FxHashMap;

/// The aliases of a class, of a template for one, or of a specialisation of it.
pub(in super::super) struct ClassAliases<'a> {
    parameters: Vec<&'a str>,
    /// What a specialisation is made for.
    made_for: Option<Vec<Token>>,
    /// Names with what they stand for; nothing for a name that stands for several types.
    aliases: FxHashMap<&'a str, Option<Vec<Token>>>,
}

/// Tokens of a class before its brace.
const MOST_HEAD: usize = 64;

/// Aliases of one class that stand for each other, and classes whose aliases do.
const DEPTH: u32 = 4;

impl<'a> Names<'a> {
    /// Notes the aliases of the class that follows the keyword, which is a template with these parameters.
    pub(super) fn class_aliases(&mut self, parameters: Vec<&'a str>, tokens: &[Token]) {
        let Some(name) = tokens.first().filter(|t| t.kind == Kind::Word) else { return };
        let Some(open) = tokens.iter().take(MOST_HEAD).position(|t| t.kind == Kind::BraceOpen) else { return };
        let is_plain = tokens[1..open].iter().all(|t| !matches!(t.kind, Kind::Semicolon | Kind::Open | Kind::Equal));
        let Some(close) = closing(tokens, open).filter(|_| is_plain) else { return };
        let aliases = self.aliases_in(&tokens[open + 1..close]);
        let made_for = angle(&tokens[1..open]).map(|n| tokens[2..n].to_vec());
        let name = self.word(*name);
        let known = self.classes.entry(name).or_default();
        // A template is met by its own keyword before it is by that of the class.
        self.class_at.entry(tokens[open].start).or_insert_with(|| {
            known.push(ClassAliases { parameters, made_for, aliases });
            (name, known.len() - 1)
        });
    }

    fn aliases_in(&self, tokens: &[Token]) -> FxHashMap<&'a str, Option<Vec<Token>>> {
        let mut found: FxHashMap<&'a str, Option<Vec<Token>>> = FxHashMap::default();
        let mut depth = 0i32;
        for (i, token) in tokens.iter().enumerate() {
            depth += i32::from(matches!(token.kind, Kind::BraceOpen | Kind::Open));
            depth -= i32::from(matches!(token.kind, Kind::BraceClose | Kind::Close));
            if depth != 0 || token.kind != Kind::Word || !matches!(self.word(*token), "using" | "typedef") {
                continue;
            }
            let rest = &tokens[i + 1..];
            let Some(end) = rest.iter().take(MOST_HEAD).position(|t| t.kind == Kind::Semicolon) else { continue };
            let own = &rest[..end];
            // `typedef T NAME __attribute__((...));`
            let n_own =
                own.iter().position(|t| matches!(self.word(*t), "__attribute__" | "__attribute")).unwrap_or(end);
            let (name, value) = match (self.word(*token), &own[..n_own]) {
                ("using", [name, equal, ..]) if equal.kind == Kind::Equal => (*name, own[2..].to_vec()),
                ("typedef", [value @ .., name]) => (*name, [value, &own[n_own..]].concat()),
                _ => continue,
            };
            let name = self.word(name);
            found.entry(name).and_modify(|known| *known = None).or_insert(Some(value));
        }
        found
    }

    /// What a member of a class stands for; `given` are the arguments of the class.
    pub(super) fn member_type(&self, class: &str, given: Option<&[Token]>, member: &str) -> Option<HostType> {
        let all = self.classes.get(class)?;
        let depth = self.n_members.get();
        if depth >= DEPTH {
            return None;
        }
        self.n_members.set(depth + 1);
        let found = self.member_of(all, given, member);
        self.n_members.set(depth);
        found
    }

    fn member_of(&self, all: &[ClassAliases<'a>], given: Option<&[Token]>, member: &str) -> Option<HostType> {
        let given = given.map(split);
        let is_for = |made_for: &[Token]| {
            let wanted = split(made_for);
            given.as_ref().is_some_and(|given| {
                wanted.len() == given.len()
                    && wanted.iter().zip(given).all(|(one, two)| self.is_same_argument(one, two))
            })
        };
        let mut special = all.iter().filter(|c| c.parameters.is_empty() && c.made_for.as_deref().is_some_and(is_for));
        let is_partial = |c: &&ClassAliases| c.made_for.is_some() && !c.parameters.is_empty();
        let n_given = given.as_ref().map_or(0, Vec::len);
        let mut plain = all.iter().filter(|c| c.made_for.is_none() && c.parameters.len() == n_given);
        let class = match special.next() {
            Some(found) => found,
            None if all.iter().any(|c| is_partial(&c)) => return None,
            None => plain.next().filter(|_| plain.next().is_none())?,
        };
        let arguments: Vec<(&str, &[Token])> =
            class.parameters.iter().copied().zip(given.into_iter().flatten()).collect();
        self.alias_of(class, member, &arguments)
    }

    /// Lets the aliases of the class whose brace opens there stand for their types, whatever else has these names.
    pub(in super::super) fn bind_class(&mut self, brace: u32) {
        if let Some((name, index)) = self.class_at.get(&brace) {
            self.bound.classes.push((*name, *index));
        }
    }

    /// The type that a class around the statement gives a name; open if it gives it several.
    pub(super) fn bound_alias(&self, name: &str) -> Option<HostType> {
        let has = |(class, index): &&(&str, usize)| self.classes[class][*index].aliases.contains_key(name);
        let (class, index) = self.bound.classes.iter().rev().find(has)?;
        let depth = self.n_members.get();
        if depth >= DEPTH {
            return Some(HostType::Open);
        }
        self.n_members.set(depth + 1);
        let found = self.alias_of(&self.classes[class][*index], name, &[]);
        self.n_members.set(depth);
        Some(found.unwrap_or_default())
    }

    /// The type that a class gives a name.
    fn alias_of(&self, class: &ClassAliases<'a>, member: &str, arguments: &[(&str, &[Token])]) -> Option<HostType> {
        let mut tokens = Vec::new();
        self.substitute(class, member, arguments, 0, &mut tokens)?;
        let (read, n) = self.read_type(&tokens)?;
        (n == tokens.len()).then_some(read)
    }

    fn substitute(
        &self,
        class: &ClassAliases<'a>,
        member: &str,
        arguments: &[(&str, &[Token])],
        depth: u32,
        out: &mut Vec<Token>,
    ) -> Option<()> {
        for token in class.aliases.get(member)?.as_ref()? {
            let word = self.word(*token);
            let is_word = token.kind == Kind::Word;
            if let Some((_, given)) = arguments.iter().find(|(name, _)| is_word && *name == word) {
                out.extend_from_slice(given);
            } else if is_word && class.aliases.contains_key(word) {
                if depth >= DEPTH || out.len() > MOST_HEAD {
                    return None;
                }
                self.substitute(class, word, arguments, depth + 1, out)?;
            } else {
                out.push(*token);
            }
        }
        Some(())
    }

    fn is_same_argument(&self, one: &[Token], two: &[Token]) -> bool {
        let number = |tokens: &[Token]| self.constant_of(tokens, &[], 0);
        let read = |tokens: &[Token]| {
            self.read_type(tokens)
                .filter(|(read, n)| *n == tokens.len() && *read != HostType::Open)
                .map(|(read, _)| read)
        };
        match (number(one), number(two)) {
            (None, None) => read(one).is_some_and(|one| read(two) == Some(one)),
            (one, two) => one == two,
        }
    }
}
