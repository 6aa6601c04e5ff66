//! What the client configures.

use super::uri;
use crate::base::rule::Level;
use crate::base::spelling::closest;
use crate::checks::{self, Options};
use crate::config::{Configs, FILE_NAME, Known, Source};
use crate::host::Language;
use crate::spec::{Platform, PlatformSet};
use rustc_hash::FxHashMap;
use serde_json::Value;
use std::sync::Arc;

/// The section of the client's configuration.
pub const SECTION: &str = "visa-lint";

/// The keys of the section that mean something to the server.
pub const KEYS: [&str; 7] = ["platforms", "pedantic", "levels", "hosts", "maxFindings", "inlayHints", "pages"];

/// The keys that only the clients' own parts read.
const CLIENT_KEYS: [&str; 4] = ["path", "arguments", "enable", "trace"];

/// Findings of one file that are sent at most, unless the client says otherwise.
const MAX_FINDINGS: usize = 500;

/// What holds for one document.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// Platforms, levels and strictness.
    pub options: Arc<Options>,
    /// Whether nothing is to be reported.
    pub is_excluded: bool,
    /// What is known and not reported, and the path of the document there.
    pub known: Option<(Arc<Known>, String)>,
}

/// What is configured.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The platforms that the client names; they win over those of the file of settings.
    pub platforms: Option<PlatformSet>,
    /// Whether pedantic findings are wanted, if the client says so.
    pub pedantic: Option<bool>,
    /// The levels that the client gives to rules; they win over those of the file of settings.
    pub levels: FxHashMap<&'static str, Level>,
    /// Whether host sources are checked, for the vISA in their asm statements.
    pub hosts: bool,
    /// Findings of one file that are sent at most.
    pub max_findings: usize,
    /// Whether raw operands are followed by their type.
    pub inlay_hints: bool,
    /// Where the pages of `visa-lint explain --html` stand, if links are not to lead to the manual.
    pub pages: Option<String>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            platforms: None,
            pedantic: None,
            levels: FxHashMap::default(),
            hosts: false,
            max_findings: MAX_FINDINGS,
            inlay_hints: true,
            pages: None,
        }
    }
}

impl Settings {
    /// Reads a section: the object itself, or one that holds it under its name. What cannot be understood is left at its
    /// default and described in the second result.
    #[must_use]
    pub fn read(value: &Value) -> (Self, Vec<String>) {
        let mut settings = Self::default();
        let mut problems = Vec::new();
        let section = value.get(SECTION).unwrap_or(value);
        let Some(section) = members(section) else {
            if !section.is_null() {
                problems.push(format!("the configuration `{SECTION}` has to be an object"));
            }
            return (settings, problems);
        };
        for (key, value) in section {
            if value.is_null() {
                continue;
            }
            let fault = match key.as_str() {
                "platforms" => platforms(value, &mut settings, &mut problems),
                "pedantic" => value.as_bool().map(|b| settings.pedantic = Some(b)).ok_or("has to be true or false"),
                "levels" => levels(value, &mut settings, &mut problems),
                "hosts" => value.as_bool().map(|b| settings.hosts = b).ok_or("has to be true or false"),
                "maxFindings" => value.as_u64().map(|n| settings.max_findings = n as usize).ok_or("has to be a number"),
                "inlayHints" => value.as_bool().map(|b| settings.inlay_hints = b).ok_or("has to be true or false"),
                "pages" => match value.as_str() {
                    Some(pages) => {
                        settings.pages = Some(pages.to_owned()).filter(|pages| !pages.is_empty());
                        Ok(())
                    }
                    None => Err("has to be an address"),
                },
                key if CLIENT_KEYS.iter().any(|k| key.split('.').next() == Some(k)) => Ok(()),
                key => {
                    problems.push(match closest(key, KEYS.into_iter()) {
                        Some(similar) => format!("`{SECTION}.{key}` does not exist; did you mean `{similar}`?"),
                        None => format!("`{SECTION}.{key}` does not exist; the keys are {}", KEYS.join(", ")),
                    });
                    Ok(())
                }
            };
            if let Err(fault) = fault {
                problems.push(format!("`{SECTION}.{key}` {fault}"));
            }
        }
        (settings, problems)
    }

