//! Reads of what nothing has written.

use super::Finding;
use super::writers::always_follows;
use crate::base::diagnostic::Diagnostic;
use crate::base::id::Id as _;
use crate::base::rule::Level;
use crate::checks::common::execution::{UNDEFINED_PREDICATE, UNDEFINED_REGISTER};
use crate::checks::common::fragment::UNSET_OUTPUT;
use crate::checks::context::Context;
use crate::checks::flow::registers::{DESTROYED_BY_CALL, MORE_RESULTS};
use crate::checks::kernel::is_in_media_kernel;
use crate::checks::memory::surface::{UNINITIALIZED_SAMPLER, UNINITIALIZED_SURFACE};
use crate::checks::table::bytes::OPERAND_OUT_OF_BOUNDS;
use crate::interp::FactKind;
use crate::interp::Observed;
use crate::interp::state::Undefined;
use crate::interp::transfer::UnsetPredicate;
use crate::program::cfg::{Block, BlockId};
use crate::program::pardon::Pardon;
use crate::program::variable::FLAG_OPERAND;
use crate::program::{Footprint, InstructionIndex, Operand, SourceModifier, VariableId};
use crate::spec::Instruction;
use crate::spec::family::{Check, Family};
use crate::spec::instruction::{AccessKind, Flow};
use crate::spec::operation::Operation;
use crate::spec::predefined::VariableKind;
use rustc_hash::FxHashMap;

crate::declare_rule! {
    /// Bytes of a message's result that the message leaves undefined: the upper bytes after a gather of bytes or words, the
    /// rest of the last register after the lanes, odd elements of `sad2`.
    ///
    /// ```visa bad
    /// gather_scaled.1 (M1, 8) T6 0x0:ud VUD.0 VUD.64
    /// add (M1, 8) VUD(4,0)<1> VUD(2,0)<8;8,1> 0x1:ud
    /// ```
    /// ```visa good
    /// gather_scaled.1 (M1, 8) T6 0x0:ud VUD.0 VUD.64
    /// and (M1, 8) VUD(4,0)<1> VUD(2,0)<8;8,1> 0xff:ud
    /// ```
    pub UNDEFINED_RESULT = "undefined-result", Warning | Pedantic, "3_execution_model",
        help = "read only the elements that the message writes, or convert them with a wider data shape"
}

crate::declare_rule! {
    /// An address variable that is used although nothing has set it, or one of the paths leaves it unset (a warning).
    ///
    /// ```visa bad
    /// mov (M1, 8) VUD(0,0)<1> r[A0(0),0]<8;8,1>:ud
    /// ```
    /// ```visa good
    /// addr_add (M1_NM, 1) A0(0)<1> &VUB 0x20:uw
    /// mov (M1, 8) VUD(0,0)<1> r[A0(0),0]<8;8,1>:ud
    /// ```
    pub UNDEFINED_ADDRESS = "undefined-address", Error | Warning, "5_operands",
        help = "set it with `addr_add` on every path that leads here"
}

crate::declare_rule! {
    /// A call that hands over argument registers which nothing has set, or not on one of the paths.
    ///
    /// ```visa bad
    /// fcall (M1, 16) other_function 1 0
    /// ```
    /// ```visa good
    /// .decl Vx v_type=G type=d num_elts=16 align=GRF alias=<%arg, 0>
    /// mov (M1, 16) Vx(0,0)<1> 0x1:d
    /// fcall (M1, 16) other_function 1 0
    /// ```
    pub MISSING_ARGUMENT = "missing-argument", Warning | Pedantic, "FCALL",
        help = "write the argument to `%arg` before the call, or say a smaller number of registers"
}

