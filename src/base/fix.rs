//! Applying fixes to a text.

use super::diagnostic::{Diagnostic, Edit};

/// What to do where a line goes on with the next instruction.
pub const NEW_LINE: &str = "write each instruction on a line of its own";

/// A text after fixes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fixed {
    /// The new text.
    pub text: String,
    /// How many findings were mended.
    pub n_fixes: usize,
}

/// Mending one fault can show another, whose mending shows a third; more steps than this are not made at once.
const MAX_ROUNDS: usize = 32;

/// How often rules that come to no end are left out before nothing is changed at all.
const MAX_TRIALS: usize = 4;

/// Applies certain fixes until none is left; `check` looks at the text after each step. Nothing is returned if there is
/// nothing to do. If the fixes of some rules come to no end, these rules mend nothing: a second call on the result has
/// nothing to do.
#[must_use]
pub fn apply_all(text: &str, mut check: impl FnMut(&str) -> Vec<Diagnostic>) -> Option<Fixed> {
    let mut restless: Vec<&'static str> = Vec::new();
    for _ in 0..MAX_TRIALS {
        let mut current: Option<Fixed> = None;
        for _ in 0..MAX_ROUNDS {
            let now = current.as_ref().map_or(text, |fixed| &fixed.text);
            let mut findings = check(now);
            findings.retain(|found| !restless.contains(&found.rule.name));
            let Some(fixed) = apply(now, &findings) else { return current };
            let n_before = current.as_ref().map_or(0, |fixed| fixed.n_fixes);
            current = Some(Fixed { n_fixes: n_before + fixed.n_fixes, ..fixed });
        }
        let last = current.as_ref().map_or(text, |fixed| &fixed.text);
        restless.extend(check(last).iter().filter(|d| d.fix.as_ref().is_some_and(|f| f.certain)).map(|d| d.rule.name));
    }
    None
}

/// Whether an edit of `text` makes one word of its own text and what stands right before or behind it. Such a change was
/// not thought of where the edit was made.
#[must_use]
pub fn joins_words(text: &str, edit: &Edit) -> bool {
    let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let (Some(before), Some(old), Some(after)) =
        (text.get(..edit.span.start as usize), text.get(edit.span.range()), text.get(edit.span.end as usize..))
    else {
        return false;
    };
    let joins_before = is_word(before.chars().next_back()) && is_word(edit.text.chars().next());
    let joins_after = is_word(after.chars().next()) && is_word(edit.text.chars().next_back());
    // What was one word before may stay one.
    joins_before && !is_word(old.chars().next()) || joins_after && !is_word(old.chars().next_back())
}

/// Applies the certain fixes of `diagnostics` to `text`. Of fixes that overlap, the one that comes first in the text is
/// applied; the other is left for a second look at the new text. Nothing is returned if there is nothing to do.
#[must_use]
pub fn apply(text: &str, diagnostics: &[Diagnostic]) -> Option<Fixed> {
    let mut fixes: Vec<&[Edit]> = diagnostics
        .iter()
        .filter_map(|d| d.fix.as_ref())
        .filter(|fix| fix.certain && !fix.edits.is_empty())
        .map(|fix| fix.edits.as_slice())
        .collect();
    fixes.sort_by_key(|edits| (edits[0].span.start, edits[0].span.end));
    let mut new = String::with_capacity(text.len() + 64);
    let mut done = 0;
    let mut n_fixes = 0;
    for edits in fixes {
        let in_order = edits.windows(2).all(|pair| pair[0].span.end <= pair[1].span.start);
        let fits = edits.iter().all(|e| {
            e.span.start <= e.span.end
                && text.is_char_boundary(e.span.start as usize)
                && text.is_char_boundary(e.span.end as usize)
        });
        // An insertion at the very place where the last edit ended would depend on the order of the findings.
        if !in_order
            || !fits
            || (edits[0].span.start as usize) < done
            || n_fixes > 0 && edits[0].span.start as usize == done
        {
            continue;
        }
        for edit in edits {
            new.push_str(&text[done..edit.span.start as usize]);
            new.push_str(&edit.text);
            done = edit.span.end as usize;
        }
        n_fixes += 1;
    }
    if n_fixes == 0 {
        return None;
    }
    new.push_str(&text[done..]);
    (new != text).then_some(Fixed { text: new, n_fixes })
}
