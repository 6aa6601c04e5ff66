//! Values that are one of few, and values in one of several cases.

use super::atom::{Atom, AtomKind};
use super::condition::{Condition, ConditionKind};
use super::function::Function;
use super::sum::Term;
use super::{Domain, Value, mask};
use crate::spec::operation::{Form, Operation};

/// Most numbers of a set.
pub const MAX_SET: usize = 64;
/// Most numbers that are told one by one.
const MAX_ALTERNATIVES: usize = 4;
/// How deep definitions are followed.
const MAX_DEPTH: u32 = 6;

/// How deep conjunctions are followed.
const MAX_PARTS_IN_CASE: u32 = 16;

/// Most low bits of an unknown that are told apart.
const MAX_RESIDUE: u32 = 6;

/// One case: some conditions hold, and some unknowns are something else.
#[derive(Clone, Debug)]
pub struct Case {
    /// The conditions.
    pub given: Condition,
    /// The unknowns.
    pub replaced: Vec<(Atom, Value)>,
}

/// What a distinction of cases can start from.
#[derive(Default, Debug)]
pub struct Splits {
    /// Conditions of choices.
    pub conditions: Vec<Condition>,
    /// Unknowns whose lowest bits decide, with how many of them.
    pub residues: Vec<(Atom, u32)>,
}

impl Domain {
    /// All numbers that a value can be, if they are few; ordered.
    #[must_use]
    pub fn set(&self, value: Value) -> Option<Vec<u64>> {
        self.set_within(value, MAX_DEPTH)
    }

    /// What a value is on the paths that branches and choices part, with the condition of each; a few of them.
    pub fn paths(&mut self, value: Value) -> Vec<(Condition, Value)> {
        let mut paths = vec![(Condition::TRUE, value)];
        let mut next = 0;
        while let Some((given, value)) = paths.get(next).copied() {
            let mut splits = Splits::default();
            if paths.len() < MAX_ALTERNATIVES {
                self.splits(value, &mut splits);
            }
            let Some(condition) = splits.conditions.first().copied() else {
                next += 1;
                continue;
            };
            let mut parts = [condition, condition.not()].into_iter().filter_map(|condition| {
                let given = self.and(given, condition);
                let case = Case { given: condition, replaced: Vec::new() };
                (!given.is_false()).then(|| (given, self.in_case(value, &case)))
            });
            let (first, second) = (parts.next(), parts.next());
            let is_parted = first.is_some_and(|(_, v)| v != value);
            match first {
                Some(first) => paths[next] = first,
                None => return Vec::new(),
            }
            paths.extend(second);
            // What is the same on both sides is not asked about again.
            next += usize::from(!is_parted);
        }
        // The condition of a path may say what an unknown is there.
        for (given, value) in &mut paths {
            *value = self.learned(*value, *given);
        }
        paths
    }

    /// All numbers that a value can be, if it is one of few that branches and choices select.
    #[must_use]
    pub fn alternatives(&self, value: Value) -> Option<Vec<u64>> {
        let mut all = Vec::new();
        self.add_alternatives(value, &mut all, MAX_DEPTH)?;
        all.sort_unstable();
        all.dedup();
        Some(all)
    }

    fn add_alternatives(&self, value: Value, all: &mut Vec<u64>, depth: u32) -> Option<()> {
        if let Some(known) = value.as_known() {
            all.push(known);
            return (all.len() <= MAX_ALTERNATIVES).then_some(());
        }
        let depth = depth.checked_sub(1)?;
        let AtomKind::Select(_, a, b) = self.kind(value.sum.as_single()?) else { return None };
        let first = all.len();
        self.add_alternatives(a, all, depth)?;
        self.add_alternatives(b, all, depth)?;
        for number in &mut all[first..] {
            *number = number.wrapping_add(value.constant) & mask(value.bytes);
        }
        Some(())
    }

