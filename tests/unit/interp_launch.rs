//! Tests of `interp::launch`.

use visa_lint::interp::launch::{Shape, shapes};

/// The local ids that the shapes allow for a lane of some thread.
fn allowed(shape: &Shape, lane: usize, id: [u32; 3]) -> bool {
    (0..3).all(|d| {
        let rest = id[d].wrapping_sub(shape.ids[d][lane]);
        match shape.bases[d] {
            None => rest == 0,
            Some(base) => rest <= base.high && rest.is_multiple_of(1 << base.zeros),
        }
    })
}

#[test]
fn every_thread_of_a_group_has_one_of_the_shapes() {
    for size in
        [[64, 1, 1], [16, 16, 1], [8, 8, 8], [4, 4, 4], [10, 3, 2], [7, 1, 1], [32, 2, 1], [3, 5, 1], [1, 64, 1]]
    {
        for n_lanes in [8, 16, 32] {
            let (shapes, has_all) = shapes(size, n_lanes);
            let total = size[0] * size[1] * size[2];
            assert!(has_all, "{size:?}");
            for first in (0..total).step_by(n_lanes as usize) {
                let n = (total - first).min(n_lanes);
                let fits = |shape: &&Shape| {
                    shape.n_lanes == n
                        && (0..n).all(|lane| {
                            let item = first + lane;
                            let id = [item % size[0], item / size[0] % size[1], item / size[0] / size[1]];
                            allowed(shape, lane as usize, id)
                        })
                };
                assert!(shapes.iter().any(|s| fits(&s)), "{size:?}, thread that begins with item {first}");
            }
        }
    }
}

#[test]
fn too_many_different_threads_are_not_all_there() {
    assert!(!shapes([10, 30, 1], 16).1);
}
