//! Strings that cannot change, by their names: what sums and streams put together are texts with these in them.

use super::lexer::{Kind, Token};
use crate::base::span::Span;
use crate::host::statement::Expansion;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::{Cell, RefCell};

/// Strings that cannot change, and how often they may still be put in; and what else is known of the values of texts.
pub(super) struct Constants<'a> {
    by_name: FxHashMap<&'a str, Vec<Constant>>,
    /// What functions return that do nothing else; nothing for a name of several.
    returned: FxHashMap<&'a str, Option<Vec<Token>>>,
    /// Names of integers, whatever declares them.
    integers: FxHashSet<&'a str>,
    expansion: Expansion,
    /// Names that are being put in.
    depth: Cell<u32>,
    /// Which text is read of those among which the program chooses, and how many there are; nothing if none is.
    choice: Cell<Option<usize>>,
    n_choices: Cell<usize>,
    /// Where values stand that are numbers.
    numbers: RefCell<Vec<u32>>,
}

/// A string that cannot change.
struct Constant {
    /// Where it is declared, and the end of the function or block around that.
    scope: Span,
    /// What it is; nothing if it is not known.
    value: Option<Vec<Token>>,
    /// Whether it is declared as one that may change.
    is_variable: bool,
}

/// Names inside of values that are followed.
const DEPTH: u32 = 4;

/// Literals that a macro stands for, so that macros of macros stay small.
const MOST_LITERALS: usize = 64;

/// Declarations of one name that are told apart.
const MOST_DECLARED: usize = 64;

impl<'a> Constants<'a> {
    /// Those of a text in which none were found so far.
    pub(super) fn of(text: &str) -> Self {
        Self {
            by_name: FxHashMap::default(),
            returned: FxHashMap::default(),
            integers: FxHashSet::default(),
            expansion: Expansion::of(text),
            depth: Cell::new(0),
            choice: Cell::new(None),
            n_choices: Cell::new(1),
            numbers: RefCell::default(),
        }
    }

    /// Notes the value of a name in a scope; nothing if it is no string.
    pub(super) fn note(&mut self, name: &'a str, scope: Span, value: Option<Vec<Token>>) {
        self.push(name, Constant { scope, value, is_variable: false });
    }

    /// Notes the value that a variable is declared with in a scope.
    pub(super) fn note_variable(&mut self, name: &'a str, scope: Span, value: Vec<Token>) {
        self.push(name, Constant { scope, value: Some(value), is_variable: true });
    }

    fn push(&mut self, name: &'a str, constant: Constant) {
        let all = self.by_name.entry(name).or_default();
        if all.len() < MOST_DECLARED {
            all.push(constant);
        }
    }

    /// Forgets the variable with a name at a place where its value changes.
    pub(super) fn change(&mut self, name: &str, place: u32) {
        let all = self.by_name.get_mut(name).into_iter().flatten();
        all.filter(|c| c.is_variable && c.scope.contains(place)).for_each(|constant| constant.value = None);
    }

    /// Notes what a function returns that does nothing else.
    pub(super) fn note_returned(&mut self, name: &'a str, value: &[Token]) {
        self.returned.entry(name).and_modify(|known| *known = None).or_insert_with(|| Some(value.to_vec()));
    }

    /// What the function with a name returns, as long as not too much was put in.
    pub(super) fn returned(&self, name: &str) -> Option<&[Token]> {
        self.spent(self.returned.get(name)?.as_deref()?)
    }

    /// Notes the names of integers.
    pub(super) fn note_integers(&mut self, names: FxHashSet<&'a str>) {
        self.integers = names;
    }

    /// Whether a name is that of an integer.
    pub(super) fn is_integer(&self, name: &str) -> bool {
        self.integers.contains(name)
    }

    /// Notes that what stands at a place is a number.
    pub(super) fn note_number(&self, place: u32) {
        self.numbers.borrow_mut().push(place);
    }

    /// Where numbers stand, in order.
    pub(super) fn numbers(&self) -> Vec<u32> {
        let mut all = self.numbers.take();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Reads one of the texts among which the program chooses.
    pub(super) fn begin_choice(&self, choice: usize) {
        self.choice.set(Some(choice));
        self.n_choices.set(0);
    }

    /// How many texts there are among which the program chooses, where that was asked.
    pub(super) const fn n_choices(&self) -> usize {
        self.n_choices.get()
    }

    /// Reads none of them.
    pub(super) fn end_choices(&self) {
        self.choice.set(None);
    }

    /// Which of `n` texts is read now. Where a text depends on several choices, one of them is known at a time: what two make of
    /// it together may be what the program never does.
    pub(super) fn choose(&self, n: usize) -> Option<usize> {
        let first = self.n_choices.get();
        self.n_choices.set(first + n);
        self.choice.get()?.checked_sub(first).filter(|chosen| *chosen < n)
    }

    /// Reads what a name stands for.
    pub(super) fn inside(&self, read: impl FnOnce()) {
        self.depth.set(self.depth.get() + 1);
        read();
        self.depth.set(self.depth.get() - 1);
    }

    fn spent<'v>(&self, tokens: &'v [Token]) -> Option<&'v [Token]> {
        if self.expansion.is_over() || self.depth.get() >= DEPTH {
            return None;
        }
        self.expansion.spend_steps(tokens.iter().map(|t| (t.end - t.start) as usize).sum());
        Some(tokens)
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
                    [only] if only.scope.start == 0 && !only.is_variable => {
                        found.extend_from_slice(only.value.as_deref()?);
                    }
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

    /// What a value is which stands at `place`, as long as not too much was put in.
    pub(super) fn value(&self, value: &str, place: Span) -> Option<&[Token]> {
        let all = self.by_name.get(name_of_text(value)).filter(|all| all.len() < MOST_DECLARED)?;
        let mut own = all.iter().filter(|c| c.scope.contains(place.start));
        // The innermost is the one that ends first; of two with one scope, either may be meant.
        let first = own.clone().min_by_key(|c| c.scope.end)?;
        let is_one = own.all(|c| c.scope.end != first.scope.end || std::ptr::eq(c, first));
        self.spent(first.value.as_deref().filter(|_| is_one)?)
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
