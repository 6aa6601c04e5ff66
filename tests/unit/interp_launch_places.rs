//! Where kernels find sizes and ids, as `rules/launch.toml` says, beside what the compiler says in `.ze_info`.

use crate::support::{files, tests_folder};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use visa_lint::config::ze_info;
use visa_lint::interp::launch::{Layout, Places};
use visa_lint::lower::lower;
use visa_lint::spec::PlatformSet;

/// The places in a dump as the table and as the compiler says.
fn places(file: &Path) -> (Option<Places>, Option<Places>) {
    let text = std::fs::read_to_string(file).expect("a readable file");
    let info = std::fs::read_to_string(file.with_extension("ze_info")).expect("a file of the compiler beside it");
    let info = ze_info::parse(&info).expect("a file of the compiler");
    let program = lower(&text);
    let object = program.objects.iter().next().expect("a kernel");
    let payload = info[program.names.name(object.name)].payload;
    let first = program.inputs.iter().map(|input| input.offset).min().unwrap_or(32);
    let grf_bytes = u32::try_from(first).expect("a place behind register 0");
    let of = |said| {
        let layout = Layout::new([64, 2, 2], said, (&program, object), grf_bytes, PlatformSet::ALL)?;
        layout.places().cloned()
    };
    (of(None), of(Some(&payload)))
}

#[test]
fn the_table_says_what_the_compiler_says() {
    let (mut n_sizes, mut n_offsets, mut n_missed) = (0, 0, 0);
    let folder = tests_folder().join("launch");
    let all = files(&folder, "visaasm");
    assert!(all.len() >= 40, "{} kernels", all.len());
    for file in all {
        let (by_table, said) = places(&file);
        let Some(said) = said else {
            // Without local ids there is nothing to find.
            assert_eq!(by_table, None, "{}", file.display());
            continue;
        };
        let by_table = by_table.unwrap_or_else(|| panic!("{}: {said:?}", file.display()));
        assert_eq!(
            (by_table.local_ids, by_table.n_dimensions, by_table.offset),
            (said.local_ids, said.n_dimensions, said.offset),
            "{}",
            file.display()
        );
        let sizes: BTreeSet<u32> = said.sizes.iter().copied().collect();
        let found: BTreeSet<u32> = by_table.sizes.iter().copied().collect();
        assert!(found.is_subset(&sizes), "{}: {found:?} are not all among {sizes:?}", file.display());
        n_sizes += found.len();
        n_missed += sizes.len() - found.len();
        n_offsets += usize::from(by_table.offset.is_some());
    }
    // A size behind the arguments that multiplies nothing looks like the number of groups.
    assert_eq!((n_sizes, n_missed), (35, 12), "sizes that were found, and others");
    assert!(n_offsets >= 25, "{n_offsets} offsets");
}

/// Byte offset of what all threads have in common in a SIMD16 kernel with these inputs, each of a type, elements and offset.
fn shared_from(inputs: &[(&str, u32, u32)], attributes: &str) -> Option<i64> {
    let (mut declared, mut given) = (String::new(), String::new());
    for (i, (kind, n, at)) in inputs.iter().enumerate() {
        let bytes = n * if kind.ends_with('w') { 2 } else { 4 };
        let _ = writeln!(declared, ".decl in{i} v_type=G type={kind} num_elts={n} align=GRF");
        let _ = writeln!(given, ".input in{i} offset={at} size={bytes}");
    }
    let text = format!(
        ".version 4.2\n.kernel \"k\"\n{declared}{given}.kernel_attr Target=\"3d\"\n.kernel_attr SimdSize=16\n{attributes}\
         .function \"m\"\nm:\nret (M1, 1)\n"
    );
    let program = lower(&text);
    assert!(program.diagnostics.is_empty(), "{text}: {:?}", program.diagnostics);
    let object = program.objects.iter().next().expect("a kernel");
    let layout = Layout::new([64, 1, 1], None, (&program, object), 32, PlatformSet::ALL).expect("a kernel with lanes");
    layout.shared_from()
}

#[test]
fn what_threads_have_in_common_comes_behind_their_own_inputs() {
    let ids = [("w", 16, 32), ("w", 16, 64), ("w", 16, 96)];
    assert_eq!(shared_from(&ids, ""), Some(128));
    assert_eq!(shared_from(&ids[..2], ".kernel_attr PerThreadInputSize=64\n"), Some(96));
    assert_eq!(shared_from(&[("d", 1, 32)], ".kernel_attr PerThreadInputSize=64\n"), Some(96));
    // Without words where local ids would be, a thread has no inputs of its own.
    assert_eq!(shared_from(&[], ""), Some(32));
    assert_eq!(shared_from(&[("d", 8, 32), ("ud", 8, 64)], ""), Some(32));
    // Words before the end of what three local ids take may be some of them; those behind it are not.
    for (kind, at, expected) in [
        ("w", 32, None),
        ("uw", 32, None),
        ("w", 64, None),
        ("uw", 96, None),
        ("w", 126, None),
        ("w", 128, Some(32)),
        ("uw", 130, Some(32)),
    ] {
        assert_eq!(shared_from(&[(kind, 1, at)], ""), expected, "{kind} at {at}");
    }
}
