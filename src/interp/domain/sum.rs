//! Sums of atoms with coefficients, and the arithmetic that stays within them.

use super::atom::{Atom, AtomKind};
use super::function::Function;
use super::{Domain, LANE_BITS, LANES, STEPS, Value, mask, sign_extended};
use crate::base::unique::Unique;
use crate::spec::operation::Operation;

/// Set in the handle of a sum that is one atom.
const SINGLE: u32 = 1 << 31;
/// Set in the handle of a sum of several terms of which one is a product.
const PRODUCT: u32 = 1 << 29;
/// Most atoms of a sum; longer sums become one atom.
pub const MAX_TERMS: usize = 8;

/// A handle of a sum.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Sum(u32);

impl Sum {
    /// Of nothing.
    pub const ZERO: Self = Self(0);

    /// Of one atom.
    #[must_use]
    pub(crate) const fn single(atom: Atom) -> Self {
        Self(atom.0 | SINGLE)
    }

    /// The atom, if it is one.
    #[must_use]
    pub const fn as_single(self) -> Option<Atom> {
        if self.0 & SINGLE == 0 { None } else { Some(Atom(self.0 & !SINGLE)) }
    }

    /// Whether it is nothing.
    #[must_use]
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// Whether it is a sum of several terms of which one is a product.
    #[must_use]
    pub(super) const fn has_product(self) -> bool {
        self.0 & (PRODUCT | SINGLE) == PRODUCT
    }

    /// Whether it stands for a run of lanes.
    #[must_use]
    pub const fn steps(self) -> bool {
        self.0 & STEPS != 0
    }

    /// What it is in one lane of its run.
    #[must_use]
    pub const fn at(self, lane: u32) -> Self {
        if self.steps() { Self((self.0 & !STEPS) + lane) } else { self }
    }

    /// The same run, begun `lanes` later.
    #[must_use]
    pub(crate) const fn shifted(self, lanes: u32) -> Self {
        if self.steps() { Self(self.0 + lanes) } else { self }
    }

    /// The run that begins with this lane, if `next` is the lane after it.
    #[must_use]
    pub(crate) const fn run_with(self, next: Self) -> Option<Self> {
        if self.0 != 0 && next.0 == self.0 + 1 && next.0 & (LANES - 1) != 0 { Some(Self(self.0 | STEPS)) } else { None }
    }

    /// The lane in the block.
    #[must_use]
    pub(crate) const fn lane(self) -> u32 {
        self.0 & (LANES - 1)
    }

    const fn block(self) -> usize {
        ((self.0 & !STEPS & !SINGLE & !PRODUCT) >> LANE_BITS) as usize
    }
}

impl std::fmt::Debug for Sum {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.as_single() {
            Some(atom) => write!(f, "{atom:?}"),
            None => write!(f, "s{}.{}{}", self.block(), self.lane(), if self.steps() { "+" } else { "" }),
        }
    }
}

/// An atom with its coefficient.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Term {
    /// The atom.
    pub atom: Atom,
    /// The coefficient, below two to the width of the sum.
    pub coefficient: u64,
}

/// The terms of a sum, ordered by atom.
#[derive(Clone, Copy)]
pub struct Terms {
    items: [Term; MAX_TERMS],
    n: u8,
}

impl Terms {
    const EMPTY: Self = Self { items: [Term { atom: Atom(0), coefficient: 0 }; MAX_TERMS], n: 0 };

    /// As a slice.
    #[must_use]
    pub fn as_slice(&self) -> &[Term] {
        &self.items[..usize::from(self.n)]
    }

    /// Appends; false if there is no room.
    fn push(&mut self, term: Term) -> bool {
        let Some(place) = self.items.get_mut(usize::from(self.n)) else { return false };
        *place = term;
        self.n += 1;
        true
    }

    /// Orders the terms and unites those of one atom.
    fn settle(&mut self, mask: u64) {
        let mut items = self.items;
        let items = &mut items[..usize::from(self.n)];
        items.sort_unstable_by_key(|t| t.atom);
        self.n = 0;
        for term in items {
            match self.items[..usize::from(self.n)].last_mut() {
                Some(last) if last.atom == term.atom => {
                    last.coefficient = last.coefficient.wrapping_add(term.coefficient) & mask;
                    if last.coefficient == 0 {
                        self.n -= 1;
                    }
                }
                _ => {
                    self.push(*term);
                }
            }
        }
    }
}

