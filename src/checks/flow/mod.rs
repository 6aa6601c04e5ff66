//! Control flow: labels and branches, subroutines, calls, lanes that wait, lifetimes.

pub mod call;
pub mod instruction;
pub mod label;
pub mod lanes;
pub mod lifetime;
pub mod path;
pub mod registers;
pub mod subroutine;

use super::context::{Context, Sink};
use crate::base::span::Span;
use crate::base::symbol::Symbol;
use crate::program::cfg::ControlFlow;
use crate::program::{Instruction, InstructionIndex, Object, ObjectKind, Operand, Program};
use crate::spec::family::Marker;
use crate::spec::instruction::Flow;

/// A kernel or function under checking.
#[derive(Clone, Copy)]
pub struct Scope<'a> {
    /// The file.
    pub cx: &'a Context<'a>,
    /// The kernel or function.
    pub object: &'a Object,
    /// Its control flow.
    pub flow: &'a ControlFlow,
}

impl<'a> Scope<'a> {
    /// The program.
    #[must_use]
    pub fn program(&self) -> &'a Program {
        self.cx.program
    }

    /// "kernel" or "function".
    #[must_use]
    pub fn noun(&self) -> &'static str {
        if self.object.kind == ObjectKind::Function { "function" } else { "kernel" }
    }

    /// The mnemonic of an instruction as it is written.
    #[must_use]
    pub fn mnemonic(&self, instruction: InstructionIndex) -> &'a str {
        self.cx.text(self.program().instruction_spans[instruction].mnemonic)
    }

    /// How an instruction directs control; nothing if it could not be read.
    #[must_use]
    pub fn flow_of(&self, instruction: InstructionIndex) -> Option<Flow> {
        self.program().row(&self.program().instructions[instruction]).map(|row| row.flow)
    }

    /// The targets that a branch or call names, with their places.
    pub fn targets(&self, instruction: InstructionIndex) -> impl Iterator<Item = (Symbol, Span)> + use<'a> {
        self.targets_of(&self.program().instructions[instruction])
    }

    /// The targets that an instruction names as it is read.
    fn targets_of(&self, row: &Instruction) -> impl Iterator<Item = (Symbol, Span)> + use<'a> {
        let program = self.program();
        program.operands_of(row).iter().zip(program.operand_spans_of(row)).flat_map(move |(operand, spans)| {
            let (single, list) = match *operand {
                Operand::Name { name, .. } => (Some((name, spans.whole)), 0..0),
                Operand::LabelList { start, end } => (None, start as usize..end as usize),
                _ => (None, 0..0),
            };
            single.into_iter().chain(program.label_lists[list].iter().copied())
        })
    }
}

/// Whether an instruction stands for nothing that is executed: debug information and lifetimes.
#[must_use]
pub fn is_marker(program: &Program, instruction: InstructionIndex) -> bool {
    let row = program.row(&program.instructions[instruction]);
    row.is_some_and(|row| row.marker.is_some())
}

/// What an object contains, so that checks which have nothing to look at cost nothing.
#[derive(Clone, Copy, Default)]
struct Contents {
    lifetimes: bool,
    function_calls: bool,
}

impl Contents {
    fn of(program: &Program, object: &Object) -> Self {
        let mut contents = Self::default();
        for (_, instruction) in program.instructions_in(object) {
            let Some(row) = program.row(instruction) else { continue };
            match row.flow {
                Flow::Next => {
                    contents.lifetimes |= matches!(row.marker, Some(Marker::LifetimeStart | Marker::LifetimeEnd));
                }
                Flow::FunctionCall => contents.function_calls = true,
                _ => {}
            }
        }
        contents
    }
}

/// Checks what holds of labels in a text of which it is not known what it does one line after the other.
pub fn check_open(cx: &Context, sink: &mut Sink) {
    if label::may_define_any(cx.text) {
        return;
    }
    for (object, flow) in cx.program.objects.iter().zip(cx.flow.iter()) {
        label::check_undefined(&Scope { cx, object, flow }, sink);
    }
}

/// Checks the control flow of all kernels and functions.
pub fn check(cx: &Context, sink: &mut Sink) {
    for (object, flow) in cx.program.objects.iter().zip(cx.flow.iter()) {
        let scope = Scope { cx, object, flow };
        let contents = Contents::of(cx.program, object);
        label::check(&scope, sink);
        subroutine::check(&scope, sink);
        path::check(&scope, sink);
        lanes::check(&scope, sink);
        if contents.lifetimes {
            lifetime::check(&scope, sink);
        }
        if contents.function_calls {
            registers::check(&scope, sink);
        }
    }
    call::check(cx, sink);
}
