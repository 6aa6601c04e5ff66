//! The files of `editors/` that are made from the tables: `BLESS=1 cargo test editors::` writes them anew.

use crate::support::blessed;
use regex::Regex;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use visa_lint::lsp::settings;
use visa_lint::spec::types::TypeSet;
use visa_lint::spec::{self, words};

fn editors() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("editors")
}

/// The words of mnemonics up to their first dot.
fn mnemonics() -> BTreeSet<&'static str> {
    spec::instructions().iter().map(|i| i.mnemonic.split('.').next().unwrap_or(i.mnemonic)).collect()
}

fn types() -> BTreeSet<&'static str> {
    TypeSet::ALL.iter().map(|t| t.row().text).filter(|t| !t.is_empty()).collect()
}

/// The directives without their dot.
fn directives() -> Vec<&'static str> {
    words::DIRECTIVES.iter().map(|d| d.trim_start_matches('.')).collect()
}

fn any_of<'w>(words: impl IntoIterator<Item = &'w str>) -> String {
    let mut words: Vec<&str> = words.into_iter().collect();
    // Longer ones first: where a pattern takes the first that fits, none may hide another.
    words.sort_by_key(|w| (std::cmp::Reverse(w.len()), *w));
    words.join("|")
}

/// The patterns of a text's parts, as VS Code takes them.
fn grammar() -> Value {
    let name = "[A-Za-z_$@?][A-Za-z0-9_$@?]*";
    let types = any_of(types());
    let pattern = |scope: &str, pattern: String| json!({ "name": format!("{scope}.visa"), "match": pattern });
    json!({
        "name": "vISA",
        "scopeName": "source.visa",
        "fileTypes": ["visaasm", "isaasm"],
        "patterns": [
            { "name": "comment.block.visa", "begin": "/\\*", "end": "\\*/" },
            pattern("comment.line.double-slash", "//.*$".to_owned()),
            { "name": "string.quoted.double.visa", "match": "\"[^\"]*\"" },
            {
                "match": format!("^\\s*(\\.(?:{}|implicit_[A-Za-z0-9_]+))\\b", any_of(directives())),
                "captures": { "1": { "name": "keyword.control.directive.visa" } }
            },
            { "match": format!("^\\s*({name})(:)(?![A-Za-z])"), "captures": { "1": { "name": "entity.name.label.visa" } } },
            {
                "match": format!("^\\s*(?:\\(([!A-Za-z0-9_.$@?\\s]*)\\)\\s*)?({})((?:\\.[A-Za-z0-9_.]+)?)(?=[\\s(]|$)", any_of(mnemonics())),
                "captures": {
                    "1": { "name": "variable.other.predicate.visa" },
                    "2": { "name": "keyword.mnemonic.visa" },
                    "3": { "name": "storage.modifier.visa" }
                }
            },
            {
                "match": "\\(\\s*(M[0-9]+(?:_NM)?)\\s*,\\s*([0-9]+)\\s*\\)",
                "captures": { "1": { "name": "constant.language.visa" }, "2": { "name": "constant.numeric.visa" } }
            },
            pattern("variable.language", "%[A-Za-z0-9_]+".to_owned()),
            { "match": format!(":({types})\\b"), "captures": { "1": { "name": "support.type.visa" } } },
            {
                "match": format!("\\b(type)=({types})\\b"),
                "captures": { "1": { "name": "entity.other.attribute-name.visa" }, "2": { "name": "support.type.visa" } }
            },
            { "match": "\\b([A-Za-z_]+)(?==)", "captures": { "1": { "name": "entity.other.attribute-name.visa" } } },
            pattern("constant.numeric", "(?<![A-Za-z0-9_$@?])-?(?:0x[0-9A-Fa-f]+|[0-9]+(?:\\.[0-9]+)?)\\b".to_owned()),
        ]
    })
}

#[test]
fn grammar_of_vscode() {
    let text = serde_json::to_string_pretty(&grammar()).expect("a grammar is JSON") + "\n";
    blessed(&editors().join("vscode/syntaxes/visa.tmLanguage.json"), &text);
}

