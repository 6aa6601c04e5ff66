//! By which words the dumps of compilers are known.

/// How lines begin that only a compiler prints.
pub(super) const MARKS_OF_DUMPS: [&str; 2] = ["/// VISA Predefined Variables", "//// KERNEL: ////"];

/// The comment that names the platform of a text.
pub(super) const PLATFORM_MARK: &str = "//Platform:";
