//! Source modifiers: `(-)`, `(abs)`, `(-abs)` and `(~)`.

use super::WRONG_OPERAND_FORM;
use crate::base::diagnostic::Diagnostic;
use crate::base::span::Span;
use crate::lower::Lowering;
use crate::program::operand::{Operand, SourceModifier};
use crate::syntax::tree::{Arguments, ExprId, ExprKind, Item, UnaryOperator};

crate::declare_rule! {
    /// A source modifier on an operand that cannot carry one: only general and indirect sources can.
    ///
    /// ```visa bad
    /// mov (M1, 8) VD(0,0)<1> (-)0x1:d
    /// ```
    /// ```visa good
    /// mov (M1, 8) VD(0,0)<1> -1:d
    /// ```
    pub MISPLACED_SOURCE_MODIFIER = "misplaced-source-modifier", Error, "5_instruction_set"
}

impl Lowering<'_> {
    pub(super) fn modifier(&self, item: &Item) -> SourceModifier {
        match item.modifier.map(|m| m.of(self.text)) {
            Some("(-)") => SourceModifier::Negate,
            Some("(abs)") => SourceModifier::Absolute,
            Some("(-abs)") => SourceModifier::NegateAbsolute,
            Some("(~)") => SourceModifier::Complement,
            _ => SourceModifier::None,
        }
    }

    pub(super) fn check_source_modifier(&mut self, item: &Item, operand: &Operand) -> Option<()> {
        let Some(span) = item.modifier else { return Some(()) };
        if matches!(operand, Operand::General { .. } | Operand::Indirect { .. }) {
            return Some(());
        }
        let written = span.of(self.text);
        let operand_text = Span::new(span.end, item.span.end).of(self.text).trim();
        let message = format!(
            "`{written}` cannot stand before `{operand_text}`: only general and indirect sources take source modifiers"
        );
        let mut diagnostic = Diagnostic::new(&MISPLACED_SOURCE_MODIFIER, span, message);
        if let (Operand::Immediate { .. }, "(-)" | "(~)") = (operand, written) {
            diagnostic = diagnostic.replace(span, &written[1..2], true);
        }
        self.report(diagnostic);
        None
    }

    /// Reports `-V`, `~V` or `(ABS)`: source modifiers that are not written as one. Returns whether it was one.
    pub(in crate::lower) fn misspelt_modifier(&mut self, id: ExprId) -> bool {
        let expr = *self.parser.tree.expr(id);
        match expr.kind {
            ExprKind::Unary(operator, inner) => {
                let inner = *self.parser.tree.expr(inner);
                let ExprKind::Name(name, _) = inner.kind else { return false };
                if name.of(self.text) == "%DispatchSimd" {
                    return false;
                }
                let sign = Span::new(expr.span.start, inner.span.start);
                let Some(meant) = sign_modifier(operator) else {
                    let message = format!(
                        "`{}` cannot be an operand: only the predicate before an instruction is inverted by `!`",
                        expr.span.of(self.text)
                    );
                    self.report(Diagnostic::new(&WRONG_OPERAND_FORM, expr.span, message));
                    return true;
                };
                let message = format!("the source modifier of `{}` is written `{meant}`", name.of(self.text));
                self.report(Diagnostic::new(&MISPLACED_SOURCE_MODIFIER, sign, message).replace(sign, meant, true));
                true
            }
            ExprKind::Group(list) => {
                let Some(inner) = self.only_expr(list) else { return false };
                let name = match self.parser.tree.expr(inner).kind {
                    ExprKind::Name(name, Arguments::None) => name,
                    ExprKind::Unary(operator, inner) => return self.sign_in_parentheses(expr.span, operator, inner),
                    _ => return false,
                };
                let word = name.of(self.text).to_ascii_lowercase();
                if word != "abs" && word != "neg" {
                    return false;
                }
                let meant = if word == "abs" { "(abs)" } else { "(-)" };
                let message = format!("the source modifier is written `{meant}`");
                self.report(Diagnostic::new(&MISPLACED_SOURCE_MODIFIER, expr.span, message).replace(
                    expr.span,
                    meant,
                    word == "abs",
                ));
                true
            }
            _ => false,
        }
    }

    /// Reports `(-V)` before row and column, and `(-ABS)`. Returns whether it is one of them.
    fn sign_in_parentheses(&mut self, group: Span, operator: UnaryOperator, inner: ExprId) -> bool {
        let (Some(meant), ExprKind::Name(name, Arguments::None)) =
            (sign_modifier(operator), self.parser.tree.expr(inner).kind)
        else {
            return false;
        };
        let name = name.of(self.text);
        if operator == UnaryOperator::Minus && name.eq_ignore_ascii_case("abs") {
            let message = "the source modifier is written `(-abs)`".to_owned();
            let diagnostic = Diagnostic::new(&MISPLACED_SOURCE_MODIFIER, group, message);
            self.report(diagnostic.replace(group, "(-abs)", true));
            return true;
        }
        let message = format!("the source modifier of `{name}` is written `{meant}`");
        let diagnostic = Diagnostic::new(&MISPLACED_SOURCE_MODIFIER, group, message);
        self.report(diagnostic.replace(group, format!("{meant}{name}"), true));
        true
    }
}

/// The source modifier that a sign stands for.
const fn sign_modifier(operator: UnaryOperator) -> Option<&'static str> {
    match operator {
        UnaryOperator::Minus => Some("(-)"),
        UnaryOperator::Complement => Some("(~)"),
        UnaryOperator::Not => None,
    }
}
