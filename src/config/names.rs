//! The words of `visa-lint.toml`: each is looked up while the file is read, so that a wrong one is reported at its place.

use crate::base::rule::{Level, Rule};
use crate::base::spelling::closest;
use crate::checks::group::Group;
use crate::checks::{self, RULES};
use crate::spec::Platform;
use ignore::gitignore::GitignoreBuilder;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;

/// The platform of that name.
///
/// # Errors
/// If there is none, in words.
pub fn platform(name: &str) -> Result<Platform, String> {
    Platform::from_name(name).ok_or_else(|| {
        let all = || Platform::all().map(Platform::name);
        if let Some(similar) = closest(&name.to_ascii_uppercase(), all()) {
            format!("no such platform; did you mean `{similar}`?")
        } else {
            let all: Vec<&str> = all().collect();
            format!("no such platform; they are {}, and the names of devices such as bmg", all.join(", "))
        }
    })
}

/// A platform by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlatformName(pub Platform);

impl<'de> Deserialize<'de> for PlatformName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = Cow::<str>::deserialize(deserializer)?;
        platform(&name).map(Self).map_err(|words| D::Error::custom(format!("`{name}`: {words}")))
    }
}

impl Serialize for PlatformName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.name())
    }
}

impl JsonSchema for PlatformName {
    fn schema_name() -> Cow<'static, str> {
        "Platform".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let names: Vec<&str> = Platform::all().map(Platform::name).collect();
        json_schema!({
            "description": "A platform of the reference, or the name of a device such as `bmg`.",
            "anyOf": [{ "enum": names }, { "type": "string" }]
        })
    }
}

/// Rules by name: all, those of a group, or one. The order is that in which levels are set: what names fewer rules wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selector {
    /// All rules.
    All,
    /// Those of a group.
    Group(Group),
    /// One.
    Rule(&'static Rule),
}

impl Selector {
    /// What is typed for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Group(group) => group.name(),
            Self::Rule(rule) => rule.name,
        }
    }

    /// The rules that it stands for.
    pub fn rules(self) -> impl Iterator<Item = &'static Rule> {
        RULES.iter().copied().filter(move |rule| match self {
            Self::All => true,
            Self::Group(group) => Group::of(rule) == group,
            Self::Rule(one) => *rule == one,
        })
    }

    const fn breadth(self) -> u8 {
        match self {
            Self::All => 0,
            Self::Group(_) => 1,
            Self::Rule(_) => 2,
        }
    }
}

/// The rules of that name: `all`, a group, or a rule.
///
/// # Errors
/// If there are none, in words.
pub fn selector(name: &str) -> Result<Selector, String> {
    if name == "all" {
        return Ok(Selector::All);
    }
    if let Some(group) = Group::from_name(name) {
        return Ok(Selector::Group(group));
    }
    checks::rule(name).map(Selector::Rule).ok_or_else(|| {
        let groups = Group::ALL.iter().map(|g| g.name()).chain(["all"]);
        match closest(name, RULES.iter().map(|r| r.name).chain(groups)) {
            Some(similar) => format!("no such rule; did you mean `{similar}`?"),
            None => "no such rule or group of rules; `visa-lint explain` lists them".to_owned(),
        }
    })
}

impl PartialOrd for Selector {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Selector {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.breadth(), self.name()).cmp(&(other.breadth(), other.name()))
    }
}

impl<'de> Deserialize<'de> for Selector {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = Cow::<str>::deserialize(deserializer)?;
        selector(&name).map_err(|words| D::Error::custom(format!("`{name}`: {words}")))
    }
}

impl Serialize for Selector {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl JsonSchema for Selector {
    fn schema_name() -> Cow<'static, str> {
        "Selector".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let names: Vec<&str> = selectors().map(Selector::name).collect();
        json_schema!({ "description": "A rule, a group of rules, or `all`.", "enum": names })
    }
}

/// Everything that names rules.
pub fn selectors() -> impl Iterator<Item = Selector> {
    let groups = Group::ALL.into_iter().map(Selector::Group);
    std::iter::once(Selector::All).chain(groups).chain(RULES.iter().map(|rule| Selector::Rule(rule)))
}

/// The level of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "Level")]
pub enum LevelName {
    /// Not reported.
    #[serde(alias = "allow")]
    Off,
    /// Reported with `--pedantic`.
    Pedantic,
    /// Reported as a warning.
    #[serde(alias = "warn")]
    Warning,
    /// Reported as an error.
    #[serde(alias = "deny")]
    Error,
}

impl LevelName {
    /// The level itself.
    #[must_use]
    pub const fn level(self) -> Level {
        match self {
            Self::Off => Level::Off,
            Self::Pedantic => Level::Pedantic,
            Self::Warning => Level::Warning,
            Self::Error => Level::Error,
        }
    }

    /// The name of a level.
    #[must_use]
    pub const fn of(level: Level) -> Self {
        match level {
            Level::Off => Self::Off,
            Level::Pedantic => Self::Pedantic,
            Level::Warning => Self::Warning,
            Level::Error => Self::Error,
        }
    }
}

/// The schema of a table of rules: every rule by name, with its summary.
pub(super) fn rules_schema(generator: &mut SchemaGenerator) -> Schema {
    let level = generator.subschema_for::<LevelName>();
    let mut properties = serde_json::Map::new();
    let mut all = level.clone();
    all.insert("description".into(), "All rules.".into());
    properties.insert("all".to_owned(), all.into());
    for group in Group::ALL {
        let mut schema = level.clone();
        schema.insert("description".into(), format!("The rules about {}.", group.summary()).into());
        properties.insert(group.name().to_owned(), schema.into());
    }
    for rule in RULES {
        let mut schema = level.clone();
        schema.insert("description".into(), format!("{} Default level: {}.", rule.summary(), rule.level.word()).into());
        properties.insert(rule.name.to_owned(), schema.into());
    }
    json_schema!({ "type": "object", "additionalProperties": false, "properties": properties })
}

/// A pattern in the manner of `.gitignore`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Pattern(pub String);

impl<'de> Deserialize<'de> for Pattern {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let pattern = String::deserialize(deserializer)?;
        let mut builder = GitignoreBuilder::new("");
        match builder.add_line(None, &pattern) {
            Ok(_) => Ok(Self(pattern)),
            Err(ignore::Error::Glob { err, .. }) => Err(D::Error::custom(format!("`{pattern}` is no pattern: {err}"))),
            Err(error) => Err(D::Error::custom(format!("`{pattern}` is no pattern: {error}"))),
        }
    }
}
