//! SARIF 2.1.0, which code scanning services read: one run with every rule, and a result for each finding.

use super::{Failure, FileFindings, Finding, Style, fingerprint};
use crate::base::diagnostic::{Diagnostic, Fix, Label};
use crate::base::rule::{Level, Rule};
use crate::base::source::SourceFile;
use crate::base::span::Span;
use crate::matching::Entry;
use serde::Serialize;

/// The schema that the document follows.
pub const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

#[derive(Serialize)]
struct Text {
    text: String,
}

impl Text {
    fn new(text: impl Into<String>) -> Self {
        Self { text: text.into() }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver {
    name: &'static str,
    version: &'static str,
    semantic_version: &'static str,
    rules: Vec<RuleRow>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RuleRow {
    id: &'static str,
    short_description: Text,
    full_description: Text,
    help: Help,
    #[serde(skip_serializing_if = "Option::is_none")]
    help_uri: Option<String>,
    default_configuration: Configuration,
}

#[derive(Serialize)]
struct Help {
    text: String,
    markdown: String,
}

#[derive(Serialize)]
struct Configuration {
    enabled: bool,
    level: &'static str,
}

/// What is known of a finding that is gone.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct GoneRow<'a> {
    rule_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule_index: Option<usize>,
    message: Text,
    locations: [GoneLocation<'a>; 1],
    baseline_state: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct GoneLocation<'a> {
    physical_location: GonePlace<'a>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    logical_locations: Vec<LogicalLocation<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct GonePlace<'a> {
    artifact_location: ArtifactLocation<'a>,
    region: GoneRegion,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct GoneRegion {
    start_line: u32,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ResultRow<'a> {
    rule_id: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule_index: Option<usize>,
    level: &'static str,
    message: Text,
    locations: [Location<'a>; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Location<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    code_flows: Vec<CodeFlow<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fixes: Vec<FixRow<'a>>,
    partial_fingerprints: Fingerprints,
    /// Present even when empty: absence would mean that suppressions were not looked for.
    suppressions: Vec<Suppression<'a>>,
    /// Present if there is a baseline.
    #[serde(skip_serializing_if = "Option::is_none")]
    baseline_state: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    properties: Option<Properties<'a>>,
}

#[derive(Serialize)]
struct Properties<'a> {
    platforms: &'a [&'static str],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_field_names, reason = "the names of the format")]
struct Location<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<usize>,
    physical_location: PhysicalLocation<'a>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    logical_locations: Vec<LogicalLocation<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Text>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation<'a> {
    artifact_location: ArtifactLocation<'a>,
    region: Region,
}

#[derive(Serialize)]
struct ArtifactLocation<'a> {
    uri: &'a str,
}

#[derive(Serialize)]
struct LogicalLocation<'a> {
    name: &'a str,
    kind: &'static str,
}

/// Lines and columns count from 1, columns in characters.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u32,
    start_column: u32,
    end_line: u32,
    end_column: u32,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CodeFlow<'a> {
    thread_flows: [ThreadFlow<'a>; 1],
}

#[derive(Serialize)]
struct ThreadFlow<'a> {
    locations: Vec<Step<'a>>,
}

#[derive(Serialize)]
struct Step<'a> {
    location: Location<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FixRow<'a> {
    description: Text,
    artifact_changes: [Change<'a>; 1],
    properties: FixProperties,
}

#[derive(Serialize)]
struct FixProperties {
    certain: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Change<'a> {
    artifact_location: ArtifactLocation<'a>,
    replacements: Vec<Replacement>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Replacement {
    deleted_region: Region,
    inserted_content: Text,
}

#[derive(Serialize)]
struct Fingerprints {
    #[serde(rename = "visaLint/v1")]
    visa_lint: String,
}

#[derive(Serialize)]
struct Suppression<'a> {
    kind: &'static str,
    #[serde(skip_serializing_if = "str::is_empty")]
    justification: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation {
    execution_successful: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_execution_notifications: Vec<Notification>,
}

#[derive(Serialize)]
struct Notification {
    level: &'static str,
    message: Text,
}

fn level(level: Level) -> &'static str {
    match level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Pedantic => "note",
        Level::Off => "none",
    }
}

