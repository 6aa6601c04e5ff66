//! What takes longer than a keystroke may wait for: slow checks, and reading the files of the workspace. One thread does
//! it, so that the main loop always answers.

use super::analysis::Analysis;
use super::requests::workspace_symbol;
use super::text::Encoding;
use crate::base::diagnostic::Diagnostic;
use crate::checks::Options;
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, unbounded};
use gen_lsp_types::SymbolInformation;
use lsp_server::RequestId;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// A check that is too slow for every keystroke. It looks at `cancelled` now and then and gives up when it is set; what it
/// returns then is thrown away.
pub type SlowCheck = fn(analysis: &Analysis, options: &Options, cancelled: &Arc<AtomicBool>) -> Vec<Diagnostic>;

/// How long a text stays unchanged before its slow checks begin.
const PAUSE: Duration = Duration::from_millis(120);

/// Something to do.
pub enum Task {
    /// Run the slow checks.
    Check {
        /// The document.
        uri: String,
        /// Its revision.
        revision: u64,
        /// What is known about it.
        analysis: Arc<Analysis>,
        /// What is wanted.
        options: Arc<Options>,
        /// Set when the document has changed.
        cancelled: Arc<AtomicBool>,
    },
    /// Look for symbols in the files of these folders that are not open.
    Symbols {
        /// The request to answer.
        id: RequestId,
        /// What to look for.
        query: String,
        /// Where.
        folders: Vec<PathBuf>,
        /// The files that are open, and what was found in them.
        open: Vec<PathBuf>,
        /// What was found in open documents.
        found: Vec<SymbolInformation>,
    },
}

/// Something that was done.
pub enum Done {
    /// The findings of the slow checks.
    Checked {
        /// The document.
        uri: String,
        /// The revision that was checked.
        revision: u64,
        /// What was found.
        findings: Vec<Diagnostic>,
    },
    /// The answer to a request for symbols.
    Symbols {
        /// The request.
        id: RequestId,
        /// What was found.
        found: Vec<SymbolInformation>,
    },
}

/// The thread, and the ways to it.
pub struct Background {
    tasks: Sender<Task>,
    /// What was done.
    pub done: Receiver<Done>,
    /// Whether there are slow checks at all.
    pub has_slow_checks: bool,
}

impl Background {
    /// Starts the thread. It ends when this is dropped.
    #[must_use]
    pub fn start(slow: &'static [SlowCheck], encoding: Encoding) -> Self {
        let (tasks, todo) = unbounded();
        let (send, done) = unbounded();
        std::thread::spawn(move || work(&todo, &send, slow, encoding));
        Self { tasks, done, has_slow_checks: !slow.is_empty() }
    }

    /// Asks for something to be done.
    pub fn ask(&self, task: Task) {
        // The thread only ends together with the server.
        let _ = self.tasks.send(task);
    }
}

fn work(todo: &Receiver<Task>, done: &Sender<Done>, slow: &[SlowCheck], encoding: Encoding) {
    let mut index = workspace_symbol::Index::new(encoding);
    // Of each document the newest check, oldest first.
    let mut checks: Vec<Task> = Vec::new();
    loop {
        let task = if checks.is_empty() {
            todo.recv().map_err(|_| RecvTimeoutError::Disconnected)
        } else {
            todo.recv_timeout(PAUSE)
        };
        let result = match task {
            Ok(Task::Symbols { id, query, folders, open, mut found }) => {
                found.extend(index.search(&query, &folders, &open));
                Done::Symbols { id, found }
            }
            Ok(check) => {
                checks.retain(|c| uri_of(c) != uri_of(&check));
                checks.push(check);
                continue;
            }
            Err(RecvTimeoutError::Disconnected) => return,
            Err(RecvTimeoutError::Timeout) => match run(checks.remove(0), slow) {
                Some(result) => result,
                None => continue,
            },
        };
        if done.send(result).is_err() {
            return;
        }
    }
}

fn uri_of(task: &Task) -> Option<&str> {
    match task {
        Task::Check { uri, .. } => Some(uri),
        Task::Symbols { .. } => None,
    }
}

fn run(task: Task, slow: &[SlowCheck]) -> Option<Done> {
    let Task::Check { uri, revision, analysis, options, cancelled } = task else { return None };
    let mut findings = Vec::new();
    for check in slow {
        if cancelled.load(Ordering::Relaxed) {
            return None;
        }
        let run = std::panic::AssertUnwindSafe(|| check(&analysis, &options, &cancelled));
        // A check that fails finds nothing; the panic was printed where the client shows it.
        findings.extend(std::panic::catch_unwind(run).unwrap_or_default());
    }
    (!cancelled.load(Ordering::Relaxed)).then_some(Done::Checked { uri, revision, findings })
}
