//! What a person asks of a dump: which bytes an operand takes, what wrote them last, what
//! reads them next, how many registers are live.
//!
//! Everything here counts bytes of the variable at the end of the alias chain, for one register size. Nothing is reported.

pub mod bytes;
pub mod drawing;
pub mod elements;
pub mod pressure;
pub mod reach;
pub mod touches;

pub use bytes::Bytes;
pub use pressure::{Live, Pressure};
pub use touches::{Touch, Touches};
