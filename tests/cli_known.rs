//! Known findings and changes: `--baseline`, `--since`, `--against`.

use crate::support::process::{Scratch, run};
use serde_json::Value;
use std::fs::{read_to_string, remove_file, rename};
use std::path::Path;
use std::process::Command;

const HEAD: &str = ".version 4.1\n.kernel \"k\"\n.kernel_attr Target=\"cm\"\n";

/// Two faults of one kind with other neighbours, and a declaration of each variable.
fn old() -> String {
    format!(
        "{HEAD}.decl V32 v_type=G type=d num_elts=8 align=GRF\n.decl V33 v_type=G type=d num_elts=8 align=GRF\n\
         .function \"BB_0\"\nBB_0:\n    mov (M1, 8) V32(0,0)<1> 0x1:d\n    wat (M1, 8) V32(0,0)<1>\n\
         BB_1:\n    mov (M1, 8) V33(0,0)<1> 0x2:d\n    wat (M1, 8) V33(0,0)<1>\n    ret (M1, 1)\n"
    )
}

/// The same, compiled again: other numbers, another order of declarations, comments and blanks.
fn renumbered() -> String {
    let text = old().replace("V32", "V1000").replace("V33", "V32").replace("BB_1", "BB_77");
    let (front, back) = text.split_once(".decl V32").expect("a declaration");
    let (line, back) = back.split_once('\n').expect("a line");
    let text = format!("{front}{back}").replace(HEAD, &format!("{HEAD}// moved\n\n.decl V32{line}\n"));
    text.replace("wat (M1, 8) ", "wat    (M1, 8)   ").replace("0x2:d", "0x2:d  // two")
}

fn short(folder: &Scratch, arguments: &[&str]) -> (i32, Vec<String>, String) {
    let (status, out, err) = run(&folder.0, &[&["--format", "short"], arguments].concat());
    (status, out.lines().map(str::to_owned).collect(), err)
}

#[test]
fn known_findings_survive_renumbering_and_moving() {
    let scratch = Scratch::new("known");
    scratch.file("a/k.visaasm", old());
    let (status, out, err) = run(&scratch.0, &["--write-baseline", "known.json"]);
    assert_eq!((status, out.as_str()), (0, ""), "{err}");
    assert_eq!(err, "wrote 2 findings to known.json\n");
    let file = read_to_string(scratch.0.join("known.json")).expect("a file");
    assert_eq!(file.lines().count(), 4, "one line for each finding: {file}");
    let entries = serde_json::from_str::<Value>(&file).expect("JSON");
    assert_eq!((&entries["findings"][0]["path"], &entries["findings"][0]["line"]), (&"a/k.visaasm".into(), &9.into()));

    scratch.file("a/k.visaasm", renumbered());
    let (status, lines, err) = short(&scratch, &["--baseline", "known.json"]);
    assert_eq!((status, lines), (0, vec![]), "{err}");
    assert!(err.contains("0 errors, 0 warnings, 2 known"), "{err}");
    // Another immediate is another instruction, and another kernel is another place.
    scratch.file("a/k.visaasm", renumbered().replace("wat    (M1, 8)   V32", "wat (M1, 16) V32"));
    assert_eq!(short(&scratch, &["--baseline", "known.json"]).1.len(), 1);
    scratch.file("a/k.visaasm", renumbered().replace("\"k\"", "\"other\""));
    assert_eq!(short(&scratch, &["--baseline", "known.json"]).1.len(), 2);
}

#[test]
fn of_equal_findings_those_with_the_same_neighbours_are_known() {
    let scratch = Scratch::new("known-neighbours");
    scratch.file("k.visaasm", old());
    run(&scratch.0, &["--write-baseline", "known.json"]);
    let third = "    mov (M1, 8) V32(0,0)<1> 0x3:d\n    wat (M1, 8) V32(0,0)<1>\n    mov (M1, 8) V32(0,0)<1> 0x4:d\n";
    scratch.file("k.visaasm", old().replace("BB_0:\n", &format!("BB_0:\n{third}")));
    let (status, lines, err) = short(&scratch, &["--baseline", "known.json"]);
    assert_eq!(status, 1);
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(lines[0].starts_with("k.visaasm:9:") && err.contains("2 known"), "{lines:?} {err}");
}

#[test]
fn a_file_with_a_new_name_is_known_by_its_kernel() {
    let scratch = Scratch::new("known-renamed");
    scratch.file("dump_1234.visaasm", old());
    run(&scratch.0, &["--write-baseline", "known.json"]);
    rename(scratch.0.join("dump_1234.visaasm"), scratch.0.join("dump_99.visaasm")).expect("renamed");
    let (status, lines, err) = short(&scratch, &["--baseline", "known.json"]);
    assert_eq!((status, lines), (0, vec![]));
    assert!(err.contains("2 known") && !err.contains("gone"), "{err}");
    // A copy does not use up what the other file needs.
    scratch.file("dump_100.visaasm", renumbered());
    assert_eq!(short(&scratch, &["--baseline", "known.json"]).0, 0);
}

