//! The command line: arguments, reading of input, running over files, output.

pub mod args;
mod baseline;
mod check;
mod console;
pub mod explain;
pub mod fix;
pub mod input;
mod messages;
mod output;
mod replace;
pub mod run;
mod settings;
mod since;
mod table;
mod values;

pub use run::main;
