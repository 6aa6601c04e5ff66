//! The control flow of a kernel or function: basic blocks, the edges between them, and the subroutines they belong to.
//!
//! A **block** is a run of instructions that is entered at its first one only and left after its last one only. Blocks
//! stand in the order of the text, and every instruction of the object lies in exactly one. A block is empty where a
//! label or `.function` has no instruction behind it: control that gets there runs off the end, or into the next
//! subroutine.
//!
//! A **subroutine** is what stands from one `.function` to the next; code before the first `.function` forms a nameless
//! one. The first subroutine is where the object begins.
//!
//! **Edges** say where control may go *within* a subroutine:
//!
//! * a branch has an edge to its target, and one to the next block if it may not be taken: because it is predicated,
//!   or because it is a `goto` that does not cover all lanes of the kernel;
//! * a `call` goes on at the next instruction; the callee is in [`ControlFlow::calls`];
//! * `ret`, `fret` and the end of the thread have no edge, unless they are predicated;
//! * a `jmp` or `goto` into another subroutine, which is a fault, has its edge all the same; falling into the next
//!   subroutine, which is a fault as well, has none: see [`Block::falls_through`].
//!
//! An edge of a `goto` is the path of the *lanes* that take it. The hardware walks all lanes through the text together
//! and lets those that jumped forward wait at the label, so an instruction without a mask that stands in between is
//! executed although these lanes "jump over" it. An analysis of values has to keep that in mind.
//!
//! Everything here is computed in time proportional to the length of the object, without recursion.

use super::Program;
use super::dataflow::{Direction, Graph};
use super::instruction::{Instruction, InstructionIndex};
use super::object::{AttributeValue, LabelId, Object};
use super::operand::Operand;
use crate::base::id::{Id as _, IdVec};
use crate::base::symbol::Symbol;
use crate::spec::instruction::{Effect, Flow};
use rustc_hash::FxHashMap;
use std::ops::Range;

crate::define_id! {
    /// A basic block of a [`ControlFlow`].
    BlockId
}

crate::define_id! {
    /// A subroutine of a [`ControlFlow`].
    SubroutineId
}

/// How a block ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BlockEnd {
    /// The next block begins because of a label, or the object ends.
    Next,
    /// With `jmp`.
    Jump,
    /// With `goto`.
    Goto,
    /// With `switchjmp`.
    Switch,
    /// With `call`.
    Call,
    /// With `ret` or `fret`.
    Return,
    /// With a message that ends the thread.
    EndOfThread,
}

/// A basic block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Block {
    /// Its first instruction.
    pub start: u32,
    /// One past its last instruction.
    pub end: u32,
    /// The subroutine that it belongs to.
    pub subroutine: SubroutineId,
    /// How it ends.
    pub ends: BlockEnd,
    /// Whether control may go on behind its last instruction. The next block is then a successor if it belongs to the
    /// same subroutine.
    pub falls_through: bool,
    /// Whether lanes may part behind it: it ends with a `goto` of several lanes, of which each jumps or not if there is
    /// a predicate, or if some lanes of the kernel are not among them.
    pub may_divide: bool,
    /// Whether it ends with a branch to a label that does not exist.
    pub has_unknown_target: bool,
    /// Its place in [`ControlFlow::order`]; `u32::MAX` if no path leads to it.
    pub position: u32,
}

impl Block {
    /// Whether a path leads to it from the beginning of the object or of a subroutine.
    #[must_use]
    pub const fn is_reachable(&self) -> bool {
        self.position != u32::MAX
    }

    /// Its instructions.
    pub fn instructions(&self) -> impl DoubleEndedIterator<Item = InstructionIndex> + use<> {
        (self.start..self.end).map(InstructionIndex)
    }

    /// Its last instruction, unless it is empty.
    #[must_use]
    pub fn last(&self) -> Option<InstructionIndex> {
        (self.start < self.end).then(|| InstructionIndex(self.end - 1))
    }
}

/// A subroutine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Subroutine {
    /// Its `.function`; nothing for code before the first one.
    pub label: Option<LabelId>,
    /// Its blocks: [`BlockId`]s, never empty.
    pub blocks: Range<u32>,
}

/// A `call` to a subroutine of the same object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Call {
    /// The instruction.
    pub instruction: InstructionIndex,
    /// The subroutine that it stands in.
    pub caller: SubroutineId,
    /// The subroutine that it calls.
    pub callee: SubroutineId,
}

/// What a name means as the target of a branch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// A block label.
    Block(LabelId, BlockId),
    /// A subroutine.
    Subroutine(LabelId, SubroutineId),
}