impl std::ops::Deref for Terms {
    type Target = [Term];
    fn deref(&self) -> &[Term] {
        self.as_slice()
    }
}

#[derive(Clone, Copy, Debug)]
struct Block {
    start: u32,
    n: u8,
    bytes: u8,
}

impl Block {
    const fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.start as usize + self.n as usize
    }
}

/// All sums of more than one atom, or with a coefficient. Block 0 stands for the empty sum.
#[derive(Debug)]
pub(crate) struct Sums {
    blocks: Vec<Block>,
    terms: Vec<Term>,
    table: Unique,
}

impl Default for Sums {
    fn default() -> Self {
        Self { blocks: vec![Block { start: 0, n: 0, bytes: 8 }], terms: Vec::new(), table: Unique::default() }
    }
}

impl Sums {
    pub(crate) fn len(&self) -> usize {
        self.blocks.len()
    }

    /// Whether lanes of the block of a sum are different sums.
    fn steps(&self, sum: Sum) -> bool {
        let block = self.blocks[sum.block()];
        self.terms[block.range()].iter().any(|t| t.atom.steps())
    }
}

/// The integers that a value may be, without reducing it modulo its width.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interval {
    /// Least.
    pub low: i128,
    /// Greatest.
    pub high: i128,
}

/// Intervals end before this; the distance of two ends can still be counted.
pub(super) const MOST: i128 = i128::MAX / 4;

impl Domain {
    /// Calls `visit` with the coefficient and the block of each atom of a sum, which are those of every lane; atoms that are one
    /// in this lane alone come one after the other.
    pub(super) fn each_block(&self, sum: Sum, mut visit: impl FnMut(u64, &super::atom::Block)) {
        if let Some(atom) = sum.as_single() {
            visit(1, self.block(atom));
        } else if !sum.is_zero() {
            for term in &self.sums.terms[self.sums.blocks[sum.block()].range()] {
                visit(term.coefficient, self.block(term.atom));
            }
        }
    }

    /// The terms of a sum.
    #[must_use]
    pub fn terms(&self, sum: Sum) -> Terms {
        let mut terms = Terms::EMPTY;
        if let Some(atom) = sum.as_single() {
            terms.push(Term { atom, coefficient: 1 });
        } else if !sum.is_zero() {
            let block = self.sums.blocks[sum.block()];
            let lane = sum.lane();
            let mut mixed = false;
            for term in &self.sums.terms[block.range()] {
                let atom = if term.atom.steps() {
                    Atom(if sum.steps() { term.atom.0 + lane } else { (term.atom.0 & !STEPS) + lane })
                } else {
                    mixed = true;
                    term.atom
                };
                terms.push(Term { atom, coefficient: term.coefficient });
            }
            // Stored in the order of handles, in which stepping ones come last; a single lane of them may come first, or
            // even meet an atom that does not step.
            if mixed && self.sums.steps(sum) && !sum.steps() {
                terms.settle(mask(block.bytes));
            }
        }
        terms
    }

    /// The sum of those terms, which are ordered, with coefficients that are not zero at that width.
    fn intern_sum(&mut self, terms: &[Term], bytes: u8) -> Sum {
        match terms {
            [] => return Sum::ZERO,
            [Term { atom, coefficient: 1 }] => return Sum::single(*atom),
            _ => {}
        }
        let steps = terms.iter().any(|t| t.atom.steps());
        let has_product = terms.iter().any(|term| self.atoms.block(term.atom).kind.is_product());
        let Sums { blocks, terms: arena, table } = &mut self.sums;
        let next = blocks.len() as u32;
        let found = table.find_or_note((terms, bytes), next, |b| {
            let block = blocks[b as usize];
            block.bytes == bytes && arena[block.range()] == *terms
        });
        if found.is_none() {
            blocks.push(Block { start: arena.len() as u32, n: terms.len() as u8, bytes });
            arena.extend_from_slice(terms);
        }
        let flags = if steps { STEPS } else { 0 } | if has_product { PRODUCT } else { 0 };
        Sum(found.unwrap_or(next) << LANE_BITS | flags)
    }

