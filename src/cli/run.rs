//! The program: its arguments, and what each command prints.

use super::args::{Arguments, ExplainFormat, Subcommand};
use super::status::{CLEAN, FOUND, UNUSABLE};
use super::{check, completions, console, settings, watch};
use crate::base::printable;
use crate::spec::Platform;
use clap::CommandFactory as _;
use std::ffi::OsString;
use std::process::ExitCode;

/// Runs the program with the arguments of the process.
#[must_use]
pub fn main() -> ExitCode {
    ExitCode::from(run(std::env::args_os()))
}

/// Runs the program with arguments, of which the first one is its name; returns the exit status.
#[must_use]
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let (arguments, matches) = match Arguments::read(arguments) {
        Ok(read) => read,
        Err(error) => return say(&error),
    };
    match &arguments.command {
        Some(Subcommand::Explain { html: Some(folder), .. }) => return pages(folder),
        Some(Subcommand::Explain { name, platform, format, .. }) => {
            return explain(name.as_deref(), *platform, *format);
        }
        Some(Subcommand::Stats { file, format, platform }) => return stats(file, *format, *platform),
        Some(Subcommand::Expand { file }) => return expand(file),
        Some(Subcommand::Diff(arguments)) => return super::compare::diff(arguments),
        Some(Subcommand::Merge(arguments)) => return super::merge::merge(arguments),
        Some(Subcommand::Report(arguments)) => return super::trend::report(arguments),
        Some(Subcommand::Completions { shell }) => {
            return console::print(&completions::script(*shell));
        }
        Some(Subcommand::Man) => {
            let mut out = Vec::new();
            return match clap_mangen::Man::new(Arguments::command()).render(&mut out) {
                Ok(()) => console::write(|to| to.write_all(&out)),
                Err(error) => console::refuse(error),
            };
        }
        Some(Subcommand::Lsp { .. }) => return serve(),
        None => {}
    }
    if arguments.check.show_config {
        return settings::show(&arguments.check, &matches);
    }
    let targets = match arguments.check.targets(&matches) {
        Ok(targets) => targets,
        Err(message) => return console::refuse(message),
    };
    if arguments.check.watch {
        return watch::watch(&arguments.check, &matches, &targets);
    }
    check::check(&arguments.check, &matches, &targets)
}

/// Prints what the reader of arguments has to say, which may be the help or the version that was asked for; returns the
/// exit status.
fn say(error: &clap::Error) -> u8 {
    let text = error.render();
    // What was typed is quoted, and a shell may have put names of files there.
    let is_harmless = !text.to_string().contains(|c| printable::is_harmful(c) && c != '\n' && c != '\t');
    if !error.use_stderr() {
        return console::write(|_| error.print());
    }
    if is_harmless {
        let _ = error.print();
    } else {
        console::show(&printable::lines(&text.to_string()));
    }
    UNUSABLE
}

/// Prints what a file is made of.
fn stats(file: &std::path::Path, format: ExplainFormat, platform: Option<Platform>) -> u8 {
    let job = match file.to_str() {
        Some("-") => super::input::Job::Stdin("<stdin>".to_owned()),
        _ => super::input::Job::File(file.to_owned()),
    };
    match super::input::read(&job) {
        Ok(input) => {
            let all = super::stats::stats(&input.source, platform.map_or(32, Platform::grf_bytes));
            console::print(&match format {
                ExplainFormat::Text => super::stats::text(&all),
                ExplainFormat::Json => crate::report::json_text(&all) + "\n",
            })
        }
        Err(error) => console::refuse(error),
    }
}

fn explain(name: Option<&str>, platform: Option<Platform>, format: ExplainFormat) -> u8 {
    match format {
        ExplainFormat::Json => console::print(&super::table::json()),
        ExplainFormat::Text => match super::explain::explain(name, platform) {
            Ok(page) => console::print_page(&page),
            Err(message) => console::refuse(message),
        },
    }
}

/// Writes the documentation as pages.
fn pages(folder: &std::path::Path) -> u8 {
    match super::pages::write(folder) {
        Ok(n) => {
            console::say(format_args!("wrote {n} pages; begin with {}", folder.join("index.html").display()));
            CLEAN
        }
        Err(error) => console::refuse(format_args!(
            "cannot write the pages into `{}`: {}",
            folder.display(),
            super::input::reason(&error)
        )),
    }
}

/// Prints the fragments of a host source.
fn expand(file: &std::path::Path) -> u8 {
    let Some(language) = crate::host::Language::of_path(file) else {
        let endings: Vec<String> = crate::host::ENDINGS.iter().map(|(e, _)| format!(".{e}")).collect();
        return console::refuse(format_args!("`{}` is no host source ({})", file.display(), endings.join(" ")));
    };
    match super::input::read(&super::input::Job::File(file.to_owned())) {
        Ok(input) => {
            let host = crate::host::read(&input.source.text, language, None);
            console::print_raw(
                [&*crate::host::expand::expand(&input.source.name, &input.source.text, &host)].into_iter(),
            )
        }
        Err(error) => console::refuse(error),
    }
}

/// Starts this program anew, as the same process, with an allocator that gives the memory of a closed document back: that
/// of the GNU library keeps it unless the environment says otherwise. If that is not possible, the server runs as it is.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn restart_with_frugal_allocator() {
    use std::os::unix::process::CommandExt as _;
    /// Blocks of more bytes are taken from the system one by one. To name the default keeps it from growing.
    const THRESHOLD: (&str, &str) = ("MALLOC_MMAP_THRESHOLD_", "131072");
    let mut arguments = std::env::args_os();
    if std::env::var_os(THRESHOLD.0).is_none()
        && let (Ok(program), Some(name)) = (std::env::current_exe(), arguments.next())
    {
        let _ = std::process::Command::new(program).arg0(name).args(arguments).env(THRESHOLD.0, THRESHOLD.1).exec();
    }
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn restart_with_frugal_allocator() {}

/// Serves an editor until it leaves; says why if it does so in another way than the protocol wants.
fn serve() -> u8 {
    restart_with_frugal_allocator();
    match crate::lsp::run() {
        Ok(()) => CLEAN,
        Err((end, reason)) => {
            console::say(format_args!("visa-lint: {reason}"));
            // The protocol wants this number if the client leaves without `shutdown`.
            if end == crate::lsp::End::Broken { UNUSABLE } else { FOUND }
        }
    }
}
