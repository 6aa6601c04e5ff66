//! The control flow of a kernel as it stands in the text: labels, loops, subroutines.
//!
//! It is a view of the one graph of control flow, [`ControlFlow`]. Abstract execution walks regions of the text and not
//! blocks: lanes that have parted go through the text together, and wait at labels for each other, so what is executed of
//! a loop is all that stands between its head and its last branch back.

use crate::base::symbol::Symbol;
use crate::program::cfg::{SubroutineId, Target, target_names};
use crate::program::instruction::{Predicate, PredicateControl};
use crate::program::{ControlFlow, InstructionIndex, LabelId, Object, Program};
use crate::spec::instruction::Flow;
use rustc_hash::{FxHashMap, FxHashSet};

/// Instructions from a label to the last branch back to it. Loops are nested or apart; branches that overlap otherwise
/// make one loop with several heads.
#[derive(Clone, Debug)]
pub struct Loop {
    /// The first instruction.
    pub head: u32,
    /// The last instruction: a branch back.
    pub end: u32,
    /// Whether some branch goes back to another place than the head.
    pub is_tangled: bool,
}

/// A branch, as it stands in the text.
#[derive(Debug)]
struct Branch {
    at: u32,
    /// Whether each lane decides for itself.
    is_wide: bool,
    targets: Vec<u32>,
}

/// Whether lanes can leave a loop while others stay in it: because each decides for itself, or because all that are in one
/// place leave together, but others wait in another one.
fn can_leave_one_by_one(head: u32, end: u32, branches: &[Branch]) -> bool {
    let leaves = |b: &Branch| b.targets.iter().any(|t| *t > end || *t <= head);
    // Between these places lanes are on their way while others wait at the end.
    let mut parted: Vec<(u32, u32)> = Vec::new();
    for branch in branches.iter().filter(|b| b.is_wide) {
        if leaves(branch) {
            return true;
        }
        for target in &branch.targets {
            parted.push(if *target > branch.at { (branch.at + 1, *target - 1) } else { (*target, branch.at) });
        }
    }
    parted.sort_unstable();
    let mut parted = parted.into_iter().peekable();
    let mut last = None;
    branches.iter().filter(|b| leaves(b)).any(|branch| {
        while let Some((_, until)) = parted.next_if(|(since, _)| *since <= branch.at) {
            last = last.max(Some(until));
        }
        last.is_some_and(|until| branch.at <= until)
    })
}

/// The control flow of a kernel, as it is executed.
pub struct Plan<'p> {
    program: &'p Program,
    object: &'p Object,
    flow: &'p ControlFlow,
    /// Loops, outer ones before inner ones.
    pub loops: Vec<Loop>,
    /// Whether lanes can leave each loop one by one, for the loops of which that has been asked.
    divergent: FxHashMap<usize, bool>,
    /// The branches, in order.
    branches: Vec<Branch>,
    /// Loops that could not be executed pass by pass: it is not tried again.
    pub failed_concretely: FxHashSet<usize>,
    /// Variables in loops whose lanes do not keep their differences.
    pub opaque: FxHashSet<(usize, usize)>,
}

impl<'p> Plan<'p> {
    /// Reads the control flow of an object.
    #[must_use]
    pub fn new(program: &'p Program, object: &'p Object, flow: &'p ControlFlow) -> Self {
        let mut plan = Self {
            program,
            object,
            flow,
            loops: Vec::new(),
            divergent: FxHashMap::default(),
            branches: Vec::new(),
            failed_concretely: FxHashSet::default(),
            opaque: FxHashSet::default(),
        };
        // What `.any` and `.all` combine is the same for every lane.
        let is_combined = |last| {
            let predicate: Option<Predicate> = program.instructions[last].predicate;
            predicate.is_some_and(|predicate| predicate.control != PredicateControl::PerLane)
        };
        let last_ones = flow.blocks.iter().filter_map(|block| Some((block.last()?, block.may_divide)));
        let branches = last_ones.map(|(last, may_divide)| {
            let is_wide = may_divide && !is_combined(last);
            Branch { at: last.0, is_wide, targets: plan.targets(last) }
        });
        plan.branches = branches.filter(|branch| !branch.targets.is_empty()).collect();
        plan.loops = loops(&plan.branches);
        plan
    }

