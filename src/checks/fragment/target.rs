//! Targets of branches in texts of which parts are not known: those that are certainly misspelt.

use crate::base::diagnostic::Diagnostic;
use crate::base::span::Span;
use crate::base::spelling::closest;
use crate::checks::context::Sink;
use crate::checks::flow::label::{UNDEFINED_LABEL, may_define_any};
use crate::host::template::UNIQUE;
use crate::host::{Fragment, Host};
use crate::program::Instruction;
use crate::program::operand::Operand;
use rustc_hash::FxHashSet;
use std::cell::OnceCell;

/// Targets that are compared with all labels, and for which the whole file is searched.
const MOST_TARGETS: usize = 64;

/// Labels of a file that a target is compared with.
const MOST_LABELS: usize = 1 << 10;

/// Bytes of the name of a label.
const MOST_NAME: usize = 64;

/// Reports targets that the text does not define, beside a label of nearly the same name that nothing branches to: one of the
/// text, or one that the file names nowhere else. What is not known of the text would have to define the one and branch to
/// the other.
pub fn check(text: &str, host: &Host, sink: &mut Sink) {
    let mut n_searched = 0;
    let elsewhere: OnceCell<Vec<&str>> = OnceCell::new();
    let is_open = |f: &&Fragment| f.program.fragment.as_ref().is_some_and(|own| own.hides_names);
    for fragment in host.fragments.iter().filter(is_open) {
        let program = &fragment.program;
        let targets = targets(fragment);
        if targets.is_empty() || may_define_any(fragment.text()) {
            continue;
        }
        let labels: FxHashSet<&str> = program.labels.iter().map(|label| program.names.name(label.name)).collect();
        let named: FxHashSet<&str> = targets.iter().map(|(name, _)| *name).collect();
        for (name, span) in targets.iter().filter(|(name, _)| !labels.contains(name) && !name.contains(UNIQUE)) {
            if n_searched == MOST_TARGETS {
                return;
            }
            n_searched += 1;
            let own = closest(name, labels.difference(&named).copied());
            let all = || elsewhere.get_or_init(|| labels_of_file(text));
            let Some(similar) = own.or_else(|| closest(name, all().iter().copied())) else { continue };
            let is_defined = places(text, name).any(|at| text[at + name.len()..].starts_with(':'));
            if is_defined || !is_slip(similar, name) || own.is_none() && places(text, similar).nth(1).is_some() {
                continue;
            }
            let diagnostic = Diagnostic::new(&UNDEFINED_LABEL, *span, format!("`{name}` is not defined in this text"))
                .help(format!("did you mean `{similar}`?"))
                .replace(*span, similar, false);
            sink.report(fragment.finding(text, diagnostic));
        }
    }
}

/// Where a word stands in a text, also inside of others.
fn places<'t>(text: &'t str, word: &'t str) -> impl Iterator<Item = usize> {
    memchr::memmem::find_iter(text.as_bytes(), word.as_bytes())
}

/// The labels that strings of a file define: each is the first word of a string or of its line, and a line of its own.
fn labels_of_file(text: &str) -> Vec<&str> {
    let bytes = text.as_bytes();
    let is_name = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
    let all = memchr::memchr_iter(b':', bytes).filter_map(|colon| {
        let length = bytes[..colon].iter().rev().take(MOST_NAME).take_while(|b| is_name(b)).count();
        let name = &text[colon - length..colon];
        let begins = text[..colon - length].ends_with(['"', '\'', '\n']) || text[..colon - length].ends_with("\\n");
        let ends = text[colon + 1..].starts_with(['"', '\'', '\n']) || text[colon + 1..].starts_with("\\n");
        (begins && ends && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')).then_some(name)
    });
    all.take(MOST_LABELS).collect()
}

/// The names that branches and calls go to, with their places.
fn targets(fragment: &Fragment) -> Vec<(&str, Span)> {
    let program = &fragment.program;
    let is_branch = |row: &&Instruction| program.row(row).is_some_and(|row| row.flow.goes_to_labels());
    let facts = program.fragment.as_deref();
    let is_guessed = |span: Span| facts.is_some_and(|f| f.is_guessed(span));
    let unread = facts.into_iter().flat_map(|f| f.unread.iter().map(|(_, row)| row));
    let rows = program.instructions.iter().chain(unread).filter(is_branch);
    let operands = rows.flat_map(|row| program.operands_of(row).iter().zip(program.operand_spans_of(row)));
    let names = operands.filter_map(|(operand, spans)| match operand {
        Operand::Name { name, .. } if !is_guessed(spans.whole) => Some((program.names.name(*name), spans.whole)),
        _ => None,
    });
    names.collect()
}

/// Whether one name is the other with a slip of the keys, rather than that of another thing: numbers and last letters tell
/// names apart that belong together.
fn is_slip(one: &str, two: &str) -> bool {
    let (one, two) = (one.as_bytes(), two.as_bytes());
    let n_before = one.iter().zip(two).take_while(|(a, b)| a == b).count();
    let (one, two) = (&one[n_before..], &two[n_before..]);
    let n_behind = one.iter().rev().zip(two.iter().rev()).take_while(|(a, b)| a == b).count();
    let (one, two) = (&one[..one.len() - n_behind], &two[..two.len() - n_behind]);
    let has_digit = |part: &[u8]| part.iter().any(u8::is_ascii_digit);
    let is_other_end = one.len() == 1 && two.len() == 1 && n_behind == 0;
    !has_digit(one) && !has_digit(two) && !is_other_end
}