#[test]
fn of_many_that_are_gone_the_first_are_named() {
    let scratch = Scratch::new("known-many");
    let faults = (0..25).map(|n| format!("    wat{n} (M1, 8) V32(0,0)<1>\n")).collect::<Vec<_>>().concat();
    scratch.file("a.visaasm", old().replace("BB_1:\n", &format!("BB_1:\n{faults}")));
    run(&scratch.0, &["--write-baseline", "known.json"]);
    let (_, _, err) = run(&scratch.0, &["--write-baseline", "known.json"]);
    assert_eq!(err, "wrote 27 findings to known.json\n", "what stays the same is written again");
    scratch.file("a.visaasm", old());
    let (_, _, err) = short(&scratch, &["--baseline", "known.json"]);
    assert_eq!(err.matches("gone: a.visaasm:").count(), 20, "{err}");
    assert!(err.contains("gone: 5 more\n"), "{err}");
    let (_, out, _) = run(&scratch.0, &["--baseline", "known.json", "--format", "sarif"]);
    let report: Value = serde_json::from_str(&out).expect("JSON");
    let results = report["runs"][0]["results"].as_array().expect("a list");
    assert_eq!(results.iter().filter(|r| r["baselineState"] == "absent").count(), 25, "{out}");
}

#[test]
fn what_is_gone_is_named_and_pruned() {
    let scratch = Scratch::new("known-gone");
    scratch.file("a.visaasm", old());
    scratch.file("b.visaasm", old());
    scratch.file("c.visaasm", old());
    run(&scratch.0, &["--write-baseline", "known.json"]);
    let n_entries = || read_to_string(scratch.0.join("known.json")).expect("a file").lines().count() - 2;
    assert_eq!(n_entries(), 6);
    scratch.file("a.visaasm", old().replace("    wat (M1, 8) V33(0,0)<1>\n", ""));
    remove_file(scratch.0.join("b.visaasm")).expect("removed");
    // What is not checked, but there, is not gone.
    let (status, _, err) = short(&scratch, &["--baseline", "known.json", "a.visaasm"]);
    assert_eq!(status, 0);
    assert_eq!(err.matches("gone: ").count(), 3, "{err}");
    assert!(err.contains("gone: a.visaasm:12: [unknown-instruction] unknown instruction `wat`"), "{err}");
    assert_eq!(n_entries(), 6, "nothing is written without being asked for");
    let (status, _, err) = short(&scratch, &["--baseline", "known.json", "--prune-baseline"]);
    assert_eq!(status, 0, "{err}");
    assert_eq!(n_entries(), 3);
    assert!(!short(&scratch, &["--baseline", "known.json"]).2.contains("gone"));
}

#[test]
fn sarif_says_what_is_new_known_and_gone() {
    let scratch = Scratch::new("known-sarif");
    scratch.file("k.visaasm", old().replace("    wat (M1, 8) V33", "    wet (M1, 8) V33"));
    run(&scratch.0, &["--write-baseline", "known.json"]);
    scratch.file("k.visaasm", old().replace("    wat (M1, 8) V33", "    rett (M1, 8) V33"));
    let (status, out, _) = run(&scratch.0, &["--format", "sarif", "--baseline", "known.json"]);
    assert_eq!(status, 1);
    let document: Value = serde_json::from_str(&out).expect("JSON");
    let results = document["runs"][0]["results"].as_array().expect("results");
    let state =
        |r: &Value| (r["baselineState"].as_str().expect("a state").to_owned(), r["message"]["text"].to_string());
    let states: Vec<(String, String)> = results.iter().map(state).collect();
    let words: Vec<&str> = states.iter().map(|(state, _)| &**state).collect();
    assert_eq!(words, ["unchanged", "new", "absent"], "{states:?}");
    assert!(states[1].1.contains("rett") && states[2].1.contains("wet"), "{states:?}");
    assert!(!run(&scratch.0, &["--format", "sarif"]).1.contains("baselineState"));
}

#[test]
fn settings_name_a_baseline() {
    let scratch = Scratch::new("known-settings");
    scratch.file("inner/k.visaasm", old());
    scratch.file("inner/visa-lint.toml", "baseline = \"ci/known.json\"\n");
    let (status, _, err) = short(&scratch, &[]);
    assert_eq!(status, 2, "a baseline that is missing is said: {err}");
    assert!(err.contains("known.json"), "{err}");
    scratch.file("inner/ci/known.json", "{}");
    let (status, _, err) = short(&scratch, &[]);
    assert_eq!(status, 2);
    assert!(err.contains("this is no baseline"), "{err}");
    assert_eq!(run(&scratch.0, &["--write-baseline", "inner/ci/known.json"]).0, 0);
    let file = read_to_string(scratch.0.join("inner/ci/known.json")).expect("a file");
    // The text is not below the folder of the file.
    assert!(file.contains("/inner/k.visaasm"), "{file}");
    assert_eq!(short(&scratch, &[]).0, 0);
    assert_eq!(short(&Scratch(scratch.0.join("inner")), &["k.visaasm"]).0, 0);
}