/// The control flow of an object.
#[derive(Clone, Debug, Default)]
pub struct ControlFlow {
    /// The blocks in the order of the text.
    pub blocks: IdVec<BlockId, Block>,
    /// The subroutines in the order of the text; never empty if there are blocks.
    pub subroutines: IdVec<SubroutineId, Subroutine>,
    /// The calls in the order of the text.
    pub calls: Vec<Call>,
    /// The reachable blocks such that, apart from loops, each stands behind its predecessors.
    pub order: Vec<BlockId>,
    targets: FxHashMap<Symbol, Target>,
    successors: Edges,
    predecessors: Edges,
}

/// The edges of all blocks, those of one block side by side.
#[derive(Clone, Debug, Default)]
struct Edges {
    /// Where the edges of each block end; they begin where those of the block before end.
    ends: Vec<u32>,
    blocks: Vec<BlockId>,
}

impl Edges {
    fn of(&self, block: BlockId) -> &[BlockId] {
        let index = block.index();
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.blocks[start as usize..self.ends[index] as usize]
    }
}

impl ControlFlow {
    /// The control flow of `object`.
    #[must_use]
    pub fn new(program: &Program, object: &Object) -> Self {
        let mut flow = Self::default();
        let label_blocks = flow.cut(program, object);
        if flow.blocks.is_empty() {
            return flow;
        }
        flow.name_targets(program, object, &label_blocks);
        flow.connect(program, object);
        flow.number();
        flow
    }

    /// The blocks to which control may go from `block`.
    #[must_use]
    pub fn successors(&self, block: BlockId) -> &[BlockId] {
        self.successors.of(block)
    }

    /// The blocks from which control may come to `block`.
    #[must_use]
    pub fn predecessors(&self, block: BlockId) -> &[BlockId] {
        self.predecessors.of(block)
    }

    /// The block that holds an instruction of the object.
    #[must_use]
    pub fn block_of(&self, instruction: InstructionIndex) -> BlockId {
        let after = self.blocks.as_slice().partition_point(|b| b.end <= instruction.0);
        BlockId::from_index(after.min(self.blocks.len().saturating_sub(1)))
    }

    /// What `name` means as the target of a branch. Names of subroutines go first, and the first of several definitions.
    #[must_use]
    pub fn target(&self, name: Symbol) -> Option<Target> {
        self.targets.get(&name).copied()
    }

    /// The instructions of a subroutine: the first one, and the one after the last.
    #[must_use]
    pub fn instructions_of(&self, subroutine: SubroutineId) -> (u32, u32) {
        let blocks = &self.subroutines[subroutine].blocks;
        (self.blocks[BlockId(blocks.start)].start, self.blocks[BlockId(blocks.end - 1)].end)
    }

    /// The first block of a subroutine.
    #[must_use]
    pub fn entry_of(&self, subroutine: SubroutineId) -> BlockId {
        BlockId(self.subroutines[subroutine].blocks.start)
    }

    /// Cuts the object into subroutines and blocks. Returns the block of each label.
    fn cut(&mut self, program: &Program, object: &Object) -> Vec<BlockId> {
        let range = object.instructions.clone();
        let mut labels = object.labels.clone().peekable();
        let mut label_blocks = Vec::with_capacity(object.labels.len());
        let mut open: Option<BlockId> = None;
        for index in range.start..=range.end {
            while let Some(label) = labels.next_if(|&l| program.labels[LabelId(l)].instruction <= index) {
                let id = LabelId(label);
                let is_function = program.labels[id].is_function;
                if is_function {
                    self.open_subroutine(Some(id));
                }
                // Labels at one place share a block, but a subroutine has blocks of its own.
                let block = match open.filter(|b| !is_function && self.blocks[*b].start == index) {
                    Some(block) => block,
                    None => self.open_block(index),
                };
                label_blocks.push(block);
                open = Some(block);
            }
            if index == range.end {
                break;
            }
            let block = match open {
                Some(block) => block,
                None => self.open_block(index),
            };
            let ends = how_it_ends(program, &program.instructions[InstructionIndex(index)]);
            let row = &mut self.blocks[block];
            row.end = index + 1;
            row.ends = ends;
            row.may_divide = ends == BlockEnd::Goto && program.instructions[InstructionIndex(index)].exec_size > 1;
            open = (ends == BlockEnd::Next).then_some(block);
        }
        label_blocks
    }

    fn open_subroutine(&mut self, label: Option<LabelId>) {
        let next = self.blocks.next_id().0;
        self.subroutines.push(Subroutine { label, blocks: next..next });
    }

