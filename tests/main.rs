//! All tests: one binary.

#![expect(clippy::needless_pass_by_value, reason = "what a test sends or expects is written where it is used")]

mod bounds;
mod cases;
mod ci;
mod cli;
mod cli_cache;
mod cli_compare;
mod cli_config;
mod cli_container;
#[cfg(unix)]
mod cli_files;
mod cli_known;
mod cli_reports;
#[cfg(unix)]
mod cli_terminal;
mod compiler_output;
mod completions;
mod coverage;
mod dataflow;
mod editors;
mod expressions;
mod fixes;
mod generator;
mod host;
mod host_depth;
mod host_escapes;
mod host_nested;
mod host_operands;
mod host_suppression;
mod host_texts;
mod host_tokens;
mod in_groups;
mod launch;
mod layers;
mod lsp;
mod mnemonics;
mod mutations;
mod pages;
mod races;
mod readme;
mod recovery;
mod reports;
mod reread;
mod rules;
mod snapshots;
mod soundness;
mod support;
mod suppression;
mod tables;
mod threads;
mod unit;
mod variations;
mod words;
