//! Where kernels find sizes and ids, as `rules/launch.toml` says, beside what the compiler says in `.ze_info`.

use crate::support::{files, tests_folder};
use std::collections::BTreeSet;
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
