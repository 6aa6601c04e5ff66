//! Sets of bytes of one variable.

use std::ops::Range;

/// A set of bytes: ranges in their order that do not touch each other.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Bytes(Vec<Range<u32>>);

impl Bytes {
    /// The set of some ranges, in any order.
    #[must_use]
    pub fn new(ranges: &[Range<u32>]) -> Self {
        let mut set = Self(ranges.to_vec());
        normalize(&mut set.0);
        set
    }

    /// Whether no byte is left.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Its ranges.
    #[must_use]
    pub fn ranges(&self) -> &[Range<u32>] {
        &self.0
    }

    /// Whether it shares a byte with ranges that are in their order.
    #[must_use]
    pub fn meets(&self, ranges: &[Range<u32>]) -> bool {
        meet(&self.0, ranges)
    }

    /// Adds ranges.
    pub fn add(&mut self, ranges: &[Range<u32>]) {
        self.0.extend_from_slice(ranges);
        normalize(&mut self.0);
    }

    /// Takes ranges out, which are in their order.
    pub fn remove(&mut self, ranges: &[Range<u32>]) {
        if !self.meets(ranges) {
            return;
        }
        let mut left = Vec::with_capacity(self.0.len() + 1);
        let mut first = 0;
        for own in &self.0 {
            let mut start = own.start;
            while ranges.get(first).is_some_and(|r| r.end <= own.start) {
                first += 1;
            }
            for cut in ranges[first..].iter().take_while(|r| r.start < own.end) {
                if start < cut.start {
                    left.push(start..cut.start);
                }
                start = start.max(cut.end);
            }
            if start < own.end {
                left.push(start..own.end);
            }
        }
        self.0 = left;
    }
}

/// Whether two lists of ranges, both in their order, share a byte.
#[must_use]
pub fn meet(a: &[Range<u32>], b: &[Range<u32>]) -> bool {
    let (mut i, mut j) = (0, 0);
    while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
        if x.start < y.end && y.start < x.end {
            return true;
        }
        if x.end <= y.end {
            i += 1;
        } else {
            j += 1;
        }
    }
    false
}

/// Puts ranges in their order and joins those that touch; empty ones are dropped.
pub fn normalize(ranges: &mut Vec<Range<u32>>) {
    ranges.retain(|r| r.start < r.end);
    if ranges.len() < 2 {
        return;
    }
    ranges.sort_unstable_by_key(|r| r.start);
    let mut last = 0;
    for i in 1..ranges.len() {
        if ranges[i].start <= ranges[last].end {
            ranges[last].end = ranges[last].end.max(ranges[i].end);
        } else {
            last += 1;
            ranges[last] = ranges[i].clone();
        }
    }
    ranges.truncate(last + 1);
}
