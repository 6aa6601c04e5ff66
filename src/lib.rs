//! Static verifier and linter for Intel vISA, the virtual instruction set between Intel's GPU compilers and the
//! hardware.

mod api;
pub mod base;
pub mod checks;
pub mod cli;
pub mod config;
pub mod host;
pub mod interp;
pub mod lower;
pub mod lsp;
pub mod matching;
pub mod program;
pub mod report;
pub mod spec;
pub mod syntax;

pub use api::{Checked, check};
pub use base::source::SourceFile;
pub use checks::Options;
