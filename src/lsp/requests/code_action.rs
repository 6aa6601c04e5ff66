//! Code actions: mend a finding, mend all, allow one here, explain its rule.

use crate::base::diagnostic::{Diagnostic as Finding, Edit};
use crate::base::fix;
use crate::base::span::Span;
use crate::checks;
use crate::lower::lower;
use crate::lsp::ask::Ask;
use crate::lsp::diagnostics::{diagnostic, findings};
use crate::lsp::requests::explain;
use gen_lsp_types::{CodeAction, CodeActionKind, CodeActionParams, CodeActionResponse, Command};
use imara_diff::{Algorithm, Diff, InternedInput, Interner, Token};
use serde_json::json;

/// Mends everything that can be mended for certain.
const FIX_ALL: &str = "source.fixAll.visa-lint";

/// The kinds of actions that are offered.
pub const KINDS: [&str; 2] = ["quickfix", FIX_ALL];

/// The reason that a new comment gives, for the user to replace.
const REASON: &str = "intended";

/// Answers the request.
#[must_use]
pub fn code_action(ask: &Ask, parameters: &CodeActionParams) -> Vec<CodeActionResponse> {
    let wants = |kind: &str| {
        let Some(only) = &parameters.context.only else { return true };
        only.iter().any(|k| {
            let k = kind_text(k);
            k.is_empty() || k == kind || kind.strip_prefix(k.as_str()).is_some_and(|rest| rest.starts_with('.'))
        })
    };
    let range = ask.span(parameters.range);
    let all = findings(ask);
    let here: Vec<&Finding> = all.iter().copied().filter(|f| touches(f.primary.span, range)).collect();
    let mut actions = Vec::new();
    if wants("quickfix") {
        for finding in &here {
            actions.extend(mend(ask, finding));
        }
        for (i, finding) in here.iter().enumerate() {
            if here[..i].iter().all(|f| f.rule != finding.rule) {
                actions.extend(mend_rule(ask, finding, &all));
            }
        }
        for (i, finding) in here.iter().enumerate() {
            if here[..i].iter().all(|f| f.rule != finding.rule) {
                actions.push(allow(ask, finding));
                actions.push(explain_rule(ask, finding));
            }
        }
    }
    if wants(FIX_ALL) {
        // Only a request for it waits until the program has been executed.
        let is_asked_for = parameters.context.only.is_some();
        actions.extend(mend_all(ask, &all, is_asked_for));
    }
    if ask.client.code_actions {
        return actions.into_iter().map(CodeActionResponse::CodeAction).collect();
    }
    // A client that knows no action objects can at least run the commands.
    actions.into_iter().filter_map(|a| a.command).map(CodeActionResponse::Command).collect()
}

fn kind_text(kind: &CodeActionKind) -> String {
    serde_json::to_value(kind).ok().and_then(|v| v.as_str().map(str::to_owned)).unwrap_or_default()
}

/// Whether a finding concerns a selection; an empty one concerns what it touches.
fn touches(place: Span, range: Span) -> bool {
    place.start <= range.end && range.start <= place.end
}