crate::declare_rule! {
    /// A function that returns without having set the result that it declares: none of it, not on one of the paths, or only
    /// a part of a variable in it.
    ///
    /// ```visa bad
    /// .version 4.1
    /// .kernel "k"
    /// .kernel_attr Target="cm"
    /// ret (M1, 1)
    /// .global_function "f"
    /// .decl Vx v_type=G type=d num_elts=16 align=GRF
    /// .kernel_attr Target="cm"
    /// .kernel_attr Extern
    /// .kernel_attr ArgSize=0
    /// .kernel_attr RetValSize=2
    /// mov (M1, 16) Vx(0,0)<1> 0x1:d
    /// fret (M1, 16)
    /// ```
    /// ```visa good
    /// .version 4.1
    /// .kernel "k"
    /// .kernel_attr Target="cm"
    /// ret (M1, 1)
    /// .global_function "f"
    /// .decl Vx v_type=G type=d num_elts=16 align=GRF alias=<%retval, 0>
    /// .kernel_attr Target="cm"
    /// .kernel_attr Extern
    /// .kernel_attr ArgSize=0
    /// .kernel_attr RetValSize=2
    /// mov (M1, 16) Vx(0,0)<1> 0x1:d
    /// fret (M1, 16)
    /// ```
    pub MISSING_RESULT = "missing-result", Warning | Pedantic, "FRET"
}

/// Findings about what is not defined.
pub fn describe(finding: &Finding) -> Option<Diagnostic> {
    let view = &finding.view;
    let program = view.cx.program;
    let place = finding.place();
    Some(match &finding.fact.kind {
        FactKind::Observed(Observed::UndefinedVariable(u, _))
            if is_unset_handle(finding) || may_be_input(finding, u) =>
        {
            return None;
        }
        FactKind::Observed(Observed::UndefinedVariable(undefined, _)) if let Some(variable) = handle(finding) => {
            let name = program.variable_name(variable);
            let rule = match program.variables[variable].kind {
                VariableKind::Sampler => &UNINITIALIZED_SAMPLER,
                _ => &UNINITIALIZED_SURFACE,
            };
            let message = format!("`{name}` is used, but {}", unset(undefined.is_possible));
            let level = possible_level(finding, undefined.is_possible, Level::Warning);
            let diagnostic = Diagnostic::new(rule, place, message)
                .level(level)
                .help(format!("set it on every path, with `movs (M1_NM, 1) {name}(0) ...`"));
            left_out(finding, diagnostic, Some(variable), undefined.is_possible)
        }
        FactKind::Observed(Observed::UndefinedVariable(undefined, byte)) => register(finding, *undefined, *byte),
        FactKind::Observed(Observed::UndefinedAddress { element, is_possible }) => {
            let variable = finding.operand().and_then(Operand::variable);
            let name = variable.map_or("the address", |v| program.variable_name(v));
            let message = format!("`{name}({element})` is used, but {}", unset(*is_possible));
            let diagnostic = Diagnostic::new(&UNDEFINED_ADDRESS, place, message).level(possible_level(
                finding,
                *is_possible,
                Level::Error,
            ));
            left_out(finding, diagnostic, variable, *is_possible)
        }
        FactKind::Observed(Observed::UndefinedPredicate(UnsetPredicate {
            variable,
            lane,
            is_partial,
            is_possible,
        })) => {
            let name = program.variable_name(*variable);
            let message = if *is_partial && !is_possible {
                format!("`{name}` is read for lane {lane}, which nothing has set")
            } else {
                format!("`{name}` is read, but {}", unset(*is_possible))
            };
            let place = if finding.fact.operand.is_some() { place } else { view.spans.predicate };
            let place = if place.is_empty() { view.spans.mnemonic } else { place };
            // A copy of a predicate takes all of it, and so does a compiler that combines predicates in all lanes; the rest is
            // masked off afterwards. Of a compiler's, none of the lanes that it was set for need be there.
            let is_compiled = Pardon::UndefinedValue.holds_in(program);
            let takes_all = view.row.family == Family::Move || view.instruction.no_mask && is_compiled;
            let is_set = || finding.writers_of(*variable).any(|writer| writer < finding.fact.instruction);
            let takes_rest = takes_all && (*is_partial || is_compiled && is_set());
            let level = if finding.fact.operand.is_some() && takes_rest {
                Level::Pedantic
            } else {
                possible_level(finding, *is_possible, passed_through(finding, Some(*variable)))
            };
            let diagnostic = Diagnostic::new(&UNDEFINED_PREDICATE, place, message).level(level);
            left_out(finding, diagnostic, Some(*variable), *is_possible)
        }
        FactKind::MissingArgument { byte, is_possible } => {
            let register = byte / view.cx.any_grf_bytes();
            Diagnostic::new(
                &MISSING_ARGUMENT,
                place,
                format!(
                    "`{}` hands over register {register} of `%arg`, which {}",
                    view.row.mnemonic,
                    if *is_possible { "one of the paths leaves unset" } else { "nothing has set" }
                ),
            )
            .level(possible_level(finding, *is_possible, Level::Warning))
        }
        FactKind::MissingResult { .. } if !finding.is_read_in_full() => return None,
        FactKind::MissingResult { byte, is_possible } => {
            let register = byte / view.cx.any_grf_bytes();
            let message = match (register, is_possible) {
                (0, false) => "the function returns, but nothing has set `%retval`".to_owned(),
                (_, false) => format!("the function returns, but nothing has set register {register} of `%retval`"),
                (_, true) => {
                    format!("the function returns, and one of the paths leaves register {register} of `%retval` unset")
                }
            };
            Diagnostic::new(&MISSING_RESULT, place, message)
                .help("set it, or declare `RetValSize=0`")
                .level(possible_level(finding, *is_possible, Level::Warning))
        }
        FactKind::BeyondInterface { variable, byte, size } => {
            let name = program.variable_name(*variable);
            let message =
                format!("`{}` reaches byte {byte} of `{name}`, of which the function has {size}", finding.written());
            let attribute = if name == "%arg" { "ArgSize" } else { "RetValSize" };
            Diagnostic::new(&OPERAND_OUT_OF_BOUNDS, place, message).label(format!("`{attribute}` counts registers"))
        }
        _ => return None,
    })
}

