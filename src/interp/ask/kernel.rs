//! The kernel whose threads are executed one after another.

use crate::interp::launch::{Group, Launch};
use crate::program::{ControlFlow, Object, Program};

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
}
