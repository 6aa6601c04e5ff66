//! Where operands begin and how their elements lie, for instructions that are particular about it.

use super::Given;
use crate::base::diagnostic::Diagnostic;
use crate::base::rule::Level;
use crate::checks::context::{Sink, View};
use crate::checks::operand::bounds::is_beyond;
use crate::checks::operand::n_lanes;
use crate::checks::operand::region::ILLEGAL_REGION;
use crate::checks::table;
use crate::checks::table::alignment::MISALIGNED_OPERAND;
use crate::checks::table::null::UNEXPECTED_NULL;
use crate::checks::table::region::IGNORED_REGION;
use crate::checks::table::types::operand_type;
use crate::program::{Footprint, Operand, Region, RegionForm};
use crate::spec::ModifierName;
use crate::spec::OperandName;
use crate::spec::family::Family;
use crate::spec::{Platform, PlatformSet, Type};

crate::declare_rule! {
    /// A region that works but costs moves: `madw` with another destination stride than 1, and BF operands in a layout that
    /// the hardware does not read (before Xe3P: packed, no broadcast of a BF scalar, eight lanes, sixteen from PVC on).
    ///
    /// ```visa bad
    /// madw (M1, 8) VUD(0,0)<2> VUD(4,0)<8;8,1> VUD(5,0)<8;8,1> VUD(6,0)<8;8,1>
    /// ```
    /// ```visa good
    /// madw (M1, 8) VUD(0,0)<1> VUD(4,0)<8;8,1> VUD(5,0)<8;8,1> VUD(6,0)<8;8,1>
    /// ```
    pub SLOW_REGION = "slow-region", Pedantic, "5_instruction_set",
        help = "lay the elements out one after the other, if the moves matter"
}

/// `bfe` and `bfi`: numbers of the field, and operands of several lanes at multiples of 16 bytes.
pub fn bit_field(view: &View, sink: &mut Sink) {
    super::arithmetic::bit_field(view, sink);
    if view.exec_size() > 1 {
        for given in view.each_operand().filter(|g| !is_scalar(g)) {
            aligned(view, sink, given, |_| 16, Level::Warning);
        }
    }
}

fn is_scalar((operand, _, _): &Given) -> bool {
    operand.region().is_some_and(Region::is_scalar)
}

/// Reports an operand that does not begin at a multiple of `wanted` bytes. One that lies beyond its variable is reported
/// for that.
fn aligned(view: &View, sink: &mut Sink, (operand, spans, slot): Given, wanted: impl Fn(u32) -> u32, level: Level) {
    let program = view.cx.program;
    let start = |g| Footprint::new(program, operand, n_lanes(view, slot), g);
    let fails = |g: u32| start(g).is_some_and(|f| f.root_start.rem_euclid(i64::from(wanted(g))) != 0);
    if !fails(32) && !fails(64) || is_beyond(view, operand, slot) {
        return;
    }
    let failing = view.cx.failing_grf(fails);
    sink.report_on(view.cx, failing, || {
        let grf_bytes = failing.grf_sizes().next().unwrap_or(32);
        let (byte, root) = start(grf_bytes).map_or((0, ""), |f| (f.root_start, program.variable_name(f.root)));
        let wanted = wanted(grf_bytes);
        let message = format!("`{}` does not begin at a multiple of {wanted} bytes", view.text(spans.whole));
        let diagnostic = Diagnostic::new(&MISALIGNED_OPERAND, spans.whole, message)
            .level(level)
            .label(format!("begins at byte {byte} of `{root}`"));
        table::declared(view, diagnostic, operand).note(table::document(view))
    });
}

fn ignored(view: &View, sink: &mut Sink, (operand, spans, slot): Given, meant: &str) {
    let place = if spans.region.is_empty() { spans.whole } else { spans.region };
    if operand.region().is_some() {
        let message =
            format!("`{}` is ignored: the operand {} of `{}` {meant}", view.text(place), slot.name, view.row.mnemonic);
        sink.report(Diagnostic::new(&IGNORED_REGION, place, message).level(Level::Warning).note(table::document(view)));
    }
}

/// Reports a region that the instruction does not have.
fn illegal(view: &View, sink: &mut Sink, (_, spans, slot): Given, expected: &str, level: Level) {
    let place = if spans.region.is_empty() { spans.whole } else { spans.region };
    let message =
        format!("the operand {} of `{}` cannot have the region `{}`", slot.name, view.row.mnemonic, view.text(place));
    sink.report(
        Diagnostic::new(&ILLEGAL_REGION, place, message)
            .level(level)
            .label(format!("expected {expected}"))
            .note(table::document(view)),
    );
}