fn capitalised(title: &str) -> String {
    let mut letters = title.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn quick_fix(ask: &Ask, finding: &Finding, title: String) -> CodeAction {
    CodeAction {
        title,
        kind: Some(CodeActionKind::QuickFix),
        diagnostics: Some(vec![diagnostic(ask, finding)]),
        ..CodeAction::default()
    }
}

/// The fix of a finding.
fn mend(ask: &Ask, finding: &Finding) -> Option<CodeAction> {
    let fix = finding.fix.as_ref()?;
    Some(CodeAction {
        is_preferred: Some(fix.certain),
        edit: Some(ask.edit(&fix.edits)),
        ..quick_fix(ask, finding, capitalised(&fix.title))
    })
}

/// The certain fixes of all findings of a rule, if there are several.
fn mend_rule(ask: &Ask, finding: &Finding, all: &[&Finding]) -> Option<CodeAction> {
    let fixes = all.iter().filter(|f| f.rule == finding.rule).filter_map(|f| f.fix.as_ref()).filter(|f| f.certain);
    let mut edits: Vec<&Edit> = Vec::new();
    let mut n_fixes = 0;
    for fix in fixes {
        let Some(first) = fix.edits.first() else { continue };
        if edits.last().is_none_or(|last| last.span.end < first.span.start) {
            edits.extend(&fix.edits);
            n_fixes += 1;
        }
    }
    if n_fixes < 2 {
        return None;
    }
    let title = format!("Mend all {n_fixes} findings of `{}`", finding.rule.name);
    Some(CodeAction { edit: Some(ask.edit(edits)), ..quick_fix(ask, finding, title) })
}

/// All certain fixes, again and again until none is left, as `visa-lint --fix` does.
fn mend_all(ask: &Ask, all: &[&Finding], in_full: bool) -> Option<CodeAction> {
    let old = ask.analysis.text.as_str();
    all.iter().filter_map(|f| f.fix.as_ref()).find(|f| f.certain)?;
    let fixed = fix::apply_all(old, |text| {
        if let Some(language) = ask.options.host {
            let host = crate::host::read(text, language, ask.options.sub_group);
            return crate::checks::fragment::check_host(text, &host, ask.options, None).diagnostics;
        }
        let program = lower(text);
        let check = if in_full { checks::check_program } else { checks::check_quickly };
        check(text, &program, ask.options)
    })?;
    let title = match fixed.n_fixes {
        1 => "Mend the one finding with a certain fix".to_owned(),
        n => format!("Mend all {n} findings with a certain fix"),
    };
    let kind = Some(CodeActionKind::Custom(FIX_ALL.into()));
    Some(CodeAction { title, kind, edit: Some(ask.edit(&difference(old, &fixed.text))), ..CodeAction::default() })
}

/// The lines that differ, as edits.
fn difference(old: &str, new: &str) -> Vec<Edit> {
    let input = InternedInput::new(old, new);
    let (before, after) = (starts(&input.before, &input.interner), starts(&input.after, &input.interner));
    let diff = Diff::compute(Algorithm::Myers, &input);
    let edits = diff.hunks().map(|hunk| {
        let place =
            |of: &[u32], lines: std::ops::Range<u32>| Span::new(of[lines.start as usize], of[lines.end as usize]);
        Edit { span: place(&before, hunk.before), text: place(&after, hunk.after).of(new).to_owned() }
    });
    edits.collect()
}

/// Where each line begins, and where the last one ends.
fn starts(lines: &[Token], names: &Interner<&str>) -> Vec<u32> {
    let ends = lines.iter().scan(0, |end, line| {
        *end += names[*line].len() as u32;
        Some(*end)
    });
    std::iter::once(0).chain(ends).collect()
}

/// A comment on the line above, or a further name in the one that stands there.
fn allow(ask: &Ask, finding: &Finding) -> CodeAction {
    let text = &ask.analysis.text;
    let line = text.line(finding.primary.span.start);
    let span = text.line_span(line);
    let name = finding.rule.name;
    let written = span.of(text.as_str());
    let indent = &written[..written.len() - written.trim_start().len()];
    let above = line.checked_sub(1).map(|l| text.line_span(l));
    let names_end = above.and_then(|above| {
        let words = above.of(text.as_str());
        words.trim_start().strip_prefix("// visa-lint: allow(")?;
        Some(above.start + words.find(')')? as u32)
    });
    let edit = if let Some(end) = names_end {
        Edit { span: Span::at(end), text: format!(", {name}") }
    } else {
        let end = if text.as_str()[span.end as usize..].starts_with("\r\n") { "\r\n" } else { "\n" };
        Edit { span: Span::at(span.start), text: format!("{indent}// visa-lint: allow({name}) {REASON}{end}") }
    };
    CodeAction { edit: Some(ask.edit(&[edit])), ..quick_fix(ask, finding, format!("Allow `{name}` here")) }
}

fn explain_rule(ask: &Ask, finding: &Finding) -> CodeAction {
    let name = finding.rule.name;
    let title = format!("Explain `{name}`");
    let command = Command {
        title: title.clone(),
        command: explain::COMMAND.to_owned(),
        arguments: Some(vec![json!(name)]),
        ..Command::default()
    };
    CodeAction { command: Some(command), ..quick_fix(ask, finding, title) }
}
