//! Tests of `lsp::settings`.

use serde_json::Value;
use serde_json::json;
use visa_lint::base::rule::Level;
use visa_lint::lsp::settings::{SECTION, Settings};
use visa_lint::spec::PlatformSet;

#[test]
fn a_section_is_read_with_or_without_its_name() {
    let section = json!({ "platforms": ["dg2", "PVC"], "pedantic": true, "levels": { "unknown-type": "warning" }, "maxFindings": 7 });
    for value in [section.clone(), json!({ SECTION: section })] {
        let (settings, problems) = Settings::read(&value);
        assert_eq!(problems, [""; 0]);
        assert_eq!(settings.platforms.expect("platforms").len(), 2);
        assert_eq!(settings.pedantic, Some(true));
        assert_eq!(settings.levels.get("unknown-type"), Some(&Level::Warning));
        assert_eq!(settings.max_findings, 7);
    }
}

#[test]
fn what_is_wrong_is_said_and_the_rest_is_taken() {
    let (settings, problems) = Settings::read(&json!({
        "platform": ["DG2"], "platforms": ["DG3", "PVC"], "pedantic": "yes", "levels": { "unknown-tipe": "error", "unknown-type": "loud" },
        "path": "visa-lint", "trace": { "server": "off" }, "maxFindings": null
    }));
    assert_eq!(settings.platforms.map(PlatformSet::len), Some(1));
    let all = problems.join("\n");
    for word in [
        "did you mean `platforms`?",
        "did you mean `DG2`?",
        "`visa-lint.pedantic` has to be",
        "did you mean `unknown-type`?",
        "the level of `unknown-type`",
    ] {
        assert!(all.contains(word), "{word} is missing in\n{all}");
    }
    assert_eq!(problems.len(), 5, "{all}");
    assert_eq!(Settings::read(&Value::Null).1, [""; 0]);
}

/// What resembles nothing that exists is named, too.
#[test]
fn what_resembles_nothing_is_said() {
    for (section, words) in [
        (json!({ "pages": 7 }), "`visa-lint.pages` has to be an address"),
        (json!({ "somethingElse": 7 }), "`visa-lint.somethingElse` does not exist; the keys are platforms"),
        (json!({ "platforms": "dg2, x" }), "there is no platform `x`"),
        (json!({ "platforms": 7 }), "`visa-lint.platforms` has to be a list of names"),
        (json!({ "platforms": [7] }), "`visa-lint.platforms` has to be a list of names"),
        (json!({ "levels": { "zzzzzzzzzzzz": "off" } }), "there is no rule `zzzzzzzzzzzz`"),
    ] {
        let (_, problems) = Settings::read(&section);
        assert!(problems.len() == 1 && problems[0].starts_with(words), "{section}: {problems:?}");
    }
    assert_eq!(Settings::read(&json!({ "platforms": "dg2, pvc" })).0.platforms.map(PlatformSet::len), Some(2));
}

#[test]
fn an_empty_list_is_an_empty_object() {
    for value in [json!([]), json!({ SECTION: [] }), json!({ "levels": [] })] {
        assert_eq!(Settings::read(&value).1, [""; 0], "{value}");
    }
    for value in [json!(["DG2"]), json!({ "levels": ["off"] })] {
        assert_eq!(Settings::read(&value).1.len(), 1, "{value}");
    }
}
