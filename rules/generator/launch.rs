//! Checks `launch.toml`.

use super::catalog::{Catalog, required};
use super::checked::{Launch, Layout, Platforms};
use super::model;
use super::problem::Reporter;
use super::raw;
use toml::Spanned;

/// Bytes of three dwords.
const VECTOR_BYTES: usize = 12;

/// Reads where kernels find what a launch hands over.
pub fn read(mut reporter: Reporter<'_>, catalog: &Catalog) -> Launch {
    let table = raw::document(&mut reporter);
    let model: model::Launch = raw::read(table, 0..0, &mut reporter);
    let group_ids = required("group_ids", model.group_ids.as_ref(), &(0..0), &mut reporter).map(Spanned::into_inner);
    let local_ids = required("local_ids", model.local_ids.as_ref(), &(0..0), &mut reporter).map(Spanned::into_inner);
    let thread_number = required("thread_number", model.thread_number.as_ref(), &(0..0), &mut reporter).map_or(
        (0, Platforms(0)),
        |row| {
            let platforms = catalog.platform_set(row.get_ref().platforms.get_ref()).unwrap_or_else(|message| {
                reporter.report(&row.span(), message);
                Platforms(0)
            });
            (row.get_ref().byte, platforms)
        },
    );
    Launch {
        thread_number,
        group_ids: group_ids.map_or([0; 3], |ids| [ids.x, ids.y, ids.z]),
        local_id_bytes: local_ids.map_or(0, |ids| ids.bytes),
        least_lanes: local_ids.map_or(0, |ids| ids.least_lanes),
        layouts: model.layout.iter().map(|row| layout(row, catalog, &mut reporter)).collect(),
    }
}

fn layout(row: &Spanned<model::Layout>, catalog: &Catalog, reporter: &mut Reporter<'_>) -> Layout {
    let (at, row) = (row.span(), row.get_ref());
    let mut text_of = |key: &str, value: &Option<model::Text>| {
        required(key, value.as_ref(), &at, reporter).map(Spanned::into_inner).unwrap_or_default()
    };
    let (name, text, source) = (text_of("name", &row.name), text_of("text", &row.text), text_of("source", &row.source));
    let platforms = text_of("platforms", &row.platforms);
    let platforms = catalog.platform_set(&platforms).unwrap_or_else(|message| {
        reporter.report(&at, message);
        Platforms(0)
    });
    let text = versions(&text).unwrap_or_else(|| {
        reporter.report(&at, format!("`{text}` is no range of versions such as `4.1..4.2`"));
        [(0, 0); 2]
    });
    let word = |name: &str, word: &model::Text, reporter: &mut Reporter<'_>| {
        catalog.words.path(name, word.get_ref()).unwrap_or_else(|| {
            let known = catalog.words.words(name);
            reporter.unknown("word", word, known.iter().map(String::as_str));
            String::new()
        })
    };
    let mut front = Vec::new();
    for vector in &row.front {
        let (span, vector) = (vector.span(), vector.get_ref());
        if vector.holds.len() * VECTOR_BYTES > vector.bytes as usize {
            reporter.report(&span, format!("{} bytes do not hold all of that", vector.bytes));
        }
        front.push((vector.bytes, vector.holds.iter().map(|held| word("Held", held, reporter)).collect()));
    }
    let by_use =
        row.by_use.iter().map(|use_| (word("Factor", &use_.factor, reporter), word("Held", &use_.holds, reporter)));
    let by_use = by_use.collect();
    Layout { name, text, platforms, system_pointers: row.system_pointers, front, by_use, source }
}

/// Reads `4.1..4.2`, with either end left out.
fn versions(text: &str) -> Option<[(u32, u32); 2]> {
    let (first, last) = text.split_once("..")?;
    let version = |part: &str, open: (u32, u32)| match part.split_once('.') {
        None => part.is_empty().then_some(open),
        Some((major, minor)) => Some((major.parse().ok()?, minor.parse().ok()?)),
    };
    Some([version(first, (0, 0))?, version(last, (u32::MAX, u32::MAX))?])
}
