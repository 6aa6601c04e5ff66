//! Floats that are cut to integers: between which numbers they lie, as the operations say that they came of.

use crate::interp::domain::atom::AtomKind;
use crate::interp::domain::function::Function;
use crate::interp::domain::lanes::Lanes;
use crate::interp::domain::{Value, fold, mask};
use crate::interp::state::Reader;
use crate::interp::transfer::operand::Source;
use crate::program::{SourceModifier, View};
use crate::spec::Type;
use crate::spec::operation::Operation;

/// Most operations that are looked at on the way to a float.
const MAX_OPERATIONS: u32 = 12;

/// The least and the greatest number that a float may be. It is a number then; it may be infinite if they are.
type Limits = (f64, f64);

/// Nothing is known but that it is a number.
const ANY: Limits = (f64::NEG_INFINITY, f64::INFINITY);

impl Reader<'_> {
    /// The integers of a type to which floats are cut.
    pub(in crate::interp::transfer) fn cut(&mut self, view: &View, to: Type, source: &Source) -> Option<Lanes<Value>> {
        let (saturate, bytes) = (view.instruction.saturate, to.bytes() as u8);
        let function = Function::Instruction(view.instruction.spec?, to, source.kind, saturate);
        let none = Value::known(0, bytes);
        Some(source.lanes.map(|float| {
            let mut n_left = MAX_OPERATIONS;
            let limits = self.limits_of_float(float, source.kind, &mut n_left);
            let cut = |number| fold::float_to_integer(number, to, saturate);
            let ends = limits.and_then(|(low, high)| Some((cut(low)?, cut(high)?)));
            match ends {
                Some((low, high)) if low == high => Value::known(low, bytes),
                Some((low, high)) if low < high => {
                    self.domain.applied_within(function, [float, none, none], bytes, 0, low, high)
                }
                // Of both signs: moved by half of all numbers they have ends.
                Some((low, high)) => {
                    let half = (mask(bytes) >> 1) + 1;
                    let (low, high) = (low ^ half, high ^ half);
                    let moved = [float, Value::known(half, bytes), none];
                    self.domain.applied_within(function, moved, bytes, 0, low, high).plus(half)
                }
                None => self.domain.applied(function, [float, none, none], bytes),
            }
        }))
    }

    /// Between which numbers a float lies, if it is a number.
    fn limits_of_float(&self, value: Value, kind: Type, n_left: &mut u32) -> Option<Limits> {
        if u32::from(value.bytes) != kind.bytes() {
            return None;
        }
        if let Some(bits) = value.as_known() {
            return fold::float(bits, kind).map(|number| (number, number));
        }
        if let Some(limits) = fold::float_interval(self.domain.range(value), kind) {
            return Some(limits);
        }
        *n_left = n_left.checked_sub(1)?;
        match self.domain.kind(value.sum.as_single()?) {
            AtomKind::Select(_, a, b) => {
                let a = self.limits_of_float(a.plus(value.constant), kind, n_left)?;
                let b = self.limits_of_float(b.plus(value.constant), kind, n_left)?;
                Some((a.0.min(b.0), a.1.max(b.1)))
            }
            _ if value.constant != 0 => None,
            AtomKind::Applied(Function::Sign(modifier, of), [a, ..]) if of == kind => {
                let (low, high) = self.limits_of_float(a, kind, n_left)?;
                let size = (low.max(-high).max(0.0), high.max(-low));
                Some(match modifier {
                    NEGATE => (-high, -low),
                    ABSOLUTE => size,
                    NEGATE_ABSOLUTE => (-size.1, -size.0),
                    _ => return None,
                })
            }
            AtomKind::Applied(Function::Instruction(id, to, from, saturate), arguments) if to == kind => {
                let limits = id.row().operation.and_then(|op| self.limits_of_result(op, (to, from), arguments, n_left));
                // What is no number saturates to zero.
                if saturate {
                    Some(limits.map_or((0.0, 1.0), |(l, h)| (l.clamp(0.0, 1.0), h.clamp(0.0, 1.0))))
                } else {
                    limits
                }
            }
            _ => None,
        }
    }

    /// Between which numbers the result of an operation lies whose sources have one type.
    fn limits_of_result(
        &self,
        operation: Operation,
        (to, from): (Type, Type),
        [a, b, c]: [Value; 3],
        n_left: &mut u32,
    ) -> Option<Limits> {
        let mut of = |value: Value| self.limits_of_number(value, from, n_left);
        let is_finite = |(low, high): Limits| low.is_finite() && high.is_finite();
        let (low, high) = match operation {
            // Of a number and something that is no number, it is the number.
            Operation::Min | Operation::Max => {
                let (a, b) = (of(a), of(b));
                if a.is_none() && b.is_none() {
                    return None;
                }
                let (a, b) = (a.unwrap_or(ANY), b.unwrap_or(ANY));
                if operation == Operation::Min { (a.0.min(b.0), a.1.min(b.1)) } else { (a.0.max(b.0), a.1.max(b.1)) }
            }
            Operation::Rndd => of(a).map(|(low, high)| (low.floor(), high.floor()))?,
            Operation::Rndu => of(a).map(|(low, high)| (low.ceil(), high.ceil()))?,
            Operation::Rnde => of(a).map(|(low, high)| (low.round_ties_even(), high.round_ties_even()))?,
            Operation::Rndz => of(a).map(|(low, high)| (low.trunc(), high.trunc()))?,
            _ => {
                let none = (0.0, 0.0);
                let all = match operation {
                    Operation::Mov | Operation::Inv => [of(a)?, none, none],
                    Operation::Add | Operation::Mul => [of(a)?, of(b)?, none],
                    Operation::Mad => [of(a)?, of(b)?, of(c)?],
                    _ => return None,
                };
                let is_rounded = matches!(to, Type::F | Type::DF);
                if !is_rounded || !all.into_iter().all(is_finite) {
                    return None;
                }
                fold::float_limits(operation, all, to)?
            }
        };
        // What is as small as that may count as zero.
        let flushed = |number: f64| if number.abs() < f64::from(f32::MIN_POSITIVE) { 0.0 } else { number };
        let has_ends = from.is_float() || operation == Operation::Mov;
        has_ends.then_some((low.min(flushed(low)), high.max(flushed(high))))
    }

    /// Between which numbers a source lies that is an integer or a float.
    fn limits_of_number(&self, value: Value, kind: Type, n_left: &mut u32) -> Option<Limits> {
        if kind.is_float() { self.limits_of_float(value, kind, n_left) } else { self.integer_limits(kind, value) }
    }
}

/// Modifiers of sources, as atoms hold them.
const NEGATE: u8 = SourceModifier::Negate as u8;
const ABSOLUTE: u8 = SourceModifier::Absolute as u8;
const NEGATE_ABSOLUTE: u8 = SourceModifier::NegateAbsolute as u8;
