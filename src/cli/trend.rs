//! `visa-lint report`: which findings come and go between two runs, such as those over the output of two compilers.

use super::args::{ReportArguments, ReportFormat};
use super::console;
use super::input::reason;
use super::merge;
use crate::report::html::{escaped, page};
use rustc_hash::FxHashMap;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

/// So many examples of each rule are shown.
const N_EXAMPLES: usize = 5;

/// A finding of a report.
#[derive(Deserialize)]
struct Row {
    path: String,
    line: u32,
    offset: u32,
    rule: String,
    message: String,
    kernel: String,
    fingerprint: String,
}

/// What became of the findings of a rule.
#[derive(Default)]
struct OfRule<'a> {
    n_old: usize,
    n_new: usize,
    appeared: Vec<&'a Row>,
    gone: Vec<&'a Row>,
}

/// Compares two reports in JSON; returns the exit status.
pub(super) fn report(arguments: &ReportArguments) -> u8 {
    let read = |path: &Path| -> Result<Vec<Row>, String> {
        let fail = |reason: &str| format!("cannot read `{}`: {reason}", path.display());
        let text = std::fs::read_to_string(path).map_err(|error| fail(&reason(&error)))?;
        let rows = text.lines().filter(|line| !line.trim().is_empty()).map(serde_json::from_str);
        rows.collect::<Result<_, _>>().map_err(|error| fail(&format!("it is no report in JSON: {error}")))
    };
    let (old, new) = match read(&arguments.old).and_then(|old| Ok((old, read(&arguments.new)?))) {
        Ok(both) => both,
        Err(message) => return console::refuse(message),
    };
    let rules = by_rule(&old, &new);
    let title = format!("Findings: {} and {}", arguments.old.display(), arguments.new.display());
    let text = match arguments.format {
        ReportFormat::Markdown => markdown(&title, &rules),
        ReportFormat::Html => page(&title, &html(&rules)),
    };
    merge::write(&text, arguments.output.as_deref())
}

/// Findings with one fingerprint are equal, wherever their files are; of several, as many as both runs have.
fn by_rule<'a>(old: &'a [Row], new: &'a [Row]) -> BTreeMap<&'a str, OfRule<'a>> {
    let mut rules: BTreeMap<&str, OfRule> = BTreeMap::new();
    let mut counts: FxHashMap<&str, usize> = FxHashMap::default();
    for row in old {
        rules.entry(&row.rule).or_default().n_old += 1;
        *counts.entry(&row.fingerprint).or_default() += 1;
    }
    for row in new {
        let of_rule = rules.entry(&row.rule).or_default();
        of_rule.n_new += 1;
        match counts.get_mut(row.fingerprint.as_str()) {
            Some(n) if *n > 0 => *n -= 1,
            _ => of_rule.appeared.push(row),
        }
    }
    for row in old.iter().rev() {
        if let Some(n) = counts.get_mut(row.fingerprint.as_str()).filter(|n| **n > 0) {
            *n -= 1;
            rules.entry(&row.rule).or_default().gone.push(row);
        }
    }
    for of_rule in rules.values_mut() {
        for rows in [&mut of_rule.appeared, &mut of_rule.gone] {
            // What stands near the front of its file is the smallest example.
            rows.sort_by_key(|row| (row.offset, row.path.as_str()));
        }
    }
    rules
}

fn place(row: &Row) -> String {
    let place = format!("{}:{}", row.path, row.line);
    if row.kernel.is_empty() { place } else { format!("{place} in {}", row.kernel) }
}

/// Rules of which something appeared or went, those with most new findings first.
fn ranked<'r, 'a>(rules: &'r BTreeMap<&'a str, OfRule<'a>>) -> Vec<(&'a str, &'r OfRule<'a>)> {
    let mut ranked: Vec<_> = rules
        .iter()
        .filter(|(_, of_rule)| !of_rule.appeared.is_empty() || !of_rule.gone.is_empty())
        .map(|(name, of_rule)| (*name, of_rule))
        .collect();
    ranked.sort_by_key(|(name, of_rule)| {
        (std::cmp::Reverse(of_rule.appeared.len()), std::cmp::Reverse(of_rule.gone.len()), *name)
    });
    ranked
}

fn summary(rules: &BTreeMap<&str, OfRule>) -> String {
    let sum = |n: fn(&OfRule) -> usize| rules.values().map(n).sum::<usize>();
    let (old, new) = (sum(|r| r.n_old), sum(|r| r.n_new));
    format!("{old} findings before, {new} now: {} new, {} gone.", sum(|r| r.appeared.len()), sum(|r| r.gone.len()))
}

fn markdown(title: &str, rules: &BTreeMap<&str, OfRule>) -> String {
    // What is quoted from a file means nothing in Markdown.
    let plain = |text: &str| {
        let mut out = String::new();
        for c in text.chars() {
            match c {
                '<' => out += "&lt;",
                '&' => out += "&amp;",
                '\\' | '*' | '_' | '[' | ']' | '|' | '#' | '`' => {
                    out.push('\\');
                    out.push(c);
                }
                c => out.push(c),
            }
        }
        out
    };
    // Writing into a string does not fail.
    let mut out = format!("# {}\n\n{}\n", plain(title), summary(rules));
    let ranked = ranked(rules);
    if !ranked.is_empty() {
        out.push_str("\n| rule | before | now | new | gone |\n|---|---|---|---|---|\n");
    }
    for (name, r) in &ranked {
        let _ = writeln!(out, "| {name} | {} | {} | {} | {} |", r.n_old, r.n_new, r.appeared.len(), r.gone.len());
    }
    for (name, of_rule) in ranked {
        for (word, rows) in [("new", &of_rule.appeared), ("gone", &of_rule.gone)] {
            if rows.is_empty() {
                continue;
            }
            let _ = writeln!(out, "\n## {name}: {} {word}\n", rows.len());
            for row in rows.iter().take(N_EXAMPLES) {
                let _ = writeln!(out, "- {}: {}", plain(&place(row)), plain(&row.message));
            }
            if rows.len() > N_EXAMPLES {
                let _ = writeln!(out, "- and {} more", rows.len() - N_EXAMPLES);
            }
        }
    }
    out
}

fn html(rules: &BTreeMap<&str, OfRule>) -> String {
    let mut out = format!("<p class=\"summary\">{}</p>\n", summary(rules));
    let ranked = ranked(rules);
    out.push_str(
        "<table class=\"findings\"><tr><th>rule</th><th>before</th><th>now</th><th>new</th><th>gone</th></tr>\n",
    );
    for (name, r) in &ranked {
        let counts = [r.n_old, r.n_new, r.appeared.len(), r.gone.len()].map(|n| format!("<td>{n}</td>")).concat();
        let _ = writeln!(out, "<tr><td>{}</td>{counts}</tr>", escaped(name));
    }
    out.push_str("</table>\n");
    for (name, of_rule) in ranked {
        for (word, rows) in [("new", &of_rule.appeared), ("gone", &of_rule.gone)] {
            if rows.is_empty() {
                continue;
            }
            let _ = writeln!(out, "<h2>{}: {} {word}</h2>\n<ul>", escaped(name), rows.len());
            for row in rows.iter().take(N_EXAMPLES) {
                let _ = writeln!(out, "<li>{}: {}</li>", escaped(&place(row)), escaped(&row.message));
            }
            if rows.len() > N_EXAMPLES {
                let _ = writeln!(out, "<li>and {} more</li>", rows.len() - N_EXAMPLES);
            }
            out.push_str("</ul>\n");
        }
    }
    out
}
