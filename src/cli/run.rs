//! The program: its arguments, and what each command prints.

use super::args::{Arguments, Subcommand};
use super::{check, settings};
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
        Some(Subcommand::Explain { name }) => return ExitCode::from(explain(name.as_deref())),
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

fn explain(name: Option<&str>) -> u8 {
    match super::explain::explain(name) {
        Ok(page) => {
            // A reader that has gone does not matter.
            let _ = std::io::stdout().write_all(page.as_bytes());
            CLEAN
        }
        Err(message) => unusable(&message),
    }
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
