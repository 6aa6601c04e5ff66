//! Surfaces and samplers with an index.

use super::{HANDLE, WRONG_OPERAND_FORM};
use crate::base::diagnostic::Diagnostic;
use crate::base::span::Span;
use crate::lower::Lowering;
use crate::lower::expression::clamp;
use crate::program::operand::{Operand, OperandSpans};
use crate::program::variable::VariableId;
use crate::spec::instruction::{KindSet, OperandKind, OperandSlot};
use crate::syntax::tree::{Arguments, Base, ExprKind, Item, List};

impl Lowering<'_> {
    /// `T6(2)`: an element of a surface or sampler variable.
    pub(super) fn state_element(
        &mut self,
        slot: &'static OperandSlot,
        item: &Item,
        name: Span,
        variable: VariableId,
        index: i64,
    ) -> Option<Operand> {
        if !slot.kinds.contains(OperandKind::State)
            && slot.kinds.intersects(KindSet::of(&[OperandKind::Surface, OperandKind::Sampler]))
        {
            let span = Span::new(name.end, item.span.end);
            let message = format!("`{}` takes no element here: its first element is used", name.of(self.text));
            self.report(Diagnostic::new(&WRONG_OPERAND_FORM, span, message).replace(span, "", true));
            return None;
        }
        Some(Operand::State { variable, index: clamp(index) })
    }

    /// `(T6, 2)`: a handle with an index.
    pub(super) fn indexed_handle(&mut self, slot: &'static OperandSlot, item: &Item, list: List) -> Option<Operand> {
        let items: Vec<Item> = self.parser.tree.list(list).copied().collect();
        let [first, second] = items.as_slice() else {
            self.report_form(slot, item);
            return None;
        };
        let (Base::Expr(name), Base::Expr(index)) = (first.base, second.base) else {
            self.report_form(slot, item);
            return None;
        };
        let ExprKind::Name(name, Arguments::None) = self.parser.tree.expr(name).kind else {
            self.report_form(slot, item);
            return None;
        };
        let variable = self.use_variable(name)?;
        let index = self.constant(index)?;
        Some(Operand::Handle { variable, index: clamp(index) })
    }

    /// `S0 (T6, 2)`: a bare name followed by a parenthesised handle, which the grammar takes for arguments.
    pub(in crate::lower) fn split_handle(
        &mut self,
        slot: &'static OperandSlot,
        item: &Item,
    ) -> Option<(Operand, OperandSpans, Item)> {
        if !slot.kinds.intersects(HANDLE) {
            return None;
        }
        let Base::Expr(id) = item.base else { return None };
        let ExprKind::Name(name, Arguments::List(list)) = self.parser.tree.expr(id).kind else { return None };
        let first = *self.parser.tree.list(list).next()?;
        let Base::Expr(inner) = first.base else { return None };
        if !matches!(self.parser.tree.expr(inner).kind, ExprKind::Name(n, Arguments::None) if n.of(self.text) != "%sizeof")
        {
            return None;
        }
        let head = Item::new(name, Base::Expr(self.parser.tree.add_name(name)));
        let (operand, spans) = self.operand(slot, &head);
        let open = name.end + self.text[name.end as usize..].find('(')? as u32;
        let group = self.parser.tree.add_group(Span::new(open, item.span.end), list);
        Some((operand, spans, Item { span: Span::new(open, item.span.end), base: Base::Expr(group), ..*item }))
    }
}
