//! Between which numbers floats lie, as the operations that they came of say and the comparisons on the way, and the integers
//! that they are cut to.

use super::atom::{Atom, AtomKind};
use super::condition::{Condition, ConditionKind};
use super::function::Function;
use super::{Domain, Value, fold, mask};
use crate::program::SourceModifier;
use crate::spec::Type;
use crate::spec::operation::Operation;

/// Most operations that are looked at on the way to a float.
const MAX_OPERATIONS: u32 = 12;

/// What a float may be.
#[derive(Clone, Copy, Debug)]
pub(super) struct FloatRange {
    /// The least number; it may be infinite.
    low: f64,
    /// The greatest number; it may be infinite.
    high: f64,
    /// Whether it may be no number at all.
    may_be_nan: bool,
}

impl FloatRange {
    /// Anything.
    const ANY: Self = Self { low: f64::NEG_INFINITY, high: f64::INFINITY, may_be_nan: true };

    const fn number(low: f64, high: f64) -> Self {
        Self { low, high, may_be_nan: false }
    }

    const fn is_finite(self) -> bool {
        self.low.is_finite() && self.high.is_finite()
    }

    fn map(self, f: impl Fn(f64) -> f64) -> Self {
        Self { low: f(self.low), high: f(self.high), ..self }
    }

    /// Where one of them holds.
    const fn or(self, other: Self) -> Self {
        Self {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
            may_be_nan: self.may_be_nan || other.may_be_nan,
        }
    }

    /// Where both hold.
    const fn and(self, other: Self) -> Self {
        Self {
            low: self.low.max(other.low),
            high: self.high.min(other.high),
            may_be_nan: self.may_be_nan && other.may_be_nan,
        }
    }
}

/// What comparisons say of an unknown as a float.
#[derive(Clone, Copy)]
struct Said {
    atom: Atom,
    range: FloatRange,
}

impl Domain {
    /// The integer of type `to` to which a float of type `from` is cut by that function.
    pub fn cut_float(&mut self, function: Function, float: Value) -> Value {
        let Function::Instruction(_, to, from, saturate) = function else { return float };
        let bytes = to.bytes() as u8;
        let none = Value::known(0, bytes);
        let mut n_left = MAX_OPERATIONS;
        let range = self.float_range(float, from, &mut n_left);
        let cut = |number| fold::float_to_integer(number, to, saturate);
        let ends = if range.may_be_nan { None } else { cut(range.low).zip(cut(range.high)) };
        match ends {
            Some((low, high)) if low == high => Value::known(low, bytes),
            Some((low, high)) if low < high => self.applied_within(function, [float, none, none], bytes, 0, low, high),
            // Of both signs: moved by half of all numbers they have ends.
            Some((low, high)) => {
                let half = half(bytes);
                let moved = [float, Value::known(half, bytes), none];
                self.applied_within(function, moved, bytes, 0, low ^ half, high ^ half).plus(half)
            }
            None => self.applied(function, [float, none, none], bytes),
        }
    }

    /// The result of an instruction on floats, or one that converts them, in a case in which its sources are these.
    pub(super) fn converted(&mut self, function: Function, args: [Value; 3], bytes: u8) -> Value {
        let Function::Instruction(id, to, from, _) = function else { return self.applied(function, args, bytes) };
        if id.row().operation != Some(Operation::Mov) || !to.is_integer() || !from.is_float() {
            return self.applied(function, args, bytes);
        }
        let cut = self.cut_float(function, args[0]);
        // The atom was moved.
        if args[1].as_known() == Some(half(bytes)) { cut.plus(half(bytes)) } else { cut }
    }

