//! Sizes of sub-groups: of attributes, and of properties of the SYCL library.

use super::Reader;
use super::brackets::closing;
use super::lexer::{Kind, Token};
use super::types::NOT_TYPES;
use super::words::WordList;
use rustc_hash::FxHashMap;

/// Words before the size of a sub-group.
static SIZE_WORDS: WordList<4> = WordList::of([
    "reqd_sub_group_size",
    "intel_reqd_sub_group_size",
    "__intel_reqd_sub_group_size__",
    "sub_group_size",
]);

/// What properties of a file say.
#[derive(Default)]
pub(super) struct Sizes<'a> {
    /// Lists of properties that have a name; nothing for a name that stands for several sizes.
    lists: FxHashMap<&'a str, Option<u32>>,
    /// What `get(properties_tag)` of a class returns, by the brace of the class; nothing for a class with several.
    getters: FxHashMap<usize, Option<u32>>,
}

/// Tokens before a property that its list may begin at.
const MOST_BEFORE: usize = 64;

impl<'a> Reader<'a> {
    /// Notes the lists of properties of the file.
    pub(super) fn collect_sizes(&mut self, code: &[Token]) {
        let mut braces = Vec::new();
        for (at, token) in code.iter().enumerate() {
            match token.kind {
                Kind::BraceOpen => braces.push(at),
                Kind::BraceClose => drop(braces.pop()),
                _ => {}
            }
            match self.word(*token) {
                "sub_group_size" if code.get(at + 1).is_some_and(|t| t.kind == Kind::Less) => {
                    if let Some(name) = self.list_around(code, at) {
                        let size = self.sub_group_in(&code[at..]);
                        let known = self.sizes.lists.entry(name).or_insert(size);
                        *known = known.filter(|n| Some(*n) == size);
                    }
                }
                "properties_tag" => {
                    let rest = &code[at..];
                    let open = rest.iter().take(MOST_BEFORE).position(|t| t.kind == Kind::BraceOpen);
                    let body = open.and_then(|open| rest.get(open..closing(rest, open)?));
                    let size = body.and_then(|body| self.sub_group_in(body));
                    if let Some(class) = braces.last() {
                        self.sizes.getters.entry(*class).and_modify(|known| *known = None).or_insert(size);
                    }
                }
                _ => {}
            }
        }
    }

    /// The name of the variable in whose initial value the token `at` stands: `properties NAME{...}`,
    /// `auto NAME = properties{...}`.
    fn list_around(&self, code: &[Token], at: usize) -> Option<&'a str> {
        let mut depth = 0i32;
        let open = (at.saturating_sub(MOST_BEFORE)..at).rev().find(|i| {
            match code[*i].kind {
                Kind::Close | Kind::BraceClose => depth += 1,
                Kind::Open | Kind::BraceOpen => depth -= 1,
                _ => {}
            }
            depth < 0
        })?;
        let mut name = open.checked_sub(1).filter(|i| code[*i].kind == Kind::Word)?;
        while name >= 2 && code[name - 1].kind == Kind::Scope && code[name - 2].kind == Kind::Word {
            name -= 2;
        }
        let before = name.checked_sub(1).map(|i| code[i])?;
        match before.kind {
            Kind::Equal => code.get(name.checked_sub(2)?).filter(|t| t.kind == Kind::Word).map(|t| self.word(*t)),
            Kind::Word | Kind::Greater if !NOT_TYPES.contains(self.word(before)) => Some(self.word(code[name])),
            _ => None,
        }
    }

    /// What the class with that brace says of its kernel.
    pub(super) fn sub_group_of_class(&self, brace: usize) -> Option<u32> {
        self.sizes.getters.get(&brace).copied().flatten()
    }

    /// The lanes of a sub-group that an attribute says, a macro that stands for one, or a list of properties.
    pub(super) fn sub_group_of(&self, head: &[Token]) -> Option<u32> {
        self.sub_group_in(head)
            .or_else(|| {
                if self.size_macros.is_empty() {
                    return None;
                }
                let is_macro = |t: &Token| t.kind == Kind::Word && self.size_macros.contains(self.word(*t));
                let begin = head.iter().position(is_macro)?;
                self.sub_group_in(&self.expanded(&head[begin..], head[begin].start))
            })
            .or_else(|| {
                let lists = &self.sizes.lists;
                if lists.is_empty() {
                    return None;
                }
                let is_list = |t: &Token| t.kind == Kind::Word && lists.contains_key(self.word(*t));
                let name = head.iter().find(|t| is_list(t))?;
                lists[self.word(*name)]
            })
    }

    /// Whether the size that an attribute says is a macro of the file.
    pub(super) fn is_sized_by_macro(&self, head: &[Token]) -> bool {
        head.windows(3).any(|w| {
            self.word(w[0]).ends_with("sub_group_size")
                && w[1].kind == Kind::Open
                && self.macros.contains_key(self.word(w[2]))
        })
    }

    fn sub_group_in(&self, head: &[Token]) -> Option<u32> {
        let at = head.iter().position(|t| t.is_one_of(self.text, &SIZE_WORDS))?;
        if head.get(at + 1)?.kind != Kind::Open && head[at + 1].kind != Kind::Less {
            return None;
        }
        let close = head[at + 1..].iter().position(|t| matches!(t.kind, Kind::Close | Kind::Greater))?;
        let n = self.names.number(&head[at + 2..at + 1 + close])?;
        u32::try_from(n).ok().filter(|n| matches!(n, 8 | 16 | 32))
    }
}
