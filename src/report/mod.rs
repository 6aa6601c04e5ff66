//! Findings for people and programs.

pub mod json;
pub mod miette;
pub mod short;
pub mod text;

use crate::base::diagnostic::Diagnostic;
use crate::base::rule::Level;
use crate::base::source::SourceFile;

/// The findings of one file.
#[derive(Debug)]
pub struct FileFindings {
    /// The file.
    pub source: SourceFile,
    /// Its findings, in the order of the text.
    pub findings: Vec<Finding>,
}

/// A finding with what the program says about its place.
#[derive(Debug)]
pub struct Finding {
    /// The finding.
    pub diagnostic: Diagnostic,
    /// The kernel or function that holds it; empty if none does.
    pub kernel: String,
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
}

impl Counts {
    /// Counts one finding.
    pub fn add(&mut self, level: Level) {
        match level {
            Level::Error => self.errors += 1,
            Level::Warning => self.warnings += 1,
            Level::Pedantic => self.pedantic += 1,
            Level::Off => {}
        }
    }
}
