//! The kernel whose threads are executed one after another.

use crate::interp::claims::touched::AllTouched;
use crate::interp::launch::{Group, Launch};
use crate::interp::state::Common;
use crate::program::{ControlFlow, Object, Program};

/// What is known of memory when threads are executed one after another, if one has been executed to find that out.
#[derive(Default)]
pub(super) struct First {
    /// What is stored to.
    pub common: Common,
    /// What each message touches.
    pub touched: AllTouched,
}

/// What is executed.
#[derive(Clone, Copy)]
pub(super) struct Kernel<'a> {
    pub program: &'a Program,
    pub object: &'a Object,
    pub grf_bytes: u32,
    pub launch: &'a Launch,
    pub group: &'a Group,
    pub flow: &'a ControlFlow,
    /// Threads that come first.
    pub near: &'a [u32],
    /// What is known of memory before.
    pub first: &'a First,
}
