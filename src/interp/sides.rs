//! What is remembered besides registers, and what is looked at before an instruction is executed: barriers, calls,
//! predicates, masks.

use super::domain::atom::{Atom, AtomKind};
use super::domain::condition::{Condition, ConditionKind};
use super::domain::{Domain, Value};
use super::facts::{Fact, FactKind};
use super::lanes::Lanes;
use super::machine::{Machine, Place};
use super::state::NOBODY;
use crate::program::View;
use crate::program::{InstructionIndex, ObjectKind, Operand, Region, VariableId};
use crate::spec::OperandName;
use crate::spec::family::Barrier;
use crate::spec::instruction::{Flow, OperandSlot, Role};
use crate::spec::operation::Operation;
use rustc_hash::FxHashSet;
use std::ops::Range;

/// How many definitions are followed to find out what a condition depends on.
const MAX_FOLLOWED: usize = 64;

/// What is remembered besides registers.
#[derive(Clone, Debug)]
pub struct Sides {
    /// Whether the first half of a split barrier waits for its second one, and where it is.
    signalled: Condition,
    signal_at: u32,
}

impl Default for Sides {
    fn default() -> Self {
        Self { signalled: Condition::FALSE, signal_at: NOBODY }
    }
}

impl<'p> Machine<'p> {
    /// A loop begins: what is remembered may be that of an earlier pass.
    pub fn enter_loop(&mut self, head: u32, end: u32) {
        for at in head..=end {
            let Some(view) = View::new(self.program, InstructionIndex(at)) else { continue };
            match view.row.barrier {
                Some(Barrier::SplitSignal | Barrier::SplitWait) => {
                    self.sides.signalled = self.domain.unknown_condition().at(0)
                }
                _ => {}
            }
        }
    }

    /// Looks at an instruction before it is executed.
    pub fn watch(&mut self, view: &View<'p>) {
        if let Some(predicate) = view.instruction.predicate {
            self.watch_predicate(view, predicate.variable);
        }
        if view.row.flow == Flow::Barrier || view.row.barrier.is_some_and(Barrier::signals) {
            self.watch_barrier(view);
        }
        if !self.is_certain {
            self.watch_masked_scalar(view);
        }
        if self.object.kind == ObjectKind::Function {
            self.watch_interface(view);
        }
    }

    /// Reports predicate bits that nothing has written.
    fn watch_predicate(&mut self, view: &View<'p>, variable: VariableId) {
        if !super::machine::reads_predicate(view) {
            return;
        }
        let (first, n) = match view.row.flow {
            Flow::Jump => (0, 1),
            _ => (view.first_lane(), view.n_lanes()),
        };
        let Some(register) = self.predicate(variable) else { return };
        let wanted = (((1_u64 << n) - 1) << first) as u32;
        let missing = wanted & !register.may_be_written;
        let is_partial = register.may_be_written != 0;
        if missing != 0 {
            let kind = FactKind::UndefinedPredicate { variable, lane: missing.trailing_zeros(), is_partial };
            self.facts.add(Fact { instruction: view.index, operand: None, kind, trail: Vec::new() });
        }
    }

    /// The lanes that a kernel says it has; zero if it does not.
    pub fn simd_size(&self) -> u32 {
        self.attribute("SimdSize").filter(|n| matches!(n, 1 | 8 | 16 | 32)).unwrap_or(0)
    }

