//! Execution sizes of a fragment against the sub-group of the host.

use crate::base::diagnostic::Diagnostic;
use crate::base::span::Span;
use crate::checks::context::{Context, Sink};
use crate::program::fragment::{Fragment, FragmentOperand, OperandClass, Touch};
use crate::program::operand::Operand;
use crate::program::variable::FLAG_OPEN;
use crate::program::{Instruction, InstructionIndex, Region, RegionForm};
use crate::spec::PlatformSet;
use crate::spec::instruction::Custom;

crate::declare_rule! {
    /// An execution size beyond the lanes of the sub-group. An operand holds one element for each lane of the sub-group:
    /// more lanes read and write what lies behind it. Where registers have 32 bytes, an operand of a sub-group of 32 lanes
    /// is two variables, and only the first, of 16 elements, has a name.
    ///
    /// ```c bad
    /// __attribute__((intel_reqd_sub_group_size(8)))
    /// kernel void f(global int *p) {
    ///   int x = p[0]; int y;
    ///   asm("mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>" : "=rw"(y) : "rw"(x));
    /// }
    /// ```
    /// ```c good
    /// __attribute__((intel_reqd_sub_group_size(16)))
    /// kernel void f(global int *p) {
    ///   int x = p[0]; int y;
    ///   asm("mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>" : "=rw"(y) : "rw"(x));
    /// }
    /// ```
    pub EXEC_SIZE_BEYOND_OPERAND = "exec-size-beyond-operand", Error, ""
}

crate::declare_rule! {
    /// Instructions that cover only some of the lanes of the sub-group, in a statement of which none covers all. The other
    /// lanes of the output keep what was in their registers.
    ///
    /// ```c bad
    /// __attribute__((intel_reqd_sub_group_size(16)))
    /// kernel void f(global int *p) {
    ///   int x = p[0]; int y;
    ///   asm("mov (M1, 8) %0(0,0)<1> %1(0,0)<1;1,0>" : "=rw"(y) : "rw"(x));
    /// }
    /// ```
    /// ```c good
    /// __attribute__((intel_reqd_sub_group_size(16)))
    /// kernel void f(global int *p) {
    ///   int x = p[0]; int y;
    ///   asm("mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>" : "=rw"(y) : "rw"(x));
    /// }
    /// ```
    pub PARTIAL_SUB_GROUP = "partial-sub-group", Warning, ""
}

crate::declare_rule! {
    /// A mask offset beyond the lanes of the sub-group: `M5` begins at lane 16, and a sub-group of 16 lanes ends before it.
    /// The instruction runs for no lane.
    ///
    /// ```c bad
    /// __attribute__((intel_reqd_sub_group_size(16)))
    /// kernel void f(global int *p) {
    ///   int x = p[0]; int y = 0;
    ///   asm("mov (M5, 16) %0(0,0)<1> %1(0,0)<1;1,0>" : "+rw"(y) : "rw"(x));
    /// }
    /// ```
    /// ```c good
    /// __attribute__((intel_reqd_sub_group_size(16)))
    /// kernel void f(global int *p) {
    ///   int x = p[0]; int y = 0;
    ///   asm("mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>" : "+rw"(y) : "rw"(x));
    /// }
    /// ```
    pub MASK_BEYOND_SUB_GROUP = "mask-beyond-sub-group", Error, "",
        help = "begin with `M1`: lanes beyond the sub-group do not exist"
}

/// Checks the masks and sizes.
pub fn check(cx: &Context, fragment: &Fragment, sink: &mut Sink) {
    if fragment.is_vector {
        vectors(cx, fragment, sink);
        return;
    }
    masks(cx, fragment, sink);
    sizes(cx, fragment, sink);
    partial(cx, fragment, sink);
}

