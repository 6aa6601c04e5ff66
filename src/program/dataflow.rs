//! Facts that are followed along the control flow until they no longer change.
//!
//! A state is a row of cells, one row for the beginning of each block; a cell is an element of a finite lattice, such as a
//! set of bits. Where paths come together, the cells are joined one by one. A join only moves up in the lattice, and what a
//! block makes of a state must keep the order, so the solution is the least one and there is an end to it.

use super::cfg::{BlockId, ControlFlow};
use crate::base::id::Id as _;

/// The states at the beginning of all blocks of an object.
#[derive(Clone, Debug)]
pub struct States<C> {
    cells: Vec<C>,
    width: usize,
}

impl<C: Copy + PartialEq> States<C> {
    /// States of `width` cells each. `unreached` is the least element of the lattice: it stands where no path has come yet.
    #[must_use]
    pub fn new(flow: &ControlFlow, width: usize, unreached: C) -> Self {
        Self { cells: vec![unreached; width * flow.blocks.len()], width }
    }

    /// The state at the beginning of a block.
    #[must_use]
    pub fn of(&self, block: BlockId) -> &[C] {
        &self.cells[block.index() * self.width..][..self.width]
    }

    /// The state at the beginning of a block, to be set before [`Self::solve`], or to be used up after it.
    pub fn of_mut(&mut self, block: BlockId) -> &mut [C] {
        &mut self.cells[block.index() * self.width..][..self.width]
    }

    /// Follows the states along all edges. `join` says what holds where two paths come together; `through` turns the state
    /// at the beginning of a block into the one at its end.
    pub fn solve(&mut self, flow: &ControlFlow, join: impl Fn(C, C) -> C, mut through: impl FnMut(BlockId, &mut [C])) {
        let Some(&first) = self.cells.first() else { return };
        let mut out = vec![first; self.width];
        let mut is_open = vec![true; flow.blocks.len()];
        let mut is_stable = false;
        while !is_stable {
            is_stable = true;
            for &block in &flow.order {
                if !std::mem::replace(&mut is_open[block.index()], false) {
                    continue;
                }
                out.copy_from_slice(self.of(block));
                through(block, &mut out);
                for &to in flow.successors(block) {
                    for (old, new) in self.of_mut(to).iter_mut().zip(&out) {
                        let joined = join(*old, *new);
                        if joined != *old {
                            *old = joined;
                            is_open[to.index()] = true;
                            is_stable = false;
                        }
                    }
                }
            }
        }
    }
}