    fn opaque_sum(&mut self, a: Sum, b: Sum, bytes: u8) -> Sum {
        let whole = |sum| Value { constant: 0, sum, bytes };
        let function = Function::Integer(Operation::Add);
        let zero = Value::known(0, bytes);
        let zeros = self.zeros(whole(a)).min(self.zeros(whole(b))) as u8;
        self.atom(AtomKind::Applied(function, [whole(a), whole(b), zero]), bytes, zeros, 0, mask(bytes)).sum
    }

    /// Whether a term adds nothing at that width.
    fn vanishes(&self, term: Term, bytes: u8) -> bool {
        term.coefficient == 0
            || term.coefficient.trailing_zeros() + u32::from(self.block(term.atom).zeros) >= 8 * u32::from(bytes)
    }

    /// The sum of two values of one width.
    pub fn add(&mut self, a: Value, b: Value) -> Value {
        let constant = a.constant.wrapping_add(b.constant);
        if b.sum.is_zero() {
            return a.with_constant(constant);
        }
        if a.sum.is_zero() {
            return b.with_constant(constant);
        }
        let sum = self.add_sums(a.sum, b.sum, a.bytes);
        Value { constant: constant & mask(a.bytes), sum, bytes: a.bytes }
    }

    fn add_sums(&mut self, a: Sum, b: Sum, bytes: u8) -> Sum {
        let (left, right) = (self.terms(a), self.terms(b));
        let mask = mask(bytes);
        let mut merged = Terms::EMPTY;
        let (mut i, mut j) = (0, 0);
        while i < left.len() || j < right.len() {
            let term = match (left.get(i), right.get(j)) {
                (Some(x), Some(y)) if x.atom == y.atom => {
                    i += 1;
                    j += 1;
                    Term { atom: x.atom, coefficient: x.coefficient.wrapping_add(y.coefficient) & mask }
                }
                (Some(x), Some(y)) if y.atom < x.atom => {
                    j += 1;
                    Term { coefficient: y.coefficient & mask, ..*y }
                }
                (Some(x), _) => {
                    i += 1;
                    Term { coefficient: x.coefficient & mask, ..*x }
                }
                (None, Some(y)) => {
                    j += 1;
                    Term { coefficient: y.coefficient & mask, ..*y }
                }
                (None, None) => break,
            };
            if !self.vanishes(term, bytes) && !merged.push(term) {
                return self.opaque_sum(a, b, bytes);
            }
        }
        self.intern_sum(&merged, bytes)
    }

    /// A value times a number.
    pub fn scale(&mut self, a: Value, factor: u64) -> Value {
        let constant = a.constant.wrapping_mul(factor) & mask(a.bytes);
        if a.sum.is_zero() || factor == 1 {
            return Value { constant, ..a };
        }
        let mut scaled = Terms::EMPTY;
        for term in self.terms(a.sum).iter() {
            let term = Term { coefficient: term.coefficient.wrapping_mul(factor) & mask(a.bytes), ..*term };
            if !self.vanishes(term, a.bytes) {
                scaled.push(term);
            }
        }
        Value { constant, sum: self.intern_sum(&scaled, a.bytes), bytes: a.bytes }
    }

    /// `a - b`
    pub fn subtract(&mut self, a: Value, b: Value) -> Value {
        if a.sum == b.sum {
            return Value::known(a.constant.wrapping_sub(b.constant), a.bytes);
        }
        let negative = self.scale(b, u64::MAX);
        self.add(a, negative)
    }

    /// How many trailing zeros its unknown part has for certain, up to 64.
    #[must_use]
    pub fn sum_zeros(&self, sum: Sum) -> u32 {
        self.terms(sum)
            .iter()
            .map(|t| (t.coefficient.trailing_zeros() + u32::from(self.block(t.atom).zeros)).min(64))
            .min()
            .unwrap_or(64)
    }

    /// How many trailing zeros it has for certain, up to 64.
    #[must_use]
    pub fn zeros(&self, a: Value) -> u32 {
        let constant = if a.constant == 0 { 64 } else { a.constant.trailing_zeros() };
        constant.min(self.sum_zeros(a.sum))
    }

