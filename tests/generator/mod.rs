//! The generator of the tables: formulas, and what it says about faulty rules.

#[path = "../../rules/generator/mod.rs"]
mod rules;

mod formulas;
mod problems;
mod tables;

use rules::{File, Sources};
use std::path::Path;

/// The project's platforms, types and predefined variables, with those files of instructions. Frequent
/// mnemonics and other names are those of the project's instructions, and are left out.
fn sources(instructions: &[(&str, &str)]) -> Sources {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut sources = Sources::read(root).expect("the project's files can be read");
    let end = sources.words.text.find("often = [").expect("frequent mnemonics");
    sources.words.text.truncate(end);
    let file = |(path, text): &(&str, &str)| File { path: (*path).to_owned(), text: (*text).to_owned() };
    sources.instructions = instructions.iter().map(file).collect();
    sources
}

/// The problems of sources, as they are printed.
fn problems(sources: &Sources) -> Vec<String> {
    match rules::generate(sources) {
        Ok(_) => Vec::new(),
        Err(problems) => problems.iter().map(ToString::to_string).collect(),
    }
}

/// The problems of one file of instructions, without the path: `LINE: message`.
fn problems_of(text: &str) -> Vec<String> {
    let all = problems(&sources(&[("x.toml", text)]));
    all.iter().map(|problem| problem.strip_prefix("x.toml:").unwrap_or(problem).to_owned()).collect()
}
