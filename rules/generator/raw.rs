//! TOML with spans: parses files, takes over keys by `like`, and turns tables into the structs of [`super::model`]
//! without stopping at the first fault.

use super::problem::{Reporter, TakenOver};
use super::words::{join_or, suggest};
use serde::de::DeserializeOwned;
use std::borrow::Cow;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue, ValueDeserializer};

/// One table of a file of instructions, together with what it takes over.
pub struct Entry<'a> {
    /// The mnemonic.
    pub name: String,
    /// Where it stands.
    pub span: Range<usize>,
    /// Its keys and those that it takes over.
    pub table: DeTable<'a>,
    /// Nothing is missing that it should have taken over.
    pub is_whole: bool,
    /// What it takes over.
    pub taken_over: TakenOver,
}

/// The top table of a file; empty if its syntax is broken, for what the parser makes of the rest is not what was meant.
pub fn document<'a>(reporter: &mut Reporter<'a>) -> DeTable<'a> {
    let text: &'a str = &reporter.file().text;
    let (document, errors) = DeTable::parse_recoverable(text);
    if errors.is_empty() {
        return document.into_inner();
    }
    for error in errors {
        reporter.report(&error.span().unwrap_or(0..0), error.message().replace('\n', ", "));
    }
    DeTable::default()
}

/// The entries of a file of instructions, in the order of the text.
pub fn entries<'a>(reporter: &mut Reporter<'a>) -> Vec<Entry<'a>> {
    let document = document(reporter);
    let mut entries = Vec::new();
    for (name, value) in &document {
        let (name, span) = (name.get_ref().to_string(), name.span());
        if let DeValue::Table(own) = value.get_ref() {
            let taken_over = TakenOver { by: name.clone(), spans: Vec::new() };
            let mut entry = Entry { name, span, table: own.clone(), is_whole: true, taken_over };
            let n_problems = reporter.count();
            take_over(&mut entry, &document, reporter);
            entry.is_whole = reporter.count() == n_problems;
            entries.push(entry);
        } else {
            reporter.report(&span, format!("`{name}` is not the table of an instruction"));
        }
    }
    entries.sort_by_key(|entry| entry.span.start);
    entries
}

/// Keys that each entry has to give for itself. What an instruction computes is never taken over: a forgotten key would
/// make abstract execution compute something else, without it the destination is unknown.
const NOT_TAKEN_OVER: &[&str] = &["like", "operation"];

/// Adds the keys of the entry that `like` names, of the one that that one names, and so on.
fn take_over<'a>(entry: &mut Entry<'a>, document: &DeTable<'a>, reporter: &mut Reporter<'_>) {
    let mut trail = vec![entry.name.clone()];
    let mut next = entry.table.remove("like");
    let at = next.as_ref().map(Spanned::span).unwrap_or_default();
    while let Some(like) = next {
        let Some(name) = like.get_ref().as_str() else {
            reporter.report(&like.span(), "`like` takes the name of an entry");
            return;
        };
        if trail.iter().any(|passed| passed == name) {
            // A circle that does not come back to this entry is reported for those that are in it.
            if name == entry.name {
                trail.push(name.to_owned());
                reporter.report(&at, format!("`like` goes round in a circle: {}", trail.join(", ")));
            }
            return;
        }
        let Some(base) = document.get(name).and_then(|value| value.get_ref().as_table()) else {
            let known = document.keys().map(|key| key.get_ref().as_ref());
            reporter.report(&like.span(), format!("`like`: no entry `{name}` in this file{}", suggest(name, known)));
            return;
        };
        for (key, value) in base {
            if !NOT_TAKEN_OVER.contains(&key.get_ref().as_ref()) && !entry.table.contains_key(key.get_ref().as_ref()) {
                collect_spans(value, &mut entry.taken_over.spans);
                entry.taken_over.spans.push(key.span());
                entry.table.insert(key.clone(), value.clone());
            }
        }
        trail.push(name.to_owned());
        next = base.get("like").cloned();
    }
}

/// Collects where a value and everything in it stands.
fn collect_spans(value: &Spanned<DeValue<'_>>, spans: &mut Vec<Range<usize>>) {
    spans.push(value.span());
    match value.get_ref() {
        DeValue::Array(items) => items.iter().for_each(|item| collect_spans(item, spans)),
        DeValue::Table(table) => {
            for (key, value) in table {
                spans.push(key.span());
                collect_spans(value, spans);
            }
        }
        _ => {}
    }
}

/// Turns a table into a struct. Whatever does not fit is reported and left out.
pub fn read<T: DeserializeOwned + Default>(table: DeTable<'_>, span: Range<usize>, reporter: &mut Reporter<'_>) -> T {
    let mut value = Spanned::new(span, DeValue::Table(table));
    loop {
        match T::deserialize(ValueDeserializer::from(value.clone())) {
            Ok(read) => return read,
            Err(error) => {
                let span = error.span().unwrap_or(value.span());
                let removed = remove_at(value.get_mut(), span.start);
                reporter.report(&span, explain(error.message(), removed.as_ref()));
                if removed.is_none() {
                    return T::default();
                }
            }
        }
    }
}

/// Removes the innermost key or item that stands at `offset`, and gives its value.
fn remove_at<'a>(value: &mut DeValue<'a>, offset: usize) -> Option<DeValue<'a>> {
    match value {
        DeValue::Table(table) => {
            for (key, value) in table.iter_mut() {
                if !key.span().contains(&offset)
                    && let Some(removed) = remove_at(value.get_mut(), offset)
                {
                    return Some(removed);
                }
            }
            let is_there = |(key, value): &(&Spanned<Cow<'_, str>>, &Spanned<DeValue<'_>>)| {
                key.span().contains(&offset) || value.span().contains(&offset)
            };
            let key = table.iter().find(is_there)?.0.get_ref().clone();
            table.remove(key.as_ref()).map(Spanned::into_inner)
        }
        DeValue::Array(items) => {
            for item in items.iter_mut() {
                if let Some(removed) = remove_at(item.get_mut(), offset) {
                    return Some(removed);
                }
            }
            let place = items.iter().position(|item| item.span().contains(&offset))?;
            let removed = items[place].get_ref().clone();
            let rest = items.iter().enumerate().filter(|(i, _)| *i != place);
            *items = rest.map(|(_, item)| item.clone()).collect();
            Some(removed)
        }
        _ => None,
    }
}

/// Serde's message in our words.
fn explain(message: &str, removed: Option<&DeValue<'_>>) -> String {
    let Some(rest) = message.strip_prefix("unknown field `") else {
        return message.replace('\n', ", ");
    };
    let key = rest.split('`').next().unwrap_or_default();
    let known: Vec<&str> = rest.split('`').skip(2).step_by(2).collect();
    if matches!(removed, Some(DeValue::Table(_))) {
        return format!("unknown key `{key}` (a mnemonic with a dot has to be quoted: [\"NAME.{key}\"])");
    }
    match suggest(key, known.iter().copied()) {
        near if near.starts_with(", did") => format!("unknown key `{key}`{near}"),
        _ => format!("unknown key `{key}`, expected {}", join_or(&known)),
    }
}
