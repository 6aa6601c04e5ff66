//! GitHub's workflow commands: `::error file=a.visaasm,line=1,col=2::message`, which it shows beside the lines.

use super::{Failure, FileFindings};
use crate::base::printable;
use crate::base::rule::Level;
use std::fmt::Write as _;

/// Appends the findings of a file.
pub fn write(file: &FileFindings, out: &mut String) {
    let path = property(&super::portable(&file.source.name));
    for finding in &file.findings {
        let d = &finding.diagnostic;
        let command = match d.level {
            Level::Error => "error",
            Level::Warning => "warning",
            Level::Pedantic | Level::Off => "notice",
        };
        let (line, column) = file.source.position(d.primary.span.start);
        let (end_line, end_column) = file.source.position(d.primary.span.end.max(d.primary.span.start));
        let _ = write!(out, "::{command} file={path},line={line},endLine={end_line},col={column}");
        // A command with columns that lies on several lines is refused.
        if end_line == line {
            let _ = write!(out, ",endColumn={end_column}");
        }
        let _ = writeln!(out, ",title={}::{}", property(d.rule.name), data(&d.full_text()));
    }
}

/// Appends what could not be checked.
pub fn tail(failures: &[Failure], out: &mut String) {
    for failure in failures {
        let _ = writeln!(out, "::error file={}::{}", property(&super::portable(&failure.path)), data(&failure.reason));
    }
}

/// The escapes of a message. The ends of lines are escaped; other harmful characters are replaced.
fn data(text: &str) -> String {
    let text = text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    printable::line(&text).into_owned()
}

/// The escapes of a property.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
