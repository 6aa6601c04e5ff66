//! Regions of operands: which elements each lane takes.

/// How a region is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RegionForm {
    /// `<h>`
    Stride,
    /// `<w,h>` after an indirect operand: one address per row
    Rows,
    /// `<v;w,h>`
    Full,
    /// nothing
    Absent,
}

/// The numbers of a region, in elements. Numbers that do not fit are stored as [`Region::ILLEGAL`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Region {
    /// Elements from one row to the next.
    pub vertical_stride: u8,
    /// Elements of a row.
    pub width: u8,
    /// Elements from one lane to the next in a row.
    pub horizontal_stride: u8,
    /// How it is written.
    pub form: RegionForm,
}

impl Region {
    /// Stands for a number that no region can have.
    pub const ILLEGAL: u8 = 255;
    /// What the vertical stride of a source may be.
    pub const VERTICAL_STRIDES: [u8; 7] = [0, 1, 2, 4, 8, 16, 32];
    /// What the width of a source may be.
    pub const WIDTHS: [u8; 5] = [1, 2, 4, 8, 16];
    /// What the horizontal stride of a source may be.
    pub const HORIZONTAL_STRIDES: [u8; 4] = [0, 1, 2, 4];
    /// No region.
    pub const ABSENT: Self = Self { vertical_stride: 0, width: 1, horizontal_stride: 0, form: RegionForm::Absent };
    /// `<0;1,0>`
    pub const SCALAR: Self = Self { vertical_stride: 0, width: 1, horizontal_stride: 0, form: RegionForm::Full };

    /// Elements from the first one to the one of `lane`.
    #[must_use]
    pub fn element(self, lane: u32) -> u32 {
        match self.form {
            RegionForm::Stride => lane * u32::from(self.horizontal_stride),
            RegionForm::Full | RegionForm::Rows => {
                let width = u32::from(self.width).max(1);
                lane / width * u32::from(self.vertical_stride) + lane % width * u32::from(self.horizontal_stride)
            }
            RegionForm::Absent => lane,
        }
    }

    /// Whether every lane takes the same element.
    #[must_use]
    pub fn is_scalar(self) -> bool {
        self.form == RegionForm::Full
            && (self.vertical_stride == 0 || self.width == Self::ILLEGAL)
            && (self.horizontal_stride == 0 || self.width == 1)
    }

    /// The greatest element that any of `exec_size` lanes takes, counted from the first one.
    #[must_use]
    pub fn last_element(self, exec_size: u32) -> u32 {
        match self.form {
            RegionForm::Stride | RegionForm::Absent => self.element(exec_size.saturating_sub(1)),
            RegionForm::Full | RegionForm::Rows => {
                let width = u32::from(self.width).max(1).min(exec_size.max(1));
                let rows = exec_size.max(1) / width;
                (rows.max(1) - 1) * u32::from(self.vertical_stride) + (width - 1) * u32::from(self.horizontal_stride)
            }
        }
    }

    /// Whether its numbers are among those that the region of a source may have.
    #[must_use]
    pub fn has_source_numbers(self) -> bool {
        Self::HORIZONTAL_STRIDES.contains(&self.horizontal_stride)
            && Self::WIDTHS.contains(&self.width)
            && (self.form != RegionForm::Full || Self::VERTICAL_STRIDES.contains(&self.vertical_stride))
    }

    /// Whether one of its numbers is not a legal number of a region.
    #[must_use]
    pub const fn has_illegal_number(self) -> bool {
        self.vertical_stride == Self::ILLEGAL || self.width == Self::ILLEGAL || self.horizontal_stride == Self::ILLEGAL
    }
}
