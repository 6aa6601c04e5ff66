//! The order of states, and the operations that move up in it.
//!
//! A state s is below a state t if t comes from s by putting new unknowns in the place of values and conditions. Where
//! paths come together, the conditions under which they were taken are joined, and nothing is lost. Where a loop is
//! executed once for all of its passes, what it assigns is widened: it becomes unknown, and is written where it was or may
//! have been. Memory is widened by [`Memory::forget`](super::memory::Memory::forget), and what is signalled at barriers by
//! joining it with what was signalled after the first pass.
//!
//! See docs/abstract-execution.md, "What a state stands for".

use crate::interp::domain::LANES;
use crate::interp::domain::atom::Origin;
use crate::interp::domain::condition::Condition;
use crate::interp::domain::lanes::Lanes;
use crate::interp::state::barriers::{Barrier, Barriers, Signal};
use crate::interp::state::{Flow, Machine, Reader};

impl Reader<'_> {
    /// All lanes of some flows together.
    pub fn joined(&mut self, flows: impl IntoIterator<Item = Flow>) -> Flow {
        let domain = &mut self.domain;
        let mut flows = flows.into_iter();
        let Some(mut whole) = flows.next() else { return Flow::dead() };
        for next in flows {
            if next.is_dead() {
                continue;
            }
            if whole.is_dead() {
                whole = next;
            } else if whole.uniform == next.uniform {
                whole.active = whole.active.zip(&next.active, |a, b| domain.or(a, b));
            } else if whole.active.is_same_as(&next.active) {
                whole.uniform = domain.or(whole.uniform, next.uniform);
            } else {
                let (u, v) = (whole.uniform, next.uniform);
                whole.active = whole.active.zip(&next.active, |a, b| {
                    let (a, b) = (domain.and(u, a), domain.and(v, b));
                    domain.or(a, b)
                });
                whole.uniform = domain.or(u, v);
            }
        }
        whole
    }

    /// Some of the lanes; which ones is not known.
    pub fn some_of(&mut self, flow: &Flow) -> Flow {
        let domain = &mut self.domain;
        let unknown = Lanes::run(domain.unknown_condition(), LANES);
        Flow { uniform: flow.uniform, active: flow.active.zip(&unknown, |a, b| domain.and(a, b)) }
    }
}

impl Machine<'_> {
    /// What a variable holds is unknown from now on, and may have been written where `written` holds.
    pub fn widen(&mut self, root: usize, written: Condition) {
        self.widen_content(root, written);
        self.widen_predicate(root, written);
    }

    /// The same of its bytes.
    pub fn widen_content(&mut self, root: usize, written: Condition) {
        if let Some((held, domain)) = self.existing_mut(root) {
            held.forget(domain, written, Origin::Loop);
        }
    }

    /// The same of its bits, if it is a predicate.
    pub fn widen_predicate(&mut self, root: usize, written: Condition) {
        let unknown = self.reader.domain.unknown_condition();
        if let Some((predicate, domain)) = self.existing_predicate_mut(root) {
            predicate.bits = Lanes::run(unknown, LANES);
            predicate.defined = predicate.defined.map(|defined| domain.or(defined, written));
        }
    }

    /// What is signalled at barriers is what it is now or what it was then; which of them is not known.
    pub fn join_barriers(&mut self, touched: &[Barrier], then: &Barriers) {
        for barrier in touched {
            let (now, then) = (self.reader.state().barriers.signal(*barrier), then.signal(*barrier));
            if now.open != then.open {
                let open = self.reader.domain.unknown_condition().at(0);
                self.state_mut().barriers.set(*barrier, Signal { open, ..now });
            }
        }
    }
}
