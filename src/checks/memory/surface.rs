//! Surfaces and samplers over a whole kernel: that they are given something, and that surfaces are used as one thing.

use crate::base::diagnostic::Diagnostic;
use crate::base::id::Id as _;
use crate::base::span::Span;
use crate::checks::context::{Context, Sink};
use crate::program::variable::{FLAG_ADDRESS_TAKEN, FLAG_INPUT, FLAG_MISUSED};
use crate::program::{Object, Operand, VariableId};
use crate::spec;
use crate::spec::OperandName;
use crate::spec::instruction::{Custom, Memory};
use crate::spec::predefined::VariableKind;
use rustc_hash::FxHashSet;
use std::cell::LazyCell;

crate::declare_rule! {
    /// A surface that is used although nothing gave it a value: it is neither an input of the kernel nor set by `movs`, or
    /// not on one of the paths.
    ///
    /// ```visa bad
    /// .version 4.1
    /// .kernel "copy"
    /// .decl V32 v_type=G type=ud num_elts=16 align=GRF
    /// .decl T6 v_type=T num_elts=1
    /// oword_ld (4) T6 0x0:ud V32.0
    /// ret (M1, 1)
    /// ```
    /// ```visa good
    /// .version 4.1
    /// .kernel "copy"
    /// .decl V32 v_type=G type=ud num_elts=16 align=GRF
    /// .decl T6 v_type=T num_elts=1
    /// movs (M1_NM, 1) T6(0) 0x1:ud
    /// oword_ld (4) T6 0x0:ud V32.0
    /// ret (M1, 1)
    /// ```
    pub UNINITIALIZED_SURFACE = "uninitialized-surface", Warning | Pedantic, "4_visa_header"
}

crate::declare_rule! {
    /// A sampler that is used although nothing gave it a value: it is neither an input of the kernel nor set by `movs`, or
    /// not on one of the paths.
    ///
    /// ```visa bad
    /// .version 4.1
    /// .kernel "copy"
    /// .decl V32 v_type=G type=f num_elts=32 align=GRF
    /// .decl S1 v_type=S num_elts=1
    /// .decl T6 v_type=T num_elts=1
    /// .input V32 offset=32 size=128
    /// .input T6 offset=160 size=4
    /// sample.R (8) S1 T6 V32.0 V32.0 V32.0 V32.0
    /// ret (M1, 1)
    /// ```
    /// ```visa good
    /// .version 4.1
    /// .kernel "copy"
    /// .decl V32 v_type=G type=f num_elts=32 align=GRF
    /// .decl S1 v_type=S num_elts=1
    /// .decl T6 v_type=T num_elts=1
    /// .input V32 offset=32 size=128
    /// .input T6 offset=160 size=4
    /// .input S1 offset=164 size=4
    /// sample.R (8) S1 T6 V32.0 V32.0 V32.0 V32.0
    /// ret (M1, 1)
    /// ```
    pub UNINITIALIZED_SAMPLER = "uninitialized-sampler", Warning | Pedantic, "4_visa_header"
}

crate::declare_rule! {
    /// One surface that is read as a buffer in one place and as a two-dimensional surface or an image in another. Whatever
    /// it is bound to, one of the two is wrong.
    ///
    /// ```visa bad
    /// .version 4.1
    /// .kernel "copy"
    /// .decl V32 v_type=G type=ub num_elts=64 align=GRF
    /// .decl T6 v_type=T num_elts=1
    /// .input T6 offset=32 size=4
    /// media_ld.nomod (16, 4) T6 0x0:ud 0x0:ud V32.0
    /// oword_st (4) T6 0x0:ud V32.0
    /// ret (M1, 1)
    /// ```
    /// ```visa good
    /// .version 4.1
    /// .kernel "copy"
    /// .decl V32 v_type=G type=ub num_elts=64 align=GRF
    /// .decl T6 v_type=T num_elts=1
    /// .decl T7 v_type=T num_elts=1
    /// .input T6 offset=32 size=4
    /// .input T7 offset=36 size=4
    /// media_ld.nomod (16, 4) T6 0x0:ud 0x0:ud V32.0
    /// oword_st (4) T7 0x0:ud V32.0
    /// ret (M1, 1)
    /// ```
    pub CONFLICTING_SURFACE_USE = "conflicting-surface-use", Warning, "3_execution_model",
        help = "use the surface in one way, or name two surfaces"
}

/// How an instruction takes a surface.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// Bytes, one after the other.
    Buffer,
    /// Rows of bytes.
    Plane,
    /// Elements of a format, in one, two or three dimensions.
    Image,
}

impl Shape {
    const fn words(self) -> &'static str {
        match self {
            Self::Buffer => "a buffer",
            Self::Plane => "a 2D surface",
            Self::Image => "an image",
        }
    }
}

