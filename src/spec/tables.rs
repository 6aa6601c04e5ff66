//! The generated tables.

#[allow(clippy::wildcard_imports, reason = "the generated tables name most types")]
use super::{
    expression::*,
    family::*,
    instruction::*,
    layout::{ByUse, Factor, Front, Held, LayoutRow},
    names::*,
    operation::Operation,
    platform::*,
    predefined::*,
    types::*,
};

include!(concat!(env!("OUT_DIR"), "/tables.rs"));
