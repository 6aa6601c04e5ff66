//! Lists of words of the host language.

/// Words of which most others are told apart by their length and first letter.
pub(super) struct WordList<const N: usize> {
    words: [&'static str; N],
    /// For each length, a bit for the lower six bits of each first letter.
    firsts: [u64; MOST_LENGTH],
}

/// Bytes of a word of a list, and one more.
const MOST_LENGTH: usize = 32;

impl<const N: usize> WordList<N> {
    pub(super) const fn of(words: [&'static str; N]) -> Self {
        let mut firsts = [0; MOST_LENGTH];
        let mut at = 0;
        while at < N {
            let word = words[at].as_bytes();
            firsts[word.len()] |= 1 << (word[0] & 63);
            at += 1;
        }
        Self { words, firsts }
    }

    #[inline]
    pub(super) fn contains(&self, word: &str) -> bool {
        word.as_bytes().first().is_some_and(|first| self.may_hold(word.len(), *first)) && self.words.contains(&word)
    }

    /// Whether words of that length which begin with that byte may be in the list.
    pub(super) fn may_hold(&self, length: usize, first: u8) -> bool {
        self.firsts.get(length).is_some_and(|bits| bits >> (first & 63) & 1 == 1)
    }
}
