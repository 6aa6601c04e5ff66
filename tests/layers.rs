//! Which layer may import which: see ARCHITECTURE.md.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Each folder of `src` with the folders that it may import.
const LAYERS: &[(&str, &[&str])] = &[
    ("base", &[]),
    ("spec", &["base"]),
    ("syntax", &["base", "spec"]),
    ("program", &["base", "spec"]),
    ("lower", &["base", "spec", "syntax", "program"]),
    ("matching", &["base", "syntax", "program"]),
    ("host", &["base", "spec", "program", "lower"]),
    ("interp", &["base", "spec", "program"]),
    ("checks", &["base", "spec", "syntax", "program", "lower", "host", "interp"]),
    ("report", &["base", "matching"]),
    ("reading", &["base", "spec", "program"]),
    ("config", &["base", "spec", "program", "checks", "matching"]),
    (
        "lsp",
        &["base", "spec", "syntax", "program", "lower", "host", "checks", "interp", "matching", "reading", "config"],
    ),
    (
        "cli",
        &[
            "base", "spec", "syntax", "program", "lower", "host", "checks", "interp", "matching", "reading", "report",
            "config", "lsp",
        ],
    ),
];

#[test]
fn every_layer_imports_only_what_it_may() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut faults = Vec::new();
    for entry in std::fs::read_dir(&src).expect("src").map(|e| e.expect("an entry").path()) {
        if !entry.is_dir() {
            continue;
        }
        let layer = entry.file_name().and_then(|n| n.to_str()).expect("a name").to_owned();
        let Some((_, allowed)) = LAYERS.iter().find(|(name, _)| *name == layer) else {
            faults.push(format!("the folder src/{layer} is no layer"));
            continue;
        };
        for file in crate::support::files(&entry, "rs") {
            let text = std::fs::read_to_string(&file).expect("a readable file");
            for (i, line) in text.lines().enumerate() {
                let code = line.split("//").next().unwrap_or("");
                for (at, _) in code.match_indices("crate::") {
                    let target: String =
                        code[at + 7..].chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                    let is_macro = matches!(target.as_str(), "declare_rule" | "define_id");
                    let is_layer = src.join(&target).is_dir();
                    if is_layer && !is_macro && target != layer && !allowed.contains(&target.as_str()) {
                        faults.push(format!("{}:{}: {layer} imports {target}", file.display(), i + 1));
                    }
                }
            }
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// Each room of `src/interp` with the rooms that it may import.
const ROOMS: &[(&str, &[&str])] = &[
    ("domain", &[]),
    ("launch", &["domain"]),
    ("state", &["domain", "launch"]),
    ("transfer", &["domain", "launch", "state"]),
    ("claims", &["domain", "launch", "state", "transfer"]),
    ("flow", &["domain", "launch", "state", "transfer", "claims"]),
    ("ask", &["domain", "launch", "state", "transfer", "claims", "flow"]),
];

#[test]
fn the_rooms_of_abstract_execution_are_no_circle() {
    let interp = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/interp");
    let mut faults = Vec::new();
    let mut n_imports = 0;
    for file in crate::support::files(&interp, "rs") {
        let inner = file.strip_prefix(&interp).expect("a file of the folder");
        let room = inner.components().next().expect("a name").as_os_str().to_string_lossy().replace(".rs", "");
        if room == "mod" {
            continue;
        }
        let Some((_, allowed)) = ROOMS.iter().find(|(name, _)| *name == room) else {
            faults.push(format!("src/interp/{room} is no room"));
            continue;
        };
        let text = std::fs::read_to_string(&file).expect("a readable file");
        for (i, line) in text.lines().enumerate() {
            let code = line.split("//").next().unwrap_or("");
            for (at, path) in code.match_indices("crate::interp::") {
                let target: String =
                    code[at + path.len()..].chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                n_imports += 1;
                if target != room && !allowed.contains(&target.as_str()) {
                    faults.push(format!("{}:{}: {room} imports {target}", file.display(), i + 1));
                }
            }
            if code.contains("super::super")
                || room != "domain" && inner.components().count() == 1 && code.contains("super::")
            {
                faults.push(format!("{}:{}: a path out of the room", file.display(), i + 1));
            }
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
    assert!(n_imports > 100, "only {n_imports} imports were looked at");
}

#[test]
fn only_control_flow_changes_states() {
    let interp = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/interp");
    let mut n_readers = 0;
    for room in ["transfer", "claims"] {
        for file in crate::support::files(&interp.join(room), "rs") {
            let text = std::fs::read_to_string(&file).expect("a readable file");
            n_readers += text.matches("Reader").count();
            for word in ["Machine", "state_mut"] {
                assert!(
                    !text.contains(word),
                    "{} names `{word}`: what it sees of a state is a `Reader`",
                    file.display()
                );
            }
        }
    }
    assert!(n_readers > 40, "only {n_readers} mentions of `Reader` were found");
}

/// The names that begin the paths after a marker in a line of code, `{a, b::c}` too.
fn targets<'l>(code: &'l str, marker: &str) -> Vec<&'l str> {
    let mut found = Vec::new();
    for (at, _) in code.match_indices(marker) {
        let rest = &code[at + marker.len()..];
        let list = rest.strip_prefix('{').map_or(rest, |list| list.split('}').next().unwrap_or(list));
        let items = if rest.starts_with('{') { list.split(',').collect() } else { vec![rest] };
        let word = |item: &'l str| {
            let item = item.trim_start();
            &item[..item.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(item.len())]
        };
        found.extend(items.into_iter().map(word));
    }
    found
}

/// Fails where files of a folder import each other in a circle; `path` is that of the folder in imports. What lies in a
/// folder of it counts as one file. Everything may use what stands in the `mod.rs` above it, and the generated tables, which
/// are made of the types that are read from them. Returns the number of imports.
fn assert_no_circle(folder: &Path, path: &str) -> usize {
    let room = |file: &Path| {
        let inner = file.strip_prefix(folder).expect("a file of the folder");
        inner.components().next().expect("a name").as_os_str().to_string_lossy().replace(".rs", "")
    };
    let files = crate::support::files(folder, "rs");
    let rooms: BTreeSet<String> =
        files.iter().map(|file| room(file)).filter(|name| name != "mod" && name != "tables").collect();
    let mut imports: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for file in &files {
        let name = room(file);
        let Some(from) = rooms.get(&name) else { continue };
        let text = std::fs::read_to_string(file).expect("a readable file");
        let code: String = text.lines().map(|line| line.split("//").next().unwrap_or("")).collect::<Vec<_>>().join(" ");
        let is_in_folder = file.parent() != Some(folder);
        let mut all = targets(&code, path);
        all.extend(if is_in_folder { Vec::new() } else { targets(&code, "super::") });
        let other = all.into_iter().filter_map(|target| rooms.get(target)).filter(|to| *to != from);
        imports.entry(from).or_default().extend(other.map(String::as_str));
    }
    let n_imports = imports.values().map(BTreeSet::len).sum::<usize>();
    // A room that imports nothing that is left cannot be part of a circle.
    while let Some(last) =
        imports.iter().find(|(_, to)| to.iter().all(|t| !imports.contains_key(t))).map(|(name, _)| *name)
    {
        imports.remove(last);
    }
    assert!(imports.is_empty(), "these files of {path} import each other: {imports:?}");
    n_imports
}

#[test]
fn files_of_a_folder_import_each_other_in_no_circle() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut folders: BTreeSet<_> =
        crate::support::files(&src, "rs").iter().filter_map(|file| Some(file.parent()?.to_owned())).collect();
    assert!(folders.remove(&src));
    let mut n_imports = 0;
    for folder in &folders {
        let name = folder.strip_prefix(&src).expect("a folder of src").to_str().expect("a plain name");
        n_imports += assert_no_circle(folder, &format!("crate::{}::", name.replace('/', "::")));
    }
    assert!(n_imports > 400, "only {n_imports} imports were found");
}

