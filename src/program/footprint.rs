//! Which bytes the lanes of an operand touch: regions, rows and alias chains brought down to byte offsets in the variable
//! at the end of the alias chain.
//!
//! An address is linear: rows count one register each, a column may reach beyond the register of its row.

use super::variable::VariableId;
use super::{Operand, Program, Region, RegionForm};
use crate::spec::predefined::VariableKind;
use std::ops::Range;

/// The elements that an operand gives to its lanes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Footprint {
    /// The variable that the operand names.
    pub variable: VariableId,
    /// The variable at the end of its alias chain.
    pub root: VariableId,
    /// The first byte of the first lane, counted in `variable`.
    pub start: i64,
    /// The first byte of the first lane, counted in `root`.
    pub root_start: i64,
    /// Bytes of one element.
    pub element_bytes: u32,
    /// Lanes.
    pub n_lanes: u32,
    /// Elements from lane to lane.
    pub region: Region,
}

impl Footprint {
    /// The footprint of a general operand, or of an operand without a region, over `n_lanes` lanes where registers have
    /// `grf_bytes` bytes; nothing for other operands and for `%null`.
    #[must_use]
    pub fn new(program: &Program, operand: &Operand, n_lanes: u32, grf_bytes: u32) -> Option<Self> {
        let (variable, row, column, region) = match *operand {
            Operand::General { variable, row, column, region, .. } => (variable, row, column, region),
            Operand::Element { variable, row, column } => (variable, row, column, Region::ABSENT),
            _ => return None,
        };
        let info = &program.variables[variable];
        if variable == VariableId::NULL || info.kind != VariableKind::General {
            return None;
        }
        let element_bytes = info.element_bytes();
        let start = i64::from(row) * i64::from(grf_bytes) + i64::from(column) * i64::from(element_bytes);
        Some(Self {
            variable,
            root: info.root,
            start,
            root_start: start + i64::from(info.root_offset),
            element_bytes,
            n_lanes: n_lanes.max(1),
            region,
        })
    }

    /// The same beginning with another region and number of lanes: for instructions that read other elements than their
    /// region says.
    #[must_use]
    pub fn with_region(self, region: Region, n_lanes: u32) -> Self {
        Self { region, n_lanes: n_lanes.max(1), ..self }
    }

    /// Moved by `bytes`.
    #[must_use]
    pub fn shifted(self, bytes: i64) -> Self {
        Self { start: self.start + bytes, root_start: self.root_start + bytes, ..self }
    }

    /// The byte offset in the root variable of the element of `lane`.
    #[must_use]
    pub fn lane(&self, lane: u32) -> i64 {
        self.root_start + i64::from(self.region.element(lane)) * i64::from(self.element_bytes)
    }

    /// The byte offsets in the root variable of the elements of all lanes, in the order of the lanes.
    pub fn lanes(self) -> impl Iterator<Item = i64> {
        (0..self.n_lanes).map(move |lane| self.lane(lane))
    }

    /// Bytes from the first byte of the first lane to one past the last byte of any lane.
    #[must_use]
    pub fn extent(&self) -> i64 {
        i64::from(self.region.last_element(self.n_lanes) + 1) * i64::from(self.element_bytes)
    }

    /// The smallest range of bytes of the root variable that holds all lanes.
    #[must_use]
    pub fn root_bytes(&self) -> Range<i64> {
        self.root_start..self.root_start + self.extent()
    }

    /// Registers that it touches. Roots of at least one register begin at a register boundary, and smaller ones do not
    /// cross one.
    #[must_use]
    pub fn n_registers(&self, grf_bytes: u32) -> i64 {
        let bytes = self.root_bytes();
        let grf_bytes = i64::from(grf_bytes);
        (bytes.end - 1).div_euclid(grf_bytes) - bytes.start.div_euclid(grf_bytes) + 1
    }

    /// Whether the two give every lane the same bytes.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        self.root == other.root && self.element_bytes == other.element_bytes && self.lanes().eq(other.lanes())
    }

    /// Two lanes, one of each, that share a byte and for which `counts` holds.
    pub fn shared_lanes(&self, other: &Self, counts: impl Fn(u32, u32) -> bool) -> Option<(u32, u32)> {
        if self.root != other.root {
            return None;
        }
        let (mine, theirs) = (self.root_bytes(), other.root_bytes());
        if mine.end <= theirs.start || theirs.end <= mine.start {
            return None;
        }
        let (own_bytes, other_bytes) = (i64::from(self.element_bytes), i64::from(other.element_bytes));
        for (i, a) in (0..).zip(self.lanes()) {
            for (j, b) in (0..).zip(other.lanes()) {
                if a < b + other_bytes && b < a + own_bytes && counts(i, j) {
                    return Some((i, j));
                }
            }
        }
        None
    }
}

impl Region {
    /// Elements one after the other.
    pub const CONTIGUOUS: Self = Self { vertical_stride: 0, width: 0, horizontal_stride: 1, form: RegionForm::Stride };

    /// Whether `n_lanes` lanes take elements one after the other.
    #[must_use]
    pub fn is_contiguous(self, n_lanes: u32) -> bool {
        (0..n_lanes).all(|lane| self.element(lane) == lane)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
