//! Facts that are followed along the edges of a graph until they no longer change: the one solver for all analyses of
//! control flow, and the strongly connected components of a graph.
//!
//! A fact is an element of a finite lattice, such as a set of bits. Where paths come together, facts are joined; a join
//! only moves up in the lattice, and what a node makes of a fact must keep the order. So the solution is the least one,
//! there is an end to it, and it does not depend on the order in which nodes are looked at.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A graph whose nodes are counted from 0.
pub trait Graph {
    /// How many nodes it has.
    fn n_nodes(&self) -> usize;

    /// The nodes to which edges lead from a node, or with [`Direction::Backward`] those from which edges lead to it.
    fn next(&self, node: usize, direction: Direction) -> impl Iterator<Item = usize>;

    /// A number for each node that is less than those of the nodes behind it, apart from loops.
    fn position(&self, node: usize) -> u32 {
        node as u32
    }
}

/// Which way facts go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// Along the edges.
    Forward,
    /// Against them.
    Backward,
}

/// What is followed.
pub trait Analysis {
    /// What is known where a node is entered.
    type Fact: Clone;

    /// Which way facts go.
    fn direction(&self) -> Direction;

    /// Joins what comes to a node with what is known there. Returns whether more is known now.
    fn join(&mut self, node: usize, known: &mut Self::Fact, coming: &Self::Fact) -> bool;

    /// Turns what is known where a node is entered into what holds where it is left. Returns whether that goes on.
    fn transfer(&mut self, node: usize, fact: &mut Self::Fact) -> bool;
}

/// Follows facts through one graph, for as many analyses as are wanted.
pub struct Solver<'g, G> {
    graph: &'g G,
    is_open: Vec<bool>,
    queue: BinaryHeap<Reverse<(u32, u32)>>,
}

impl<'g, G: Graph> Solver<'g, G> {
    /// A solver for a graph.
    #[must_use]
    pub fn new(graph: &'g G) -> Self {
        Self { graph, is_open: vec![false; graph.n_nodes()], queue: BinaryHeap::new() }
    }

    /// Brings `facts`, one for each node, to the least solution above what they are. Nodes are looked at if they are among
    /// `first`, and whenever more comes to them.
    pub fn solve<A: Analysis>(
        &mut self,
        analysis: &mut A,
        facts: &mut [A::Fact],
        first: impl IntoIterator<Item = usize>,
    ) {
        let direction = analysis.direction();
        for node in first {
            self.open(node, direction);
        }
        while let Some(Reverse((_, node))) = self.queue.pop() {
            let node = node as usize;
            self.is_open[node] = false;
            let mut fact = facts[node].clone();
            if !analysis.transfer(node, &mut fact) {
                continue;
            }
            for to in self.graph.next(node, direction) {
                if analysis.join(to, &mut facts[to], &fact) {
                    self.open(to, direction);
                }
            }
        }
    }

    fn open(&mut self, node: usize, direction: Direction) {
        if !std::mem::replace(&mut self.is_open[node], true) {
            let position = self.graph.position(node);
            let order = if direction == Direction::Forward { position } else { !position };
            self.queue.push(Reverse((order, node as u32)));
        }
    }
}

/// Follows facts through a graph: see [`Solver::solve`].
pub fn solve<A: Analysis>(
    graph: &impl Graph,
    analysis: &mut A,
    facts: &mut [A::Fact],
    first: impl IntoIterator<Item = usize>,
) {
    Solver::new(graph).solve(analysis, facts, first);
}

/// For each node whether it is among `first`, or a path leads to it from one of them (with [`Direction::Backward`] from it
/// to one of them).
#[must_use]
pub fn reached(graph: &impl Graph, direction: Direction, first: impl IntoIterator<Item = usize>) -> Vec<bool> {
    let mut is_reached = vec![false; graph.n_nodes()];
    let first: Vec<usize> = first.into_iter().collect();
    for node in &first {
        is_reached[*node] = true;
    }
    solve(graph, &mut Paths(direction), &mut is_reached, first);
    is_reached
}

/// Whether a path leads to a node.
struct Paths(Direction);

impl Analysis for Paths {
    type Fact = bool;

    fn direction(&self) -> Direction {
        self.0
    }

    fn join(&mut self, _: usize, known: &mut bool, coming: &bool) -> bool {
        *coming && !std::mem::replace(known, true)
    }

    fn transfer(&mut self, _: usize, fact: &mut bool) -> bool {
        *fact
    }
}

/// The strongly connected component of each node, as the number of one of its nodes: Tarjan's algorithm with a stack of its
/// own.
#[must_use]
pub fn components(graph: &impl Graph) -> Vec<usize> {
    const NONE: usize = usize::MAX;
    let n = graph.n_nodes();
    let mut index = vec![NONE; n];
    let mut low = vec![0; n];
    let mut component = vec![NONE; n];
    let mut open: Vec<usize> = Vec::new();
    let mut walk = Vec::new();
    let mut counter = 0;
    for root in 0..n {
        if index[root] != NONE {
            continue;
        }
        walk.push((root, graph.next(root, Direction::Forward)));
        while let Some((at, edges)) = walk.last_mut() {
            let at = *at;
            if index[at] == NONE {
                index[at] = counter;
                low[at] = counter;
                counter += 1;
                open.push(at);
            }
            if let Some(next) = edges.next() {
                if index[next] == NONE {
                    walk.push((next, graph.next(next, Direction::Forward)));
                } else if component[next] == NONE {
                    low[at] = low[at].min(index[next]);
                }
                continue;
            }
            walk.pop();
            if low[at] == index[at] {
                while let Some(member) = open.pop() {
                    component[member] = at;
                    if member == at {
                        break;
                    }
                }
            }
            if let Some((above, _)) = walk.last() {
                low[*above] = low[*above].min(low[at]);
            }
        }
    }
    component
}
