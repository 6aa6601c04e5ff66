//! Where kernels find what a launch hands over: the rows of `rules/launch.toml`.

use super::platform::PlatformSet;
use super::tables::LAYOUTS;

pub use super::tables::{GROUP_ID_BYTES, LEAST_LANES, LOCAL_ID_BYTES, THREAD_NUMBER_BYTE, THREAD_NUMBER_PLATFORMS};

/// What three dwords of an input hold.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Held {
    /// What is added to global ids.
    GlobalOffset,
    /// Work-items of this group in each dimension.
    LocalSize,
    /// Work-items of most groups in each dimension.
    EnqueuedLocalSize,
}

/// What an input is multiplied by.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Factor {
    /// The id of the group in the same dimension.
    GroupId,
    /// The local id in the last dimension: the number of a work-item is counted.
    LocalId,
}

/// A vector of dwords that all threads of a group have in common.
#[derive(Clone, Copy, Debug)]
pub struct Front {
    /// Its bytes.
    pub bytes: u32,
    /// What each three dwords hold.
    pub holds: &'static [Held],
}

/// Three dwords that are told by what they are multiplied by.
#[derive(Clone, Copy, Debug)]
pub struct ByUse {
    /// What they are multiplied by.
    pub factor: Factor,
    /// What they hold.
    pub holds: Held,
}

/// Where inputs lie, for some versions of the text and some platforms.
#[derive(Clone, Copy, Debug)]
pub struct LayoutRow {
    /// Its name.
    pub name: &'static str,
    /// The first and the last version of the text, major and minor.
    pub text: [(u32, u32); 2],
    /// The platforms.
    pub platforms: PlatformSet,
    /// Inputs of eight bytes that no instruction reads and that may come first.
    pub system_pointers: u32,
    /// Vectors that come first, each of which may be missing.
    pub front: &'static [Front],
    /// Vectors that stand behind the arguments.
    pub by_use: &'static [ByUse],
    /// What the row was read from.
    pub source: &'static str,
}

/// The rows for a version of the text, if it is known, and any of some platforms.
pub fn layouts(version: Option<(u32, u32)>, platforms: PlatformSet) -> impl Iterator<Item = &'static LayoutRow> {
    LAYOUTS.iter().filter(move |row| {
        let [first, last] = row.text;
        version.is_none_or(|v| first <= v && v <= last) && !row.platforms.and(platforms).is_empty()
    })
}
