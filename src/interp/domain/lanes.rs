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
#[derive(Clone, PartialEq, Debug)]
pub struct Lanes<T> {
    held: Held<T>,
    n: u32,
}

/// What the lanes have. Nearly always that is a run, so only lanes that differ take memory of their own.
#[derive(Clone, PartialEq, Debug)]
enum Held<T> {
    /// One for all, or the run that they are.
    Run(T),
    /// Lane by lane, and fillers.
    Each(Box<[T; LANES as usize]>),
}

impl Lanes<Condition> {
    /// The lanes that may be active, if these are the conditions of an execution mask.
    #[must_use]
    pub fn active(&self) -> impl DoubleEndedIterator<Item = u32> + Clone + '_ {
        (0..self.n).filter(|lane| !self.at(*lane).is_false())
    }
}

impl<T: PerLane> Lanes<T> {
    /// The same in every lane, or a run.
    #[must_use]
    pub fn run(value: T, n: u32) -> Self {
        Self { held: Held::Run(value), n: n.min(LANES) }
    }

    /// Lane by lane, in order.
    #[must_use]
    pub fn of(n: u32, mut lane: impl FnMut(u32) -> T) -> Self {
        let n = n.min(LANES);
        if n == 0 {
            return Self::run(T::FILLER, n);
        }
        let first = lane(0);
        if n == 1 {
            return Self::run(first, n);
        }
        let second = lane(1);
        let is_same = first == second;
        let run = if is_same { Some(first) } else { first.run_with(second, n) };
        let mut known = 2;
        let mut each = if let Some(run) = run {
            let expected = |i| if is_same { first } else { run.at(i) };
            let other = loop {
                if known == n {
                    return Self::run(run, n);
                }
                let next = lane(known);
                if next != expected(known) {
                    break next;
                }
                known += 1;
            };
            let mut each = Box::new([T::FILLER; LANES as usize]);
            for i in 0..known {
                each[i as usize] = expected(i);
            }
            each[known as usize] = other;
            known += 1;
            each
        } else {
            let mut each = Box::new([T::FILLER; LANES as usize]);
            each[0] = first;
            each[1] = second;
            each
        };
        for i in known..n {
            each[i as usize] = lane(i);
        }
        Self { held: Held::Each(each), n }
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
        match &self.held {
            Held::Run(run) => run.at(lane),
            Held::Each(each) => each[(lane % LANES) as usize],
        }
    }

    /// One for all, or the run that they are.
    #[must_use]
    pub const fn as_run(&self) -> Option<T> {
        match self.held {
            Held::Run(run) => Some(run),
            Held::Each(_) => None,
        }
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
        match self.as_run() {
            Some(run) if run.at(0) == run => Self::run(run, n),
            _ => Self::of(n, |i| self.at((first + i) % LANES)),
        }
    }

    /// Puts lanes in place of some of these.
    pub fn replace(&mut self, first: u32, lanes: &Self) {
        if first == 0 && lanes.n >= self.n {
            self.clone_from(lanes);
            return;
        }
        *self = Self::of(self.n, |i| match i.checked_sub(first) {
            Some(j) if j < lanes.n => lanes.at(j),
            _ => self.at(i),
        });
    }

    /// The same for all lanes?
    #[must_use]
    pub fn as_same(&self) -> Option<T> {
        self.as_run().filter(|run| run.at(0) == *run)
    }

    /// Applies an operation to all lanes: once, if the operand is a run.
    pub fn map<U: PerLane>(&self, mut f: impl FnMut(T) -> U) -> Lanes<U> {
        match self.as_run() {
            Some(run) => Lanes::run(f(run), self.n),
            None => Lanes::of(self.n, |i| f(self.at(i))),
        }
    }

    /// Applies an operation to two operands: once, if both are runs.
    pub fn zip<U: PerLane, V: PerLane>(&self, other: &Lanes<U>, mut f: impl FnMut(T, U) -> V) -> Lanes<V> {
        match (self.as_run(), other.as_run()) {
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
        match (self.as_run(), b.as_run(), c.as_run()) {
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
        match (self.as_run(), b.as_run(), c.as_run(), d.as_run()) {
            (Some(x), Some(y), Some(z), Some(w)) => Lanes::run(f(x, y, z, w), self.n),
            _ => Lanes::of(self.n, |i| f(self.at(i), b.at(i), c.at(i), d.at(i))),
        }
    }
}

impl Lanes<Condition> {
    /// Whether every lane is known to hold.
    #[must_use]
    pub fn all_true(&self) -> bool {
        match self.as_run() {
            Some(run) => run.is_true(),
            None => self.iter().all(Condition::is_true),
        }
    }

    /// Whether every lane is known not to hold.
    #[must_use]
    pub fn all_false(&self) -> bool {
        match self.as_run() {
            Some(run) => run.is_false(),
            None => self.iter().all(Condition::is_false),
        }
    }
}
