//! Paths: code that no path reaches, loops that no path leaves, branches that lead nowhere.

use super::Scope;
use crate::base::diagnostic::Diagnostic;
use crate::base::id::Id as _;
use crate::checks::context::Sink;
use crate::program::cfg::{BlockEnd, BlockId, SubroutineId, Target};
use crate::program::dataflow::{self, Direction};
use crate::program::{InstructionIndex, LabelId};
use crate::spec;
use crate::spec::instruction::Custom;
use crate::spec::instruction::Flow;

crate::declare_rule! {
    /// Instructions that no path of control reaches, and subroutines that nothing calls. Compilers leave some behind.
    ///
    /// ```visa bad
    /// // pedantic
    /// jmp (M1, 1) end
    /// mov (M1, 8) VD(0,0)<1> 0x1:d
    /// end:
    /// ```
    /// ```visa good
    /// // pedantic
    /// (P1) goto (M1, 32) end
    /// mov (M1, 8) VD(0,0)<1> 0x1:d
    /// end:
    /// ```
    pub UNREACHABLE_CODE = "unreachable-code", Pedantic, "3_execution_model",
        help = "remove it, or branch to it"
}

crate::declare_rule! {
    /// A loop without a way out: no path leads from it to a `ret`, to a message that ends the thread, or out of the
    /// loop; no turn changes the conditions under which lanes would leave; or a counter passes the value at which they
    /// would. The kernel hangs.
    ///
    /// ```visa bad
    /// again:
    ///     add (M1, 8) VD(0,0)<1> VD(0,0)<8;8,1> 0x1:d
    ///     jmp (M1, 1) again
    /// ```
    /// ```visa good
    /// again:
    ///     add (M1, 32) VW(0,0)<1> VW(0,0)<16;16,1> 0x1:w
    ///     cmp.lt (M1, 32) P1 VW(0,0)<16;16,1> 0xa:w
    ///     (P1) goto (M1, 32) again
    /// ```
    pub ENDLESS_LOOP = "endless-loop", Warning, "3_execution_model"
}

crate::declare_rule! {
    /// A `goto` that need not be one: of execution size 1, where all lanes go the same way and `jmp` says so; or to the
    /// very next instruction. Compilers write both.
    ///
    /// ```visa bad
    /// // pedantic
    /// goto (M1, 1) end
    /// mov (M1, 8) VD(0,0)<1> 0x1:d
    /// end:
    /// ```
    /// ```visa good
    /// // pedantic
    /// (P1) goto (M1, 32) end
    /// mov (M1, 8) VD(0,0)<1> 0x1:d
    /// end:
    /// ```
    pub NEEDLESS_GOTO = "needless-goto", Pedantic, "GOTO",
        help = "remove the branch, or write `jmp` where all lanes go the same way"
}

/// Checks the paths of an object.
pub fn check(scope: &Scope, sink: &mut Sink) {
    endless(scope, sink);
    let options = scope.cx.options;
    if options.is_wanted(&UNREACHABLE_CODE) {
        unreachable(scope, sink);
        unused(scope, sink);
    }
    if options.is_wanted(&NEEDLESS_GOTO) {
        needless(scope, sink);
    }
}

/// Whether all branches go where the control flow says: nothing is missing and nothing was misread.
fn is_certain(scope: &Scope) -> bool {
    let readable = |i| scope.flow_of(InstructionIndex(i)).is_some();
    scope.flow.blocks.iter().all(|b| !b.has_unknown_target) && scope.object.instructions.clone().all(readable)
}

/// Loops that nothing leaves.
fn endless(scope: &Scope, sink: &mut Sink) {
    let flow = scope.flow;
    let has_cycle = |id: BlockId| flow.successors(id).iter().any(|s| s.0 <= id.0);
    if !flow.order.iter().any(|b| has_cycle(*b)) {
        return;
    }
    // Follows the edges backwards from the blocks where control may leave: a block that is not found never leaves.
    let leaving = (0..flow.blocks.len()).filter(|node| may_leave(scope, BlockId::from_index(*node)));
    let leaves = dataflow::reached(flow, Direction::Backward, leaving);
    for branch in last_branches(scope, &leaves) {
        let block = &flow.blocks[branch];
        let Some(last) = block.last() else { continue };
        let target = flow.successors(branch).iter().map(|s| flow.blocks[*s].start).min().unwrap_or(block.start);
        let place = scope.program().instruction_spans[last].statement;
        let first = scope.program().instruction_spans[InstructionIndex(target)].statement;
        let diagnostic =
            Diagnostic::new(&ENDLESS_LOOP, place, "this loop has no way out").label("control goes back from here");
        sink.report(if first == place { diagnostic } else { diagnostic.also(first, "to here") });
    }
}