    /// Reports what needs all lanes where some of them are known to be elsewhere.
    fn watch_divergence(&mut self, view: &View<'p>) {
        let n = match self.simd_size() {
            0 => 8,
            n => self.n_dispatched(n),
        };
        let reached = self.reached;
        let active = self.flow.active;
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
            let kind = FactKind::Divergent { here, away, since: self.divided_at.map(InstructionIndex) };
            self.facts.add(Fact { instruction: view.index, operand: None, kind, trail: Vec::new() });
        }
    }

    fn watch_barrier(&mut self, view: &View<'p>) {
        self.watch_divergence(view);
        if !self.flow.uniform.is_true()
            && let Some(since) = self.depends_on_thread(self.flow.uniform)
        {
            let kind = FactKind::PartOfGroup { since };
            self.facts.add(Fact { instruction: view.index, operand: None, kind, trail: Vec::new() });
        }
        let reached = self.reached;
        match view.row.barrier {
            Some(Barrier::SplitSignal) => {
                self.sides.signalled = self.domain.or(self.sides.signalled, reached);
                self.sides.signal_at = view.index.0;
            }
            Some(Barrier::SplitWait) => {
                let is_signalled = self.domain.given(self.sides.signalled, reached);
                if is_signalled.is_false() && self.object.kind == ObjectKind::Kernel {
                    let kind = FactKind::WaitWithoutSignal;
                    self.facts.add(Fact { instruction: view.index, operand: None, kind, trail: Vec::new() });
                }
                self.sides.signalled = self.domain.and(self.sides.signalled, reached.not());
            }
            Some(Barrier::NamedSignal | Barrier::NamedWait) => self.watch_named_barrier(view),
            _ => {}
        }
    }

    fn watch_named_barrier(&mut self, view: &View<'p>) {
        let given = Lanes::run(self.reached, 1);
        let Some((place, _)) = view.numbered_operand(OperandName::ID) else { return };
        let source = self.source(view, place, &given);
        let id = source.lanes.at(0);
        let (low, _) = self.domain.range(id);
        if low > 31 {
            let trail = self.trail(source.writer);
            self.report_with(view, place, FactKind::OutOfRange { value: low, maximum: 31 }, trail);
        }
    }

    /// A scalar instruction under a mask does nothing where its lane is off.
    fn watch_masked_scalar(&mut self, view: &View<'p>) {
        let is_scalar = view.instruction.exec_size == 1 && !view.instruction.no_mask && view.row.execution.has_mask();
        let writes = matches!(
            view.operands.first(),
            Some(Operand::General { .. } | Operand::State { .. } | Operand::Address { .. })
        );
        let Some(since) = self.divided_at.filter(|_| is_scalar && writes && view.row.operation.is_some()) else {
            return;
        };
        let reached = self.reached;
        let own = self.domain.given(self.flow.active.at(view.first_lane()), reached);
        if !own.is_true() && self.flow.active.as_same().is_none() {
            let kind = FactKind::MaskedScalar { since: InstructionIndex(since) };
            self.facts.add(Fact { instruction: view.index, operand: None, kind, trail: Vec::new() });
        }
    }

    /// Whether a condition differs between the threads of a group: it depends on what only the thread knows.
    fn depends_on_thread(&self, condition: Condition) -> Option<InstructionIndex> {
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
                        return Some(InstructionIndex(self.last_uniform_branch));
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

    fn is_of_thread(&self, domain: &Domain, atom: Atom) -> bool {
        match domain.kind(atom) {
            AtomKind::Initial(variable, _) => VariableId(variable)
                .predefined()
                .is_some_and(|p| matches!(p.name, "%hw_id" | "%thread_x" | "%thread_y")),
            _ => false,
        }
    }

    /// The thread ends.
    pub fn end_of_thread(&mut self, view: Option<&View<'p>>) {
        let reached = self.reached;
        let is_open = self.domain.given(self.sides.signalled, reached);
        if is_open.is_true() && self.sides.signal_at != NOBODY && self.object.kind == ObjectKind::Kernel {
            let kind = FactKind::SignalWithoutWait;
            let instruction = InstructionIndex(self.sides.signal_at);
            self.facts.add(Fact { instruction, operand: None, kind, trail: Vec::new() });
        }
        if let Some(view) = view
            && view.row.flow == Flow::FunctionReturn
        {
            self.check_result(view);
        }
    }

    fn attribute(&self, name: &str) -> Option<u32> {
        self.program.attribute_number(self.object, name).and_then(|n| u32::try_from(n).ok())
    }

    /// A function that returns has set all of its result.
    fn check_result(&mut self, view: &View<'p>) {
        let Some(n) = self.attribute("RetValSize").filter(|n| *n > 0) else { return };
        let Some(retval) = VariableId::of_predefined("%retval") else { return };
        let missing = match self.root(retval).and_then(|(r, _)| self.existing(r)) {
            None => Some(0),
            // Parts of a result are often left out on purpose.
            Some(register) => register.is_unwritten(0, n * self.grf_bytes).then_some(0),
        };
        if let Some(byte) = missing {
            let kind = FactKind::MissingResult { byte };
            self.facts.add(Fact { instruction: view.index, operand: None, kind, trail: Vec::new() });
        }
    }

    /// A call leaves nothing in a register; one that only some lanes make may leave all as it was.
    fn destroy(&mut self, view: &View<'p>, register: usize, n_bytes: u32) {
        let writer = view.index.0;
        if view.instruction.predicate.is_some() {
            let given = self.reached;
            self.forget(register, 0, n_bytes, given, writer, super::domain::atom::Origin::Call);
        } else if let Some((held, _)) = self.existing_mut(register) {
            held.undefine(0, n_bytes, writer);
        }
    }

    /// `fcall` and its like: arguments are handed over and destroyed, results come back.
    pub fn call_function(&mut self, view: &View<'p>) {
        let writer = view.index.0;
        let number = |name| match view.numbered_operand(name) {
            Some((_, Operand::Number { value })) => u32::try_from(*value).ok(),
            _ => None,
        };
        let (Some(n_arguments), Some(n_results)) = (number(OperandName::ARG_SIZE), number(OperandName::RETURN_SIZE))
        else {
            return self.forget_everything();
        };
        let (Some(arg), Some(retval)) = (VariableId::of_predefined("%arg"), VariableId::of_predefined("%retval"))
        else {
            return;
        };
        let n_bytes = n_arguments.min(64) * self.grf_bytes;
        if let Some((register, _)) = self.root(arg) {
            self.register(register, 0, 4);
            let grf = self.grf_bytes;
            if let Some((held, domain)) = self.existing_mut(register) {
                // Padding between arguments is never set; a whole register that is not, is.
                let mut is_unset = |first: u32| {
                    (first..first + grf)
                        .step_by(4)
                        .all(|b| held.presence(domain, b, 4).is_some_and(|p| p.partly.is_false()))
                };
                if let Some(byte) = (0..n_bytes).step_by(grf as usize).find(|first| is_unset(*first)) {
                    let kind = FactKind::MissingArgument { byte };
                    self.facts.add(Fact { instruction: view.index, operand: None, kind, trail: Vec::new() });
                }
            }
            let end = self.program.variable_bytes(arg, self.grf_bytes);
            self.destroy(view, register, n_bytes.min(end));
        }
        if let Some((register, _)) = self.root(retval) {
            let end = self.program.variable_bytes(retval, self.grf_bytes);
            self.register(register, 0, 4);
            self.destroy(view, register, end);
            let given = self.reached;
            let origin = super::domain::atom::Origin::Call;
            self.forget(register, 0, (n_results.min(64) * self.grf_bytes).min(end), given, writer, origin);
        }
    }

    /// The registers and predicates that an instruction writes.
    pub fn written_by(&self, view: &View<'p>, written: &mut Vec<usize>) {
        for (place, operand) in view.operands.iter().enumerate() {
            let slot = &view.row.operands[usize::from(view.slots[place])];
            if slot.role == Role::Source {
                continue;
            }
            if matches!(operand, Operand::Indirect { .. }) {
                written.extend(self.addressed());
            } else if let Some((register, _)) =
                operand.variable().filter(|v| *v != VariableId::NULL).and_then(|v| self.root(v))
            {
                written.push(register);
            }
        }
        if view.row.operation == Some(Operation::Add3)
            && let Some((register, _)) = view.instruction.predicate.and_then(|p| self.root(p.variable))
        {
            written.push(register);
        }
        if view.row.flow == Flow::FunctionCall {
            for name in ["%arg", "%retval"] {
                written.extend(VariableId::of_predefined(name).and_then(|v| self.root(v)).map(|(r, _)| r));
            }
        }
    }

    /// Reports accesses to `%arg` and `%retval` beyond what a function declares, of whatever kind the operand is.
    fn watch_interface(&mut self, view: &View<'p>) {
        for (place, operand, slot) in view.numbered_operands() {
            if let Operand::LscAddress { index } = *operand {
                let Some(address) = self.program.lsc_addresses.get(index as usize) else { continue };
                for value in self.program.lsc_values(address) {
                    if let Some((register, bytes)) = self.lsc_value_bytes(view, address, value) {
                        self.check_interface(view, place, register, bytes);
                    }
                }
            } else if let Some((register, bytes)) = self.accessed_bytes(view, operand, slot) {
                self.check_interface(view, place, register, bytes);
            }
        }
    }

    /// The register of an operand and the bytes that it takes for certain; nothing if it names none.
    fn accessed_bytes(&self, view: &View, operand: &Operand, slot: &OperandSlot) -> Option<(usize, Range<i64>)> {
        if let Operand::General { .. } = operand {
            let (at, _) = self.direct_place(operand)?;
            let end = at.start + i64::from(at.region.last_element(view.n_lanes()) + 1) * i64::from(at.bytes);
            return Some((at.register, at.start..end));
        }
        let (register, start) = match *operand {
            // The data of LSC messages; elsewhere a bare name is no access.
            Operand::Variable { variable } => {
                self.lsc_address(view)?;
                self.root(variable)?
            }
            _ => self.raw_place(operand).map(|at| (at.register, at.start))?,
        };
        let bytes = match *operand {
            Operand::LscData { shape, .. } => {
                let shape = self.program.lsc_shapes.get(shape as usize);
                shape.and_then(|s| self.lsc_data_bytes(s, view.n_lanes())).map(i64::from)
            }
            Operand::WithLength { length, .. } => Some(i64::from(length)),
            _ => {
                let type_bytes = operand.variable().map_or(1, |v| self.program.variables[v].element_bytes());
                let formula = slot.bytes_tolerated.or(slot.bytes);
                formula.and_then(|f| view.evaluate(f, self.grf_bytes, type_bytes)).or_else(|| {
                    let (_, shape) = self.lsc_shape(view)?;
                    self.lsc_data_bytes(&shape, view.n_lanes()).map(i64::from)
                })
            }
        };
        // A message that takes registers takes the first byte, however many they are.
        Some((register, start..start + bytes.unwrap_or(1)))
    }

    fn check_interface(&mut self, view: &View, place: usize, register: usize, bytes: Range<i64>) {
        let variable = self.variable_of(register);
        let Some(predefined) = variable.predefined() else { return };
        let role = view.row.operands[usize::from(view.slots[place])].role;
        // What a function hands over to others, and gets back from them, does not count among its own.
        let attribute = match predefined.name {
            "%arg" if role.reads() => "ArgSize",
            "%retval" if role.writes() => "RetValSize",
            _ => return,
        };
        let Some(size) = self.attribute(attribute) else { return };
        let size = size.saturating_mul(self.grf_bytes);
        if !bytes.is_empty() && bytes.end > i64::from(size) {
            let byte = u32::try_from(bytes.start.max(i64::from(size))).unwrap_or(size);
            self.report(view, place, FactKind::BeyondInterface { variable, byte, size });
        }
    }

    /// The place of one element, for reading it alone.
    #[must_use]
    pub const fn scalar(place: Place) -> Place {
        Place { region: Region::SCALAR, ..place }
    }
}
