//! Subroutines: how they are entered and left, and which calls which.

use super::Scope;
use crate::base::diagnostic::Diagnostic;
use crate::base::id::Id as _;
use crate::base::rule::Level;
use crate::base::span::Span;
use crate::checks::context::Sink;
use crate::program::cfg::{Block, BlockEnd, BlockId, CallGraph, ControlFlow, Subroutine, SubroutineId};
use crate::program::dataflow;
use crate::program::{InstructionIndex, LabelId, ObjectKind};
use crate::spec;
use crate::spec::ModifierName;
use crate::spec::instruction::Flow;

crate::declare_rule! {
    /// A subroutine that calls itself, directly or through others. Subroutines have no stack: the return address of the
    /// outer call is lost.
    ///
    /// ```visa bad
    /// .version 4.1
    /// .kernel "k"
    /// .function "main"
    /// main:
    ///     call (M1, 16) again
    ///     ret (M1, 1)
    /// .function "again"
    /// again:
    ///     call (M1, 16) again
    ///     ret (M1, 16)
    /// ```
    /// ```visa good
    /// .version 4.1
    /// .kernel "k"
    /// .function "main"
    /// main:
    ///     call (M1, 16) again
    ///     ret (M1, 1)
    /// .function "again"
    /// again:
    ///     ret (M1, 16)
    /// ```
    pub RECURSIVE_CALL = "recursive-call", Error, "3_execution_model"
}

crate::declare_rule! {
    /// Control runs from one subroutine into the `.function` below it. A subroutine is entered by `call` only: without a
    /// call there is no address that its `ret` could return to.
    ///
    /// ```visa bad
    /// .version 4.1
    /// .kernel "k"
    /// .decl Vx v_type=G type=d num_elts=8 align=GRF
    /// .function "main"
    /// main:
    ///     mov (M1, 8) Vx(0,0)<1> 0x0:d
    /// .function "helper"
    /// helper:
    ///     ret (M1, 16)
    /// ```
    /// ```visa good
    /// .version 4.1
    /// .kernel "k"
    /// .decl Vx v_type=G type=d num_elts=8 align=GRF
    /// .function "main"
    /// main:
    ///     mov (M1, 8) Vx(0,0)<1> 0x0:d
    ///     ret (M1, 1)
    /// .function "helper"
    /// helper:
    ///     ret (M1, 16)
    /// ```
    pub FALL_INTO_SUBROUTINE = "fall-into-subroutine", Error, "3_execution_model"
}

crate::declare_rule! {
    /// Control runs off the end of a kernel, function or subroutine. Kernels and subroutines end with `ret` (or a message
    /// that ends the thread), functions with `fret`. Assemblers take a kernel without one; without a `ret` at the end of
    /// a subroutine, with a predicated one, or without a `fret` in a function that calls functions, they crash.
    ///
    /// ```visa bad
    /// .version 4.1
    /// .kernel "k"
    /// .decl Vx v_type=G type=d num_elts=8 align=GRF
    ///     mov (M1, 8) Vx(0,0)<1> 0x0:d
    /// ```
    /// ```visa good
    /// .version 4.1
    /// .kernel "k"
    /// .decl Vx v_type=G type=d num_elts=8 align=GRF
    ///     mov (M1, 8) Vx(0,0)<1> 0x0:d
    ///     ret (M1, 1)
    /// ```
    pub MISSING_RETURN = "missing-return", Error | Warning, "3_execution_model"
}

crate::declare_rule! {
    /// A return of the wrong sort. A kernel ends with `ret`: `fret` returns over the stack of a function call. A
    /// `.global_function` ends with `fret`: a `ret` in its own code ends the whole thread. Subroutines of either return
    /// with `ret`.
    ///
    /// ```visa bad
    /// fret (M1, 16)
    /// ```
    /// ```visa good
    /// ret (M1, 1)
    /// ```
    pub WRONG_RETURN = "wrong-return", Error, "FRET"
}

