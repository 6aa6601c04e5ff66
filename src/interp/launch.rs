//! What is known of the launch of a kernel.

/// What is known of the launch.
#[derive(Clone, Debug, Default)]
pub struct Launch {
    /// The size of a group in work-items, if it is known.
    pub local_size: Option<[u32; 3]>,
    /// Bytes of shared local memory, if they are known.
    pub slm_bytes: Option<u64>,
    /// Whether every lane is dispatched: the target is `cm`.
    pub dispatches_all: bool,
    /// Instructions with faults, ascending: what they do is not known.
    pub faulty: Vec<u32>,
}

impl Launch {
    /// Whether an instruction has a fault.
    #[must_use]
    pub fn is_faulty(&self, instruction: u32) -> bool {
        self.faulty.binary_search(&instruction).is_ok()
    }

    /// Whether lanes may exist that were not dispatched.
    #[must_use]
    pub const fn may_skip_lanes(&self) -> bool {
        !self.dispatches_all
    }
}
