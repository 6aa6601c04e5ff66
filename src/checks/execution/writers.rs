//! The instructions that write each variable, found once for a program, and only if it is asked.

use crate::base::id::Id as _;
use crate::checks::context::Context;
use crate::program::{InstructionIndex, Program, VariableId};
use std::cell::OnceCell;

/// The writers of all variables.
#[derive(Default)]
pub struct Writers {
    table: OnceCell<Table>,
}

/// Instructions variable after variable, and where those of each variable end.
struct Table {
    ends: Vec<usize>,
    instructions: Vec<u32>,
}

impl Writers {
    /// The instructions that write some of a variable that is no alias, in order.
    pub fn of(&self, program: &Program, root: VariableId) -> &[u32] {
        let Table { ends, instructions } = self.table.get_or_init(|| Table::new(program));
        let start = root.index().checked_sub(1).map_or(0, |before| ends[before]);
        &instructions[start..ends[root.index()]]
    }
}

impl Table {
    fn new(program: &Program) -> Self {
        let mut written: Vec<(u32, u32)> = Vec::new();
        for (at, instruction) in (0..).zip(program.instructions.iter()) {
            let Some(row) = program.row(instruction) else { continue };
            for operand in instruction.operands() {
                let slot = &row.operands[usize::from(program.operand_slots[operand])];
                let variable = program.operands[operand].variable().filter(|_| slot.role.writes());
                written.extend(variable.map(|v| (program.variables[v].root.index() as u32, at)));
            }
        }
        written.sort_unstable();
        written.dedup();
        let mut ends = vec![0; program.variables.len()];
        for (root, _) in &written {
            ends[*root as usize] += 1;
        }
        let mut end = 0;
        for of_one in &mut ends {
            end += *of_one;
            *of_one = end;
        }
        Self { ends, instructions: written.into_iter().map(|(_, at)| at).collect() }
    }
}

/// Those of some instructions, which ascend, that stand in a range.
pub fn within(all: &[u32], range: std::ops::Range<u32>) -> impl Iterator<Item = InstructionIndex> + '_ {
    let first = all.partition_point(|at| *at < range.start);
    all[first..].iter().take_while(move |at| **at < range.end).map(|at| InstructionIndex(*at))
}

/// Whether every path to an instruction leads over another one above: no blocks but those of loops come together between
/// the two.
pub fn always_follows(cx: &Context, first: InstructionIndex, later: InstructionIndex) -> bool {
    const MAX_BLOCKS: u32 = 200;
    let flow = &cx.flow[cx.program.object_of(first)];
    let (mut block, above) = (flow.block_of(later), flow.block_of(first));
    for _ in 0..MAX_BLOCKS {
        if block == above {
            return true;
        }
        let mut before = flow.predecessors(block).iter().filter(|b| b.index() < block.index());
        match (before.next(), before.next()) {
            (Some(only), None) => block = *only,
            _ => return false,
        }
    }
    false
}
