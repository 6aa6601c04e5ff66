//! Findings as the protocol's diagnostics, sent or asked for.

use super::ask::Ask;
use crate::base::diagnostic::{Diagnostic as Finding, Label};
use crate::base::rule::Level;
use crate::host;
use crate::matching::Shape;
use crate::matching::baseline::Found;
use gen_lsp_types::{
    Code, CodeDescription, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag,
    DocumentDiagnosticParams, DocumentDiagnosticReport, FullDocumentDiagnosticReport, Message,
    PublishDiagnosticsParams, RelatedFullDocumentDiagnosticReport, RelatedUnchangedDocumentDiagnosticReport,
    UnchangedDocumentDiagnosticReport,
};
use rustc_hash::FxHasher;
use serde_json::json;
use std::hash::{Hash as _, Hasher as _};

/// The name that clients show beside a finding.
pub const SOURCE: &str = "visa-lint";

/// All findings of a document, in the order of the text. Where slow and fast checks report the same, the finding of the
/// slow ones, which knew more, counts.
#[must_use]
pub fn findings<'f>(ask: &'f Ask) -> Vec<&'f Finding> {
    if ask.is_excluded {
        return Vec::new();
    }
    let mut all: Vec<&Finding> = ask.slow_findings.iter().chain(&ask.analysis.findings).collect();
    if !ask.slow_findings.is_empty() {
        all.sort_by(|a, b| {
            (a.primary.span, a.rule.name).cmp(&(b.primary.span, b.rule.name)).then(b.level.cmp(&a.level))
        });
        all.dedup_by(|later, earlier| later.rule == earlier.rule && later.primary.span == earlier.primary.span);
    }
    leave_out_known(ask, &mut all);
    all
}

/// Leaves out what the baseline knows.
fn leave_out_known(ask: &Ask, all: &mut Vec<&Finding>) {
    let Some((known, path)) = ask.known.filter(|_| !all.is_empty()) else { return };
    let text = ask.analysis.text.as_str();
    let host = ask.options.host.map(|language| host::read(text, language, ask.options.sub_group));
    let shape = match &host {
        Some(_) => Shape::of_lines(text),
        None => Shape::of_program(text, &ask.analysis.program),
    };
    let found = |finding: &&Finding| {
        let offset = finding.primary.span.start;
        let kernel = host.as_ref().map_or_else(|| ask.analysis.program.kernel_at(offset), |h| h.function_at(offset));
        Found { rule: finding.rule.name, kernel, identity: shape.identity(offset) }
    };
    let matched = known.baseline.matches(path, &all.iter().map(found).collect::<Vec<_>>());
    let mut is_known = matched.known.iter().map(Option::is_some);
    all.retain(|_| is_known.next() != Some(true));
}

/// The findings as the client is told of them. Of more than the configured number the most serious are kept, and a last
/// one counts the others.
#[must_use]
pub fn diagnostics(ask: &Ask) -> Vec<Diagnostic> {
    let mut all = findings(ask);
    let limit = ask.settings.max_findings;
    let hidden = all.len().saturating_sub(limit);
    if hidden > 0 {
        all.sort_by_key(|f| std::cmp::Reverse(f.level));
        let rest = all.split_off(limit);
        all.sort_by_key(|f| f.primary.span);
        let mut shown: Vec<Diagnostic> = all.into_iter().map(|f| diagnostic(ask, f)).collect();
        let next = rest.iter().map(|f| f.primary.span).min().unwrap_or_default();
        shown.push(Diagnostic {
            severity: Some(DiagnosticSeverity::Information),
            source: Some(SOURCE.to_owned()),
            ..plain(
                ask.range(next),
                format!("{hidden} further findings are not shown; `visa-lint.maxFindings` is {limit}"),
            )
        });
        return shown;
    }
    all.into_iter().map(|f| diagnostic(ask, f)).collect()
}

fn plain(range: gen_lsp_types::Range, message: String) -> Diagnostic {
    Diagnostic::new(range, None, None, None, None, Message::String(message), None, None, None)
}

/// One finding.
#[must_use]
pub fn diagnostic(ask: &Ask, finding: &Finding) -> Diagnostic {
    let severity = match finding.level {
        Level::Error => DiagnosticSeverity::Error,
        Level::Warning => DiagnosticSeverity::Warning,
        Level::Pedantic | Level::Off => DiagnosticSeverity::Information,
    };
    let related = |label: &Label| {
        let words = if label.text.is_empty() { "here".to_owned() } else { label.text.clone() };
        DiagnosticRelatedInformation::new(ask.location(label.span), words)
    };
    let is_unused = finding.rule.name.starts_with("unused")
        || finding.rule.name.starts_with("ignored")
        || finding.rule.name.starts_with("unreachable");
    Diagnostic {
        severity: Some(severity),
        code: Some(Code::String(finding.rule.name.to_owned())),
        code_description: finding
            .rule
            .link_in(ask.settings.pages.as_deref())
            .filter(|_| ask.client.code_description)
            .map(|link| CodeDescription::new(link.into())),
        source: Some(SOURCE.to_owned()),
        tags: is_unused.then(|| vec![DiagnosticTag::Unnecessary]),
        related_information: (ask.client.related_information && !finding.secondary.is_empty())
            .then(|| finding.secondary.iter().map(related).collect()),
        data: finding.fix.as_ref().map(|fix| {
            let edits: Vec<_> =
                fix.edits.iter().map(|e| json!({ "range": ask.range(e.span), "newText": e.text })).collect();
            json!({ "title": fix.title, "certain": fix.certain, "edits": edits })
        }),
        ..plain(ask.range(finding.primary.span), finding.full_text())
    }
}

/// What is sent to a client that does not ask.
#[must_use]
pub fn push(ask: &Ask) -> PublishDiagnosticsParams {
    PublishDiagnosticsParams::new(ask.uri.into(), Some(ask.version), diagnostics(ask))
}

/// What is sent when a document is closed.
#[must_use]
pub fn nothing(uri: &str) -> PublishDiagnosticsParams {
    PublishDiagnosticsParams::new(uri.into(), None, Vec::new())
}

/// The answer to a client that asks. Its name is made of the findings, so that they are only sent again if they changed.
#[must_use]
pub fn pull(ask: &Ask, parameters: &DocumentDiagnosticParams) -> DocumentDiagnosticReport {
    let items = diagnostics(ask);
    let mut hasher = FxHasher::default();
    items.hash(&mut hasher);
    let result_id = format!("{:016x}", hasher.finish());
    if parameters.previous_result_id.as_ref() == Some(&result_id) {
        let report = UnchangedDocumentDiagnosticReport::new(result_id);
        return RelatedUnchangedDocumentDiagnosticReport::new(None, report).into();
    }
    RelatedFullDocumentDiagnosticReport::new(None, FullDocumentDiagnosticReport::new(Some(result_id), items)).into()
}
