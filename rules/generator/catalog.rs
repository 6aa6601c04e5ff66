//! Platforms, types and predefined variables, and the sets that the rules write of them.

use super::checked::{Instruction, OtherName, Platform, Platforms, Predefined, ReservedWord, Type, Types, Words};
use super::model;
use super::problem::Reporter;
use super::raw;
use super::words::{Vocabulary, suggest};
use std::collections::BTreeMap;
use std::ops::Range;
use toml::Spanned;

/// What the rules of instructions refer to.
pub struct Catalog {
    /// The words of the enums.
    pub words: Vocabulary,
    /// In the order of the reference.
    pub platforms: Vec<Platform>,
    /// Types and sets of them.
    pub types: TypeCatalog,
}

/// Types and named sets of them.
#[derive(Default)]
pub struct TypeCatalog {
    /// In the order of the file.
    pub rows: Vec<Type>,
    sets: BTreeMap<String, Types>,
}

impl TypeCatalog {
    /// The types that a name stands for: one type, or a named set.
    pub fn resolve(&self, name: &str) -> Result<Types, String> {
        if let Some(place) = self.rows.iter().position(|row| row.name == name) {
            return Ok(Types(1 << place));
        }
        let known = self.rows.iter().map(|row| row.name.as_str()).chain(self.sets.keys().map(String::as_str));
        self.sets.get(name).copied().ok_or_else(|| format!("unknown type `{name}`{}", suggest(name, known)))
    }
}

impl Catalog {
    /// The place of the platform with exactly that name.
    pub fn platform(&self, name: &str) -> Result<usize, String> {
        let known = self.platforms.iter().map(|platform| platform.name.as_str());
        self.platforms
            .iter()
            .position(|platform| platform.name == name)
            .ok_or_else(|| format!("unknown platform `{name}`{}", suggest(name, known)))
    }

    /// Every platform.
    pub fn all_platforms(&self) -> Platforms {
        range(0, self.platforms.len())
    }

    /// Reads a set such as `XeHP_SDV.., !MTL`.
    pub fn platform_set(&self, text: &str) -> Result<Platforms, String> {
        let mut bits = 0;
        for (i, part) in text.split(',').map(str::trim).enumerate() {
            if let Some(taken) = part.strip_prefix('!') {
                let taken = self.platform_range(taken.trim())?.0;
                if i == 0 {
                    return Err(format!("`{part}` takes away from nothing: begin with `all`"));
                }
                if bits & taken != taken {
                    return Err(format!("`{part}` takes away what is not in the set"));
                }
                bits &= !taken;
            } else {
                bits |= self.platform_range(part)?.0;
            }
        }
        if bits == 0 { Err("no platform is left".to_owned()) } else { Ok(Platforms(bits)) }
    }

    /// `all`, `PVC`, `PVC..`, `..ARL` or `PVC..XE2`.
    fn platform_range(&self, part: &str) -> Result<Platforms, String> {
        if part == "all" {
            return Ok(self.all_platforms());
        }
        let Some((first, last)) = part.split_once("..") else {
            let place = self.platform(part)?;
            return Ok(range(place, place + 1));
        };
        let start = if first.is_empty() { 0 } else { self.platform(first)? };
        let end = if last.is_empty() { self.platforms.len() } else { self.platform(last)? + 1 };
        if start + 1 >= end && !(first.is_empty() || last.is_empty()) {
            return Err(format!("`{part}`: {first} does not come before {last}"));
        }
        Ok(range(start, end))
    }
}

/// The platforms from place `start` on, without `end`.
fn range(start: usize, end: usize) -> Platforms {
    Platforms((start..end).fold(0, |bits, place| bits | 1 << place))
}

/// Reports a key that has to be there and is not.
pub fn required<T: Clone>(key: &str, value: Option<&T>, at: &Range<usize>, reporter: &mut Reporter<'_>) -> Option<T> {
    if value.is_none() {
        reporter.report(at, format!("the key `{key}` is missing"));
    }
    value.cloned()
}

/// Reports a name that stood before.
fn unique(name: &Spanned<String>, seen: &mut Vec<String>, reporter: &mut Reporter<'_>) {
    if seen.contains(name.get_ref()) {
        reporter.report(&name.span(), format!("the name `{}` stands twice", name.get_ref()));
    }
    seen.push(name.get_ref().clone());
}

/// Sets of platforms and types are 32 bits wide; the set of all platforms needs a bit more.
fn check_count(what: &str, count: usize, limit: usize, reporter: &mut Reporter<'_>) {
    if count > limit {
        reporter.report(&(0..0), format!("{count} {what}, but the sets in src/spec hold {limit}"));
    }
}

