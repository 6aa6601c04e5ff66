//! The types of expressions.

use super::super::lexer::{Kind, Token};
use super::aggregate::arithmetic;
use super::{Declarations, Names, Origin, QUALIFIERS, builtin, closing, ends_operand, n_selected, number_type};
use crate::host::statement::{HostType, Value};
use crate::spec::Type;

/// Casts, parentheses and operators around each other that are followed; what lies deeper is open.
const DEPTH: u32 = 16;

impl<'a> Names<'a> {
    /// The type of an expression.
    pub fn type_of(&self, tokens: &[Token], declared: &Declarations<'a>) -> HostType {
        self.type_at_depth(tokens, declared, 0)
    }

    fn type_at_depth(&self, tokens: &[Token], declared: &Declarations<'a>, depth: u32) -> HostType {
        if depth > DEPTH {
            return HostType::Open;
        }
        let inner = |tokens: &[Token]| self.type_at_depth(tokens, declared, depth + 1);
        let Some(first) = tokens.first() else { return HostType::Open };
        if let Some((one, two)) = self.choice(tokens) {
            let (one, two) = (inner(one), inner(two));
            return if one == two { one } else { arithmetic(&one, &two) };
        }
        // Of a sum: the type of a pointer among its terms, or of all of them.
        if let Some(parts) = self.sum(tokens) {
            let mut types = parts.into_iter().map(inner);
            let first = decayed(types.next().unwrap_or_default());
            return types.fold(first, |sum, term| match (&sum, decayed(term)) {
                (HostType::Pointer { .. }, HostType::Pointer { .. }) => HostType::scalar(Type::Q, false),
                (HostType::Pointer { .. }, _) => sum,
                (_, pointer @ HostType::Pointer { .. }) => pointer,
                (_, term) => arithmetic(&sum, &term),
            });
        }
        match first.kind {
            Kind::Number if tokens.len() == 1 => number_type(self.word(*first)),
            Kind::Other if matches!(self.word(*first), "-" | "~" | "+") => match inner(&tokens[1..]) {
                one @ HostType::Value { n_components: 1, .. } => arithmetic(&one, &one),
                other => other,
            },
            Kind::Star => match inner(&tokens[1..]) {
                HostType::Pointer { target, .. } | HostType::Array { target, .. } => *target,
                _ => HostType::Open,
            },
            Kind::Ampersand => {
                let base = tokens
                    .get(1)
                    .filter(|t| t.kind == Kind::Word && !tokens[1..].iter().any(|t| t.kind == Kind::Arrow));
                let base = base.and_then(|t| declared.type_of(self.word(*t), self.place(*t)));
                // A name of another scope.
                if base.is_none() {
                    return HostType::Open;
                }
                let is_local = matches!(
                    base,
                    Some(HostType::Pointer { is_local: true, .. } | HostType::Array { is_local: true, .. })
                );
                HostType::Pointer { target: Box::new(inner(&tokens[1..])), is_local }
            }
            Kind::Open => {
                let Some(close) = closing(tokens, 0) else { return HostType::Open };
                let inside = &tokens[1..close];
                let rest = &tokens[close + 1..];
                if rest.is_empty() {
                    return inner(inside);
                }
                let is_postfix = matches!(rest[0].kind, Kind::BracketOpen | Kind::Dot | Kind::Arrow);
                if !is_postfix
                    && let Some((read, n)) = self.read_type(inside)
                    && n == inside.len()
                    && self.is_type(inside)
                {
                    return read;
                }
                self.postfix(inner(inside), rest)
            }
            Kind::Word => {
                let word = self.word(*first);
                if CASTS.contains(&word)
                    && let Some(n) = Self::angle(&tokens[1..])
                {
                    let read = self.read_type(&tokens[2..n]).map_or(HostType::Open, |(read, _)| read);
                    let after = 1 + n;
                    let close = tokens.get(after).filter(|t| t.kind == Kind::Open).and_then(|_| closing(tokens, after));
                    return match close {
                        Some(close) => self.postfix(read, &tokens[close + 1..]),
                        None => HostType::Open,
                    };
                }
                if word == "sizeof" {
                    return HostType::scalar(Type::Q, true);
                }
                let is_call = tokens.get(1).is_some_and(|t| matches!(t.kind, Kind::Open | Kind::BraceOpen));
                if is_call {
                    let Some(close) = closing(tokens, 1) else { return HostType::Open };
                    let base = word.strip_prefix("as_").or_else(|| word.strip_prefix("convert_"));
                    let base = base.map_or(word, |b| b.split('_').next().unwrap_or(b));
                    let read = self.types.get(base).cloned().or_else(|| builtin(base));
                    let read = read.or_else(|| self.returns.get(word).cloned()).unwrap_or_default();
                    return self.postfix(read, &tokens[close + 1..]);
                }
                if let Some(found) = declared.type_of(word, self.place(*first)) {
                    return self.postfix(found, &tokens[1..]);
                }
                HostType::Open
            }
            _ => HostType::Open,
        }
    }

