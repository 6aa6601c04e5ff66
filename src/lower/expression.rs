//! Constant expressions.

use super::Lowering;
use crate::base::diagnostic::Diagnostic;
use crate::base::rule::Level;
use crate::base::span::Span;
use crate::spec::predefined::VariableKind;
use crate::syntax::number;
use crate::syntax::token::TokenKind;
use crate::syntax::tree::{Arguments, ExprId, ExprKind, List, UnaryOperator};

crate::declare_rule! {
    /// A name stands where only a constant may stand. Constant expressions know numbers, operators, `%sizeof` and
    /// `%DispatchSimd`, and no variables.
    ///
    /// ```visa bad
    /// mov (M1, 8) VD(0,VD)<1> 0x1:d
    /// ```
    /// ```visa good
    /// mov (M1, 8) VD(0,4)<1> 0x1:d
    /// ```
    pub NOT_CONSTANT = "not-constant", Error, "8_appendix_visa_assembly_syntax",
        help = "constant expressions hold numbers, operators, `%sizeof(V)` and `%DispatchSimd`"
}

crate::declare_rule! {
    /// Division by zero in a constant expression.
    ///
    /// ```visa bad
    /// mov (M1, 8) VD(0,0)<1> (8/0):d
    /// ```
    /// ```visa good
    /// mov (M1, 8) VD(0,0)<1> (8/2):d
    /// ```
    pub CONSTANT_DIVISION_BY_ZERO = "constant-division-by-zero", Error, "8_appendix_visa_assembly_syntax",
        help = "divide by another number"
}

crate::declare_rule! {
    /// A decimal number that does not fit 31 bits. Assemblers read decimals with a 32-bit conversion that wraps or
    /// saturates silently: `4294967296` becomes 0. Hexadecimal numbers are read with 64 bits.
    ///
    /// ```visa bad
    /// mov (M1, 8) VUD(0,0)<1> 4294967296:ud
    /// ```
    /// ```visa good
    /// mov (M1, 8) VUD(0,0)<1> 0xffffffff:ud
    /// ```
    pub DECIMAL_OVERFLOW = "decimal-overflow", Error | Warning, "8_appendix_visa_assembly_syntax"
}

crate::declare_rule! {
    /// A hexadecimal number of more than 16 digits: it does not fit 64 bits, and the reference gives up.
    ///
    /// ```visa bad
    /// mov (M1, 1) VUQ(0,0)<1> 0x12345678123456789:uq
    /// ```
    /// ```visa good
    /// mov (M1, 1) VUQ(0,0)<1> 0x1234567812345678:uq
    /// ```
    pub HEXADECIMAL_OVERFLOW = "hexadecimal-overflow", Error, "8_appendix_visa_assembly_syntax",
        help = "write at most 16 digits after `0x`"
}

crate::declare_rule! {
    /// A decimal number with leading zeros. It is not octal, as it would be in C: `010` is ten.
    ///
    /// ```visa bad
    /// // pedantic
    /// mov (M1, 8) VD(0,0)<1> 010:d
    /// ```
    /// ```visa good
    /// // pedantic
    /// mov (M1, 8) VD(0,0)<1> 10:d
    /// ```
    pub LEADING_ZERO = "leading-zero", Pedantic, "8_appendix_visa_assembly_syntax"
}

