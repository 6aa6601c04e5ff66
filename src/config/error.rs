//! What is wrong with a `visa-lint.toml`, and where.

use crate::base::printable;
use crate::base::spelling::closest;
use miette::{LabeledSpan, NamedSource, SourceCode};
use std::fmt;
use std::path::Path;

/// A file of settings that cannot be used. Reports itself through [`miette::Diagnostic`].
#[derive(Debug)]
pub struct ConfigError {
    message: String,
    /// The place, with a few words.
    place: Option<(std::ops::Range<usize>, String)>,
    help: Option<String>,
    source: NamedSource<String>,
}

impl ConfigError {
    /// Something that is wrong with the file as a whole.
    #[must_use]
    pub fn plain(file: &Path, message: impl Into<String>) -> Self {
        let source = NamedSource::new(shown_name(file), String::new());
        Self { message: printable::lines(&message.into()).into_owned(), place: None, help: None, source }
    }

    /// What the TOML reader says, in our words where it speaks of keys and values.
    pub(super) fn from_toml(file: &Path, text: &str, error: &toml::de::Error) -> Self {
        let (message, label, help) = words(error.message());
        let place = error.span().map(|span| (narrowed(span, text, &message), label.to_owned()));
        // What is quoted keeps its offsets.
        let source = NamedSource::new(shown_name(file), printable::source(text).into_owned()).with_language("toml");
        let clean = |text: String| printable::lines(&text).into_owned();
        Self { message: clean(message), place, help: help.map(clean), source }
    }
}

/// The name of a file as it is shown.
fn shown_name(file: &Path) -> String {
    printable::line(&file.display().to_string()).into_owned()
}

/// The place of the word that the message begins with, if it does: of a list, the reader gives the whole.
fn narrowed(span: std::ops::Range<usize>, text: &str, message: &str) -> std::ops::Range<usize> {
    let word = message.strip_prefix('`').and_then(|rest| rest.split_once('`')).map(|(word, _)| word);
    let place = word.and_then(|word| Some((text.get(span.clone())?.find(word)?, word.len())));
    place.map_or(span.clone(), |(start, length)| span.start + start..span.start + start + length)
}

/// Message, label and help for what the reader says.
fn words(said: &str) -> (String, &'static str, Option<String>) {
    if let Some((name, expected)) = said.strip_prefix("unknown field `").and_then(|rest| rest.split_once('`')) {
        let known: Vec<&str> = expected.split('`').skip(1).step_by(2).collect();
        return (format!("there is no key `{name}`"), "this key", Some(suggestion("keys", name, &known)));
    }
    if let Some((name, _)) = said.strip_prefix("unknown variant `").and_then(|rest| rest.split_once('`')) {
        let help = suggestion("levels", name, &["off", "pedantic", "warning", "error"]);
        return (format!("there is no level `{name}`"), "this word", Some(help));
    }
    // Names of platforms and rules come with their own suggestion.
    if let Some((message, help)) = said.split_once("; ").filter(|(message, _)| message.contains(": no such")) {
        return (message.to_owned(), "this name", Some(help.to_owned()));
    }
    // The reader speaks of types as programs do, not as TOML does.
    (said.replace("a sequence", "a list").replace("a map", "a table"), "here", None)
}

fn suggestion(what: &str, name: &str, known: &[&str]) -> String {
    match closest(name, known.iter().copied()) {
        Some(similar) => format!("did you mean `{similar}`?"),
        None => format!("the {what} here are {}", known.join(", ")),
    }
}

impl PartialEq for ConfigError {
    fn eq(&self, other: &Self) -> bool {
        (self.source.name(), &self.message, &self.place) == (other.source.name(), &other.message, &other.place)
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Some(_) => f.write_str(&self.message),
            None => write!(f, "{}: {}", self.source.name(), self.message),
        }
    }
}

impl std::error::Error for ConfigError {}

impl miette::Diagnostic for ConfigError {
    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.help.as_ref().map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.place.as_ref().map(|_| &self.source as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let (span, text) = self.place.as_ref()?;
        Some(Box::new(std::iter::once(LabeledSpan::new(Some(text.clone()), span.start, span.len()))))
    }
}
