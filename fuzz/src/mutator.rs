//! Lets the fuzzer change texts by token.

#[path = "../../tests/support/mutator.rs"]
mod tokens;

use libfuzzer_sys::fuzzer_mutate;
use tokens::{Random, changed};

/// Changes the first `size` bytes of `data` in place; returns the new size.
pub fn mutate(data: &mut [u8], size: usize, max_size: usize, seed: u32) -> usize {
    let mut random = Random(u64::from(seed) ^ 0x9e37_79b9_7f4a_7c15);
    let Some(text) = std::str::from_utf8(&data[..size]).ok().filter(|_| random.below(8) > 0) else {
        return fuzzer_mutate(data, size, max_size);
    };
    let new = changed(text, &mut random);
    let mut n = new.len().min(max_size);
    while !new.is_char_boundary(n) {
        n -= 1;
    }
    data[..n].copy_from_slice(&new.as_bytes()[..n]);
    n
}