crate::declare_rule! {
    /// Code before the first `.function` of a kernel that calls subroutines. Once there are subroutines, the main part has
    /// to be one as well; assemblers cannot tell otherwise where it ends.
    ///
    /// ```visa bad
    /// .version 4.1
    /// .kernel "k"
    ///     call (M1, 16) helper
    ///     ret (M1, 1)
    /// .function "helper"
    /// helper:
    ///     ret (M1, 16)
    /// ```
    /// ```visa good
    /// .version 4.1
    /// .kernel "k"
    /// .function "main"
    /// main:
    ///     call (M1, 16) helper
    ///     ret (M1, 1)
    /// .function "helper"
    /// helper:
    ///     ret (M1, 16)
    /// ```
    pub CODE_OUTSIDE_SUBROUTINE = "code-outside-subroutine", Error, "3_execution_model"
}

/// Checks the subroutines of an object.
pub fn check(scope: &Scope, sink: &mut Sink) {
    outside(scope, sink);
    recursion(scope, sink);
    falls(scope, sink);
    returns(scope, sink);
}

/// Code before the first `.function`.
fn outside(scope: &Scope, sink: &mut Sink) {
    let Some(call) = scope.flow.calls.first() else { return };
    let (Some(main), Some(second)) =
        (scope.flow.subroutines.get(SubroutineId(0)), scope.flow.subroutines.get(SubroutineId(1)))
    else {
        return;
    };
    let Some(function) = second.label.filter(|_| main.label.is_none()) else { return };
    let first = scope.flow.blocks[BlockId(main.blocks.start)].instructions().next();
    let Some(place) = first.map(|i| scope.program().instruction_spans[i].statement) else { return };
    let name = scope.program().names.name(scope.object.name);
    let message = format!("the main part of `{name}` has no `.function`, although it calls subroutines");
    sink.report(
        Diagnostic::new(&CODE_OUTSIDE_SUBROUTINE, place, message)
            .also(scope.program().labels[function].span, "the first `.function`")
            .also(scope.program().instruction_spans[call.instruction].statement, "a call")
            .help(format!("begin the main part with `.function \"{name}_main\"`")),
    );
}

/// Calls that come back to a subroutine which has not returned: one of each cycle.
fn recursion(scope: &Scope, sink: &mut Sink) {
    let calls = &scope.flow.calls;
    // Calls of the entry are reported as such.
    if calls.iter().all(|c| c.callee.0 == 0 || c.caller.0 == 0) {
        return;
    }
    for call in closing_calls(scope.flow).into_iter().map(|i| &calls[i]).filter(|c| c.callee.0 != 0) {
        let program = scope.program();
        let name = |s: SubroutineId| {
            scope.flow.subroutines[s].label.map_or("", |l| program.names.name(program.labels[l].name))
        };
        let place = scope.targets(call.instruction).next().map_or(Span::default(), |(_, span)| span);
        let message = if call.caller == call.callee {
            format!("`{}` calls itself", name(call.caller))
        } else {
            format!("`{}` calls `{}`, which calls it again", name(call.caller), name(call.callee))
        };
        let label = scope.flow.subroutines[call.callee].label.map(|l| program.labels[l].span);
        let diagnostic = Diagnostic::new(&RECURSIVE_CALL, place, message);
        let diagnostic = label.into_iter().fold(diagnostic, |d, span| d.also(span, "the subroutine"));
        sink.report(diagnostic.note("subroutines keep one return address each; recursion needs functions and `fcall`"));
    }
}

/// The calls, as places among all of them, whose callee is being executed already when each cycle is entered at the
/// subroutine that stands first in the text, and the calls above them are followed first.
fn closing_calls(flow: &ControlFlow) -> Vec<usize> {
    let first_of = |subroutine: SubroutineId| {
        let (start, _) = flow.instructions_of(subroutine);
        flow.calls.partition_point(|call| call.instruction.0 < start)
    };
    let components = dataflow::components(&CallGraph(flow));
    let mut is_seen = vec![false; flow.subroutines.len()];
    let mut is_open = vec![false; flow.subroutines.len()];
    let mut closing = Vec::new();
    let mut open: Vec<(SubroutineId, usize)> = Vec::new();
    for (entry, _) in flow.subroutines.entries() {
        if std::mem::replace(&mut is_seen[entry.index()], true) {
            continue;
        }
        is_open[entry.index()] = true;
        open.push((entry, first_of(entry)));
        while let Some((caller, next)) = open.last_mut() {
            let Some(call) = flow.calls.get(*next).filter(|call| call.caller == *caller) else {
                is_open[caller.index()] = false;
                open.pop();
                continue;
            };
            if is_open[call.callee.index()] {
                closing.push(*next);
            }
            *next += 1;
            let is_on_cycle = components[call.caller.index()] == components[call.callee.index()];
            if is_on_cycle && !std::mem::replace(&mut is_seen[call.callee.index()], true) {
                is_open[call.callee.index()] = true;
                open.push((call.callee, first_of(call.callee)));
            }
        }
    }
    closing.sort_unstable();
    closing
}

