//! Tests of `lower::reread`.

use crate::support::mutator::Random;
use visa_lint::base::span::Span;
use visa_lint::lower::reread::TextEdit;

/// Several edits of a text are one: what stands before it and behind it is what stood there.
#[test]
fn edits_that_follow_each_other_are_one() {
    let mut random = Random(7);
    for _ in 0..2000 {
        let old: String = (0..20 + random.below(20)).map(|i| char::from(b'a' + (i % 26) as u8)).collect();
        let (mut text, mut edit) = (old.clone(), None);
        for n in 0..=random.below(4) {
            let start = random.below(text.len() + 1);
            let end = start + random.below((text.len() - start).min(5) + 1);
            let new = ["", "1", "22", "333", "4444444"][random.below(5)];
            text.replace_range(start..end, new);
            let (start, end, n_new) = (start as u32, end as u32, new.len() as u32);
            let first = TextEdit { start, old_end: end, new_end: start + n_new };
            match &mut edit {
                None => edit = Some(first),
                Some(edit) => edit.add(Span::new(start, end), n_new),
            }
            let TextEdit { start, old_end, new_end } = edit.expect("an edit");
            let [start, old_end, new_end] = [start, old_end, new_end].map(|at| at as usize);
            assert!(start <= old_end && start <= new_end, "{n}: {edit:?}");
            assert_eq!((&old[..start], &old[old_end..]), (&text[..start], &text[new_end..]), "{n}: {edit:?}");
        }
    }
}
