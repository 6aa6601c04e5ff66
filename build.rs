//! Builds the parser from `grammar/` and the tables of the specification from `rules/`.

use std::env;
use std::error::Error;
use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

#[path = "rules/generator/mod.rs"]
mod generator;

fn main() -> ExitCode {
    let (Some(root), Some(out_dir)) = (env::var_os("CARGO_MANIFEST_DIR"), env::var_os("OUT_DIR")) else {
        return fail(["CARGO_MANIFEST_DIR and OUT_DIR are not set: cargo runs this program"]);
    };
    let (root, out_dir) = (PathBuf::from(root), PathBuf::from(out_dir));
    if let Err(error) = build_grammar(&root, &out_dir) {
        return fail([format!("grammar: {error}")]);
    }
    match build_tables(&root, &out_dir) {
        Ok(()) => ExitCode::SUCCESS,
        Err(messages) => fail(messages),
    }
}

/// Tells cargo all messages, and that the build failed.
fn fail(messages: impl IntoIterator<Item = impl Display>) -> ExitCode {
    for message in messages {
        println!("cargo::error={}", message.to_string().replace('\n', " "));
    }
    ExitCode::FAILURE
}

/// Runs lalrpop over `grammar/*.lalrpop`; the parsers come to `OUT_DIR/NAME.rs`.
fn build_grammar(root: &Path, out_dir: &Path) -> Result<(), Box<dyn Error>> {
    let folder = root.join("grammar");
    println!("cargo::rerun-if-changed=grammar");
    let Ok(files) = fs::read_dir(&folder) else { return Ok(()) };
    if !files.flatten().any(|file| file.path().extension().is_some_and(|e| e == "lalrpop")) {
        return Ok(());
    }
    lalrpop::Configuration::new()
        .set_in_dir(folder)
        .set_out_dir(out_dir)
        .emit_rerun_directives(true)
        .emit_comments(false)
        .process()
}

/// Writes `OUT_DIR/tables.rs`, or says everything that is wrong with the rules.
fn build_tables(root: &Path, out_dir: &Path) -> Result<(), Vec<String>> {
    for watched in [
        "rules/platforms.toml",
        "rules/types.toml",
        "rules/predefined.toml",
        "rules/launch.toml",
        "rules/words.toml",
        "rules/instructions",
        "src/spec",
    ] {
        println!("cargo::rerun-if-changed={watched}");
    }
    let sources = generator::Sources::read(root).map_err(|error| vec![error])?;
    let tables = generator::generate(&sources)
        .map_err(|problems| problems.iter().map(ToString::to_string).collect::<Vec<_>>())?;
    let path = out_dir.join("tables.rs");
    fs::write(&path, tables).map_err(|error| vec![format!("{}: {error}", path.display())])
}
