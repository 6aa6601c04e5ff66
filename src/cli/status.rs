//! Exit statuses.

/// Nothing at error level.
pub(super) const CLEAN: u8 = 0;
/// Findings at error level.
pub(super) const FOUND: u8 = 1;
/// Usage, or input that cannot be read.
pub(super) const UNUSABLE: u8 = 2;
/// A fault of the program itself.
pub(super) const BROKEN: u8 = 3;
/// Ended by an interrupt, as shells number it.
pub(super) const INTERRUPTED: u8 = 130;
