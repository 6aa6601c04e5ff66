//! The arguments of a check.

use crate::base::rule::Level;
use crate::checks::execution::race::WORK_ITEM_RACE;
use crate::checks::{LaunchFacts, Options};
use crate::cli::output::Place;
use crate::cli::values::{PlatformParser, RuleParser, Shard, buffer, local_size, shard};
use crate::config::{self, ConfigError, Selector};
use crate::report::Format;
use crate::spec::Platform;
use clap::builder::PossibleValue;
use clap::{ArgMatches, Args, ValueEnum};
use rustc_hash::FxHashSet;
use std::path::PathBuf;
use std::sync::Arc;

/// The arguments of a check.
#[derive(Args, Debug)]
pub struct CheckArguments {
    /// Files and folders; `-` is standard input
    #[arg(value_name = "PATH", default_value = ".")]
    pub paths: Vec<PathBuf>,

    /// Platforms that the program has to be right for: DG2, PVC, XE2, ...
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = PlatformParser, hide_possible_values = true)]
    pub platform: Vec<Platform>,

    /// Size of a group in work-items, if it is known: 64, or 16,16, or 8,8,4
    #[arg(long, value_name = "X,Y,Z", value_parser = local_size, help_heading = "Facts about the launch")]
    pub local_size: Option<[u32; 3]>,

    /// Bytes of shared local memory that a group has
    #[arg(long, value_name = "BYTES", allow_negative_numbers = true, help_heading = "Facts about the launch")]
    pub slm_size: Option<u64>,

    /// Bytes of a buffer: of an argument (`out=4096`, `arg0=4096`), of a pointer's variable, or of a surface (`bti0=4096`)
    #[arg(long, value_name = "NAME=BYTES", value_parser = buffer, help_heading = "Facts about the launch")]
    pub buffer: Vec<(String, u64)>,

    /// What the compiler says of the kernels: the `.ze_info` of its binary, as YAML
    #[arg(long, value_name = "FILE", help_heading = "Facts about the launch")]
    pub ze_info: Option<PathBuf>,

    /// Look also for data races between the threads of a group, whose size has to be known
    #[arg(long, help_heading = "Facts about the launch")]
    pub races: bool,

    /// Print what is decided about the lanes of each memory message, one JSON object each, instead of findings
    #[arg(long, conflicts_with_all = ["fix", "diff", "format", "output", "statistics"])]
    pub dump_messages: bool,

    /// How findings are written; several, if all but one are followed by `--output` [default: text]
    #[arg(long, value_enum)]
    pub format: Vec<Format>,

    /// Write what the `--format` before it says to a file, instead of standard output
    #[arg(long, short, value_name = "FILE")]
    pub output: Vec<PathBuf>,

    /// Check only a part of the files, for runs beside each other: `1/4` is the first of four parts
    #[arg(long, value_name = "I/N", value_parser = shard)]
    pub shard: Option<Shard>,

    /// Remember in this folder which texts have no findings, and do not check them again
    #[arg(long, value_name = "DIR")]
    pub cache: Option<PathBuf>,

    /// In folders, check also vISA in host sources: C, C++, OpenCL C, LLVM IR, MLIR, Python
    #[arg(long)]
    pub hosts: bool,

    /// Do not report the findings that this file knows
    #[arg(long, value_name = "FILE", help_heading = "Known findings and changes")]
    pub baseline: Option<PathBuf>,

    /// Write all findings to a file of known findings, instead of reporting them
    #[arg(long, value_name = "FILE", help_heading = "Known findings and changes")]
    #[arg(conflicts_with_all = ["baseline", "against", "since", "fix", "diff", "format", "output", "statistics", "dump_messages"])]
    pub write_baseline: Option<PathBuf>,

    /// Take findings that are gone out of the file of known findings
    #[arg(long, help_heading = "Known findings and changes")]
    pub prune_baseline: bool,

    /// Report only what is found on changed lines and in changed kernels, since the branch left this commit
    #[arg(long, value_name = "COMMIT", help_heading = "Known findings and changes")]
    pub since: Option<String>,

    /// Do not report what is found in an older version of the files, too
    #[arg(long, value_name = "FOLDER", conflicts_with = "baseline", help_heading = "Known findings and changes")]
    pub against: Option<PathBuf>,

    /// Report also what breaks only the wording of the manual
    #[arg(long)]
    pub pedantic: bool,

    /// Report only these rules and groups of rules, at each of their levels
    #[arg(long, value_name = "RULE,GROUP", value_delimiter = ',', value_parser = RuleParser, hide_possible_values = true)]
    pub select: Vec<Selector>,

    /// Do not report a rule, the rules of a group, or `all`
    #[arg(short = 'A', long = "allow", value_name = "RULE", value_delimiter = ',', value_parser = RuleParser, hide_possible_values = true)]
    pub allow: Vec<Selector>,

    /// Report a rule, or the rules of a group, as warnings
    #[arg(short = 'W', long = "warn", value_name = "RULE", value_delimiter = ',', value_parser = RuleParser, hide_possible_values = true)]
    pub warn: Vec<Selector>,

    /// Report a rule, or the rules of a group, as errors
    #[arg(short = 'D', long = "deny", value_name = "RULE", value_delimiter = ',', value_parser = RuleParser, hide_possible_values = true)]
    pub deny: Vec<Selector>,

    /// Let warnings, too, lead to exit status 1
    #[arg(long)]
    pub deny_warnings: bool,

    /// Let more warnings than these lead to exit status 1
    #[arg(long, value_name = "N")]
    pub max_warnings: Option<usize>,

    /// Exit with status 0 whatever is found
    #[arg(long, conflicts_with_all = ["deny_warnings", "max_warnings"])]
    pub exit_zero: bool,

    /// Apply the fixes that are certain, and report what is left
    #[arg(long)]
    pub fix: bool,

    /// Show what `--fix` would change, and change nothing
    #[arg(long, conflicts_with_all = ["fix", "format", "output"])]
    pub diff: bool,

    /// Go on: check again whenever a file changes, until Ctrl-C
    #[arg(long, conflicts_with_all = ["fix", "diff", "write_baseline", "prune_baseline", "dump_messages", "statistics", "list_files"])]
    pub watch: bool,

    /// Count the findings of each rule and level, instead of showing them; with `--format json` as one array
    #[arg(long, conflicts_with_all = ["fix", "diff", "output"])]
    pub statistics: bool,

    /// Say at the end how long each part of the work took, which rules it holds, and which texts took longest
    #[arg(long, conflicts_with = "watch")]
    pub timings: bool,

    /// Where the pages of `visa-lint explain --html` stand: names of rules in reports lead there, not to the manual
    #[arg(long, value_name = "URL")]
    pub pages: Option<String>,

    /// Print only findings, no summary
    #[arg(short, long)]
    pub quiet: bool,

    /// When to use colours
    #[arg(long, value_enum, default_value_t = Color::Auto)]
    pub color: Color,

    /// Path to report for standard input
    #[arg(long, value_name = "PATH")]
    pub stdin_filename: Option<String>,

    /// Take settings from this file, instead of the `visa-lint.toml` of each file's folder or the folders above
    #[arg(long, value_name = "FILE", conflicts_with = "no_config")]
    pub config: Option<PathBuf>,

    /// Read no settings
    #[arg(long)]
    pub no_config: bool,

    /// List the files that would be checked, and check nothing
    #[arg(long, conflicts_with_all = ["fix", "diff", "format", "output", "statistics", "dump_messages"])]
    pub list_files: bool,

    /// Show the settings that hold for the paths, and where each comes from, and check nothing
    #[arg(long)]
    pub show_config: bool,

    /// Leave out what the settings exclude even if it is named
    #[arg(long)]
    pub force_exclude: bool,
}