/// Control that runs into the next subroutine, or off the end of the object.
fn falls(scope: &Scope, sink: &mut Sink) {
    let program = scope.program();
    if scope.object.instructions.is_empty() {
        return;
    }
    for (id, subroutine) in scope.flow.subroutines.entries() {
        let block = &scope.flow.blocks[BlockId(subroutine.blocks.end - 1)];
        // Assemblers look for the block behind a branch even if nothing leads to the branch.
        let is_last_branch = ends_with_branch(block) && id.index() + 1 == scope.flow.subroutines.len();
        if !block.falls_through || !block.is_reachable() && !is_last_branch {
            continue;
        }
        let last = last_executed(scope, subroutine);
        if last.is_some_and(|i| is_unclear(scope, i)) {
            continue;
        }
        match scope.flow.subroutines.get(SubroutineId(id.0 + 1)) {
            Some(next) => report_fall(scope, sink, last, next.label.map(|l| program.labels[l].span)),
            None => report_end(scope, sink, id, block, last),
        }
    }
}

/// Whether the block ends with a branch that control may fall through.
fn ends_with_branch(block: &Block) -> bool {
    block.falls_through && matches!(block.ends, BlockEnd::Jump | BlockEnd::Goto)
}

/// The last instruction of a subroutine that is more than debug information; nothing if control gets to the end by a label
/// with nothing behind it.
fn last_executed(scope: &Scope, subroutine: &Subroutine) -> Option<InstructionIndex> {
    let program = scope.program();
    let blocks = [subroutine.blocks.start, subroutine.blocks.end - 1].map(|b| &scope.flow.blocks[BlockId(b)]);
    let last = (blocks[0].start..blocks[1].end).rev().map(InstructionIndex).find(|i| !super::is_marker(program, *i))?;
    let has_label = scope
        .object
        .labels
        .clone()
        .any(|l| (last.0 + 1..=blocks[1].start).contains(&program.labels[LabelId(l)].instruction));
    (!has_label).then_some(last)
}

/// Whether a function contains a call of a function, reached or not, and control gets to none of its `fret`: assemblers
/// restore the stack before the `fret`, and crash without one.
fn calls_without_return(scope: &Scope) -> bool {
    let ends_with = |block: &Block, flow: Flow| block.last().is_some_and(|last| scope.flow_of(last) == Some(flow));
    let mut instructions = scope.object.instructions.clone().map(InstructionIndex);
    scope.object.kind == ObjectKind::Function
        && instructions.any(|i| scope.flow_of(i) == Some(Flow::FunctionCall))
        && !scope.flow.blocks.iter().any(|b| b.is_reachable() && ends_with(b, Flow::FunctionReturn))
}

/// Whether it cannot be told how control goes on behind an instruction: it could not be read, or calls something that
/// does not return.
fn is_unclear(scope: &Scope, instruction: InstructionIndex) -> bool {
    let program = scope.program();
    let row = &program.instructions[instruction];
    match program.row(row) {
        None => true,
        Some(spec) => {
            spec.flow == Flow::FunctionCall
                && spec
                    .modifier(ModifierName::NORETURN)
                    .is_some_and(|slot| program.modifiers_of(row).iter().any(|m| usize::from(m.slot) == slot))
        }
    }
}