/// Appends the opening of the document up to the first result.
pub fn head(style: &Style, out: &mut String) {
    let version = env!("CARGO_PKG_VERSION");
    let rules = style.rules.iter().map(|rule| rule_row(rule, style)).collect();
    let driver = Driver { name: "visa-lint", version, semantic_version: version, rules };
    *out += &format!(
        "{{\"$schema\":\"{SCHEMA}\",\"version\":\"2.1.0\",\"runs\":[{{\"tool\":{{\"driver\":{}}},\n\
         \"columnKind\":\"unicodeCodePoints\",\"results\":[\n",
        super::json_text(&driver)
    );
}

fn rule_row(rule: &'static Rule, style: &Style) -> RuleRow {
    let markdown = rule.markdown();
    let description: Vec<&str> =
        rule.documentation.lines().map(str::trim).take_while(|l| !l.starts_with("```")).collect();
    RuleRow {
        id: rule.name,
        short_description: Text::new(rule.summary()),
        full_description: Text::new(description.join("\n").trim().to_owned()),
        help: Help { text: markdown.clone(), markdown },
        help_uri: rule.link_in(style.pages.as_deref()),
        default_configuration: Configuration {
            enabled: rule.level >= Level::Warning,
            // A rule that is off is reported as a warning when it is switched on.
            level: if rule.level == Level::Off { "warning" } else { level(rule.level) },
        },
    }
}

/// Appends the results of a file, with commas between them.
pub fn write(file: &FileFindings, style: &Style, out: &mut String) {
    let uri = uri(&file.source.name);
    let state = file.known.as_ref().map(|_| "new");
    let active = file.findings.iter().map(|f| (f, None, state));
    let suppressed = file.suppressed.iter().map(|s| (&s.finding, Some(s.reason.as_str()), state));
    let known = file.known.iter().flatten().map(|f| (f, None, Some("unchanged")));
    let mut all: Vec<(&Finding, Option<&str>, Option<&'static str>)> = active.chain(known).collect();
    all.sort_by_key(|(finding, ..)| finding.diagnostic.primary.span.start);
    all.extend(suppressed);
    let fingerprints = fingerprint::fingerprints(all.iter().map(|(finding, ..)| *finding));
    for (i, ((finding, reason, state), fingerprint)) in all.into_iter().zip(fingerprints).enumerate() {
        if i > 0 {
            out.push_str(",\n");
        }
        let row =
            ResultRow { baseline_state: state, ..result_row(&file.source, &uri, finding, reason, fingerprint, style) };
        out.push_str(&super::json_text(&row));
    }
}

fn result_row<'a>(
    source: &SourceFile,
    uri: &'a str,
    finding: &'a Finding,
    reason: Option<&'a str>,
    fingerprint: u128,
    style: &Style,
) -> ResultRow<'a> {
    let d = &finding.diagnostic;
    let place = |label: &Label| Location {
        id: None,
        physical_location: physical(source, uri, label.span),
        logical_locations: Vec::new(),
        message: (!label.text.is_empty()).then(|| Text::new(&label.text)),
    };
    let mut main = place(&d.primary);
    if !finding.kernel.is_empty() {
        main.logical_locations.push(LogicalLocation { name: &finding.kernel, kind: "function" });
    }
    let related = d.secondary.iter().enumerate().map(|(i, label)| Location { id: Some(i + 1), ..place(label) });
    ResultRow {
        rule_id: d.rule.name,
        rule_index: style.rules.iter().position(|r| *r == d.rule),
        level: level(d.level),
        message: Text::new(d.full_text()),
        locations: [main],
        related_locations: related.collect(),
        code_flows: if d.is_trace && !d.secondary.is_empty() { vec![code_flow(d, place)] } else { Vec::new() },
        fixes: d.fix.iter().map(|fix| fix_row(source, uri, fix)).collect(),
        partial_fingerprints: Fingerprints { visa_lint: format!("{fingerprint:032x}") },
        baseline_state: None,
        suppressions: reason.map(|justification| Suppression { kind: "inSource", justification }).into_iter().collect(),
        properties: (!d.platforms.is_empty()).then_some(Properties { platforms: &d.platforms }),
    }
}

