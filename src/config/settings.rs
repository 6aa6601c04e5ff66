//! The keys of `visa-lint.toml`. The comments here are the descriptions in the schema.

use super::names::{LevelName, Pattern, PlatformName, Selector};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::path::PathBuf;

/// Levels by rule or group of rules.
pub type Rules = BTreeMap<Selector, LevelName>;

/// Settings of visa-lint. The file applies to all vISA text in its folder and below, down to folders with a file of
/// their own.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
#[schemars(title = "visa-lint.toml")]
pub struct Settings {
    /// Another file of settings, relative to the folder of this one. It holds as if it stood further out: what this file
    /// says wins. Its own patterns are relative to its own folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "PathBuf")]
    pub extend: Option<PathBuf>,

    /// Whether the file of settings of the nearest folder above holds, too, for what this one does not say. Without this
    /// key the nearest file alone holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "bool")]
    pub inherit: Option<bool>,

    /// Platforms that each program has to be right for, such as `["DG2", "PVC"]`. Without this key a program is for one
    /// of the platforms that its own text allows.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<PlatformName>")]
    pub platforms: Option<Vec<PlatformName>>,

    /// Whether to report also what breaks only the wording of the manual.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "bool")]
    pub pedantic: Option<bool>,

    /// Whether host sources in folders are checked, too, for the vISA in their asm statements: C, C++, OpenCL C, LLVM IR,
    /// MLIR, Python. Files that are named are always checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "bool")]
    pub hosts: Option<bool>,

    /// Lanes of a sub-group for asm statements of host sources that do not say it: 8, 16 or 32.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "SubGroupSize")]
    pub sub_group_size: Option<SubGroupSize>,

    /// Files and folders that are left out when a folder is checked, as patterns in the manner of `.gitignore`, relative
    /// to the folder of this file. Files that are named on the command line are checked nevertheless, unless
    /// `--force-exclude` is given.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub exclude: Vec<Pattern>,

    /// A file of findings that are known and not reported, relative to the folder of this file. `visa-lint
    /// --write-baseline FILE` writes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "PathBuf")]
    pub baseline: Option<PathBuf>,

    /// The only rules to report, such as `["memory", "undefined-register"]`: rules and groups of rules, which are
    /// `syntax`, `declarations`, `operands`, `memory`, `flow`, `execution`, `portability`, `style` and `hosts`. They are
    /// reported at each of their levels, as with `--pedantic`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub select: Vec<Selector>,

    /// The levels of rules, such as `misaligned-operand = "off"`, or of the groups of rules: `style = "off"`. What names
    /// fewer rules wins, so that `all = "off"` and `memory = "error"` leave one group. `visa-lint explain` lists rules and
    /// groups.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[schemars(schema_with = "super::names::rules_schema")]
    pub rules: Rules,

    /// What is known of launches: the size of a group, and its shared local memory.
    #[serde(default, skip_serializing_if = "LaunchSettings::is_empty")]
    pub launch: LaunchSettings,

    /// Other settings for some files. Of several that apply, later ones win.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub overrides: Vec<Override>,
}

/// Other settings for some files.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Override {
    /// The files and folders, as patterns in the manner of `.gitignore`, relative to the folder of this file.
    pub paths: Vec<Pattern>,

    /// Platforms that these programs have to be right for, instead of the ones above. An empty list leaves the choice
    /// to the text of each program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<PlatformName>")]
    pub platforms: Option<Vec<PlatformName>>,

    /// Whether to report also what breaks only the wording of the manual.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "bool")]
    pub pedantic: Option<bool>,

    /// The levels of rules, in addition to the ones above.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[schemars(schema_with = "super::names::rules_schema")]
    pub rules: Rules,

    /// What is known of launches of these kernels, where it differs from what stands above.
    #[serde(default, skip_serializing_if = "LaunchSettings::is_empty")]
    pub launch: LaunchSettings,
}

/// Lanes of a sub-group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(try_from = "u32", into = "u32")]
#[schemars(with = "u32")]
pub struct SubGroupSize(#[schemars(extend("enum" = [8, 16, 32]))] pub u32);

impl TryFrom<u32> for SubGroupSize {
    type Error = &'static str;

    fn try_from(lanes: u32) -> Result<Self, Self::Error> {
        if matches!(lanes, 8 | 16 | 32) { Ok(Self(lanes)) } else { Err("a sub-group has 8, 16 or 32 lanes") }
    }
}

impl From<SubGroupSize> for u32 {
    fn from(size: SubGroupSize) -> Self {
        size.0
    }
}

/// The size of a group in work-items, at least one in each dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(try_from = "Vec<NonZeroU32>")]
pub struct GroupSize(pub [u32; 3]);

impl TryFrom<Vec<NonZeroU32>> for GroupSize {
    type Error = &'static str;

    fn try_from(dimensions: Vec<NonZeroU32>) -> Result<Self, Self::Error> {
        if !(1..=3).contains(&dimensions.len()) {
            return Err("a group has one to three dimensions");
        }
        let mut size = [1; 3];
        for (place, n) in size.iter_mut().zip(dimensions) {
            *place = n.get();
        }
        Ok(Self(size))
    }
}

/// What is known of launches.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct LaunchSettings {
    /// The size of a group in work-items: of one to three dimensions, such as `[64]` or `[16, 16]`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<u32>", length(min = 1, max = 3), inner(range(min = 1)))]
    pub local_size: Option<GroupSize>,

    /// Bytes of shared local memory that a group has.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64")]
    pub slm_size: Option<u64>,

    /// Bytes of buffers: by the name of an argument (`out`, or `arg0` for the first one), of the variable of a pointer, or
    /// of a surface (`bti0`).
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub buffers: BTreeMap<String, u64>,

    /// A file with what the compiler says of kernels (`.ze_info`, YAML), relative to the folder of this file.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "PathBuf")]
    pub ze_info: Option<PathBuf>,
}

impl LaunchSettings {
    fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
