//! Half-open byte ranges of a source text.

/// A half-open range of bytes in one source text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

const _: () = assert!(size_of::<Span>() == 8);

impl Span {
    /// The range `start..end`.
    #[must_use]
    pub const fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// The empty range at `offset`.
    #[must_use]
    pub const fn at(offset: u32) -> Self {
        Self { start: offset, end: offset }
    }

    /// The smallest range that holds both.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// Number of bytes.
    #[must_use]
    pub const fn len(self) -> u32 {
        self.end - self.start
    }

    /// Whether it holds no byte.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.start >= self.end
    }

    /// Whether `offset` lies in it.
    #[must_use]
    pub const fn contains(self, offset: u32) -> bool {
        self.start <= offset && offset < self.end
    }

    /// As a range of `usize`, for slicing.
    #[must_use]
    pub const fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The text of this span in `text`.
    #[must_use]
    pub fn of(self, text: &str) -> &str {
        text.get(self.range()).unwrap_or("")
    }

    /// Without the blanks of `text` at both ends.
    #[must_use]
    pub fn trimmed(self, text: &str) -> Self {
        let inner = self.of(text);
        if let [first, .., last] | [first @ last] = inner.as_bytes()
            && first.is_ascii_graphic()
            && last.is_ascii_graphic()
        {
            return self;
        }
        let start = self.start + (inner.len() - inner.trim_start().len()) as u32;
        Self::new(start, start + inner.trim().len() as u32)
    }
}

/// How places move when a text is edited: what begins at or behind `from` moves by `by` bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shift {
    /// The first byte that moves.
    pub from: u32,
    /// By how many bytes; negative towards the beginning.
    pub by: i32,
}

impl Shift {
    /// Moves a place.
    pub fn apply(self, span: &mut Span) {
        if span.start >= self.from {
            span.start = span.start.wrapping_add_signed(self.by);
            span.end = span.end.wrapping_add_signed(self.by);
        }
    }
}

impl std::fmt::Debug for Span {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}..{}", self.start, self.end)
    }
}
