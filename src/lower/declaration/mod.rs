//! `.decl`: one file per part of a declaration.

mod alias;
mod copy;
mod field;
mod key;
mod layout;
mod name;

pub use alias::ALIAS_OF_WRONG_KIND;
pub(super) use copy::Form;
pub use field::MALFORMED_DECLARATION;
pub use layout::{UNKNOWN_ALIGNMENT, UNKNOWN_TYPE};
pub use name::{DUPLICATE_DECLARATION, PREDEFINED_REDECLARED, RESERVED_WORD, SHADOWED_VARIABLE};

use crate::base::span::Span;
use crate::base::symbol::Symbol;
use crate::lower::Lowering;
use crate::program::variable::{ALIGN_GRF, FLAG_BROKEN, Variable, VariableId, VariableSpans};
use crate::spec::Type;
use crate::spec::predefined::VariableKind;
use crate::syntax::token::{Token, TokenKind};

/// What a declaration says, as far as it could be read.
#[derive(Clone, Copy)]
pub(super) struct Draft {
    pub(super) kind: VariableKind,
    element_type: Type,
    n_elements: u32,
    alignment: u8,
    base: Option<(VariableId, i32)>,
    pub(super) flags: u16,
    spans: VariableSpans,
}

impl Draft {
    /// Sets a flag of the variable.
    pub(super) fn mark(&mut self, flag: u16) {
        self.flags |= flag;
    }

    /// The element type of the variable.
    fn stored_type(&self) -> Type {
        match self.kind {
            VariableKind::General => self.element_type,
            VariableKind::Address => Type::UW,
            VariableKind::Predicate => Type::BOOL,
            VariableKind::Sampler | VariableKind::Surface => Type::UD,
        }
    }
}

impl Lowering<'_> {
    /// Reads the `.decl` whose fields are in the tree.
    pub(super) fn declaration(&mut self, statement: Span) {
        let Some(name) = self.declared_name(statement) else { return self.note_nameless(statement) };
        let mut draft = Draft {
            kind: VariableKind::General,
            element_type: Type::UD,
            n_elements: 1,
            alignment: 0,
            base: None,
            flags: 0,
            spans: VariableSpans { statement, name, ..VariableSpans::default() },
        };
        let n_reported = self.program.diagnostics.len();
        self.fields(&mut draft);
        if self.program.diagnostics.len() == n_reported {
            self.keep_draft(&draft);
        }
        self.finish_declaration(draft);
    }

    /// Declares what a declaration says, if its name is free.
    fn finish_declaration(&mut self, mut draft: Draft) {
        let name = draft.spans.name;
        let is_usable = self.is_declarable(name);
        let symbol = self.program.names.intern(name.of(self.text));
        if !is_usable {
            // Declared nevertheless, so that its uses are not reported as well.
            draft.mark(FLAG_BROKEN);
            let word = name.of(self.text);
            let plain = word.strip_prefix('%').filter(|plain| !plain.is_empty());
            let others = plain.map(|plain| self.program.names.intern(plain));
            for symbol in [Some(symbol), others].into_iter().flatten() {
                if self.find_symbol(symbol).is_none() {
                    self.declare(symbol, &draft);
                }
            }
        } else if self.is_free(symbol, name, &draft) {
            self.declare(symbol, &draft);
        }
    }

    fn declare(&mut self, symbol: Symbol, draft: &Draft) {
        let id = VariableId(self.program.variables.len() as u32);
        let (root, root_offset) = match draft.base {
            Some((base, offset)) => {
                let row = &self.program.variables[base];
                (row.root, row.root_offset.saturating_add(offset))
            }
            None => (id, 0),
        };
        let base = draft.base.map_or(id, |(base, _)| base);
        self.program.variables.push(Variable {
            name: symbol,
            root,
            root_offset,
            base,
            n_elements: draft.n_elements,
            element_type: draft.stored_type(),
            kind: draft.kind,
            alignment: draft.alignment,
            flags: draft.flags,
        });
        self.program.variable_spans.push(draft.spans);
        self.bind(symbol, id);
    }

    /// Declares the variable of a line that could not be parsed, so that its uses are not reported as well.
    pub(super) fn declare_broken(&mut self, statement: Span, name: Span, tokens: &[Token]) {
        let symbol = self.program.names.intern(name.of(self.text));
        if self.bound_here(symbol).is_some() {
            return;
        }
        let letter = tokens
            .windows(3)
            .find(|w| w[0].span().of(self.text) == "v_type" && w[1].kind == TokenKind::Equal)
            .map(|w| w[2].span().of(self.text));
        let draft = Draft {
            kind: letter.and_then(kind_of_letter).unwrap_or(VariableKind::General),
            element_type: Type::UD,
            n_elements: 1,
            alignment: ALIGN_GRF,
            base: None,
            flags: FLAG_BROKEN,
            spans: VariableSpans { statement, name, ..VariableSpans::default() },
        };
        self.declare(symbol, &draft);
    }
}

fn kind_of_letter(letter: &str) -> Option<VariableKind> {
    Some(match letter {
        "G" => VariableKind::General,
        "A" => VariableKind::Address,
        "P" => VariableKind::Predicate,
        "S" => VariableKind::Sampler,
        "T" => VariableKind::Surface,
        _ => return None,
    })
}