/// When to use colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Color {
    /// On a terminal that can, unless `NO_COLOR` is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl ValueEnum for Format {
    fn value_variants<'a>() -> &'a [Self] {
        &[Self::Text, Self::Short, Self::Json, Self::Sarif, Self::Github, Self::Gitlab, Self::Junit, Self::Html]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let (name, help) = match self {
            Self::Text => ("text", "With the lines of the text"),
            Self::Short => ("short", "One line each"),
            Self::Json => ("json", "One JSON object each"),
            Self::Sarif => ("sarif", "SARIF 2.1.0, for code scanning"),
            Self::Github => ("github", "Annotations of a GitHub workflow"),
            Self::Gitlab => ("gitlab", "Code quality report of GitLab"),
            Self::Junit => ("junit", "JUnit XML"),
            Self::Html => ("html", "One page with filters"),
        };
        Some(PossibleValue::new(name).help(help))
    }
}

/// A report that was asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Target {
    /// Its form.
    pub format: Format,
    /// The file that it goes to; standard output if none is named.
    pub path: Option<PathBuf>,
}

impl CheckArguments {
    /// Where settings come from.
    #[must_use]
    pub fn config_source(&self) -> config::Source {
        match &self.config {
            _ if self.no_config => config::Source::Nothing,
            Some(file) => config::Source::File(file.clone()),
            None => config::Source::Folders,
        }
    }

