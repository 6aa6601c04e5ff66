//! What the compiler says of kernels: the `.ze_info` section of its binaries, as YAML.

use super::ConfigError;
use crate::checks::{KernelFacts, Payload};
use rustc_hash::FxHashMap;
use serde::Deserialize;
use std::path::Path;

/// The part of the file that says something about a launch.
#[derive(Deserialize)]
struct ZeInfo {
    kernels: Vec<Kernel>,
}

#[derive(Deserialize)]
struct Kernel {
    name: String,
    #[serde(default)]
    execution_env: Environment,
    #[serde(default)]
    payload_arguments: Vec<Argument>,
    #[serde(default)]
    per_thread_payload_arguments: Vec<Argument>,
}

#[derive(Deserialize, Default)]
#[allow(clippy::struct_field_names)] // the names of the file
struct Environment {
    slm_size: Option<u64>,
    required_work_group_size: Option<[u32; 3]>,
    #[serde(default)]
    inline_data_payload_size: u32,
}

#[derive(Deserialize)]
struct Argument {
    arg_type: String,
    #[serde(default)]
    offset: u32,
    #[serde(default)]
    size: u32,
    #[serde(default)]
    addrspace: String,
}

/// Reads such a file: what is known of each kernel, by name.
///
/// # Errors
/// If it cannot be read, or is not such a file.
pub fn read(file: &Path) -> Result<FxHashMap<String, KernelFacts>, ConfigError> {
    let text = super::find::read_text(file)?;
    parse(&text).map_err(|reason| ConfigError::plain(file, reason))
}

/// What the text of such a file says of each kernel, by name.
///
/// # Errors
/// Why it is no such text.
pub fn parse(text: &str) -> Result<FxHashMap<String, KernelFacts>, String> {
    let info: ZeInfo = serde_saphyr::from_str(text).map_err(|error| {
        let reason = error.without_snippet().to_string();
        format!(
            "this is not what a compiler says of kernels (`.ze_info`): {}",
            reason.lines().next().unwrap_or_default()
        )
    })?;
    Ok(info.kernels.into_iter().map(|kernel| (kernel.name.clone(), facts(&kernel))).collect())
}

fn facts(kernel: &Kernel) -> KernelFacts {
    let find =
        |arguments: &[Argument], kind: &str| arguments.iter().find(|a| a.arg_type == kind).map(|a| (a.offset, a.size));
    let place = |kind: &str| find(&kernel.payload_arguments, kind).map(|(offset, _)| offset);
    // Arguments in local memory come on top, with sizes that only the caller knows.
    let has_more = kernel.payload_arguments.iter().any(|a| a.addrspace == "local");
    KernelFacts {
        local_size: kernel.execution_env.required_work_group_size.filter(|size| !size.contains(&0)),
        slm_bytes: kernel.execution_env.slm_size.filter(|_| !has_more),
        payload: Payload {
            per_thread_bytes: kernel.per_thread_payload_arguments.iter().map(|a| a.offset + a.size).max().unwrap_or(0),
            local_ids: find(&kernel.per_thread_payload_arguments, "local_id"),
            global_offset: place("global_id_offset"),
            local_size: place("local_size"),
            enqueued_local_size: place("enqueued_local_size"),
            inline_bytes: kernel.execution_env.inline_data_payload_size,
        },
    }
}
