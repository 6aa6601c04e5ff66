//! Host sources with a token left out or put twice: as what they are read, and what is found, is blessed, for the small ones of
//! other tests in `tests/snapshots/variations/host_tokens.txt`, for files in `host_files.txt`. Each line says how many of the
//! changed sources are read like no other one of the row, and has a check sum of what these are read as and of all that is held
//! of the source itself; the last sum of a file is that of `host_nested`.

use crate::support::{HostSource, blessed, check_sum, check_sum_of, host_sources, tests_folder};
use crate::variations::tokens;
use crate::words::Said;
use crate::{host_nested, host_operands, host_texts};
use rayon::prelude::*;
use std::collections::BTreeSet;
use visa_lint::checks::{self, Options};
use visa_lint::host::{self, Language, expand};

/// So many tokens of a file are changed.
const N_OF_FILE: usize = 5;

/// A host source that a row of a table makes.
#[derive(Clone)]
pub struct Source {
    language: Language,
    /// Every second piece, from the second one on, is that of the row.
    pieces: Vec<String>,
    /// Words of the pieces, and what stands for them: it is not changed.
    words: Vec<(&'static str, String)>,
}

impl Source {
    pub fn new(language: Language, pieces: &[&str]) -> Self {
        Self { language, pieces: pieces.iter().map(|piece| (*piece).to_owned()).collect(), words: Vec::new() }
    }

    pub fn with(mut self, word: &'static str, text: &str) -> Self {
        self.words.push((word, text.to_owned()));
        self
    }

    fn with_words(&self, text: &str) -> String {
        self.words.iter().fold(text.to_owned(), |text, (word, new)| text.replace(word, new))
    }

    pub fn text(&self) -> String {
        self.with_words(&self.pieces.concat())
    }

    /// The text with changes of some tokens of the row, as far from each other.
    fn variations(&self, step: usize) -> Vec<String> {
        let mut all = Vec::new();
        for (at, piece) in self.pieces.iter().enumerate().skip(1).step_by(2) {
            for token in tokens(piece).into_iter().step_by(step) {
                let written = &piece[token.clone()];
                for new in [String::new(), format!("{written} {written}")] {
                    let (before, after) = (&piece[..token.start], &piece[token.end..]);
                    let around = (self.pieces[..at].concat(), self.pieces[at + 1..].concat());
                    all.push(self.with_words(&[&around.0, before, &new, after, &around.1].concat()));
                }
            }
        }
        all
    }

    /// The beginning of the pieces of the row.
    fn own(&self) -> String {
        let own: Vec<&str> = self.pieces.iter().skip(1).step_by(2).map(String::as_str).collect();
        own.join(" ... ").replace('\n', " ").chars().take(90).collect()
    }

    /// All that is held of it, what it is read as and what is found with each change, in one line.
    fn said(&self, step: usize) -> String {
        let options = Options { pedantic: true, ..Options::default() };
        let (mut all, mut said) = (BTreeSet::new(), Said::default());
        for text in self.variations(step) {
            let host = host::read(&text, self.language, None);
            said.note(&text, &checks::fragment::check_host(&text, &host, &options, None).diagnostics);
            all.insert(check_sum(&expand::expand("a", &text, &host)));
        }
        let own = check_sum_of(&host::read(&self.text(), self.language, None));
        let sum = all.iter().fold(own, |sum: u32, one| sum.wrapping_add(*one));
        format!("{} {sum:08x} {said}", all.len())
    }
}

#[test]
fn tokens_of_hosts() {
    let sources = [host_texts::sources(), host_operands::sources()].concat();
    let said: String = sources.par_iter().map(|source| format!("{} {}\n", source.said(1), source.own())).collect();
    blessed(&tests_folder().join("snapshots/variations/host_tokens.txt"), &said);
    // A few tokens of each file.
    let of_file = |HostSource { name, language, text }: &HostSource| {
        let n_tokens = tokens(text).len();
        let said = Source::new(*language, &["", text]).said(n_tokens.div_ceil(N_OF_FILE).max(1));
        format!("{name}: {said} {:08x}\n", host_nested::sum(*language, text))
    };
    let said: String = host_sources().par_iter().map(of_file).collect();
    blessed(&tests_folder().join("snapshots/variations/host_files.txt"), &said);
}
