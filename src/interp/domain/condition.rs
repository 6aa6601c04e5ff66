//! Conditions: whether a lane is active, what a predicate holds.

use super::function::Function;
use super::{Domain, LANE_BITS, LANES, STEPS, Value};
use crate::base::unique::Unique;
use rustc_hash::FxHashMap;

/// Set in the handle of a negated condition.
const NOT: u32 = 1 << 31;
/// How many conjuncts are looked at when one condition is compared with another.
const MAX_CONJUNCTS: usize = 24;
/// Most parts of a conjunction that is taken apart; less than the above, so that all of them are found.
const MAX_PARTS: usize = 16;

/// A handle of a condition.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Condition(u32);

impl Condition {
    /// Never holds.
    pub const FALSE: Self = Self(0);
    /// Always holds.
    pub const TRUE: Self = Self(NOT);

    /// One of the two.
    #[must_use]
    pub const fn known(holds: bool) -> Self {
        if holds { Self::TRUE } else { Self::FALSE }
    }

    /// Whether it holds, if that is known.
    #[must_use]
    pub const fn as_known(self) -> Option<bool> {
        match self {
            Self::TRUE => Some(true),
            Self::FALSE => Some(false),
            _ => None,
        }
    }

    /// Whether it always holds.
    #[must_use]
    pub const fn is_true(self) -> bool {
        self.0 == NOT
    }

    /// Whether it never holds.
    #[must_use]
    pub const fn is_false(self) -> bool {
        self.0 == 0
    }

    /// Its opposite.
    #[must_use]
    pub const fn not(self) -> Self {
        Self(self.0 ^ NOT)
    }

    /// The one of it and its opposite that is stored.
    #[must_use]
    pub const fn plain(self) -> Self {
        Self(self.0 & !NOT)
    }

    /// Whether it is the opposite of another one as it is stored.
    #[must_use]
    pub const fn is_negated(self) -> bool {
        self.0 & NOT != 0
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
        let constant = self.0 & !NOT == 0;
        if !constant && next.0 == self.0 + 1 && next.0 & (LANES - 1) != 0 { Some(Self(self.0 | STEPS)) } else { None }
    }

    const fn block(self) -> usize {
        ((self.0 & !STEPS & !NOT) >> LANE_BITS) as usize
    }

    /// The lane in the block: of [`ConditionKind::Bit`] the bit, of [`ConditionKind::Unknown`] what tells its conditions
    /// apart.
    #[must_use]
    pub const fn lane(self) -> u32 {
        self.0 & (LANES - 1)
    }
}

impl std::fmt::Debug for Condition {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.as_known() {
            Some(holds) => write!(f, "{holds}"),
            None => write!(
                f,
                "{}c{}.{}{}",
                if self.is_negated() { "!" } else { "" },
                self.block(),
                self.lane(),
                if self.steps() { "+" } else { "" }
            ),
        }
    }
}

/// What a condition is. Values and conditions in it may be stepping, as in atoms.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ConditionKind {
    /// Never.
    False,
    /// Nothing is known of it; the lanes of the block are different conditions.
    Unknown(u32),
    /// The first value is less than the second one; signed if so marked.
    Less(bool, Value, Value),
    /// The value is zero.
    Zero(Value),
    /// The first value is less than the second one or equal to it, both as floats; false if one is a NaN.
    AtMost(Value, Value),
    /// Bit *n* of the value in lane *n* of the block.
    Bit(Value),
    /// The lowest bit of the value.
    Odd(Value),
    /// Both hold.
    And(Condition, Condition),
    /// Both hold; together they have so many parts that they are taken for one.
    Whole(Condition, Condition),
    /// The outcome of a comparison of values that do not have one width.
    Compared(Function, Value, Value),
}

impl ConditionKind {
    /// Adds the values and conditions that it is made of.
    pub(in crate::interp) fn add_parts(&self, values: &mut Vec<Value>, conditions: &mut Vec<Condition>) {
        match *self {
            Self::Less(_, a, b) | Self::AtMost(a, b) | Self::Compared(_, a, b) => values.extend([a, b]),
            Self::Zero(a) | Self::Odd(a) | Self::Bit(a) => values.push(a),
            Self::And(a, b) | Self::Whole(a, b) => conditions.extend([a, b]),
            Self::Unknown(_) | Self::False => {}
        }
    }

