//! Sampler reads after writes to the same surface, followed along the control flow and through subroutines.

use crate::base::diagnostic::Diagnostic;
use crate::base::id::Id as _;
use crate::checks::context::{Context, Sink};
use crate::program::cfg::{BlockEnd, BlockId, ControlFlow};
use crate::program::dataflow::{self, Analysis, Direction};
use crate::program::{Instruction, InstructionIndex, Object, Operand, Program, VariableId};
use crate::spec;
use crate::spec::ModifierName;
use crate::spec::family::Check;
use crate::spec::instruction::ModifierKind;
use crate::spec::instruction::OperandKind;
use crate::spec::instruction::{AccessKind, Custom, Effect, Flow};
use crate::spec::operation::Operation;
use crate::spec::predefined::VariableKind;
use rustc_hash::FxHashSet;

crate::declare_rule! {
    /// A surface that is sampled after a write to it, without a flush of the sampler cache between. The sampler reads
    /// through a cache of its own, which writes do not pass: it may return what was there before. `fence_global.S`,
    /// `sampler_cache_flush` or an LSC fence with an eviction makes the write visible.
    ///
    /// ```visa bad
    /// // platform: ICLLP
    /// scatter4_scaled.R (M1, 16) T6 0x0:ud VUD.0 VF.0
    /// load_lz.R (M1, 16) 0x0:uw T6 VF2.0 %null.0 VUD.0 VUD.64
    /// ```
    /// ```visa good
    /// // platform: ICLLP
    /// scatter4_scaled.R (M1, 16) T6 0x0:ud VUD.0 VF.0
    /// fence_global.ES
    /// load_lz.R (M1, 16) 0x0:uw T6 VF2.0 %null.0 VUD.0 VUD.64
    /// ```
    pub STALE_SAMPLER_READ = "stale-sampler-read", Warning, "3_execution_model"
}

/// Surfaces that are followed in one object, a bit each; further ones are not.
const MAX_SURFACES: usize = 64;

/// What an instruction does to what the sampler may read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    /// Nothing.
    Nothing,
    /// It samples the surfaces that it names.
    Samples,
    /// It writes to the surfaces that it names.
    Writes,
    /// It gives the surface variable that it names another surface.
    Assigns,
    /// It flushes the sampler cache, or may do so.
    Flushes,
    /// It calls a subroutine.
    Calls,
}

/// Checks all kernels and functions.
pub fn check(cx: &Context, sink: &mut Sink) {
    for (object, flow) in cx.program.objects.iter().zip(cx.flow.iter()) {
        let surfaces = surfaces(cx.program, object);
        if !surfaces.is_empty() {
            Walk { cx, flow, surfaces, subroutines: vec![Dirt::default(); flow.subroutines.len()] }.check(sink);
        }
    }
}

/// The surfaces that an object both writes and samples.
fn surfaces(program: &Program, object: &Object) -> Vec<VariableId> {
    let mut sampled: Vec<VariableId> = Vec::new();
    let is_sampling = |instruction: &Instruction| program.row(instruction).is_some_and(samples);
    for (_, instruction) in program.instructions_in(object).filter(|(_, i)| is_sampling(i)) {
        named(program, instruction, |surface| {
            if sampled.len() < MAX_SURFACES && !sampled.contains(&surface) {
                sampled.push(surface);
            }
        });
    }
    if sampled.is_empty() {
        return sampled;
    }
    let mut written: FxHashSet<VariableId> = FxHashSet::default();
    for (_, instruction) in program.instructions_in(object).filter(|(_, i)| step(program, i) == Step::Writes) {
        named(program, instruction, |surface| written.extend([surface]));
    }
    sampled.retain(|surface| written.contains(surface));
    sampled
}

/// Whether an instruction reads surfaces through the sampler; blocks of bytes do not pass through it.
fn samples(row: &spec::Instruction) -> bool {
    match row.custom {
        Some(Custom::Sampler) => row.effects.contains(&Effect::ReadsMemory),
        Some(Custom::Media) => row.takes(OperandKind::Sampler),
        _ => false,
    }
}