fn masks(cx: &Context, fragment: &Fragment, sink: &mut Sink) {
    let Some(lanes) = fragment.sub_group else { return };
    for (index, instruction) in cx.program.instructions.entries() {
        let offset = u32::from(instruction.mask_offset);
        if instruction.is_broken || instruction.no_mask || offset < lanes {
            continue;
        }
        let spans = &cx.program.instruction_spans[index];
        let written = cx.text(spans.mask);
        let message = format!("`{written}` begins at lane {offset}; the sub-group has {lanes} lanes");
        sink.report(Diagnostic::new(&MASK_BEYOND_SUB_GROUP, spans.mask, message));
    }
}

/// Elements that an operand has where registers have `grf_bytes` bytes, if its sub-group is known.
fn lanes_of(lanes: u32, grf_bytes: u32) -> u32 {
    if lanes == 32 && grf_bytes == 32 { 16 } else { lanes }
}

fn sizes(cx: &Context, fragment: &Fragment, sink: &mut Sink) {
    let mut last = None;
    for touch in &fragment.touches {
        let operand = &fragment.operands[touch.operand as usize];
        let Some(instruction) = plain_use(cx, touch, operand).filter(|i| is_read(cx, i)) else { continue };
        if last == Some(touch.instruction) {
            continue;
        }
        let exec_size = u32::from(instruction.exec_size);
        let known = fragment.sub_group;
        let lanes = |grf_bytes| lanes_of(known.unwrap_or(32), grf_bytes);
        let failing = cx.failing_grf(|grf_bytes| exec_size > lanes(grf_bytes));
        if !cx.concerns(failing) {
            continue;
        }
        last = Some(touch.instruction);
        let spans = &cx.program.instruction_spans[touch.instruction];
        let place = if spans.size.is_empty() { touch.whole } else { spans.size };
        sink.report_on(cx, failing, || beyond(cx, touch, operand, exec_size, known, failing, place));
    }
}

fn beyond(
    cx: &Context,
    touch: &Touch,
    operand: &FragmentOperand,
    exec_size: u32,
    sub_group: Option<u32>,
    failing: PlatformSet,
    place: Span,
) -> Diagnostic {
    let grf_bytes = failing.grf_sizes().next().unwrap_or(32);
    let n = lanes_of(sub_group.unwrap_or(32), grf_bytes);
    let name = cx.text(touch.name);
    let message = format!("the execution size {exec_size} is beyond the {n} elements of `{name}`");
    let diagnostic = Diagnostic::new(&EXEC_SIZE_BEYOND_OPERAND, place, message).also(operand.constraint, "the operand");
    match sub_group {
        Some(lanes) if lanes == n => diagnostic.note(format!("the sub-group has {lanes} lanes")),
        _ => diagnostic.note(
            "where registers have 32 bytes, an operand of a sub-group of 32 lanes is two variables, and the second has no name",
        ),
    }
}

/// Checks the sizes of a fragment of the vector backend: where all operands of an instruction that have an element for each
/// lane hold fewer, the size is wrong.
fn vectors(cx: &Context, fragment: &Fragment, sink: &mut Sink) {
    let program = cx.program;
    for touches in fragment.touches.chunk_by(|one, two| one.instruction == two.instruction) {
        let Some(instruction) = program.instructions.as_slice().get(touches[0].instruction.0 as usize) else {
            continue;
        };
        let place = program.instruction_spans[touches[0].instruction].size;
        if instruction.is_broken || place.is_empty() {
            continue;
        }
        let exec_size = u32::from(instruction.exec_size);
        // Elements of an operand, 0 if these are not known.
        let elements = |t: &Touch| {
            let operand = &fragment.operands[t.operand as usize];
            let begins = matches!(t.form, Operand::General { row: 0, column: 0, .. });
            let is_own = begins && t.variable == operand.variable && operand.class == OperandClass::PerLane;
            operand.element.filter(|_| is_own).map_or(0, |(_, n)| n)
        };
        let lanes = || touches.iter().filter(|t| t.form.region().is_some_and(is_each_lane));
        let is_beyond = |t: &Touch| (1..exec_size).contains(&elements(t));
        let is_one = |t: &Touch| t.operand == touches[0].operand;
        let Some(most) = lanes().max_by_key(|t| elements(t)).filter(|_| lanes().all(is_beyond) && !lanes().all(is_one))
        else {
            continue;
        };
        let (n, name) = (elements(most), cx.text(most.name));
        let message = format!("the execution size {exec_size} is beyond the {n} elements of `{name}`");
        let constraint = fragment.operands[most.operand as usize].constraint;
        sink.report(
            Diagnostic::new(&EXEC_SIZE_BEYOND_OPERAND, place, message)
                .also(constraint, "the operand")
                .note("each lane takes one element of a vector"),
        );
    }
}

