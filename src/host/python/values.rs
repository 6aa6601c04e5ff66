//! The element types of what calls of Triton hand over: `x.to(tl.int32)`, `tl.zeros(shape, tl.float32)`.

use super::element;
use super::names::{Given, Put};
use super::strings::{DEPTH, Strings};
use super::tokens::{Kind, Role, Token, closing, parts, unwrapped};
use crate::host::statement::{HostType, elementwise};

/// Values of a name that are looked at.
pub(super) const MOST_GIVEN: usize = 16;

/// Tokens between a value and its use.
const MOST_BETWEEN: usize = 1 << 11;

impl Strings<'_> {
    /// The types of the inputs of a call with these values and the given `pack`. Where elements come several to an operand,
    /// those behind a value whose type is not known are not known.
    pub(super) fn inputs(&self, list: &[Token], pack: u32) -> Vec<HostType> {
        let list = self.value(list).unwrap_or(list);
        let inside = match list {
            [open, inside @ .., close] if (open.kind, close.kind) == (Kind::Open, Kind::Close) => inside,
            _ => return Vec::new(),
        };
        if inside.iter().any(|t| t.role == Role::For || t.is(self.text, "*")) {
            return Vec::new();
        }
        let mut all = Vec::new();
        for value in parts(inside) {
            match self.element_of(value, 0) {
                HostType::Open if pack != 1 => break,
                read => all.extend(elementwise(read, pack)),
            }
        }
        all
    }

    /// The type of the elements of a value.
    fn element_of(&self, value: &[Token], depth: u32) -> HostType {
        let value = self.without_index(unwrapped(self.text, value));
        match value {
            _ if depth > DEPTH => HostType::Open,
            [name] if name.kind == Kind::Word => {
                self.given_to(*name).map_or(HostType::Open, |value| self.element_of(value, depth + 1))
            }
            [.., close] if close.kind == Kind::Close => self.call_result(value).unwrap_or_default(),
            _ => HostType::Open,
        }
    }

    /// A value without the brackets behind it that give it more dimensions.
    fn without_index<'v>(&self, mut value: &'v [Token]) -> &'v [Token] {
        while let Some(open) = last_bracket(value).filter(|open| value[*open].span.of(self.text) == "[" && *open > 0) {
            value = &value[..open];
        }
        value
    }

    /// The type of the elements that a call gives, if it says so.
    fn call_result(&self, value: &[Token]) -> Option<HostType> {
        let open = last_bracket(value)?;
        let [.., dot, name] = &value[..open] else { return None };
        let arguments = &value[open + 1..value.len() - 1];
        // An operator before the call takes what it gives.
        let is_path = |t: &Token| t.kind == Kind::Word || t.kind == Kind::Dot;
        if dot.kind != Kind::Dot || value[open].span.of(self.text) != "(" {
            return None;
        }
        let before = &value[..open - 2];
        let name = name.span.of(self.text);
        let is_term = before.iter().all(is_path) || is_term(before);
        let position = match name {
            "to" if is_term => 0,
            _ if !before.iter().all(is_path) => return None,
            "zeros" | "cast" => 1,
            "full" => 2,
            "arange" | "program_id" | "num_programs" => return element("int32").map(|(e, u)| HostType::scalar(e, u)),
            _ => return None,
        };
        let is_named = |part: &&[Token]| part.get(1).is_some_and(|t| t.kind == Kind::Equal);
        let all = || parts(arguments);
        let named = all().find(|part| is_named(part) && part[0].span.of(self.text) == "dtype").map(|part| &part[2..]);
        let dtype = named.or_else(|| all().nth(position))?;
        let (element, is_unsigned) = element(dtype.last()?.span.of(self.text))?;
        dtype.iter().all(is_path).then(|| HostType::scalar(element, is_unsigned))
    }

    /// The value that a name holds where it stands: the last one that its function gave it, if nothing else can have.
    fn given_to(&self, name: Token) -> Option<&[Token]> {
        let word = name.span.of(self.text);
        let at = self.tokens.partition_point(|t| t.span.start < name.span.start);
        let function = self.function_at(at);
        let is_own = |given: &&Given| self.function_at(given.tokens.start) == function;
        let all = self.assigned.get(word)?;
        let before = &all[..all.partition_point(|given| given.tokens.start < at)];
        let given = before.iter().rev().take(MOST_GIVEN).find(is_own)?;
        if given.put != Put::Value || given.block_end <= at || at - given.tokens.start > MOST_BETWEEN {
            return None;
        }
        // A target of a list, a loop, or the result of another call.
        let between = given.tokens.end..at;
        let is_target = |i: usize| {
            let is_given = |t: &Token| matches!(t.kind, Kind::Equal | Kind::Colon);
            self.tokens[i].is(self.text, word)
                && (matches!(self.tokens[i - 1].role, Role::For | Role::As)
                    || self.tokens.get(i + 1).is_some_and(is_given))
        };
        let is_rebound = between.clone().any(is_target) || self.is_list_target(word, between);
        (!is_rebound).then(|| &self.tokens[given.tokens.clone()])
    }

    /// Whether a name is one of several targets: `one, two = value`.
    fn is_list_target(&self, word: &str, range: std::ops::Range<usize>) -> bool {
        let mut depth = 0i32;
        let mut targets = false;
        for i in range {
            let token = self.tokens[i];
            depth += token.nesting();
            if depth == 0 && self.tokens[i].begins_line {
                targets = false;
            }
            let is_beside = |n: usize| self.tokens.get(n).is_some_and(|t| t.kind == Kind::Comma);
            targets |= depth == 0 && token.span.of(self.text) == word && (is_beside(i - 1) || is_beside(i + 1));
            if targets && depth == 0 && token.kind == Kind::Equal {
                return true;
            }
        }
        false
    }
}

/// Where the bracket opens that a value ends with.
fn last_bracket(value: &[Token]) -> Option<usize> {
    value.last().filter(|t| t.kind == Kind::Close)?;
    let mut depth = 0i32;
    value.iter().rposition(|t| {
        depth -= t.nesting();
        depth == 0
    })
}

/// Whether tokens are one operand: names, calls and brackets behind each other.
fn is_term(tokens: &[Token]) -> bool {
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        at = match token.kind {
            Kind::Word | Kind::Dot => at + 1,
            Kind::Open => match closing(tokens, at) {
                Some(close) => close + 1,
                None => return false,
            },
            _ => return false,
        };
    }
    !tokens.is_empty()
}
