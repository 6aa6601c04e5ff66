//! Types of the C family: of declarations near an asm statement, and of the expressions of its operands.

mod aggregate;
mod declaration;
mod expression;
mod instance;
mod lane;
mod member;
mod name;
mod value;
mod words;

use super::bound::Bound;
use super::brackets::{angle, closing};
use super::index::Index;
use super::lexer::{Kind, Token};
use crate::host::statement::HostType;
use crate::spec::Type;
use declaration::Origin;
pub(super) use declaration::{Declarations, Reading};
use instance::ClassTemplate;
pub(super) use member::ClassAliases;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::Cell;
use value::integer;
pub(super) use words::{NOT_TYPES, QUALIFIERS};

/// The tokens of a text with names for types and numbers.
#[derive(Default)]
pub(super) struct Names<'a> {
    pub text: &'a str,
    /// `using` and `typedef` of the file.
    pub types: FxHashMap<&'a str, HostType>,
    /// Templates of `using`: the parameters, and what they become.
    pub templates: FxHashMap<&'a str, (Vec<&'a str>, Vec<Token>)>,
    /// Names of constants of the file, and object-like macros of one number. Nothing for a name that stands for several.
    pub numbers: FxHashMap<&'a str, Option<i64>>,
    /// What is known of constants of the file, wherever they are used.
    pub constants: Declarations<'a>,
    /// The types that uses of macros become, by the place of each.
    pub joined: FxHashMap<u32, HostType>,
    /// Types that templates take.
    pub parameters: Vec<&'a str>,
    /// Namespaces of the file.
    pub spaces: FxHashSet<&'a str>,
    /// What the functions of the file return.
    pub returns: FxHashMap<&'a str, HostType>,
    /// The structures.
    pub structs: Vec<Structure<'a>>,
    /// The aliases of classes.
    pub classes: FxHashMap<&'a str, Vec<ClassAliases<'a>>>,
    /// The name of each class, and its place among those of the name, by where its brace opens.
    pub class_at: FxHashMap<u32, (&'a str, usize)>,
    /// Class templates; nothing for those that are specialised.
    pub class_templates: FxHashMap<&'a str, Option<ClassTemplate<'a>>>,
    /// What they become, by name and arguments.
    pub class_instances: FxHashMap<String, HostType>,
    /// The parameters of class templates.
    pub template_parameters: FxHashSet<&'a str>,
    /// Classes whose members are being read, each for one of the class before it.
    pub n_members: Cell<u32>,
    /// Parameters of the templates around the statement that is read.
    pub bound: Bound<'a>,
    /// The place that counts for words that stand before it: they are from a macro that is used there.
    pub floor: u32,
}

/// A structure.
#[derive(PartialEq)]
pub(super) struct Structure<'a> {
    members: FxHashMap<&'a str, HostType>,
    /// The names of the members in their order, if there is nothing else.
    order: Vec<&'a str>,
    /// What compilers hand over to an asm statement in its place: an integer of its size.
    integer: Option<Type>,
}

/// Casts, parentheses and operators around each other that are followed; what lies deeper is open.
pub(super) const DEPTH: u32 = 16;

/// Tokens of an expression whose value is computed.
const MOST_EXPRESSION: usize = 24;

/// Namespaces that one declaration opens.
const MOST_SPACES: usize = 8;

impl<'a> Names<'a> {
    /// The names that a text begins with.
    pub fn of(text: &'a str) -> Self {
        let brain_float = Structure { members: FxHashMap::default(), order: Vec::new(), integer: Some(Type::W) };
        Self { text, structs: vec![brain_float], ..Self::default() }
    }

