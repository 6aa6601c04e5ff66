//! Lanes that wait. A `goto` that only some lanes take splits them: those that jump forward wait at its label until the
//! others get there. Where the others leave before they get there, the waiting lanes are lost.
//!
//! All lanes walk through the text together, so what counts is the text between the `goto` and its label. Whether lanes
//! really part depends on the predicate: one that is the same in all lanes parts nothing. What can be seen of that
//! without following values is seen here: `.any` and `.all`, and comparisons of scalars.

use super::Scope;
use crate::base::diagnostic::Diagnostic;
use crate::base::rule::Level;
use crate::checks::context::Sink;
use crate::program::cfg::{BlockEnd, SubroutineId, Target};
use crate::program::instruction::{Instruction, PredicateControl};
use crate::program::{InstructionIndex, LabelId, Operand, Program, VariableId};
use crate::spec::instruction::{Custom, Flow};
use crate::spec::operation::Operation;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

crate::declare_rule! {
    /// Control leaves for good while lanes still wait: a `jmp` past the label to which a divergent `goto` sent them, or a
    /// return of all lanes before that label. The waiting lanes never go on. Branches for all lanes (`jmp`) and branches
    /// for each lane (`goto`) have to be nested. An error where it is certain that lanes wait, else a warning.
    ///
    /// ```visa bad
    /// cmp.lt (M1, 32) P1 VW(0,0)<16;16,1> 0x4:w
    /// (P1) goto (M1, 32) join
    /// add (M1, 32) VW(0,0)<1> VW(0,0)<16;16,1> 0x1:w
    /// jmp (M1, 1) end
    /// join:
    /// add (M1, 32) VW(0,0)<1> VW(0,0)<16;16,1> 0x2:w
    /// end:
    /// ```
    /// ```visa good
    /// cmp.lt (M1, 32) P1 VW(0,0)<16;16,1> 0x4:w
    /// (P1) goto (M1, 32) join
    /// add (M1, 32) VW(0,0)<1> VW(0,0)<16;16,1> 0x1:w
    /// goto (M1, 32) end
    /// join:
    /// add (M1, 32) VW(0,0)<1> VW(0,0)<16;16,1> 0x2:w
    /// end:
    /// ```
    pub LANES_LEFT_WAITING = "lanes-left-waiting", Error | Warning, "3_execution_model"
}

crate::declare_rule! {
    /// A message that works for the whole thread in code that only some lanes execute: motion search must not stand inside
    /// divergent control flow, nor in a subroutine that is called there.
    ///
    /// ```visa bad
    /// // platform: ICLLP
    /// cmp.lt (M1, 32) P1 VW(0,0)<16;16,1> 0x4:w
    /// (P1) goto (M1, 32) join
    /// vme_sic T6 VUB.0 VUB.128 VUB.256
    /// join:
    /// ```
    /// ```visa good
    /// // platform: ICLLP
    /// cmp.lt (M1, 32) P1 VW(0,0)<16;16,1> 0x4:w
    /// (P1) goto (M1, 32) join
    /// add (M1, 32) VW(0,0)<1> VW(0,0)<16;16,1> 0x1:w
    /// join:
    /// vme_sic T6 VUB.0 VUB.128 VUB.256
    /// ```
    pub DIVERGENT_MESSAGE = "divergent-message", Warning, "VME_SIC",
        help = "move it to a place where all lanes are active, or branch by a uniform condition"
}

/// A `goto` of several lanes with its target.
struct Goto {
    instruction: InstructionIndex,
    /// The instruction behind its label.
    to: u32,
    label: LabelId,
    /// Whether some lanes may take it while others do not.
    is_divergent: bool,
}

/// Checks what stands between a `goto` and its label.
pub fn check(scope: &Scope, sink: &mut Sink) {
    let mut uniform = None;
    let gotos = gotos(scope, &mut uniform);
    let mut parted = Parted::default();
    if gotos.iter().any(|g| g.is_divergent) {
        forward(scope, sink, &gotos, &mut parted);
        backward(scope, &gotos, &mut parted);
    }
    for call in &scope.flow.calls {
        let instruction = &scope.program().instructions[call.instruction];
        let is_of_lanes = instruction.has_exec && instruction.exec_size > 1;
        if is_of_lanes && parts_lanes(scope, instruction, &mut uniform) {
            parted.calls.push((call.callee, call.instruction));
        }
    }
    parted.report(scope, sink);
}

