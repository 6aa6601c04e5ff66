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

/// The family of an instruction.
#[must_use]
pub fn family(view: &View) -> Family {
    static FAMILIES: LazyLock<Vec<Family>> = LazyLock::new(|| {
        spec::instructions()
            .iter()
            .map(|row| match row.mnemonic {
                m if ARITHMETIC.contains(&m) => Family::Arithmetic,
                m if LOGIC.contains(&m) => Family::Logic,
                "sel" | "min" | "max" => Family::Selection,
                "cmp" => Family::Comparison,
                "mov" => Family::Move,
                _ => Family::Other,
            })
            .collect()
    });
    view.instruction.spec.and_then(|id| FAMILIES.get(usize::from(id.0)).copied()).unwrap_or(Family::Other)
}

/// Checks one instruction.
pub fn check(view: &View, sink: &mut Sink) {
    saturation::check(view, sink);
    if view.instruction.is_broken {
        return;
    }
    predicate::check(view, sink);
    types::check(view, sink);
    conversion::check(view, sink);
    arithmetic::check(view, sink);
    address::check(view, sink);
    state::check(view, sink);
    layout::check(view, sink);
    overlap::check(view, sink);
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
