//! Labels, functions, keywords and strings: words that name no variable.

use super::{NAMES, WRONG_OPERAND_FORM};
use crate::base::diagnostic::Diagnostic;
use crate::base::span::Span;
use crate::base::spelling::closest;
use crate::lower::{Lowering, unquoted};
use crate::program::operand::Operand;
use crate::program::pardon::Pardon;
use crate::spec::instruction::{KindSet, OperandKind, OperandSlot};
use crate::syntax::tree::{Arguments, Base, ExprKind, Item, List, RegionSyntax};

impl Lowering<'_> {
    /// A label, a function name or a keyword.
    pub(super) fn word(
        &mut self,
        slot: &'static OperandSlot,
        item: &Item,
        whole: Span,
        name: Span,
        arguments: Arguments,
    ) -> Option<Operand> {
        let word = name.of(self.text);
        if arguments != Arguments::None || item.region != RegionSyntax::None || item.suffix.is_some() {
            self.report_form(slot, item);
            return None;
        }
        if slot.kinds.contains(OperandKind::Keyword) {
            if let Some(index) = slot.words.iter().position(|w| *w == word) {
                return Some(Operand::Keyword { index: index as u8 });
            }
            let message = format!("`{word}` is not one of the words for the operand {}", slot.name);
            let mut diagnostic = Diagnostic::new(&WRONG_OPERAND_FORM, whole, message)
                .note(format!("they are {}", crate::spec::join_or(slot.words.iter().map(|w| format!("`{w}`")))));
            if let Some(similar) = closest(word, slot.words.iter().copied()) {
                diagnostic = diagnostic.replace(whole, similar, similar.eq_ignore_ascii_case(word));
            }
            self.report(diagnostic);
            return None;
        }
        if word.starts_with('%') {
            let message = format!(
                "`{word}` is not a {}",
                if slot.kinds.contains(OperandKind::Label) { "label" } else { "function" }
            );
            self.report(Diagnostic::new(&WRONG_OPERAND_FORM, whole, message));
            return None;
        }
        // Compilers print the names of the source.
        if self.is_reserved(word) && !Pardon::Print.holds_in(&self.program) {
            let message = if slot.kinds.contains(OperandKind::String) {
                format!("`{word}` is a reserved word: as a name it has to be quoted")
            } else {
                format!("`{word}` is a reserved word and cannot be a name here")
            };
            let diagnostic = Diagnostic::new(&crate::lower::declaration::RESERVED_WORD, whole, message);
            let diagnostic = if slot.kinds.contains(OperandKind::String) {
                diagnostic.replace(whole, format!("\"{word}\""), true)
            } else {
                diagnostic
            };
            self.report(diagnostic);
            return None;
        }
        let name = self.program.names.intern(word);
        Some(Operand::Name { name, is_quoted: false })
    }

    /// `"name"`: a quoted function name, or text.
    pub(super) fn string(&mut self, slot: &'static OperandSlot, item: &Item, written: Span) -> Option<Operand> {
        let is_name = slot.kinds.intersects(NAMES);
        if is_name && slot.kinds.contains(OperandKind::String) {
            let name = self.program.names.intern(unquoted(written.of(self.text)));
            return Some(Operand::Name { name, is_quoted: true });
        }
        if slot.kinds.contains(OperandKind::String) {
            return Some(Operand::String);
        }
        if is_name {
            let quoted = written.of(self.text);
            let diagnostic =
                Diagnostic::new(&WRONG_OPERAND_FORM, written, format!("the name {quoted} cannot stand in quotes here"));
            self.report(diagnostic.replace(written, unquoted(quoted), true));
            return None;
        }
        self.report_form(slot, item);
        None
    }

    /// `(L1, L2)`: the labels of a jump table.
    pub(super) fn label_list(&mut self, list: List) -> Option<Operand> {
        let start = self.program.label_lists.len() as u32;
        let items: Vec<Item> = self.parser.tree.list(list).copied().collect();
        for item in items {
            let Base::Expr(id) = item.base else { continue };
            let expr = *self.parser.tree.expr(id);
            if let ExprKind::Name(name, Arguments::None) = expr.kind {
                let symbol = self.program.names.intern(name.of(self.text));
                self.program.label_lists.push((symbol, name));
            } else {
                let written = item.span.of(self.text);
                self.report(
                    Diagnostic::new(&WRONG_OPERAND_FORM, item.span, format!("`{written}` is not an unquoted label"))
                        .help("labels of a jump table are plain names"),
                );
                return None;
            }
        }
        Some(Operand::LabelList { start, end: self.program.label_lists.len() as u32 })
    }

    /// A string without its quotes, as in `FILE a.cm`. Nothing if the operand is something else.
    #[expect(clippy::option_option, reason = "what is reported is broken, and no other kind of operand")]
    pub(super) fn unquoted_string(&mut self, slot: &OperandSlot, item: &Item) -> Option<Option<Operand>> {
        let is_string = slot.kinds == KindSet::of(&[OperandKind::String]);
        let Base::Expr(id) = item.base else { return None };
        if !is_string || !matches!(self.parser.tree.expr(id).kind, ExprKind::Name(..)) {
            return None;
        }
        let span = item.word.map_or(item.span, |word| item.span.to(word));
        let written = span.of(self.text);
        self.report(
            Diagnostic::new(&WRONG_OPERAND_FORM, span, format!("the operand {} has to be quoted", slot.name)).replace(
                span,
                format!("\"{written}\""),
                true,
            ),
        );
        Some(None)
    }
}
