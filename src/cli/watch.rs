//! `--watch`: checks again whenever a file changes.

use super::args::{CheckArguments, Target};
use super::cache::Cache;
use super::check::{Session, check_in};
use super::console;
use super::reports::Captured;
use super::status::{CLEAN, UNUSABLE};
use crate::config;
use crate::host::Language;
use clap::ArgMatches;
use notify::{Event, EventKind, RecursiveMode, Watcher as _};
use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::Duration;

/// An editor saves a file in several steps, and a compiler writes many. The check begins when there was no change for so long.
const CALM: Duration = Duration::from_millis(80);

/// Moves to the first line of a terminal, and clears it.
const CLEAR: &str = "\x1b[H\x1b[2J";

/// Checks, and does so again after each change; returns only if that is not possible.
pub(super) fn watch(arguments: &CheckArguments, matches: &ArgMatches, targets: &[Target]) -> u8 {
    if arguments.paths.iter().any(|path| path.as_os_str() == "-") {
        return console::refuse("--watch reads files, and not standard input");
    }
    let (send, changes) = mpsc::channel();
    let outputs: Vec<PathBuf> = targets.iter().filter_map(|t| t.path.as_deref()).map(config::absolute).collect();
    let tell = move |event: notify::Result<Event>| {
        // What cannot be said of a change is no reason not to look.
        if event.is_ok_and(|event| matters(&event, &outputs)) {
            let _ = send.send(());
        }
    };
    let cannot = |error: notify::Error| console::refuse(format_args!("--watch: {error}"));
    let mut watcher = match notify::recommended_watcher(tell) {
        Ok(watcher) => watcher,
        Err(error) => return cannot(error),
    };
    for path in arguments.paths.iter().chain(&arguments.config).chain(&arguments.ze_info) {
        // An editor may replace a file, so its folder is watched.
        let (place, mode) = match path.parent() {
            _ if path.is_dir() => (path.as_path(), RecursiveMode::Recursive),
            Some(folder) if !folder.as_os_str().is_empty() => (folder, RecursiveMode::NonRecursive),
            _ => (Path::new("."), RecursiveMode::NonRecursive),
        };
        if let Err(error) = watcher.watch(place, mode) {
            return cannot(error);
        }
    }
    let cache = match arguments.cache.as_deref().map(Cache::open).transpose() {
        Ok(cache) => cache.unwrap_or_else(Cache::new),
        Err(reason) => return console::refuse(reason),
    };
    let stdout = Captured::default();
    let mut session = Session { cache: Some(cache), stdout: Some(stdout.clone()), summary: None };
    let mut shown = None;
    loop {
        let is_whole = check_in(&mut session, arguments, matches, targets) < UNUSABLE;
        let report = stdout.take();
        // The screen stays as it is while nothing else is found.
        if shown.as_ref() != Some(&report) {
            // Why something cannot be checked has been said and stays.
            let clear = if is_whole && std::io::stdout().is_terminal() { CLEAR } else { "" };
            let status = console::write(|out| {
                out.write_all(clear.as_bytes())?;
                out.write_all(&report)
            });
            if status != CLEAN {
                return status;
            }
            session.summary.take().into_iter().for_each(console::say);
            shown = is_whole.then_some(report);
        }
        if changes.recv().is_err() {
            return UNUSABLE;
        }
        while changes.recv_timeout(CALM).is_ok() {}
    }
}

/// Whether a change can make a difference to what is found.
fn matters(event: &Event, outputs: &[PathBuf]) -> bool {
    let is_read = |path: &PathBuf| {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        let is_input = super::input::is_text(path)
            || Language::of_path(path).is_some()
            || matches!(ending, "toml" | "zeinfo" | "ze_info" | "json" | "" | "tar" | "gz" | "zip");
        is_input && !outputs.contains(&config::absolute(path))
    };
    !matches!(event.kind, EventKind::Access(_)) && event.paths.iter().any(is_read)
}
