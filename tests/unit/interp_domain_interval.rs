//! Tests of the ranges of sums.

use visa_lint::interp::domain::atom::Origin;
use visa_lint::interp::domain::{Domain, Value};

#[test]
fn a_sum_beyond_what_can_be_counted_may_be_anything() {
    let mut domain = Domain::new();
    let mut sum = Value::known(0, 8);
    for _ in 0..4 {
        let one = domain.unknown(8, Origin::Result).at(0);
        let many = domain.scale(one, 1 << 63);
        sum = domain.add(sum, many);
    }
    let interval = domain.interval(sum);
    assert!(interval.low <= -(1 << 124) && interval.high >= 1 << 124, "{} to {}", interval.low, interval.high);
    assert_eq!(domain.range(sum), (0, u64::MAX));
}
