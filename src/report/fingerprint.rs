//! Names for findings that stay the same while the text around them moves, so that services can tell old from new.

use super::{FileFindings, Finding};
use crate::base::source::SourceFile;
use rustc_hash::FxHashMap;

/// A fingerprint for each finding of a file. It is made of the words of the line, the rule, the kernel, and the number of
/// equal ones before it; neither the number of the line nor the blanks in it matter, nor does the path.
#[must_use]
pub fn fingerprints<'a>(source: &SourceFile, findings: impl Iterator<Item = &'a Finding>) -> Vec<u128> {
    let mut seen: FxHashMap<u128, u64> = FxHashMap::default();
    // Of the line that was read last: a line may have very many findings.
    let mut last: Option<(u32, Hash)> = None;
    findings
        .map(|finding| {
            let d = &finding.diagnostic;
            let line = source.lines.line_column(d.primary.span.start).line;
            let mut hash = match &last {
                Some((number, hash)) if *number == line => hash.clone(),
                _ => {
                    let mut hash = Hash::new();
                    for word in source.lines.line_span(line).of(&source.text).split_ascii_whitespace() {
                        hash.add(word);
                    }
                    last = Some((line, hash.clone()));
                    hash
                }
            };
            hash.add(d.rule.name);
            hash.add(&finding.kernel);
            let count = seen.entry(hash.0).or_default();
            *count += 1;
            hash.add(&count.to_string());
            hash.0
        })
        .collect()
}

/// The fingerprints of the findings of a file that are not suppressed, with its path: no two files share one.
#[must_use]
pub fn with_path(file: &FileFindings) -> Vec<u128> {
    let path = super::portable(&file.source.name);
    fingerprints(&file.source, file.findings.iter())
        .into_iter()
        .map(|fingerprint| {
            let mut hash = Hash(fingerprint);
            hash.add(&path);
            hash.0
        })
        .collect()
}

/// FNV-1a of 128 bits: the same on every machine and in every version.
#[derive(Clone)]
struct Hash(u128);

impl Hash {
    const fn new() -> Self {
        Self(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }

    /// Adds a text and a byte that no text holds, so that `ab`, `c` differs from `a`, `bc`.
    fn add(&mut self, text: &str) {
        for byte in text.bytes().chain([0xff]) {
            self.0 = (self.0 ^ u128::from(byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
        }
    }
}
