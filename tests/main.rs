//! All tests that are not beside the code: one binary.

mod cases;
mod cli;
mod cli_config;
mod cli_reports;
mod compiler_output;
mod generator;
mod layers;
mod recovery;
mod reports;
mod rules;
mod snapshots;
mod suppression;
mod support;
mod tables;
mod tables_context;