/// Whether the variable that is read may be an input whose name could not be read.
fn may_be_input(finding: &Finding, undefined: &Undefined) -> bool {
    let program = finding.view.cx.program;
    program.objects[program.object_of(finding.fact.instruction)].has_nameless_input
        && undefined
            .pointed
            .or_else(|| finding.operand()?.variable())
            .is_none_or(|variable| finding.writers_of(program.variables[variable].root).next().is_none())
}

/// The reads of undefined values that were reported. A missing write is reported once, however many instructions read the
/// value.
#[derive(Default)]
pub struct Reported {
    /// The first read of each variable from a byte on under each predicate, by rule and level.
    first: FxHashMap<(VariableId, i64, u32, Condition, &'static str, Level), InstructionIndex>,
}

/// The predicate of a read: its variable, and whether it is inverted. A read under one says nothing of lanes that another
/// one lets through.
type Condition = Option<(VariableId, bool)>;

impl Reported {
    /// Whether a finding is about what an instruction before it, on every path, reads as well; remembers it if not.
    pub fn repeats(&mut self, finding: &Finding, diagnostic: &Diagnostic) -> bool {
        let program = finding.view.cx.program;
        let operand = finding.operand();
        let (variable, lane, is_left) = match &finding.fact.kind {
            FactKind::Observed(Observed::UndefinedVariable(undefined, _)) => {
                (operand.and_then(Operand::variable), undefined.lane, undefined.left_by.is_some())
            }
            FactKind::Observed(Observed::UndefinedPredicate(unset)) => (Some(unset.variable), unset.lane, false),
            _ => return false,
        };
        let Some(variable) = variable else { return false };
        let from = match operand {
            Some(Operand::General { row, column, .. }) => {
                let element_bytes = i64::from(program.variables[variable].element_bytes());
                i64::from(*row) * i64::from(finding.view.cx.any_grf_bytes()) + i64::from(*column) * element_bytes
            }
            Some(Operand::Raw { byte_offset, .. }) => i64::from(*byte_offset),
            _ => 0,
        };
        let read = finding.fact.instruction;
        let condition = finding.view.instruction.predicate.map(|p| (p.variable, p.is_inverted));
        let key = (variable, from, lane, condition, diagnostic.rule.name, diagnostic.level);
        let known = self.first.get(&key).copied().filter(|first| !is_left || *first == read);
        let Some(first) = known else {
            self.first.insert(key, read);
            return false;
        };
        let root = program.variables[variable].root;
        // An instruction that reads it twice lacks one write.
        first == read
            || first < read
                && always_follows(finding.view.cx, first, read)
                && finding.writers_of(root).find(|writer| *writer >= first).is_none_or(|writer| writer >= read)
    }
}

/// The surface or sampler variable that an operand is.
fn handle(finding: &Finding) -> Option<VariableId> {
    let Operand::Handle { variable, .. } = *finding.operand()? else { return None };
    let kind = finding.view.cx.program.variables[variable].kind;
    matches!(kind, VariableKind::Surface | VariableKind::Sampler).then_some(variable)
}

/// Whether a surface or sampler is used that nothing sets at all, which the text alone shows.
fn is_unset_handle(finding: &Finding) -> bool {
    let Some(Operand::Handle { variable, .. }) = finding.operand() else { return false };
    finding.writers_of(finding.view.cx.program.variables[*variable].root).next().is_none()
}

fn register(finding: &Finding, undefined: Undefined, byte: Option<u32>) -> Diagnostic {
    let view = &finding.view;
    let program = view.cx.program;
    let place = finding.place();
    let written = finding.written();
    let operand = finding.operand();
    let variable = undefined.pointed.or_else(|| operand.and_then(Operand::variable));
    let lane = undefined.lane + u32::from(view.instruction.mask_offset);
    let root = variable.map(|v| program.variables[v].root);
    let is_written_before =
        |root| finding.writers_of(root).next().is_some_and(|first| first < finding.fact.instruction);
    let is_first = |root| !undefined.is_partial || !is_written_before(root);
    let is_unset = undefined.left_by.is_none() && !undefined.is_possible;
    let is_output = |root: &VariableId| is_unset && program.variables[*root].is(FLAG_OPERAND) && is_first(*root);
    if let Some(root) = root.filter(is_output) {
        let name = program.variable_name(root);
        let message = format!("`{written}` reads the output `{name}` before anything is written to it");
        let diagnostic = Diagnostic::new(&UNSET_OUTPUT, place, message).help("declare it with `+rw`");
        return diagnostic.declared_at(program.variable_spans[root].name);
    }
    // A call brings the result; the paths without it do not.
    let is_result = undefined.is_possible && root.and_then(VariableId::predefined).is_some_and(|p| p.name == "%retval");
    let Some(left_by) = undefined.left_by.filter(|_| !is_result) else {
        let what = match (undefined.is_possible, undefined.is_partial) {
            (true, _) => "what one of the paths leaves unwritten",
            (false, true) => "bytes that nothing has written",
            (false, false) => "what nothing has written",
        };
        let first = match (byte, root) {
            (Some(byte), Some(root)) => format!("at byte {byte} of `{}`", program.variable_name(root)),
            _ => format!("in lane {lane}"),
        };
        let message = format!("`{written}` reads {what}, first {first}");
        let level =
            if is_padding(finding, operand, undefined) { Level::Pedantic } else { passed_through(finding, variable) };
        let level = possible_level(finding, undefined.is_possible, level);
        let diagnostic = Diagnostic::new(&UNDEFINED_REGISTER, place, message).level(level);
        let diagnostic = left_out(finding, diagnostic, variable, undefined.is_possible);
        // The first write below: very likely the two have changed places.
        return match first_write_below(finding, variable) {
            Some(below) => diagnostic.also(finding.statement(below), "first written here"),
            None => diagnostic,
        };
    };
    let row = program.row(&program.instructions[left_by]);
    let mnemonic = row.map_or("an instruction", |row| row.mnemonic);
    if row.is_some_and(|row| row.flow == Flow::FunctionCall) {
        let path = if undefined.is_possible { " on one of the paths" } else { "" };
        if root.and_then(VariableId::predefined).is_some_and(|p| p.name == "%retval") {
            let message =
                format!("`{written}` reads a register of `%retval` that the call before does not return{path}");
            return Diagnostic::new(&DESTROYED_BY_CALL, place, message)
                .also(finding.statement(left_by), "the call")
                .help(MORE_RESULTS);
        }
        let message = format!("`{written}` reads what a call has destroyed{path}");
        return Diagnostic::new(&DESTROYED_BY_CALL, place, message)
            .also(finding.statement(left_by), "the call")
            .help("copy it before the call, or write it again after it");
    }
    let message = if undefined.is_partial {
        format!("`{written}` reads elements of which `{mnemonic}` leaves some bytes undefined")
    } else {
        format!("`{written}` reads elements from lane {lane} on, which `{mnemonic}` leaves undefined")
    };
    // The word that an atomic operation of 16 bits gives back is widened in registers: what is computed of the rest is cut
    // off in the end. A shuffle gives back what the defined bits of an index, its last operand, name.
    let is_atomic = row.is_some_and(|row| row.accesses(AccessKind::Atomic));
    let is_index =
        view.row.has(Check::Shuffle) && finding.fact.operand.is_some_and(|i| usize::from(i) + 1 == view.operands.len());
    // The bytes of a register that a narrow result leaves are often computed with, and the result is not used.
    let is_rest = row.is_some_and(|row| row.operands.iter().any(|slot| slot.channel_bytes.is_some()));
    let is_pardoned =
        undefined.is_partial && (is_atomic || is_index) || is_rest || is_padding(finding, operand, undefined);
    let level = if is_pardoned { Level::Pedantic } else { Level::Warning };
    let diagnostic = Diagnostic::new(&UNDEFINED_RESULT, place, message)
        .level(level)
        .also(finding.statement(left_by), "the last write");
    if row.is_some_and(Instruction::touches_memory) {
        return diagnostic;
    }
    diagnostic.help(format!("read only the elements that `{mnemonic}` writes"))
}

/// The level of a read of a value that nothing has written: see [`Pardon::UndefinedValue`].
fn passed_through(finding: &Finding, variable: Option<VariableId>) -> Level {
    let program = finding.view.cx.program;
    let Some(variable) = variable.filter(|_| Pardon::UndefinedValue.holds_in(program)) else { return Level::Warning };
    let root = program.variables[variable].root;
    let object = &program.objects[program.object_of(finding.fact.instruction)];
    let labels = program.labels_of(object);
    let is_in_subroutine = labels.iter().any(|l| {
        l.is_function && l.instruction > object.instructions.start && l.instruction <= finding.fact.instruction.0
    });
    let read = finding.fact.instruction;
    let mut writers = finding.writers_of(root).filter(|writer| *writer != read);
    let is_pardoned = is_in_subroutine
        || is_merge(finding)
        || match writers.next() {
            None => true,
            // Something is written before the read, on another path.
            Some(first) if first < read => false,
            // What stands behind the read, and does not come back to it, says nothing once another write does.
            Some(first) => is_carried(finding, first),
        };
    if is_pardoned { Level::Pedantic } else { Level::Warning }
}

/// Whether an operand is chosen for the register that it comes from: the lanes that take it keep what they have, like those
/// of a predicated move. This is how a compiler prints a choice of which one side is undefined in the source.
fn is_merge(finding: &Finding) -> bool {
    let view = &finding.view;
    let read = finding.operand();
    let bytes = |operand| Footprint::new(view.cx.program, operand, view.exec_size(), view.cx.any_grf_bytes());
    view.row.operation == Some(Operation::Sel)
        && view.instruction.predicate.is_some()
        && read.is_some_and(|read| {
            read.modifier() == SourceModifier::None
                && matches!((view.operands.first().and_then(bytes), bytes(read)), (Some(to), Some(from)) if to.is_same(&from))
        })
}

/// Whether a compiler sends data of which something has been written: the rest is the padding of a vector. It also copies
/// members of a structure with the padding between them, and computes in a media kernel with vectors of which the source has
/// set a part.
fn is_padding(finding: &Finding, operand: Option<&Operand>, undefined: Undefined) -> bool {
    let program = finding.view.cx.program;
    let is_copy = finding.view.row.operation == Some(Operation::Mov);
    let is_vector = match operand {
        // Scales of dpas stand in rows, with holes between them.
        Some(Operand::Raw { .. } | Operand::LscData { .. } | Operand::Element { .. }) => true,
        Some(Operand::General { .. }) => undefined.is_partial && is_copy || is_in_media_kernel(&finding.view),
        _ => false,
    };
    let Some(root) = operand.filter(|_| is_vector).and_then(Operand::variable).map(|v| program.variables[v].root)
    else {
        return false;
    };
    Pardon::UndefinedValue.holds_in(program)
        && finding.writers_of(root).next().is_some_and(|first| first < finding.fact.instruction)
}

/// Whether a write reaches the read of a finding in a later pass of a loop around both: a branch behind the write goes
/// back to a place before the read.
fn is_carried(finding: &Finding, writer: InstructionIndex) -> bool {
    let cx = finding.view.cx;
    let read = finding.fact.instruction;
    let flow = &cx.flow[cx.program.object_of(read)];
    let goes_back = |block: &Block| {
        let from = flow.block_of(InstructionIndex(block.start));
        block.end > writer.0 && flow.successors(from).iter().any(|to| flow.blocks[*to].start <= read.0)
    };
    writer > read && flow.blocks.iter().any(goes_back)
}

/// The words for a variable that is not set.
const fn unset(is_possible: bool) -> &'static str {
    if is_possible { "one of the paths leaves it unset" } else { "nothing has set it" }
}

