//! Values for chosen unknowns: every atom gets a number within its range, and everything made from atoms is computed.

use super::atom::{Atom, AtomKind};
use super::condition::{Condition, ConditionKind};
use super::function::Function;
use super::sum::Sum;
use super::{Domain, Value, fold, mask, sign_extended};
use crate::spec::Type;
use crate::spec::operation::{Operation, Written};
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};

/// How deep definitions are followed; what lies deeper counts as one more unknown.
const MAX_DEPTH: u32 = 64;

/// A side of a value on which a number bounds it.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Bound {
    value: Value,
    is_signed: bool,
    is_lower: bool,
}

impl Bound {
    /// The bound of the two that says more.
    fn narrower(self, x: u64, y: u64) -> u64 {
        let bytes = self.value.bytes;
        let order = |n: u64| if self.is_signed { sign_extended(n, bytes).into() } else { i128::from(n) };
        if (order(x) > order(y)) == self.is_lower { x } else { y }
    }
}

/// A choice of all unknowns.
pub struct Assignment<'d, F> {
    domain: &'d Domain,
    /// The number of an unknown, if the caller wants a certain one.
    chosen: F,
    seed: u64,
    values: FxHashMap<Atom, u64>,
}

impl<'d, F: FnMut(Atom) -> Option<u64>> Assignment<'d, F> {
    /// Unknowns of which `chosen` says nothing get numbers that follow from `seed`.
    pub fn new(domain: &'d Domain, seed: u64, chosen: F) -> Self {
        Self { domain, chosen, seed, values: FxHashMap::default() }
    }

    /// The number that a value is.
    pub fn value(&mut self, value: Value) -> u64 {
        self.value_within(value, MAX_DEPTH)
    }

    fn value_within(&mut self, value: Value, depth: u32) -> u64 {
        let mut number = value.constant;
        for term in self.domain.terms(value.sum).iter() {
            number = number.wrapping_add(term.coefficient.wrapping_mul(self.atom(term.atom, depth)));
        }
        number & mask(value.bytes)
    }

