//! Static verifier and linter for Intel vISA, the virtual instruction set between Intel's GPU compilers and the
//! hardware.
//!
//! [`check`] reads a text and says what is wrong with it:
//!
//! ```
//! use visa_lint::{Level, Options, SourceFile, check};
//!
//! let text = "\
//! .version 4.1
//! .kernel \"k\"
//! .decl V32 v_type=G type=d num_elts=16 align=GRF
//!     mvo (M1, 16) V32(0,0)<1> 0x1:d
//!     ret (M1, 1)
//! ";
//! let checked = check(SourceFile::new("k.visaasm", text), None, &Options::default(), None);
//! let finding = &checked.file.findings[0].diagnostic;
//! assert_eq!((finding.rule.name, finding.level), ("unknown-instruction", Level::Error));
//! assert_eq!(finding.primary.span.of(text), "mvo");
//! assert_eq!(finding.full_text(), "unknown instruction `mvo`\nhelp: did you mean `mov`?");
//! ```
//!
//! [`Options`] says for which platforms the program is, and which rules are wanted at which level; [`checks::RULES`] lists
//! the rules, and [`spec::instructions`] what is known of each instruction. [`report`] writes findings as SARIF, JSON and
//! other formats, and [`report::miette`] shows them with that library.

mod api;
pub mod base;
pub mod checks;
#[doc(hidden)]
pub mod cli;
#[doc(hidden)]
pub mod config;
#[doc(hidden)]
pub mod host;
#[doc(hidden)]
pub mod interp;
#[doc(hidden)]
pub mod lower;
#[doc(hidden)]
pub mod lsp;
#[doc(hidden)]
pub mod matching;
#[doc(hidden)]
pub mod program;
#[doc(hidden)]
pub mod reading;
pub mod report;
pub mod spec;
#[doc(hidden)]
pub mod syntax;

pub use api::{Checked, check};
pub use base::diagnostic::Diagnostic;
pub use base::rule::{Level, Rule};
pub use base::source::SourceFile;
pub use checks::Options;
pub use spec::{Platform, PlatformSet};
