//! Findings for people and programs.

mod excerpt;
pub mod fingerprint;
pub mod github;
pub mod gitlab;
pub mod html;
pub mod json;
pub mod junit;
pub mod miette;
pub mod sarif;
pub mod short;
pub mod text;

use crate::base::diagnostic::Diagnostic;
use crate::base::printable;
use crate::base::rule::{Level, Rule};
use crate::base::source::SourceFile;
use crate::matching::{Entry, Identity};
use serde::Serialize;

/// The findings of one file.
#[derive(Debug)]
pub struct FileFindings {
    /// The file.
    pub source: SourceFile,
    /// Its findings, in the order of the text.
    pub findings: Vec<Finding>,
    /// What a comment in the text says not to report.
    pub suppressed: Vec<Suppressed>,
    /// Findings that a baseline knows; nothing if there is no baseline.
    pub known: Option<Vec<Finding>>,
}

impl FileFindings {
    /// A file in which nothing was found.
    #[must_use]
    pub const fn clean(source: SourceFile) -> Self {
        Self { source, findings: Vec::new(), suppressed: Vec::new(), known: None }
    }
}

/// A finding with what the program says about its place.
#[derive(Debug)]
pub struct Finding {
    /// The finding.
    pub diagnostic: Diagnostic,
    /// The kernel or function that holds it; empty if none does.
    pub kernel: String,
    /// What stays the same of its place while the text around it changes.
    pub identity: Identity,
    /// The elements and lanes of the operand in question, drawn in lines of text, for reports that have room for it.
    pub drawing: Option<String>,
}

/// A finding that a comment in the text suppresses.
#[derive(Debug)]
pub struct Suppressed {
    /// The finding.
    pub finding: Finding,
    /// Why, in the words of the comment; may be empty.
    pub reason: String,
}

/// Something that could not be checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Its path.
    pub path: String,
    /// Why, in words.
    pub reason: String,
}

/// How reports are written.
#[derive(Clone, Debug)]
pub struct Style {
    /// Escape sequences for colours.
    pub color: bool,
    /// Names of rules as links in the terminal.
    pub links: bool,
    /// Columns of the terminal; text is then cut between words, and long lines around the place in question.
    pub columns: Option<usize>,
    /// Findings at this level and above make a run fail.
    pub fails_at: Level,
    /// Every rule, for the formats that list them.
    pub rules: &'static [&'static Rule],
    /// Where the pages of rules stand, if they are not to lead to the manual.
    pub pages: Option<String>,
}

impl Default for Style {
    fn default() -> Self {
        Self { color: false, links: false, columns: None, fails_at: Level::Error, rules: &[], pages: None }
    }
}

/// The forms of reports. A report is a head, the parts of the files with a separator between them, and a tail; parts
/// can be written in any order and put together afterwards.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// With the lines of the text.
    Text,
    /// One line each.
    Short,
    /// One JSON object each.
    Json,
    /// SARIF 2.1.0.
    Sarif,
    /// Commands that GitHub turns into annotations.
    Github,
    /// The code quality report of GitLab.
    Gitlab,
    /// `JUnit` XML.
    Junit,
    /// One page with filters.
    Html,
}

impl Format {
    /// Whether people read it; what goes beyond findings may then stand beside it.
    #[must_use]
    pub const fn is_for_people(self) -> bool {
        match self {
            Self::Text | Self::Short | Self::Github => true,
            Self::Json | Self::Sarif | Self::Gitlab | Self::Junit | Self::Html => false,
        }
    }

    /// Appends what stands before the files.
    pub fn head(self, style: &Style, out: &mut String) {
        match self {
            Self::Text | Self::Short | Self::Json | Self::Github => {}
            Self::Sarif => sarif::head(style, out),
            Self::Gitlab => gitlab::head(out),
            Self::Junit => junit::head(out),
            Self::Html => html::head(out),
        }
    }

    /// Appends the part of a file; nothing if there is nothing to say.
    pub fn file(self, file: &FileFindings, style: &Style, out: &mut String) {
        match self {
            Self::Text => text::write(file, style, out),
            Self::Short => short::write(file, out),
            Self::Json => json::write(file, out),
            Self::Sarif => sarif::write(file, style, out),
            Self::Github => github::write(file, out),
            Self::Gitlab => gitlab::write(file, out),
            Self::Junit => junit::write(file, style, out),
            Self::Html => html::write(file, style, out),
        }
    }

    /// Appends what says that known findings are gone; nothing in most formats.
    pub fn gone(self, gone: &[Entry], style: &Style, out: &mut String) {
        match self {
            Self::Sarif => sarif::gone(gone, style, out),
            Self::Text | Self::Short | Self::Json | Self::Github | Self::Gitlab | Self::Junit | Self::Html => {}
        }
    }

    /// What stands between the parts of two files that say something.
    #[must_use]
    pub const fn separator(self) -> &'static str {
        match self {
            Self::Sarif | Self::Gitlab | Self::Html => ",\n",
            Self::Text | Self::Short | Self::Json | Self::Github | Self::Junit => "",
        }
    }

    /// Appends what stands after the files; the formats with a place for it name what could not be checked.
    pub fn tail(self, failures: &[Failure], out: &mut String) {
        match self {
            Self::Text | Self::Short | Self::Json => {}
            Self::Sarif => sarif::tail(failures, out),
            Self::Github => github::tail(failures, out),
            Self::Gitlab => gitlab::tail(out),
            Self::Junit => junit::tail(failures, out),
            Self::Html => html::tail(failures, out),
        }
    }
}

/// Findings by level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// At level error.
    pub errors: usize,
    /// At level warning.
    pub warnings: usize,
    /// At level pedantic.
    pub pedantic: usize,
    /// Suppressed in the text, at any level.
    pub suppressed: usize,
    /// Known to the baseline, at any level.
    pub known: usize,
}

impl Counts {
    /// The findings of a file.
    #[must_use]
    pub fn of(file: &FileFindings) -> Self {
        let mut counts = Self {
            suppressed: file.suppressed.len(),
            known: file.known.as_ref().map_or(0, Vec::len),
            ..Self::default()
        };
        for finding in &file.findings {
            match finding.diagnostic.level {
                Level::Error => counts.errors += 1,
                Level::Warning => counts.warnings += 1,
                Level::Pedantic => counts.pedantic += 1,
                Level::Off => {}
            }
        }
        counts
    }

    /// Adds those of another file.
    pub fn add(&mut self, other: Self) {
        self.errors += other.errors;
        self.warnings += other.warnings;
        self.pedantic += other.pedantic;
        self.suppressed += other.suppressed;
        self.known += other.known;
    }
}

/// A path as formats for other programs write it: with slashes, without a leading `./`.
#[must_use]
pub fn portable(path: &str) -> String {
    let path = if cfg!(windows) { path.replace('\\', "/") } else { path.to_owned() };
    path.strip_prefix("./").map_or(path.clone(), str::to_owned)
}

/// A value as JSON. Characters that are harmful to a terminal are written as escapes, which JSON
/// readers turn back.
#[must_use]
pub fn json_text(value: &impl Serialize) -> String {
    // What is serialised here are strings, numbers and lists of them, which always serialise.
    let text = serde_json::to_string(value).unwrap_or_default();
    // Only strings hold such characters, and all of these are below U+10000.
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) || !text.contains(printable::is_harmful) {
        return text;
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if printable::is_harmful(c) {
            out += &format!("\\u{:04x}", u32::from(c));
        } else {
            out.push(c);
        }
    }
    out
}