/// Appends results for findings of the baseline that are gone, with commas between them.
pub fn gone(gone: &[Entry], style: &Style, out: &mut String) {
    for (i, entry) in gone.iter().enumerate() {
        let uri = uri(&entry.path);
        let kernel = Some(&*entry.kernel).filter(|kernel| !kernel.is_empty());
        let row = GoneRow {
            rule_id: &entry.rule,
            rule_index: style.rules.iter().position(|rule| rule.name == entry.rule),
            message: Text::new(&entry.message),
            locations: [GoneLocation {
                physical_location: GonePlace {
                    artifact_location: ArtifactLocation { uri: &uri },
                    region: GoneRegion { start_line: entry.line.max(1) },
                },
                logical_locations: kernel.map(|name| LogicalLocation { name, kind: "function" }).into_iter().collect(),
            }],
            baseline_state: "absent",
        };
        if i > 0 {
            out.push_str(",\n");
        }
        out.push_str(&super::json_text(&row));
    }
}

/// The steps that lead to the primary place, and that place as the last one.
fn code_flow<'a>(d: &Diagnostic, place: impl Fn(&Label) -> Location<'a>) -> CodeFlow<'a> {
    let labels = d.secondary.iter().chain([&d.primary]);
    CodeFlow { thread_flows: [ThreadFlow { locations: labels.map(|label| Step { location: place(label) }).collect() }] }
}

fn fix_row<'a>(source: &SourceFile, uri: &'a str, fix: &Fix) -> FixRow<'a> {
    let replacements = fix
        .edits
        .iter()
        .map(|edit| Replacement { deleted_region: region(source, edit.span), inserted_content: Text::new(&edit.text) })
        .collect();
    FixRow {
        description: Text::new(&fix.title),
        artifact_changes: [Change { artifact_location: ArtifactLocation { uri }, replacements }],
        properties: FixProperties { certain: fix.certain },
    }
}

fn physical<'a>(source: &SourceFile, uri: &'a str, span: Span) -> PhysicalLocation<'a> {
    PhysicalLocation { artifact_location: ArtifactLocation { uri }, region: region(source, span) }
}

fn region(source: &SourceFile, span: Span) -> Region {
    let (start_line, start_column) = source.position(span.start);
    let (end_line, end_column) = source.position(span.end);
    Region { start_line, start_column, end_line, end_column }
}

/// Appends the end of the document: how the run went.
pub fn tail(failures: &[Failure], out: &mut String) {
    let invocation = Invocation {
        execution_successful: failures.is_empty(),
        tool_execution_notifications: failures
            .iter()
            .map(|f| Notification {
                level: "error",
                message: Text::new(format!("cannot check `{}`: {}", f.path, f.reason)),
            })
            .collect(),
    };
    *out += &format!("\n],\"invocations\":[{}]}}]}}\n", super::json_text(&invocation));
}

/// A path as a reference to a resource: relative paths stay relative, and every byte that a path segment may not hold is
/// written as `%XX`.
#[must_use]
pub fn uri(path: &str) -> String {
    let path = super::portable(path);
    let start = if path.starts_with('/') {
        "file://"
    } else if cfg!(windows) && path.as_bytes().get(1) == Some(&b':') {
        "file:///"
    } else {
        ""
    };
    format!("{start}{}", percent_encoding::utf8_percent_encode(&path, ESCAPED))
}

/// What is written as `%XX` in a reference: all but what a path segment may hold. A colon in the first segment of a
/// relative reference would end a scheme.
const ESCAPED: &percent_encoding::AsciiSet = &percent_encoding::NON_ALPHANUMERIC
    .remove(b'/')
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~')
    .remove(b'!')
    .remove(b'$')
    .remove(b'&')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')')
    .remove(b'*')
    .remove(b'+')
    .remove(b',')
    .remove(b';')
    .remove(b'=')
    .remove(b'@');