fn report_fall(scope: &Scope, sink: &mut Sink, last: Option<InstructionIndex>, place: Option<Span>) {
    let Some(place) = place else { return };
    let name = scope.cx.text(place).trim_matches('"');
    let diagnostic = match last {
        Some(last) => {
            let message = format!("control runs from `{}` into the subroutine `{name}`", scope.mnemonic(last));
            let statement = scope.program().instruction_spans[last].statement;
            Diagnostic::new(&FALL_INTO_SUBROUTINE, place, message).also(statement, "control goes on behind this")
        }
        None => Diagnostic::new(&FALL_INTO_SUBROUTINE, place, format!("control runs into the subroutine `{name}`")),
    };
    sink.report(diagnostic.help("end the subroutine above with `ret`"));
}

fn report_end(scope: &Scope, sink: &mut Sink, subroutine: SubroutineId, block: &Block, last: Option<InstructionIndex>) {
    let program = scope.program();
    if scope.object.kind == ObjectKind::Fragment {
        // The kernel goes on behind it.
        return;
    }
    let label = scope.flow.subroutines[subroutine].label.filter(|_| subroutine.0 > 0);
    if label.is_none() && scope.object.kind == ObjectKind::Missing {
        // The missing `.kernel` was reported: what stands before it may belong below.
        return;
    }
    let (noun, name, opened) = match label {
        Some(label) => ("subroutine", program.names.name(program.labels[label].name), program.labels[label].span),
        None => (scope.noun(), program.names.name(scope.object.name), scope.object.name_span),
    };
    let is_function = label.is_none() && scope.object.kind == ObjectKind::Function;
    let wanted = spec::mnemonic_of(if is_function { Flow::FunctionReturn } else { Flow::Return });
    let Some(last) = last else {
        // Control gets here by the last label, which may be that of the subroutine itself.
        let end = scope.object.labels.clone().next_back().map_or(opened, |l| program.labels[LabelId(l)].span);
        let message = format!("nothing follows this label: {noun} `{name}` ends without `{wanted}`");
        let level = if label.is_some() { Level::Error } else { Level::Warning };
        let diagnostic =
            Diagnostic::new(&MISSING_RETURN, end, message).level(level).label("control runs off the end here");
        sink.report(diagnostic.help(format!("add `{wanted} (M1, 1)` behind it")));
        return;
    };
    let place = program.instruction_spans[last].statement;
    let is_return = block.ends == BlockEnd::Return && block.last() == Some(last);
    if is_return && program.instructions[last].is_broken {
        return;
    }
    let message = if is_return {
        format!(
            "{noun} `{name}` ends with a predicated `{}`: lanes that do not return run off its end",
            scope.mnemonic(last)
        )
    } else {
        format!("{noun} `{name}` ends without `{wanted}`")
    };
    let is_fatal = is_return || ends_with_branch(block) || label.is_some() || calls_without_return(scope);
    let level = if is_fatal { Level::Error } else { Level::Warning };
    let diagnostic =
        Diagnostic::new(&MISSING_RETURN, place, message).level(level).label("control runs off the end here");
    sink.report(diagnostic.also(opened, format!("the {noun}")).help(format!("add `{wanted} (M1, 1)` behind it")));
}

/// `ret` and `fret` in the wrong place.
fn returns(scope: &Scope, sink: &mut Sink) {
    for block in scope.flow.blocks.iter() {
        let Some(last) = block.last() else { continue };
        let spans = &scope.program().instruction_spans[last];
        let (message, meant) = match (scope.flow_of(last), scope.object.kind) {
            (Some(Flow::FunctionReturn), ObjectKind::Kernel) => {
                ("a kernel is left with `ret`, not `fret`", Flow::Return)
            }
            (Some(Flow::Return), ObjectKind::Function) if block.subroutine.0 == 0 => {
                ("a function is left with `fret`: `ret` ends the thread", Flow::FunctionReturn)
            }
            _ => continue,
        };
        let diagnostic = Diagnostic::new(&WRONG_RETURN, spans.mnemonic, message);
        sink.report(diagnostic.also(scope.object.name_span, format!("the {}", scope.noun())).replace(
            spans.mnemonic,
            spec::mnemonic_of(meant),
            false,
        ));
    }
}
