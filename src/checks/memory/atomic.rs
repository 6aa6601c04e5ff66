//! Atomics: which sources an operation takes, and of which types.

use super::typed;
use crate::base::diagnostic::Diagnostic;
use crate::base::rule::Level;
use crate::checks::context::{Sink, View};
use crate::checks::table;
use crate::checks::table::null::{UNEXPECTED_NULL, UNEXPECTED_SOURCE};
use crate::checks::table::types::{UNSUPPORTED_TYPE, operand_type};
use crate::program::{Operand, OperandSpans};
use crate::spec::ModifierName;
use crate::spec::OperandName;
use crate::spec::{Type, TypeSet};

/// Checks one atomic.
pub fn check(view: &View, sink: &mut Sink) {
    let Some(operation) = view.modifier_word(ModifierName::OPERATION) else { return };
    if sources(view, sink, operation) {
        if view.row.slot(OperandName::SURFACE).is_none() {
            svm_types(view, sink, operation);
        } else if view.row.slot(OperandName::U).is_some() {
            typed_types(view, sink, operation);
        } else {
            surface_types(view, sink, operation);
        }
    }
    typed::coordinates(view, sink);
    typed::platform(view, sink);
}

/// Number of sources that an operation takes.
fn n_sources(operation: &str) -> usize {
    match operation {
        "inc" | "dec" => 0,
        "cmpxchg" | "fcmpwr" => 2,
        _ => 1,
    }
}

/// Whether an operation takes floats.
fn is_float(operation: &str) -> bool {
    matches!(operation, "fmax" | "fmin" | "fcmpwr" | "fadd" | "fsub")
}

/// Whether an operation takes signed integers.
fn is_signed(operation: &str) -> bool {
    matches!(operation, "minsint" | "maxsint")
}

/// Checks which sources are there. Returns whether they are as they should be.
fn sources(view: &View, sink: &mut Sink, operation: &str) -> bool {
    let wanted = n_sources(operation);
    for (i, name) in [OperandName::SRC0, OperandName::SRC1].into_iter().enumerate() {
        let Some((operand, spans)) = view.operand(name) else { continue };
        let written = view.text(spans.whole);
        let mnemonic = view.row.mnemonic;
        if i < wanted && operand.is_null() {
            let message = format!("`{mnemonic}.{operation}` needs `{name}`, which cannot be `%null`");
            let mut diagnostic = Diagnostic::new(&UNEXPECTED_NULL, spans.whole, message).note(table::document(view));
            let other = view.operand(OperandName::SRC1).filter(|(other, _)| i == 0 && wanted == 1 && !other.is_null());
            if let Some((_, other)) = other {
                let order = if view.row.slot(OperandName::DST) < view.row.slot(OperandName::SRC0) {
                    "`dst` stands before `src0` and `src1` here, unlike in `dword_atomic` and `typed_atomic`"
                } else {
                    "`dst` stands after `src0` and `src1` here, unlike in `svm_atomic`"
                };
                diagnostic = diagnostic.also(other.whole, "this is `src1`").help(order);
            }
            sink.report(diagnostic);
            return false;
        }
        if i >= wanted && !operand.is_null() {
            let message = format!("`{operation}` of `{mnemonic}` takes no `{name}`, but `{written}` is given");
            sink.report(Diagnostic::new(&UNEXPECTED_SOURCE, spans.whole, message).note(table::document(view)).replace(
                spans.whole,
                "%null.0",
                false,
            ));
            return false;
        }
    }
    true
}

/// The data operands that are there, in the order of the text.
fn data<'a>(view: &View<'a>) -> impl Iterator<Item = (OperandName, &'a Operand, &'a OperandSpans, Type)> {
    let view = *view;
    view.each_operand()
        .filter(|(_, _, slot)| matches!(slot.name, OperandName::SRC0 | OperandName::SRC1 | OperandName::DST))
        .filter_map(move |(operand, spans, slot)| Some((slot.name, operand, spans, operand_type(&view, operand)?)))
}