    fn set_within(&self, value: Value, depth: u32) -> Option<Vec<u64>> {
        let depth = depth.checked_sub(1)?;
        let mut set = vec![value.constant];
        for term in self.terms(value.sum).iter() {
            let of_term = self.term_set(*term, value.bytes, depth)?;
            if set.len() * of_term.len() > 4 * MAX_SET {
                return None;
            }
            let sums = set.iter().flat_map(|a| of_term.iter().map(|b| a.wrapping_add(*b) & mask(value.bytes)));
            set = sums.collect();
            set.sort_unstable();
            set.dedup();
        }
        (set.len() <= MAX_SET).then_some(set)
    }

    fn term_set(&self, term: Term, bytes: u8, depth: u32) -> Option<Vec<u64>> {
        let scaled = |set: Vec<u64>| set.into_iter().map(|n| n.wrapping_mul(term.coefficient) & mask(bytes)).collect();
        if let Some(set) = self.atom_set(term.atom, depth) {
            return Some(scaled(set));
        }
        // Of a number times a high power of two only the lowest bits count.
        let zeros = self.block(term.atom).zeros;
        let bits = (8 * u32::from(bytes)).checked_sub(term.coefficient.trailing_zeros() + u32::from(zeros))?;
        (bits <= 6).then(|| scaled((0..1_u64 << bits).map(|n| n << zeros).collect()))
    }

    fn atom_set(&self, atom: Atom, depth: u32) -> Option<Vec<u64>> {
        let block = *self.block(atom);
        let step = 1_u128 << block.zeros.min(63);
        let (first, last) = (u128::from(block.low).div_ceil(step), u128::from(block.high) / step);
        if last.saturating_sub(first) >= MAX_SET as u128 || last < first {
            return self.kind_set(atom, depth);
        }
        let within: Vec<u64> = (first..=last).map(|n| (n * step) as u64).collect();
        // Not every number between the least and the greatest one need be among them.
        let has_gaps = matches!(block.kind, AtomKind::Masked(..) | AtomKind::Select(..));
        let own = if has_gaps { self.kind_set(atom, depth) } else { None };
        Some(own.filter(|own| own.len() < within.len()).unwrap_or(within))
    }

    /// The numbers that an atom can be because of what it is.
    fn kind_set(&self, atom: Atom, depth: u32) -> Option<Vec<u64>> {
        let block = *self.block(atom);
        match self.kind(atom) {
            AtomKind::Masked(v, bits) => {
                if let Some(set) = self.set_within(v, depth) {
                    return Some(unique(set.into_iter().map(|n| n & bits)));
                }
                if bits.count_ones() > 6 {
                    return None;
                }
                // Every subset of the bits.
                let mut set = vec![0];
                for bit in (0..64).filter(|b| bits >> b & 1 == 1) {
                    set.extend(set.clone().into_iter().map(|n| n | 1 << bit));
                }
                Some(unique(set.into_iter()))
            }
            AtomKind::Select(_, a, b) => {
                let (x, y) = (self.set_within(a, depth)?, self.set_within(b, depth)?);
                let all = unique(x.into_iter().chain(y));
                (all.len() <= MAX_SET).then_some(all)
            }
            AtomKind::ZeroExtended(v) => self.set_within(v, depth),
            AtomKind::SignExtended(v) => {
                let set = self.set_within(v, depth)?;
                Some(unique(set.into_iter().map(|n| super::sign_extended(n, v.bytes) as u64 & mask(block.bytes))))
            }
            AtomKind::Shifted(v, count) => Some(unique(self.set_within(v, depth)?.into_iter().map(|n| n >> count))),
            AtomKind::Applied(function, [a, b, c]) => {
                let (signed, operation) = match function {
                    Function::Integer(operation) => (false, operation),
                    Function::Signed(operation) => (true, operation),
                    _ => return None,
                };
                if operation.row().form == Form::Carry {
                    return Some(vec![0, 1]);
                }
                let (x, y, z) = (self.set_within(a, depth)?, self.set_within(b, depth)?, self.set_within(c, depth)?);
                if x.len() * y.len() * z.len() > 4 * MAX_SET {
                    return None;
                }
                let mut all = Vec::new();
                for p in &x {
                    for q in &y {
                        for r in &z {
                            all.push(
                                super::fold::integer(operation, signed, [*p, *q, *r], a.bytes)? & mask(block.bytes),
                            );
                        }
                    }
                }
                let all = unique(all.into_iter());
                (all.len() <= MAX_SET).then_some(all)
            }
            AtomKind::Initial(..)
            | AtomKind::Unknown(..)
            | AtomKind::AddressOf(_)
            | AtomKind::LocalId(_)
            | AtomKind::Predicate(..) => None,
        }
    }