    fn open_block(&mut self, start: u32) -> BlockId {
        if self.subroutines.is_empty() {
            self.open_subroutine(None);
        }
        let subroutine = SubroutineId::from_index(self.subroutines.len() - 1);
        self.subroutines[subroutine].blocks.end += 1;
        self.blocks.push(Block {
            start,
            end: start,
            subroutine,
            ends: BlockEnd::Next,
            falls_through: true,
            may_divide: false,
            has_unknown_target: false,
            position: u32::MAX,
        })
    }

    fn name_targets(&mut self, program: &Program, object: &Object, label_blocks: &[BlockId]) {
        self.targets.reserve(object.labels.len());
        for (id, row) in self.subroutines.entries() {
            if let Some(label) = row.label {
                self.targets.entry(program.labels[label].name).or_insert(Target::Subroutine(label, id));
            }
        }
        for (label, block) in object.labels.clone().map(LabelId).zip(label_blocks) {
            let row = &program.labels[label];
            if !row.is_function {
                self.targets.entry(row.name).or_insert(Target::Block(label, *block));
            }
        }
    }

    fn connect(&mut self, program: &Program, object: &Object) {
        let simd_size = simd_size(program, object);
        let n_blocks = self.blocks.len();
        // The block that last got an edge to each block, so that no edge stands twice.
        let mut seen = vec![u32::MAX; n_blocks];
        let mut edges = Edges { ends: Vec::with_capacity(n_blocks), blocks: Vec::with_capacity(n_blocks * 2) };
        for index in 0..n_blocks {
            let id = BlockId::from_index(index);
            let block = self.blocks[id];
            let last = block.last();
            let falls_through = last.is_none_or(|i| may_go_on(program, i, block.ends, simd_size));
            self.blocks[id].falls_through = falls_through;
            let mut add = |to: BlockId| {
                if std::mem::replace(&mut seen[to.index()], id.0) != id.0 {
                    edges.blocks.push(to);
                }
            };
            let next = BlockId(id.0 + 1);
            if falls_through && self.blocks.get(next).is_some_and(|b| b.subroutine == block.subroutine) {
                add(next);
            }
            if let Some(instruction) = last {
                let row = &program.instructions[instruction];
                match block.ends {
                    BlockEnd::Jump | BlockEnd::Goto | BlockEnd::Switch => {
                        for name in target_names(program, row) {
                            match self.targets.get(&name) {
                                Some(Target::Block(_, to)) => add(*to),
                                Some(Target::Subroutine(..)) | None => self.blocks[id].has_unknown_target = true,
                            }
                        }
                        if target_names(program, row).next().is_none() {
                            self.blocks[id].has_unknown_target = true;
                        }
                    }
                    BlockEnd::Call => {
                        if let Some(Target::Subroutine(_, callee)) =
                            target_names(program, row).next().and_then(|n| self.target(n))
                        {
                            self.calls.push(Call { instruction, caller: block.subroutine, callee });
                        }
                    }
                    _ => {}
                }
            }
            edges.ends.push(edges.blocks.len() as u32);
        }
        self.predecessors = reversed(&edges);
        self.successors = edges;
    }

    /// Finds the reachable blocks and their order: a walk in depth that begins at every subroutine.
    fn number(&mut self) {
        const SEEN: u32 = u32::MAX - 1;
        let mut stack: Vec<(BlockId, u32)> = Vec::new();
        let mut order = Vec::with_capacity(self.blocks.len());
        for subroutine in (0..self.subroutines.len()).rev() {
            let entry = self.entry_of(SubroutineId::from_index(subroutine));
            if self.blocks[entry].position == u32::MAX {
                self.blocks[entry].position = SEEN;
                stack.push((entry, 0));
            }
            while let Some((block, edge)) = stack.last_mut() {
                // The last successor first, so that the order, which is turned round, keeps close to the text.
                let successors = self.successors.of(*block);
                let Some(&next) = successors.len().checked_sub(1 + *edge as usize).map(|i| &successors[i]) else {
                    order.push(*block);
                    stack.pop();
                    continue;
                };
                *edge += 1;
                if self.blocks[next].position == u32::MAX {
                    self.blocks[next].position = SEEN;
                    stack.push((next, 0));
                }
            }
        }
        order.reverse();
        for (position, block) in order.iter().enumerate() {
            self.blocks[*block].position = position as u32;
        }
        self.order = order;
    }
}

impl Graph for ControlFlow {
    fn n_nodes(&self) -> usize {
        self.blocks.len()
    }

    fn next(&self, node: usize, direction: Direction) -> impl Iterator<Item = usize> {
        let block = BlockId::from_index(node);
        let edges = if direction == Direction::Forward { self.successors(block) } else { self.predecessors(block) };
        edges.iter().map(|to| to.index())
    }

