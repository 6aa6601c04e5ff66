//! Split barriers.

use crate::interp::state::Machine;
use crate::program::{InstructionIndex, View};
use crate::spec::family::Barrier;

impl Machine<'_> {
    /// A loop begins: what is remembered may be that of an earlier pass.
    pub fn enter_loop(&mut self, head: u32, end: u32) {
        for at in head..=end {
            let Some(view) = View::new(self.cx.program, InstructionIndex(at)) else { continue };
            if matches!(view.row.barrier, Some(Barrier::SplitSignal | Barrier::SplitWait)) {
                self.state.barrier.signalled = self.domain.unknown_condition().at(0);
            }
        }
    }
}

impl<'p> Machine<'p> {
    /// The two halves of a split barrier.
    pub(in crate::interp) fn pass_barrier(&mut self, view: &View<'p>) {
        let reached = self.state.reached;
        match view.row.barrier {
            Some(Barrier::SplitSignal) => {
                self.state.barrier.signalled = self.domain.or(self.state.barrier.signalled, reached);
                self.state.barrier.signal_at = view.index.0;
            }
            Some(Barrier::SplitWait) => {
                self.state.barrier.signalled = self.domain.and(self.state.barrier.signalled, reached.not());
            }
            _ => {}
        }
    }
}
