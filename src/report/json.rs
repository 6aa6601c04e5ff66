//! One JSON object per finding and line, as `docs/report.schema.json` describes it.

use super::{FileFindings, fingerprint};
use crate::base::source::SourceFile;
use crate::base::span::Span;
use serde::Serialize;

/// A finding as it is printed. Lines and columns count from 1, columns in characters, offsets in bytes from 0.
#[derive(Serialize)]
struct Row<'a> {
    path: &'a str,
    rule: &'static str,
    level: &'static str,
    message: &'a str,
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
    offset: u32,
    end_offset: u32,
    label: &'a str,
    labels: Vec<LabelRow<'a>>,
    notes: &'a [String],
    help: Option<&'a str>,
    fix: Option<FixRow<'a>>,
    document: &'static str,
    kernel: &'a str,
    platforms: &'a [&'static str],
    given_up: Option<&'static str>,
    fingerprint: String,
}

#[derive(Serialize)]
struct LabelRow<'a> {
    text: &'a str,
    #[serde(flatten)]
    place: Place,
}

#[derive(Serialize)]
struct Place {
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
    offset: u32,
    end_offset: u32,
}

#[derive(Serialize)]
struct FixRow<'a> {
    title: &'a str,
    certain: bool,
    edits: Vec<EditRow<'a>>,
}

#[derive(Serialize)]
struct EditRow<'a> {
    offset: u32,
    end_offset: u32,
    text: &'a str,
}

fn place(source: &SourceFile, span: Span) -> Place {
    let (line, column) = source.position(span.start);
    let (end_line, end_column) = source.position(span.end);
    Place { line, column, end_line, end_column, offset: span.start, end_offset: span.end }
}

/// Appends the findings of a file.
pub fn write(file: &FileFindings, out: &mut String) {
    for (finding, fingerprint) in file.findings.iter().zip(fingerprint::fingerprints(file.findings.iter())) {
        let d = &finding.diagnostic;
        let at = place(&file.source, d.primary.span);
        let row = Row {
            path: &file.source.name,
            rule: d.rule.name,
            level: d.level.word(),
            message: &d.message,
            line: at.line,
            column: at.column,
            end_line: at.end_line,
            end_column: at.end_column,
            offset: at.offset,
            end_offset: at.end_offset,
            label: &d.primary.text,
            labels: d
                .secondary
                .iter()
                .map(|l| LabelRow { text: &l.text, place: place(&file.source, l.span) })
                .collect(),
            notes: &d.notes,
            help: d.help.as_deref(),
            fix: d.fix.as_ref().map(|f| FixRow {
                title: &f.title,
                certain: f.certain,
                edits: f
                    .edits
                    .iter()
                    .map(|e| EditRow { offset: e.span.start, end_offset: e.span.end, text: &e.text })
                    .collect(),
            }),
            document: d.rule.section,
            kernel: &finding.kernel,
            platforms: &d.platforms,
            given_up: d.given_up,
            fingerprint: format!("{fingerprint:032x}"),
        };
        out.push_str(&super::json_text(&row));
        out.push('\n');
    }
}
