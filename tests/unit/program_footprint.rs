//! Tests of `program::footprint`.

use visa_lint::program::Region;
use visa_lint::program::RegionForm;
use visa_lint::program::footprint::Footprint;
use visa_lint::program::variable::VariableId;

fn footprint(vertical_stride: u8, width: u8, horizontal_stride: u8, n_lanes: u32) -> Footprint {
    Footprint {
        variable: VariableId(40),
        root: VariableId(40),
        start: 0,
        root_start: 64,
        element_bytes: 4,
        n_lanes,
        region: Region { vertical_stride, width, horizontal_stride, form: RegionForm::Full },
    }
}

#[test]
fn lanes_follow_rows_and_strides() {
    assert_eq!(footprint(8, 4, 2, 8).lanes().collect::<Vec<_>>(), [64, 72, 80, 88, 96, 104, 112, 120]);
    assert_eq!(footprint(0, 4, 1, 8).lanes().collect::<Vec<_>>(), [64, 68, 72, 76, 64, 68, 72, 76]);
    assert_eq!(footprint(0, 1, 0, 4).lanes().collect::<Vec<_>>(), [64; 4]);
}

#[test]
fn the_extent_ends_after_the_last_element() {
    assert_eq!(footprint(16, 8, 2, 16).root_bytes(), 64..64 + 4 * (16 + 14 + 1));
    assert_eq!(footprint(0, 1, 0, 16).root_bytes(), 64..68);
    assert_eq!(footprint(1, 1, 0, 8).n_registers(32), 1);
    assert_eq!(footprint(2, 1, 0, 16).n_registers(32), 4);
}

#[test]
fn interleaved_lanes_share_no_byte() {
    let even = footprint(2, 1, 0, 8);
    let odd = even.shifted(4);
    assert_eq!(even.shared_lanes(&odd, |_, _| true), None);
    assert_eq!(even.shared_lanes(&even.shifted(8), |_, _| true), Some((1, 0)));
    assert!(even.is_same(&even) && !even.is_same(&odd));
}

#[test]
fn contiguous_regions() {
    for (v, w, h) in [(1, 1, 0), (8, 8, 1), (4, 4, 1)] {
        assert!(footprint(v, w, h, 8).region.is_contiguous(8));
    }
    assert!(!footprint(2, 1, 0, 8).region.is_contiguous(8));
    assert!(Region::CONTIGUOUS.is_contiguous(32));
}
