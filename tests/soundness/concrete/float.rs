//! Operations on floats, rounded to the nearest number.

use super::integer;
use visa_lint::program::SourceModifier;
use visa_lint::spec::Type;
use visa_lint::spec::operation::Operation;

/// The number that a source is with its modifier; nothing for types that are not computed with here.
#[expect(clippy::cast_precision_loss, reason = "this is what the instruction computes with")]
pub fn number(raw: u64, kind: Type, modifier: SourceModifier) -> Option<f64> {
    let number = match kind {
        Type::F => f64::from(f32::from_bits(raw as u32)),
        Type::DF => f64::from_bits(raw),
        kind if kind.is_float() => return None,
        kind => integer(raw, kind.bytes(), kind.is_signed()) as f64,
    };
    Some(match modifier {
        SourceModifier::None => number,
        SourceModifier::Negate => -number,
        SourceModifier::Absolute => number.abs(),
        SourceModifier::NegateAbsolute => -number.abs(),
        SourceModifier::Complement => return None,
    })
}

/// Whether a relation holds: eq, ne, gt, ge, lt, le.
#[expect(clippy::float_cmp, reason = "this is what the instruction compares")]
pub fn holds(relation: u8, x: f64, y: f64) -> bool {
    match relation {
        0 => x == y,
        1 => x != y,
        2 => x > y,
        3 => x >= y,
        4 => x < y,
        _ => x <= y,
    }
}

/// The bits of a result, as the type `to` has them.
pub fn compute(
    operation: Operation,
    sources: &[(u64, Type)],
    modifiers: &[SourceModifier],
    to: Type,
    is_chosen: bool,
) -> Option<u64> {
    let is_plain = |i: usize| modifiers[i] == SourceModifier::None && sources[i].1 == to;
    match operation {
        Operation::Mov if is_plain(0) => return Some(sources[0].0),
        Operation::Sel if is_chosen && is_plain(0) => return Some(sources[0].0),
        Operation::Sel if !is_chosen && is_plain(1) => return Some(sources[1].0),
        _ => {}
    }
    let source = |i: usize| number(sources.get(i)?.0, sources[i].1, *modifiers.get(i)?);
    let result = match operation {
        Operation::Mov => source(0)?,
        Operation::Add => source(0)? + source(1)?,
        Operation::Add3 => source(0)? + source(1)? + source(2)?,
        Operation::Mul => source(0)? * source(1)?,
        Operation::Mad => source(0)?.mul_add(source(1)?, source(2)?),
        Operation::Div => source(0)? / source(1)?,
        Operation::Min => source(0)?.min(source(1)?),
        Operation::Max => source(0)?.max(source(1)?),
        Operation::Sel => source(usize::from(!is_chosen))?,
        Operation::Rndd => source(0)?.floor(),
        Operation::Rndu => source(0)?.ceil(),
        Operation::Rnde => source(0)?.round_ties_even(),
        Operation::Rndz => source(0)?.trunc(),
        Operation::Inv => 1.0 / source(0)?,
        _ => return None,
    };
    encode(result, to)
}

/// A number as a type has it; floats become integers towards zero.
pub fn encode(number: f64, to: Type) -> Option<u64> {
    Some(match to {
        Type::F => u64::from((number as f32).to_bits()),
        Type::DF => number.to_bits(),
        to if to.is_float() => return None,
        to if to.is_signed() => (number as i64) as u64,
        _ => number as u64,
    })
}
