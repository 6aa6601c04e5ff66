//! Quotients of integers as compilers compute them with floats: from the reciprocal of the divisor, of which only the
//! numbers are known that it may be, with a correction after which each of them leads to one quotient.

use crate::interp::domain::atom::{Atom, AtomKind};
use crate::interp::domain::function::Function;
use crate::interp::domain::lanes::Lanes;
use crate::interp::domain::{Value, fold};
use crate::interp::state::Reader;
use crate::interp::transfer::operand::Source;
use crate::spec::Type;
use crate::spec::operation::Operation;

/// Most numbers that a reciprocal may be.
const MAX_NUMBERS: u32 = 16;
/// Most operations that lead from the reciprocal to the quotient.
const MAX_OPERATIONS: u32 = 24;

/// One of the numbers that a reciprocal may be, and how much may still be looked at.
struct Assumption {
    /// Counted from the least of them.
    number: u32,
    /// The reciprocal, once it has been met, and how many numbers it may be.
    reciprocal: Option<(Atom, u32)>,
    n_left: u32,
}

impl Reader<'_> {
    /// The integers of a type to which a source is cut in the first `n` lanes, if each is a quotient.
    pub(in crate::interp::transfer) fn quotients(&self, source: &Source, to: Type, n: u32) -> Option<Lanes<Value>> {
        if !to.is_integer() || !source.kind.is_float() {
            return None;
        }
        let quotient = |lane| self.quotient(source.lanes.at(lane), source.kind, to);
        let all = (0..n).map(quotient).collect::<Option<Vec<Value>>>()?;
        Some(Lanes::of(n, |lane| all[lane as usize]))
    }

    /// The integer of a type to which a float is cut, if it is the same whichever number the reciprocal is from which the
    /// float was computed.
    fn quotient(&self, value: Value, kind: Type, to: Type) -> Option<Value> {
        let (mut number, mut n) = (0, 1);
        let mut quotient = None;
        while number < n {
            let mut assumption = Assumption { number, reciprocal: None, n_left: MAX_OPERATIONS };
            let (low, high) = self.limits_of(value, kind, &mut assumption)?;
            n = assumption.reciprocal?.1;
            let cut = |float: f64| fold::float_to_integer(float, to, false);
            let (low, high) = (cut(low)?, cut(high)?);
            if low != high || quotient.is_some_and(|q| q != low) {
                return None;
            }
            quotient = Some(low);
            number += 1;
        }
        quotient.map(|bits| Value::known(bits, to.bytes() as u8))
    }

    /// Between which numbers a float lies, with one of the numbers for the reciprocal.
    fn limits_of(&self, value: Value, kind: Type, assumption: &mut Assumption) -> Option<(f64, f64)> {
        let has_width = u32::from(value.bytes) == kind.bytes();
        if let Some(bits) = value.as_known().filter(|_| has_width) {
            return fold::float(bits, kind).map(|number| (number, number));
        }
        let atom = value.sum.as_single().filter(|_| has_width && value.constant == 0)?;
        let AtomKind::Applied(Function::Instruction(id, to, from, false), arguments) = self.domain.kind(atom) else {
            return None;
        };
        assumption.n_left = assumption.n_left.checked_sub(1)?;
        let operation = id.row().operation.filter(|_| to == kind)?;
        if operation == Operation::Inv {
            return self.reciprocal(value, atom, assumption);
        }
        let mut limits = [(0.0, 0.0); 3];
        for (limits, argument) in limits.iter_mut().zip(arguments) {
            *limits = self.limits_of(argument, from, assumption)?;
        }
        fold::float_limits(operation, limits, to)
    }

    /// The number that a reciprocal is taken to be.
    fn reciprocal(&self, value: Value, atom: Atom, assumption: &mut Assumption) -> Option<(f64, f64)> {
        let (low, high) = fold::float_interval(self.domain.range(value), Type::F).filter(|(low, _)| *low > 0.0)?;
        let (low, high) = ((low as f32).to_bits(), (high as f32).to_bits());
        let n = (high - low + 1).min(MAX_NUMBERS + 1);
        let is_other = assumption.reciprocal.is_some_and(|(other, _)| other != atom);
        if is_other || n > MAX_NUMBERS {
            return None;
        }
        assumption.reciprocal = Some((atom, n));
        let number = f64::from(f32::from_bits(low + assumption.number));
        Some((number, number))
    }
}
