//! The command line: arguments, reading of input, running over files, output.

pub mod args;
mod baseline;
mod cache;
mod check;
mod compare;
mod completions;
mod console;
mod container;
mod drawings;
pub mod explain;
pub mod fix;
pub mod input;
mod job;
mod merge;
mod messages;
mod neighbours;
mod output;
mod pages;
mod replace;
mod reports;
mod resolve;
pub mod run;
mod settings;
mod since;
pub mod stats;
mod status;
mod summary;
pub mod table;
mod timings;
mod trend;
mod values;
mod watch;

pub use run::main;