    fn steps(&self) -> bool {
        match self {
            Self::False => false,
            Self::Unknown(_) | Self::Bit(_) => true,
            Self::Less(_, a, b) | Self::AtMost(a, b) | Self::Compared(_, a, b) => a.steps() || b.steps(),
            Self::Zero(a) | Self::Odd(a) => a.steps(),
            Self::And(a, b) | Self::Whole(a, b) => a.steps() || b.steps(),
        }
    }
}

/// All conditions. Block 0 is "never".
#[derive(Debug)]
pub(crate) struct Conditions {
    blocks: Vec<ConditionKind>,
    /// All but those of which nothing is known: no other is equal to one of these.
    table: Unique,
    /// Of some of which nothing is known, by their block, the conditions of which one holds.
    choices: FxHashMap<usize, Box<[Condition]>>,
}

impl Conditions {
    pub(crate) fn new() -> Self {
        Self { blocks: vec![ConditionKind::False], table: Unique::default(), choices: FxHashMap::default() }
    }

    pub(crate) fn len(&self) -> usize {
        self.blocks.len()
    }
}

/// The conditions that a conjunction joins.
#[derive(Clone, Copy)]
pub(super) struct Conjuncts {
    items: [Condition; MAX_CONJUNCTS],
    n: usize,
}

impl std::ops::Deref for Conjuncts {
    type Target = [Condition];
    fn deref(&self) -> &[Condition] {
        &self.items[..self.n]
    }
}

impl Domain {
    fn condition(&mut self, kind: ConditionKind) -> Condition {
        let Conditions { blocks, table, .. } = &mut self.conditions;
        let next = blocks.len() as u32;
        let found = table.find_or_note(kind, next, |b| blocks[b as usize] == kind);
        if found.is_none() {
            blocks.push(kind);
        }
        Condition(found.unwrap_or(next) << LANE_BITS | if kind.steps() { STEPS } else { 0 })
    }

    /// What a condition is, negation aside, with the parts taken at its lane.
    #[must_use]
    pub fn condition_kind(&self, condition: Condition) -> ConditionKind {
        let lane = condition.lane();
        let steps = condition.steps();
        let at = |v: Value| if steps { v.shifted(lane) } else { v.at(lane) };
        let of = |c: Condition| if steps { c.shifted(lane) } else { c.at(lane) };
        match self.conditions.blocks[condition.block()] {
            ConditionKind::Less(signed, a, b) => ConditionKind::Less(signed, at(a), at(b)),
            ConditionKind::AtMost(a, b) => ConditionKind::AtMost(at(a), at(b)),
            ConditionKind::Compared(f, a, b) => ConditionKind::Compared(f, at(a), at(b)),
            ConditionKind::Zero(a) => ConditionKind::Zero(at(a)),
            ConditionKind::Odd(a) => ConditionKind::Odd(at(a)),
            ConditionKind::And(a, b) => ConditionKind::And(of(a), of(b)),
            ConditionKind::Whole(a, b) => ConditionKind::Whole(of(a), of(b)),
            kind @ (ConditionKind::False | ConditionKind::Unknown(_) | ConditionKind::Bit(_)) => kind,
        }
    }

    /// A run of conditions of which nothing is known.
    pub fn unknown_condition(&mut self) -> Condition {
        let kind = ConditionKind::Unknown(self.serial());
        let handle = (self.conditions.len() as u32) << LANE_BITS;
        self.conditions.blocks.push(kind);
        Condition(handle | STEPS)
    }

    /// The condition that one of these holds. It is taken for one of which nothing is known, but where numbers are chosen
    /// for the unknowns.
    pub fn one_of(&mut self, conditions: impl Iterator<Item = Condition>) -> Condition {
        let mut all: Vec<Condition> = conditions.filter(|c| !c.is_false()).collect();
        all.dedup();
        let whole = self.unknown_condition().at(0);
        self.conditions.choices.insert(whole.block(), all.into());
        whole
    }

    /// The conditions of which one holds where this one does, negation aside; nothing if it was not made so.
    pub(super) fn choices(&self, condition: Condition) -> Option<&[Condition]> {
        self.conditions.choices.get(&condition.block()).map(|all| &**all)
    }

    /// The parts, if it is a conjunction.
    fn parts(&self, condition: Condition) -> Option<(Condition, Condition)> {
        if condition.is_negated() {
            return None;
        }
        match self.condition_kind(condition) {
            ConditionKind::And(a, b) => Some((a, b)),
            _ => None,
        }
    }

