//! Barriers, and what else needs all lanes or all threads.

use crate::interp::claims::Claims;
use crate::interp::claims::facts::{Fact, FactKind};
use crate::interp::domain::atom::{Atom, AtomKind};
use crate::interp::domain::condition::{Condition, ConditionKind};
use crate::interp::domain::lanes::Lanes;
use crate::interp::domain::{Domain, Value};
use crate::interp::state::register::NOBODY;
use crate::program::{InstructionIndex, ObjectKind, Operand, VariableId, View};
use crate::spec::OperandName;
use crate::spec::family::Barrier;
use crate::spec::instruction::Flow;
use rustc_hash::FxHashSet;

/// How many definitions are followed to find out what a condition depends on.
const MAX_FOLLOWED: usize = 64;

impl<'p> Claims<'_, 'p> {
    /// Looks at an instruction before it is executed.
    pub fn watch(&mut self, view: &View<'p>) {
        if let Some(predicate) = view.instruction.predicate {
            self.watch_predicate(view, predicate.variable);
        }
        if view.row.flow == Flow::Barrier || view.row.barrier.is_some_and(Barrier::signals) {
            self.watch_barrier(view);
        }
        if !self.state.is_certain {
            self.watch_masked_scalar(view);
        }
        if self.cx.object.kind == ObjectKind::Function {
            self.watch_interface(view);
        }
        self.watch_values(view);
    }

    /// Reports what needs all lanes where some of them are known to be elsewhere.
    pub(in crate::interp) fn watch_divergence(&mut self, view: &View<'p>) {
        let n = match self.simd_size() {
            0 => 8,
            n => self.n_dispatched(n),
        };
        let reached = self.state.reached;
        let active = self.state.flow.active;
        let mut here = None;
        let mut away = None;
        for lane in 0..n {
            match self.domain.given(active.at(lane), reached).as_known() {
                Some(true) => here = here.or(Some(lane)),
                Some(false) => away = away.or(Some(lane)),
                None => {}
            }
        }
        if let (Some(here), Some(away)) = (here, away) {
            let kind = FactKind::Divergent { here, away, since: self.state.divided_at.map(InstructionIndex) };
            self.record.facts.add(Fact { instruction: view.index, operand: None, kind, trail: Vec::new() });
        }
    }

    pub(in crate::interp) fn watch_barrier(&mut self, view: &View<'p>) {
        self.watch_divergence(view);
        if !self.state.flow.uniform.is_true()
            && let Some(since) = self.depends_on_thread(self.state.flow.uniform)
        {
            let kind = FactKind::PartOfGroup { since };
            self.record.facts.add(Fact { instruction: view.index, operand: None, kind, trail: Vec::new() });
        }
        let reached = self.state.reached;
        match view.row.barrier {
            Some(Barrier::SplitWait) => {
                let signalled = self.state.barrier.signalled;
                let is_signalled = self.domain.given(signalled, reached);
                if is_signalled.is_false() && self.cx.object.kind == ObjectKind::Kernel {
                    let kind = FactKind::WaitWithoutSignal;
                    self.record.facts.add(Fact { instruction: view.index, operand: None, kind, trail: Vec::new() });
                }
            }
            Some(Barrier::NamedSignal | Barrier::NamedWait) => self.watch_named_barrier(view),
            _ => {}
        }
    }

    pub(in crate::interp) fn watch_named_barrier(&mut self, view: &View<'p>) {
        let given = Lanes::run(self.state.reached, 1);
        let Some((place, _)) = view.numbered_operand(OperandName::ID) else { return };
        let source = self.source(view, place, &given);
        let id = source.lanes.at(0);
        let (low, _) = self.domain.range(id);
        // A known number is compared with the limits of the operand.
        if low > 31 && !id.is_known() {
            let trail = self.trail(source.writer);
            self.report_with(view, place, FactKind::OutOfRange { value: low, maximum: 31 }, trail);
        }
    }

    /// A scalar instruction under a mask does nothing where its lane is off.
    pub(in crate::interp) fn watch_masked_scalar(&mut self, view: &View<'p>) {
        let is_scalar = view.instruction.exec_size == 1 && !view.instruction.no_mask && view.row.execution.has_mask();
        let writes = matches!(
            view.operands.first(),
            Some(Operand::General { .. } | Operand::State { .. } | Operand::Address { .. })
        );
        let Some(since) = self.state.divided_at.filter(|_| is_scalar && writes && view.row.operation.is_some()) else {
            return;
        };
        let reached = self.state.reached;
        let active = self.state.flow.active.at(view.first_lane());
        let own = self.domain.given(active, reached);
        if !own.is_true() && self.state.flow.active.as_same().is_none() {
            let kind = FactKind::MaskedScalar { since: InstructionIndex(since) };
            self.record.facts.add(Fact { instruction: view.index, operand: None, kind, trail: Vec::new() });
        }
    }

    /// Whether a condition differs between the threads of a group: it depends on what only the thread knows.
    pub(in crate::interp) fn depends_on_thread(&self, condition: Condition) -> Option<InstructionIndex> {
        let mut atoms = FxHashSet::default();
        let mut conditions = vec![condition];
        let mut values: Vec<Value> = Vec::new();
        let mut n_followed = 0;
        while n_followed < MAX_FOLLOWED {
            n_followed += 1;
            if let Some(value) = values.pop() {
                for term in self.domain.terms(value.sum).iter() {
                    if !atoms.insert(term.atom) {
                        continue;
                    }
                    if self.is_of_thread(&self.domain, term.atom) {
                        return Some(InstructionIndex(self.state.last_uniform_branch));
                    }
                    match self.domain.kind(term.atom) {
                        AtomKind::ZeroExtended(v)
                        | AtomKind::SignExtended(v)
                        | AtomKind::Masked(v, _)
                        | AtomKind::Shifted(v, _) => {
                            values.push(v);
                        }
                        AtomKind::Applied(_, args) => values.extend(args),
                        _ => {}
                    }
                }
            } else if let Some(condition) = conditions.pop() {
                match self.domain.condition_kind(condition) {
                    ConditionKind::And(a, b) | ConditionKind::Whole(a, b) => conditions.extend([a, b]),
                    ConditionKind::Less(_, a, b) | ConditionKind::Float(_, a, b) | ConditionKind::Compared(_, a, b) => {
                        values.extend([a, b]);
                    }
                    ConditionKind::Zero(a) | ConditionKind::Odd(a) | ConditionKind::Bit(a) => values.push(a),
                    ConditionKind::False | ConditionKind::Unknown(_) => {}
                }
            } else {
                break;
            }
        }
        None
    }

    pub(in crate::interp) fn is_of_thread(&self, domain: &Domain, atom: Atom) -> bool {
        match domain.kind(atom) {
            AtomKind::Initial(variable, _) => VariableId(variable)
                .predefined()
                .is_some_and(|p| matches!(p.name, "%hw_id" | "%thread_x" | "%thread_y")),
            _ => false,
        }
    }

    /// The thread ends.
    pub fn end_of_thread(&mut self, view: Option<&View<'p>>) {
        let reached = self.state.reached;
        let signalled = self.state.barrier.signalled;
        let is_open = self.domain.given(signalled, reached);
        if is_open.is_true() && self.state.barrier.signal_at != NOBODY && self.cx.object.kind == ObjectKind::Kernel {
            let kind = FactKind::SignalWithoutWait;
            let instruction = InstructionIndex(self.state.barrier.signal_at);
            self.record.facts.add(Fact { instruction, operand: None, kind, trail: Vec::new() });
        }
        if let Some(view) = view
            && view.row.flow == Flow::FunctionReturn
        {
            self.check_result(view);
        }
    }
}
