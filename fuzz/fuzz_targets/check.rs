//! See `fuzz/README.md`.
#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use visa_lint_fuzz::{laws, mutator};

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    mutator::mutate(data, size, max_size, seed)
});

fuzz_target!(|text: &str| {
    if let Some(fault) = laws::check(text, &laws::pedantic()) {
        panic!("{fault}");
    }
});