    /// What holds for a document: what the nearest `visa-lint.toml` says, and over it what the client says. The second
    /// result tells what is wrong with that file.
    #[must_use]
    pub fn rules(&self, uri: &str) -> (Rules, Option<String>) {
        let mut rules = Rules::default();
        let mut options = Options::default();
        let mut problem = None;
        let mut hosts = self.hosts;
        let mut host = None;
        if let Some(path) = uri::to_path(uri) {
            host = Language::of_path(&path);
            // Files are read anew each time: this happens when a document is opened and when settings change.
            match Configs::new(&Source::Folders).and_then(|configs| configs.of(&path)) {
                Ok(Some(config)) => {
                    options = config.options(&path);
                    rules.is_excluded = config.excludes(&path);
                    match config.baseline().map(|file| Known::read(&file)).transpose() {
                        Ok(known) => {
                            rules.known = known
                                .map(|known| (Known::path_in(&known.folder, &path), known))
                                .map(|(path, known)| (Arc::new(known), path));
                        }
                        Err(error) => problem = Some(format!("the baseline cannot be used: {error}")),
                    }
                    hosts |= config.hosts();
                }
                Ok(None) => {}
                Err(error) => problem = Some(format!("`{FILE_NAME}` cannot be used: {error}")),
            }
        }
        options.host = host;
        rules.is_excluded |= host.is_some() && !hosts;
        options.platforms = self.platforms.or(options.platforms);
        options.pedantic = self.pedantic.unwrap_or(options.pedantic);
        options.levels.extend(&self.levels);
        rules.options = Arc::new(options);
        (rules, problem)
    }
}

/// The members of an object. An empty list is an object without any: Lua, the language of Neovim's configuration, writes
/// both in the same way.
fn members(value: &Value) -> Option<Vec<(&String, &Value)>> {
    match value {
        Value::Object(members) => Some(members.iter().collect()),
        Value::Array(elements) if elements.is_empty() => Some(Vec::new()),
        _ => None,
    }
}

fn platforms(value: &Value, settings: &mut Settings, problems: &mut Vec<String>) -> Result<(), &'static str> {
    let names: Vec<&str> = match value {
        Value::String(names) => names.split(',').map(str::trim).filter(|n| !n.is_empty()).collect(),
        Value::Array(names) => {
            names.iter().map(Value::as_str).collect::<Option<_>>().ok_or("has to be a list of names")?
        }
        _ => return Err("has to be a list of names"),
    };
    let mut set = PlatformSet::NONE;
    for name in names {
        match Platform::from_name(name) {
            Some(platform) => set = set.or(PlatformSet::one(platform)),
            None => problems.push(match closest(&name.to_ascii_uppercase(), Platform::all().map(Platform::name)) {
                Some(similar) => format!("there is no platform `{name}`; did you mean `{similar}`?"),
                None => format!("there is no platform `{name}`"),
            }),
        }
    }
    settings.platforms = (!set.is_empty()).then_some(set);
    Ok(())
}

fn levels(value: &Value, settings: &mut Settings, problems: &mut Vec<String>) -> Result<(), &'static str> {
    let levels = members(value).ok_or("has to be an object of rules and levels")?;
    for (name, level) in levels {
        let Some(rule) = checks::rule(name) else {
            problems.push(match closest(name, checks::RULES.iter().map(|r| r.name)) {
                Some(similar) => format!("there is no rule `{name}`; did you mean `{similar}`?"),
                None => format!("there is no rule `{name}`"),
            });
            continue;
        };
        let word = level.as_str().unwrap_or("");
        match [Level::Off, Level::Pedantic, Level::Warning, Level::Error].into_iter().find(|l| l.word() == word) {
            Some(level) => {
                settings.levels.insert(rule.name, level);
            }
            None => problems.push(format!("the level of `{name}` has to be `off`, `pedantic`, `warning` or `error`")),
        }
    }
    Ok(())
}