fn step(program: &Program, instruction: &Instruction) -> Step {
    // What could not be read may have been a flush.
    let Some(row) = program.row(instruction) else { return Step::Flushes };
    if samples(row) {
        Step::Samples
    } else if row.accesses.iter().any(|a| a.kind != AccessKind::Read) || row.effects.contains(&Effect::WritesMemory) {
        Step::Writes
    } else if row.flow == Flow::Call {
        Step::Calls
    } else if flushes(program, instruction, row) || row.flow == Flow::FunctionCall {
        Step::Flushes
    } else if row.operation == Some(Operation::Movs) {
        Step::Assigns
    } else if instruction.is_broken {
        Step::Flushes
    } else {
        Step::Nothing
    }
}

/// Whether an instruction flushes the sampler cache. A fence with another option than those is not enough.
fn flushes(program: &Program, instruction: &Instruction, row: &spec::Instruction) -> bool {
    const SAMPLER_OR_L1: i32 = 4 | 32;
    let modifiers = program.modifiers_of(instruction);
    if row.effects.contains(&Effect::FlushesSampler) {
        return true;
    }
    modifiers.iter().any(|m| {
        let slot = &row.modifiers[usize::from(m.slot)];
        match slot.kind {
            ModifierKind::FenceOptions => !row.has(Check::LocalFence) && m.number & SAMPLER_OR_L1 != 0,
            _ if row.custom == Some(Custom::Fence) && slot.name == ModifierName::OPERATION => {
                slot.values.get(usize::from(m.value)).is_none_or(|v| v.text != "none")
            }
            _ => false,
        }
    })
}

/// Calls `found` with the declared surface variables that an instruction names.
fn named(program: &Program, instruction: &Instruction, mut found: impl FnMut(VariableId)) {
    for operand in program.operands_of(instruction) {
        let (Operand::Handle { variable, .. } | Operand::State { variable, .. }) = *operand else { continue };
        if program.variables[variable].kind == VariableKind::Surface && variable.predefined().is_none() {
            found(variable);
        }
    }
}

/// What some path has written to since the last flush, a bit for each surface: of itself, and by what had been written
/// where its subroutine was entered.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Dirt {
    /// Written on a path from the entry.
    written: u64,
    /// Written before the entry, and neither flushed nor assigned anew on a path since.
    kept: u64,
}

impl Dirt {
    /// Where a subroutine begins.
    const ENTRY: Self = Self { written: 0, kept: u64::MAX };

    /// The surfaces that some path wrote to, where those of `before` were written at the entry.
    const fn after(self, before: u64) -> u64 {
        self.written | before & self.kept
    }

    fn join(&mut self, other: Self) {
        self.written |= other.written;
        self.kept |= other.kept;
    }
}

/// How deep calls are followed; deeper ones count as a flush.
const MAX_DEPTH: usize = 8;

struct Walk<'a> {
    cx: &'a Context<'a>,
    flow: &'a ControlFlow,
    surfaces: Vec<VariableId>,
    /// What each subroutine does on its way to its ends; nothing as long as that is not known.
    subroutines: Vec<Dirt>,
}

impl Analysis for &Walk<'_> {
    type Fact = Dirt;

    fn direction(&self) -> Direction {
        Direction::Forward
    }

    fn join(&mut self, _: usize, known: &mut Dirt, coming: &Dirt) -> bool {
        let before = *known;
        known.join(*coming);
        *known != before
    }

    fn transfer(&mut self, node: usize, dirt: &mut Dirt) -> bool {
        for index in self.flow.blocks[BlockId::from_index(node)].instructions() {
            self.step(index, dirt);
        }
        true
    }
}

