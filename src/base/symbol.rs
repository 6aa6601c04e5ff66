//! Names, interned per file.

use super::unique::Unique;

crate::define_id! {
    /// An interned name; equal names of one file have equal symbols.
    Symbol
}

/// The names of one file, each stored once in one buffer.
#[derive(Default, Debug, Clone)]
pub struct Interner {
    buffer: String,
    /// Where each name ends in `buffer`; it begins where the one before ends.
    ends: Vec<u32>,
    table: Unique,
}

impl Interner {
    /// Makes room for `n` more names.
    pub fn reserve(&mut self, n: usize) {
        self.ends.reserve(n);
        self.table.reserve(n);
    }

    /// The symbol of `name`.
    #[expect(clippy::missing_panics_doc, reason = "there are never so many symbols")]
    pub fn intern(&mut self, name: &str) -> Symbol {
        let Self { buffer, ends, table } = self;
        let next = u32::try_from(ends.len()).expect("fewer than 2^32 names");
        let found = table.find_or_note(name, next, |s| slice(buffer, ends, s) == name);
        if found.is_none() {
            buffer.push_str(name);
            ends.push(buffer.len() as u32);
        }
        Symbol(found.unwrap_or(next))
    }

    /// The symbol of `name` if it occurs in the file.
    #[must_use]
    pub fn lookup(&self, name: &str) -> Option<Symbol> {
        self.table.find(name, |s| slice(&self.buffer, &self.ends, s) == name).map(Symbol)
    }

    /// The name of `symbol`.
    #[must_use]
    pub fn name(&self, symbol: Symbol) -> &str {
        slice(&self.buffer, &self.ends, symbol.0)
    }

    /// Number of names.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }
}

fn slice<'a>(buffer: &'a str, ends: &[u32], index: u32) -> &'a str {
    let index = index as usize;
    let start = if index == 0 { 0 } else { ends[index - 1] as usize };
    &buffer[start..ends[index] as usize]
}