fn is_region(operand: &Operand, vertical_stride: u8, width: u8, horizontal_stride: u8) -> bool {
    operand.region() == Some(Region { vertical_stride, width, horizontal_stride, form: RegionForm::Full })
}

/// `plane`: src0 holds the four numbers of the plane, src1 two coordinates for each lane.
pub fn plane(view: &View, sink: &mut Sink) {
    for given in super::sources(view) {
        let (operand, _, slot) = given;
        let Some(region) = operand.region() else { continue };
        if region.has_illegal_number() || region.form != RegionForm::Full {
            continue;
        }
        if slot.name == OperandName::SRC0 {
            let is_group = is_region(operand, 4, 4, 1) || is_region(operand, 0, 4, 1);
            let is_plain = region.is_scalar() || is_region(operand, 1, 1, 0) || is_group;
            if !is_plain {
                ignored(view, sink, given, "is four elements, one after the other");
            }
            aligned(view, sink, given, |_| 16, Level::Error);
        } else {
            if !region.is_contiguous(view.exec_size()) {
                ignored(view, sink, given, "is twice as many elements as there are lanes, one after the other");
            }
            aligned(view, sink, given, |g| g, Level::Error);
        }
    }
}

/// The appendix wants a scalar; the compiler prints `<1;1,0>`.
pub fn line(view: &View, sink: &mut Sink) {
    if let Some(given) = super::sources(view).next() {
        let region = given.0.region().filter(|r| !r.has_illegal_number() && !r.is_scalar());
        if region.is_some() {
            let level = if is_region(given.0, 1, 1, 0) { Level::Pedantic } else { Level::Error };
            illegal(view, sink, given, "<0;1,0>", level);
        }
    }
}

/// `lrp`: the destination is contiguous, and each source is contiguous or a scalar.
pub fn lrp(view: &View, sink: &mut Sink) {
    for given in view.each_operand() {
        let Some(region) = given.0.region() else { continue };
        let is_plain = if given.2.role.writes() {
            region.horizontal_stride == 1
        } else {
            region.is_scalar() || region.is_contiguous(view.exec_size())
        };
        if !is_plain {
            illegal(view, sink, given, if given.2.role.writes() { "<1>" } else { "<1;1,0> or <0;1,0>" }, Level::Error);
        } else if !is_scalar(&given) {
            aligned(view, sink, given, |_| 16, Level::Warning);
        }
    }
}

/// `madw`: the destination is two blocks of registers, one for each half of the result.
pub fn madw(view: &View, sink: &mut Sink) {
    let Some(given) = super::destination(view) else { return };
    let (operand, spans, slot) = given;
    if operand.region().is_some_and(|r| matches!(r.horizontal_stride, 2 | 4)) {
        let place = if spans.region.is_empty() { spans.whole } else { spans.region };
        let message = format!("the stride `{}` of a `{}` destination costs moves", view.text(place), view.row.mnemonic);
        sink.report(Diagnostic::new(&SLOW_REGION, place, message).level(Level::Pedantic).note(table::document(view)));
    }
    let program = view.cx.program;
    // A destination beyond the end of its variable is reported as that.
    let fits = |g| {
        crate::checks::operand::bounds::accessed(view, operand, slot, g)
            .is_some_and(|(f, bytes)| f.start + bytes <= i64::from(program.variable_bytes(f.variable, g)))
    };
    let failing = view.cx.failing_grf(|g| {
        fits(g) && Footprint::new(program, operand, 1, g).is_some_and(|f| f.root_start.rem_euclid(i64::from(g)) != 0)
    });
    if !failing.is_empty() && view.cx.concerns(failing) {
        aligned(view, sink, given, |g| g, Level::Warning);
    }
}

/// `lfsr`: which regions each operand may have.
pub fn lfsr(view: &View, sink: &mut Sink) {
    for given in view.each_operand() {
        let Some(region) = given.0.region() else { continue };
        if given.2.role.writes() {
            if matches!(region.horizontal_stride, 2 | 4) {
                illegal(view, sink, given, "<1>", Level::Error);
            }
        } else if !is_region(given.0, 1, 1, 0) && !is_region(given.0, 0, 1, 0) {
            illegal(view, sink, given, "<1;1,0> or <0;1,0>", Level::Error);
        }
    }
}