    /// Between which numbers a float lies.
    fn float_range(&self, value: Value, kind: Type, n_left: &mut u32) -> FloatRange {
        if u32::from(value.bytes) != kind.bytes() {
            return FloatRange::ANY;
        }
        if let Some(bits) = value.as_known() {
            return fold::float(bits, kind).map_or(FloatRange::ANY, |number| FloatRange::number(number, number));
        }
        if let Some((low, high)) = fold::float_interval(self.range(value), kind) {
            return FloatRange::number(low, high);
        }
        let Some(left) = n_left.checked_sub(1) else { return FloatRange::ANY };
        *n_left = left;
        let Some(atom) = value.sum.as_single() else { return FloatRange::ANY };
        match self.kind(atom) {
            // One unknown, of which the comparisons say more.
            AtomKind::Select(given, a, b) if a == b && value.constant == 0 => {
                self.float_range_where(given, a, kind, n_left)
            }
            AtomKind::Select(given, a, b) => {
                let a = self.float_range_where(given, a.plus(value.constant), kind, n_left);
                a.or(self.float_range_where(given.not(), b.plus(value.constant), kind, n_left))
            }
            _ if value.constant != 0 => FloatRange::ANY,
            AtomKind::Applied(Function::Sign(modifier, of), [a, ..]) if of == kind => {
                let of = self.float_range(a, kind, n_left);
                let opposite = FloatRange { low: -of.high, high: -of.low, ..of };
                let size = FloatRange { low: of.low.max(-of.high).max(0.0), high: of.high.max(-of.low), ..of };
                match modifier {
                    NEGATE => opposite,
                    ABSOLUTE => size,
                    NEGATE_ABSOLUTE => FloatRange { low: -size.high, high: -size.low, ..of },
                    _ => FloatRange::ANY,
                }
            }
            AtomKind::Applied(Function::Instruction(id, to, from, saturate), arguments) if to == kind => {
                let of = |op| self.range_of_result(op, (to, from), arguments, n_left);
                let range = id.row().operation.map_or(FloatRange::ANY, of);
                if !saturate {
                    return range;
                }
                // What is no number saturates to zero.
                let within = range.map(|number| number.clamp(0.0, 1.0));
                FloatRange { low: if range.may_be_nan { 0.0 } else { within.low }, may_be_nan: false, ..within }
            }
            _ => FloatRange::ANY,
        }
    }

    /// Between which numbers a float lies where a condition holds.
    fn float_range_where(&self, given: Condition, value: Value, kind: Type, n_left: &mut u32) -> FloatRange {
        let range = self.float_range(value, kind, n_left);
        let Some(atom) = value.sum.as_single().filter(|_| value.constant == 0) else { return range };
        let said = self.floats_said_by(given).into_iter().find(|said| said.atom == atom);
        said.map_or(range, |said| range.and(said.range))
    }

    /// Between which numbers the result of an operation lies whose sources have one type.
    fn range_of_result(
        &self,
        operation: Operation,
        (to, from): (Type, Type),
        [a, b, c]: [Value; 3],
        n_left: &mut u32,
    ) -> FloatRange {
        let mut of = |value: Value| self.range_of_number(value, from, n_left);
        let range = match operation {
            // Of a number and something that is no number, it is the number.
            Operation::Min | Operation::Max => {
                let (a, b) = (of(a), of(b));
                let end = if operation == Operation::Min { f64::min } else { f64::max };
                let both = FloatRange {
                    low: end(a.low, b.low),
                    high: end(a.high, b.high),
                    may_be_nan: a.may_be_nan && b.may_be_nan,
                };
                let both = if a.may_be_nan { FloatRange { may_be_nan: both.may_be_nan, ..both.or(b) } } else { both };
                if b.may_be_nan { FloatRange { may_be_nan: both.may_be_nan, ..both.or(a) } } else { both }
            }
            Operation::Rndd => of(a).map(f64::floor),
            Operation::Rndu => of(a).map(f64::ceil),
            Operation::Rnde => of(a).map(f64::round_ties_even),
            Operation::Rndz => of(a).map(f64::trunc),
            _ => {
                let none = FloatRange::number(0.0, 0.0);
                let all = match operation {
                    Operation::Mov | Operation::Inv => [of(a), none, none],
                    Operation::Add | Operation::Mul => [of(a), of(b), none],
                    Operation::Mad => [of(a), of(b), of(c)],
                    _ => return FloatRange::ANY,
                };
                let is_rounded = matches!(to, Type::F | Type::DF);
                if !is_rounded || !all.into_iter().all(FloatRange::is_finite) {
                    return FloatRange::ANY;
                }
                let ends = fold::float_limits(operation, all.map(|range| (range.low, range.high)), to);
                let Some((low, high)) = ends else { return FloatRange::ANY };
                FloatRange { low, high, may_be_nan: all.into_iter().any(|range| range.may_be_nan) }
            }
        };
        let has_ends = from.is_float() || operation == Operation::Mov;
        if !has_ends {
            return FloatRange::ANY;
        }
        // What is as small as that may count as zero.
        let flushed = range.map(|number| if number.abs() < f64::from(f32::MIN_POSITIVE) { 0.0 } else { number });
        FloatRange { low: range.low.min(flushed.low), high: range.high.max(flushed.high), ..range }
    }

