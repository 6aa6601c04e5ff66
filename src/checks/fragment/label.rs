//! Labels of fragments: braces do not scope them, and statements are pasted into one function.

use crate::base::diagnostic::Diagnostic;
use crate::base::span::Span;
use crate::checks::context::Sink;
use crate::checks::flow::label::DUPLICATE_LABEL;
use crate::host::rules::UNSCOPED_LABEL;
use crate::host::template::UNIQUE;
use crate::host::{Fragment, Host};
use rustc_hash::FxHashMap;

/// Reports labels that several statements of a function define, and those that a second copy of a statement defines again.
pub fn check(text: &str, host: &Host, sink: &mut Sink) {
    let mut first: FxHashMap<(u32, &str), (usize, Span)> = FxHashMap::default();
    // Labels of statements that may be pasted again, and those that certainly are.
    let mut repeated: Vec<(&Fragment, &str, Span)> = Vec::new();
    let mut again: FxHashMap<Span, Span> = FxHashMap::default();
    for (index, fragment) in host.fragments.iter().enumerate().filter(|(_, f)| !f.raw.is_kernel) {
        let program = &fragment.program;
        for label in program.labels.iter().filter(|l| !l.is_function) {
            let name = program.names.name(label.name);
            if name.contains(UNIQUE)
                || program.fragment.as_ref().is_some_and(|f| f.is_open && !fragment_is_part(fragment))
            {
                continue;
            }
            let place = fragment.place(text, label.span);
            let key = (fragment.raw.function, name);
            match first.get(&key) {
                Some((other, earlier)) if *other != index => {
                    // The one branch of an `#if`, or the other.
                    if !host.fragments[*other].is_with(fragment) {
                        continue;
                    }
                    // Two uses of one macro.
                    if *earlier == place {
                        if fragment.raw.function != 0 {
                            again.entry(place).or_insert(fragment.raw.span);
                        }
                        continue;
                    }
                    let message =
                        format!("the label `{name}` is defined in another statement of this function already");
                    sink.report(
                        Diagnostic::new(&DUPLICATE_LABEL, place, message)
                            .also(*earlier, "first defined here")
                            .note("braces do not scope labels")
                            .help(format!("write `{}`", unique(fragment, name))),
                    );
                }
                Some(_) => {}
                None => {
                    first.insert(key, (index, place));
                    if fragment.raw.is_repeated {
                        repeated.push((fragment, name, place));
                    }
                }
            }
        }
    }
    for (fragment, name, place) in repeated {
        let diagnostic = if let Some(other) = again.get(&place) {
            let message = format!("the label `{name}` is defined again by another use of the macro in this function");
            Diagnostic::new(&DUPLICATE_LABEL, place, message).also(*other, "the other use")
        } else {
            let message = format!("the label `{name}` is defined again by a second copy of the statement");
            Diagnostic::new(&UNSCOPED_LABEL, place, message)
        };
        sink.report(diagnostic.help(format!("write `{}`", unique(fragment, name))));
    }
}

fn fragment_is_part(fragment: &Fragment) -> bool {
    !fragment.pasted.is_open
}

fn unique(fragment: &Fragment, name: &str) -> String {
    fragment.words(&format!("{name}{UNIQUE}"))
}
