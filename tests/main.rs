//! All tests that are not beside the code: one binary.

mod cases;
mod cli;
mod compiler_output;
mod generator;
mod layers;
mod lsp;
mod recovery;
mod rules;
mod snapshots;
mod support;
mod tables;
mod tables_context;
