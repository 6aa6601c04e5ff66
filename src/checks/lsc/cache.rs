//! The words for caching after the unit: none, one each for L1 and L3, or in the 64-bit mode for L1, L2 and L3.

use super::message::{Class, Message, Unit};
use super::wide::{Mode, Modes};
use crate::base::diagnostic::Diagnostic;
use crate::base::rule::Level;
use crate::base::span::Span;
use crate::checks::context::Sink;
use crate::checks::table::document;
use crate::lower::modifier::MISSING_MODIFIER;
use crate::spec::{Platform, join_or};

crate::declare_rule! {
    /// A combination of caching words that the message does not have. Loads, stores and atomic operations have tables of
    /// their own, `df` stands with no other word, and some units take the default only. A prefetch that may not put its
    /// data anywhere is reported here as well.
    ///
    /// ```visa bad
    /// lsc_load.ugm.wb.wb (M1, 16) VUD:d32 flat[VUQ]:a64
    /// ```
    /// ```visa good
    /// lsc_load.ugm.ca.ca (M1, 16) VUD:d32 flat[VUQ]:a64
    /// ```
    pub UNSUPPORTED_CACHE_OPTIONS = "unsupported-cache-options", Error | Warning | Pedantic, "LSC_UNTYPED",
        help = "choose a combination that this message has; without caching words the default holds"
}

// What the messages have, as L1 and L3.

const LOAD: &[&str] = &["df.df", "uc.uc", "uc.ca", "ca.uc", "ca.ca", "st.uc", "st.ca", "ri.ca"];
const STORE: &[&str] = &["df.df", "uc.uc", "uc.wb", "wt.uc", "wt.wb", "st.uc", "st.wb", "wb.wb"];
const ATOMIC: &[&str] = &["df.df", "uc.uc", "uc.wb"];
/// Loads from Xe2 on, outside the manual: the compiler writes the first, the newest reference
/// encodes the others.
const LOAD_SINCE_XE2: &[(&str, Level)] =
    &[("ca.cc", Level::Pedantic), ("uc.cc", Level::Warning), ("ri.ri", Level::Off)];

// What they have in the 64-bit mode, as L1, L2 and L3.

const WIDE_LOAD: &[&str] = &[
    "df.df.df", "uc.uc.uc", "uc.uc.ca", "uc.ca.uc", "uc.ca.ca", "ca.uc.uc", "ca.uc.ca", "ca.ca.uc", "ca.ca.ca",
    "st.uc.uc", "st.uc.ca", "st.ca.uc", "st.ca.ca", "ri.ri.ri",
];
const WIDE_STORE: &[&str] = &[
    "df.df.df", "uc.uc.uc", "uc.uc.wb", "uc.wb.uc", "uc.wb.wb", "wt.uc.uc", "wt.uc.wb", "wt.wb.uc", "wt.wb.wb",
    "st.uc.uc", "st.uc.wb", "st.wb.uc", "wb.uc.uc", "wb.uc.wb", "wb.wb.uc",
];
const WIDE_ATOMIC: &[&str] = &["df.df.df", "uc.uc.uc", "uc.uc.wb", "uc.wb.uc"];

impl Class {
    /// The settings with two words, with three words, and what has them.
    const fn cache_settings(self) -> (&'static [&'static str], &'static [&'static str], &'static str) {
        match self {
            Self::Store => (STORE, WIDE_STORE, "stores"),
            Self::Atomic | Self::Counter => (ATOMIC, WIDE_ATOMIC, "atomic operations"),
            Self::Load | Self::Status | Self::StateInfo | Self::CacheControl => (LOAD, WIDE_LOAD, "loads"),
        }
    }
}

/// The words of a message, as long as there are words.
#[derive(Clone, Copy)]
struct Setting {
    words: [&'static str; 3],
    n_words: usize,
    span: Span,
}

impl Setting {
    fn of(message: &Message) -> Option<Self> {
        let mut used = message.cache_words();
        let (first, place) = used.next()?;
        let mut setting = Self { words: [first, "", ""], n_words: 1, span: place.span };
        for (word, place) in used.take(2) {
            setting.words[setting.n_words] = word;
            setting.n_words += 1;
            setting.span = setting.span.to(place.span);
        }
        Some(setting)
    }

    fn words(&self) -> &[&'static str] {
        &self.words[..self.n_words]
    }

    /// Whether it is what a table writes as `uc.ca`.
    fn is(&self, text: &str) -> bool {
        text.split('.').eq(self.words().iter().copied())
    }

    fn is_in(&self, table: &[&str]) -> bool {
        table.iter().any(|text| self.is(text))
    }

    fn is_default(&self) -> bool {
        self.words().iter().all(|word| *word == "df")
    }

