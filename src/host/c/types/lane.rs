//! Values that differ from lane to lane.

use super::super::brackets::{angle, closing, ends_operand, outermost};
use super::super::lexer::{Kind, Token};
use super::declaration::{Declarations, Origin};
use super::name::builtin;
use super::words::{CASTS, PER_LANE};
use super::{DEPTH, Names};

impl<'a> Names<'a> {
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
                let rest = angle(&tokens[1..]).map_or(&[][..], |n| &tokens[1 + n..]);
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
                    differs = PER_LANE.contains(&word)
                        || differs && (close.is_none() || matches!(word, "get" | "get_id" | "get_linear_id"));
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
                && let Some(n) = angle(&tokens[i + 1..])
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
