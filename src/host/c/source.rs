//! Sources of other languages, and of this one, in plain strings.

use super::lexer::{Kind, Token};
use super::{literal, stream};
use crate::host::inner;
use crate::host::map::Mapped;
use crate::host::sign;
use rustc_hash::FxHashSet;

/// The literals that may hold sources, each with those behind it.
pub(super) fn sources(text: &str, tokens: &[Token]) -> Vec<Mapped> {
    let is_asm = |t: &Token| t.kind == Kind::Text && memchr::memmem::find(t.of(text).as_bytes(), b"asm").is_some();
    if !tokens.iter().any(is_asm) {
        return Vec::new();
    }
    let (mut found, built): (Vec<Mapped>, Vec<Vec<u32>>) = stream::sources(text, tokens).into_iter().unzip();
    let built: FxHashSet<u32> = built.into_iter().flatten().collect();
    let mut at = 0;
    while let Some(first) = tokens[at..].iter().position(|t| t.kind == Kind::Text).map(|n| at + n) {
        let n_tokens = tokens[first..].iter().take_while(|t| t.kind == Kind::Text).count();
        let (before, run) = (&tokens[..first], &tokens[first..first + n_tokens]);
        at = first + n_tokens;
        if run.iter().any(|t| built.contains(&t.start)) {
            continue;
        }
        let has_statement = run.iter().any(|t| sign::has_statement(t.of(text).as_bytes()));
        if has_statement || run.iter().any(is_asm) {
            let mut source = Mapped::default();
            for token in run {
                literal::append(text, *token, &mut source);
            }
            if !has_statement && !inner::is_ir(&source.text) {
                continue;
            }
            // A statement without a function around it that is printed is meant for a reader.
            let is_printed = matches!(before, [.., name, open]
                if open.kind == Kind::Open && matches!(name.of(text), "puts" | "printf" | "fputs" | "perror" | "println"));
            if is_printed && !source.text.contains('{') {
                continue;
            }
            found.push(if stream::is_format(text, before) { stream::printed(text, &source) } else { source });
        }
    }
    found
}