fn report_type(
    view: &View,
    sink: &mut Sink,
    (name, operand, spans, t): (OperandName, &Operand, &OperandSpans, Type),
    level: Level,
    wanted: TypeSet,
    why: &str,
) {
    let written = view.text(spans.whole);
    let diagnostic =
        Diagnostic::new(&UNSUPPORTED_TYPE, spans.whole, format!("`{written}` has the type `{}`, but {why}", t.text()))
            .level(level)
            .label(format!("`{name}` should be {}", wanted.describe()));
    sink.report(table::declared(view, diagnostic, operand).note(table::document(view)));
}

/// `dword_atomic`: one type for all, which follows from the operation. 16-bit atomics are left out: the manual keeps the
/// 32-bit types there, while the reference wants UD throughout.
fn surface_types(view: &View, sink: &mut Sink, operation: &str) {
    const CHECKED: TypeSet = TypeSet::of(&[Type::UD, Type::D, Type::F]);
    if view.modifier(ModifierName::WIDTH).is_some() {
        return;
    }
    let (wanted, words) = if is_float(operation) {
        (Type::F, "works on floats")
    } else if is_signed(operation) {
        (Type::D, "works on signed integers")
    } else {
        (Type::UD, "works on unsigned integers")
    };
    let wrong = data(view).find(|(_, _, _, t)| *t != wanted && CHECKED.contains(*t));
    let Some(found) = wrong else { return };
    // D passes for add and sub, as long as all operands agree.
    let is_relaxed = matches!(operation, "add" | "sub") && found.3 == Type::D;
    if is_relaxed && data(view).all(|(_, _, _, t)| t == Type::D) {
        report_type(
            view,
            sink,
            found,
            Level::Warning,
            TypeSet::of(&[wanted]),
            &format!("the manual gives `{operation}` unsigned operands"),
        );
    } else if is_relaxed {
        report_type(view, sink, found, Level::Error, TypeSet::of(&[wanted]), "all operands of an atomic have one type");
    } else {
        report_type(view, sink, found, Level::Error, TypeSet::of(&[wanted]), &format!("`{operation}` {words}"));
    }
}

/// `typed_atomic`: D for signed operations only, where the compiler prints UD as well. The bits are the same, and no
/// reference looks at the type.
fn typed_types(view: &View, sink: &mut Sink, operation: &str) {
    if is_signed(operation) {
        return;
    }
    if let Some(found) = data(view).find(|(_, _, _, t)| *t == Type::D) {
        report_type(
            view,
            sink,
            found,
            Level::Warning,
            TypeSet::of(&[Type::UD]),
            &format!("`{operation}` works on unsigned integers"),
        );
    }
}

/// `svm_atomic`: the compiler mixes D and UD, and reads floats back as UD; what stays is the size of the elements, and
/// floats against integers.
fn svm_types(view: &View, sink: &mut Sink, operation: &str) {
    const DWORDS: TypeSet = TypeSet::of(&[Type::UD, Type::D, Type::F]);
    const QWORDS: TypeSet = TypeSet::of(&[Type::UQ, Type::Q, Type::DF]);
    let width = view.modifier(ModifierName::WIDTH).map_or(32, |m| m.number);
    let (sized, other) = if width == 64 { (QWORDS, DWORDS) } else { (DWORDS, QWORDS) };
    if let Some(found) = data(view).find(|(_, _, _, t)| other.contains(*t)) {
        let lane = if width == 64 { 8 } else { 4 };
        report_type(view, sink, found, Level::Error, sized, &format!("every lane of this atomic takes {lane} bytes"));
        return;
    }
    if width == 16 {
        return;
    }
    let floats = TypeSet::of(&[Type::F, Type::DF]);
    let wrong = data(view).find(|(name, _, _, t)| {
        if is_float(operation) {
            *name != OperandName::DST && sized.contains(*t) && !floats.contains(*t)
        } else {
            floats.contains(*t)
        }
    });
    let Some(found) = wrong else { return };
    let (words, wanted) = if is_float(operation) {
        ("floats", TypeSet(sized.0 & floats.0))
    } else {
        ("integers", TypeSet(sized.0 & !floats.0))
    };
    report_type(view, sink, found, Level::Error, wanted, &format!("`{operation}` works on {words}"));
}
