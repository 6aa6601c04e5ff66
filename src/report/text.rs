//! Findings in the terminal, with the lines of the text.

use super::excerpt::Excerpt;
use super::{FileFindings, Style};
use crate::base::diagnostic::Diagnostic;
use crate::base::printable;
use crate::base::rule::Level;
use crate::base::source::SourceFile;
use crate::base::span::Span;
use crate::base::wrap::wrapped;
use codespan_reporting::diagnostic::{Diagnostic as Shown, Label, LabelStyle, Severity};
use codespan_reporting::files::Error;
use codespan_reporting::term::termcolor::Buffer;
use codespan_reporting::term::{self, Config, Styles, StylesWriter};
use unicode_width::UnicodeWidthStr as _;

/// Appends the findings of a file.
pub fn write(file: &FileFindings, style: &Style, out: &mut String) {
    if file.findings.is_empty() {
        return;
    }
    let config = Config { start_context_lines: 1, end_context_lines: 1, ..Config::default() };
    let name = printable::line(&file.source.name);
    for finding in &file.findings {
        let d = &finding.diagnostic;
        let (shown, excerpt) = shown(&file.source, &name, d, style);
        let start = out.len();
        let drawn = if style.color {
            draw_in_color(&config, &excerpt, &shown, out)
        } else {
            term::emit_to_string(out, &config, &excerpt, &shown)
        };
        if drawn.is_err() {
            out.truncate(start);
            super::short::write_one(&file.source, d, out);
        }
    }
}

fn draw_in_color<'f>(
    config: &Config,
    excerpt: &'f Excerpt<'f>,
    shown: &Shown<()>,
    out: &mut String,
) -> Result<(), Error> {
    let mut buffer = Buffer::ansi();
    let styles = Styles::default();
    term::emit_to_write_style(&mut StylesWriter::new(&mut buffer, &styles), config, excerpt, shown)?;
    out.push_str(&String::from_utf8_lossy(buffer.as_slice()));
    Ok(())
}

/// A finding as it is drawn, and the lines that it shows.
fn shown<'a>(source: &SourceFile, name: &'a str, d: &Diagnostic, style: &Style) -> (Shown<()>, Excerpt<'a>) {
    let severity = match d.level {
        Level::Error => Severity::Error,
        Level::Warning => Severity::Warning,
        Level::Pedantic | Level::Off => Severity::Note,
    };
    let spans: Vec<Span> = std::iter::once(&d.primary).chain(&d.secondary).map(|l| l.span).collect();
    let excerpt = Excerpt::new(source, name, &spans, style.columns);
    let mut labels = Vec::with_capacity(spans.len());
    let mut notes = Vec::new();
    for (n, label) in std::iter::once(&d.primary).chain(&d.secondary).enumerate() {
        let (line, place) = excerpt.place(source, label.span);
        let kind = if n == 0 { LabelStyle::Primary } else { LabelStyle::Secondary };
        let fits = style.columns.is_none() || line.columns(&excerpt.text, &place) + label.text.width() < line.room;
        if fits {
            labels.push(Label::new(kind, (), place).with_message(&label.text));
            continue;
        }
        // Words that would pass the edge stand below, in lines of their own.
        labels.push(Label::new(kind, (), place));
        notes.push(if n == 0 { label.text.clone() } else { format!("line {}: {}", line.index + 1, label.text) });
    }
    notes.extend(d.notes.iter().map(|n| format!("note: {n}")));
    notes.extend(d.help.iter().map(|h| format!("help: {h}")));
    let mut message = if d.level == Level::Pedantic { format!("pedantic: {}", d.message) } else { d.message.clone() };
    if let Some(columns) = style.columns {
        let level = if severity == Severity::Note { "note" } else { d.level.word() };
        let head = " ".repeat(level.len() + d.rule.name.len() + "[]: ".len());
        let lines = wrapped(&message, columns, &head, "    ");
        lines.trim_start().clone_into(&mut message);
        for note in &mut notes {
            *note = wrapped(note, columns.saturating_sub(excerpt.gutter() + 1), "", "  ");
        }
    }
    let code = d
        .rule
        .link_in(style.pages.as_deref())
        .filter(|_| style.links)
        .map_or(d.rule.name.to_owned(), |url| linked(d.rule.name, &url));
    let shown = Shown::new(severity).with_code(code).with_message(message).with_labels(labels).with_notes(notes);
    (shown, excerpt)
}

/// Words that lead to `url` in the terminal (OSC 8).
fn linked(words: &str, url: &str) -> String {
    format!("\x1b]8;;{url}\x1b\\{words}\x1b]8;;\x1b\\")
}