impl Walk<'_> {
    fn check(&mut self, sink: &mut Sink) {
        let mut before = self.follow();
        // A subroutine knows what those do that it calls, after one round, and so on.
        let n_rounds = if self.flow.calls.is_empty() { 0 } else { MAX_DEPTH };
        for _ in 0..n_rounds {
            let summaries = self.summaries(&before);
            if summaries == self.subroutines {
                break;
            }
            self.subroutines = summaries;
            before = self.follow();
        }
        let entered = self.entered(&before);
        for &block in &self.flow.order {
            let mut dirt = before[block.index()];
            let of_callers = entered[self.flow.blocks[block].subroutine.index()];
            for index in self.flow.blocks[block].instructions() {
                let stale = self.step(index, &mut dirt).after(of_callers);
                if stale != 0 {
                    self.report(sink, index, stale);
                }
            }
        }
    }

    /// What holds at the beginning of each block.
    fn follow(&self) -> Vec<Dirt> {
        let mut before = vec![Dirt::default(); self.flow.blocks.len()];
        for (subroutine, _) in self.flow.subroutines.entries() {
            before[self.flow.entry_of(subroutine).index()] = Dirt::ENTRY;
        }
        let first = self.flow.order.iter().map(|block| block.index());
        dataflow::solve(self.flow, &mut &*self, &mut before, first);
        before
    }

    /// What holds where each subroutine returns.
    fn summaries(&self, before: &[Dirt]) -> Vec<Dirt> {
        let mut ends = vec![Dirt::default(); self.subroutines.len()];
        for &block in self.flow.order.iter().filter(|b| self.flow.blocks[**b].ends == BlockEnd::Return) {
            let mut dirt = before[block.index()];
            (&mut &*self).transfer(block.index(), &mut dirt);
            ends[self.flow.blocks[block].subroutine.index()].join(dirt);
        }
        ends
    }

    /// The surfaces that were written where each subroutine is called.
    fn entered(&self, before: &[Dirt]) -> Vec<u64> {
        let mut entered = vec![0; self.subroutines.len()];
        for _ in 0..MAX_DEPTH {
            let known = entered.clone();
            for call in &self.flow.calls {
                let block = self.flow.block_of(call.instruction);
                let mut dirt = before[block.index()];
                for index in self.flow.blocks[block].instructions().take_while(|index| *index != call.instruction) {
                    self.step(index, &mut dirt);
                }
                entered[call.callee.index()] |= dirt.after(known[call.caller.index()]);
            }
            if entered == known {
                break;
            }
        }
        entered
    }

    fn bits(&self, instruction: &Instruction) -> u64 {
        let mut bits = 0;
        named(self.cx.program, instruction, |surface| {
            if let Some(place) = self.surfaces.iter().position(|s| *s == surface) {
                bits |= 1 << place;
            }
        });
        bits
    }

    /// Takes one step. Returns the surfaces that it samples although they were written.
    fn step(&self, index: InstructionIndex, dirt: &mut Dirt) -> Dirt {
        let instruction = &self.cx.program.instructions[index];
        match step(self.cx.program, instruction) {
            Step::Nothing => {}
            Step::Samples => {
                let bits = self.bits(instruction);
                return Dirt { written: dirt.written & bits, kept: dirt.kept & bits };
            }
            Step::Writes => dirt.written |= self.bits(instruction),
            Step::Assigns => {
                let others = !self.bits(instruction);
                *dirt = Dirt { written: dirt.written & others, kept: dirt.kept & others };
            }
            Step::Flushes => *dirt = Dirt::default(),
            Step::Calls => {
                let calls = &self.flow.calls;
                let callee = calls.binary_search_by_key(&index, |call| call.instruction).map(|at| calls[at].callee);
                let inside = callee.map_or(Dirt::default(), |callee| self.subroutines[callee.index()]);
                let after = Dirt { written: inside.after(dirt.written), kept: inside.kept & dirt.kept };
                // Where no lane calls, nothing is flushed.
                let before = instruction.predicate.map_or(Dirt::default(), |_| *dirt);
                *dirt = after;
                dirt.join(before);
            }
        }
        Dirt::default()
    }

    fn report(&self, sink: &mut Sink, index: InstructionIndex, stale: u64) {
        let program = self.cx.program;
        let surface = self.surfaces[stale.trailing_zeros() as usize];
        let instruction = &program.instructions[index];
        let names = |i: &Instruction| program.operands_of(i).iter().position(|o| o.variable() == Some(surface));
        let Some(place) = names(instruction).map(|p| program.operand_spans_of(instruction)[p].whole) else { return };
        let name = program.variable_name(surface);
        let message = format!("`{name}` is sampled after a write to it without a flush of the sampler cache");
        let diagnostic = Diagnostic::new(&STALE_SAMPLER_READ, place, message)
            .help("put `fence_global.S` or `sampler_cache_flush` between the two");
        // The nearest write above; the one that counts may stand below, in a loop.
        let mut above = (0..index.0).rev().map(InstructionIndex).take(MAX_SEARCH);
        let write = above.find(|i| {
            let instruction = &program.instructions[*i];
            step(program, instruction) == Step::Writes && names(instruction).is_some()
        });
        sink.report(match write {
            Some(write) => diagnostic.also(program.instruction_spans[write].statement, "the write"),
            None => diagnostic,
        });
    }
}

/// How far above a report looks for the write.
const MAX_SEARCH: usize = 1000;
