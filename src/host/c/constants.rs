//! Strings that cannot change, by their names: what sums and streams put together are texts with these in them.

use super::brackets::span_of;
use super::lexer::Token;
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

    /// The literals that a value consists of which stands at `place`, as long as not too much was put in.
    pub(super) fn literals(&self, value: &str, place: Span) -> Option<&[Token]> {
        let all = self.by_name.get(name_of_text(value)).filter(|all| all.len() < MOST_DECLARED)?;
        let mut own = all.iter().filter(|c| c.scope.contains(place.start));
        // The innermost is the one that ends first; of two with one scope, either may be meant.
        let first = own.clone().min_by_key(|c| c.scope.end)?;
        let is_one = own.all(|c| c.scope.end != first.scope.end || std::ptr::eq(c, first));
        let tokens = first.value.as_deref().filter(|_| is_one && !self.expansion.is_over())?;
        self.expansion.spend_steps(span_of(tokens).len() as usize);
        Some(tokens)
    }
}

/// The name that a value consists of, as a text: `NAME`, `space::NAME`, `std::string(NAME)`, `NAME.data()`.
fn name_of_text(value: &str) -> &str {
    const MADE: [&str; 3] = ["std::string(", "std::string_view(", "std::string{"];
    const METHODS: [&str; 2] = [".data()", ".c_str()"];
    let inside = MADE.iter().find_map(|made| value.strip_prefix(made)).map(|v| v.trim_end_matches([')', '}']));
    let name = inside.or_else(|| METHODS.iter().find_map(|method| value.strip_suffix(method))).unwrap_or(value);
    let last = name.rsplit("::").next().unwrap_or(name);
    if name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b':')) { last } else { name }
}