#[test]
fn only_the_outer_layers_print_and_read_files() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut faults = Vec::new();
    for layer in ["base", "spec", "syntax", "program", "lower", "interp", "checks", "matching", "report"] {
        for file in crate::support::files(&src.join(layer), "rs") {
            let text = std::fs::read_to_string(&file).expect("a readable file");
            for word in ["println!", "eprintln!", "print!(", "std::fs", "std::io", "std::process", "std::env"] {
                if text.contains(word) {
                    faults.push(format!("{} uses {word}", file.display()));
                }
            }
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn sections_that_the_code_names_exist() {
    const DOCUMENT: &str = "docs/abstract-execution.md";
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let document = std::fs::read_to_string(root.join(DOCUMENT)).expect("the document");
    let sections: Vec<&str> = document.lines().filter_map(|line| line.strip_prefix("## ")).collect();
    // Those of rooms and files stand before the name of the room in parentheses.
    let mut unnamed: BTreeSet<&str> = sections.iter().filter_map(|s| Some(s.split_once(" (`")?.0)).collect();
    let mut faults = Vec::new();
    for file in crate::support::files(&root.join("src"), "rs") {
        let text = std::fs::read_to_string(&file).expect("a readable file");
        for (at, mention) in text.match_indices(&format!("{DOCUMENT}, \"")) {
            let name = text[at + mention.len()..].split('"').next().unwrap_or_default();
            unnamed.remove(name);
            if !sections.iter().any(|s| s.split(" (`").next() == Some(name)) {
                faults.push(format!("{}: {DOCUMENT} has no section \"{name}\"", file.display()));
            }
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
    assert!(unnamed.is_empty(), "the code of these sections does not name them: {unnamed:?}");
}
