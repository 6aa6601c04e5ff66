//! Names for findings that stay the same while the text around them moves, so that services can tell old from new.

use super::{FileFindings, Finding};
use crate::matching::Hash;
use rustc_hash::FxHashMap;

/// A fingerprint for each finding of a file. It is made of the rule, the kernel, the shape of the statement (see
/// [`crate::matching`]), and the number of equal ones before it; neither the number of the line nor blanks, comments and
/// the numbers of variables and labels matter, nor does the path.
#[must_use]
pub fn fingerprints<'a>(findings: impl Iterator<Item = &'a Finding>) -> Vec<u128> {
    let mut seen: FxHashMap<Hash, u64> = FxHashMap::default();
    findings
        .map(|finding| {
            let mut hash = Hash::default();
            hash.add(finding.diagnostic.rule.name);
            hash.add(&finding.kernel);
            hash.add_number(finding.identity.statement);
            let count = seen.entry(hash).or_default();
            *count += 1;
            hash.add_number(*count);
            hash.0
        })
        .collect()
}

/// The fingerprints of the findings of a file that are not suppressed, with its path: no two files share one.
#[must_use]
pub fn with_path(file: &FileFindings) -> Vec<u128> {
    let path = super::portable(&file.source.name);
    fingerprints(file.findings.iter())
        .into_iter()
        .map(|fingerprint| {
            let mut hash = Hash(fingerprint);
            hash.add(&path);
            hash.0
        })
        .collect()
}
