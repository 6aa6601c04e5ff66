//! What the user knows of launches.

pub use crate::interp::launch::Payload;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What is known of launches, of all kernels and of some by name. The former wins.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LaunchFacts {
    /// The size of a group in work-items.
    pub local_size: Option<[u32; 3]>,
    /// Bytes of shared local memory that a group has.
    pub slm_bytes: Option<u64>,
    /// Bytes of buffers, by the name of the argument, the variable, or the surface (`bti0`).
    pub buffers: BTreeMap<String, u64>,
    /// Whether these sizes are given for several files, of which each may have some of the buffers.
    pub serves_many: bool,
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
    /// The arguments that are buffers.
    pub arguments: Vec<BufferArgument>,
}

/// What the compiler says of an argument that is a buffer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BufferArgument {
    /// Its place among the arguments, counted from 0.
    pub index: u32,
    /// Its name in the source, if the compiler says it.
    pub name: Option<String>,
    /// Byte offset of the pointer among the inputs that all threads have in common.
    pub pointer: Option<u32>,
    /// Byte offset of the number of bytes that the buffer begins behind its surface, among those inputs.
    pub offset: Option<u32>,
    /// The surface.
    pub surface: Option<u32>,
    /// Byte offset of what says where the state of its surface is, among those inputs.
    pub state: Option<u32>,
}

impl LaunchFacts {
    /// Takes what later words say; they win over earlier ones.
    pub fn take(&mut self, later: &Self) {
        self.local_size = later.local_size.or(self.local_size);
        self.slm_bytes = later.slm_bytes.or(self.slm_bytes);
        self.buffers.extend(later.buffers.iter().map(|(name, bytes)| (name.clone(), *bytes)));
        self.serves_many |= later.serves_many;
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