    /// Collects what would decide a value.
    pub fn splits(&self, value: Value, found: &mut Splits) {
        self.splits_within(value, found, MAX_DEPTH);
    }

    fn splits_within(&self, value: Value, found: &mut Splits, depth: u32) {
        let Some(depth) = depth.checked_sub(1) else { return };
        for term in self.terms(value.sum).iter() {
            match self.kind(term.atom) {
                AtomKind::Select(_, a, b) if a == b || self.are_parts_of_one(a, b) => {}
                AtomKind::Select(condition, a, b) => {
                    let plain = condition.plain();
                    if !found.conditions.contains(&plain) {
                        found.conditions.push(plain);
                    }
                    self.splits_within(a, found, depth);
                    self.splits_within(b, found, depth);
                }
                AtomKind::Shifted(v, count) => {
                    self.residues(v, u32::from(count), found);
                    self.splits_within(v, found, depth);
                }
                AtomKind::Masked(v, bits) => {
                    // What lies below a bit that is left out may carry into it, and from there to those above, in a sum.
                    let is_sum = v.constant != 0 || v.sum.as_single().is_none();
                    let left_out = !bits & u64::MAX.checked_shr(bits.leading_zeros()).unwrap_or(0);
                    let end = u64::BITS - left_out.leading_zeros();
                    self.residues(v, if is_sum && end <= MAX_RESIDUE { end } else { bits.trailing_zeros() }, found);
                    self.splits_within(v, found, depth);
                }
                AtomKind::ZeroExtended(v) | AtomKind::SignExtended(v) => self.splits_within(v, found, depth),
                AtomKind::Applied(_, args) => {
                    for arg in args {
                        self.splits_within(arg, found, depth);
                    }
                }
                AtomKind::Initial(..)
                | AtomKind::Unknown(..)
                | AtomKind::AddressOf(_)
                | AtomKind::LocalId(_)
                | AtomKind::Predicate(..) => {}
            }
        }
    }

    /// Whether two values are one unknown, of which conditions say something else each.
    fn are_parts_of_one(&self, a: Value, b: Value) -> bool {
        let whole = |value: Value| match self.kind(value.sum.as_single()?) {
            AtomKind::Select(_, x, y) if x == y => Some(x),
            _ => None,
        };
        whole(a).is_some_and(|x| whole(b) == Some(x))
    }

    /// Notes the unknowns whose lowest bits decide what is carried into bit `bits`.
    fn residues(&self, value: Value, bits: u32, found: &mut Splits) {
        for term in self.terms(value.sum).iter() {
            let zeros = term.coefficient.trailing_zeros() + u32::from(self.block(term.atom).zeros);
            let Some(rest) = bits.checked_sub(zeros).filter(|r| (1..=MAX_RESIDUE).contains(r)) else { continue };
            match found.residues.iter_mut().find(|(atom, _)| *atom == term.atom) {
                Some((_, known)) => *known = (*known).max(rest),
                None => found.residues.push((term.atom, rest)),
            }
        }
    }

    /// The value in a case.
    pub fn in_case(&mut self, value: Value, case: &Case) -> Value {
        self.in_case_within(value, case, MAX_DEPTH)
    }

