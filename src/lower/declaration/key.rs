//! The keys of the parts of a declaration.

/// What stands before the `=` of a part of a declaration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::lower) enum Key {
    /// `v_type=G`: the kind of the variable.
    Kind,
    /// `type=ud`
    Type,
    /// `num_elts=16`
    ElementCount,
    /// `align=GRF`
    Align,
    /// `alias=<V1, 32>`
    Alias,
    /// `attrs={Output}`
    Attributes,
    /// `v_name=T6`: another name.
    OtherName,
}

impl Key {
    /// The key that a word is.
    pub(in crate::lower) fn of(word: &str) -> Option<Self> {
        // Declarations are half of the lines of a dump, so the word is not compared with each key in turn.
        Some(match word {
            "v_type" => Self::Kind,
            "type" => Self::Type,
            "num_elts" => Self::ElementCount,
            "align" => Self::Align,
            "alias" => Self::Alias,
            "attrs" => Self::Attributes,
            "v_name" => Self::OtherName,
            _ => return None,
        })
    }

    /// As it is written.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Kind => "v_type",
            Self::Type => "type",
            Self::ElementCount => "num_elts",
            Self::Align => "align",
            Self::Alias => "alias",
            Self::Attributes => "attrs",
            Self::OtherName => "v_name",
        }
    }
}