    fn text(&self) -> String {
        self.words().join(".")
    }
}

/// Checks the words of one message.
pub fn check(message: &Message, modes: &Modes, sink: &mut Sink) {
    let Some(setting) = Setting::of(message) else { return };
    // A word that could not be read may be what makes the number of words wrong.
    let takes_three = |platform| modes.mode(message.view, platform) == Mode::Certain;
    if message.view.instruction.is_broken
        && !has_all_words(message)
        && (setting.n_words != 2 || message.view.cx.platforms.iter().any(takes_three))
    {
        return;
    }
    let span = setting.span;
    if setting.n_words == 1 {
        sink.report(alone(message, &setting));
        return;
    }
    let view = message.view;
    let level = |platform| level_on(message, &setting, modes.mode(view, platform), platform);
    sink.report_by_platform(view.cx, level, |platform| {
        describe(message, &setting, modes.mode(view, platform), platform).note(document(view))
    });
    let is_prefetch = message.class == Class::Load && message.data.is_some_and(|data| data.is_null());
    if is_prefetch && (setting.is("uc.uc") || setting.is("df.df")) {
        let why = if setting.is_default() { "it names no cache" } else { "no cache may keep the data" };
        let text = format!("a prefetch with `.{}` has no effect: {why}", setting.text());
        let diagnostic = Diagnostic::new(&UNSUPPORTED_CACHE_OPTIONS, span, text).level(Level::Warning);
        sink.report(diagnostic.replace(span, ".ca.ca", false));
    }
}

/// Whether each word between the mnemonic and the execution mask was read.
fn has_all_words(message: &Message) -> bool {
    let view = message.view;
    let (from, to) = (view.spans.mnemonic.end, view.spans.exec.start);
    from <= to && view.text(Span::new(from, to)).matches('.').count() == view.modifiers.len()
}

/// A word for L1 without the one for L3.
fn alone(message: &Message, setting: &Setting) -> Diagnostic {
    let [word, ..] = setting.words;
    let text = format!("`.{word}` stands alone: caching has a word for L1 and one for L3");
    let diagnostic = Diagnostic::new(&MISSING_MODIFIER, setting.span, text);
    let (two, ..) = message.class.cache_settings();
    let pairs: Vec<String> =
        two.iter().filter(|pair| pair.split('.').next() == Some(word)).map(|pair| format!(".{pair}")).collect();
    match pairs.as_slice() {
        [] => diagnostic,
        [only] => diagnostic.replace(setting.span, only.as_str(), false),
        [first, ..] => diagnostic
            .label(format!("expected {}", join_or(pairs.iter().map(|pair| format!("`{pair}`")))))
            .replace(setting.span, first.as_str(), false),
    }
}

/// Before Xe2 these units know no caching of their own.
fn takes_default_only(unit: Option<Unit>, platform: Platform) -> bool {
    matches!(unit, Some(Unit::Ugml | Unit::Tgm)) && platform < Platform::XE2
}

fn level_on(message: &Message, setting: &Setting, mode: Mode, platform: Platform) -> Level {
    let (two, three, _) = message.class.cache_settings();
    let table = match (setting.n_words, mode) {
        (2, Mode::Certain) | (3, Mode::Impossible) => return Level::Error,
        (2, _) => two,
        _ => three,
    };
    if takes_default_only(message.unit, platform) && !setting.is_default() {
        return Level::Error;
    }
    if !setting.is_in(table) {
        let is_load = matches!(message.class, Class::Load | Class::Status);
        let newer = LOAD_SINCE_XE2.iter().find(|(text, _)| setting.is(text));
        return newer.filter(|_| is_load && platform >= Platform::XE2).map_or(Level::Error, |(_, level)| *level);
    }
    // The manual wants the default in shared local memory; the compiler does not care.
    if message.unit == Some(Unit::Slm) && !setting.is_default() { Level::Pedantic } else { Level::Off }
}

fn describe(message: &Message, setting: &Setting, mode: Mode, platform: Platform) -> Diagnostic {
    let error = |text: String| Diagnostic::new(&UNSUPPORTED_CACHE_OPTIONS, setting.span, text);
    let (two, three, what) = message.class.cache_settings();
    let (written, name) = (setting.text(), platform.name());
    let table = match (setting.n_words, mode) {
        (3, Mode::Impossible) => {
            return error(format!("`.{written}`: caching has two words on {name}, for L1 and L3"));
        }
        (2, Mode::Certain) => {
            return error(format!("`.{written}`: caching has three words in the 64-bit mode of this kernel"));
        }
        (2, _) => two,
        _ => three,
    };
    let unit = message.unit.map_or("", Unit::word);
    if takes_default_only(message.unit, platform) {
        return error(format!("`.{unit}` takes no caching on {name} but the default")).replace(setting.span, "", false);
    }
    if setting.is_in(table) {
        return error(format!("the manual gives `.{unit}` no caching but the default")).replace(
            setting.span,
            "",
            false,
        );
    }
    let all = join_or(table.iter().map(|text| format!("`.{text}`")));
    error(format!("`.{written}` is no caching of {what}")).label(format!("expected {all}"))
}
