//! The program: its arguments, and what each command prints.

use super::args::{Arguments, ExplainFormat, Subcommand};
use super::{check, settings};
use clap::CommandFactory as _;
use std::io::Write as _;
use std::process::ExitCode;

/// Nothing at error level.
pub(super) const CLEAN: u8 = 0;
/// Findings at error level.
pub(super) const FOUND: u8 = 1;
/// Usage, or input that cannot be read.
pub(super) const UNUSABLE: u8 = 2;
/// A fault of the program itself.
pub(super) const BROKEN: u8 = 3;

/// Runs the program with the arguments of the process.
#[must_use]
pub fn main() -> ExitCode {
    let (arguments, matches) = match Arguments::read(std::env::args_os()) {
        Ok(read) => read,
        Err(error) => {
            // `--help` and `--version` come this way, too.
            let status = if error.use_stderr() { UNUSABLE } else { CLEAN };
            let _ = error.print();
            return ExitCode::from(status);
        }
    };
    match &arguments.command {
        Some(Subcommand::Explain { name, format }) => return ExitCode::from(explain(name.as_deref(), *format)),
        Some(Subcommand::Completions { shell }) => {
            let mut out = Vec::new();
            clap_complete::generate(*shell, &mut Arguments::command(), "visa-lint", &mut out);
            return ExitCode::from(print(&out));
        }
        Some(Subcommand::Man) => {
            let mut out = Vec::new();
            return ExitCode::from(match clap_mangen::Man::new(Arguments::command()).render(&mut out) {
                Ok(()) => print(&out),
                Err(error) => unusable(&error.to_string()),
            });
        }
        Some(Subcommand::Lsp { .. }) => return ExitCode::from(serve()),
        None => {}
    }
    if arguments.check.show_config {
        return ExitCode::from(settings::show(&arguments.check, &matches));
    }
    let targets = match arguments.check.targets(&matches) {
        Ok(targets) => targets,
        Err(message) => return ExitCode::from(unusable(&message)),
    };
    ExitCode::from(check::check(&arguments.check, &matches, &targets))
}

/// Says why nothing can be done.
fn unusable(message: &str) -> u8 {
    eprintln!("visa-lint: {message}");
    UNUSABLE
}

fn explain(name: Option<&str>, format: ExplainFormat) -> u8 {
    match format {
        ExplainFormat::Json => print(super::table::json().as_bytes()),
        ExplainFormat::Text => match super::explain::explain(name) {
            Ok(page) => print(page.as_bytes()),
            Err(message) => unusable(&message),
        },
    }
}

fn print(bytes: &[u8]) -> u8 {
    // A reader that has gone does not matter.
    let _ = std::io::stdout().write_all(bytes);
    CLEAN
}

/// Serves an editor until it leaves.
fn serve() -> u8 {
    match crate::lsp::run() {
        Ok(crate::lsp::End::Orderly) => CLEAN,
        // The protocol wants this number if the client left without a word.
        Ok(crate::lsp::End::Abrupt) => FOUND,
        Err(message) => {
            eprintln!("visa-lint: {message}");
            UNUSABLE
        }
    }
}
