//! Bytes that are not UTF-8.

use super::context::Options;
use crate::base::diagnostic::Diagnostic;
use crate::base::span::Span;

crate::declare_rule! {
    /// A file that holds bytes which are not UTF-8. Comments and strings may hold any bytes; everywhere else vISA text is
    /// ASCII, and such a byte is a syntax error.
    pub INVALID_ENCODING = "invalid-encoding", Pedantic, "4_visa_header"
}

/// Adds the finding that the byte at `offset` is not UTF-8, unless something else was found there.
pub fn add_invalid_byte(offset: u32, options: &Options, diagnostics: &mut Vec<Diagnostic>) {
    if diagnostics.iter().any(|d| d.primary.span.contains(offset)) {
        return;
    }
    if let Some(level) = options.level_of(&INVALID_ENCODING, INVALID_ENCODING.level) {
        let diagnostic = Diagnostic::new(&INVALID_ENCODING, Span::new(offset, offset + 1), "this byte is not UTF-8")
            .level(level)
            .help("save the file as UTF-8");
        let place = diagnostics.partition_point(|d| d.primary.span.start < offset);
        diagnostics.insert(place, diagnostic);
    }
}
