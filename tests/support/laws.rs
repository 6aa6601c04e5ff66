//! Laws that hold for every text. The tests look at them with the texts at hand, the fuzzer with any other.

use visa_lint::base::diagnostic::Diagnostic;
use visa_lint::base::printable::is_harmful;
use visa_lint::base::rule::Level;
use visa_lint::base::source::SourceFile;
use visa_lint::checks::{self, Options};
use visa_lint::cli::fix::fix_all;
use visa_lint::host::{self, Language};

/// One line for each finding.
fn listing(text: &str, findings: &[Diagnostic]) -> String {
    let file = SourceFile::new("", text);
    let line = |d: &Diagnostic| {
        let (line, column) = file.position(d.primary.span.start);
        format!("{line}:{column}: {}[{}]: {}\n", d.level.word(), d.rule.name, d.message)
    };
    findings.iter().map(line).collect()
}

/// With everything that can be found.
pub fn pedantic() -> Options {
    Options { pedantic: true, ..Options::default() }
}

/// The same for a host source in that language.
pub fn pedantic_host(language: Language) -> Options {
    Options { host: Some(language), ..pedantic() }
}

/// What is found in a text: in its fragments, if it is a host source.
fn findings(text: &str, options: &Options) -> Vec<Diagnostic> {
    let Some(language) = options.host else { return checks::check(text, options) };
    checks::fragment::check_host(text, &host::read(text, language, options.sub_group), options, None).diagnostics
}

/// What is wrong with the findings of a text: places outside of it, a wrong order, words that play with a terminal.
pub fn check(text: &str, options: &Options) -> Option<String> {
    let findings = findings(text, options);
    if !findings.is_sorted_by_key(|d| d.primary.span) {
        return Some(format!("the findings are out of order:\n{}", listing(text, &findings)));
    }
    findings.iter().find_map(|d| {
        let places = std::iter::once(d.primary.span).chain(d.secondary.iter().map(|l| l.span));
        let edits = d.fix.iter().flat_map(|f| &f.edits).map(|e| e.span);
        let is_outside = places.chain(edits).any(|span| text.get(span.range()).is_none());
        let words = std::iter::once(&d.message).chain(&d.notes).chain(&d.help).chain([&d.primary.text]);
        let is_unclean = words.into_iter().any(|words| words.contains(is_harmful));
        (is_outside || is_unclean).then(|| format!("a finding that cannot be shown: {d:?}"))
    })
}

/// What is wrong with mending a text: it comes to no end.
pub fn fix(text: &str, options: &Options) -> Option<String> {
    let fixed = fix_all(text, options);
    let new = fixed.as_ref().map_or(text, |(new, _)| new);
    let left = findings(new, options);
    let is_certain = |d: &&Diagnostic| d.fix.as_ref().is_some_and(|f| f.certain && !f.edits.is_empty());
    let certain: Vec<Diagnostic> = left.iter().filter(is_certain).cloned().collect();
    if !certain.is_empty() {
        return Some(format!("certain fixes are left:\n{}", listing(new, &certain)));
    }
    if let Some((again, _)) = fix_all(new, options) {
        return Some(format!("the second time changes\n{new}\nto\n{again}"));
    }
    None
}

/// What mending a text adds: more errors than there were.
pub fn fix_adds_no_error(text: &str, options: &Options) -> Option<String> {
    let (new, _) = fix_all(text, options)?;
    let errors = |text: &str| {
        let mut found = findings(text, options);
        found.retain(|d| d.level == Level::Error);
        found
    };
    let (before, after) = (errors(text), errors(&new));
    (after.len() > before.len())
        .then(|| format!("errors are added:\n{}before:\n{}", listing(&new, &after), listing(text, &before)))
}