    /// Whether the tokens of a parenthesis are the name of a type rather than of a variable.
    fn is_type(&self, tokens: &[Token]) -> bool {
        let last = tokens[tokens.len() - 1];
        let has_known = tokens.iter().any(|t| {
            let word = self.word(*t);
            t.kind == Kind::Word
                && (builtin(word).is_some() || self.types.contains_key(word) || QUALIFIERS.contains(&word))
        });
        has_known || matches!(last.kind, Kind::Star | Kind::Ampersand | Kind::Greater)
    }

    /// `[i]`, `.lo`, `.s01` after an expression of type `read`.
    fn postfix(&self, mut read: HostType, mut rest: &[Token]) -> HostType {
        while let Some(first) = rest.first() {
            match first.kind {
                Kind::BracketOpen => {
                    let Some(close) = closing(rest, 0) else { return HostType::Open };
                    read = match read {
                        HostType::Pointer { target, .. } | HostType::Array { target, .. } => *target,
                        HostType::Value { element, n_components: 2.., is_unsigned } => {
                            HostType::scalar(element, is_unsigned)
                        }
                        _ => HostType::Open,
                    };
                    rest = &rest[close + 1..];
                }
                Kind::Dot | Kind::Arrow => {
                    let Some(name) = rest.get(1) else { return HostType::Open };
                    let structure = match (&read, first.kind) {
                        (HostType::Struct(structure), Kind::Dot) => Some(*structure),
                        (HostType::Pointer { target, .. }, Kind::Arrow) => match **target {
                            HostType::Struct(structure) => Some(structure),
                            _ => None,
                        },
                        _ => None,
                    };
                    if let Some(structure) = structure {
                        read = self.member(structure, self.word(*name));
                        rest = &rest[2..];
                        continue;
                    }
                    let (HostType::Value { element, n_components, is_unsigned }, Kind::Dot) = (read, first.kind) else {
                        return HostType::Open;
                    };
                    let Some(n_components) = n_selected(self.word(*name), n_components) else { return HostType::Open };
                    read = HostType::Value { element, n_components, is_unsigned };
                    rest = &rest[2..];
                }
                _ => return HostType::Open,
            }
        }
        read
    }

