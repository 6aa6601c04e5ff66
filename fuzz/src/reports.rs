//! Each format is read by a parser of that format, and holds every finding.

use serde_json::Value;
use visa_lint::base::diagnostic::Diagnostic;
use visa_lint::base::printable::is_harmful;
use visa_lint::base::source::SourceFile;
use visa_lint::checks::{self, Options, RULES};
use visa_lint::matching::Identity;
use visa_lint::report::{FileFindings, Finding, Format, Style};

/// What is wrong with the reports about a text, which is also a part of the name of its file.
pub fn fault(text: &str) -> Option<String> {
    let options = Options { pedantic: true, ..Options::default() };
    let finding = |diagnostic: Diagnostic| Finding {
        diagnostic,
        kernel: text.chars().take(9).collect(),
        identity: Identity::default(),
        drawing: None,
    };
    let name: String = text.chars().take(30).chain(".visaasm".chars()).collect();
    let file = FileFindings {
        source: SourceFile::new(name, text),
        findings: checks::check(text, &options).into_iter().map(finding).collect(),
        suppressed: Vec::new(),
        known: None,
    };
    let n = file.findings.len();
    let style = Style { rules: RULES, ..Style::default() };
    let written = |format: Format| {
        let mut out = String::new();
        format.head(&style, &mut out);
        format.file(&file, &style, &mut out);
        format.tail(&[], &mut out);
        out
    };
    let formats = [
        Format::Text,
        Format::Short,
        Format::Json,
        Format::Sarif,
        Format::Github,
        Format::Gitlab,
        Format::Junit,
        Format::Html,
    ];
    formats.into_iter().find_map(|format| {
        let out = written(format);
        if out.contains(|c| is_harmful(c) && c != '\n' && c != '\t') {
            return Some(format!("{format:?} holds what plays with a terminal: {out:?}"));
        }
        let found = count(format, &out);
        (found != Ok(n)).then(|| format!("{format:?} has {found:?} of {n} findings:\n{out}"))
    })
}

/// The findings that a parser of the format reads.
fn count(format: Format, out: &str) -> Result<usize, String> {
    let json = |text: &str| serde_json::from_str::<Value>(text).map_err(|error| error.to_string());
    match format {
        Format::Text => Ok(out.lines().filter(|l| is_head(l)).count()),
        Format::Short => Ok(out.lines().count()),
        Format::Json => out.lines().map(json).collect::<Result<Vec<_>, _>>().map(|rows| rows.len()),
        Format::Sarif => {
            json(out)?.pointer("/runs/0/results").and_then(Value::as_array).map(Vec::len).ok_or_else(String::new)
        }
        Format::Gitlab => json(out)?.as_array().map(Vec::len).ok_or_else(String::new),
        Format::Github => Ok(out.lines().filter(|l| l.starts_with("::") && l.matches("::").count() >= 2).count()),
        Format::Html => {
            let front = out.split_once("id=\"findings\">").ok_or("no findings")?.1;
            json(front.split_once("</script>").ok_or("no end")?.0)?.as_array().map(Vec::len).ok_or_else(String::new)
        }
        Format::Junit => {
            let document = roxmltree::Document::parse(out).map_err(|error| error.to_string())?;
            let n = document.descendants().filter(|n| n.has_tag_name("failure") || n.has_tag_name("skipped")).count();
            Ok(n)
        }
    }
}

/// Whether a line of the text format begins a finding: its own, or that of a long line.
fn is_head(line: &str) -> bool {
    ["error[", "warning[", "note["].iter().any(|level| line.starts_with(level))
        || !line.starts_with(' ')
            && ["error[", "warning[", "pedantic["].iter().any(|l| line.contains(&format!(": {l}")))
}