    /// Between which numbers a source lies that is an integer or a float.
    fn range_of_number(&self, value: Value, kind: Type, n_left: &mut u32) -> FloatRange {
        if kind.is_float() {
            return self.float_range(value, kind, n_left);
        }
        self.integer_limits(kind, value).map_or(FloatRange::ANY, |(low, high)| FloatRange::number(low, high))
    }

    /// Between which numbers an integer lies; nothing for those of 64 bits.
    #[expect(clippy::cast_precision_loss, reason = "numbers that a float does not hold are left alone")]
    #[must_use]
    pub fn integer_limits(&self, kind: Type, value: Value) -> Option<(f64, f64)> {
        if !kind.is_integer() || kind.bytes() > 4 || u32::from(value.bytes) != kind.bytes() {
            return None;
        }
        Some(if kind.is_signed() {
            let (low, high) = self.signed_range(value);
            (low as f64, high as f64)
        } else {
            let (low, high) = self.range(value);
            (low as f64, high as f64)
        })
    }

    /// The unknowns that a condition compares with floats, and what it says of them.
    fn floats_said_by(&self, given: Condition) -> Vec<Said> {
        let mut all: Vec<Said> = Vec::new();
        let mut note = |value: Value, range: FloatRange| {
            let Some(atom) = value.sum.as_single().filter(|_| value.constant == 0) else { return };
            match all.iter_mut().find(|said| said.atom == atom) {
                Some(said) => said.range = said.range.and(range),
                None => all.push(Said { atom, range }),
            }
        };
        for part in self.conjuncts(given).iter() {
            if let Some((value, range)) = self.float_said_by(*part) {
                note(value, range);
                if let Some((value, range)) = self.without_sign(value, range) {
                    note(value, range);
                }
            } else if part.is_negated()
                && let ConditionKind::And(a, b) = self.condition_kind(part.not())
                && let (Some((x, of_x)), Some((y, of_y))) = (self.float_said_by(a.not()), self.float_said_by(b.not()))
                && x == y
            {
                // Not both: the one or the other one does not hold.
                note(x, of_x.or(of_y));
            }
        }
        all
    }

    /// The float that a value is with its sign changed or removed, and between which numbers that lies.
    fn without_sign(&self, value: Value, range: FloatRange) -> Option<(Value, FloatRange)> {
        let atom = value.sum.as_single().filter(|_| value.constant == 0)?;
        let AtomKind::Applied(Function::Sign(modifier, _), [of, ..]) = self.kind(atom) else { return None };
        let opposite = FloatRange { low: -range.high, high: -range.low, ..range };
        Some(match modifier {
            NEGATE => (of, opposite),
            ABSOLUTE => (of, FloatRange { low: -range.high, ..range }),
            NEGATE_ABSOLUTE => (of, FloatRange { low: range.low, high: -range.low, ..range }),
            _ => return None,
        })
    }

    /// What a comparison of a float with a number says of it.
    fn float_said_by(&self, part: Condition) -> Option<(Value, FloatRange)> {
        let holds = !part.is_negated();
        let ConditionKind::AtMost(a, b) = self.condition_kind(if holds { part } else { part.not() }) else {
            return None;
        };
        let kind = match a.bytes {
            2 => Type::HF,
            4 => Type::F,
            _ => Type::DF,
        };
        if a.bytes != b.bytes {
            return None;
        }
        let (value, bits, is_upper) = match (a.as_known(), b.as_known()) {
            (Some(bits), None) => (b, bits, false),
            (None, Some(bits)) => (a, bits, true),
            _ => return None,
        };
        let number = fold::compared_float(bits, kind).filter(|number| !number.is_nan())?;
        // What is not at most a number is greater, or no number.
        let is_upper = is_upper == holds;
        let number = match number {
            // What is as small as that may count as zero.
            _ if number.abs() < SMALL && is_upper => SMALL,
            _ if number.abs() < SMALL => -SMALL,
            _ if holds => number,
            _ if is_upper => number.next_down(),
            _ => number.next_up(),
        };
        let range = if is_upper {
            FloatRange { high: number, may_be_nan: !holds, ..FloatRange::ANY }
        } else {
            FloatRange { low: number, may_be_nan: !holds, ..FloatRange::ANY }
        };
        Some((value, range))
    }

