//! The language server: a synchronous loop over messages, and answers made from what checks and tables say.
//!
//! This is the only place that knows the protocol and how it counts columns.

pub mod ask;
pub mod background;
pub mod capabilities;
pub mod diagnostics;
pub mod directives;
pub mod document;
pub mod drawing;
pub mod footprint;
pub mod immediate;
pub mod line;
pub mod names;
pub mod reader;
pub mod requests;
pub mod server;
pub mod settings;
pub mod site;
pub mod template;
pub mod text;
pub mod uri;

pub use background::SlowCheck;
pub use server::{End, serve};

use crate::base::diagnostic::Diagnostic;
use crate::checks::{self, Options};
use document::Analysis;
use lsp_server::Connection;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The checks that are too slow for every keystroke.
pub const SLOW_CHECKS: &[SlowCheck] = &[execution];

/// Abstract execution, and what is only known after it: the findings of a full check that the fast checks did not make.
fn execution(analysis: &Analysis, options: &Options, cancelled: &Arc<AtomicBool>) -> Vec<Diagnostic> {
    let options = Options { cancelled: Some(Arc::clone(cancelled)), ..options.clone() };
    let mut all = checks::check_program(analysis.text.as_str(), &analysis.program, &options);
    // Both lists are in the order of the text.
    let mut known = analysis.findings.iter().peekable();
    all.retain(|d| {
        while known.peek().is_some_and(|k| (k.primary.span, k.rule.name) < (d.primary.span, d.rule.name)) {
            known.next();
        }
        known.peek() != Some(&d)
    });
    all
}

/// Serves the client on standard input and output.
///
/// # Errors
/// If the client does not speak the protocol, in words.
pub fn run() -> Result<End, String> {
    let (connection, threads) = Connection::stdio();
    let end = serve(&connection, SLOW_CHECKS);
    // The threads end when nobody sends any more.
    drop(connection);
    let end = match end {
        Ok(end) => end,
        Err(error) if error.channel_is_disconnected() => {
            let nobody = || "standard input ended before a client said anything".to_owned();
            return Err(threads.join().err().map_or_else(nobody, |error| error.to_string()));
        }
        Err(error) => return Err(error.to_string()),
    };
    // A client that leaves without a word may have closed its end of the pipe already.
    match (threads.join(), end) {
        (Err(error), End::Orderly) => Err(error.to_string()),
        _ => Ok(end),
    }
}