/// Whether a read of what only one of the paths leaves unset could be reported: in compiler output only where the settings
/// raise one of the rules to pedantic, since a compiler knows which paths come together.
#[must_use]
pub fn wants_paths(cx: &Context) -> bool {
    !Pardon::UndefinedValue.holds_in(cx.program)
        || [
            &UNDEFINED_REGISTER,
            &UNDEFINED_ADDRESS,
            &UNDEFINED_PREDICATE,
            &UNINITIALIZED_SURFACE,
            &UNINITIALIZED_SAMPLER,
        ]
        .into_iter()
        .any(|rule| cx.options.level_of(rule, Level::Pedantic).is_some())
}

/// The level if only one of the paths leaves the variable unset; else `level`.
fn possible_level(finding: &Finding, is_possible: bool, level: Level) -> Level {
    match is_possible {
        true if Pardon::UndefinedValue.holds_in(finding.view.cx.program) => Level::Pedantic,
        true => Level::Warning,
        false => level,
    }
}

/// The first instruction below that writes the variable of an operand.
fn first_write_below(finding: &Finding, variable: Option<VariableId>) -> Option<InstructionIndex> {
    let program = finding.view.cx.program;
    let root = program.variables[variable?].root;
    let read = finding.fact.instruction;
    finding.writers_of(root).find(|writer| *writer > read).filter(|writer| writer.0 <= read.0 + MAX_SEARCH)
}

