//! `visa-lint merge`: the reports of several runs as one.

use super::args::MergeArguments;
use super::console;
use super::input::reason;
use super::status::CLEAN;
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Puts reports together; returns the exit status.
pub(super) fn merge(arguments: &MergeArguments) -> u8 {
    match merged(&arguments.reports) {
        Ok(text) => write(&text, arguments.output.as_deref()),
        Err(message) => console::refuse(message),
    }
}

/// Writes a text to a file or to standard output; returns the exit status.
pub(super) fn write(text: &str, output: Option<&Path>) -> u8 {
    let Some(path) = output else { return console::print_raw(std::iter::once(text)) };
    match std::fs::write(path, text) {
        Ok(()) => CLEAN,
        Err(error) => console::refuse(format_args!("cannot write `{}`: {}", path.display(), reason(&error))),
    }
}

fn merged(files: &[PathBuf]) -> Result<String, String> {
    let mut documents = Vec::new();
    let mut rows = Vec::new();
    for file in files {
        let fail = |reason: &str| format!("cannot read `{}`: {reason}", file.display());
        let text = std::fs::read_to_string(file).map_err(|error| fail(&reason(&error)))?;
        match serde_json::from_str::<Value>(&text) {
            Ok(document) if document["runs"].is_array() => documents.push(document),
            _ => rows.extend(lines(&text).map_err(|reason| fail(&reason))?),
        }
    }
    match (documents.is_empty(), rows.is_empty()) {
        (false, false) => Err("reports in JSON and in SARIF cannot be merged".to_owned()),
        (false, true) => Ok(crate::report::json_text(&sarif(documents)) + "\n"),
        (true, _) => {
            // Findings of one file stay in the order of its text.
            rows.sort_by_cached_key(|(row, _)| path_of(row["path"].as_str()));
            Ok(rows.into_iter().map(|(_, line)| line + "\n").collect())
        }
    }
}

/// The findings of a report in JSON, each with its line.
fn lines(text: &str) -> Result<Vec<(Value, String)>, String> {
    let of_line = |(i, line): (usize, &str)| match serde_json::from_str::<Value>(line) {
        Ok(row) if row["rule"].is_string() && row["path"].is_string() => Ok((row, line.to_owned())),
        _ => Err(format!("line {} is no finding of a report in JSON or SARIF", i + 1)),
    };
    text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).map(of_line).collect()
}

/// Paths are sorted by their parts, as files are when they are checked.
fn path_of(path: Option<&str>) -> PathBuf {
    PathBuf::from(path.unwrap_or_default())
}

/// Documents of SARIF as one with one run.
fn sarif(documents: Vec<Value>) -> Value {
    let (mut rules, mut results, mut notifications): (Vec<Value>, Vec<Value>, Vec<Value>) = Default::default();
    let mut places: FxHashMap<String, usize> = FxHashMap::default();
    let mut is_successful = true;
    let mut merged = Value::Null;
    for mut document in documents {
        let runs = document["runs"].as_array_mut().map(std::mem::take).unwrap_or_default();
        for mut run in runs {
            for rule in run["tool"]["driver"]["rules"].as_array_mut().map(std::mem::take).unwrap_or_default() {
                let name = rule["id"].as_str().unwrap_or_default().to_owned();
                places.entry(name).or_insert_with(|| {
                    rules.push(rule);
                    rules.len() - 1
                });
            }
            for invocation in run["invocations"].as_array_mut().map(std::mem::take).unwrap_or_default() {
                is_successful &= invocation["executionSuccessful"] != false;
                notifications
                    .extend(invocation["toolExecutionNotifications"].as_array().into_iter().flatten().cloned());
            }
            results.extend(run["results"].as_array_mut().map(std::mem::take).unwrap_or_default());
            if merged.is_null() {
                merged = json!({ "$schema": document["$schema"], "version": document["version"], "runs": [run] });
            }
        }
    }
    // Each part of a run says anew what is gone from the baseline.
    let mut gone = FxHashSet::default();
    results.retain(|result| result["baselineState"] != "absent" || gone.insert(result.to_string()));
    for result in &mut results {
        if let Some(place) = result["ruleId"].as_str().and_then(|name| places.get(name)) {
            result["ruleIndex"] = json!(place);
        }
    }
    results.sort_by_cached_key(|result| {
        let place = &result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
        (result["baselineState"] == "absent", path_of(place.as_str()))
    });
    let run = &mut merged["runs"][0];
    run["tool"]["driver"]["rules"] = Value::Array(rules);
    run["results"] = Value::Array(results);
    run["invocations"] = json!([{ "executionSuccessful": is_successful }]);
    if !notifications.is_empty() {
        run["invocations"][0]["toolExecutionNotifications"] = Value::Array(notifications);
    }
    merged
}
