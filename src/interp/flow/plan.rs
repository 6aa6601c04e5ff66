//! The control flow of a kernel as it stands in the text: labels, loops, subroutines.

use crate::base::id::Id as _;
use crate::base::symbol::Symbol;
use crate::program::{InstructionIndex, LabelId, Object, Operand, Program};
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

/// The control flow of a kernel.
#[derive(Debug, Default)]
pub struct Plan {
    labels: FxHashMap<Symbol, (u32, LabelId)>,
    /// Where labels stand, in order.
    positions: Vec<(u32, LabelId)>,
    /// Loops, outer ones before inner ones.
    pub loops: Vec<Loop>,
    /// Whether lanes can leave each loop one by one, for the loops of which that has been asked.
    divergent: FxHashMap<usize, bool>,
    /// The branches, in order.
    branches: Vec<Branch>,
    /// The first instruction of each subroutine and the one after its last; the first one is the main program.
    pub subroutines: Vec<(u32, u32)>,
    /// Loops that could not be executed pass by pass: it is not tried again.
    pub failed_concretely: FxHashSet<usize>,
    /// Variables in loops whose lanes do not keep their differences.
    pub opaque: FxHashSet<(usize, usize)>,
}

impl Plan {
    /// Reads the control flow of an object.
    #[must_use]
    pub fn new(program: &Program, object: &Object) -> Self {
        let mut plan = Self::default();
        let mut starts = vec![object.instructions.start];
        for id in object.labels.clone() {
            let label = &program.labels[LabelId(id)];
            plan.labels.entry(label.name).or_insert((label.instruction, LabelId(id)));
            plan.positions.push((label.instruction, LabelId(id)));
            if label.is_function && label.instruction > object.instructions.start {
                starts.push(label.instruction);
            }
        }
        plan.positions.sort_unstable_by_key(|(at, id)| (*at, id.0));
        starts.sort_unstable();
        starts.dedup();
        let ends = starts.iter().skip(1).copied().chain([object.instructions.end]);
        plan.subroutines = starts.iter().copied().zip(ends).collect();
        plan.find_loops(program, object);
        plan
    }

    /// The instruction after a label.
    #[must_use]
    pub fn target(&self, name: Symbol) -> Option<u32> {
        self.labels.get(&name).map(|(at, _)| *at)
    }

    /// A label before an instruction.
    #[must_use]
    pub fn label_at(&self, instruction: u32) -> Option<LabelId> {
        let i = self.positions.partition_point(|(at, _)| *at < instruction);
        self.positions.get(i).filter(|(at, _)| *at == instruction).map(|(_, id)| *id)
    }

    /// The places that an instruction can branch to.
    pub fn targets(&self, program: &Program, index: u32) -> Vec<u32> {
        let instruction = &program.instructions[InstructionIndex(index)];
        let Some(row) = program.row(instruction) else { return Vec::new() };
        if !matches!(row.flow, Flow::Jump | Flow::Goto | Flow::Switch) {
            return Vec::new();
        }
        let mut targets = Vec::new();
        for operand in program.operands_of(instruction) {
            match *operand {
                Operand::Name { name, .. } => targets.extend(self.target(name)),
                Operand::LabelList { start, end } => {
                    let names = program.label_lists.get(start as usize..end as usize).unwrap_or_default();
                    targets.extend(names.iter().filter_map(|(name, _)| self.target(*name)));
                }
                _ => {}
            }
        }
        targets
    }

    fn find_loops(&mut self, program: &Program, object: &Object) {
        let mut back: Vec<(u32, u32)> = Vec::new();
        for (index, _) in program.instructions_in(object) {
            let index = index.index() as u32;
            back.extend(self.targets(program, index).into_iter().filter(|t| *t <= index).map(|t| (t, index)));
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
        self.loops = done;
        self.branches = program
            .instructions_in(object)
            .map(|(index, instruction)| Branch {
                at: index.index() as u32,
                is_wide: instruction.exec_size > 1 && program.row(instruction).is_some_and(|r| r.flow == Flow::Goto),
                targets: self.targets(program, index.index() as u32),
            })
            .filter(|b| !b.targets.is_empty())
            .collect();
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

    /// The place of the subroutine that begins at an instruction; the main program is none.
    #[must_use]
    pub fn subroutine_at(&self, instruction: u32) -> Option<usize> {
        let i = self.subroutines.partition_point(|(start, _)| *start < instruction);
        self.subroutines.get(i).filter(|(start, _)| *start == instruction && i > 0).map(|_| i)
    }

    /// The loop that begins at an instruction.
    #[must_use]
    pub fn loop_at(&self, instruction: u32) -> Option<usize> {
        let i = self.loops.partition_point(|l| l.head < instruction);
        self.loops.get(i).filter(|l| l.head == instruction).map(|_| i)
    }
}
