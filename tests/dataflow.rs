//! States that are followed along the control flow of a kernel.

use visa_lint::lower::lower;
use visa_lint::program::cfg::ControlFlow;
use visa_lint::program::dataflow::{self, Analysis, Direction, Graph};

/// Which blocks of a kernel a path leads through before each block: a bit each.
fn blocks_before(body: &str) -> Vec<u64> {
    let text = format!(
        ".version 3.6\n.kernel \"k\"\n.decl P v_type=P num_elts=1\n.kernel_attr Target=\"cm\"\n{body}ret (M1, 1)\n"
    );
    let program = lower(&text);
    assert!(program.diagnostics.is_empty(), "{:?}", program.diagnostics.first());
    let flow = ControlFlow::new(&program, program.objects.iter().next().expect("a kernel"));
    let mut before = vec![0; flow.blocks.len()];
    dataflow::solve(&flow, &mut Blocks, &mut before, 0..flow.blocks.len());
    before
}

/// Follows which blocks a path leads through.
struct Blocks;

impl Analysis for Blocks {
    type Fact = u64;

    fn direction(&self) -> Direction {
        Direction::Forward
    }

    fn join(&mut self, _: usize, known: &mut u64, coming: &u64) -> bool {
        let both = *known | coming;
        std::mem::replace(known, both) != both
    }

    fn transfer(&mut self, node: usize, before: &mut u64) -> bool {
        *before |= 1 << node;
        true
    }
}

#[test]
fn paths_come_together_and_go_round() {
    let diamond = "(P) jmp (M1, 1) ELSE\njmp (M1, 1) END\nELSE:\njmp (M1, 1) END\nEND:\n";
    assert_eq!(blocks_before(diamond), [0, 0b1, 0b1, 0b111]);
    let nest = "OUTER:\nINNER:\n(P) jmp (M1, 1) INNER\n(P) jmp (M1, 1) OUTER\n";
    assert_eq!(blocks_before(nest), [0b11, 0b11, 0b11]);
}

/// A graph with these edges.
struct Edges(usize, &'static [(usize, usize)]);

impl Graph for Edges {
    fn n_nodes(&self) -> usize {
        self.0
    }

    fn next(&self, node: usize, direction: Direction) -> impl Iterator<Item = usize> {
        self.1.iter().filter_map(move |&(from, to)| match direction {
            Direction::Forward => (from == node).then_some(to),
            Direction::Backward => (to == node).then_some(from),
        })
    }
}

#[test]
fn nodes_that_reach_each_other_are_one_component() {
    let graph = Edges(6, &[(0, 1), (1, 2), (2, 1), (2, 3), (3, 4), (4, 3), (4, 5)]);
    let components = dataflow::components(&graph);
    let together = |a: usize, b: usize| components[a] == components[b];
    assert!(together(1, 2) && together(3, 4), "{components:?}");
    assert!(!together(0, 1) && !together(2, 3) && !together(4, 5), "{components:?}");
}

#[test]
fn paths_lead_both_ways() {
    let graph = Edges(5, &[(0, 1), (1, 2), (2, 1), (3, 2)]);
    assert_eq!(dataflow::reached(&graph, Direction::Forward, [1]), [false, true, true, false, false]);
    assert_eq!(dataflow::reached(&graph, Direction::Backward, [1]), [true, true, true, true, false]);
}
