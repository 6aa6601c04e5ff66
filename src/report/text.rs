//! Findings in the terminal, with the lines of the text.

use super::{FileFindings, Style};
use crate::base::printable;
use crate::base::rule::Level;
use crate::base::source::SourceFile;
use codespan_reporting::diagnostic::{Diagnostic as Shown, Label, Severity};
use codespan_reporting::files::{Error, Files};
use codespan_reporting::term::termcolor::Buffer;
use codespan_reporting::term::{self, Config, Styles, StylesWriter};

/// A line longer than this is cut around the place in question, so that a long line does not flood the terminal.
const MAX_LINE_BYTES: u32 = 400;

/// A source file with its line index ready, and its name and text as they are shown.
struct Ready<'a> {
    file: &'a SourceFile,
    name: &'a str,
    text: &'a str,
}

impl<'a> Files<'a> for Ready<'a> {
    type FileId = ();
    type Name = &'a str;
    type Source = &'a str;

    fn name(&'a self, (): ()) -> Result<&'a str, Error> {
        Ok(self.name)
    }

    fn source(&'a self, (): ()) -> Result<&'a str, Error> {
        Ok(self.text)
    }

    fn line_index(&'a self, (): (), byte_index: usize) -> Result<usize, Error> {
        Ok(self.file.lines().line_column(byte_index as u32).line as usize)
    }

    fn line_range(&'a self, (): (), line_index: usize) -> Result<std::ops::Range<usize>, Error> {
        let span = self.file.lines().line_span(line_index as u32);
        let end = (span.end as usize + 1).min(self.file.text.len());
        Ok(span.start as usize..end)
    }
}

/// Appends the findings of a file.
pub fn write(file: &FileFindings, style: &Style, out: &mut String) {
    if file.findings.is_empty() {
        return;
    }
    let config = Config { start_context_lines: 1, end_context_lines: 1, ..Config::default() };
    let text = printable::source(&file.source.text);
    let name = printable::line(&file.source.name);
    for finding in &file.findings {
        let d = &finding.diagnostic;
        let place = file.source.lines().line_column(d.primary.span.start);
        let line = file.source.lines().line_span(place.line);
        if line.len() > MAX_LINE_BYTES {
            write_long_line(file, &text, finding, out);
            continue;
        }
        let shown = shown(&file.source, d, style);
        let ready = Ready { file: &file.source, name: &name, text: &text };
        let start = out.len();
        let drawn = if style.color {
            draw_in_color(&config, &ready, &shown, out)
        } else {
            term::emit_to_string(out, &config, &ready, &shown)
        };
        if drawn.is_err() {
            out.truncate(start);
            super::short::write_one(&file.source, d, out);
        }
    }
}

fn draw_in_color<'f>(config: &Config, ready: &'f Ready<'f>, shown: &Shown<()>, out: &mut String) -> Result<(), Error> {
    let mut buffer = Buffer::ansi();
    let styles = Styles::default();
    term::emit_to_write_style(&mut StylesWriter::new(&mut buffer, &styles), config, ready, shown)?;
    out.push_str(&String::from_utf8_lossy(buffer.as_slice()));
    Ok(())
}

fn shown(source: &SourceFile, d: &crate::base::diagnostic::Diagnostic, style: &Style) -> Shown<()> {
    let severity = match d.level {
        Level::Error => Severity::Error,
        Level::Warning => Severity::Warning,
        Level::Pedantic | Level::Off => Severity::Note,
    };
    let clip = |span: crate::base::span::Span| {
        // A place ends on the line where it begins: what is drawn stays one line.
        let line = source.lines().line_span(source.lines().line_column(span.start).line);
        span.start as usize..(span.end.min(line.end).max(span.start)) as usize
    };
    let mut labels = vec![Label::primary((), clip(d.primary.span)).with_message(&d.primary.text)];
    labels.extend(d.secondary.iter().map(|l| Label::secondary((), clip(l.span)).with_message(&l.text)));
    let mut notes: Vec<String> = d.notes.iter().map(|n| format!("note: {n}")).collect();
    notes.extend(d.help.iter().map(|h| format!("help: {h}")));
    let message = if d.level == Level::Pedantic { format!("pedantic: {}", d.message) } else { d.message.clone() };
    let code = d
        .rule
        .link_in(style.pages.as_deref())
        .filter(|_| style.links)
        .map_or(d.rule.name.to_owned(), |url| linked(d.rule.name, &url));
    Shown::new(severity).with_code(code).with_message(message).with_labels(labels).with_notes(notes)
}

/// Words that lead to `url` in the terminal (OSC 8).
fn linked(words: &str, url: &str) -> String {
    format!("\x1b]8;;{url}\x1b\\{words}\x1b]8;;\x1b\\")
}

/// Draws only the part of a very long line around the place in question.
fn write_long_line(file: &FileFindings, text: &str, finding: &super::Finding, out: &mut String) {
    let d = &finding.diagnostic;
    super::short::write_place(&file.source, d, out);
    out.push_str(&d.sentence());
    out.push('\n');
    let line = file.source.lines().line_span(file.source.lines().line_column(d.primary.span.start).line);
    let start = d.primary.span.start.saturating_sub(40).max(line.start);
    let end = d.primary.span.end.min(d.primary.span.start + 80).saturating_add(40).min(line.end);
    out.push_str("    ... ");
    out.push_str(&String::from_utf8_lossy(&text.as_bytes()[start as usize..end as usize]));
    out.push_str(" ...\n");
    for note in &d.notes {
        out.push_str("    note: ");
        out.push_str(note);
        out.push('\n');
    }
    if let Some(help) = &d.help {
        out.push_str("    help: ");
        out.push_str(help);
        out.push('\n');
    }
    out.push('\n');
}