    /// The reports that were asked for: each `--output` belongs to the `--format` before it, or to text if none stands
    /// before it.
    ///
    /// # Errors
    /// If two reports would go to one place, in words.
    pub fn targets(&self, matches: &ArgMatches) -> Result<Vec<Target>, String> {
        let formats = matches.indices_of("format").into_iter().flatten().zip(&self.format);
        let mut targets: Vec<(usize, Target)> =
            formats.map(|(place, format)| (place, Target { format: *format, path: None })).collect();
        for (place, path) in matches.indices_of("output").into_iter().flatten().zip(&self.output) {
            let before = targets.iter_mut().rev().find(|(other, _)| *other < place);
            match before {
                Some((_, target)) if target.path.is_none() => target.path = Some(path.clone()),
                Some(_) => return Err(format!("`--output {}` follows no `--format` of its own", path.display())),
                None => targets.insert(0, (0, Target { format: Format::Text, path: Some(path.clone()) })),
            }
        }
        let mut targets: Vec<Target> = targets.into_iter().map(|(_, target)| target).collect();
        if targets.is_empty() {
            targets.push(Target { format: Format::Text, path: None });
        }
        if targets.iter().filter(|t| t.path.is_none()).count() > 1 {
            return Err("two formats would be mixed on standard output; give one of them `--output FILE`".to_owned());
        }
        let mut places = FxHashSet::default();
        for path in targets.iter().filter_map(|t| t.path.as_ref()) {
            if !places.insert(Place::of(path)) {
                return Err(format!("two reports would go to `{}`", path.display()));
            }
        }
        Ok(targets)
    }

    /// What the command line says of launches.
    ///
    /// # Errors
    /// If the file that it names cannot be used.
    pub fn launch(&self) -> Result<LaunchFacts, ConfigError> {
        let kernels = self.ze_info.as_deref().map(config::ze_info::read).transpose()?;
        Ok(LaunchFacts {
            local_size: self.local_size,
            slm_bytes: self.slm_size,
            buffers: self.buffer.iter().cloned().collect(),
            serves_many: !self.buffer.is_empty() && !matches!(&*self.paths, [path] if !path.is_dir()),
            kernels: kernels.map(Arc::new).unwrap_or_default(),
        })
    }

    /// Puts what the command line says over what the settings say; `launch` is what it says of launches. Levels are read
    /// from left to right.
    #[must_use]
    pub fn options(&self, matches: &ArgMatches, launch: &LaunchFacts, mut options: Options) -> Options {
        options.launch.take(launch);
        if !self.platform.is_empty() {
            options.platforms = Some(self.platform.iter().copied().collect());
        }
        options.pedantic |= self.pedantic;
        if self.races {
            options.levels.insert(WORK_ITEM_RACE.name, Level::Warning);
        }
        config::select(&mut options, &self.select);
        let mut levels: Vec<(usize, Selector, Level)> = Vec::new();
        for (name, selectors, level) in [
            ("allow", &self.allow, Level::Off),
            ("warn", &self.warn, Level::Warning),
            ("deny", &self.deny, Level::Error),
        ] {
            let places = matches.indices_of(name).into_iter().flatten();
            levels.extend(places.zip(selectors).map(|(place, selector)| (place, *selector, level)));
        }
        levels.sort_by_key(|(place, _, _)| *place);
        for (_, selector, level) in levels {
            options.levels.extend(selector.rules().map(|rule| (rule.name, level)));
        }
        options
    }
}
