//! One line per finding: `path:line:column: level[rule]: message`.

use super::FileFindings;
use crate::base::diagnostic::Diagnostic;
use crate::base::source::SourceFile;
use std::fmt::Write as _;

/// Appends the findings of a file.
pub fn write(file: &FileFindings, out: &mut String) {
    for finding in &file.findings {
        write_one(&file.source, &finding.diagnostic, out);
    }
}

/// Appends one finding.
pub fn write_one(source: &SourceFile, d: &Diagnostic, out: &mut String) {
    let (line, column) = source.position(d.primary.span.start);
    // Writing into a string does not fail.
    let _ = writeln!(out, "{}:{line}:{column}: {}[{}]: {}", source.name, d.level.word(), d.rule.name, d.message);
}
