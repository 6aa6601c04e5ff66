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
        if self.root != other.root || self.element_bytes != other.element_bytes {
            return false;
        }
        let is_plain = |footprint: &Self| footprint.region.is_contiguous(footprint.n_lanes);
        if self.n_lanes == other.n_lanes && (self.region == other.region || is_plain(self) && is_plain(other)) {
            return self.root_start == other.root_start;
        }
        self.lanes().eq(other.lanes())
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
        match self.form {
            RegionForm::Stride => self.horizontal_stride == 1 || n_lanes <= 1,
            RegionForm::Absent => true,
            RegionForm::Full | RegionForm::Rows => {
                let width = u32::from(self.width).max(1);
                let is_row = self.horizontal_stride == 1 || width.min(n_lanes) <= 1;
                is_row && (u32::from(self.vertical_stride) == width || n_lanes <= width)
            }
        }
    }
}
