//! What declarations say that differ in nothing but the name that they declare, and in bases that are declared alike, is read
//! once.

use super::Draft;
use crate::base::id::Id as _;
use crate::base::span::Span;
use crate::lower::Lowering;
use crate::program::{VariableId, VariableSpans};
use crate::syntax::token::{Token, TokenKind};

/// What a declaration says: its base is a number of a name in its key, its places are relative to the key.
pub(in crate::lower) struct Form {
    key: Vec<u8>,
    epoch: u32,
    draft: Draft,
    /// Flags that it sets of its base.
    noted: u16,
}

impl Lowering<'_> {
    /// Reads a declaration by copying what an earlier one says. Returns whether there is one.
    pub(in crate::lower) fn copy_declaration(&mut self, statement: Span, tokens: &[Token]) -> bool {
        self.alike.is_wanted = false;
        let [directive, name, following, ..] = tokens else { return false };
        let is_plain = self.alike.is_on
            && directive.kind == TokenKind::DotWord
            && directive.span().of(self.text) == ".decl"
            && Span::new(directive.end, name.start).of(self.text) == " "
            && (name.kind, following.kind) == (TokenKind::Word, TokenKind::Word)
            && !self.program.objects.is_empty();
        let name = name.span();
        if !is_plain || !self.describe(name.end, &tokens[2..]) {
            return false;
        }
        let (slot, epoch, key) = self.alike.wanted();
        let forms = &self.alike.declarations;
        let Some(form) = forms.get(slot).and_then(Option::as_ref).filter(|f| f.epoch == epoch && f.key == key.bytes())
        else {
            self.alike.is_wanted = true;
            return false;
        };
        let VariableSpans { statement: _, name: _, element_type, n_elements, align, alias, alias_offset } =
            form.draft.spans;
        let place = |span: Span| key.absolute(span);
        let base = form.draft.base.map(|(number, offset)| (key.variable(number.index()), offset));
        let draft = Draft {
            base,
            spans: VariableSpans {
                statement,
                name,
                element_type: place(element_type),
                n_elements: place(n_elements),
                align: place(align),
                alias: place(alias),
                alias_offset: place(alias_offset),
            },
            ..form.draft
        };
        if let Some((base, _)) = base {
            self.program.variables[base].flags |= form.noted;
        }
        self.finish_declaration(draft);
        true
    }

    /// Keeps what the declaration being read says, if copies of it say the same.
    pub(super) fn keep_draft(&mut self, draft: &Draft) {
        if !std::mem::take(&mut self.alike.is_wanted) {
            return;
        }
        let (slot, epoch, key) = self.alike.wanted();
        let Some(noted) = self.alike.flags_of_one(draft.base.map(|(base, _)| base)) else { return };
        let number = |(base, offset)| key.number_of(base).map(|number| (VariableId(number as u32), offset));
        let base = draft.base.map(number);
        let VariableSpans { statement: _, name: _, element_type, n_elements, align, alias, alias_offset } = draft.spans;
        let places = [element_type, n_elements, align, alias, alias_offset].map(|span| key.relative(span));
        let (Some(base), [Some(element_type), Some(n_elements), Some(align), Some(alias), Some(alias_offset)]) =
            (base.map_or(Some(None), |base| base.map(Some)), places)
        else {
            return;
        };
        let spans = VariableSpans { element_type, n_elements, align, alias, alias_offset, ..VariableSpans::default() };
        let form = Form { key: key.bytes().to_vec(), epoch, draft: Draft { base, spans, ..*draft }, noted };
        self.alike.keep_declaration(slot, form);
    }
}
