//! Reading and checking of texts beside the main loop, so that what is asked while typing is answered at once.

use super::analysis::Analysis;
use super::text::Text;
use crate::checks::Options;
use crate::lower::reread::TextEdit;
use crossbeam_channel::{Receiver, Sender, unbounded};
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// A text to read.
pub struct Job {
    /// The document.
    pub uri: String,
    /// Its revision.
    pub revision: u64,
    /// Its text.
    pub text: Arc<Text>,
    /// What is known of the text before an edit.
    pub before: Option<(Arc<Analysis>, TextEdit)>,
    /// How it is checked.
    pub options: Arc<Options>,
}

/// A text that was read.
pub struct Read {
    /// The document.
    pub uri: String,
    /// Its revision.
    pub revision: u64,
    /// What it says; nothing if that brought a fault of the program itself to light.
    pub analysis: Option<Arc<Analysis>>,
}

/// The thread, and the ways to it.
pub struct Reader {
    jobs: Sender<Job>,
    /// What was read.
    pub done: Receiver<Read>,
}

impl Reader {
    /// Starts the thread. It ends when this is dropped.
    #[must_use]
    pub fn start() -> Self {
        let (jobs, todo) = unbounded();
        let (send, done) = unbounded();
        std::thread::spawn(move || work(&todo, &send));
        Self { jobs, done }
    }

    /// Asks for a text to be read. An earlier text of the same document is left out if its turn has not come yet.
    pub fn ask(&self, job: Job) {
        // The thread only ends together with the server.
        let _ = self.jobs.send(job);
    }
}

fn work(todo: &Receiver<Job>, done: &Sender<Read>) {
    let mut waiting: VecDeque<Job> = VecDeque::new();
    loop {
        if waiting.is_empty() {
            match todo.recv() {
                Ok(job) => waiting.push_back(job),
                Err(_) => return,
            }
        }
        while let Ok(job) = todo.try_recv() {
            waiting.retain(|w| w.uri != job.uri);
            waiting.push_back(job);
        }
        let Some(Job { uri, revision, text, before, options }) = waiting.pop_front() else { continue };
        let analysis = catch_unwind(AssertUnwindSafe(|| Arc::new(Analysis::of_text(text, before, &options)))).ok();
        if done.send(Read { uri, revision, analysis }).is_err() {
            return;
        }
    }
}
