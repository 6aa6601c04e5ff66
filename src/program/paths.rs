//! The control flow of a kernel or function with its calls: a call leads into its subroutine, and the end of a subroutine
//! leads behind each of its calls. Which call a subroutine was entered by is not followed.
//!
//! It is made from the edges of a [`ControlFlow`], which stay within one subroutine: there each call goes on behind itself,
//! so that what is followed within a subroutine does not get from one call of another one to the next.

use super::cfg::{BlockEnd, BlockId, ControlFlow, SubroutineId};
use super::dataflow::{Direction, Graph};
use super::instruction::InstructionIndex;
use crate::base::id::Id as _;
use std::ops::Range;

/// A block, or where a subroutine ends.
pub type Node = usize;

/// The paths of a kernel or function: its blocks, and behind them the ends of its subroutines.
#[derive(Debug)]
pub struct Paths<'f> {
    /// Its blocks.
    pub flow: &'f ControlFlow,
    successors: Vec<Vec<Node>>,
    predecessors: Vec<Vec<Node>>,
}

impl<'f> Paths<'f> {
    /// The paths of an object.
    #[must_use]
    pub fn new(flow: &'f ControlFlow) -> Self {
        let n_blocks = flow.blocks.len();
        let n = n_blocks + flow.subroutines.len();
        let mut paths = Self { successors: vec![Vec::new(); n], predecessors: vec![Vec::new(); n], flow };
        for (id, row) in flow.blocks.entries() {
            for to in flow.successors(id) {
                paths.connect(id.index(), to.index());
            }
            if row.ends == BlockEnd::Return {
                paths.connect(id.index(), n_blocks + row.subroutine.index());
            }
        }
        for call in &flow.calls {
            let block = flow.block_of(call.instruction);
            paths.connect(block.index(), flow.entry_of(call.callee).index());
            let behind = BlockId(block.0 + 1);
            if flow.blocks.get(behind).is_some_and(|b| b.subroutine == call.caller) {
                paths.connect(n_blocks + call.callee.index(), behind.index());
            }
        }
        paths
    }

    fn connect(&mut self, from: Node, to: Node) {
        self.successors[from].push(to);
        self.predecessors[to].push(from);
    }

    /// The instructions of a node; none where a subroutine ends.
    #[must_use]
    pub fn instructions(&self, node: Node) -> Range<u32> {
        self.flow.blocks.as_slice().get(node).map_or(0..0, |block| block.start..block.end)
    }

    /// The block of an instruction.
    #[must_use]
    pub fn node_of(&self, instruction: InstructionIndex) -> Node {
        self.flow.block_of(instruction).index()
    }

    /// Whether the object begins there.
    #[must_use]
    pub fn is_start(&self, node: Node) -> bool {
        !self.flow.blocks.is_empty() && node == self.flow.entry_of(SubroutineId::from_index(0)).index()
    }

    /// Whether no path goes on from there.
    #[must_use]
    pub fn is_end(&self, node: Node) -> bool {
        self.successors[node].is_empty()
    }
}

impl Graph for Paths<'_> {
    fn n_nodes(&self) -> usize {
        self.successors.len()
    }

    fn next(&self, node: Node, direction: Direction) -> impl Iterator<Item = Node> {
        let edges = if direction == Direction::Forward { &self.successors } else { &self.predecessors };
        edges[node].iter().copied()
    }
}
