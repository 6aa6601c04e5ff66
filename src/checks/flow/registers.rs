//! The registers that carry arguments and results of function calls, followed along the control flow.

use super::Scope;
use crate::base::diagnostic::Diagnostic;
use crate::base::id::Id;
use crate::base::span::Span;
use crate::checks::context::Sink;
use crate::program::cfg::BlockId;
use crate::program::dataflow::{self, Analysis, Direction};
use crate::program::variable::FLAG_ADDRESS_TAKEN;
use crate::program::{Instruction, InstructionIndex, Operand, Program, VariableId};
use crate::spec::PlatformSet;
use crate::spec::instruction::{Flow, Role};
use rustc_hash::FxHashMap;

crate::declare_rule! {
    /// An argument or result register that is read after a function call destroyed it. A call with n argument registers
    /// leaves the first n registers of `%arg` undefined; of `%retval` only those are defined that it returns. Reported
    /// only where every path of control leads through such a call.
    ///
    /// ```visa bad
    /// .decl Vx v_type=G type=d num_elts=16 align=GRF alias=<%arg, 0>
    /// mov (M1, 16) Vx(0,0)<1> 0x1:d
    /// fcall (M1, 16) other_function 2 0
    /// mov (M1, 16) VD(0,0)<1> Vx(0,0)<16;16,1>
    /// ```
    /// ```visa good
    /// .decl Vx v_type=G type=d num_elts=16 align=GRF alias=<%arg, 0>
    /// mov (M1, 16) Vx(0,0)<1> 0x1:d
    /// mov (M1, 16) VD(0,0)<1> Vx(0,0)<16;16,1>
    /// fcall (M1, 16) other_function 2 0
    /// ```
    pub DESTROYED_BY_CALL = "destroyed-by-call", Warning, "FCALL"
}

/// What to do where a call returns fewer registers than are read.
pub const MORE_RESULTS: &str =
    "let the call return as many registers, by its last number, or read only those that it returns";

/// Registers that a call destroyed on every path, a bit each: those of `%arg`, and those of `%retval`.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Destroyed([u32; 2]);

impl Destroyed {
    const NONE: Self = Self([0; 2]);
    /// Stands for places that no path has reached yet.
    const ALL: Self = Self([u32::MAX; 2]);

    fn and(self, other: Self) -> Self {
        Self([self.0[0] & other.0[0], self.0[1] & other.0[1]])
    }
}

/// A read of a register that was destroyed.
struct Finding {
    span: Span,
    variable: VariableId,
    register: i64,
    /// How many registers before it the call has left defined.
    n_defined: u32,
    failing: PlatformSet,
}

/// Checks the argument and result registers of an object that calls functions.
pub fn check(scope: &Scope, sink: &mut Sink) {
    let program = scope.program();
    let bases = [VariableId::of_predefined("%arg"), VariableId::of_predefined("%retval")];
    let own = scope.object.variables.clone().map(VariableId);
    let mut aliases =
        own.chain(bases.into_iter().flatten()).map(|v| &program.variables[v]).filter(|v| bases.contains(&Some(v.root)));
    if aliases.any(|v| v.is(FLAG_ADDRESS_TAKEN)) {
        return;
    }
    let mut findings: FxHashMap<Span, Finding> = FxHashMap::default();
    for grf_bytes in scope.cx.platforms.grf_sizes() {
        let walk = Walk { scope, bases, grf_bytes };
        walk.find(&mut |span, variable, register, n_defined| {
            let failing = PlatformSet::NONE;
            let finding = findings.entry(span).or_insert(Finding { span, variable, register, n_defined, failing });
            finding.failing = finding.failing.or(PlatformSet::with_grf_bytes(grf_bytes));
        });
    }
    let mut findings: Vec<Finding> = findings.into_values().collect();
    findings.sort_by_key(|f| f.span);
    for finding in findings {
        sink.report_on(scope.cx, finding.failing, || {
            let root = program.variables[finding.variable].root;
            let name = program.variable_name(root);
            let read = format!("`{}` reads register {} of `{name}`", scope.cx.text(finding.span), finding.register);
            let (message, help) = if Some(root) == bases[1] {
                let returned = match finding.n_defined {
                    0 => "nothing".to_owned(),
                    1 => "one register only".to_owned(),
                    n => format!("{n} registers only"),
                };
                (format!("{read}, but the call before returns {returned}"), MORE_RESULTS)
            } else {
                (format!("{read}, which a call has destroyed"), "copy it to another variable before the call")
            };
            Diagnostic::new(&DESTROYED_BY_CALL, finding.span, message)
                .declared_at(program.variable_spans[finding.variable].name)
                .help(help)
        });
    }
}

struct Walk<'a> {
    scope: &'a Scope<'a>,
    bases: [Option<VariableId>; 2],
    grf_bytes: u32,
}

