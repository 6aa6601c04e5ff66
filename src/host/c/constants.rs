//! Strings that cannot change, by their names: what sums and streams put together are texts with these in them.

use super::lexer::{Kind, Token};
use crate::base::span::Span;
use crate::host::statement::Expansion;
use rustc_hash::FxHashMap;

/// Strings that cannot change, and how often they may still be put in.
pub(super) struct Constants<'a> {
    by_name: FxHashMap<&'a str, Vec<Constant>>,
    expansion: Expansion,
}

/// A string that cannot change.
struct Constant {
    /// Where it is declared, and the end of the function or block around that.
    scope: Span,
    /// What it is; nothing if it is no literal.
    value: Option<Vec<Token>>,
}

/// Literals that a macro stands for, so that macros of macros stay small.
const MOST_LITERALS: usize = 64;

/// Declarations of one name that are told apart.
const MOST_DECLARED: usize = 64;

impl<'a> Constants<'a> {
    /// Those of a text in which none were found so far.
    pub(super) fn of(text: &str) -> Self {
        Self { by_name: FxHashMap::default(), expansion: Expansion::of(text) }
    }

    /// Notes the value of a name in a scope; nothing if it is no string.
    pub(super) fn note(&mut self, name: &'a str, scope: Span, value: Option<Vec<Token>>) {
        let all = self.by_name.entry(name).or_default();
        if all.len() < MOST_DECLARED {
            all.push(Constant { scope, value });
        }
    }

    /// The names that stand for literals of which something holds somewhere.
    pub(super) fn names_of(&self, holds: impl Fn(&[Token]) -> bool) -> impl Iterator<Item = &'a str> {
        let is_one = move |c: &Constant| c.value.as_deref().is_some_and(&holds);
        self.by_name.iter().filter(move |(_, all)| all.iter().any(&is_one)).map(|(name, _)| *name)
    }

    /// Whether some string has a name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.by_name.contains_key(name)
    }

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.by_name.is_empty()
    }

    /// Forgets a string of the file, whose name something else has as well.
    pub(super) fn hide(&mut self, name: &str) {
        let all = self.by_name.get_mut(name).into_iter().flatten();
        all.filter(|constant| constant.scope.start == 0).for_each(|constant| constant.value = None);
    }

    /// The literals that a macro stands for, of which other macros are parts; nothing if something else is.
    pub(super) fn joined(&self, text: &str, body: &[Token]) -> Option<Vec<Token>> {
        let mut found = Vec::new();
        for token in body {
            match token.kind {
                Kind::Text | Kind::Raw => found.push(*token),
                Kind::Word => match self.by_name.get(token.of(text))?.as_slice() {
                    [only] if only.scope.start == 0 => found.extend_from_slice(only.value.as_deref()?),
                    _ => return None,
                },
                _ => return None,
            }
            if found.len() > MOST_LITERALS {
                return None;
            }
        }
        (!found.is_empty()).then_some(found)
    }

    /// The literals that a value consists of which stands at `place`, as long as not too much was put in.
    pub(super) fn literals(&self, value: &str, place: Span) -> Option<&[Token]> {
        let all = self.by_name.get(name_of_text(value)).filter(|all| all.len() < MOST_DECLARED)?;
        let mut own = all.iter().filter(|c| c.scope.contains(place.start));
        // The innermost is the one that ends first; of two with one scope, either may be meant.
        let first = own.clone().min_by_key(|c| c.scope.end)?;
        let is_one = own.all(|c| c.scope.end != first.scope.end || std::ptr::eq(c, first));
        let tokens = first.value.as_deref().filter(|_| is_one && !self.expansion.is_over())?;
        self.expansion.spend_steps(tokens.iter().map(|t| (t.end - t.start) as usize).sum());
        Some(tokens)
    }
}

/// The name that a value consists of, as a text: `NAME`, `space::NAME`, `std::string(NAME)`, `NAME.data()`.
pub(super) fn name_of_text(value: &str) -> &str {
    const MADE: [&str; 3] = ["std::string(", "std::string_view(", "std::string{"];
    const METHODS: [&str; 2] = [".data()", ".c_str()"];
    let inside = MADE.iter().find_map(|made| value.strip_prefix(made)).map(|v| v.trim_end_matches([')', '}']));
    let name = inside.or_else(|| METHODS.iter().find_map(|method| value.strip_suffix(method))).unwrap_or(value);
    let last = name.rsplit("::").next().unwrap_or(name);
    if name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b':')) { last } else { name }
}
