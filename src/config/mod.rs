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
pub use names::{LevelName, Pattern, PlatformName, Selector, platform, selector, selectors};
pub use settings::{GroupSize, LaunchSettings, Override, Settings, SubGroupSize};

use crate::base::rule::Level;
use crate::checks::{LaunchFacts, Options, RULES};
use crate::spec::PlatformSet;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Where each value comes from, in words: keys as in the file, rules as `rules.NAME`.
pub type Origins = BTreeMap<String, String>;

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
    /// The settings that hold where these say nothing.
    base: Option<Arc<Config>>,
}

/// What one part of the settings says about a file.
struct Layer<'a> {
    platforms: Option<&'a [PlatformName]>,
    pedantic: Option<bool>,
    select: &'a [Selector],
    rules: &'a settings::Rules,
    launch: &'a LaunchFacts,
    launch_keys: &'a LaunchSettings,
    sub_group: Option<SubGroupSize>,
    hosts: Option<bool>,
    /// The file, and which of its overrides, counted from 1.
    origin: (&'a Path, Option<usize>),
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
        let (file, root) = (file.to_owned(), root.to_owned());
        Ok(Self { file, settings, root, exclude, overrides, launches, base: None })
    }

    /// Whether host sources in folders are checked.
    #[must_use]
    pub fn hosts(&self) -> bool {
        self.settings.hosts.unwrap_or_else(|| self.base.as_ref().is_some_and(|base| base.hosts()))
    }

    /// The file with facts about kernels that holds where no override names another.
    #[must_use]
    pub fn ze_info(&self) -> Option<&Path> {
        let own = self.settings.launch.ze_info.as_deref();
        own.or_else(|| self.base.as_ref().and_then(|base| base.ze_info()))
    }

    /// Whether an entry of a folder that is walked is left out. Of folders that are left out, nothing is looked at.
    #[must_use]
    pub fn excludes_entry(&self, path: &Path, is_folder: bool) -> bool {
        self.relative(path).is_some_and(|path| self.exclude.matched(path, is_folder).is_ignore())
            || self.base.as_ref().is_some_and(|base| base.excludes_entry(path, is_folder))
    }

    /// Whether a file, or a folder around it, is left out.
    #[must_use]
    pub fn excludes(&self, path: &Path) -> bool {
        self.relative(path).is_some_and(|path| self.exclude.matched_path_or_any_parents(path, false).is_ignore())
            || self.base.as_ref().is_some_and(|base| base.excludes(path))
    }

    /// The file of findings that are known, if the settings name one.
    #[must_use]
    pub fn baseline(&self) -> Option<PathBuf> {
        let own = self.settings.baseline.as_ref().map(|file| self.root.join(file));
        own.or_else(|| self.base.as_ref().and_then(|base| base.baseline()))
    }

    /// What the settings mean for a file.
    #[must_use]
    pub fn options(&self, path: &Path) -> Options {
        let mut options = Options::default();
        self.each_layer(path, &mut |layer| layer.apply(&mut options));
        options
    }

    /// Which file says what holds for a file.
    #[must_use]
    pub fn origins(&self, path: &Path) -> Origins {
        let mut origins = Origins::new();
        self.each_layer(path, &mut |layer| layer.tell(&mut origins));
        origins
    }

    /// Visits what is said about a file, from what holds in general to what holds in particular.
    fn each_layer(&self, path: &Path, visit: &mut dyn FnMut(&Layer)) {
        if let Some(base) = &self.base {
            base.each_layer(path, visit);
        }
        let s = &self.settings;
        visit(&Layer {
            platforms: s.platforms.as_deref(),
            pedantic: s.pedantic,
            select: &s.select,
            rules: &s.rules,
            launch: &self.launches[0],
            launch_keys: &s.launch,
            sub_group: s.sub_group_size,
            hosts: s.hosts,
            origin: (&self.file, None),
        });
        let Some(path) = self.relative(path) else { return };
        let overrides = s.overrides.iter().zip(&self.overrides).zip(&self.launches[1..]).enumerate();
        for (n, ((o, paths), launch)) in overrides {
            if paths.matched_path_or_any_parents(&path, false).is_ignore() {
                visit(&Layer {
                    platforms: o.platforms.as_deref(),
                    pedantic: o.pedantic,
                    select: &[],
                    rules: &o.rules,
                    launch,
                    launch_keys: &o.launch,
                    sub_group: None,
                    hosts: None,
                    origin: (&self.file, Some(n + 1)),
                });
            }
        }
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
        buffers: launch.buffers.clone(),
        serves_many: !launch.buffers.is_empty(),
        kernels: match &launch.ze_info {
            Some(file) => Arc::new(ze_info::read(&root.join(file))?),
            None => Arc::default(),
        },
    })
}

impl Layer<'_> {
    /// Sets what is said; later words win over earlier ones.
    fn apply(&self, options: &mut Options) {
        if let Some(platforms) = self.platforms {
            let set: PlatformSet = platforms.iter().map(|p| p.0).collect();
            options.platforms = (!set.is_empty()).then_some(set);
        }
        if let Some(pedantic) = self.pedantic {
            options.pedantic = pedantic;
        }
        if let Some(size) = self.sub_group {
            options.sub_group = Some(size.0);
        }
        select(options, self.select);
        for (selector, level) in self.rules {
            options.levels.extend(selector.rules().map(|rule| (rule.name, level.level())));
        }
        options.launch.take(self.launch);
    }

    /// Says where each value comes from.
    fn tell(&self, origins: &mut Origins) {
        let file = crate::base::printable::line(&self.origin.0.display().to_string()).into_owned();
        let origin = match self.origin.1 {
            Some(n) => format!("{file}, override {n}"),
            None => file,
        };
        let keys = [
            ("platforms", self.platforms.is_some()),
            ("pedantic", self.pedantic.is_some() || !self.select.is_empty()),
            ("hosts", self.hosts.is_some()),
            ("sub-group-size", self.sub_group.is_some()),
            ("local-size", self.launch_keys.local_size.is_some()),
            ("slm-size", self.launch_keys.slm_size.is_some()),
            ("buffers", !self.launch_keys.buffers.is_empty()),
            ("ze-info", self.launch_keys.ze_info.is_some()),
        ];
        origins
            .extend(keys.into_iter().filter(|(_, is_said)| *is_said).map(|(key, _)| (key.to_owned(), origin.clone())));
        if !self.select.is_empty() {
            origins.extend(RULES.iter().map(|rule| (format!("rules.{}", rule.name), format!("{origin}, select"))));
        }
        for selector in self.rules.keys() {
            let words = match selector {
                Selector::Rule(_) => origin.clone(),
                _ => format!("{origin}, {}", selector.name()),
            };
            origins.extend(selector.rules().map(|rule| (format!("rules.{}", rule.name), words.clone())));
        }
    }
}

/// Leaves of all rules those that are selected, at each of their levels; does nothing if none is named.
pub fn select(options: &mut Options, selectors: &[Selector]) {
    if selectors.is_empty() {
        return;
    }
    options.pedantic = true;
    let is_selected = |name: &str| selectors.iter().any(|s| s.rules().any(|rule| rule.name == name));
    for rule in RULES {
        if !is_selected(rule.name) {
            options.levels.insert(rule.name, Level::Off);
        } else if rule.level == Level::Off && selectors.contains(&Selector::Rule(rule)) {
            options.levels.insert(rule.name, Level::Warning);
        } else if options.levels.get(rule.name) == Some(&Level::Off) {
            options.levels.remove(rule.name);
        }
    }
}
