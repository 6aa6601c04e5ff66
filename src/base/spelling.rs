//! Which of the known words a misspelt one is most like.

/// Longer names are not compared.
const MAX_COMPARED_BYTES: usize = 80;

/// The word among `words` that is most like `name`, if one is like it: one edit apart for names of two characters, at
/// most two up to eight characters, at most three beyond.
pub fn closest<'w>(name: &str, words: impl Iterator<Item = &'w str>) -> Option<&'w str> {
    let allowed = match name.len() {
        0..=1 => 0,
        2 => 1,
        3..=8 => 2,
        _ => 3,
    };
    words
        .filter(|w| w.len().abs_diff(name.len()) <= allowed && name.len() <= MAX_COMPARED_BYTES && *w != name)
        .map(|w| {
            let distance = if w.eq_ignore_ascii_case(name) { 0 } else { strsim::damerau_levenshtein(name, w) };
            (distance, w)
        })
        .filter(|(distance, w)| *distance <= allowed && *distance < w.len())
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, w)| w)
}
