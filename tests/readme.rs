//! What the README shows is what the program prints.

use crate::support::blessed;
use crate::support::process::run;
use std::path::Path;

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
