//! Structures that class templates become: `template <int N> struct Tile { sycl::vec<float, N> v; };`, `Tile<4> tile;`.

use super::super::brackets::{angle, closing, split};
use super::super::lexer::{Kind, Token};
use super::Names;
use super::name::builtin;
use crate::host::statement::HostType;

/// Tokens of a class before its brace, and between its braces.
const MOST_HEAD: usize = 64;
const MOST_BODY: usize = 512;

/// Structures that the templates of a file become.
const MOST_INSTANCES: usize = 64;

/// A class template.
pub(in super::super) struct ClassTemplate<'a> {
    parameters: Vec<&'a str>,
    body: Vec<Token>,
    has_base: bool,
}

impl<'a> Names<'a> {
    /// Notes a class template: what follows the keyword of the class. Of one that is specialised, nothing is known.
    pub(super) fn class_template(&mut self, parameters: &[&'a str], tokens: &[Token]) {
        self.template_parameters.extend(parameters);
        let Some(name) = tokens.first().filter(|t| t.kind == Kind::Word) else { return };
        let end = tokens.iter().take(MOST_HEAD).position(|t| matches!(t.kind, Kind::BraceOpen | Kind::Semicolon));
        let Some(open) = end.filter(|open| tokens[*open].kind == Kind::BraceOpen) else { return };
        let near = &tokens[..tokens.len().min(open + MOST_BODY)];
        let is_plain = tokens[1..open].iter().all(|t| !matches!(t.kind, Kind::Less | Kind::Open));
        let has_base = tokens[1..open].iter().any(|t| t.kind == Kind::Colon);
        let read = closing(near, open).filter(|_| is_plain && !parameters.is_empty()).map(|close| ClassTemplate {
            parameters: parameters.to_vec(),
            body: tokens[open + 1..close].to_vec(),
            has_base,
        });
        self.class_templates.entry(self.word(*name)).and_modify(|known| *known = None).or_insert(read);
    }

    /// Reads what the class templates of the file become where they are used.
    pub(super) fn collect_class_instances(&mut self, tokens: &[Token]) {
        if self.class_templates.values().all(Option::is_none) {
            return;
        }
        for (i, token) in tokens.iter().enumerate() {
            if self.class_instances.len() >= MOST_INSTANCES {
                break;
            }
            let is_known =
                token.kind == Kind::Word && matches!(self.class_templates.get(self.word(*token)), Some(Some(_)));
            let Some(n) = Some(&tokens[i + 1..]).filter(|_| is_known).and_then(angle) else { continue };
            let arguments = &tokens[i + 2..i + n];
            let key = self.instance_key(self.word(*token), arguments);
            if !self.class_instances.contains_key(&key)
                && let Some(read) = self.instance(self.word(*token), arguments)
            {
                self.class_instances.insert(key, read);
            }
        }
    }

    /// The structure that a class template becomes, if the file uses it so.
    pub(super) fn class_instance(&self, name: &str, arguments: &[Token]) -> Option<HostType> {
        if self.class_instances.is_empty() {
            return None;
        }
        self.class_instances.get(&self.instance_key(name, arguments)).cloned()
    }

    fn instance_key(&self, name: &str, arguments: &[Token]) -> String {
        let words = arguments.iter().take(MOST_HEAD).map(|t| self.word(*t));
        std::iter::once(name).chain(words).collect::<Vec<_>>().join(" ")
    }

    fn instance(&mut self, name: &str, arguments: &[Token]) -> Option<HostType> {
        // What a parameter of another template stands for is not known.
        let is_known = |t: &Token| {
            let word = self.word(*t);
            t.kind != Kind::Word
                || builtin(word).is_some()
                || !self.template_parameters.contains(word)
                    && (self.types.get(word).is_some_and(|read| *read != HostType::Open)
                        || self.numbers.get(word).is_some_and(Option::is_some)
                        || self.spaces.contains(word)
                        || word == "sycl")
        };
        if !arguments.iter().all(is_known) {
            return None;
        }
        let template = self.class_templates.get(name)?.as_ref()?;
        let given = split(arguments);
        if given.len() != template.parameters.len() {
            return None;
        }
        let mut body = Vec::with_capacity(template.body.len());
        for token in &template.body {
            match template.parameters.iter().position(|p| token.kind == Kind::Word && *p == self.word(*token)) {
                Some(at) => body.extend_from_slice(given[at]),
                None => body.push(*token),
            }
        }
        let has_base = template.has_base;
        Some(self.aggregate(&body, has_base))
    }
}