    fn in_case_within(&mut self, value: Value, case: &Case, depth: u32) -> Value {
        let Some(depth) = depth.checked_sub(1) else { return value };
        if value.is_known() {
            return value;
        }
        let mut whole = Value::known(value.constant, value.bytes);
        for term in self.terms(value.sum).iter() {
            let atom = self.atom_in_case(term.atom, value.bytes, case, depth);
            let part = self.scale(atom, term.coefficient);
            whole = self.add(whole, part);
        }
        whole
    }

    /// A condition in a case.
    pub fn condition_in_case(&mut self, condition: Condition, case: &Case) -> Condition {
        self.condition_in_case_within(condition, case, MAX_PARTS_IN_CASE)
    }

    fn condition_in_case_within(&mut self, condition: Condition, case: &Case, depth: u32) -> Condition {
        let Some(depth) = depth.checked_sub(1) else { return condition };
        let plain = condition.plain();
        let kind = self.condition_kind(plain);
        let mut of = |value: Value| self.in_case_within(value, case, MAX_DEPTH);
        let now = match kind {
            ConditionKind::And(a, b) => {
                let (a, b) =
                    (self.condition_in_case_within(a, case, depth), self.condition_in_case_within(b, case, depth));
                self.and(a, b)
            }
            ConditionKind::Less(is_signed, a, b) => {
                let (a, b) = (of(a), of(b));
                self.less(is_signed, a, b)
            }
            ConditionKind::AtMost(a, b) => {
                let (a, b) = (of(a), of(b));
                self.at_most(a, b)
            }
            ConditionKind::Zero(a) => {
                let a = of(a);
                self.zero(a)
            }
            ConditionKind::Odd(a) => {
                let a = of(a);
                self.odd(a)
            }
            _ => plain,
        };
        if condition.is_negated() { now.not() } else { now }
    }

    /// The atom in a case, at the width of the sum that it stands in.
    fn atom_in_case(&mut self, atom: Atom, bytes: u8, case: &Case, depth: u32) -> Value {
        if let Some((_, value)) = case.replaced.iter().find(|(a, _)| *a == atom) {
            return self.resize(*value, bytes);
        }
        let own = self.block(atom).bytes;
        let result = match self.kind(atom) {
            // One unknown, of which a condition says more, unless the case says all.
            AtomKind::Select(_, a, b) if a == b => {
                let known = self.in_case_within(a, case, depth);
                return if known.is_known() { self.resize(known, bytes) } else { Self::value_of(atom, bytes) };
            }
            AtomKind::Select(condition, a, b) => {
                let rest = self.given(condition, case.given);
                let a = self.in_case_within(a, case, depth);
                let b = self.in_case_within(b, case, depth);
                self.select(rest, a, b)
            }
            AtomKind::Masked(v, bits) => {
                let v = self.in_case_within(v, case, depth);
                self.bit_and(v, Value::known(bits, v.bytes))
            }
            AtomKind::Shifted(v, count) => {
                let v = self.in_case_within(v, case, depth);
                self.shift_right(v, u32::from(count))
            }
            AtomKind::ZeroExtended(v) => {
                let v = self.in_case_within(v, case, depth);
                self.resize(v, own)
            }
            AtomKind::SignExtended(v) => {
                let v = self.in_case_within(v, case, depth);
                self.resize_as(v, own, true)
            }
            AtomKind::Applied(function, args) => {
                let inner = args.map(|a| self.in_case_within(a, case, depth));
                if inner == args {
                    return Self::value_of(atom, bytes);
                }
                let [a, b, _] = inner;
                match function {
                    Function::Integer(Operation::Mul) => self.multiply(a, b),
                    Function::Integer(Operation::Add) => self.add(a, b),
                    Function::Integer(Operation::And) => self.bit_and(a, b),
                    Function::Integer(Operation::Or) => self.bit_or(a, b),
                    Function::Integer(Operation::Xor) => self.bit_xor(a, b),
                    Function::Integer(op @ (Operation::Min | Operation::Max)) => self.extreme(op, a, b, false),
                    Function::Bits(table) => self.bit_function(table, a, b, inner[2]),
                    Function::Integer(op) if op.row().form != Form::Carry => self.computed(op, false, inner, own),
                    Function::Signed(op) => self.computed(op, true, inner, own),
                    Function::Instruction(..) | Function::Sign(..) => self.converted(function, inner, own),
                    Function::Integer(_) => return Self::value_of(atom, bytes),
                }
            }
            AtomKind::Initial(..)
            | AtomKind::Unknown(..)
            | AtomKind::AddressOf(_)
            | AtomKind::LocalId(_)
            | AtomKind::Predicate(..) => {
                return Self::value_of(atom, bytes);
            }
        };
        self.resize(result, bytes)
    }
}