    /// Its value as an integer, with coefficients read as signed, before it is reduced modulo its width.
    #[must_use]
    pub fn interval(&self, a: Value) -> Interval {
        let mut interval = Interval { low: i128::from(a.constant), high: i128::from(a.constant) };
        // Most sums are one atom.
        let single = a.sum.as_single().map(|atom| Term { atom, coefficient: 1 });
        let several;
        let terms = if let Some(term) = &single {
            std::slice::from_ref(term)
        } else {
            several = self.terms(a.sum);
            several.as_slice()
        };
        for term in terms {
            let block = self.block(term.atom);
            let factor = i128::from(sign_extended(term.coefficient, a.bytes));
            let (low, high) = (factor * i128::from(block.low), factor * i128::from(block.high));
            // Beyond what can be counted, anything is possible.
            match (interval.low.checked_add(low.min(high)), interval.high.checked_add(low.max(high))) {
                (Some(low), Some(high)) if -MOST < low && high < MOST => interval = Interval { low, high },
                _ => return Interval { low: -MOST, high: MOST },
            }
        }
        interval
    }

    /// The interval, moved by whole widths into `low..low + width`, and what was taken away for that; nothing if it depends
    /// on the unknowns.
    pub(super) fn wrapped(&self, a: Value, low: i128) -> Option<(Interval, i128)> {
        let bits = 8 * u32::from(a.bytes);
        let interval = self.interval(a);
        let turns = (interval.low - low) >> bits;
        let by = turns << bits;
        (turns == (interval.high - low) >> bits)
            .then_some((Interval { low: interval.low - by, high: interval.high - by }, by))
    }

    /// The range of it as an unsigned number.
    #[must_use]
    pub fn range(&self, a: Value) -> (u64, u64) {
        if let Some(known) = a.as_known() {
            return (known, known);
        }
        if a.sum.has_product()
            && let Some((low, high)) = self.ends(a, 0)
        {
            return (low as u64, high as u64);
        }
        match self.wrapped(a, 0) {
            Some((interval, _)) => (interval.low as u64, interval.high as u64),
            None => (0, mask(a.bytes)),
        }
    }

    /// The range of it as a signed number.
    #[must_use]
    pub fn signed_range(&self, a: Value) -> (i64, i64) {
        let half = 1_i128 << (8 * u32::from(a.bytes) - 1);
        if a.sum.has_product()
            && let Some((low, high)) = self.ends(a, -half)
        {
            return (low as i64, high as i64);
        }
        match self.wrapped(a, -half) {
            Some((interval, _)) => (interval.low as i64, interval.high as i64),
            None => (-half as i64, (half - 1) as i64),
        }
    }

    /// The value in another width: cut, or extended by zeros.
    pub fn resize(&mut self, a: Value, bytes: u8) -> Value {
        self.resize_as(a, bytes, false)
    }

    /// The value in another width: cut, or extended by zeros or its sign.
    pub fn resize_as(&mut self, a: Value, bytes: u8, signed: bool) -> Value {
        if a.bytes == bytes {
            return a;
        }
        if let Some(known) = a.as_known() {
            let bits = if signed { sign_extended(known, a.bytes) as u64 } else { known };
            return Value::known(bits, bytes);
        }
        if bytes < a.bytes {
            return self.rebuilt(a, a.constant, bytes);
        }
        let least = if signed { -(1_i128 << (8 * u32::from(a.bytes) - 1)) } else { 0 };
        if let Some((_, by)) = self.wrapped(a, least) {
            // It does not wrap around: the integer is the same at every width.
            let constant = (i128::from(a.constant) - by) as u64;
            return self.rebuilt(a, constant, bytes);
        }
        // Below its trailing zeros the unknown part carries nothing: those bits are the same at every width.
        let low = (1_u64 << self.sum_zeros(a.sum).min(63)) - 1;
        let outside = a.constant & low;
        let a = a.with_constant(a.constant & !low);
        let zeros = self.zeros(a) as u8;
        // The ends of a product may be known all the same.
        let is_one_sign = |ends: &(i128, i128)| !signed || ends.0 >= 0 || ends.1 < 0;
        let ends = if a.sum.has_product() { self.ends(a, least).filter(is_one_sign) } else { None };
        let bits = |(low, high): (i128, i128)| (low as u64 & mask(bytes), high as u64 & mask(bytes));
        let extended = if signed {
            let (low, high) = ends.map_or((0, mask(bytes)), bits);
            self.atom(AtomKind::SignExtended(a), bytes, zeros, low, high)
        } else {
            let (low, high) = ends.map_or((0, mask(a.bytes) & !low), bits);
            self.atom(AtomKind::ZeroExtended(a), bytes, zeros, low, high)
        };
        extended.plus(outside)
    }

