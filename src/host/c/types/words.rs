//! Words of the host languages that mean something to a reader of types.

use super::super::lexer::Token;

/// Words of which most others are told apart by their length and first letter.
pub(in super::super) struct WordList<const N: usize> {
    words: [&'static str; N],
    /// For each length, a bit for the lower six bits of each first letter.
    firsts: [u64; MOST_LENGTH],
}

/// Bytes of a word of a list, and one more.
const MOST_LENGTH: usize = 32;

impl<const N: usize> WordList<N> {
    pub(in super::super) const fn of(words: [&'static str; N]) -> Self {
        let mut firsts = [0; MOST_LENGTH];
        let mut at = 0;
        while at < N {
            let word = words[at].as_bytes();
            firsts[word.len()] |= 1 << (word[0] & 63);
            at += 1;
        }
        Self { words, firsts }
    }

    pub(in super::super) fn contains(&self, word: &str) -> bool {
        word.as_bytes().first().is_some_and(|first| self.may_hold(word.len(), *first)) && self.words.contains(&word)
    }

    /// Whether a token is one of the words. Costs next to nothing for most others.
    pub(in super::super) fn holds(&self, text: &str, token: Token) -> bool {
        let first = text.as_bytes().get(token.start as usize);
        let length = (token.end - token.start) as usize;
        first.is_some_and(|first| self.may_hold(length, *first)) && self.words.contains(&token.of(text))
    }

    fn may_hold(&self, length: usize, first: u8) -> bool {
        self.firsts.get(length).is_some_and(|bits| bits >> (first & 63) & 1 == 1)
    }
}

/// Words that begin declarations of which the whole file knows.
pub(super) static DECLARING: WordList<10> = WordList::of([
    "enum",
    "constexpr",
    "const",
    "namespace",
    "template",
    "using",
    "typedef",
    "struct",
    "class",
    "union",
]);

/// Words before and behind a type that are no part of it.
pub(in super::super) static QUALIFIERS: WordList<37> = WordList::of([
    "const",
    "volatile",
    "static",
    "constexpr",
    "inline",
    "register",
    "restrict",
    "__restrict",
    "__restrict__",
    "extern",
    "private",
    "__private",
    "local",
    "__local",
    "global",
    "__global",
    "constant",
    "__constant",
    "generic",
    "__generic",
    "mutable",
    "typename",
    "thread_local",
    "__const",
    "struct",
    "read_only",
    "write_only",
    "__read_only",
    "__write_only",
    "uniform",
    "enum",
    "class",
    "consteval",
    "constinit",
    "_Atomic",
    "final",
    "kernel",
]);

/// Casts that have a name.
pub(super) const CASTS: [&str; 7] =
    ["static_cast", "reinterpret_cast", "const_cast", "bit_cast", "dynamic_cast", "address_space_cast", "bitcast"];

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

/// Words that begin statements and expressions, never types.
pub(in super::super) static NOT_TYPES: WordList<27> = WordList::of([
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
]);
