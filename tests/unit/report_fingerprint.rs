//! Tests of `report::fingerprint`.

use visa_lint::base::source::SourceFile;
use visa_lint::checks::{self, Options};
use visa_lint::report::Finding;
use visa_lint::report::fingerprint::fingerprints;

/// FNV-1a of 128 bits.
fn fnv_1a(bytes: &[u8]) -> u128 {
    bytes.iter().fold(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d, |hash, byte| {
        (hash ^ u128::from(*byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b)
    })
}

#[test]
fn fingerprints_are_hashes_of_rule_kernel_words_and_count() {
    assert_eq!(fnv_1a(b"a"), 0xd228_cb69_6f1a_8caf_7891_2b70_4e4a_8964, "the published value");
    let text = ".version 4.1\n.kernel \"k\"\n  wat  (M1, 8)\nwat (M1, 8)\n";
    let found = checks::check(text, &Options::default());
    let unknown = found.into_iter().filter(|d| d.rule.name == "unknown-instruction");
    let findings: Vec<Finding> = unknown.map(|diagnostic| Finding { diagnostic, kernel: "k".to_owned() }).collect();
    let source = SourceFile::new("k.visaasm", text);
    let expected = ["1", "2"].map(|count| {
        let words = ["unknown-instruction", "k", "wat", "(M1,", "8)", count];
        fnv_1a(&words.iter().flat_map(|word| word.bytes().chain([0xff])).collect::<Vec<u8>>())
    });
    assert_eq!(fingerprints(&source, findings.iter()), expected);
}
