//! `JUnit` XML: a suite for each file, a case for each finding. What makes the run fail is a failure; what is only
//! reported is a skipped case, which services show without failing the suite.

use super::{Failure, FileFindings, Style};
use crate::base::diagnostic::Diagnostic;
use crate::base::printable;
use std::fmt::Write as _;

/// Appends the opening of the document.
pub fn head(out: &mut String) {
    out.push_str("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"visa-lint\">\n");
}

/// Appends the suite of a file. A file without findings is one case that passes.
pub fn write(file: &FileFindings, style: &Style, out: &mut String) {
    let path = escaped(&super::portable(&file.source.name));
    let fails = |d: &Diagnostic| d.level >= style.fails_at;
    let n_failures = file.findings.iter().filter(|f| fails(&f.diagnostic)).count();
    let n_tests = file.findings.len().max(1);
    let n_skipped = file.findings.len() - n_failures;
    let _ = writeln!(
        out,
        "  <testsuite name=\"{path}\" tests=\"{n_tests}\" failures=\"{n_failures}\" errors=\"0\" skipped=\"{n_skipped}\">"
    );
    if file.findings.is_empty() {
        let _ = writeln!(out, "    <testcase classname=\"{path}\" name=\"no findings\"/>");
    }
    for finding in &file.findings {
        let d = &finding.diagnostic;
        let (line, column) = file.source.position(d.primary.span.start);
        let message = format!("{}: {}", d.level.word(), d.sentence());
        let _ = writeln!(
            out,
            "    <testcase classname=\"{path}\" name=\"{} {line}:{column}\" file=\"{path}\" line=\"{line}\">",
            d.rule.name
        );
        if fails(d) {
            let mut text = String::new();
            super::short::write_place(&file.source, d, &mut text);
            text += &d.full_text();
            let _ = writeln!(
                out,
                "      <failure message=\"{}\" type=\"{}\">{}</failure>",
                escaped(&message),
                d.rule.name,
                escaped(text.trim_end())
            );
        } else {
            let _ = writeln!(out, "      <skipped message=\"{}\"/>", escaped(&message));
        }
        out.push_str("    </testcase>\n");
    }
    out.push_str("  </testsuite>\n");
}

/// Appends what could not be checked, and the end of the document.
pub fn tail(failures: &[Failure], out: &mut String) {
    for failure in failures {
        let path = escaped(&super::portable(&failure.path));
        let _ = writeln!(out, "  <testsuite name=\"{path}\" tests=\"1\" failures=\"0\" errors=\"1\" skipped=\"0\">");
        let _ = writeln!(out, "    <testcase classname=\"{path}\" name=\"cannot be checked\" file=\"{path}\">");
        let _ = writeln!(out, "      <error message=\"{}\" type=\"input\"/>", escaped(&failure.reason));
        out.push_str("    </testcase>\n  </testsuite>\n");
    }
    out.push_str("</testsuites>\n");
}

/// Text for XML, in quotes or between tags. Control characters that XML
/// does not have become U+FFFD; others that are harmful to a terminal are written as references.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\n' | '\t' => out.push(c),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c if c.is_control() && c < '\u{20}' => out.push('\u{fffd}'),
            c if printable::is_harmful(c) => out += &format!("&#{};", u32::from(c)),
            c => out.push(c),
        }
    }
    out
}
