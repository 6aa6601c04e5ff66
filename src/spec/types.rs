//! Element types and sets of them.

use super::tables::TYPES;

/// An element type; its number is its place in `rules/types.toml`. The generated constants are [`Type::UD`] and so on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Type(pub u8);

/// How the bits of an element are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TypeClass {
    /// Two's complement.
    Signed,
    /// Unsigned integer.
    Unsigned,
    /// Floating point.
    Float,
    /// Immediate vectors `v`, `uv`, `vf`.
    Packed,
    /// `bool`.
    Other,
}

/// A type's row.
#[derive(Debug)]
pub struct TypeRow {
    /// The manual's name, upper case.
    pub name: &'static str,
    /// As written in text, lower case.
    pub text: &'static str,
    /// Bytes of one element; of the whole for immediate vectors.
    pub bytes: u8,
    /// How it is read.
    pub class: TypeClass,
    /// Whether a general variable may have it.
    pub declarable: bool,
    /// Whether an immediate may have it.
    pub immediate: bool,
}

impl Type {
    /// Its row of the table.
    #[must_use]
    pub fn row(self) -> &'static TypeRow {
        &TYPES[self.0 as usize]
    }

    /// As written in text: `ud`.
    #[must_use]
    pub fn text(self) -> &'static str {
        self.row().text
    }

    /// Bytes of one element.
    #[must_use]
    pub fn bytes(self) -> u32 {
        u32::from(self.row().bytes)
    }

    /// Whether it is an integer of either sign (immediate vectors `v` and `uv` are not).
    #[must_use]
    pub fn is_integer(self) -> bool {
        matches!(self.row().class, TypeClass::Signed | TypeClass::Unsigned)
    }

    /// Whether it is a signed integer.
    #[must_use]
    pub fn is_signed(self) -> bool {
        self.row().class == TypeClass::Signed
    }

    /// Whether it is floating point (the immediate vector `vf` is not).
    #[must_use]
    pub fn is_float(self) -> bool {
        self.row().class == TypeClass::Float
    }

    /// Whether it is an immediate vector.
    #[must_use]
    pub fn is_packed(self) -> bool {
        self.row().class == TypeClass::Packed
    }

    /// The type written as `text` (`ud` or `UD`, and `Bool`); other mixtures of letter case are not types.
    #[must_use]
    pub fn from_text(text: &str) -> Option<Type> {
        let word = packed(text.as_bytes());
        match WORDS.iter().position(|words| words.contains(&word)) {
            Some(place) => Some(Type(place as u8)),
            None => (text == "Bool").then_some(Type::BOOL),
        }
    }
}

/// The text and the name of each type as numbers.
static WORDS: [[u64; 2]; TYPES.len()] = {
    let mut words = [[0; 2]; TYPES.len()];
    let mut place = 0;
    while place < TYPES.len() {
        words[place] = [packed(TYPES[place].text.as_bytes()), packed(TYPES[place].name.as_bytes())];
        assert!(words[place][0] != 0 && words[place][1] != 0);
        place += 1;
    }
    words
};

/// A word of up to seven bytes and its length as a number; zero for longer ones.
const fn packed(word: &[u8]) -> u64 {
    if word.len() > 7 {
        return 0;
    }
    let mut number = word.len() as u64;
    let mut i = 0;
    while i < word.len() {
        number = number << 8 | word[i] as u64;
        i += 1;
    }
    number
}

impl std::fmt::Debug for Type {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.row().name)
    }
}

/// A set of types.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct TypeSet(pub u32);

impl TypeSet {
    /// No type.
    pub const NONE: Self = Self(0);
    /// Every type.
    pub const ALL: Self = Self(u32::MAX);

    /// The set of those.
    #[must_use]
    pub const fn of(types: &[Type]) -> Self {
        let mut bits = 0;
        let mut i = 0;
        while i < types.len() {
            bits |= 1 << types[i].0;
            i += 1;
        }
        Self(bits)
    }

    /// Whether `t` is in it.
    #[must_use]
    pub const fn contains(self, t: Type) -> bool {
        self.0 >> t.0 & 1 == 1
    }

    /// Whether it is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// What is in either.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Its members in the order of the table.
    pub fn iter(self) -> impl Iterator<Item = Type> {
        Type::ALL.iter().copied().filter(move |t| self.contains(*t))
    }

    /// In words: `` `ud`, `d` or `f` ``.
    #[must_use]
    pub fn describe(self) -> String {
        crate::spec::join_or(self.iter().map(|t| format!("`{}`", t.text())))
    }
}

impl std::fmt::Debug for TypeSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}
