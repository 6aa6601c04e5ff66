//! Symbols of the whole workspace: kernels, functions and labels.

use crate::base::span::Span;
use crate::lsp::ask::Ask;
use crate::lsp::text::{Encoding, Text};
use crate::lsp::uri;
use crate::program::ObjectKind;
use crate::syntax::lexer::{Lexer, Line};
use gen_lsp_types::{BaseSymbolInformation, Location, SymbolInformation, SymbolKind};
use rustc_hash::FxHashMap;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Endings of the files that are read.
const ENDINGS: [&str; 2] = ["visaasm", "isaasm"];

/// No more files are looked at.
const MAX_FILES: usize = 20_000;

/// Larger files are left out.
const MAX_BYTES: u64 = 16 << 20;

/// No more symbols are sent.
const MAX_SYMBOLS: usize = 1000;

/// The symbols of an open document.
#[must_use]
pub fn in_document(ask: &Ask, query: &str) -> Vec<SymbolInformation> {
    let p = &ask.analysis.program;
    let mut found = Vec::new();
    for object in p.objects.iter().filter(|o| o.kind != ObjectKind::Missing) {
        let name = p.names.name(object.name);
        let kind = if object.kind == ObjectKind::Function { SymbolKind::Function } else { SymbolKind::Module };
        if matches(name, query) {
            found.push(symbol(name, kind, ask.location(object.name_span), None));
        }
    }
    for (id, label) in p.labels.entries() {
        let name = p.names.name(label.name);
        if found.len() < MAX_SYMBOLS && matches(name, query) {
            let object = p.objects.iter().find(|o| o.labels.contains(&id.0)).map(|o| p.names.name(o.name).to_owned());
            found.push(symbol(name, SymbolKind::Key, ask.location(label.span), object));
        }
    }
    found
}

/// Whether the letters of `query` stand in `name` in this order, in any letter case.
fn matches(name: &str, query: &str) -> bool {
    let mut letters = name.chars().map(|c| c.to_ascii_lowercase());
    query.chars().filter(|c| !c.is_whitespace()).all(|q| letters.any(|c| c == q.to_ascii_lowercase()))
}

fn symbol(name: &str, kind: SymbolKind, location: Location, container: Option<String>) -> SymbolInformation {
    let base_symbol_information = BaseSymbolInformation::new(name.to_owned(), kind, None, container);
    SymbolInformation::new(None, location, base_symbol_information)
}

/// A kernel or function in a file.
#[derive(Clone, Debug)]
struct Entry {
    name: String,
    kind: SymbolKind,
    location: Location,
}

/// What stands in the files of the workspace; files are only read again when they have changed.
#[derive(Debug)]
pub struct Index {
    encoding: Encoding,
    files: FxHashMap<PathBuf, (SystemTime, Vec<Entry>)>,
}

impl Index {
    /// Knows no file yet; columns count what `encoding` says.
    #[must_use]
    pub fn new(encoding: Encoding) -> Self {
        Self { encoding, files: FxHashMap::default() }
    }

    /// The kernels and functions in files of these folders, without those of open documents.
    pub fn search(&mut self, query: &str, folders: &[PathBuf], open: &[PathBuf]) -> Vec<SymbolInformation> {
        let mut found = Vec::new();
        let mut n_files = 0;
        for folder in folders {
            // The root of a file system is no workspace.
            if folder.parent().is_none() {
                continue;
            }
            for entry in ignore::WalkBuilder::new(folder).require_git(false).build().flatten() {
                let path = entry.path();
                let is_ours = path.extension().and_then(|e| e.to_str()).is_some_and(|e| ENDINGS.contains(&e));
                if !is_ours || open.iter().any(|o| o == path) {
                    continue;
                }
                n_files += 1;
                if n_files > MAX_FILES || found.len() > MAX_SYMBOLS {
                    return found;
                }
                let Ok(data) = entry.metadata() else { continue };
                if !data.is_file() || data.len() > MAX_BYTES {
                    continue;
                }
                let changed = data.modified().unwrap_or(SystemTime::UNIX_EPOCH);
                let known = self.files.get(path).is_some_and(|(then, _)| *then == changed);
                if !known {
                    self.files.insert(path.to_path_buf(), (changed, read(path, self.encoding)));
                }
                for entry in &self.files[path].1 {
                    if matches(&entry.name, query) {
                        found.push(symbol(&entry.name, entry.kind, entry.location.clone(), None));
                    }
                }
            }
        }
        found
    }
}

fn read(path: &Path, encoding: Encoding) -> Vec<Entry> {
    let Ok(bytes) = std::fs::read(path) else { return Vec::new() };
    let text = Text::new(String::from_utf8_lossy(&bytes).into_owned());
    let uri = uri::from_path(path);
    let mut found = Vec::new();
    let mut lexer = Lexer::new(text.as_str());
    while let Some(line) = lexer.next_line() {
        let (Line::Statement, [word, name, ..]) = (line, lexer.tokens()) else { continue };
        let kind = match word.span().of(text.as_str()) {
            ".kernel" => SymbolKind::Module,
            ".global_function" => SymbolKind::Function,
            _ => continue,
        };
        let name = name.span();
        let inner = name.of(text.as_str()).trim_matches('"');
        let start = name.start + (name.len() - inner.len() as u32) / 2;
        let span = Span::new(start, start + inner.len() as u32);
        let location = Location::new(uri.as_str().into(), text.range(span, encoding));
        found.push(Entry { name: inner.to_owned(), kind, location });
    }
    found
}