/// `shfl_idx4`
pub fn shuffle(view: &View, sink: &mut Sink) {
    let mut sources = super::sources(view);
    let (Some(values), Some(indices)) = (sources.next(), sources.next()) else { return };
    match view.exec_size() {
        16 => fixed(view, sink, values, (1, 1, 0), 0),
        32 => fixed(view, sink, values, (0, 16, 1), 0),
        _ => {}
    }
    match operand_type(view, indices.0) {
        Some(Type::UW) => fixed(view, sink, indices, (2, 1, 0), 1),
        Some(Type::UB) => fixed(view, sink, indices, (4, 1, 0), 3),
        _ => {}
    }
}

/// Reports another region than that one, or another column than 0 to `last`.
fn fixed(view: &View, sink: &mut Sink, given: Given, (v, w, h): (u8, u8, u8), last: i32) {
    let (operand, spans, slot) = given;
    let Operand::General { column, region, .. } = *operand else { return };
    if region.has_illegal_number() {
        return;
    }
    if !is_region(operand, v, w, h) {
        illegal(view, sink, given, &format!("<{v};{w},{h}>"), Level::Error);
    } else if column > last {
        let message =
            format!("the operand {} of `{}` cannot begin at the column {column}", slot.name, view.row.mnemonic);
        let expected = if last == 0 { "expected column 0".to_owned() } else { format!("expected column 0 to {last}") };
        let diagnostic = Diagnostic::new(&ILLEGAL_REGION, spans.offset, message).label(expected);
        sink.report(diagnostic.note(table::document(view)));
    }
}

/// Only stochastic rounding has random bits.
pub fn scale_down(view: &View, sink: &mut Sink) {
    let Some((operand, spans)) = view.operand(OperandName::SRC2) else { return };
    let rounding = view.modifier_word(ModifierName::ROUNDING);
    if rounding == Some("rne") && !operand.is_null() {
        let message = format!("`{}` is not used: with `.rne` the last operand is `%null.0`", view.text(spans.whole));
        sink.report(Diagnostic::new(&crate::lower::operand::WRONG_OPERAND_FORM, spans.whole, message).replace(
            spans.whole,
            "%null.0",
            true,
        ));
    } else if rounding == Some("srnd") && operand.is_null() {
        let message = "stochastic rounding needs random bits";
        sink.report(Diagnostic::new(&UNEXPECTED_NULL, spans.whole, message));
    }
}

/// What the hardware reads in a mixture of BF and F.
pub fn brain(view: &View, sink: &mut Sink) {
    if !sink.wants(&SLOW_REGION, Level::Pedantic) {
        return;
    }
    let has = |t| view.each_operand().any(|(operand, _, _)| operand_type(view, operand) == Some(t));
    if !has(Type::BF) || view.row.family == Family::Move && !has(Type::F) {
        return;
    }
    let before = PlatformSet::before(Platform::XE3P_CRI);
    let before_pvc = PlatformSet::before(Platform::PVC);
    let exec_size = view.exec_size();
    let report = |sink: &mut Sink, failing: PlatformSet, place, message: String| {
        sink.report_on(view.cx, failing, || Diagnostic::new(&SLOW_REGION, place, message).level(Level::Pedantic));
    };
    if exec_size > 8 {
        let failing = if exec_size > 16 { before } else { before_pvc };
        if view.cx.concerns(failing.and(view.cx.platforms)) {
            report(
                sink,
                failing,
                view.spans.size,
                format!("the hardware mixes `bf` and `f` in fewer lanes than {exec_size}: the instruction is split"),
            );
            return;
        }
    }
    for (operand, spans, slot) in view.each_operand() {
        let (Some(region), Some(t)) = (operand.region(), operand_type(view, operand)) else { continue };
        let written = view.text(spans.whole);
        let is_packed = match slot.role.writes() {
            true => region.horizontal_stride == 1 || t == Type::BF && region.horizontal_stride == 2,
            false if region.is_scalar() => t != Type::BF || exec_size == 1,
            false => region.is_contiguous(exec_size),
        };
        if !is_packed {
            report(
                sink,
                before,
                spans.whole,
                format!("the hardware does not read `{written}` in a mixture of `bf` and `f`: it is moved first"),
            );
            return;
        }
    }
}