#[test]
fn syntax_of_sublime() {
    let quoted = |value: &Value| format!("'{}'", value.as_str().expect("a text").replace('\'', "''"));
    let mut text = String::from(
        "%YAML 1.2\n---\n# Intel vISA text. Made from rules/ by `BLESS=1 cargo test editors::`.\n\
         name: vISA\nscope: source.visa\nfile_extensions: [visaasm, isaasm]\ncontexts:\n  main:\n",
    );
    let mut others = String::new();
    for pattern in grammar()["patterns"].as_array().expect("patterns") {
        if let Some(begin) = pattern.get("begin") {
            let scope = &pattern["name"];
            let _ =
                write!(text, "    - match: {}\n      scope: {}\n      push: comment\n", quoted(begin), quoted(scope));
            let _ = write!(
                others,
                "  comment:\n    - meta_scope: {}\n    - match: {}\n      pop: true\n",
                quoted(scope),
                quoted(&pattern["end"])
            );
            continue;
        }
        let _ = writeln!(text, "    - match: {}", quoted(&pattern["match"]));
        if let Some(name) = pattern.get("name") {
            let _ = writeln!(text, "      scope: {}", quoted(name));
        }
        if let Some(captures) = pattern.get("captures").and_then(Value::as_object) {
            text += "      captures:\n";
            for (number, capture) in captures {
                let _ = writeln!(text, "        {number}: {}", quoted(&capture["name"]));
            }
        }
    }
    text += &others;
    blessed(&editors().join("sublime/visa.sublime-syntax"), &text);
    // What is written is YAML that says the same, and the settings name the scope and start the server.
    let syntax: Value = serde_saphyr::from_str(text.trim_start_matches("%YAML 1.2\n---\n")).expect("YAML");
    let main = syntax["contexts"]["main"].as_array().expect("a list");
    let of_vscode = grammar();
    let patterns = of_vscode["patterns"].as_array().expect("patterns");
    assert_eq!(main.len(), patterns.len());
    for (rule, pattern) in main.iter().zip(patterns) {
        assert_eq!(rule["match"], *pattern.get("begin").unwrap_or(&pattern["match"]));
    }
    let settings = std::fs::read_to_string(editors().join("sublime/LSP-visa.sublime-settings")).expect("settings");
    let settings: Value = serde_json::from_str(&settings).expect("JSON");
    let client = &settings["clients"]["visa-lint"];
    assert_eq!((&client["selector"], &client["command"]), (&syntax["scope"], &json!(["visa-lint", "lsp"])));
}

#[test]
fn syntax_of_vim() {
    let mut text = String::from(
        "\" Intel vISA text. Made from rules/ by `BLESS=1 cargo test editors::`.\n\n\
         if exists('b:current_syntax')\n  finish\nendif\n\nsyntax case match\n\n",
    );
    let lines = |words: &BTreeSet<&str>| words.iter().copied().collect::<Vec<_>>().join("\\|");
    let _ = write!(
        text,
        "syntax match visaDirective /^\\s*\\zs\\.\\({}\\|implicit_\\w\\+\\)\\>/\n\
         syntax match visaLabel /^\\s*\\zs[A-Za-z_$@?][A-Za-z0-9_$@?]*\\ze:/\n\
         syntax match visaMnemonic /^\\s*\\(([^)]*)\\s*\\)\\?\\zs\\({}\\)\\ze\\(\\.[A-Za-z0-9_.]\\+\\)\\?\\(\\s\\|(\\|$\\)/ nextgroup=visaModifier\n\
         syntax match visaModifier /\\.[A-Za-z0-9_.]\\+/ contained\n\
         syntax match visaPredefined /%\\w\\+/\n\
         syntax match visaType /\\(:\\|\\<type=\\)\\@<=\\({}\\)\\>/\n\
         syntax match visaAttribute /\\<\\a[A-Za-z_]*\\ze=/\n\
         syntax match visaNumber /\\<\\(0x\\x\\+\\|\\d\\+\\(\\.\\d\\+\\)\\?\\)\\>/\n\
         syntax match visaMask /(\\s*\\zsM\\d\\+\\(_NM\\)\\?\\ze\\s*,/\n\
         syntax region visaString start=/\"/ end=/\"/ oneline\n\
         syntax match visaComment /\\/\\/.*$/\n\
         syntax region visaComment start=/\\/\\*/ end=/\\*\\//\n\n",
        directives().join("\\|"),
        lines(&mnemonics()),
        lines(&types()),
    );
    for (group, link) in [
        ("Directive", "PreProc"),
        ("Label", "Label"),
        ("Mnemonic", "Statement"),
        ("Modifier", "Special"),
        ("Predefined", "Identifier"),
        ("Type", "Type"),
        ("Attribute", "Keyword"),
        ("Number", "Number"),
        ("Mask", "Constant"),
        ("String", "String"),
        ("Comment", "Comment"),
    ] {
        let _ = writeln!(text, "highlight default link visa{group} {link}");
    }
    text += "\nlet b:current_syntax = 'visa'\n";
    blessed(&editors().join("vim/syntax/visa.vim"), &text);
}

