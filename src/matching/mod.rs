//! What stays the same in a text while what is around it changes: the *shape* of each statement, which comments, blanks
//! and the numbers in declared names do not touch. Baselines, fingerprints and comparisons of texts all match by it.

pub mod baseline;
pub mod compare;
pub mod hash;
pub mod shape;

pub use baseline::{Baseline, Entry};
pub use hash::Hash;
pub use shape::{Identity, Kind, Shape, Statement};
