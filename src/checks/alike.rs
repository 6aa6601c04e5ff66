//! Instructions that say the same of other variables are checked once, as long as nothing is found.

use super::context::{Context, Sink};
use super::recall::stands_alone;
use crate::program::variable::FLAG_USED;
use crate::program::{Instruction, InstructionIndex, Operand, VariableId};
use rustc_hash::FxHashMap;

/// What was checked and is fine.
#[derive(Default)]
pub(super) struct Silent {
    /// By the first of instructions that say the same, one of them of which nothing was found.
    known: FxHashMap<u32, u32>,
}

impl Silent {
    /// Checks an instruction by `check`, unless one that says the same was.
    pub(super) fn check(&mut self, cx: &Context, index: u32, sink: &mut Sink, check: impl FnOnce(&mut Sink)) {
        let first = cx.program.alike.get(index as usize).copied().filter(|first| *first != u32::MAX);
        let is_known =
            first.and_then(|first| self.known.get(&first)).is_some_and(|known| has_same_flags(cx, *known, index));
        if is_known && !cfg!(debug_assertions) {
            return;
        }
        let n_before = sink.diagnostics.len();
        check(sink);
        let is_silent = sink.diagnostics.len() == n_before;
        debug_assert!(is_silent || !is_known, "a check of one instruction looks at others: {index} is like one before");
        if let Some(first) = first.filter(|_| is_silent && stands_alone(cx, index)) {
            self.known.insert(first, index);
        }
    }
}

/// Whether what other instructions do with the variables of two instructions is the same.
fn has_same_flags(cx: &Context, first: u32, second: u32) -> bool {
    let flags = |variable: VariableId| {
        let declared = &cx.program.variables[variable];
        (declared.flags | cx.program.variables[declared.root].flags) & !FLAG_USED
    };
    let of = |index: u32| -> &Instruction { &cx.program.instructions[InstructionIndex(index)] };
    let (first, second) = (of(first), of(second));
    let variables = |instruction: &'_ Instruction| {
        let predicate = instruction.predicate.map(|predicate| predicate.variable);
        cx.program.operands_of(instruction).iter().filter_map(Operand::variable).chain(predicate)
    };
    variables(first).map(flags).eq(variables(second).map(flags))
}
