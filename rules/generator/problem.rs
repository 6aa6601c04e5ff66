//! What is wrong with the rules, and where.

use super::File;
use super::words::suggest;
use std::collections::BTreeSet;
use std::fmt;
use std::ops::Range;
use toml::Spanned;

/// A fault of the rules.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Problem {
    /// The file, relative to the root of the project.
    pub path: String,
    /// Line, counted from 1.
    pub line: usize,
    /// What is wrong.
    pub message: String,
    /// The entry that took the faulty text over by `like`.
    pub taken_over_by: Option<String>,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.path, self.line, self.message)?;
        match &self.taken_over_by {
            Some(entry) => write!(f, " (as taken over by `{entry}`)"),
            None => Ok(()),
        }
    }
}

/// Orders the problems, and leaves one of those that say the same: a fault is not told again for each entry that takes
/// it over.
pub fn tidy(problems: Vec<Problem>) -> Vec<Problem> {
    let sorted: BTreeSet<Problem> = problems.into_iter().collect();
    let original = |problem: &Problem| Problem { taken_over_by: None, ..problem.clone() };
    sorted
        .iter()
        .filter(|problem| problem.taken_over_by.is_none() || !sorted.contains(&original(problem)))
        .cloned()
        .collect()
}

/// What an entry took over by `like`.
#[derive(Clone, Default, Debug)]
pub struct TakenOver {
    /// The entry.
    pub by: String,
    /// Where the texts stand that it took over.
    pub spans: Vec<Range<usize>>,
}

/// Collects the problems of one file.
pub struct Reporter<'a> {
    file: &'a File,
    taken_over: TakenOver,
    problems: &'a mut Vec<Problem>,
}

impl<'a> Reporter<'a> {
    /// For that file.
    pub fn new(file: &'a File, problems: &'a mut Vec<Problem>) -> Self {
        Self { file, taken_over: TakenOver::default(), problems }
    }

    /// The file.
    pub fn file(&self) -> &'a File {
        self.file
    }

    /// Number of problems so far.
    pub fn count(&self) -> usize {
        self.problems.len()
    }

    /// From now on the entry in question is the one that took that over.
    pub fn enter(&mut self, taken_over: TakenOver) {
        self.taken_over = taken_over;
    }

    /// Adds a problem at that place of the file.
    pub fn report(&mut self, span: &Range<usize>, message: impl Into<String>) {
        let is_foreign = self.taken_over.spans.iter().any(|s| s.start <= span.start && span.start < s.end);
        self.problems.push(Problem {
            path: self.file.path.clone(),
            line: line_of(&self.file.text, span.start),
            message: message.into(),
            taken_over_by: is_foreign.then(|| self.taken_over.by.clone()),
        });
    }

    /// Adds the problem that a word is none of those that are known.
    pub fn unknown<'w>(&mut self, what: &str, word: &Spanned<String>, known: impl IntoIterator<Item = &'w str>) {
        let (span, word) = (word.span(), word.get_ref());
        self.report(&span, format!("unknown {what} `{word}`{}", suggest(word, known)));
    }
}

/// The line of an offset, counted from 1.
pub fn line_of(text: &str, offset: usize) -> usize {
    text.bytes().take(offset).filter(|&byte| byte == b'\n').count() + 1
}
