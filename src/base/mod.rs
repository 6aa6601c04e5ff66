//! What every layer needs: spans, symbols, source text, typed ids, diagnostics as plain data.

pub mod diagnostic;
pub mod fix;
pub mod id;
pub mod printable;
pub mod rule;
pub mod source;
pub mod span;
pub mod spelling;
pub mod symbol;
pub mod tally;
pub mod unique;
pub mod wrap;