/// What stands where only some lanes may be active, with what lets the lanes part.
#[derive(Default)]
struct Parted {
    /// Messages that work for the whole thread.
    messages: Vec<(InstructionIndex, InstructionIndex)>,
    /// Subroutines that are called there.
    calls: Vec<(SubroutineId, InstructionIndex)>,
}

impl Parted {
    fn note(&mut self, scope: &Scope, index: InstructionIndex, since: InstructionIndex) {
        let Some(row) = scope.program().row(&scope.program().instructions[index]) else { return };
        if row.custom == Some(Custom::Vme) {
            self.messages.push((index, since));
        } else if row.flow == Flow::Call
            && let Ok(place) = scope.flow.calls.binary_search_by_key(&index, |call| call.instruction)
        {
            self.calls.push((scope.flow.calls[place].callee, since));
        }
    }

    /// Reports the messages, those of called subroutines, too.
    fn report(mut self, scope: &Scope, sink: &mut Sink) {
        let mut seen = FxHashSet::default();
        while let Some((subroutine, since)) = self.calls.pop() {
            // A call of the entry is a fault of its own.
            if subroutine.0 != 0 && seen.insert(subroutine) {
                let (start, end) = scope.flow.instructions_of(subroutine);
                for index in (start..end).map(InstructionIndex) {
                    self.note(scope, index, since);
                }
            }
        }
        self.messages.sort_by_key(|(index, _)| *index);
        self.messages.dedup_by_key(|(index, _)| *index);
        for (index, since) in self.messages {
            report_message(scope, sink, index, since);
        }
    }
}

fn gotos(scope: &Scope, uniform: &mut Option<FxHashMap<VariableId, bool>>) -> Vec<Goto> {
    let program = scope.program();
    let mut gotos = Vec::new();
    for block in scope.flow.blocks.iter().filter(|b| b.ends == BlockEnd::Goto && b.is_reachable()) {
        let Some(index) = block.last() else { continue };
        let instruction = &program.instructions[index];
        let target = scope.targets(index).next().and_then(|(name, _)| scope.flow.target(name));
        let Some(Target::Block(label, to)) = target.filter(|_| instruction.has_exec && instruction.exec_size > 1)
        else {
            continue;
        };
        if scope.flow.blocks[to].subroutine != block.subroutine {
            continue;
        }
        let is_divergent = parts_lanes(scope, instruction, uniform);
        gotos.push(Goto { instruction: index, to: program.labels[label].instruction, label, is_divergent });
    }
    gotos
}

/// Whether an instruction has a predicate that may differ between lanes.
fn parts_lanes(scope: &Scope, instruction: &Instruction, uniform: &mut Option<FxHashMap<VariableId, bool>>) -> bool {
    instruction.predicate.is_some_and(|p| {
        p.control == PredicateControl::PerLane
            && !uniform.get_or_insert_with(|| uniform_predicates(scope)).get(&p.variable).is_some_and(|u| *u)
    })
}

/// The predicates that the object writes, and whether each has the same value in all lanes after every write.
fn uniform_predicates(scope: &Scope) -> FxHashMap<VariableId, bool> {
    let program = scope.program();
    let mut uniform = FxHashMap::default();
    for (_, instruction) in program.instructions_in(scope.object) {
        let Some(row) = program.row(instruction) else { continue };
        let range = instruction.operands();
        for (operand, slot) in program.operands[range.clone()].iter().zip(&program.operand_slots[range]) {
            if let Operand::Predicate { variable } = operand
                && row.operands[usize::from(*slot)].role.writes()
            {
                *uniform.entry(*variable).or_insert(true) &=
                    row.operation == Some(Operation::Cmp) && compares_scalars(program, instruction);
            }
        }
    }
    uniform
}

fn compares_scalars(program: &Program, instruction: &Instruction) -> bool {
    let is_scalar = |operand: &Operand| match operand {
        Operand::Predicate { .. } => true,
        Operand::Immediate { element_type, .. } => !element_type.is_packed(),
        operand => operand.region().is_some_and(crate::program::region::Region::is_scalar),
    };
    instruction.exec_size > 1 && instruction.mask_offset == 0 && program.operands_of(instruction).iter().all(is_scalar)
}

