//! Which writes may have made what a place reads, and which reads may see what a place writes, on all paths.

use super::bytes::Bytes;
use super::paths::{Node, Paths};
use super::touches::{Touch, Touches};
use crate::program::{Object, Program};
use rustc_hash::FxHashMap;

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

/// Which way a walk goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Back,
    On,
}

/// The writes whose bytes a place that reads may get: on each path the last ones.
#[must_use]
pub fn last_writes(program: &Program, object: &Object, touches: &Touches, from: &Touch) -> Reach {
    walk(program, object, touches, from, Way::Back)
}

/// The reads that may get bytes that a place writes, before others are written there.
#[must_use]
pub fn next_reads(program: &Program, object: &Object, touches: &Touches, from: &Touch) -> Reach {
    walk(program, object, touches, from, Way::On)
}

fn walk(program: &Program, object: &Object, touches: &Touches, from: &Touch, way: Way) -> Reach {
    let paths = Paths::new(program, object);
    let all = touches.of_root(from.root, object.instructions.clone());
    let mut reach = Reach::default();
    let mut seen: FxHashMap<Node, Bytes> = FxHashMap::default();
    let at = from.instruction.0;
    let node = paths.node_of(from.instruction);
    let whole = paths.instructions(node);
    let part = if way == Way::Back { whole.start..at } else { at + 1..whole.end };
    let mut open = vec![(node, part, Bytes::new(touches.ranges(from)))];
    let mut found = Vec::new();
    for step in 0.. {
        let Some((node, part, mut bytes)) = open.pop() else { break };
        if step == MAX_STEPS {
            reach.is_cut = true;
            break;
        }
        let first = all.partition_point(|t| t.instruction.0 < part.start);
        let end = all.partition_point(|t| t.instruction.0 < part.end.max(part.start));
        match way {
            Way::Back => {
                for group in all[first..end].chunk_by(|a, b| a.instruction == b.instruction).rev() {
                    step_back(touches, group, &mut bytes, &mut found);
                    if bytes.is_empty() {
                        break;
                    }
                }
            }
            Way::On => {
                for group in all[first..end].chunk_by(|a, b| a.instruction == b.instruction) {
                    step_on(touches, group, &mut bytes, &mut found);
                    if bytes.is_empty() {
                        break;
                    }
                }
            }
        }
        if bytes.is_empty() {
            continue;
        }
        let next = if way == Way::Back { paths.predecessors(node) } else { paths.successors(node) };
        reach.is_open |= if way == Way::Back { paths.is_start(node) } else { next.is_empty() };
        for to in next {
            let seen = seen.entry(*to).or_default();
            let mut new = bytes.clone();
            new.remove(seen.ranges());
            if !new.is_empty() {
                seen.add(new.ranges());
                open.push((*to, paths.instructions(*to), new));
            }
        }
    }
    found.sort_by_key(|t: &Touch| (t.instruction, t.name));
    found.dedup();
    reach.places = found;
    reach
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
