//! The words of `visa-lint.toml`: each is looked up while the file is read, so that a wrong one is reported at its place.

use crate::base::rule::{Level, Rule};
use crate::base::spelling::closest;
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
        match closest(&name.to_ascii_uppercase(), all()) {
            Some(similar) => format!("no such platform; did you mean `{similar}`?"),
            None => {
                let all: Vec<&str> = all().collect();
                format!("no such platform; they are {}, and the names of devices such as bmg", all.join(", "))
            }
        }
    })
}

/// The rule of that name.
///
/// # Errors
/// If there is none, in words.
pub fn rule(name: &str) -> Result<&'static Rule, String> {
    checks::rule(name).ok_or_else(|| match closest(name, RULES.iter().map(|r| r.name)) {
        Some(similar) => format!("no such rule; did you mean `{similar}`?"),
        None => "no such rule; `visa-lint explain` lists them".to_owned(),
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

/// A rule by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleName(pub &'static Rule);

impl PartialOrd for RuleName {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for RuleName {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.name.cmp(other.0.name)
    }
}

impl<'de> Deserialize<'de> for RuleName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = Cow::<str>::deserialize(deserializer)?;
        rule(&name).map(Self).map_err(|words| D::Error::custom(format!("`{name}`: {words}")))
    }
}

impl Serialize for RuleName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.name)
    }
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
