//! The code quality report of GitLab: one array of findings.

use super::{FileFindings, fingerprint};
use crate::base::rule::Level;
use serde::Serialize;

#[derive(Serialize)]
struct Row<'a> {
    description: String,
    check_name: &'static str,
    fingerprint: String,
    severity: &'static str,
    location: Location<'a>,
}

#[derive(Serialize)]
struct Location<'a> {
    path: &'a str,
    lines: Lines,
}

#[derive(Serialize)]
struct Lines {
    begin: u32,
    end: u32,
}

/// Appends the opening of the array.
pub fn head(out: &mut String) {
    out.push_str("[\n");
}

/// Appends the findings of a file, with commas between them.
pub fn write(file: &FileFindings, out: &mut String) {
    let path = super::portable(&file.source.name);
    for (i, (finding, fingerprint)) in file.findings.iter().zip(fingerprint::with_path(file)).enumerate() {
        let d = &finding.diagnostic;
        let row = Row {
            description: d.full_text(),
            check_name: d.rule.name,
            fingerprint: format!("{fingerprint:032x}"),
            severity: match d.level {
                Level::Error => "major",
                Level::Warning => "minor",
                Level::Pedantic | Level::Off => "info",
            },
            location: Location {
                path: &path,
                lines: Lines {
                    begin: file.source.position(d.primary.span.start).0,
                    end: file.source.position(d.primary.span.end).0,
                },
            },
        };
        if i > 0 {
            out.push_str(",\n");
        }
        out.push_str(&super::json_text(&row));
    }
}

/// Appends the end of the array.
pub fn tail(out: &mut String) {
    out.push_str("\n]\n");
}
