//! The generated tables.

#[allow(clippy::wildcard_imports)]
use super::{
    expression::*, family::*, instruction::*, names::*, operation::Operation, platform::*, predefined::*, types::*,
};

include!(concat!(env!("OUT_DIR"), "/tables.rs"));