/// Checks `platforms.toml`.
pub fn platforms(mut reporter: Reporter<'_>) -> Vec<Platform> {
    let table = raw::document(&mut reporter);
    let model: model::Platforms = raw::read(table, 0..0, &mut reporter);
    check_count("platforms", model.platform.len(), 31, &mut reporter);
    let mut seen = Vec::new();
    model.platform.iter().take(31).map(|row| platform(row, &mut seen, &mut reporter)).collect()
}

/// People's spellings of a platform differ in letter case, `-` and `_`.
fn plain(name: &Spanned<String>) -> String {
    name.get_ref().to_ascii_lowercase().replace(['_', '-'], "")
}

fn platform(row: &Spanned<model::Platform>, seen: &mut Vec<String>, reporter: &mut Reporter<'_>) -> Platform {
    let (at, row) = (row.span(), row.get_ref());
    let name = required("name", row.name.as_ref(), &at, reporter);
    let names: Vec<&Spanned<String>> = name.iter().chain(&row.names).collect();
    for name in names.iter().filter(|name| seen.contains(&plain(name))) {
        reporter.report(&name.span(), format!("another platform has the name `{}`", name.get_ref()));
    }
    seen.extend(names.iter().map(|name| plain(name)));
    for other in row.names.iter().filter(|other| **other.get_ref() != other.get_ref().to_ascii_lowercase()) {
        reporter.report(&other.span(), format!("`{}`: other names are lower case", other.get_ref()));
    }
    let grf_bytes = required("grf_bytes", row.grf_bytes.as_ref(), &at, reporter);
    if let Some(bytes) = grf_bytes.as_ref().filter(|bytes| ![32, 64].contains(bytes.get_ref())) {
        reporter.report(&bytes.span(), "registers have 32 or 64 bytes");
    }
    Platform {
        name: name.map(Spanned::into_inner).unwrap_or_default(),
        full_name: required("full_name", row.full_name.as_ref(), &at, reporter)
            .map_or_else(String::new, Spanned::into_inner),
        names: row.names.iter().map(|name| name.get_ref().clone()).collect(),
        grf_bytes: grf_bytes.map_or(32, Spanned::into_inner),
        register_counts: register_counts(row, &at, reporter),
    }
}

fn register_counts(row: &model::Platform, at: &Range<usize>, reporter: &mut Reporter<'_>) -> Vec<u32> {
    let Some(list) = required("register_counts", row.register_counts.as_ref(), at, reporter) else { return Vec::new() };
    let counts: Vec<u32> = list.get_ref().iter().map(|count| *count.get_ref()).collect();
    if counts.is_empty() || !counts.is_sorted_by(|a, b| a < b) {
        reporter.report(&list.span(), "the numbers of registers have to ascend");
    }
    counts
}

/// Checks `types.toml`.
pub fn types(mut reporter: Reporter<'_>, words: &Vocabulary) -> TypeCatalog {
    let table = raw::document(&mut reporter);
    let model: model::Types = raw::read(table, 0..0, &mut reporter);
    check_count("types", model.types.len(), 32, &mut reporter);
    let mut seen = Vec::new();
    let rows = model.types.iter().take(32).map(|row| element_type(row, words, &mut seen, &mut reporter)).collect();
    let mut catalog = TypeCatalog { rows, sets: BTreeMap::new() };
    for (name, members) in &model.sets {
        unique(name, &mut seen, &mut reporter);
        let set = type_set(members, &catalog, &mut reporter);
        catalog.sets.insert(name.get_ref().clone(), set);
    }
    catalog
}

/// The members of a named set: types, not other sets, whose order in the file would then matter.
fn type_set(members: &[Spanned<String>], catalog: &TypeCatalog, reporter: &mut Reporter<'_>) -> Types {
    let mut set = Types::default();
    for member in members {
        let known = catalog.rows.iter().map(|row| row.name.as_str());
        match catalog.rows.iter().position(|row| row.name == *member.get_ref()) {
            Some(place) => set.0 |= 1 << place,
            None => reporter.unknown("type", member, known),
        }
    }
    set
}

