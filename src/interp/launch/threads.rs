//! The threads of a group and their local ids.

use super::{Base, Thread};
use crate::interp::domain::LANES;

/// Most threads of a group that are executed one by one; only where local ids do not repeat from thread to thread.
const MAX_THREADS: u32 = 8;

/// All threads of a group, each with its own local ids.
#[derive(Clone, Debug)]
pub struct Group {
    /// The threads.
    pub threads: Vec<Thread>,
    /// Byte offset of the inputs that all of them have in common; nothing if that is not known.
    pub shared_from: Option<i64>,
    /// Whether `%r0` holds the number of the thread in its group.
    pub is_numbered: bool,
    pub(super) size: [u32; 3],
    pub(super) n_lanes: u32,
}

impl Group {
    /// Dimensions in which there is more than one work-item.
    #[must_use]
    pub fn n_dimensions(&self) -> usize {
        self.size.iter().filter(|n| **n > 1).count()
    }

    /// Work-items in each dimension.
    #[must_use]
    pub const fn size(&self) -> [u32; 3] {
        self.size
    }

    /// The local id of a work-item; nothing if the lane is not dispatched.
    #[must_use]
    pub fn item(&self, thread: u32, lane: u32) -> Option<[u32; 3]> {
        let number = thread * self.n_lanes + lane;
        let is_there = lane < self.n_lanes && number < n_items(self.size);
        is_there.then(|| local_id(self.size, number))
    }
}

/// The local ids of a thread.
#[derive(Debug)]
pub struct Shape {
    /// Lanes that are dispatched.
    pub n_lanes: u32,
    /// For each dimension and lane, what is added to the base.
    pub ids: [Vec<u32>; 3],
    /// For each dimension, what is not known of the local ids; nothing if they are known.
    pub bases: [Option<Base>; 3],
}

/// The threads of a group as their local ids differ, and whether that is all of them. Work-items are counted along x
/// first.
#[must_use]
pub fn shapes(size: [u32; 3], n_lanes: u32) -> (Vec<Shape>, bool) {
    let n_lanes = n_lanes.min(LANES);
    let total = n_items(size);
    let n_threads = total.div_ceil(n_lanes);
    // Threads repeat each other where a thread is a part of a row, whole rows of a plane, or whole planes.
    let (row, plane) = (size[0], size[0].saturating_mul(size[1]));
    let steps = if row.is_multiple_of(n_lanes) {
        Some([n_lanes, 1, 1])
    } else if n_lanes.is_multiple_of(row) && plane.is_multiple_of(n_lanes) {
        Some([0, n_lanes / row, 1])
    } else if n_lanes.is_multiple_of(plane) && total.is_multiple_of(n_lanes) {
        Some([0, 0, n_lanes / plane])
    } else {
        None
    };
    if let Some(steps) = steps.filter(|_| n_threads > 1) {
        let bases = std::array::from_fn(|d| {
            let (step, n) = (steps[d], size[d]);
            (step > 0 && n > step).then(|| Base {
                dimension: d as u8,
                zeros: step.trailing_zeros() as u8,
                high: n - step,
            })
        });
        return (vec![Shape { bases, ..shape_of(size, n_lanes, 0) }], true);
    }
    let shapes = (0..n_threads.min(MAX_THREADS)).map(|t| shape_of(size, n_lanes, t));
    (shapes.collect(), n_threads <= MAX_THREADS)
}

/// The local ids of one thread of a group.
pub(super) fn shape_of(size: [u32; 3], n_lanes: u32, thread: u32) -> Shape {
    let first = thread * n_lanes;
    let end = n_items(size).min(first.saturating_add(n_lanes));
    let ids: [Vec<u32>; 3] = std::array::from_fn(|d| (first..end).map(|item| local_id(size, item)[d]).collect());
    Shape { n_lanes: end - first, ids, bases: [None; 3] }
}

/// Work-items of a group.
pub(super) fn n_items(size: [u32; 3]) -> u32 {
    size.iter().fold(1_u32, |n, s| n.saturating_mul(*s))
}

/// The local id of a work-item; they are counted along x first.
const fn local_id(size: [u32; 3], item: u32) -> [u32; 3] {
    [item % size[0], item / size[0] % size[1], item / size[0] / size[1]]
}
