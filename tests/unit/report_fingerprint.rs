//! Tests of `report::fingerprint`.

use visa_lint::report::fingerprint::fingerprints;
use visa_lint::{Options, SourceFile, check};

/// FNV-1a of 128 bits.
fn fnv_1a(bytes: impl Iterator<Item = u8>) -> u128 {
    bytes.fold(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d, |hash, byte| {
        (hash ^ u128::from(byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b)
    })
}

fn words(words: &[&str]) -> Vec<u8> {
    words.iter().flat_map(|word| word.bytes().chain([0xff])).collect()
}

#[test]
fn fingerprints_are_hashes_of_rule_kernel_statement_and_count() {
    assert_eq!(fnv_1a("a".bytes()), 0xd228_cb69_6f1a_8caf_7891_2b70_4e4a_8964, "the published value");
    let text = ".version 4.1\n.kernel \"k\"\n  wat  (M1, 8)\nwat (M1, 8) // again\n";
    let found = check(SourceFile::new("k.visaasm", text), None, &Options::default(), None).file.findings;
    let unknown = found.iter().filter(|f| f.diagnostic.rule.name == "unknown-instruction");
    let statement = fnv_1a(words(&["wat", "(M1, 8)"]).into_iter());
    let statement = (statement >> 64) as u64 ^ statement as u64;
    let expected = [1_u64, 2].map(|count| {
        let front = words(&["unknown-instruction", "k"]).into_iter();
        fnv_1a(front.chain(statement.to_le_bytes()).chain(count.to_le_bytes()))
    });
    assert_eq!(fingerprints(unknown), expected);
}