    pub(super) fn conjuncts(&self, condition: Condition) -> Conjuncts {
        let mut found = Conjuncts { items: [condition; MAX_CONJUNCTS], n: 1 };
        if self.parts(condition).is_none() {
            return found;
        }
        found.n = 0;
        let mut open = [Condition::TRUE; MAX_CONJUNCTS];
        open[0] = condition;
        let mut n_open = 1;
        while n_open > 0 {
            n_open -= 1;
            let next = open[n_open];
            match self.parts(next) {
                Some((a, b)) if n_open + 2 <= MAX_CONJUNCTS && found.n + n_open + 2 <= MAX_CONJUNCTS => {
                    open[n_open] = b;
                    open[n_open + 1] = a;
                    n_open += 2;
                }
                _ => {
                    found.items[found.n] = next;
                    found.n += 1;
                }
            }
        }
        found
    }

    /// Whether `b` holds wherever `a` holds, as far as their form shows.
    #[must_use]
    pub fn implies(&self, a: Condition, b: Condition) -> bool {
        if a == b || b.is_true() || a.is_false() {
            return true;
        }
        if b.is_false() || a.is_true() {
            return false;
        }
        let given = self.conjuncts(a);
        self.conjuncts(b).iter().all(|c| self.follows(&given, *c))
    }

    /// Whether `c`, which is no conjunction, follows from `given`.
    fn follows(&self, given: &[Condition], c: Condition) -> bool {
        given.contains(&c)
            || c.is_negated()
                && self.parts(c.not()).is_some_and(|(x, y)| {
                    // not (x and y) follows from not x.
                    [x, y].into_iter().any(|part| self.conjuncts(part).iter().any(|p| given.contains(&p.not())))
                })
    }

    /// Both hold.
    pub fn and(&mut self, a: Condition, b: Condition) -> Condition {
        let (mut a, mut b) = (a, b);
        // Each round makes a negated conjunction shorter.
        for _ in 0..MAX_CONJUNCTS {
            if a == b || b.is_true() || a.is_false() {
                return a;
            }
            if a.is_true() || b.is_false() {
                return b;
            }
            if a == b.not() {
                return Condition::FALSE;
            }
            let (left, right) = (self.conjuncts(a), self.conjuncts(b));
            if left.iter().any(|c| right.contains(&c.not())) || self.refutes(&left, b) || self.refutes(&right, a) {
                return Condition::FALSE;
            }
            if right.iter().all(|c| self.follows(&left, *c)) {
                return a;
            }
            if left.iter().all(|c| self.follows(&right, *c)) {
                return b;
            }
            // x and not (x and y) = x and not y
            let shorter = |given: &[Condition], other: Condition| {
                let (x, y) = if other.is_negated() { self.parts(other.not())? } else { return None };
                if self.follows_all(given, x) { Some(y.not()) } else { self.follows_all(given, y).then(|| x.not()) }
            };
            match (shorter(&left, b), shorter(&right, a)) {
                (Some(rest), _) => b = rest,
                (None, Some(rest)) => a = rest,
                (None, None) => break,
            }
        }
        let (first, second) = if a < b { (a, b) } else { (b, a) };
        let n_parts = self.conjuncts(first).n + self.conjuncts(second).n;
        self.condition(if n_parts > MAX_PARTS {
            ConditionKind::Whole(first, second)
        } else {
            ConditionKind::And(first, second)
        })
    }

    fn follows_all(&self, given: &[Condition], condition: Condition) -> bool {
        self.conjuncts(condition).iter().all(|c| self.follows(given, *c))
    }

    /// Whether `given` rules out `condition` because that is the negation of something that follows.
    fn refutes(&self, given: &[Condition], condition: Condition) -> bool {
        condition.is_negated() && self.follows_all(given, condition.not())
    }

    /// One of them holds.
    pub fn or(&mut self, a: Condition, b: Condition) -> Condition {
        if a == b || b.is_false() || a.is_true() {
            return a;
        }
        if a.is_false() || b.is_true() {
            return b;
        }
        let (mut a, mut b) = (a, b);
        // Each round makes a conjunction shorter.
        for _ in 0..MAX_CONJUNCTS {
            // (x and y) or (x and not y) = x
            if let (Some((a0, a1)), Some((b0, b1))) = (self.parts(a), self.parts(b)) {
                for (x, y) in [(a0, a1), (a1, a0)] {
                    for (z, w) in [(b0, b1), (b1, b0)] {
                        if x == z && y == w.not() {
                            return x;
                        }
                    }
                }
            }
            // x or (y and not x) = x or y; what is left of y is often simpler.
            let shorter = |x: Condition, other: Condition| {
                let (y, z) = self.parts(other)?;
                if z == x.not() { Some(y) } else { (y == x.not()).then_some(z) }
            };
            match (shorter(a, b), shorter(b, a)) {
                (Some(rest), _) => b = rest,
                (None, Some(rest)) => a = rest,
                (None, None) => break,
            }
        }
        self.and(a.not(), b.not()).not()
    }