    fn random(&self, what: impl Hash) -> u64 {
        let mut hasher = FxHasher::default();
        self.seed.hash(&mut hasher);
        what.hash(&mut hasher);
        // FxHasher mixes its low bits badly.
        let h = hasher.finish();
        let h = (h ^ h >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (h ^ h >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
    }

    fn atom(&mut self, atom: Atom, depth: u32) -> u64 {
        if let Some(known) = self.values.get(&atom) {
            return *known;
        }
        let number = self.defined(atom, depth);
        self.values.insert(atom, number);
        number
    }

    /// A number for an unknown, within what is known of it. Small ones are preferred: they meet more often.
    fn free(&mut self, atom: Atom, what: impl Hash) -> u64 {
        let block = self.domain.block(atom);
        let step = 1_u128 << block.zeros.min(63);
        let first = u128::from(block.low).div_ceil(step);
        let last = u128::from(block.high) / step;
        let n = last.saturating_sub(first) + 1;
        let random = self.random(what);
        let n = if random >> 60 < 8 { n.min(16) } else { n };
        ((first + u128::from(random) % n) * step) as u64 & mask(block.bytes)
    }

    fn defined(&mut self, atom: Atom, depth: u32) -> u64 {
        let kind = self.domain.kind(atom);
        let bytes = self.domain.block(atom).bytes;
        if let Some(number) = (self.chosen)(atom) {
            return number & mask(bytes);
        }
        let Some(depth) = depth.checked_sub(1) else { return self.free(atom, atom) };
        let result = match kind {
            AtomKind::Initial(..) | AtomKind::Unknown(..) | AtomKind::AddressOf(_) | AtomKind::LocalId(_) => {
                return self.free(atom, atom);
            }
            AtomKind::ZeroExtended(v) => self.value_within(v, depth),
            AtomKind::SignExtended(v) => sign_extended(self.value_within(v, depth), v.bytes) as u64,
            AtomKind::Masked(v, bits) => self.value_within(v, depth) & bits,
            AtomKind::Shifted(v, count) => self.value_within(v, depth) >> count,
            // One unknown, of which a condition says more: what is chosen for it may not be what the condition asks for.
            AtomKind::Select(_, a, b) if a == b => {
                let number = self.value_within(a, depth);
                let block = self.domain.block(atom);
                let is_within = (block.low..=block.high).contains(&number);
                return if is_within { number } else { self.free(atom, atom) };
            }
            AtomKind::Select(c, a, b) => {
                let taken = if self.condition_within(c, depth) { a } else { b };
                self.value_within(taken, depth)
            }
            AtomKind::Predicate(bits, n) => (0..u32::from(n))
                .filter(|lane| self.condition_within(bits.at(*lane), depth))
                .fold(0, |number, lane| number | 1 << lane),
            AtomKind::Applied(function, args) => {
                let width = args[0].bytes;
                let numbers = args.map(|a| self.value_within(a, depth));
                let folded = match function {
                    Function::Integer(Operation::Addc) => Some(u64::from(numbers[0] + numbers[1] > mask(4))),
                    Function::Integer(Operation::Subb) => Some(u64::from(numbers[0] < numbers[1])),
                    Function::Integer(operation) => fold::integer(operation, false, numbers, width),
                    Function::Signed(operation) => fold::integer(operation, true, numbers, width),
                    Function::Bits(table) => Some(fold::bits(table, numbers[0], numbers[1], numbers[2])),
                    Function::Instruction(..) => fold::conversion(function, numbers),
                    Function::Sign(..) => None,
                };
                match folded {
                    Some(number) => number,
                    None => return self.free(atom, (function, numbers)),
                }
            }
        };
        result & mask(bytes)
    }

    /// A random truth value of a thing, the same each time.
    fn toss(&self, of: impl Hash) -> bool {
        self.random(of) & 1 == 1
    }

    /// Whether a condition holds.
    pub fn condition(&mut self, condition: Condition) -> bool {
        self.condition_within(condition, MAX_DEPTH)
    }

    fn condition_within(&mut self, condition: Condition, depth: u32) -> bool {
        let plain = condition.plain();
        let Some(depth) = depth.checked_sub(1) else { return self.toss(plain) };
        let domain = self.domain;
        let holds = match domain.condition_kind(plain) {
            ConditionKind::False => false,
            ConditionKind::Unknown(_) => match domain.choices(plain) {
                Some(all) => all.iter().any(|c| self.condition_within(*c, depth)),
                None => self.toss(plain),
            },
            ConditionKind::Less(signed, a, b) => {
                let (x, y) = (self.value_within(a, depth), self.value_within(b, depth));
                if signed { sign_extended(x, a.bytes) < sign_extended(y, b.bytes) } else { x < y }
            }
            ConditionKind::Zero(a) => self.value_within(a, depth) == 0,
            ConditionKind::Odd(a) => self.value_within(a, depth) & 1 == 1,
            ConditionKind::Bit(a) => self.value_within(a, depth) >> plain.lane() & 1 == 1,
            ConditionKind::And(a, b) | ConditionKind::Whole(a, b) => {
                self.condition_within(a, depth) && self.condition_within(b, depth)
            }
            ConditionKind::AtMost(a, b) => {
                let (x, y) = (self.value_within(a, depth), self.value_within(b, depth));
                let number = |bits, bytes| match bytes {
                    2 => fold::compared_float(bits, Type::HF),
                    4 => fold::compared_float(bits, Type::F),
                    _ => fold::compared_float(bits, Type::DF),
                };
                match (number(x, a.bytes), number(y, b.bytes)) {
                    (Some(x), Some(y)) if a.bytes == b.bytes => x <= y,
                    _ => self.toss((plain, x, y)),
                }
            }
            ConditionKind::Compared(function, a, b) => {
                let (x, y) = (self.value_within(a, depth), self.value_within(b, depth));
                self.toss((function, x, y))
            }
        };
        holds != condition.is_negated()
    }
}

impl Domain {
    /// What a value is made from, in words; parts that have no short name are `...`.
    pub fn describe(&self, value: Value, name: &mut dyn FnMut(u32, u32, u8) -> String) -> String {
        self.describe_within(value, name, 4)
    }

    fn describe_within(&self, value: Value, name: &mut dyn FnMut(u32, u32, u8) -> String, depth: u32) -> String {
        let number = |n: u64| if n < 10 { n.to_string() } else { format!("{n:#x}") };
        if value.sum == Sum::ZERO {
            return number(value.constant);
        }
        let mut text = String::new();
        let mut constant = value.constant;
        for term in self.terms(value.sum).iter() {
            let factor = sign_extended(term.coefficient, value.bytes);
            constant = constant.wrapping_add(term.coefficient.wrapping_mul(self.moved_by(term.atom, depth)));
            let atom = self.describe_atom(term.atom, name, depth);
            let sign = match (text.is_empty(), factor < 0) {
                (true, true) => "-",
                (true, false) => "",
                (false, true) => " - ",
                (false, false) => " + ",
            };
            text += sign;
            if factor.unsigned_abs() != 1 {
                text += &format!("{}*", number(factor.unsigned_abs()));
            }
            text += &atom;
        }
        let constant = sign_extended(constant & mask(value.bytes), value.bytes);
        match constant {
            0 => {}
            1.. => text += &format!(" + {}", number(constant.unsigned_abs())),
            _ => text += &format!(" - {}", number(constant.unsigned_abs())),
        }
        text
    }

    /// A condition in words, if it can be said in a few: comparisons, joined by "and".
    pub fn describe_condition(
        &self,
        condition: Condition,
        name: &mut dyn FnMut(u32, u32, u8) -> String,
    ) -> Option<String> {
        // Of bounds of one kind for one value the narrowest says it all.
        let mut bounds: Vec<(Bound, u64)> = Vec::new();
        let mut words: Vec<String> = Vec::new();
        for part in self.conjuncts(condition).iter() {
            match self.bound(*part) {
                Some((bound, number)) => match bounds.iter_mut().find(|(other, _)| *other == bound) {
                    Some((_, known)) => *known = bound.narrower(*known, number),
                    None => bounds.push((bound, number)),
                },
                None => words.push(self.describe_comparison(*part, name)?),
            }
        }
        let bounds = bounds.into_iter().map(|(bound, number)| {
            let number: i128 =
                if bound.is_signed { sign_extended(number, bound.value.bytes).into() } else { number.into() };
            let of = self.describe(bound.value, name);
            let sign = if bound.is_lower { ">" } else { "<" };
            format!("{of} {sign} {number}")
        });
        let mut all: Vec<String> = bounds.collect();
        all.extend(words);
        all.sort();
        all.dedup();
        let is_short = all.len() <= 3 && !all.iter().any(|text| text.contains("..."));
        is_short.then(|| all.join(" and "))
    }

    /// A comparison of a value with a number: what has to be greater or less than it.
    fn bound(&self, part: Condition) -> Option<(Bound, u64)> {
        let plain = part.plain();
        let ConditionKind::Less(is_signed, a, b) = self.condition_kind(plain) else { return None };
        let (value, number, is_lower) = match (a.as_known(), b.as_known()) {
            (Some(number), None) => (b, number, true),
            (None, Some(number)) => (a, number, false),
            _ => return None,
        };
        // Its opposite is a bound on the other side, one further.
        let (number, is_lower) = match (part.is_negated(), is_lower) {
            (false, _) => (number, is_lower),
            (true, true) => (number.wrapping_add(1), false),
            (true, false) => (number.wrapping_sub(1), true),
        };
        Some((Bound { value, is_signed, is_lower }, number & mask(value.bytes)))
    }

    fn describe_comparison(&self, part: Condition, name: &mut dyn FnMut(u32, u32, u8) -> String) -> Option<String> {
        let plain = part.plain();
        let holds = !part.is_negated();
        match self.condition_kind(plain) {
            ConditionKind::Less(_, a, b) => {
                let sign = if holds { "<" } else { ">=" };
                Some(format!("{} {sign} {}", self.describe(a, name), self.describe(b, name)))
            }
            ConditionKind::Zero(v) => {
                let sign = if holds { "==" } else { "!=" };
                let number = sign_extended(v.constant, v.bytes).wrapping_neg();
                Some(format!("{} {sign} {number}", self.describe(v.with_constant(0), name)))
            }
            ConditionKind::Odd(v) => {
                Some(format!("{} is {}", self.describe(v, name), if holds { "odd" } else { "even" }))
            }
            _ => None,
        }
    }

    /// What was added to signed numbers so that they have the order of unsigned ones.
    fn moved_by(&self, atom: Atom, depth: u32) -> u64 {
        let Some(depth) = depth.checked_sub(1) else { return 0 };
        let half = (mask(self.block(atom).bytes) >> 1) + 1;
        let is_moved = |v: Value| {
            // What the one in it was moved by is no part of it.
            let inner = v.sum.as_single().map_or(0, |inner| self.moved_by(inner, depth));
            (v.constant.wrapping_add(inner) & mask(v.bytes)).abs_diff(half) <= half / 2
        };
        match self.kind(atom) {
            AtomKind::Applied(Function::Integer(Operation::Min | Operation::Max), [a, b, _])
                if is_moved(a) && is_moved(b) =>
            {
                half
            }
            AtomKind::Applied(Function::Instruction(id, ..), [_, by, _])
                if id.row().operation == Some(Operation::Mov) && by.as_known() == Some(half) =>
            {
                half
            }
            _ => 0,
        }
    }

    fn describe_atom(&self, atom: Atom, name: &mut dyn FnMut(u32, u32, u8) -> String, depth: u32) -> String {
        let moved_by = self.moved_by(atom, depth);
        let Some(depth) = depth.checked_sub(1) else { return "...".to_owned() };
        let mut of = |v: Value| match v.plus(moved_by.wrapping_neg()) {
            v if moved_by != 0 && v.is_known() => sign_extended(v.constant, v.bytes).to_string(),
            v => self.describe_within(v, name, depth),
        };
        match self.kind(atom) {
            AtomKind::Initial(variable, element) => name(variable, element, self.block(atom).bytes),
            AtomKind::ZeroExtended(v) | AtomKind::SignExtended(v) => {
                let inner = of(v);
                if inner.contains(' ') { format!("({inner})") } else { inner }
            }
            AtomKind::LocalId(dimension) => format!("local_id.{}", ["x", "y", "z"][usize::from(dimension) % 3]),
            AtomKind::Masked(v, bits) => format!("({} & {bits:#x})", of(v)),
            AtomKind::Shifted(v, count) => format!("({} >> {count})", of(v)),
            AtomKind::Select(_, a, b) => format!("(either {} or {})", of(a), of(b)),
            AtomKind::Applied(Function::Integer(operation) | Function::Signed(operation), [a, b, _]) => {
                match operation.row().written {
                    Written::Not => "...".to_owned(),
                    Written::Infix(sign) => format!("({} {sign} {})", of(a), of(b)),
                    Written::Least => format!("min({}, {})", of(a), of(b)),
                    Written::Greatest => format!("max({}, {})", of(a), of(b)),
                }
            }
            AtomKind::Unknown(..) | AtomKind::AddressOf(_) | AtomKind::Applied(..) | AtomKind::Predicate(..) => {
                "...".to_owned()
            }
        }
    }
}
