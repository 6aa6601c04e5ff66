//! Findings as [`miette::Diagnostic`], for programs that report with miette.

use crate::base::diagnostic::Diagnostic;
use crate::base::rule::Level;
use crate::base::source::SourceFile;
use miette::{LabeledSpan, NamedSource, Severity, SourceCode};
use std::fmt;

/// A finding together with its text.
///
/// ```
/// use visa_lint::base::source::SourceFile;
/// use visa_lint::checks::{self, Options};
/// use visa_lint::report::miette::Report;
///
/// let file = SourceFile::new("k.visaasm", ".version 4.1\n.kernel \"k\"\nrett (M1, 1)\n");
/// let findings = checks::check(&file.text, &Options::default());
/// let report = Report::new(&file, &findings[0]);
/// assert_eq!(report.to_string(), "unknown instruction `rett`");
/// ```
#[derive(Debug)]
pub struct Report {
    diagnostic: Diagnostic,
    source: NamedSource<String>,
}

impl Report {
    /// The finding with a copy of its text.
    #[must_use]
    pub fn new(file: &SourceFile, diagnostic: &Diagnostic) -> Self {
        Self { diagnostic: diagnostic.clone(), source: NamedSource::new(&file.name, file.text.clone()) }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.diagnostic.message)
    }
}

impl std::error::Error for Report {}

impl miette::Diagnostic for Report {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new(self.diagnostic.rule.name))
    }

    fn severity(&self) -> Option<Severity> {
        Some(match self.diagnostic.level {
            Level::Error => Severity::Error,
            Level::Warning => Severity::Warning,
            Level::Pedantic | Level::Off => Severity::Advice,
        })
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        let mut lines: Vec<&str> = self.diagnostic.notes.iter().map(String::as_str).collect();
        lines.extend(self.diagnostic.help.as_deref());
        (!lines.is_empty()).then(|| Box::new(lines.join("\n")) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(&self.source)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let primary = std::iter::once(&self.diagnostic.primary);
        Some(Box::new(primary.chain(&self.diagnostic.secondary).map(|l| {
            let text = (!l.text.is_empty()).then(|| l.text.clone());
            LabeledSpan::new(text, l.span.start as usize, l.span.len() as usize)
        })))
    }
}
