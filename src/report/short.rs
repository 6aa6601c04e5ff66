//! One line per finding: `path:line:column: level[rule]: message`.

use super::FileFindings;
use crate::base::diagnostic::Diagnostic;
use crate::base::printable;
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
    let name = printable::line(&source.name);
    // A line that begins with `::` is a command to the services that show a log, and no finding.
    let front = if name.starts_with("::") { "./" } else { "" };
    // Writing into a string does not fail.
    let _ = writeln!(out, "{front}{name}:{line}:{column}: {}[{}]: {}", d.level.word(), d.rule.name, d.message);
}