/// What stands between a forward `goto` and its label.
fn forward(scope: &Scope, sink: &mut Sink, gotos: &[Goto], parted: &mut Parted) {
    // The labels where lanes wait, the nearest one first.
    let mut waiting: BinaryHeap<Reverse<(u32, usize)>> = BinaryHeap::new();
    let mut next_goto = gotos.iter().enumerate().peekable();
    for block in scope.flow.blocks.iter() {
        while waiting.peek().is_some_and(|Reverse((to, _))| *to <= block.start) {
            waiting.pop();
        }
        if let Some(Reverse((to, goto))) = waiting.peek().copied() {
            for index in block.instructions() {
                parted.note(scope, index, gotos[goto].instruction);
            }
            if let Some(last) = block.last()
                && leaves(scope, last, block.ends, to)
            {
                report_exit(scope, sink, last, block.ends, &gotos[goto]);
            }
        }
        // Inside such a part even a `goto` of all lanes is taken by some only: the others wait.
        let Some(last) = block.last() else { continue };
        if let Some((i, goto)) = next_goto.next_if(|(_, g)| g.instruction == last)
            && goto.to > last.0
            && (goto.is_divergent || !waiting.is_empty())
        {
            waiting.push(Reverse((goto.to, i)));
        }
    }
}

/// Whether an instruction leads past the instruction `to` without stopping there.
fn leaves(scope: &Scope, index: InstructionIndex, ends: BlockEnd, to: u32) -> bool {
    let program = scope.program();
    match ends {
        BlockEnd::Jump | BlockEnd::Switch => scope.targets(index).any(|(name, _)| match scope.flow.target(name) {
            Some(Target::Block(label, _)) => program.labels[label].instruction > to,
            _ => false,
        }),
        BlockEnd::Return => program.instructions[index].exec_size == 1,
        BlockEnd::EndOfThread => true,
        BlockEnd::Next | BlockEnd::Goto | BlockEnd::Call => false,
    }
}

fn report_exit(scope: &Scope, sink: &mut Sink, exit: InstructionIndex, ends: BlockEnd, goto: &Goto) {
    let program = scope.program();
    let label = &program.labels[goto.label];
    let name = program.names.name(label.name);
    let place = program.instruction_spans[exit].statement;
    let message = format!("`{}` leaves while lanes may still wait at `{name}`", scope.mnemonic(exit));
    let diagnostic = Diagnostic::new(&LANES_LEFT_WAITING, place, message);
    let help = if matches!(ends, BlockEnd::Jump | BlockEnd::Switch) {
        "use `goto`, which lets the waiting lanes go on"
    } else {
        "let the lanes meet before they leave, with a `goto` to a common end"
    };
    sink.report(
        diagnostic
            .level(Level::Warning)
            .also(program.instruction_spans[goto.instruction].statement, "this sends some lanes ahead")
            .also(label.span, "where they wait")
            .help(help),
    );
}

fn report_message(scope: &Scope, sink: &mut Sink, index: InstructionIndex, since: InstructionIndex) {
    let program = scope.program();
    let message = format!("`{}` stands where only some lanes may be active", scope.mnemonic(index));
    let diagnostic = Diagnostic::new(&DIVERGENT_MESSAGE, program.instruction_spans[index].mnemonic, message);
    sink.report(diagnostic.also(program.instruction_spans[since].statement, "this lets lanes part"));
}

/// What stands in a loop that lanes leave one by one: between a label and a divergent `goto` back to it.
fn backward(scope: &Scope, gotos: &[Goto], parted: &mut Parted) {
    let program = scope.program();
    let mut loops: Vec<(u32, &Goto)> =
        gotos.iter().filter(|g| g.is_divergent && g.to <= g.instruction.0).map(|g| (g.to, g)).collect();
    if loops.is_empty() {
        return;
    }
    loops.sort_by_key(|(start, _)| *start);
    // For each start, of the loops that begin no later the one that ends last.
    for i in 1..loops.len() {
        if loops[i].1.instruction < loops[i - 1].1.instruction {
            loops[i].1 = loops[i - 1].1;
        }
    }
    for (index, instruction) in program.instructions_in(scope.object) {
        let is_asked = |row: &crate::spec::Instruction| row.custom == Some(Custom::Vme) || row.flow == Flow::Call;
        if program.row(instruction).is_some_and(is_asked) {
            let n_begun = loops.partition_point(|(start, _)| *start <= index.0);
            if let Some(goto) = n_begun.checked_sub(1).map(|i| loops[i].1).filter(|g| g.instruction >= index) {
                parted.note(scope, index, goto.instruction);
            }
        }
    }
}
