//! The lanes of a vector: mostly one value for all, or a run.

use super::condition::Condition;
use super::{LANES, Value};

/// Something that each lane has.
pub trait PerLane: Copy + PartialEq {
    /// What it is in one lane, if it stands for a run of lanes.
    #[must_use]
    fn at(self, lane: u32) -> Self;
    /// The run that begins with this one, if `next` is the one after it and its block has `n` lanes from there on.
    fn run_with(self, next: Self, n: u32) -> Option<Self>;
    /// Fills unused places.
    const FILLER: Self;
}

impl PerLane for Value {
    fn at(self, lane: u32) -> Self {
        Value::at(self, lane)
    }
    fn run_with(self, next: Self, n: u32) -> Option<Self> {
        if self.constant != next.constant || self.bytes != next.bytes || self.sum.lane() + n > LANES {
            return None;
        }
        self.sum.run_with(next.sum).map(|sum| Self { sum, ..self })
    }
    const FILLER: Self = Value::known(0, 4);
}

impl PerLane for Condition {
    fn at(self, lane: u32) -> Self {
        Condition::at(self, lane)
    }
    fn run_with(self, next: Self, n: u32) -> Option<Self> {
        if self.lane() + n > LANES { None } else { Condition::run_with(self, next) }
    }
    const FILLER: Self = Condition::FALSE;
}

/// Up to 32 lanes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Lanes<T> {
    /// One for all, or the run that they are.
    run: Option<T>,
    each: [T; LANES as usize],
    n: u32,
}

impl<T: PerLane> Lanes<T> {
    /// The same in every lane, or a run.
    #[must_use]
    pub fn run(value: T, n: u32) -> Self {
        Self { run: Some(value), each: [T::FILLER; LANES as usize], n: n.min(LANES) }
    }

    /// Lane by lane.
    #[must_use]
    pub fn of(n: u32, mut lane: impl FnMut(u32) -> T) -> Self {
        let n = n.min(LANES);
        let mut lanes = Self { run: None, each: [T::FILLER; LANES as usize], n };
        for i in 0..n {
            lanes.each[i as usize] = lane(i);
        }
        lanes.settle();
        lanes
    }

    /// Sees whether the lanes are all the same, or a run.
    fn settle(&mut self) {
        let lanes = &self.each[..self.n as usize];
        let Some((&first, rest)) = lanes.split_first() else {
            self.run = Some(T::FILLER);
            return;
        };
        let Some(&second) = rest.first() else {
            self.run = Some(first);
            return;
        };
        if first == second {
            self.run = rest.iter().all(|v| *v == first).then_some(first);
        } else if let Some(run) = first.run_with(second, self.n) {
            self.run = rest.iter().enumerate().all(|(i, v)| run.at(i as u32 + 1) == *v).then_some(run);
        }
    }

    /// Number of lanes.
    #[must_use]
    pub const fn len(&self) -> u32 {
        self.n
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.n == 0
    }

    /// What one lane has.
    #[must_use]
    pub fn at(&self, lane: u32) -> T {
        match self.run {
            Some(run) => run.at(lane),
            None => self.each[(lane % LANES) as usize],
        }
    }

    /// One for all, or the run that they are.
    #[must_use]
    pub const fn as_run(&self) -> Option<T> {
        self.run
    }

    /// All lanes in order.
    pub fn iter(&self) -> impl Iterator<Item = T> + '_ {
        (0..self.n).map(|i| self.at(i))
    }

    /// Whether every lane has the same in both.
    #[must_use]
    pub fn is_same_as(&self, other: &Self) -> bool {
        self.n == other.n && (0..self.n).all(|l| self.at(l) == other.at(l))
    }

    /// Some of the lanes.
    #[must_use]
    pub fn slice(&self, first: u32, n: u32) -> Self {
        match self.run {
            Some(run) if run.at(0) == run => Self::run(run, n),
            _ => Self::of(n, |i| self.at((first + i) % LANES)),
        }
    }

    /// Puts lanes in place of some of these.
    pub fn replace(&mut self, first: u32, lanes: &Self) {
        if first == 0 && lanes.n >= self.n {
            *self = *lanes;
            return;
        }
        let old = *self;
        *self = Self::of(old.n, |i| match i.checked_sub(first) {
            Some(j) if j < lanes.n => lanes.at(j),
            _ => old.at(i),
        });
    }

    /// The same for all lanes?
    #[must_use]
    pub fn as_same(&self) -> Option<T> {
        self.run.filter(|run| run.at(0) == *run)
    }

    /// Applies an operation to all lanes: once, if the operand is a run.
    pub fn map<U: PerLane>(&self, mut f: impl FnMut(T) -> U) -> Lanes<U> {
        match self.run {
            Some(run) => Lanes::run(f(run), self.n),
            None => Lanes::of(self.n, |i| f(self.at(i))),
        }
    }

    /// Applies an operation to two operands: once, if both are runs.
    pub fn zip<U: PerLane, V: PerLane>(&self, other: &Lanes<U>, mut f: impl FnMut(T, U) -> V) -> Lanes<V> {
        match (self.run, other.run) {
            (Some(a), Some(b)) => Lanes::run(f(a, b), self.n),
            _ => Lanes::of(self.n, |i| f(self.at(i), other.at(i))),
        }
    }

    /// Applies an operation to three operands: once, if all are runs.
    pub fn zip3<U: PerLane, V: PerLane, W: PerLane>(
        &self,
        b: &Lanes<U>,
        c: &Lanes<V>,
        mut f: impl FnMut(T, U, V) -> W,
    ) -> Lanes<W> {
        match (self.run, b.run, c.run) {
            (Some(x), Some(y), Some(z)) => Lanes::run(f(x, y, z), self.n),
            _ => Lanes::of(self.n, |i| f(self.at(i), b.at(i), c.at(i))),
        }
    }

    /// Applies an operation to four operands: once, if all are runs.
    pub fn zip4<U: PerLane, V: PerLane, W: PerLane, X: PerLane>(
        &self,
        b: &Lanes<U>,
        c: &Lanes<V>,
        d: &Lanes<W>,
        mut f: impl FnMut(T, U, V, W) -> X,
    ) -> Lanes<X> {
        match (self.run, b.run, c.run, d.run) {
            (Some(x), Some(y), Some(z), Some(w)) => Lanes::run(f(x, y, z, w), self.n),
            _ => Lanes::of(self.n, |i| f(self.at(i), b.at(i), c.at(i), d.at(i))),
        }
    }
}

impl Lanes<Condition> {
    /// Whether every lane is known to hold.
    #[must_use]
    pub fn all_true(&self) -> bool {
        match self.run {
            Some(run) => run.is_true(),
            None => self.iter().all(Condition::is_true),
        }
    }

    /// Whether every lane is known not to hold.
    #[must_use]
    pub fn all_false(&self) -> bool {
        match self.run {
            Some(run) => run.is_false(),
            None => self.iter().all(Condition::is_false),
        }
    }
}
