//! The arguments.

mod check;

use super::values::{NameParser, PlatformParser};
use crate::spec::Platform;
use clap::{ArgMatches, Args, CommandFactory, FromArgMatches, Parser, ValueEnum};
use std::path::PathBuf;

pub use check::{CheckArguments, Color, Target};

/// Checks Intel vISA text: says what is wrong, where, why, and what to write instead.
#[derive(Parser, Debug)]
#[command(name = "visa-lint", version, about, long_about = None, max_term_width = 100)]
#[command(
    after_help = "Exit status: 0 no errors, 1 errors were found, 2 usage or input that cannot be read, 3 a fault of the program."
)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Arguments {
    /// Something else than checking.
    #[command(subcommand)]
    pub command: Option<Subcommand>,

    /// What to check.
    #[command(flatten)]
    pub check: CheckArguments,
}

/// How `explain` writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum ExplainFormat {
    /// A page for people
    Text,
    /// The whole table, for other tools
    Json,
}

/// Something else than checking.
#[derive(clap::Subcommand, Debug)]
pub enum Subcommand {
    /// Explain a rule or an instruction; without a name, list them
    Explain {
        /// Name of a rule, a group of rules, an instruction, or a part of mnemonics such as `lsc`
        #[arg(value_parser = NameParser, hide_possible_values = true)]
        name: Option<String>,
        /// The platform for which the example of an instruction is worked out; without it, that of the example
        #[arg(long, value_name = "NAME", value_parser = PlatformParser, hide_possible_values = true)]
        platform: Option<Platform>,
        /// Write all pages for a browser into a folder, with a list that can be searched
        #[arg(long, value_name = "DIR", conflicts_with_all = ["name", "platform", "format"])]
        html: Option<PathBuf>,
        /// How it is written; as JSON it is always the whole table of rules and instructions
        #[arg(long, value_enum, default_value_t = ExplainFormat::Text)]
        format: ExplainFormat,
    },
    /// Print the vISA in a host source as whole kernels, with the operands that the host declares
    Expand {
        /// The host source
        file: PathBuf,
    },
    /// Show what changed between two versions of dumps, and which findings came or went
    Diff(DiffArguments),
    /// Put the reports of several runs together, in JSON or SARIF
    Merge(MergeArguments),
    /// Show which findings come and go between two reports in JSON
    Report(ReportArguments),
    /// Count what each kernel of a file is made of: instructions, messages, loops, variables
    Stats {
        /// The file, or `-` for standard input
        file: PathBuf,
        /// How it is written
        #[arg(long, value_enum, default_value_t = ExplainFormat::Text)]
        format: ExplainFormat,
        /// The platform whose registers count; without it, registers have 32 bytes
        #[arg(long, value_name = "NAME", value_parser = PlatformParser, hide_possible_values = true)]
        platform: Option<Platform>,
    },
    /// Print the completions of a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page
    Man,
    /// Serve an editor on standard input and output (language server protocol)
    Lsp {
        /// Accepted because some editors add it; there is no other way to talk
        #[arg(long, hide = true)]
        stdio: bool,
    },
}

/// The arguments of `diff`.
#[derive(Args, Debug)]
pub struct DiffArguments {
    /// The old version: a file or a folder
    pub old: PathBuf,

    /// The new version
    pub new: PathBuf,

    /// How it is written
    #[arg(long, value_enum, default_value_t = DiffFormat::Text)]
    pub format: DiffFormat,

    /// Write to a file, instead of standard output
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Platforms that the programs have to be right for
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = PlatformParser, hide_possible_values = true)]
    pub platform: Vec<Platform>,
}

/// How `diff` writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum DiffFormat {
    /// The lines that changed
    Text,
    /// One JSON object
    Json,
    /// One page, side by side
    Html,
}

/// The arguments of `merge`.
#[derive(Args, Debug)]
pub struct MergeArguments {
    /// The reports, all in JSON or all in SARIF
    #[arg(required = true)]
    pub reports: Vec<PathBuf>,

    /// Write to a file, instead of standard output
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// The arguments of `report`.
#[derive(Args, Debug)]
pub struct ReportArguments {
    /// The report of the old run
    pub old: PathBuf,

    /// The report of the new run
    pub new: PathBuf,

    /// How it is written
    #[arg(long, value_enum, default_value_t = ReportFormat::Markdown)]
    pub format: ReportFormat,

    /// Write to a file, instead of standard output
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// How `report` writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum ReportFormat {
    /// Markdown
    Markdown,
    /// One page
    Html,
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