#[test]
fn words_of_emacs() {
    let list = |name: &str, words: &mut dyn Iterator<Item = &str>| {
        let words: Vec<String> = words.map(|w| format!("    \"{w}\"")).collect();
        format!("(defconst visa-{name}\n  '(\n{}))\n\n", words.join("\n"))
    };
    let text = format!(
        ";;; visa-words.el --- The words of Intel vISA  -*- lexical-binding: t; -*-\n\n\
         ;; Made from rules/ by `BLESS=1 cargo test editors::`.\n\n;;; Code:\n\n{}{}{}\
         (provide 'visa-words)\n;;; visa-words.el ends here\n",
        list("mnemonics", &mut mnemonics().into_iter()),
        list("directives", &mut words::DIRECTIVES.iter().copied()),
        list("types", &mut types().into_iter()),
    );
    blessed(&editors().join("emacs/visa-words.el"), &text);
}

/// What the extension lets users set is what the server reads.
#[test]
fn settings_of_vscode() {
    let text = std::fs::read_to_string(editors().join("vscode/package.json")).expect("the manifest");
    let manifest: Value = serde_json::from_str(&text).expect("the manifest is JSON");
    let properties = manifest["contributes"]["configuration"]["properties"].as_object().expect("settings");
    let mut section = serde_json::Map::new();
    for (key, property) in properties {
        let key = key.strip_prefix(settings::SECTION).and_then(|k| k.strip_prefix('.')).expect("a key of the section");
        section.insert(key.to_owned(), property["default"].clone());
    }
    for key in settings::KEYS {
        assert!(section.contains_key(key), "`{key}` cannot be set");
    }
    let (_, problems) = settings::Settings::read(&Value::Object(section));
    assert_eq!(problems, [""; 0]);
}

/// Each editor takes the same files for vISA.
#[test]
fn file_types_of_the_editors() {
    let read = |name: &str| std::fs::read_to_string(editors().join(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
    let manifest: Value = serde_json::from_str(&read("vscode/package.json")).expect("the manifest is JSON");
    let languages: toml::Value = toml::from_str(&read("helix/languages.toml")).expect("a TOML file");
    let helix = &languages["language"][0];
    let types = helix["file-types"].as_array().expect("a list");
    let of_vscode = &manifest["contributes"]["languages"][0];
    let dotted: Vec<String> = types.iter().map(|t| format!(".{}", t.as_str().expect("a text"))).collect();
    assert_eq!(of_vscode["extensions"], json!(dotted));
    for file in ["vim/ftdetect/visa.vim", "emacs/visa-mode.el"] {
        let text = read(file);
        for name in types {
            let name = name.as_str().expect("a text");
            let word = Regex::new(&format!(r"\b{name}\b")).expect("a pattern");
            assert!(word.is_match(&text), "{name} is missing in {file}");
        }
    }
    // What Helix starts is a server that the settings name.
    let server = helix["language-servers"][0].as_str().expect("a name");
    assert_eq!(languages["language-server"][server]["command"].as_str(), Some("visa-lint"));
    assert_eq!(languages["language-server"][server]["args"], toml::Value::from(vec!["lsp"]));
}

/// The placeholders that the page of the extension speaks of.
#[test]
fn placeholders_of_vscode() {
    let read = |name: &str| std::fs::read_to_string(editors().join(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
    let manifest: Value = serde_json::from_str(&read("vscode/package.json")).expect("the manifest is JSON");
    let page = read("vscode/README.md");
    let is_placeholder = manifest["publisher"] == "unpublished";
    let address = manifest["repository"]["url"].as_str().expect("an address");
    assert_eq!(is_placeholder, address.contains("example.invalid"), "one is filled in, the other is not");
    assert_eq!(is_placeholder, page.contains("the publisher `unpublished`"));
    let script = manifest["scripts"]["package"].as_str().expect("a script");
    assert_eq!(is_placeholder, script.contains("--no-rewrite-relative-links"));
    for picture in page.split("](").skip(1).filter_map(|rest| rest.split(')').next()).filter(|p| p.contains(".png")) {
        let bytes = std::fs::read(editors().join("vscode").join(picture)).unwrap_or_else(|e| panic!("{picture}: {e}"));
        assert!(bytes.starts_with(b"\x89PNG") && bytes.len() < 200_000, "{picture}: {} bytes", bytes.len());
    }
}

/// The lock file says what is installed, not where one workplace found it.
#[test]
fn lock_file_names_no_host() {
    let Ok(text) = std::fs::read_to_string(editors().join("vscode/package-lock.json")) else { return };
    assert!(!text.contains("\"resolved\""), "strip `resolved` from package-lock.json");
}
