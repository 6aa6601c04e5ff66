//! Abstract execution: what a kernel computes, as far as that does not depend on its inputs.
//!
//! Each room knows only those before it: `domain` holds the values and conditions, `launch` what is known of the
//! threads, `state` what is held at one place of the program, `transfer` what an instruction does to a state, `claims`
//! what is said about it, `flow` how lanes go through the text and what changes on the way, `ask` the questions that
//! others may ask. docs/abstract-execution.md explains how all that works, and why it is right.

mod ask;
pub mod claims;
pub mod domain;
pub mod flow;
pub mod launch;
pub mod state;
pub mod transfer;

pub use ask::{Further, look, races, run, trace};
pub use claims::facts::{self, Fact, FactKind, Facts};
pub use launch::{Launch, Lives, Thread};
pub use transfer::{IndirectFault, Observed};
