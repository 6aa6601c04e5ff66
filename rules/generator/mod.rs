//! Reads the rules, cross-checks them, and prints them as Rust tables. A part of `build.rs`; the tests include it too.
//!
//! The way of the data: text, [`raw`] tables with spans, [`model`] (what the files say), [`validate`] and [`catalog`]
//! (what they mean, as [`checked`] rows), [`emit`] (Rust).

mod catalog;
mod checked;
mod emit;
pub mod expression;
mod launch;
mod model;
mod problem;
mod raw;
mod validate;
mod words;

use checked::Words;
use problem::{Problem, Reporter};
use std::fs;
use std::path::Path;
use words::Vocabulary;

/// A text file.
#[derive(Clone, Debug)]
pub struct File {
    /// Relative to the root of the project, with `/`.
    pub path: String,
    /// What it holds.
    pub text: String,
}

impl File {
    fn read(root: &Path, path: &str) -> Result<Self, String> {
        let text = fs::read_to_string(root.join(path)).map_err(|error| format!("{path}: {error}"))?;
        Ok(Self { path: path.to_owned(), text })
    }
}

/// Everything that the tables are made of.
#[derive(Clone, Debug)]
pub struct Sources {
    /// `rules/platforms.toml`
    pub platforms: File,
    /// `rules/types.toml`
    pub types: File,
    /// `rules/predefined.toml`
    pub predefined: File,
    /// `rules/launch.toml`
    pub launch: File,
    /// `rules/words.toml`
    pub words: File,
    /// `rules/instructions/*.toml`
    pub instructions: Vec<File>,
    /// The Rust sources whose enums are the words of the rules.
    pub spec: Vec<File>,
}

impl Sources {
    /// Reads them from the project's folder.
    pub fn read(root: &Path) -> Result<Self, String> {
        Ok(Self {
            platforms: File::read(root, "rules/platforms.toml")?,
            types: File::read(root, "rules/types.toml")?,
            predefined: File::read(root, "rules/predefined.toml")?,
            launch: File::read(root, "rules/launch.toml")?,
            words: File::read(root, "rules/words.toml")?,
            instructions: folder(root, "rules/instructions", "toml")?,
            spec: folder(root, "src/spec", "rs")?,
        })
    }
}

/// The files of a folder with that ending, sorted so that the output does not depend on the file system.
fn folder(root: &Path, folder: &str, ending: &str) -> Result<Vec<File>, String> {
    let entries = fs::read_dir(root.join(folder)).map_err(|error| format!("{folder}: {error}"))?;
    let mut paths: Vec<String> = entries
        .flatten()
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| Path::new(name).extension().is_some_and(|e| e == ending) && !name.starts_with('.'))
        .map(|name| format!("{folder}/{name}"))
        .collect();
    paths.sort();
    paths.iter().map(|path| File::read(root, path)).collect()
}

/// The Rust text of all tables, or everything that is wrong with the sources, ordered by file and line.
pub fn generate(sources: &Sources) -> Result<String, Vec<Problem>> {
    let mut problems = Vec::new();
    let words = Vocabulary::read(&sources.spec);
    let platforms = catalog::platforms(Reporter::new(&sources.platforms, &mut problems));
    let types = catalog::types(Reporter::new(&sources.types, &mut problems), &words);
    let predefined = catalog::predefined(Reporter::new(&sources.predefined, &mut problems), &types);
    let words_of_text = catalog::words(Reporter::new(&sources.words, &mut problems));
    if !problems.is_empty() {
        // Every instruction that names a lost platform or type would be reported as well.
        return Err(problem::tidy(problems));
    }
    let catalog = catalog::Catalog { words, platforms, types };
    let launch = launch::read(Reporter::new(&sources.launch, &mut problems), &catalog);
    let instructions = validate::instructions(&sources.instructions, &catalog, &mut problems);
    let Words { reserved, often, other_names, other_modifiers } = &words_of_text;
    catalog::no_mnemonics(reserved, &instructions, Reporter::new(&sources.words, &mut problems));
    catalog::often(often, &instructions, Reporter::new(&sources.words, &mut problems));
    catalog::other_names(other_names, &instructions, Reporter::new(&sources.words, &mut problems));
    catalog::other_modifiers(other_modifiers, &instructions, Reporter::new(&sources.words, &mut problems));
    if problems.is_empty() {
        let tables = emit::tables(&catalog, &predefined, &words_of_text, &instructions);
        Ok(tables
            + "
" + &emit::launch(&launch, catalog.all_platforms()))
    } else {
        Err(problem::tidy(problems))
    }
}