fn element_type(
    row: &Spanned<model::Type>,
    words: &Vocabulary,
    seen: &mut Vec<String>,
    reporter: &mut Reporter<'_>,
) -> Type {
    let (at, row) = (row.span(), row.get_ref());
    let name = required("name", row.name.as_ref(), &at, reporter);
    if let Some(name) = &name {
        unique(name, seen, reporter);
        let is_constant = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit();
        if !name.get_ref().chars().all(is_constant) || !name.get_ref().starts_with(|c: char| c.is_ascii_uppercase()) {
            reporter.report(&name.span(), format!("`{}`: a type is upper-case letters and digits", name.get_ref()));
        }
    }
    let bytes = required("bytes", row.bytes.as_ref(), &at, reporter);
    if let Some(bytes) = bytes.as_ref().filter(|bytes| ![1, 2, 4, 8].contains(bytes.get_ref())) {
        reporter.report(&bytes.span(), "a type has 1, 2, 4 or 8 bytes");
    }
    let class = required("class", row.class.as_ref(), &at, reporter);
    let class = class.and_then(|class| {
        let path = words.path("TypeClass", class.get_ref());
        if path.is_none() {
            reporter.unknown("class", &class, words.words("TypeClass").iter().map(String::as_str));
        }
        path
    });
    Type {
        name: name.map(Spanned::into_inner).unwrap_or_default(),
        bytes: bytes.map_or(1, Spanned::into_inner),
        class: class.unwrap_or_default(),
        declarable: row.declarable,
        immediate: row.immediate,
    }
}

/// Checks `predefined.toml`.
pub fn predefined(mut reporter: Reporter<'_>, types: &TypeCatalog) -> Vec<Predefined> {
    let table = raw::document(&mut reporter);
    let model: model::PredefinedVariables = raw::read(table, 0..0, &mut reporter);
    let mut seen = Vec::new();
    let rows: Vec<Predefined> =
        model.variable.iter().map(|row| variable(row, types, &mut seen, &mut reporter)).collect();
    let n_general = rows.iter().take_while(|row| row.kind == GENERAL).count();
    for (row, source) in rows.iter().zip(&model.variable).skip(n_general).filter(|(row, _)| row.kind == GENERAL) {
        let message = format!("`{}`: general variables come first, their place is the number of `V<n>`", row.name);
        reporter.report(&source.span(), message);
    }
    rows
}

/// Checks `words.toml`.
pub fn words(mut reporter: Reporter<'_>) -> Words {
    let table = raw::document(&mut reporter);
    let model: model::Words = raw::read(table, 0..0, &mut reporter);
    let mut seen = Vec::new();
    let words = [(model.reserved, false), (model.reserved_in_newer_text, true)];
    let words = words.into_iter().flat_map(|(words, newer_text)| words.into_iter().map(move |word| (word, newer_text)));
    let reserved = words
        .map(|(word, newer_text)| {
            unique(&word, &mut seen, &mut reporter);
            ReservedWord { word, newer_text }
        })
        .collect();
    let mut often_seen = Vec::new();
    for word in &model.often {
        unique(word, &mut often_seen, &mut reporter);
    }
    let others = |words: BTreeMap<_, _>| words.into_iter().map(|(word, meant)| OtherName { word, meant }).collect();
    let other_modifiers = others(model.other_modifiers);
    Words { reserved, often: model.often, other_names: others(model.other_names), other_modifiers }
}

/// Reports words among the frequent mnemonics that are none.
pub fn often(words: &[Spanned<String>], instructions: &[Instruction], mut reporter: Reporter<'_>) {
    for word in words.iter().filter(|word| instructions.iter().all(|row| row.mnemonic != *word.get_ref())) {
        reporter.report(&word.span(), format!("`{}` is no mnemonic", word.get_ref()));
    }
}

/// Reports other names that are mnemonics themselves, and those that stand for none.
pub fn other_names(names: &[OtherName], instructions: &[Instruction], mut reporter: Reporter<'_>) {
    let is_mnemonic = |word: &Spanned<String>| instructions.iter().any(|row| row.mnemonic == *word.get_ref());
    for name in names {
        if is_mnemonic(&name.word) {
            reporter.report(&name.word.span(), format!("`{}` is a mnemonic", name.word.get_ref()));
        }
        for word in name.meant.iter().filter(|word| !is_mnemonic(word)) {
            reporter.report(&word.span(), format!("`{}` is no mnemonic", word.get_ref()));
        }
    }
}