    fn position(&self, node: usize) -> u32 {
        self.blocks[BlockId::from_index(node)].position
    }
}

/// The subroutines of an object and the calls between them, without calls of the entry, which are reported as such.
#[derive(Clone, Copy, Debug)]
pub struct CallGraph<'f>(pub &'f ControlFlow);

impl Graph for CallGraph<'_> {
    fn n_nodes(&self) -> usize {
        self.0.subroutines.len()
    }

    fn next(&self, node: usize, direction: Direction) -> impl Iterator<Item = usize> {
        let calls = &self.0.calls;
        // Calls stand in the order of the text, and so in that of their callers.
        let first = calls.partition_point(|c| c.caller.index() < node);
        let last = calls.partition_point(|c| c.caller.index() <= node);
        let is_forward = direction == Direction::Forward;
        let part = if is_forward { &calls[first..last] } else { calls.as_slice() };
        part.iter().filter_map(move |call| {
            let (from, to) = if is_forward { (call.caller, call.callee) } else { (call.callee, call.caller) };
            (from.index() == node && call.callee.0 != 0).then(|| to.index())
        })
    }
}

fn reversed(edges: &Edges) -> Edges {
    let n_blocks = edges.ends.len();
    let mut ends = vec![0u32; n_blocks];
    for to in &edges.blocks {
        ends[to.index()] += 1;
    }
    let mut sum = 0;
    for end in &mut ends {
        sum += *end;
        *end = sum;
    }
    // Filling each block's part from its end moves `ends` to where the parts begin.
    let mut blocks = vec![BlockId(0); edges.blocks.len()];
    let mut starts = ends.clone();
    for index in (0..n_blocks).rev() {
        for to in edges.of(BlockId::from_index(index)).iter().rev() {
            starts[to.index()] -= 1;
            blocks[starts[to.index()] as usize] = BlockId::from_index(index);
        }
    }
    Edges { ends, blocks }
}

fn how_it_ends(program: &Program, instruction: &Instruction) -> BlockEnd {
    let Some(row) = program.row(instruction) else { return BlockEnd::Next };
    match row.flow {
        Flow::Jump => BlockEnd::Jump,
        Flow::Goto => BlockEnd::Goto,
        Flow::Switch => BlockEnd::Switch,
        Flow::Call => BlockEnd::Call,
        Flow::Return | Flow::FunctionReturn => BlockEnd::Return,
        Flow::Next | Flow::FunctionCall | Flow::Barrier if row.effects.contains(&Effect::EndOfThread) => {
            BlockEnd::EndOfThread
        }
        Flow::Next | Flow::FunctionCall | Flow::Barrier => BlockEnd::Next,
    }
}

/// Whether control may go on behind the last instruction of a block.
fn may_go_on(program: &Program, last: InstructionIndex, ends: BlockEnd, simd_size: u32) -> bool {
    let instruction = &program.instructions[last];
    // A predicate that could not be read is a predicate all the same.
    let is_predicated = instruction.predicate.is_some() || !program.instruction_spans[last].predicate.is_empty();
    match ends {
        BlockEnd::Next | BlockEnd::Call => true,
        BlockEnd::Switch => false,
        BlockEnd::Jump | BlockEnd::Return | BlockEnd::EndOfThread => is_predicated,
        BlockEnd::Goto => {
            let size = u32::from(instruction.exec_size);
            let covers = size == 1 || instruction.mask_offset == 0 && size >= simd_size;
            is_predicated || !covers
        }
    }
}

/// The names that a branch or call gives as its targets.
pub fn target_names<'a>(program: &'a Program, instruction: &'a Instruction) -> impl Iterator<Item = Symbol> + 'a {
    program.operands_of(instruction).iter().flat_map(|operand| {
        let (single, list) = match *operand {
            Operand::Name { name, .. } => (Some(name), 0..0),
            Operand::LabelList { start, end } => (None, start as usize..end as usize),
            _ => (None, 0..0),
        };
        single.into_iter().chain(program.label_lists[list].iter().map(|(name, _)| *name))
    })
}

/// The value of the attribute `SimdSize`: the lanes of the kernel. 1 if it does not say.
#[must_use]
pub fn simd_size(program: &Program, object: &Object) -> u32 {
    let attributes = program.attributes_of(object);
    let size = attributes.iter().rev().find(|a| program.names.name(a.name) == "SimdSize");
    match size.map(|a| a.value) {
        Some(AttributeValue::Number(size @ (8 | 16 | 32))) => size as u32,
        _ => 1,
    }
}