/// What is known of one surface variable.
#[derive(Clone, Copy, Default)]
struct Use {
    is_set: bool,
    /// The first message that uses it.
    first: Option<Span>,
    /// The first message that takes it as a buffer.
    buffer: Option<Span>,
    /// The first message that takes it as something else.
    other: Option<(Span, Shape)>,
}

fn shape(row: &spec::Instruction) -> Option<Shape> {
    let has = |memory| row.accesses.iter().any(|access| access.memory == memory);
    // What is loaded without a sampler may be a buffer.
    let is_load = matches!(row.custom, Some(Custom::Sampler | Custom::Media));
    let samples = row.slot(OperandName::SAMPLER).is_some_and(|place| !row.operands[place].optional);
    if row.slot(OperandName::X_OFFSET).is_some() {
        Some(Shape::Plane)
    } else if samples || has(Memory::Typed) && !is_load {
        Some(Shape::Image)
    } else if has(Memory::Surface) {
        Some(Shape::Buffer)
    } else {
        None
    }
}

/// Checks the surfaces of every kernel and function.
pub fn check_program(cx: &Context, sink: &mut Sink) {
    for object in cx.program.objects.iter() {
        check_object(cx, object, sink);
    }
}

fn check_object(cx: &Context, object: &Object, sink: &mut Sink) {
    let program = cx.program;
    let declared = object.variables.start as usize..object.variables.end as usize;
    let is_state = |v: &crate::program::Variable| matches!(v.kind, VariableKind::Surface | VariableKind::Sampler);
    let variables = &program.variables.as_slice()[declared.clone()];
    if !variables.iter().any(is_state) {
        return;
    }
    let mut uses = vec![Use::default(); declared.len()];
    for (_, instruction) in program.instructions_in(object) {
        let Some(row) = program.row(instruction) else { continue };
        let range = instruction.operands();
        for ((operand, spans), slot) in program.operands[range.clone()]
            .iter()
            .zip(&program.operand_spans[range.clone()])
            .zip(&program.operand_slots[range])
        {
            let (Operand::Handle { variable, .. } | Operand::State { variable, .. }) = *operand else { continue };
            let Some(entry) = (variable.0 as usize).checked_sub(declared.start).and_then(|i| uses.get_mut(i)) else {
                continue;
            };
            if row.operands[usize::from(*slot)].role.writes() {
                entry.is_set = true;
                continue;
            }
            if matches!(operand, Operand::State { .. }) {
                continue;
            }
            entry.first.get_or_insert(spans.name);
            match shape(row) {
                Some(Shape::Buffer) => _ = entry.buffer.get_or_insert(spans.name),
                Some(other) => _ = entry.other.get_or_insert((spans.name, other)),
                None => {}
            }
        }
    }
    // The words of instructions that may set more than they show.
    let unread: LazyCell<FxHashSet<&str>, _> = LazyCell::new(|| {
        let statements = program.unread_writes(object).map(|i| cx.text(program.instruction_spans[i].statement));
        statements.flat_map(|s| s.split(|c: char| !c.is_alphanumeric() && c != '_')).collect()
    });
    for (i, (entry, variable)) in uses.iter().zip(variables).enumerate().filter(|(_, (_, v))| is_state(v)) {
        let id = VariableId::from_index(declared.start + i);
        let is_given =
            entry.is_set || [FLAG_INPUT, FLAG_ADDRESS_TAKEN, FLAG_MISUSED].iter().any(|flag| variable.is(*flag));
        let place = program.variable_spans[id].name;
        if let Some(first) = entry.first
            && !is_given
            && !object.has_nameless_input
            && !object.has_broken_lines
            && let name = cx.text(first)
            && !unread.contains(name)
        {
            let (rule, noun) = match variable.kind {
                VariableKind::Sampler => (&UNINITIALIZED_SAMPLER, "sampler"),
                _ => (&UNINITIALIZED_SURFACE, "surface"),
            };
            sink.report(
                Diagnostic::new(
                    rule,
                    first,
                    format!("nothing says which {noun} `{name}` is: it is no input, and no `movs` sets it"),
                )
                .declared_at(place)
                .help(format!("make it an `.input`, or set it with `movs (M1_NM, 1) {name}(0) ...`")),
            );
        }
        // A variable that is set by movs may be different surfaces at different times.
        if let (Some(buffer), Some((place, other)), false) = (entry.buffer, entry.other, entry.is_set) {
            let mut uses = [(buffer, Shape::Buffer.words()), (place, other.words())];
            uses.sort_unstable();
            let [earlier, later] = uses;
            let message = format!("`{}` is used as {} here, but as {} before", cx.text(later.0), later.1, earlier.1);
            sink.report(
                Diagnostic::new(&CONFLICTING_SURFACE_USE, later.0, message)
                    .also(earlier.0, format!("used as {}", earlier.1)),
            );
        }
    }
}