/// Whether a region has one element for each lane, side by side.
fn is_each_lane(region: Region) -> bool {
    match region.form {
        RegionForm::Full => {
            region.vertical_stride == 1 && region.width == 1 || region.width > 1 && region.horizontal_stride == 1
        }
        _ => region.horizontal_stride == 1,
    }
}

/// The instruction of a use of a scalar operand of all lanes in which each lane has one element.
fn plain_use<'a>(cx: &Context<'a>, touch: &Touch, operand: &FragmentOperand) -> Option<&'a Instruction> {
    let program = cx.program;
    let instruction = program.instructions.as_slice().get(touch.instruction.0 as usize)?;
    let is_scalar = matches!(operand.element, Some((_, 1)));
    let is_plain = operand.class == OperandClass::PerLane && touch.variable == operand.variable;
    if !is_scalar || !is_plain || program.variables[operand.variable].is(FLAG_OPEN) || touch.writes.is_none() {
        return None;
    }
    let row = program.row(instruction)?;
    // Blocks and matrices lay data out in their own way.
    let each_lane = touch.form.region().map_or(row.custom == Some(Custom::Lsc), is_each_lane);
    (each_lane && instruction.exec_size > 1).then_some(instruction)
}

/// Whether nothing is wrong with an instruction: where that is so, it is broken because the type of an operand is not known.
fn is_read(cx: &Context, instruction: &Instruction) -> bool {
    !instruction.is_broken || cx.program.diagnostics.is_empty()
}

fn partial(cx: &Context, fragment: &Fragment, sink: &mut Sink) {
    let Some(lanes) = fragment.sub_group else { return };
    let program = cx.program;
    if fragment.is_open || program.objects.iter().any(|o| o.has_broken_lines) {
        return;
    }
    let covered = |instruction: &Instruction| {
        let from = u32::from(instruction.mask_offset).min(31);
        let n = u32::from(instruction.exec_size).min(32);
        ((1u64 << n) - 1) << from
    };
    let all = program.instructions.iter().fold(0, |all, i| all | covered(i));
    let whole = (1u64 << lanes) - 1;
    if all & whole == whole {
        return;
    }
    let first = fragment.touches.iter().find(|t| {
        let operand = &fragment.operands[t.operand as usize];
        let covers = |i: &Instruction| is_read(cx, i) && i.mask_offset == 0 && u32::from(i.exec_size) < lanes;
        t.writes == Some(true) && operand.is_output && plain_use(cx, t, operand).is_some_and(covers)
    });
    let Some(touch) = first else { return };
    // Another part of the output may be that of the other lanes.
    let is_elsewhere = |t: &Touch| t.writes != Some(false) && !t.form.is_same_element(&touch.form);
    if fragment.touches.iter().any(|t| t.operand == touch.operand && is_elsewhere(t)) {
        return;
    }
    let Some(instruction) = program.instructions.as_slice().get(touch.instruction.0 as usize) else { return };
    let spans = &program.instruction_spans[InstructionIndex(touch.instruction.0)];
    let place = if spans.size.is_empty() { touch.whole } else { spans.size };
    let n = instruction.exec_size;
    // Where an operand of 32 lanes is two variables, 16 lanes are all that it has.
    let failing = cx.failing_grf(|grf_bytes| lanes_of(lanes, grf_bytes) > u32::from(n));
    if failing != cx.platforms {
        return;
    }
    let message = format!("the execution size {n} covers {n} of the {lanes} lanes of the sub-group");
    sink.report(Diagnostic::new(&PARTIAL_SUB_GROUP, place, message).label("the other lanes are left out"));
}
