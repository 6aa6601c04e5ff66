//! The types of expressions.

use super::super::lexer::{Kind, Token};
use super::aggregate::arithmetic;
use super::{
    Declarations, Names, Origin, QUALIFIERS, builtin, closing, ends_operand, integer, n_selected, outermost, split,
};
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
        let tokens = Self::unqualified(tokens);
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
                    let read = read.or_else(|| self.returns.get(word).cloned());
                    let argument = || split(&tokens[2..close]).first().map_or(HostType::Open, |first| inner(first));
                    let read = read.or_else(|| builtin_result(word, argument));
                    let read = read.unwrap_or_default();
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

    /// A cast or call without the namespaces before its name.
    fn unqualified(tokens: &[Token]) -> &[Token] {
        let mut rest = tokens;
        loop {
            rest = match rest {
                [scope, rest @ ..] if scope.kind == Kind::Scope => rest,
                [space, scope, rest @ ..] if (space.kind, scope.kind) == (Kind::Word, Kind::Scope) => rest,
                [_, open, ..] if matches!(open.kind, Kind::Open | Kind::BraceOpen | Kind::Less) => return rest,
                _ => return tokens,
            };
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
                    // `v.x()` of a vector of SYCL, `tile.row()`.
                    let end = match rest.get(2) {
                        Some(open) if open.kind == Kind::Open => closing(rest, 2).map_or(rest.len(), |close| close + 1),
                        _ => 2,
                    };
                    if let Some(structure) = structure {
                        read = self.member(structure, self.word(*name));
                        rest = &rest[end..];
                        continue;
                    }
                    let is_whole = end > 2 && matches!(self.word(*name), "data" | "data_ref" | "read");
                    if is_whole && matches!(read, HostType::Simd { .. }) {
                        rest = &rest[end..];
                        continue;
                    }
                    let (HostType::Value { element, n_components, is_unsigned }, Kind::Dot) = (read, first.kind) else {
                        return HostType::Open;
                    };
                    let Some(n_components) = n_selected(self.word(*name), n_components) else { return HostType::Open };
                    read = HostType::Value { element, n_components, is_unsigned };
                    rest = &rest[end..];
                }
                _ => return HostType::Open,
            }
        }
        read
    }

    /// The two values between which `?` chooses at the outermost level.
    fn choice<'t>(&self, tokens: &'t [Token]) -> Option<(&'t [Token], &'t [Token])> {
        let mut asked = None;
        for (i, token) in outermost(tokens) {
            match token.kind {
                Kind::Other if asked.is_none() && self.word(token) == "?" => asked = Some(i + 1),
                Kind::Colon => return Some((&tokens[asked?..i], &tokens[i + 1..])),
                _ => {}
            }
        }
        None
    }

    /// The terms and factors of a sum or product at the outermost level; nothing if it is none.
    fn sum<'t>(&self, tokens: &'t [Token]) -> Option<Vec<&'t [Token]>> {
        let mut parts = Vec::new();
        let mut from = 0;
        for (i, token) in outermost(tokens).filter(|(_, t)| matches!(t.kind, Kind::Other | Kind::Star)) {
            if i == from || !ends_operand(tokens[i - 1]) {
                continue;
            }
            match self.word(token) {
                "+" | "-" | "*" if self.is_cast_before(tokens, i) => {}
                "+" | "-" | "*" | "/" | "%" => {
                    parts.push(&tokens[from..i]);
                    from = i + 1;
                }
                _ => return Some(vec![&tokens[..0]]),
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

    /// What is known of the value of an expression inside of `scopes`, of which the first is the innermost.
    pub fn value_of(&self, tokens: &[Token], scopes: &[&Declarations<'a>]) -> Value {
        if let Some(number) = self.constant_of(tokens, scopes, 0) {
            return Value::Constant(number);
        }
        let mut tokens = tokens;
        for _ in 0..DEPTH {
            let Some(inner) = self.cast_of(tokens).or_else(|| parenthesized(tokens)) else { break };
            tokens = inner;
        }
        let [token] = tokens else {
            let is_per_lane = scopes.iter().take(2).any(|d| self.is_per_lane(tokens, d));
            return if is_per_lane { Value::Varying } else { Value::Open };
        };
        match self.declared_in(*token, scopes) {
            Some(Origin::Varying | Origin::PerLane) => Value::Varying,
            _ => Value::Open,
        }
    }

    /// What is known of the value of a name; nothing if no scope declares it.
    fn declared_in(&self, name: Token, scopes: &[&Declarations<'a>]) -> Option<Origin> {
        scopes.iter().find_map(|d| d.find(self.word(name), self.place(name))).map(|(.., origin)| *origin)
    }

    /// The number that an expression of constants is.
    pub(super) fn constant_of(&self, tokens: &[Token], scopes: &[&Declarations<'a>], depth: u32) -> Option<i64> {
        if depth > DEPTH {
            return None;
        }
        let inner = |tokens: &[Token]| self.constant_of(tokens, scopes, depth + 1);
        match tokens {
            [] => return None,
            [token] => {
                return match self.declared_in(*token, scopes) {
                    Some(Origin::Constant(number)) => Some(number),
                    // A parameter of a template may have the name of a constant elsewhere.
                    Some(_) => None,
                    None => self.number(tokens),
                };
            }
            [_, scope, ..]
                if scope.kind == Kind::Scope
                    && let Some(number) = self.number(tokens) =>
            {
                return Some(number);
            }
            _ => {}
        }
        if let Some((at, length, apply)) = self.last_operator(tokens)? {
            return apply(inner(&tokens[..at])?, inner(&tokens[at + length..])?);
        }
        if let Some(inside) = self.cast_of(tokens).or_else(|| parenthesized(tokens)) {
            return inner(inside);
        }
        match (self.word(tokens[0]), tokens[1].kind) {
            ("-", _) => inner(&tokens[1..])?.checked_neg(),
            ("+", _) => inner(&tokens[1..]),
            ("~", _) => inner(&tokens[1..]).map(|n| !n),
            ("sizeof", Kind::Open) => {
                let inside = parenthesized(&tokens[1..])?;
                let (read, n) = self.read_type(inside)?;
                let HostType::Value { element, n_components, .. } = read else { return None };
                let n_components = if n_components == 3 { 4 } else { n_components };
                (n == inside.len() && self.is_type(inside)).then(|| i64::from(element.bytes() * n_components))
            }
            _ => None,
        }
    }

    /// The operator of an expression that is applied last: where it stands, its tokens, and what it does. Nothing inside if
    /// there is none, and nothing at all if an operator is of another kind.
    #[expect(clippy::option_option, reason = "an expression without an operator is no failure")]
    fn last_operator(&self, tokens: &[Token]) -> Option<Option<(usize, usize, Operation)>> {
        let mut last: Option<(u8, usize, usize, Operation)> = None;
        let mut done = 0;
        for (i, token) in outermost(tokens) {
            if i >= done
                && self.word(token) == "static_cast"
                && let Some(n) = Self::angle(&tokens[i + 1..])
            {
                done = i + 1 + n;
            }
            if i < done || i == 0 || !ends_operand(tokens[i - 1]) || self.is_cast_before(tokens, i) {
                continue;
            }
            let is_twice = tokens.get(i + 1).is_some_and(|next| next.kind == token.kind && next.start == token.end);
            let is_shift = is_twice && matches!(token.kind, Kind::Less | Kind::Greater);
            let (order, length, apply): (u8, usize, Operation) = match (self.word(token), token.kind) {
                (_, Kind::Less) if is_shift => (4, 2, |a, b| u32::try_from(b).ok().and_then(|b| a.checked_shl(b))),
                (_, Kind::Greater) if is_shift => (4, 2, |a, b| u32::try_from(b).ok().and_then(|b| a.checked_shr(b))),
                ("|", _) if !is_twice => (1, 1, |a, b| Some(a | b)),
                ("^", _) => (2, 1, |a, b| Some(a ^ b)),
                ("&", _) if !is_twice => (3, 1, |a, b| Some(a & b)),
                ("+", _) => (5, 1, i64::checked_add),
                ("-", _) => (5, 1, i64::checked_sub),
                ("*", _) => (6, 1, i64::checked_mul),
                ("/", _) => (6, 1, i64::checked_div),
                ("%", _) => (6, 1, i64::checked_rem),
                (_, Kind::Word | Kind::Number | Kind::Scope) => continue,
                _ => return None,
            };
            done = i + length;
            if last.is_none_or(|(known, ..)| order <= known) {
                last = Some((order, i, length, apply));
            }
        }
        Some(last.map(|(_, at, length, apply)| (at, length, apply)))
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
                let is_call =
                    rest.get(1).is_some_and(|t| t.kind == Kind::Open) && closing(rest, 1) == Some(rest.len() - 1);
                let is_one = matches!(rest, [_]) || is_call || rest.first().is_some_and(|t| t.kind == Kind::Open);
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

    /// Whether the value of an expression certainly differs from lane to lane: the number of a lane or work-item, what is
    /// loaded at it, or a sum or product with one such term. What a call makes of its arguments is not known.
    pub fn is_per_lane(&self, tokens: &[Token], declared: &Declarations<'a>) -> bool {
        self.differs(tokens, declared, 0)
    }

    fn differs(&self, tokens: &[Token], declared: &Declarations<'a>, depth: u32) -> bool {
        let inner = |tokens: &[Token]| self.differs(tokens, declared, depth + 1);
        let Some(first) = tokens.first().filter(|_| depth <= DEPTH) else { return false };
        let Some(terms) = self.terms(tokens) else { return false };
        if terms.len() > 1 {
            // Two of them may cancel each other out.
            return terms.into_iter().filter(|term| inner(term)).count() == 1;
        }
        match first.kind {
            Kind::Star | Kind::Ampersand => return inner(&tokens[1..]),
            Kind::Other if matches!(self.word(*first), "-" | "+" | "~") => return inner(&tokens[1..]),
            _ => {}
        }
        let (mut differs, mut rest) = match first.kind {
            Kind::Open => {
                let Some(close) = closing(tokens, 0) else { return false };
                let (inside, rest) = (&tokens[1..close], &tokens[close + 1..]);
                let is_postfix = |t: &Token| matches!(t.kind, Kind::BracketOpen | Kind::Dot | Kind::Arrow);
                if rest.first().is_some_and(|t| !is_postfix(t)) {
                    return !inside.is_empty() && self.is_type(inside) && inner(rest);
                }
                (inner(inside), rest)
            }
            Kind::Word if CASTS.contains(&self.word(*first)) => {
                let rest = Self::angle(&tokens[1..]).map_or(&[][..], |n| &tokens[1 + n..]);
                let Some(close) = closing(rest, 0) else { return false };
                (inner(&rest[1..close]), &rest[close + 1..])
            }
            Kind::Word | Kind::Scope => {
                let mut at = 0;
                while tokens.get(at + 1).is_some_and(|t| t.kind == Kind::Scope) || tokens[at].kind == Kind::Scope {
                    at += 1;
                    if at == tokens.len() {
                        return false;
                    }
                }
                let word = self.word(tokens[at]);
                let rest = &tokens[at + 1..];
                if rest.first().is_some_and(|t| t.kind == Kind::Open) {
                    let Some(close) = closing(rest, 0) else { return false };
                    let is_same = word.starts_with("as_") || word.starts_with("convert_") || builtin(word).is_some();
                    (PER_LANE.contains(&word) || is_same && inner(&rest[1..close]), &rest[close + 1..])
                } else {
                    let origin = declared.origin(word, self.place(tokens[at]));
                    (PER_LANE.contains(&word) || origin == Origin::PerLane, rest)
                }
            }
            _ => return false,
        };
        while let Some(next) = rest.first() {
            match next.kind {
                Kind::BracketOpen => {
                    let Some(close) = closing(rest, 0) else { return false };
                    differs |= inner(&rest[1..close]);
                    rest = &rest[close + 1..];
                }
                Kind::Dot | Kind::Arrow => {
                    let word = rest.get(1).map_or("", |name| self.word(*name));
                    let close = rest.get(2).filter(|t| t.kind == Kind::Open).and_then(|_| closing(rest, 2));
                    differs = PER_LANE.contains(&word) || differs && (close.is_none() || word == "get");
                    rest = &rest[close.unwrap_or(1).min(rest.len() - 1) + 1..];
                }
                _ => return false,
            }
        }
        differs
    }

    /// The parts between `+`, `-`, `*` and `<<` at the outermost level; nothing if there is another operator.
    fn terms<'t>(&self, tokens: &'t [Token]) -> Option<Vec<&'t [Token]>> {
        let mut parts = Vec::new();
        let (mut from, mut done) = (0, 0);
        for (i, token) in outermost(tokens) {
            if i >= done
                && CASTS.contains(&self.word(token))
                && let Some(n) = Self::angle(&tokens[i + 1..])
            {
                done = i + 1 + n;
            }
            if i < done || i == from || !ends_operand(tokens[i - 1]) || self.is_cast_before(tokens, i) {
                continue;
            }
            let is_shift = token.kind == Kind::Less && tokens.get(i + 1).is_some_and(|t| t.kind == Kind::Less);
            match token.kind {
                Kind::Dot | Kind::Arrow | Kind::Scope | Kind::Word | Kind::Number => continue,
                _ if is_shift => done = i + 2,
                _ if matches!(self.word(token), "+" | "-" | "*") => done = i + 1,
                _ => return None,
            }
            parts.push(&tokens[from..i]);
            from = done;
        }
        parts.push(&tokens[from..]);
        Some(parts)
    }
}

/// An operation on two numbers; nothing if the result is none.
type Operation = fn(i64, i64) -> Option<i64>;

/// What a function of OpenCL C returns, whose first argument has the type `argument`.
fn builtin_result(name: &str, argument: impl Fn() -> HostType) -> Option<HostType> {
    match name {
        "fabs" | "floor" | "ceil" | "rint" | "round" | "fmin" | "fmax" | "native_exp" | "native_exp2"
        | "native_log2" | "native_recip" | "native_rsqrt" | "native_sqrt" | "native_sin" | "native_cos" => {
            Some(argument()).filter(|t| matches!(t, HostType::Value { element, .. } if element.is_float()))
        }
        "sub_group_broadcast"
        | "sub_group_reduce_add"
        | "sub_group_reduce_max"
        | "sub_group_reduce_min"
        | "intel_sub_group_shuffle" => Some(argument()),
        "get_sub_group_local_id"
        | "get_sub_group_id"
        | "get_sub_group_size"
        | "get_max_sub_group_size"
        | "get_num_sub_groups" => Some(HostType::scalar(Type::D, true)),
        "get_global_id"
        | "get_local_id"
        | "get_group_id"
        | "get_global_size"
        | "get_local_size"
        | "get_num_groups"
        | "get_global_linear_id"
        | "get_local_linear_id" => Some(HostType::scalar(Type::Q, true)),
        _ => None,
    }
}

/// What stands between the parentheses around a whole expression.
fn parenthesized(tokens: &[Token]) -> Option<&[Token]> {
    let is_whole = tokens.first().is_some_and(|t| t.kind == Kind::Open) && closing(tokens, 0) == Some(tokens.len() - 1);
    is_whole.then(|| &tokens[1..tokens.len() - 1])
}

/// The type of a literal number.
fn number_type(text: &str) -> HostType {
    let is_hex = text.starts_with("0x") || text.starts_with("0X");
    if !is_hex && text.contains(['.', 'e', 'E']) {
        let element = match text.as_bytes()[text.len() - 1] {
            b'f' | b'F' => Type::F,
            b'h' | b'H' => Type::HF,
            _ => Type::DF,
        };
        return HostType::scalar(element, false);
    }
    let lower = text.to_ascii_lowercase();
    let suffix = lower.trim_start_matches(|c: char| c.is_ascii_hexdigit() || c == 'x' || c == '\'');
    let is_unsigned = suffix.contains('u');
    let is_decimal = !text.starts_with('0');
    let greatest = if is_decimal && !is_unsigned { i64::from(i32::MAX) } else { i64::from(u32::MAX) };
    let is_long = suffix.contains('l') || integer(text).is_some_and(|n| !(0..=greatest).contains(&n));
    HostType::scalar(if is_long { Type::Q } else { Type::D }, is_unsigned)
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
pub(in super::super) const NOT_TYPES: [&str; 27] = [
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
