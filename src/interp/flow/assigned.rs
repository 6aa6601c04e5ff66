//! What a part of the text assigns, with the subroutines that it calls.
//!
//! What each subroutine writes by itself is read once. What it writes with all that it calls is put
//! together once for each subroutine that is asked about. Putting together is counted: where a program of many subroutines
//! asks for too much, the answer is that everything may be assigned.

use crate::base::id::Id;
use crate::interp::state::Machine;
use crate::program::cfg::{CallGraph, SubroutineId};
use crate::program::dataflow::{self, Analysis, Direction, Graph as _};
use crate::program::{InstructionIndex, Operand, SourceModifier, View};
use crate::spec::ModifierName;
use crate::spec::instruction;
use crate::spec::operation::Operation;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Variables and calls that may be looked at for each instruction of an object, and in addition.
const LOOKS_PER_INSTRUCTION: u64 = 64;
const FURTHER_LOOKS: u64 = 1_000_000;

/// What a part of the text assigns.
#[derive(Debug, Default)]
pub(in crate::interp) struct Assigned {
    /// Variables, in order.
    pub variables: Vec<usize>,
    /// Whether it may be anything.
    pub everything: bool,
    /// Of variables to which nothing but even numbers is added, how many zeros each of these numbers ends with.
    pub steps: FxHashMap<usize, u32>,
}

/// What has been found out about the subroutines of an object.
#[derive(Debug, Default)]
pub(in crate::interp) struct Summaries {
    /// What each subroutine writes by itself.
    own: FxHashMap<SubroutineId, Rc<Assigned>>,
    whole: FxHashMap<SubroutineId, Rc<Assigned>>,
    n_looks: u64,
}

impl Summaries {
    /// The variables that instructions of a range write, with all that they call.
    pub(in crate::interp) fn of_range(&mut self, machine: &Machine, (start, end): (u32, u32)) -> Rc<Assigned> {
        let own = read(machine, start, end);
        let calls = &machine.cx().flow.calls;
        let first = calls.partition_point(|call| call.instruction.0 < start);
        let called = calls[first..].iter().take_while(|call| call.instruction.0 < end).map(|call| call.callee);
        Rc::new(self.with_calls(machine, own, called.collect()))
    }

    /// The variables that a subroutine writes, with all that it calls.
    pub(in crate::interp) fn of_subroutine(&mut self, machine: &Machine, subroutine: SubroutineId) -> Rc<Assigned> {
        let whole = if let Some(known) = self.whole.get(&subroutine) {
            Rc::clone(known)
        } else {
            let whole = Rc::new(self.with_calls(machine, Assigned::default(), vec![subroutine]));
            self.whole.insert(subroutine, Rc::clone(&whole));
            whole
        };
        self.n_looks += whole.variables.len() as u64;
        if self.is_exhausted(machine) { Rc::new(Assigned { everything: true, ..Assigned::default() }) } else { whole }
    }

    /// Adds what subroutines assign.
    fn with_calls(&mut self, machine: &Machine, assigned: Assigned, called: Vec<SubroutineId>) -> Assigned {
        if called.is_empty() {
            return assigned;
        }
        let assigned = Assigned { steps: FxHashMap::default(), ..assigned };
        let calls = CallGraph(machine.cx().flow);
        let mut is_called = vec![false; calls.n_nodes()];
        self.n_looks += calls.n_nodes() as u64 / 64;
        let first: Vec<usize> = called.into_iter().map(Id::index).collect();
        for subroutine in &first {
            is_called[*subroutine] = true;
        }
        let mut union = Union { summaries: self, machine, assigned };
        dataflow::solve(&calls, &mut union, &mut is_called, first);
        let mut assigned = union.assigned;
        assigned.variables.sort_unstable();
        assigned.variables.dedup();
        assigned
    }

    /// Whether too much has been asked for.
    fn is_exhausted(&self, machine: &Machine) -> bool {
        let n = u64::from(machine.cx().object.instructions.end - machine.cx().object.instructions.start);
        self.n_looks > n * LOOKS_PER_INSTRUCTION + FURTHER_LOOKS
    }
}

/// Puts together what subroutines assign.
struct Union<'a, 'p> {
    summaries: &'a mut Summaries,
    machine: &'a Machine<'p>,
    assigned: Assigned,
}

