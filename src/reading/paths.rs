//! Where control comes from and goes to, with calls: a call leads into its subroutine, and the end of a subroutine leads
//! behind each of its calls. Which call a subroutine was entered by is not followed.

use crate::base::id::Id as _;
use crate::program::cfg::{BlockEnd, BlockId, SubroutineId};
use crate::program::{ControlFlow, InstructionIndex, Object, Program};
use std::ops::Range;

/// A block, or where a subroutine ends.
pub type Node = usize;

/// The paths of a kernel or function.
#[derive(Debug)]
pub struct Paths {
    /// Its blocks.
    pub flow: ControlFlow,
    successors: Vec<Vec<Node>>,
    predecessors: Vec<Vec<Node>>,
}

impl Paths {
    /// The paths of an object.
    #[must_use]
    pub fn new(program: &Program, object: &Object) -> Self {
        let flow = ControlFlow::new(program, object);
        let n_blocks = flow.blocks.len();
        let n = n_blocks + flow.subroutines.len();
        let mut paths = Self { successors: vec![Vec::new(); n], predecessors: vec![Vec::new(); n], flow };
        for block in 0..n_blocks {
            let id = BlockId::from_index(block);
            for to in paths.flow.successors(id).to_vec() {
                paths.connect(block, to.index());
            }
            let row = paths.flow.blocks[id];
            if row.ends == BlockEnd::Return {
                paths.connect(block, n_blocks + row.subroutine.index());
            }
        }
        for call in paths.flow.calls.clone() {
            let block = paths.flow.block_of(call.instruction);
            paths.connect(block.index(), paths.flow.entry_of(call.callee).index());
            let behind = block.index() + 1;
            if behind < n_blocks && paths.flow.blocks[BlockId::from_index(behind)].subroutine == call.caller {
                paths.connect(n_blocks + call.callee.index(), behind);
            }
        }
        paths
    }

    fn connect(&mut self, from: Node, to: Node) {
        self.successors[from].push(to);
        self.predecessors[to].push(from);
    }

    /// Blocks, and the ends of subroutines behind them.
    #[must_use]
    pub fn n_nodes(&self) -> usize {
        self.successors.len()
    }

    /// The nodes to which control may go.
    #[must_use]
    pub fn successors(&self, node: Node) -> &[Node] {
        &self.successors[node]
    }

    /// The nodes from which control may come.
    #[must_use]
    pub fn predecessors(&self, node: Node) -> &[Node] {
        &self.predecessors[node]
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
}
