//! Barriers, and what else needs all lanes or all threads.

use crate::interp::claims::Claims;
use crate::interp::claims::facts::{Fact, FactKind};
use crate::interp::domain::Value;
use crate::interp::domain::atom::{Atom, AtomKind, Origin};
use crate::interp::domain::causes::Causes;
use crate::interp::domain::condition::Condition;
use crate::interp::state::barriers::Signal;
use crate::interp::state::content::NO_WRITER;
use crate::interp::state::{self, barriers};
use crate::interp::transfer::barrier::Half;
use crate::program::variable::FLAG_INPUT;
use crate::program::{InstructionIndex, ObjectKind, Operand, VariableId, View};
use crate::spec::family::Barrier;
use crate::spec::instruction::Flow;
use rustc_hash::FxHashSet;

impl<'p> Claims<'_, 'p> {
    /// Looks at an instruction before it is executed.
    pub fn watch(&mut self, view: &View<'p>) {
        if self.record.compares_threads() {
            return;
        }
        if let Some(predicate) = view.instruction.predicate {
            self.watch_predicate(view, predicate.variable);
        }
        if view.row.flow == Flow::Barrier || view.row.barrier.is_some_and(Barrier::signals) {
            self.watch_barrier(view);
        } else if view.row.flow == Flow::FunctionCall {
            // What the function does needs all lanes, or all threads, if it comes to a barrier.
            self.watch_parting(view);
        }
        if !self.reader.state().is_certain {
            self.watch_masked_scalar(view);
        }
        if self.reader.cx().object.kind == ObjectKind::Function {
            self.watch_interface(view);
        }
        self.watch_values(view);
    }

    /// How many lanes a thread has; where that is not known, as many as every thread has.
    fn n_lanes(&self) -> u32 {
        match self.reader.cx().simd_size() {
            0 => 8,
            n => self.reader.cx().n_dispatched(n),
        }
    }

    /// Reports instructions that need all lanes where some are known not to reach them, or may not do so.
    pub(in crate::interp) fn watch_divergence(&mut self, view: &View<'p>) {
        let reached = self.reader.state().reached;
        let uniform = self.reader.state().flow.uniform;
        let active = if view.row.flow == Flow::FunctionCall && !view.instruction.no_mask {
            self.reader.mask(view)
        } else {
            self.reader.state().flow.active.clone()
        };
        let n = self.n_lanes().min(active.len());
        let mut here = None;
        let mut away = None;
        for lane in 0..n {
            match self.reader.domain.given(active.at(lane), reached).as_known() {
                Some(true) => here = here.or(Some(lane)),
                Some(false) => away = away.or(Some(lane)),
                None => {}
            }
        }
        let divided_at = self.reader.state().divided_at;
        let (parted, since, is_possible) = if let (Some(here), Some(away)) = (here, away) {
            (Some((here, away)), divided_at, false)
        } else if let Some(parting) = self.reader.in_parting_loop(&active) {
            (Some((parting.here, parting.away)), Some(parting.since), true)
        } else {
            (self.lanes_that_may_part(&state::Flow { uniform, active }, view.index), divided_at, true)
        };
        if let Some((here, away)) = parted {
            self.report_at(view.index, FactKind::Divergent { here, away, since, is_possible });
        }
    }

    /// Whether what an atom stands for at an instruction is any number, and not what a thread has for itself, or nothing. What
    /// is loaded behind a store may be what was stored: one number for all lanes, though memory is not followed to it.
    fn is_any_number(&self, atom: Atom, at: InstructionIndex) -> bool {
        let is_input = |variable: VariableId| {
            variable.predefined().is_some() || self.reader.cx().program.variables[variable].is(FLAG_INPUT)
        };
        !self.is_of_thread(atom)
            && match self.reader.domain.kind(atom) {
                AtomKind::Initial(root, _) => is_input(VariableId(root)),
                AtomKind::Unknown(_, Origin::Result | Origin::Own) => {
                    self.reader.cx().first_store.is_none_or(|store| at.0 < store)
                }
                _ => true,
            }
    }

    /// Two lanes of which a path leads one to where a flow is, and the other one elsewhere. What each thread has for itself
    /// may be such that its lanes stay together.
    pub(in crate::interp) fn lanes_that_may_part(
        &mut self,
        flow: &state::Flow,
        at: InstructionIndex,
    ) -> Option<(u32, u32)> {
        let state::Flow { uniform, ref active } = *flow;
        // Behind a line that could not be executed lanes are wherever they may be.
        let is_followed = self.reader.state().n_forgotten == 0 && !self.reader.cx().launch.skips_paths;
        if active.as_same().is_some() || !is_followed {
            return None;
        }
        let first = active.at(0);
        let away = (1..self.n_lanes().min(active.len())).find(|lane| active.at(*lane) != first)?;
        let other = active.at(away);
        let causes = self.reader.domain.causes(&[first, other]);
        if !causes.is_free || !causes.atoms.iter().all(|atom| self.is_any_number(*atom, at)) {
            return None;
        }
        let here = self.reader.domain.and(uniform, first);
        if self.reader.may_lack(here, other) {
            return Some((0, away));
        }
        let here = self.reader.domain.and(uniform, other);
        self.reader.may_lack(here, first).then_some((away, 0))
    }

    pub(in crate::interp) fn watch_barrier(&mut self, view: &View<'p>) {
        self.watch_parting(view);
        self.watch_halves(view);
    }

    /// Reports what needs all lanes and all threads where some of them are elsewhere.
    fn watch_parting(&mut self, view: &View<'p>) {
        self.watch_divergence(view);
        // A named barrier is for a part of the group.
        if !self.reader.state().flow.uniform.is_true()
            && !view.row.barrier.is_some_and(Barrier::is_named)
            && !self.is_known_of_signal(view)
            && let Some(since) = self.depends_on_thread(self.reader.state().flow.uniform)
        {
            self.report_at(view.index, FactKind::PartOfGroup { since });
        }
    }

    /// Whether this waits for a signal of which it has been said that only some threads give it.
    fn is_known_of_signal(&mut self, view: &View<'p>) -> bool {
        let Some((Half::Wait, Some(barrier))) = self.reader.half_of(view) else { return false };
        let at = InstructionIndex(self.reader.state().barriers.signal(barrier).at);
        let is_same = |fact: &Fact| fact.instruction == at && matches!(fact.kind, FactKind::PartOfGroup { .. });
        self.record.facts.all.iter().any(is_same)
    }

    /// Reports a half of a barrier that does not follow the other one.
    fn watch_halves(&mut self, view: &View<'p>) {
        let Some((half, Some(barrier))) = self.reader.half_of(view) else { return };
        if !self.reader.state().barriers.is_clear() {
            return;
        }
        let reached = self.reader.state().reached;
        let signal = self.reader.state().barriers.signal(barrier);
        let open = self.reader.domain.given(signal.open, reached);
        let kind = match half {
            Half::Signal => {
                let is_again = self.reader.has_to_wait(view) == Some(true)
                    && signal.at != NO_WRITER
                    && (open.is_true() || self.reader.may_lack(reached, signal.open.not()));
                if !is_again {
                    return;
                }
                FactKind::SignalAgain { barrier, since: InstructionIndex(signal.at) }
            }
            // The caller of a function may have signalled.
            Half::Wait if self.reader.cx().object.kind != ObjectKind::Kernel && !self.record.knows_signals => return,
            Half::Wait => {
                if !open.is_false() && !self.reader.may_lack(reached, signal.open) {
                    return;
                }
                FactKind::WaitWithoutSignal { barrier, is_possible: !open.is_false() }
            }
        };
        self.report_at(view.index, kind);
    }

    /// A scalar instruction under a mask does nothing where its lane is off.
    pub(in crate::interp) fn watch_masked_scalar(&mut self, view: &View<'p>) {
        let is_scalar = view.instruction.exec_size == 1 && !view.instruction.no_mask && view.row.execution.has_mask();
        let writes = matches!(
            view.operands.first(),
            Some(Operand::General { .. } | Operand::State { .. } | Operand::Address { .. })
        );
        let Some(since) =
            self.reader.state().divided_at.filter(|_| is_scalar && writes && view.row.operation.is_some())
        else {
            return;
        };
        let reached = self.reader.state().reached;
        let active = self.reader.state().flow.active.clone();
        let first = view.first_lane();
        // Where no other lane can be on, nothing is lost: the lane is meant.
        let n_lanes = self.reader.cx().simd_size();
        let n_lanes = if n_lanes == 0 { active.len() } else { self.n_lanes().min(active.len()) };
        let mut others = (0..n_lanes).filter(|lane| *lane != first);
        if active.as_same().is_some()
            || others.all(|lane| self.reader.domain.given(active.at(lane), reached).is_false())
        {
            return;
        }
        let own = self.reader.domain.given(active.at(first), reached);
        if !own.is_true() {
            self.report_at(view.index, FactKind::MaskedScalar { since });
        }
    }

    /// Whether a condition differs between the threads of a group: it depends on what only the thread knows.
    pub(in crate::interp) fn depends_on_thread(&self, condition: Condition) -> Option<InstructionIndex> {
        self.reader.state().last_uniform_branch.filter(|_| self.is_of_threads(condition))
    }

    /// Whether a condition depends on what only the thread knows.
    pub(in crate::interp) fn is_of_threads(&self, condition: Condition) -> bool {
        let causes = self.reader.domain.causes(&[condition]);
        let own: FxHashSet<Atom> = causes.atoms.iter().copied().filter(|atom| self.is_of_thread(*atom)).collect();
        self.make_a_difference(&own, &causes)
    }

    /// Whether some atoms are among the causes of something and decide there by themselves. A product or quotient of one
    /// with another unknown may be the same for all of its numbers, as `id / n * n` is where ids are less than `n`, and so
    /// may two unknowns between which it chooses. Of what was not looked through to its end, nothing is said.
    pub(in crate::interp) fn make_a_difference(&self, own: &FxHashSet<Atom>, causes: &Causes) -> bool {
        let domain = &self.reader.domain;
        let is_mixed = |atom: &Atom| match domain.kind(*atom) {
            AtomKind::Applied(_, arguments) => {
                let unknown: Vec<Value> = arguments.into_iter().filter(|argument| !argument.is_known()).collect();
                unknown.len() > 1 && !own.is_disjoint(&domain.causes_of(&unknown).atoms)
            }
            AtomKind::Select(condition, a, b) => {
                let are_known = a.is_known() && b.is_known();
                !are_known && !own.is_disjoint(&domain.causes(&[condition]).atoms)
            }
            _ => false,
        };
        !own.is_empty() && causes.is_whole && !causes.atoms.iter().any(is_mixed)
    }

    pub(in crate::interp) fn is_of_thread(&self, atom: Atom) -> bool {
        let domain = &self.reader.domain;
        match domain.kind(atom) {
            AtomKind::Initial(variable, element) => match VariableId(variable).predefined() {
                Some(p) => matches!(p.name, "%hw_id" | "%sr0" | "%thread_x" | "%thread_y"),
                None => self.is_input_of_thread(VariableId(variable), element * u32::from(domain.block(atom).bytes)),
            },
            AtomKind::Unknown(_, Origin::Clock) => true,
            _ => false,
        }
    }

    /// Whether a byte of a variable is an input that each thread has for itself, as local ids are. Where the size of the
    /// group is known, the ids are known to differ, or are numbers.
    fn is_input_of_thread(&self, variable: VariableId, byte: u32) -> bool {
        let cx = self.reader.cx();
        if !cx.launch.threads.is_empty() {
            return false;
        }
        let Some(n_bytes) = cx.attribute("PerThreadInputSize") else { return false };
        let end = i64::from(cx.grf_bytes) + i64::from(n_bytes);
        let mut inputs = cx.program.inputs_of(cx.object).iter();
        inputs.any(|input| input.variable == variable && input.offset + i64::from(byte) < end)
    }

    /// The thread ends.
    pub fn end_of_thread(&mut self, view: Option<&View<'p>>) {
        self.watch_open_barriers(view);
        if let Some(view) = view
            && view.row.flow == Flow::FunctionReturn
        {
            self.check_result(view);
            self.note_returned();
        }
    }

    /// Reports barriers at which the thread has signalled, but not waited when it ends.
    fn watch_open_barriers(&mut self, end: Option<&View<'p>>) {
        if self.reader.cx().object.kind != ObjectKind::Kernel || !self.reader.state().barriers.is_clear() {
            return;
        }
        let reached = self.reader.state().reached;
        let left: Vec<(barriers::Barrier, Signal)> =
            self.reader.state().barriers.all().filter(|(_, s)| s.at != NO_WRITER).collect();
        for (barrier, signal) in left {
            if self.reader.only_consumes(InstructionIndex(signal.at)) {
                continue;
            }
            // The wait that it was meant for stands on another path, and has been reported.
            let is_lone =
                |fact: &Fact| matches!(fact.kind, FactKind::WaitWithoutSignal { barrier: b, .. } if b == barrier);
            if self.record.facts.all.iter().any(is_lone) {
                continue;
            }
            let open = self.reader.domain.given(signal.open, reached);
            if open.is_true() || self.reader.may_lack(reached, signal.open.not()) {
                let kind = FactKind::SignalWithoutWait { barrier, is_possible: !open.is_true() };
                let instruction = InstructionIndex(signal.at);
                let trail = end.map(|view| view.index).into_iter().collect();
                self.record.facts.add(Fact { trail, ..Fact::new(instruction, None, kind) });
            }
        }
    }
}
