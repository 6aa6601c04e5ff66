//! Arithmetic, logic, moves and what belongs to them: rules across operands, and the odd habits of single mnemonics.

pub mod address;
pub mod arithmetic;
pub mod conversion;
pub mod layout;
pub mod overlap;
pub mod predicate;
pub mod saturation;
pub mod state;
pub mod types;

use super::context::{Sink, View};
use crate::program::{Operand, OperandSpans};
use crate::spec;
use crate::spec::Type;
use crate::spec::instruction::OperandSlot;
use std::sync::LazyLock;

/// What kind of computation an instruction is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Family {
    /// add, mul, div, ...
    Arithmetic,
    /// and, shl, bfe, ...
    Logic,
    /// sel, min, max
    Selection,
    /// cmp
    Comparison,
    /// mov
    Move,
    /// Everything else.
    Other,
}

const ARITHMETIC: &[&str] = &[
    "add", "add3", "add3.o", "addc", "subb", "avg", "mul", "mulh", "mad", "madw", "mod", "div", "divm", "dp4a", "cos",
    "sin", "exp", "log", "pow", "inv", "invm", "sqrt", "sqrtm", "rsqrt", "rsqtm", "frc", "rndd", "rnde", "rndu",
    "rndz", "lrp", "plane", "sad2", "sad2add", "lzd", "srnd", "dp2", "dp3", "dp4", "dph", "line", "tanh", "sigm",
];
const LOGIC: &[&str] =
    &["and", "or", "xor", "not", "shl", "shr", "asr", "rol", "ror", "cbit", "fbh", "fbl", "bfe", "bfi", "bfrev", "bfn"];

/// A check of one instruction.
type Check = fn(&View, &mut Sink);

/// What is known of a mnemonic beyond its row.
struct Traits {
    family: Family,
    /// Whether it reads or writes other elements than its regions say.
    has_own_elements: bool,
    /// Whether each lane of the destination comes of the same lane of the sources.
    is_lane_by_lane: bool,
    checks: &'static [Check],
}

impl Traits {
    fn of(mnemonic: &str) -> Self {
        let family = match mnemonic {
            m if ARITHMETIC.contains(&m) => Family::Arithmetic,
            m if LOGIC.contains(&m) => Family::Logic,
            "sel" | "min" | "max" => Family::Selection,
            "cmp" => Family::Comparison,
            "mov" => Family::Move,
            _ => Family::Other,
        };
        let has_own_elements = matches!(mnemonic, "plane" | "line" | "lrp" | "madw");
        let is_lane_by_lane =
            family != Family::Other && !matches!(mnemonic, "plane" | "line" | "madw" | "dp2" | "dp3" | "dp4" | "dph");
        Self { family, has_own_elements, is_lane_by_lane, checks: checks(mnemonic) }
    }
}

/// The odd habits of single mnemonics.
fn checks(mnemonic: &str) -> &'static [Check] {
    match mnemonic {
        "mov" => &[predicate::mov, conversion::mov, address::mov, layout::brain],
        "and" | "or" | "xor" | "not" => &[predicate::logic],
        "setp" => &[predicate::setp],
        "sel" => &[predicate::sel, layout::brain],
        "cmp" | "add" | "mul" | "mad" => &[layout::brain],
        "add3.o" => &[predicate::overflow],
        "addc" | "subb" => &[overlap::two_destinations],
        "madw" => &[layout::madw, overlap::wide_product],
        "invm" | "rsqtm" => &[predicate::lost],
        "divm" | "sqrtm" | "sad2add" => &[saturation::undocumented_modifiers],
        "sqrt" => &[types::undocumented],
        "div" | "mod" => &[arithmetic::division],
        "shl" | "shr" | "asr" => &[arithmetic::shift],
        "bfe" | "bfi" => &[layout::bit_field],
        "fcvt" => &[conversion::fcvt],
        "srnd" => &[conversion::srnd],
        "addr_add" => &[address::addr_add],
        "movs" => &[state::movs],
        "plane" => &[layout::plane, saturation::undocumented_modifiers],
        "line" => &[layout::line],
        "lrp" => &[layout::lrp],
        "lfsr" => &[layout::lfsr],
        "shfl_idx4" => &[layout::shuffle],
        "dnscl" => &[layout::scale_down],
        _ => &[],
    }
}

fn traits(view: &View) -> &'static Traits {
    static ALL: LazyLock<Vec<Traits>> =
        LazyLock::new(|| spec::instructions().iter().map(|row| Traits::of(row.mnemonic)).collect());
    static NONE: Traits =
        Traits { family: Family::Other, has_own_elements: false, is_lane_by_lane: false, checks: &[] };
    view.instruction.spec.and_then(|id| ALL.get(usize::from(id.0))).unwrap_or(&NONE)
}

/// The family of an instruction.
#[must_use]
pub fn family(view: &View) -> Family {
    traits(view).family
}

/// Whether the instruction reads or writes other elements than its regions say.
#[must_use]
pub fn has_own_elements(view: &View) -> bool {
    traits(view).has_own_elements
}

/// Checks one instruction.
pub fn check(view: &View, sink: &mut Sink) {
    if view.instruction.saturate {
        saturation::check(view, sink);
    }
    if view.instruction.is_broken {
        return;
    }
    let traits = traits(view);
    types::check(view, sink, traits.family);
    if traits.is_lane_by_lane && view.exec_size() > 1 {
        overlap::shifted(view, sink);
    }
    for check in traits.checks {
        check(view, sink);
    }
}

/// An operand with its places and slot.
pub(super) type Given<'a> = (&'a Operand, &'a OperandSpans, &'static OperandSlot);

/// The first destination.
pub(super) fn destination<'a>(view: &View<'a>) -> Option<Given<'a>> {
    view.each_operand().find(|(_, _, slot)| slot.role.writes())
}

/// The sources, in order.
pub(super) fn sources<'a>(view: &View<'a>) -> impl Iterator<Item = Given<'a>> + Clone + use<'a> {
    view.each_operand().filter(|(_, _, slot)| !slot.role.writes())
}

/// The types of destination and first source, if both have one.
pub(super) fn pair(view: &View) -> Option<(Type, Type)> {
    let of = |operand| super::table::types::operand_type(view, operand);
    Some((of(destination(view)?.0)?, of(sources(view).next()?.0)?))
}
