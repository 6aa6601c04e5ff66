//! Dense `u32` indices with a type of their own, and the vectors they index.

use std::marker::PhantomData;
use std::ops::{Index, IndexMut, Range};

/// An index into an [`IdVec`].
pub trait Id: Copy + Eq {
    /// From a position in the vector.
    fn from_index(index: usize) -> Self;
    /// The position in the vector.
    fn index(self) -> usize;
}

/// Declares a `u32` index type.
#[macro_export]
macro_rules! define_id {
    ($(#[$meta:meta])* $name:ident) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub struct $name(pub u32);

        impl $crate::base::id::Id for $name {
            fn from_index(index: usize) -> Self {
                Self(u32::try_from(index).expect("fewer than 2^32 entries"))
            }
            fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

/// A vector whose index is `I`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdVec<I, T> {
    items: Vec<T>,
    id: PhantomData<I>,
}

impl<I, T> Default for IdVec<I, T> {
    fn default() -> Self {
        Self { items: Vec::new(), id: PhantomData }
    }
}

impl<I: Id, T> IdVec<I, T> {
    /// An empty vector.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends and returns the id of the new entry.
    pub fn push(&mut self, item: T) -> I {
        let id = I::from_index(self.items.len());
        self.items.push(item);
        id
    }

    /// Makes room for `n` more entries, and for no others.
    pub fn reserve(&mut self, n: usize) {
        self.items.reserve_exact(n);
    }

    /// Number of entries.
    #[must_use]
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether it has no entries.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The entries in order.
    #[expect(clippy::iter_without_into_iter, reason = "a slice is what is iterated")]
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.items.iter()
    }

    /// Ids and entries in order.
    #[must_use]
    pub fn entries(&self) -> impl DoubleEndedIterator<Item = (I, &T)> + ExactSizeIterator {
        self.items.iter().enumerate().map(|(i, t)| (I::from_index(i), t))
    }

    /// The entry, if there is one.
    #[must_use]
    pub fn get(&self, id: I) -> Option<&T> {
        self.items.get(id.index())
    }

    /// The id that the next `push` will return.
    #[must_use]
    pub fn next_id(&self) -> I {
        I::from_index(self.items.len())
    }

    /// The entries as a slice.
    #[must_use]
    pub fn as_slice(&self) -> &[T] {
        &self.items
    }

    /// The entries as a slice that can be changed.
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.items
    }

    /// Takes the entries from position `at` on away.
    pub fn split_off(&mut self, at: usize) -> Vec<T> {
        self.items.split_off(at)
    }

    /// Puts other entries in place of those at the positions `range`; later ones get other ids if their number differs.
    pub fn splice(&mut self, range: Range<usize>, items: Vec<T>) {
        self.items.splice(range, items);
    }

    /// Appends entries.
    pub fn extend(&mut self, items: Vec<T>) {
        self.items.extend(items);
    }
}

impl<I: Id, T> Index<I> for IdVec<I, T> {
    type Output = T;
    fn index(&self, id: I) -> &T {
        &self.items[id.index()]
    }
}

impl<I: Id, T> IndexMut<I> for IdVec<I, T> {
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.items[id.index()]
    }
}
