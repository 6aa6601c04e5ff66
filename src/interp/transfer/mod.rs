//! What each instruction makes of a state. Nothing here knows of facts; what an instruction comes across is observed
//! ([`crate::interp::state::Observed`]).
//!
//! See docs/abstract-execution.md, "What instructions do".

mod address;
mod alu;
pub mod barrier;
pub mod call;
mod copies;
mod elementwise;
mod integer;
pub mod limits;
mod load;
pub mod lsc;
pub mod message;
pub mod operand;
mod predicate;
pub mod relevant;
mod state_variable;