/// The last backward branch of each innermost loop that is not left: of each strongly connected component
/// from which no edge leads to another one.
fn last_branches(scope: &Scope, leaves: &[bool]) -> Vec<BlockId> {
    let flow = scope.flow;
    // From a block that is not left, no edge leads to one that is.
    let component = dataflow::components(flow);
    // For each component its last backward branch, unless control leaves the component.
    let mut last: Vec<Option<BlockId>> = vec![None; flow.blocks.len()];
    let mut is_left = vec![false; flow.blocks.len()];
    for (id, _) in flow.blocks.entries().filter(|(id, b)| !leaves[id.index()] && b.is_reachable()) {
        let own = component[id.index()];
        for to in flow.successors(id) {
            if component[to.index()] != own {
                is_left[own] = true;
            } else if to.0 <= id.0 {
                last[own] = Some(id);
            }
        }
    }
    last.iter().zip(is_left).filter(|(_, is_left)| !is_left).filter_map(|(branch, _)| *branch).collect()
}

/// Whether control may leave the object or subroutine in a block: it returns, ends the thread, runs off the end, goes
/// to an unknown place, or sends a message whose descriptor may end the thread.
fn may_leave(scope: &Scope, id: BlockId) -> bool {
    let block = &scope.flow.blocks[id];
    let program = scope.program();
    let next = scope.flow.blocks.get(BlockId(id.0 + 1));
    let may_end = |i: InstructionIndex| {
        let Some(row) = program.row(&program.instructions[i]) else { return true };
        row.custom == Some(Custom::RawSend)
    };
    matches!(block.ends, BlockEnd::Return | BlockEnd::EndOfThread)
        || block.has_unknown_target
        || block.falls_through && next.is_none_or(|n| n.subroutine != block.subroutine)
        || block.instructions().any(may_end)
}

/// Runs of instructions that no path reaches.
fn unreachable(scope: &Scope, sink: &mut Sink) {
    let is_reached = |b: &crate::program::cfg::Block| b.is_reachable();
    if scope.flow.blocks.iter().all(is_reached) || !is_certain(scope) {
        return;
    }
    let mut in_run = false;
    for block in scope.flow.blocks.iter() {
        if block.is_reachable() {
            in_run = false;
            continue;
        }
        let Some(first) = block.instructions().find(|i| !super::is_marker(scope.program(), *i)).filter(|_| !in_run)
        else {
            continue;
        };
        in_run = true;
        let place = scope.program().instruction_spans[first].statement;
        let message = format!("control never reaches this `{}`", scope.mnemonic(first));
        sink.report(Diagnostic::new(&UNREACHABLE_CODE, place, message));
    }
}

/// Subroutines that nothing calls.
fn unused(scope: &Scope, sink: &mut Sink) {
    if scope.flow.subroutines.len() < 2 || !is_certain(scope) {
        return;
    }
    let mut is_called = vec![false; scope.flow.subroutines.len()];
    for call in &scope.flow.calls {
        is_called[call.callee.index()] = true;
    }
    for (id, subroutine) in scope.flow.subroutines.entries() {
        let Some(label) = subroutine.label.filter(|_| id != SubroutineId(0) && !is_called[id.index()]) else {
            continue;
        };
        let label = &scope.program().labels[label];
        let name = scope.program().names.name(label.name);
        sink.report(Diagnostic::new(&UNREACHABLE_CODE, label.span, format!("nothing calls the subroutine `{name}`")));
    }
}

/// `goto` of one lane, or to the next instruction.
fn needless(scope: &Scope, sink: &mut Sink) {
    let program = scope.program();
    for block in scope.flow.blocks.iter().filter(|b| b.ends == BlockEnd::Goto) {
        let Some(last) = block.last() else { continue };
        let (instruction, spans) = (&program.instructions[last], &program.instruction_spans[last]);
        let Some((name, span)) = scope.targets(last).next() else { continue };
        if let Some(Target::Block(label, _)) = scope.flow.target(name)
            && is_next(scope, last, label)
        {
            let message = format!("`{}` is where control goes anyway", program.names.name(name));
            sink.report(
                Diagnostic::new(&NEEDLESS_GOTO, span, message).also(program.labels[label].span, "the next instruction"),
            );
            continue;
        }
        if instruction.has_exec && instruction.exec_size == 1 {
            let diagnostic = Diagnostic::new(&NEEDLESS_GOTO, spans.size, "a `goto` of execution size 1 is a `jmp`");
            sink.report(diagnostic.replace(spans.mnemonic, spec::mnemonic_of(Flow::Jump), false));
        }
    }
}

/// Whether a label stands right behind an instruction.
fn is_next(scope: &Scope, instruction: InstructionIndex, label: LabelId) -> bool {
    let at = scope.program().labels[label].instruction;
    at > instruction.0 && (instruction.0 + 1..at).all(|i| super::is_marker(scope.program(), InstructionIndex(i)))
}
