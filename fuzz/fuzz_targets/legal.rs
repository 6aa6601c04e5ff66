//! See `fuzz/README.md`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use visa_lint_fuzz::legal;

fuzz_target!(|choices: &[u8]| {
    if let Some(fault) = legal::fault(choices).or_else(|| legal::planted_fault(choices)) {
        panic!("{fault}");
    }
});
