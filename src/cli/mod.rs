//! The command line: arguments, reading of input, running over files, output.

pub mod args;
mod check;
pub mod explain;
pub mod fix;
pub mod input;
mod messages;
pub mod run;
mod settings;
mod table;

pub use run::main;
