//! What is decided about the lanes of memory messages, for tests and to compare versions with.

use crate::base::source::SourceFile;
use crate::checks::{self, Options};
use crate::lower;
use serde::Serialize;

/// A message as it is printed. Lines count from 1.
#[derive(Serialize)]
struct Row<'a> {
    path: &'a str,
    kernel: &'a str,
    line: u32,
    mnemonic: &'a str,
    /// Bytes of a register.
    grf_bytes: u32,
    verdict: &'static str,
    reason: &'static str,
}

/// One JSON object and line for each message, in the order of the text.
pub(super) fn dump(source: &SourceFile, options: &Options) -> String {
    let program = lower::lower(&source.text);
    let mut out = String::new();
    for (grf_bytes, messages) in checks::messages(&source.text, &program, options) {
        for message in messages {
            let spans = &program.instruction_spans[message.instruction];
            let row = Row {
                path: &source.name,
                kernel: program.kernel_at(spans.statement.start),
                line: source.position(spans.statement.start).0,
                mnemonic: &source.text[spans.mnemonic.range()],
                grf_bytes,
                verdict: message.verdict.word(),
                reason: message.verdict.reason(),
            };
            out += &crate::report::json_text(&row);
            out.push('\n');
        }
    }
    out
}
