//! Finds what is already stored, by its contents.

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use std::hash::{BuildHasher as _, Hash};

/// The indices of things that stand elsewhere, each thing once. With each index stands the hash of its thing, so that
/// a table that grows reads no thing again, and few unequal ones are compared.
#[derive(Default, Debug, Clone)]
pub struct Unique {
    table: HashTable<Entry>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    hash: u32,
    index: u32,
}

impl Entry {
    /// The table takes a bucket from the low bits and a tag from the high ones.
    const fn spread(self) -> u64 {
        (self.hash as u64) << 32 | self.hash as u64
    }
}

/// The low half, to which the hasher moves its best mixed bits: the others do not see the high bits of a number.
fn hash_of(thing: impl Hash) -> u32 {
    FxBuildHasher.hash_one(thing) as u32
}

impl Unique {
    /// Makes room for `n` more.
    pub fn reserve(&mut self, n: usize) {
        self.table.reserve(n, |e| e.spread());
    }

    /// The index of `thing`, if it is stored; `is_it` compares it with the one at an index.
    pub fn find(&self, thing: impl Hash, mut is_it: impl FnMut(u32) -> bool) -> Option<u32> {
        let hash = hash_of(thing);
        let wanted = Entry { hash, index: 0 };
        self.table.find(wanted.spread(), |e| e.hash == hash && is_it(e.index)).map(|e| e.index)
    }

    /// The index of `thing`, if it is stored. Else nothing, and it is stored from now on at `next`.
    pub fn find_or_note(&mut self, thing: impl Hash, next: u32, mut is_it: impl FnMut(u32) -> bool) -> Option<u32> {
        let wanted = Entry { hash: hash_of(thing), index: next };
        let same = |e: &Entry| e.hash == wanted.hash && is_it(e.index);
        match self.table.entry(wanted.spread(), same, |e| e.spread()) {
            hashbrown::hash_table::Entry::Occupied(found) => Some(found.get().index),
            hashbrown::hash_table::Entry::Vacant(place) => {
                place.insert(wanted);
                None
            }
        }
    }
}
