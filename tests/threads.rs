//! Long texts are read and checked by several threads; their number changes nothing.

use rayon::ThreadPoolBuilder;
use std::path::Path;
use visa_lint::base::diagnostic::Diagnostic;
use visa_lint::checks::{self, Options};
use visa_lint::host::{self, Language};

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

/// What is found with so many threads.
fn found(n_threads: usize, check: impl Fn(&Options) -> Vec<Diagnostic> + Send + Sync) -> Vec<Diagnostic> {
    let pool = ThreadPoolBuilder::new().num_threads(n_threads).build().expect("threads");
    pool.install(|| check(&Options { pedantic: true, ..Options::default() }))
}

fn findings(text: &str, n_threads: usize) -> Vec<String> {
    found(n_threads, |options| checks::check(text, options)).iter().map(|d| format!("{d:?}")).collect()
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

/// Fragments of one source are read and checked side by side: each finding is that of its fragment, in the order of the text.
#[test]
fn fragments_of_one_source_keep_their_order() {
    const N: usize = 200;
    let is_faulty = |i: usize| i % 7 == 3;
    let statement = |i: usize| {
        let size = if is_faulty(i) { 5 } else { 16 };
        format!(
            "__attribute__((intel_reqd_sub_group_size(16))) void f{i}(int x, int y) {{ \
             asm(\"not (M1, {size}) %0(0,0)<1> %1(0,0)<1;1,0>\" : \"=rw\"(y) : \"rw\"(x)); }}\n"
        )
    };
    let text: String = (0..N).map(statement).collect();
    let line = |d: &Diagnostic| text[..d.primary.span.start as usize].matches('\n').count();
    let wanted: Vec<usize> = (0..N).filter(|i| is_faulty(*i)).collect();
    for n_threads in [1, 2, 3] {
        let found = found(n_threads, |options| {
            let host = host::read(&text, Language::C, None);
            checks::fragment::check_host(&text, &host, options, None).diagnostics
        });
        let lines: Vec<usize> = found.iter().map(line).collect();
        assert_eq!(lines, wanted, "{n_threads} threads: {found:#?}");
    }
}