#[test]
fn arguments_that_do_not_fit_are_refused() {
    let scratch = Scratch::new("known-wrong");
    scratch.file("k.visaasm", old());
    for (arguments, words) in [
        (&["--prune-baseline"][..], "--prune-baseline needs a baseline"),
        (&["--baseline", "gone.json"], "gone.json"),
        (&["--write-baseline", "a", "--baseline", "b"], "cannot be used with"),
        (&["--against", "gone"], "no such file"),
        (&["--since", "HEAD"], "--since: git"),
    ] {
        let (status, out, err) = run(&scratch.0, arguments);
        assert_eq!((status, out.as_str()), (2, ""), "{arguments:?}: {err}");
        assert!(err.contains(words), "{arguments:?}: {err}");
    }
}

#[test]
fn an_older_folder_is_a_baseline() {
    let scratch = Scratch::new("against");
    scratch.file("old/a/one.visaasm", old());
    scratch.file("new/a/one.visaasm", renumbered().replace("V1000(0,0)<1> 0x1:d", "V1000(0,0)<1> 0x1:q"));
    scratch.file("new/b/two.visaasm", renumbered().replace("wat", "wet"));
    let (status, lines, err) = short(&scratch, &["--against", "old", "new"]);
    assert_eq!(status, 1);
    assert!(lines.iter().all(|line| line.starts_with("new/b/two.visaasm:")) && lines.len() == 2, "{lines:?}");
    assert!(err.contains("2 known"), "{err}");
}

fn git(folder: &Path, arguments: &[&str]) {
    let identity = ["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false"];
    let output = Command::new("git")
        .current_dir(folder)
        .args(identity)
        .args(arguments)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .output()
        .expect("git is installed");
    assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn only_what_changed_since_a_commit_is_reported() {
    let scratch = Scratch::new("since");
    let folder = &scratch.0;
    let second = old().replace(".version 4.1\n", "").replace("\"k\"", "\"second\"");
    let both = format!("{}{second}", old());
    scratch.file("both.visaasm", &both);
    scratch.file("same.visaasm", old());
    scratch.file("odd \"name\".visaasm", old());
    git(folder, &["init", "-q", "-b", "main"]);
    git(folder, &["add", "."]);
    git(folder, &["commit", "-q", "-m", "one"]);
    git(folder, &["checkout", "-q", "-b", "topic"]);
    let (status, lines, err) = short(&scratch, &["--since", "main"]);
    assert_eq!((status, lines), (0, vec![]));
    assert!(err.starts_with("checked 0 kernels in 0 files"), "what did not change is not read: {err}");
    // One line of the second kernel.
    let changed = both.replace(&second, &second.replace("0x2:d", "0x5:d"));
    scratch.file("both.visaasm", &changed);
    scratch.file("odd \"name\".visaasm", old().replace("0x2:d", "0x5:d"));
    git(folder, &["commit", "-q", "-a", "-m", "two"]);
    scratch.file("new.visaasm", old());
    let (status, lines, err) = short(&scratch, &["--since", "main"]);
    assert_eq!(status, 1, "{err}");
    let places: Vec<String> = lines.iter().map(|line| line.split(':').take(2).collect::<Vec<_>>().join(":")).collect();
    let n_first = old().lines().count();
    let in_second = [8, 11].map(|line| format!("both.visaasm:{}", n_first + line));
    assert_eq!(places[..2], in_second, "{lines:?}");
    assert_eq!(places[2..], ["new.visaasm:9", "new.visaasm:12", "odd \"name\".visaasm:9", "odd \"name\".visaasm:12"]);
    // What goes on at the other branch meanwhile is no change of this one.
    git(folder, &["checkout", "-q", "main"]);
    scratch.file("same.visaasm", format!("{}// more\n", old()));
    git(folder, &["commit", "-q", "-a", "-m", "three"]);
    git(folder, &["checkout", "-q", "topic"]);
    assert_eq!(short(&scratch, &["--since", "main"]).1, lines);
    let (status, _, err) = short(&scratch, &["--since", "nowhere"]);
    assert_eq!(status, 2);
    assert!(err.contains("git knows no commit `nowhere`"), "{err}");
    // A line that is taken away changes its kernel, too.
    git(folder, &["checkout", "-q", "--", "."]);
    scratch.file("same.visaasm", old().replace("    mov (M1, 8) V33(0,0)<1> 0x2:d\n", ""));
    assert_eq!(short(&scratch, &["--since", "HEAD", "same.visaasm"]).1.len(), 2);
}
