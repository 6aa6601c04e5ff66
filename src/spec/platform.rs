//! Platforms and sets of them.

use super::tables::PLATFORMS;

/// A platform; its number is its place in `rules/platforms.toml`, later platforms have higher numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Platform(pub u8);

/// A platform's row.
#[derive(Debug)]
pub struct PlatformRow {
    /// The reference's name.
    pub name: &'static str,
    /// The name for people.
    pub full_name: &'static str,
    /// Other names, lower case.
    pub names: &'static [&'static str],
    /// Bytes of one general register.
    pub grf_bytes: u32,
    /// Numbers of general registers that a thread can have, ascending.
    pub register_counts: &'static [u32],
}

impl Platform {
    /// All platforms in order.
    pub fn all() -> impl DoubleEndedIterator<Item = Platform> {
        (0..PLATFORMS.len() as u8).map(Platform)
    }

    /// The platform with that name, in any letter case: the reference's, or one that people use (`dg2`, `bmg`).
    #[must_use]
    pub fn from_name(name: &str) -> Option<Platform> {
        let wanted = name.to_ascii_lowercase();
        let plain = |s: &str| s.to_ascii_lowercase().replace(['_', '-'], "");
        Platform::all()
            .find(|p| p.name().eq_ignore_ascii_case(&wanted) || p.row().names.contains(&wanted.as_str()))
            .or_else(|| {
                let wanted = plain(&wanted);
                Platform::all().find(|p| plain(p.name()) == wanted || p.row().names.iter().any(|n| plain(n) == wanted))
            })
    }

    /// The reference's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Its row of the table.
    #[must_use]
    pub fn row(self) -> &'static PlatformRow {
        &PLATFORMS[self.0 as usize]
    }

    /// Bytes of one general register: 32 or 64.
    #[must_use]
    pub fn grf_bytes(self) -> u32 {
        self.row().grf_bytes
    }

    /// Bytes of the largest register file that a thread can have.
    #[must_use]
    pub fn register_file_bytes(self) -> u32 {
        self.grf_bytes() * self.row().register_counts.last().copied().unwrap_or(0)
    }
}

impl std::fmt::Debug for Platform {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// A set of platforms.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct PlatformSet(pub u32);

impl PlatformSet {
    /// No platform.
    pub const NONE: Self = Self(0);
    /// Every platform.
    pub const ALL: Self = Self((1 << PLATFORMS.len()) - 1);

    /// The set of one.
    #[must_use]
    pub const fn one(platform: Platform) -> Self {
        Self(1 << platform.0)
    }

    /// Those with registers of that many bytes.
    #[must_use]
    pub const fn with_grf_bytes(grf_bytes: u32) -> Self {
        const OF_32: PlatformSet = PlatformSet::counted(32);
        const OF_64: PlatformSet = PlatformSet::counted(64);
        match grf_bytes {
            32 => OF_32,
            64 => OF_64,
            _ => Self::NONE,
        }
    }

    /// Goes through the table for those with registers of that many bytes.
    const fn counted(grf_bytes: u32) -> Self {
        let mut set = 0;
        let mut i = 0;
        while i < PLATFORMS.len() {
            if PLATFORMS[i].grf_bytes == grf_bytes {
                set |= 1 << i;
            }
            i += 1;
        }
        Self(set)
    }

    /// The platforms older than that one.
    #[must_use]
    pub const fn before(platform: Platform) -> Self {
        Self((1 << platform.0) - 1)
    }

    /// That platform and those after it.
    #[must_use]
    pub const fn since(platform: Platform) -> Self {
        Self::ALL.without(Self::before(platform))
    }

    /// Whether it is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether `platform` is in it.
    #[must_use]
    pub const fn contains(self, platform: Platform) -> bool {
        self.0 >> platform.0 & 1 == 1
    }

    /// What is in both.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// What is in either.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// What is in this and not in the other.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Its members in order.
    #[must_use]
    pub fn iter(self) -> impl DoubleEndedIterator<Item = Platform> {
        Platform::all().filter(move |p| self.contains(*p))
    }

    /// Number of members.
    #[must_use]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// The distinct register sizes of its members, in bytes, ascending.
    pub fn grf_sizes(self) -> impl Iterator<Item = u32> {
        [32, 64].into_iter().filter(move |&g| !self.and(Self::with_grf_bytes(g)).is_empty())
    }

    /// In words: `all platforms`, `PVC and later`, `up to ARL`, `TGLLP to ARL`, or the list.
    #[must_use]
    pub fn describe(self) -> String {
        if self == Self::ALL {
            return "all platforms".to_owned();
        }
        let Some((first, last, except)) = self.range() else { return self.runs() };
        let range = match (first, last) {
            (f, l) if l == last_of_all() => format!("{} and later", f.name()),
            (Platform(0), l) => format!("up to {}", l.name()),
            (f, l) => format!("{} to {}", f.name(), l.name()),
        };
        format!("{range}{except}")
    }

    /// Where something is so, to follow a verb: "from DG2 on", "up to PVC", "on DG2, PVC".
    #[must_use]
    pub fn on(self) -> String {
        if self == Self::ALL {
            return "on all platforms".to_owned();
        }
        let Some((first, last, except)) = self.range() else { return format!("on {}", self.runs()) };
        let range = match (first, last) {
            (f, l) if l == last_of_all() => format!("from {} on", f.name()),
            (Platform(0), l) => format!("up to {}", l.name()),
            (f, l) => format!("from {} to {}", f.name(), l.name()),
        };
        format!("{range}{except}")
    }

    /// The first and the last one, and words for the few between them that are missing; nothing if many are missing, or
    /// if there are no more than two.
    fn range(self) -> Option<(Platform, Platform, String)> {
        let (first, last) = (self.iter().next()?, self.iter().last()?);
        let missing: Vec<&str> =
            (first.0..=last.0).map(Platform).filter(|p| !self.contains(*p)).map(Platform::name).collect();
        if self.len() <= 2 || missing.len() > 2 {
            return None;
        }
        let except = if missing.is_empty() { String::new() } else { format!(" except {}", missing.join(" and ")) };
        Some((first, last, except))
    }

    /// Its members, three and more that follow each other as a range.
    fn runs(self) -> String {
        let members: Vec<Platform> = self.iter().collect();
        let runs: Vec<String> = members
            .chunk_by(|a, b| a.0 + 1 == b.0)
            .flat_map(|run| match run {
                [first, _, .., last] => vec![format!("{} to {}", first.name(), last.name())],
                few => few.iter().map(|p| p.name().to_owned()).collect(),
            })
            .collect();
        if runs.is_empty() { "no platform".to_owned() } else { runs.join(", ") }
    }
}

/// The newest platform.
const fn last_of_all() -> Platform {
    Platform((PLATFORMS.len() - 1) as u8)
}

impl FromIterator<Platform> for PlatformSet {
    fn from_iter<T: IntoIterator<Item = Platform>>(platforms: T) -> Self {
        platforms.into_iter().fold(Self::NONE, |set, p| set.or(Self::one(p)))
    }
}

impl std::fmt::Debug for PlatformSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.describe())
    }
}
