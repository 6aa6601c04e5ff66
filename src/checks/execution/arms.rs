//! Whether all threads come to equally many barriers, whichever way they take from a branch.

use super::Finding;
use crate::base::id::Id as _;
use crate::checks::context::{Context, View};
use crate::program::InstructionIndex;
use crate::program::cfg::{BlockEnd, BlockId};
use crate::program::dataflow::{self, Analysis, Direction, Graph as _};
use crate::program::paths::{Node, Paths};
use crate::spec::instruction::Flow;

/// How many barriers of all threads stand on the paths to the end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Count {
    /// No path to the end is known yet.
    Open,
    /// So many on every path.
    All(u32),
    /// Not the same number on all of them.
    Differs,
}

impl Count {
    fn joined(self, other: Self) -> Self {
        match (self, other) {
            (Self::Open, count) | (count, Self::Open) => count,
            (Self::All(a), Self::All(b)) if a == b => self,
            _ => Self::Differs,
        }
    }

    fn plus(self, own: Option<u32>) -> Self {
        match (self, own) {
            (Self::All(n), Some(own)) => Self::All(n + own),
            (Self::Open, _) => Self::Open,
            _ => Self::Differs,
        }
    }
}

struct Counting<'c, 'p> {
    cx: &'c Context<'p>,
    paths: &'c Paths<'p>,
}

impl Counting<'_, '_> {
    /// The barriers in a node; nothing if a function may come to some.
    fn own(&self, node: Node) -> Option<u32> {
        let views = self.paths.instructions(node).filter_map(|at| View::new(self.cx, InstructionIndex(at)));
        views.into_iter().try_fold(0, |n, view| match view.row.barrier {
            _ if view.row.flow == Flow::FunctionCall => None,
            Some(barrier) if barrier.signals() && !barrier.is_named() => Some(n + 1),
            _ => Some(n),
        })
    }
}

impl Analysis for Counting<'_, '_> {
    type Fact = Count;

    fn direction(&self) -> Direction {
        Direction::Backward
    }

    fn join(&mut self, _: usize, known: &mut Count, coming: &Count) -> bool {
        let both = known.joined(*coming);
        std::mem::replace(known, both) != both
    }

    fn transfer(&mut self, node: usize, fact: &mut Count) -> bool {
        *fact = fact.plus(self.own(node));
        *fact != Count::Open
    }
}

/// Whether all ways that lead from a branch of a finding's object to its end come to the same number of barriers that
/// concern all threads.
pub fn come_to_equally_many(finding: &Finding, branch: InstructionIndex) -> bool {
    let cx = finding.view.cx;
    let flow = &cx.flow[cx.program.object_of(branch)];
    let paths = Paths::new(flow);
    let is_end = |node: &usize| {
        let ends = flow.blocks.as_slice().get(*node).map(|block| block.ends);
        paths.is_end(*node) || ends == Some(BlockEnd::EndOfThread)
    };
    let ends: Vec<usize> = (0..paths.n_nodes()).filter(is_end).collect();
    let mut counts = vec![Count::Open; paths.n_nodes()];
    for end in &ends {
        counts[*end] = Count::All(0);
    }
    let mut counting = Counting { cx, paths: &paths };
    dataflow::solve(&paths, &mut counting, &mut counts, ends);
    let from = BlockId::from_index(paths.node_of(branch)).index();
    let mut ways = paths.next(from, Direction::Forward).map(|to| counts[to].plus(counting.own(to)));
    let first = ways.next();
    matches!(first, Some(Count::All(_))) && ways.all(|way| Some(way) == first)
}
