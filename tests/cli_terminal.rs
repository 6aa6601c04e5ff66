//! What is shown in a terminal: names of files, settings and quoted lines of others do nothing to it, and forge no lines.

use crate::cli::{BAD, GOOD};
use crate::support::process::{Scratch, command, finish, run};
use visa_lint::base::printable::is_harmful;

/// A title, a cleared screen, C1 and bidirectional characters, and what looks like the end of a line.
const EVIL: &str = "\x1b]0;t\x07\x1b[2J\u{9b}31m\u{202e}\u{2066}\u{200f}\u{2028}\r\x0b\x7f";

/// Every format, and whether `--color always` may be used with it.
const FORMATS: [&str; 7] = ["text", "short", "json", "sarif", "github", "gitlab", "junit"];

fn assert_harmless(text: &str, what: &str) {
    let found = text.find(|c| is_harmful(c) && c != '\n' && c != '\t');
    assert_eq!(found, None, "{what}: {text:?}");
}

#[test]
fn names_of_files_do_nothing() {
    let scratch = Scratch::new("evil-names");
    let name = format!("a{EVIL}\nb.visaasm");
    scratch.file(&name, BAD);
    let missing = format!("missing{EVIL}\n::error ::forged.visaasm");
    for format in FORMATS {
        let (status, out, err) = run(&scratch.0, &["--format", format, &name, &missing]);
        assert_eq!(status, 2, "{format}: {err}");
        assert!(!out.is_empty());
        assert_harmless(&out, format);
        assert_harmless(&err, format);
        assert!(err.lines().all(|line| line.starts_with("visa-lint: cannot") || line.starts_with("checked")), "{err}");
        // One line for each finding, and in `github` one more for what cannot be checked.
        match format {
            "short" => assert_eq!(out.lines().count(), 1, "{out}"),
            "github" => assert_eq!(out.lines().count(), 2, "{out}"),
            _ => {}
        }
    }
    for arguments in
        [&["--show-config", &*name][..], &[&*format!("-{name}")], &["explain", &*name], &["--platform", &*name]]
    {
        let (_, out, err) = run(&scratch.0, arguments);
        assert_harmless(&out, "arguments");
        assert_harmless(&err, "arguments");
    }
    let (_, out, _) = run(&scratch.0, &["--show-config", &name]);
    assert_eq!(
        out.lines().next(),
        Some(
            "# a\u{fffd}]0;t\u{fffd}\u{fffd}[2J\u{fffd}31m\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}b.visaasm"
        )
    );
}

#[test]
fn a_name_is_no_command_of_a_log() {
    let scratch = Scratch::new("command-names");
    scratch.file("::error ::x.visaasm", BAD);
    let (_, out, _) = run(&scratch.0, &["--format", "short", "--", "::error ::x.visaasm"]);
    assert!(out.starts_with("./::error ::x.visaasm:6:5: error["), "{out}");
}

#[test]
fn names_in_json_are_exact() {
    let scratch = Scratch::new("exact-names");
    let name = format!("a{EVIL}b.visaasm");
    scratch.file(&name, BAD);
    let (_, out, _) = run(&scratch.0, &["--format", "json", &name]);
    let row: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(row["path"], *name);
}

#[test]
fn quoted_lines_do_nothing() {
    let scratch = Scratch::new("evil-lines");
    let text = BAD.replace("rett (M1, 1)", &format!("rett{EVIL} (M1, 1) // {EVIL}"));
    scratch.file("k.visaasm", text);
    // A line that is cut, as it is long.
    let long = BAD.replace("rett (M1, 1)", &format!("rett (M1, 1) // {}", EVIL.repeat(100)));
    scratch.file("long.visaasm", long);
    for format in FORMATS {
        let (status, out, _) = run(&scratch.0, &["--format", format, "."]);
        assert_eq!(status, 1, "{format}");
        assert_harmless(&out, format);
    }
    // With colours, the only escape sequences are those of the colours.
    let output = command(&scratch.0, &["--color", "always", "."]).env_remove("NO_COLOR").output();
    let (_, out, _) = finish(output.expect("the program runs"));
    let plain = regex::Regex::new("\x1b\\[[0-9;]*m").expect("a pattern").replace_all(&out, "").into_owned();
    assert!(plain.len() < out.len());
    assert_harmless(&plain, "colours");
}

#[test]
fn settings_do_nothing() {
    let scratch = Scratch::new("evil-settings");
    scratch.file("k.visaasm", GOOD);
    for settings in [
        format!("\"{}\" = 1\n", "\\u001b[2J\\u009b\\u202e"),
        format!("platforms = [\"\u{202e}\u{9b}X\"] # {}\n", "\u{202e}\u{9b}"),
        "rules = { \"\\u001b[2J\" = \"off\" }\n".to_owned(),
        format!("x = {}\n", EVIL.replace('\r', "")),
    ] {
        scratch.file("visa-lint.toml", &settings);
        let (status, out, err) = run(&scratch.0, &["k.visaasm"]);
        assert_eq!((status, out.as_str()), (2, ""), "{settings:?}");
        assert_harmless(&err, &settings);
    }
}