    /// The unknowns that a condition says to be floats between two numbers, and what stands for them where it holds.
    pub(super) fn float_bounds_said_by(&mut self, given: Condition) -> Vec<(Atom, Value)> {
        let mut replaced = Vec::new();
        for Said { atom, range } in self.floats_said_by(given) {
            let block = *self.block(atom);
            let whole = Self::value_of(atom, block.bytes);
            if range.may_be_nan || range.low > range.high || block.bytes < 2 {
                continue;
            }
            let kind = match block.bytes {
                2 => Type::HF,
                4 => Type::F,
                _ => Type::DF,
            };
            let sign = half(block.bytes);
            let bits = |number: f64| fold::float_bits_around(number, kind);
            // The bits of numbers of one sign are in the order of their sizes.
            let positive = (range.high >= 0.0)
                .then(|| (bits(range.low.max(0.0)).0.max(block.low), bits(range.high).1.min(block.high)));
            let negative = (range.low < 0.0).then(|| {
                let (least, most) = (bits(-range.high.min(0.0)).0, bits(-range.low).1);
                ((least | sign).max(block.low), (most | sign).min(block.high))
            });
            let positive = positive.filter(|(low, high)| low <= high);
            let negative = negative.filter(|(low, high)| low <= high);
            let known = match (positive, negative) {
                (Some(one), None) | (None, Some(one)) => self.float_within(given, whole, one),
                (Some(positive), Some(negative)) => {
                    let is_negative = self.less(true, whole, Value::known(0, block.bytes));
                    let (below, above) = (self.and(given, is_negative), self.and(given, is_negative.not()));
                    let below = self.float_within(below, whole, negative);
                    let above = self.float_within(above, whole, positive);
                    let ends = (positive.0.min(negative.0), positive.1.max(negative.1));
                    let kind = AtomKind::Select(is_negative, below, above);
                    self.atom(kind, block.bytes, 0, ends.0, ends.1)
                }
                (None, None) => continue,
            };
            if known != whole {
                replaced.push((atom, known));
            }
        }
        replaced
    }

    /// An unknown, of which the bits are known to be within those ends where a condition holds.
    fn float_within(&mut self, given: Condition, whole: Value, (low, high): (u64, u64)) -> Value {
        self.atom(AtomKind::Select(given, whole, whole), whole.bytes, 0, low, high)
    }

    /// The integers that were converted to floats that a condition compares with numbers, and between which numbers these are.
    pub(super) fn converted_said_by(&self, given: Condition) -> Vec<(Value, u64, u64)> {
        let bounds = |Said { atom, range }: Said| {
            let AtomKind::Applied(Function::Instruction(id, to, from, false), [value, ..]) = self.kind(atom) else {
                return None;
            };
            let is_converted = id.row().operation == Some(Operation::Mov) && to.is_float() && from.is_integer();
            let bytes = from.bytes() as u8;
            if !is_converted || value.bytes != bytes || bytes > 4 {
                return None;
            }
            // Up to two to this a float holds every integer.
            let bits = match to {
                Type::F => 24,
                Type::DF => 53,
                _ => 8,
            };
            let (exact, end) = (1_i128 << bits, 2_f64.powi(bits));
            let (least, most) = fold::limits(bytes, from.is_signed());
            let low = if range.low <= -end { least } else { (range.low.ceil() as i128).min(exact - 1) };
            let high = if range.high >= end { most } else { (range.high.floor() as i128).max(1 - exact) };
            let (low, high) = (low.max(least), high.min(most));
            (low <= high).then_some((value, low as u64 & mask(bytes), high as u64 & mask(bytes)))
        };
        self.floats_said_by(given).into_iter().filter_map(bounds).collect()
    }
}

/// The sign bit of a number of that many bytes, which is half of all numbers.
const fn half(bytes: u8) -> u64 {
    (mask(bytes) >> 1) + 1
}

/// A number below which a float of any type counts as zero.
const SMALL: f64 = 0.000_061_035_156_25;

/// Modifiers of sources, as atoms hold them.
const NEGATE: u8 = SourceModifier::Negate as u8;
const ABSOLUTE: u8 = SourceModifier::Absolute as u8;
const NEGATE_ABSOLUTE: u8 = SourceModifier::NegateAbsolute as u8;
