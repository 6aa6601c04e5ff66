//! A finding as plain data: what, where, why, and what to write instead.

use super::printable;
use super::rule::{Level, Rule};
use super::span::{Shift, Span};
use std::borrow::Cow;

/// A marked place with a few words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// What is to be seen there; may be empty.
    pub text: String,
}

/// Replacement of one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The bytes to replace; empty to insert.
    pub span: Span,
    /// The new text.
    pub text: String,
}

/// A change that mends the fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What it does, in the imperative: "write `scatter4_scaled`".
    pub title: String,
    /// Edits that do not overlap, in the order of the text.
    pub edits: Vec<Edit>,
    /// Whether it is certain that this is what was meant; only such fixes are applied by `--fix`.
    pub certain: bool,
}

/// One finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The rule that was broken.
    pub rule: &'static Rule,
    /// Its level here.
    pub level: Level,
    /// One short lower-case sentence without a final stop.
    pub message: String,
    /// The exact token, with its own words.
    pub primary: Label,
    /// Further places, such as the declaration.
    pub secondary: Vec<Label>,
    /// Whether the further places, in their order, are the steps that lead to the primary one.
    pub is_trace: bool,
    /// The platforms that it concerns, by name; empty if it concerns all in question.
    pub platforms: Vec<&'static str>,
    /// Why: the document, the platforms.
    pub notes: Vec<String>,
    /// What to do.
    pub help: Option<String>,
    /// The change, where it can be written down.
    pub fix: Option<Fix>,
    /// If it says that something was not looked at to the end: why, in a few words that stay the same from version to
    /// version.
    pub given_up: Option<&'static str>,
}

/// What is said of the place where a macro is used in whose definition a finding is.
const USED: &str = "used here";

/// How a note begins that names the document of an instruction.
pub const DOCUMENT: &str = "vISA manual, ";

/// How a note begins that names the page of an instruction without a document.
pub const OWN_PAGE: &str = "see `visa-lint explain ";

/// How a note begins that names the platforms on which a finding holds.
pub const PLATFORMS: &str = "this holds ";

/// Longest text of a message in bytes. What a message quotes from the text checked may be of any length.
const MAX_TEXT_BYTES: usize = 480;

/// Cuts the middle out of a text that is too long to be read, and replaces characters that would change how the terminal
/// shows the message.
fn clip(text: String) -> String {
    if text.len() <= MAX_TEXT_BYTES {
        return match printable::line(&text) {
            Cow::Borrowed(_) => text,
            Cow::Owned(clean) => clean,
        };
    }
    let front = (0..=MAX_TEXT_BYTES / 4).rev().find(|i| text.is_char_boundary(*i)).unwrap_or(0);
    let back = (text.len() - MAX_TEXT_BYTES / 4..=text.len()).find(|i| text.is_char_boundary(*i)).unwrap_or(text.len());
    clip(format!("{} ... {}", &text[..front], &text[back..]))
}

impl Diagnostic {
    /// Moves every place that it names.
    pub fn move_places(&mut self, shift: Shift) {
        let labels = std::iter::once(&mut self.primary).chain(&mut self.secondary).map(|label| &mut label.span);
        let edits = self.fix.iter_mut().flat_map(|fix| &mut fix.edits).map(|edit| &mut edit.span);
        labels.chain(edits).for_each(|span| shift.apply(span));
    }

    /// A finding of `rule` at `span`, at the rule's level.
    #[must_use]
    pub fn new(rule: &'static Rule, span: Span, message: impl Into<String>) -> Self {
        Self {
            rule,
            level: rule.level,
            message: clip(message.into()),
            primary: Label { span, text: String::new() },
            secondary: Vec::new(),
            is_trace: false,
            platforms: Vec::new(),
            notes: Vec::new(),
            help: None,
            fix: None,
            given_up: None,
        }
    }

    /// Says that something was not looked at to the end, and why.
    #[must_use]
    pub const fn given_up(mut self, why: &'static str) -> Self {
        self.given_up = Some(why);
        self
    }

    /// The message, and after it what its place says: the two sentences that belong together wherever they are not drawn.
    #[must_use]
    pub fn sentence(&self) -> Cow<'_, str> {
        if self.primary.text.is_empty() {
            Cow::Borrowed(&self.message)
        } else {
            Cow::Owned(format!("{}; {}", self.message, self.primary.text))
        }
    }

    /// All its words but those of further places: the sentence, then a line for each note and for the help.
    #[must_use]
    pub fn full_text(&self) -> String {
        let mut text = self.sentence().into_owned();
        for note in &self.notes {
            text += "\nnote: ";
            text += note;
        }
        if let Some(help) = &self.help {
            text += "\nhelp: ";
            text += help;
        }
        text
    }

    /// Whether something says why it is wrong or what to write: words at its place, a help, or a note that does more than
    /// name the document.
    #[must_use]
    pub fn is_explained(&self) -> bool {
        let explains = |note: &String| match note.strip_prefix(DOCUMENT) {
            Some(section) => section.contains(": "),
            None => !note.starts_with(OWN_PAGE) && !note.starts_with(PLATFORMS),
        };
        !self.primary.text.is_empty() || self.help.is_some() || self.notes.iter().any(explains)
    }

    /// Gives a finding that says no more than its message the help of its rule.
    pub fn complete(&mut self) {
        if !self.is_explained() && !self.rule.help.is_empty() {
            self.help = Some(self.rule.help.to_owned());
        }
    }

    /// Sets the level.
    #[must_use]
    pub fn level(mut self, level: Level) -> Self {
        self.level = level;
        self
    }

    /// Sets the words at the primary place.
    #[must_use]
    pub fn label(mut self, text: impl Into<String>) -> Self {
        self.primary.text = clip(text.into());
        self
    }

    /// Marks a further place.
    #[must_use]
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Self {
        self.secondary.push(Label { span, text: clip(text.into()) });
        self
    }

    /// Marks the declaration of what it is about, if the text has one.
    #[must_use]
    pub fn declared_at(self, span: Span) -> Self {
        if span.is_empty() { self } else { self.also(span, "declared here") }
    }

    /// Marks where the macro is used in whose definition the finding is.
    #[must_use]
    pub fn used_at(self, span: Span) -> Self {
        self.also(span, USED)
    }

    /// Where the macro is used in whose definition the finding is.
    #[must_use]
    pub fn use_place(&self) -> Option<Span> {
        self.secondary.iter().find(|label| label.text == USED).map(|label| label.span)
    }

    /// Says that the further places, in their order, are the steps that lead to the primary one.
    #[must_use]
    pub fn trace(mut self) -> Self {
        self.is_trace = true;
        self
    }

    /// Adds a note.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(clip(text.into()));
        self
    }

    /// Says what to do.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(clip(text.into()));
        self
    }

    /// Proposes to replace `span` by `text`; certain fixes may be applied without asking.
    #[must_use]
    pub fn replace(self, span: Span, text: impl Into<String>, certain: bool) -> Self {
        let text = text.into();
        let title = if text.trim().is_empty() { "remove it".to_owned() } else { format!("write `{}`", text.trim()) };
        self.fix(Fix { title, edits: vec![Edit { span, text }], certain })
    }

    /// Attaches a fix; its title becomes the help if there is none yet.
    #[must_use]
    pub fn fix(mut self, fix: Fix) -> Self {
        let fix = Fix { title: clip(fix.title), ..fix };
        if self.help.is_none() {
            self.help = Some(fix.title.clone());
        }
        self.fix = Some(fix);
        self
    }
}