    /// All of them hold, taken for one condition whatever its parts are: many lanes together decide as one thing.
    pub fn all_of(&mut self, conditions: impl Iterator<Item = Condition>) -> Condition {
        conditions
            .filter(|c| !c.is_true())
            .reduce(|a, b| match (a.min(b), a.max(b)) {
                (a, b) if a == b => a,
                (a, b) if a.is_false() || b.is_false() || a == b.not() => Condition::FALSE,
                (a, b) => self.condition(ConditionKind::Whole(a, b)),
            })
            .unwrap_or(Condition::TRUE)
    }

    /// `a < b`
    pub fn less(&mut self, signed: bool, a: Value, b: Value) -> Condition {
        if a == b {
            return Condition::FALSE;
        }
        let decided = if signed {
            let ((a_low, a_high), (b_low, b_high)) = (self.signed_range(a), self.signed_range(b));
            if a_high < b_low { Some(true) } else { (a_low >= b_high).then_some(false) }
        } else {
            let ((a_low, a_high), (b_low, b_high)) = (self.range(a), self.range(b));
            if a_high < b_low { Some(true) } else { (a_low >= b_high).then_some(false) }
        };
        match decided {
            Some(holds) => Condition::known(holds),
            None => self.condition(ConditionKind::Less(signed, a, b)),
        }
    }

    /// `a == b`
    pub fn equal(&mut self, a: Value, b: Value) -> Condition {
        let difference = self.subtract(a, b);
        self.zero(difference)
    }

    /// `a == 0`
    pub(crate) fn zero(&mut self, a: Value) -> Condition {
        if let Some(known) = a.as_known() {
            return Condition::known(known == 0);
        }
        let (low, high) = self.range(a);
        let alignment = self.sum_zeros(a.sum);
        if low > 0 || high == 0 {
            return Condition::known(high == 0);
        }
        // A multiple of 2^n plus a smaller constant is not zero.
        if alignment < 64 && a.constant & ((1 << alignment) - 1) != 0 {
            return Condition::FALSE;
        }
        self.condition(ConditionKind::Zero(a))
    }

    /// `a <= b` of floats. The other comparisons are made of it: `a == b` is `a <= b` and `b <= a`, and `a < b` is
    /// `a <= b` and not `b <= a`. The opposite of `a <= b` is no comparison: it holds of a NaN.
    pub fn at_most(&mut self, a: Value, b: Value) -> Condition {
        self.condition(ConditionKind::AtMost(a, b))
    }

    /// A comparison of which only the operands are known.
    pub(crate) fn compared(&mut self, function: Function, a: Value, b: Value) -> Condition {
        self.condition(ConditionKind::Compared(function, a, b))
    }

    /// Bit *n* of a number, for all *n* below 32.
    pub fn bits(&mut self, a: Value) -> Condition {
        self.condition(ConditionKind::Bit(a))
    }

    /// The lowest bit.
    pub fn odd(&mut self, a: Value) -> Condition {
        if self.sum_zeros(a.sum) > 0 {
            return Condition::known(a.constant & 1 == 1);
        }
        self.condition(ConditionKind::Odd(a))
    }

    /// The condition, where `given` holds: what that says is left out.
    pub fn given(&mut self, condition: Condition, given: Condition) -> Condition {
        if given.is_true() || condition.as_known().is_some() {
            return condition;
        }
        let known = self.conjuncts(given);
        if condition.is_negated() {
            if self.follows(&known, condition) {
                return Condition::TRUE;
            }
            return self.given_positive(condition.not(), &known).not();
        }
        self.given_positive(condition, &known)
    }

    fn given_positive(&mut self, condition: Condition, known: &[Condition]) -> Condition {
        let conjuncts = self.conjuncts(condition);
        if conjuncts.iter().any(|c| known.contains(&c.not())) {
            return Condition::FALSE;
        }
        if !conjuncts.iter().any(|c| self.follows(known, *c)) {
            return condition;
        }
        let mut rest = Condition::TRUE;
        for c in conjuncts.iter() {
            if !self.follows(known, *c) {
                rest = self.and(rest, *c);
            }
        }
        rest
    }
}
