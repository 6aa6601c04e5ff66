//! What the README shows is what the program prints.

use crate::support::blessed;
use crate::support::process::{Scratch, run};
use clap::ValueEnum as _;
use std::path::Path;
use visa_lint::report::Format;

/// Lines of a block that begins with `$ visa-lint ...`: the command, and its output up to the next line that is not
/// indented.
#[test]
fn the_examples_output_is_real() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = root.join("README.md");
    let readme = std::fs::read_to_string(&path).expect("the README");
    let mut actual = String::new();
    let mut n_commands = 0;
    let mut lines = readme.lines().peekable();
    while let Some(line) = lines.next() {
        actual.push_str(line);
        actual.push('\n');
        let Some(command) = line.strip_prefix("    $ visa-lint ") else { continue };
        n_commands += 1;
        while lines.next_if(|l| l.is_empty() || l.starts_with("    ")).is_some() {}
        let arguments: Vec<&str> = command.split(' ').chain(["--quiet"]).collect();
        let (_, output, _) = run(root, &arguments);
        for line in output.trim_end().lines() {
            let indented = format!("    {line}");
            actual.push_str(indented.trim_end());
            actual.push('\n');
        }
        actual.push('\n');
    }
    assert!(n_commands > 0, "the README shows no example");
    blessed(&path, &actual);
}

/// The README names the formats of reports, in the order of the help.
#[test]
fn the_list_of_formats_is_complete() {
    let readme = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).expect("the README");
    let (_, rest) = readme.split_once("`--format ").expect("the formats");
    let (listed, _) = rest.split_once('`').expect("their end");
    let names: Vec<String> =
        Format::value_variants().iter().map(|f| f.to_possible_value().expect("a name").get_name().to_owned()).collect();
    assert_eq!(listed, names.join("|"));
}

/// The settings of the README hold as they are shown there.
#[test]
fn the_settings_load() {
    let readme = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).expect("the README");
    let (_, rest) = readme.split_once("```toml\n").expect("settings");
    let (settings, _) = rest.split_once("```").expect("an end");
    let scratch = Scratch::new("readme-settings");
    scratch.file("visa-lint.toml", settings);
    let (status, out, err) = run(&scratch.0, &["--show-config", "drafts/a.visaasm", "third_party/b.visaasm"]);
    assert_eq!((status, err.as_str()), (0, ""));
    let (draft, foreign) = out.split_once("# third_party").expect("two files");
    for part in ["platforms = [\"DG2\", \"PVC\"]", "misaligned-operand = \"off\"", "slm-size = 65536"] {
        assert!(draft.contains(part) && foreign.contains(part), "{part} in\n{out}");
    }
    assert!(draft.contains("unreachable-code = \"off\"") && !foreign.contains("unreachable-code"), "{out}");
    assert!(foreign.contains("# excluded") && !draft.contains("# excluded"), "{out}");
}
