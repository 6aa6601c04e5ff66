//! Runs over many files: `--cache`, and reports that are written while the run goes on.

use crate::support::process::{Scratch, command, run};
use std::fs;
use std::io::BufRead as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;

const CLEAN: &str = ".version 4.1\n.kernel \"k\"\n.kernel_attr Target=\"cm\"\n    ret (M1, 1)\n";
const SUMMARY: &str = "checked 2 kernels in 2 files, 2 instructions: 1 error, 0 warnings";

/// A folder with a clean text and one with a fault.
fn scratch(name: &str) -> Scratch {
    let scratch = Scratch::new(name);
    scratch.file("k/clean.visaasm", CLEAN);
    scratch.file("k/faulty.visaasm", CLEAN.replace("ret", "rett"));
    scratch
}

/// The files with entries.
fn files(scratch: &Scratch) -> Vec<PathBuf> {
    let inside = |folder: &Path| -> Vec<PathBuf> {
        fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect()
    };
    let versions = inside(&scratch.0.join("cache")).into_iter().filter(|path| path.is_dir());
    versions.flat_map(|folder| inside(&folder)).collect()
}

#[test]
fn a_text_that_is_known_to_be_clean_is_not_checked_again() {
    let scratch = scratch("cache");
    let check = |more: &[&str]| run(&scratch.0, &[&["--cache", "cache", "--format", "short", "k"], more].concat());
    let (status, first, err) = check(&[]);
    assert_eq!((status, first.lines().count()), (1, 1), "{err}");
    assert!(err.contains(SUMMARY), "{err}");
    let files = files(&scratch);
    assert_eq!(files.len(), 1);
    assert_eq!(fs::read(&files[0]).expect("entries").len(), 24, "one entry: a text with findings is checked again");

    // What the entry says of the text is what is said of it: another number shows that it was not checked.
    let mut bytes = fs::read(&files[0]).expect("entries");
    bytes[20] = 7;
    fs::write(&files[0], &bytes).expect("entries");
    let (status, again, err) = check(&[]);
    assert_eq!((status, &again), (1, &first));
    assert!(err.contains("checked 2 kernels in 2 files, 8 instructions: 1 error"), "{err}");

    // Other settings, another text: what is known does not hold.
    for more in [["--platform", "dg2"], ["--deny", "unreachable-code"], ["--local-size", "16"]] {
        assert!(check(&more).2.contains(SUMMARY), "{more:?}");
    }
    scratch.file("k/clean.visaasm", CLEAN.replace("ret", "rett"));
    assert_eq!(check(&[]).1.lines().count(), 2);
}

#[test]
fn entries_may_be_incomplete_many_or_gone() {
    let scratch = scratch("cache-damage");
    let check = || run(&scratch.0, &["--cache", "cache", "k"]).2;
    check();
    let file = files(&scratch).remove(0);
    // A run that was stopped.
    fs::write(&file, &fs::read(&file).expect("entries")[..23]).expect("entries");
    assert!(check().contains(SUMMARY));
    for i in 0..40 {
        fs::write(file.with_file_name(format!("{i}.clean")), vec![i; 48]).expect("entries");
    }
    assert!(check().contains(SUMMARY));
    assert!(files(&scratch).len() <= 2, "{:?}", files(&scratch));
    let large = file.with_file_name("large.clean");
    fs::File::create(&large).and_then(|file| file.set_len((64 << 20) + 1)).expect("a file");
    assert!(check().contains(SUMMARY));
    assert!(!large.exists());
    fs::remove_dir_all(scratch.0.join("cache")).expect("the cache");
    assert!(check().contains(SUMMARY));
    // A file stands where the folder should be.
    let (status, out, err) = run(&scratch.0, &["--cache", "k/clean.visaasm", "k"]);
    assert_eq!((status, out.as_str()), (2, ""));
    assert!(err.starts_with("visa-lint: the cache `k/clean.visaasm` cannot be used: "), "{err}");
}

#[test]
fn reports_over_several_windows_are_one_report() {
    let scratch = Scratch::new("windows");
    let faulty = CLEAN.replace("ret", "rett");
    for i in 0..4100 {
        scratch.file(&format!("k/{i:04}.visaasm"), if i % 1000 == 0 { &faulty } else { CLEAN });
    }
    let (status, out, err) = run(&scratch.0, &["k", "--format", "sarif", "--output", "all.sarif", "--format", "short"]);
    assert_eq!(status, 1, "{err}");
    assert!(err.contains("in 4100 files, 4100 instructions: 5 errors"), "{err}");
    let names: Vec<&str> = out.lines().map(|line| &line[2..6]).collect();
    assert_eq!(names, ["0000", "1000", "2000", "3000", "4000"]);
    let sarif = fs::read_to_string(scratch.0.join("all.sarif")).expect("a report");
    let sarif: serde_json::Value = serde_json::from_str(&sarif).expect("JSON");
    assert_eq!(sarif["runs"][0]["results"].as_array().map(Vec::len), Some(5));
}

/// The lines that a process writes, with a wait for each.
struct Lines(std::sync::mpsc::Receiver<String>);

impl Lines {
    fn of(out: impl std::io::Read + Send + 'static) -> Self {
        let (send, lines) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            std::io::BufReader::new(out).lines().map_while(Result::ok).try_for_each(|line| send.send(line))
        });
        Self(lines)
    }

    fn next(&self) -> String {
        self.0.recv_timeout(std::time::Duration::from_mins(1)).expect("a line")
    }
}

#[test]
fn watching_shows_what_changes() {
    let scratch = scratch("watch");
    let mut watch = command(&scratch.0, &["--watch", "--format", "short", "k"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let out = Lines::of(watch.stdout.take().expect("a pipe"));
    let said = Lines::of(watch.stderr.take().expect("a pipe"));
    assert!(out.next().starts_with("k/faulty.visaasm:4:"));
    assert!(said.next().contains(SUMMARY));
    // The same once more is not shown; what comes next is another finding.
    scratch.file("k/clean.visaasm", format!("{CLEAN}// the same\n"));
    std::thread::sleep(std::time::Duration::from_millis(300));
    scratch.file("k/new.visaasm", CLEAN.replace("ret", "rot"));
    assert!(out.next().starts_with("k/faulty.visaasm:4:"));
    assert!(out.next().starts_with("k/new.visaasm:4:"));
    assert!(said.next().starts_with("checked 3 kernels in 3 files, 3 instructions: 2 errors"));
    // Settings that are wrong are said, and nothing else changes.
    scratch.file("k/visa-lint.toml", "pedantic = 1\n");
    assert!(said.next().contains("visa-lint.toml") || said.next().contains("visa-lint.toml"));
    fs::remove_file(scratch.0.join("k/visa-lint.toml")).expect("a file");
    assert!(out.next().starts_with("k/faulty.visaasm:4:"));
    watch.kill().expect("it runs");
    watch.wait().expect("it ends");
    let (status, _, err) = run(&scratch.0, &["--watch", "-"]);
    assert_eq!((status, err.as_str()), (2, "visa-lint: --watch reads files, and not standard input\n"));
}
