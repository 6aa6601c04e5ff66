//! What the user knows of launches.

use crate::interp::launch::Places;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// What is known of launches, of all kernels and of some by name. The former wins.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LaunchFacts {
    /// The size of a group in work-items.
    pub local_size: Option<[u32; 3]>,
    /// Bytes of shared local memory that a group has.
    pub slm_bytes: Option<u64>,
    /// What is known of kernels by name.
    pub kernels: Arc<FxHashMap<String, KernelFacts>>,
}

/// What the compiler says of a kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KernelFacts {
    /// The size of a group in work-items.
    pub local_size: Option<[u32; 3]>,
    /// Bytes of shared local memory that a group has.
    pub slm_bytes: Option<u64>,
    /// Bytes of the inputs that each thread has for itself; they come first.
    pub per_thread_bytes: u32,
    /// Byte offset of the local ids among those.
    pub local_ids: Option<u32>,
    /// Byte offset of the group size among the inputs of all threads.
    pub local_size_at: Option<u32>,
}

impl LaunchFacts {
    /// Takes what later words say; they win over earlier ones.
    pub fn take(&mut self, later: &Self) {
        self.local_size = later.local_size.or(self.local_size);
        self.slm_bytes = later.slm_bytes.or(self.slm_bytes);
        if !later.kernels.is_empty() {
            self.kernels = Arc::clone(&later.kernels);
        }
    }
}

impl LaunchFacts {
    /// Whether the size of a group is known of any kernel.
    #[must_use]
    pub fn knows_sizes(&self) -> bool {
        self.local_size.is_some() || self.kernels.values().any(|kernel| kernel.local_size.is_some())
    }
}

impl KernelFacts {
    /// Where the inputs lie in a payload, of which register 0 is no part.
    #[must_use]
    pub(crate) fn places(&self, grf_bytes: u32) -> Option<Places> {
        Some(Places {
            local_ids: grf_bytes + self.local_ids?,
            local_size: self.local_size_at.map(|at| grf_bytes + self.per_thread_bytes + at),
        })
    }
}
