//! States that are followed along the control flow of a kernel.

use visa_lint::base::id::Id as _;
use visa_lint::lower::lower;
use visa_lint::program::cfg::{BlockId, ControlFlow};
use visa_lint::program::dataflow::States;

/// Which blocks of a kernel a path leads through before each block: a bit each.
fn blocks_before(body: &str) -> Vec<u64> {
    let text = format!(
        ".version 3.6\n.kernel \"k\"\n.decl P v_type=P num_elts=1\n.kernel_attr Target=\"cm\"\n{body}ret (M1, 1)\n"
    );
    let program = lower(&text);
    assert!(program.diagnostics.is_empty(), "{:?}", program.diagnostics.first());
    let flow = ControlFlow::new(&program, program.objects.iter().next().expect("a kernel"));
    let mut states = States::new(&flow, 1, 0_u64);
    states.solve(&flow, |a, b| a | b, |block, state| state[0] |= 1 << block.index());
    (0..flow.blocks.len()).map(|b| states.of(BlockId::from_index(b))[0]).collect()
}

#[test]
fn paths_come_together_and_go_round() {
    let diamond = "(P) jmp (M1, 1) ELSE\njmp (M1, 1) END\nELSE:\njmp (M1, 1) END\nEND:\n";
    assert_eq!(blocks_before(diamond), [0, 0b1, 0b1, 0b111]);
    let nest = "OUTER:\nINNER:\n(P) jmp (M1, 1) INNER\n(P) jmp (M1, 1) OUTER\n";
    assert_eq!(blocks_before(nest), [0b11, 0b11, 0b11]);
}