/// How far a report looks for a write.
const MAX_SEARCH: u32 = 200;

/// Points at the declaration of what is read, and at the write above that leaves it out, or at the branch past that write.
fn left_out(finding: &Finding, diagnostic: Diagnostic, variable: Option<VariableId>, is_possible: bool) -> Diagnostic {
    let Some(variable) = variable else { return diagnostic };
    let diagnostic = diagnostic.declared_at(finding.view.program.variable_spans[variable].name);
    let Some(write) = last_write_above(finding, variable) else { return diagnostic };
    if !is_possible {
        return diagnostic.also(finding.statement(write), "the last write leaves it out");
    }
    match branch_past(finding, write) {
        Some(branch) => diagnostic
            .also(finding.statement(branch), "this branch goes past the write")
            .also(finding.statement(write), "written here"),
        None => diagnostic,
    }
}

/// The last instruction above that writes the variable of an operand.
fn last_write_above(finding: &Finding, variable: VariableId) -> Option<InstructionIndex> {
    let root = finding.view.program.variables[variable].root;
    let read = finding.fact.instruction;
    finding.last_writer_above(root).filter(|writer| writer.0 + MAX_SEARCH >= read.0)
}

/// The nearest branch above a write from which control goes to a place between the write and the read of a finding.
fn branch_past(finding: &Finding, write: InstructionIndex) -> Option<InstructionIndex> {
    let cx = finding.view.cx;
    let read = finding.fact.instruction;
    let flow = &cx.flow[cx.program.object_of(read)];
    let own = flow.block_of(write).index();
    let goes_past = |block: &usize| {
        flow.successors(BlockId::from_index(*block)).iter().any(|to| {
            let start = flow.blocks[*to].start;
            write.0 < start && start <= read.0
        })
    };
    let block = (own.saturating_sub(MAX_SEARCH as usize)..own).rev().find(goes_past)?;
    flow.blocks[BlockId::from_index(block)].end.checked_sub(1).map(InstructionIndex)
}
