//! Types that a file declares itself: vectors by attribute, structures, enumerations; and what its functions return.

use super::super::brackets::{angle, closing, direct, split};
use super::super::lexer::{Kind, Token};
use super::{Names, Structure};
use crate::host::statement::HostType;
use crate::spec::Type;
use rustc_hash::{FxHashMap, FxHashSet};

/// Words before the name of a function that may be its type.
const MOST_WORDS: usize = 24;

/// Tokens before the braces of an enumeration.
const MOST_HEAD: usize = 16;

/// Tokens of an alias template that are read.
const MOST_ALIAS: usize = 64;

impl Names<'_> {
    /// `__attribute__((ext_vector_type(N)))` or `vector_size(BYTES)` behind an element type: the vector, and the number of
    /// tokens.
    pub(super) fn vector_attribute(&self, element: &HostType, tokens: &[Token]) -> Option<(HostType, usize)> {
        if !matches!(self.word(*tokens.first()?), "__attribute__" | "__attribute") {
            return None;
        }
        let close = closing(tokens, 1)?;
        let inside = &tokens[..close];
        let at = inside.iter().position(|t| {
            matches!(self.word(*t), "ext_vector_type" | "__ext_vector_type__" | "vector_size" | "__vector_size__")
        });
        let Some(at) = at else {
            // Another attribute changes nothing.
            return Some((element.clone(), close + 1));
        };
        let end = closing(inside, at + 1)?;
        let number = self.constant_of(&inside[at + 2..end], &[], 0).and_then(|n| u32::try_from(n).ok());
        let vector = match (element, number) {
            (HostType::Value { element, n_components: 1, is_unsigned }, Some(n)) => {
                let is_bytes = self.word(inside[at]).contains("vector_size");
                let n_components = if is_bytes { n / element.bytes() } else { n };
                HostType::Value {
                    element: *element,
                    n_components: n_components.clamp(1, 4096),
                    is_unsigned: *is_unsigned,
                }
            }
            _ => HostType::Open,
        };
        Some((vector, close + 1))
    }

    /// `<class T, int N> using NAME = T __attribute__((ext_vector_type(N)));`: what follows the keyword.
    pub(super) fn alias_template(&mut self, tokens: &[Token]) {
        let Some(n) = angle(tokens) else { return };
        let Some(keyword) = tokens.get(n).map(|t| self.word(*t)) else { return };
        if !matches!(keyword, "struct" | "class" | "using") {
            return;
        }
        let name_of = |parameter: &[Token]| {
            let head = parameter.split(|t| t.kind == Kind::Equal).next().unwrap_or_default();
            head.last().map_or("", |t| self.word(*t))
        };
        let parameters: Vec<_> = split(&tokens[1..n - 1]).into_iter().map(name_of).collect();
        if keyword != "using" {
            self.class_template(&parameters, &tokens[n + 1..]);
            self.class_aliases(parameters, &tokens[n + 1..]);
            return;
        }
        if let [name, equal, rest @ ..] = &tokens[n + 1..]
            && (name.kind, equal.kind) == (Kind::Word, Kind::Equal)
            && let Some(end) = rest.iter().take(MOST_ALIAS).position(|t| t.kind == Kind::Semicolon)
        {
            self.templates.insert(self.word(*name), (parameters, rest[..end].to_vec()));
        }
    }

    /// What an alias template of the file becomes with its arguments.
    pub(super) fn of_template(&self, name: &str, arguments: &[Token]) -> HostType {
        let Some((parameters, body)) = self.templates.get(name) else { return HostType::Open };
        let given = split(arguments);
        // Arguments that are left out have values of their own, and aliases that name themselves have no end.
        if given.len() != parameters.len() || body.iter().any(|t| self.templates.contains_key(self.word(*t))) {
            return HostType::Open;
        }
        let mut tokens = Vec::with_capacity(body.len());
        for token in body {
            match parameters.iter().position(|p| token.kind == Kind::Word && *p == self.word(*token)) {
                Some(at) => tokens.extend_from_slice(given[at]),
                None => tokens.push(*token),
            }
        }
        match self.read_type(&tokens) {
            Some((read, n)) if n == tokens.len() => read,
            _ => HostType::Open,
        }
    }

    /// `struct NAME { ... }`: what follows the keyword.
    pub(super) fn structure(&mut self, tokens: &[Token], is_union: bool) {
        let Some(name) = tokens.first().filter(|t| t.kind == Kind::Word) else { return };
        let Some(open) = tokens.iter().take(64).position(|t| t.kind == Kind::BraceOpen) else { return };
        let is_plain = tokens[1..open].iter().all(|t| !matches!(t.kind, Kind::Semicolon | Kind::Open | Kind::Equal));
        if let Some(close) = closing(tokens, open).filter(|_| is_plain) {
            let has_base = tokens[1..open].iter().any(|t| t.kind == Kind::Colon);
            let read = self.aggregate(&tokens[open + 1..close], is_union || has_base);
            self.is_type_named(self.word(*name), read);
        }
    }

    /// The structure whose members stand in `tokens`. Of a union, or behind the members of another class, the size is another
    /// one.
    pub(super) fn aggregate(&mut self, tokens: &[Token], has_other_size: bool) -> HostType {
        let read = self.members_of(tokens);
        if let Some(last) = self.structs.last_mut().filter(|_| has_other_size) {
            last.order = Vec::new();
            last.integer = None;
        }
        read
    }

    /// The structure whose members stand in `tokens`.
    fn members_of(&mut self, tokens: &[Token]) -> HostType {
        let declared = self.members(&direct(tokens));
        let mut members = FxHashMap::default();
        for (name, all) in declared.by_name {
            // A name that is declared twice is also one of a parameter.
            let read = if let [(_, one, _)] = all.as_slice() { one.clone() } else { HostType::Open };
            members.insert(name, read);
        }
        let integer = self.integer_of(tokens);
        // Functions are declared like members.
        let is_plain =
            !tokens.iter().any(|t| matches!(t.kind, Kind::Open | Kind::BraceOpen) || self.word(*t) == "static");
        let mut known = FxHashSet::default();
        let mut is_member = |t: &&Token| members.contains_key(self.word(**t)) && known.insert(self.word(**t));
        let order =
            if is_plain { tokens.iter().filter(&mut is_member).map(|t| self.word(*t)).collect() } else { Vec::new() };
        self.structs.push(Structure { members, order, integer });
        HostType::Struct(self.structs.len() as u32 - 1)
    }

    /// The integer that has the size of a structure with these members. Nothing if something else stands among them.
    fn integer_of(&self, tokens: &[Token]) -> Option<Type> {
        const OTHERS: [&str; 7] = ["static", "using", "typedef", "template", "friend", "virtual", "struct"];
        let mut size = 0u32;
        let mut greatest = 1;
        for declaration in tokens.split(|t| t.kind == Kind::Semicolon).filter(|d| !d.is_empty()) {
            let is_other = |t: &Token| match t.kind {
                Kind::Word => OTHERS.contains(&self.word(*t)),
                kind => {
                    !matches!(kind, Kind::Scope | Kind::Comma | Kind::Less | Kind::Greater | Kind::Number | Kind::Star)
                }
            };
            if declaration.iter().any(is_other) {
                return None;
            }
            let (read, n) = self.read_type(declaration)?;
            let (element, n_components) = read.variable()?;
            // A vector of three has the room of four.
            let bytes = element.bytes().checked_mul(if n_components == 3 { 4 } else { n_components })?;
            for name in split(&declaration[n..]) {
                let [name] = name else { return None };
                (name.kind == Kind::Word).then_some(())?;
                // Nothing for a vector without elements, and for one that is too large for any integer.
                size = size.checked_next_multiple_of(bytes)?.checked_add(bytes)?;
                greatest = greatest.max(bytes);
            }
        }
        match size.checked_next_multiple_of(greatest)? {
            1 => Some(Type::B),
            2 => Some(Type::W),
            4 => Some(Type::D),
            8 => Some(Type::Q),
            _ => None,
        }
    }

    /// What compilers hand over to an asm statement in the place of a value of this type.
    pub(in super::super) fn handed_over(&self, read: HostType) -> HostType {
        let HostType::Struct(structure) = read else { return read };
        let integer = self.structs.get(structure as usize).and_then(|s| s.integer);
        integer.map_or(read, |integer| HostType::scalar(integer, false))
    }

    /// The type of the member with that number, if all of them are known.
    pub(super) fn member_at(&self, structure: u32, index: usize) -> HostType {
        let name = self.structs.get(structure as usize).and_then(|s| s.order.get(index));
        name.map_or(HostType::Open, |name| self.member(structure, name))
    }

    /// The type of a member.
    pub(super) fn member(&self, structure: u32, name: &str) -> HostType {
        self.structs.get(structure as usize).and_then(|s| s.members.get(name)).cloned().unwrap_or_default()
    }

    /// `enum class NAME : TYPE { ... }`: what follows the keyword.
    pub(super) fn enumeration(&mut self, tokens: &[Token]) {
        let skipped = tokens.iter().take_while(|t| matches!(self.word(**t), "class" | "struct")).count();
        let rest = &tokens[skipped..];
        let Some(name) = rest.first() else { return };
        let Some(open) = rest.iter().take(16).position(|t| t.kind == Kind::BraceOpen) else { return };
        let read = self.enumerated(&rest[..open]);
        self.is_type_named(self.word(*name), read);
    }

    /// Notes the numbers of the names between the braces of an enumeration, up to the first one that is not known.
    pub(super) fn enumerators(&mut self, tokens: &[Token]) {
        let near = &tokens[..tokens.len().min(MOST_HEAD)];
        let Some(open) = near.iter().position(|t| t.kind == Kind::BraceOpen) else { return };
        if near[..open].iter().any(|t| !matches!(t.kind, Kind::Word | Kind::Colon | Kind::Scope)) {
            return;
        }
        let Some(close) = closing(tokens, open) else { return };
        let mut next = 0;
        for item in split(&tokens[open + 1..close]) {
            let value = match item {
                [_] => Some(next),
                [_, equal, value @ ..] if equal.kind == Kind::Equal => self.number(value),
                _ => None,
            };
            let Some(value) = value else { return };
            self.is_number(self.word(item[0]), Some(value));
            next = value + 1;
        }
    }

    /// The type of an enumeration by what stands before its braces: the one that is written, or `int`.
    pub(super) fn enumerated(&self, head: &[Token]) -> HostType {
        match head.iter().position(|t| t.kind == Kind::Colon) {
            Some(colon) => self.read_type(&head[colon + 1..]).map_or(HostType::Open, |(read, _)| read),
            None => HostType::scalar(Type::D, false),
        }
    }

    /// Notes what the function with the parameters at `open` of its header returns. Of functions of one name that return
    /// different types, nothing is known.
    pub fn function(&mut self, head: &[Token], open: usize) {
        let Some(at) = open.checked_sub(1) else { return };
        if self.returns.get(self.word(head[at])) == Some(&HostType::Open) {
            return;
        }
        let read = (at.saturating_sub(MOST_WORDS)..at)
            .find_map(|from| self.read_type(&head[from..at]).filter(|(_, n)| from + n == at));
        let Some((read, _)) = read else { return };
        let known = self.returns.entry(self.word(head[at])).or_insert_with(|| read.clone());
        if *known != read {
            *known = HostType::Open;
        }
    }
}

/// The type of an operation on two values.
pub(super) fn arithmetic(one: &HostType, two: &HostType) -> HostType {
    let (
        HostType::Value { element: a, n_components: n, is_unsigned: u },
        HostType::Value { element: b, n_components: m, is_unsigned: v },
    ) = (one, two)
    else {
        return HostType::Open;
    };
    match (*n, *m) {
        (1, 1) => {}
        // A vector and a scalar that becomes one.
        (_, 1) => return one.clone(),
        (1, _) => return two.clone(),
        _ => return if one == two { one.clone() } else { HostType::Open },
    }
    if let Some(real) = [Type::DF, Type::F, Type::HF].into_iter().find(|t| t == a || t == b) {
        return HostType::scalar(real, false);
    }
    let wide = if *a == Type::Q || *b == Type::Q { Type::Q } else { Type::D };
    let is_unsigned = *u && *a == wide || *v && *b == wide;
    HostType::scalar(wide, is_unsigned)
}
