//! Tests of `config::ze_info`.

use visa_lint::checks::{BufferArgument, KernelFacts, Payload};
use visa_lint::config::ze_info::parse;

const INFO: &str = "---
version:         '1.20'
kernels:
  - name:            k
    execution_env:
      grf_count:       128
      required_work_group_size: [ 64, 2, 1 ]
      simd_size:       32
      inline_data_payload_size: 32
      slm_size:        1024
    payload_arguments:
      - arg_type:        global_id_offset
        offset:          0
        size:            12
      - arg_type:        local_size
        offset:          12
        size:            12
      - arg_type:        enqueued_local_size
        offset:          24
        size:            12
      - arg_type:        arg_bypointer
        offset:          36
        size:            8
        arg_index:       0
        addrmode:        stateless
        addrspace:       global
      - arg_type:        arg_bypointer
        offset:          0
        size:            0
        arg_index:       1
        addrmode:        stateful
        addrspace:       constant
      - arg_type:        buffer_address
        offset:          44
        size:            8
        arg_index:       1
      - arg_type:        buffer_offset
        offset:          52
        size:            4
        arg_index:       1
      - arg_type:        arg_bypointer
        offset:          56
        size:            8
        arg_index:       2
        addrmode:        stateless
        addrspace:       global
      - arg_type:        work_dimensions
        offset:          68
        size:            4
      - arg_type:        arg_bypointer
        offset:          64
        size:            4
        arg_index:       2
        addrmode:        bindless
        addrspace:       global
    per_thread_payload_arguments:
      - arg_type:        local_id
        offset:          0
        size:            192
    binding_table_indices:
      - bti_value:       3
        arg_index:       1
  - name:            plain
    execution_env:
      slm_size:        64
    payload_arguments:
      - arg_type:        arg_bypointer
        offset:          0
        size:            8
        addrspace:       local
kernels_misc_info:
  - name:            k
    args_info:
      - index:           0
        name:            out
...
";

#[test]
fn facts_are_read_by_kernel() {
    let facts = parse(INFO).unwrap();
    let expected = KernelFacts {
        local_size: Some([64, 2, 1]),
        slm_bytes: Some(1024),
        payload: Payload {
            per_thread_bytes: 192,
            local_ids: Some((0, 192)),
            global_offset: Some(0),
            local_sizes: [Some(12), None],
            enqueued_local_size: Some(24),
            work_dimensions: Some(68),
            inline_bytes: 32,
        },
        arguments: vec![
            BufferArgument {
                index: 0,
                name: Some("out".to_owned()),
                pointer: Some(36),
                offset: None,
                surface: None,
                state: None,
            },
            BufferArgument { index: 1, name: None, pointer: Some(44), offset: Some(52), surface: Some(3), state: None },
            BufferArgument { index: 2, name: None, pointer: Some(56), offset: None, surface: None, state: Some(64) },
        ],
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
