//! What is held at one point of the program: variables, predicates, active lanes, and the conditions that they depend on.
//!
//! See docs/abstract-execution.md, "What a state stands for".

mod access;
mod activity;
pub mod barriers;
mod change;
pub mod common;
pub mod content;
mod context;
mod join;
mod machine;
pub mod memory;
mod paths;
pub mod recent;
mod variables;
mod words;

pub(in crate::interp) use access::first_undefined;
pub use access::{Location, Undefined, lane_after_lane};
pub use activity::{Flow, reads_predicate};
pub use change::Change;
pub use common::{Buffer, Common, Surface};
pub use context::Context;
pub use machine::{Machine, PartingLoop, Reader, State};
pub use paths::Path;
pub(in crate::interp) use paths::{FirstTurn, SecondTurn};
pub(in crate::interp) use variables::{GROUP_ID_NAMES, GROUP_IDS};