impl Analysis for &Walk<'_> {
    type Fact = Destroyed;

    fn direction(&self) -> Direction {
        Direction::Forward
    }

    fn join(&mut self, _: usize, known: &mut Destroyed, coming: &Destroyed) -> bool {
        let both = known.and(*coming);
        std::mem::replace(known, both) != both
    }

    fn transfer(&mut self, node: usize, state: &mut Destroyed) -> bool {
        for index in self.scope.flow.blocks[BlockId::from_index(node)].instructions() {
            self.step(index, state, &mut |_, _, _, _| {});
        }
        true
    }
}

impl Walk<'_> {
    /// Finds the reads of destroyed registers.
    fn find(&self, found: &mut impl FnMut(Span, VariableId, i64, u32)) {
        let flow = self.scope.flow;
        let mut before = vec![Destroyed::ALL; flow.blocks.len()];
        for subroutine in 0..flow.subroutines.len() {
            before[flow.entry_of(Id::from_index(subroutine)).index()] = Destroyed::NONE;
        }
        let first = flow.order.iter().map(|block| block.index());
        dataflow::solve(flow, &mut &*self, &mut before, first);
        for &block in &flow.order {
            let mut state = before[block.index()];
            for index in flow.blocks[block].instructions() {
                self.step(index, &mut state, found);
            }
        }
    }

    /// What an instruction reads, and what it makes of the registers.
    fn step(&self, index: InstructionIndex, state: &mut Destroyed, found: &mut impl FnMut(Span, VariableId, i64, u32)) {
        let program = self.scope.program();
        let instruction = &program.instructions[index];
        let Some(row) = program.row(instruction) else {
            *state = Destroyed::NONE;
            return;
        };
        match row.flow {
            // The subroutine may write them.
            Flow::Call => *state = Destroyed::NONE,
            Flow::FunctionCall => {
                *state =
                    if instruction.predicate.is_some() { Destroyed::NONE } else { after_call(program, instruction) };
            }
            _ if *state == Destroyed::NONE => {}
            _ => {
                let range = instruction.operands();
                let operands = || {
                    program.operands[range.clone()]
                        .iter()
                        .zip(&program.operand_spans[range.clone()])
                        .zip(&program.operand_slots[range.clone()])
                };
                // Sources are read before the destination is written.
                for roles in [[Role::Source, Role::Both], [Role::Destination, Role::Both]] {
                    let is_read = roles[0] == Role::Source;
                    for ((operand, spans), slot) in operands() {
                        if !roles.contains(&row.operands[usize::from(*slot)].role) {
                            continue;
                        }
                        let Some((base, first, last)) =
                            self.registers(operand, u32::from(instruction.exec_size), !is_read)
                        else {
                            continue;
                        };
                        if !is_read {
                            state.0[base] &= !bits(first, last);
                        } else if state.0[base] & bits(first, first) != 0 {
                            let n_defined = state.0[base].trailing_zeros();
                            found(spans.whole, operand.variable().unwrap_or(VariableId::NULL), first, n_defined);
                        }
                    }
                }
            }
        }
    }

    /// The base and the first and last register of an operand that lies in one of the two variables. Of messages only the
    /// first register is certain; where they write, all that follow count as written.
    fn registers(&self, operand: &Operand, exec_size: u32, is_written: bool) -> Option<(usize, i64, i64)> {
        let program = self.scope.program();
        let variable = operand.variable()?;
        let info = &program.variables[variable];
        let base = self.bases.iter().position(|b| *b == Some(info.root))?;
        let grf_bytes = i64::from(self.grf_bytes);
        let element_bytes = i64::from(info.element_bytes());
        let (start, bytes) = match *operand {
            Operand::General { row, column, region, .. } => {
                let bytes = (i64::from(region.last_element(exec_size)) + 1) * element_bytes;
                (i64::from(row) * grf_bytes + i64::from(column) * element_bytes, bytes)
            }
            Operand::Element { row, column, .. } => {
                (i64::from(row) * grf_bytes + i64::from(column) * element_bytes, element_bytes)
            }
            Operand::Raw { byte_offset, .. }
            | Operand::LscData { byte_offset, .. }
            | Operand::WithLength { byte_offset, .. } => (
                i64::from(byte_offset),
                if is_written { i64::from(program.variable_bytes(variable, self.grf_bytes)) } else { 1 },
            ),
            _ => return None,
        };
        let first = start + i64::from(info.root_offset);
        Some((base, first.div_euclid(grf_bytes), (first + bytes - 1).div_euclid(grf_bytes)))
    }
}

/// What a call destroys.
fn after_call(program: &Program, instruction: &Instruction) -> Destroyed {
    let mut sizes = program.operands_of(instruction).iter().filter_map(|o| match o {
        Operand::Number { value } => Some(*value),
        _ => None,
    });
    match (sizes.next(), sizes.next()) {
        (Some(n_arguments), Some(n_results)) => Destroyed([bits(0, n_arguments - 1), bits(n_results, 31)]),
        _ => Destroyed::NONE,
    }
}

/// The bits of the registers from `first` to `last`; registers beyond 31 are not followed.
fn bits(first: i64, last: i64) -> u32 {
    (first.max(0)..=last.min(31)).fold(0, |bits, register| bits | 1 << register)
}
