//! What Intel's compiler prints is free of errors and warnings, for its own platform and for none.

use crate::support::{files, listing, loud, tests_folder};
use visa_lint::checks::{self, Options};
use visa_lint::spec::{Platform, PlatformSet};

#[test]
fn compiler_output_is_clean() {
    let all = files(&tests_folder().join("compiler_output"), "visaasm");
    assert!(all.len() >= 20, "the compiler output is missing");
    let mut faults = Vec::new();
    for file in all {
        let text = std::fs::read_to_string(&file).expect("a readable file");
        // The folder is the device.
        let device = file.parent().and_then(|p| p.file_name()).and_then(|n| n.to_str()).unwrap_or("");
        let platform = Platform::from_name(device).unwrap_or_else(|| panic!("no platform {device}"));
        for platforms in [Some(PlatformSet::one(platform)), None] {
            let options = Options { platforms, ..Options::default() };
            let found = loud(checks::check(&text, &options));
            if !found.is_empty() {
                faults.push(format!("{}\n{}", file.display(), listing(&text, &found)));
            }
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}
