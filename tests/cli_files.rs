//! Nothing is lost: files are replaced whole, reports that cannot be written are errors, and nothing that is read is
//! written over.

use crate::cli::{BAD, FIXABLE, FIXED, GOOD};
use crate::support::process::{Scratch, command, finish, run};
use std::fs::{self, File};
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _, PermissionsExt as _, symlink};
use std::path::Path;
use std::process::{Command, Stdio};

/// A program with a message.
const LANES: &str = include_str!("../examples/faulty/lanes.visaasm");

/// The program with one of its standard files led elsewhere by a shell.
fn shell(folder: &Path, line: &str) -> (i32, String, String) {
    let output = Command::new("sh")
        .current_dir(folder)
        .args(["-c", line])
        .env("VISA_LINT", env!("CARGO_BIN_EXE_visa-lint"))
        .env("NO_COLOR", "1")
        .output();
    finish(output.expect("a shell"))
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8"))
        .collect();
    names.sort();
    names
}

#[test]
fn fix_keeps_mode_and_links_and_leaves_nothing_behind() {
    let scratch = Scratch::new("fix-keeps");
    let file = scratch.file("real/k.visaasm", FIXABLE);
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).expect("a mode");
    symlink("real/k.visaasm", scratch.0.join("link.visaasm")).expect("a link");
    let before = fs::metadata(&file).expect("the file");
    let (status, _, err) = run(&scratch.0, &["--fix", "link.visaasm"]);
    assert_eq!(status, 0, "{err}");
    assert_eq!(fs::read_link(scratch.0.join("link.visaasm")).expect("still a link"), Path::new("real/k.visaasm"));
    assert_eq!(fs::read_to_string(&file).expect("the file"), FIXED);
    let after = fs::metadata(&file).expect("the file");
    assert_eq!(after.mode(), before.mode());
    assert_eq!((after.uid(), after.gid()), (before.uid(), before.gid()));
    assert_ne!(after.ino(), before.ino(), "the file was written in place");
    assert_eq!(names(&scratch.0.join("real")), ["k.visaasm"]);
}

#[test]
fn fix_keeps_the_owner() {
    let scratch = Scratch::new("fix-owner");
    let file = scratch.file("k.visaasm", FIXABLE);
    // Only the superuser may give a file away; others keep what they have, which the test above looks at.
    if std::os::unix::fs::chown(&file, Some(12_345), Some(54_321)).is_err() {
        return;
    }
    assert_eq!(run(&scratch.0, &["--fix", "k.visaasm"]).0, 0);
    let after = fs::metadata(&file).expect("the file");
    assert_eq!((after.uid(), after.gid()), (12_345, 54_321));
}

#[test]
fn fix_refuses_files_with_several_names() {
    let scratch = Scratch::new("fix-hard-link");
    let file = scratch.file("k.visaasm", FIXABLE);
    fs::hard_link(&file, scratch.0.join("other")).expect("a link");
    let (status, _, err) = run(&scratch.0, &["--fix", "k.visaasm"]);
    assert_eq!(status, 2, "{err}");
    assert!(err.contains("cannot check `k.visaasm`: the file has several names"), "{err}");
    assert_eq!(fs::read_to_string(&file).expect("the file"), FIXABLE);
}

