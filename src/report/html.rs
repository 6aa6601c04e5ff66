//! One page with everything in it: a summary, filters, and the findings with the lines of the text. It loads nothing.

use super::{Failure, FileFindings, Style};
use crate::base::diagnostic::{Diagnostic, Label};
use crate::base::printable;
use crate::base::source::SourceFile;
use serde::Serialize;

/// A longer line is cut around the place in question, to so many characters on each side.
const N_AROUND: usize = 160;

/// So many lines before and after the place in question are shown.
const N_CONTEXT: u32 = 1;

#[derive(Serialize)]
struct Row<'a> {
    path: &'a str,
    line: u32,
    column: u32,
    level: &'static str,
    rule: &'static str,
    message: &'a str,
    label: &'a str,
    kernel: &'a str,
    text: Vec<Excerpt>,
    drawing: Option<&'a str>,
    labels: Vec<LabelRow<'a>>,
    is_trace: bool,
    notes: &'a [String],
    help: Option<&'a str>,
    link: Option<String>,
}

#[derive(Serialize)]
struct LabelRow<'a> {
    words: &'a str,
    text: Excerpt,
}

/// A line of the text, in three parts of which the middle one is marked.
#[derive(Serialize)]
struct Excerpt {
    line: u32,
    parts: [String; 3],
}

/// Appends what stands before the findings.
pub fn head(out: &mut String) {
    *out += &format!("{}\n<body>\n<h1>visa-lint</h1>\n{FRAME}\n", document_head("visa-lint"));
    out.push_str("<script type=\"application/json\" id=\"findings\">[\n");
}

/// Appends the findings of a file, with commas between them.
pub fn write(file: &FileFindings, style: &Style, out: &mut String) {
    let path = super::portable(&file.source.name);
    for (i, finding) in file.findings.iter().enumerate() {
        let d = &finding.diagnostic;
        let (line, column) = file.source.position(d.primary.span.start);
        let row = Row {
            path: &path,
            line,
            column,
            level: d.level.word(),
            rule: d.rule.name,
            message: &d.message,
            label: &d.primary.text,
            kernel: &finding.kernel,
            text: lines_around(&file.source, d),
            drawing: finding.drawing.as_deref(),
            labels: d.secondary.iter().map(|label| label_row(&file.source, label)).collect(),
            is_trace: d.is_trace,
            notes: &d.notes,
            help: d.help.as_deref(),
            link: d.rule.link_in(style.pages.as_deref()),
        };
        if i > 0 {
            out.push_str(",\n");
        }
        out.push_str(&for_script(&super::json_text(&row)));
    }
}

/// Appends what could not be checked, and the end of the page.
pub fn tail(failures: &[Failure], out: &mut String) {
    out.push_str("\n]</script>\n<script type=\"application/json\" id=\"failures\">");
    let failures: Vec<String> = failures.iter().map(|f| format!("{}: {}", f.path, f.reason)).collect();
    out.push_str(&for_script(&super::json_text(&failures)));
    *out += &format!("</script>\n<script nonce=\"{OWN}\">{SCRIPT}</script>\n</body>\n</html>\n");
}

/// A page of its own with that title and body.
#[must_use]
pub fn page(title: &str, body: &str) -> String {
    format!("{}\n<body>\n<h1>{}</h1>\n{body}</body>\n</html>\n", document_head(title), escaped(title))
}

/// The mark of a page's own style and code: the browser takes no other, such as attributes of elements.
const OWN: &str = "page";

fn document_head(title: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'nonce-{OWN}'; \
         script-src 'nonce-{OWN}'\">\n<title>{}</title>\n<style nonce=\"{OWN}\">{STYLE}</style>\n</head>",
        escaped(title)
    )
}

/// Text as HTML, between tags or in quotes.
#[must_use]
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\n' | '\t' => out.push(c),
            c if printable::is_harmful(c) => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// JSON that cannot end the script that holds it.
fn for_script(json: &str) -> String {
    json.replace('<', "\\u003c")
}

fn lines_around(source: &SourceFile, d: &Diagnostic) -> Vec<Excerpt> {
    let line = source.lines().line_column(d.primary.span.start).line;
    let last = source.lines().n_lines().saturating_sub(1);
    let lines = line.saturating_sub(N_CONTEXT)..=(line + N_CONTEXT).min(last);
    lines
        .map(|other| {
            if other == line {
                return excerpt(source, &d.primary);
            }
            let text = source.lines().line_span(other).of(&source.text).trim_end();
            Excerpt { line: other + 1, parts: [front(text), String::new(), String::new()] }
        })
        .collect()
}

fn label_row<'a>(source: &SourceFile, label: &'a Label) -> LabelRow<'a> {
    LabelRow { words: &label.text, text: excerpt(source, label) }
}

/// The line of a place, cut where it is very long.
fn excerpt(source: &SourceFile, label: &Label) -> Excerpt {
    let line = source.lines().line_column(label.span.start).line;
    let span = source.lines().line_span(line);
    let (start, end) = (label.span.start.clamp(span.start, span.end), label.span.end.clamp(label.span.start, span.end));
    let text = &source.text;
    let before = &text[span.start as usize..start as usize];
    let skipped = before.char_indices().rev().nth(N_AROUND - 1).map_or(0, |(i, _)| i);
    let before = if skipped > 0 { format!("\u{2026}{}", &before[skipped..]) } else { before.to_owned() };
    let marked = front(&text[start as usize..end.max(start) as usize]);
    Excerpt {
        line: line + 1,
        parts: [before, marked, front(text[end.max(start) as usize..span.end as usize].trim_end())],
    }
}

/// The front of a long text.
fn front(text: &str) -> String {
    match text.char_indices().nth(N_AROUND) {
        Some((end, _)) => format!("{}\u{2026}", &text[..end]),
        None => text.to_owned(),
    }
}

const STYLE: &str = include_str!("html/style.css");
const SCRIPT: &str = include_str!("html/script.js");
const FRAME: &str = include_str!("html/frame.html");
