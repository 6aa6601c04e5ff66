//! The language server: a synchronous loop over messages, and answers made from what checks and tables say.
//!
//! This is the only place that knows the protocol and how it counts columns.

pub mod analysis;
pub mod ask;
pub mod background;
pub mod callables;
pub mod capabilities;
pub mod client;
pub mod diagnostics;
pub mod directives;
pub mod document;
pub mod host;
pub mod immediate;
pub mod line;
pub mod names;
pub mod reader;
pub mod requests;
pub mod server;
pub mod settings;
pub mod site;
mod sources;
pub mod template;
pub mod text;
pub mod touched;
pub mod transport;
pub mod uri;

pub use background::SlowCheck;
pub use server::{End, serve};

use crate::base::diagnostic::Diagnostic;
use crate::checks::{self, Options};
use analysis::Analysis;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The checks that are too slow for every keystroke.
pub const SLOW_CHECKS: &[SlowCheck] = &[execution];

/// Abstract execution, and what is only known after it: the findings of a full check that the fast checks did not make.
fn execution(analysis: &Analysis, options: &Options, cancelled: &Arc<AtomicBool>) -> Vec<Diagnostic> {
    let options = Options { cancelled: Some(Arc::clone(cancelled)), ..options.clone() };
    let text = analysis.text.as_str();
    let mut all = match options.host {
        Some(language) => {
            let host = crate::host::read(text, language, options.sub_group);
            checks::fragment::check_host(text, &host, &options, None).diagnostics
        }
        None => checks::check_program(text, &analysis.program, &options),
    };
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
/// If the client does not speak the protocol, or leaves without `shutdown`: how the server ended, and why in words.
pub fn run() -> Result<(), (End, String)> {
    let (connection, input, output) = transport::stdio();
    let end = serve(&connection, SLOW_CHECKS);
    // The writer ends when no message can come any more; the reader may still wait for input.
    drop(connection);
    match end {
        End::Orderly => output.join().map_err(|reason| (End::Broken, reason)),
        End::Exited => Err((end, "the client sent `exit` without `shutdown`".to_owned())),
        End::Deaf => {
            let reason = output.join().err();
            Err((end, reason.unwrap_or_else(|| "standard output cannot be written".to_owned())))
        }
        End::Absent | End::Silent | End::Broken => Err(match (input.join(), end) {
            (Err(reason), _) => (End::Broken, reason),
            (Ok(()), End::Absent) => (End::Broken, "standard input ended before a client said anything".to_owned()),
            (Ok(()), _) => (end, "standard input ended without `shutdown`".to_owned()),
        }),
    }
}
