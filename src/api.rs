//! What other programs call: a text and options in, findings out.

use crate::base::diagnostic::Diagnostic;
use crate::base::source::SourceFile;
use crate::base::span::Span;
use crate::checks::timing::Part;
use crate::checks::{self, Options, Outcome};
use crate::host::{self, Language};
use crate::lower;
use crate::matching::Shape;
use crate::program::{ObjectKind, Program};
use crate::report::{FileFindings, Finding, Suppressed};

/// A text that was checked.
#[derive(Debug)]
pub struct Checked {
    /// Its findings.
    pub file: FileFindings,
    /// Kernels and functions in it; statements of a host source.
    pub n_kernels: usize,
    /// Instructions in it.
    pub n_instructions: usize,
    /// The places of the kernels and functions, or of the statements of a host source, in the order of the text.
    pub regions: Vec<Span>,
}

/// Checks a text. `language` is that of a host source; `invalid_byte` is the first byte that was not UTF-8.
///
/// ```
/// use visa_lint::{Options, SourceFile, check};
///
/// let text = ".version 4.1\n.kernel \"k\"\n.kernel_attr Target=\"cm\"\n.function \"m\"\nm:\n    rett (M1, 1)\n";
/// let checked = check(SourceFile::new("k.visaasm", text), None, &Options::default(), None);
/// let rules: Vec<&str> = checked.file.findings.iter().map(|found| found.diagnostic.rule.name).collect();
/// assert_eq!(rules, ["unknown-instruction"]);
/// ```
#[must_use]
pub fn check(source: SourceFile, language: Option<Language>, options: &Options, invalid_byte: Option<u32>) -> Checked {
    let text = &source.text;
    if let Some(language) = language {
        let host = options.during(Part::Reading, || host::read(text, language, options.sub_group));
        let outcome = checks::fragment::check_host(text, &host, options, invalid_byte);
        let (findings, suppressed) = settled(outcome, |offset| host.function_at(offset), || Shape::of_lines(text));
        return Checked {
            n_kernels: host.fragments.len(),
            n_instructions: host.fragments.iter().map(|f| f.program.instructions.len()).sum(),
            regions: host.fragments.iter().map(|f| f.raw.span).collect(),
            file: FileFindings { source, findings, suppressed, known: None },
        };
    }
    let read = || if options.in_full { lower::lower_in_full(text) } else { lower::lower(text) };
    let program = options.during(Part::Reading, read);
    let outcome = checks::check_in_full(text, &program, options, invalid_byte);
    let (findings, suppressed) =
        settled(outcome, |offset| program.kernel_at(offset), || Shape::of_program(text, &program));
    Checked {
        n_kernels: program.objects.iter().filter(|o| o.kind != ObjectKind::Missing).count(),
        n_instructions: program.instructions.len(),
        regions: regions(text, &program),
        file: FileFindings { source, findings, suppressed, known: None },
    }
}

/// What was found, with what the program says about each place.
fn settled<'k>(
    outcome: Outcome,
    kernel_at: impl Fn(u32) -> &'k str,
    shape: impl FnOnce() -> Shape,
) -> (Vec<Finding>, Vec<Suppressed>) {
    if outcome.diagnostics.is_empty() && outcome.suppressed.is_empty() {
        return (Vec::new(), Vec::new());
    }
    let shape = shape();
    let finding = |diagnostic: Diagnostic| {
        let offset = diagnostic.primary.span.start;
        Finding { kernel: kernel_at(offset).to_owned(), identity: shape.identity(offset), diagnostic, drawing: None }
    };
    let suppressed =
        outcome.suppressed.into_iter().map(|s| Suppressed { finding: finding(s.diagnostic), reason: s.reason });
    (outcome.diagnostics.into_iter().map(finding).collect(), suppressed.collect())
}

/// Where the kernels and functions stand: each ends where the next one begins.
fn regions(text: &str, program: &Program) -> Vec<Span> {
    let objects = program.objects.as_slice();
    let ends = objects.iter().skip(1).map(|next| next.span.start).chain([text.len() as u32]);
    objects.iter().zip(ends).map(|(object, end)| Span::new(object.span.start, end)).collect()
}
