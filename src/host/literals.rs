//! The string literals of a host source, in each language.

use super::literal::Literal;
use super::{Language, c, nested, python};
use crate::base::span::Span;
use std::sync::OnceLock;

/// The literals of a host source. They are read when a change is first written: most sources need none.
#[derive(Debug)]
pub(super) struct Literals {
    language: Language,
    /// By their beginnings; a source that stands in a literal has its own behind it.
    all: OnceLock<Vec<Literal>>,
}

impl Literals {
    pub(super) const fn new(language: Language) -> Self {
        Self { language, all: OnceLock::new() }
    }

    /// The literal that holds a place of the host, the innermost one where a source stands in a literal. Texts of LLVM IR,
    /// MLIR and patches have none: they are written in one way only.
    pub(super) fn at(&self, host: &str, span: Span) -> Option<&Literal> {
        let all = self.all.get_or_init(|| read(host, self.language));
        let n = all.partition_point(|l| l.inside.start <= span.start);
        all[..n].last().filter(|l| span.end <= l.inside.end)
    }
}

fn read(host: &str, language: Language) -> Vec<Literal> {
    let own = match language {
        Language::C => c::literals(host, 0),
        Language::Python => python::literals(host),
        Language::Llvm | Language::Mlir | Language::Patch => return Vec::new(),
    };
    let mut all = Vec::with_capacity(own.len());
    for literal in own {
        all.push(literal);
        let inside = literal.inside.of(host);
        if literal.is_long && nested::language(inside) == Some(Language::C) {
            let part = &host[..literal.inside.end as usize];
            let is_escaped_twice = !literal.is_raw;
            let within = c::literals(part, literal.inside.start as usize).into_iter();
            all.extend(within.map(|l| Literal { is_escaped_twice, ..l }));
        }
    }
    all
}
