//! Address operands, indirect operands, and addresses of variables.

use super::WRONG_OPERAND_FORM;
use super::general::MISSING_REGION;
use super::immediate::MISSING_TYPE;
use super::region::MALFORMED_REGION;
use crate::base::diagnostic::Diagnostic;
use crate::base::span::Span;
use crate::lower::Lowering;
use crate::lower::expression::clamp;
use crate::program::operand::{Operand, OperandSpans};
use crate::program::variable::{FLAG_ADDRESS_TAKEN, VariableId};
use crate::spec::predefined::VariableKind;
use crate::syntax::number;
use crate::syntax::tree::{Arguments, ExprId, ExprKind, Item, RegionSyntax};

impl Lowering<'_> {
    /// `A0(3)<4>`: `index` is the first element, the stride in `region` the number of elements.
    pub(super) fn address_element(
        &mut self,
        item: &Item,
        variable: VariableId,
        index: i64,
        region: RegionSyntax,
        spans: &OperandSpans,
    ) -> Option<Operand> {
        match region {
            RegionSyntax::None => {
                let written = item.span.of(self.text);
                let message = format!("the address operand `{written}` needs its width");
                self.report(
                    Diagnostic::new(&MISSING_REGION, item.span, message)
                        .help(format!("write `{written}<1>`, or the number of elements that are meant"))
                        .replace(Span::at(item.span.end), "<1>", false),
                );
                None
            }
            RegionSyntax::Stride(span) => {
                let width = number::digits(span.of(self.text)).next().unwrap_or(0) as i64;
                Some(Operand::Address { variable, element: clamp(index), width: clamp(width) })
            }
            RegionSyntax::One(width) => {
                let width = self.constant(width)?;
                Some(Operand::Address { variable, element: clamp(index), width: clamp(width) })
            }
            _ => {
                let message = format!(
                    "an address operand takes one number between angle brackets, not `{}`",
                    spans.region.of(self.text)
                );
                self.report(Diagnostic::new(&MALFORMED_REGION, spans.region, message));
                None
            }
        }
    }

    /// `r[A0(2),16]<8;8,1>:ud`
    pub(super) fn indirect(
        &mut self,
        item: &Item,
        name: ExprId,
        offset: Option<ExprId>,
        spans: &mut OperandSpans,
    ) -> Option<Operand> {
        let expr = *self.parser.tree.expr(name);
        let ExprKind::Name(name, arguments) = expr.kind else { return None };
        spans.name = name;
        let element = if let Arguments::List(list) = arguments {
            if let [one] = self.plain_arguments(item, list)?.as_slice() {
                self.constant(*one)?
            } else {
                let message = format!("`{}` has to name one element of an address variable", expr.span.of(self.text));
                self.report(Diagnostic::new(&WRONG_OPERAND_FORM, expr.span, message));
                return None;
            }
        } else {
            let written = expr.span.of(self.text);
            let message = format!("`{written}` has to name an element of an address variable");
            self.report(Diagnostic::new(&WRONG_OPERAND_FORM, expr.span, message).replace(
                expr.span,
                format!("{}(0)", name.of(self.text)),
                false,
            ));
            return None;
        };
        let variable = self.use_variable(name)?;
        let kind = self.program.variables[variable].kind;
        if kind != VariableKind::Address {
            let message = format!(
                "`{}` is {}; an indirect operand needs an address variable",
                name.of(self.text),
                kind.variable()
            );
            self.report_variable_kind(name, variable, message);
            return None;
        }
        let offset = match offset {
            Some(e) => {
                spans.offset = self.parser.tree.expr(e).span;
                self.constant(e)?
            }
            None => 0,
        };
        let bracket = self.closing_bracket(expr.span.end, item.span.end);
        spans.region = self.region_span(item, bracket);
        let region = match item.region {
            RegionSyntax::None => {
                let message = format!("the indirect operand `{}` needs a region", item.span.of(self.text));
                self.report(Diagnostic::new(&MISSING_REGION, item.span, message));
                return None;
            }
            region => {
                if let RegionSyntax::Two(_, stride) = region {
                    self.plain_stride(stride, spans.region);
                }
                self.region_numbers(region)?
            }
        };
        let Some(suffix) = item.suffix else {
            let message = format!("the indirect operand `{}` needs a type", item.span.of(self.text));
            self.report(
                Diagnostic::new(&MISSING_TYPE, item.span, message)
                    .help("write the element type after it, such as `:ud`"),
            );
            return None;
        };
        let element_type = self.type_suffix(suffix)?;
        Some(Operand::Indirect {
            address: variable,
            element: clamp(element),
            offset: clamp(offset),
            region,
            element_type,
            modifier: self.modifier(item),
        })
    }

    /// Reports the stride of a region with two numbers unless it is a plain decimal.
    fn plain_stride(&mut self, stride: ExprId, region: Span) {
        let expr = *self.parser.tree.expr(stride);
        if expr.kind == ExprKind::Dec {
            return;
        }
        let written = expr.span.of(self.text);
        let message = format!("the stride of `{}` has to be a plain decimal, not `{written}`", region.of(self.text));
        // No spelling of a negative number is a stride: it is reported as an illegal one.
        let Some(number) = self.constant(stride).filter(|number| *number >= 0) else { return };
        self.report(Diagnostic::new(&MALFORMED_REGION, expr.span, message).replace(
            expr.span,
            number.to_string(),
            true,
        ));
    }

    fn closing_bracket(&self, from: u32, to: u32) -> u32 {
        self.text[from as usize..to as usize].find(']').map_or(to, |i| from + i as u32 + 1)
    }

    /// `&V1[32]`
    pub(super) fn address_of(&mut self, item: &Item, name: ExprId, spans: &mut OperandSpans) -> Option<Operand> {
        let expr = *self.parser.tree.expr(name);
        let ExprKind::Name(name, arguments) = expr.kind else { return None };
        spans.name = name;
        if arguments != Arguments::None || item.region != RegionSyntax::None || item.suffix.is_some() {
            let written = item.span.of(self.text);
            self.report(
                Diagnostic::new(&WRONG_OPERAND_FORM, item.span, format!("`{written}` is not an address-of"))
                    .help(format!("write `&{}[offset]`, with the offset in bytes", name.of(self.text))),
            );
            return None;
        }
        let variable = self.use_variable(name)?;
        let offset = match item.index {
            None => 0,
            Some(list) => {
                if let [one] = self.plain_arguments(item, list)?.as_slice() {
                    spans.offset = self.parser.tree.expr(*one).span;
                    self.constant(*one)?
                } else {
                    let message = format!("`{}` takes one byte offset", item.span.of(self.text));
                    self.report(Diagnostic::new(&WRONG_OPERAND_FORM, item.span, message));
                    return None;
                }
            }
        };
        self.note(variable, FLAG_ADDRESS_TAKEN);
        Some(Operand::AddressOf { variable, offset: clamp(offset) })
    }
}
