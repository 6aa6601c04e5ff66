//! What is wrong with a `visa-lint.toml`, and where.

use crate::base::printable;
use crate::base::spelling::closest;
use miette::{LabeledSpan, NamedSource, SourceCode};
use std::fmt;
use std::ops::Range;
use std::path::Path;

/// Bytes of a message, and of a line that is quoted, beyond which it is cut: a value may be as long as its file.
const MAX_SHOWN: usize = 1000;

/// A file of settings that cannot be used. Reports itself through [`miette::Diagnostic`].
#[derive(Debug)]
pub struct ConfigError {
    message: String,
    /// The place, with a few words.
    place: Option<(Range<usize>, String)>,
    help: Option<String>,
    source: NamedSource<String>,
}

impl ConfigError {
    /// Something that is wrong with the file as a whole.
    #[must_use]
    pub fn plain(file: &Path, message: impl Into<String>) -> Self {
        let source = NamedSource::new(shown_name(file), String::new());
        Self { message: shown(&message.into()), place: None, help: None, source }
    }

    /// What the TOML reader says, in our words where it speaks of keys and values.
    pub(super) fn from_toml(file: &Path, text: &str, error: &toml::de::Error) -> Self {
        let (message, label, help) = words(&printable::cut(error.message(), MAX_SHOWN));
        let help = help.map(|help| shown(&help));
        let place = error.span().map(|span| narrowed(span, text, &message));
        let Some((quoted, place)) = place.as_ref().and_then(|place| excerpt(text, place)) else {
            let line = place.map_or(1, |place| text[..place.start].matches('\n').count() + 1);
            return Self { help, ..Self::plain(file, format!("line {line}: {message}")) };
        };
        // What is quoted keeps its offsets.
        let source = NamedSource::new(shown_name(file), printable::source(&quoted).into_owned()).with_language("toml");
        Self { message: shown(&message), place: Some((place, label.to_owned())), help, source }
    }
}

/// A message as it is shown.
fn shown(message: &str) -> String {
    printable::lines(&printable::cut(message, MAX_SHOWN)).into_owned()
}

/// The text up to the line after a place, with the ends of long lines cut off, and what its first line holds of the place.
/// Nothing, if the place stands so far behind the beginning of its line that it would be cut off.
fn excerpt(text: &str, place: &Range<usize>) -> Option<(String, Range<usize>)> {
    let line = text[..place.start].rfind('\n').map_or(0, |end| end + 1);
    if place.start - line >= MAX_SHOWN {
        return None;
    }
    let (mut quoted, mut shown, mut at) = (String::new(), 0..0, 0);
    for part in text.split_inclusive('\n') {
        let (words, end) = part.strip_suffix('\n').map_or((part, ""), |words| (words, "\n"));
        let is_behind = at > place.start;
        if at == line {
            shown.start = quoted.len() + (place.start - line);
        }
        quoted.push_str(&words[..words.floor_char_boundary(MAX_SHOWN)]);
        if at == line {
            shown.end = (shown.start + place.len()).min(quoted.len());
        }
        quoted.push_str(end);
        at += part.len();
        if is_behind {
            break;
        }
    }
    Some((quoted, shown))
}

/// The name of a file as it is shown.
fn shown_name(file: &Path) -> String {
    printable::line(&printable::cut(&file.display().to_string(), MAX_SHOWN)).into_owned()
}

/// The place of the word that the message begins with, if it does: of a list, the reader gives the whole.
fn narrowed(span: Range<usize>, text: &str, message: &str) -> Range<usize> {
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
