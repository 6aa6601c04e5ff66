//! What the compiler says of kernels: the `.ze_info` section of its binaries, as YAML.

use super::ConfigError;
use crate::checks::{BufferArgument, KernelFacts, Payload};
use rustc_hash::FxHashMap;
use serde::Deserialize;
use std::path::Path;

/// The part of the file that says something about a launch.
#[derive(Deserialize)]
struct ZeInfo {
    kernels: Vec<Kernel>,
    #[serde(default)]
    kernels_misc_info: Vec<Names>,
}

/// The names of the arguments of a kernel.
#[derive(Deserialize)]
struct Names {
    name: String,
    #[serde(default)]
    args_info: Vec<NameOfArgument>,
}

#[derive(Deserialize)]
struct NameOfArgument {
    index: u32,
    name: String,
}

#[derive(Deserialize)]
struct SurfaceOfArgument {
    bti_value: u32,
    arg_index: u32,
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
    #[serde(default)]
    binding_table_indices: Vec<SurfaceOfArgument>,
}

#[derive(Deserialize, Default)]
#[expect(clippy::struct_field_names, reason = "the names of the file")]
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
    arg_index: Option<u32>,
    #[serde(default)]
    addrmode: String,
}

/// Reads such a file: what is known of each kernel, by name.
///
/// # Errors
/// If it cannot be read, or is not such a file.
pub fn read(file: &Path) -> Result<FxHashMap<String, KernelFacts>, ConfigError> {
    let text = super::find::read_text(file, super::find::MAX_WRITTEN)?;
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
    let names = info.kernels_misc_info;
    Ok(info.kernels.into_iter().map(|kernel| (kernel.name.clone(), facts(&kernel, &names))).collect())
}

/// The arguments of a kernel that are buffers.
fn buffers(kernel: &Kernel, names: &[Names]) -> Vec<BufferArgument> {
    let names = names.iter().find(|n| n.name == kernel.name);
    let of_kind = |index: u32, kind: &'static str| {
        kernel.payload_arguments.iter().find(move |a| a.arg_type == kind && a.arg_index == Some(index))
    };
    let is_buffer = |a: &&Argument| a.arg_type == "arg_bypointer" && matches!(&*a.addrspace, "global" | "constant");
    let buffer = |argument: &Argument| {
        let index = argument.arg_index?;
        let name = names.and_then(|n| n.args_info.iter().find(|i| i.index == index));
        // One for each mode in which the kernel reaches the buffer.
        let of_mode = |mode: &str| {
            let all = kernel.payload_arguments.iter().filter(is_buffer);
            all.into_iter().find(|a| a.arg_index == Some(index) && a.addrmode == mode)
        };
        Some(BufferArgument {
            index,
            name: name.map(|n| n.name.clone()),
            pointer: of_mode("stateless").or_else(|| of_kind(index, "buffer_address")).map(|a| a.offset),
            offset: of_kind(index, "buffer_offset").map(|a| a.offset),
            state: of_mode("bindless").map(|a| a.offset),
            surface: kernel.binding_table_indices.iter().find(|b| b.arg_index == index).map(|b| b.bti_value),
        })
    };
    let mut all: Vec<BufferArgument> = kernel.payload_arguments.iter().filter(is_buffer).filter_map(buffer).collect();
    all.dedup();
    all
}

fn facts(kernel: &Kernel, names: &[Names]) -> KernelFacts {
    let find =
        |arguments: &[Argument], kind: &str| arguments.iter().find(|a| a.arg_type == kind).map(|a| (a.offset, a.size));
    let place = |kind: &str| find(&kernel.payload_arguments, kind).map(|(offset, _)| offset);
    let mut all_sizes = kernel.payload_arguments.iter().filter(|a| a.arg_type == "local_size").map(|a| a.offset);
    // Arguments in local memory come on top, with sizes that only the caller knows.
    let has_more = kernel.payload_arguments.iter().any(|a| a.addrspace == "local");
    KernelFacts {
        local_size: kernel.execution_env.required_work_group_size.filter(|size| !size.contains(&0)),
        slm_bytes: kernel.execution_env.slm_size.filter(|_| !has_more),
        arguments: buffers(kernel, names),
        payload: Payload {
            per_thread_bytes: kernel.per_thread_payload_arguments.iter().map(|a| a.offset + a.size).max().unwrap_or(0),
            local_ids: find(&kernel.per_thread_payload_arguments, "local_id"),
            global_offset: place("global_id_offset"),
            local_sizes: [all_sizes.next(), all_sizes.next()],
            enqueued_local_size: place("enqueued_local_size"),
            work_dimensions: place("work_dimensions"),
            inline_bytes: kernel.execution_env.inline_data_payload_size,
        },
    }
}
