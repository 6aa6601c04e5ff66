//! What a part of the text assigns, with the subroutines that it calls.
//!
//! What each subroutine writes by itself, and which ones it calls, is read once. What it writes with all that it calls is put
//! together once for each subroutine that is asked about. Putting together is counted: where a program of many subroutines
//! asks for too much, the answer is that everything may be assigned.

use crate::interp::flow::execute::Execution;
use crate::interp::flow::plan::Plan;
use crate::interp::state::Machine;
use crate::program::{InstructionIndex, Operand, View};
use crate::spec::instruction;
use rustc_hash::{FxHashMap, FxHashSet};
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
}

/// What a range of the text does by itself.
#[derive(Debug, Default)]
struct Summary {
    assigned: Assigned,
    /// The subroutines that it calls, as places in the plan, in order.
    calls: Vec<usize>,
}

/// What has been found out about the subroutines of an object.
#[derive(Debug, Default)]
pub(in crate::interp) struct Summaries {
    own: FxHashMap<usize, Rc<Summary>>,
    whole: FxHashMap<usize, Rc<Assigned>>,
    n_looks: u64,
}

impl Summaries {
    /// The variables that instructions of a range write, with all that they call.
    pub(in crate::interp) fn of_range(
        &mut self,
        machine: &Machine,
        plan: &Plan,
        (start, end): (u32, u32),
    ) -> Rc<Assigned> {
        let summary = read(machine, plan, start, end);
        if summary.calls.is_empty() {
            return Rc::new(summary.assigned);
        }
        let calls = summary.calls.clone();
        Rc::new(self.with_calls(machine, plan, summary.assigned, calls))
    }

    /// The variables that a subroutine writes, with all that it calls.
    pub(in crate::interp) fn of_subroutine(&mut self, machine: &Machine, plan: &Plan, index: usize) -> Rc<Assigned> {
        let whole = if let Some(known) = self.whole.get(&index) {
            Rc::clone(known)
        } else {
            let whole = Rc::new(self.with_calls(machine, plan, Assigned::default(), vec![index]));
            self.whole.insert(index, Rc::clone(&whole));
            whole
        };
        self.n_looks += whole.variables.len() as u64;
        if self.is_exhausted(machine) { Rc::new(Assigned { everything: true, ..Assigned::default() }) } else { whole }
    }

    /// Adds what subroutines assign.
    fn with_calls(&mut self, machine: &Machine, plan: &Plan, mut assigned: Assigned, mut open: Vec<usize>) -> Assigned {
        let mut seen: FxHashSet<usize> = open.iter().copied().collect();
        while let Some(index) = open.pop() {
            if assigned.everything || self.is_exhausted(machine) {
                return Assigned { everything: true, ..assigned };
            }
            if let Some(whole) = self.whole.get(&index) {
                self.n_looks += whole.variables.len() as u64;
                assigned.variables.extend_from_slice(&whole.variables);
                assigned.everything |= whole.everything;
                continue;
            }
            let own = self.own.entry(index).or_insert_with(|| {
                let (start, end) = plan.subroutines[index];
                Rc::new(read(machine, plan, start, end))
            });
            self.n_looks += (own.assigned.variables.len() + own.calls.len()) as u64;
            assigned.variables.extend_from_slice(&own.assigned.variables);
            assigned.everything |= own.assigned.everything;
            open.extend(own.calls.iter().filter(|c| seen.insert(**c)));
        }
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

/// Reads what a range of the text does by itself.
fn read(machine: &Machine, plan: &Plan, start: u32, end: u32) -> Summary {
    let mut summary = Summary::default();
    let Summary { assigned, calls } = &mut summary;
    let mut is_indirect = false;
    for at in start..end {
        let Some(view) = View::new(machine.cx().program, InstructionIndex(at)).filter(|v| !v.instruction.is_broken)
        else {
            assigned.everything = true;
            break;
        };
        if view.row.flow == instruction::Flow::Call {
            let callee = match view.operands.first() {
                Some(Operand::Name { name, .. }) => plan.target(*name).and_then(|t| plan.subroutine_at(t)),
                _ => None,
            };
            match callee {
                Some(callee) => calls.push(callee),
                None => assigned.everything = true,
            }
        }
        is_indirect |= machine.written_by(&view, &mut assigned.variables);
    }
    if is_indirect {
        assigned.variables.extend(&machine.addressed);
    }
    assigned.variables.sort_unstable();
    assigned.variables.dedup();
    calls.sort_unstable();
    calls.dedup();
    summary
}

impl Execution<'_, '_> {
    /// The variables that the instructions of a loop write.
    pub(in crate::interp) fn assigned(&mut self, head: u32, end: u32) -> Rc<Assigned> {
        self.summaries.of_range(self.machine, self.plan, (head, end + 1))
    }

    /// What a subroutine writes is unknown from now on.
    pub(in crate::interp) fn forget_written(&mut self, subroutine: usize, writer: u32) {
        let assigned = self.summaries.of_subroutine(self.machine, self.plan, subroutine);
        if assigned.everything {
            return self.machine.forget_everything();
        }
        for root in &assigned.variables {
            let variable = self.machine.variable_of(*root);
            self.machine.forget_variable(variable, writer);
        }
    }
}