fn unique(numbers: impl Iterator<Item = u64>) -> Vec<u64> {
    let mut all: Vec<u64> = numbers.collect();
    all.sort_unstable();
    all.dedup();
    all
}

impl Domain {
    /// What is left of an unknown without its lowest bits: itself divided by two to `bits`.
    pub(crate) fn quotient(&mut self, atom: Atom, bits: u32) -> Value {
        let block = *self.block(atom);
        let whole = Self::value_of(atom, block.bytes);
        // Its own shift would be simplified back; an unknown of its own stands for it.
        self.atom(AtomKind::Shifted(whole, bits as u8), block.bytes, 0, block.low >> bits, block.high >> bits)
    }

    /// A lower bound of the distance of two values on the circle of their width.
    pub fn least_distance(&mut self, a: Value, b: Value) -> i128 {
        let difference = self.subtract(a, b);
        let width = 1_i128 << (8 * u32::from(a.bytes));
        if let Some(known) = difference.as_known() {
            let known = i128::from(known);
            return known.min(width - known);
        }
        // By size: neither the difference nor its negative is small.
        let (low, high) = self.range(difference);
        let by_size = i128::from(low).min(width - i128::from(high));
        // By remainder: it is a known number modulo a power of two.
        let zeros = self.sum_zeros(difference.sum).min(8 * u32::from(a.bytes));
        let step = 1_i128 << zeros;
        let remainder = i128::from(difference.constant).rem_euclid(step);
        let by_remainder = remainder.min(step - remainder);
        let by_extension = self.distance_of_extensions(difference);
        by_size.max(by_remainder).max(by_extension)
    }

    /// The difference of two extended numbers of one sum is small only if the numbers are near each other.
    fn distance_of_extensions(&mut self, difference: Value) -> i128 {
        let terms = self.terms(difference.sum);
        let [x, y] = terms.as_slice() else { return 0 };
        if x.coefficient != y.coefficient.wrapping_neg() & mask(difference.bytes) {
            return 0;
        }
        let (p, q) = match (self.kind(x.atom), self.kind(y.atom)) {
            (AtomKind::ZeroExtended(p), AtomKind::ZeroExtended(q))
            | (AtomKind::SignExtended(p), AtomKind::SignExtended(q))
                if p.bytes == q.bytes && p.sum == q.sum =>
            {
                (p, q)
            }
            _ => return 0,
        };
        // Extended, they differ by their distance or by that less the narrow width.
        let narrow = 1_i128 << (8 * u32::from(p.bytes));
        let apart = i128::from(p.constant.wrapping_sub(q.constant) & mask(p.bytes));
        let factor = i128::from(super::sign_extended(x.coefficient, difference.bytes));
        let constant = i128::from(super::sign_extended(difference.constant, difference.bytes));
        let width = 1_i128 << (8 * u32::from(difference.bytes));
        [apart, apart - narrow]
            .into_iter()
            .map(|d| {
                let distance = (factor * d + constant).rem_euclid(width);
                distance.min(width - distance)
            })
            .min()
            .unwrap_or(0)
    }
}