impl Analysis for Union<'_, '_> {
    /// Whether the subroutine is called.
    type Fact = bool;

    fn direction(&self) -> Direction {
        Direction::Forward
    }

    fn join(&mut self, _: usize, known: &mut bool, coming: &bool) -> bool {
        *coming && !std::mem::replace(known, true)
    }

    fn transfer(&mut self, subroutine: usize, _: &mut bool) -> bool {
        let subroutine = SubroutineId::from_index(subroutine);
        if self.assigned.everything || self.summaries.is_exhausted(self.machine) {
            self.assigned.everything = true;
            return false;
        }
        let whole = self.summaries.whole.get(&subroutine);
        let is_whole = whole.is_some();
        let part = whole.map_or_else(
            || {
                let own = self.summaries.own.entry(subroutine);
                let (start, end) = self.machine.cx().flow.instructions_of(subroutine);
                Rc::clone(own.or_insert_with(|| Rc::new(read(self.machine, start, end))))
            },
            Rc::clone,
        );
        self.summaries.n_looks += part.variables.len() as u64 + 1;
        self.assigned.variables.extend_from_slice(&part.variables);
        self.assigned.everything |= part.everything;
        !is_whole
    }
}

/// Reads what a range of the text writes by itself.
fn read(machine: &Machine, start: u32, end: u32) -> Assigned {
    let mut assigned = Assigned::default();
    // What is written, with the zeros of the number that is added.
    let mut written: Vec<(usize, u32)> = Vec::new();
    let mut compared: Vec<usize> = Vec::new();
    // What is assigned in another way.
    let mut further: Vec<usize> = Vec::new();
    let mut is_indirect = false;
    let mut roots = Vec::new();
    for at in (start..end).map(InstructionIndex) {
        let Some(view) = View::new(machine.cx().program, at).filter(|v| !v.instruction.is_broken) else {
            assigned.everything = true;
            break;
        };
        let calls = &machine.cx().flow.calls;
        let is_known = || calls.binary_search_by_key(&at, |call| call.instruction).is_ok_and(|i| calls[i].callee.0 > 0);
        assigned.everything |= view.row.flow == instruction::Flow::Call && !is_known();
        if view.row.operation == Some(Operation::Cmp)
            && matches!(view.modifier_word(ModifierName::RELATION), Some("eq" | "ne"))
        {
            // Whether a counter ever has a number is looked at as such: see `claims/endless.rs`.
            let sources = view.operands.iter().skip(1).filter_map(Operand::variable);
            compared.extend(sources.filter_map(|v| machine.cx().root(v)).map(|(root, _)| root));
        }
        roots.clear();
        is_indirect |= machine.reader.written_by(&view, &mut roots);
        written.extend(roots.iter().map(|root| (*root, step(machine, &view, *root))));
        let marked = machine.reader.marked_life(&view).and_then(|(variable, _)| machine.cx().root(variable));
        further.extend(marked.map(|(root, _)| root));
    }
    // Of each variable the entry with the fewest zeros stays.
    written.sort_unstable();
    written.dedup_by_key(|(root, _)| *root);
    assigned.variables.extend(written.iter().map(|(root, _)| *root));
    if is_indirect {
        further.extend(&machine.cx().addressed);
    } else {
        compared.sort_unstable();
        written.retain(|(root, zeros)| *zeros > 0 && compared.binary_search(root).is_err());
        assigned.steps.extend(written);
    }
    if !further.is_empty() {
        assigned.variables.append(&mut further);
        assigned.variables.sort_unstable();
        assigned.variables.dedup();
    }
    assigned
}

/// With how many zeros the number ends that an instruction adds to a variable; none if it does something else.
fn step(machine: &Machine, view: &View, root: usize) -> u32 {
    let is_own = |operand: &Operand| {
        operand.modifier() == SourceModifier::None
            && operand.variable().and_then(|v| machine.cx().root(v)).is_some_and(|(own, _)| own == root)
    };
    match view.operands {
        [to, a, Operand::Immediate { bits, element_type, .. }]
        | [to, Operand::Immediate { bits, element_type, .. }, a]
            if view.row.operation == Some(Operation::Add)
                && element_type.is_integer()
                && !element_type.is_packed()
                && is_own(to)
                && is_own(a) =>
        {
            bits.trailing_zeros()
        }
        _ => 0,
    }
}
