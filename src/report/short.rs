//! One line per finding: `path:line:column: level[rule]: message; what its place says; help: what to write`.

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
    write_place(source, d, out);
    out.push_str(&d.sentence());
    if let Some(help) = &d.help {
        out.push_str("; help: ");
        out.push_str(help);
    }
    out.push('\n');
}

/// Appends what stands before the message of a finding: its place, its level and its rule.
pub fn write_place(source: &SourceFile, d: &Diagnostic, out: &mut String) {
    let (line, column) = source.position(d.primary.span.start);
    let name = printable::line(&source.name);
    // A line that begins with `::` is a command to the services that show a log, and no finding.
    let front = if name.starts_with("::") { "./" } else { "" };
    // Writing into a string does not fail.
    let _ = write!(out, "{front}{name}:{line}:{column}: {}[{}]: ", d.level.word(), d.rule.name);
}