/// Reports other names of modifiers that lead to none.
pub fn other_modifiers(names: &[OtherName], instructions: &[Instruction], mut reporter: Reporter<'_>) {
    let values = || instructions.iter().flat_map(|row| &row.modifiers).flat_map(|modifier| &modifier.values);
    let is_modifier = |word: &Spanned<String>| values().any(|value| value.text == *word.get_ref());
    for word in names.iter().flat_map(|name| &name.meant).filter(|word| !is_modifier(word)) {
        reporter.report(&word.span(), format!("`{}` is no modifier", word.get_ref()));
    }
}

/// Reports reserved words that are mnemonics: these are reserved anyway.
pub fn no_mnemonics(reserved: &[ReservedWord], instructions: &[Instruction], mut reporter: Reporter<'_>) {
    for word in reserved.iter().map(|reserved| &reserved.word) {
        if instructions.iter().any(|row| row.mnemonic == *word.get_ref()) {
            reporter.report(&word.span(), format!("`{}` is a mnemonic, which is reserved anyway", word.get_ref()));
        }
    }
}

const GENERAL: &str = "VariableKind::General";
/// The letters of `v_type=`.
const KINDS: [(&str, &str); 5] = [
    ("G", GENERAL),
    ("A", "VariableKind::Address"),
    ("P", "VariableKind::Predicate"),
    ("S", "VariableKind::Sampler"),
    ("T", "VariableKind::Surface"),
];

fn variable(
    row: &Spanned<model::Predefined>,
    types: &TypeCatalog,
    seen: &mut Vec<String>,
    reporter: &mut Reporter<'_>,
) -> Predefined {
    let (at, row) = (row.span(), row.get_ref());
    let name = required("name", row.name.as_ref(), &at, reporter);
    if let Some(name) = &name {
        unique(name, seen, reporter);
    }
    let kind = required("kind", row.kind.as_ref(), &at, reporter).and_then(|letter| {
        let kind = KINDS.iter().find(|(known, _)| known == letter.get_ref());
        if kind.is_none() {
            reporter.unknown("kind", &letter, KINDS.map(|(known, _)| known));
        }
        kind.map(|(_, kind)| (*kind).to_owned())
    });
    let n_elements = elements(row, &at, reporter);
    Predefined {
        name: name.map(Spanned::into_inner).unwrap_or_default(),
        element_type: variable_type(row, kind.as_deref() == Some(GENERAL), types, &at, reporter),
        kind: kind.unwrap_or_default(),
        n_elements,
        writable: writable(row, n_elements, &at, reporter),
        writable_bits: row.writable_bits.as_ref().map(|bits| {
            let (element, mask) = *bits.get_ref();
            if element >= n_elements[0] {
                reporter.report(&bits.span(), format!("there is no element {element}"));
            }
            (element, mask)
        }),
        changes: row.changes,
        aliasable: row.aliasable,
    }
}

/// Surfaces and samplers have no type in the text; they count as UD.
fn variable_type(
    row: &model::Predefined,
    is_general: bool,
    types: &TypeCatalog,
    at: &Range<usize>,
    reporter: &mut Reporter<'_>,
) -> String {
    let Some(name) = &row.element_type else {
        if is_general {
            reporter.report(at, "the key `type` is missing");
        }
        return "UD".to_owned();
    };
    if !types.rows.iter().any(|known| known.name == *name.get_ref()) {
        reporter.unknown("type", name, types.rows.iter().map(|known| known.name.as_str()));
    }
    name.get_ref().clone()
}

fn elements(row: &model::Predefined, at: &Range<usize>, reporter: &mut Reporter<'_>) -> [u32; 2] {
    match (row.elements, row.elements_by_grf) {
        (Some(n), None) => [n; 2],
        (None, Some(counts)) => counts,
        _ => {
            reporter.report(at, "give either `elements` or `elements_by_grf`");
            [1; 2]
        }
    }
}

fn writable(row: &model::Predefined, n_elements: [u32; 2], at: &Range<usize>, reporter: &mut Reporter<'_>) -> String {
    let Some(writable) = required("writable", row.writable.as_ref(), at, reporter) else {
        return String::new();
    };
    match writable.get_ref() {
        model::Writable::Word(word) if word == "yes" => "Writable::Yes".to_owned(),
        model::Writable::Word(word) if word == "no" => "Writable::No".to_owned(),
        model::Writable::Word(word) => {
            reporter.report(&writable.span(), format!("`{word}`: expected `yes`, `no` or a list of elements"));
            String::new()
        }
        model::Writable::Elements(elements) => {
            for element in elements.iter().filter(|element| **element >= n_elements[0]) {
                reporter.report(&writable.span(), format!("there is no element {element}"));
            }
            format!("Writable::Elements(&{elements:?})")
        }
    }
}
