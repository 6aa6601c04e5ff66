//! The words of the rules: they are the variants of the enums in `src/spec`, in snake case, so there is no second list
//! that could fall behind.

use super::File;
use std::collections::BTreeMap;

/// The enums of the specification and their variants without fields.
#[derive(Debug)]
pub struct Vocabulary {
    enums: BTreeMap<String, Vec<String>>,
}

impl Vocabulary {
    /// Reads the enums of Rust sources. Relies on what rustfmt prints: one variant per line.
    pub fn read(files: &[File]) -> Self {
        let mut enums: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for file in files {
            let mut current: Option<String> = None;
            for line in file.text.lines().map(str::trim) {
                if let Some(name) = line.strip_prefix("pub enum ").and_then(|rest| rest.strip_suffix(" {")) {
                    current = Some(name.to_owned());
                    enums.entry(name.to_owned()).or_default();
                } else if line == "}" {
                    current = None;
                } else if let (Some(name), Some(variant)) = (&current, line.strip_suffix(','))
                    && variant.chars().all(char::is_alphanumeric)
                {
                    enums.entry(name.clone()).or_default().push(variant.to_owned());
                }
            }
        }
        Self { enums }
    }

    /// The variants of an enum in their order.
    pub fn variants(&self, name: &str) -> &[String] {
        self.enums.get(name).map_or(&[], Vec::as_slice)
    }

    /// The words that stand for the variants of an enum.
    pub fn words(&self, name: &str) -> Vec<String> {
        self.variants(name).iter().map(|variant| snake_case(variant)).collect()
    }

    /// The Rust path of the variant that a word stands for: `Role::Source` for `source`.
    pub fn path(&self, name: &str, word: &str) -> Option<String> {
        let variant = self.variants(name).iter().find(|variant| snake_case(variant) == word)?;
        Some(format!("{name}::{variant}"))
    }
}

fn snake_case(variant: &str) -> String {
    let mut word = String::new();
    for (i, c) in variant.chars().enumerate() {
        if c.is_uppercase() && i > 0 {
            word.push('_');
        }
        word.extend(c.to_lowercase());
    }
    word
}

/// `, did you mean` that one of `known` which is near to `word`; otherwise all of them if they are few.
pub fn suggest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let known: Vec<&str> = known.into_iter().collect();
    let near = known.iter().map(|k| (distance(word, k), *k)).min().filter(|&(d, k)| d <= k.len().max(3) / 3);
    match near {
        Some((_, near)) => format!(", did you mean `{near}`?"),
        None if known.is_empty() || known.len() > 40 => String::new(),
        None => format!(", expected {}", join_or(&known)),
    }
}

/// `` `a`, `b` or `c` ``
pub fn join_or<S: AsRef<str>>(words: &[S]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{}`", word.as_ref())).collect();
    match quoted.as_slice() {
        [] => String::new(),
        [one] => one.clone(),
        [front @ .., last] => format!("{} or {last}", front.join(", ")),
    }
}

/// Number of letters to insert, remove or replace between two words, letter case aside.
fn distance(a: &str, b: &str) -> usize {
    let (a, b) = (a.to_lowercase(), b.to_lowercase());
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = i;
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}