#[test]
fn fix_does_not_write_over_a_change_made_meanwhile() {
    let scratch = Scratch::new("fix-meanwhile");
    // The file is read as a pipe would be: what the program reads is not what the file holds afterwards.
    let n_lines = 200_000;
    let long = format!("{FIXABLE}{}", "// a comment\n".repeat(n_lines));
    let file = scratch.file("k.visaasm", &long);
    let child = command(&scratch.0, &["--fix", "k.visaasm"]).stderr(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let child = child.expect("the program starts");
    // Whenever this happens, either the program sees it or it had finished before: in both cases it stays.
    let changed = FIXED.replace("1:d", "2:d");
    fs::write(&file, &changed).expect("the file");
    let (_, _, err) = finish(child.wait_with_output().expect("the program ends"));
    assert_eq!(fs::read_to_string(&file).expect("the file"), changed, "{err}");
}

#[test]
fn two_names_of_one_file_are_fixed_once() {
    let scratch = Scratch::new("fix-twice");
    let file = scratch.file("k.visaasm", FIXABLE);
    symlink("k.visaasm", scratch.0.join("l.visaasm")).expect("a link");
    let (status, _, err) = run(&scratch.0, &["--fix", "."]);
    assert_eq!(status, 0, "{err}");
    assert_eq!(fs::read_to_string(&file).expect("the file"), FIXED);
    assert_eq!(names(&scratch.0), ["k.visaasm", "l.visaasm"]);
}

#[test]
fn a_report_that_cannot_be_written_is_an_error() {
    let scratch = Scratch::new("full");
    scratch.file("bad.visaasm", BAD);
    scratch.file("fixable.visaasm", FIXABLE);
    for name in ["one", "two"] {
        scratch.file(&format!("messages/{name}.visaasm"), LANES);
    }
    for arguments in [
        "bad.visaasm",
        "--dump-messages messages",
        "--format json bad.visaasm",
        "--format sarif bad.visaasm",
        "--format sarif --output /dev/full bad.visaasm",
        "--statistics bad.visaasm",
        "--diff fixable.visaasm",
        "--show-config .",
        "explain",
        "explain ret",
        "explain --format json",
        "man",
        "completions bash",
        "--help",
        "--version",
    ] {
        let (status, _, err) = shell(&scratch.0, &format!("exec \"$VISA_LINT\" {arguments} >/dev/full"));
        assert_eq!(status, 2, "{arguments}: {err}");
        assert_eq!(err.matches("cannot write").count(), 1, "{arguments}: {err}");
        assert!(err.contains("no space left"), "{arguments}: {err}");
    }
    let (status, out, _) = shell(&scratch.0, "\"$VISA_LINT\" --fix -q - <fixable.visaasm >/dev/full; echo $?");
    assert_eq!((status, out.as_str()), (0, "2\n"), "what standard input was mended to is lost");
}

#[test]
fn a_reader_that_has_gone_is_no_error() {
    let scratch = Scratch::new("gone");
    scratch.file("good.visaasm", GOOD);
    for arguments in ["explain", "explain --format json", "man", "--show-config ."] {
        // The reader ends before anything is written.
        let line = format!("{{ sleep 0.2; \"$VISA_LINT\" {arguments}; echo $? >status; }} | true; cat status");
        let (_, out, err) = shell(&scratch.0, &line);
        assert_eq!((out.as_str(), err.as_str()), ("0\n", ""), "{arguments}");
    }
}

#[test]
fn standard_error_may_be_full_or_closed() {
    let scratch = Scratch::new("silent");
    scratch.file("bad.visaasm", BAD);
    scratch.file("good.visaasm", GOOD);
    scratch.file("broken/visa-lint.toml", "x = ");
    scratch.file("broken/k.visaasm", GOOD);
    for (arguments, expected) in [
        ("good.visaasm", 0),
        ("bad.visaasm", 1),
        ("missing.visaasm", 2),
        ("--frmat", 2),
        ("explain rett", 2),
        ("broken/k.visaasm", 2),
        ("--fix -q good.visaasm", 0),
    ] {
        for to in ["2>/dev/full", "2>&-"] {
            let (status, _, _) = shell(&scratch.0, &format!("exec \"$VISA_LINT\" {arguments} {to}"));
            assert_eq!(status, expected, "{arguments} {to}");
        }
    }
}

#[test]
fn no_report_goes_over_what_is_read_or_another_report() {
    let scratch = Scratch::new("overwrite");
    scratch.file("sub/k.visaasm", BAD);
    scratch.file("other.toml", "pedantic = true\n");
    scratch.file("info.yaml", "kernels: []\n");
    scratch.file("old.json", "old");
    fs::hard_link(scratch.0.join("sub/k.visaasm"), scratch.0.join("hard")).expect("a link");
    symlink("sub/k.visaasm", scratch.0.join("soft")).expect("a link");
    symlink("new.json", scratch.0.join("to-new")).expect("a link");
    let over_input: [&[&str]; 6] = [
        &["--output", "sub/k.visaasm", "sub/k.visaasm"],
        &["--output", "./sub/../sub/k.visaasm", "."],
        &["--output", "hard", "sub"],
        &["--output", "soft", "sub"],
        &["--output", "other.toml", "--config", "./other.toml", "sub"],
        &["--output", "info.yaml", "--ze-info", "./info.yaml", "sub"],
    ];
    for arguments in over_input {
        let (status, out, err) = run(&scratch.0, &[&["--format", "json"], arguments].concat());
        assert_eq!((status, out.as_str()), (2, ""), "{arguments:?}: {err}");
        assert!(err.contains("would write over what is read"), "{arguments:?}: {err}");
        assert_eq!(fs::read_to_string(scratch.0.join("sub/k.visaasm")).expect("the file"), BAD);
    }
    let known = run(&scratch.0, &["--write-baseline", "known.json", "sub"]);
    assert_eq!(known.0, 0, "{}", known.2);
    let baseline = fs::read(scratch.0.join("known.json")).expect("the file");
    let of_baselines: [(&str, &[&str]); 4] = [
        ("--write-baseline", &["--write-baseline", "sub/k.visaasm", "sub"]),
        ("--write-baseline", &["--write-baseline", "soft", "sub/k.visaasm"]),
        ("--write-baseline", &["--write-baseline", "info.yaml", "--ze-info", "info.yaml", "sub"]),
        ("--output", &["--output", "./known.json", "--baseline", "known.json", "sub"]),
    ];
    for (option, arguments) in of_baselines {
        let (status, out, err) = run(&scratch.0, arguments);
        assert_eq!((status, out.as_str()), (2, ""), "{arguments:?}: {err}");
        assert!(err.contains(&format!("`{option} ")) && err.contains("would write over what is read"), "{err}");
        assert_eq!(fs::read_to_string(scratch.0.join("sub/k.visaasm")).expect("the file"), BAD);
        assert_eq!(fs::read_to_string(scratch.0.join("info.yaml")).expect("the file"), "kernels: []\n");
        assert_eq!(fs::read(scratch.0.join("known.json")).expect("the file"), baseline);
    }
    for (one, other) in [("a.json", "./a.json"), ("old.json", "sub/../old.json"), ("new.json", "to-new")] {
        let arguments = ["--format", "json", "--output", one, "--format", "sarif", "--output", other, "sub"];
        let (status, out, err) = run(&scratch.0, &arguments);
        assert_eq!((status, out.as_str()), (2, ""), "{one} {other}: {err}");
        assert!(err.contains("two reports would go to"), "{err}");
    }
    assert_eq!(fs::read_to_string(scratch.0.join("old.json")).expect("the file"), "old");
    let both = ["--format", "json", "--output", "a.json", "--format", "sarif", "--output", "b.json", "sub"];
    assert_eq!(run(&scratch.0, &both).0, 1);
}

#[test]
fn settings_that_are_no_file_are_named() {
    let scratch = Scratch::new("no-settings");
    let settings = |name: &str| scratch.0.join(name).join("visa-lint.toml");
    for name in ["loop", "folder", "pipe", "device", "nowhere", "large"] {
        scratch.file(&format!("{name}/k.visaasm"), GOOD);
    }
    symlink("visa-lint.toml", settings("loop")).expect("a link");
    fs::create_dir(settings("folder")).expect("a folder");
    assert!(Command::new("mkfifo").arg(settings("pipe")).status().expect("mkfifo").success());
    assert!(fs::metadata(settings("pipe")).expect("a pipe").file_type().is_fifo());
    symlink("/dev/zero", settings("device")).expect("a link");
    symlink("there-is-none", settings("nowhere")).expect("a link");
    File::create(settings("large")).and_then(|file| file.set_len((4 << 20) + 1)).expect("a file");
    for (name, words) in [
        ("loop", "symbolic links"),
        ("folder", "it is a folder"),
        ("pipe", "it is a pipe or a device"),
        ("device", "it is a pipe or a device"),
        ("nowhere", "No such file"),
        ("large", "it is larger than 4 MiB"),
    ] {
        let text = format!("{name}/k.visaasm");
        let file = format!("{name}/visa-lint.toml");
        for arguments in [&[&*text][..], &["--config", &*file, &*text]] {
            let (status, out, err) = run(&scratch.0, arguments);
            assert_eq!((status, out.as_str()), (2, ""), "{arguments:?}: {err}");
            let unwrapped = err.split_whitespace().collect::<Vec<_>>().join(" ").replace("│ ", "").replace("- ", "-");
            assert!(unwrapped.contains("visa-lint.toml") && unwrapped.contains(words), "{arguments:?}: {unwrapped}");
        }
        assert_eq!(run(&scratch.0, &["--no-config", &text]).0, 0);
    }
    // The facts about kernels that a workspace names are read with the same care.
    scratch.file("facts/k.visaasm", GOOD);
    scratch.file("facts/visa-lint.toml", "[launch]\nze-info = \"/dev/zero\"\n");
    let (status, _, err) = run(&scratch.0, &["facts"]);
    assert_eq!(status, 2);
    assert!(err.contains("/dev/zero"), "{err}");
}

#[test]
fn endless_input_is_refused_while_it_is_read() {
    let scratch = Scratch::new("endless");
    symlink("/dev/zero", scratch.0.join("zero.visaasm")).expect("a link");
    let (status, _, err) = run(&scratch.0, &["/dev/zero"]);
    assert_eq!(status, 2);
    assert!(err.contains("`/dev/zero`: it is a binary file"), "{err}");
    let (status, _, err) = run(&scratch.0, &["."]);
    assert_eq!(status, 2);
    assert!(err.contains("`zero.visaasm`: it is a link to something else than a file"), "{err}");
    let (status, _, err) = shell(&scratch.0, "yes | \"$VISA_LINT\" -");
    assert_eq!(status, 2);
    assert!(err.contains("it has more than 256 MiB"), "{err}");
}

#[test]
fn an_interrupted_fix_leaves_the_old_or_the_new_text() {
    let scratch = Scratch::new("interrupt");
    let tail = "    mov (M1, 8) V32(0,0)<1> 1:d\n".repeat(20_000);
    let old = FIXABLE.replace("    ret (M1, 1)\n", &format!("{tail}    ret (M1, 1)\n"));
    let new = FIXED.replace("    ret (M1, 1)\n", &format!("{tail}    ret (M1, 1)\n"));
    let file = scratch.0.join("k.visaasm");
    for wait in 0..12 {
        fs::write(&file, &old).expect("the file");
        let mut child = command(&scratch.0, &["--fix", "-q", "k.visaasm"])
            .stdout(File::create("/dev/null").expect("a device"))
            .spawn()
            .expect("the program starts");
        std::thread::sleep(std::time::Duration::from_millis(wait * 10));
        // It may have ended already.
        let _ = child.kill();
        child.wait().expect("it ends");
        let now = fs::read_to_string(&file).expect("the file");
        assert!(now == old || now == new, "{} bytes after {} ms", now.len(), wait * 10);
    }
}

#[test]
fn an_interrupted_fix_leaves_nothing_beside_the_files() {
    let scratch = Scratch::new("interrupt-beside");
    for round in 0..8 {
        let folder = scratch.0.join(round.to_string());
        let files: Vec<_> = (0..200).map(|n| folder.join(format!("{n}.visaasm"))).collect();
        fs::create_dir(&folder).expect("a folder");
        for file in &files {
            fs::write(file, FIXABLE).expect("a file");
        }
        let mut child = command(&folder, &["--fix", "-q", "."])
            .stdout(File::create("/dev/null").expect("a device"))
            .spawn()
            .expect("the program starts");
        let is_fixed = || files.iter().any(|file| fs::read_to_string(file).is_ok_and(|text| text == FIXED));
        while !is_fixed() && child.try_wait().expect("a child").is_none() {}
        Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill");
        let status = child.wait().expect("it ends");
        assert!(matches!(status.code(), Some(0 | 130)), "{status}");
        assert_eq!(names(&folder).len(), files.len(), "{:?}", names(&folder));
    }
}

#[test]
fn host_sources_without_visa_are_looked_at_as_others_are() {
    let scratch = Scratch::new("idle-hosts");
    scratch.file("plain.cpp", "int main() { return 0; }\n");
    scratch.file("empty.hpp", "");
    fs::write(scratch.0.join("latin.c"), b"// caf\xe9\nint x;\n").expect("bytes");
    fs::write(scratch.0.join("odd.cl"), b"\xff\xfei\0n\0t\0").expect("bytes");
    fs::write(scratch.0.join("object.h"), b"int\0x;\n").expect("bytes");
    scratch.file("kernel.cl", "kernel void k() { int x; __asm__(\"movi (M1, 16) %0(0,0)<1> 0x0:d\" : \"=rw\"(x)); }\n");
    let (status, out, err) = run(&scratch.0, &["--hosts", "--format", "short", "."]);
    assert_eq!(status, 2, "{out}{err}");
    assert_eq!(out.lines().count(), 1, "{out}");
    assert!(out.starts_with("kernel.cl:1:35: error[unknown-instruction]"), "{out}");
    assert!(err.contains("cannot check `odd.cl`: it is UTF-16 text"), "{err}");
    assert!(err.contains("cannot check `object.h`: it is a binary file"), "{err}");
    assert!(err.contains("checked 1 kernel in 4 files"), "{err}");
}
