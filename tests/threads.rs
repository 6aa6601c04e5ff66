//! Long texts are read and checked by several threads; their number changes nothing.

use rayon::ThreadPoolBuilder;
use std::path::Path;
use visa_lint::checks::{self, Options};

/// Compiler output for one register size as one long text. Of every `period` instructions one has a fault.
fn long_text(period: Option<usize>) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/compiler_output/dg2");
    let mut paths: Vec<_> = std::fs::read_dir(folder).expect("a folder").map(|e| e.expect("an entry").path()).collect();
    paths.sort();
    let mut text = String::from(".version 4.1\n");
    let mut n_instructions = 0;
    while text.len() < 1_000_000 {
        for path in &paths {
            let dump = std::fs::read_to_string(path).expect("compiler output");
            for line in dump.lines().filter(|l| !l.starts_with(".version") && !l.starts_with("//Platform")) {
                n_instructions += usize::from(line.contains("(M1, 16)"));
                let is_faulty = period.is_some_and(|n| n_instructions.is_multiple_of(n));
                text.push_str(&if is_faulty { line.replace("(M1, 16)", "(M1, 5)") } else { line.to_owned() });
                text.push('\n');
            }
        }
    }
    text
}

fn findings(text: &str, n_threads: usize) -> Vec<String> {
    let pool = ThreadPoolBuilder::new().num_threads(n_threads).build().expect("threads");
    let options = Options { pedantic: true, ..Options::default() };
    pool.install(|| checks::check(text, &options)).iter().map(|d| format!("{d:?}")).collect()
}

#[test]
fn the_number_of_threads_changes_no_finding() {
    // No faults, some, and more of one kind than are reported.
    for (period, at_least) in [(None, 0), (Some(40), 50), (Some(1), 1001)] {
        let text = long_text(period);
        let alone = findings(&text, 1);
        assert!(alone.len() >= at_least, "{} findings with a fault in {period:?}", alone.len());
        for n_threads in [2, 3] {
            let together = findings(&text, n_threads);
            let differs = alone.iter().zip(&together).find(|(a, b)| a != b);
            assert!(differs.is_none(), "{n_threads} threads, a fault in {period:?}: {differs:#?}");
            assert_eq!(alone.len(), together.len(), "{n_threads} threads, a fault in {period:?}");
        }
    }
}
