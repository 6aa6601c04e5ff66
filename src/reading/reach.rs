//! Which writes may have made what a place reads, and which reads may see what a place writes, on all paths.

use super::bytes::Bytes;
use super::touches::{Touch, Touches};
use crate::program::dataflow::{self, Analysis, Direction, Graph as _};
use crate::program::paths::{Node, Paths};
use crate::program::{ControlFlow, Object, Program};
use std::ops::Range;

/// Blocks that are walked through for one answer: beyond that, some places are missing.
const MAX_STEPS: usize = 100_000;

/// The places that a walk found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Reach {
    /// The places, in the order of the text.
    pub places: Vec<Touch>,
    /// Whether a path leads to the beginning of the object (or on to its end) with some byte still unaccounted for.
    pub is_open: bool,
    /// Whether there were too many paths, so that places may be missing.
    pub is_cut: bool,
}

/// The writes whose bytes a place that reads may get: on each path the last ones.
#[must_use]
pub fn last_writes(program: &Program, object: &Object, touches: &Touches, from: &Touch) -> Reach {
    walk(program, object, touches, from, Direction::Backward)
}

/// The reads that may get bytes that a place writes, before others are written there.
#[must_use]
pub fn next_reads(program: &Program, object: &Object, touches: &Touches, from: &Touch) -> Reach {
    walk(program, object, touches, from, Direction::Forward)
}

fn walk(program: &Program, object: &Object, touches: &Touches, from: &Touch, direction: Direction) -> Reach {
    let flow = ControlFlow::new(program, object);
    let paths = Paths::new(&flow);
    let all = touches.of_root(from.root, object.instructions.clone());
    let mut walk = Walk { paths: &paths, touches, all, direction, n_steps: 0, reach: Reach::default() };
    let at = from.instruction.0;
    let node = paths.node_of(from.instruction);
    let whole = paths.instructions(node);
    let part = if direction == Direction::Backward { whole.start..at } else { at + 1..whole.end };
    let mut bytes = Bytes::new(touches.ranges(from));
    let mut wanted = vec![Bytes::default(); paths.n_nodes()];
    if walk.through(node, part, &mut bytes) {
        let next: Vec<Node> = paths.next(node, direction).collect();
        for to in &next {
            wanted[*to] = bytes.clone();
        }
        dataflow::solve(&paths, &mut walk, &mut wanted, next);
    }
    let mut reach = walk.reach;
    reach.places.sort_by_key(|t: &Touch| (t.instruction, t.name));
    reach.places.dedup();
    reach
}

/// Follows bytes whose writes or reads are wanted.
struct Walk<'a> {
    paths: &'a Paths<'a>,
    touches: &'a Touches,
    /// The places that touch the root, in order.
    all: Vec<Touch>,
    direction: Direction,
    n_steps: usize,
    reach: Reach,
}

impl Walk<'_> {
    /// Goes through a part of a node. Returns whether some bytes are still wanted behind it.
    fn through(&mut self, node: Node, part: Range<u32>, bytes: &mut Bytes) -> bool {
        let first = self.all.partition_point(|t| t.instruction.0 < part.start);
        let end = self.all.partition_point(|t| t.instruction.0 < part.end.max(part.start));
        let mut groups = self.all[first..end].chunk_by(|a, b| a.instruction == b.instruction);
        let (touches, found) = (self.touches, &mut self.reach.places);
        while !bytes.is_empty() {
            match self.direction {
                Direction::Backward => {
                    let Some(group) = groups.next_back() else { break };
                    step_back(touches, group, bytes, found);
                }
                Direction::Forward => {
                    let Some(group) = groups.next() else { break };
                    step_on(touches, group, bytes, found);
                }
            }
        }
        let is_last = match self.direction {
            Direction::Backward => self.paths.is_start(node),
            Direction::Forward => self.paths.is_end(node),
        };
        self.reach.is_open |= is_last && !bytes.is_empty();
        !bytes.is_empty()
    }
}

impl Analysis for Walk<'_> {
    /// The bytes that are wanted where a node is entered.
    type Fact = Bytes;

    fn direction(&self) -> Direction {
        self.direction
    }

    fn join(&mut self, _: Node, known: &mut Bytes, coming: &Bytes) -> bool {
        let mut new = coming.clone();
        new.remove(known.ranges());
        known.add(new.ranges());
        !new.is_empty()
    }

    fn transfer(&mut self, node: Node, bytes: &mut Bytes) -> bool {
        self.n_steps += 1;
        self.reach.is_cut |= self.n_steps > MAX_STEPS;
        !self.reach.is_cut && self.through(node, self.paths.instructions(node), bytes)
    }
}

/// Goes back through an instruction: what it writes is found, and no longer looked for if it is certain.
fn step_back(touches: &Touches, group: &[Touch], bytes: &mut Bytes, found: &mut Vec<Touch>) {
    let writes = group.iter().filter(|t| t.writes);
    let met: Vec<&Touch> = writes.filter(|t| bytes.meets(touches.ranges(t))).collect();
    for touch in &met {
        found.push(**touch);
    }
    for touch in met.iter().filter(|t| t.is_certain) {
        bytes.remove(touches.ranges(touch));
    }
}

/// Goes on through an instruction: it reads before it writes.
fn step_on(touches: &Touches, group: &[Touch], bytes: &mut Bytes, found: &mut Vec<Touch>) {
    found.extend(group.iter().filter(|t| t.reads && bytes.meets(touches.ranges(t))));
    for touch in group.iter().filter(|t| t.is_certain) {
        bytes.remove(touches.ranges(touch));
    }
}