    /// The same terms with coefficients read as signed, at another width.
    fn rebuilt(&mut self, a: Value, constant: u64, bytes: u8) -> Value {
        let constant = constant & mask(bytes);
        if let Some(atom) = a.sum.as_single() {
            if self.vanishes(Term { atom, coefficient: 1 }, bytes) {
                return Value::known(constant, bytes);
            }
            return Value { constant, sum: a.sum, bytes };
        }
        let mut terms = Terms::EMPTY;
        for term in self.terms(a.sum).iter() {
            let term = Term { coefficient: sign_extended(term.coefficient, a.bytes) as u64 & mask(bytes), ..*term };
            if !self.vanishes(term, bytes) {
                terms.push(term);
            }
        }
        Value { constant, sum: self.intern_sum(&terms, bytes), bytes }
    }

    /// The value without what does not matter modulo two to `bits`: terms that are multiples of it, and high bits of
    /// coefficients and constant.
    pub(super) fn modulo(&mut self, a: Value, bits: u32) -> Value {
        if bits >= 64 {
            return a;
        }
        let kept = (1_u64 << bits) - 1;
        let mut terms = Terms::EMPTY;
        for term in self.terms(a.sum).iter() {
            let coefficient = term.coefficient & kept;
            if coefficient != 0 && coefficient.trailing_zeros() + u32::from(self.block(term.atom).zeros) < bits {
                terms.push(Term { coefficient, ..*term });
            }
        }
        Value { constant: a.constant & kept, sum: self.intern_sum(&terms, a.bytes), bytes: a.bytes }
    }

    /// The value divided by two to `bits`, where every coefficient and the constant are multiples of it and it does not
    /// wrap around.
    pub(super) fn divided(&mut self, a: Value, bits: u32) -> Option<Value> {
        let (_, by) = self.wrapped(a, 0)?;
        let constant = i128::from(a.constant) - by;
        let step = 1_i128 << bits;
        if constant.rem_euclid(step) != 0 {
            return None;
        }
        let mut terms = Terms::EMPTY;
        for term in self.terms(a.sum).iter() {
            let factor = sign_extended(term.coefficient, a.bytes);
            if factor.trailing_zeros() < bits {
                return None;
            }
            let term = Term { coefficient: (factor >> bits) as u64 & mask(a.bytes), ..*term };
            if !self.vanishes(term, a.bytes) {
                terms.push(term);
            }
        }
        let sum = self.intern_sum(&terms, a.bytes);
        Some(Value { constant: constant.div_euclid(step) as u64 & mask(a.bytes), sum, bytes: a.bytes })
    }

    /// What `a` and `b` have in common, terms of one atom with one coefficient, and the rests.
    pub(crate) fn without_common(&mut self, values: &[Value]) -> Vec<Value> {
        let Some(first) = values.first() else { return Vec::new() };
        let all: Vec<Terms> = values.iter().map(|v| self.terms(v.sum)).collect();
        let common: Vec<Term> =
            self.terms(first.sum).iter().filter(|t| all.iter().all(|terms| terms.contains(t))).copied().collect();
        values
            .iter()
            .zip(&all)
            .map(|(value, terms)| {
                let rest: Vec<Term> = terms.iter().filter(|t| !common.contains(t)).copied().collect();
                Value { sum: self.intern_sum(&rest, value.bytes), ..*value }
            })
            .collect()
    }

    /// `sum of coefficient * value`, all of one width.
    pub(crate) fn combine(&mut self, parts: &[(Value, u64)], bytes: u8) -> Value {
        let mut whole = Value::known(0, bytes);
        for (value, factor) in parts {
            let part = self.scale(*value, *factor);
            whole = self.add(whole, part);
        }
        whole
    }
}
