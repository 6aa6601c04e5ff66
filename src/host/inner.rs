//! Which strings hold sources of their own, and of which language.

use super::{Language, sign};

/// Whether a string may be a part of a source with an asm statement.
pub(super) fn may_hold(text: &str) -> bool {
    sign::has_statement(text.as_bytes()) || text.contains("inline_asm") || text.contains(" asm ")
}

/// The language of a source with asm statements, if a string is one.
pub(super) fn language(text: &str) -> Option<Language> {
    let has_values = || text.contains('%') || text.contains("llvm.inline_asm ");
    if text.contains("inline_asm") && text.contains(" : ") && has_values() {
        return Some(Language::Mlir);
    }
    // A call with its template and constraints is a line of a source that is written line by line.
    let is_call = || {
        let rest = text.split_once("call ").and_then(|(_, rest)| rest.split_once(" asm "));
        rest.is_some_and(|(_, rest)| rest.matches('"').count() >= 4 && rest.contains("\", \""))
    };
    if text.contains(" asm ") && text.contains("call ") && (text.contains("define ") || is_call()) {
        return Some(Language::Llvm);
    }
    sign::is_source(text).then_some(Language::C)
}

/// Whether a string is a source of LLVM IR or MLIR with asm statements.
pub(super) fn is_ir(text: &str) -> bool {
    may_hold(text) && matches!(language(text), Some(Language::Llvm | Language::Mlir))
}
