//! What the user knows of launches.

pub use crate::interp::launch::Payload;
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
    /// Where its inputs are.
    pub payload: Payload,
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