    /// The two values between which `?` chooses at the outermost level.
    fn choice<'t>(&self, tokens: &'t [Token]) -> Option<(&'t [Token], &'t [Token])> {
        let mut depth = 0i32;
        let mut asked = None;
        for (i, token) in tokens.iter().enumerate() {
            match token.kind {
                Kind::Open | Kind::BracketOpen | Kind::BraceOpen => depth += 1,
                Kind::Close | Kind::BracketClose | Kind::BraceClose => depth -= 1,
                Kind::Other if depth == 0 && asked.is_none() && self.word(*token) == "?" => asked = Some(i + 1),
                Kind::Colon if depth == 0 => return Some((&tokens[asked?..i], &tokens[i + 1..])),
                _ => {}
            }
        }
        None
    }

    /// The terms of a sum at the outermost level; nothing if it is none.
    fn sum<'t>(&self, tokens: &'t [Token]) -> Option<Vec<&'t [Token]>> {
        let mut parts = Vec::new();
        let (mut depth, mut from) = (0i32, 0);
        for (i, token) in tokens.iter().enumerate() {
            match token.kind {
                Kind::Open | Kind::BracketOpen | Kind::BraceOpen => depth += 1,
                Kind::Close | Kind::BracketClose | Kind::BraceClose => depth -= 1,
                Kind::Other | Kind::Star if depth == 0 && i > from && ends_operand(tokens[i - 1]) => {
                    let word = self.word(*token);
                    if !matches!(word, "+" | "-" | "*") || self.is_cast_before(tokens, i) {
                        if matches!(word, "+" | "-" | "*") {
                            continue;
                        }
                        return Some(vec![&tokens[..0]]);
                    }
                    parts.push(&tokens[from..i]);
                    from = i + 1;
                }
                _ => {}
            }
        }
        if parts.is_empty() {
            return None;
        }
        parts.push(&tokens[from..]);
        Some(parts)
    }

    /// Whether a `*`, `+` or `-` follows a cast rather than an operand.
    fn is_cast_before(&self, tokens: &[Token], at: usize) -> bool {
        if tokens[at - 1].kind != Kind::Close {
            return false;
        }
        let mut depth = 0;
        for i in (0..at).rev() {
            match tokens[i].kind {
                Kind::Close => depth += 1,
                Kind::Open => {
                    depth -= 1;
                    if depth == 0 {
                        let inside = &tokens[i + 1..at - 1];
                        let is_callee = i > 0 && matches!(tokens[i - 1].kind, Kind::Word | Kind::Greater);
                        return !inside.is_empty()
                            && !is_callee
                            && self.is_type(inside)
                            && self.read_type(inside).is_some_and(|(_, n)| n == inside.len());
                    }
                }
                _ => {}
            }
        }
        false
    }

    /// What is known of the value of an expression.
    pub fn value_of(&self, mut tokens: &[Token], declared: &Declarations<'a>) -> Value {
        for _ in 0..DEPTH {
            if let Some(number) = self.number(tokens) {
                return Value::Constant(number);
            }
            if let Some(inner) = self.cast_of(tokens) {
                tokens = inner;
                continue;
            }
            match tokens {
                [open, inside @ .., close]
                    if open.kind == Kind::Open
                        && close.kind == Kind::Close
                        && closing(tokens, 0) == Some(tokens.len() - 1) =>
                {
                    tokens = inside;
                }
                [token] if token.kind == Kind::Word => {
                    return match declared.origin(self.word(*token), self.place(*token)) {
                        Origin::Constant(number) => Value::Constant(number),
                        Origin::Varying | Origin::PerLane => Value::Varying,
                        Origin::Open => Value::Open,
                    };
                }
                _ => break,
            }
        }
        Value::Open
    }

    /// What a cast to an integer takes: `(int)x`, `static_cast<int>(x)`.
    fn cast_of<'t>(&self, tokens: &'t [Token]) -> Option<&'t [Token]> {
        match tokens {
            [open, ..] if open.kind == Kind::Open => {
                let close = closing(tokens, 0)?;
                let inside = &tokens[1..close];
                let is_cast = !inside.is_empty()
                    && self.is_type(inside)
                    && self.read_type(inside).is_some_and(|(_, n)| n == inside.len());
                let rest = &tokens[close + 1..];
                let is_one = matches!(rest, [_]) || rest.first().is_some_and(|t| t.kind == Kind::Open);
                (is_cast && is_one).then_some(rest)
            }
            [name, ..] if name.kind == Kind::Word && self.word(*name) == "static_cast" => {
                let n = 1 + Self::angle(&tokens[1..])?;
                let rest = &tokens[n..];
                let is_whole = rest.first()?.kind == Kind::Open && closing(rest, 0) == Some(rest.len() - 1);
                is_whole.then_some(rest)
            }
            _ => None,
        }
    }

    /// Whether an expression is the number of a lane or work-item, or depends on nothing else.
    pub fn is_per_lane(&self, tokens: &[Token], declared: &Declarations<'a>) -> bool {
        tokens.iter().any(|t| {
            t.kind == Kind::Word
                && (PER_LANE.contains(&self.word(*t))
                    || declared.origin(self.word(*t), self.place(*t)) == Origin::PerLane)
        }) && self.sum(tokens).is_none_or(|parts| parts.len() > 1)
            && !tokens.iter().any(|t| t.kind == Kind::Other && matches!(self.word(*t), "/" | ">" | "&" | "%"))
    }
}

/// An array as the pointer that it becomes.
fn decayed(read: HostType) -> HostType {
    match read {
        HostType::Array { target, is_local } => HostType::Pointer { target, is_local },
        other => other,
    }
}

const CASTS: [&str; 7] =
    ["static_cast", "reinterpret_cast", "const_cast", "bit_cast", "dynamic_cast", "address_space_cast", "bitcast"];

/// Words that begin statements and expressions, never types.
pub(super) const NOT_TYPES: [&str; 27] = [
    "return",
    "if",
    "else",
    "for",
    "while",
    "do",
    "switch",
    "case",
    "default",
    "break",
    "continue",
    "goto",
    "sizeof",
    "asm",
    "__asm__",
    "__asm",
    "new",
    "delete",
    "throw",
    "namespace",
    "template",
    "using",
    "typedef",
    "operator",
    "public",
    "private",
    "protected",
];

/// Functions whose value differs from lane to lane.
pub(super) const PER_LANE: [&str; 10] = [
    "get_global_id",
    "get_local_id",
    "get_sub_group_local_id",
    "get_global_linear_id",
    "get_local_linear_id",
    "get_local_id_linear",
    "SubgroupLocalInvocationId",
    "get_global_id_linear",
    "__spirv_LocalInvocationId",
    "__spirv_SubgroupLocalInvocationId",
];
