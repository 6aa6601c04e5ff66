//! Settings from `visa-lint.toml`: which file they come from, what they say, and what that means for a text.

mod error;
mod find;
mod known;
mod names;
mod settings;
pub mod ze_info;

pub use error::ConfigError;
pub use find::{Configs, FILE_NAME, Source, absolute};
pub use known::Known;
pub use names::{LevelName, Pattern, PlatformName, RuleName, platform, rule};
pub use settings::{GroupSize, LaunchSettings, Override, Settings, SubGroupSize};

use crate::checks::{LaunchFacts, Options};
use crate::spec::PlatformSet;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Settings together with the place that they come from.
#[derive(Debug)]
pub struct Config {
    /// The file.
    pub file: PathBuf,
    /// What it says.
    pub settings: Settings,
    /// The folder that its patterns are relative to.
    root: PathBuf,
    exclude: Gitignore,
    /// The paths of each override.
    overrides: Vec<Gitignore>,
    /// What is known of launches: of all, and of those of each override.
    launches: Vec<LaunchFacts>,
}

impl Config {
    /// Reads the text of a file; its patterns are relative to `root`.
    ///
    /// # Errors
    /// If it is not TOML, or says something that there is not.
    pub fn parse(file: &Path, root: &Path, text: &str) -> Result<Self, ConfigError> {
        let settings: Settings = toml::from_str(text).map_err(|error| ConfigError::from_toml(file, text, &error))?;
        let matcher = |patterns: &[Pattern]| {
            let mut builder = GitignoreBuilder::new(root);
            for pattern in patterns {
                builder.add_line(None, &pattern.0).map_err(|error| ConfigError::plain(file, error.to_string()))?;
            }
            builder.build().map_err(|error| ConfigError::plain(file, error.to_string()))
        };
        let exclude = matcher(&settings.exclude)?;
        let overrides = settings.overrides.iter().map(|o| matcher(&o.paths)).collect::<Result<_, _>>()?;
        let launches = std::iter::once(&settings.launch)
            .chain(settings.overrides.iter().map(|o| &o.launch))
            .map(|launch| facts(launch, root))
            .collect::<Result<_, _>>()?;
        Ok(Self { file: file.to_owned(), settings, root: root.to_owned(), exclude, overrides, launches })
    }

    /// Whether an entry of a folder that is walked is left out. Of folders that are left out, nothing is looked at.
    #[must_use]
    pub fn excludes_entry(&self, path: &Path, is_folder: bool) -> bool {
        self.relative(path).is_some_and(|path| self.exclude.matched(path, is_folder).is_ignore())
    }

    /// Whether a file, or a folder around it, is left out.
    #[must_use]
    pub fn excludes(&self, path: &Path) -> bool {
        self.relative(path).is_some_and(|path| self.exclude.matched_path_or_any_parents(path, false).is_ignore())
    }

    /// The file of findings that are known, if the settings name one.
    #[must_use]
    pub fn baseline(&self) -> Option<PathBuf> {
        Some(self.root.join(self.settings.baseline.as_ref()?))
    }

    /// What the settings mean for a file.
    #[must_use]
    pub fn options(&self, path: &Path) -> Options {
        let mut options = Options::default();
        let s = &self.settings;
        apply(&mut options, s.platforms.as_deref(), s.pedantic, &s.rules, &self.launches[0]);
        options.sub_group = s.sub_group_size.map(|size| size.0);
        if let Some(path) = self.relative(path) {
            for ((o, paths), launch) in s.overrides.iter().zip(&self.overrides).zip(&self.launches[1..]) {
                if paths.matched_path_or_any_parents(&path, false).is_ignore() {
                    apply(&mut options, o.platforms.as_deref(), o.pedantic, &o.rules, launch);
                }
            }
        }
        options
    }

    /// A path relative to the folder of the patterns; nothing if it lies elsewhere.
    fn relative(&self, path: &Path) -> Option<PathBuf> {
        let path = find::absolute(path);
        let relative = path.strip_prefix(&self.root).ok()?;
        (!relative.as_os_str().is_empty()).then(|| relative.to_owned())
    }
}

/// What settings say of launches; files are relative to `root`.
fn facts(launch: &LaunchSettings, root: &Path) -> Result<LaunchFacts, ConfigError> {
    Ok(LaunchFacts {
        local_size: launch.local_size.map(|size| size.0),
        slm_bytes: launch.slm_size,
        kernels: match &launch.ze_info {
            Some(file) => Arc::new(ze_info::read(&root.join(file))?),
            None => Arc::default(),
        },
    })
}

/// Sets what is said; later words win over earlier ones.
fn apply(
    options: &mut Options,
    platforms: Option<&[PlatformName]>,
    pedantic: Option<bool>,
    rules: &settings::Rules,
    launch: &LaunchFacts,
) {
    if let Some(platforms) = platforms {
        let set: PlatformSet = platforms.iter().map(|p| p.0).collect();
        options.platforms = (!set.is_empty()).then_some(set);
    }
    if let Some(pedantic) = pedantic {
        options.pedantic = pedantic;
    }
    options.levels.extend(rules.iter().map(|(rule, level)| (rule.0.name, level.level())));
    options.launch.take(launch);
}
