//! What the compiler says of kernels: the `.ze_info` section of its binaries, as YAML.

use super::ConfigError;
use crate::checks::KernelFacts;
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
struct Environment {
    slm_size: Option<u64>,
    required_work_group_size: Option<[u32; 3]>,
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

fn parse(text: &str) -> Result<FxHashMap<String, KernelFacts>, String> {
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
    let find = |arguments: &[Argument], kind: &str| arguments.iter().find(|a| a.arg_type == kind).map(|a| a.offset);
    // Arguments in local memory come on top, with sizes that only the caller knows.
    let has_more = kernel.payload_arguments.iter().any(|a| a.addrspace == "local");
    KernelFacts {
        local_size: kernel.execution_env.required_work_group_size.filter(|size| !size.contains(&0)),
        slm_bytes: kernel.execution_env.slm_size.filter(|_| !has_more),
        per_thread_bytes: kernel.per_thread_payload_arguments.iter().map(|a| a.offset + a.size).max().unwrap_or(0),
        local_ids: find(&kernel.per_thread_payload_arguments, "local_id"),
        local_size_at: find(&kernel.payload_arguments, "local_size"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INFO: &str = "---
version:         '1.20'
kernels:
  - name:            k
    execution_env:
      grf_count:       128
      required_work_group_size: [ 64, 2, 1 ]
      simd_size:       32
      slm_size:        1024
    payload_arguments:
      - arg_type:        global_id_offset
        offset:          0
        size:            12
      - arg_type:        local_size
        offset:          12
        size:            12
    per_thread_payload_arguments:
      - arg_type:        local_id
        offset:          0
        size:            192
  - name:            plain
    execution_env:
      slm_size:        64
    payload_arguments:
      - arg_type:        arg_bypointer
        offset:          0
        size:            8
        addrspace:       local
...
";

    #[test]
    fn facts_are_read_by_kernel() {
        let facts = parse(INFO).unwrap();
        let expected = KernelFacts {
            local_size: Some([64, 2, 1]),
            slm_bytes: Some(1024),
            per_thread_bytes: 192,
            local_ids: Some(0),
            local_size_at: Some(12),
        };
        assert_eq!(facts["k"], expected);
        assert_eq!(facts["plain"], KernelFacts::default());
    }

    #[test]
    fn another_file_is_refused_with_a_reason() {
        for text in ["mov (M1, 8) V32(0,0)<1> V33(0,0)<1;1,0>", "kernels: 3", "kernels: [", ""] {
            let reason = parse(text).unwrap_err();
            assert!(reason.starts_with("this is not what a compiler says of kernels"), "{text}: {reason}");
        }
    }
}
