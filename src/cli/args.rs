//! The arguments.

use crate::base::rule::{Level, Rule};
use crate::checks;
use crate::spec::{Platform, PlatformSet};
use clap::{ArgMatches, Args, CommandFactory, FromArgMatches, Parser, ValueEnum};
use std::path::PathBuf;

/// Checks Intel vISA text: says what is wrong, where, why, and what to write instead.
#[derive(Parser, Debug)]
#[command(name = "visa-lint", version, about, long_about = None, max_term_width = 100)]
#[command(after_help = "Exit status: 0 no errors, 1 errors were found, 2 usage or input that cannot be read, 3 a fault of the program.")]
#[command(args_conflicts_with_subcommands = true)]
pub struct Arguments {
    /// Something else than checking.
    #[command(subcommand)]
    pub command: Option<Subcommand>,

    /// What to check.
    #[command(flatten)]
    pub check: CheckArguments,
}

/// Something else than checking.
#[derive(clap::Subcommand, Debug)]
pub enum Subcommand {
    /// Explain a rule or an instruction; without a name, list them
    Explain {
        /// Name of a rule or mnemonic of an instruction
        name: Option<String>,
    },
    /// Serve an editor on standard input and output (language server protocol)
    Lsp {
        /// Accepted because some editors add it; there is no other way to talk
        #[arg(long, hide = true)]
        stdio: bool,
    },
}

/// The arguments of a check.
#[derive(Args, Debug)]
pub struct CheckArguments {
    /// Files and folders; `-` is standard input
    #[arg(value_name = "PATH", default_value = ".")]
    pub paths: Vec<PathBuf>,

    /// Platforms that the program has to be right for: DG2, PVC, XE2, ...
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = platform)]
    pub platform: Vec<Platform>,

    /// How findings are printed
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,

    /// Report also what breaks only the wording of the manual
    #[arg(long)]
    pub pedantic: bool,

    /// Do not report a rule
    #[arg(short = 'A', long = "allow", value_name = "RULE", value_parser = rule)]
    pub allow: Vec<&'static Rule>,

    /// Report a rule as a warning
    #[arg(short = 'W', long = "warn", value_name = "RULE", value_parser = rule)]
    pub warn: Vec<&'static Rule>,

    /// Report a rule as an error
    #[arg(short = 'D', long = "deny", value_name = "RULE", value_parser = rule)]
    pub deny: Vec<&'static Rule>,

    /// Let warnings, too, lead to exit status 1
    #[arg(long)]
    pub deny_warnings: bool,

    /// Apply the fixes that are certain, and report what is left
    #[arg(long)]
    pub fix: bool,

    /// Show what `--fix` would change, and change nothing
    #[arg(long, conflicts_with = "fix")]
    pub diff: bool,

    /// Print only findings, no summary
    #[arg(short, long)]
    pub quiet: bool,

    /// When to use colours
    #[arg(long, value_enum, default_value_t = Color::Auto)]
    pub color: Color,

    /// Path to report for standard input
    #[arg(long, value_name = "PATH")]
    pub stdin_filename: Option<String>,
}

/// How findings are printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Format {
    /// With the lines of the text
    Text,
    /// One line each
    Short,
    /// One JSON object each
    Json,
}

/// When to use colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Color {
    /// On a terminal that can, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

fn platform(name: &str) -> Result<Platform, String> {
    Platform::from_name(name).ok_or_else(|| {
        let all: Vec<&str> = Platform::all().map(Platform::name).collect();
        let similar = crate::program::lower::closest(&name.to_ascii_uppercase(), all.iter().copied());
        match similar {
            Some(similar) => format!("no such platform; did you mean `{similar}`?"),
            None => format!("no such platform; they are {}, and the names of devices such as bmg", all.join(", ")),
        }
    })
}

fn rule(name: &str) -> Result<&'static Rule, String> {
    checks::rule(name).ok_or_else(|| match crate::program::lower::closest(name, checks::RULES.iter().map(|r| r.name)) {
        Some(similar) => format!("no such rule; did you mean `{similar}`?"),
        None => "no such rule; `visa-lint explain` lists them".to_owned(),
    })
}

impl Arguments {
    /// Reads the arguments of the process; prints and exits where clap does.
    ///
    /// # Errors
    /// What clap has to say, if the arguments cannot be read.
    pub fn read(arguments: impl IntoIterator<Item = std::ffi::OsString>) -> Result<(Self, ArgMatches), clap::Error> {
        let matches = Self::command().try_get_matches_from(arguments)?;
        let read = Self::from_arg_matches(&matches)?;
        Ok((read, matches))
    }
}

impl CheckArguments {
    /// The platforms that were named.
    #[must_use]
    pub fn platforms(&self) -> Option<PlatformSet> {
        (!self.platform.is_empty()).then(|| self.platform.iter().copied().collect())
    }

    /// The levels that were given to rules, in the order of the command line: later ones win.
    #[must_use]
    pub fn levels(&self, matches: &ArgMatches) -> Vec<(&'static Rule, Level)> {
        let mut all: Vec<(usize, &'static Rule, Level)> = Vec::new();
        for (name, rules, level) in
            [("allow", &self.allow, Level::Off), ("warn", &self.warn, Level::Warning), ("deny", &self.deny, Level::Error)]
        {
            let places = matches.indices_of(name).into_iter().flatten();
            all.extend(places.zip(rules).map(|(place, rule)| (place, *rule, level)));
        }
        all.sort_by_key(|(place, _, _)| *place);
        all.into_iter().map(|(_, rule, level)| (rule, level)).collect()
    }
}
