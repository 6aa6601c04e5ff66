//! Names, interned per file.

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;

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
    table: HashTable<Symbol>,
}

impl Interner {
    /// Makes room for `n` more names.
    pub fn reserve(&mut self, n: usize) {
        let Self { buffer, ends, table } = self;
        ends.reserve(n);
        table.reserve(n, |&s| FxBuildHasher.hash_one(slice(buffer, ends, s)));
    }

    /// The symbol of `name`.
    #[allow(clippy::missing_panics_doc)]
    pub fn intern(&mut self, name: &str) -> Symbol {
        let hash = FxBuildHasher.hash_one(name);
        let Self { buffer, ends, table } = self;
        let entry =
            table.entry(hash, |&s| slice(buffer, ends, s) == name, |&s| FxBuildHasher.hash_one(slice(buffer, ends, s)));
        match entry {
            hashbrown::hash_table::Entry::Occupied(found) => *found.get(),
            hashbrown::hash_table::Entry::Vacant(place) => {
                let symbol = Symbol(u32::try_from(ends.len()).expect("fewer than 2^32 names"));
                place.insert(symbol);
                buffer.push_str(name);
                ends.push(buffer.len() as u32);
                symbol
            }
        }
    }

    /// The symbol of `name` if it occurs in the file.
    #[must_use]
    pub fn lookup(&self, name: &str) -> Option<Symbol> {
        self.table.find(FxBuildHasher.hash_one(name), |&s| self.name(s) == name).copied()
    }

    /// The name of `symbol`.
    #[must_use]
    pub fn name(&self, symbol: Symbol) -> &str {
        slice(&self.buffer, &self.ends, symbol)
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

fn slice<'a>(buffer: &'a str, ends: &[u32], symbol: Symbol) -> &'a str {
    let index = symbol.0 as usize;
    let start = if index == 0 { 0 } else { ends[index - 1] as usize };
    &buffer[start..ends[index] as usize]
}