    fn word(&self, token: Token) -> &'a str {
        &self.text[token.start as usize..token.end as usize]
    }

    /// Up to where declarations count for a token.
    fn place(&self, token: Token) -> u32 {
        token.start.max(self.floor)
    }

    /// The number that an expression of one token is.
    pub fn number(&self, mut tokens: &[Token]) -> Option<i64> {
        let mut is_negative = false;
        loop {
            let number = match tokens {
                [token] if token.kind == Kind::Number => integer(self.word(*token))?,
                [token] => {
                    let word = self.word(*token);
                    self.bound.numbers.get(word).copied().or_else(|| *self.numbers.get(word)?)?
                }
                // A parameter of a template may have any members.
                [class, scope, rest @ ..]
                    if (class.kind, scope.kind) == (Kind::Word, Kind::Scope)
                        && (self.types.contains_key(self.word(*class)) || self.spaces.contains(self.word(*class))) =>
                {
                    tokens = rest;
                    continue;
                }
                [open, inside @ .., close] if open.kind == Kind::Open && close.kind == Kind::Close => {
                    tokens = inside;
                    continue;
                }
                [sign, rest @ ..] if sign.kind == Kind::Other && self.word(*sign) == "-" => {
                    is_negative = !is_negative;
                    tokens = rest;
                    continue;
                }
                _ => return None,
            };
            return if is_negative { number.checked_neg() } else { Some(number) };
        }
    }

    /// Collects the constants and the aliases of types that a text declares anywhere. Of a name that stands for several, nothing
    /// is known.
    pub fn collect(&mut self, tokens: &[Token], index: &Index) {
        for at in index.declaring() {
            self.collect_number(self.word(tokens[at]), &tokens[at + 1..]);
        }
        for at in index.declaring() {
            self.collect_type(self.word(tokens[at]), &tokens[at + 1..]);
        }
        for at in index.outer() {
            if matches!(self.word(tokens[at]), "constexpr" | "const") {
                self.typed_constant(&tokens[at + 1..]);
            }
        }
        for name in std::mem::take(&mut self.parameters) {
            self.types.insert(name, HostType::Open);
        }
        self.collect_class_instances(tokens);
    }

    fn collect_number(&mut self, word: &'a str, rest: &[Token]) {
        match word {
            "enum" => self.enumerators(rest),
            "constexpr" | "const" => self.constant(rest),
            "namespace" => {
                let path = rest.iter().take_while(|t| matches!(t.kind, Kind::Word | Kind::Scope));
                let names = path.filter(|t| t.kind == Kind::Word).map(|t| self.word(*t));
                let names: Vec<&str> = names.take(MOST_SPACES).collect();
                self.spaces.extend(names);
            }
            _ => {}
        }
    }

    fn collect_type(&mut self, word: &'a str, rest: &[Token]) {
        match word {
            "template" => {
                self.type_parameters(rest);
                self.alias_template(rest);
            }
            "using" => {
                if let [name, equal, rest @ ..] = rest
                    && equal.kind == Kind::Equal
                    && let Some((read, _)) = self.read_type(rest)
                {
                    self.is_type_named(self.word(*name), read);
                }
            }
            "typedef" => self.typedef(rest),
            "struct" | "class" | "union" => {
                self.structure(rest, word == "union");
                self.class_aliases(Vec::new(), rest);
            }
            "enum" => self.enumeration(rest),
            _ => {}
        }
    }

    /// Notes the types that `template <class T, typename U>` takes: what they are is not known, whatever else has that name.
    fn type_parameters(&mut self, tokens: &[Token]) {
        let Some(n) = angle(tokens) else { return };
        for pair in tokens[..n].windows(2) {
            if matches!(self.word(pair[0]), "class" | "typename") && pair[1].kind == Kind::Word {
                self.parameters.push(self.word(pair[1]));
            }
        }
    }

    /// Notes the type that a name stands for somewhere in the file; nothing if it stands for another one, too.
    pub(super) fn is_type_named(&mut self, name: &'a str, read: HostType) {
        let Some(known) = self.types.get(name) else {
            self.types.insert(name, read);
            return;
        };
        let is_same = match (known, &read) {
            (HostType::Struct(one), HostType::Struct(two)) => {
                self.structs[*one as usize] == self.structs[*two as usize]
            }
            _ => *known == read,
        };
        if !is_same {
            self.types.insert(name, HostType::Open);
        }
    }

    fn typedef(&mut self, tokens: &[Token]) {
        let begins = |word: &str| tokens.first().is_some_and(|t| self.word(*t) == word);
        if begins("struct") || begins("union") || begins("enum") {
            let is_enum = begins("enum");
            let open = tokens.iter().take(4).position(|t| t.kind == Kind::BraceOpen);
            if let Some(open) = open
                && let Some(close) = closing(tokens, open)
                && let [name, end, ..] = &tokens[close + 1..]
                && (name.kind, end.kind) == (Kind::Word, Kind::Semicolon)
            {
                let read = if is_enum {
                    self.enumerated(&tokens[..open])
                } else {
                    self.aggregate(&tokens[open + 1..close], begins("union"))
                };
                self.is_type_named(self.word(*name), read);
                return;
            }
        }
        let Some((read, n)) = self.read_type(tokens) else { return };
        let Some(name) = tokens.get(n).filter(|t| t.kind == Kind::Word) else { return };
        let end = tokens[n..].iter().take(24).position(|t| t.kind == Kind::Semicolon).map_or(n, |i| n + i);
        let read = match self.vector_attribute(&read, &tokens[n + 1..]) {
            Some((vector, length)) if end == n + 1 + length => vector,
            None if end == n + 1 => read,
            _ => HostType::Open,
        };
        self.is_type_named(self.word(*name), read);
    }

    /// `constexpr int N = 16;`
    fn constant(&mut self, tokens: &[Token]) {
        if is_parameter(tokens) {
            return;
        }
        let Some((_, n)) = self.read_type(tokens) else { return };
        if let Some((name, value)) = initialised(&tokens[n..])
            && let Some(value) = self.constant_of(value, &[], 0)
        {
            self.is_number(self.word(name), Some(value));
        }
    }

    /// Notes the type and value of a constant of the file: `constexpr float SCALE = 0.5f;`
    fn typed_constant(&mut self, tokens: &[Token]) {
        if is_parameter(tokens) {
            return;
        }
        let Some((read, n)) = self.read_type(tokens) else { return };
        let Some((name, value)) = initialised(&tokens[n..]) else { return };
        let is_auto = tokens[..n].iter().any(|t| self.word(*t) == "auto");
        let declared = if is_auto { self.type_of(value, &self.constants) } else { read };
        let origin = self.origin_of(value).unwrap_or(Origin::Open);
        self.constants.note(self.word(name), declared, origin);
    }

    /// What is known of the value of a constant of the file.
    fn origin_of(&self, value: &[Token]) -> Option<Origin> {
        let number = self.constant_of(value, &[&self.constants], 0).map(Origin::Constant);
        number.or_else(|| self.real_of(value, &[&self.constants]).map(|number| Origin::Real(number.to_bits())))
    }

    /// Notes the number that a macro stands for.
    pub fn named_constant(&mut self, name: &'a str, value: &[Token]) {
        if !value.is_empty()
            && value.len() < MOST_EXPRESSION
            && let Some(origin) = self.origin_of(value)
        {
            let declared = self.type_of(value, &self.constants);
            self.constants.note(name, declared, origin);
        }
    }

    /// Notes the number that a name stands for somewhere in the file; nothing if it stands for something else.
    pub fn is_number(&mut self, name: &'a str, value: Option<i64>) {
        match self.numbers.get_mut(name) {
            Some(known) if *known != value => *known = None,
            Some(_) => {}
            None => {
                self.numbers.insert(name, value);
            }
        }
    }
}

/// The name and the value of `NAME = value;`, `NAME{value};`
fn initialised(tokens: &[Token]) -> Option<(Token, &[Token])> {
    let [name, sign, rest @ ..] = tokens else { return None };
    let end = rest.iter().take(MOST_EXPRESSION).position(|t| t.kind == Kind::Semicolon)?;
    let value = match sign.kind {
        Kind::Equal => &rest[..end],
        Kind::BraceOpen => rest[..end].split_last().filter(|(close, _)| close.kind == Kind::BraceClose)?.1,
        _ => return None,
    };
    (name.kind == Kind::Word).then_some((*name, value))
}

/// Whether what follows `const` is a parameter without a value, as nearly all are.
fn is_parameter(tokens: &[Token]) -> bool {
    let ends = |t: &&Token| {
        let begins_value = matches!(t.kind, Kind::Equal | Kind::BraceOpen | Kind::Semicolon);
        begins_value || matches!(t.kind, Kind::Less | Kind::Open | Kind::Close | Kind::Comma)
    };
    let end = tokens.iter().take(MOST_EXPRESSION).find(ends);
    end.is_some_and(|t| matches!(t.kind, Kind::Close | Kind::Comma))
}