impl Lowering<'_> {
    /// The value of a constant expression; reports and returns nothing if it has none.
    pub(super) fn constant(&mut self, id: ExprId) -> Option<i64> {
        let expr = *self.parser.tree.expr(id);
        match expr.kind {
            ExprKind::Dec | ExprKind::Hex => Some(self.number(expr.span)),
            ExprKind::Unary(operator, a) => {
                let a = self.constant(a)?;
                Some(match operator {
                    UnaryOperator::Minus => a.wrapping_neg(),
                    UnaryOperator::Complement => !a,
                    UnaryOperator::Not => i64::from(a == 0),
                })
            }
            ExprKind::Binary(operator, a, b) => {
                let (a, b) = (self.constant(a)?, self.constant(b)?);
                self.binary(expr.span, operator, a, b)
            }
            ExprKind::Conditional(c, a, b) => {
                let (c, a, b) = (self.constant(c)?, self.constant(a)?, self.constant(b)?);
                Some(if c == 0 { b } else { a })
            }
            ExprKind::Group(list) => self.group_constant(expr.span, list),
            ExprKind::Sizeof(name) => self.size_of(name),
            ExprKind::Name(name, Arguments::None) if name.of(self.text) == "%DispatchSimd" => self.dispatch_simd(name),
            ExprKind::Name(name, _) => {
                let message = format!("`{}` is not a constant", expr.span.of(self.text));
                self.report(Diagnostic::new(&NOT_CONSTANT, name, message));
                None
            }
            ExprKind::Float | ExprKind::String | ExprKind::AlignWord | ExprKind::Pair => {
                let message = format!("expected an integer, found `{}`", expr.span.of(self.text));
                self.report(Diagnostic::new(&NOT_CONSTANT, expr.span, message));
                None
            }
        }
    }

    /// A parenthesised expression: a group of one plain item.
    fn group_constant(&mut self, span: Span, list: List) -> Option<i64> {
        if let Some(inner) = self.only_expr(list) {
            return self.constant(inner);
        }
        let message = format!("`{}` is not a constant expression", span.of(self.text));
        self.report(Diagnostic::new(&NOT_CONSTANT, span, message));
        None
    }

    /// The expression of a list that holds just one plain expression.
    pub(super) fn only_expr(&self, list: List) -> Option<ExprId> {
        let mut items = self.parser.tree.list(list);
        let (first, None) = (items.next()?, items.next()) else { return None };
        first.plain_expr()
    }

    /// The value of a number token, as the toolchain stores it.
    pub(super) fn number(&mut self, span: Span) -> i64 {
        let number = number::number(span.of(self.text));
        if number.overflows {
            self.report_overflow(span, number);
        }
        if let [b'0', b'0'..=b'9', ..] = span.of(self.text).as_bytes() {
            let written = span.of(self.text);
            self.report(
                Diagnostic::new(&LEADING_ZERO, span, format!("`{written}` is the decimal number {}", number.written))
                    .note("a leading zero does not make a number octal")
                    .replace(span, number.written.to_string(), true),
            );
        }
        number.written as i64
    }

    fn report_overflow(&mut self, span: Span, number: number::Number) {
        if number.is_hex {
            let written = span.of(self.text);
            let message = format!("`{written}` has more than 16 hexadecimal digits");
            self.report(Diagnostic::new(&HEXADECIMAL_OVERFLOW, span, message));
        } else {
            let diagnostic = self.decimal_overflow(span, number);
            self.report(diagnostic.level(Level::Warning));
        }
    }

    /// A decimal number that is read as another one.
    pub(super) fn decimal_overflow(&self, span: Span, number: number::Number) -> Diagnostic {
        let written = span.of(self.text);
        let message = format!("the decimal number `{written}` does not fit 31 bits and is read as another number");
        let diagnostic = Diagnostic::new(&DECIMAL_OVERFLOW, span, message)
            .note("decimal numbers are converted with 32 bits, hexadecimal ones with 64");
        if number.written == u64::MAX {
            diagnostic
        } else {
            // A word that follows without a blank would lend it digits.
            let runs_on = self.text.as_bytes().get(span.end as usize).is_some_and(u8::is_ascii_hexdigit);
            diagnostic.replace(span, format!("{:#x}{}", number.written, if runs_on { " " } else { "" }), true)
        }
    }

    fn binary(&mut self, span: Span, operator: TokenKind, a: i64, b: i64) -> Option<i64> {
        Some(match operator {
            TokenKind::Plus => a.wrapping_add(b),
            TokenKind::Minus => a.wrapping_sub(b),
            TokenKind::Star => a.wrapping_mul(b),
            TokenKind::Slash | TokenKind::Remainder if b == 0 => {
                let message = format!("division by zero in `{}`", span.of(self.text));
                self.report(Diagnostic::new(&CONSTANT_DIVISION_BY_ZERO, span, message));
                return None;
            }
            TokenKind::Slash => a.wrapping_div(b),
            TokenKind::Remainder => a.wrapping_rem(b),
            TokenKind::ShiftLeft => a.wrapping_shl(b as u32),
            TokenKind::ShiftRight => a.wrapping_shr(b as u32),
            TokenKind::ShiftRightLogical => (a as u64).wrapping_shr(b as u32) as i64,
            TokenKind::Ampersand => a & b,
            TokenKind::Bar => a | b,
            TokenKind::Caret => a ^ b,
            TokenKind::EqualEqual => i64::from(a == b),
            TokenKind::NotEqual => i64::from(a != b),
            TokenKind::Less => i64::from(a < b),
            TokenKind::Greater => i64::from(a > b),
            TokenKind::LessEqual => i64::from(a <= b),
            TokenKind::GreaterEqual => i64::from(a >= b),
            _ => return None,
        })
    }

    /// `%sizeof(V)`: bytes of a general or address variable, or of a register for `GRF`.
    fn size_of(&mut self, name: Span) -> Option<i64> {
        let text = name.of(self.text);
        let variable = self.find_variable(text);
        let Some(variable) = variable else {
            if text == "GRF" {
                // The register size differs between platforms; 32 bytes are the older half of them.
                return Some(32);
            }
            self.report_undeclared(name);
            return None;
        };
        let row = &self.program.variables[variable];
        if !matches!(row.kind, VariableKind::General | VariableKind::Address) || text.starts_with('%') {
            let message = format!("`%sizeof` takes a general or address variable, not `{text}`");
            self.report(Diagnostic::new(&NOT_CONSTANT, name, message));
            return None;
        }
        Some(i64::from(row.n_elements) * i64::from(row.element_bytes()))
    }

    fn dispatch_simd(&mut self, name: Span) -> Option<i64> {
        if let Some(size) = self.dispatch_simd {
            return Some(size);
        }
        self.report(
            Diagnostic::new(&NOT_CONSTANT, name, "`%DispatchSimd` has no value here")
                .help("it is known after `.kernel_attr SimdSize=16`"),
        );
        None
    }
}

/// Into 32 bits; numbers beyond them become the nearest one, which no check takes for legal.
pub(super) fn clamp(value: i64) -> i32 {
    value.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32
}