    /// The first instruction of a subroutine and the one after its last; the first subroutine is the main program.
    #[must_use]
    pub fn range(&self, subroutine: SubroutineId) -> Option<(u32, u32)> {
        self.flow.subroutines.get(subroutine).map(|_| self.flow.instructions_of(subroutine))
    }

    /// Whether nothing can be called.
    #[must_use]
    pub fn is_one_range(&self) -> bool {
        self.flow.subroutines.len() <= 1
    }

    /// The instruction after the label that a branch names.
    #[must_use]
    pub fn target(&self, name: Symbol) -> Option<u32> {
        match self.flow.target(name)? {
            Target::Block(label, _) | Target::Subroutine(label, _) => Some(self.program.labels[label].instruction),
        }
    }

    /// The subroutine that a call names; the main program is none.
    #[must_use]
    pub fn subroutine(&self, name: Symbol) -> Option<SubroutineId> {
        match self.flow.target(name)? {
            Target::Subroutine(_, subroutine) if subroutine.0 > 0 => Some(subroutine),
            _ => None,
        }
    }

    /// A label before an instruction.
    #[must_use]
    pub fn label_at(&self, instruction: u32) -> Option<LabelId> {
        let all = self.program.labels_of(self.object);
        let i = all.partition_point(|label| label.instruction < instruction);
        all.get(i)
            .filter(|label| label.instruction == instruction)
            .map(|_| LabelId(self.object.labels.start + i as u32))
    }

    /// The instructions that an instruction can branch to.
    #[must_use]
    pub fn targets(&self, index: InstructionIndex) -> Vec<u32> {
        let instruction = &self.program.instructions[index];
        let is_branch = |flow| matches!(flow, Flow::Jump | Flow::Goto | Flow::Switch);
        if !self.program.row(instruction).is_some_and(|row| is_branch(row.flow)) {
            return Vec::new();
        }
        target_names(self.program, instruction).filter_map(|name| self.target(name)).collect()
    }

    /// Whether lanes can leave a loop one by one. It is found out for loops that are executed only: what it costs grows with
    /// the length of the loop, and loops may be nested thousands deep.
    pub fn is_divergent(&mut self, index: usize) -> bool {
        *self.divergent.entry(index).or_insert_with(|| {
            let Loop { head, end, .. } = self.loops[index];
            let first = self.branches.partition_point(|b| b.at < head);
            let after = self.branches.partition_point(|b| b.at <= end);
            can_leave_one_by_one(head, end, &self.branches[first..after])
        })
    }

    /// The loop that begins at an instruction.
    #[must_use]
    pub fn loop_at(&self, instruction: u32) -> Option<usize> {
        let i = self.loops.partition_point(|l| l.head < instruction);
        self.loops.get(i).filter(|l| l.head == instruction).map(|_| i)
    }
}

/// The loops that branches make.
fn loops(branches: &[Branch]) -> Vec<Loop> {
    let mut back: Vec<(u32, u32)> = Vec::new();
    for branch in branches {
        back.extend(branch.targets.iter().filter(|target| **target <= branch.at).map(|target| (*target, branch.at)));
    }
    back.sort_unstable_by_key(|(head, end)| (*head, u32::MAX - end));
    back.dedup_by_key(|(head, _)| *head);
    let mut open: Vec<Loop> = Vec::new();
    let mut done: Vec<Loop> = Vec::new();
    for (head, end) in back {
        while open.last().is_some_and(|l| l.end < head) {
            done.extend(open.pop());
        }
        if open.last().is_some_and(|l| l.end < end) {
            // It begins in that loop and ends after it: one loop of both, and of all that this reaches into.
            while let Some(inner) = open.pop() {
                if let Some(outer) = open.last_mut().filter(|o| o.end < end) {
                    outer.is_tangled = true;
                    outer.end = outer.end.max(inner.end);
                } else {
                    open.push(Loop { end, is_tangled: true, ..inner });
                    break;
                }
            }
        } else {
            open.push(Loop { head, end, is_tangled: false });
        }
    }
    done.append(&mut open);
    done.sort_unstable_by_key(|l| (l.head, u32::MAX - l.end));
    done
}
