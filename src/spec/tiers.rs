//! What holds in tiers, or on some platforms.

use super::platform::PlatformSet;

/// Values in the three tiers: legal, seen from the compiler (pedantic), tolerated by toolchains (warning).
#[derive(Clone, Copy, Debug)]
pub struct Tiers<T: 'static> {
    /// Legal.
    pub legal: T,
    /// Pedantic.
    pub seen: T,
    /// Warning.
    pub tolerated: T,
}

/// Something that holds on some platforms.
#[derive(Clone, Copy, Debug)]
pub struct OnPlatforms<T: 'static> {
    /// Where.
    pub platforms: PlatformSet,
    /// What.
    pub value: T,
}
