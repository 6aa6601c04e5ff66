//! The values of constant expressions.

use super::super::brackets::{angle, closing, ends_operand, outermost};
use super::super::lexer::{Kind, Token};
use super::declaration::{Declarations, Origin};
use super::{DEPTH, Names};
use crate::host::statement::{HostType, Value};

/// An operation on two numbers; nothing if the result is none.
type Operation = fn(i64, i64) -> Option<i64>;

impl<'a> Names<'a> {
    /// What is known of the value of an expression inside of `scopes`, of which the first is the innermost.
    pub fn value_of(&self, tokens: &[Token], scopes: &[&Declarations<'a>]) -> Value {
        if let Some(number) = self.constant_of(tokens, scopes, 0) {
            return Value::Constant(number);
        }
        if let Some(number) = self.real_of(tokens, scopes) {
            return Value::Real(number.to_bits());
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
            Some(Origin::Real(bits)) => Value::Real(bits),
            _ => Value::Open,
        }
    }

    /// The number with a fraction that is written out, or that a name stands for.
    pub(super) fn real_of(&self, mut tokens: &[Token], scopes: &[&Declarations<'a>]) -> Option<f64> {
        let mut sign = 1.0;
        for _ in 0..DEPTH {
            match tokens {
                [name] if name.kind == Kind::Word => {
                    let Origin::Real(bits) = self.declared_in(*name, scopes)? else { return None };
                    return Some(sign * f64::from_bits(bits));
                }
                [token] if token.kind == Kind::Number => {
                    let digits = self.word(*token).trim_end_matches(['f', 'F']);
                    let is_decimal = !digits.starts_with("0x") && digits.contains(['.', 'e', 'E']);
                    return digits.parse().ok().filter(|_| is_decimal).map(|number: f64| sign * number);
                }
                [minus, rest @ ..] if self.word(*minus) == "-" => (sign, tokens) = (-sign, rest),
                _ => tokens = parenthesized(tokens)?,
            }
        }
        None
    }

    /// The name of a constant of the file behind the namespaces or the class that it is written with: `space::NAME`.
    pub fn constant_name<'t>(&self, mut tokens: &'t [Token]) -> Option<&'t [Token]> {
        let is_qualified = tokens.len() > 1;
        while let [class, scope, rest @ ..] = tokens
            && (class.kind, scope.kind) == (Kind::Word, Kind::Scope)
            && (self.types.contains_key(self.word(*class)) || self.spaces.contains(self.word(*class)))
        {
            tokens = rest;
        }
        let [name] = tokens else { return None };
        (is_qualified && self.constants.find(self.word(*name), self.place(*name)).is_some()).then_some(tokens)
    }

    /// Whether something else in some scopes has the name of a constant of the file that an expression names.
    pub fn hides_constant(&self, tokens: &[Token], scopes: &[&Declarations<'a>]) -> bool {
        let is_in = |name: Token, scope: &Declarations| scope.find(self.word(name), self.place(name)).is_some();
        let mut names = tokens.iter().filter(|t| t.kind == Kind::Word && is_in(**t, &self.constants));
        names.any(|name| scopes.iter().any(|scope| is_in(*name, scope)))
    }

    /// What is known of the value of a name; nothing if no scope declares it.
    fn declared_in(&self, name: Token, scopes: &[&Declarations<'a>]) -> Option<Origin> {
        scopes.iter().find_map(|d| d.find(self.word(name), self.place(name))).map(|(.., origin)| *origin)
    }

    /// The number that an expression of constants is.
    pub(in super::super) fn constant_of(
        &self,
        tokens: &[Token],
        scopes: &[&Declarations<'a>],
        depth: u32,
    ) -> Option<i64> {
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
                (n == inside.len() && self.is_type(inside))
                    .then(|| i64::from(element.bytes().saturating_mul(n_components)))
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
                && let Some(n) = angle(&tokens[i + 1..])
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
                let n = 1 + angle(&tokens[1..])?;
                let rest = &tokens[n..];
                let is_whole = rest.first()?.kind == Kind::Open && closing(rest, 0) == Some(rest.len() - 1);
                is_whole.then_some(rest)
            }
            _ => None,
        }
    }
}

/// What stands between the parentheses around a whole expression.
fn parenthesized(tokens: &[Token]) -> Option<&[Token]> {
    let is_whole = tokens.first().is_some_and(|t| t.kind == Kind::Open) && closing(tokens, 0) == Some(tokens.len() - 1);
    is_whole.then(|| &tokens[1..tokens.len() - 1])
}

/// The value of an integer literal.
pub(super) fn integer(text: &str) -> Option<i64> {
    let text = text.replace('\'', "");
    let digits = text.trim_end_matches(['u', 'U', 'l', 'L', 'z', 'Z']);
    if let Some(hex) = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        return u64::from_str_radix(hex, 16).ok().map(|n| n as i64);
    }
    if let Some(binary) = digits.strip_prefix("0b").or_else(|| digits.strip_prefix("0B")) {
        return u64::from_str_radix(binary, 2).ok().map(|n| n as i64);
    }
    if digits.len() > 1 && digits.starts_with('0') {
        return i64::from_str_radix(digits, 8).ok();
    }
    digits.parse().ok()
}
